"""What is known of the tasks of a task-array under one loss: the ground of all its statistics.

A task of an array is a member (a choice of a level of each factor) with one size of training sets. The grid
of an array has a cell for each combination of levels and each of its sizes, also where no member, no task or
no result stands there: holes are part of every table made of it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from delvecore.model import TaskArray
from delvecore.statistics.arrays.covariance import Covariance, method_covariances
from delvecore.statistics.arrays.grid import (
    LEFT_OUT,
    NO_MEMBER,
    NO_SIZE,
    NO_TASK,
    GridCell,
    Place,
    array_cells,
)
from delvecore.statistics.choose import is_settled
from delvecore.statistics.kinds import Floats, Mask, Whole
from delvecore.statistics.losses.blocks import designs_by_task
from delvecore.statistics.losses.pairs import compare_all
from delvecore.statistics.losses.standardization import standardized_spread

__all__ = [
    "LEFT_OUT",
    "NO_CONSTANT",
    "NO_MEAN",
    "NO_MEMBER",
    "NO_RESULTS",
    "NO_SIZE",
    "NO_TASK",
    "ArrayResults",
    "GridCell",
    "array_cells",
    "array_comparisons",
    "array_results",
]

NO_RESULTS = "no results"
NO_MEAN = "undefined"
NO_CONSTANT = "not standardized"
TESTS = (None, "t", "F")
_Notes = dict[tuple[int, int, int], str]
_Pairs = tuple[Floats, Floats, Floats, NDArray[np.int8], Whole, _Notes]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayResults:
    """One array under one loss; numbers by (cell, method), or by (cell, method, method).

    value, error: standardized expected loss and its standard error, lower is better; degrees: the degrees of
    freedom of that error (Satterthwaite's); instances: how many the estimate rests on; missing: why there is
    no value, else None; covariance: of the estimates. difference: standardized loss of the first method less
    that of the second; difference_error, p: its standard error and p-value, as mstats has them; tests:
    position in TESTS; compared: how many instances both have; notes: remarks on a comparison by (cell,
    first, second). Not a number: there is none.
    """

    array: TaskArray
    loss: str
    cells: tuple[GridCell, ...]
    methods: tuple[str, ...]
    value: Floats
    error: Floats
    degrees: Floats
    instances: Whole
    missing: NDArray[np.object_]
    covariance: Covariance
    difference: Floats
    difference_error: Floats
    p: Floats
    tests: NDArray[np.int8]
    compared: Whole
    notes: Mapping[tuple[int, int, int], str]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of training sets of the array, ascending."""
        return tuple(sorted({cell.training_size for cell in self.cells}))

    def method_number(self, name: str) -> int:
        """Return the position of a method. Raises ValueError for one that is not among them."""
        if name not in self.methods:
            raise ValueError(f"expected one of the methods {', '.join(self.methods)}, got {name!r}")
        return self.methods.index(name)

    def settled(self, p: Floats, *, reference: int, level: float) -> Mask:
        """Which differences from a method, by its number, are significant? p: by cell and method."""
        test, instances = np.array(TESTS)[self.tests[:, :, reference]], self.compared[:, :, reference]
        return is_settled(p, level=level, test=test, instances=instances)

    def note(self, cell: int, first: int, second: int) -> str | None:
        """Return what is to be said of a comparison, or None."""
        return self.notes.get((cell, min(first, second), max(first, second)))


def _of_places(table: pa.Table, places: Iterable[Place], loss: str) -> pa.Table:
    """Return the rows of a table that belong to these tasks and this loss, in their order."""
    wanted = pa.array(sorted({"/".join(filter(None, place)) for place in places}), pa.string())
    rows = table.filter(pc.equal(table["loss"], loss))
    paths = pc.binary_join_element_wise(rows["dataset"], rows["prototask"], rows["task"], "/")
    return rows.filter(pc.is_in(paths, value_set=wanted))


def array_comparisons(
    cells: Sequence[GridCell], *, loss: str, tasks: pa.Table, results: pa.Table, losses: pa.Table
) -> pa.Table:
    """Return all pairs of methods on the tasks of an array under one loss: schema `tables.COMPARISONS`.

    The same rows as in the archive's `comparisons`, without waiting for those of other tasks and losses.
    tasks, results, losses: those of the archive.
    """
    known = _of_places(results, _places(cells), loss)
    return compare_all(_usable(known, losses, loss), tasks, known)


def _places(cells: Sequence[GridCell]) -> list[Place]:
    return [cell.place for cell in cells if cell.missing is None]


def _usable(results: pa.Table, losses: pa.Table, loss: str) -> pa.Table:
    """Return the losses of the tasks that have results."""
    return _of_places(losses, set(_rows(results, ("dataset", "prototask", "task"))), loss)


def array_results(
    array: TaskArray,
    *,
    loss: str,
    tasks: pa.Table,
    results: pa.Table,
    losses: pa.Table | None = None,
    comparisons: pa.Table | None = None,
    methods: Sequence[str] | None = None,
) -> ArrayResults:
    """What is known of an array under one loss? Reads the tables of an archive once; the rest is arithmetic.

    losses or comparisons: that of the archive; without either there are no p-values. methods: these, in this
    order; None for all with results on a task of the array, by name.
    """
    cells = array_cells(array, tasks)
    rows = _of_places(results, _places(cells), loss)
    losses = None if losses is None else _usable(rows, losses, loss)
    if comparisons is None and losses is not None:
        comparisons = compare_all(losses, tasks, rows)
    position = {cell.place: number for number, cell in enumerate(cells) if cell.missing is None}
    names = tuple(sorted(set(rows["method"].to_pylist())) if methods is None else dict.fromkeys(methods))
    found = _estimates(rows, cells, position, names, designs_by_task(tasks))
    value, error, degrees, instances, missing, units = found
    covariance = method_covariances(
        losses,
        tasks,
        loss=loss,
        groups=_groups(array, cells),
        methods=names,
        errors=error,
        degrees=degrees,
        units=units,
    )
    estimates = (value, error, degrees, instances, missing, covariance)
    pairs = _pairs(comparisons, position, names, loss, len(cells))
    return ArrayResults(array, loss, cells, names, *(*estimates, *pairs))


def _groups(array: TaskArray, cells: Sequence[GridCell]) -> list[list[tuple[int, Place]]]:
    """Return for each member the (number, place) of its cells."""
    found: dict[tuple[str, ...], list[tuple[int, Place]]] = {member.levels: [] for member in array.members}
    for number, cell in enumerate(cells):
        if cell.missing is None:
            found[cell.levels].append((number, cell.place))
    return list(found.values())


def _rows(table: pa.Table, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    return zip(*(table[name].to_pylist() for name in names), strict=True)


def _estimates(
    rows: pa.Table,
    cells: Sequence[GridCell],
    position: Mapping[Place, int],
    methods: Sequence[str],
    designs: Mapping[tuple[str, str, str], str],
) -> tuple[Floats, Floats, Floats, Whole, NDArray[np.object_], Floats]:
    """Return value, error, degrees, instances, missing, units: arrays of (cells, methods).

    units: what a difference of losses is multiplied with to standardize it.
    """
    shape = (len(cells), len(methods))
    value, error, degrees, units = (np.full(shape, np.nan) for _ in range(4))
    instances, missing = np.zeros(shape, dtype=int), np.full(shape, NO_RESULTS, dtype=object)
    for number, cell in enumerate(cells):
        missing[number] = cell.missing or NO_RESULTS
    number_of = {method: number for number, method in enumerate(methods)}
    names = ("mean", "standardized_mean", "standardized_error", "instances")
    parts = ("test_cases", "sd_training", "sd_cases", "sd_residual")
    columns = ("dataset", "prototask", "task", "method", "loss", "standardizer", *names, *parts)
    for dataset, prototask, task, method, loss, constant, mean, shown, spread, count, *sizes in _rows(
        rows, columns
    ):
        place = (dataset, prototask, task)
        if method not in number_of:
            continue
        at = position[place], number_of[method]
        instances[at] = count
        missing[at] = NO_MEAN if mean is None else NO_CONSTANT if shown is None else None
        if shown is not None:
            value[at], units[at] = shown, standardized_spread(loss, 1.0, constant)
        if shown is not None and spread is not None:
            error[at], degrees[at] = spread, _degrees(designs.get(place), count, *sizes)
    return value, error, degrees, instances, missing, units


def _degrees(
    design: str | None,
    instances: int,
    test_cases: float | None,
    training: float | None,
    cases: float | None,
    residual: float,
) -> float:
    """Return Satterthwaite's degrees of freedom of a standard error: equation 3 or 12.

    A variance component that was set to zero leaves its mean square out of the error, as `anova` has it.
    """
    if test_cases is None or training is None:
        return instances - 1.0
    left = residual**2
    if design != "common":
        return instances - 1.0 if training > 0 else instances * (test_cases - 1.0)
    rows = test_cases * training**2 + left if training > 0 else 0.0
    columns = instances * (cases or 0.0) ** 2 + left if cases else 0.0
    share = left * (1 - bool(rows) - bool(columns))
    total = rows + columns + share
    free = (instances - 1.0, test_cases - 1.0)
    spread = rows**2 / free[0] + columns**2 / free[1] + share**2 / (free[0] * free[1])
    return total**2 / spread if spread else instances - 1.0


def _pairs(
    comparisons: pa.Table | None, position: Mapping[Place, int], methods: Sequence[str], loss: str, count: int
) -> _Pairs:
    """Return difference, error, p, tests, instances: arrays of (cells, methods, methods), and the notes."""
    shape = (count, len(methods), len(methods))
    numbers = np.full((3, *shape), np.nan)
    tests, compared = np.zeros(shape, dtype=np.int8), np.zeros(shape, dtype=int)
    notes: _Notes = {}
    if comparisons is None:
        return numbers[0], numbers[1], numbers[2], tests, compared, notes
    number_of = {method: number for number, method in enumerate(methods)}
    rows = _of_places(comparisons, list(position), loss)
    found = [position[place] for place in _rows(rows, ("dataset", "prototask", "task"))]
    ends = ([number_of.get(name, -1) for name in rows[f"method_{end}"].to_pylist()] for end in "ab")
    places, first, second = (np.array(each, dtype=int) for each in (found, *ends))
    known = (first >= 0) & (second >= 0)
    at, turned = (places[known], first[known], second[known]), (places[known], second[known], first[known])
    for number, name in enumerate(("standardized_difference", "standardized_error", "p")):
        column = rows[name].to_numpy(zero_copy_only=False).astype(float)[known]
        numbers[number][at] = column
        numbers[number][turned] = -column if number == 0 else column
    codes = pc.fill_null(pc.index_in(rows["test"], value_set=pa.array(TESTS[1:])), -1)
    tests[at] = tests[turned] = codes.to_numpy(zero_copy_only=False)[known] + 1
    counts = pc.fill_null(rows["instances"], 0).to_numpy(zero_copy_only=False)
    compared[at] = compared[turned] = counts[known]
    for where in np.flatnonzero(known & rows["note"].is_valid().to_numpy(zero_copy_only=False)).tolist():
        low, high = sorted((int(first[where]), int(second[where])))
        notes[int(places[where]), low, high] = rows["note"][where].as_py()
    return numbers[0], numbers[1], numbers[2], tests, compared, notes
