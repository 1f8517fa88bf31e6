"""Any program as a method. It reads the data of one instance in its directory and writes predictions there.

Files have the names of `mgendata` and `mloss`. Source: DELVE manual, sections 7.3, 7.4 and 7.5. All processes
of a program are in a process group that ends with it, or with the process that runs it."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage, struct_rusage
from tempfile import TemporaryFile
from types import FrameType
from typing import IO, NoReturn

from delvecore.atomic_io import scratch_directory
from delvecore.encoding.codings import full_options
from delvecore.encoding.encode import TaskPlan
from delvecore.encoding.instances import Instance
from delvecore.errors import DelveError
from delvecore.losses.predictions import parse_prediction_name
from delvecore.losses.spec import allowed_losses
from delvecore.methods.protocol import Method, TaskView
from delvecore.model import Coding
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.results import Cost
from delvecore.writers.task_files import coding_used_text, instance_data_files

_RESET_PEAK = "5"
"""Text for `clear_refs` that sets the peak to the current size: proc(5)."""


def processor_seconds() -> float:
    """Return the processor seconds so far of this process and its ended children."""
    ended = getrusage(RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def reset_peak() -> None:
    """Reset the peak size of this process, if the system allows it."""
    with suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write(_RESET_PEAK)


def peak_megabytes() -> float:
    """Return the largest resident size since `reset_peak` in MB (10**6 bytes)."""
    peak = process_peak("self")
    return counted_megabytes(getrusage(RUSAGE_SELF)) if peak is None else peak


def process_peak(process: int | str) -> float | None:
    """Return the largest resident size so far of a process (`self`: this one) in MB, None if unknown."""
    try:
        with open(f"/proc/{process}/status", encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if line.startswith("VmHWM:")]
    except OSError:
        return None
    return int(lines[0].split()[1]) * 1024 / 1e6 if lines else None


def counted_megabytes(usage: struct_rusage) -> float:
    """Return the largest resident size that the system counted, in MB."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


SHORTEST, LONGEST = 0.001, 0.02
"""Shortest and longest seconds between two polls of a program; the interval is a twentieth of its run
time."""
Learned = tuple[dict[str, str], Cost, bytes | None]
"""Result on one instance: texts of predictions by name, the cost, and pickled models, if kept."""


def _watched(
    process: subprocess.Popen[bytes], time_limit: float | None
) -> tuple[int | None, float, float | None]:
    """Poll a program until it ends or exceeds its time; return its exit status, seconds and megabytes.

    The status is negative for a signal, None after a timeout. The size that the system reports starts with
    that of the parent process, so it is used only if it is larger. Otherwise the polled sizes are more
    accurate."""
    started, polled = time.monotonic(), None
    while True:
        polled = max(
            (peak for peak in (polled, _peak_of_tree(process.pid)) if peak is not None), default=None
        )
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        elapsed = time.monotonic() - started
        is_late = not ended and time_limit is not None and elapsed > time_limit
        if is_late:
            _end_group(process)
            ended, status, usage = os.wait4(process.pid, 0)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            shown = None if is_late else process.returncode
            counted, parent = counted_megabytes(usage), process_peak("self")
            is_informative = polled is None or parent is None or counted > 1.05 * parent
            return shown, usage.ru_utime + usage.ru_stime, counted if is_informative else polled
        time.sleep(min(max(elapsed / 20, SHORTEST), LONGEST))


def _peak_of_tree(process_id: int) -> float | None:
    """Return the peak memory so far of a process or one of its descendants, in MB; None if unknown."""
    peaks = [process_peak(process_id)]
    try:
        with open(f"/proc/{process_id}/task/{process_id}/children", encoding="ascii") as file:
            peaks += [_peak_of_tree(int(word)) for word in file.read().split()]
    except (OSError, ValueError):
        pass  # the process has ended, or the system has no such file
    return max((peak for peak in peaks if peak is not None), default=None)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and its remaining processes."""
    with suppress(ProcessLookupError, PermissionError):  # no process remains
        os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def _stopping_at_termination() -> Iterator[None]:
    """Raise an exception at SIGTERM, so that the program is ended before this process. Only main threads
    receive signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


SCRATCH = "delve-run-"
"""Prefix of the working directories of instances."""
TAIL = 400
"""Number of characters, from the end of a program's standard error, in the message of its failure."""


