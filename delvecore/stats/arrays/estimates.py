"""Tables of every method on every task of an array: values, winners, differences and costs; also crossings
of learning curves."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from statistics import median
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.stats.array_types import Floats, Place, Row
from delvecore.stats.arrays.results import NO_RESULTS, ArrayResults, GridCell
from delvecore.stats.choose import SIGNIFICANT, Verdict
from delvecore.stats.ranking.ranks import DATASET, TASK
from delvecore.tables import (
    ARRAY_COSTS,
    ARRAY_DIFFERENCES,
    ARRAY_ESTIMATES,
    ARRAY_TALLIES,
    ARRAY_WINNERS,
    METHOD_COSTS,
    rows_of,
)

ONE_METHOD = "only one method has results: there is nothing to compare it with"
ONE_INSTANCE = "only one task instance: no test can show which methods are not worse"
UNTESTED = "not all methods could be tested against the best"
NO_COSTS = "no costs recorded"
TALLIED = {
    "better": Verdict.BETTER,
    "worse": Verdict.WORSE,
    "not_significant": Verdict.NOT_SIGNIFICANT,
    "not_tested": Verdict.NOT_TESTED,
}
_Cost = tuple[float, float | None]
_Costs = dict[tuple[Place, str], list[_Cost]]
_Columns = dict[str, pa.Array | pa.ChunkedArray]


def array_estimates(data: ArrayResults, *, reference: str | None = None) -> pa.Table:
    """Estimates of each method on each task of an array. One row per cell of the grid x method.

    Schema `ARRAY_ESTIMATES`: cells in the order of `data.cells`, methods in that of `data.methods`.
    reference: method that the others are compared with. The difference (method minus reference), its error
    and p are null without a reference. missing: reason for a missing value; such rows are included. Raises
    ValueError for an unknown reference."""
    columns = _keys(data, ARRAY_ESTIMATES) | {
        "instances": pa.array(data.instances.ravel(), mask=data.instances.ravel() == 0),
        "standardized_mean": _numbers(data.value),
        "standardized_error": _numbers(data.error),
        "missing": pa.array(data.missing.ravel(), pa.string()),
        "note": pa.array(np.repeat([data.remarks.get(n) for n in range(len(data.cells))], len(data.methods))),
    }
    if reference is not None:
        columns |= _against(data, data.method_number(reference))
    return pa.table(columns, schema=ARRAY_ESTIMATES)


def array_differences(data: ArrayResults, *, reference: str) -> pa.Table:
    """Differences of each method from a reference on each task, with tests.

    Schema `ARRAY_DIFFERENCES`, one row per cell x method. Differences are of values, method minus reference;
    verdict: on the method, null for the reference itself and if there is no value. Raises ValueError as
    `array_estimates` does."""
    number = data.method_number(reference)
    columns = _keys(data, ARRAY_DIFFERENCES) | _against(data, number)
    # A difference is missing for the same reason as the value of one of the two methods.
    others = np.repeat(data.missing[:, number], len(data.methods)).tolist()
    rows = zip(data.missing.ravel().tolist(), others, columns["note"].to_pylist(), strict=True)
    notes = [why or (f"{reference}: {other}" if other else note) for why, other, note in rows]
    return pa.table(columns | {"note": pa.array(notes, pa.string())}, schema=ARRAY_DIFFERENCES)


def _keys(data: ArrayResults, schema: pa.Schema) -> _Columns:
    """Return columns with one row per cell and method, in the order of cells, null except for the keys."""
    names = [{"method": method, "loss": data.measure.key} for method in data.methods]
    table = pa.Table.from_pylist([cell.row | name for cell in data.cells for name in names], schema=schema)
    return dict(zip(table.column_names, table.columns, strict=True))


def _numbers(values: Floats) -> pa.Array:
    return pa.array(values.ravel(), pa.float64(), from_pandas=True)


def _against(data: ArrayResults, reference: int) -> _Columns:
    """Return the columns of the comparison of each method with a reference."""
    cells, methods = data.value.shape
    notes = [data.note(cell, method, reference) for cell in range(cells) for method in range(methods)]
    verdict = data.verdict[:, :, reference].copy()
    verdict[:, reference] = verdict[np.isnan(data.value)] = None
    names = ("difference", "difference_error", "p", "p_adjusted")
    return {name: _numbers(getattr(data, name)[:, :, reference]) for name in names} | {
        "reference": pa.array([data.methods[reference]] * data.value.size, pa.string()),
        "test": pa.array(data.test[:, :, reference].ravel(), pa.string()),
        "verdict": pa.array(verdict.ravel(), pa.string()),
        "note": pa.array(notes, pa.string()),
    }


def array_winners(data: ArrayResults) -> pa.Table:
    """Winners: the method with the best mean on each task, and those not significantly worse.

    Schema `ARRAY_WINNERS`, one row per cell of the grid. In a gap of the grid, `best` is null and the note
    gives the reason. Methods are listed best first. `not_worse` has the methods whose difference from the
    best is not significant, and `worse` the others. `untested` has those without a p (one instance, no common
    instances, identical losses), and `without_results` those without a value. p is adjusted over all pairs of
    the task. This also accounts for the choice of the best by its estimate; ties are decided by name.
    """
    return pa.Table.from_pylist(
        [_winner(data, cell) for cell in range(len(data.cells))], schema=ARRAY_WINNERS
    )


def array_tallies(data: ArrayResults, *, unit: str = TASK) -> pa.Table:
    """Number of tasks on which each method is significantly better than each other method.

    Schema `ARRAY_TALLIES`, one row per ordered pair. Tasks without a result of both methods do not count.
    unit: see `ranks.array_unit`. A dataset has the verdict of most of its tasks; without such a
    majority, the difference is not significant."""
    units = np.array([str(cell.dataset if unit == DATASET else cell.place) for cell in data.cells])
    belongs = (np.unique(units)[:, None] == units).astype(float)
    known = ~np.isnan(data.value)
    both = known[:, :, None] & known[:, None, :]
    tasks = np.tensordot(belongs, both, 1)
    counts = {}
    for name, one in TALLIED.items():
        held = np.tensordot(belongs, both & (data.verdict == one), 1)
        # See `ranks.on_most_tasks`.
        counts[name] = (2 * held > tasks).sum(axis=0)
    counts["not_significant"] += (tasks > 0).sum(axis=0) - sum(counts.values())
    rows = []
    for first, second in permutations(range(len(data.methods)), 2):
        names = {"method": data.methods[first], "other": data.methods[second], "loss": data.measure.key}
        rows.append(names | {name: int(matrix[first, second]) for name, matrix in counts.items()})
    return pa.Table.from_pylist(rows, schema=ARRAY_TALLIES)


def _winner(data: ArrayResults, cell: int) -> Row:
    known, missing = np.flatnonzero(~np.isnan(data.value[cell])), data.missing[cell].tolist()
    without = [name for name, why in zip(data.methods, missing, strict=True) if why]
    row = data.cells[cell].row | {"loss": data.measure.key, "without_results": without}
    if not len(known):
        # The first reason that is not merely the absence of results.
        reason = next((reason for reason in missing if reason != NO_RESULTS), NO_RESULTS)
        lists: Row = {name: [] for name in ("not_worse", "not_worse_p", "worse", "worse_p", "untested")}
        return row | lists | {"note": data.cells[cell].missing or reason}
    order = known[np.lexsort((np.array(data.methods)[known], data.oriented[cell, known]))].tolist()
    best, others = order[0], order[1:]
    row |= {"best": data.methods[best], "instances": int(data.instances[cell, best])}
    row |= _standardized(data, cell, best)
    verdicts, p = data.verdict[cell, others, best], data.p_adjusted[cell, others, best]
    worse, untested = verdicts == Verdict.WORSE, verdicts == Verdict.NOT_TESTED
    chosen = {"not_worse": ~worse & ~untested, "worse": worse, "untested": untested}
    names = {name: [data.methods[others[k]] for k in np.flatnonzero(mask)] for name, mask in chosen.items()}
    row |= {f"{name}_p": p[chosen[name]].tolist() for name in ("not_worse", "worse")}
    verdicts = data.verdict[cell][np.triu_indices(len(data.methods), 1)]
    row["tested_pairs"] = int(np.count_nonzero(verdicts != Verdict.NOT_TESTED))
    row["significant_pairs"] = int(np.isin(verdicts, SIGNIFICANT).sum())
    note = None if others else ONE_METHOD
    if names["untested"]:
        is_one = data.instances[cell, order].max() < 2
        note = ONE_INSTANCE if is_one else f"{UNTESTED}: {', '.join(names['untested'])}"
    return row | names | {"note": "; ".join(filter(None, (note, data.remarks.get(cell)))) or None}


def _standardized(data: ArrayResults, cell: int, method: int) -> Row:
    """Return the standardized mean and its error, None if missing."""
    numbers = {"standardized_mean": data.value[cell, method], "standardized_error": data.error[cell, method]}
    return {name: None if np.isnan(value) else float(value) for name, value in numbers.items()}


def array_costs(data: ArrayResults, costs: pa.Table) -> pa.Table:
    """Costs and values of each method on each task. Schema `ARRAY_COSTS`.

    costs: table of an archive, one row per method x task x instance. Seconds are processor time for learning
    and prediction of one instance. instances: number with recorded costs, null without any. One row per cell
    of the grid x method, cells first. missing: reason for missing costs."""
    known = _by_place(costs, data)
    rows = []
    for number, cell in enumerate(data.cells):
        for method, name in enumerate(data.methods):
            spent = known.get((cell.place, name), [])
            row = cell.row | {"method": name, "loss": data.measure.key} | _standardized(data, number, method)
            rows.append(row | _spent(spent) | {"missing": None if spent else cell.missing or NO_COSTS})
    return pa.Table.from_pylist(rows, schema=ARRAY_COSTS)


def method_costs(data: ArrayResults, costs: pa.Table) -> pa.Table:
    """Costs of each method on the whole array, and its average value.

    Schema `METHOD_COSTS`, one row per method. median_seconds: median of all its instances with recorded
    costs; mean_loss: average value over the `compared_tasks` on which all methods have results, so that
    methods are compared on the same tasks; null without such tasks.
    """
    known = _by_place(costs, data)
    has_value = ~np.isnan(data.value)
    shared = has_value[:, has_value.any(axis=0)].all(axis=1)
    rows = []
    for number, method in enumerate(data.methods):
        spent = [known.get((cell.place, method), []) for cell in data.cells if cell.missing is None]
        every = [cost for task in spent for cost in task]
        row: Row = {"method": method, "loss": data.measure.key, "tasks": sum(map(bool, spent))}
        row |= _spent(every)
        compared = shared & has_value[:, number]
        mean = float(data.value[compared, number].mean()) if compared.any() else None
        row |= {"mean_loss": mean, "compared_tasks": int(compared.sum())}
        rows.append(row | {"note": None if every else NO_COSTS})
    return pa.Table.from_pylist(rows, schema=METHOD_COSTS)


def _by_place(costs: pa.Table, data: ArrayResults) -> _Costs:
    """Return {(place, method): [(seconds, megabytes)]} for the tasks and methods of an array."""
    datasets = sorted({cell.dataset for cell in data.cells if cell.dataset and cell.missing is None})
    costs = costs.filter(pc.is_in(costs["dataset"], value_set=pa.array(datasets, pa.string())))
    names = ("dataset", "prototask", "task", "method", "seconds", "megabytes")
    costs_by_place: _Costs = {}
    for row in rows_of(costs, names):
        costs_by_place.setdefault((row[:3], row[3]), []).append(row[4:])
    return costs_by_place


def _spent(known: Sequence[_Cost]) -> Row:
    """Return the cost columns for some instances, null without costs."""
    if not known:
        return {"instances": None}
    seconds = [one for one, _ in known]
    row: Row = {"instances": len(known), "median_seconds": median(seconds), "total_seconds": sum(seconds)}
    return row | {"most_megabytes": max((size for _, size in known if size is not None), default=None)}


class Crossing(NamedTuple):
    """Crossing of two learning curves: one method overtakes another between two sizes of training sets.

    Attributes
    ----------
    before, after : GridCell
        The tasks with the smaller and the larger training sets.
    behind : str
        Method that is better before.
    ahead : str
        Method that is better after.
    is_significant : bool
        Whether they differ significantly at both sizes.
    share : float
        Position of the crossing of straight lines between the sizes, on a logarithmic scale.
    value : float
        Value at the crossing.
    """

    before: GridCell
    after: GridCell
    behind: str
    ahead: str
    is_significant: bool
    share: float
    value: float


def crossings(results: ArrayResults, *, all_pairs: bool = False) -> list[Crossing]:
    """Return the places where the best value passes from one method to another as training sets grow.

    Crossings that are significant at both sizes come first. all_pairs: include all pairs of curves, not only
    the best ones. A method without a value at one of two sizes has no crossing between them."""
    members: dict[tuple[str, ...], list[int]] = {}
    for number, cell in enumerate(results.cells):
        if np.isfinite(results.value[number]).any():
            members.setdefault(cell.levels, []).append(number)
    crossed = []
    for curve in members.values():
        curve.sort(key=lambda number: results.cells[number].training_size)
        for before, after in pairwise(curve):
            cells = results.cells[before], results.cells[after]
            for behind, ahead in (_pairs if all_pairs else _best)(results, before, after):
                ends = results.value[[before, after]]
                first, last = (ends[:, ahead] - ends[:, behind]).tolist()
                share, (low, high) = first / (first - last), ends[:, behind].tolist()
                is_significant = (
                    results.verdict[before, behind, ahead] == Verdict.BETTER
                    and results.verdict[after, ahead, behind] == Verdict.BETTER
                )
                names, value = (results.methods[behind], results.methods[ahead]), low + share * (high - low)
                crossed.append(Crossing(*cells, *names, is_significant, share, value))
    return sorted(crossed, key=lambda one: not one.is_significant)


def _pairs(results: ArrayResults, before: int, after: int) -> Iterator[tuple[int, int]]:
    """Yield (behind, ahead) for each pair of methods whose curves cross."""
    for one, other in combinations(range(len(results.methods)), 2):
        first, last = (
            results.oriented[cell, one] - results.oriented[cell, other] for cell in (before, after)
        )
        if first * last < 0:
            yield (one, other) if first < 0 else (other, one)


def _best(results: ArrayResults, before: int, after: int) -> Iterator[tuple[int, int]]:
    """Yield (behind, ahead) if the best method changes."""
    old, new = (int(np.nanargmin(results.oriented[cell])) for cell in (before, after))
    if old != new and np.isfinite(results.value[before, new]) and np.isfinite(results.value[after, old]):
        yield old, new
