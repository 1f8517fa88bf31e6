"""The table of a paper: its request, its estimates with errors by task or level and method, and its formats.

Commands and pages pass a PaperRequest to `source`, so that both give the same bytes. CSV and Parquet have one
row per cell, full precision, and words instead of marks."""

import io
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from delvecore.losses.published import PUBLISHED_SIGN
from delvecore.measures import Measure
from delvecore.model import place_names
from delvecore.readers.regular_files import FOLLOW_LINKS
from delvecore.render.csv import Value, csv_comment, csv_of_table, csv_text
from delvecore.render.document import read_back_lines, with_readings
from delvecore.render.grid import BEST, BETTER_THAN, WORSE, WORSE_THAN, Cell, Column, Grid, Row
from delvecore.render.latex import latex_grid, siunitx_grid
from delvecore.render.markup import html_grid, markdown_grid, typst_grid
from delvecore.render.numbers import column_decimals, decimals_for, parameter, rounded
from delvecore.render.provenance import Provenance, method_words, option_words
from delvecore.render.spans import plain
from delvecore.render.text import text_grid
from delvecore.render.verdicts import BETTER, NOT_DIFFERENT
from delvecore.report.ranking.sentences import run_sentences
from delvecore.score_tables.score_file import Reading
from delvecore.stats.choose import DEFAULT_SETTING, Setting, checked_adjustment, checked_level
from delvecore.stats.ranking.score_table import CommonRuns
from delvecore.stats.verdicts import RankTest

DIGITS = ("cell", "row", "column")
LAYOUTS = ("columns", "rows")
MARKINGS = ("best", "equal", "reference")
"""Possible marks: the best of each task, methods not significantly worse, differences from a reference."""


