"""Figures of pairs of methods over tasks: a matrix of all pairs, two methods on all tasks, Bayesian tests."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from delvecore.plots import rows, theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.highlighted_method import name_places
from delvecore.plots.theme import shortened, text_width
from delvecore.report import words

MOST_IN_WORDS = 20
"""Up to so many methods each cell has its numbers in it; of more the numbers come with the mouse. Where a
page has no room for all columns, the matrix moves sideways."""
MOST_SIGNS = 24
"""Up to so many methods each shaded cell has a sign; of more, those only that go against the order."""
CELL_HEIGHT, SMALL_CELL = 58, 17
CELL_WIDTHS = (76, 9)
"""Least pixels of a column with numbers, and without."""
HEAD = 40
LABEL, PAGE = 150, 850
"""Pixels for a row's name, and for the names of all columns."""
SHADES = {"better": -1.0, "worse": 1.0}
ARROWS = {"better": "▼ ", "worse": "▲ "}
HIGHER_ARROWS = {"better": "▲ ", "worse": "▼ "}
"""Where the row's values lie, where lower ones are better, and where higher ones are."""
HOVER = (
    "%{y} less %{x}: mean %{customdata[0]:+.3~g}, median %{customdata[1]:+.3~g}<br>"
    "better on %{customdata[2]:.0f}, equal on %{customdata[3]:.0f}, worse on %{customdata[4]:.0f}<br>"
    "p %{customdata[5]:.2~g}; adjusted %{customdata[6]:.2~g}<extra></extra>"
)
NUMBERS = ("difference", "median", "wins", "ties", "losses", "p", "p_adjusted")


@dataclass(frozen=True, slots=True, eq=False)
class RankPairs:
    """All ordered pairs of methods, best mean rank first, as matrices: a row's method against a column's.

    difference, median: the row's values less the column's; wins, ties, losses: of units, such as datasets;
    p: of the pair alone; p_adjusted: for all pairs; verdict: what the test says of the row's method, by the
    latter; units: what counts once; is_higher: are higher values better? Diagonals mean nothing."""

    methods: tuple[str, ...]
    difference: np.ndarray
    median: np.ndarray
    wins: np.ndarray
    ties: np.ndarray
    losses: np.ndarray
    p: np.ndarray
    p_adjusted: np.ndarray
    verdict: np.ndarray
    units: str
    is_higher: bool = False


def rank_pairs_figure(pairs: RankPairs) -> Figure:
    """Matrix of all pairs over tasks: the row's method, of the better mean rank, against the column's.

    Parameters
    ----------
    pairs : RankPairs
        Differences, wins, p and verdicts of all ordered pairs.

    Returns
    -------
    Figure
        Cells are shaded where methods differ; a row's name stands where the row begins.

    Examples
    --------
    >>> none, half = np.zeros((2, 2)), np.full((2, 2), 0.5)
    >>> verdict = np.full((2, 2), "not significant", dtype=object)
    >>> found = RankPairs(("a", "b"), none, none, none, none, none, half, half, verdict, units="tasks")
    >>> rank_pairs_figure(found).data[1]["text"]
    ['0<br>0.0/0.0/0.0<br>p = 0.50']
    """
    count = len(pairs.methods)
    if count < 2:
        return theme.empty_figure("Two methods are needed for a pair", height=160)
    in_words = count <= MOST_IN_WORDS
    figure = theme.new_figure(height=HEAD + (CELL_HEIGHT if in_words else SMALL_CELL) * (count - 1) + 8)
    marks = _texts(pairs) if in_words else _signs(pairs)
    figure.add_traces([_cells(pairs, gap=3 if in_words else 1), marks])
    left = _name_rows(figure, pairs.methods, in_words)
    margin = {"l": left, "r": 8, "t": HEAD - 8, "b": 8}
    figure.update_layout(margin=margin, hovermode="closest", showlegend=False)
    theme.needs_width(figure, left + CELL_WIDTHS[not in_words] * (count - 1))
    return figure


