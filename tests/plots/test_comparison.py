"""The figures of the Compare and Methods pages draw what their tables say."""

import math
from functools import partial

import pandas as pd
import pytest

from delvecore.answers.compare_methods import (
    Difference,
    ErrorSources,
    Estimate,
    InstanceLoss,
    Lines,
    PairMatrix,
)
from delvecore.answers.compare_pair import CaseBin, CaseHistogram
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.measures import Baseline
from delvecore.plots.comparison import (
    case_histogram_figure,
    differences_figure,
    error_bars_figure,
    estimates_figure,
    instances_figure,
    pair_matrix_figure,
)
from delvecore.plots.methods import method_losses_figure
from delvecore.plots.theme import MethodStyle

LOOKS = {"x": MethodStyle("#111111", "circle"), "y": MethodStyle("#222222", "square")}
NOTHING = (
    (estimates_figure, Lines((), {}, "", None)),
    (differences_figure, Lines((), {}, "")),
    (pair_matrix_figure, PairMatrix((), ())),
    (instances_figure, Lines((), {}, "")),
    (error_bars_figure, ErrorSources((), "hierarchical")),
    (case_histogram_figure, CaseHistogram((), ("x", "y"), math.nan, "")),
    (partial(method_losses_figure, method="x", measure=LOSS_SPECS["S"], style=LOOKS["x"]), pd.DataFrame()),
)


def annotations(figure):
    return [each.text for each in figure.plotly().layout.annotations]


@pytest.mark.parametrize(("draw", "nothing"), NOTHING)
def test_no_data_gives_a_figure_that_says_so(draw, nothing):
    figure = draw(nothing)
    assert len(annotations(figure)) == 1
    assert not figure.plotly().data


def test_estimates_have_their_errors_the_baseline_and_start_at_zero():
    lines = (Estimate("<b>", 0.5, 0.1, "0.50 ± 0.10"), Estimate("y", 0.8, math.nan, "0.8"))
    baseline = Baseline(1.0, "predicting the mean")
    figure = estimates_figure(Lines(lines, LOOKS | {"<b>": LOOKS["x"]}, "loss", baseline))
    first, second = figure.plotly().data
    assert (first.x, first.error_x.array, second.error_x.array) == ((0.5,), (0.1,), None)
    assert annotations(figure) == ["0.50 ± 0.10", "0.8", "predicting the mean"]
    assert list(figure.plotly().layout.yaxis.ticktext) == ["&lt;b&gt; ", "y "]
    low, high = figure.plotly().layout.xaxis.range
    assert low == 0
    assert high > 1


def test_an_infinite_loss_has_its_text_only():
    lines = (Estimate("x", -0.5, 0.1, "−0.5"), Estimate("y", math.inf, math.nan, "∞"))
    figure = estimates_figure(Lines(lines, LOOKS, "", None))
    assert len(figure.plotly().data) == 1
    assert figure.plotly().layout.xaxis.range[0] < -0.6
    assert "∞" in annotations(figure)


def test_only_significant_differences_have_full_marks():
    lines = (
        Difference("x", "r", -0.5, -0.7, -0.3, 0.01, "better", "p = 0.01, better"),
        Difference("y", "r", 0.1, -0.1, 0.3, 0.4, "not significant", "p = 0.4, not significant"),
    )
    figure = differences_figure(Lines(lines, LOOKS, "difference"))
    assert [trace.marker.symbol for trace in figure.plotly().data if trace.mode == "markers"] == [
        "circle",
        "square-open",
    ]
    reach = [(trace.error_x.arrayminus[0], trace.error_x.array[0]) for trace in figure.plotly().data]
    assert reach == [pytest.approx((0.2, 0.2)), pytest.approx((0.2, 0.2))]
    assert all(trace.error_x.width > trace.marker.size / 2 for trace in figure.plotly().data)
    assert "same as r" in annotations(figure)


def test_each_training_set_is_one_line_through_all_methods():
    rows = [("x", 0, 1.0), ("x", 1, 2.0), ("y", 0, 1.5), ("y", 1, 2.5), ("z", 0, math.inf)]
    lines = tuple(InstanceLoss(*row) for row in rows)
    figure = instances_figure(Lines(lines, LOOKS | {"z": LOOKS["x"]}, "loss"))
    drawn = [trace for trace in figure.plotly().data if trace.mode == "lines"]
    assert [(line.x, line.y) for line in drawn] == [((1.0, 1.5), (0, 1)), ((2.0, 2.5), (0, 1))]


def test_cases_left_of_zero_belong_to_the_first_method():
    found = tuple(CaseBin(at, at, cases, False) for at, cases in ((-1.0, 3), (0.0, 5), (1.0, 2)))
    figure = case_histogram_figure(CaseHistogram(found, ("x", "y"), -0.1, "d"))
    colours = figure.plotly().data[0].marker.color
    assert len(set(colours)) == 3
    assert annotations(figure)[:2] == ["◀ x loses less", "y loses less ▶"]
    assert "mean −0.1" in annotations(figure)


def test_cases_right_of_zero_belong_to_the_first_method_where_higher_is_better():
    found = tuple(CaseBin(at, at, cases, False) for at, cases in ((-1.0, 3), (1.0, 2)))
    losses = case_histogram_figure(CaseHistogram(found, ("x", "y"), -0.1, "d"))
    scores = case_histogram_figure(CaseHistogram(found, ("x", "y"), -0.1, "d", "is better", is_higher=True))
    assert annotations(scores)[:2] == ["◀ y is better", "x is better ▶"]
    colours, turned = (figure.plotly().data[0].marker.color for figure in (losses, scores))
    assert turned == colours[::-1]


def losses_table(*losses):
    rows = [
        (f"/d/p/std.{size}", "d", "p", "std", size, loss, 0.1, "best", 0.5, 0.1)
        for size, loss in zip((8, 16, 32), losses, strict=False)
    ]
    names = ["task", "dataset", "prototask", "prior", "training_size", "loss", "standard_error"]
    return pd.DataFrame(rows, columns=[*names, "best_method", "best_loss", "best_error"])


def test_losses_far_off_stand_at_the_edge_with_their_value():
    figure = method_losses_figure(losses_table(0.7, 50.0, math.inf), "x", LOSS_SPECS["S"], LOOKS["x"])
    far = figure.plotly().data[2]
    assert [text.strip() for text in far.text] == ["50.00 ± 0.10", "∞"]
    assert set(far.x) == {figure.plotly().layout.xaxis.range[1]}
    assert figure.plotly().layout.xaxis.range[1] < 5
