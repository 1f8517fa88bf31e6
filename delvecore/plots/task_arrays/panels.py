"""Common parts of figures of task-arrays: looks, intervals, names of rows and columns, and panels.

All panels of a row share one pair of axes, on which each panel is one unit wide. So a method's line needs
only one trace per row."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, isnan, nan, prod
from typing import Any

from delvecore.answers.answer import Table
from delvecore.answers.task_array_sentences import cell_words, level_words
from delvecore.measures import Measure
from delvecore.model import TaskArray
from delvecore.plots import theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.highlighted_method import name_places
from delvecore.plots.rows import SIGNS as SIGNS
from delvecore.plots.rows import hollow
from delvecore.plots.theme import MethodStyle, text_width, wrapped
from delvecore.report import words
from delvecore.stats.arrays.results import NO_MEMBER, NO_SIZE, NO_TASK

Details = Mapping[str, Any]
Panel = tuple[int, int]
"""Row and column of a panel."""

ENDS = ("value", "lower", "upper")
"""Columns of a number and its interval. The ends are NaN without an interval."""
GAP = 0.10
"""Gap between two panels, in widths of a panel."""
MOST_COLUMNS, NARROW_COLUMNS = 8, 2
"""Maximum number of panels next to each other, on a page and in a column of a paper or on a phone."""
WIDE = 5.0
LINE_HEIGHT = 20
TITLE_HEIGHT = 24
ROW_TITLE, ROW_GAP = 26, 14
BELOW, PANEL_WIDTH, NARROW_PANEL_WIDTH = 50, 128, 64
ABSENT, EMPTY = "no such task", "no results"
HOLES = {NO_MEMBER: ABSENT, NO_TASK: "no such task here", NO_SIZE: "no such size"}
"""Reason for a cell without a task, in a few words."""
DASHES = ("6px,2px", "3px,2px", "8px,2px,2px,2px")
CLICK = "<br>Click to compare"
MOST_TICKS = 24
UNBROKEN = "\0"
MEMBER_WIDTH, MEMBER_SIZE = 172, 12
"""Width in pixels of a line of a row's name in maps, and size of its letters."""
FRAME = "rgba(127,135,144,0.09)"
DASHED: Details = {"color": theme.LINE_GRAY, "width": 1.2, "dash": "dash"}


def estimate_trace(
    marks: Table,
    looks: Sequence[MethodStyle],
    x: Sequence[float],
    y: Sequence[float],
    *,
    bar: Details,
    size: int,
    unit: float = 1.0,
) -> Trace:
    """Return marks with intervals, filled where significant.

    marks: columns value, lower, upper, significant and hover; unit: value of one unit on the axis."""
    ends = ((value / unit, low / unit, high / unit) for value, low, high in marks.select(*ENDS).rows)
    symbols = [hollow(look.symbol, not one) for one, look in zip(marks["significant"], looks, strict=True)]
    marker = {"color": [look.color for look in looks], "symbol": symbols, "size": size}
    error = theme.interval_bars(ends, **bar)
    return theme.trace("markers", x, y, hover=list(marks["hover"]), marker=marker, error_x=error)


def known_ends(marks: Table) -> list[float]:
    """Return the existing values and ends of their intervals."""
    return [number for row in marks.select(*ENDS).rows for number in row if not isnan(number)]


@dataclass(frozen=True)
class PanelGrid:
    """Arrangement of panels by levels of factors.

    Attributes
    ----------
    columns, rows : tuple of tuple of str
        Combinations of levels (their names).
    column_labels, row_labels : tuple of tuple of str
        The same combinations in words.
    absent : frozenset of Panel
        Positions (row, column) of the panels without a member.
    is_narrow : bool
        Whether the width is small.
    """

    columns: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[str, ...], ...]
    column_labels: tuple[tuple[str, ...], ...]
    row_labels: tuple[tuple[str, ...], ...]
    absent: frozenset[Panel] = frozenset()
    is_narrow: bool = False

    def place(self, levels: Sequence[str]) -> Panel:
        """Return (row, column) of a combination of levels."""
        across = len(self.columns[0])
        return self.rows.index(tuple(levels[across:])), self.columns.index(tuple(levels[:across]))

    def shows(self, levels: Sequence[str]) -> bool:
        """Does the combination of levels have a panel?"""
        across = len(self.columns[0])
        return tuple(levels[:across]) in self.columns and tuple(levels[across:]) in self.rows

    def without(self, known: Iterable[Panel]) -> set[Panel]:
        """Return all panels except these."""
        return {*product(range(len(self.rows)), range(len(self.columns)))} - {*known}

    @property
    def end(self) -> float:
        """Right end of the last column's panels."""
        return panel_left(len(self.columns) - 1) + 1


