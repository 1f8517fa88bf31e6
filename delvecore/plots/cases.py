"""Figures of a dataset: cases of a prototask by their use, and the distribution of an attribute."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pandas as pd

from delvecore.answers.dataset_cases import Bar, CaseMap, Distribution
from delvecore.plots import rows, theme
from delvecore.plots.figure import Figure
from delvecore.report import words

ROW_HEIGHT, LOW_ROW_HEIGHT, HEAD_HEIGHT, LEGEND_LINE = 34, 16, 44, 19
MANY_ROWS = 8
DARK, LIGHT = "#10161C", "#FFFFFF"
# Neighbouring sets alternate between two shades; each has a colour for the number written on it.
SHADES = {
    "training": (("#0072B2", LIGHT), ("#8CC1E3", DARK)),
    "test": (("#E69F00", DARK), ("#F5CF7F", DARK)),
    "validation": (("#009E73", DARK),) * 2,
    "both": (("#CC79A7", DARK),) * 2,
    "gap": (("#7A5C99", LIGHT),) * 2,
    "unused": (("rgba(127,135,144,0.3)", DARK),) * 2,
}
STRENGTHS = (("#A9D2EC", DARK), ("#3D95CC", DARK), ("#00588C", LIGHT), ("#003152", LIGHT))
OFTEN = ("once", "twice", "3 times", "more often")
"""How often the cases of each strength train, where some train more than once."""
TITLES = {
    "test": "test sets",
    "training": "training sets",
    "validation": "validation sets",
    "both": "training and test",
    "gap": "kept free",
    "unused": "unused",
}
SHARE_FOR_NUMBER, SHARE_FOR_NAME = 0.02, 0.2
"""Of all cases: how long is a run on which a number, or a word, can be read on a telephone?"""


def case_map_figure(cases: CaseMap) -> Figure:
    """Map of cases by their use: a bar a task, with runs of training, test, kept and unused cases.

    Examples
    --------
    >>> from delvecore.answers.dataset_cases import COLUMNS
    >>> table = pd.DataFrame([("size 6", 6, "training", 0, 1, 6, 1)], columns=COLUMNS)
    >>> case_map_figure(CaseMap(table, strip=1)).data[0]["x"]
    [6]
    """
    table = cases.runs
    if table.empty:
        return theme.empty_figure("Too few cases for any training set", height=120)
    bars = list(dict.fromkeys(table["bar"]))
    row_height = LOW_ROW_HEIGHT if len(bars) > MANY_ROWS else ROW_HEIGHT
    figure = theme.new_figure(height=HEAD_HEIGHT + row_height * len(bars))
    most = int(table["last"].max())
    for use, title in TITLES.items():
        runs = table[table["use"] == use]
        alone = runs["bar"].isin(cases.alone)
        repeated = runs["bar"].isin(runs["bar"][runs["times"] > 1])
        _add_runs(figure, runs[~alone], title, most)
        _add_runs(figure, runs[alone & ~repeated], title, most, shade=SHADES[use][0])
        for number, (shade, often) in enumerate(zip(STRENGTHS, OFTEN, strict=True), start=1):
            alike = runs["times"].clip(upper=len(STRENGTHS)) == number
            _add_runs(figure, runs[alone & repeated & alike], f"trained on {often}", most, shade=shade)
    # On a telephone each use has a line of the legend: the bars keep their height.
    legend = LEGEND_LINE * max(len({trace.get("name") for trace in figure.data}) - 2, 0)
    figure.update_layout(
        barmode="overlay", bargap=0.2, margin={"t": 36}, height=figure.layout["height"] + legend
    )
    rows.title_axis(figure, "cases, in the prototask's order")
    figure.update_xaxes(showgrid=False)
    names = [words.plot_text(bar) for bar in reversed(bars)]
    short = [name.replace(" (listed), instance ", ": ").replace(" (listed)", "") for name in names]
    marks = {"tickvals": names, "ticktext": short, "showgrid": False}
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=names, **marks)
    return figure


def _add_runs(
    figure: Figure, runs: pd.DataFrame, title: str, most: int, *, shade: tuple[str, str] | None = None
) -> None:
    """Add bars of one use, in one shade without numbers, or in two that take turns from set to set."""
    if runs.empty:
        return
    shades = [
        shade or SHADES[use][max(instance, 0) % 2]
        for use, instance in zip(runs["use"], runs["instance"], strict=True)
    ]
    text = {"textposition": "inside", "insidetextanchor": "middle", "constraintext": "inside", "textangle": 0}
    figure.add_bar(
        orientation="h",
        name=title,
        base=(runs["first"] - 1).tolist(),
        x=(runs["last"] - runs["first"] + 1).tolist(),
        y=[words.plot_text(bar) for bar in runs["bar"]],
        marker={"color": [fill for fill, _ in shades], "line": {"width": 0}},
        text=["" if shade else _text(row, most) for row in runs.itertuples()],
        insidetextfont={"color": [ink for _, ink in shades]},
        hovertext=[_run_hover(row) for row in runs.itertuples()],
        hoverinfo="text",
        showlegend=title not in [trace["name"] for trace in figure.data],
        legendgroup=title,
        **text,
    )


def _text(run: Any, most: int) -> str:
    wide = (run.last - run.first + 1) / most
    if run.instance >= 0:
        return str(run.instance) if wide >= SHARE_FOR_NUMBER else ""
    if run.use == "unused" or wide < SHARE_FOR_NAME:
        return ""
    return "kept free" if run.use == "gap" else run.use


def _run_hover(run: Any) -> str:
    number = f" {run.instance}" if run.instance >= 0 else ""
    cases = words.count(run.last - run.first + 1, "case")
    names = {"unused": "unused", "gap": "kept free, as they may depend on cases that are used"}
    names["both"] = "trained and tested on"
    names["validation"] = "validation: training cases that judge what was learned from the others"
    name = names.get(run.use) or f"{run.use} set{number}"
    often = f", each {run.times} times" if run.times > 1 else ""
    return f"{name}: {cases}{often}<br>{run.first:,} to {run.last:,}"


HEIGHT, BAR_HEIGHT = 260, 26
COLOURS = {"value": theme.BLUE, "censored": theme.ORANGE, "missing": theme.GREY}
PATTERNS = {"value": "", "censored": "/", "missing": "x"}


def distribution_figure(drawn: Distribution) -> Figure:
    """Histogram of an attribute: upright bars over a numeric axis, or lying bars with their words.

    Examples
    --------
    >>> bars = (Bar("0 to 1", 0.0, 1.0, 3, "value"), Bar("1 to 2", 1.0, 2.0, 4, "value"))
    >>> distribution_figure(Distribution(bars, words=())).data[0]["y"]
    [3, 4]
    """
    if not sum(bar.cases for bar in drawn.bars):
        return theme.empty_figure("No values to show", height=HEIGHT)
    if not drawn.numbers:
        return _words_figure(drawn.words)
    figure = theme.new_figure(height=HEIGHT)
    _add_numbers(figure, [(bar, bar.low or 0.0, bar.high or 0.0) for bar in drawn.numbers])
    if drawn.words:
        # Missing and censored values stand on an axis of their own, right of the numbers.
        beside = {"domain": [0.82, 1], "anchor": "y", "tickangle": 0}
        figure.update_layout(xaxis={"domain": [0, 0.78]}, xaxis2=beside)
        labels, cases, marks = _marks(drawn.words)
        figure.add_bar(xaxis="x2", x=labels, y=cases, **marks)
    figure.update_yaxes(rangemode="tozero")
    figure.update_layout(margin={"t": 32})
    theme.title_y_axis(figure, "cases")
    return figure


def _add_numbers(figure: Figure, bars: Sequence[tuple[Bar, float, float]]) -> None:
    width = max(high - low for _, low, high in bars)
    gaps = [later[1] - earlier[1] for earlier, later in pairwise(bars)]
    width = float(width if width > 0 else 0.8 * min(gaps) if gaps else 1.0)
    x, y = [(low + high) / 2 for _, low, high in bars], [bar.cases for bar, _, _ in bars]
    look = {"marker": {"color": COLOURS["value"], "line": {"width": 0}}, "showlegend": False}
    hover = _hover([bar for bar, _, _ in bars])
    figure.add_bar(x=x, y=y, width=width, hovertext=hover, hoverinfo="text", **look)
    figure.update_layout(bargap=0.04)


def _words_figure(bars: Sequence[Bar]) -> Figure:
    figure = theme.new_figure(height=60 + BAR_HEIGHT * len(bars))
    labels, cases, marks = _marks(bars)
    text = {"text": [f"{bar.cases:,}" for bar in bars], "textposition": "outside", "cliponaxis": False}
    figure.add_bar(orientation="h", y=labels, x=cases, **text, **marks)
    figure.update_yaxes(autorange="reversed", showgrid=False, type="category")
    figure.update_xaxes(title={"text": "cases"}, rangemode="tozero")
    figure.update_layout(margin={"r": 56}, bargap=0.25)
    return figure


def _hover(bars: Sequence[Bar]) -> list[str]:
    return [f"{words.plot_text(bar.label)}: {words.count(bar.cases, 'case')}" for bar in bars]


def _marks(bars: Sequence[Bar]) -> tuple[list[str], list[int], dict[str, Any]]:
    """Return the labels of bars, their numbers of cases, and how they look."""
    pattern = {"shape": [PATTERNS[bar.group] for bar in bars], "solidity": 0.25}
    marker = {"color": [COLOURS[bar.group] for bar in bars], "pattern": pattern}
    marks = {"marker": marker, "hovertext": _hover(bars), "hoverinfo": "text", "showlegend": False}
    return [words.plot_text(bar.label, longest=28) for bar in bars], [bar.cases for bar in bars], marks
