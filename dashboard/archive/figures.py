"""Coverage map: on how many of each prototask's tasks has each method results?"""

from typing import NamedTuple

import plotly.graph_objects as go

from delvecore.figures import theme, words
from delvecore.figures.mine import name_places
from delvecore.model import SCORED

__all__ = ["CoverageCell", "CoverageMap", "coverage_figure"]

ROW_HEIGHT, HEAD_HEIGHT = 34, 44
UNSEEN = {"marker": {"opacity": 0}}
SHADES = {"zmin": 0, "zmax": 1, "colorscale": theme.SEQUENTIAL, "showscale": False, "xgap": 3, "ygap": 3}
SHADES["hoverinfo"] = "skip"


class CoverageCell(NamedTuple):
    """On how many of a prototask's tasks has a method results? prototask: full path; share: done of tasks."""

    prototask: str
    method: str
    tasks: int
    done: int
    share: float


class CoverageMap(NamedTuple):
    """All that is drawn. cells: one for each of the prototasks, from the top, and each of the methods."""

    cells: tuple[CoverageCell, ...]
    prototasks: tuple[str, ...]
    methods: tuple[str, ...]


def place_words(prototask: str) -> str:
    """Return a prototask's path; of scores the dataset."""
    return prototask.strip("/").removesuffix(f"/{SCORED}") if prototask.endswith(f"/{SCORED}") else prototask


def coverage_figure(drawn: CoverageMap) -> go.Figure:
    """Draw one cell for each prototask and method; its shade is the share of tasks with results.

    A click on a cell gives the point's customdata: prototask and method."""
    if not drawn.cells:
        return theme.empty_figure("No prototask and method to show yet", height=160)
    cells, prototasks, methods = drawn
    shares = {(cell.prototask, cell.method): float(cell.share) for cell in cells}
    figure = theme.new_figure(height=HEAD_HEIGHT + ROW_HEIGHT * len(prototasks))
    figure.add_heatmap(z=[[shares[row, column] for column in methods] for row in prototasks], **SHADES)
    # The numbers are also what is clicked: a heatmap's own cells cannot be selected.
    numbers = theme.trace(
        "markers+text",
        [methods.index(cell.method) for cell in cells],
        [prototasks.index(cell.prototask) for cell in cells],
        hover=[
            f"{words.plot_text(cell.method)} on {words.plot_text(place_words(cell.prototask))}:<br>"
            f"results on {cell.done} of {words.count(cell.tasks, 'task')}"
            for cell in cells
        ],
        text=[f"{cell.done} of {cell.tasks}" for cell in cells],
        customdata=[[cell.prototask, cell.method] for cell in cells],
        marker={"symbol": "square", "size": 26, "opacity": 0},
        selected=UNSEEN,
        unselected=UNSEEN,
        showlegend=False,
    )
    figure.add_trace(numbers)
    figure.update_layout(hoverdistance=-1, hovermode="closest", margin={"t": HEAD_HEIGHT - 8})
    name_places(figure, x=methods)
    figure.update_xaxes(
        side="top",
        tickvals=list(range(len(methods))),
        ticktext=[words.plot_text(method, longest=16) for method in methods],
        showgrid=False,
        range=[-0.5, len(methods) - 0.5],
    )
    figure.update_yaxes(
        tickvals=list(range(len(prototasks))),
        ticktext=[words.plot_text(place_words(prototask), longest=36) for prototask in prototasks],
        showgrid=False,
        range=[len(prototasks) - 0.5, -0.5],
    )
    return figure
