"""Distribution of one attribute: bars over values or intervals, missing and censored values beside them."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = ["distribution_figure"]

HEIGHT = 260
BAR_HEIGHT = 26
COLOURS = {"value": theme.COLOURS[0], "censored": theme.COLOURS[3], "missing": theme.GREY}
PATTERNS = {"value": "", "censored": "/", "missing": "x"}


def distribution_figure(table: pd.DataFrame) -> go.Figure:
    """Draw a distribution table: upright bars over a numeric axis, or lying bars with their words."""
    if table.empty or not table["cases"].sum():
        return theme.empty_figure("No values to show", height=HEIGHT)
    numeric = table["low"].notna()
    if not numeric.any():
        return _words_figure(table)
    figure = theme.new_figure(height=HEIGHT)
    _add_numbers(figure, table[numeric])
    _add_others(figure, table[~numeric])
    figure.update_yaxes(rangemode="tozero")
    figure.update_layout(margin={"t": 32})
    theme.title_y_axis(figure, "cases")
    return figure


def _add_numbers(figure: go.Figure, table: pd.DataFrame) -> None:
    width = (table["high"] - table["low"]).max()
    gaps = table["low"].diff().dropna()
    width = width if width > 0 else (0.8 * gaps.min() if len(gaps) else 1.0)
    figure.add_bar(
        x=((table["low"] + table["high"]) / 2).tolist(),
        y=table["cases"].tolist(),
        width=float(width),
        marker={"color": COLOURS["value"], "line": {"width": 0}},
        hovertext=_hover(table),
        hoverinfo="text",
        showlegend=False,
    )
    figure.update_layout(bargap=0.04)


def _add_others(figure: go.Figure, table: pd.DataFrame) -> None:
    """Missing and censored values stand on an axis of their own, right of the numbers."""
    if table.empty:
        return
    figure.update_layout(
        xaxis={"domain": [0, 0.78]}, xaxis2={"domain": [0.82, 1], "anchor": "y", "tickangle": 0}
    )
    figure.add_bar(xaxis="x2", x=_labels(table), y=table["cases"].tolist(), **_marks(table))


def _words_figure(table: pd.DataFrame) -> go.Figure:
    figure = theme.new_figure(height=60 + BAR_HEIGHT * len(table))
    figure.add_bar(
        orientation="h",
        y=_labels(table),
        x=table["cases"].tolist(),
        text=[f"{number:,}" for number in table["cases"]],
        textposition="outside",
        cliponaxis=False,
        **_marks(table),
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, type="category")
    figure.update_xaxes(title_text="cases", rangemode="tozero")
    figure.update_layout(margin={"r": 56}, bargap=0.25)
    return figure


def _labels(table: pd.DataFrame) -> list[str]:
    return [words.plot_text(label, longest=28) for label in table["label"]]


def _marks(table: pd.DataFrame) -> dict[str, Any]:
    return {
        "marker": {
            "color": [COLOURS[group] for group in table["group"]],
            "pattern": {"shape": [PATTERNS[group] for group in table["group"]], "solidity": 0.25},
        },
        "hovertext": _hover(table),
        "hoverinfo": "text",
        "showlegend": False,
    }


def _hover(table: pd.DataFrame) -> list[str]:
    return [f"{words.plot_text(row.label)}: {words.count(row.cases, 'case')}" for row in table.itertuples()]
