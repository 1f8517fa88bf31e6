"""Figures of a ranking: of very many tasks, as a matrix of all pairs, and for those who do not see them."""

from itertools import combinations

import numpy as np
import pytest

from delvecore.answers.answer import FigureData, Table, table_of
from delvecore.answers.ranking_figures import MOST_VALUES, pairs_words
from delvecore.plots import theme
from delvecore.plots.figure import Figure
from delvecore.plots.highlighted_method import emphasized
from delvecore.plots.method_rows import score_boxes_figure
from delvecore.plots.ranking_pairs import (
    MOST_IN_WORDS,
    NUMBERS,
    ROOM,
    pair_scatter_figure,
    rank_pairs_figure,
)
from delvecore.plots.theme import MethodStyle
from delvecore.stats.ranking.score_table import ScoreTable

STYLES = {"a": MethodStyle("#000", "circle")}


def test_a_box_of_many_values_is_made_of_its_quartiles_and_the_values_farthest_out():
    values = np.append(np.random.default_rng(1).normal(size=MOST_VALUES), [9.0, -8.0])
    tasks = tuple(f"task {place}" for place in range(len(values)))
    scores = ScoreTable(tasks, ("a",), values[:, None])
    figure = score_boxes_figure(Table(()), FigureData("values", "loss", data=scores), STYLES)
    box, dots = figure.plotly().data
    assert (box.q1[0], box.median[0], box.q3[0]) == pytest.approx(np.quantile(values, (0.25, 0.5, 0.75)))
    assert list(dots.x[:2]) == [9.0, -8.0]
    assert len(dots.x) <= 12
    assert (box.lowerfence[0] > -8.0, box.upperfence[0] < 9.0) == (True, True)


def test_of_very_many_tasks_those_have_a_dot_on_which_two_methods_differ_most():
    values = np.random.default_rng(2).normal(size=(2500, 2))
    rows = [(f"t {n}", a, b, "neither", 1.0) for n, (a, b) in enumerate(values)]
    columns = [(key, key, "number") for key in ("task", "first", "second", "better", "p")]
    drawn = FigureData("scatter", "loss")
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
    return rank_pairs_figure(pairs(methods, **changes), FigureData("pairs", higher_is_better=is_higher), {})


def names(count):
    return tuple(f"method-{place}" for place in range(count))


@pytest.mark.parametrize("count", [2, 8, MOST_IN_WORDS])
def test_every_cell_has_its_numbers_and_every_row_and_column_its_name(count):
    figure = matrix(names(count))
    cells, pairs_of = figure.plotly().data[1], count * (count - 1) // 2
    assert len(cells.text) == 2 * pairs_of
    assert cells.text[count - 2].startswith(f"−{count - 1}")
    above = [x > y for x, y in zip(cells.x, cells.y, strict=True)]
    assert above == ["p = " in text for text in cells.text] == [True] * pairs_of + [False] * pairs_of
    assert set(cells.text[pairs_of:]) == {"0/0/1"}  # wins of the row, which is behind
    named = [f"method-{place}" for place in range(count)]
    assert [text.strip() for text in figure.plotly().layout.yaxis.ticktext] == named
    heads = list(figure.plotly().layout.xaxis.ticktext)
    assert heads == (named if count < MOST_IN_WORDS else [theme.shortened(name, 12, 64) for name in named])
    assert figure.plotly().layout.xaxis.tickangle == 0


@pytest.mark.parametrize(("name", "count"), [("lasso-cv-1", 10), ("networks that stop early", 4)])
def test_names_are_not_shortened_on_a_page_that_has_room_for_them(name, count):
    methods = tuple(f"{name} {place}" for place in range(count))
    figure = matrix(methods)
    assert [text.strip() for text in figure.plotly().layout.yaxis.ticktext] == list(methods)
    assert list(figure.plotly().layout.xaxis.ticktext) == list(methods)
    assert theme.least_width(figure) <= ROOM


def test_shades_show_the_size_of_differences_above_and_the_share_of_wins_below():
    # a less b, a less c, b less c: -1, -2, -1; the first of each pair always wins.
    sizes = matrix(("a", "b", "c")).data[0]["z"]
    assert sizes[0, 1:].tolist() == [-0.5, -1.0]
    assert sizes[1:, 0].tolist() == [-1.0 * -1, 1.0]
    assert np.isnan(np.diag(sizes)).all()
    assert matrix(("a", "b"), is_higher=True).data[0]["z"][0, 1] == 1.0


def test_of_too_many_methods_numbers_come_with_the_mouse_only():
    figure = matrix(names(MOST_IN_WORDS + 1))
    assert not any(
        "p = " in text for trace in figure.plotly().data if trace.type == "scatter" for text in trace.text
    )
    assert figure.plotly().data[0].customdata.shape[:2] == (MOST_IN_WORDS + 1,) * 2


def test_the_matrix_says_which_pairs_differ():
    table = pairs(("a", "b", "c"), "better").take([0, 1])
    assert pairs_words(table) == "2 of 2 tested pairs differ: a is better than b and c."
    table = pairs(("a", "b", "c"), "worse").take([1, 2])
    assert pairs_words(table) == "2 of 2 tested pairs differ: c is better than a and b."


def test_a_row_of_the_matrix_begins_with_its_name_and_ones_own_is_bold():
    axis = emphasized(matrix(("a", "b", "c")), "b").plotly().layout.yaxis
    assert [text.strip() for text in axis.ticktext] == ["a", "<b>b  </b>", "c"]


def test_a_sign_says_whether_the_row_is_significantly_better():
    def text(**changes):
        return matrix(("a", "b", "c"), verdict="better", **changes).plotly().data[1]["text"][0]

    assert text() == "<b>+</b> −1.0<br>p = 0.50"
    assert text(is_higher=True, sign=-1.0) == "<b>+</b> +1.0<br>p = 0.50"
    assert text(p=1e-9) == "<b>+</b> −1.0<br>p &lt; 0.0001"
