"""The numbers of the Compare page, of the archive and `delvecore.stats`; rows are shared and not changed."""

import functools
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.compare.choice import ComparedTask, Request
from dashboard.server import archive as opened
from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui.commands import command_text
from delvecore.answers.answer import Answer
from delvecore.answers.compare_methods import TaskComparison
from delvecore.answers.compare_pair import SPREADS, STOCHASTIC, Row, deciding_cases, standardized_spreads
from delvecore.archive import Archive, task_details
from delvecore.archive.task_details import stochastic_trainings
from delvecore.losses.published import PUBLISHED_SIGN, PublishedValue
from delvecore.losses.spec import is_logarithmic, parse_loss
from delvecore.model import SCORED, TaskId
from delvecore.plots import theme
from delvecore.plots.figure import Figure
from delvecore.report import words
from delvecore.report.published import published_on, standardized
from delvecore.stats.choose import Setting
from delvecore.stats.losses.case_tests import CaseDifferences, case_differences
from delvecore.stats.losses.comparisons import compare_all
from delvecore.stats.losses.results import standardized_mean, usable_constant
from delvecore.stats.orientation import oriented

PLACE = ("dataset", "prototask", "task")
_KEY = ("dataset", "prototask", "prior", "training_size", "task")


@cached
def compared_tasks(archive: Archive) -> dict[str, ComparedTask]:
    """Every task with results, by full path, sorted by dataset, prototask, prior and training size."""
    found = archive.index.methods_on
    designs = {_place(row): row["test_set_selection"] for row in opened.rows(archive, "tasks")}
    tasks = []
    for row in archive.results.select(_KEY).take(archive.index.first_rows).to_pylist():
        names, task = _place(row), row.pop("task")
        design, path = designs.get(names, "hierarchical"), words.task_path(*names)
        tasks.append((*row.values(), task, ComparedTask(path, **row, design=design, losses=found[names])))
    return {task.path: task for *_, task in sorted(tasks, key=lambda one: one[:-1])}


def _place(row: Row) -> TaskId:
    return TaskId(row["dataset"], row["prototask"], row["task"])


def task_of(request: Request) -> ComparedTask:
    return compared_tasks(request.archive)[request.task]


@cached
def estimates(archive: Archive, task: str, loss: str) -> tuple[Row, ...]:
    """The methods' expected results on a task, best first; columns of `results` and standardized ones."""
    rows = archive.results.take(archive.index.rows_of(TaskId.parse(task), loss)).to_pylist()
    told = stochastic_trainings(archive, TaskId.parse(task), loss)
    for row in rows:
        if of_runs := told.get(row["method"]):
            row |= {"sd_training": of_runs.sd_training, STOCHASTIC: of_runs.sd_stochastic}
    found = [row | standardized_spreads(row, [*SPREADS, *([STOCHASTIC] if told else [])]) for row in rows]
    measure = archive.measures[loss]

    def place(row: Row) -> tuple[bool, float, str]:
        return row["mean"] is None, oriented(row["mean"] or 0.0, measure), row["method"]

    return tuple(sorted(found, key=place))


def ranked(archive: Archive, task: str, loss: str) -> list[str]:
    """The methods with results on a task under a loss, best mean first."""
    return [row["method"] for row in estimates(archive, task, loss)]


def _constant_of(request: Request) -> float | None:
    """The baseline's loss, by which losses of the task are standardized."""
    constant: float | None = estimates(request.archive, request.task, request.loss)[0]["standardizer"]
    return constant


def is_standardizable(request: Request) -> bool:
    """Can the losses be put in units of the baseline? Those of a metric have no other unit."""
    return request.measure.is_loss and usable_constant(request.loss, _constant_of(request)) is not None


@cached
def published(request: Request) -> tuple[PublishedValue, ...]:
    """What was published elsewhere on the task, in the unit chosen, lowest first."""
    found = published_on(request.archive, request.place, request.loss)
    if not request.is_standardized:
        return found
    return standardized(found, loss=request.loss, constant=_constant_of(request))


@cached
def left_out(archive: Archive, place: tuple[str, ...], loss: str, counted: int) -> str:
    """`22 more left out for censored targets`: test cases that do not count; empty where all do."""
    planned = next(
        (row["test_cases"] or 0 for row in opened.rows(archive, "tasks") if _place(row) == place), 0
    )
    prototasks = (
        row for row in opened.rows(archive, "prototasks") if (row["dataset"], row["prototask"]) == place[:2]
    )
    targets = next((row["targets"] for row in prototasks), ())
    facts = [
        row
        for row in opened.rows(archive, "attributes")
        if row["dataset"] == place[0] and row["attribute"] in targets
    ]
    kinds = ("missing",) if is_logarithmic(loss) else ("missing", "censored")
    why, missed = " or ".join(kind for kind in kinds if any(row[kind] for row in facts)), planned - counted
    return f"{missed:,} more left out for {why} targets" if why and missed > 0 else ""


