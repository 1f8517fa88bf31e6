"""Colors, markers and the one Plotly template of all figures, and the width of texts.

Streamlit repaints a figure's text, grid and background on a page for the light or the dark theme. All colors
here have a contrast of at least 3 to 1 on both backgrounds, so a method keeps its color in either theme and
in every download. The colors of methods were found by a search among all such colors. The smallest CIEDE2000
difference between two of the first eight is 20, or 12 for color-blind readers (Machado and others 2009). For
all twelve colors, the numbers are 12 and 7. Blue, vermilion and orange for better, worse and other come from
Okabe and Ito (2008).
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from delvecore.plots.figure import Figure, Part, Trace

_GROUPS = {
    "'ijl": 0.24,
    " !,.:;I": 0.3,
    "/\\|": 0.36,
    '()[]frt{}"': 0.42,
    "-^": 0.48,
    "*`": 0.52,
    "1?J_cksvxyz": 0.56,
    "7Laehnou": 0.6,
    "#$0235689FZbdgpq": 0.64,
    "&+4<=>ABEKPSTVXY~": 0.68,
    "CDHNRU": 0.76,
    "GOQ": 0.8,
    "mw": 0.88,
    "%MW": 0.96,
    "@": 1.04,
}
_WIDTHS = {letter: width for letters, width in _GROUPS.items() for letter in letters}
_OTHER = 1.02
BOLD = 1.07


def text_width(text: str, size: float) -> float:
    """Return the maximum width of a text in pixels. size: font size in pixels.

    Widths are those of Inter on a screen or Liberation Sans in a PDF, whichever is wider, rounded up in
    groups. Letters beyond ASCII are assumed to be as wide as they are high."""
    return size * sum(_WIDTHS.get(letter, _OTHER) for letter in text)


def shortened(text: str, size: float, most: float) -> str:
    """Shorten a text to a width in pixels, with an ellipsis in the middle if necessary.

    The middle is omitted because names of variants differ at their ends as often as at their beginnings."""
    if text_width(text, size) <= most:
        return text
    for kept in range(len(text) - 1, 0, -1):
        head, tail = text[: kept - kept // 2], text[len(text) - kept // 2 :]
        if text_width(f"{head}…{tail}", size) <= most:
            return f"{head}…{tail}"
    return "…"


def wrapped(text: str, size: float, most: float) -> list[str]:
    """Return the lines of a text, broken between words to fit a width in pixels."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > most:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


COLORS = (
    "#2A7EFF",  # blue
    "#E07000",  # orange
    "#007E70",  # teal
    "#C41C62",  # crimson
    "#7054A8",  # violet
    "#B67EB6",  # mauve
    "#7E621C",  # brown
    "#38A862",  # green
    "#FC06DE",  # magenta
    "#870FFF",  # purple
    "#69834E",  # olive
    "#A5697D",  # rosewood
)
"""Colors of methods, the most different first."""
MINE = "#010101"
"""Color of the visitor's own method: black, which `page.css` turns into white on a dark background."""
BLUE, VERMILION, ORANGE = "#0072B2", "#D55E00", "#BF8300"
"""Colors without a method, such as better, worse and a third category."""
SIGNS = {
    "circle": "●",
    "square": "■",
    "diamond": "◆",
    "triangle-up": "▲",
    "triangle-down": "▼",
    "x": "✖",
    "cross": "✚",
    "star": "★",
    "pentagon": "⬟",
    "hexagram": "✶",
    "triangle-left": "◀",
    "triangle-right": "▶",
}
"""Marks of methods in figures, and as letters."""
SYMBOLS = tuple(SIGNS)
GRAY = "#8A929A"
LINE_GRAY = "#7F8790"
# From nothing to a blue on which the text of both themes can be read.
SEQUENTIAL = ((0.0, "rgba(47,148,204,0.04)"), (1.0, "rgba(47,148,204,0.50)"))
DIVERGING = ((0.0, "rgba(0,114,178,0.55)"), (0.5, "rgba(128,128,128,0.04)"), (1.0, "rgba(213,94,0,0.55)"))
FONT = "Inter, sans-serif"
HOVER = {
    "bgcolor": "#1b232b",
    "bordercolor": "#8A929A",
    "font": {"family": FONT, "size": 13, "color": "#ffffff"},
}
"""Hover labels: white on nearly black, a contrast over 15 to 1, independent of the mark's color."""
LEGEND: dict[str, Any] = {"orientation": "h", "x": 0, "xanchor": "left", "bgcolor": "rgba(0,0,0,0)"}
# It hangs from the figure's upper edge, so it stays off the plot even with many lines on a narrow page.
LEGEND |= {"yref": "container", "y": 1, "yanchor": "top"}
LEAST_WIDTH = "least_width"
NARROW = 300
"""Pixels of a line of text in a figure on a phone."""
STAYS: dict[str, Any] = {name: {"marker": {"opacity": 1}} for name in ("selected", "unselected")}
UNSEEN: dict[str, Any] = {name: {"marker": {"opacity": 0}} for name in ("selected", "unselected")}
"""Marks that do not change on a click, and invisible marks that only receive clicks."""


