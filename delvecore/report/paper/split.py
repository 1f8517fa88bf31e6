"""A paper's table too wide or too tall for a page: in which parts, and in which size of type, does it fit?

Judged by the number of characters and lines, for lines of 140 mm and pages of 190 mm.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from delvecore.report.paper.shown import column_levels, group_starts, shown_cells
from delvecore.report.paper.table import PaperTable

__all__ = ["Type", "floats_of", "part_of", "type_and_blocks"]

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


@dataclass(frozen=True)
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


def type_and_blocks(table: PaperTable) -> tuple[Type, list[slice]]:
    """Return the largest type and the fewest blocks of columns, of like numbers, that fit a line."""
    heads, columns = _widths(table)
    for number in range(1, len(columns) + 1):
        size = -(-len(columns) // number)
        blocks = [slice(start, start + size) for start in range(0, len(columns), size)]
        for one in TYPES:
            if all(_fits(heads + columns[block], one) for block in blocks):
                return one, blocks
    return TYPES[-1], [slice(start, start + 1) for start in range(len(columns))]


def _fits(widths, one):
    return one.character * sum(widths) + 2 * one.gap * (len(widths) - 1) <= LINE


def _widths(table):
    """Return how many characters wide each column of heads is, and each of numbers."""
    heads = [[len(head.labels[place]) for head in table.rows] for place in range(len(table.row_titles))]
    numbers = [
        [len(f"{cell.value}+{cell.error}") * (BOLD if cell.bold else 1) for cell in column]
        for column in zip(*shown_cells(table), strict=True)
    ]
    return (
        [max([len(title), *texts]) for title, texts in zip(table.row_titles, heads, strict=True)],
        [max([len(title), *texts]) for title, texts in zip(column_levels(table)[-1], numbers, strict=True)],
    )


def floats_of(table: PaperTable, one: Type, blocks: Sequence[slice]) -> list[list[tuple[slice, slice]]]:
    """Return the floats, each with its parts (rows, columns), in an order to be read in.

    A float holds as many parts as a page has room for. Groups of rows stay together where they can.
    """
    found: list[list[tuple[slice, slice]]] = []
    room = 0.0
    for rows in _row_blocks(table, one):
        height = _height(table, one, rows)
        for columns in blocks:
            if not found or height > room:
                found.append([])
                room = PAGE
            found[-1].append((rows, columns))
            room -= height
    return found


def _row_blocks(table: PaperTable, one: Type) -> Iterator[slice]:
    starts = [place == 0 or begins for place, begins in enumerate(group_starts(table.rows))]
    begin = 0
    while begin < len(starts):
        end = begin + 1
        while end < len(starts) and _height(table, one, slice(begin, end + 1)) <= PAGE:
            end += 1
        if end < len(starts):
            end = next((place for place in range(end, begin, -1) if starts[place]), end)
        yield slice(begin, end)
        begin = end


def _height(table, one, rows):
    groups = sum(map(bool, list(group_starts(table.rows))[rows]))
    levels = len(column_levels(table))
    return one.line * (rows.stop - rows.start + levels + RULES) + GROUP * groups


def part_of(table: PaperTable, rows: slice, columns: slice) -> PaperTable:
    """Return some rows and columns of a table."""
    cells, decimals = (tuple(row[columns] for row in grid[rows]) for grid in (table.cells, table.decimals))
    return replace(
        table, rows=table.rows[rows], columns=table.columns[columns], cells=cells, decimals=decimals
    )
