"""By which factors can the tasks of an archive be grouped, and what are their levels?

Factors of every archive: the size of the training set, the dataset, its origin and usage, the type of task;
beyond these, the factors of the archive's task-arrays, where it has some.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from delvecore.report.paper.values import PaperArchive, Task

__all__ = ["FACTORS", "Level", "TaskFacts", "factor_names", "task_levels"]

FACTORS = {
    "size": "Training cases",
    "dataset": "Dataset",
    "prototask": "Prototask",
    "type": "Type",
    "origin": "Origin",
    "usage": "Usage",
}
"""{name: title} of the factors of every archive."""

Level = tuple[tuple[int, str], str]
"""(key that sorts, label)"""


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """What a task is. place: in the archive's order; factors: {name: level}."""

    task: Task
    place: int
    prior: str
    training_size: int
    factors: Mapping[str, Level]


def factor_names(archive: PaperArchive) -> dict[str, str]:
    """Return {name: title} of all factors of an archive."""
    names = dict(FACTORS)
    for array in archive.arrays:
        for factor in array.factors:
            names.setdefault(factor.name, factor.name[:1].upper() + factor.name[1:])
    return names


def task_levels(archive: PaperArchive) -> dict[Task, TaskFacts]:
    """Return the facts of all tasks, in the archive's order; a task has the factors that apply to it."""
    datasets = {row["dataset"]: row for row in archive.datasets.to_pylist()}
    of_arrays = _array_levels(archive)
    found = {}
    for place, row in enumerate(archive.tasks.to_pylist()):
        task = row["dataset"], row["prototask"], row["task"]
        dataset = datasets.get(row["dataset"], {})
        plain = {
            "dataset": row["dataset"],
            "prototask": f"{row['dataset']}/{row['prototask']}",
            "type": row["task_type"],
            "origin": dataset.get("origin"),
            "usage": dataset.get("usage"),
        }
        factors: dict[str, Level] = {
            name: ((0, label), label) for name, label in plain.items() if label is not None
        }
        factors["size"] = ((row["training_size"], ""), f"{row['training_size']}")
        factors |= of_arrays.get((row["dataset"], row["prototask"], row["prior"]), {})
        found[task] = TaskFacts(task, place, row["prior"], row["training_size"], factors)
    return found


def _array_levels(archive: PaperArchive) -> dict[Task, dict[str, Level]]:
    """Return {(dataset, prototask, prior): {factor: (key, label)}} of the members of task-arrays."""
    found: dict[Task, dict[str, Level]] = {}
    for array in archive.arrays:
        for member in array.members:
            levels = found.setdefault((member.dataset, member.prototask, member.prior), {})
            for factor, name in zip(array.factors, member.levels, strict=True):
                place = [level.name for level in factor.levels].index(name)
                levels.setdefault(factor.name, ((place, name), factor.levels[place].label or name))
    return found
