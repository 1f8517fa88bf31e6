"""The exact distribution of Friedman's statistic, given the ties, by adding one task after another.

Under the hypothesis each task deals its ranks to the methods by chance. What matters is only the sums of
ranks without regard to which method has which, so that sorted sums are the states.
"""

import functools
import itertools

import numpy as np

__all__ = ["MOST_TASKS", "exact_upper_tail"]

MOST_TASKS = {2: 1000, 3: 120, 4: 30, 5: 10, 6: 5}
"""Up to how many tasks, for each number of methods, the distribution is computed."""


def exact_upper_tail(ranks: np.ndarray) -> float | None:
    """How probable is a Friedman statistic at least as large as that of these ranks?

    ranks: shape (tasks, methods). None beyond `MOST_TASKS`. Counted in whole numbers: ranks are doubled.
    """
    tasks, methods = ranks.shape
    if tasks > MOST_TASKS.get(methods, 0):
        return None
    doubled = np.rint(2 * ranks).astype(np.int64)
    states, chances = np.zeros((1, methods), np.int64), np.ones(1)
    # Sorted tasks, so that equal patterns of ties follow each other.
    for pattern in sorted(tuple(sorted(row)) for row in doubled.tolist()):
        states, chances = _after_one_task(states, chances, _orders(pattern))
    observed = np.square(doubled.sum(axis=0)).sum()
    reached = np.square(states).sum(axis=1) >= observed
    return min(float(chances[reached].sum()), 1.0)


@functools.lru_cache(maxsize=64)
def _orders(pattern):
    """Return every distinct order of a task's ranks, all equally probable."""
    return np.array(sorted(set(itertools.permutations(pattern))), dtype=np.int64)


def _after_one_task(states, chances, orders):
    methods = states.shape[1]
    sums = np.sort((states[:, None, :] + orders).reshape(-1, methods), axis=1)
    base = int(sums.max()) + 1
    codes = sums @ (base ** np.arange(methods, dtype=np.int64))
    _, first, where = np.unique(codes, return_index=True, return_inverse=True)
    spread = np.repeat(chances / len(orders), len(orders))
    return sums[first], np.bincount(where, weights=spread)
