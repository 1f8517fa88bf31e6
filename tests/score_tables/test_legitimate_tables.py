"""Tables that anyone may write are ranked as pandas ranks them, or asked about; none differs in silence."""

from collections import Counter

import pytest

from tests.score_tables.judging import Verdict, judged
from tests.score_tables.legitimate_tables import Legitimate, legitimate_table

MOST_ASKED = {True: 0.15, False: 0.5}
"""Shares of tables that may be asked about, ordinary ones and others: who always asks does not pass."""
SHOWN = 8
HARD = """
    wide turned long folds metrics unlabelled identifiers ties missing csv tsv semicolon parquet xlsx json frame
    arrow dict records indexed fraction close percent loss magnitudes method dataset summary times
"""

Judged = list[tuple[Legitimate, Verdict]]


def report(found: Judged, outcome: str) -> str:
    """Return the counts, and the first tables of an outcome."""
    counts = Counter(verdict.outcome for _, verdict in found)
    named = ", ".join(f"{counts[one]} {one}" for one in ("right", "asked", "wrong"))
    shown = [f"{verdict.detail}\n{table.text}" for table, verdict in found if verdict.outcome == outcome]
    return "\n\n".join([f"{len(found)} tables: {named}", *shown[:SHOWN]])


@pytest.mark.parametrize(
    "count", [pytest.param(150, marks=pytest.mark.slow), pytest.param(1000, marks=pytest.mark.wide)]
)
def test_legitimate_tables_are_ranked_as_pandas_ranks_them_or_asked_about(count, tmp_path):
    tables = [legitimate_table(seed, tmp_path) for seed in range(count)]
    found = [(table, judged(table.source, table.truth, **table.options)) for table in tables]
    assert all(verdict.outcome != "wrong" for _, verdict in found), report(found, "wrong")
    for is_ordinary, most in MOST_ASKED.items():
        some = [one for one in found if one[0].is_ordinary == is_ordinary]
        asked = sum(verdict.outcome == "asked" for _, verdict in some)
        assert asked <= most * len(some), report(some, "asked")
    if count == 1000:
        assert_each_difficulty_is_tried(tables)


def assert_each_difficulty_is_tried(tables: list[Legitimate]) -> None:
    seen = Counter(feature.split(" '")[0] for table in tables for feature in table.features)
    expected = [*HARD.split(), "last row near the mean", "constant column", "constant row", "two metrics"]
    expected += [f"{word} of others" for word in ("mean", "median", "minimum", "maximum", "sum")]
    expected += [f"{digits} digits" for digits in range(2, 18)]
    assert {one: seen[one] for one in expected if seen[one] < 5} == {}
