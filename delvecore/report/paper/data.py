"""A paper's table for programs: CSV and Parquet, one line a cell, full precision, words instead of marks."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq

from delvecore.report.paper.table import BEST, BETTER_THAN, EQUAL, WORSE, WORSE_THAN, PaperCell, PaperTable
from delvecore.report.writers.csv import csv_of_table, csv_text

__all__ = ["CELLS", "cells_of", "csv_paper_table", "methods_csv", "parquet_paper_table"]

CELLS = pa.schema(
    [
        ("row_kind", pa.string()),  # task, level or rank
        ("row", pa.string()),  # labels of the row, joined by blanks
        ("tasks", pa.list_(pa.string())),  # full paths of the tasks of the row
        ("method", pa.string()),
        ("value", pa.float64()),  # null where there is no number
        ("standard_error", pa.float64()),
        ("standing", pa.string()),  # or why there is no number
        ("p_to_best", pa.float64()),  # adjusted as the provenance says
        ("p_to_best_unadjusted", pa.float64()),
        ("test", pa.string()),
        ("to_reference", pa.string()),
        ("p_to_reference", pa.float64()),
        ("note", pa.string()),
    ]
)
COMMENT = "# "
STANDINGS = {BEST: "lowest", EQUAL: "not significantly higher", WORSE: "significantly higher"}
"""What `mtable` calls them."""


def cells_of(table: PaperTable) -> pa.Table:
    """Return the cells in the order of the untransposed table: by row, then by method."""
    if table.rows and table.rows[0].kind == "method":
        table = table.transposed
    rows = [
        _record(head, method.labels[0], cell)
        for head, cells in zip(table.rows, table.cells, strict=True)
        for method, cell in zip(table.columns, cells, strict=True)
    ]
    return pa.Table.from_pylist(rows, schema=CELLS)


def _record(head, method, cell):
    return {
        "row_kind": head.kind,
        "row": " ".join(label for label in head.labels if label),
        "tasks": list(head.tasks),
        "method": method,
        "value": cell.value,
        "standard_error": cell.error,
        "standing": cell.missing or cell.standing,
        "p_to_best": cell.p,
        "p_to_best_unadjusted": cell.raw_p,
        "test": cell.test,
        "to_reference": cell.to_reference,
        "p_to_reference": cell.reference_p,
        "note": cell.note,
    }


def csv_paper_table(table: PaperTable, provenance: tuple[str, ...]) -> str:
    """Return the cells as CSV; the first lines, which start with `#`, are the provenance."""
    return "".join(f"{COMMENT}{line}\n" for line in provenance) + csv_of_table(cells_of(table))


def methods_csv(table: PaperTable, loss: str, reference: str | None) -> str:
    """Return the cells as `mtable` prints them, a line a task and method; p as in `mstats`, and adjusted."""
    header = ["loss", "task", "method", "standardized_loss", "standard_error", "standing", "p_to_lowest"]
    header += ["test", "note", *(["reference", "to_reference", "p_to_reference"] if reference else [])]
    rows = []
    for head, cells in zip(table.rows, table.cells, strict=True):
        for method, cell in zip(table.columns, cells, strict=True):
            standing = cell.missing or STANDINGS.get(cell.standing, cell.standing)
            row = [loss, *head.tasks, *method.labels, cell.value, cell.error, standing, cell.raw_p, cell.test]
            row += [cell.note, *([reference, _to_reference(cell), cell.reference_p] if reference else [])]
            rows.append([*row, cell.p])
    return csv_text([*header, "p_adjusted"], rows)


def _to_reference(cell: PaperCell) -> str | None:
    words = {BETTER_THAN: "significantly lower", WORSE_THAN: "significantly higher"}
    otherwise = None if cell.reference_p is None else "not significantly different"
    return words.get(cell.to_reference or "", otherwise)


def parquet_paper_table(table: PaperTable, provenance: tuple[str, ...]) -> bytes:
    """Return the cells as a Parquet file; its metadata hold caption, notes and provenance."""
    about = {
        "caption": table.caption,
        "notes": json.dumps([*table.notes]),
        "provenance": "\n".join(provenance),
    }
    file = io.BytesIO()
    pq.write_table(cells_of(table).replace_schema_metadata(about), file, compression="zstd")
    return file.getvalue()
