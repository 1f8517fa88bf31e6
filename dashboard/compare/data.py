"""The numbers of the Compare page: what can be compared, estimates, pairs, losses by instance and by case.

All come from `delvecore.stats`; here they are chosen, ordered and put in units of the baseline. Rows are
shared: they must not be changed."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.compare.choice import ComparedTask, Request
from dashboard.server import archive as opened
from delvecore.losses.published import PublishedValue
from delvecore.losses.spec import is_logarithmic, metric_of
from delvecore.model import SCORED, task_title
from delvecore.plots import words
from delvecore.report.published import published_on, standardized
from delvecore.stats.choose import Setting, turned_verdict
from delvecore.stats.losses.comparisons import CaseDifferences, case_differences
from delvecore.stats.losses.pairs import compare_all
from delvecore.stats.losses.standardization import standardized_mean, standardized_spread, usable_constant
from delvecore.stats.notes import parsed

__all__ = [
    *("Row", "case_losses", "chosen_estimates", "chosen_pairs", "compared_tasks", "constant_of"),
    *(
        "estimates",
        "in_its_metric",
        "instance_losses",
        "is_scored",
        "is_standardizable",
        "ordered_pairs",
        "oriented",
        "pairs",
    ),
    *("left_out", "pairs_against", "published", "ranked", "shown_pairs", "task_of", "title_of"),
]

Row = Mapping[str, Any]
"""A row of an Arrow table by column, with more columns of the same kinds."""
PLACE = ("dataset", "prototask", "task")
_KEY = ("dataset", "prototask", "prior", "training_size", "task")
_SPREADS = ("sd_training", "sd_cases", "sd_residual")
_TURNED = (("method_a", "method_b"), ("mean_a", "mean_b"), ("standardized_mean_a", "standardized_mean_b"))
_MEANS = ("mean", "mean_a", "mean_b", *(f"standardized_{name}" for name in ("mean", "mean_a", "mean_b")))
_NEGATED = ("difference", "standardized_difference", "statistic")
_BOUNDS = (("lower", "upper"), ("standardized_lower", "standardized_upper"))


@opened.cached
def compared_tasks(state: str) -> dict[str, ComparedTask]:
    """Every task with results, by full path, sorted by dataset, prototask, prior and training size."""
    archive = opened.archive_of(state)
    found = archive.index.methods_on
    designs = {_place(row): row["test_set_selection"] for row in opened.rows(state, "tasks")}
    tasks = []
    for row in archive.results.select(_KEY).take(archive.index.first_rows).to_pylist():
        names, task = _place(row), row.pop("task")
        design, path = designs.get(names, "hierarchical"), words.task_path(*names)
        tasks.append((*row.values(), task, ComparedTask(path, **row, design=design, losses=found[names])))
    return {task.path: task for *_, task in sorted(tasks, key=lambda one: one[:-1])}


def _place(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in PLACE)


def _names_of(path: str) -> tuple[str, str, str]:
    """Dataset, prototask, and the task's name such as `std.128`, of its full path."""
    dataset, prototask, task = path.strip("/").split("/")
    return dataset, prototask, task


def task_of(request: Request) -> ComparedTask:
    """The task of a request."""
    return compared_tasks(request.state)[request.task]


@opened.cached
def estimates(state: str, task: str, loss: str) -> tuple[Row, ...]:
    """The methods' expected losses on a task, lowest first; those without a mean last, equals by name.

    The columns of `results`, with the standard deviations in units of the baseline as
    `standardized_sd_training` and so on."""
    place = _names_of(task)
    archive = opened.archive_of(state)
    rows = archive.results.take(archive.index.rows_of(place, loss)).to_pylist()
    found = [row | _standardized_spreads(row) for row in rows]
    return tuple(sorted(found, key=lambda row: (row["mean"] is None, row["mean"] or 0.0, row["method"])))


def ranked(state: str, task: str, loss: str) -> list[str]:
    """The methods with results on a task, lowest mean loss first."""
    return [row["method"] for row in estimates(state, task, loss)]


def chosen_estimates(request: Request) -> list[Row]:
    """The estimates of the methods chosen, in their order."""
    rows = {row["method"]: row for row in estimates(request.state, request.task, request.loss)}
    return [rows[name] for name in request.methods]


