"""Tables as CSV (RFC 4180) for other programs, in full precision. Spreadsheets cannot execute any cell."""

import math
import re
from collections.abc import Iterable, Sequence
from itertools import starmap
from typing import Any

import pyarrow as pa

from delvecore.errors import Fault
from delvecore.model import TaskId
from delvecore.names import one_line, shown
from delvecore.render.spans import plain
from delvecore.tables import rows_of

Value = Any
"""A number, a text, a list of them, or what pandas has in a cell, such as `NA`."""
FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
"""Start of a text that a spreadsheet executes, including wide signs."""
FORMULA_INSIDE = re.compile(r"""([,;]["'\s]*)(?=[=+\-@＝＋－＠])""")
FORMULA_BEHIND = re.compile(r"""(;["'\s]*)(?=[=+\-@＝＋－＠])""")
"""Starts of further cells: in an unquoted line, and if semicolons divide cells."""
TO_QUOTE = re.compile(r"""[,;"]|^\s|\s$""")
"""Characters that would end a field in spreadsheets of some countries, or get lost."""


def csv_text(header: Sequence[Value], rows: Iterable[Sequence[Value]]) -> str:
    """Return a header and rows as CSV text.

    Numbers are written so that reading them gives the same double; None and NaN become empty fields; lists
    are joined by blanks. Text is one printable line. An apostrophe precedes anything that a spreadsheet would
    treat as a formula. This includes text after a semicolon, which divides cells in some countries.
    """
    return "".join(",".join(map(_field, row)) + "\n" for row in (header, *rows))


def csv_of_table(table: pa.Table) -> str:
    """Return an Arrow table as CSV text, one line per row."""
    columns = [column.to_pylist() for column in table.columns]
    return csv_text(table.column_names, zip(*columns, strict=True))


def csv_comment(line: str) -> str:
    """Return a comment line to write above a table. Spreadsheets divide it into cells, too. Two apostrophes,
    which a shell removes from a word, make each cell a text."""
    text = FORMULA_INSIDE.sub(r"\1''", one_line(plain(line)))
    return f"# {text}\n"


def _field(value: Value) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, list | tuple):
        value = " ".join(str(item) for item in value)
    if not isinstance(value, str):
        return str(value)
    text: str = FORMULA_BEHIND.sub(r"\1'", shown(value))
    text = "'" + text if FORMULA.match(text) else text
    return '"' + text.replace('"', '""') + '"' if TO_QUOTE.search(text) else text


METHOD = "mine"
"""Default name of the method in the table."""


def template_text(tasks: pa.Table, loss: str, places: Iterable[Sequence[str]] = ()) -> str:
    """Return CSV with a line for each task: its name, a method, the loss, and an empty column for values.

    tasks: those of an archive; places: names such as ("demo", "age") with the tasks to list, none for all.
    Raises DelveError if there are no tasks."""
    wanted = [tuple(place) for place in places] or [()]
    every = starmap(TaskId, rows_of(tasks, ("dataset", "prototask", "task")))
    matching = [one for one in every if any(one[: len(place)] == place for place in wanted)]
    if not matching:
        named = " ".join("/" + "/".join(place) for place in wanted)
        raise Fault(named, "a place with tasks", "none", "dls lists them")
    rows = [[one.title, METHOD, loss, None] for one in matching]
    return csv_text(["dataset", "method", "loss", "value"], rows)
