"""The tasks that can be ranked over, what they are, and filters by what they are with their counts."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.server import archive as opened
from dashboard.ui.controls import Facet
from delvecore.archive.task_facts import TaskFacts, task_facts
from delvecore.plots import words

__all__ = ["RankedTask", "facets_of", "ranked_tasks"]

FIXED = (
    ("task-origin", "Origin", "origin"),
    ("task-usage", "Usage", "usage"),
    ("task-type", "Task type", "task"),
    ("family", "Family", None),
)
PLACE = ("dataset", "prototask", "task")
LAST = (("size", "Training cases", "training set"), ("data", "Dataset", "dataset"))


@dataclass(frozen=True, slots=True)
class RankedTask:
    """A task with results of two methods or more under some loss.

    path: full path; family: of the array that it is part of, else its dataset; facts: what it is, by the
    name of a filter, as words."""

    path: str
    dataset: str
    family: str
    methods: Mapping[str, frozenset[str]]
    facts: Mapping[str, str]


@opened.cached
def ranked_tasks(state: str) -> dict[str, RankedTask]:
    """Every task with results, by full path, by dataset, prototask, prior and training size."""
    done = _done(state)
    kept: dict[tuple[str, ...], frozenset[str]] = {}
    found = {}
    for path, facts in task_facts(opened.archive_of(state)).items():
        if path in done:
            losses = {loss: kept.setdefault(names, frozenset(names)) for loss, names in done[path].items()}
            found[path] = RankedTask(path, facts.dataset, facts.family, losses, _filters(facts))
    return found


def _done(state: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the methods with results, by the path of a task, by loss."""
    archive = opened.archive_of(state)
    known = archive.results["standardized_mean"].is_valid().to_numpy()
    return {words.task_path(*task): on for task, on in archive.index.methods_where(known).items()}


def _filters(facts: TaskFacts) -> dict[str, str]:
    """Return what a task is, by the names of filters."""
    return {
        "task-origin": facts.origin,
        "task-usage": facts.usage,
        "task-type": facts.task_type,
        "family": facts.family,
        **{f"factor-{name}": level for name, level in facts.factors.items()},
        "size": f"{facts.training_size:,}",
        "data": facts.dataset,
    }


def facets_of(tasks: Sequence[RankedTask]) -> list[Facet[RankedTask]]:
    """Return the filters for these tasks: those by which they differ, with the options that there are."""
    factors = sorted({name for task in tasks for name in task.facts if name.startswith("factor-")})
    named = [(name, name.removeprefix("factor-").capitalize(), None) for name in factors]
    facets = []
    for name, title, term in (*FIXED, *named, *LAST):
        options = list(dict.fromkeys(task.facts[name] for task in tasks if name in task.facts))
        if all(text[:1].isdecimal() for text in options):
            # By 1024 of `1,024` and 8 of `8 inputs`.
            options = sorted(options, key=lambda text: int(text.split()[0].replace(",", "")))
        redundant = name == "family" and set(options) == {task.dataset for task in tasks}
        if len(options) > 1 and not redundant:
            facets.append(Facet(name, title, term, tuple(options), functools.partial(_fact, name)))
    return facets


def _fact(name: str, task: RankedTask) -> list[str]:
    return [task.facts[name]] if name in task.facts else []