@opened.cached
def published(request: Request) -> tuple[PublishedValue, ...]:
    """What was published elsewhere on the task, in the unit chosen, lowest first."""
    found = published_on(opened.archive_of(request.state), request.place, request.loss)
    if not request.is_standardized:
        return found
    return standardized(found, loss=request.loss, constant=constant_of(request))


@opened.cached
def left_out(state: str, place: tuple[str, ...], loss: str, counted: int) -> str:
    """`22 more left out for censored targets`: of the test cases of each training set, more than those that
    are counted under the loss; empty where all are."""
    planned = next((row["test_cases"] or 0 for row in opened.rows(state, "tasks") if _place(row) == place), 0)
    prototasks = (
        row for row in opened.rows(state, "prototasks") if (row["dataset"], row["prototask"]) == place[:2]
    )
    targets = next((row["targets"] for row in prototasks), ())
    facts = [
        row
        for row in opened.rows(state, "attributes")
        if row["dataset"] == place[0] and row["attribute"] in targets
    ]
    kinds = ("missing",) if is_logarithmic(loss) else ("missing", "censored")
    why, missed = " or ".join(kind for kind in kinds if any(row[kind] for row in facts)), planned - counted
    return f"{missed:,} more left out for {why} targets" if why and missed > 0 else ""


def is_scored(request: Request) -> bool:
    """Is there nothing but scores, or a metric, which say nothing of single test cases?"""
    return request.place[1] == SCORED or metric_of(request.loss) is not None


def shown_pairs(request: Request, *others: str) -> list[Row]:
    """The pairs of each method chosen with each of these, as `pairs_against` has them, in their metric."""
    return [in_its_metric(pair) for pair in pairs_against(request, *others)]


def title_of(request: Request) -> str:
    """The task in words: its path, of scores the dataset."""
    return task_title(*request.place)


def constant_of(request: Request) -> float | None:
    """The baseline's loss, by which losses of the task are standardized."""
    constant: float | None = estimates(request.state, request.task, request.loss)[0]["standardizer"]
    return constant


def is_standardizable(request: Request) -> bool:
    """Can the losses be put in units of the baseline? Those of a metric have no other unit."""
    return metric_of(request.loss) is None and usable_constant(request.loss, constant_of(request)) is not None


def _standardized_spreads(row: Row, names: Sequence[str] = _SPREADS) -> dict[str, float | None]:
    loss, constant = row["loss"], row["standardizer"]
    return {f"standardized_{name}": standardized_spread(loss, row[name], constant) for name in names}


@opened.cached
def pairs(
    state: str,
    task: str,
    loss: str,
    family: tuple[str, ...],
    setting: Setting,
    shown: frozenset[str] | None = None,
) -> tuple[Row, ...]:
    """The pairs of the methods shown, None for all of a family of methods on a task: the columns of
    `archive.comparisons` by this setting, p adjusted for all pairs of the family.

    Means, bounds and standard deviations in units of the baseline are added as `standardized_...`."""
    constants = {(*_place(row), loss): row["standardizer"] for row in estimates(state, task, loss)}
    tasks = opened.archive_of(state).tasks
    losses = _task_losses(state, task, loss)
    against = None if shown is None else {_names_of(task): shown}
    compare = functools.partial(compare_all, losses, tasks, constants, loss=loss)
    table = compare(methods=family, against=against, setting=setting)
    if shown is not None:
        names = pa.array(sorted(shown), pa.string())
        is_shown = (pc.is_in(table[name], value_set=names) for name in ("method_a", "method_b"))
        table = table.filter(pc.and_(*is_shown))
    rows = table.to_pylist()
    for row in rows:
        row |= _standardized_spreads(row, (*_SPREADS, "lower", "upper"))
        for name in ("mean_a", "mean_b"):
            row[f"standardized_{name}"] = standardized_mean(loss, row[name], row["standardizer"])
    return tuple(rows)


def chosen_pairs(request: Request) -> tuple[Row, ...]:
    """All pairs of the methods chosen, as the archive has them."""
    shown = frozenset(request.methods)
    family = request.family or tuple(sorted(shown))
    place = request.state, request.task, request.loss
    return pairs(*place, family, request.setting, None if shown == set(family) else shown)


