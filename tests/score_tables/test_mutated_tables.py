"""6,000 tables with a fault give the right numbers or a message; none differs in silence, none gives a traceback."""

from collections import Counter

import pytest

from tests.score_tables.judging import Verdict, judged_cells
from tests.score_tables.mutated_tables import MUTATIONS, Mutated, describe, mutated_table

COUNT, QUICK = 6000, 10
"""Of all seeds, each tenth one is tried where there is little time."""
SHOWN = 8


def judge(table: Mutated) -> Verdict:
    return judged_cells(table.data, table.name, table.readings, table.told, **table.options)


def check(seeds: range) -> None:
    """Compare the tables of these seeds with what they may say."""
    found = [(table, judge(table)) for table in map(mutated_table, seeds)]
    counts = Counter(verdict.outcome for _, verdict in found)
    named = ", ".join(f"{counts[one]} {one}" for one in ("right", "asked", "wrong"))
    wrong = [f"{verdict.detail}\n{describe(table)}" for table, verdict in found if verdict.outcome == "wrong"]
    assert not wrong, "\n\n".join([f"{len(found)} tables: {named}", *wrong[:SHOWN]])
    # A reader that always asks reads nothing.
    assert counts["right"] >= 0.45 * len(found), named


def test_600_mutated_tables_give_the_right_numbers_or_a_message():
    check(range(0, COUNT, QUICK))


@pytest.mark.slow
def test_6000_mutated_tables_give_the_right_numbers_or_a_message():
    check(range(COUNT))


def test_each_kind_of_fault_is_tried():
    kinds = Counter(mutated_table(seed).title for seed in range(COUNT))
    assert {title for title in MUTATIONS if kinds[title] < 3} == set()
