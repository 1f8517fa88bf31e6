"""Tasks of an archive that are similar to a dataset, their distance, and the best methods on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from delvecore.answers.answer import Answer, Column, Table
from delvecore.answers.dataset_structure import STANDARD_PRIOR
from delvecore.render.numbers import counted, integer, percent, rounded
from delvecore.render.spans import as_name, strong
from delvecore.report import words

LINEAR = "lin-1"
EXPLAINED = 0.1
"""Minimum share of explained variance for a statement about non-linearity."""
CASES_EACH = 5
"""Minimum number of cases per column.

A linear method with fewer cases fits noise, which looks like non-linearity.
"""
SCALES = {"inputs": 2.0, "noise": 0.25, "nonlinearity": 0.35, "kinds": 1.0}
"""Change that counts as a distance of one.

Four times as many inputs, a quarter of the variance, a share of 0.35 of the explained variance, or all
inputs of another kind.
"""

FEW_AS_FAR = 0.1
"""Nothing is near if at most this share of prototasks is as far from other families as the dataset is."""


@dataclass(frozen=True)
class DataDescription:
    """Properties of a dataset that task-arrays vary.

    Attributes
    ----------
    name : str
        Path of a prototask, or name of a file.
    cases, sampled : int
        Cases with known targets, and the number of sampled ones.
    real, integer, categorical : int
        Inputs of each kind.
    classes : int
        Classes of the target; 0 for numbers.
    columns : int
        Number of columns of the coded inputs.
    errors : mapping of str to float
        Relative squared error of each quick method in cross-validation: 1 for predicting the mean.
    """

    name: str
    cases: int
    sampled: int
    real: int
    integer: int
    categorical: int
    classes: int
    columns: int
    errors: Mapping[str, float]

    @property
    def target(self) -> str:
        return "classes" if self.classes else "numbers"

    @property
    def inputs(self) -> int:
        return self.real + self.integer + self.categorical

    @property
    def best(self) -> str:
        """The quick method with the smallest error."""
        return min(self.errors, key=self.errors.__getitem__)

    @property
    def noise(self) -> float:
        """Share of the variance that the best quick method leaves unexplained, at most 1."""
        return min(1.0, self.errors[self.best])

    @property
    def nonlinearity(self) -> float | None:
        """Share of the explained variance that the linear method misses.

        None if hardly any variance is explained, or if the linear method fits the noise of few cases.
        """
        explained = 1 - self.noise
        if explained < EXPLAINED or self.columns * CASES_EACH > self.sampled:
            return None
        return (min(1.0, self.errors[LINEAR]) - self.noise) / explained

    @property
    def counts(self) -> tuple[int, int, int]:
        """Real, integer and categorical inputs."""
        return self.real, self.integer, self.categorical

    @property
    def kinds(self) -> np.ndarray:
        """Shares of real, integer and categorical inputs."""
        return np.array(self.counts) / max(1, self.inputs)


def distance(one: DataDescription, other: DataDescription) -> float:
    """Return the Euclidean distance of two datasets in the units of SCALES.

    Non-linearity counts only if both have a value.

    Examples
    --------
    >>> linear = DataDescription("a", 500, 500, 8, 0, 0, 0, 8, {"lin-1": 0.05, "gp-1": 0.05})
    >>> wide = DataDescription("b", 500, 500, 32, 0, 0, 0, 32, {"lin-1": 0.05, "gp-1": 0.05})
    >>> distance(linear, wide)
    1.0
    """
    inputs = abs(np.log2(max(1, one.inputs)) - np.log2(max(1, other.inputs))) / SCALES["inputs"]
    noise = (one.noise - other.noise) / SCALES["noise"]
    kinds = np.abs(one.kinds - other.kinds).sum() / 2 / SCALES["kinds"]
    parts = [inputs, noise, kinds]
    if one.nonlinearity is not None and other.nonlinearity is not None:
        parts.append((one.nonlinearity - other.nonlinearity) / SCALES["nonlinearity"])
    return float(np.sqrt(np.sum(np.square(parts))))


class Neighbor(NamedTuple):
    """A prototask of the archive.

    Attributes
    ----------
    task : str
        Full path of the task with the training set nearest in size.
    size : int
        That training set's size.
    best : str
        Method with the best result on it.
    """

    description: DataDescription
    distance: float
    task: str
    size: int
    best: str


def nearest_task(sizes: Mapping[str, int], cases: int) -> str:
    """Return the task whose training set is nearest in size, as a ratio.

    The smaller one wins a tie; of two equal sizes, the task with the standard prior wins.

    Examples
    --------
    >>> nearest_task({"/a/b/std.64": 64, "/a/b/std.128": 128, "/a/b/std.1024": 1024}, 100)
    '/a/b/std.128'
    """

    def rank(task: str) -> tuple[float, int, bool, str]:
        is_standard = task.rpartition("/")[2].startswith(f"{STANDARD_PRIOR}.")
        return abs(np.log2(sizes[task] / cases)), sizes[task], not is_standard, task

    return min(sizes, key=rank)


def own_distances(described: Sequence[DataDescription], families: Mapping[str, str]) -> list[float]:
    """Return the distance of each prototask of an archive to its nearest neighbor, in ascending order.

    The neighbor is from another family and has the same type of target. Prototasks without such a neighbor
    are left out. `families` has the family of each description, by name.
    """
    distances = []
    for one in described:
        others = [
            distance(one, other)
            for other in described
            if other.target == one.target and families[other.name] != families[one.name]
        ]
        distances += [min(others)] if others else []
    return sorted(distances)


@dataclass(frozen=True)
class Nearness:
    """Distance of the nearest task, next to the distances within the archive.

    Attributes
    ----------
    nearest : float
        Distance of the nearest task.
    own : sequence of float
        Distances within the data, see `own_distances`.
    """

    nearest: float
    own: Sequence[float]

    @property
    def farther(self) -> int:
        """Prototasks of the archive whose nearest other family is nearer than this distance."""
        return sum(one < self.nearest for one in self.own)

    @property
    def is_far(self) -> bool:
        """Is it farther than nearly all of them? See FEW_AS_FAR."""
        return bool(self.own) and len(self.own) - self.farther <= FEW_AS_FAR * len(self.own)

    @property
    def sentence(self) -> str:
        """Compare the distance of the nearest task with the distances between neighbors in the archive."""
        at = f"the nearest task is at a distance of {rounded(self.nearest, 2)}"
        if not self.own:
            return f"{at[0].upper()}{at[1:]}. There is no other family to compare it with."
        count = len(self.own)
        ends = f"{rounded(self.own[0], 2)} to {rounded(self.own[-1], 2)}"
        middle = rounded(float(np.median(self.own)), 2)
        compared = (
            f"farther than {self.farther} of the archive's {counted(count, 'prototask')} are from another "
        )
        compared += f"family ({ends}, median {middle})"
        if self.is_far:
            return f"{strong('Nothing in the archive is near')}: {at}, {compared}."
        return f"{at[0].upper()}{at[1:]}, {compared}."


def description_sentence(one: DataDescription) -> str:
    """Return a text such as `8 inputs, 12 % noise by gp-1, non-linearity 0.05`."""
    noise = f"{percent(round(one.noise, 2))} noise by {as_name(one.best)}"
    bend = one.nonlinearity
    curved = "non-linearity not measurable" if bend is None else f"non-linearity {rounded(bend, 2)}"
    return f"{counted(one.inputs, 'input')}, {noise}, {curved}"


NOT_SHOWN = (
    "On the shipped archive, winners on the nearest tasks were not significantly better than the method that "
    "is best overall."
)
"""What `python -m benchmarks like` measured."""


def similar_answer(
    own: DataDescription,
    neighbors: Sequence[Neighbor],
    nearness: Nearness,
    *,
    command: str = "",
    are_all: bool = False,
) -> Answer:
    """Which tasks of an archive are like a dataset? The first row is the dataset.

    `are_all` is true if the neighbors are all tasks of the archive with this type of target.
    """
    rows = [own, *(one.description for one in neighbors)]
    first = neighbors[0]
    headline = (
        f"{strong(as_name(own.name))} has {description_sentence(own)}. "
        f"Nearest: {as_name(first.description.name)}. {nearness.sentence}"
    )
    shares = [row.kinds for row in rows]
    columns = (
        Column("data", "data", "name", [own.name, *(one.task for one in neighbors)]),
        Column("best", "best there", "name", ["", *(one.best for one in neighbors)]),
        Column("distance", "distance", "number", [None, *(one.distance for one in neighbors)], decimals=2),
        Column("size", "training cases", "count", [own.cases, *(one.size for one in neighbors)]),
        Column("inputs", "inputs", "count", [row.inputs for row in rows]),
        Column("noise", "noise", "share", [row.noise for row in rows]),
        Column("nonlinearity", "non-linearity", "number", [row.nonlinearity for row in rows], decimals=2),
        *(
            Column(key, key, "share", [share[place] for share in shares])
            for place, key in enumerate(("real", "integer", "categorical"))
        ),
    )
    if own.classes:
        columns += (Column("classes", "classes", "count", [row.classes for row in rows]),)
    notes = (*_notes(own, neighbors, are_all=are_all), NOT_SHOWN)
    return Answer("like", headline, Table(columns), notes, command=command)


def _notes(own: DataDescription, neighbors: Sequence[Neighbor], *, are_all: bool) -> tuple[str, ...]:
    errors = ", ".join(f"{as_name(name)} {rounded(error, 3)}" for name, error in own.errors.items())
    notes = [
        f"Relative squared errors in cross-validation: {errors}. Predicting the mean "
        "gives 1. The smallest of these errors is called noise; a better method may leave less unexplained.",
        f"Non-linearity is the share of the explained variance that {LINEAR} misses. A distance of 1 means "
        f"four times as many inputs, {percent(SCALES['noise'])} more noise, {SCALES['nonlinearity']} more "
        "non-linearity, or all inputs of another kind.",
    ]
    if own.nonlinearity is None:
        few = f"the inputs have {integer(own.columns)} columns, with fewer than {CASES_EACH} cases each"
        why = (
            few
            if own.noise <= 1 - EXPLAINED
            else f"less than {percent(EXPLAINED)} of the variance is explained"
        )
        notes.append(f"Non-linearity is not measurable and does not count: {why}.")
    if are_all:
        notes.append(
            f"These {counted(len(neighbors), 'prototask')} are all that the archive has with a target of "
            f"{own.target}. The ranking covers all of them, near or not."
        )
    largest = max(one.size for one in neighbors)
    if own.cases > 2 * largest:
        notes.append(
            f"The data have {counted(own.cases, 'case')}; the training sets of these tasks have at most "
            f"{integer(largest)}. The order of the methods may differ with more cases."
        )
    elif 2 * own.cases < min(one.size for one in neighbors):
        notes.append(f"The data have only {words.count(own.cases, 'case')}; all of these tasks have more.")
    return tuple(notes)
