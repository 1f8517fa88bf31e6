"""The tasks that can be ranked over, what they are, and filters by what they are with their counts."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.frame.controls import Facet
from dashboard.server import archive as opened
from delvecore.figures import words

__all__ = ["RankedTask", "facets_of", "ranked_tasks"]

FIXED = (
    ("task-origin", "Origin", "origin"),
    ("task-usage", "Usage", "usage"),
    ("task-type", "Task type", "task"),
    ("family", "Family", None),
)
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
    done: dict[tuple[str, str, str, int, str], dict[str, set[str]]] = {}
    for row in opened.rows(state, "results"):
        if row["standardized_mean"] is not None:
            place = (row["dataset"], row["prototask"], row["prior"], row["training_size"], row["task"])
            done.setdefault(place, {}).setdefault(row["loss"], set()).add(row["method"])
    datasets = {row["dataset"]: row for row in opened.rows(state, "datasets")}
    kinds = {(row["dataset"], row["prototask"], row["task"]): row for row in opened.rows(state, "tasks")}
    members, families = _members(state), opened.archive_of(state).families
    found = {}
    for place in sorted(done):
        dataset, prototask, prior, size, task = place
        family, factors = families.get(dataset, dataset), members.get(f"{dataset}/{prototask}/{prior}", {})
        about = datasets.get(dataset, {})
        facts = {
            "task-origin": about.get("origin") or "unknown",
            "task-usage": "unknown" if about.get("usage") in (None, "?") else about["usage"],
            "task-type": kinds.get((dataset, prototask, task), {}).get("task_type") or "unknown",
            "family": family,
            **factors,
            "size": f"{size:,}",
            "data": dataset,
        }
        losses = {loss: frozenset(names) for loss, names in done[place].items()}
        path = words.task_path(dataset, prototask, task)
        found[path] = RankedTask(path, dataset, family, losses, facts)
    return found


def _members(state: str) -> dict[str, dict[str, str]]:
    """What the archive's arrays say of `dataset/prototask/prior`: {factor: level}."""
    found = {}
    for array in opened.archive_of(state).arrays:
        for member in array.members:
            facts = {}
            for factor, name in zip(array.factors, member.levels, strict=True):
                labels = {level.name: level.label for level in factor.levels}
                facts[f"factor-{factor.name}"] = labels.get(name, name)
            found[f"{member.dataset}/{member.prototask}/{member.prior}"] = facts
    return found


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
