"""Where on a task-array do learning curves cross?"""

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from delvecore.stats.arrays.results import ArrayResults, GridCell
from delvecore.stats.choose import Verdict


class Crossing(NamedTuple):
    """Between two sizes of training sets one method's loss falls below another's.

    before, after: the tasks with the smaller and the larger training sets; behind: the method with the lower
    loss before; ahead: that with the lower loss after; is_significant: do they differ so at both sizes?
    share: where between the sizes, on a scale of their logarithms, straight lines cross; loss: there."""

    before: GridCell
    after: GridCell
    behind: str
    ahead: str
    is_significant: bool
    share: float
    loss: float


def crossings(found: ArrayResults, *, all_pairs: bool = False) -> list[Crossing]:
    """Return where the lowest loss passes from one method to another as training sets grow, first where that
    is significant at both sizes.

    all_pairs: where any two curves cross, the lowest or not. A method without a loss at one of two sizes
    crosses none between them."""
    members: dict[tuple[str, ...], list[int]] = {}
    for number, cell in enumerate(found.cells):
        if np.isfinite(found.value[number]).any():
            members.setdefault(cell.levels, []).append(number)
    crossed = []
    for own in members.values():
        own.sort(key=lambda number: found.cells[number].training_size)
        for before, after in pairwise(own):
            crossed += [
                _crossing(found, before, after, *pair)
                for pair in (_pairs if all_pairs else _lowest)(found, before, after)
            ]
    return sorted(crossed, key=lambda one: not one.is_significant)


def _pairs(found: ArrayResults, before: int, after: int) -> Iterator[tuple[int, int]]:
    """Yield (behind, ahead) of all methods whose curves cross."""
    for one, other in combinations(range(len(found.methods)), 2):
        first, last = (found.value[cell, one] - found.value[cell, other] for cell in (before, after))
        if first * last < 0:
            yield (one, other) if first < 0 else (other, one)


def _lowest(found: ArrayResults, before: int, after: int) -> Iterator[tuple[int, int]]:
    """Yield (behind, ahead) where another method has the lowest loss after than before."""
    old, new = (int(np.nanargmin(found.value[cell])) for cell in (before, after))
    if old != new and np.isfinite(found.value[before, new]) and np.isfinite(found.value[after, old]):
        yield old, new


def _crossing(found: ArrayResults, before: int, after: int, behind: int, ahead: int) -> Crossing:
    first, last = (float(found.value[cell, ahead] - found.value[cell, behind]) for cell in (before, after))
    share = first / (first - last)
    low, high = (float(found.value[cell, behind]) for cell in (before, after))
    is_significant = (
        found.verdict[before, behind, ahead] == Verdict.BETTER
        and found.verdict[after, ahead, behind] == Verdict.BETTER
    )
    names = found.methods[behind], found.methods[ahead]
    cells = found.cells[before], found.cells[after]
    return Crossing(*cells, *names, is_significant, share, low + share * (high - low))
