"""The grid of a task-array: a cell for each combination of levels and size, with its task or a reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import pyarrow as pa

from delvecore.model import Member, TaskArray

__all__ = ["LEFT_OUT", "NO_MEMBER", "NO_SIZE", "NO_TASK", "GridCell", "Place", "array_cells"]

NO_MEMBER = "no such member of the array"
NO_TASK = "the archive does not have the tasks of this member"
NO_SIZE = "no task of this size"
LEFT_OUT = (NO_MEMBER, NO_TASK, NO_SIZE)
"""Why a cell of the grid is no task."""
Place = tuple[str | None, str | None, str | None]
"""Dataset, prototask and task."""
_MemberPlace = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class GridCell:
    """One combination of levels (names, in the order of the factors) with one size of training sets.

    dataset, prototask, prior, task: None where there is no member; missing: one of LEFT_OUT where the cell is
    no task of the archive, else None.
    """

    levels: tuple[str, ...]
    training_size: int
    dataset: str | None = None
    prototask: str | None = None
    prior: str | None = None
    missing: str | None = None

    @property
    def task(self) -> str | None:
        """Name of the task, such as std.128."""
        return None if self.prior is None else f"{self.prior}.{self.training_size}"

    @property
    def place(self) -> Place:
        """Dataset, prototask and task."""
        return self.dataset, self.prototask, self.task


def array_cells(array: TaskArray, tasks: pa.Table) -> tuple[GridCell, ...]:
    """Which tasks does an array have, and where are holes? A cell each, factors first, sizes ascending.

    tasks: the archive's; the sizes of the array are all those of its members there.
    """
    members = {member.levels: member for member in array.members}
    known = _known_sizes(array, tasks)
    sizes = sorted(set().union(*known.values()))
    grid = product(*([level.name for level in factor.levels] for factor in array.factors))
    return tuple(_cell(members.get(levels), levels, size, known) for levels in grid for size in sizes)


def _place(member: Member) -> _MemberPlace:
    return member.dataset, member.prototask, member.prior


def _known_sizes(array: TaskArray, tasks: pa.Table) -> dict[_MemberPlace, set[int]]:
    """Return {(dataset, prototask, prior): sizes of the tasks of the archive} for the members of an array."""
    sizes: dict[_MemberPlace, set[int]] = {_place(member): set() for member in array.members}
    names = ("dataset", "prototask", "prior", "training_size")
    for *place, size in zip(*(tasks[name].to_pylist() for name in names), strict=True):
        if tuple(place) in sizes:
            sizes[tuple(place)].add(size)
    return sizes


def _cell(
    member: Member | None, levels: tuple[str, ...], size: int, known: Mapping[_MemberPlace, set[int]]
) -> GridCell:
    if member is None:
        return GridCell(levels, size, missing=NO_MEMBER)
    sizes = known[_place(member)]
    missing = None if size in sizes else NO_SIZE if sizes else NO_TASK
    return GridCell(levels, size, *_place(member), missing)
