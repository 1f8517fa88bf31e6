"""Tables that anyone may write, tables with a fault, and files of real formats, also reshaped: read as what they say
or asked about; none differs in silence, none gives a traceback."""

from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from delvecore.errors import DelveError
from delvecore.score_tables.options import Question, ScoreOptions
from delvecore.score_tables.reading import read_scores
from tests.score_tables.judging import Verdict, judged, judged_cells
from tests.score_tables.legitimate_tables import Legitimate, legitimate_table
from tests.score_tables.mutated_tables import MUTATIONS, Mutated, describe, mutated_table
from tests.score_tables.real_formats import FORMATS
from tests.score_tables.reshapes import AS_WRITTEN, COUNT, format_table, verdicts
from tests.score_tables.trait_tables import Traits, trait_table

MOST_ASKED = {True: 0.15, False: 0.5}
"""Shares of tables that may be asked about, ordinary ones and others: who always asks does not pass."""
SHOWN = 8
HARD = """
    wide turned long folds metrics unlabeled identifiers ties missing csv tsv semicolon parquet xlsx json frame
    arrow dict records indexed fraction close percent loss magnitudes method dataset summary times
"""

Judged = list[tuple[Legitimate, Verdict]]


def report(judged_table: Judged, outcome: str) -> str:
    """Return the counts, and the first tables of an outcome."""
    counts = Counter(verdict.outcome for _, verdict in judged_table)
    named = ", ".join(f"{counts[one]} {one}" for one in ("right", "asked", "wrong"))
    shown = [
        f"{verdict.detail}\n{table.text}" for table, verdict in judged_table if verdict.outcome == outcome
    ]
    return "\n\n".join([f"{len(judged_table)} tables: {named}", *shown[:SHOWN]])


@pytest.mark.parametrize(
    "count", [pytest.param(50, marks=pytest.mark.slow), pytest.param(1000, marks=pytest.mark.wide)]
)
def test_legitimate_tables_are_ranked_as_pandas_ranks_them_or_asked_about(count, tmp_path):
    tables = [legitimate_table(seed, tmp_path) for seed in range(count)]
    pairs = [(table, judged(table.source, table.truth, **table.options)) for table in tables]
    assert all(verdict.outcome != "wrong" for _, verdict in pairs), report(pairs, "wrong")
    for is_ordinary, most in MOST_ASKED.items():
        some = [one for one in pairs if one[0].is_ordinary == is_ordinary]
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


ALL, SOME = range(6000), range(0, 6000, 60)


def judge(table: Mutated) -> Verdict:
    return judged_cells(table.data, table.name, table.readings, table.told, **table.options)


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(SOME, marks=pytest.mark.slow, id="100"),
        pytest.param(ALL, marks=pytest.mark.wide, id="6000"),
    ],
)
def test_mutated_tables_give_the_right_numbers_or_a_message(seeds):
    pairs = [(table, judge(table)) for table in map(mutated_table, seeds)]
    counts = Counter(verdict.outcome for _, verdict in pairs)
    named = ", ".join(f"{counts[one]} {one}" for one in ("right", "asked", "wrong"))
    wrong = [f"{verdict.detail}\n{describe(table)}" for table, verdict in pairs if verdict.outcome == "wrong"]
    assert not wrong, "\n\n".join([f"{len(pairs)} tables: {named}", *wrong[:SHOWN]])
    # A reader that always asks reads nothing.
    assert counts["right"] >= 0.4 * len(pairs), named
    kinds = Counter(table.title for table, _ in pairs)
    assert seeds == SOME or {title for title in MUTATIONS if kinds[title] < 3} == set()


MOST_FORMATS_ASKED = 0.15
"""Of the formats as they are written."""
SCORES = Path(__file__).parents[2] / "docs" / "scores.md"


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_a_real_format_in_all_shapes_is_read_as_what_it_says_or_asked_about(name):
    assert len(verdicts(name)) > COUNT
    assert {title: one.detail for title, one in verdicts(name).items() if one.outcome == "wrong"} == {}


@pytest.mark.slow
def test_most_real_formats_are_read_without_a_question():
    asked = [name for name in FORMATS if verdicts(name)[AS_WRITTEN].outcome == "asked"]
    assert len(FORMATS) >= 60
    assert len(asked) <= MOST_FORMATS_ASKED * len(FORMATS), asked


@pytest.mark.slow
def test_the_documentation_says_which_format_asks_what():
    # Where it does not: run `python -m tests.score_tables.reshapes`, and paste its table.
    assert format_table() in SCORES.read_text()


DEEPEST = 3
"""Questions that follow one another until a cure leads to the right ranking."""


def cured(table: Traits, options: ScoreOptions, depth: int = 0) -> bool:
    """Does a printed cure of each question lead to the right ranking? Other cures must not fail without a message."""
    try:
        read_scores(table.source, options=options)
    except Question as question:
        following = [options.with_answer(answer) for answer in question.answers]
        return depth < DEEPEST and any(cured(table, one, depth + 1) for one in following if one != options)
    except DelveError:
        return False
    said = {name: value for name, value in vars(options).items() if value not in (None, ())}
    return judged(table.source, table.truth, **said).outcome == "right"


def assert_every_column_is_named(table: Traits) -> None:
    """Is each column a method, a dataset, a metric, or named with its role, or as not used?"""
    file = read_scores(table.source, options=ScoreOptions(**table.options))
    scores = file.rows.select(["dataset", "method", "metric"]).to_pandas()
    named = {name for key in scores for name in scores[key].astype(str).unique()}
    named |= {name for one in file.reading.omissions for name in one.names}
    told = " ".join(role.text for role in file.reading.roles)
    if table.source.suffix != ".md":
        header = pd.read_csv(table.source, sep=None, engine="python", nrows=1).columns
        assert [name for name in header if name not in named and name not in told] == [], table.text


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(0, 2000, 400), id="5"),
        pytest.param(range(0, 2000, 40), id="50", marks=pytest.mark.slow),
        pytest.param(range(2000), id="2000", marks=pytest.mark.wide),
    ],
)
def test_tables_with_the_traits_of_public_files_are_ranked_as_pandas_ranks_them_or_asked_about(
    seeds, tmp_path
):
    tables = [trait_table(seed, tmp_path) for seed in seeds]
    pairs = [(table, judged(table.source, table.truth, **table.options)) for table in tables]
    counts = Counter(verdict.outcome for _, verdict in pairs)
    wrong = [f"{verdict.detail}\n{table.text}" for table, verdict in pairs if verdict.outcome == "wrong"]
    assert not wrong, "\n\n".join([f"{counts}", *wrong[:SHOWN]])
    assert counts["asked"] <= 0.15 * len(pairs) + 1, counts
    for table in (one for one, verdict in pairs if verdict.outcome == "right" and one.source.is_file()):
        assert_every_column_is_named(table)
    asked = [table for table, verdict in pairs if verdict.outcome == "asked"]
    stuck = [table.text for table in asked if not cured(table, ScoreOptions(**table.options))]
    assert not stuck, "\n\n".join([f"{len(stuck)} of {len(asked)} questions have no cure", *stuck[:SHOWN]])
