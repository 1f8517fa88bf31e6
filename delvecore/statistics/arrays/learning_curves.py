"""How fast does a method learn? The slope of its loss against the logarithm of the training set's size."""

from math import exp

import numpy as np
import pyarrow as pa

from delvecore.statistics.arrays.effects import LOG, NO_VARIANCE, cell_estimates, used_scale
from delvecore.statistics.arrays.factorial import CellEstimates, estimate_contrast
from delvecore.statistics.arrays.results import ArrayResults
from delvecore.statistics.choose import DEFAULT_LEVEL
from delvecore.statistics.kinds import Row, Whole
from delvecore.tables import LEARNING_SLOPES

__all__ = ["ONE_SIZE", "learning_slopes"]

ONE_SIZE = "results for one size of training sets only: there is no slope"


def learning_slopes(
    data: ArrayResults, *, scale: str | None = None, level: float = DEFAULT_LEVEL
) -> pa.Table:
    """By how much does the loss fall with each doubling of the training set? One row a member x method.

    Schema `LEARNING_SLOPES`, members in the order of the grid. slope: of the least-squares line through the
    standardized losses (their natural logarithms on the scale `log`) against log2 of the size, all sizes
    counting alike; below zero the method learns. ratio: exp(slope), what a doubling multiplies the loss with;
    null on the scale `raw`. Error, interval and p (of no slope) are propagated from the task instances; the
    line is a summary, curves need not be straight. scale: as in `array_effects`. sizes: those with results;
    holes and single sizes have a row with a note.
    """
    used = used_scale(data, scale)
    members: dict[tuple[str, ...], list[int]] = {}
    for number, cell in enumerate(data.cells):
        members.setdefault(cell.levels, []).append(number)
    curves = [cell_estimates(data, number, used) for number in range(len(data.methods))]
    facts: Row = {"loss": data.loss, "scale": used}
    rows = [
        facts | _member(data, numbers[0]) | _slope(data, method, curve, np.array(numbers), used, level)
        for numbers in members.values()
        for method, curve in enumerate(curves)
    ]
    fields = {field.name: field.type for field in LEARNING_SLOPES}
    columns = {name: pa.array([row.get(name) for row in rows], kind) for name, kind in fields.items()}
    return pa.table(columns, schema=LEARNING_SLOPES)


def _member(data: ArrayResults, number: int) -> Row:
    cell = data.cells[number]
    row: Row = {name: getattr(cell, name) for name in ("dataset", "prototask", "prior")}
    return row | {"levels": list(cell.levels)}


def _slope(
    data: ArrayResults, method: int, curve: CellEstimates, numbers: Whole, scale: str, level: float
) -> Row:
    """Return the columns about one method on the cells of one member."""
    used = numbers[np.isfinite(curve.values[numbers])]
    sizes = [data.cells[number].training_size for number in used]
    row: Row = {"method": data.methods[method], "sizes": sizes}
    if len(used) < 2:
        reasons = dict.fromkeys(data.missing[numbers, method].tolist())
        return row | {"note": ONE_SIZE if len(used) else ", ".join(filter(None, reasons))}
    line = np.log2(np.array(sizes, dtype=float))
    line -= line.mean()
    found = estimate_contrast(line / (line @ line), curve.of(used), level=level)
    row |= {"slope": found.value, "ratio": exp(found.value) if scale == LOG else None}
    if np.isnan(found.standard_error):
        return row | {"note": NO_VARIANCE}
    names = ("standard_error", "degrees", "lower", "upper", "p")
    return row | {name: getattr(found, name) for name in names}