def _name_rows(figure: Figure, methods: tuple[str, ...], in_words: bool) -> float:
    """Write the names of columns and rows; return how many pixels those of rows need left of all cells."""
    names = [words.plot_text(shortened(name, 12, LABEL)) for name in methods]
    places = list(range(len(methods)))
    if in_words:
        room = min(LABEL, max(PAGE / len(methods), CELL_WIDTHS[0] - 6))
        heads, labels = [words.plot_text(shortened(name, 12, room)) for name in methods], names
    else:
        # Names do not fit above narrow columns; numbers of the rows stand for them.
        heads = [str(place + 1) if place == 1 or (place + 1) % 5 == 0 else "" for place in places]
        labels = [f"{place + 1} {name}" for place, name in enumerate(names)]
    last, size = len(names) - 1, 12 if in_words else 11
    common = {"showgrid": False, "tickfont": {"size": size}}
    figure.update_xaxes(
        side="top", tickvals=places[1:], ticktext=heads[1:], range=[0.5, last + 0.5], **common
    )
    rows = {"tickvals": places[:-1], "ticktext": labels[:-1], "showticklabels": False, **common}
    figure.update_yaxes(range=[last - 0.5, -0.5], **rows)
    name_places(figure, x=methods[1:], y=methods[:-1])
    said = {"text": [f"{label}  " for label in labels[:-1]], "ids": methods[:-1], "textfont": {"size": size}}
    look = {"textposition": "middle left", "cliponaxis": False}
    starts = [place + 0.5 for place in places[:-1]]
    figure.add_trace(theme.trace("text", starts, places[:-1], **said, **look))
    return 20 + max(text_width(label, size) for label in labels[:-1])


def _cells(pairs: RankPairs, *, gap: int) -> Trace:
    shades = np.select([pairs.verdict == name for name in SHADES], list(SHADES.values()), 0.0)
    shades[np.tril_indices(len(pairs.methods))] = np.nan
    numbers = _rounded(np.stack([getattr(pairs, name) for name in NUMBERS], axis=2).astype(float))
    numbers = np.nan_to_num(numbers[:-1, 1:]).astype(np.float32)
    said = {"customdata": numbers, "hovertemplate": HOVER, "hoverongaps": False, "hoverinfo": None}
    return theme.shades(shades[:-1, 1:], gap=gap, x=list(range(1, len(pairs.methods))), **said)


def _rounded(values: np.ndarray) -> np.ndarray:
    """Return values with four significant digits: what the mouse shows need not be sent in full."""
    with np.errstate(divide="ignore"):
        exponent = np.floor(np.log10(np.abs(values)))
    scale = 10.0 ** (3 - np.where(np.isfinite(exponent), np.maximum(exponent, -280), 0))
    return np.rint(values * scale) / scale


def _texts(pairs: RankPairs) -> Trace:
    cells = list(itertools.combinations(range(len(pairs.methods)), 2))
    texts = [_text(pairs, cell) for cell in cells]
    x, y = [column for _, column in cells], [row for row, _ in cells]
    return theme.trace("text", x, y, text=texts, textfont={"size": 11.5})


def _text(pairs: RankPairs, cell: tuple[int, int]) -> str:
    """`▼ −0.12`, `3/0/1`, `p = 0.02` in three lines; where p is too small for its digits, no p."""
    p, value = words.p_value(pairs.p_adjusted[cell]), pairs.difference[cell]
    p = "" if "<" in p and pairs.verdict[cell] in ARROWS else p.replace("<", "&lt;")
    sign = "" if value == 0 else "+" if value > 0 else "−"
    arrows = HIGHER_ARROWS if pairs.is_higher else ARROWS
    size = words.number(abs(value), digits=2, zeros=True)
    difference = f"{arrows.get(pairs.verdict[cell], '')}{sign}{size}"
    return f"{difference}<br>{pairs.wins[cell]}/{pairs.ties[cell]}/{pairs.losses[cell]}<br>{p}"


def _signs(pairs: RankPairs) -> Trace:
    """A small triangle in shaded cells, so that colour is not alone in telling better from worse."""
    row, column = np.triu_indices(len(pairs.methods), 1)
    verdict = pairs.verdict[row, column]
    found = verdict == "worse"
    if len(pairs.methods) <= MOST_SIGNS:
        found |= verdict == "better"
    arrows = HIGHER_ARROWS if pairs.is_higher else ARROWS
    signs = [arrows[one].strip() for one in verdict[found].tolist()]
    places = column[found].tolist(), row[found].tolist()
    return theme.trace("text", *places, text=signs, textfont={"size": 8})


Better = Literal["first", "second", "neither"]
HEIGHT = 460
MOST_POINTS, FARTHEST, SQUARES = 2000, 300, 50
"""Up to so many tasks have a dot each; of more so many have, and shades are of so many squares a side."""
LOOKS: dict[Better, tuple[str, str]] = {
    "first": (theme.BLUE, "triangle-down"),
    "second": (theme.VERMILION, "triangle-up"),
    "neither": (theme.GREY, "circle-open"),
}
"""Colour and marker of tasks on which one of the two is significantly better, and of the others."""
TALL = math.sqrt(3) / 2
CORNERS = {"first": (0.0, 0.0), "second": (1.0, 0.0), "same": (0.5, TALL)}


