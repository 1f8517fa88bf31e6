"""Results of a task-array under one measure, with covariances: the input of all its statistics.

A task of an array is a member (a choice of a level of each factor) with one size of training sets. The grid
of an array has a cell for each combination of levels of its members and each of its sizes. Cells without a
member, task or result are holes, which are part of every table of the array.

All tasks of a member are tested on the same cases, so a hard test case raises the losses of all sizes. Errors
of averages and contrasts over sizes must account for that. Test cases are divided evenly and in order into
disjoint test sets, so each set of a task with 4 instances joins two sets of a task with 8. Blocks of test
cases that all sizes share are the replicates. The cases of a common test set are the replicates themselves.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import gcd
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from delvecore.measures import Measure
from delvecore.model import TaskArray, TaskId, task_name
from delvecore.number_format.columns import places_among, rows_where
from delvecore.stats.array_types import Floats, Mask, Place, Row, Whole
from delvecore.stats.choose import DEFAULT_SETTING, Setting, Verdict, turned_verdict
from delvecore.stats.designs import Design
from delvecore.stats.losses.comparisons import compare_all
from delvecore.stats.losses.results import designs_by_task, read_losses, standardized_spread
from delvecore.stats.notes import parsed, words_of
from delvecore.stats.orientation import oriented
from delvecore.stats.ranking.score_table import CommonRuns
from delvecore.tables import rows_of, values_in


@dataclass(frozen=True, slots=True, eq=False)
class CellEstimates:
    """Estimates of cells. The estimates of several methods have an additional first axis.

    Attributes
    ----------
    values, covariance : array of shape (cells,), (cells, cells)
        Estimates and their covariances.
    unit : array of shape (cells,)
        Number of the group of cells that vary together; different groups are independent.
    degrees : array of shape (cells,)
        Degrees of freedom of each cell's group.
    """

    values: Floats
    covariance: Floats
    unit: Whole
    degrees: Floats

    def of(self, cells: Whole | Mask) -> "CellEstimates":
        """Return the estimates of some cells, selected by their numbers or by a mask."""
        covariance = self.covariance[cells][:, cells]
        return CellEstimates(self.values[cells], covariance, self.unit[cells], self.degrees[cells])

    def satterthwaite(self, parts: Floats, *, size: float) -> tuple[float, float]:
        """Return (variance, degrees of freedom) of a sum of parts by cell, NaN without a variance.

        size: sum of the absolute values of the terms. A relatively tiny variance is rounding error."""
        _, first, place = np.unique(self.unit, return_index=True, return_inverse=True)
        by_unit = np.bincount(place, parts)
        variance = float(by_unit.sum())
        if not (np.isfinite(variance) and variance > ROUNDING * size):
            return np.nan, np.nan
        return variance, variance**2 / float((by_unit**2 / self.degrees[first]).sum())


ROUNDING = 1e-13
"""A sum below this share of the sum of the absolute values of its terms is rounding error."""
_Task = tuple[int, Whole, Sequence[Floats]]
"""Number of instances of a task, the present instances, and their losses, which may be in a file."""


def _method_estimates(
    known: Mapping[tuple[Place, str], _Task],
    groups: Iterable[Sequence[tuple[int, Place]]],
    designs: Mapping[Place, Design | None],
    *,
    methods: Sequence[str],
    values: Floats,
    errors: Floats,
    degrees: Floats,
    units: Floats,
) -> CellEstimates:
    """Return the estimates of each method; without losses all cells are independent.

    groups: (number of the cell, place) of the sizes of each member; they are independent if instances do not
    match. values, errors, degrees, units: see `_estimates`."""
    cells, count = errors.shape
    matrix = np.zeros((count, cells, cells))
    matrix[:, range(cells), range(cells)] = errors.T**2
    estimates = CellEstimates(values.T, matrix, np.tile(np.arange(cells), (count, 1)), degrees.T.copy())
    for (number, method), group in product(enumerate(methods), groups):
        some = [(cell, place) for cell, place in group if (place, method) in known]
        kinds = {designs.get(place) for _, place in some}
        if len(some) > 1 and len(kinds) == 1:
            at = np.array([cell for cell, _ in some])
            of_tasks = [known[place, method] for _, place in some]
            _enter(estimates, number, at, of_tasks, kinds.pop(), units=units)
    return estimates


def _enter(
    estimates: CellEstimates,
    number: int,
    at: Whole,
    of_tasks: Sequence[_Task],
    design: Design | None,
    *,
    units: Floats,
) -> None:
    """Set the covariances of a method's estimates at some cells with one design."""
    if design is None or design.overlaps:
        return
    if design.is_common:
        part, degrees = _case_covariance(of_tasks), np.nanmin(estimates.degrees[number, at], initial=np.inf)
    else:
        part, degrees = block_covariance(of_tasks)
    if part is None or not np.isfinite(degrees):
        return
    part = part * np.outer(units[at, number], units[at, number])
    if design.is_common:
        np.fill_diagonal(part, estimates.covariance[number, at, at])
    estimates.covariance[number][np.ix_(at, at)] = part
    estimates.unit[number, at], estimates.degrees[number, at] = at[0], degrees


