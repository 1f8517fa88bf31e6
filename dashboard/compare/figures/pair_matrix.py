"""Pair matrix: the difference between every two methods, its p-value, and whether it is settled."""

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = ["pair_matrix_figure"]

CELL_HEIGHT = 60
HEAD_HEIGHT = 44
SHADES = {"better": -1.0, "worse": 1.0}
SIGNS = {"better": "▼ better", "worse": "▲ worse", "not settled": "not settled"}


def pair_matrix_figure(table: pd.DataFrame) -> go.Figure:
    """Draw a cell for each ordered pair: the row's method less the column's; shaded only where settled.

    table: columns row, column, verdict, shown, p_shown, methods in order of their rows. Every cell says in
    words whether the row's method is better, worse, or not settled.
    """
    if table.empty:
        return theme.empty_figure("Two methods are needed for a pair", height=160)
    methods = sorted({*table["row"], *table["column"]}, key=[*table["column"], *table["row"]].index)
    figure = theme.new_figure(height=HEAD_HEIGHT + CELL_HEIGHT * len(methods))
    _add_shades(figure, table, methods)
    _add_texts(figure, table, methods)
    figure.update_layout(margin={"t": HEAD_HEIGHT - 8}, hovermode="closest")
    names = [words.plot_text(name, longest=16) for name in methods]
    places = list(range(len(methods)))
    figure.update_xaxes(
        side="top", tickvals=places, ticktext=names, showgrid=False, range=[-0.5, len(names) - 0.5]
    )
    figure.update_yaxes(
        tickvals=places, ticktext=[f"{n} " for n in names], showgrid=False, range=[len(names) - 0.5, -0.5]
    )
    return figure


def _add_shades(figure, table, methods):
    shades = {(line.row, line.column): SHADES.get(line.verdict, 0.0) for line in table.itertuples()}
    figure.add_heatmap(
        z=[[shades.get((row, column)) for column in methods] for row in methods],
        zmin=-1,
        zmax=1,
        colorscale=theme.DIVERGING,
        showscale=False,
        xgap=3,
        ygap=3,
        hoverinfo="skip",
    )


def _add_texts(figure, table, methods):
    figure.add_scatter(
        x=[methods.index(name) for name in table["column"]],
        y=[methods.index(name) for name in table["row"]],
        mode="text",
        text=[_text(line) for line in table.itertuples()],
        textfont={"size": 12},
        hovertext=[
            f"{words.plot_text(line.row)} less {words.plot_text(line.column)}: {line.shown}<br>"
            f"{_harmless(line.p_shown)}, {line.verdict}"
            for line in table.itertuples()
        ],
        hoverinfo="text",
        showlegend=False,
    )


def _text(line):
    if line.verdict == "identical":
        return "identical"
    if line.verdict == "no test":
        return f"{line.shown}<br>no test"
    sign = SIGNS.get(line.verdict, line.verdict)
    return f"{line.shown}<br>{_harmless(line.p_shown)}<br>{sign}"


def _harmless(text):
    return text.replace("<", "&lt;")
