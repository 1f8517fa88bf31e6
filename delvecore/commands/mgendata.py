"""`mgendata`: make the data files of tasks. Source: manual, section 7.4, appendix C."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from delvecore.commands.frame.completers import directories, files
from delvecore.commands.frame.context import Session, run
from delvecore.commands.frame.manual import ClassicParser
from delvecore.commands.frame.manual_files import (
    CODING_USED,
    DATA,
    NORMALIZE,
    ORDER,
    PROTOTASK_DATA,
    STATISTICS,
    TARGETS,
    TASK,
    made,
)
from delvecore.commands.frame.places import TruePlace, each_task
from delvecore.commands.frame.progress import Steps
from delvecore.model import Coding, Dataset, Prototask
from delvecore.readers.coding import parse_codings
from delvecore.readers.files import read_text
from delvecore.readers.specifications import read_task

if TYPE_CHECKING:
    from delvecore.encoding.prototask_cases import PrototaskCases

__all__ = ["command", "main"]


def command() -> ClassicParser:
    """Return what the command takes and tells of itself."""
    parser = ClassicParser(
        "mgendata",
        "generate the data files of tasks",
        "[-c file] [-q] [path]",
        description="Makes the files train.n, test.n, targets.n, normalize.n, Coding-used and Test-set-stats "
        "of the task directories at and below a path: the true path of a directory in a methods directory. "
        "The default is the working directory.",
        complete=directories,
        files=(
            *(*DATA, PROTOTASK_DATA, ORDER),
            (TASK + "train.n", "is made: encoded inputs and targets of the training cases."),
            (TASK + "test.n", "is made: encoded inputs of the test cases."),
            made(TARGETS, ": encoded targets of the test cases"),
            made(NORMALIZE, ": normalization constants"),
            made(CODING_USED, ": how each attribute is encoded"),
            made(STATISTICS, ": statistics of the test cases"),
        ),
        examples=(
            ("mgendata ./demo/age/std.256", "Make the data of one task."),
            ("mgendata -c encoding demo", "Encode attributes as the file `encoding` says."),
        ),
    )
    meaning = "Encode the attributes that this file lists as it says, the others as usual."
    parser.value("c", "file", meaning, files)
    parser.flag("q", "Do not print what is being worked on.")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return run(command(), _generate, arguments)


def _generate(session: Session, options: Namespace) -> None:
    each_task(session, options, _Generator(session, options.c).make)


class _Generator:
    """Makes the files of task after task; the cases of a prototask are read once."""

    def __init__(self, session: Session, coding_file: str | None) -> None:
        self.hierarchy = session.hierarchy
        self.coding_file = coding_file and os.path.join(session.working_directory, coding_file)
        self.cases: PrototaskCases | None = None

    def make(self, place: TruePlace, progress: Steps) -> None:
        # Imported here: these need NumPy, which -h and errors in the arguments need not wait for.
        from delvecore.encoding.encode import plan_task
        from delvecore.losses.test_set_stats import test_set_statistics
        from delvecore.writers.task_data import step_count, write_task_data

        dataset, prototask, prior, task = read_task(self.hierarchy, *place.names[1:])
        cases = self.cases_of(dataset, prototask)
        plan = plan_task(self.hierarchy, cases, prior, task.training_size, codings=self.codings(dataset))
        progress.expect(step_count(plan))
        statistics = test_set_statistics(cases, prior, plan.instances)
        write_task_data(plan, place.directory, statistics, progress=progress.step)

    def cases_of(self, dataset: Dataset, prototask: Prototask) -> "PrototaskCases":
        from delvecore.encoding.prototask_cases import prototask_cases

        if self.cases is None or self.cases.prototask != prototask:
            self.cases = prototask_cases(self.hierarchy, dataset, prototask)
        return self.cases

    def codings(self, dataset: Dataset) -> dict[int, Coding] | None:
        if not self.coding_file:
            return None
        return parse_codings(read_text(self.coding_file), dataset, self.coding_file)


if __name__ == "__main__":
    sys.exit(main())
