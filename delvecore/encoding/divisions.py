"""Cases in order, divided into sets of given sizes: by value, and without splitting groups where avoidable.

Source: DELVE manual, sections 4.2 (stratified training sets), 3.2 and 6.2 (commonality indexes).
"""

from collections.abc import Iterator

import numpy as np

__all__ = ["divide", "numbers_of_values", "take_first"]


def numbers_of_values(positions: np.ndarray, codes: np.ndarray | None, values: int) -> np.ndarray:
    """How many of some cases have each value? codes: of every case, -1 for no value; None: all alike."""
    if codes is None:
        return np.array([len(positions)])
    found = codes[positions]
    return np.bincount(found[found >= 0], minlength=values)


def take_first(positions: np.ndarray, codes: np.ndarray | None, share: np.ndarray) -> np.ndarray:
    """Return the first cases of each value, share[value] of each, in the order of positions."""
    return positions[_first(positions, codes, share)]


def divide(
    positions: np.ndarray,
    count: int,
    share: np.ndarray,
    *,
    codes: np.ndarray | None = None,
    groups: np.ndarray | None = None,
) -> Iterator[np.ndarray]:
    """Yield count sets that follow each other, each with share[value] cases of each value.

    positions must suffice. groups: the group of every case; cases left over are passed over where that keeps
    a group out of two sets, from the first set on, until none are left.
    """
    spare = numbers_of_values(positions, codes, len(share)) - count * share
    for _ in range(count):
        taken = _first(positions, codes, share)
        chosen, positions = positions[taken], positions[~taken]
        yield chosen
        if groups is not None:
            positions = _pass_over(positions, chosen, codes, groups, spare)


def _first(positions: np.ndarray, codes: np.ndarray | None, share: np.ndarray) -> np.ndarray:
    taken = np.zeros(len(positions), dtype=bool)
    if codes is None:
        taken[: share[0]] = True
        return taken
    found = codes[positions]
    for value, number in enumerate(share.tolist()):
        taken[np.flatnonzero(found == value)[:number]] = True
    return taken


def _pass_over(
    positions: np.ndarray, chosen: np.ndarray, codes: np.ndarray | None, groups: np.ndarray, spare: np.ndarray
) -> np.ndarray:
    """Return positions without the groups of the chosen cases, as many as spare allows; spare shrinks."""
    found = groups[positions]
    for group in dict.fromkeys(found[np.isin(found, groups[chosen])].tolist()):
        members = groups[positions] == group
        cost = numbers_of_values(positions[members], codes, len(spare))
        if (cost <= spare).all():
            spare -= cost
            positions = positions[~members]
    return positions
