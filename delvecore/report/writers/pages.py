"""A table too wide or too tall for a page: in which parts, and in which size of type, does it fit?

Judged by the number of characters and lines, for lines of 140 mm and pages of 190 mm."""

from collections.abc import Sequence
from dataclasses import dataclass

from delvecore.report.grid import Cell, Grid

__all__ = ["TYPES", "Type", "floats_of", "is_long", "type_and_blocks"]

MOST_FLOATS = 8
"""LaTeX keeps some 18 floats that have no place yet, and gives up with more."""
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


def is_long(grid: Grid, one: Type, blocks: Sequence[slice]) -> bool:
    """Has a page no room for the rows, or a paper none for as many floats as the blocks of columns need?"""
    height = _height(grid, one)
    return height > PAGE or len(blocks) * height > MOST_FLOATS * PAGE


def floats_of(grid: Grid, one: Type, blocks: Sequence[slice]) -> list[list[slice]]:
    """Return the floats of a table that is not long, each with its blocks of columns, as many as a page has
    room for."""
    many = max(1, int(PAGE // _height(grid, one)))
    return [list(blocks[start : start + many]) for start in range(0, len(blocks), many)]


def _height(grid: Grid, one: Type) -> float:
    return one.line * (len(grid.rows) + len(grid.headings) + RULES) + GROUP * sum(grid.starts)
