"""Groups of methods that do not differ significantly, as the bars of a critical-difference diagram."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

MOST_GROUPS = 10_000
NOISE = 1e-9
"""Mean ranks that differ by less are as far apart as each other."""


@dataclass(frozen=True)
class Groups:
    """Sets of methods, best mean rank first; a method that differs from all others is in none.

    members: for each set the places of its methods in the table. complete: False where there were more sets
    than `MOST_GROUPS` and only those that were found first are here."""

    members: tuple[tuple[int, ...], ...]
    complete: bool = True


def maximal_runs(ranks: np.ndarray, reach: float) -> Groups:
    """Homogeneous groups of Nemenyi's test: neighbours whose mean ranks span no more than the difference.

    ranks: mean rank of each method; reach: the critical difference. A run that is part of a longer one, or
    is a single method, is left out.

    Examples
    --------
    >>> maximal_runs(np.array([1.0, 1.5, 3.0]), 1.0).members
    ((0, 1),)
    """
    order = np.argsort(ranks, kind="stable")
    ordered = ranks[order]
    # A span equal to the critical difference belongs to the run, however it was rounded.
    ends = np.searchsorted(ordered, ordered + (reach + NOISE), side="right")
    before = np.concatenate([[0], np.maximum.accumulate(ends)[:-1]])
    starts = np.flatnonzero((ends > before) & (ends - np.arange(len(ends)) > 1))
    return Groups(tuple(tuple(order[start : ends[start]].tolist()) for start in starts))


def maximal_cliques(different: np.ndarray, ranks: np.ndarray, *, most: int = MOST_GROUPS) -> Groups:
    """Maximal cliques: sets in which no pair differs, such that no further method fits in.

    different: shape (methods, methods), symmetric, whether a pair differs. Sets of one are left out. Unlike
    runs, sets need not be neighbours in the order of ranks. Source: Bron and Kerbosch 1973, with pivots.

    Examples
    --------
    >>> different = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    >>> maximal_cliques(different, np.array([1.0, 2.0, 3.0])).members
    ((0, 1), (1, 2))
    """
    order = np.argsort(ranks, kind="stable").tolist()
    joined = ~np.asarray(different, dtype=bool)[np.ix_(order, order)]
    np.fill_diagonal(joined, False)
    neighbours = [sum(1 << int(other) for other in np.flatnonzero(row)) for row in joined]
    found: list[int] = []
    complete = True
    for clique in _cliques(neighbours):
        if len(found) == most:
            complete = False
            break
        found.append(clique)
    ordered = sorted(_places(clique) for clique in found if clique & (clique - 1))
    return Groups(tuple(tuple(order[place] for place in places) for places in ordered), complete)


def _cliques(neighbours: Sequence[int]) -> Iterator[int]:
    """Yield every maximal clique as a set of bits; bit k stands for node k."""
    stack = [(0, (1 << len(neighbours)) - 1, 0)]
    while stack:
        clique, candidates, excluded = stack.pop()
        if not candidates:
            if not excluded:
                yield clique
            continue
        pivot = max(_places(candidates | excluded), key=lambda n: (candidates & neighbours[n]).bit_count())
        for node in _places(candidates & ~neighbours[pivot]):
            bit = 1 << node
            near = neighbours[node]
            stack.append((clique | bit, candidates & near, excluded & near))
            candidates &= ~bit
            excluded |= bit


def _places(bits: int) -> tuple[int, ...]:
    """Return the places of the bits that are set, ascending."""
    places = []
    while bits:
        lowest = bits & -bits
        places.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(places)
