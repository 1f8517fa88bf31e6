"""Case histogram: how many test cases lie where between one method and another."""

import math

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = ["case_histogram_figure"]

HEIGHT = 300
COLOURS = {"first": theme.COLOURS[0], "same": theme.GREY, "second": theme.COLOURS[1]}


def case_histogram_figure(table: pd.DataFrame) -> go.Figure:
    """Draw test cases by their difference, left where the first method loses less; the mean as a line.

    Hatched bars at the ends hold the cases beyond, too. table: columns low, high, cases, beyond; attrs axis,
    names (of both methods), mean, left_out.
    """
    if table.empty or not table["cases"].sum():
        return theme.empty_figure("No differences between test cases to show", height=HEIGHT)
    figure = theme.new_figure(height=HEIGHT)
    middle = (table["low"] + table["high"]) / 2
    figure.add_bar(
        x=middle.tolist(),
        y=table["cases"].tolist(),
        width=_width(table),
        marker={
            "color": [_colour(line) for line in table.itertuples()],
            "line": {"width": 0},
            "pattern": {
                "shape": ["/" if beyond else "" for beyond in table["beyond"]],
                "fillmode": "overlay",
                "fgcolor": "#ffffff",
            },
        },
        hovertext=[_hover(line) for line in table.itertuples()],
        hoverinfo="text",
        showlegend=False,
    )
    _add_sides(figure, table)
    figure.update_xaxes(title_text=table.attrs["axis"])
    figure.update_layout(margin={"t": 52}, bargap=0.05)
    return figure


def _width(table):
    width = (table["high"] - table["low"]).max()
    gaps = table["low"].diff().dropna()
    return float(width if width > 0 else (0.6 * gaps.min() if len(gaps) else 0.5))


def _colour(line):
    middle = (line.low + line.high) / 2
    if abs(middle) < 1e-12 or line.low < 0 < line.high:
        return COLOURS["same"]
    return COLOURS["first" if middle < 0 else "second"]


def _hover(line):
    if line.low == line.high:
        return f"difference {words.number(line.low)}: {words.count(line.cases, 'case')}"
    beyond = " and beyond" if line.beyond else ""
    return f"{words.number(line.low)} to {words.number(line.high)}{beyond}: {words.count(line.cases, 'case')}"


def _add_sides(figure, table):
    first, second = (words.plot_text(name, longest=24) for name in table.attrs["names"])
    sides = ((0, "left", f"◀ {first} loses less"), (1, "right", f"{second} loses less ▶"))
    for x, anchor, text in sides:
        figure.add_annotation(
            text=text, x=x, xanchor=anchor, xref="paper", y=1, yref="paper", yanchor="bottom", yshift=24,
            showarrow=False, font={"size": 13},
        )  # fmt: skip
    mean = table.attrs["mean"]
    if not math.isnan(mean):
        figure.add_vline(x=mean, line={"color": theme.LINE_GREY, "width": 2, "dash": "dash"})
        figure.add_annotation(
            text=f"mean {words.number(mean, digits=3)}", x=mean, y=1, yref="paper", yanchor="bottom",
            showarrow=False, font={"size": 12},
        )  # fmt: skip
