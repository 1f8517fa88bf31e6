"""The figures of the Compare and Methods pages draw what their tables say."""

import math
from functools import partial

import pandas as pd
import pytest

from delvecore.answers.answer import Answer, table_of
from delvecore.answers.compare_pair import BIN_COLUMNS, TaskFigure
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.measures import Baseline
from delvecore.plots.comparison import (
    case_histogram_figure,
    error_bars_figure,
    instances_figure,
    overview_figure,
    pair_matrix_figure,
    ranking_figure,
    reliability_figure,
)
from delvecore.plots.methods import method_losses_figure
from delvecore.plots.theme import MethodStyle

LOOKS = {"x": MethodStyle("#111111", "circle"), "y": MethodStyle("#222222", "square")}
OVERVIEW = (
    "method",
    "mean",
    "standard_error",
    "reference",
    "difference",
    "lower",
    "upper",
    "p_adjusted",
    "verdict",
)
DIFFERENCES = ("method_a", "method_b", "difference", "lower", "upper", "p_adjusted", "verdict")


def answer(keys, *rows, **figure):
    """An answer with these columns, and its figure's record."""
    table = table_of(rows, [(key, key, "number") for key in keys])
    return Answer("", "", table, figure=TaskFigure(figure.pop("looks", LOOKS), **figure))


def cases(*bins, names=("x", "y"), mean=-0.1, **more):
    return Answer(
        "", "", table_of(bins, BIN_COLUMNS), figure=TaskFigure({}, "d", names=names, mean=mean, **more)
    )


MATRIX = (*DIFFERENCES[:3], "standard_error", *DIFFERENCES[5:])
NOTHING = (
    (overview_figure, answer((*OVERVIEW, "source"))),
    (pair_matrix_figure, answer(MATRIX)),
    (instances_figure, answer(("method", "training_set", "mean"))),
    (error_bars_figure, answer(("method_a", "method_b", "source", "share"))),
    (case_histogram_figure, cases(mean=math.nan)),
    (partial(method_losses_figure, method="x", measure=LOSS_SPECS["S"], style=LOOKS["x"]), pd.DataFrame()),
)


def annotations(figure):
    return [each.text for each in figure.plotly().layout.annotations]


@pytest.mark.parametrize(("draw", "nothing"), NOTHING)
def test_no_data_gives_a_figure_that_says_so(draw, nothing):
    figure = draw(nothing)
    assert len(annotations(figure)) == 1
    assert not figure.plotly().data


NONE = (None,) * 4


def overview(*rows, **about):
    return overview_figure(answer((*OVERVIEW, "source"), *((*row, "") for row in rows), **about))


def test_estimates_have_their_errors_the_baseline_and_start_at_zero():
    rows = [("<b>", 0.5, 0.1, "<b>", *NONE, "reference"), ("y", 0.8, None, "<b>", *NONE, "not tested")]
    looks, baseline = LOOKS | {"<b>": LOOKS["x"]}, Baseline(1.0, "predicting the mean")
    figure = overview(*rows, axis="loss", looks=looks, baseline=baseline).plotly()
    first, second = figure.data
    assert (first.x, first.error_x.array, second.error_x.array) == ((0.5,), (0.1,), None)
    assert {"0.50 ± 0.10", "0.8", "predicting the mean"} <= {each.text for each in figure.layout.annotations}
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt; ", "y "]
    low, high = figure.layout.xaxis.range
    assert low == 0
    assert high > 1


def test_losses_and_differences_share_their_rows_and_titles_are_one_line():
    rows = [("x", 0.5, 0.1, "x", *NONE, "reference"), ("y", 0.8, 0.1, "x", 0.3, 0.1, 0.5, 0.01, "worse")]
    figure = overview(*rows, axis="← better   standardized loss").plotly()
    left, right = [t for t in figure.data if t.xaxis != "x2"], [t for t in figure.data if t.xaxis == "x2"]
    assert {t.meta: t.y for t in left}["y"] == right[0].y == (1,)
    assert figure.layout.xaxis.domain[1] < figure.layout.xaxis2.domain[0]
    assert "<br>" not in figure.layout.xaxis.title.text + figure.layout.xaxis2.title.text


def test_one_method_has_losses_alone():
    figure = overview(("x", 0.5, 0.1, "x", *NONE, "reference"))
    assert "xaxis2" not in figure.layout


