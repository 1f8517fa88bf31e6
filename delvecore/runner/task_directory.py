"""The results of one method on one task as files, and which instances are complete.

Beside DELVE's own files stand `Seeds`, a line `instance seed` for each complete instance, `Costs`, a line
`instance seconds megabytes` for each (`-` where the system does not tell), and `Failures`, a line `instance
message` for each that failed last time.
"""

import gzip
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from delvecore.encoding.codings import full_options
from delvecore.encoding.encode import TaskPlan
from delvecore.encoding.instances import Instance
from delvecore.losses.predictions import parse_prediction_name
from delvecore.losses.test_set_stats import test_set_statistics
from delvecore.numerals.numbers import whole_number
from delvecore.readers.files import find_file, plain_name, read_text
from delvecore.runner.instances import InstanceOutcome
from delvecore.runner.seeds import instance_seed
from delvecore.writers.files import write_atomically
from delvecore.writers.task_data import write_task_data
from delvecore.writers.task_files import coding_used_text, test_set_stats_text

__all__ = ["KEEP", "TaskDirectory"]

KEEP = ("all", "predictions", "losses")
COSTS = "# instance seconds megabytes\n"
LOSS_FILE = re.compile(r"loss\.[A-Z]\.(\d+)")


class TaskDirectory:
    """A task's directory below a method's, and what to keep there.

    keep: `all` (data files, decoded predictions, losses), `predictions` (those, and losses) or
    `losses`; compress: predictions and losses are written as `.gz` files that depend on their text alone.
    """

    def __init__(
        self, path: str, method: str, plan: TaskPlan, *, keep: str = "predictions", compress: bool = False
    ) -> None:
        self.path, self.method, self.plan = path, method, plan
        self.keep, self.compress = keep, compress

    def incomplete(self) -> list[Instance]:
        """Return the instances that still have to be run: all, where codings or data were others before."""
        if not self._is_same_task():
            return list(self.plan.instances)
        seeds, failures = self._records("Seeds"), self._records("Failures")
        evaluated = self._evaluated()
        return [
            instance
            for instance in self.plan.instances
            if seeds.get(instance.number) != str(self._seed(instance.number))
            or instance.number in failures
            or instance.number not in evaluated
        ]

    def prepare(self) -> None:
        """Make the directory and write what concerns all instances. Records of other results are removed."""
        os.makedirs(self.path, exist_ok=True)
        if not self._is_same_task():
            self._write_records("Seeds", {})
            self._write_records("Costs", {})
        for name, text in self._task_texts.items():
            self._write(name, text)

    def record(self, outcome: InstanceOutcome) -> None:
        """Write the files of an instance, or its failure; its entry in `Seeds` comes last."""
        seeds, failures = self._records("Seeds"), self._records("Failures")
        failures.pop(outcome.instance, None)
        if outcome.failure:
            failures[outcome.instance] = outcome.failure
        else:
            self._write_data(outcome)
            self._write_results(outcome)
            seeds[outcome.instance] = str(outcome.seed)
            self._write_records("Costs", self._records("Costs") | {outcome.instance: _cost(outcome)}, COSTS)
        self._write_records("Failures", failures)
        self._write_records("Seeds", seeds)

    @cached_property
    def _statistics(self) -> dict[str, tuple[float | None, ...]]:
        return test_set_statistics(self.plan.cases, self.plan.prior, self.plan.instances)

    def _write_data(self, outcome: InstanceOutcome) -> None:
        """Write the data files of one instance, where they are to be kept."""
        if self.keep == "all":
            alone = replace(self.plan, instances=[self.plan.instances[outcome.instance]])
            write_task_data(alone, self.path, self._statistics)

    def _write_results(self, outcome: InstanceOutcome) -> None:
        kept = {name: text for name, text in outcome.files.items() if self._is_kept(name)}
        for name, text in kept.items():
            self._write(name, text, compress=self.compress)
        for name in os.listdir(self.path):
            plain = plain_name(name)
            if _instance_of(plain) == outcome.instance and plain not in kept:
                os.unlink(os.path.join(self.path, name))

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

    def _seed(self, instance: int) -> int:
        return instance_seed(self.method, self.plan.task, instance)

    def _text(self, name: str) -> str:
        path = find_file(os.path.join(self.path, name))
        return read_text(path) if path else ""

    def _records(self, name: str) -> dict[int, str]:
        """Return {instance: text} of `Seeds` or `Failures`; empty where there is none."""
        split = (line.split(" ", 1) for line in self._text(name).splitlines())
        pairs = ((whole_number(words[0]), words[-1]) for words in split if len(words) == 2)
        return {number: record for number, record in pairs if number is not None}

    def _write_records(self, name: str, records: Mapping[int, str], heading: str = "") -> None:
        text = "".join(f"{instance} {record}\n" for instance, record in sorted(records.items()))
        if text:
            self._write(name, heading + text)
        elif os.path.exists(os.path.join(self.path, name)):
            os.unlink(os.path.join(self.path, name))

    def _write(self, name: str, text: str, *, compress: bool = False) -> None:
        path = os.path.join(self.path, name)
        if not compress:
            write_atomically(path, text)
            return
        write_atomically(f"{path}.gz", gzip.compress(text.encode(), mtime=0))
        if os.path.exists(path):
            os.unlink(path)


def _cost(outcome: InstanceOutcome) -> str:
    megabytes = "-" if outcome.megabytes is None else f"{outcome.megabytes:.1f}"
    return f"{outcome.seconds:.3f} {megabytes}"


def _instance_of(name: str) -> int | None:
    """Return the instance that a prediction or loss file belongs to, None for other files."""
    prediction, match = parse_prediction_name(name), LOSS_FILE.fullmatch(name)
    if prediction:
        return prediction.instance
    return int(match[1]) if match else None
