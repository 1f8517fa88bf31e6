"""The rows of a table that are asked for: those with some texts in some columns."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.errors import ParseError
from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.records import Where

__all__ = ["NoRowsError", "no_rows", "rows_asked_for"]

SHOWN = 8
"""Texts of a column that a message lists."""


class NoRowsError(ParseError):
    """A table has no rows that are asked for."""


def rows_asked_for(sheet: Sheet, where: Where) -> Sheet:
    """Return a table of the rows that are asked for. NoRowsError where there are none, ParseError for a
    column that is not there."""
    for name, values in where:
        codes = sheet.column(name).codes
        wanted = [place for place, level in enumerate(codes.levels) if level in values]
        rows = np.isin(codes.places, wanted)
        if not rows.any():
            raise no_rows(sheet, ((name, values),))
        sheet = sheet if rows.all() else _of_these(sheet.kept(rows))
    return sheet


def _of_these(sheet: Sheet) -> Sheet:
    """Return a table without the names that stand in none of its rows any more."""
    columns = []
    for column in sheet.columns:
        array = column.array
        if pa.types.is_dictionary(array.type):
            array = pc.dictionary_encode(pc.cast(array, array.type.value_type))
        columns.append(Column(column.name, array))
    return replace(sheet, columns=tuple(columns))


def no_rows(sheet: Sheet, where: Where) -> NoRowsError:
    """Return the error that no rows are as they are asked for. sheet: the table, or its first rows."""
    asked = " and ".join(f"{name} is {' or '.join(values)}" for name, values in where)
    listed = [f"{', '.join(sheet.column(name).codes.levels[:SHOWN])} in {name}" for name, _ in where]
    return NoRowsError(
        sheet.source, None, f"rows where {asked}", "none", f"there are {'; '.join(listed)}, ..."
    )
