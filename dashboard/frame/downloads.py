"""Files made from what a page shows: CSV that no spreadsheet executes, and pictures of figures."""

import os
import shutil
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import streamlit as st

from delvecore.report.writers import csv

__all__ = ["as_frame", "can_draw", "csv_text", "picture"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SCALE_OF_PNG = 2
WIDTH = 1000
NO_MARGIN = "@page { margin: 0 } body { margin: 0 } img { display: block }"
FONTS_OF_PDF = "Liberation Sans, Arial, Helvetica, sans-serif"
"""TrueType fonts, embedded as such; of others a PDF gets drawings (Type 3), which some journals refuse."""


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


@st.cache_resource(show_spinner=False)
def can_draw() -> bool:
    """Can this machine turn figures into SVG, PDF and PNG? A Chromium or Chrome is needed."""
    return bool(os.environ.get("BROWSER_PATH")) or any(shutil.which(name) for name in BROWSERS)


@st.cache_resource(show_spinner=False)
def _drawing_server() -> bool:
    import kaleido

    # By default its browser would fetch MathJax from another host.
    page = kaleido.PageGenerator(mathjax=False)
    # Its page has a margin, which moves a PDF's figure down and to the right, and cuts it off there.
    page.header += f"<style>{NO_MARGIN}</style>"
    kaleido.start_sync_server(silence_warnings=True, page_generator=page)
    return True


def picture(figure: go.Figure, kind: str, *, scale: float | None = None, keeps_font: bool = False) -> bytes:
    """Return the figure in its own (light) colours as `svg`, `pdf` or `png`, as wide as it says it is.

    scale: enlarges all of it; None: PNG twice, others not. keeps_font: a PDF has the figure's own font.
    """
    import kaleido

    _drawing_server()
    scale = scale or (SCALE_OF_PNG if kind == "png" else 1)
    size = {"width": figure.layout.width or WIDTH, "height": figure.layout.height, "scale": scale}
    drawn = figure.to_dict()
    if kind == "pdf" and not keeps_font:
        drawn["layout"]["font"] = {**drawn["layout"].get("font", {}), "family": FONTS_OF_PDF}
    return kaleido.calc_fig_sync(drawn, opts={"format": kind, **size})
