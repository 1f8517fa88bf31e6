"""How many processes and threads compute, and how much time and memory does a process need?

This module imports no NumPy: its variables count before that. Time is that of the processor, not of the
clock: what else the machine does must not show. Linux counts the largest resident size since the counter was
last reset, and a process may reset its own. Elsewhere the largest size since the process began is all there
is, so the figure is an upper bound."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from resource import struct_rusage

__all__ = ["compute_in_one_thread", "counted_megabytes", "one_thread", "peak_megabytes", "process_peak"]
__all__ += ["processor_seconds", "reset_peak", "single_threaded", "usable_cores"]

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""How the libraries of linear algebra are told how many threads to use, before they are imported."""


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def compute_in_one_thread() -> None:
    """Let this process, if it has not imported NumPy yet, and those that it starts compute in one thread. The
    order in which parallel sums are added would show in the last digits."""
    os.environ.update(dict.fromkeys(THREADS, "1"))


@contextmanager
def one_thread() -> Iterator[None]:
    """Processes started inside compute in one thread; several at once would fight for cores besides."""
    before = {name: os.environ[name] for name in THREADS if name in os.environ}
    compute_in_one_thread()
    try:
        yield
    finally:
        for name in THREADS:
            del os.environ[name]
        os.environ.update(before)


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


_RESET_PEAK = "5"
"""Written to `clear_refs`, it sets the peak to the present size: proc(5)."""


def processor_seconds() -> float:
    """Return the seconds that this process, and the ended ones that it started, have computed so far."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:
        return time.process_time()  # Windows
    ended = getrusage(RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def reset_peak() -> None:
    """Begin to count anew, where the system allows it."""
    with suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write(_RESET_PEAK)


def peak_megabytes() -> float | None:
    """Return the largest resident size since `reset_peak` in MB (10**6 bytes), None where none is known."""
    peak = process_peak("self")
    if peak is None:
        with suppress(ImportError):  # Windows
            from resource import RUSAGE_SELF, getrusage

            return counted_megabytes(getrusage(RUSAGE_SELF))
    return peak


def process_peak(process: int | str) -> float | None:
    """Return the largest resident size so far of a process (`self`: this one) in MB, None if not told."""
    try:
        with open(f"/proc/{process}/status", encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if line.startswith("VmHWM:")]
    except OSError:
        return None
    return int(lines[0].split()[1]) * 1024 / 1e6 if lines else None


def counted_megabytes(usage: "struct_rusage") -> float:
    """Return the largest resident size that the system has counted, in MB."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
