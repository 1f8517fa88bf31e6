"""How many processes and threads compute? This module imports no NumPy: its variables count before that."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["THREADS", "compute_in_one_thread", "in_threads", "single_threaded", "usable_cores"]

Given = TypeVar("Given")
Found = TypeVar("Found")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""How the libraries of linear algebra are told how many threads to use, before they are imported."""


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_threads(function: Callable[[Given], Found], given: Iterable[Given]) -> Iterator[Found]:
    """Yield what a function that mostly computes outside of the interpreter makes of each, in order. The next
    are taken while those before are computed, never more of them than there are cores."""
    waiting = deque[Future[Found]]()
    with ThreadPoolExecutor(usable_cores()) as pool:
        for one in given:
            if len(waiting) == usable_cores():
                yield waiting.popleft().result()
            waiting.append(pool.submit(function, one))
        while waiting:
            yield waiting.popleft().result()


def compute_in_one_thread() -> None:
    """Let this process, if it has not imported NumPy yet, and those that it starts compute in one thread. The
    order in which parallel sums are added would show in the last digits."""
    os.environ.update(dict.fromkeys(THREADS, "1"))


@contextmanager
def single_threaded() -> Iterator[None]:
    """Libraries that this process has loaded already compute in one thread inside, if threadpoolctl is there
    to tell them; it comes with scikit-learn."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    with threadpool_limits(1):
        yield
