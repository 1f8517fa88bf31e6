"""Seconds that pieces of work take, measured in turns so that a busy machine slows all of them alike."""

import gc
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence


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
