"""Critical-difference diagrams, as two pages show them: for a paper, and as a list on a telephone."""

from functools import partial

import pandas as pd
import plotly.graph_objects as go

from dashboard.ui import page
from dashboard.ui.dot_list import Dot
from delvecore.plots import theme, words
from delvecore.plots.critical_difference import Diagram, critical_difference_figure


def show_diagram(
    drawn: Diagram,
    figure: go.Figure,
    numbers: pd.DataFrame,
    *,
    name: str,
    key: str,
    caption: str,
    command: str | None,
) -> None:
    """Show a diagram with its numbers and files. caption: above what the diagram itself notes."""
    ranks = "; ".join(f"{one.method} mean rank {one.rank:.2f}" for one in drawn.methods)
    page.figure_block(
        figure,
        numbers,
        name=name,
        key=key,
        alt=f"Critical-difference diagram: {ranks}",
        command=command,
        note=f"{caption} {words.escape(drawn.note)}",
        redraw=partial(_for_paper, drawn),
        dots=_dots(drawn),
        about_dots="Mean ranks. Methods with a letter in common do not differ significantly.",
    )


def _for_paper(drawn: Diagram, inches: float) -> go.Figure:
    """Draw a diagram so many inches wide, with letters of 8 points."""
    return critical_difference_figure(drawn, width=theme.pixels_of(inches), font=theme.PAPER_LETTERS)


def _dots(drawn: Diagram) -> list[Dot]:
    """Return a dot a method at its mean rank, with letters of the groups that it is in."""
    rows = []
    for place, one in enumerate(drawn.methods):
        letters = "".join(chr(ord("a") + n) for n, group in enumerate(drawn.groups[:26]) if place in group)
        rows.append(Dot(one.method, one.rank, f"{one.rank:.2f} {letters}", one.style.colour))
    return rows
