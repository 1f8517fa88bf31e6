"""What tasks and factors an archive has: facts of each task, by name, for the rows of a paper's table.

Factors of every archive: the size of the training set, the dataset, its origin and usage, the type of task;
beyond these, the factors of the archive's task-arrays, where it has some."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from delvecore.model import SCORED, TaskId
from delvecore.stats.choose import Setting
from delvecore.stats.ranking.score_table import CommonResults
from delvecore.task_arrays import TaskArray

FACTORS = {
    "size": "Training cases",
    "family": "Family",
    "dataset": "Dataset",
    "prototask": "Prototask",
    "type": "Type",
    "origin": "Origin",
    "usage": "Usage",
}
"""{name: title} of the factors of every archive."""
Level = tuple[tuple[int, str], str]
"""(key that sorts, label)"""


class PaperArchive(Protocol):
    """What a table needs of an Archive, which lives above."""

    @property
    def sources(self) -> Sequence[str]: ...
    @property
    def state(self) -> str: ...
    @property
    def datasets(self) -> pa.Table: ...
    @property
    def tasks(self) -> pa.Table: ...
    @property
    def methods(self) -> pa.Table: ...
    @property
    def results(self) -> pa.Table: ...
    @property
    def arrays(self) -> Sequence[TaskArray]: ...
    @property
    def families(self) -> Mapping[str, str]: ...
    def common_results(
        self,
        *,
        loss: str,
        places: Sequence[Sequence[str]],
        methods: Collection[str] | None,
        keep: Collection[str],
    ) -> CommonResults: ...
    def compare(
        self,
        *,
        loss: str | None,
        methods: Collection[str] | None,
        against: Mapping[TaskId, Collection[str]] | None,
        setting: Setting,
    ) -> pa.Table: ...


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """What a task is. factors: {name: level}."""

    task: TaskId
    prior: str
    training_size: int
    factors: Mapping[str, Level]

    @property
    def is_scored(self) -> bool:
        """Is nothing but scores known of it?"""
        return self.task[1] == SCORED


def factor_names(archive: PaperArchive) -> dict[str, str]:
    """Return {name: title} of all factors of an archive."""
    names = dict(FACTORS)
    for array in archive.arrays:
        for factor in array.factors:
            names.setdefault(factor.name, factor.name[:1].upper() + factor.name[1:])
    return names


def task_levels(archive: PaperArchive) -> dict[TaskId, TaskFacts]:
    """Return the facts of all tasks, in the archive's order; a task has the factors that apply to it."""
    datasets = {row["dataset"]: row for row in archive.datasets.to_pylist()}
    of_arrays = _array_levels(archive)
    found = {}
    for row in archive.tasks.to_pylist():
        task = TaskId(row["dataset"], row["prototask"], row["task"])
        dataset = datasets.get(row["dataset"], {})
        plain = {
            "family": archive.families.get(row["dataset"], row["dataset"]),
            "dataset": row["dataset"],
            "prototask": f"{row['dataset']}/{row['prototask']}",
            "type": row["task_type"],
            "origin": dataset.get("origin"),
            "usage": dataset.get("usage"),
        }
        if row["prototask"] == SCORED:
            del plain["prototask"]
        known = {name: label for name, label in plain.items() if label is not None}
        factors: dict[str, Level] = {name: ((0, label), label) for name, label in known.items()}
        if row["training_size"]:
            factors["size"] = ((row["training_size"], ""), f"{row['training_size']}")
        factors |= of_arrays.get((row["dataset"], row["prototask"], row["prior"]), {})
        found[task] = TaskFacts(task, row["prior"], row["training_size"], factors)
    return found


def _array_levels(archive: PaperArchive) -> dict[tuple[str, str, str], dict[str, Level]]:
    """Return {(dataset, prototask, prior): {factor: (key, label)}} of the members of task-arrays."""
    found: dict[tuple[str, str, str], dict[str, Level]] = {}
    for array in archive.arrays:
        for member in array.members:
            levels = found.setdefault((member.dataset, member.prototask, member.prior), {})
            for factor, name in zip(array.factors, member.levels, strict=True):
                place = [level.name for level in factor.levels].index(name)
                levels.setdefault(factor.name, ((place, name), factor.levels[place].label or name))
    return found