class TaskPoint(NamedTuple):
    """The values of two methods on a task. better: by the task's own test, whose p is not a number where
    there is none; path: None for a task that has no page."""

    task: str
    first: float
    second: float
    better: Better
    p: float
    path: str | None


class PairScatter(NamedTuple):
    """Two methods on all tasks. tested: is there a test of each task?"""

    names: tuple[str, str]
    points: tuple[TaskPoint, ...]
    quantity: str
    higher_is_better: bool
    tested: bool


def pair_scatter_figure(found: PairScatter) -> Figure:
    """Scatter plot of two methods: a dot for each task, filled where the task's own test finds a difference.

    Parameters
    ----------
    found : PairScatter
        Values of both on each task. Of more than 2,000 tasks those have dots on which the two differ most;
        shades say where all are.

    Returns
    -------
    Figure
        A click gives the task's path as customdata.

    Examples
    --------
    >>> point = TaskPoint("demo/age/std.8", 0.5, 0.25, "second", 0.01, "/demo/age/std.8")
    >>> found = PairScatter(("lin-1", "gp-1"), (point,), "loss", higher_is_better=False, tested=True)
    >>> pair_scatter_figure(found).data[1]["x"]
    [0.5]
    """
    if not found.points:
        return theme.empty_figure("No task that both methods have", height=HEIGHT)
    figure = theme.new_figure(height=HEIGHT)
    low, high = _ends(found.points)
    figure.add_trace(_line([(low, low), (high, high)], 1.5, "dash") | {"showlegend": False})
    if len(found.points) > MOST_POINTS:
        figure.add_trace(_shades(found.points, low, high))
    drawn = found._replace(points=drawn_points(found))
    kinds = {point.better for point in drawn.points}
    figure.add_traces([_dots(drawn, kind) for kind in LOOKS if kind in kinds])
    first, second = (words.plot_text(name, longest=24) for name in found.names)
    right, up = ("→ better", "↑ better") if found.higher_is_better else ("← better", "↓ better")
    title = "<br>".join(theme.title_lines(f"{right}   {first}: {found.quantity}", rows.TITLE))
    figure.update_xaxes(title={"text": title}, range=[low, high], showgrid=True)
    figure.update_yaxes(range=[low, high], showgrid=True)
    write_title = theme.title_y_axis_over_legend if found.tested else theme.title_y_axis
    figure.update_layout(hovermode="closest", showlegend=False, margin={"t": 34})
    write_title(figure, f"{up}   {second}: {found.quantity}")
    # Who is better in each corner: above the diagonal the first has the lower value.
    above, below = (second, first) if found.higher_is_better else (first, second)
    place: dict[str, Any] = {"xref": "paper", "yref": "paper"}
    theme.add_text(figure, f"{above} better", 0.03, 0.97, xanchor="left", yanchor="top", **place)
    theme.add_text(figure, f"{below} better", 0.97, 0.03, xanchor="right", yanchor="bottom", **place)
    return figure


def drawn_points(found: PairScatter) -> tuple[TaskPoint, ...]:
    """Return the tasks that have a dot each."""
    if len(found.points) <= MOST_POINTS:
        return found.points
    return tuple(sorted(found.points, key=lambda point: -abs(point.first - point.second))[:FARTHEST])


def _shades(points: Sequence[TaskPoint], low: float, high: float) -> Trace:
    """Return how many tasks there are, in squares."""
    first, second = (np.array([getattr(point, name) for point in points]) for name in ("first", "second"))
    counts, edges, _ = np.histogram2d(first, second, bins=SQUARES, range=[[low, high]] * 2)
    middles = ((edges[1:] + edges[:-1]) / 2).tolist()
    shades = np.where(counts > 0, np.log1p(counts), np.nan).T
    return {
        "type": "heatmap",
        "x": middles,
        "y": middles,
        "z": shades,
        "customdata": counts.T,
        "colorscale": theme.SEQUENTIAL,
        "showscale": False,
        "hoverongaps": False,
        "hovertemplate": "tasks here: %{customdata}<extra></extra>",
    }


