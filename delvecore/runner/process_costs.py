"""How much time and memory does a process need?

Time is that of the processor, not of the clock: what else the machine does must not show. Linux counts the
largest resident size since the counter was last reset, and a process may reset its own. Elsewhere the largest
size since the process began is all there is, so the figure is an upper bound."""

import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from resource import struct_rusage

__all__ = ["counted_megabytes", "peak_megabytes", "process_peak", "processor_seconds", "reset_peak"]

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
