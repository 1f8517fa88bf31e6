"""Answers to any question in text, CSV, JSON and LaTeX."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from delvecore.answers.answer import Answer, Column, Table
from delvecore.render.csv import csv_text
from delvecore.render.document import reading_records
from delvecore.render.grid import Column as GridColumn
from delvecore.render.grid import Grid, grid_of_texts
from delvecore.render.json import json_text
from delvecore.render.latex import latex_grid
from delvecore.render.markup import html_grid, markdown_grid, typst_grid
from delvecore.render.numbers import p_text, rounded, significant
from delvecore.render.text import aligned, fold, text_grid
from delvecore.score_tables.score_file import Reading


def answer_text(
    answer: Answer,
    form: str,
    *,
    label: str = "tab:ranking",
    methods: Answer | None = None,
    readings: Sequence[Reading] = (),
) -> str:
    """Return an answer in one of ANSWER_FORMATS; KeyError for another format.

    label: for references in LaTeX. JSON also has `methods`, a second table with a row per method, and
    `readings`, which describe how scores were read."""
    if form == "json":
        return _json(answer, label, methods, readings)
    return WRITERS[form](answer, label)


def shown(value: Any, column: Column) -> str:
    """Return the displayed text of a value of a column, empty for None and NaN."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if column.decimals is not None:
        return rounded(value, column.decimals)
    if column.kind == "p":
        return p_text(value)
    if column.kind == "share":
        return rounded(100 * value, 1) + " %"
    return significant(value) if column.kind == "number" else str(value)


def shown_rows(table: Table) -> list[list[str]]:
    """Return the displayed texts of the cells of a table."""
    return [[shown(value, one) for value, one in zip(row, table.columns, strict=True)] for row in table.rows]


def records(table: Table) -> list[dict[str, Any]]:
    """Return the rows for JSON."""
    keys = table.keys
    return [dict(zip(keys, row, strict=True)) for row in table.rows]


def _text(answer: Answer, label: str) -> str:
    if answer.shown is not None:
        return text_grid(answer_grid(answer, label))
    columns = answer.table.columns
    rows = [[one.title for one in columns], *shown_rows(answer.table)]
    notes = [line for note in answer.notes for line in fold(note, "")]
    names = sum(one.kind == "name" for one in columns)
    cells = ["", *aligned(rows, left=names)] if len(answer.table) else []
    return "\n".join([*fold(answer.headline, ""), *cells, "", *notes, ""])


def _json(
    answer: Answer, _label: str, methods: Answer | None = None, readings: Sequence[Reading] = ()
) -> str:
    record: dict[str, Any] = {"read": reading_records(readings), "question": answer.question}
    record |= {"answer": answer.headline, "rows": records(answer.table)}
    record |= {} if methods is None else {"methods": records(methods.table)}
    return json_text(record | {"notes": [*answer.notes, *(methods.notes if methods else ())]})


def answer_grid(answer: Answer, label: str) -> Grid:
    """Return an answer as a finished table."""
    table = answer.table if answer.shown is None else answer.shown
    columns = [
        GridColumn(one.title, "l" if one.kind == "name" else "r", (one.group,) if one.group else ())
        for one in table.columns
    ]
    bold = {(row, table.keys.index(key)) for row, key in table.bold}
    about: dict[str, Any] = {"caption": answer.headline, "notes": answer.notes, "label": label}
    grid = grid_of_texts(columns, shown_rows(table), bold=bold, **about)
    return replace(grid, repeated=answer.repeated)


WRITERS: dict[str, Callable[[Answer, str], str]] = {
    "text": _text,
    "json": _json,
    "csv": lambda answer, _: csv_text(answer.table.keys, answer.table.rows),
    "latex": lambda answer, label: latex_grid(answer_grid(answer, label)),
    "markdown": lambda answer, label: markdown_grid(answer_grid(answer, label)),
    "html": lambda answer, label: html_grid(answer_grid(answer, label)),
    "typst": lambda answer, label: typst_grid(answer_grid(answer, label)),
}
"""Writers of the formats of `ANSWER_FORMATS`."""
