"""A paper's table for programs: CSV and Parquet, one line a cell, full precision, words instead of marks."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq

from delvecore.report.paper.table import PaperTable
from delvecore.report.writers.csv import csv_of_table

__all__ = ["CELLS", "cells_of", "csv_paper_table", "parquet_paper_table"]

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
