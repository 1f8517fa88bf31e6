"""Critical-difference diagrams, as two pages show them: for a paper, and as a list on a telephone."""

import pandas as pd
import plotly.graph_objects as go

from dashboard.ui import page
from dashboard.ui.dot_list import Dot, DotList
from delvecore.plots import theme
from delvecore.plots.critical_difference import Diagram, DiagramMethod, critical_difference_figure
from delvecore.report import words


def show_diagram(
    drawn: Diagram,
    figure: go.Figure,
    *,
    name: str,
    key: str,
    caption: str,
    command: str | None,
) -> None:
    """Show a diagram with its numbers and files. caption: above what the diagram itself notes."""
    listed = DotList("Mean ranks. Methods with a letter in common do not differ significantly.", _dots(drawn))

    def for_paper(inches: float) -> go.Figure:
        """Draw it so many inches wide, with letters of 8 points."""
        return critical_difference_figure(drawn, width=theme.pixels_of(inches), font=theme.PAPER_LETTERS)

    page.figure_block(
        figure,
        diagram_numbers(drawn),
        name=name,
        key=key,
        alt=f"Critical-difference diagram. {listed.spoken}",
        command=command,
        note=f"{caption} {words.escape(drawn.note)}",
        redraw=for_paper,
        listed=listed,
    )


def diagram_numbers(drawn: Diagram) -> pd.DataFrame:
    """Mean ranks with p-values; marks of methods against a control, else the numbers of their groups."""
    table = pd.DataFrame(drawn.methods, columns=DiagramMethod._fields).drop(columns="style")
    if drawn.control is not None:
        return table
    groups = [
        ", ".join(str(number) for number, group in enumerate(drawn.groups, 1) if row in group)
        for row in range(len(table))
    ]
    return table.drop(columns="mark").assign(groups=groups)


def _dots(drawn: Diagram) -> list[Dot]:
    """Return a dot a method at its mean rank, with letters of the groups that it is in."""
    rows = []
    for place, one in enumerate(drawn.methods):
        letters = "".join(chr(ord("a") + n) for n, group in enumerate(drawn.groups[:26]) if place in group)
        rows.append(Dot(one.method, one.rank, f"{one.rank:.2f} {letters}", one.style.colour))
    return rows