def test_an_infinite_loss_has_its_text_only():
    rows = [("x", -0.5, 0.1, "x", *NONE, "reference"), ("y", math.inf, None, "x", *NONE, "not tested")]
    figure = overview(*rows)
    assert len(figure.plotly().data) == 1
    assert figure.plotly().layout.xaxis.range[0] < -0.6
    assert "∞" in annotations(figure)


def test_only_significant_differences_have_full_marks():
    rows = [
        ("x", 0.5, None, "r", -0.5, -0.7, -0.3, 0.01, "better"),
        ("y", 1.1, None, "r", 0.1, -0.1, 0.3, 0.4, "not significant"),
        ("r", 1.0, None, "r", *NONE, "reference"),
    ]
    figure = overview(*rows, looks=LOOKS | {"r": LOOKS["x"]})
    drawn = [trace for trace in figure.plotly().data if trace.xaxis == "x2"]
    assert [trace.marker.symbol for trace in drawn] == ["circle", "square-open"]
    reach = [(trace.error_x.arrayminus[0], trace.error_x.array[0]) for trace in drawn]
    assert reach == [pytest.approx((0.2, 0.2)), pytest.approx((0.2, 0.2))]
    assert all(trace.error_x.width > trace.marker.size / 2 for trace in drawn)
    assert {"same as r", "better, p = 0.010", "not significant, p = 0.40"} <= set(annotations(figure))


def test_each_training_set_is_one_line_through_all_methods():
    rows = [("x", 0, 1.0), ("x", 1, 2.0), ("y", 0, 1.5), ("y", 1, 2.5), ("z", 0, math.inf)]
    looks = LOOKS | {"z": LOOKS["x"]}
    figure = instances_figure(answer(("method", "training_set", "mean"), *rows, looks=looks))
    drawn = [trace for trace in figure.plotly().data if trace.mode == "lines"]
    assert [(line.x, line.y) for line in drawn] == [((1.0, 1.5), (0, 1)), ((2.0, 2.5), (0, 1))]


def test_cases_left_of_zero_belong_to_the_first_method():
    figure = case_histogram_figure(cases((-1.0, -1.0, 3, False), (0.0, 0.0, 5, False), (1.0, 1.0, 2, False)))
    colors = figure.plotly().data[0].marker.color
    assert len(set(colors)) == 3
    assert annotations(figure)[:2] == ["◀ x loses less", "y loses less ▶"]
    assert "mean −0.1" in annotations(figure)


def test_cases_right_of_zero_belong_to_the_first_method_where_higher_is_better():
    bins = ((-1.0, -1.0, 3, False), (1.0, 1.0, 2, False))
    losses = case_histogram_figure(cases(*bins))
    scores = case_histogram_figure(cases(*bins, wins="is better", is_higher=True))
    assert annotations(scores)[:2] == ["◀ y is better", "x is better ▶"]
    colors, turned = (figure.plotly().data[0].marker.color for figure in (losses, scores))
    assert turned == colors[::-1]


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


def test_a_cell_of_the_matrix_says_in_words_on_which_side_its_method_is():
    row = ("x", "y", 0.5, 0.11, 0.01, "worse")
    figure = pair_matrix_figure(answer(MATRIX, row, ("y", "x", -0.5, 0.11, 0.01, "better")))
    assert figure.data[1]["text"][0] == "+0.50<br>p = 0.010<br>+ worse"


def test_shares_of_an_error_are_stacked():
    rows = (("x", "y", "training", 0.75), ("x", "y", "residual", 0.25))
    figure = error_bars_figure(answer(("method_a", "method_b", "source", "share"), *rows))
    assert [trace.get("x") for trace in figure.data] == [[0.75], [0.25]]


def test_curves_of_a_classifier_are_columns():
    bins = answer(("cases", "said", "held", "lower", "upper"), (20, 0.9, 0.8, 0.6, 0.9))
    assert reliability_figure(bins, LOOKS["x"]).data[1]["y"] == [0.8]
    keys = ("training_set", "false_positives", "true_positives", "area")
    points = table_of(
        [("set 0", 0.0, 0.0, 0.5), ("set 0", 1.0, 1.0, 0.5)], [(key, "", "number") for key in keys]
    )
    figure = ranking_figure(Answer("", "", points, figure="rate"), LOOKS["x"])
    assert (figure.data[1]["x"], figure.data[1]["hovertext"]) == ([0.0, 1.0], ["set 0: area 0.500"] * 2)
