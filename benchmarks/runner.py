"""What does `delve run` cost for each instance, beside the method itself?"""

import os
import tempfile
import time
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.results import Finding
from delvecore.locations import default_directories
from delvecore.methods.protocol import LearningInstance, Predictions, TaskView
from delvecore.model import Coding
from delvecore.parallel.processes import compute_in_one_thread
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner import runs
from delvecore.runner.choice import choose_tasks

GOAL_SECONDS = 0.020
TASK = ("kin-8fm", "dist", "std.1024")
METHODS = 24
WARM = 16
"""How many instances are run before the clock starts: processes start and read the cases meanwhile."""
_NOTE = (
    "Medians of {rounds} runs of {methods} methods that do nothing but guess zero, 4 instances each, on "
    "/{task} (1024 training and 1024 test cases, 8 inputs): the time between the results of two instances, "
    "after the first {warm}. It holds encoding, checking, decoding, losses and files. One process needed "
    "{own:.1f} ms of its processor for it. Beside it: as many numbers written with `numpy.savetxt`."
)


_RUNS = (("one", time.perf_counter, 1), ("two", time.perf_counter, 2), ("processor", time.process_time, 1))


class Nothing:
    """A method that learns nothing and guesses zero."""

    def __init__(self, number: int) -> None:
        self.name = f"nothing-{number}"

    def can(self, task: TaskView) -> str | None:
        return None

    def codings(self, task: TaskView) -> dict[int, Coding]:
        return {}

    def fit_predict(self, instance: LearningInstance, rng: np.random.Generator) -> Predictions:
        return Predictions(guesses={"": np.zeros_like(instance.test_targets)})


def measure(*, rounds: int = 5) -> list[Finding]:
    """Time the runner with one process and with two."""
    compute_in_one_thread()
    taken: dict[str, list[float]] = {"one": [], "two": [], "savetxt": [], "processor": []}
    for _ in range(rounds):
        for name, clock, workers in _RUNS:
            taken[name].append(_seconds_an_instance(workers, clock))
        taken["savetxt"].append(_plain_seconds())
    median = {name: float(np.median(values)) for name, values in taken.items()}
    own = median["processor"] * 1e3
    note = _NOTE.format(rounds=rounds, methods=METHODS, task="/".join(TASK), warm=WARM, own=own)
    return [_finding(processes, median, note) for processes in ("one", "two")]


def _finding(processes, median, note):
    own, plain = median[processes], median["savetxt"]
    return Finding(
        f"overhead of `delve run` an instance, {processes} process{'es' * (processes == 'two')}",
        f"{own * 1e3:.1f} ms",
        f"`numpy.savetxt` {plain * 1e3:.1f} ms",
        f"{own / plain:.1f}x as long",
        f"{GOAL_SECONDS * 1e3:.0f} ms",
        own <= GOAL_SECONDS,
        note,
    )


def _seconds_an_instance(workers: int, clock: Callable[[], float]) -> float:
    """Run all methods into a new directory; return the seconds between two results."""
    alone, runs.ALONE = runs.ALONE, -1.0  # other processes help at once
    try:
        with tempfile.TemporaryDirectory(prefix="delve-") as into:
            return _paced(_planned(into), workers, clock)
    finally:
        runs.ALONE = alone


def _planned(into: str) -> list[runs.PlannedRun]:
    os.makedirs(os.path.join(into, "methods"))
    hierarchy = Hierarchy([into, *default_directories()])
    chosen, cases = choose_tasks(hierarchy, [TASK]), {}
    return [runs.plan_run(hierarchy, Nothing(number), chosen, into, cases=cases) for number in range(METHODS)]


def _paced(planned: Sequence[runs.PlannedRun], workers: int, clock: Callable[[], float]) -> float:
    moments: list[float] = []
    failures = runs.run_methods(planned, workers=workers, notify=lambda step: moments.append(clock()))
    if failures:
        raise OSError(failures[0])
    return (moments[-1] - moments[WARM - 1]) / (len(moments) - WARM)


def _plain_seconds() -> float:
    """Write as many numbers as an instance has, as text."""
    numbers = np.random.default_rng(1).normal(size=(1024 + 1024, 9))
    with tempfile.TemporaryFile("w") as file:
        started = time.perf_counter()
        np.savetxt(file, numbers, fmt="%.9g")
        return time.perf_counter() - started
