"""A program run once in a directory, for no longer than it may: how it ended, and what it took.

All that it starts belongs to a group of processes that ends with it, or with the process that runs it.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import IO, TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from resource import struct_rusage

__all__ = ["Ended", "run_program"]

SHORTEST, LONGEST = 0.001, 0.02
"""Seconds between two looks at a program; a twentieth of how long it has run lies between them."""


@dataclass(frozen=True)
class Ended:
    """How a program ended. status: its exit status, negative for a signal; None where it was out of time;
    seconds: of the processor; megabytes: the largest size of one of its processes, None where not known."""

    status: int | None
    seconds: float
    megabytes: float | None


def run_program(
    words: Sequence[str],
    *,
    directory: str,
    environment: Mapping[str, str],
    errors: IO[bytes],
    time_limit: float | None = None,
) -> Ended:
    """Run a program; its standard output is discarded, what it prints on standard error goes into a file.

    time_limit: in seconds of the clock. Raises OSError for a program that cannot be started.
    """
    process = subprocess.Popen(
        words,
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        start_new_session=True,
    )
    with _stopping_at_termination():
        try:
            watch = _watched if hasattr(os, "wait4") else _waited
            return watch(process, time_limit)
        finally:
            _end_group(process)


def _watched(process: subprocess.Popen[bytes], time_limit: float | None) -> Ended:
    """Look at a program again and again until it has ended, or its time has."""
    started, seen = time.monotonic(), None
    while True:
        seen = max((peak for peak in (seen, _peak_of_tree(process.pid)) if peak is not None), default=None)
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        elapsed = time.monotonic() - started
        is_late = not ended and time_limit is not None and elapsed > time_limit
        if is_late:
            _end_group(process)
            ended, status, usage = os.wait4(process.pid, 0)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            shown = None if is_late else process.returncode
            return Ended(shown, usage.ru_utime + usage.ru_stime, _megabytes(usage, seen))
        time.sleep(min(max(elapsed / 20, SHORTEST), LONGEST))


def _waited(process: subprocess.Popen[bytes], time_limit: float | None) -> Ended:
    """Windows does not say what a program took, other than by the clock."""
    started = time.monotonic()
    try:
        status = process.wait(time_limit)
    except subprocess.TimeoutExpired:
        status = None
    return Ended(status, time.monotonic() - started, None)


def _megabytes(usage: "struct_rusage", seen: float | None) -> float | None:
    """Return the largest size in MB.

    What the system counts begins with the size of the process that started the program, so it tells nothing
    unless it is larger; otherwise what was seen meanwhile is the better figure.
    """
    counted = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    own = _peak(os.getpid())
    return counted if seen is None or own is None or counted > 1.05 * own else seen


def _peak_of_tree(process_id: int) -> float | None:
    """Return the largest size so far of a process and those below it, in MB; None where it is not told."""
    peaks = [_peak(process_id)]
    try:
        with open(f"/proc/{process_id}/task/{process_id}/children", encoding="ascii") as file:
            peaks += [_peak_of_tree(int(word)) for word in file.read().split()]
    except (OSError, ValueError):
        pass  # it has ended meanwhile, or the system has no such file
    return max((peak for peak in peaks if peak is not None), default=None)


def _peak(process_id: int) -> float | None:
    try:
        with open(f"/proc/{process_id}/status", encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if line.startswith("VmHWM:")]
    except OSError:
        return None
    return int(lines[0].split()[1]) * 1024 / 1e6 if lines else None


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it left behind."""
    if not hasattr(os, "killpg"):
        process.kill()
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # nothing is left


@contextmanager
def _stopping_at_termination() -> Iterator[None]:
    """When this process is told to end, the program is ended first. Only a main thread can be told."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
