"""Coverage map: on how many of each prototask's tasks has each method results?"""

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = ["coverage_figure"]

ROW_HEIGHT = 34
HEAD_HEIGHT = 44


def coverage_figure(table: pd.DataFrame) -> go.Figure:
    """Draw one cell for each prototask and method; its shade is the share of tasks with results.

    table: columns prototask, method, tasks, done, share. A click on a cell gives the point's customdata:
    prototask and method.
    """
    if table.empty:
        return theme.empty_figure("No prototask and method to show yet", height=160)
    prototasks = list(dict.fromkeys(table["prototask"]))
    methods = list(dict.fromkeys(table["method"]))
    figure = theme.new_figure(height=HEAD_HEIGHT + ROW_HEIGHT * len(prototasks))
    _add_shades(figure, table, prototasks, methods)
    _add_numbers(figure, table, prototasks, methods)
    _label_axes(figure, prototasks, methods)
    return figure


def _add_shades(figure: go.Figure, table: pd.DataFrame, prototasks: list[str], methods: list[str]) -> None:
    shares = dict(zip(zip(table["prototask"], table["method"], strict=True), table["share"], strict=True))
    figure.add_heatmap(
        z=[[float(shares[prototask, method]) for method in methods] for prototask in prototasks],
        zmin=0,
        zmax=1,
        colorscale=theme.SEQUENTIAL,
        showscale=False,
        xgap=3,
        ygap=3,
        hoverinfo="skip",
    )


def _add_numbers(figure: go.Figure, table: pd.DataFrame, prototasks: list[str], methods: list[str]) -> None:
    """The numbers are also what is clicked: a heatmap's own cells cannot be selected."""
    figure.add_scatter(
        x=[methods.index(method) for method in table["method"]],
        y=[prototasks.index(prototask) for prototask in table["prototask"]],
        mode="markers+text",
        text=[f"{done} of {tasks}" for done, tasks in zip(table["done"], table["tasks"], strict=True)],
        customdata=table[["prototask", "method"]].values.tolist(),
        hovertext=[
            f"{words.plot_text(row.method)} on {words.plot_text(row.prototask)}:<br>"
            f"results on {row.done} of {words.count(row.tasks, 'task')}"
            for row in table.itertuples()
        ],
        hoverinfo="text",
        marker={"symbol": "square", "size": 26, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
    )


def _label_axes(figure: go.Figure, prototasks: list[str], methods: list[str]) -> None:
    figure.update_layout(hoverdistance=-1, hovermode="closest", margin={"t": HEAD_HEIGHT - 8})
    figure.update_xaxes(
        side="top",
        tickvals=list(range(len(methods))),
        ticktext=[words.plot_text(method, longest=16) for method in methods],
        showgrid=False,
        range=[-0.5, len(methods) - 0.5],
    )
    figure.update_yaxes(
        tickvals=list(range(len(prototasks))),
        ticktext=[words.plot_text(prototask, longest=36) for prototask in prototasks],
        showgrid=False,
        range=[len(prototasks) - 0.5, -0.5],
    )
