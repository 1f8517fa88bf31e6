"""How much of a run is done, and so how long the rest will take?

The cost of an instance grows with the training cases, in a way that differs from method to method. So what
is left is estimated from what the instances of the same method took: those of the same size where there are
some, else those of the nearest size, in proportion to the size.
"""

from collections import Counter
from collections.abc import Iterable

__all__ = ["Workload"]


class Workload:
    """The instances of a run by kind: a pair (method, training size)."""

    def __init__(self, kinds: Iterable[tuple[str, int]]) -> None:
        self._left = Counter(kinds)
        self._taken: dict[tuple[str, int], list[float]] = {}
        self.count, self.total = 0, self._left.total()

    def add(self, kind: tuple[str, int], seconds: float) -> None:
        """Count an instance that was run, in so many seconds."""
        self._left[kind] -= 1
        taken = self._taken.setdefault(kind, [0, 0.0])
        taken[0] += 1
        taken[1] += seconds
        self.count += 1

    def drop(self, kind: tuple[str, int], count: int) -> None:
        """Leave out instances that cannot be run."""
        self._left[kind] -= count
        self.count += count

    @property
    def share(self) -> float:
        """The share of the work that is done, between 0 and 1."""
        if self.count == self.total:
            return 1.0
        done = sum(seconds for _, seconds in self._taken.values())
        left = sum(count * self._expected(kind) for kind, count in self._left.items() if count)
        return done / (done + left) if done + left else self.count / self.total

    def _expected(self, kind: tuple[str, int]) -> float:
        method, size = kind
        known = [other for other in self._taken if other[0] == method] or list(self._taken)
        if not known:
            return float(size)
        nearest = min(known, key=lambda other: abs(other[1] - size))
        count, seconds = self._taken[nearest]
        return seconds / count * size / nearest[1]