def panel_grid(
    array: TaskArray, *, most_columns: int = MOST_COLUMNS, member: tuple[str, ...] | None = None
) -> PanelGrid:
    """Return the panels of an array. Columns show the first half of the factors, or fewer if there is no
    room.

    most_columns: maximum number of panels in a row; member: levels of the only panel to show, None for all
    panels."""
    factors = [
        [
            (level.name, level_words(array, number, level.name))
            for level in factor.levels
            if member is None or member[number] == level.name
        ]
        for number, factor in enumerate(array.shown)
    ]
    across = ceil(len(factors) / 2)
    while across > 1 and prod(map(len, factors[:across])) > most_columns:
        across -= 1
    sides = [list(product(*side)) for side in (factors[:across], factors[across:])]
    columns, rows = ([tuple(name for name, _ in levels) for levels in side] for side in sides)
    labels = [tuple(tuple(label for _, label in levels) for levels in side) for side in sides]
    present = {one.levels for one in array.members}
    places = product(enumerate(rows), enumerate(columns))
    absent = frozenset((i, j) for (i, row), (j, column) in places if (*column, *row) not in present)
    is_narrow = most_columns <= NARROW_COLUMNS
    return PanelGrid(tuple(columns), tuple(rows), labels[0], labels[1], absent, is_narrow)


def place_words(array: TaskArray, levels: Sequence[str], size: int) -> str:
    """Return the words of a task for a hover text."""
    return words.plot_text(cell_words(array, levels, size), longest=160)


def value_title(measure: Measure) -> str:
    """Return the name of the values: `standardized squared error (S)`, `accuracy`."""
    return words.plot_text(words.axis_name(measure, standardized=True))


def looks_of(
    methods: Sequence[str], *, known: Iterable[str], colored: Collection[str]
) -> dict[str, MethodStyle]:
    """Return the looks of methods among all known ones; methods without a color are gray."""
    styles, looks = theme.method_styles(known), {}
    for name in methods:
        color, symbol = styles[name].color, styles[name].symbol
        # Lines of methods with the same color differ: the markers show the order.
        turn = (theme.SYMBOLS.index(symbol) - theme.COLORS.index(color)) % len(theme.SYMBOLS)
        dash = DASHES[turn % len(DASHES)] if turn else "solid"
        looks[name] = MethodStyle(color, symbol, dash, name not in colored)
    return looks


def task_of(dataset: str | None, prototask: str | None, task: str | None) -> str | None:
    """Return the full path of a task, None for a hole."""
    return words.task_path(str(dataset), str(prototask), task) if task else None


def missing_words(note: str | None) -> str:
    """Return the reason for an empty cell, in a few words."""
    return HOLES.get(note or "", EMPTY)


def as_number(value: float | None) -> float:
    """Return a value of a table, NaN if missing."""
    return nan if value is None else value


def html_p(p: float | None) -> str:
    """Return a p-value in words for a hover text."""
    return words.p_value(p).replace("<", "&lt;")


def against_words(difference: float | None, error: float | None, p: float | None, reference: str) -> str:
    """Return a text such as `0.12 ± 0.01 less than lin-1, p = 0.003`."""
    name = words.plot_text(reference)
    if difference is None:
        return f"not comparable with {name}"
    direction = "less" if difference < 0 else "more"
    return f"{words.with_error(abs(difference), error)} {direction} than {name}, {html_p(p)}"


def columns_within(inches: float | None) -> int:
    """Return the number of panels that fit next to each other in a width; None: on a page."""
    return MOST_COLUMNS if inches is None or inches >= WIDE else NARROW_COLUMNS


def panel_left(column: int) -> float:
    """Return the left end of a column's panels; they are 1 wide."""
    return column * (1 + GAP)


def axis_of(row: int) -> str:
    """Return the name of the vertical axis of a row of panels."""
    return f"y{row + 1}" if row else "y"


def panel_figure(
    grid: PanelGrid, *, row_height: int, left: int, right: int, title: str, empty: Collection[Panel]
) -> Figure:
    """Return a figure of shaded panels with an axis per row, names and a title; empty panels are dashed."""
    head = LINE_HEIGHT * len(grid.columns[0]) + TITLE_HEIGHT + 8
    above, rows = ROW_TITLE if grid.row_labels[0] else 0, len(grid.rows)
    inner = rows * (row_height + above) + (rows - 1) * ROW_GAP
    tops = [inner - row * (row_height + above + ROW_GAP) - above for row in range(rows)]
    domains = [((top - row_height) / inner, top / inner) for top in tops]
    figure = theme.new_figure(height=head + inner + BELOW)
    margin = {"l": left, "r": right, "t": head, "b": BELOW, "pad": 0}
    figure.update_layout(margin=margin, showlegend=False, hovermode="closest", hoverdistance=12)
    axes = {f"yaxis{row + 1 if row else ''}": {"domain": domain} for row, domain in enumerate(domains)}
    across = {"range": [-0.015, grid.end + 0.015], "showgrid": False, "automargin": False}
    figure.update_layout(xaxis={**across, "anchor": axis_of(rows - 1)}, **axes)
    figure.update_yaxes(automargin=False, fixedrange=True)
    top = _note(title, 0, 1, anchor="bottom", xanchor="left", yshift=head - TITLE_HEIGHT + 2)
    shapes, notes = _frames(grid, domains, empty)
    notes += [*_column_heads(grid), top | {"xref": "paper", "xshift": 4 - left}]
    figure.update_layout(shapes=shapes, annotations=notes)
    least = NARROW_PANEL_WIDTH if grid.is_narrow else PANEL_WIDTH
    theme.needs_width(figure, left + right + least * len(grid.columns))
    return figure


