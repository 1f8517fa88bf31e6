"""What kind of task is each task of an archive? For filters, and for results by kinds of tasks."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from delvecore.model import TaskId

if TYPE_CHECKING:
    from delvecore.archive import Archive


UNKNOWN = "unknown"
SIZE = "training cases"


class TaskFacts(NamedTuple):
    """origin, usage: of the dataset; task_type: such as regression; family: task-array, or what a file of
    scores says, else the dataset; training_size: 0 where it is not known; factors: of the task-array, {name:
    level in words}."""

    dataset: str
    family: str
    origin: str
    usage: str
    task_type: str
    training_size: int
    factors: Mapping[str, str]


def task_facts(archive: "Archive") -> dict[str, TaskFacts]:
    """Return the facts of all tasks, by full path, sorted by dataset, prototask, prior and training size."""
    datasets = {row["dataset"]: row for row in archive.datasets.to_pylist()}
    families, factors = archive.families, _factors(archive)
    names = ("dataset", "prototask", "prior", "training_size", "task", "task_type")
    rows = sorted(
        zip(*(archive.tasks[name].to_pylist() for name in names), strict=True), key=lambda row: row[:5]
    )
    found = {}
    for dataset, prototask, prior, size, task, task_type in rows:
        about = datasets.get(dataset, {})
        usage = about.get("usage")
        found[TaskId(dataset, prototask, task).path] = TaskFacts(
            dataset,
            families.get(dataset, dataset),
            origin=about.get("origin") or UNKNOWN,
            usage=UNKNOWN if usage in (None, "?") else usage,
            task_type=task_type or UNKNOWN,
            training_size=size,
            factors=factors.get((dataset, prototask, prior), {}),
        )
    return found


def _factors(archive: "Archive") -> dict[tuple[str, str, str], dict[str, str]]:
    """What the archive's arrays say of the tasks of a dataset, prototask and prior: {factor: level}."""
    return {
        (member.dataset, member.prototask, member.prior): {
            factor.name: factor.label(level)
            for factor, level in zip(array.factors, member.levels, strict=True)
        }
        for array in archive.arrays
        for member in array.members
    }


def task_groups(archive: "Archive", tasks: Collection[str]) -> dict[str, dict[str, list[str]]]:
    """Return these tasks by what tells them apart: {aspect: {words: tasks}}, aspects with two groups or more,
    of which some hold several tasks.

    Aspects are families, the factors of task-arrays, numbers of training cases, and types of tasks."""
    known = task_facts(archive)
    groups: dict[str, dict[str, list[str]]] = {}
    wanted = set(tasks)
    for path in (path for path in known if path in wanted):
        for aspect, level in _aspects(known[path]).items():
            groups.setdefault(aspect, {}).setdefault(level, []).append(path)
    places = _level_places(archive)
    ordered = {
        aspect: dict(sorted(levels.items(), key=lambda item: places.get((aspect, item[0]), 0)))
        for aspect, levels in groups.items()
    }
    # Where each task is a kind of its own, nothing is said of kinds.
    return {aspect: levels for aspect, levels in ordered.items() if 1 < len(levels) < _count(levels)}


def _count(levels: Mapping[str, Collection[str]]) -> int:
    return sum(map(len, levels.values()))


def _level_places(archive: "Archive") -> dict[tuple[str, str], int]:
    """Return where levels stand that have an order: those of factors, and numbers of training cases."""
    sizes = set(archive.tasks["training_size"].to_pylist())
    places = {(SIZE, _size_words(size)): size for size in sizes}
    for array in archive.arrays:
        for factor in array.factors:
            places |= {(factor.name, level.label): place for place, level in enumerate(factor.levels)}
    return places


def _size_words(size: int) -> str:
    return f"{size:,} {SIZE}"


def _aspects(facts: TaskFacts) -> dict[str, str]:
    size = {SIZE: _size_words(facts.training_size)} if facts.training_size else {}
    return {"family": facts.family, **facts.factors, **size, "type of task": facts.task_type}