@dataclass(frozen=True)
class CommandMethod:
    """A program that learns one instance per run, with the default codings.

    Attributes
    ----------
    words : tuple of str
        The program and its arguments.
    roots, follow_links
        Those of the `Hierarchy` with the data.
    time_limit : float or None
        Wall time in seconds per instance.
    with_targets : bool
        Whether it receives `targets.n`, which only predictions for log probability loss should use.
    """

    name: str
    words: tuple[str, ...]
    roots: tuple[str, ...]
    time_limit: float | None = None
    with_targets: bool = False
    follow_links: bool = False

    def can(self, task: TaskView) -> str | None:
        return None  # the program itself reports what it cannot do

    def codings(self, task: TaskView) -> dict[int, Coding]:
        return {}

    def predict(self, plan: TaskPlan, instance: Instance, seed: int) -> Learned:
        """Run the program on one instance; return the texts of its predictions by name, and its cost.

        Standard output is discarded. Raises DelveError if the program fails or writes no predictions, OSError
        if it cannot be started."""
        with scratch_directory(SCRATCH) as scratch:
            names = self._write_data(plan, instance, scratch)
            with TemporaryFile() as errors:
                process = subprocess.Popen(
                    self.words,
                    cwd=scratch,
                    env=os.environ | _facts(self.name, plan, instance, seed),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    start_new_session=True,
                )
                with _stopping_at_termination():
                    try:
                        status, seconds, megabytes = _watched(process, self.time_limit)
                    finally:
                        _end_group(process)
                self._check(status, errors)
            return _predictions(scratch, instance.number, names), Cost(seconds, megabytes), None

    def _write_data(self, plan: TaskPlan, instance: Instance, scratch: str) -> set[str]:
        """Write the input files of the program; return their names."""
        for name, content in instance_data_files(plan, instance):
            if self.with_targets or not name.startswith("targets."):
                with open(os.path.join(scratch, name), "wb") as file:
                    file.writelines(content)
        codings = [coding._replace(options=full_options(coding)) for coding in plan.codings.values()]
        with open(os.path.join(scratch, "Coding-used"), "w", encoding="utf-8") as file:
            file.write(coding_used_text(codings))
        prototask, prior = plan.task.prototask, f"{plan.prior.name}.prior"
        hierarchy = Hierarchy(self.roots, follow_links=self.follow_links)
        for names in (("Dataset.spec",), (prototask, "Prototask.spec"), (prototask, prior)):
            path = hierarchy.find("data", plan.task.dataset, *names)
            if path is not None:
                with open(os.path.join(scratch, names[-1]), "w", encoding="utf-8") as file:
                    file.write(read_text(path))
        return set(os.listdir(scratch))

    def _check(self, status: int | None, errors: IO[bytes]) -> None:
        if status == 0:
            return
        if status is None:
            how = f"took longer than {self.time_limit:g} seconds"
        else:
            how = (
                f"was ended by {signal.Signals(-status).name}"
                if status < 0
                else f"ended with status {status}"
            )
        errors.seek(0, os.SEEK_END)
        errors.seek(max(errors.tell() - 4 * TAIL, 0))
        message = " ".join(errors.read().decode(errors="replace").split())
        message = message if len(message) <= TAIL else f"... {message[-TAIL:]}"
        how += f": {message}" if message else ", without a message"
        raise DelveError(f"{os.path.basename(self.words[0])} {how}")


Runnable = Method | CommandMethod
"""A method in Python, or a program."""


def program_words(command: str, directory: str) -> tuple[str, ...]:
    """Return the words of a command, split as in a shell, without other shell syntax.

    Names of files in the directory become full paths. Raises DelveError for a program that cannot be
    found."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise DelveError(f"{command}: expected a command, found {str(error).lower()}") from None
    if not words:
        raise DelveError("expected a command, found an empty one")
    program = shutil.which(os.path.join(directory, words[0]) if os.sep in words[0] else words[0])
    if program is None:
        raise DelveError(f"{words[0]}: expected a program that can be run, found none")
    there = [os.path.join(directory, word) for word in words[1:]]
    rest = [path if os.path.isfile(path) else word for path, word in zip(there, words[1:], strict=True)]
    return (os.path.abspath(program), *rest)


def _facts(name: str, plan: TaskPlan, instance: Instance, seed: int) -> Mapping[str, str]:
    """Return the environment variables that describe the instance to a program."""
    facts = {
        "METHOD": name,
        "TASK": plan.task.path,
        "INSTANCE": instance.number,
        "SEED": seed,
        "LOSSES": allowed_losses(plan.cases.prototask, plan.prior),
        "PRIOR": f"{plan.prior.name}.prior",
        "TRAINING_CASES": len(instance.training),
        "VALIDATION_CASES": len(instance.validation),
        "TEST_CASES": len(instance.test),
        "INPUTS": len(plan.names(plan.inputs)),
        "TARGETS": len(plan.names(plan.targets)),
    }
    return {f"DELVE_{key}": str(value) for key, value in facts.items()}


def _predictions(scratch: str, number: int, data: set[str]) -> dict[str, str]:
    """Return {name: text} of the new prediction files in a directory. data: names of other files."""
    files = {}
    for name in sorted(set(os.listdir(scratch)) - data):
        prediction = parse_prediction_name(name)
        if prediction is not None:
            if prediction.instance != number:
                raise DelveError(f"expected predictions of instance {number}, found {name}")
            files[name] = read_text(os.path.join(scratch, name))
    if not files:
        raise DelveError(f"expected predictions in a file such as cguess.{number}, found none")
    return files
