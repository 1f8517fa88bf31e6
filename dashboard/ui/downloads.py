"""Files made from what a page shows: CSV that no spreadsheet executes, and pictures of figures for papers."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import streamlit as st

from delvecore.plots.pictures import FONTS, PictureStyle, can_draw, figure_file
from delvecore.report.writers import csv

__all__ = ["as_frame", "csv_text", "show_pictures", "toolbar", "with_toolbar"]

KINDS = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
WIDTHS = {"one column, 85 mm": 85.0, "two columns, 178 mm": 178.0}
SHOWN, OTHER = "as shown", "other"
STORED = "picture-style"
TOOLBAR = 28
NO_BUTTONS = ["select2d", "lasso2d", "zoom2d", "pan2d", "autoScale2d", "resetScale2d"]
LEAST, MOST = 20.0, 500.0


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


def with_toolbar(figure: go.Figure) -> go.Figure:
    """Return a figure with room above it for Plotly's own button, where that is needed: see `toolbar`."""
    if can_draw():
        return figure
    height, top = (figure.layout.height or 450) + TOOLBAR, (figure.layout.margin.t or 0) + TOOLBAR
    return go.Figure(figure).update_layout(height=height, margin_t=top)


def toolbar(name: str) -> dict[str, Any]:
    """Return how Plotly shows its own buttons, which lie on labels: not at all where pictures can be drawn,
    else the one that saves the figure. name: of the file."""
    picture = {"format": "svg", "filename": name}
    buttons = {"modeBarButtonsToRemove": NO_BUTTONS, "toImageButtonOptions": picture}
    return {"displaylogo": False, "displayModeBar": not can_draw(), **buttons}


def show_pictures(figure: go.Figure, name: str, about: Sequence[str]) -> None:
    """Offer the figure's pictures; about: lines of their provenance. The style chosen is that of all figures
    of the session."""
    style = _style(name)
    with st.container(horizontal=True):
        for kind, mime in KINDS.items():
            st.download_button(
                kind.upper(),
                data=partial(figure_file, figure, kind, style, [*about, f"Drawn: {style}"]),
                file_name=f"{name}.{kind}",
                mime=mime,
                icon=":material/image:",
                on_click="ignore",
                key=f"{kind}-{name}",
            )


def _style(name: str) -> PictureStyle:
    stored: PictureStyle = st.session_state.get(STORED, PictureStyle())
    widths = {SHOWN: None, **WIDTHS, OTHER: stored.width}
    usual = next((title for title, width in widths.items() if width == stored.width), OTHER)
    title = st.selectbox(
        "Width of pictures",
        list(widths),
        index=list(widths).index(usual),
        key=f"picture-width-{name}",
        help="For a paper: letters and lines have their final size; include it unscaled",
    )
    if title == SHOWN:
        style = PictureStyle(None, stored.points, stored.font)
    else:
        style = PictureStyle(*_details(name, stored, widths[title] if title != OTHER else None))
    st.session_state[STORED] = style
    return style


def _details(name: str, stored: PictureStyle, width: float | None) -> tuple[float, float, str]:
    """Return (width in mm, points, font)."""
    if width is None:
        width = st.number_input(
            "Millimetres", LEAST, MOST, stored.width or 120.0, 1.0, key=f"picture-mm-{name}", format="%.0f"
        )
    points = st.number_input(
        "Points of letters", 4.0, 24.0, stored.points, 0.5, key=f"picture-points-{name}", format="%.1f"
    )
    font = st.selectbox("Font", list(FONTS), index=list(FONTS).index(stored.font), key=f"picture-font-{name}")
    return width, points, font
