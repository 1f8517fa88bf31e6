"""Random orders of a prototask's cases. Source: manual, sections 3.2 and 4.4, appendix C (`dgenorder`)."""

from collections.abc import Iterator

import numpy as np

from delvecore.errors import Fault

__all__ = ["order_lines", "random_order"]

LARGEST_SEED = 2**64 - 1
PIECE = 1 << 16
"""How many lines of a file are made at a time."""


def random_order(count: int, seed: int, *, groups: np.ndarray | None = None) -> np.ndarray:
    """Return the positions (int64, from 0) of `count` cases in random order, the same for the same seed.

    groups: int64, a number for each case, equal for cases that must stay together: they follow each other in
    random order, and the groups are in random order themselves. Every order that keeps groups together is
    equally likely. Raises DelveError for a seed that is negative or has more than 64 bits.
    """
    if not 0 <= seed <= LARGEST_SEED:
        raise Fault("", f"a seed from 0 to {LARGEST_SEED}", seed)
    bits = np.random.PCG64(seed)  # the stream of raw bits of this generator never changes between versions
    keys = bits.random_raw(count)
    if groups is None:
        return np.argsort(keys, kind="stable")
    known, codes = np.unique(groups, return_inverse=True)
    group_keys = bits.random_raw(len(known))
    return np.lexsort((keys, codes, group_keys[codes]))


def order_lines(order: np.ndarray, seed: int) -> Iterator[bytes]:
    """Yield an order file in pieces: the seed in a comment, then the number (from 1) of a case a line."""
    yield f"# seed {seed}\n".encode()
    for start in range(0, len(order), PIECE):
        numbers = (order[start : start + PIECE] + 1).tolist()
        yield ("\n".join(map(str, numbers)) + "\n").encode()
