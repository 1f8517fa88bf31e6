"""Tables with a fault give the right numbers or a message; none differs in silence, none gives a traceback."""

from collections import Counter

import pytest

from tests.score_tables.judging import Verdict, judged_cells
from tests.score_tables.mutated_tables import MUTATIONS, Mutated, describe, mutated_table

ALL, SOME = range(6000), range(0, 6000, 10)
SHOWN = 8


def judge(table: Mutated) -> Verdict:
    return judged_cells(table.data, table.name, table.readings, table.told, **table.options)


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(SOME, marks=pytest.mark.slow, id="600"),
        pytest.param(ALL, marks=pytest.mark.wide, id="6000"),
    ],
)
def test_mutated_tables_give_the_right_numbers_or_a_message(seeds):
    found = [(table, judge(table)) for table in map(mutated_table, seeds)]
    counts = Counter(verdict.outcome for _, verdict in found)
    named = ", ".join(f"{counts[one]} {one}" for one in ("right", "asked", "wrong"))
    wrong = [f"{verdict.detail}\n{describe(table)}" for table, verdict in found if verdict.outcome == "wrong"]
    assert not wrong, "\n\n".join([f"{len(found)} tables: {named}", *wrong[:SHOWN]])
    # A reader that always asks reads nothing.
    assert counts["right"] >= 0.45 * len(found), named
    kinds = Counter(table.title for table, _ in found)
    assert seeds == SOME or {title for title in MUTATIONS if kinds[title] < 3} == set()
