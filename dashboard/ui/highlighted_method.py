"""The method that a visitor has marked as his own: in first lines, tables and figures of all pages."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.server import uploads
from dashboard.ui import selection
from delvecore.archive import Archive
from delvecore.plots.highlighted_method import emphasised
from delvecore.report import words

MOST_CELLS = 50_000
"""Of larger tables no cell is bold: styles of so many take long."""
BOLD = "font-weight: 600"


def line_of_mine(archive: Archive) -> str:
    """Return what a page says of the visitor's own method where it compares none, or not that one; empty
    where none is marked."""
    name = selection.mine()
    if name is None:
        return ""
    done = len(archive.index.tasks_done.get(name, ()))
    return f"Yours is **{words.escape(name)}**, with results on {words.count(done, 'task')}."


def added_of_mine() -> str | None:
    """Return the visitor's own method where he added it here: it joins what is shown by itself. None where it
    is the archive's, and where none is marked."""
    name = selection.mine()
    return name if name in uploads.own().methods else None


def with_mine(figure: go.Figure) -> go.Figure:
    """Return a figure with the visitor's own method black, bold and over the others."""
    name = selection.mine()
    return figure if name is None else emphasised(figure, name)


def with_mine_bold(table: pd.DataFrame) -> Any:
    """Return a table with the rows that name the visitor's own method in bold, and its column."""
    name = selection.mine()
    if name is None or table.size > MOST_CELLS:
        return table
    texts = table.select_dtypes(include=["object", "string"])
    own_rows = (texts == name).any(axis=1)
    if not own_rows.any() and name not in table.columns:
        return table

    def looks(column: "pd.Series[str]") -> list[str]:
        return [BOLD if own or column.name == name else "" for own in own_rows]

    return table.style.apply(looks, axis=0)
