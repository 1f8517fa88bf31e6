"""How much time of the processor, and how much memory at most, does a process need to do something?

Time of the processor, not of the clock: what else the machine does must not show. Linux counts the largest
resident size since the counter was last reset, and a process may reset its own.
Elsewhere the largest size since the process began is all there is, so the figure is an upper bound.
"""

import sys
import time

__all__ = ["peak_megabytes", "processor_seconds", "reset_peak"]

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
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write(_RESET_PEAK)
    except OSError:
        return


def peak_megabytes() -> float | None:
    """Return the largest resident size since `reset_peak` in MB (10**6 bytes), None where none is known."""
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024 / 1e6
    except OSError:
        pass
    return _largest_ever()


def _largest_ever() -> float | None:
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return None  # Windows
    unit = 1 if sys.platform == "darwin" else 1024
    return getrusage(RUSAGE_SELF).ru_maxrss * unit / 1e6
