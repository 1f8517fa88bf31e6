"""Pictures of figures for papers: SVG, PDF and PNG, with their provenance.

A picture with a width in millimeters is laid out at the width in pixels that gives its letters the
desired size. It is then scaled as a whole, so its marks and lines keep their proportion to its letters.
"""

import functools
import os
import re
import shutil
import struct
import threading
import zlib
from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from delvecore.render.numbers import parameter, rounded
from delvecore.render.picture_metadata import checksum_line

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
INSTALL = "install a browser to draw with: `apt-get install chromium`, or `plotly_get_chrome`"
"""Remedy if there is no browser, in one line."""
SCALE_OF_PNG = 2
WIDTH = 1000
NO_MARGIN = "@page { margin: 0 } body { margin: 0 } img { display: block }"
FONTS = "Liberation Sans, Arial, Helvetica, sans-serif"
"""TrueType fonts, which a PDF embeds as such. Others become drawings (Type 3), which journals refuse."""
PIXELS_OF_MM = 96 / 25.4
DOTS_OF_MM = 300 / 25.4
PAPER_SCALE = 8 * (96 / 72) / 13
"""Scale that turns letters of 13 pixels into 8 points."""
_STARTING = threading.Lock()
"""Lock for simultaneous visitors, so that they start only one browser."""
PNG_HEADER = 8 + 25
"""Bytes of the signature and the header chunk of a PNG."""
DATES = re.compile(rb"/(?:CreationDate|ModDate) \(D:[^)]*\)")


def pixels_of_column(width: float) -> int:
    """Return the layout width in pixels of a figure with a width in millimeters."""
    return round(width * PIXELS_OF_MM / PAPER_SCALE)


@functools.cache
def can_draw() -> bool:
    """Can this machine turn figures into SVG, PDF and PNG? A Chromium or Chrome is needed."""
    return bool(os.environ.get("BROWSER_PATH")) or any(shutil.which(name) for name in BROWSERS)


@functools.cache
def _drawing_server() -> bool:
    """Start the drawing browser once, at the first request."""
    import kaleido  # after the first page: it takes a while, and few visitors draw files

    # By default its browser would fetch MathJax from another host.
    page = kaleido.PageGenerator(mathjax=False)
    # The default margin of its page would move and cut the figure of a PDF.
    page.header += f"<style>{NO_MARGIN}</style>"
    kaleido.start_sync_server(silence_warnings=True, page_generator=page)
    return True


def picture(figure: go.Figure, kind: str, *, scale: float | None = None) -> bytes:
    """Return a picture (svg, pdf, png) of a figure in its light colors, drawn by a browser.

    The width is the figure's own, otherwise 1,000 pixels; scale: magnification, by default 2 for PNG and 1
    for others.
    """
    import kaleido

    with _STARTING:
        _drawing_server()
    scale = scale or (SCALE_OF_PNG if kind == "png" else 1)
    size = {"width": figure.layout.width or WIDTH, "height": figure.layout.height, "scale": scale}
    drawn = figure.to_dict()
    if kind == "pdf":
        drawn["layout"]["font"] = {**drawn["layout"].get("font", {}), "family": FONTS}
    image: bytes = kaleido.calc_fig_sync(drawn, opts={"format": kind, **size})
    return image


def figure_file(
    figure: go.Figure, kind: str, *, width: float | None = None, about: Sequence[str] = ()
) -> bytes:
    """Return a picture of a figure as a file with its provenance; equal figures give equal files.

    width: width in millimeters, with letters of 8 points and 300 dots per inch for PNG; None: unchanged."""
    if width is None:
        return with_provenance(picture(figure, kind), kind, about)
    drawn = go.Figure(figure)
    drawn.update_layout(width=pixels_of_column(width))
    _set_font(drawn, FONTS)
    factor = PAPER_SCALE * (DOTS_OF_MM / PIXELS_OF_MM if kind == "png" else 1)
    content = picture(drawn, kind, scale=factor)
    return with_provenance(_in_millimeters(content, width) if kind == "svg" else content, kind, about)


def _set_font(figure: go.Figure, family: str) -> None:
    """Set the font family in all parts, because a family named in a part would take precedence."""
    figure.update_layout(font_family=family)
    figure.update_annotations(font_family=family)
    for axes in (figure.update_xaxes, figure.update_yaxes):
        axes(tickfont_family=family, title_font_family=family)


def _in_millimeters(content: bytes, width: float) -> bytes:
    """Set the size of an SVG in millimeters; its view box stays."""
    text = content.decode()

    def scaled(match: re.Match[str]) -> str:
        height = width * float(match[3]) / float(match[2])
        return f'{match[1]}width="{parameter(width)}mm" height="{rounded(height, 3)}mm"'

    return re.sub(r'(<svg [^>]*?)width="([\d.]+)" height="([\d.]+)"', scaled, text, count=1).encode()


def with_provenance(content: bytes, kind: str, about: Sequence[str]) -> bytes:
    """Return a picture with lines of provenance: in the metadata of an SVG, the description of a PNG, or the
    subject of a PDF.

    The last line is a checksum of the picture without them. A PDF loses its date, so that equal pictures give
    equal files."""
    if kind == "pdf":
        content = DATES.sub(lambda match: b" " * len(match[0]), content)
    text = "\n".join([*about, checksum_line(content)] if about else about)
    if kind == "pdf":
        return _pdf(content, text)
    if not about:
        return content
    if kind == "svg":
        # A comment must not contain the two hyphens of options.
        inserted = f"<metadata>{escape(text, quote=False)}</metadata>".encode()
        start = content.index(b">", content.index(b"<svg")) + 1
    else:
        inserted, start = png_chunk(text), PNG_HEADER
    return content[:start] + inserted + content[start:]


def png_chunk(text: str) -> bytes:
    """Return the chunk of a PNG for a description, which follows the header chunk."""
    data = b"Description\0\0\0\0\0" + text.encode()
    chunk = b"iTXt" + data
    return struct.pack(">I", len(data)) + chunk + struct.pack(">I", zlib.crc32(chunk))


def _pdf(content: bytes, text: str) -> bytes:
    """Append new document information, as PDF 1.4 (section 3.4.5) updates a file."""
    trailer = content[content.rindex(b"trailer") :]
    size, root, before = (
        int(re.findall(name + rb"\s+(\d+)", trailer)[0]) for name in (b"/Size", b"/Root", b"startxref")
    )
    place = len(content) + 1
    subject = (b"\xfe\xff" + text.encode("utf-16-be")).hex().upper().encode()
    information = b"%d 0 obj\n<</Creator (DELVE for the browser)\n/Subject <%s>>>\nendobj\n" % (size, subject)
    table = b"xref\n%d 1\n%010d 00000 n \n" % (size, place)
    end = b"trailer\n<</Size %d\n/Root %d 0 R\n/Info %d 0 R\n/Prev %d>>\n" % (size + 1, root, size, before)
    return (
        content + b"\n" + information + table + end + b"startxref\n%d\n%%%%EOF\n" % (place + len(information))
    )
