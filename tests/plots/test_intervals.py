"""Figures of intervals, one row per method or a pair, and of costs against quality with names beside marks."""

import math

import numpy as np
import pytest

from delvecore.answers.answer import Answer, Column, FigureData, IntervalFields, Table, table_of
from delvecore.answers.leaderboard import Costs
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.measures import Measure
from delvecore.plots.cost_quality import DRAWN, boxes_of_line, front_figure, label_marks
from delvecore.plots.rows import interval_rows, intervals_figure
from delvecore.plots.theme import MethodStyle, new_figure
from delvecore.stats.orientation import oriented
from delvecore.stats.ranking.pareto_front import CostFront

STYLE = MethodStyle("#0072b2", "circle")


def test_an_answer_of_methods_is_drawn_in_their_looks_and_its_order():
    fields = (
        Column("method", "method", "name", ["b", "a"]),
        *(Column(key, key, "share", np.array(values)) for key, values in SHARES.items()),
    )
    drawn = IntervalFields(("method",), "within", "low", "high", "share")
    answer = Answer("regret", "", Table(fields), (), drawn)
    rows = interval_rows(answer, {"a": STYLE})
    assert rows.select("name", "value", "lower", "upper").rows == [
        ("b", 0.9, 0.8, 0.95),
        ("a", 0.5, 0.3, 0.7),
    ]
    assert (rows["text"][0], rows["color"][1]) == ("90 %", STYLE.color)
    assert intervals_figure(answer, {}).layout["xaxis"]["tickformat"] == ".0%"


SHARES = {"within": [0.9, 0.5], "low": [0.8, 0.3], "high": [0.95, 0.7]}


def test_rows_without_an_interval_are_drawn():
    rows = [("a", 1.0, math.nan, math.nan), ("b", 2.0, 1.5, 2.5)]
    table = table_of(rows, [(key, key, "number") for key in ("method", "mean", "low", "high")])
    drawn = IntervalFields(("method",), "mean", "low", "high", "loss", (0.0,))
    figure = intervals_figure(Answer("losses", "", table, figure=drawn), {})
    hollow, full = figure.plotly().data
    assert (hollow.x, hollow.marker.symbol, hollow.error_x.array) == ((1.0,), ("circle-open",), None)
    assert (full.x, full.marker.symbol, full.error_x.array) == ((2.0,), ("circle",), (0.5,))


def costs(spots, measure=LOSS_SPECS["S"]):
    """Costs of methods, each (name, seconds, mean, on the front), with the ends of both intervals."""
    names, seconds, means, on_front = zip(*spots, strict=True)
    cost, loss = np.array(seconds, float).T, oriented(np.array(means, float), measure).T
    front = CostFront(0.95, *loss, *cost, np.array(on_front), np.ones(len(names)))
    unknown = np.full(len(names), np.nan)
    return Costs(names, measure, front, unknown, unknown, unit="task", units=5, ranked=5, left_out=0)


def front(spots, **measure):
    costs_shown = costs(spots, **measure)
    return front_figure(
        Table(()), FigureData("front", data=costs_shown), dict.fromkeys(costs_shown.methods, STYLE)
    ).plotly()


CHEAP = ("cheap", (1, 0.5, 2), (0.9, 0.8, 1.0), True)


def test_the_front_joins_methods_that_none_beats_and_opens_the_others():
    spots = [
        CHEAP,
        ("beaten", (5, 4, 6), (0.95, 0.9, 1.0), False),
        ("best", (9, 8, 10), (0.2, 0.1, 0.3), True),
    ]
    figure = front(spots)
    assert figure.data[0].x == (1, 9)
    assert figure.layout.xaxis.ticktext == ("0.5", "1", "2", "5", "10")
    assert [trace.marker.symbol for trace in figure.data[1:]] == ["circle", "circle-open", "circle"]


@pytest.mark.parametrize(
    ("measure", "title", "hover"),
    [
        (LOSS_SPECS["S"], "↓ better   loss", "cheap: 1 s, loss 0.9, on the front in 100 % of draws"),
        (
            Measure("accuracy", "accuracy", higher_is_better=True, best=1.0, baseline=None),
            "↑ better   accuracy",
            "cheap: 1 s, accuracy 0.9, on the front in 100 % of draws",
        ),
    ],
)
def test_the_front_says_what_its_means_are_of_and_which_way_is_better(measure, title, hover):
    figure = front([CHEAP], measure=measure)
    assert title in [note.text for note in figure.layout.annotations]
    assert hover in str(figure.data[1])


def test_an_interval_of_costs_without_a_bound_ends_within_the_picture():
    spots = [
        ("a", (1.0, 0.0, math.inf), (0.9, 0.8, 1.0), True),
        ("b", (10, math.nan, math.nan), (0.2,) * 3, True),
    ]
    figure = front(spots)
    low, high = figure.layout.xaxis.range
    assert -2.5 < low < -2
    assert 3 < high < 3.5
    assert figure.data[1].error_x.array == (999.0,)


def anchors(marks, lines=()):
    figure = new_figure(height=100)
    # An axis from 1 to 10**620 seconds, and one of 390: a pixel is a power of ten, and one.
    label_marks(figure, marks, list(lines), (0, DRAWN[0]), (0, DRAWN[1]))
    return [(note.name, note.xanchor, note.showarrow) for note in figure.plotly().layout.annotations]


def test_a_name_gives_way_to_a_mark_at_its_right_and_to_a_line():
    # A name of one letter is taken to be 14.6 pixels wide and starts 7 right of its mark.
    marks = {"a": (1e100, 100), "b": (1e118, 100)}
    assert anchors(marks) == [("a", "center", False), ("b", "left", False)]
    line = boxes_of_line([(100, 60), (100, 140)])
    assert anchors({"a": marks["a"]}, line) == [("a", "left", False)]
    wide = boxes_of_line([(60, 100), (140, 100)])
    assert anchors({"a": marks["a"]}, wide) == [("a", "center", False)]
