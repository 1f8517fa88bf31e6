"""Names as small numbers: which combinations of them are there, and does one come twice?"""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Codes", "Keys", "Places", "count_of", "crossed", "finer", "looked_up", "narrow"]
__all__ += ["repeats", "tidy", "used_codes"]

Places = NDArray[np.signedinteger]
"""Of 8, 16 or 32 bits, as many as are needed."""
Keys = NDArray[np.signedinteger]
"""One number for each combination of names, -1 where one of them is missing."""
Value = TypeVar("Value", bound=np.generic)
MOST_CELLS = 1 << 27


class Codes(NamedTuple):
    """places: of each row's text in levels, -1 where it is empty; of few levels they are small numbers."""

    places: Places
    levels: tuple[str, ...]


def crossed(columns: Sequence[Codes]) -> Codes:
    """Return the combinations that occur of several columns, each under texts joined by `, `."""
    if len(columns) == 1:
        return columns[0]
    first, second = crossed(columns[:-1]), columns[-1]
    many = len(second.levels)
    key = first.places.astype(np.int64) * many + second.places
    key[(first.places < 0) | (second.places < 0)] = -1
    levels, places = _numbered(key, len(first.levels) * many)
    ones, others = np.divmod(levels, max(many, 1))
    names = [f"{first.levels[one]}, {second.levels[other]}" for one, other in zip(ones, others, strict=True)]
    return tidy(places, names)


def _numbered(key: Keys, count: int) -> tuple[Keys, Places]:
    """Return the keys below count that are there, and the place of each row's among them, -1 for none."""
    if count > MOST_CELLS:
        levels, places = np.unique(key, return_inverse=True)
        missing = int(levels[0] < 0)
        return levels[missing:], (places - missing).astype(np.int32)
    levels = np.flatnonzero(_there(key, count))
    moved = np.full(count + 1, -1, dtype=narrow(len(levels)))
    moved[levels] = np.arange(len(levels))
    return levels, looked_up(moved, key)


def finer(keys: Keys, codes: Codes) -> Keys:
    """Return keys of combinations that a further name belongs to, as small as need be."""
    many = max(len(codes.levels), 1)
    small = (int(keys.max(initial=0)) + 1) * many < np.iinfo(np.int32).max
    found: Keys = keys.astype(np.int32) if small else keys.astype(np.int64)
    found *= many
    found += codes.places
    missing = (keys < 0) | (codes.places < 0)
    if missing.any():
        found[missing] = -1
    if found.max(initial=0) < MOST_CELLS:
        return found
    known = np.unique(found, return_inverse=True)[1].astype(np.int64)
    return np.where(missing, -1, known)


def count_of(keys: Keys) -> int:
    """How many different combinations are there?"""
    return int(_there(keys, int(keys.max(initial=0)) + 1).sum())


def _there(keys: Keys, count: int) -> NDArray[np.bool_]:
    """Which numbers below count are there among keys?"""
    there = np.zeros(count + 1, dtype=bool)
    there[keys] = True  # what is missing, -1, goes behind all
    return there[:count]


def repeats(keys: Keys) -> bool:
    """Does a combination occur twice?"""
    return count_of(keys) < int(np.count_nonzero(keys >= 0))


def narrow(levels: int) -> type[np.signedinteger]:
    """Return the smallest type of numbers below so many, and of -1."""
    return next(kind for kind in (np.int8, np.int16, np.int32) if levels <= np.iinfo(kind).max)


def looked_up(levels: NDArray[Value], places: Places) -> NDArray[Value]:
    """Return what stands in each row's place among levels, the last one for -1."""
    found: NDArray[Value] = levels[places]
    return found


def used_codes(codes: Codes) -> Codes:
    """Return codes without the levels that no row has."""
    there = _there(codes.places, len(codes.levels))
    if there.all():
        return codes
    moved = np.append(np.cumsum(there) - 1, -1).astype(codes.places.dtype)
    levels = tuple(level for level, used in zip(codes.levels, there.tolist(), strict=True) if used)
    return Codes(looked_up(moved, codes.places), levels)


def tidy(places: Places, texts: Sequence[str]) -> Codes:
    """Return codes of levels that occur, each once, none of them empty."""
    known = {text: place for place, text in enumerate(dict.fromkeys(text for text in texts if text))}
    if len(known) == len(texts):
        return Codes(places, tuple(known))
    moved = np.array([*(known.get(text, -1) for text in texts), -1], dtype=narrow(len(known)))
    return Codes(looked_up(moved, places), tuple(known))
