"""Figures draw what their tables say; without data they say so."""

import pandas as pd

from delvecore.answers.answer import table_of
from delvecore.answers.dataset_cases import BAR_COLUMNS
from delvecore.answers.dataset_cases import COLUMNS as RUNS
from delvecore.plots.cases import case_map_figure, distribution_figure


def test_numbers_are_drawn_as_adjacent_bars_and_gaps_beside_them():
    bars = [("0 to 1", 0.0, 1.0, 3, "value"), ("1 to 2", 1.0, 2.0, 4, "value")]
    missing = ("missing: ?", None, None, 2, "missing")
    numbers, gaps = distribution_figure(table_of([*bars, missing], BAR_COLUMNS)).plotly().data
    assert (list(numbers.x), list(numbers.y), numbers.width) == ([0.5, 1.5], [3, 4], 1.0)
    assert (list(gaps.y), gaps.xaxis) == ([2], "x2")


def test_runs_of_cases_lie_where_they_are():
    runs = [("test", -1, 1, 10), ("gap", -1, 11, 12), ("training", 0, 13, 18), ("unused", -1, 19, 20)]
    table = pd.DataFrame([("size 6", 6, *run, 1, False) for run in runs], columns=RUNS)
    figure = case_map_figure(table)
    placed = {trace.name: (list(trace.base), list(trace.x)) for trace in figure.plotly().data}
    assert placed == {
        "test sets": ([0], [10]),
        "training sets": ([12], [6]),
        "kept free": ([10], [2]),
        "unused": ([18], [2]),
    }


def test_nothing_to_show_is_said_in_the_figure():
    for figure in (
        distribution_figure(table_of([], BAR_COLUMNS)),
        case_map_figure(pd.DataFrame(columns=RUNS)),
    ):
        assert figure.plotly().layout.annotations[0].text
        assert figure.plotly().layout.height