def _frames(
    grid: PanelGrid, domains: Sequence[tuple[float, float]], empty: Collection[Panel]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the shades of panels, and the texts in holes and above rows."""
    shapes, notes = [], []
    for row, (low, high) in enumerate(domains):
        for column in range(len(grid.columns)):
            left, absent = panel_left(column), (row, column) in grid.absent
            look: dict[str, Any] = {"line": {"width": 0}, "fillcolor": FRAME}
            if absent or (row, column) in empty:
                look = {"line": {**DASHED, "width": 1}, "fillcolor": "rgba(0,0,0,0)"}
                word, middle = ABSENT if absent else EMPTY, (low + high) / 2
                notes.append(_note(word, left + 0.5, middle, anchor="middle"))
            place = {"xref": "x", "yref": "paper", "x0": left, "x1": left + 1, "y0": low, "y1": high}
            shapes.append({"type": "rect", "layer": "below", **place, **look})
        if grid.row_labels[row]:
            text = words.plot_text(", ".join(grid.row_labels[row]), longest=90)
            notes.append(_note(f"<b>{text}</b>", 0, high, anchor="bottom", xanchor="left", yshift=2, size=13))
    return shapes, notes


def _note(
    text: str, x: float, y: float, *, anchor: str, xanchor: str = "center", yshift: float = 0, size: int = 12
) -> dict[str, Any]:
    place = {"x": x, "y": y, "xref": "x", "yref": "paper", "xanchor": xanchor, "yanchor": anchor}
    return {"text": text, "yshift": yshift, "showarrow": False, "font": {"size": size}, **place}


def _column_heads(grid: PanelGrid) -> list[dict[str, Any]]:
    """Name each level of each factor across, once over all panels that share it."""
    heads, depth = [], len(grid.columns[0])
    for level in range(depth):
        shift = LINE_HEIGHT * (depth - 1 - level) + 4
        for first, last in _runs([labels[: level + 1] for labels in grid.column_labels]):
            text = words.plot_text(grid.column_labels[first][level], longest=30)
            center = (panel_left(first) + panel_left(last) + 1) / 2
            bold = f"<b>{text}</b>" if level == 0 else text
            heads.append(_note(bold, center, 1, anchor="bottom", yshift=shift, size=13))
    return heads


def _runs(items: Sequence[object]) -> list[tuple[int, int]]:
    """Return (first, last) of each run of equal items."""
    starts = [n for n in range(len(items)) if n == 0 or items[n] != items[n - 1]]
    return list(zip(starts, [*(n - 1 for n in starts[1:]), len(items) - 1], strict=True))


def label_panels(figure: Figure, grid: PanelGrid, ticks: Sequence[tuple[float, str]], title: str) -> None:
    """Write the same texts below each column of panels. ticks: (place within a panel, text)."""
    figure.update_xaxes(
        tickvals=[panel_left(column) + place for column in range(len(grid.columns)) for place, _ in ticks],
        ticktext=[text for _ in grid.columns for _, text in ticks],
        tickfont={"size": 11},
        title={"text": title, "font": {"size": 12}, "standoff": 6},
    )


def size_ticks(sizes: Sequence[int], grid: PanelGrid) -> list[int]:
    """Return the sizes to write below a panel: all, every other, or the ends, depending on the room."""
    columns = MOST_TICKS if grid.is_narrow else len(grid.columns)
    if columns * len(sizes) <= MOST_TICKS or len(sizes) <= 2:
        return list(sizes)
    every_other = list(sizes[::-2])[::-1]
    return every_other if columns * len(every_other) <= MOST_TICKS else [sizes[0], sizes[-1]]


def label_rows(figure: Figure, names: Sequence[str], **more: Any) -> None:
    """Write the names of rows on the left, the first at the top. more: properties of Plotly's axes."""
    theme.name_rows(figure, [f"{words.plot_text(name, longest=15)}  " for name in names], **more)
    name_places(figure, y=names)


def label_members(figure: Figure, names: Sequence[str]) -> float:
    """Write combinations of levels on the left in lines for a phone; return the pixels of the margin."""
    # Lines break after commas: a level stays on one line.
    kept = [words.short_line(name).replace(" ", UNBROKEN).replace(f",{UNBROKEN}", ", ") for name in names]
    lines = [wrapped(name, MEMBER_SIZE, MEMBER_WIDTH) for name in kept]
    lines = [[line.replace(UNBROKEN, " ") for line in own] for own in lines]
    texts = ["<br>".join(f"{words.plot_text(line)}  " for line in own) for own in lines]
    theme.name_rows(figure, texts, showgrid=False, automargin=False, tickfont={"size": MEMBER_SIZE})
    widest = max(text_width(line, MEMBER_SIZE) for own in lines for line in own)
    figure.update_layout(margin={"l": widest + 12})
    return widest + 12