@dataclass(frozen=True)
class PaperRequest:
    """Choices for a table of a paper. Raises ValueError for an invalid choice.

    Attributes
    ----------
    paths : tuple of str
        Paths of tasks, prototasks or datasets, `/` for all.
    files : tuple of str
        Files of scores, and delve directories next to them, instead of the active ones.
    reading : tuple of str
        Command-line options that determine how the files are read.
    loss : str or None
        Loss, None for the one with results on most tasks.
    methods : tuple of str
        Methods in this order, empty for all.
    by : tuple of str
        Factors whose levels make the rows, empty for tasks.
    methods_in : str
        One of LAYOUTS.
    digits : str
        One of DIGITS, or a number of decimals.
    level, adjust
        See `choose.Setting`.
    top : int or None
        Number of displayed methods, those with the best average ranks. All methods are ranked and compared.
    mine : str or None
        The user's own method, which is always shown, with a note on its result.
    keep : tuple of str
        Methods that are ranked with any number of runs.
    unit : str or None
        Unit that counts once in ranks, one of `UNITS`; None: see `choose_unit`.
    test : RankTest
        Test of differences of average ranks.
    published : bool
        Whether the table shows results published elsewhere on the tasks.
    """

    paths: tuple[str, ...] = ("/",)
    loss: str | None = None
    methods: tuple[str, ...] = ()
    reference: str | None = None
    by: tuple[str, ...] = ()
    methods_in: str = "columns"
    raw: bool = False
    level: float = DEFAULT_SETTING.level
    adjust: str = DEFAULT_SETTING.adjust
    unit: str | None = None
    test: RankTest = RankTest.FLIPS
    marks: tuple[str, ...] = ("best", "equal", "reference")
    ranks: bool = True
    published: bool = True
    digits: str = "cell"
    top: int | None = None
    mine: str | None = None
    follow_links: bool = False
    files: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.by and self.raw:
            expected = "standardized losses if rows are means over tasks"
            raise ValueError(f"expected {expected}, found --raw with --by")
        checked_level(self.level)
        checked_adjustment(self.adjust)
        for mark in self.marks:
            if mark not in MARKINGS:
                raise ValueError(f"expected marks among {', '.join(MARKINGS)}, found {mark!r}")
        if self.digits not in DIGITS and not (self.digits.isascii() and self.digits.isdigit()):
            raise ValueError(f"expected {', '.join(DIGITS)} or a number of decimals, found {self.digits!r}")
        if self.methods_in not in LAYOUTS:
            raise ValueError(f"expected methods in {' or '.join(LAYOUTS)}, found {self.methods_in!r}")
        if self.top is not None and self.top < 1:
            raise ValueError(f"expected at least one method to show, found {self.top}")
        if self.digits.isdigit() and int(self.digits) > 12:
            raise ValueError(f"expected at most 12 decimals, found {self.digits}")

    @property
    def setting(self) -> Setting:
        """Rule for significant differences."""
        return Setting(self.level, self.adjust)

    @property
    def numbers(self) -> "PaperRequest":
        """The same request without the level and style, because estimates and p do not depend on these."""
        asked = ("paths", "files", "loss", "methods", "keep", "reference", "mine", "by", "raw", "adjust")
        return PaperRequest(**{name: getattr(self, name) for name in asked})

    @property
    def kept(self) -> tuple[str, ...]:
        """The methods that are requested by name."""
        return (*self.keep, *filter(None, [self.reference, self.mine]))

    @property
    def places(self) -> list[tuple[str, ...]]:
        """The paths as names of dataset, prototask and task."""
        return list(map(place_names, self.paths))

    def options(self, *, higher_is_better: bool) -> tuple[tuple[str, str], ...]:
        """Return (name, value) of all choices, in words, and the direction of the measure."""
        options: list[tuple[str, str]] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "follow_links":
                options.append(("higher is better", "yes" if higher_is_better else "no"))
            if value is None or field.name == "keep" or (field.name in ("files", "reading") and not value):
                continue
            if field.name == "published" and value:
                continue
            if isinstance(value, tuple):
                value = " ".join(value) or ("all" if field.name == "methods" else "none")
            elif isinstance(value, bool):
                value = "yes" if value else "no"
            options.append(
                (field.name.replace("_", " "), parameter(value) if isinstance(value, float) else value)
            )
        return tuple(options)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words of `delve table` for this request, without --format and defaults."""
        plain = PaperRequest()
        words = ["delve", "table"]
        if self.loss is not None:
            words += option_words("--loss", self.loss)
        words += method_words(self.methods)
        for name in ("reference", "adjust", "unit", "methods_in", "digits", "top", "mine"):
            if getattr(self, name) != getattr(plain, name):
                words += option_words(f"--{name.replace('_', '-')}", f"{getattr(self, name)}")
        if self.test != plain.test:
            words += ["--test", self.test.word]
        if self.level != plain.level:
            words += ["--level", f"{self.level!r}"]
        if self.marks != plain.marks:
            words += ["--marks", " ".join(self.marks) or "none"]
        if self.by:
            words += ["--by", " ".join(self.by)]
        flags = {"--raw": self.raw, "--no-ranks": not self.ranks}
        flags["--no-published"] = not self.published
        flags |= {FOLLOW_LINKS: self.follow_links}
        words += [flag for flag, is_set in flags.items() if is_set]
        paths = (*self.files, *(path for path in self.paths if not self.files or path != "/"))
        return (*words, *self.reading, *["--"] * any(path.startswith("-") for path in paths), *paths)


MISSING, ELSEWHERE = "missing", "published"
"""The standings of a cell without a value, and of one with results from elsewhere."""
TASK_TITLES = ("Task", "Cases")
CASES = "Cases: in each training set."
"""The note on the second of these titles."""
RANK_DECIMALS = 2
MOST_WITHOUT_ERROR = 4


@dataclass(frozen=True, slots=True)
class PaperCell:
    """One method on one task or level.

    Attributes
    ----------
    value, error : float or None
        Estimate and its standard error, None if absent.
    missing : str or None
        Reason for a missing value, otherwise None.
    standing : str
        Standing among the methods of the task.
    p : float or None
        p of the difference from the best, adjusted as the table states.
    raw_p : float or None
        The same p, not adjusted.
    test : str or None
        Name of the test.
    to_reference : str or None
        BETTER_THAN or WORSE_THAN if the difference from the reference is significant, otherwise None.
    reference_p : float or None
        p of that difference.
    """

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
    """Heading of a row or column.

    Attributes
    ----------
    kind : Literal['task', 'level', 'method', 'published', 'rank']
        Subject of the row or column; `published` is a method whose numbers are from elsewhere.
    labels : tuple of str
        Labels, outermost first, such as (`demo/age`, `128`).
    tasks : tuple of str
        Full paths of the tasks that it summarizes.
    """

    kind: Literal["task", "level", "method", "published", "rank"]
    labels: tuple[str, ...]
    tasks: tuple[str, ...] = ()


@dataclass(frozen=True)
class PaperTable:
    """A finished table.

    Attributes
    ----------
    caption : str
        Description of the numbers.
    quantity : str
        Shorter description of the numbers.
    row_titles, column_titles : tuple of str
        Titles of the labels of rows and columns.
    cells : tuple of tuple of PaperCell
        Cells by row and column.
    marks : tuple[tuple[str, str], ...]
        Pairs (mark, meaning) of the displayed marks.
    notes : tuple of str
        Notes without a mark.
    decimals : tuple of tuple of int
        Decimals by row and column.
    label : str
        Label for references in LaTeX and Typst.
    provenance : Provenance or None
        Origin, None to omit it.
    readings : tuple of Reading
        How its tables of scores were read.
    runs : CommonRuns or None
        Runs over which the values are means.
    ranked_tasks : int
        Number of tasks behind the average ranks.
    methods : int
        Number of methods, displayed or not.
    """

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
    """Return the displayed table. provenance: lines on its origin."""
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
    """Return the texts above a column. The title of ranks is in the last line, directly above the cells."""
    if head.kind == "rank":
        return Column(head.labels[0], "r", head.labels[:0:-1], "rank")
    return Column(_labels(head)[-1], "r", head.labels[:-1], "estimate")


def _labels(head: Head) -> tuple[str, ...]:
    """Return the labels; a sign marks names with published figures."""
    return (*head.labels[:-1], head.labels[-1] + PUBLISHED_SIGN) if head.kind == "published" else head.labels


def _shown(cell: PaperCell, decimals: int, asked: Collection[str]) -> Cell:
    if cell.value is None:
        return Cell("")
    error = "" if cell.error is None else rounded(cell.error, decimals)
    names = (cell.standing, *filter(None, [cell.to_reference]))
    marks = tuple(name for name in names if name in asked and name != BEST)
    return Cell(rounded(cell.value, decimals), error, cell.standing == BEST and BEST in asked, marks)


def table_decimals(table: PaperTable, digits: str) -> PaperTable:
    """Return the table with its decimals.

    `digits` is a rule or a number. For `cell`, each number shows two significant digits of its error. For
    `row` and `column`, all numbers in a row or column, as laid out, have the decimals of its smallest error.
    A number sets the same number of decimals everywhere. A value without an error has the decimals of its
    neighbors; ranks have two.
    """
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

    decimals = tuple(
        (RANK_DECIMALS,) * len(row)
        if head.kind == "rank"
        else tuple(RANK_DECIMALS if rank else one for rank, one in zip(is_rank, of_row(row), strict=True))
        for head, row in zip(table.rows, errors, strict=True)
    )
    return replace(table, decimals=decimals)


def _plain_decimals(table: PaperTable) -> int:
    """Return the decimals if no neighbor has an error: three, or up to four if no cell at all has an
    error."""
    if any(cell.error for row in table.cells for cell in row):
        return 3
    most = 0
    for row, cells in zip(table.rows, table.cells, strict=True):
        for column, cell in zip(table.columns, cells, strict=True):
            if cell.value is not None and "rank" not in (row.kind, column.kind):
                text = rounded(cell.value, MOST_WITHOUT_ERROR).rstrip("0")
                most = max(most, len(text.partition(".")[2]))
                if most == MOST_WITHOUT_ERROR:
                    return most
    return most


CELLS = pa.schema(
    [
        ("row_kind", pa.string()),  # task, level or rank
        ("row", pa.string()),  # labels of the row, joined by blanks
        ("tasks", pa.list_(pa.string())),  # full paths of the tasks of the row
        ("method", pa.string()),
        ("value", pa.float64()),  # null where there is no number
        ("standard_error", pa.float64()),
        ("standing", pa.string()),  # or why there is no number
        ("p", pa.float64()),  # of the comparison with the best
        ("p_adjusted", pa.float64()),  # as the provenance says
        ("test", pa.string()),
        ("to_reference", pa.string()),
        ("p_to_reference", pa.float64()),
        ("note", pa.string()),
    ]
)


def cells_of(table: PaperTable) -> pa.Table:
    """Return the cells in the order of the untransposed table: by row, then by method."""
    if table.rows and table.rows[0].kind == "method":
        table = table.transposed
    rows: list[tuple[Value, ...]] = []
    for head, cells in zip(table.rows, table.cells, strict=True):
        of_row = head.kind, " ".join(filter(None, head.labels)), list(head.tasks)
        for method, cell in zip(table.columns, cells, strict=True):
            estimate = cell.value, cell.error, cell.missing or cell.standing
            tests = cell.raw_p, cell.p, cell.test, cell.to_reference, cell.reference_p, cell.note
            rows.append((*of_row, method.labels[0], *estimate, *tests))
    return pa.Table.from_pylist([dict(zip(CELLS.names, row, strict=True)) for row in rows], schema=CELLS)


def _csv(table: PaperTable, provenance: tuple[str, ...]) -> str:
    """Return the cells as CSV after comments on the provenance and on the runs behind means."""
    comments = map(csv_comment, (*provenance, *run_sentences(table.runs)))
    return "".join(comments) + csv_of_table(cells_of(table))


def methods_csv(
    table: PaperTable, measure: Measure, reference: str | None, *, has_header: bool = True
) -> str:
    """Return the cells as `mtable` prints them, a line per task and method, with p and adjusted p."""
    header = ["loss", "task", "method", "value", "standard_error", "standing", "p", "p_adjusted"]
    header += ["test", "note", *(["reference", "to_reference", "p_to_reference"] if reference else [])]
    name, words = measure.short_name, {BETTER_THAN: BETTER, WORSE_THAN: WORSE}
    rows = []
    for row in cells_of(table).to_pylist():
        otherwise = None if row["p_to_reference"] is None else NOT_DIFFERENT
        row |= {"loss": name, "task": row["tasks"][0], "reference": reference}
        row["to_reference"] = words.get(row["to_reference"], otherwise)
        rows.append([row[column] for column in header])
    comments = "".join(csv_comment(f"{name}: {sentence}") for sentence in run_sentences(table.runs))
    lines = [header, *rows] if has_header else rows
    return comments + csv_text(lines[0], lines[1:])


def _parquet(table: PaperTable, provenance: tuple[str, ...]) -> bytes:
    """Return the cells as Parquet; its metadata hold caption, notes, provenance and how scores were read."""
    notes = json.dumps([*map(plain, table.notes)])
    about = {"caption": plain(table.caption), "notes": notes, "provenance": "\n".join(provenance)}
    about |= {"read": "\n".join(lines)} if (lines := read_back_lines(table.readings)) else {}
    file = io.BytesIO()
    pq.write_table(cells_of(table).replace_schema_metadata(about), file, compression="zstd")
    return file.getvalue()


class PaperFormat(NamedTuple):
    """A format for tables of a paper.

    Attributes
    ----------
    title : str
        Title in words.
    suffix : str
        Suffix of the file's name.
    write : Callable[[PaperTable, tuple of str], str | bytes]
        Makes text or bytes from the table and lines of provenance.
    """

    title: str
    suffix: str
    write: Callable[[PaperTable, tuple[str, ...]], str | bytes]


def _of_grid(write: Callable[[Grid], str]) -> Callable[[PaperTable, tuple[str, ...]], str]:
    return lambda table, provenance: write(grid_of(table, provenance))


PAPER_FORMATS = {
    "text": PaperFormat("Text", "txt", _of_grid(text_grid)),
    "latex": PaperFormat("LaTeX", "tex", _of_grid(latex_grid)),
    "latex-siunitx": PaperFormat("LaTeX, siunitx", "tex", _of_grid(siunitx_grid)),
    "markdown": PaperFormat("Markdown", "md", _of_grid(markdown_grid)),
    "html": PaperFormat("HTML", "html", _of_grid(html_grid)),
    "typst": PaperFormat("Typst", "typ", _of_grid(typst_grid)),
    "csv": PaperFormat("CSV", "csv", _csv),
    "parquet": PaperFormat("Parquet", "parquet", _parquet),
}


def paper_table_bytes(table: PaperTable, form: str, *, bare: bool = False) -> bytes:
    """Return the table in one of PAPER_FORMATS, below how scores were read. `bare` omits provenance."""
    more = () if form == "text" else ("--format", form)
    lines = () if bare or table.provenance is None else table.provenance.lines(*more)
    content = PAPER_FORMATS[form].write(table, lines)
    if isinstance(content, bytes):
        return content
    return with_readings(content, table.readings, form).encode("utf-8", "surrogateescape")
