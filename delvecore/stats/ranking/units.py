"""What counts once in a ranking: the task, the dataset with its tasks, or the family with its datasets.

Tasks of one dataset share cases and attributes, and datasets of one simulator its laws: what is found on one
of them is found on the others, too. Tests that take them for independent reject in nearly every archive in
which nothing differs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from delvecore.stats.choose import UNITS
from delvecore.stats.ranking.ranks import unit_averages
from delvecore.stats.ranking.score_table import ScoreTable, Units
from delvecore.task_arrays import TaskArray

__all__ = [
    "DATASET",
    "FAMILY",
    "TASK",
    "array_unit",
    "choose_unit",
    "family_names",
    "holds_several",
    "on_most_tasks",
    "unit_names",
    "unit_table",
    "units_of",
    "units_of_families",
    "usual_unit",
]

TASK, DATASET, FAMILY = UNITS
FINER = {DATASET: TASK, FAMILY: DATASET}


def family_names(arrays: Iterable[TaskArray]) -> dict[str, str]:
    """Return {dataset: family}: the first task-array that has a member of the dataset. Others have none."""
    found: dict[str, str] = {}
    for array in arrays:
        for member in array.members:
            found.setdefault(member.dataset, array.name)
    return found


def units_of(datasets: Sequence[str], families: Mapping[str, str]) -> Units:
    """Return which tasks of an archive belong together. datasets: that of each task; families: by dataset,
    of those that have one."""
    return Units(tuple(datasets), tuple(families.get(name, name) for name in datasets))


def unit_names(table: ScoreTable, unit: str) -> tuple[str, ...]:
    """Return the name of the unit of each task. Raises ValueError for another word than those of `UNITS`, and
    where it is not known which tasks belong together."""
    if unit not in UNITS:
        raise ValueError(f"expected one of {', '.join(UNITS)} to count once, got {unit!r}")
    if unit == TASK:
        return table.tasks
    if table.units is None:
        raise ValueError(
            f"expected a column {unit}, or tasks named as age/std.128, to count each {unit} once, got neither"
        )
    return table.units.datasets if unit == DATASET else table.units.families


def choose_unit(table: ScoreTable) -> str:
    """What counts once where nobody says? The dataset where datasets have several tasks, else the task; also
    where all tasks are of one dataset, as nothing could be said of a single unit."""
    return usual_unit(table.units.datasets if table.units else table.tasks)


def usual_unit(datasets: Sequence[str]) -> str:
    """What counts once where nobody says? datasets: that of each task; see `choose_unit`."""
    return DATASET if 1 < len(set(datasets)) < len(datasets) else TASK


def array_unit(unit: str | None, datasets: Sequence[str]) -> str:
    """What counts once on one task-array: tasks, or datasets where they have several; also where families are
    asked for, as an array is one. datasets: that of each task."""
    wanted = unit or usual_unit(datasets)
    return TASK if wanted == TASK or len(set(datasets)) == len(datasets) else DATASET


def on_most_tasks(units: Sequence[str], holds: Sequence[bool]) -> int:
    """On how many units does something hold on more than half of their tasks? One entry a task."""
    found: dict[str, list[bool]] = {}
    for unit, one in zip(units, holds, strict=True):
        found.setdefault(unit, []).append(bool(one))
    return sum(2 * sum(own) > len(own) for own in found.values())


def holds_several(table: ScoreTable, unit: str) -> bool:
    """Are there units of this kind with several units of the next finer kind, as far as that is known?"""
    if table.units is None or unit == TASK:
        return False
    return len(set(unit_names(table, unit))) < len(set(unit_names(table, FINER[unit])))


def units_of_families(table: ScoreTable, unit: str) -> dict[str, list[str]]:
    """Return the units of each family, by name; of none where it is not known which tasks belong together."""
    found: dict[str, list[str]] = {}
    if table.units is not None:
        for family, name in dict.fromkeys(zip(table.units.families, unit_names(table, unit), strict=True)):
            found.setdefault(family, []).append(name)
    return found


def unit_table(table: ScoreTable, unit: str) -> ScoreTable:
    """Return the mean values of each unit, in a table whose tasks are the units; a value that is missing on a
    task is missing for its unit. Raises ValueError as `unit_names`."""
    names, values = unit_averages(unit_names(table, unit), table.values)
    if len(names) == len(table.tasks):
        return replace(table, tasks=names, units=None)
    return replace(table, tasks=names, values=values, units=None)
