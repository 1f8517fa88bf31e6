"""Finished table of names and rounded numbers, as texts that other modules of `render` write."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from delvecore.render import verdicts

BEST = "best"
EQUAL, WORSE, UNTESTED = verdicts.NOT_WORSE, verdicts.WORSE, verdicts.NOT_TESTED
ALONE = "only result"
BETTER_THAN, WORSE_THAN = "better than the reference", "worse than the reference"
MARKS = (BEST, EQUAL, UNTESTED, BETTER_THAN, WORSE_THAN)
"""Meanings of marks, in the order of the footnotes."""
NOTHING = "–"
"""Text of a missing number."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a finished table.

    Attributes
    ----------
    value : str
        A text, or a number with a hyphen for minus, empty if missing.
    error : str
        Error of an estimate.
    bold : bool
        Whether the cell is bold.
    marks : tuple of str
        Meanings of the signs after the value, some of MARKS in order. In a cell read from a file, the signs
        themselves.
    span : int
        Number of columns that a cell read from a file covers.
    """

    value: str
    error: str = ""
    bold: bool = False
    marks: tuple[str, ...] = ()
    span: int = 1


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a finished table.

    Attributes
    ----------
    title : str
        Text above the cells.
    align : Literal['l', 'r']
        Alignment of texts.
    groups : tuple of str
        Headings above the title, shared with neighbors, outermost first.
    """

    title: str
    align: Literal["l", "r"] = "l"
    groups: tuple[str, ...] = ()
    kind: Literal["text", "estimate", "rank"] = "text"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a finished table.

    Attributes
    ----------
    labels : tuple of str
        Labels of the row, outermost first, one per stub.
    kind : Literal['plain', 'rank']
        Ranks are set differently from other numbers.
    above : str
        Outermost label on a separate line above the row.
    line : int
        Line of the file that the row is read from.
    """

    cells: tuple[Cell, ...]
    labels: tuple[str, ...] = ()
    kind: Literal["plain", "rank"] = "plain"
    above: str = ""
    line: int = 0


@dataclass(frozen=True)
class Grid:
    """A finished table.

    Raises ValueError if the length of a row differs from the number of columns.

    Attributes
    ----------
    stubs : tuple of str
        Titles of the labels of rows.
    titles : tuple of str
        Titles of the lines of headings.
    marks : tuple[tuple[str, str], ...]
        Pairs (mark, meaning).
    notes : tuple of str
        Notes without a mark.
    label : str
        Label for references in LaTeX and Typst.
    provenance : tuple of str
        Lines on the origin.
    repeated : int
        Number of leading columns that each part repeats if a table of texts is too wide for LaTeX; 0 keeps it
        whole.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    stubs: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    marks: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    label: str = "table"
    provenance: tuple[str, ...] = ()
    repeated: int = 0

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise ValueError(
                    f"expected {len(self.columns)} cells, one per column, found {len(row.cells)}"
                )

    @property
    def headings(self) -> list[tuple[str, ...]]:
        """The headings of the columns, a tuple per line; titles are in the last one."""
        depth = max((len(column.groups) for column in self.columns), default=0)
        return list(
            zip(
                *((*[""] * (depth - len(one.groups)), *one.groups, one.title) for one in self.columns),
                strict=True,
            )
        )

    def stubs_beside(self, line: int) -> tuple[str, ...]:
        """Texts above the labels of rows in a line of headings: the stubs in the last line, titles in the
        others."""
        last = len(self.columns[0].groups) if self.columns else 0
        if line == last or not self.stubs:
            return self.stubs
        title = self.titles[line]
        if line == last - 1:
            title = f"{title}, {self.titles[last].lower()}"
        return (title, *[""] * (len(self.stubs) - 1))

    @property
    def labels(self) -> list[tuple[str, ...]]:
        """The labels of the rows; a repeated outer label is empty."""
        labels: list[tuple[str, ...]] = []
        before: tuple[str, ...] = ()
        for row in self.rows:
            same = 0
            while same < len(row.labels) - 1 and row.labels[: same + 1] == before[: same + 1]:
                same += 1
            labels.append(("",) * same + row.labels[same:])
            before = row.labels
        return labels

    @property
    def starts(self) -> list[bool]:
        """The rows that start a group of their outermost label; none if no group has two members."""
        if any(row.above for row in self.rows):
            return [place > 0 and row.above != "" for place, row in enumerate(self.rows)]
        outer = [row.labels[0] if len(row.labels) > 1 else None for row in self.rows]
        if not any(a == b is not None for a, b in pairwise(outer)):
            return [False] * len(outer)
        return [place > 0 and outer[place] != outer[place - 1] for place in range(len(outer))]

    @property
    def nested(self) -> "Grid":
        """A narrower table with the outermost label of each group of rows in a line above them.

        It is the table itself if no group has two members.
        """
        outer = [row.labels[0] for row in self.rows if len(row.labels) > 1 and any(row.labels[1:])]
        if len(set(outer)) == len(outer):
            return self
        rows = []
        for row, labels in zip(self.rows, self.labels, strict=True):
            first, *inner = row.labels
            if any(inner):
                rows.append(replace(row, labels=tuple(inner), above=labels[0]))
            else:
                rows.append(replace(row, labels=(first, *inner[1:])))
        title = f"{self.stubs[0]}, {self.stubs[1].lower()}"
        return replace(self, rows=tuple(rows), stubs=(title, *self.stubs[2:]))

    @property
    def rules(self) -> list[bool]:
        """The rows with a rule above them, which separates ranks from other numbers."""
        kinds = [row.kind for row in self.rows]
        return [place > 0 and kind != kinds[place - 1] for place, kind in enumerate(kinds)]

    def columns_at(self, places: Sequence[int]) -> "Grid":
        """Return some columns of the table, in the given order."""
        rows = tuple(replace(row, cells=tuple(row.cells[place] for place in places)) for row in self.rows)
        return replace(self, columns=tuple(self.columns[place] for place in places), rows=rows)


def grid_of_texts(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    caption: str,
    notes: Sequence[str] = (),
    label: str = "table",
    bold: Collection[tuple[int, int]] = (),
) -> Grid:
    """Return a table of display texts. bold: (row, column) of bold cells."""
    shown = tuple(
        Row(tuple(Cell(text, bold=(i, j) in bold) for j, text in enumerate(row)))
        for i, row in enumerate(rows)
    )
    return Grid(caption, tuple(columns), shown, notes=tuple(notes), label=label)
