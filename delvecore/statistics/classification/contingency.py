"""Which classes were predicted for cases of which class?

Source: Flach, Machine Learning (2012), section 12.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["ContingencyTable", "contingency_table", "pooled"]


@dataclass(frozen=True)
class ContingencyTable:
    """Counts of test cases: rows are actual classes, columns predicted ones, both in the order of `classes`.

    Raises ValueError for counts that are negative or no square of as many rows as there are classes.
    """

    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        size = len(self.classes)
        if len(self.counts) != size or any(len(row) != size for row in self.counts):
            raise ValueError(f"expected counts of {size} x {size} classes, got {self.counts}")
        if size < 2 or any(count < 0 for row in self.counts for count in row):
            raise ValueError(f"expected two classes or more and no negative counts, got {self.counts}")

    @property
    def actual(self) -> tuple[int, ...]:
        """The right margin: cases of each class."""
        return tuple(map(sum, self.counts))

    @property
    def predicted(self) -> tuple[int, ...]:
        """The lower margin: predictions of each class."""
        return tuple(map(sum, zip(*self.counts, strict=True)))

    @property
    def total(self) -> int:
        return sum(self.actual)

    @property
    def correct(self) -> int:
        return sum(row[place] for place, row in enumerate(self.counts))

    def against_rest(self, place: int) -> tuple[int, int, int, int]:
        """Return (true positives, false negatives, false positives, true negatives) of one class as the
        positive one and all others together as the negative one."""
        hits = self.counts[place][place]
        missed, alarms = self.actual[place] - hits, self.predicted[place] - hits
        return hits, missed, alarms, self.total - hits - missed - alarms


def contingency_table(
    actual: np.ndarray, predicted: np.ndarray, *, classes: Sequence[str]
) -> ContingencyTable:
    """Count the cases by actual and predicted class.

    actual, predicted: places of the classes of each case, from 0. Raises ValueError for arrays of different
    lengths and for a place that is not one of a class.
    """
    actual, predicted = np.asarray(actual, dtype=np.int64), np.asarray(predicted, dtype=np.int64)
    if actual.shape != predicted.shape or actual.ndim != 1:
        raise ValueError(f"expected a prediction a case, got {predicted.shape} for {actual.shape}")
    size = len(classes)
    for places in (actual, predicted):
        if len(places) and not 0 <= places.min() <= places.max() < size:
            raise ValueError(f"expected places of classes from 0 to {size - 1}, got {np.unique(places)}")
    counts = np.bincount(actual * size + predicted, minlength=size * size).reshape(size, size)
    return ContingencyTable(tuple(classes), tuple(tuple(map(int, row)) for row in counts))


def pooled(tables: Sequence[ContingencyTable]) -> ContingencyTable:
    """Return the sum of tables of the same classes; ValueError for none, or for different classes."""
    if not tables or any(table.classes != tables[0].classes for table in tables):
        raise ValueError("expected tables of the same classes, one or more")
    rows = zip(*(table.counts for table in tables), strict=True)
    counts = tuple(tuple(map(sum, zip(*same, strict=True))) for same in rows)
    return ContingencyTable(tables[0].classes, counts)
