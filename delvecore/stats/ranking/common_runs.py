"""Means over the same runs: which instances of a task all compared methods have, and who lacks too many.

A run is one method on one instance (fold, seed, training set) of a task. A method that fails on the hard
instances has a good mean over the easy ones; so means are compared over common instances only."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from delvecore.stats.kinds import Mask, Whole

__all__ = ["CommonRuns", "Lacking", "Reduced", "common_instances", "enough_runs"]


class Lacking(NamedTuple):
    """A method with fewer than half of its runs. there, expected: how many have a value, and should."""

    method: str
    there: int
    expected: int


class Reduced(NamedTuple):
    """A task on which only some instances count. counted, instances: how many do, and how many there are."""

    task: str
    counted: int
    instances: int


@dataclass(frozen=True)
class CommonRuns:
    """Over which runs the means of a table were taken.

    runs, failed: of the methods asked for, all and those without a value. unranked: methods with fewer than
    half of their runs, which the table leaves out. cells: how many methods have no value on a task since
    they have fewer than half of its instances there, though some. reduced: tasks on which some instances do
    not count; one on which none counts has no values."""

    runs: int
    failed: int
    unranked: tuple[Lacking, ...] = ()
    cells: int = 0
    reduced: tuple[Reduced, ...] = ()

    @property
    def without(self) -> tuple[str, ...]:
        """The tasks on which the methods have no instance in common."""
        return tuple(one.task for one in self.reduced if not one.counted)

    def with_names(self, names: Mapping[str, str]) -> "CommonRuns":
        """Return the same with other names of tasks; those not in `names` stay."""
        renamed = tuple(one._replace(task=names.get(one.task, one.task)) for one in self.reduced)
        return replace(self, reduced=renamed)


def enough_runs(there: Whole, expected: Whole, *, keep: Mask) -> Mask:
    """Which methods have half of their runs, or are kept with fewer?

    Parameters
    ----------
    there, expected : arrays of one shape, or such that broadcast
        How many runs have a value, and how many should; the last axis is that of methods.
    keep : array of shape (methods,)
        Methods that need only one run.

    Examples
    --------
    >>> enough_runs(np.array([5, 4, 1, 0]), np.array(10), keep=np.array([False, False, True, True]))
    array([ True, False,  True, False])
    """
    enough: Mask = (there > 0) & ((2 * there >= expected) | keep)
    return enough


def common_instances(present: Mask, counted: Mask) -> Mask:
    """Which instances of a task do all methods have that count there?

    Parameters
    ----------
    present : array of shape (instances, methods)
        Does a method have a value there?
    counted : array of shape (methods,)
        Which methods count; without any, no instance is common.

    Examples
    --------
    Of three folds the second method has no value on the last; the third method does not count.

    >>> present = np.array([[True, True, False], [True, True, False], [True, False, True]])
    >>> common_instances(present, np.array([True, True, False]))
    array([ True,  True, False])
    """
    if not counted.any():
        return np.zeros(len(present), dtype=bool)
    return np.asarray(present[:, counted].all(axis=1))
