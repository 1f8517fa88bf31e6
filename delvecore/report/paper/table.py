"""The table of a paper: estimates with errors by task (or level of a factor) and method, and what marks mean.

A PaperTable is finished: nothing is computed while it is written in one of the formats. Built by `source`;
`grid_of` shows it, `formats` writes it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from delvecore.losses.published import PUBLISHED_SIGN
from delvecore.report.grid import BEST, Cell, Column, Grid, Row
from delvecore.report.provenance import Provenance
from delvecore.report.rounding import column_decimals, decimals_for, rounded
from delvecore.score_tables.score_file import Reading
from delvecore.stats.ranking.score_table import CommonRuns

MISSING, ELSEWHERE = "missing", "published"
"""The standings of a cell without a value, and of one whose figures are from elsewhere."""
TASK_TITLES = ("Task", "Cases")
CASES = "Cases: in each training set."
"""The note on the second of these titles."""
RANK_DECIMALS = 2
MOST_WITHOUT_ERROR = 4


@dataclass(frozen=True, slots=True)
class PaperCell:
    """One method on one task or level. value, error: estimate and its standard error, None where there is
    none; missing: why there is no value, else None. standing: among the methods of the task. p: of the
    difference to the best, adjusted as the table says; raw_p: not adjusted; test: which one. to_reference:
    BETTER_THAN or WORSE_THAN where the difference to the reference is significant, else None; reference_p: of
    that difference."""

    value: float | None
    error: float | None = None
    standing: str = MISSING
    missing: str | None = None
    p: float | None = None
    raw_p: float | None = None
    test: str | None = None
    note: str | None = None
    to_reference: str | None = None
    reference_p: float | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """What a row or column is of. kind: task, level, method, published (a method whose figures are from
    elsewhere) or rank; labels: from the outermost on, such as
    (`demo/age`, `128`); tasks: the full paths of the tasks that it stands for."""

    kind: Literal["task", "level", "method", "published", "rank"]
    labels: tuple[str, ...]
    tasks: tuple[str, ...] = ()


@dataclass(frozen=True)
class PaperTable:
    """A finished table. caption: what the numbers are; quantity: the same in a few words; row_titles,
    column_titles: of the labels of the heads; cells: by row and column. marks: (what it stands for, meaning)
    of those that are shown; notes: what belongs to no mark. decimals: by row and column. label: for
    references in LaTeX and Typst. provenance: where it comes from, None to leave it out. readings: how its
    tables of scores were read. runs: over which means are. ranked_tasks: over how many tasks the average
    ranks are; methods: of how many methods, shown or not."""

    caption: str
    quantity: str
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
    readings: tuple[Reading, ...] = ()
    runs: CommonRuns | None = None
    ranked_tasks: int = 0
    methods: int = 0

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

    def part(self, rows: slice, columns: slice) -> "PaperTable":
        """The same table with some of its rows and columns."""
        return replace(
            self,
            rows=self.rows[rows],
            columns=self.columns[columns],
            cells=tuple(cells[columns] for cells in self.cells[rows]),
            decimals=tuple(decimals[columns] for decimals in self.decimals[rows]),
        )

    @property
    def with_paths(self) -> "PaperTable":
        """The same table with the path of each task in one column, instead of place and size in two."""
        heads = tuple(Head(head.kind, head.tasks, head.tasks) for head in self.rows)
        notes = tuple(note for note in self.notes if note != CASES)
        return replace(self, row_titles=TASK_TITLES[:1], rows=heads, notes=notes)


def grid_of(table: PaperTable, provenance: tuple[str, ...] = ()) -> Grid:
    """Return the table as it is seen. provenance: lines that tell where it comes from."""
    asked = {name for name, _ in table.marks}
    rows = tuple(
        Row(
            tuple(_shown(*one, asked) for one in zip(cells, decimals, strict=True)),
            _labels(head),
            "rank" if head.kind == "rank" else "plain",
        )
        for head, cells, decimals in zip(table.rows, table.cells, table.decimals, strict=True)
    )
    about = table.provenance if provenance else None
    return Grid(
        f"{table.caption} {about.words}" if about else table.caption,
        tuple(map(_column, table.columns)),
        rows,
        stubs=table.row_titles,
        titles=table.column_titles,
        provenance=provenance,
        **{name: getattr(table, name) for name in ("marks", "notes", "label")},
    )


def _column(head: Head) -> Column:
    """Return what stands above a column; the title of ranks in the last line, beside the cells."""
    if head.kind == "rank":
        return Column(head.labels[0], "r", head.labels[:0:-1], "rank")
    return Column(_labels(head)[-1], "r", head.labels[:-1], "estimate")


def _labels(head: Head) -> tuple[str, ...]:
    """Return the labels; a name whose figures are from elsewhere has a sign."""
    return (*head.labels[:-1], head.labels[-1] + PUBLISHED_SIGN) if head.kind == "published" else head.labels


def _shown(cell: PaperCell, decimals: int, asked: Collection[str]) -> Cell:
    if cell.value is None:
        return Cell("")
    error = "" if cell.error is None else rounded(cell.error, decimals)
    names = (cell.standing, *filter(None, [cell.to_reference]))
    marks = tuple(name for name in names if name in asked and name != BEST)
    return Cell(rounded(cell.value, decimals), error, cell.standing == BEST and BEST in asked, marks)


def table_decimals(table: PaperTable, digits: str) -> PaperTable:
    """Return the table with its decimals. digits: `cell` shows two significant digits of each number's own
    error; `row` and `column` give a row or column, as it is laid out, the decimals of its smallest error; a
    number gives all numbers so many decimals. A number without error takes those of the other numbers around
    it; ranks have two."""
    plain = _plain_decimals(table)
    errors = [[cell.error for cell in row] for row in table.cells]
    of_columns = [column_decimals(column, otherwise=plain) for column in zip(*errors, strict=True)]
    is_rank = [column.kind == "rank" for column in table.columns]

    def of_row(row: Sequence[float | None]) -> Sequence[int]:
        if digits == "column":
            return of_columns
        if digits.isdigit():
            return [int(digits)] * len(row)
        usual = column_decimals(row, otherwise=plain)
        return [decimals_for(error, otherwise=usual) if digits == "cell" else usual for error in row]

    found = tuple(
        (RANK_DECIMALS,) * len(row)
        if head.kind == "rank"
        else tuple(RANK_DECIMALS if rank else one for rank, one in zip(is_rank, of_row(row), strict=True))
        for head, row in zip(table.rows, errors, strict=True)
    )
    return replace(table, decimals=found)


def _plain_decimals(table: PaperTable) -> int:
    """Return the decimals where there is no error at all: as many as the numbers have, at most four."""
    if any(cell.error for row in table.cells for cell in row):
        return 3
    most = 0
    for row, cells in zip(table.rows, table.cells, strict=True):
        for column, cell in zip(table.columns, cells, strict=True):
            if cell.value is not None and "rank" not in (row.kind, column.kind):
                text = f"{cell.value:.{MOST_WITHOUT_ERROR}f}".rstrip("0")
                most = max(most, len(text.partition(".")[2]))
                if most == MOST_WITHOUT_ERROR:
                    return most
    return most
