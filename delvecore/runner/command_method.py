"""Any program as a method: it finds the data of one instance in its directory and leaves predictions there.

Files are named as `mgendata` and `mloss` name them. Source: DELVE manual, sections 7.3, 7.4 and 7.5.
"""

import os
import shlex
import shutil
import signal
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from delvecore.encoding.codings import full_options
from delvecore.encoding.encode import TaskPlan
from delvecore.encoding.instances import Instance
from delvecore.errors import DelveError
from delvecore.losses.applicability import allowed_losses
from delvecore.losses.predictions import parse_prediction_name
from delvecore.methods.protocol import Method, TaskView
from delvecore.model import Coding
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.programs import Ended, run_program
from delvecore.writers.task_data import instance_data_files
from delvecore.writers.task_files import coding_used_text

__all__ = ["CommandMethod", "ProgramOutput", "program_words"]

TAIL = 400
"""How many characters of what a program printed at last make up the message of its failure."""


@dataclass(frozen=True)
class ProgramOutput:
    """What a program made of one instance. files: text by name, its predictions; seconds, megabytes: see
    `Ended`."""

    files: dict[str, str]
    seconds: float
    megabytes: float | None


@dataclass(frozen=True)
class CommandMethod:
    """A program that learns one instance each time it is run, with the default codings.

    words: the program and its arguments; roots: the delve directories with the data; time_limit: seconds of
    the clock for an instance, None for any number; with_targets: whether it is given `targets.n`, which log
    probability loss needs and nothing else should.
    """

    name: str
    words: tuple[str, ...]
    roots: tuple[str, ...]
    time_limit: float | None = None
    with_targets: bool = False

    def can(self, task: TaskView) -> str | None:
        """Return None: whether it can be applied is for the program to find out."""
        return None

    def codings(self, task: TaskView) -> dict[int, Coding]:
        """Return the codings that replace the default ones: none."""
        return {}

    def predict(self, plan: TaskPlan, instance: Instance, seed: int) -> ProgramOutput:
        """Run the program on one instance. Raises DelveError where it fails or leaves no predictions."""
        with TemporaryDirectory(prefix="delve-run-") as scratch:
            names = self._write_data(plan, instance, scratch)
            environment = os.environ | _facts(self.name, plan, instance, seed)
            with TemporaryFile() as errors:
                ended = run_program(
                    self.words,
                    directory=scratch,
                    environment=environment,
                    errors=errors,
                    time_limit=self.time_limit,
                )
                self._check(ended, errors)
            files = _predictions(scratch, instance.number, names)
        return ProgramOutput(files, ended.seconds, ended.megabytes)

    def _write_data(self, plan: TaskPlan, instance: Instance, scratch: str) -> set[str]:
        """Write what the program may read; return the names of the files."""
        for name, content in instance_data_files(plan, instance):
            if self.with_targets or not name.startswith("targets."):
                with open(os.path.join(scratch, name), "wb") as file:
                    file.writelines(content)
        codings = [coding._replace(options=full_options(coding)) for coding in plan.codings.values()]
        with open(os.path.join(scratch, "Coding-used"), "w", encoding="utf-8") as file:
            file.write(coding_used_text(codings))
        for path in _specifications(self.roots, plan):
            with open(os.path.join(scratch, os.path.basename(path)), "w", encoding="utf-8") as file:
                file.write(read_text(path))
        return set(os.listdir(scratch))

    def _check(self, ended: Ended, errors: IO[bytes]) -> None:
        program = os.path.basename(self.words[0])
        if ended.status is None:
            how = f"took longer than {self.time_limit:g} seconds"
        elif ended.status < 0:
            how = f"was ended by {signal.Signals(-ended.status).name}"
        elif ended.status:
            how = f"ended with status {ended.status}"
        else:
            return
        said = _tail(errors)
        raise DelveError(f"{program} {how}" + (f": {said}" if said else ", without a word"))


Runnable = Method | CommandMethod
"""What can be run: a method that is part of Python, or a program."""


def program_words(command: str, directory: str) -> tuple[str, ...]:
    """Return the words of a command, those that name files of a directory as full paths.

    Words are split as a shell does, and nothing else is done that a shell does. Raises DelveError for a
    program that cannot be found.
    """
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
    """Return the environment variables that tell a program what it has before it."""
    facts = {
        "METHOD": name,
        "TASK": plan.task.path,
        "INSTANCE": instance.number,
        "SEED": seed,
        "LOSSES": allowed_losses(plan.cases.prototask, plan.prior),
        "PRIOR": f"{plan.prior.name}.prior",
        "TRAINING_CASES": len(instance.training),
        "TEST_CASES": len(instance.test),
        "INPUTS": len(plan.names(plan.inputs)),
        "TARGETS": len(plan.names(plan.targets)),
    }
    return {f"DELVE_{key}": str(value) for key, value in facts.items()}


def _specifications(roots: Iterable[str], plan: TaskPlan) -> Iterator[str]:
    """Yield the paths of what is known of a task before any case."""
    hierarchy, task = Hierarchy(list(roots)), plan.task
    for names in (
        ("Dataset.spec",),
        (task.prototask, "Prototask.spec"),
        (task.prototask, f"{plan.prior.name}.prior"),
    ):
        path = hierarchy.find("data", task.dataset, *names)
        if path is not None:
            yield path


def _predictions(scratch: str, number: int, given: set[str]) -> dict[str, str]:
    """Return {name: text} of the prediction files in a directory; all else that is new there is ignored."""
    files = {}
    for name in sorted(set(os.listdir(scratch)) - given):
        prediction = parse_prediction_name(name)
        if prediction is None:
            continue
        if prediction.instance != number:
            raise DelveError(f"expected predictions of instance {number}, found {name}")
        files[name] = read_text(os.path.join(scratch, name))
    if not files:
        raise DelveError(f"expected predictions in a file such as cguess.{number}, found none")
    return files


def _tail(errors: IO[bytes]) -> str:
    """Return the end of what a program printed, in one line."""
    errors.seek(0, os.SEEK_END)
    errors.seek(max(errors.tell() - 4 * TAIL, 0))
    said = " ".join(errors.read().decode(errors="replace").split())
    return said if len(said) <= TAIL else f"... {said[-TAIL:]}"
