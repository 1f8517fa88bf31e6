"""A paper's table in every format, as the bytes of a file: what the command prints and the page offers.

For programs, in CSV and Parquet: one line a cell, full precision, words instead of marks."""

import io
import json
from collections.abc import Callable
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from delvecore.losses.spec import shown_name
from delvecore.report.grid import BETTER_THAN, WORSE, WORSE_THAN, Grid
from delvecore.report.paper.table import PaperTable, grid_of
from delvecore.report.ranking.sentences import run_sentences
from delvecore.report.readings import read_back_lines, with_readings
from delvecore.report.writers.csv import Value, csv_comment, csv_of_table, csv_text
from delvecore.report.writers.latex import latex_grid, siunitx_grid
from delvecore.report.writers.markup import html_grid, markdown_grid, typst_grid
from delvecore.report.writers.plain import text_grid

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
    """Return the cells as CSV; the first lines, which start with `#`, are the provenance, and over which runs
    means are."""
    comments = map(csv_comment, (*provenance, *run_sentences(table.runs)))
    return "".join(comments) + csv_of_table(cells_of(table))


def methods_csv(table: PaperTable, loss: str, reference: str | None, *, has_header: bool = True) -> str:
    """Return the cells as `mtable` prints them, a line a task and method; p as in `mstats`, and adjusted."""
    header = ["loss", "task", "method", "value", "standard_error", "standing", "p", "p_adjusted"]
    header += ["test", "note", *(["reference", "to_reference", "p_to_reference"] if reference else [])]
    name, words = shown_name(loss), {BETTER_THAN: "significantly better", WORSE_THAN: WORSE}
    rows = []
    for row in cells_of(table).to_pylist():
        otherwise = None if row["p_to_reference"] is None else "not significantly different"
        row |= {"loss": name, "task": row["tasks"][0], "reference": reference}
        row["to_reference"] = words.get(row["to_reference"], otherwise)
        rows.append([row[column] for column in header])
    comments = "".join(csv_comment(f"{name}: {said}") for said in run_sentences(table.runs))
    lines = [header, *rows] if has_header else rows
    return comments + csv_text(lines[0], lines[1:])


def _parquet(table: PaperTable, provenance: tuple[str, ...]) -> bytes:
    """Return the cells as a Parquet file; its metadata hold caption, notes, provenance and how
    scores were read."""
    notes = json.dumps([*table.notes])
    about = {"caption": table.caption, "notes": notes, "provenance": "\n".join(provenance)}
    about |= {"read": "\n".join(lines)} if (lines := read_back_lines(table.readings)) else {}
    file = io.BytesIO()
    pq.write_table(cells_of(table).replace_schema_metadata(about), file, compression="zstd")
    return file.getvalue()


class PaperFormat(NamedTuple):
    """title: in words; suffix, mime: of the file; write: table and lines of provenance -> text or bytes."""

    title: str
    suffix: str
    mime: str
    write: Callable[[PaperTable, tuple[str, ...]], str | bytes]


def _of_grid(write: Callable[[Grid], str]) -> Callable[[PaperTable, tuple[str, ...]], str]:
    return lambda table, provenance: write(grid_of(table, provenance))


PAPER_FORMATS = {
    "text": PaperFormat("Text", "txt", "text/plain", _of_grid(text_grid)),
    "latex": PaperFormat("LaTeX", "tex", "application/x-tex", _of_grid(latex_grid)),
    "latex-siunitx": PaperFormat("LaTeX, siunitx", "tex", "application/x-tex", _of_grid(siunitx_grid)),
    "markdown": PaperFormat("Markdown", "md", "text/markdown", _of_grid(markdown_grid)),
    "html": PaperFormat("HTML", "html", "text/html", _of_grid(html_grid)),
    "typst": PaperFormat("Typst", "typ", "text/plain", _of_grid(typst_grid)),
    "csv": PaperFormat("CSV", "csv", "text/csv", _csv),
    "parquet": PaperFormat("Parquet", "parquet", "application/vnd.apache.parquet", _parquet),
}


def paper_table_bytes(table: PaperTable, form: str, *, bare: bool = False) -> bytes:
    """Return the table in one of PAPER_FORMATS, text in UTF-8, which begins with how its scores were read.
    bare: leave out the provenance. Raises KeyError for another format."""
    more = () if form == "text" else ("--format", form)
    lines = () if bare or table.provenance is None else table.provenance.lines(*more)
    found = PAPER_FORMATS[form].write(table, lines)
    if isinstance(found, bytes):
        return found
    return with_readings(found, table.readings, form).encode("utf-8", "surrogateescape")
