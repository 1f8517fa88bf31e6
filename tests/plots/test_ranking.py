"""Figures of a ranking: of very many tasks, as a matrix of all pairs, and for those who do not see them."""

from dataclasses import replace

import numpy as np
import pytest

from delvecore.plots.highlighted_method import emphasised
from delvecore.plots.method_rows import (
    MOST_DOTS,
    ScoreAxis,
    ScoreDistributions,
    Scores,
    score_distributions_figure,
)
from delvecore.plots.ranking_data import alt_of_pairs
from delvecore.plots.ranking_pairs import (
    MOST_IN_WORDS,
    PairScatter,
    RankPairs,
    TaskPoint,
    pair_scatter_figure,
    rank_pairs_figure,
)
from delvecore.plots.theme import MethodStyle


def test_a_box_of_many_values_is_made_of_its_quartiles_and_the_values_farthest_out():
    values = np.append(np.random.default_rng(1).normal(size=MOST_DOTS), [9.0, -8.0])
    tasks = tuple(f"task {place}" for place in range(len(values)))
    scores = Scores("a", tuple(values.tolist()), MethodStyle("#000", "circle"))
    figure = score_distributions_figure(ScoreDistributions((scores,), tasks, ScoreAxis("loss")))
    box, dots = figure.plotly().data
    assert (box.q1[0], box.median[0], box.q3[0]) == pytest.approx(np.quantile(values, (0.25, 0.5, 0.75)))
    assert list(dots.x[:2]) == [9.0, -8.0]
    assert len(dots.x) <= 12
    assert (box.lowerfence[0] > -8.0, box.upperfence[0] < 9.0) == (True, True)


def test_of_very_many_tasks_those_have_a_dot_on_which_two_methods_differ_most():
    values = np.random.default_rng(2).normal(size=(2500, 2))
    points = tuple(TaskPoint(f"t {n}", a, b, "neither", p=1.0, path=None) for n, (a, b) in enumerate(values))
    figure = pair_scatter_figure(PairScatter(("a", "b"), points, "loss", False, tested=False))
    shades = next(trace for trace in figure.plotly().data if trace.type == "heatmap")
    dots = next(
        trace for trace in figure.plotly().data if trace.type == "scatter" and trace.mode == "markers"
    )
    assert np.sum(shades.customdata) == 2500
    assert len(dots.x) == 300
    least = np.sort(np.abs(values[:, 0] - values[:, 1]))[-300]
    assert np.abs(np.subtract(dots.x, dots.y)).min() == pytest.approx(least)


def pairs(count: int) -> RankPairs:
    """Methods of which each is worse than those before it by how many places it stands behind them."""
    places = np.arange(count)
    difference = places[:, None] - places[None, :].astype(float)
    wins, losses, p = (difference < 0).astype(int), (difference > 0).astype(int), np.full((count, count), 0.5)
    verdict = np.full((count, count), "not significant", dtype=object)
    names = tuple(f"method-{place}" for place in places)
    numbers = (difference, difference, wins, 0 * wins, losses, p, p)
    return RankPairs(names, *numbers, verdict, units="datasets")


@pytest.mark.parametrize("count", [2, 13, MOST_IN_WORDS])
def test_every_cell_has_its_numbers_and_every_row_and_column_its_name(count):
    figure = rank_pairs_figure(pairs(count))
    texts = {trace.text[0]: trace.text for trace in figure.plotly().data if trace.type == "scatter"}
    cells = next(found for first, found in texts.items() if "p = 0.5" in first)
    assert len(cells) == count * (count - 1) / 2
    assert cells[count - 2].startswith(f"−{count - 1}")
    assert [name.strip() for name in texts["method-0  "]] == [f"method-{place}" for place in range(count - 1)]
    assert list(figure.plotly().layout.xaxis.ticktext) == [f"method-{place}" for place in range(1, count)]


def test_of_too_many_methods_numbers_come_with_the_mouse_only():
    figure = rank_pairs_figure(pairs(MOST_IN_WORDS + 1))
    assert not any(
        "p = " in text for trace in figure.plotly().data if trace.type == "scatter" for text in trace.text
    )
    assert figure.plotly().data[0].customdata.shape[:2] == (MOST_IN_WORDS, MOST_IN_WORDS)


FIRST_IS_BETTER = np.array([["", "better", "better"], ["worse", "", ""], ["worse", "", ""]], dtype=object)
PAIRS = replace(pairs(3), methods=("a", "b", "c"), verdict=FIRST_IS_BETTER)


def test_the_matrix_says_which_pairs_differ():
    assert alt_of_pairs(PAIRS) == "Of 3 tested pairs 2 differ: a is better than b and c."


def test_a_row_of_the_matrix_begins_with_its_name_and_ones_own_is_bold():
    names = emphasised(rank_pairs_figure(PAIRS), "b").plotly().data[2]
    assert [text.strip() for text in names.text] == ["a", "<b>b  </b>"]
    assert list(zip(names.x, names.y, strict=True)) == [(0.5, 0), (1.5, 1)]


def test_a_tiny_p_is_not_written_into_every_cell():
    def text(**changes):
        return rank_pairs_figure(replace(PAIRS, **changes)).plotly().data[1]["text"][0]

    assert text() == "▼ −1.0<br>1/0/0<br>p = 0.50"
    assert text(is_higher=True, difference=-PAIRS.difference) == "▲ +1.0<br>1/0/0<br>p = 0.50"
    assert text(p_adjusted=np.full((3, 3), 1e-9)) == "▼ −1.0<br>1/0/0<br>"
