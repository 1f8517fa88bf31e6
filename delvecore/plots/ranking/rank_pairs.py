"""Half a matrix, each pair of methods once: difference, wins, ties and losses, and p by the test chosen."""

import itertools
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from delvecore.plots import theme
from delvecore.plots.highlighted_method import name_places
from delvecore.plots.text_boxes import shortened, text_width
from delvecore.plots.theme import Trace
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


def rank_pairs_figure(pairs: RankPairs, *, most_in_words: int = MOST_IN_WORDS) -> go.Figure:
    """Matrix of all pairs over tasks: the row's method, of the better mean rank, against the column's.

    Parameters
    ----------
    pairs : RankPairs
        Differences, wins, p and verdicts of all ordered pairs.
    most_in_words : int
        Up to so many methods there is room for the numbers in the cells.

    Returns
    -------
    Figure
        Cells are shaded where methods differ; a row's name stands where the row begins.

    Examples
    --------
    >>> none, half = np.zeros((2, 2)), np.full((2, 2), 0.5)
    >>> verdict = np.full((2, 2), "not significant", dtype=object)
    >>> found = RankPairs(("a", "b"), none, none, none, none, none, half, half, verdict, units="tasks")
    >>> rank_pairs_figure(found).data[1].text
    ('0<br>0.0/0.0/0.0<br>p = 0.50',)
    """
    count = len(pairs.methods)
    if count < 2:
        return theme.empty_figure("Two methods are needed for a pair", height=160)
    in_words = count <= most_in_words
    figure = theme.new_figure(height=HEAD + (CELL_HEIGHT if in_words else SMALL_CELL) * (count - 1) + 8)
    marks = _texts(pairs) if in_words else _signs(pairs)
    figure.add_traces([_cells(pairs, gap=3 if in_words else 1), marks])
    left = _name_rows(figure, pairs.methods, in_words)
    margin = {"l": left, "r": 8, "t": HEAD - 8, "b": 8}
    figure.update_layout(margin=margin, hovermode="closest", showlegend=False)
    theme.needs_width(figure, left + CELL_WIDTHS[not in_words] * (count - 1))
    return figure


def _name_rows(figure: go.Figure, methods: tuple[str, ...], in_words: bool) -> float:
    """Write the names of columns above them, those of rows before their first cells; return how many pixels
    these need left of all cells."""
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
    return {
        "type": "heatmap",
        "x": list(range(1, len(pairs.methods))),
        "z": shades[:-1, 1:],
        "zmin": -1,
        "zmax": 1,
        "colorscale": theme.DIVERGING,
        "showscale": False,
        "xgap": gap,
        "ygap": gap,
        "customdata": np.nan_to_num(numbers[:-1, 1:]).astype(np.float32),
        "hovertemplate": HOVER,
        "hoverongaps": False,
    }


def _rounded(values: np.ndarray, digits: int = 4) -> np.ndarray:
    """Return values with so many significant digits: what the mouse shows need not be sent in full."""
    with np.errstate(divide="ignore"):
        exponent = np.floor(np.log10(np.abs(values)))
    scale = 10.0 ** (digits - 1 - np.where(np.isfinite(exponent), np.maximum(exponent, -280), 0))
    return np.rint(values * scale) / scale


def _texts(pairs: RankPairs) -> Trace:
    cells = list(itertools.combinations(range(len(pairs.methods)), 2))
    texts = [_text(pairs, cell) for cell in cells]
    x, y = [column for _, column in cells], [row for row, _ in cells]
    return theme.trace("text", x, y, text=texts, textfont={"size": 11.5})


def _text(pairs: RankPairs, cell: tuple[int, int]) -> str:
    """Such as `▼ −0.12`, `3/0/1`, `p = 0.02` in three lines; of a p too small for its digits the arrow says
    all."""
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
