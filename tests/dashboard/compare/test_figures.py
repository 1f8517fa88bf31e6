"""The figures of the Compare and Methods pages draw what their tables say."""

import math

import pandas as pd
import pytest

from dashboard.compare.figures.case_histogram import case_histogram_figure
from dashboard.compare.figures.differences import differences_figure
from dashboard.compare.figures.error_bars import error_bars_figure
from dashboard.compare.figures.estimates import estimates_figure
from dashboard.compare.figures.instances import instances_figure
from dashboard.compare.figures.pair_matrix import pair_matrix_figure
from dashboard.methods.figures.losses import method_losses_figure

LOOK = {"colour": ["#111111", "#222222"], "symbol": ["circle", "square"]}
ALL = (
    estimates_figure,
    differences_figure,
    pair_matrix_figure,
    instances_figure,
    error_bars_figure,
    case_histogram_figure,
    method_losses_figure,
)


def with_attrs(table, **attrs):
    table.attrs = attrs
    return table


def annotations(figure):
    return [each.text for each in figure.layout.annotations]


@pytest.mark.parametrize("draw", ALL)
def test_no_data_gives_a_figure_that_says_so(draw):
    columns = ["method", "loss", "row", "column", "share", "source", "cases", "low", "high"]
    figure = draw(pd.DataFrame(columns=columns))
    assert len(annotations(figure)) == 1
    assert not figure.data


def test_estimates_have_their_errors_the_baseline_and_start_at_zero():
    table = pd.DataFrame(
        {
            "method": ["<b>", "y"],
            "loss": [0.5, 0.8],
            "standard_error": [0.1, math.nan],
            "text": ["0.50 ± 0.10", "0.8"],
            **LOOK,
        }
    )
    figure = estimates_figure(
        with_attrs(table, axis="loss", baseline=1.0, baseline_text="predicting the mean")
    )
    first, second = figure.data
    assert (first.x, first.error_x.array, second.error_x.array) == ((0.5,), (0.1,), None)
    assert annotations(figure) == ["0.50 ± 0.10", "0.8", "predicting the mean"]
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt; ", "y "]
    low, high = figure.layout.xaxis.range
    assert low == 0
    assert high > 1


def test_an_infinite_loss_has_its_text_only():
    table = pd.DataFrame(
        {
            "method": ["x", "y"],
            "loss": [-0.5, math.inf],
            "standard_error": [0.1, math.nan],
            "text": ["−0.5", "∞"],
            **LOOK,
        }
    )
    figure = estimates_figure(with_attrs(table, axis="", baseline=None, baseline_text=None))
    assert len(figure.data) == 1
    assert figure.layout.xaxis.range[0] < -0.6
    assert "∞" in annotations(figure)


def test_only_settled_differences_have_full_marks():
    rows = [
        ("x", "r", -0.5, -0.7, -0.3, "better", "p = 0.01, better"),
        ("y", "r", 0.1, -0.1, 0.3, "not settled", "p = 0.4, not settled"),
    ]
    table = pd.DataFrame(
        rows, columns=["method", "reference", "difference", "lower", "upper", "verdict", "text"]
    ).assign(**LOOK)
    figure = differences_figure(with_attrs(table, axis="difference"))
    assert [trace.marker.symbol for trace in figure.data if trace.mode == "markers"] == [
        "circle",
        "square-open",
    ]
    assert [trace.x for trace in figure.data if trace.mode == "lines"] == [(-0.7, -0.3), (-0.1, 0.3)]
    assert "same as r" in annotations(figure)


def test_a_matrix_cell_says_difference_p_and_verdict_and_is_shaded_only_if_settled():
    rows = [("y", "x", "worse", "+0.5", "p < 0.0001"), ("z", "x", "not settled", "0.1", "p = 0.4")]
    rows += [("x", "y", "better", "−0.5", "p < 0.0001"), ("x", "z", "not settled", "0.1", "p = 0.4")]
    figure = pair_matrix_figure(pd.DataFrame(rows, columns=["row", "column", "verdict", "shown", "p_shown"]))
    shades, texts = figure.data
    assert shades.z[0][1] == -1
    assert shades.z[0][2] == 0
    assert texts.text[2] == "−0.5<br>p &lt; 0.0001<br>▼ better"
    assert texts.text[1] == "0.1<br>p = 0.4<br>not settled"


def test_each_training_set_is_one_line_through_all_methods():
    rows = [("x", 0, 1.0), ("x", 1, 2.0), ("y", 0, 1.5), ("y", 1, 2.5), ("z", 0, math.inf)]
    table = pd.DataFrame(rows, columns=["method", "instance", "loss"]).assign(
        colour="#111111", symbol="circle"
    )
    figure = instances_figure(with_attrs(table, axis="loss"))
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert [(line.x, line.y) for line in lines] == [((1.0, 1.5), (0, 1)), ((2.0, 2.5), (0, 1))]


def test_sources_of_error_are_stacked_and_named_for_the_design():
    rows = [("x", "training", 0.6), ("x", "residual", 0.4)]
    table = pd.DataFrame(rows, columns=["method", "source", "share"])
    figure = error_bars_figure(with_attrs(table, design="hierarchical"))
    assert [(bar.name, bar.x) for bar in figure.data] == [
        ("Training sets", (0.6,)),
        ("Test cases and the rest", (0.4,)),
    ]
    assert figure.layout.barmode == "stack"


def test_cases_left_of_zero_belong_to_the_first_method():
    table = pd.DataFrame(
        {"low": [-1.0, 0.0, 1.0], "high": [-1.0, 0.0, 1.0], "cases": [3, 5, 2], "beyond": [False] * 3}
    )
    figure = case_histogram_figure(with_attrs(table, axis="d", names=("x", "y"), mean=-0.1, left_out=0))
    colours = figure.data[0].marker.color
    assert len(set(colours)) == 3
    assert annotations(figure)[:2] == ["◀ x loses less", "y loses less ▶"]
    assert "mean −0.1" in annotations(figure)


def losses_table(*losses):
    rows = [
        (f"/d/p/std.{size}", "d", "p", "std", size, loss, 0.1, f"{loss}", "best", 0.5, 0.1, "0.5")
        for size, loss in zip((8, 16, 32), losses, strict=False)
    ]
    names = ["task", "dataset", "prototask", "prior", "training_size", "loss", "standard_error", "text"]
    table = pd.DataFrame(rows, columns=[*names, "best_method", "best_loss", "best_error", "best_text"])
    return with_attrs(
        table,
        axis="loss",
        baseline=1.0,
        baseline_text="predicting the mean",
        method="x",
        colour="#111111",
        symbol="circle",
    )


def test_a_method_has_one_row_a_task_with_the_best_beside_it():
    figure = method_losses_figure(losses_table(0.7, 0.6))
    best, own = figure.data
    assert (list(own.x), list(best.x)) == ([0.7, 0.6], [0.5, 0.5])
    assert [list(each) for each in own.customdata] == [["/d/p/std.8", "best"], ["/d/p/std.16", "best"]]
    assert list(figure.layout.yaxis.ticktext) == ["/d/p   8 ", "16 "]
    assert figure.layout.xaxis.range[0] == 0


def test_losses_far_off_stand_at_the_edge_with_their_value():
    figure = method_losses_figure(losses_table(0.7, 50.0, math.inf))
    far = figure.data[2]
    assert [text.strip() for text in far.text] == ["50.0", "inf"]
    assert set(far.x) == {figure.layout.xaxis.range[1]}
    assert figure.layout.xaxis.range[1] < 5
