"""Pictures of figures for papers: SVG, PDF and PNG, with lines on where they come from.

A picture that is millimetres wide is laid out in the pixels that give its letters the wished size at the
wished width, then scaled as a whole; so its marks and lines keep their proportion to its letters."""

import functools
import os
import re
import shutil
import struct
import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import kaleido
import plotly.graph_objects as go

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
INSTALL = "install a browser to draw with: `apt-get install chromium`, or `plotly_get_chrome`"
"""What to do where there is none, in one line."""
SCALE_OF_PNG = 2
WIDTH = 1000
NO_MARGIN = "@page { margin: 0 } body { margin: 0 } img { display: block }"
FONTS_OF_PDF = "Liberation Sans, Arial, Helvetica, sans-serif"
"""TrueType fonts, embedded as such; of others a PDF gets drawings (Type 3), which some journals refuse."""
FONTS = {
    "Sans (Helvetica, Arial)": "Liberation Sans, Arial, Helvetica, sans-serif",
    "Serif (Times)": "Liberation Serif, Times New Roman, Times, serif",
    "Inter, as shown": "Inter, sans-serif",
}
"""Families by title; the first two are TrueType where fonts-liberation is installed."""
BASE_PIXELS = 13
PIXELS_OF_MM = 96 / 25.4
PIXELS_OF_POINT = 96 / 72
DOTS_OF_MM = 300 / 25.4
_STARTING = threading.Lock()
"""Two visitors at once start one browser."""
DATES = re.compile(rb"/(?:CreationDate|ModDate) \(D:[^)]*\)")


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

    @property
    def pixels(self) -> int | None:
        """How many pixels wide a figure is laid out that is drawn so; None: as it is."""
        return None if self.width is None else round(self.width * PIXELS_OF_MM / self.scale)

    @property
    def scale(self) -> float:
        """By how much it is then enlarged."""
        return self.points * PIXELS_OF_POINT / BASE_PIXELS

    def __str__(self) -> str:
        if self.width is None:
            return "as wide as shown"
        return f"{self.width:g} mm wide, letters of {self.points:g} points, {self.font}"


AS_SHOWN = PictureStyle()


@functools.cache
def can_draw() -> bool:
    """Can this machine turn figures into SVG, PDF and PNG? A Chromium or Chrome is needed."""
    return bool(os.environ.get("BROWSER_PATH")) or any(shutil.which(name) for name in BROWSERS)


@functools.cache
def _drawing_server() -> bool:
    """Start the browser that draws: once, whoever asks first."""
    # By default its browser would fetch MathJax from another host.
    page = kaleido.PageGenerator(mathjax=False)
    # Its page has a margin, which moves a PDF's figure down and to the right, and cuts it off there.
    page.header += f"<style>{NO_MARGIN}</style>"
    kaleido.start_sync_server(silence_warnings=True, page_generator=page)
    return True


def picture(figure: go.Figure, kind: str, *, scale: float | None = None, keeps_font: bool = False) -> bytes:
    """Return the figure in its own (light) colours as `svg`, `pdf` or `png`, as wide as it says it is.

    scale: enlarges all of it; None: PNG twice, others not. keeps_font: a PDF has the figure's own font."""
    with _STARTING:
        _drawing_server()
    scale = scale or (SCALE_OF_PNG if kind == "png" else 1)
    size = {"width": figure.layout.width or WIDTH, "height": figure.layout.height, "scale": scale}
    drawn = figure.to_dict()
    if kind == "pdf" and not keeps_font:
        drawn["layout"]["font"] = {**drawn["layout"].get("font", {}), "family": FONTS_OF_PDF}
    found: bytes = kaleido.calc_fig_sync(drawn, opts={"format": kind, **size})
    return found


def figure_file(
    figure: go.Figure, kind: str, style: PictureStyle = AS_SHOWN, about: Sequence[str] = ()
) -> bytes:
    """Return the figure as `svg`, `pdf` or `png` (300 dots per inch where it has a width in mm), with the
    lines of its provenance inside."""
    if style.width is None:
        return with_provenance(picture(figure, kind), kind, about)
    drawn = go.Figure(figure)
    drawn.update_layout(width=style.pixels)
    _set_font(drawn, FONTS[style.font])
    factor = style.scale * (DOTS_OF_MM / PIXELS_OF_MM if kind == "png" else 1)
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
    end_of_header = 8 + 25
    return content[:end_of_header] + png_chunk(text) + content[end_of_header:]


def png_chunk(text: str) -> bytes:
    """Return the chunk of a PNG that holds a description, to stand behind the header's."""
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
    found = b"%d 0 obj\n<</Creator (DELVE for the browser)\n/Subject <%s>>>\nendobj\n" % (size, subject)
    table = b"xref\n%d 1\n%010d 00000 n \n" % (size, place)
    end = b"trailer\n<</Size %d\n/Root %d 0 R\n/Info %d 0 R\n/Prev %d>>\n" % (size + 1, root, size, before)
    return content + b"\n" + found + table + end + b"startxref\n%d\n%%%%EOF\n" % (place + len(found))
