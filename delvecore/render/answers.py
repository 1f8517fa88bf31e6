"""Answers in text, CSV, JSON and LaTeX, whatever their question."""

import json
import math
from collections.abc import Callable
from typing import Any

from delvecore.answers.answer import Answer, Kind
from delvecore.render.csv import csv_text
from delvecore.render.grid import Column, Grid, grid_of_texts
from delvecore.render.latex import latex_grid
from delvecore.render.numbers import p_text, rounded
from delvecore.render.spans import plain
from delvecore.render.text import aligned, fold


def answer_text(
    found: Answer, form: str, *, label: str = "tab:ranking", methods: Answer | None = None
) -> str:
    """Return an answer in one of ANSWER_FORMATS; KeyError for another.

    label: for references in LaTeX; methods: a second table, with a row a method, for JSON."""
    return _json(found, label, methods) if form == "json" else ANSWER_FORMATS[form](found, label)


def _shown(value: Any, kind: Kind, decimals: int | None) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if decimals is not None:
        return rounded(value, decimals)
    if kind == "p":
        return p_text(value)
    if kind == "share":
        return rounded(100 * value, 1) + " %"
    return f"{value + 0.0:.3g}" if kind == "number" else str(value)


def _texts(found: Answer) -> list[list[str]]:
    return [
        [_shown(value, field.kind, field.decimals) for value, field in zip(row, found.fields, strict=True)]
        for row in found.rows
    ]


def _text(found: Answer, _label: str) -> str:
    names = sum(field.kind == "name" for field in found.fields)
    rows = [[field.title for field in found.fields], *_texts(found)]
    notes = [line for note in found.notes for line in fold(note, "")]
    return "\n".join([*fold(found.sentence, ""), "", *aligned(rows, left=names), "", *notes, ""])


def _csv(found: Answer, _label: str) -> str:
    return csv_text([field.key for field in found.fields], found.rows)


def _json(found: Answer, _label: str, methods: Answer | None = None) -> str:
    record = {"question": found.question, "answer": found.sentence, "rows": _records(found)}
    record |= {} if methods is None else {"methods": _records(methods)}
    record["notes"] = [*found.notes, *(methods.notes if methods else ())]
    return json.dumps(finite(record), indent=1, ensure_ascii=False) + "\n"


def _records(found: Answer) -> list[dict[str, Any]]:
    keys = [field.key for field in found.fields]
    return [dict(zip(keys, finite(row), strict=True)) for row in found.rows]


def finite(value: Any) -> Any:
    """Return a value for JSON: texts without marks, None for each number that is infinite or not a number."""
    if isinstance(value, dict):
        return dict(zip(value, map(finite, value.values()), strict=True))
    if isinstance(value, list | tuple):
        return list(map(finite, value))
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str):
        return plain(value)
    return value.item() if hasattr(value, "item") else value


def answer_grid(found: Answer, label: str) -> Grid:
    """Return an answer as a finished table."""
    columns = [
        Column(one.title, "l" if one.kind == "name" else "r", (one.group,) if one.group else ())
        for one in found.fields
    ]
    return grid_of_texts(
        columns, _texts(found), caption=found.sentence, notes=found.notes, label=label, bold=found.bold
    )


def _latex(found: Answer, label: str) -> str:
    return latex_grid(answer_grid(found, label))


ANSWER_FORMATS: dict[str, Callable[[Answer, str], str]] = {
    "text": _text,
    "json": _json,
    "csv": _csv,
    "latex": _latex,
}
