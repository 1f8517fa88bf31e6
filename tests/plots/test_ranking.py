"""Figures of a ranking: of very many tasks, as a matrix of all pairs, and for those who do not see them."""

from itertools import combinations

import numpy as np
import pytest

from delvecore.answers.answer import Table, table_of
from delvecore.answers.ranking_figures import MOST_VALUES, PairScatter, RankMatrix, ScoreBoxes, pairs_words
from delvecore.plots.figure import Figure
from delvecore.plots.highlighted_method import emphasised
from delvecore.plots.method_rows import score_boxes_figure
from delvecore.plots.ranking_pairs import MOST_IN_WORDS, NUMBERS, pair_scatter_figure, rank_pairs_figure
from delvecore.plots.theme import MethodStyle
from delvecore.stats.ranking.score_table import ScoreTable

STYLES = {"a": MethodStyle("#000", "circle")}


def test_a_box_of_many_values_is_made_of_its_quartiles_and_the_values_farthest_out():
    values = np.append(np.random.default_rng(1).normal(size=MOST_VALUES), [9.0, -8.0])
    tasks = tuple(f"task {place}" for place in range(len(values)))
    scores = ScoreTable(tasks, ("a",), values[:, None])
    figure = score_boxes_figure(Table(()), ScoreBoxes(scores, "loss"), STYLES)
    box, dots = figure.plotly().data
    assert (box.q1[0], box.median[0], box.q3[0]) == pytest.approx(np.quantile(values, (0.25, 0.5, 0.75)))
    assert list(dots.x[:2]) == [9.0, -8.0]
    assert len(dots.x) <= 12
    assert (box.lowerfence[0] > -8.0, box.upperfence[0] < 9.0) == (True, True)


def test_of_very_many_tasks_those_have_a_dot_on_which_two_methods_differ_most():
    values = np.random.default_rng(2).normal(size=(2500, 2))
    rows = [(f"t {n}", a, b, "neither", 1.0) for n, (a, b) in enumerate(values)]
    columns = [(key, key, "number") for key in ("task", "first", "second", "better", "p")]
    drawn = PairScatter(("a", "b"), "loss", is_higher=False, tested=False)
    figure = pair_scatter_figure(table_of(rows, columns), drawn, {})
    shades = next(trace for trace in figure.plotly().data if trace.type == "heatmap")
    dots = next(
        trace for trace in figure.plotly().data if trace.type == "scatter" and trace.mode == "markers"
    )
    assert np.sum(shades.customdata) == 2500
    assert len(dots.x) == 300
    least = np.sort(np.abs(values[:, 0] - values[:, 1]))[-300]
    assert np.abs(np.subtract(dots.x, dots.y)).min() == pytest.approx(least)


def pairs(methods, verdict="not significant", *, p=0.5, sign=1.0) -> Table:
    """Methods of which each is worse than those before it by how many places it stands behind them."""
    places = combinations(range(len(methods)), 2)
    rows = [
        (methods[a], methods[b], sign * (a - b), sign * (a - b), 1, 0, 0, p, p, verdict) for a, b in places
    ]
    return table_of(
        rows, [(key, key, "number") for key in ("row", "column", *NUMBERS, "p", "p_adjusted", "verdict")]
    )


def matrix(methods, *, is_higher=False, **changes) -> Figure:
    return rank_pairs_figure(pairs(methods, **changes), RankMatrix(methods, is_higher), {})


def names(count):
    return tuple(f"method-{place}" for place in range(count))


@pytest.mark.parametrize("count", [2, 13, MOST_IN_WORDS])
def test_every_cell_has_its_numbers_and_every_row_and_column_its_name(count):
    figure = matrix(names(count))
    texts = {trace.text[0]: trace.text for trace in figure.plotly().data if trace.type == "scatter"}
    cells = next(found for first, found in texts.items() if "p = 0.5" in first)
    assert len(cells) == count * (count - 1) / 2
    assert cells[count - 2].startswith(f"−{count - 1}")
    assert [name.strip() for name in texts["method-0  "]] == [f"method-{place}" for place in range(count - 1)]
    assert list(figure.plotly().layout.xaxis.ticktext) == [f"method-{place}" for place in range(1, count)]


def test_of_too_many_methods_numbers_come_with_the_mouse_only():
    figure = matrix(names(MOST_IN_WORDS + 1))
    assert not any(
        "p = " in text for trace in figure.plotly().data if trace.type == "scatter" for text in trace.text
    )
    cells = figure.plotly().data[0]
    assert cells.customdata.shape[:2] == (MOST_IN_WORDS, MOST_IN_WORDS)
    assert cells.text[0][0] == "p = 0.50; adjusted p = 0.50"


def test_the_matrix_says_which_pairs_differ():
    table = pairs(("a", "b", "c"), "better").take([0, 1])
    assert pairs_words(table) == "Of 2 tested pairs 2 differ: a is better than b and c."
    table = pairs(("a", "b", "c"), "worse").take([1, 2])
    assert pairs_words(table) == "Of 2 tested pairs 2 differ: c is better than a and b."


def test_a_row_of_the_matrix_begins_with_its_name_and_ones_own_is_bold():
    written = emphasised(matrix(("a", "b", "c")), "b").plotly().data[2]
    assert [text.strip() for text in written.text] == ["a", "<b>b  </b>"]
    assert list(zip(written.x, written.y, strict=True)) == [(0.5, 0), (1.5, 1)]


def test_a_tiny_p_is_not_written_into_every_cell():
    def text(**changes):
        return matrix(("a", "b", "c"), verdict="better", **changes).plotly().data[1]["text"][0]

    assert text() == "▼ −1.0<br>1/0/0<br>p = 0.50"
    assert text(is_higher=True, sign=-1.0) == "▲ +1.0<br>1/0/0<br>p = 0.50"
    assert text(p=1e-9) == "▼ −1.0<br>1/0/0<br>"
