"""Picture of cases: all cases of a prototask in order, coloured by what each training size does with them."""

from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = ["CaseMap", "case_map_figure"]

ROW_HEIGHT = 34
HEAD_HEIGHT = 84
DARK, LIGHT = "#10161C", "#FFFFFF"
# Neighbouring sets alternate between two shades; each has a colour for the number written on it.
SHADES = {
    "training": (("#0072B2", LIGHT), ("#8CC1E3", DARK)),
    "test": (("#E69F00", DARK), ("#F5CF7F", DARK)),
    "gap": (("#7A5C99", LIGHT),) * 2,
    "unused": (("#C3CAD1", DARK),) * 2,
}
TITLES = {"test": "test sets", "training": "training sets", "gap": "kept free", "unused": "unused"}
SHARE_FOR_TEXT = 0.02


class CaseMap(NamedTuple):
    """runs: consecutive cases with one use: bar, training_size, use, instance, first, last; strip: how many
    cases a strip stands for where runs had to be joined, or 1."""

    runs: pd.DataFrame
    strip: int


def case_map_figure(cases: CaseMap) -> go.Figure:
    """Draw the runs, one bar a task. A gap is kept free, as its cases may depend on cases that are used."""
    table = cases.runs
    if table.empty:
        return theme.empty_figure("Too few cases for any training set", height=120)
    bars = list(dict.fromkeys(table["bar"]))
    figure = theme.new_figure(height=HEAD_HEIGHT + ROW_HEIGHT * len(bars))
    for use in TITLES:
        _add_runs(figure, table[table["use"] == use], use, int(table["last"].max()))
    figure.update_layout(barmode="overlay", bargap=0.2, margin={"t": 36})
    figure.update_layout(legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0})
    figure.update_xaxes(title_text="cases, in the prototask's order", showgrid=False)
    figure.update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=[words.plot_text(bar) for bar in reversed(bars)],
        showgrid=False,
    )
    return figure


def _add_runs(figure: go.Figure, runs: pd.DataFrame, use: str, most: int) -> None:
    if runs.empty:
        return
    shades = [SHADES[use][max(instance, 0) % 2] for instance in runs["instance"]]
    widths = runs["last"] - runs["first"] + 1
    figure.add_bar(
        orientation="h",
        name=TITLES[use],
        base=(runs["first"] - 1).tolist(),
        x=widths.tolist(),
        y=[words.plot_text(bar) for bar in runs["bar"]],
        marker={"color": [fill for fill, _ in shades], "line": {"width": 0}},
        text=[_text(row, most) for row in runs.itertuples()],
        textposition="inside",
        insidetextanchor="middle",
        insidetextfont={"color": [ink for _, ink in shades]},
        constraintext="inside",
        textangle=0,
        hovertext=[_hover(row) for row in runs.itertuples()],
        hoverinfo="text",
        showlegend=True,
    )


def _text(run: Any, most: int) -> str:
    wide = (run.last - run.first + 1) / most
    if wide < SHARE_FOR_TEXT:
        return ""
    number = str(run.instance) if run.instance >= 0 else ""
    name = "kept free" if run.use == "gap" else run.use
    return f"{name} {number}".strip() if wide > 4 * SHARE_FOR_TEXT else number


def _hover(run: Any) -> str:
    number = f" {run.instance}" if run.instance >= 0 else ""
    cases = words.count(run.last - run.first + 1, "case")
    names = {"unused": "unused", "gap": "kept free, as they may depend on cases that are used"}
    name = names.get(run.use) or f"{run.use} set{number}"
    return f"{name}: {cases}<br>{run.first:,} to {run.last:,}"
