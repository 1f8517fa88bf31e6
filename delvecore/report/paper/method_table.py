"""Methods x tasks: which method has the lowest expected loss on each task, and which are not surely worse?

Built from an archive's tables `results` and `comparisons`; `report.method_table_formats` writes it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.statistics.choose import DEFAULT_LEVEL, is_settled
from delvecore.statistics.notes import Note, parsed

__all__ = [
    "ALONE",
    "HIGHER",
    "LOWER",
    "LOWEST",
    "MISSING",
    "NOT_WORSE",
    "UNTESTED",
    "WORSE",
    "Cell",
    "MethodTable",
    "method_table",
]

LOWEST = "lowest"
NOT_WORSE = "not significantly higher"
WORSE = "significantly higher"
UNTESTED = "not tested"
ALONE = "only result"
MISSING = "missing"
LOWER, HIGHER = "lower than the reference", "higher than the reference"
NO_RESULTS, NO_CONSTANT, NO_MEAN = "no results", "not standardized", "undefined"

_NOT_COMPARED: dict = dict.fromkeys(("p", "test", "note", "notes", "instances"))


@dataclass(frozen=True, slots=True)
class Cell:
    """One method on one task.

    value, error: standardized expected loss and its standard error, None where there is none; missing: why
    there is no value, else None. standing: among the methods of the row; p, test, note, notes: of the
    comparison with the lowest of the row, which itself has none. to_reference: LOWER or HIGHER where the
    difference to the reference is significant, else None; reference_p, reference_test: of that difference.
    """

    value: float | None
    error: float | None
    standing: str
    missing: str | None = None
    p: float | None = None
    test: str | None = None
    note: str | None = None
    notes: tuple[Note, ...] = ()
    to_reference: str | None = None
    reference_p: float | None = None
    reference_test: str | None = None


@dataclass(frozen=True, slots=True)
class MethodTable:
    """Cells by task (rows) and method (columns), for one loss; tasks are full paths."""

    loss: str
    level: float
    reference: str | None
    methods: tuple[str, ...]
    tasks: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]


def method_table(
    results: pa.Table,
    comparisons: pa.Table,
    *,
    loss: str,
    tasks: Sequence[tuple[str, str, str]],
    methods: Sequence[str],
    reference: str | None = None,
    level: float = DEFAULT_LEVEL,
) -> MethodTable:
    """How do methods do on tasks under one loss, and which differences are settled?

    results, comparisons: those of an archive. tasks: (dataset, prototask, task), a row each, also where
    nothing was run; methods: a column each. A method is not significantly worse than the lowest of its row
    where the difference of the two is not settled at this level of confidence; p is that of `comparisons`,
    not adjusted.
    """
    estimates = _by_place(results, loss, ("method",))
    pairs = _by_place(comparisons, loss, ("method_a", "method_b"))
    cells = tuple(_row(task, methods, estimates, pairs, reference, level) for task in tasks)
    paths = tuple("/" + "/".join(task) for task in tasks)
    return MethodTable(loss, level, reference, tuple(methods), paths, cells)


def _by_place(table, loss, names):
    """Return {(task, *methods): row} of one loss; task: (dataset, prototask, task)."""
    found = table.filter(pc.equal(table["loss"], loss)).to_pylist()
    return {
        ((row["dataset"], row["prototask"], row["task"]), *(row[name] for name in names)): row
        for row in found
    }


def _row(task, methods, estimates, pairs, reference, level):
    values = {method: _estimate(estimates.get((task, method))) for method in methods}
    known = {method: value for method, (value, _, _) in values.items() if value is not None}
    lowest = min(known, key=known.get, default=None)
    cells = []
    for method in methods:
        value, error, missing = values[method]
        facts = {"value": value, "error": error, "missing": missing}
        if value is not None:
            facts |= _standing(task, method, lowest, known, pairs, level)
            facts |= _to_reference(task, method, reference, pairs, level)
        cells.append(Cell(**{"standing": MISSING, **facts}))
    return tuple(cells)


def _estimate(row):
    """Return (value, error, why there is no value)."""
    if row is None:
        return None, None, NO_RESULTS
    if row["mean"] is None or math.isnan(row["mean"]):
        return None, None, NO_MEAN
    if row["standardized_mean"] is None:
        return None, None, NO_CONSTANT
    return row["standardized_mean"], row["standardized_error"], None


def _standing(task, method, lowest, known, pairs, level):
    if len(known) == 1:
        return {"standing": ALONE}
    if known[method] == known[lowest]:
        return {"standing": LOWEST}
    row, _ = _pair(task, method, lowest, pairs)
    p = row["p"]
    settled = is_settled(p, level=level, test=row["test"], instances=row["instances"])
    standing = UNTESTED if p is None else WORSE if settled else NOT_WORSE
    facts = {name: row[name] for name in ("p", "test", "note")}
    return {"standing": standing, "notes": parsed(row["notes"]), **facts}


def _to_reference(task, method, reference, pairs, level):
    if reference is None or method == reference:
        return {}
    row, difference = _pair(task, method, reference, pairs)
    p, test = row["p"], row["test"]
    settled = difference and is_settled(p, level=level, test=test, instances=row["instances"])
    found = (LOWER if difference < 0 else HIGHER) if settled else None
    return {"to_reference": found, "reference_p": p, "reference_test": test}


def _pair(task, method, other, pairs):
    """Return (the row of the comparison, difference method less other); None for what is not there."""
    first, second = sorted((method, other))
    row = pairs.get((task, first, second)) or pairs.get((task, second, first))
    if row is None:
        return _NOT_COMPARED, None
    sign = 1 if row["method_a"] == method else -1
    difference = None if row["difference"] is None else sign * row["difference"]
    return row, difference
