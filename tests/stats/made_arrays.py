"""A small task-array for the tests, with losses worked by hand."""

import pyarrow as pa

from delvecore.losses.spec import measure_named
from delvecore.measures import Measure
from delvecore.model import Factor, Level, Member, TaskArray
from delvecore.stats.arrays.results import ArrayResults, array_results
from delvecore.stats.losses.results import result_table
from tests.stats.tables import loss_table

SIZES = (64, 128)


def factor(name: str, *levels: str) -> Factor:
    return Factor(name, tuple(Level(level, f"{name} {level}") for level in levels))


def array_of(*levels: tuple[str, ...], factors: tuple[Factor, ...] | None = None) -> TaskArray:
    """An array with a member, named after its levels, for each combination given."""
    factors = factors or (factor("inputs", "8", "32"), factor("noise", "m", "h"))
    members = tuple(Member("toy-" + "".join(one), "out", "std", one) for one in levels)
    return TaskArray("toy", "A toy", factors, members)


FULL = array_of(("8", "m"), ("8", "h"), ("32", "m"), ("32", "h"))


def task_table(array: TaskArray, *, sizes: tuple[int, ...] = SIZES, selection: str = "hierarchical"):
    """The archive's table of tasks for all members of an array."""
    rows = [
        (member.dataset, "out", f"std.{size}", "std", size, selection)
        for member in array.members
        for size in sizes
    ]
    names = ("dataset", "prototask", "task", "prior", "training_size", "test_set_selection")
    return pa.table(dict(zip(names, zip(*rows, strict=True), strict=True)))


SQUARED_ERROR = measure_named("S")


def results_of(
    array: TaskArray,
    *losses: tuple,
    measure: Measure = SQUARED_ERROR,
    constant: float = 1.0,
    **options,
) -> ArrayResults:
    """What is known of an array from (dataset, size, method, rows of values), standardized by a constant."""
    loss, measures = measure.key, {measure.key: measure}
    tasks = options.pop("tasks", None) or task_table(array)
    table = loss_table(
        *(((dataset, "out", "std", size), loss, method, rows) for dataset, size, method, rows in losses)
    )
    places = {(dataset, "out", f"std.{size}", loss): constant for dataset, size, _, _ in losses}
    rows = result_table(table, tasks, places, measures)
    return array_results(array, measure=measure, tasks=tasks, results=rows, losses=table, **options)
