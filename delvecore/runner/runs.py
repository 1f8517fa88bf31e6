"""Runs of methods on many tasks, in this process or in several. Source: DELVE manual, section 7.

Only this process writes files, so the number of processes does not affect them.

Further files next to those of DELVE have a line per instance. `Seeds`: `instance seed` of complete instances;
`Costs`: their `instance seconds megabytes testing-seconds` (`-` if unknown); `Failures`: `instance message`
of instances that failed last time."""

import gzip
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from delvecore.encoding.codings import full_options
from delvecore.encoding.encode import TaskPlan
from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.errors import DelveError
from delvecore.losses.baselines import test_set_statistics
from delvecore.losses.predictions import parse_prediction_name
from delvecore.methods.protocol import OMITTED, TaskView
from delvecore.model import Task
from delvecore.number_format.numbers import whole_number
from delvecore.parallel.cluster import carry_out_on, data_of
from delvecore.parallel.processes import CarryOut, carry_out_all, single_threaded
from delvecore.progress import Progress
from delvecore.readers.files import find_file, plain_name, read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.choice import AS_SUITS, CodingChoice, Specified, plan_for
from delvecore.runner.command_method import Runnable
from delvecore.runner.one_instance import Bench, InstanceOutcome, Request, instance_seed, run_instance
from delvecore.writers.files import StagedFiles, finish_writing
from delvecore.writers.task_files import coding_used_text, task_data_files, test_set_stats_text

COSTS = "# instance seconds megabytes testing-seconds\n"
MODELS = "model"
"""File of the learned models of an instance, a tuple of objects written by cloudpickle."""
LOSS_FILE = re.compile(r"loss\.[A-Z]\.(\d+)")
RESULT_FILE = re.compile(rf"(?:loss\.[A-Z]|{MODELS}|{OMITTED})\.(\d+)")


class TaskDirectory:
    """Directory of a method's results on a task, and the files to keep there.

    Attributes
    ----------
    keep : str
        `all` (data files, decoded predictions, losses), `predictions` (without data files) or `losses`.
    compress : bool
        Whether predictions and losses are written as `.gz` files, whose bytes depend only on the text.
    lasting : bool
        See `StagedFiles`.
    """

    def __init__(
        self,
        path: str,
        method: str,
        plan: TaskPlan,
        *,
        keep: str = "predictions",
        compress: bool = False,
        lasting: bool = True,
    ) -> None:
        self.path, self.method, self.plan = path, method, plan
        self.keep, self.compress, self.lasting = keep, compress, lasting
        self.cases = plan.task.training_size

    def incomplete(self) -> list[Instance]:
        """Return the incomplete instances, or all if codings or data have changed."""
        finish_writing(self.path)
        if not self._is_same_task():
            return list(self.plan.instances)
        seeds = self._records("Seeds")
        names = map(plain_name, os.listdir(self.path))  # the directory exists: it has the files of the task
        evaluated = {int(match[1]) for match in map(LOSS_FILE.fullmatch, names) if match}
        evaluated -= self._records("Failures").keys()
        return [
            instance
            for instance in self.plan.instances
            if seeds.get(instance.number) != str(instance_seed(self.method, self.plan.task, instance.number))
            or instance.number not in evaluated
        ]

    def prepare(self) -> None:
        """Create the directory and write the files about all instances. Records of earlier, different results
        are removed."""
        os.makedirs(self.path, exist_ok=True)
        with StagedFiles(self.path, lasting=self.lasting) as staged:
            if not self._is_same_task():
                _write_records(staged, "Seeds", {})
                _write_records(staged, "Costs", {})
            for name, text in self._task_texts.items():
                staged.write(name, text)

    def record(self, outcome: InstanceOutcome) -> None:
        """Write all files of an instance with its entry in `Seeds`, or its failure."""
        with StagedFiles(self.path, lasting=self.lasting) as staged:
            seeds, failures = self._records("Seeds"), self._records("Failures")
            failures.pop(outcome.instance, None)
            if outcome.failure:
                failures[outcome.instance] = outcome.failure
            else:
                self._write_results(staged, outcome)
                seeds[outcome.instance] = str(outcome.seed)
                seconds, size, testing = outcome.cost
                megabytes = "-" if size is None else f"{size:.1f}"
                of_testing = "-" if testing is None else f"{testing:.3f}"
                costs = self._records("Costs") | {outcome.instance: f"{seconds:.3f} {megabytes} {of_testing}"}
                _write_records(staged, "Costs", costs, COSTS)
            _write_records(staged, "Failures", failures)
            _write_records(staged, "Seeds", seeds)

    @cached_property
    def _statistics(self) -> dict[str, tuple[float | None, ...]]:
        return test_set_statistics(self.plan.cases, self.plan.prior, self.plan.instances)

    def _write_results(self, staged: StagedFiles, outcome: InstanceOutcome) -> None:
        if self.keep == "all":
            alone = replace(self.plan, instances=[self.plan.instances[outcome.instance]])
            for name, content in task_data_files(alone, self._statistics):
                staged.write(name, content)
        kept = {
            name: text
            for name, text in outcome.files.items()
            if self.keep == "all"
            or not (prediction := parse_prediction_name(name))
            or (self.keep == "predictions" and not prediction.coded)
        }
        for name, text in kept.items():
            if self.compress:
                staged.write(f"{name}.gz", gzip.compress(text.encode(), mtime=0))
            else:
                staged.write(name, text)
        models = f"{MODELS}.{outcome.instance}"
        if outcome.models is not None:
            staged.write(models, outcome.models)
        for name in os.listdir(self.path):
            plain = plain_name(name)
            is_kept = plain in kept or (plain == models and outcome.models is not None)
            if _instance_of(plain) == outcome.instance and not is_kept:
                staged.remove(name)

    @cached_property
    def _task_texts(self) -> dict[str, str]:
        """{name: text} of the files about all instances. The statistics of targets identify the data."""
        codings = [coding._replace(options=full_options(coding)) for coding in self.plan.codings.values()]
        statistics = test_set_stats_text(self._statistics)
        return {"Coding-used": coding_used_text(codings), "Test-set-stats": statistics}

    def _is_same_task(self) -> bool:
        return all(self._text(name) == text for name, text in self._task_texts.items())

    def _text(self, name: str) -> str:
        path = find_file(os.path.join(self.path, name))
        return read_text(path) if path else ""

    def _records(self, name: str) -> dict[int, str]:
        """Return {instance: text} of `Seeds` or `Failures`, empty for an absent file."""
        split = (line.split(" ", 1) for line in self._text(name).splitlines())
        pairs = ((whole_number(words[0]), words[-1]) for words in split if len(words) == 2)
        return {number: record for number, record in pairs if number is not None}


