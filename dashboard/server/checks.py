"""Findings of `dcheck` and `mcheck` in the archive, as tables.

Checking a method recomputes its losses, which takes a while. A job checks the parts of the whole archive in
another process while pages continue."""

import functools
import threading
import time
import weakref
from collections.abc import Iterable, Mapping, Sequence

from dashboard.server import archive as opened
from dashboard.server.cache import cached
from dashboard.server.jobs import Job, Report
from delvecore.archive import Archive
from delvecore.archive.building import OpeningStep
from delvecore.checks.parts import part_problems
from delvecore.errors import DelveError, Problem
from delvecore.parallel.processes import LOW_PRIORITY, Worker, WorkerDiedError

PAUSE = 0.05
"""Seconds between two checks by a caller that waits for findings."""
Step = tuple[str | None, str | None]
"""A method and a dataset that it was run on; without a dataset the method's documentation, without a method
the dataset itself."""


def method_steps(archive: Archive, method: str | None = None) -> list[Step]:
    """Return the parts of the check of a method, or of all methods. Methods of tables of scores have none."""
    methods = [method] if method else [row["method"] for row in opened.rows(archive, "methods")]
    datasets = {row["dataset"] for row in opened.rows(archive, "datasets")}
    hierarchy = archive.hierarchy.reporting(_ignore)
    have_files = set(hierarchy.subdirectories("methods"))
    return [
        (name, dataset)
        for name in methods
        if name in have_files
        for dataset in (None, *hierarchy.subdirectories("methods", name))
        if dataset is None or dataset in datasets
    ]


def step_words(step: Step) -> str:
    """Return the name of a part, not escaped: `results of lin-1 on demo`, `documentation of lin-1`, `dataset
    demo`."""
    method, dataset = step
    if method is None:
        return f"dataset {dataset}"
    return f"documentation of {method}" if dataset is None else f"results of {method} on {dataset}"


def _ignore(error: DelveError) -> None:
    """Ignore a fault of the directories themselves, since reading the archive has reported it."""


class _Check:
    """Findings in an archive's files by part. A job completes them while a session uses the archive.

    steps: all parts, datasets first; findings: those of the parts checked so far; keepers: archives of this
    state that sessions use; wanted: requested parts, which are checked first; job: the last job."""

    def __init__(self, archive: Archive) -> None:
        have_files = set(archive.hierarchy.reporting(_ignore).subdirectories("data"))
        names = [row["dataset"] for row in opened.rows(archive, "datasets")]
        datasets: list[Step] = [(None, name) for name in names if name in have_files]
        self.steps = [*datasets, *method_steps(archive)]
        self.findings: dict[Step, tuple[Problem, ...]] = {}
        self.keepers: weakref.WeakSet[Archive] = weakref.WeakSet()
        self.wanted: dict[Step, None] = {}
        self.job: Job[None] | None = None
        self._lock = threading.Lock()

    def go_on(self, archive: Archive, wanted: Iterable[Step]) -> Job[None]:
        """Return the job, or a new one if the last one was abandoned. A failed job is not repeated."""
        with self._lock:
            self.keepers.add(archive)
            self.wanted.update(dict.fromkeys(wanted))
            if self.job is None or (self.job.is_done(0.0) and not self.job.has_failed()):
                self.job = Job("Checking", self._run)
            return self.job

    def _run(self, report: Report) -> None:
        with Worker(niceness=LOW_PRIORITY) as worker:
            while (archive := self._keeper()) is not None and _check(archive) is self:
                every = dict.fromkeys((*list(self.wanted), *self.steps))
                left = [step for step in every if step not in self.findings]
                if not left:
                    return
                step = left[0]
                report(OpeningStep(1 - len(left) / len(every), step_words(step)))
                self.findings[step] = _findings(worker, archive, step)
                del archive

    def _keeper(self) -> Archive | None:
        with self._lock:
            return next(iter(self.keepers), None)


@cached
def _check(archive: Archive) -> _Check:
    return _Check(archive)


def _findings(worker: Worker, archive: Archive, step: Step) -> tuple[Problem, ...]:
    """Check a part in another process, so that no page waits. A part that ends two processes is a finding."""
    serving = opened.serving()
    # Findings about visitors' additions are not kept.
    cache = opened.cache_base() if serving is not None and serving.paths == archive.paths else None
    check = functools.partial(part_problems, archive.hierarchy, *step, cache=cache)
    for _ in range(2):
        try:
            return worker.submit(check).result()
        except WorkerDiedError:
            if worker.has_ended:
                raise
    what = step_words(step)
    return (Problem("results", what, None, "that it can be checked", "that the process ended twice", ""),)


def findings_by_step(archive: Archive) -> Mapping[Step, tuple[Problem, ...]]:
    """Return the findings in all parts that were checked so far."""
    return _check(archive).findings


def findings_in(archive: Archive, steps: Sequence[Step] | None, patience: float) -> list[Problem] | None:
    """Return the findings in these parts, or in all for None; None if not all of them have been checked.

    In that case, the archive is checked in the background, these parts first. The function waits for at most
    this many seconds. Raises any error of the check."""
    end = time.monotonic() + patience
    while True:
        check = _check(archive)
        requested = check.steps if steps is None else steps
        if check.findings.keys() >= set(requested):
            return [problem for step in requested for problem in check.findings[step]]
        job = check.go_on(archive, steps or ())
        if job.is_done(0.0):
            job.result()
        if time.monotonic() >= end:
            return None
        job.is_done(PAUSE)


def job(archive: Archive) -> Job[None]:
    """Return the check of the whole archive."""
    return _check(archive).go_on(archive, ())


def is_checked(archive: Archive) -> bool:
    """Is the check of the whole archive complete?"""
    return set(_check(archive).steps) <= findings_by_step(archive).keys()
