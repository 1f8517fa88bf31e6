"""A table too wide or too tall for a page: in which parts, and in which size of type, does it fit?

Judged by the number of characters and lines, for lines of 140 mm and pages of 190 mm."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from delvecore.report.grid import Cell, Grid

__all__ = ["Type", "floats_of", "type_and_blocks"]

LINE = 397
"""Points of a line, 140 mm: that of many journals and proceedings; elsewhere change the size by hand."""
PAGE = 390
"""Points of a page that are there for rows, beside the caption and the notes."""
BOLD = 1.15
"""Bold digits are wider by this."""
GROUP = 5
"""Points between groups of rows."""
RULES = 3
"""Lines that headings, rules and the gap to the next part take."""


@dataclass(frozen=True, slots=True)
class Type:
    """A size of type, in points. gap: half that between columns; character: mean width; line: height."""

    gap: float
    character: float
    line: float
    command: str


TYPES = (
    Type(6, 5.2, 12, ""),
    Type(4, 4.85, 11, r"\small"),
    Type(3.5, 4.45, 9.5, r"\footnotesize"),
    Type(2.5, 4.15, 8, r"\scriptsize"),
)


def type_and_blocks(grid: Grid) -> tuple[Type, list[slice]]:
    """Return the largest type and the fewest blocks of columns, of like numbers, that fit a line."""
    stubs, columns = _widths(grid)
    for number in range(1, len(columns) + 1):
        size = -(-len(columns) // number)
        blocks = [slice(start, start + size) for start in range(0, len(columns), size)]
        lines = [[*stubs, *columns[block]] for block in blocks]
        for one in TYPES:
            if all(one.character * sum(line) + 2 * one.gap * (len(line) - 1) <= LINE for line in lines):
                return one, blocks
    return TYPES[-1], [slice(start, start + 1) for start in range(len(columns))]


def _widths(grid: Grid) -> tuple[list[float], list[float]]:
    """Return how many characters wide each column of labels is, and each of numbers."""
    rows = grid.rows
    labels = zip(grid.stubs, *(row.labels for row in rows), strict=True)
    stubs: list[float] = [max(map(len, texts)) for texts in labels]
    titles = [len(column.title) for column in grid.columns]
    return stubs, [max([title, *(_width(row.cells[j]) for row in rows)]) for j, title in enumerate(titles)]


def _width(cell: Cell) -> float:
    return len(f"{cell.value}+{cell.error}") * (BOLD if cell.bold else 1)


def floats_of(grid: Grid, one: Type, blocks: Sequence[slice]) -> list[list[tuple[slice, slice]]]:
    """Return the floats, each with its parts (rows, columns), in an order to be read in. A float holds as
    many parts as a page has room for. Groups of rows stay together where they can."""
    found: list[list[tuple[slice, slice]]] = []
    room = 0.0
    starts, levels = grid.starts, len(grid.headings)

    def height(rows: slice) -> float:
        return one.line * (rows.stop - rows.start + levels + RULES) + GROUP * sum(starts[rows])

    for rows in _row_blocks(starts, height):
        for columns in blocks:
            if not found or height(rows) > room:
                found.append([])
                room = PAGE
            found[-1].append((rows, columns))
            room -= height(rows)
    return found


def _row_blocks(starts: Sequence[bool], height: Callable[[slice], float]) -> Iterator[slice]:
    begin = 0
    while begin < len(starts):
        end = begin + 1
        while end < len(starts) and height(slice(begin, end + 1)) <= PAGE:
            end += 1
        if end < len(starts):
            end = next((place for place in range(end, begin, -1) if starts[place]), end)
        yield slice(begin, end)
        begin = end