@dataclass(frozen=True)
class MethodStyle:
    """Look of a method on every page; `gray()` is its look next to more than twelve others.

    Attributes
    ----------
    dash : str
        Dash of its lines.
    is_gray : bool
        Whether its lines are thin and gray, below the others.
    """

    color: str
    symbol: str
    dash: str = "solid"
    is_gray: bool = False

    def gray(self) -> "MethodStyle":
        return MethodStyle(GRAY, self.symbol)

    @property
    def shown_color(self) -> str:
        return GRAY if self.is_gray else self.color

    def line(self, width: float) -> dict[str, Any]:
        """Return a line in this look; a gray one is thin and unbroken."""
        shape = {"width": 1, "dash": "solid"} if self.is_gray else {"width": width, "dash": self.dash}
        return {"color": self.shown_color, **shape}

    def marker(self, size: float) -> dict[str, Any]:
        """Return the method's mark with a width in pixels."""
        return {"color": self.color, "symbol": self.symbol, "size": size}


ELSEWHERE = MethodStyle(GRAY, "diamond")
"""Looks of methods with results published elsewhere: always hollow."""


def method_styles(methods: Iterable[str]) -> dict[str, MethodStyle]:
    """Return the looks of methods, best first: color and marker, which they keep in every figure.

    The first twelve differ in color and in mark, the first few as much as possible. Further methods repeat
    the colors with other marks.
    """
    styles: dict[str, MethodStyle] = {}
    for place, name in enumerate(dict.fromkeys(methods)):
        turn, color = divmod(place, len(COLORS))
        styles[name] = MethodStyle(COLORS[color], SYMBOLS[(color + 5 * turn) % len(SYMBOLS)])
    return styles


def styles_of(
    methods: Sequence[str], *, known: Iterable[str] = (), never_gray: Collection[str] = ()
) -> list[MethodStyle]:
    """Return the looks of methods, best first; known: all methods with looks, in their order.

    Methods after the twelfth are gray, except highlighted ones.
    """
    looks, few = method_styles([*known, *methods]), {*methods[: len(COLORS)], *never_gray}
    return [looks[name] if name in few else looks[name].gray() for name in methods]


def _axis() -> dict[str, object]:
    return {
        "automargin": True,
        "gridcolor": "rgba(127,135,144,0.25)",
        "linecolor": LINE_GRAY,
        "tickangle": 0,
        "ticks": "",
        "title": {"font": {"size": 13}, "standoff": 8},
        "tickfont": {"size": 13},
        "zeroline": False,
    }


