"""Files made from what a page shows: CSV that no spreadsheet executes, and pictures of figures for papers.

A picture that is millimetres wide is laid out in the pixels that give its letters the wished size at the
wished width, then scaled as a whole; so its marks and lines keep their proportion to its letters."""

import os
import re
import shutil
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import streamlit as st

from delvecore.report.writers import csv

__all__ = ["AS_SHOWN", "PictureStyle", "as_frame", "can_draw", "csv_text", "figure_file", "picture"]
__all__ += ["show_pictures", "with_provenance"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SCALE_OF_PNG = 2
WIDTH = 1000
NO_MARGIN = "@page { margin: 0 } body { margin: 0 } img { display: block }"
FONTS_OF_PDF = "Liberation Sans, Arial, Helvetica, sans-serif"
"""TrueType fonts, embedded as such; of others a PDF gets drawings (Type 3), which some journals refuse."""
KINDS = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
FONTS = {
    "Sans (Helvetica, Arial)": "Liberation Sans, Arial, Helvetica, sans-serif",
    "Serif (Times)": "Liberation Serif, Times New Roman, Times, serif",
    "Inter, as shown": "Inter, sans-serif",
}
"""Families by title; the first two are TrueType where fonts-liberation is installed."""
WIDTHS = {"one column, 85 mm": 85.0, "two columns, 178 mm": 178.0}
BASE_PIXELS = 13
PIXELS_OF_MM = 96 / 25.4
PIXELS_OF_POINT = 96 / 72
DOTS_OF_MM = 300 / 25.4
DATES = re.compile(rb"/(?:CreationDate|ModDate) \(D:[^)]*\)")
SHOWN, OTHER = "as shown", "other"
STORED = "picture-style"
LEAST, MOST = 20.0, 500.0


@dataclass(frozen=True)
class PictureStyle:
    """width: in mm, None for the figure's own; points: size of its letters; font: a title of FONTS."""

    width: float | None = None
    points: float = 8.0
    font: str = "Sans (Helvetica, Arial)"

    def __post_init__(self) -> None:
        if self.width is not None and not 20 <= self.width <= 500:
            raise ValueError(f"expected a width between 20 and 500 mm, found {self.width:g}")
        if not 4 <= self.points <= 24:
            raise ValueError(f"expected letters between 4 and 24 points, found {self.points:g}")

    def __str__(self) -> str:
        if self.width is None:
            return "as wide as shown"
        return f"{self.width:g} mm wide, letters of {self.points:g} points, {self.font}"


AS_SHOWN = PictureStyle()


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

    scale: enlarges all of it; None: PNG twice, others not. keeps_font: a PDF has the figure's own font."""
    import kaleido

    _drawing_server()
    scale = scale or (SCALE_OF_PNG if kind == "png" else 1)
    size = {"width": figure.layout.width or WIDTH, "height": figure.layout.height, "scale": scale}
    drawn = figure.to_dict()
    if kind == "pdf" and not keeps_font:
        drawn["layout"]["font"] = {**drawn["layout"].get("font", {}), "family": FONTS_OF_PDF}
    return kaleido.calc_fig_sync(drawn, opts={"format": kind, **size})


def figure_file(
    figure: go.Figure, kind: str, style: PictureStyle = AS_SHOWN, about: Sequence[str] = ()
) -> bytes:
    """Return the figure as `svg`, `pdf` or `png` (300 dots per inch where it has a width in mm), with the
    lines of its provenance inside."""
    if style.width is None:
        return with_provenance(picture(figure, kind), kind, about)
    scale = style.points * PIXELS_OF_POINT / BASE_PIXELS
    drawn = go.Figure(figure)
    drawn.update_layout(width=round(style.width * PIXELS_OF_MM / scale))
    _set_font(drawn, FONTS[style.font])
    factor = scale * (DOTS_OF_MM / PIXELS_OF_MM if kind == "png" else 1)
    content = picture(drawn, kind, scale=factor, keeps_font=True)
    return with_provenance(_in_millimetres(content, style.width) if kind == "svg" else content, kind, about)


def _set_font(figure: go.Figure, family: str) -> None:
    """Set the family everywhere: where a figure names one, it would keep it."""
    figure.update_layout(font_family=family)
    figure.update_annotations(font_family=family)
    for axes in (figure.update_xaxes, figure.update_yaxes):
        axes(tickfont_family=family, title_font_family=family)


def _in_millimetres(content: bytes, width: float) -> bytes:
    """Give an SVG its size in mm; its view box says what is drawn."""
    text = content.decode()

    def scaled(found: re.Match[str]) -> str:
        height = width * float(found[3]) / float(found[2])
        return f'{found[1]}width="{width:g}mm" height="{height:.3f}mm"'

    return re.sub(r'(<svg [^>]*?)width="([\d.]+)" height="([\d.]+)"', scaled, text, count=1).encode()


def with_provenance(content: bytes, kind: str, about: Sequence[str]) -> bytes:
    """Return a picture that holds lines of text on where it comes from: in the metadata of an SVG, the
    description of a PNG, the subject of a PDF. A PDF loses its date: equal pictures, equal files."""
    text = "\n".join(about)
    if kind == "pdf":
        return _pdf(DATES.sub(lambda found: b" " * len(found[0]), content), text)
    if not about:
        return content
    return _svg(content, text) if kind == "svg" else _png(content, text)


def _svg(content: bytes, text: str) -> bytes:
    """As metadata: a comment could not hold the two hyphens of a command's options."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    start = content.index(b">", content.index(b"<svg")) + 1
    return content[:start] + f"<metadata>{escaped}</metadata>".encode() + content[start:]


def _png(content: bytes, text: str) -> bytes:
    """Put a chunk of international text behind the header chunk."""
    data = b"Description\0\0\0\0\0" + text.encode()
    chunk = b"iTXt" + data
    packed = struct.pack(">I", len(data)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    end_of_header = 8 + 25
    return content[:end_of_header] + packed + content[end_of_header:]


def _pdf(content: bytes, text: str) -> bytes:
    """Append new document information, as PDF 1.4 (section 3.4.5) updates a file."""
    trailer = content[content.rindex(b"trailer") :]
    size, root, before = (
        int(re.findall(name + rb"\s+(\d+)", trailer)[0]) for name in (b"/Size", b"/Root", b"startxref")
    )
    place = len(content) + 1
    subject = (b"\xfe\xff" + text.encode("utf-16-be")).hex().upper().encode()
    found = b"%d 0 obj\n<</Creator (DELVE for the browser)\n/Subject <%s>>>\nendobj\n" % (size, subject)
    table = b"xref\n%d 1\n%010d 00000 n \n" % (size, place)
    end = b"trailer\n<</Size %d\n/Root %d 0 R\n/Info %d 0 R\n/Prev %d>>\n" % (size + 1, root, size, before)
    return content + b"\n" + found + table + end + b"startxref\n%d\n%%%%EOF\n" % (place + len(found))


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
