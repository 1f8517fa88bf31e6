"""1,000 tables that anyone may write are ranked as pandas ranks them, or asked about; none differs in silence."""

from collections import Counter
from pathlib import Path

import pytest

from tests.score_tables.judging import Verdict, judged
from tests.score_tables.legitimate_tables import Legitimate, legitimate_table

MOST_ASKED = {True: 0.15, False: 0.5}
"""Shares of tables that may be asked about, ordinary ones and others: who always asks does not pass."""
QUICK, ALL = range(150), range(150, 1000)
SHOWN = 8

Judged = list[tuple[Legitimate, Verdict]]


def judge(seeds: range, folder: Path) -> Judged:
    """Return the tables of these seeds with what was made of them."""
    tables = [legitimate_table(seed, folder) for seed in seeds]
    return [(table, judged(table.source, table.truth, **table.options)) for table in tables]


def report(found: Judged, outcome: str) -> str:
    """Return the counts, and the first tables of an outcome."""
    counts = Counter(verdict.outcome for _, verdict in found)
    named = ", ".join(f"{counts[one]} {one}" for one in ("right", "asked", "wrong"))
    shown = [f"{verdict.detail}\n{table.text}" for table, verdict in found if verdict.outcome == outcome]
    return "\n\n".join([f"{len(found)} tables: {named}", *shown[:SHOWN]])


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    return judge(QUICK, tmp_path_factory.mktemp("quick"))


@pytest.fixture(scope="module")
def every(quick, tmp_path_factory):
    return quick + judge(ALL, tmp_path_factory.mktemp("all"))


def check(found: Judged) -> None:
    assert all(verdict.outcome != "wrong" for _, verdict in found), report(found, "wrong")
    for is_ordinary, most in MOST_ASKED.items():
        some = [one for one in found if one[0].is_ordinary == is_ordinary]
        asked = sum(verdict.outcome == "asked" for _, verdict in some)
        assert asked <= most * len(some), report(some, "asked")


def test_150_legitimate_tables_are_ranked_as_pandas_ranks_them_or_asked_about(quick):
    check(quick)


@pytest.mark.slow
def test_1000_legitimate_tables_are_ranked_as_pandas_ranks_them_or_asked_about(every):
    check(every)


@pytest.mark.slow
def test_the_1000_tables_have_all_that_makes_a_table_hard_to_read(every):
    seen = Counter(feature.split(" '")[0] for table, _ in every for feature in table.features)
    expected = [
        "wide",
        "turned",
        "long",
        "folds",
        "metrics",
        "unlabelled",
        "identifiers",
        "ties",
        "missing",
        "csv",
        "tsv",
        "semicolon",
        "parquet",
        "xlsx",
        "json",
        "frame",
        "arrow",
        "dict",
        "records",
        "indexed",
        "fraction",
        "close",
        "percent",
        "loss",
        "magnitudes",
        "method",
        "dataset",
        "summary",
    ]
    expected += [f"{word} of others" for word in ("mean", "median", "minimum", "maximum", "sum")]
    expected += [f"{digits} digits" for digits in range(2, 18)]
    expected += ["last row near the mean", "constant column", "constant row", "two metrics", "times"]
    assert {one: seen[one] for one in expected if seen[one] < 5} == {}
