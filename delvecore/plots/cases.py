"""Figures of a dataset: cases of a prototask by their use, and the distribution of an attribute."""

from typing import Any

import numpy as np
import pandas as pd

from delvecore.answers.answer import Table
from delvecore.plots import rows, theme
from delvecore.plots.figure import Figure
from delvecore.render.numbers import integer
from delvecore.report import words

ROW_HEIGHT, LOW_ROW_HEIGHT, HEAD_HEIGHT, LEGEND_LINE = 34, 16, 44, 19
MANY_ROWS = 8
DARK, LIGHT = "#10161C", "#FFFFFF"
# Neighboring sets alternate between two shades; each has a color for the number on it.
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
"""How often cases of each strength are used for training, if some are used more than once."""
TITLES = {
    "test": "test sets",
    "training": "training sets",
    "validation": "validation sets",
    "both": "training and test",
    "gap": "kept free",
    "unused": "unused",
}
SHARE_FOR_NUMBER, SHARE_FOR_NAME = 0.02, 0.2
"""Minimum share of all cases that a run needs for a number, or a word, to be readable on a phone."""


def case_map_figure(table: pd.DataFrame) -> Figure:
    """Map of cases by their use: a bar per task, with runs of training, test, kept and unused cases.

    Examples
    --------
    >>> from delvecore.answers.dataset_cases import COLUMNS
    >>> table = pd.DataFrame([("size 6", 6, "training", 0, 1, 6, 1, False)], columns=COLUMNS)
    >>> case_map_figure(table).data[0]["x"]
    [6]
    """
    if table.empty:
        return theme.empty_figure("Too few cases for any training set", height=120)
    bars = list(dict.fromkeys(table["bar"]))
    row_height = LOW_ROW_HEIGHT if len(bars) > MANY_ROWS else ROW_HEIGHT
    figure = theme.new_figure(height=HEAD_HEIGHT + row_height * len(bars))
    most = int(table["last"].max())
    for use, title in TITLES.items():
        runs = table[table["use"] == use]
        alone = runs["alone"]
        repeated = runs["bar"].isin(runs["bar"][runs["times"] > 1])
        _add_runs(figure, runs[~alone], title, most)
        _add_runs(figure, runs[alone & ~repeated], title, most, shade=SHADES[use][0])
        for number, (shade, often) in enumerate(zip(STRENGTHS, OFTEN, strict=True), start=1):
            alike = runs["times"].clip(upper=len(STRENGTHS)) == number
            _add_runs(figure, runs[alone & repeated & alike], f"trained on {often}", most, shade=shade)
    # The legend has a line per use on a phone: the bars keep their height.
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
    """Add bars of one use: in one shade if sets have no numbers, otherwise in two alternating shades."""
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
    names = {"unused": "unused", "gap": "not used, as they may depend on used cases"}
    names["both"] = "trained and tested on"
    names["validation"] = "validation: training cases on which learning from the others is evaluated"
    name = names.get(run.use) or f"{run.use} set{number}"
    often = f", each {run.times} times" if run.times > 1 else ""
    return f"{name}: {cases}{often}<br>{integer(run.first)} to {integer(run.last)}"


HEIGHT, BAR_HEIGHT = 260, 26
COLORS = {"value": theme.BLUE, "censored": theme.ORANGE, "missing": theme.GRAY}
PATTERNS = {"value": "", "censored": "/", "missing": "x"}


def distribution_figure(counts: Table) -> Figure:
    """Histogram of an attribute: vertical bars over a numeric axis, or horizontal bars with their words.

    Columns: label, ends of the interval (None for words), cases and group."""
    if not sum(counts["cases"]):
        return theme.empty_figure("No values to show", height=HEIGHT)
    is_number = np.array([low is not None for low in counts["low"]])
    if not is_number.any():
        return _words_figure(counts)
    numbers, gaps = (counts.take(np.flatnonzero(one).tolist()) for one in (is_number, ~is_number))
    figure = theme.new_figure(height=HEIGHT)
    _add_numbers(figure, numbers)
    if len(gaps):
        # Missing and censored values have a separate axis, right of the numbers.
        beside = {"domain": [0.82, 1], "anchor": "y", "tickangle": 0}
        figure.update_layout(xaxis={"domain": [0, 0.78]}, xaxis2=beside)
        figure.add_bar(xaxis="x2", x=_labels(gaps), y=gaps["cases"], marker=_marker(gaps), **_hover(gaps))
    figure.update_yaxes(rangemode="tozero")
    figure.update_layout(margin={"t": 32})
    theme.title_y_axis(figure, "cases")
    return figure


def _add_numbers(figure: Figure, counts: Table) -> None:
    low, high = (np.asarray(counts[key], float) for key in ("low", "high"))
    width = float((high - low).max()) or float(min(0.8 * np.diff(low), default=1.0))
    marker = {"color": COLORS["value"], "line": {"width": 0}}
    x = ((low + high) / 2).tolist()
    figure.add_bar(x=x, y=counts["cases"], width=width, marker=marker, **_hover(counts))
    figure.update_layout(bargap=0.04)


def _words_figure(counts: Table) -> Figure:
    figure = theme.new_figure(height=60 + BAR_HEIGHT * len(counts))
    cases = counts["cases"]
    text = {"text": [integer(one) for one in cases], "textposition": "outside", "cliponaxis": False}
    marker = _marker(counts)
    figure.add_bar(orientation="h", y=_labels(counts), x=cases, marker=marker, **text, **_hover(counts))
    figure.update_yaxes(autorange="reversed", showgrid=False, type="category")
    figure.update_xaxes(title={"text": "cases"}, rangemode="tozero")
    figure.update_layout(margin={"r": 56}, bargap=0.25)
    return figure


def _labels(counts: Table) -> list[str]:
    return [words.plot_text(label, longest=28) for label in counts["label"]]


def _hover(counts: Table) -> dict[str, Any]:
    pairs = zip(counts["label"], counts["cases"], strict=True)
    texts = [f"{words.plot_text(label)}: {words.count(cases, 'case')}" for label, cases in pairs]
    return {"hovertext": texts, "hoverinfo": "text", "showlegend": False}


def _marker(counts: Table) -> dict[str, Any]:
    pattern = {"shape": [PATTERNS[group] for group in counts["group"]], "solidity": 0.25}
    return {"color": [COLORS[group] for group in counts["group"]], "pattern": pattern}
