"""What does a method cost, and what does it gain for that? Seconds and memory beside the loss."""

from collections.abc import Sequence
from statistics import median

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.statistics.arrays.grid import Place
from delvecore.statistics.arrays.results import ArrayResults
from delvecore.statistics.kinds import Row
from delvecore.tables import ARRAY_COSTS, METHOD_COSTS

__all__ = ["NO_COSTS", "array_costs", "method_costs"]

NO_COSTS = "no costs recorded"
_Cost = tuple[float, float | None]
_Costs = dict[tuple[Place, str], list[_Cost]]


def array_costs(data: ArrayResults, costs: pa.Table) -> pa.Table:
    """What does each method cost on each task, and what is its loss there? Schema `ARRAY_COSTS`.

    costs: an archive's, one row a method x task x instance. Seconds are those of the processor for learning
    and predicting one instance; instances: how many have costs recorded (null for none). One row a cell of
    the grid x method, cells first; missing says why there are no costs.
    """
    known = _by_place(costs, data)
    rows = [
        _row(data, cell, method, known.get((data.cells[cell].place, name)))
        for cell in range(len(data.cells))
        for method, name in enumerate(data.methods)
    ]
    return _table(rows, ARRAY_COSTS)


def _table(rows: Sequence[Row], schema: pa.Schema) -> pa.Table:
    return pa.table({field.name: pa.array([row[field.name] for row in rows], field.type) for field in schema})


def _by_place(costs: pa.Table, data: ArrayResults) -> _Costs:
    """Return {(place, method): [(seconds, megabytes)]} for the tasks and methods of an array."""
    datasets = sorted({cell.dataset for cell in data.cells if cell.dataset and cell.missing is None})
    costs = costs.filter(pc.is_in(costs["dataset"], value_set=pa.array(datasets, pa.string())))
    names = ("dataset", "prototask", "task", "method", "seconds", "megabytes")
    found: _Costs = {}
    for row in zip(*(costs[name].to_pylist() for name in names), strict=True):
        found.setdefault((row[:3], row[3]), []).append(row[4:])
    return found


def _row(data: ArrayResults, cell: int, method: int, known: Sequence[_Cost] | None) -> Row:
    where = data.cells[cell]
    row: Row = {
        name: getattr(where, name) for name in ("training_size", "dataset", "prototask", "prior", "task")
    }
    row |= {"levels": list(where.levels), "method": data.methods[method], "loss": data.loss}
    value, error = data.value[cell, method], data.error[cell, method]
    row |= {"standardized_mean": None if value != value else float(value)}
    row |= {"standardized_error": None if error != error else float(error)}
    return row | _spent(known) | {"missing": None if known else where.missing or NO_COSTS}


def _spent(known: Sequence[_Cost] | None) -> Row:
    """Return the columns of what some instances cost."""
    names = ("instances", "median_seconds", "total_seconds", "most_megabytes")
    if not known:
        return dict.fromkeys(names)
    seconds = [one for one, _ in known]
    sizes = [size for _, size in known if size is not None]
    return dict(
        zip(names, (len(known), median(seconds), sum(seconds), max(sizes, default=None)), strict=True)
    )


def method_costs(data: ArrayResults, costs: pa.Table) -> pa.Table:
    """What does each method cost on the whole array, and what does it lose on average? Schema `METHOD_COSTS`.

    One row a method. median_seconds: of all its instances with recorded costs; mean_loss: average
    standardized loss over the `compared_tasks` on which all methods have results, so that methods are
    compared on the same tasks; null where there are none.
    """
    known = _by_place(costs, data)
    has_loss = ~(data.value != data.value)
    shared = has_loss[:, has_loss.any(axis=0)].all(axis=1)
    rows = []
    for number, method in enumerate(data.methods):
        spent = [known.get((cell.place, method), []) for cell in data.cells if cell.missing is None]
        every = [cost for task in spent for cost in task]
        row: Row = {"method": method, "loss": data.loss, "tasks": sum(map(bool, spent))} | _spent(every)
        compared = shared & has_loss[:, number]
        loss = float(data.value[compared, number].mean()) if compared.any() else None
        row |= {"mean_loss": loss, "compared_tasks": int(compared.sum())}
        rows.append(row | {"note": None if every else NO_COSTS})
    return _table(rows, METHOD_COSTS)