def pairs_against(request: Request, *others: str) -> list[Row]:
    """The pairs of each method chosen (a) with each of these (b), one after the other, in their order."""
    by_names = {frozenset((pair["method_a"], pair["method_b"])): pair for pair in chosen_pairs(request)}
    return [
        oriented(by_names[frozenset((name, other))], name)
        for other in others
        for name in request.methods
        if name != other and frozenset((name, other)) in by_names
    ]


def ordered_pairs(request: Request) -> list[Row]:
    """Each pair of the methods chosen once, the better one as method_b: differences are positive."""
    place = {name: number for number, name in enumerate(request.methods)}
    pairs = pairs_against(request, *request.methods)
    return [pair for pair in pairs if place[pair["method_a"]] > place[pair["method_b"]]]


def oriented(pair: Row, first: str) -> Row:
    """Return a pair with the method `first` as method_a: differences change their sign with the order."""
    if pair["method_a"] == first:
        return dict(pair)
    turned = dict(pair) | {"verdict": turned_verdict(pair["verdict"])}
    turned["notes"] = [str(note.turned) for note in parsed(pair["notes"])]
    for a, b in _TURNED:
        turned[a], turned[b] = pair[b], pair[a]
    _turn_differences(turned, pair)
    return turned


def in_its_metric(row: Row) -> Row:
    """Return a row of estimates or pairs as it is shown: where it has losses that are kept of a metric, with
    the values of this, differences of these, and its name; of losses of cases as it is."""
    metric = metric_of(row["loss"])
    if metric is None:
        return row
    found = dict(row) | {"loss": metric.name}
    if not metric.higher_is_better:
        return found
    for name in (name for name in _MEANS if row.get(name) is not None):
        found[name] = float(metric.values_of(row[name]))
    if "difference" in row:
        _turn_differences(found, row)
    return found


def _turn_differences(found: dict[str, Any], row: Row) -> None:
    for name in _NEGATED:
        found[name] = _negative(row[name])
    for low, high in _BOUNDS:
        found[low], found[high] = _negative(row[high]), _negative(row[low])


def _negative(value: float | None) -> float | None:
    return value if value is None or value == 0 else -value


@opened.cached
def _task_losses(state: str, task: str, loss: str) -> pa.Table:
    """The losses table's rows of one task and loss."""
    return opened.archive_of(state).losses_at(task, loss=loss)


@opened.cached
def instance_losses(state: str, task: str, loss: str) -> dict[str, dict[int, float]]:
    """Mean loss of each method on the test cases of each task instance: {method: {instance: mean}}."""
    table = _task_losses(state, task, loss)
    found: dict[str, dict[int, float]] = {}
    columns = (table[name].to_pylist() for name in ("method", "instance"))
    for method, instance, values in zip(*columns, table["values"], strict=True):
        found.setdefault(method, {})[instance] = float(np.mean(values.values.to_numpy()))
    return found


def case_losses(request: Request, method: str) -> tuple[CaseDifferences | None, tuple[int, ...]]:
    """How does a method differ from the reference, case by case? Returns the differences, None where they do
    not fit, and the numbers of the instances that both have."""
    return _case_losses(request.of_pair(method))


@opened.cached
def _case_losses(request: Request) -> tuple[CaseDifferences | None, tuple[int, ...]]:
    rows_a, rows_b = (_rows_of(request, method) for method in request.methods)
    shared = tuple(sorted(rows_a.keys() & rows_b.keys()))
    lengths = {len(rows[number]) for rows in (rows_a, rows_b) for number in shared}
    if len(lengths) != 1:
        return None, shared
    stacks = (np.array([rows[number] for number in shared]) for rows in (rows_a, rows_b))
    return case_differences(*stacks, design=task_of(request).design), shared


def _rows_of(request: Request, method: str) -> dict[int, np.ndarray]:
    table = _task_losses(request.state, request.task, request.loss)
    table = table.filter(pc.equal(table["method"], method))
    rows = zip(table["instance"].to_pylist(), table["values"], strict=True)
    return {number: values.values.to_numpy() for number, values in rows}