def block_covariance(tasks: Sequence[_Task]) -> tuple[Floats | None, float]:
    """Return the covariances of the means of tasks on the same test cases, and their degrees of freedom.

    The test cases are divided in order: with g the greatest common divisor of the numbers of instances, there
    are g blocks of cases that every task has. The means over the instances of each block are the replicates.
    None if there are fewer than two blocks with instances of all tasks."""
    blocks = gcd(*(count for count, _, _ in tasks))
    table = np.full((len(tasks), blocks), np.nan)
    for row, (count, instances, losses) in zip(table, tasks, strict=True):
        block, means = instances * blocks // count, [values.mean() for values in losses]
        present = np.bincount(block, minlength=blocks)
        with np.errstate(invalid="ignore"):
            row[:] = np.bincount(block, means, minlength=blocks) / present
    table = table[:, np.isfinite(table).all(axis=0)]
    replicates = table.shape[1]
    if replicates < 2:
        return None, np.nan
    return np.atleast_2d(np.cov(table)) / replicates, replicates - 1.0


def _case_covariance(tasks: Sequence[_Task]) -> Floats | None:
    """Return the covariances of means over the same cases. The caller replaces the variances."""
    if len({len(values) for *_, losses in tasks for values in losses}) != 1:
        return None
    table = np.array([np.mean(losses, axis=0) for *_, losses in tasks])
    return np.cov(table) / table.shape[1] if table.shape[1] > 1 else None


def _tasks_by_method(losses: pa.Table, tasks: pa.Table, loss: str) -> dict[tuple[Place, str], _Task]:
    counts: dict[Place, int] = {}
    if "instances" in tasks.column_names:
        names = ("dataset", "prototask", "task", "instances")
        counts = {row[:3]: row[3] for row in rows_of(tasks, names)}
    data = read_losses(losses, loss=loss)
    losses_by_method: dict[tuple[Place, str], _Task] = {}
    for block in data.blocks:
        for number, method in enumerate(block.methods):
            rows = range(block.starts[number], block.starts[number + 1])
            values = [data.lists.span(r, r + 1) for r in rows]
            if all(len(value) for value in values):
                instances = data.instances[list(rows)]
                count = counts.get(block.task) or int(instances.max()) + 1
                losses_by_method[block.task, method] = count, instances, values
    return losses_by_method


NO_MEMBER = "no such member of the array"
NO_TASK = "the archive does not have the tasks of this member"
NO_SIZE = "no task of this size"
LEFT_OUT = (NO_MEMBER, NO_TASK, NO_SIZE)
"""Why a cell of the grid is not a task."""
NO_RESULTS, NO_MEAN, NO_CONSTANT = "no results", "undefined", "not standardized"
_PLACE = ("dataset", "prototask", "task")


@dataclass(frozen=True, slots=True)
class GridCell:
    """One combination of levels (names, in the order of the factors) with one size of training sets.

    Attributes
    ----------
    levels : tuple of str
        Names of the levels, in the order of the factors.
    training_size : int
        Size of training sets.
    dataset, prototask, prior, task
        Place of the member, None if there is none.
    missing : str or None
        One of LEFT_OUT if the archive does not have the cell's task, otherwise None.
    """

    levels: tuple[str, ...]
    training_size: int
    dataset: str | None = None
    prototask: str | None = None
    prior: str | None = None
    missing: str | None = None

    @property
    def task(self) -> str | None:
        """Name of the task, such as std.128."""
        return None if self.prior is None else task_name(self.prior, self.training_size)

    @property
    def place(self) -> Place:
        return self.dataset, self.prototask, self.task

    @property
    def row(self) -> Row:
        """The columns of a table that identify the cell, with their values."""
        names = ("levels", "training_size", "dataset", "prototask", "prior", "task")
        return {name: getattr(self, name) for name in names}


