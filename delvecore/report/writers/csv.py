"""Tables as CSV for other programs: full precision, and nothing that a spreadsheet would execute.

Source of the syntax: RFC 4180, with line feeds.
"""

import csv
import io
import math
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

__all__ = ["Value", "csv_of_table", "csv_text"]

Value = Any
"""A number, a text, a list of them, or what pandas has in a cell, such as `NA`."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_text(header: Sequence[Value], rows: Iterable[Sequence[Value]]) -> str:
    """Return a header and rows as CSV text.

    Numbers are written so that reading them gives the same double; None and what is not a number become empty
    fields; lists are joined by blanks. Text that a spreadsheet would take for a formula gets an apostrophe in
    front.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([_field(name) for name in header])
    writer.writerows([_field(value) for value in row] for row in rows)
    return file.getvalue()


def csv_of_table(table: pa.Table) -> str:
    """Return an Arrow table as CSV text, one line a row."""
    columns = [column.to_pylist() for column in table.columns]
    return csv_text(table.column_names, zip(*columns, strict=True))


def _field(value: Value) -> Value:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, list | tuple):
        value = " ".join(str(item) for item in value)
    if isinstance(value, str):
        return "'" + value if value.startswith(FORMULA_STARTS) else value
    return value
