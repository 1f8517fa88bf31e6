"""`mgendata`: make the data files of tasks. Source: manual, section 7.4, appendix C."""

import os
import sys

from delvecore.commands.frame.context import run
from delvecore.commands.frame.options import Command, Option
from delvecore.commands.frame.progress import Steps
from delvecore.commands.frame.true_paths import task_places, true_place
from delvecore.errors import DelveError
from delvecore.readers.coding import parse_codings
from delvecore.readers.files import read_text
from delvecore.readers.specifications import read_task

__all__ = ["main"]

COMMAND = Command(
    "mgendata",
    "[-c file] [-q] [path]",
    "Makes the files train.n, test.n, targets.n, normalize.n, Coding-used and Test-set-stats of the task "
    "directories at and below a path: the true path of a directory in a methods directory. The default is "
    "the working directory.",
    (
        Option("c", "file", "Encode the attributes that this file lists as it says, the others as usual."),
        Option("q", "", "Do not print what is being worked on."),
    ),
    0,
    1,
)


def main(arguments=None):
    """Run the command; return its exit code."""
    return run(COMMAND, _generate, arguments)


def _generate(session, options, rest):
    place = true_place(session, rest[0] if rest else ".")
    places = task_places(session, place)
    if not places:
        raise DelveError(f"{place.shown}: expected task directories, found none; make them with mgendir")
    with Steps(sys.stderr, parts=len(places), quiet="q" in options) as progress:
        generate = _Generator(session, options, progress)
        for task in places:
            generate.task(task, line=task.shown if rest or len(places) > 1 else None)


class _Generator:
    """Makes the files of task after task; the cases of a prototask are read once."""

    def __init__(self, session, options, progress):
        self.hierarchy, self.progress = session.hierarchy, progress
        self.coding_file = options.get("c")
        if self.coding_file:
            self.coding_file = os.path.join(session.working_directory, self.coding_file)
        self.prototask, self.cases = None, None

    def task(self, place, *, line):
        # Imported here: these need NumPy, which -h and errors in the arguments need not wait for.
        from delvecore.encoding.encode import plan_task
        from delvecore.losses.test_set_stats import test_set_statistics
        from delvecore.writers.task_data import step_count, write_task_data

        self.progress.part(place.shown, line=line)
        dataset, prototask, prior, task = read_task(self.hierarchy, *place.names[1:])
        cases = self.cases_of(dataset, prototask)
        plan = plan_task(self.hierarchy, cases, prior, task.training_size, codings=self.codings(dataset))
        self.progress.expect(step_count(plan))
        statistics = test_set_statistics(cases, prior, plan.instances)
        write_task_data(plan, place.directory, statistics, progress=self.progress.step)

    def cases_of(self, dataset, prototask):
        from delvecore.encoding.prototask_cases import prototask_cases

        if self.prototask != prototask:
            self.cases = prototask_cases(self.hierarchy, dataset, prototask)
            self.prototask = prototask
        return self.cases

    def codings(self, dataset):
        if not self.coding_file:
            return None
        return parse_codings(read_text(self.coding_file), dataset, self.coding_file)


if __name__ == "__main__":
    sys.exit(main())
