"""Effects of a task-array's factors on the loss of one method, the largest first, and of several together."""

from math import isfinite, log, log10

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import rows, theme, words

__all__ = ["effects_figure", "effects_map_figure", "factor_ticks"]

RIGHT = 84
CELL_HEIGHT = 32
HEAD = 34
SIGNS = {-1: "▼", 0: "", 1: "▲"}
FACTORS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100)
MOST_TICKS = 9


def effects_figure(table: pd.DataFrame) -> go.Figure:
    """Draw one row an effect, the largest on top: a dot with its interval, filled where it is significant.

    table: columns label, value, lower, upper, text (at the right), settled, hover; attrs neutral (the value
    of no effect: 1 for factors, on a logarithmic axis, 0 for differences), axis, colour, symbol.
    """
    if table.empty:
        return theme.empty_figure("No effects can be estimated: too few tasks have results", height=160)
    figure = rows.row_figure(len(table), right=RIGHT)
    neutral, colour, symbol = (table.attrs[name] for name in ("neutral", "colour", "symbol"))
    known = [isfinite(value) for value in table["lower"]]
    figure.add_scatter(
        x=table["value"].tolist(),
        y=list(range(len(table))),
        mode="markers",
        marker={
            "color": colour,
            "symbol": [symbol if settled else f"{symbol}-open" for settled in table["settled"]],
            "size": 11,
        },
        error_x={
            "type": "data",
            "symmetric": False,
            "array": _bars(table["upper"] - table["value"], known),
            "arrayminus": _bars(table["value"] - table["lower"], known),
            "thickness": 2,
            "width": 5,
            "color": colour,
        },
        hovertext=table["hover"].tolist(),
        hoverinfo="text",
    )
    rows.label_rows(figure, table["label"], longest=48)
    rows.add_right_texts(figure, table["text"])
    _heads(figure, table, neutral)
    return figure


def _bars(lengths, known):
    return [length if there else None for length, there in zip(lengths, known, strict=True)]


def _heads(figure, table, neutral):
    rows.add_vertical_line(figure, neutral)
    figure.add_annotation(
        text="no effect", showarrow=False, x=log10(neutral) if neutral else 0, y=1, yref="paper",
        yanchor="bottom", font={"size": 12},
    )  # fmt: skip
    figure.add_annotation(
        text="share", showarrow=False, x=1, xref="paper", xanchor="left", xshift=8, y=1, yref="paper",
        yanchor="bottom", font={"size": 12},
    )  # fmt: skip
    figure.update_xaxes(title_text=table.attrs["axis"])
    if neutral == 1:
        ends = [*table["lower"].dropna(), *table["upper"].dropna(), *table["value"], 1.0]
        low, high = min(ends) / 1.08, max(ends) * 1.08
        shown = factor_ticks(low, high)
        figure.update_xaxes(
            type="log",
            range=[log10(low), log10(high)],
            tickvals=shown,
            ticktext=[f"× {tick:g}" for tick in shown],
        )


def factor_ticks(low: float, high: float) -> list[float]:
    """Return factors between the ends for a logarithmic axis, 1 among them, none too near to another."""
    least = log10(high / low) / MOST_TICKS
    shown = [1.0]
    for tick in (
        *filter(lambda factor: factor > 1, FACTORS),
        *filter(lambda factor: factor < 1, FACTORS[::-1]),
    ):
        if low <= tick <= high and all(abs(log10(tick / other)) >= least for other in shown):
            shown.append(tick)
    return sorted(shown)


def effects_map_figure(table: pd.DataFrame) -> go.Figure:
    """Draw a row an effect and a column a method: its size, shaded, with a triangle where significant.

    table: columns label, method, value, settled, hover; attrs neutral, labels and methods in their order.
    """
    if table.empty:
        return theme.empty_figure("No effects can be estimated: too few tasks have results", height=160)
    labels, methods = table.attrs["labels"], table.attrs["methods"]
    is_factor = table.attrs["neutral"] == 1
    figure = theme.new_figure(height=HEAD + CELL_HEIGHT * len(labels) + 8)
    sizes = [log(value) if is_factor else value for value in table["value"]]
    _add_cells(figure, table, sizes)
    figure.add_scatter(
        x=[methods.index(name) for name in table["method"]],
        y=[labels.index(label) for label in table["label"]],
        mode="text",
        text=[_text(line, size, is_factor) for line, size in zip(table.itertuples(), sizes, strict=True)],
        textfont={"size": 12},
        hovertext=table["hover"].tolist(),
        hoverinfo="text",
        showlegend=False,
    )
    rows.label_rows(figure, labels, longest=48)
    figure.update_xaxes(
        side="top",
        tickvals=list(range(len(methods))),
        ticktext=[words.plot_text(name, longest=12) for name in methods],
        tickfont={"size": 12},
        range=[-0.5, len(methods) - 0.5],
        showgrid=False,
    )
    figure.update_yaxes(showgrid=False)
    figure.update_layout(margin={"t": HEAD, "b": 8}, hovermode="closest", hoverdistance=40)
    return figure


def _text(line, size, is_factor):
    sign = SIGNS[(size > 0) - (size < 0)] if line.settled else ""
    shown = f"× {line.value:.2f}" if is_factor else words.number(line.value, digits=2)
    return f"{shown} {sign}".strip()


def _add_cells(figure, table, sizes):
    labels, methods = table.attrs["labels"], table.attrs["methods"]
    shades = [[None] * len(methods) for _ in labels]
    for line, size in zip(table.itertuples(), sizes, strict=True):
        shades[labels.index(line.label)][methods.index(line.method)] = size
    reach = max(map(abs, sizes)) or 1.0
    figure.add_heatmap(
        z=shades,
        zmin=-reach,
        zmax=reach,
        colorscale=theme.DIVERGING,
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
