"""One answer over many tasks: a sentence, a table, notes; in text, CSV, JSON and LaTeX."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from delvecore.report.grid import Column, Grid, grid_of_texts
from delvecore.report.rounding import p_text, rounded
from delvecore.report.writers.csv import csv_text
from delvecore.report.writers.latex import latex_grid
from delvecore.report.writers.text import aligned, fold

__all__ = ["FINDING_FORMATS", "Field", "Finding", "Kind", "finding_text"]

Kind = Literal["name", "number", "share", "p", "count"]


@dataclass(frozen=True)
class Field:
    """A column. key: in CSV and JSON; title: for readers; kind: how its values are rounded for them."""

    key: str
    title: str
    kind: Kind
    values: Sequence[Any] | NDArray[Any]


@dataclass(frozen=True)
class Finding:
    """question: its word, such as `regret`; sentence: the answer in one line; notes: what readers must know
    of how it was found. JSON and CSV have full precision; what is not a number is null, or empty."""

    question: str
    sentence: str
    fields: tuple[Field, ...]
    notes: tuple[str, ...]

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """The values of each row in Python's own types."""
        columns = [np.asarray(field.values).tolist() for field in self.fields]
        return list(zip(*columns, strict=True))


def finding_text(found: Finding, form: str, *, label: str = "tab:ranking") -> str:
    """Return a finding in one of FINDING_FORMATS; KeyError for another. label: for references in LaTeX."""
    return FINDING_FORMATS[form](found, label)


def _shown(value: Any, kind: Kind) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if kind == "p":
        return p_text(value)
    if kind == "share":
        return rounded(100 * value, 1) + " %"
    return f"{value + 0.0:.3g}" if kind == "number" else str(value)


def _texts(found: Finding) -> list[list[str]]:
    kinds = [field.kind for field in found.fields]
    return [[_shown(*cell) for cell in zip(row, kinds, strict=True)] for row in found.rows]


def _text(found: Finding, _label: str) -> str:
    names = sum(field.kind == "name" for field in found.fields)
    rows = [[field.title for field in found.fields], *_texts(found)]
    notes = [line for note in found.notes for line in fold(note, "")]
    return "\n".join([*fold(found.sentence, ""), "", *aligned(rows, left=names), "", *notes, ""])


def _csv(found: Finding, _label: str) -> str:
    return csv_text([field.key for field in found.fields], found.rows)


def _json(found: Finding, _label: str) -> str:
    keys = [field.key for field in found.fields]
    rows = [dict(zip(keys, map(_plain, row), strict=True)) for row in found.rows]
    record = {"question": found.question, "answer": found.sentence, "rows": rows, "notes": list(found.notes)}
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def grid_of(found: Finding, label: str) -> Grid:
    """Return a finding as a finished table."""
    columns = [Column(field.title, "l" if field.kind == "name" else "r") for field in found.fields]
    return grid_of_texts(columns, _texts(found), caption=found.sentence, notes=found.notes, label=label)


def _latex(found: Finding, label: str) -> str:
    return latex_grid(grid_of(found, label))


FINDING_FORMATS: dict[str, Callable[[Finding, str], str]] = {
    "text": _text,
    "json": _json,
    "csv": _csv,
    "latex": _latex,
}
