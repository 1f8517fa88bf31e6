"""A paper's table as texts: what every format shows, before it is written in that format."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from delvecore.report.paper.table import BEST, Head, PaperCell, PaperTable
from delvecore.report.rounding import rounded

__all__ = [
    "NOTHING",
    "ShownCell",
    "blank_repeated",
    "column_levels",
    "group_starts",
    "head_titles",
    "shown_cells",
]

NOTHING = "–"
"""What stands where there is no number."""


@dataclass(frozen=True, slots=True)
class ShownCell:
    """value, error: texts with a hyphen for minus, empty where there is none; bold: is it the best? marks:
    what its signs stand for, in order."""

    value: str
    error: str
    bold: bool
    marks: tuple[str, ...]


def shown_cells(table: PaperTable) -> tuple[tuple[ShownCell, ...], ...]:
    """Return the texts of all cells."""
    return tuple(
        tuple(_shown(cell, decimals, table.shown) for cell, decimals in zip(row, places, strict=True))
        for row, places in zip(table.cells, table.decimals, strict=True)
    )


def _shown(cell: PaperCell, decimals, asked):
    if cell.value is None:
        return ShownCell("", "", False, ())
    error = "" if cell.error is None else rounded(cell.error, decimals)
    marks = tuple(name for name in (cell.standing, cell.to_reference) if name in asked and name != BEST)
    return ShownCell(rounded(cell.value, decimals), error, cell.standing == BEST and BEST in asked, marks)


def blank_repeated(heads: Sequence[Head]) -> list[tuple[str, ...]]:
    """Return the labels of heads; an outer label that repeats the one before it is left empty."""
    found, before = [], ()
    for head in heads:
        same = 0
        while same < len(head.labels) - 1 and head.labels[: same + 1] == before[: same + 1]:
            same += 1
        found.append(("",) * same + head.labels[same:])
        before = head.labels
    return found


def group_starts(heads: Sequence[Head]) -> list[bool]:
    """Return which heads start a group of their outermost label; none where no group has two members."""
    outer = [head.labels[0] if len(head.labels) > 1 else None for head in heads]
    if not any(a == b is not None for a, b in pairwise(outer)):
        return [False] * len(heads)
    return [place > 0 and outer[place] != outer[place - 1] for place in range(len(heads))]


def column_levels(table: PaperTable) -> list[tuple[str, ...]]:
    """Return the labels of the columns, a tuple a line of the header; that of ranks stands in the last."""
    labels = [head.labels[::-1] if head.kind == "rank" else head.labels for head in table.columns]
    return list(zip(*labels, strict=True))


def head_titles(table: PaperTable, level: int) -> tuple[str, ...]:
    """Return what stands above the row heads in a line of the header: in its last line the titles of the row
    heads, above that the titles of the lines to the right; the line before the last names both below it."""
    last = len(table.columns[0].labels) - 1 if table.columns else 0
    if level == last:
        return table.row_titles
    title = table.column_titles[level]
    if level == last - 1:
        title = f"{title}, {table.column_titles[last].lower()}"
    return (title, *[""] * (len(table.row_titles) - 1))
