"""Every method on every task of an array: its standardized loss, and how it differs from a reference."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from delvecore.statistics.adjust import adjust as adjusted
from delvecore.statistics.arrays.results import TESTS, ArrayResults
from delvecore.statistics.choose import DEFAULT_LEVEL
from delvecore.statistics.kinds import Floats
from delvecore.tables import ARRAY_DIFFERENCES, ARRAY_ESTIMATES

__all__ = [
    "HIGHER",
    "LOWER",
    "NOT_SETTLED",
    "NOT_TESTED",
    "REFERENCE",
    "array_differences",
    "array_estimates",
    "cell_columns",
]

LOWER, HIGHER = "significantly lower", "significantly higher"
NOT_SETTLED, NOT_TESTED, REFERENCE = "not significantly different", "not tested", "the reference"


def array_estimates(data: ArrayResults, *, reference: str | None = None) -> pa.Table:
    """How does each method do on each task of an array? One row a cell of the grid x method.

    Schema `ARRAY_ESTIMATES`: cells in the order of `data.cells`, methods in that of `data.methods`.
    reference: the method that difference (below zero: better than the reference), its error and p refer to;
    None leaves them null. missing: why there is no loss; such rows are there, too. Raises ValueError for a
    reference that is not among the methods. compared: how many instances p rests on.
    """
    columns = _keys(data) | {
        "instances": pa.array(data.instances.ravel(), mask=data.instances.ravel() == 0),
        "standardized_mean": _numbers(data.value),
        "standardized_error": _numbers(data.error),
        "missing": pa.array(data.missing.ravel().tolist(), pa.string()),
    }
    columns |= _against(data, None if reference is None else data.method_number(reference))
    return pa.table({name: columns[name] for name in ARRAY_ESTIMATES.names}, schema=ARRAY_ESTIMATES)


def array_differences(
    data: ArrayResults, *, reference: str, level: float = DEFAULT_LEVEL, adjust: bool = False
) -> pa.Table:
    """Where is each method better or worse than a reference, by how much, and is it sure?

    Schema `ARRAY_DIFFERENCES`, one row a cell x method. Differences are in standardized loss, method less
    reference; standing: whether p, or p_adjusted where adjust is asked for, is significant at this level
    of confidence. p_adjusted: Holm's over the methods tested on the same task. Raises ValueError as
    `array_estimates` does.
    """
    number = data.method_number(reference)
    p = data.p[:, :, number]
    p_adjusted = np.array([adjusted(row, untested=True) for row in p]).reshape(p.shape)
    standing = _standings(data, number, p_adjusted if adjust else p, level)
    columns = _keys(data) | _against(data, number)
    columns |= {
        "p_adjusted": _numbers(p_adjusted),
        "standing": pa.array(standing.ravel().tolist(), pa.string()),
        "note": _reasons(data, number),
    }
    return pa.table({name: columns[name] for name in ARRAY_DIFFERENCES.names}, schema=ARRAY_DIFFERENCES)


def _standings(data: ArrayResults, reference: int, p: Floats, level: float) -> NDArray[np.object_]:
    """Return how each method stands to the reference, an array of words by cell and method."""
    difference = data.difference[:, :, reference]
    with np.errstate(invalid="ignore"):
        direction = np.where(difference < 0, LOWER, HIGHER)
        settled = data.settled(p, reference=reference, level=level) & (difference != 0)
    standing = np.where(settled, direction, NOT_SETTLED)
    standing = np.where(np.isnan(p), NOT_TESTED, standing).astype(object)
    standing[:, reference] = REFERENCE
    standing[np.isnan(data.value)] = None
    return standing


def cell_columns(data: ArrayResults) -> dict[str, pa.Array]:
    """Return the columns that say which cell of the grid a row is about, a row a cell."""
    names = ("levels", "training_size", "dataset", "prototask", "prior", "task")
    return {
        name: pa.array([getattr(cell, name) for cell in data.cells], ARRAY_ESTIMATES.field(name).type)
        for name in names
    }


def _keys(data: ArrayResults) -> dict[str, pa.Array]:
    cells, methods = len(data.cells), len(data.methods)
    rows = pa.array(np.repeat(np.arange(cells), methods))
    columns = {name: column.take(rows) for name, column in cell_columns(data).items()}
    columns["method"] = pa.array(list(data.methods) * cells, pa.string())
    columns["loss"] = pa.array([data.loss] * (cells * methods), pa.string())
    return columns


def _numbers(values: Floats) -> pa.Array:
    return pa.array(values.ravel(), pa.float64(), from_pandas=True)


def _against(data: ArrayResults, reference: int | None) -> dict[str, pa.Array]:
    """Return the columns of the comparison of each method with a reference."""
    names = ("difference", "difference_error", "p")
    if reference is None:
        empty = pa.nulls(data.value.size, pa.string())
        numbers = {name: pa.nulls(data.value.size, pa.float64()) for name in names}
        return numbers | {
            "reference": empty,
            "test": empty,
            "note": empty,
            "compared": pa.nulls(data.value.size, pa.int64()),
        }
    columns = {name: _numbers(getattr(data, name)[:, :, reference]) for name in names}
    codes = data.tests[:, :, reference].ravel().tolist()
    columns["reference"] = pa.array([data.methods[reference]] * data.value.size, pa.string())
    columns["compared"] = pa.array(data.compared[:, :, reference].ravel())
    columns["test"] = pa.array([TESTS[code] for code in codes], pa.string())
    columns["note"] = pa.array(_notes(data, reference), pa.string())
    return columns


def _notes(data: ArrayResults, reference: int) -> list[str | None]:
    """Return what is to be said of each comparison with the reference, a row a cell and method."""
    cells, methods = data.value.shape
    return [data.note(cell, method, reference) for cell in range(cells) for method in range(methods)]


def _reasons(data: ArrayResults, reference: int) -> pa.Array:
    """Return the notes, and where there is no difference the reason: why a method has no loss."""
    own = data.missing.ravel().tolist()
    name, others = data.methods[reference], np.repeat(data.missing[:, reference], len(data.methods)).tolist()
    rows = zip(own, others, _notes(data, reference), strict=True)
    return pa.array(
        [why or (f"{name}: {other}" if other else note) for why, other, note in rows], pa.string()
    )
