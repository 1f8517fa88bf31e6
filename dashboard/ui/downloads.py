"""Files made from what a page shows: CSV that no spreadsheet executes, and pictures of figures for papers.

The visitor's own browser makes SVG and PNG (`dashboard/static/page.js`); a PDF is made by the server's."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import streamlit as st

from delvecore.plots import theme
from delvecore.plots.pictures import INSTALL, can_draw, picture, png_chunk, with_provenance
from delvecore.report.writers import csv

WIDTHS = {"as shown": None, "one column, 3.3 in": 3.3, "two columns, 7 in": 7.0}
"""Of pictures, in inches."""
LEAST_POINTS = 7
STORED = "picture-width"
TOOLBAR: dict[str, Any] = {"displaylogo": False, "displayModeBar": False}
"""Plotly's own buttons lie on labels: there are none."""


def as_frame(table: pd.DataFrame | pa.Table) -> pd.DataFrame:
    """Return a table as a data frame; nothing is copied that need not be."""
    return table.to_pandas() if isinstance(table, pa.Table) else table


def csv_text(table: pd.DataFrame | pa.Table) -> str:
    """Return a table as CSV with full precision: see `delvecore.report.writers.csv`."""
    frame = as_frame(table)
    columns = [[_plain(value) for value in column] for _, column in frame.items()]
    return csv.csv_text(list(frame.columns), zip(*columns, strict=True))


def _plain(value: Any) -> Any:
    """Return a NumPy value or array as Python's own, and what pandas has for a missing value as None."""
    if value is pd.NA or value is pd.NaT:
        return None
    return value.tolist() if hasattr(value, "tolist") else value


def show_pictures(
    figure: go.Figure,
    name: str,
    place: str,
    about: Sequence[str],
    *,
    redraw: Callable[[float], go.Figure] | None = None,
) -> None:
    """Offer the figure's pictures. place: the class of its element on the page; about: lines of their
    provenance; redraw: draws it so many inches wide. The width chosen is that of all figures."""
    options = [
        title for title, inches in WIDTHS.items() if inches is None or redraw or _has_room(figure, inches)
    ]
    stored = st.session_state.get(STORED)
    title = st.segmented_control(
        "Width of pictures",
        options,
        default=stored if stored in options else options[0],
        required=True,
        key=f"picture-width-{name}",
        help="For a paper: letters have 8 points at this width; include the picture unscaled",
    )
    st.session_state[STORED] = title
    inches = WIDTHS[title]
    own = None if inches is None else redraw(inches) if redraw else theme.for_paper(figure, inches)
    lines = [*about, f"Drawn: {title}"]

    def pdf() -> bytes:
        return with_provenance(picture(own or figure, "pdf"), "pdf", lines)

    with st.container(horizontal=True):
        st.html(_buttons(name, place, own, lines), width="content")
        if can_draw():
            kind: dict[str, Any] = {"mime": "application/pdf", "icon": ":material/image:"}
            st.download_button("PDF", pdf, f"{name}.pdf", key=f"pdf-{name}", on_click="ignore", **kind)
    if not can_draw():
        st.caption(f"PDF: print the SVG to a file, or on the machine that serves this page {INSTALL}.")


def _has_room(figure: go.Figure, inches: float) -> bool:
    """Can a figure be so wide with letters of 7 points or more?"""
    return theme.least_width(figure) * LEAST_POINTS / theme.LETTERS * 4 / 3 <= inches * theme.PIXELS_OF_INCH


def _buttons(name: str, place: str, own: go.Figure | None, about: Sequence[str]) -> str:
    """Return buttons with all that a browser needs to make the pictures. own: drawn for a paper, None for the
    figure of the page in light colours."""
    facts = {
        "figure": place,
        "name": name,
        "about": "\n".join(about),
        "chunk": b64encode(png_chunk("\n".join(about))).decode(),
        "template": theme.TEMPLATE.to_json(),
        "spec": own.to_json() if own else "",
    }
    said = " ".join(f'data-{key}="{escape(str(value))}"' for key, value in facts.items())
    kinds = "".join(
        f'<button type="button" data-picture="{kind.lower()}">{kind}</button>' for kind in ("SVG", "PNG")
    )
    return f'<div class="pictures" {said}>{kinds}</div>'