def _write_records(staged: StagedFiles, name: str, records: Mapping[int, str], heading: str = "") -> None:
    text = "".join(f"{instance} {record}\n" for instance, record in sorted(records.items()))
    if text:
        staged.write(name, heading + text)
    else:
        staged.remove(name)


def _instance_of(name: str) -> int | None:
    """Return the instance of a file of results, None for other files."""
    if prediction := parse_prediction_name(name):
        return prediction.instance
    match = RESULT_FILE.fullmatch(name)
    return int(match[1]) if match else None


ALONE = 1.0
"""Seconds that this process computes before it starts others."""
START = 4.0
"""Processor seconds for starting other processes, which import the libraries of the methods."""


@dataclass(frozen=True)
class PlannedRun:
    """The planned runs: each task with its incomplete instances.

    Attributes
    ----------
    roots, follow_links
        Those of the `Hierarchy` with the data.
    complete : int
        Number of complete instances.
    refused : dict of str to str
        Reason why the method cannot be applied, by path of the task.
    faults : tuple of str
        Tasks that could not be planned, one message each.
    codings : CodingChoice
        See `plan_run`.
    """

    method: Runnable
    roots: tuple[str, ...]
    follow_links: bool
    work: tuple[tuple[TaskDirectory, tuple[Instance, ...]], ...]
    complete: int
    refused: dict[str, str]
    faults: tuple[str, ...]
    codings: CodingChoice = AS_SUITS

    @property
    def instances(self) -> int:
        return sum(len(instances) for _, instances in self.work)

    @property
    def refused_prototasks(self) -> dict[str, str]:
        """{path of a prototask: reason why the method cannot be applied}."""
        return {path.rpartition("/")[0]: reason for path, reason in self.refused.items()}


def plan_run(
    hierarchy: Hierarchy,
    method: Runnable,
    tasks: Iterable[Specified],
    into: str,
    *,
    faults: Iterable[str] = (),
    again: bool = False,
    keep: str = "predictions",
    compress: bool = False,
    cases: dict[str, PrototaskCases] | None = None,
    codings: CodingChoice = AS_SUITS,
    lasting: bool = True,
) -> PlannedRun:
    """Return the planned runs of a method on tasks, with results in a delve directory `into`.

    faults: errors of tasks that could not be read; again: run complete instances too; keep, compress,
    lasting: see TaskDirectory; cases: cases by prototask path, which this function extends; codings: codings
    of the attributes."""
    work, refused, faults, complete = [], {}, list(faults), 0
    cases = {} if cases is None else cases
    for dataset, prototask, prior, task in tasks:
        view = TaskView(dataset, prototask, prior, task)
        reason = method.can(view)
        if reason:
            refused[task.path] = reason
            continue
        try:
            if prototask.path not in cases:
                cases[prototask.path] = prototask_cases(hierarchy, dataset, prototask)
            plan = plan_for(method, hierarchy, view, cases[prototask.path], choice=codings)
        except DelveError as error:
            faults.append(str(error))
            continue
        can_instance = getattr(method, "can_instance", lambda instance: None)
        if reason := next(filter(None, map(can_instance, plan.instances)), None):
            refused[task.path] = reason
            continue
        path = os.path.join(into, "methods", method.name, dataset.name, prototask.name, task.name)
        directory = TaskDirectory(path, method.name, plan, keep=keep, compress=compress, lasting=lasting)
        instances = tuple(plan.instances if again else directory.incomplete())
        complete += len(plan.instances) - len(instances)
        if instances:
            work.append((directory, instances))
    return PlannedRun(
        method=method,
        roots=tuple(hierarchy.roots),
        follow_links=hierarchy.follow_links,
        work=tuple(work),
        complete=complete,
        refused=refused,
        faults=tuple(faults),
        codings=codings,
    )


