"""The table of a paper: estimates with errors by task (or level of a factor) and method, and what marks mean.

A PaperTable is finished: nothing is computed while it is written in one of the formats. Built by
`paper_table_source`; written by `paper_table_formats`.
"""

from dataclasses import dataclass, replace

from delvecore.report.provenance import Provenance
from delvecore.statistics.notes import Note

__all__ = [
    "ALONE",
    "BEST",
    "BETTER_THAN",
    "EQUAL",
    "MARKS",
    "MISSING",
    "UNTESTED",
    "WORSE",
    "WORSE_THAN",
    "Head",
    "PaperCell",
    "PaperTable",
]

BEST = "best"
EQUAL = "not significantly worse"
WORSE = "significantly worse"
UNTESTED = "not tested"
ALONE = "only result"
MISSING = "missing"
BETTER_THAN, WORSE_THAN = "better than the reference", "worse than the reference"
TASK_TITLES = ("Task", "Cases")
CASES = "Cases: in each training set."
"""The note on the second of these titles."""
MARKS = (BEST, EQUAL, UNTESTED, BETTER_THAN, WORSE_THAN)
"""What a mark may stand for, in the order of the footnotes."""


@dataclass(frozen=True, slots=True)
class PaperCell:
    """One method on one task or level.

    value, error: estimate and its standard error, None where there is none; missing: why there is no value,
    else None. standing: among the methods of the task. p: of the difference to the best, adjusted as the
    table says; raw_p: not adjusted; test: which one. to_reference: BETTER_THAN or WORSE_THAN where the
    difference to the reference is significant, else None; reference_p: of that difference.
    """

    value: float | None
    error: float | None = None
    standing: str = MISSING
    missing: str | None = None
    p: float | None = None
    raw_p: float | None = None
    test: str | None = None
    note: str | None = None
    notes: tuple[Note, ...] = ()
    to_reference: str | None = None
    reference_p: float | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """What a row or column is of. kind: task, level, method or rank; labels: from the outermost on, such as
    (`demo/age`, `128`); tasks: the full paths of the tasks that it stands for."""

    kind: str
    labels: tuple[str, ...]
    tasks: tuple[str, ...] = ()


@dataclass(frozen=True)
class PaperTable:
    """A finished table.

    caption: what the numbers are; quantity: the same in a few words; direction: lower or higher; row_titles,
    column_titles: of the labels of the heads; cells: by row and column. marks: (what it stands for, meaning)
    of those that are shown; notes: what belongs to no mark. decimals: by row and column. label: for
    references in LaTeX and Typst. provenance: where it comes from, None to leave it out. ranked_tasks: over
    how many tasks the average ranks are.
    """

    caption: str
    quantity: str
    direction: str
    row_titles: tuple[str, ...]
    column_titles: tuple[str, ...]
    rows: tuple[Head, ...]
    columns: tuple[Head, ...]
    cells: tuple[tuple[PaperCell, ...], ...]
    decimals: tuple[tuple[int, ...], ...]
    marks: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    label: str
    provenance: Provenance | None = None
    ranked_tasks: int = 0

    @property
    def transposed(self) -> "PaperTable":
        """The same table with methods in rows."""
        return replace(
            self,
            row_titles=self.column_titles,
            column_titles=self.row_titles,
            rows=self.columns,
            columns=self.rows,
            cells=tuple(zip(*self.cells, strict=True)),
            decimals=tuple(zip(*self.decimals, strict=True)),
        )

    @property
    def with_paths(self) -> "PaperTable":
        """The same table with the path of each task in one column, instead of place and size in two."""
        heads = tuple(Head(head.kind, head.tasks, head.tasks) for head in self.rows)
        notes = tuple(note for note in self.notes if note != CASES)
        return replace(self, row_titles=TASK_TITLES[:1], rows=heads, notes=notes)

    @property
    def shown(self) -> frozenset[str]:
        """What the marks that are shown stand for."""
        return frozenset(name for name, _ in self.marks)
