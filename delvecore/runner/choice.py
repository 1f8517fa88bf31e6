"""Tasks and codings of a run, and reasons why a method has no results on tasks."""

import os
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from delvecore.encoding.encode import TaskPlan, plan_task, suited
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.errors import DelveError
from delvecore.methods import load_method
from delvecore.methods.protocol import TaskView
from delvecore.model import Dataset, Prior, Prototask, Task, TaskId
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.prior import parse_codings
from delvecore.readers.specifications import (
    all_tasks,
    dataset_names,
    prior_names,
    prototask_names,
    read_dataset,
    read_prior,
    read_prototask,
    read_task,
)
from delvecore.runner.command_method import Runnable
from delvecore.writers.files import finish_writing

Specified = tuple[Dataset, Prototask, Prior, Task]


def choose_tasks(
    hierarchy: Hierarchy, places: Iterable[tuple[str, ...]]
) -> tuple[tuple[Specified, ...], tuple[str, ...]]:
    """Return the tasks at and below places, each once, and the errors of tasks that cannot be read.

    places: names below `data`. An error in a named place raises DelveError; only errors below it are listed.
    """
    specifications: dict[Task, Specified] = {}
    faults: list[str] = []
    for names in places:
        if len(names) > 3:
            raise DelveError(f"/{'/'.join(names)}: expected a dataset, prototask or task, found a path below")
        for specified in _tasks(hierarchy, names, faults):
            specifications[specified[3]] = specified
    return tuple(specifications.values()), tuple(faults)


def _tasks(hierarchy: Hierarchy, names: tuple[str, ...], faults: list[str]) -> list[Specified]:
    if len(names) == 3:
        return [read_task(hierarchy, *names)]
    if len(names) == 2:
        dataset = read_dataset(hierarchy, names[0])
        prototask, priors = read_prototask(hierarchy, dataset, names[1]), prior_names(hierarchy, *names)
        read = {prior: read_prior(hierarchy, dataset, prototask, prior) for prior in priors}
        return [(dataset, prototask, read[one.prior], one) for one in all_tasks(hierarchy, prototask, priors)]
    below = prototask_names(hierarchy, names[0]) if names else dataset_names(hierarchy)
    if names:
        read_dataset(hierarchy, names[0])
    tasks: list[Specified] = []
    for name in below:
        try:
            tasks += _tasks(hierarchy, (*names, name), faults)
        except DelveError as error:
            faults.append(str(error))
    return tasks


def without_results_elsewhere(
    tasks: Iterable[Specified], hierarchy: Hierarchy, method: str, into: str
) -> tuple[tuple[Specified, ...], dict[str, int]]:
    """Return the tasks without results of the method elsewhere, and the number of others by delve directory.

    Elsewhere means anywhere except the plain files of the delve directory `into`. A second copy of results
    would be an error in every merged archive. Results in `into` that a killed process left incomplete are
    finished.
    """
    kept, elsewhere = [], Counter[str]()
    for specified in tasks:
        names = ("methods", method, *TaskId.parse(specified[3].path))
        own = os.path.join(into, *names)
        finish_writing(own)
        paths = hierarchy.files(*names).values()
        others = (path for path in paths if os.path.realpath(os.path.dirname(path)) != os.path.realpath(own))
        if other := next(others, None):
            elsewhere[next(one for one in hierarchy.roots if other.startswith(os.path.join(one, "")))] += 1
        else:
            kept.append(specified)
    return tuple(kept), dict(elsewhere)


DEFAULT, IMPUTE = "default", "impute"


class CodingChoice(NamedTuple):
    """Choice of the codings of a run.

    Attributes
    ----------
    kind : str
        DEFAULT (those of the method, otherwise DELVE's) or IMPUTE (adapted to missing, censored and constant
        values).
    text : str
        Text of an encoding file, whose codings replace those of either kind and stay unchanged.
    source : str
        Path of the encoding file.
    """

    kind: str = IMPUTE
    text: str = ""
    source: str = ""


def coding_choice(word: str) -> CodingChoice:
    """Return the codings for the name of a rule or the path of an encoding file. Raises DelveError."""
    return CodingChoice(word) if word in (DEFAULT, IMPUTE) else CodingChoice(IMPUTE, read_text(word), word)


AS_SUITS = CodingChoice()
"""The default codings of a run."""


def plan_for(
    method: Runnable, hierarchy: Hierarchy, view: TaskView, cases: PrototaskCases, *, choice: CodingChoice
) -> TaskPlan:
    """Return the plan of a task for a method. Raises DelveError for unsuitable codings."""
    chosen = parse_codings(choice.text, view.dataset, choice.source) if choice.text else {}
    codings = method.codings(view) | chosen
    plan = plan_task(hierarchy, cases, view.prior, view.task.training_size, codings=codings)
    return suited(plan, fixed=chosen.keys()) if choice.kind == IMPUTE else plan


NOT_RUN = "not run"


def why_missing(hierarchy: Hierarchy, method: str, *place: str) -> str:
    """Return why a method has no results on a dataset, prototask or task. place: its names.

    For a registered method, this is why it cannot do the first task that does not suit it (`cannot: its
    target sex is binary`). Otherwise, it is the message of the first failed instance, or `not run`."""
    try:
        tasks, _ = choose_tasks(hierarchy, [place])
        reason = _refusal(method, tasks) or _failure(hierarchy, method, (task for *_, task in tasks))
    except DelveError:
        return NOT_RUN
    return reason or NOT_RUN


def _refusal(method: str, tasks: Iterable[Specified]) -> str:
    try:
        registered = load_method(method)
    except DelveError:
        return ""
    reasons = (registered.can(TaskView(*task)) for task in tasks)
    return next((f"cannot: {reason}" for reason in reasons if reason), "")


def _failure(hierarchy: Hierarchy, method: str, tasks: Iterable[Task]) -> str:
    """Return the first message in the files `Failures` of these tasks, without its instance."""
    for task in tasks:
        path = hierarchy.find("methods", method, *TaskId.parse(task.path), "Failures")
        if path and (lines := read_text(path).splitlines()):
            return f"failed: {lines[0].partition(' ')[2]}"
    return ""
