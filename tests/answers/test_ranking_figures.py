"""Answers of a ranking with a figure: their rows are what the analysis says, in the order of mean ranks."""

import numpy as np
import pytest

from delvecore.answers.ranking_figures import (
    MOST_VALUES,
    leave_out_answer,
    names_in_order,
    pair_table,
    pairs_answer,
    places_answer,
    values_answer,
    wins_answer,
)
from delvecore.plots import theme
from delvecore.plots.draw import draw
from delvecore.render.spans import plain
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.ranks import LeftOut
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import RankTest, pair_verdicts

# b is best on three of four tasks and ties with a on the last one; c is always last.
VALUES = np.array([[2.0, 1.0, 3.0], [2.0, 1.0, 4.0], [3.0, 2.0, 5.0], [1.0, 1.0, 6.0]])


@pytest.fixture(scope="module")
def ranked():
    analysis = analyze(ScoreTable(("t1", "t2", "t3", "t4"), ("a", "b", "c"), VALUES), unit="task")
    return analysis, pair_verdicts(analysis, RankTest.NEMENYI)


def test_places_are_in_the_order_of_mean_ranks(ranked):
    answer = places_answer(*ranked, names_in_order(ranked[0]))
    assert answer.table.select("method", "place", "rank").rows == [
        ("b", 1.0, 1.125),
        ("a", 2.0, 1.875),
        ("c", 3.0, 3.0),
    ]
    assert places_answer(*ranked, ["a"]).table["method"] == ["a"]


def test_a_pair_turned_round_has_the_opposite_difference_and_the_same_p(ranked):
    table = pair_table(*ranked, [("a", "b"), ("b", "a")])
    (_, _, *there), (_, _, *back) = table.select(
        "row", "column", "difference", "median", "wins", "ties", "losses"
    ).rows
    assert there == [0.75, 1.0, 0, 1, 3]
    assert back == [-0.75, -1.0, 3, 1, 0]
    assert table["p"][0] == table["p"][1]


def test_only_pairs_that_differ_are_bold(ranked):
    answer = pairs_answer(*ranked, ["b", "a", "c"])
    # Mean ranks are 0.75, 1.125 and 1.875 apart; the critical difference of three methods on four tasks is 1.66.
    assert answer.table.bold == {(1, "p_adjusted")}
    assert answer.alt.endswith("1 of 3 tested pairs differs: b is better than c.")


def test_ties_are_half_a_win(ranked):
    answer = wins_answer(*ranked, ["b", "a", "c"], "b")
    assert answer.table.select("method", "wins", "ties", "losses", "rate").rows == [
        ("a", 0, 1, 3, 0.125),
        ("c", 0, 0, 4, 0.0),
    ]
    assert plain(answer.notes[0]).startswith("Against b (the best mean rank): tasks won / tied / lost")
    assert "a 12 %   (0 / 1 / 3)" in answer.alt


def test_of_many_tasks_the_values_are_quantiles():
    values = np.arange(2.0 * (MOST_VALUES + 1)).reshape(-1, 2)
    analysis = analyze(ScoreTable(tuple(map(str, range(len(values)))), ("a", "b"), values), unit="task")
    answer = values_answer(analysis, ["a", "b"], "loss", None)
    assert answer.table.select("method", "smallest", "median", "largest").rows == [
        ("a", 0.0, MOST_VALUES, 2.0 * MOST_VALUES),
        ("b", 1.0, MOST_VALUES + 1, 2.0 * MOST_VALUES + 1),
    ]


def test_ranks_without_a_family_follow_those_of_all_tasks(ranked):
    left = [LeftOut("first", 3, np.array([1.5, 1.5, 3.0]), same_best=True, moved=1)]
    answer = leave_out_answer(ranked[0], left, ["b", "a", "c"])
    assert answer.table["row"] == ["all tasks"] * 3 + ["without first"] * 3
    assert answer.table["rank"] == [1.125, 1.875, 3.0, 1.5, 1.5, 3.0]
    assert dict(answer.table.select("row", "change").rows)["without first"] == "3 tasks, 1 pair reversed"


def test_the_figure_follows_from_the_record_of_the_answer(ranked):
    styles = theme.method_styles("bac")
    made = [places_answer(*ranked, "abc"), pairs_answer(*ranked, "bac"), wins_answer(*ranked, "bac", "b")]
    drawn = [draw(answer, styles).data[0]["type"] for answer in made]
    assert drawn == ["scatter", "heatmap", "scatter"]