TEMPLATE: Part = {
    "layout": {
        "colorway": COLORS,
        "font": {"family": FONT, "size": 13, "color": "#1b232b"},
        "paper_bgcolor": "#ffffff",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hoverlabel": {"align": "left", "namelength": -1},
        "legend": LEGEND,
        "margin": {"l": 8, "r": 16, "t": 8, "b": 8},
        "xaxis": _axis(),
        "yaxis": _axis(),
        "coloraxis": {"colorscale": SEQUENTIAL},
    }
}


def new_figure(*, height: int) -> Figure:
    """Return an empty figure with the template and a fixed height in pixels, so that pages do not jump."""
    axis = {"tickangle": 0, "automargin": True, "fixedrange": True}
    # Streamlit's theme sets fonts and margins that a figure leaves unset; these belong to the figure.
    return Figure(
        {
            "template": TEMPLATE,
            "height": height,
            "margin": {"l": 8, "r": 16, "t": 8, "b": 8},
            "font": {"family": FONT, "size": 13},
            "dragmode": False,
            "modebar": {"orientation": "h"},
            "hoverlabel": HOVER,
            "xaxis": axis,
            "yaxis": axis,
        }
    )


def needs_width(figure: Figure, pixels: float) -> None:
    """Set the minimum readable width of a figure: it scrolls sideways within a frame on a narrower page."""
    figure.update_layout(meta={LEAST_WIDTH: round(pixels)})


def least_width(figure: Figure) -> int:
    """Return the minimum width in pixels that a figure, or the title below it, needs."""
    layout = figure.layout
    least: int = layout.get("meta", {}).get(LEAST_WIDTH, 0)
    margin, axis = layout["margin"], layout["xaxis"]
    title = axis.get("title", {})
    if not title.get("text") or list(axis.get("domain", (0, 1))) != [0, 1]:
        return least
    size = title.get("font", {}).get("size", LETTERS)
    widest = max(text_width(line, size) for line in title["text"].split("<br>"))
    labels = max((text_width(str(text), 13) for text in layout["yaxis"].get("ticktext", ())), default=40)
    # The title is below the middle of the axis, which differs from the middle of the figure.
    needed: int = round(widest + abs(margin["l"] + labels - margin["r"]))
    return max(least, needed)


PIXELS_OF_INCH = 96
PAPER_LETTERS = 8 * PIXELS_OF_INCH / 72
"""Pixels of letters of 8 points, for a paper."""
LARGEST_WIDTH_IN_INCHES = 20
LETTERS = 13
"""Pixels of letters on a page."""
_LENGTHS = {"size", "width", "height", "l", "r", "t", "b", "pad", "xshift", "yshift", "ay", "standoff"}
_LENGTHS |= {"thickness", "arrowwidth"}


def pixels_of(width: float) -> float:
    """Return a width in pixels. width: in inches up to 20, above that in pixels."""
    return width * PIXELS_OF_INCH if width <= LARGEST_WIDTH_IN_INCHES else width


def for_paper(figure: Figure, inches: float) -> Figure:
    """Return a figure of this width with letters of 8 points; all its lengths keep their proportions."""
    factor = PAPER_LETTERS / LETTERS
    drawn = Figure(_scaled(figure.layout, factor), _scaled(figure.data, factor))
    drawn.update_layout(width=inches * PIXELS_OF_INCH)
    return drawn


def _scaled(part: Any, factor: float, *, is_length: bool = False) -> Any:
    """Multiply all lengths in a part of a figure by a factor; lengths are identified by their keys."""
    if isinstance(part, dict):
        return {key: _scaled(one, factor, is_length=key in _LENGTHS) for key, one in part.items()}
    if isinstance(part, list | tuple):
        return [_scaled(one, factor, is_length=is_length) for one in part]
    return part * factor if is_length and isinstance(part, int | float) else part


def clickable(figure: Figure) -> None:
    """Set the click options of Streamlit, which would otherwise redraw the figure."""
    figure.update_layout(clickmode="event+select", dragmode="pan", hovermode="closest")