def array_cells(array: TaskArray, tasks: pa.Table) -> tuple[GridCell, ...]:
    """Return the cells of an array, one per task or hole, factors first, sizes ascending.

    tasks: the tasks of the archive. The sizes of the array are all sizes of its members in the archive."""
    places = {member.levels: (member.dataset, member.prototask, member.prior) for member in array.members}
    known: dict[tuple[str, ...], set[int]] = {place: set() for place in places.values()}
    for *place, size in rows_of(tasks, ("dataset", "prototask", "prior", "training_size")):
        if tuple(place) in known:
            known[tuple(place)].add(size)
    cells = []
    for levels in product(*([level.name for level in factor.levels] for factor in array.shown)):
        for size in sorted(set().union(*known.values())):
            member = places.get(levels)
            if member is None:
                cells.append(GridCell(levels, size, missing=NO_MEMBER))
                continue
            missing = None if size in known[member] else NO_SIZE if known[member] else NO_TASK
            cells.append(GridCell(levels, size, *member, missing))
    return tuple(cells)


@dataclass(frozen=True, slots=True, eq=False)
class ArrayResults:
    """One array under one measure; numbers by (cell, method), or by (cell, method, method).

    Attributes
    ----------
    array : TaskArray
        The task-array.
    measure : Measure
        Measure of the values.
    cells : tuple of GridCell
        Combinations of levels and sizes of training sets.
    methods : tuple of str
        Compared methods.
    value, error : Floats
        Mean of the measure (standardized for losses) and its standard error.
    degrees : Floats
        Degrees of freedom of that error (Satterthwaite).
    instances : Whole
        Number of instances behind the estimate.
    missing : NDArray[np.object_]
        Reason for a missing value, otherwise None.
    estimates : CellEstimates
        The values with their covariances.
    difference : Floats
        Value of the first method minus that of the second.
    difference_error, p, p_adjusted : Floats
        Its standard error and p-values.
    test, verdict : NDArray[np.object_]
        Test, None for none, and its verdict on the first method, as in the archive's comparisons.
    notes : Mapping[tuple[int, int, int], str]
        Remarks on a comparison by (cell, first, second).
    remarks : mapping of int to str
        Remarks on the errors of a cell.
    runs : CommonRuns or None
        Runs over which the estimates are means. A comparison uses the runs of its two methods.
    """

    array: TaskArray
    measure: Measure
    cells: tuple[GridCell, ...]
    methods: tuple[str, ...]
    value: Floats
    error: Floats
    degrees: Floats
    instances: Whole
    missing: NDArray[np.object_]
    estimates: CellEstimates
    difference: Floats
    difference_error: Floats
    p: Floats
    p_adjusted: Floats
    test: NDArray[np.object_]
    verdict: NDArray[np.object_]
    notes: Mapping[tuple[int, int, int], str]
    remarks: Mapping[int, str]
    runs: CommonRuns | None = None

    @property
    def oriented(self) -> Floats:
        """The values with the sign that makes lower better."""
        return oriented(self.value, self.measure)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of training sets of the array, ascending."""
        return tuple(sorted({cell.training_size for cell in self.cells}))

    def method_number(self, name: str) -> int:
        """Return the position of a method. Raises ValueError for an unknown one."""
        if name not in self.methods:
            raise ValueError(f"expected one of the methods {', '.join(self.methods)}, got {name!r}")
        return self.methods.index(name)

    def note(self, cell: int, first: int, second: int) -> str | None:
        """Return the remark on a comparison, or None."""
        return self.notes.get((cell, min(first, second), max(first, second)))


def _of_places(table: pa.Table, places: Iterable[Place], loss: str) -> pa.Table:
    """Return the rows of a table that belong to these tasks and this loss, in their order."""
    wanted = pa.array(sorted({"/".join(filter(None, place)) for place in places}), pa.string())
    rows = rows_where(table, pc.equal(table["loss"], loss))
    paths = pc.binary_join_element_wise(*(rows[name].cast(pa.string()) for name in _PLACE), "/")
    return rows_where(rows, pc.is_in(paths, value_set=wanted))


def array_comparisons(
    cells: Sequence[GridCell],
    *,
    measure: Measure,
    tasks: pa.Table,
    results: pa.Table,
    losses: pa.Table,
    methods: Sequence[str] | None = None,
    setting: Setting = DEFAULT_SETTING,
) -> pa.Table:
    """Return all pairs of methods on the tasks of an array under one measure: schema `tables.COMPARISONS`.

    The rows equal those of `Archive.compare`, but other tasks and measures are not computed. tasks,
    results, losses: tables of the archive."""
    known = _of_places(results, [cell.place for cell in cells if cell.missing is None], measure.key)
    losses = _of_places(losses, rows_of(known, _PLACE), measure.key)
    measures = {measure.key: measure}
    return compare_all(losses, tasks, known, methods=methods, setting=setting, measures=measures)


def array_results(
    array: TaskArray,
    *,
    measure: Measure,
    tasks: pa.Table,
    results: pa.Table,
    losses: pa.Table | None = None,
    comparisons: pa.Table | None = None,
    methods: Sequence[str] | None = None,
    setting: Setting = DEFAULT_SETTING,
    runs: CommonRuns | None = None,
) -> ArrayResults:
    """Results of a task-array under one measure, from the tables of an archive.

    losses or comparisons: table of the archive; without either there are no p-values. methods: methods in
    order; None for all with results on a task of the array, by name. setting: setting of comparisons of
    losses. runs: runs behind the means, if some have no value."""
    cells = array_cells(array, tasks)
    position = {cell.place: number for number, cell in enumerate(cells) if cell.missing is None}
    loss = measure.key
    rows = _of_places(results, position, loss)
    # Only losses of tasks with results.
    losses = None if losses is None else _of_places(losses, rows_of(rows, _PLACE), loss)
    if comparisons is None and losses is not None:
        measures = {loss: measure}
        comparisons = compare_all(losses, tasks, rows, methods=methods, setting=setting, measures=measures)
    names = tuple(sorted(values_in(rows, "method")) if methods is None else dict.fromkeys(methods))
    designs = dict[Place, Design | None](designs_by_task(tasks, measure=measure).items())
    matrices, units = _estimates(rows, cells, position, names, designs)
    missing = matrices["missing"]
    if runs:  # some of which failed
        for cell, method in np.argwhere(missing == NO_RESULTS).tolist():
            path = "/".join(("", *map(str, cells[cell].place)))
            missing[cell, method] = runs.missing(path, names[method]) or NO_RESULTS
    groups: dict[tuple[str, ...], list[tuple[int, Place]]] = {member.levels: [] for member in array.members}
    for place, number in position.items():
        groups[cells[number].levels].append((number, place))
    estimates = _method_estimates(
        {} if losses is None else _tasks_by_method(losses, tasks, loss),
        groups.values(),
        designs,
        methods=names,
        values=matrices["value"],
        errors=matrices["error"],
        degrees=matrices["degrees"],
        units=units,
    )
    remarks: dict[int, str] = {}  # how errors were corrected
    if "notes" in rows.column_names:
        noted = ((position[row[:3]], words_of(parsed(row[3]))) for row in rows_of(rows, (*_PLACE, "notes")))
        remarks = {cell: text for cell, text in noted if text}
    matrices |= _pairs(comparisons, position, names, loss, matrices["instances"] == 0)
    matrices |= {"estimates": estimates, "remarks": remarks}
    return ArrayResults(array, measure, cells, names, **matrices, runs=runs)


def best_first(data: ArrayResults) -> tuple[str, ...]:
    """Return the methods, best first: by their mean place on the tasks, then by name.

    The place is 0 for the best value and 1 for the worst value of a task, for any number of methods."""
    places = np.full(data.value.shape, np.nan)
    for row, values in enumerate(data.oriented):
        finite = np.flatnonzero(np.isfinite(values))
        if len(finite) > 1:
            places[row, finite] = values[finite].argsort().argsort() / (len(finite) - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.nansum(places, axis=0) / np.isfinite(places).sum(axis=0)
    means = np.where(np.isnan(means), 2.0, means)
    return tuple(data.methods[number] for number in np.lexsort((np.array(data.methods), means)))


def _estimates(
    rows: pa.Table,
    cells: Sequence[GridCell],
    position: Mapping[Place, int],
    methods: Sequence[str],
    designs: Mapping[Place, Design | None],
) -> tuple[dict[str, Any], Floats]:
    """Return the columns of `ArrayResults` about estimates, arrays of (cells, methods), and the factor that
    standardizes a difference of losses."""
    shape = (len(cells), len(methods))
    value, error, degrees, units = (np.full(shape, np.nan) for _ in range(4))
    instances, missing = np.zeros(shape, dtype=int), np.full(shape, NO_RESULTS, dtype=object)
    for number, cell in enumerate(cells):
        missing[number] = cell.missing or NO_RESULTS
    columns = (*_PLACE, "method", "loss", "standardizer", "mean", "standardized_mean", "standardized_error")
    sizes = ("instances", "test_cases", "sd_training", "sd_cases", "sd_residual")
    for dataset, prototask, task, *others in rows_of(rows, columns + sizes):
        method, loss, constant, mean, shown, spread, count, *parts = others
        place = TaskId(dataset, prototask, task)
        if method not in methods:
            continue
        at = position[place], methods.index(method)
        instances[at] = count
        missing[at] = NO_MEAN if mean is None else NO_CONSTANT if shown is None else None
        if shown is not None:
            value[at], units[at] = shown, standardized_spread(loss, 1.0, constant)
        if shown is not None and spread is not None:
            error[at], degrees[at] = spread, _degrees(designs.get(place), count, *parts)
    matrices = {
        "value": value,
        "error": error,
        "degrees": degrees,
        "instances": instances,
        "missing": missing,
    }
    return matrices, units


def _degrees(
    design: Design | None,
    instances: int,
    test_cases: float | None,
    training: float | None,
    cases: float | None,
    residual: float,
) -> float:
    """Return Satterthwaite's degrees of freedom of a standard error: equation 3 or 12.

    The error omits the mean square of a variance component that was set to zero, as in `anova`."""
    if test_cases is None or training is None:
        return min(instances - 1.0, design.most_df if design else np.inf)
    left = residual**2
    if design is None or not design.is_common:
        return instances - 1.0 if training > 0 else instances * (test_cases - 1.0)
    rows = test_cases * training**2 + left if training > 0 else 0.0
    columns = instances * (cases or 0.0) ** 2 + left if cases else 0.0
    share = left * (1 - bool(rows) - bool(columns))
    total = rows + columns + share
    free = (instances - 1.0, test_cases - 1.0)
    spread = rows**2 / free[0] + columns**2 / free[1] + share**2 / (free[0] * free[1])
    return total**2 / spread if spread else instances - 1.0


def _pairs(
    comparisons: pa.Table | None,
    position: Mapping[Place, int],
    methods: Sequence[str],
    loss: str,
    has_none: Mask,
) -> dict[str, Any]:
    """Return the notes, and the columns of `ArrayResults` about comparisons, (cells, methods, methods).

    has_none: methods without a result on a cell, which are not compared there."""
    shape = (*has_none.shape, len(methods))
    numbers = {name: np.full(shape, np.nan) for name in ("difference", "difference_error", "p", "p_adjusted")}
    test, verdict = np.full(shape, None, dtype=object), np.full(shape, Verdict.NOT_TESTED, dtype=object)
    notes: dict[tuple[int, int, int], str] = {}
    columns = numbers | {"test": test, "verdict": verdict, "notes": notes}
    if comparisons is None:
        return columns

    rows = _of_places(comparisons, position, loss)
    cell_numbers = [position[place] for place in rows_of(rows, _PLACE)]
    first, second = (places_among(rows[f"method_{end}"], methods) for end in "ab")
    places = np.array(cell_numbers, dtype=int)
    known = (first >= 0) & (second >= 0)
    known &= ~(has_none[places, first] | has_none[places, second])
    at, turned = (places[known], first[known], second[known]), (places[known], second[known], first[known])
    named = ("standardized_difference", "standardized_error", "p", "p_adjusted")
    for name, values in zip(named, numbers.values(), strict=True):
        values[at] = rows[name].to_numpy(zero_copy_only=False).astype(float)[known]
        values[turned] = values[at]
    numbers["difference"][turned] *= -1
    tests, verdicts = (rows[name].to_numpy(zero_copy_only=False)[known] for name in ("test", "verdict"))
    test[at] = test[turned] = tests
    verdict[at], verdict[turned] = verdicts, [turned_verdict(one) for one in verdicts]
    for where in np.flatnonzero(known & rows["note"].is_valid().to_numpy(zero_copy_only=False)).tolist():
        low, high = sorted((int(first[where]), int(second[where])))
        notes[int(places[where]), low, high] = rows["note"][where].as_py()
    return columns