def _ends(points: tuple[TaskPoint, ...]) -> tuple[float, float]:
    values = [value for point in points for value in (point.first, point.second)]
    low, high = min(values), max(values)
    low = 0.0 if 0 <= low < 0.5 * high else low
    reach = (high - low) or abs(high) or 1.0
    return low - 0.03 * reach, high + 0.04 * reach


def _dots(found: PairScatter, kind: Better) -> Trace:
    colour, symbol = LOOKS[kind]
    names = dict(zip(("first", "second"), found.names, strict=True))
    points = [point for point in found.points if point.better == kind]
    return theme.trace(
        "markers",
        [point.first for point in points],
        [point.second for point in points],
        name=f"{words.plot_text(names[kind], longest=18)} better" if kind in names else "not significant",
        marker={"color": colour, "symbol": symbol, "size": 9, "line": {"width": 1.4, "color": colour}},
        customdata=[point.path for point in points],
        hover=[_hover(found.names, point) for point in points],
        **theme.STAYS,
    )


def _hover(names: tuple[str, str], point: TaskPoint) -> str:
    values = zip(names, (point.first, point.second), strict=True)
    said = ", ".join(f"{words.plot_text(name)} {words.number(value)}" for name, value in values)
    if point.p == point.p:
        said += f"<br>{words.p_value(point.p)} on this task".replace("<br>p <", "<br>p &lt;")
    return f"{words.plot_text(point.task)}<br>{said}"


class BayesTriangle(NamedTuple):
    """draws: shape (draws, 3): shares of the first, neither and the second, which add up to 1; texts: at the
    corners of the first, the second, and neither."""

    draws: np.ndarray
    texts: tuple[str, str, str]


def bayes_triangle_figure(found: BayesTriangle) -> Figure:
    """Posterior samples of a Bayesian test in a triangle, each nearer to a corner the more it speaks for it.

    Parameters
    ----------
    found : BayesTriangle
        Samples, and the texts at the corners.

    Returns
    -------
    Figure
        Lines part the triangle by what is most probable.

    Examples
    --------
    >>> found = BayesTriangle(np.array([[1.0, 0.0, 0.0]]), ("first", "second", "same"))
    >>> bayes_triangle_figure(found).data[2]["x"]
    [0.0]
    """
    figure = theme.new_figure(height=400)
    figure.update_xaxes(visible=False, range=[-0.32, 1.32])
    figure.update_yaxes(visible=False, range=[-0.2, TALL + 0.14], scaleanchor="x")
    figure.update_layout(margin={"l": 0, "r": 0, "t": 0, "b": 0}, showlegend=False, hovermode=False)
    figure.add_traces(_frame())
    if len(found.draws):
        figure.add_trace(_draws(found.draws))
    places = (("first", -0.04, "top"), ("second", -0.04, "top"), ("same", 0.03, "bottom"))
    for text, (corner, shift, anchor) in zip(found.texts, places, strict=True):
        x, y = CORNERS[corner]
        theme.add_text(figure, text, x, y + shift, size=13, yanchor=anchor)
    return figure


def _frame() -> list[Trace]:
    """The sides, and lines on which two of the three are as probable as each other."""
    a, b, c = CORNERS.values()
    middle = (0.5, TALL / 3)
    borders: list[tuple[float | None, float | None]] = []
    for one, other in ((a, b), (a, c), (b, c)):
        borders += [middle, ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2), (None, None)]
    return [_line([a, b, c, a], 1.5, "solid"), _line(borders, 1, "dash")]


def _line(points: Sequence[tuple[float | None, float | None]], width: float, dash: str) -> Trace:
    look = {"color": theme.LINE_GREY, "width": width, "dash": dash}
    return theme.trace("lines", [x for x, _ in points], [y for _, y in points], line=look)


def _draws(draws: np.ndarray) -> Trace:
    first, same, second = draws.T
    rest = np.where(second >= same, theme.VERMILION, theme.GREY)
    colours = np.where(first >= np.maximum(same, second), theme.BLUE, rest).tolist()
    x, y = (second + same / 2).round(4).tolist(), (same * TALL).round(4).tolist()
    return theme.trace("markers", x, y, marker={"color": colours, "size": 3.5, "opacity": 0.35})


def corner_text(name: str, probability: float, *, better: bool = True) -> str:
    """`gp-1 better<br>p = 0.98`, for a corner."""
    said = f"{words.plot_text(name, longest=22)} better" if better else name
    ends = "&gt; 0.999" if probability > 0.5 else "&lt; 0.001"
    shown = f"{probability:.3f}" if 0.0005 <= probability <= 0.9995 else ends
    return f"{said}<br><b>{shown}</b>"