def trace(mode: str, x: Any, y: Any, *, hover: Any = None, **more: Any) -> Trace:
    """Return a trace of marks, lines or texts; hover: their hover texts, or None."""
    shown = {"hoverinfo": "skip"} if hover is None else {"hovertext": hover, "hoverinfo": "text"}
    return {"type": "scatter", "mode": mode, "x": x, "y": y, **shown, **more}


def shades(z: Any, *, gap: int, least: float = -1, colors: Any = DIVERGING, **more: Any) -> Trace:
    """Return shaded cells with values up to 1, the first row of z lowest. more: properties of a heatmap."""
    ends = {"zmin": least, "zmax": 1, "colorscale": colors, "showscale": False, "xgap": gap, "ygap": gap}
    return {"type": "heatmap", "z": z, **ends, "hoverinfo": "skip", **more}


def interval_bars(ends: Iterable[tuple[float, float, float]], **look: Any) -> dict[str, Any]:
    """Return bars from values to the finite ends of intervals. ends: (value, lower, upper) of each mark."""
    known = list(ends)
    above = [upper - value if isfinite(upper - value) else None for value, _, upper in known]
    below = [value - lower if isfinite(value - lower) else None for value, lower, _ in known]
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below, **look}


def name_rows(figure: Figure, texts: Sequence[str], **more: Any) -> None:
    """Write the names of rows on the left, the first at the top. more: properties of Plotly's axes."""
    ends = [len(texts) - 0.5, -0.5]
    figure.update_yaxes(tickvals=list(range(len(texts))), ticktext=texts, range=ends, **more)


def name_columns(figure: Figure, texts: Sequence[str], **more: Any) -> None:
    """Write the names of columns above them. more: properties of Plotly's axes."""
    places, ends = list(range(len(texts))), [-0.5, len(texts) - 0.5]
    figure.update_xaxes(side="top", tickvals=places, ticktext=texts, range=ends, showgrid=False, **more)


def add_text(figure: Figure, text: str, x: float, y: float, *, size: float = 12, **more: Any) -> None:
    """Write a text at a place. more: properties of Plotly's annotations."""
    figure.add_annotations([text_at(text, x, y, size=size, **more)])


def text_at(text: str, x: float, y: float, *, size: float = 12, **more: Any) -> Part:
    """Return a text at a place. more: properties of Plotly's annotations."""
    return {"text": text, "x": x, "y": y, "showarrow": False, "font": {"size": size}, **more}


def title_y_axis(figure: Figure, text: str) -> None:
    """Write the title of the vertical axis above it, upright; the figure needs 28 pixels of upper margin."""
    place = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "yshift": 6}
    add_text(figure, text, 0, 1, size=13, **place)


def title_lines(text: str, most: float) -> list[str]:
    """Return the lines of an axis's title for a width in pixels; an arrow in it is a separate word."""
    lines = wrapped(text, 13, most)
    lines[-1] = re.sub(r" (better →)$", r"   \1", lines[-1])
    return [re.sub(r"^([←↓↑→] \w+) ", r"\1   ", lines[0]), *lines[1:]]


def title_y_axis_over_legend(figure: Figure, text: str) -> None:
    """Write the title of the vertical axis at the top of a figure, and its legend below that."""
    title = "<br>".join(title_lines(text, NARROW))
    figure.update_layout(legend={"title": {"text": title, "side": "top", "font": {"size": 13}}})
    figure.update_layout(margin={"t": 54}, showlegend=True)


def empty_figure(text: str, *, height: int) -> Figure:
    """Return a figure with only a text that explains why it is empty."""
    figure = new_figure(height=height)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    figure.add_annotations(
        [{"text": text, "showarrow": False, "xref": "paper", "yref": "paper", "x": 0.5, "y": 0.5}]
    )
    return figure
