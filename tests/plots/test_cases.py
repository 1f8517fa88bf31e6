"""Figures draw what their tables say; without data they say so."""

import numpy as np
import pandas as pd
import pytest

from delvecore.answers.answer import table_of
from delvecore.answers.dataset_cases import BAR_COLUMNS, CaseMap
from delvecore.answers.dataset_cases import COLUMNS as RUNS
from delvecore.plots.cases import case_map_figure, distribution_figure
from delvecore.plots.cells import kinds_figure
from delvecore.stats.ranking.performance_profiles import group_ranks
from delvecore.stats.ranking.score_table import ScoreTable

TASKS = ("t1", "t2", "t3")
SCORES = ScoreTable(TASKS, ("gp", "lin"), np.array([[1.0, 2.0], [1.0, 2.0], [2.0, 1.0]]))
GROUPS = group_ranks(SCORES, {"noise": {"low noise": TASKS, "<b> noise": TASKS[2:]}}, unit="task")


def test_a_table_on_shades_writes_its_numbers_and_knows_its_cells():
    figure = kinds_figure(GROUPS, [0, 1], "Mean rank").plotly()
    shades, cells, pale = figure.data
    # Mean ranks 4/3 and 5/3 of two methods; the kind of one task has no shade.
    assert shades.z[:, 0].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert np.isnan(shades.z[:, 1]).all()
    assert list(cells.text) == ["1.33", "1.67"]
    assert list(pale.text) == ["2.00", "1.00"]
    assert [list(each) for each in cells.customdata] == [["gp"], ["lin"]]
    assert figure.layout.xaxis.ticktext[0] == "low (3<br>tasks)"
    assert figure.layout.xaxis.ticktext[1].startswith("&lt;b&gt;")


def test_numbers_are_drawn_as_adjacent_bars_and_gaps_beside_them():
    bars = [("0 to 1", 0.0, 1.0, 3, "value"), ("1 to 2", 1.0, 2.0, 4, "value")]
    missing = ("missing: ?", None, None, 2, "missing")
    numbers, gaps = distribution_figure(table_of([*bars, missing], BAR_COLUMNS)).plotly().data
    assert (list(numbers.x), list(numbers.y), numbers.width) == ([0.5, 1.5], [3, 4], 1.0)
    assert (list(gaps.y), gaps.xaxis) == ([2], "x2")


def test_runs_of_cases_lie_where_they_are():
    runs = [("test", -1, 1, 10), ("gap", -1, 11, 12), ("training", 0, 13, 18), ("unused", -1, 19, 20)]
    table = pd.DataFrame([("size 6", 6, *run, 1) for run in runs], columns=RUNS)
    figure = case_map_figure(CaseMap(table, 1))
    placed = {trace.name: (list(trace.base), list(trace.x)) for trace in figure.plotly().data}
    assert placed == {
        "test sets": ([0], [10]),
        "training sets": ([12], [6]),
        "kept free": ([10], [2]),
        "unused": ([18], [2]),
    }


def test_nothing_to_show_is_said_in_the_figure():
    for figure in (
        kinds_figure((), (), "Best"),
        distribution_figure(table_of([], BAR_COLUMNS)),
        case_map_figure(CaseMap(pd.DataFrame(columns=RUNS), 1)),
    ):
        assert figure.plotly().layout.annotations[0].text
        assert figure.plotly().layout.height