def connect_cluster(
    scheduler: str | None, runs: Iterable[PlannedRun]
) -> CarryOut[Request, InstanceOutcome] | None:
    """Return the cluster of a Dask scheduler; None without a scheduler or work. Raises DelveError."""
    roots = dict.fromkeys(root for run in runs if run.work for root in run.roots)
    return carry_out_on(scheduler, Bench, places=data_of(roots)) if scheduler and roots else None


Notify = Callable[[Request, InstanceOutcome], None]


def run_methods(
    runs: Sequence[PlannedRun],
    *,
    workers: int = 1,
    carry_out: CarryOut[Request, InstanceOutcome] | None = None,
    notify: Notify = lambda request, outcome: None,
    bar: Progress | None = None,
) -> list[str]:
    """Run all planned instances and write their files; return the failures, one message each.

    A failure does not stop the next instances. workers: number of processes. This process computes alone if
    there is one worker, or less than a second of work. carry_out: a replacement for these processes, for
    example on other machines; it yields requests with their outcomes in any order. notify: called with each
    instance after its files are written; bar: shows the progress."""
    work = _Work(runs)
    requests = work.requests()
    for request, outcome in carry_out(requests) if carry_out else work.here(requests, workers):
        work.record(request, outcome)
        notify(request, outcome)
        if bar:
            work.show(request, bar)
    return work.failures


class _Work:
    """The planned runs, their progress, and the messages of failures."""

    def __init__(self, runs: Sequence[PlannedRun]) -> None:
        self.runs = runs
        self.failures = [fault for run in runs for fault in run.faults]
        work = [one for run in runs for one in run.work]
        self.count, self.total = 0, sum(len(instances) for _, instances in work)
        self.cases, self.all_cases = 0, sum(directory.cases * len(instances) for directory, instances in work)
        self.directories: dict[tuple[str, Task], TaskDirectory] = {}
        self.left: Counter[tuple[str, Task]] = Counter()

    def requests(self) -> Iterator[Request]:
        """Yield a request for each instance, after creating the directory of its task."""
        for run, (directory, instances) in ((one, work) for one in self.runs for work in one.work):
            name, task = run.method.name, directory.plan.task
            try:
                directory.prepare()
            except (DelveError, OSError) as error:
                self.failures.append(f"{task.path}: {error}")
                self._count(directory, len(instances))
                continue
            self.directories[name, task], self.left[name, task] = directory, len(instances)
            for instance in instances:
                place = run.roots, task, instance.number, run.follow_links
                yield Request(run.method, *place, codings=run.codings)

    def here(self, requests: Iterator[Request], workers: int) -> Iterator[tuple[Request, InstanceOutcome]]:
        """Run requests in this process, and switch to several processes as soon as that is faster.

        The remaining time is estimated from the times so far, plus the time to start other processes. All
        processes compute in one thread, because the order of additions affects the last digits."""
        started = time.perf_counter()
        with single_threaded():
            for request in requests:
                if workers > 1 and self._pays(time.perf_counter() - started, workers):
                    rest, workers = chain([request], requests), min(workers, self.total - self.count)
                    yield from carry_out_all(
                        rest,
                        Bench,
                        workers=workers,
                        meanwhile=self.compute if self.count else None,
                    )
                    return
                yield request, self.compute(request)

    def compute(self, request: Request) -> InstanceOutcome:
        """Run a request in this process."""
        plan = self.directories[request.method.name, request.task].plan
        return run_instance(request.method, plan, plan.instances[request.instance])

    def _pays(self, seconds: float, workers: int) -> bool:
        """Would several processes finish the remaining work faster than this one? seconds: time so far."""
        if seconds <= ALONE or not self.cases:
            return seconds > ALONE
        rest = seconds * (self.all_cases - self.cases) / self.cases
        return rest > START + rest / workers

    def record(self, request: Request, outcome: InstanceOutcome) -> None:
        key = request.method.name, request.task
        self.directories[key].record(outcome)
        self._count(self.directories[key], 1)
        self.left[key] -= 1
        if outcome.failure:
            self.failures.append(request.failure_text(outcome.failure))

    def show(self, request: Request, bar: Progress) -> None:
        """Show the completed share of the work, by training cases, after an instance."""
        done = f" instance {request.instance}, {self.count} of {self.total}"
        is_last = not self.left[request.method.name, request.task]
        bar.show(
            f"{request.method.name}{request.task.path}", self.cases / self.all_cases, done, whole=is_last
        )

    def _count(self, directory: TaskDirectory, instances: int) -> None:
        self.count += instances
        self.cases += instances * directory.cases
