"""Seconds that pieces of work take, measured in turns so that a busy machine slows all of them alike."""

import gc
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


def seconds(work: Callable[[], object]) -> float:
    """How long does one call take? Garbage is collected before, not during the call."""
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start
    finally:
        gc.enable()


def in_turns(works: Mapping[str, Callable[[], object]], *, rounds: int) -> dict[str, float]:
    """Return the median seconds of each piece of work over rounds in which each is done once.

    One round before the measured ones warms the caches.
    """
    for work in works.values():
        work()
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            taken[name].append(seconds(work))
    return {name: statistics.median(values) for name, values in taken.items()}


def run_command(command: Sequence[str], **options: object) -> str:
    """Run a command to its end and return what it printed; CalledProcessError if it fails."""
    done = subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, **options)
    return done.stdout.decode()


class Costs(NamedTuple):
    """What a process took: seconds, those of the processor, and the most memory in MB."""

    seconds: float
    processor: float
    megabytes: float


def costs_of(command: Sequence[str], **environment: str) -> Costs:
    """Run a command to its end in silence; return what it took. Raises CalledProcessError if it fails."""
    started, quiet = time.perf_counter(), subprocess.DEVNULL
    environment = {**os.environ, **environment}
    process = subprocess.Popen(command, env=environment, stdin=quiet, stdout=quiet, stderr=quiet)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Costs(time.perf_counter() - started, used.ru_utime + used.ru_stime, megabytes(used))


def megabytes(usage: resource.struct_rusage) -> float:
    """Return the most memory that was resident, in MB."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