@cached
def pairs(
    archive: Archive,
    task: str,
    loss: str,
    family: tuple[str, ...],
    setting: Setting,
    shown: frozenset[str] | None = None,
) -> tuple[Row, ...]:
    """Pairs of the methods shown, None for all; p is adjusted for all pairs of a family of methods."""
    constants = {(*_place(row), loss): row["standardizer"] for row in estimates(archive, task, loss)}
    against = None if shown is None else {TaskId.parse(task): shown}
    table = compare_all(
        _task_losses(archive, task, loss),
        archive.tasks,
        constants,
        loss=loss,
        methods=family,
        against=against,
        setting=setting,
        measures=archive.measures,
    )
    if shown is not None:
        names = pa.array(sorted(shown), pa.string())
        is_shown = (pc.is_in(table[name], value_set=names) for name in ("method_a", "method_b"))
        table = table.filter(pc.and_(*is_shown))
    rows = table.to_pylist()
    for row in rows:
        row |= standardized_spreads(row, (*SPREADS, "lower", "upper"))
        for name in ("mean_a", "mean_b"):
            row[f"standardized_{name}"] = standardized_mean(loss, row[name], row["standardizer"])
    return tuple(rows)


@cached
def comparison_of(request: Request) -> TaskComparison:
    place = request.archive, request.task, request.loss
    rows, shown = {row["method"]: row for row in estimates(*place)}, frozenset(request.methods)
    family = request.family or tuple(sorted(shown))
    beside = published(request)
    known = look_order(request.archive)
    styles = theme.styles_of(request.methods, known=known, never_grey=[request.reference])
    looks = dict(zip(request.methods, styles, strict=True))
    return TaskComparison(
        request.place,
        request.measure,
        tuple(rows[name] for name in request.methods),
        pairs(*place, family, request.setting, None if shown == set(family) else shown),
        request.reference,
        setting=request.setting,
        is_standardized=request.is_standardized,
        design=task_of(request).design,
        by_instance=functools.partial(_means_by_instance, _task_losses(*place)),
        published=beside,
        looks=looks | {one.method + PUBLISHED_SIGN: theme.ELSEWHERE for one in beside},
    )


@cached
def answer_about(request: Request, question: str) -> Answer:
    """The answer to a question, by the name of the method of TaskComparison that gives it."""
    found: Answer = getattr(comparison_of(request), question)()
    return found


@cached
def drawn(request: Request, question: str, draw: Callable[..., Figure]) -> Figure:
    return draw(answer_about(request, question).figure)


def mstats_command(request: Request, *, all_pairs: bool = False) -> str | None:
    """Return the command that prints these numbers; None for scores, which are in no delve directory.

    all_pairs: one command for each method but the last, not only for the reference. Names in one list must
    hold no blanks or commas; otherwise each method has a command of its own."""
    if request.place[1] == SCORED:
        return None
    methods = [request.reference, *request.others]
    places = range(len(methods) - 1) if all_pairs else [0]
    return "; ".join(line for place in places for line in _mstats_lines(request, methods[place:]))


def _mstats_lines(request: Request, methods: list[str]) -> Iterator[str]:
    """Yield the commands that compare the first method with the others by the test of the page."""
    first, *others = methods
    names = [name if _is_word(name) else f"/{name}/" for name in others]
    for listed in [" ".join(names)] if all(map(_is_word, others)) else names:
        safe = ["--safe"] if parse_loss(request.loss) else []
        compared = [*safe, "-c", listed] if listed else []
        yield command_text("mstats", "-l", request.loss, *compared, f"/{first}{request.task}")


def _is_word(name: str) -> bool:
    return name.replace(",", " ").split() == [name]


@cached
def _task_losses(archive: Archive, task: str, loss: str) -> pa.Table:
    return archive.losses_at(task, loss=loss)


def _means_by_instance(table: pa.Table) -> dict[str, dict[int, float]]:
    """Mean of each method over the test cases of each task instance: {method: {instance: mean}}."""
    found: dict[str, dict[int, float]] = {}
    columns = (table[name].to_pylist() for name in ("method", "instance"))
    for method, instance, values in zip(*columns, table["values"], strict=True):
        found.setdefault(method, {})[instance] = float(np.mean(values.values.to_numpy()))
    return found


@cached
def case_losses(request: Request) -> tuple[CaseDifferences | None, tuple[int, ...]]:
    """Differences of two methods case by case, None where they do not fit, and the instances of both."""
    rows_a, rows_b = (_rows_of(request, method) for method in request.methods)
    shared = tuple(sorted(rows_a.keys() & rows_b.keys()))
    lengths = {len(rows[number]) for rows in (rows_a, rows_b) for number in shared}
    if len(lengths) != 1:
        return None, shared
    stacks = (np.array([rows[number] for number in shared]) for rows in (rows_a, rows_b))
    return case_differences(*stacks, design=task_of(request).design), shared


def _rows_of(request: Request, method: str) -> dict[int, np.ndarray]:
    table = _task_losses(request.archive, request.task, request.loss)
    table = table.filter(pc.equal(table["method"], method))
    rows = zip(table["instance"].to_pylist(), table["values"], strict=True)
    return {number: values.values.to_numpy() for number, values in rows}


@cached
def cases_answer(request: Request, method: str) -> Answer | None:
    """The answer about the test cases of a method and the reference; None where they have none in common."""
    found, _ = case_losses(request.of_pair(method))
    if found is None:
        return None
    constant = _constant_of(request) if request.is_standardized else None
    names, is_common = (method, request.reference), task_of(request).design == "common"
    return deciding_cases(found, names, measure=request.measure, constant=constant, is_common=is_common)


@cached
def deciding_table(request: Request, *, most: int) -> pd.DataFrame:
    """The test cases with the largest differences between the two methods of a request, largest first."""
    found, instances = case_losses(request)
    if found is None:
        return pd.DataFrame()
    place = request.archive, request.place, request.loss
    return task_details.deciding_table(*place, request.methods, found, instances, most=most)
