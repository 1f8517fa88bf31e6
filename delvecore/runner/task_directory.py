"""The results of one method on one task as files, and which instances are complete.

Beside DELVE's own files stand `Seeds`, a line `instance seed` for each complete instance, `Costs`, a line
`instance seconds megabytes` for each (`-` where the system does not tell), and `Failures`, a line `instance
message` for each that failed last time."""

import gzip
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from delvecore.encoding.codings import full_options
from delvecore.encoding.encode import TaskPlan
from delvecore.encoding.instances import Instance
from delvecore.losses.baselines import test_set_statistics
from delvecore.losses.predictions import parse_prediction_name
from delvecore.number_format.numbers import whole_number
from delvecore.readers.files import find_file, plain_name, read_text
from delvecore.runner.one_instance import InstanceOutcome, instance_seed
from delvecore.writers.files import StagedFiles, finish_writing
from delvecore.writers.task_files import coding_used_text, task_data_files, test_set_stats_text

__all__ = ["TaskDirectory"]

KEEP = ("all", "predictions", "losses")
COSTS = "# instance seconds megabytes\n"
LOSS_FILE = re.compile(r"loss\.[A-Z]\.(\d+)")


class TaskDirectory:
    """A task's directory below a method's, and what to keep there. keep: `all` (data files, decoded
    predictions, losses), `predictions` (those, and losses) or `losses`; compress: predictions and losses are
    written as `.gz` files that depend on their text alone."""

    def __init__(
        self, path: str, method: str, plan: TaskPlan, *, keep: str = "predictions", compress: bool = False
    ) -> None:
        self.path, self.method, self.plan = path, method, plan
        self.keep, self.compress = keep, compress

    def incomplete(self) -> list[Instance]:
        """Return the instances that still have to be run: all, where codings or data were others before.
        What a kill left half written is finished first."""
        finish_writing(self.path)
        if not self._is_same_task():
            return list(self.plan.instances)
        seeds = self._records("Seeds")
        evaluated = self._evaluated() - self._records("Failures").keys()
        return [
            instance
            for instance in self.plan.instances
            if seeds.get(instance.number) != str(instance_seed(self.method, self.plan.task, instance.number))
            or instance.number not in evaluated
        ]

    def prepare(self) -> None:
        """Make the directory and write what concerns all instances. Records of other results are removed."""
        os.makedirs(self.path, exist_ok=True)
        with StagedFiles(self.path) as staged:
            if not self._is_same_task():
                _write_records(staged, "Seeds", {})
                _write_records(staged, "Costs", {})
            for name, text in self._task_texts.items():
                staged.write(name, text)

    def record(self, outcome: InstanceOutcome) -> None:
        """Write the files of an instance with its entry in `Seeds`, all or none, or its failure."""
        with StagedFiles(self.path) as staged:
            seeds, failures = self._records("Seeds"), self._records("Failures")
            failures.pop(outcome.instance, None)
            if outcome.failure:
                failures[outcome.instance] = outcome.failure
            else:
                self._write_results(staged, outcome)
                seeds[outcome.instance] = str(outcome.seed)
                megabytes = "-" if outcome.megabytes is None else f"{outcome.megabytes:.1f}"
                costs = self._records("Costs") | {outcome.instance: f"{outcome.seconds:.3f} {megabytes}"}
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
        kept = {name: text for name, text in outcome.files.items() if self._is_kept(name)}
        for name, text in kept.items():
            if self.compress:
                staged.write(f"{name}.gz", gzip.compress(text.encode(), mtime=0))
            else:
                staged.write(name, text)
        for name in os.listdir(self.path):
            plain = plain_name(name)
            if _instance_of(plain) == outcome.instance and plain not in kept:
                staged.remove(name)

    def _is_kept(self, name: str) -> bool:
        prediction = parse_prediction_name(name)
        if prediction is None or self.keep == "all":
            return True
        return self.keep == "predictions" and not prediction.coded

    def _evaluated(self) -> set[int]:
        """Return the numbers of the instances with a loss file."""
        if not os.path.isdir(self.path):
            return set()
        matches = (LOSS_FILE.fullmatch(plain_name(name)) for name in os.listdir(self.path))
        return {int(match[1]) for match in matches if match}

    @cached_property
    def _task_texts(self) -> dict[str, str]:
        """{name: text} of the files that concern all instances; statistics of targets tell data apart."""
        codings = [coding._replace(options=full_options(coding)) for coding in self.plan.codings.values()]
        statistics = test_set_stats_text(self._statistics)
        return {"Coding-used": coding_used_text(codings), "Test-set-stats": statistics}

    def _is_same_task(self) -> bool:
        return all(self._text(name) == text for name, text in self._task_texts.items())

    def _text(self, name: str) -> str:
        path = find_file(os.path.join(self.path, name))
        return read_text(path) if path else ""

    def _records(self, name: str) -> dict[int, str]:
        """Return {instance: text} of `Seeds` or `Failures`; empty where there is none."""
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
    """Return the instance that a prediction or loss file belongs to, None for other files."""
    if prediction := parse_prediction_name(name):
        return prediction.instance
    match = LOSS_FILE.fullmatch(name)
    return int(match[1]) if match else None
