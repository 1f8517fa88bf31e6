"""`dcheck`: check the files of a dataset, a prototask or a prior. Source: manual, 3.4 and appendix C."""

import sys

from delvecore.commands.frame.context import run
from delvecore.commands.frame.options import Command, Option
from delvecore.readers.files import plain_name

__all__ = ["main"]

COMMAND = Command(
    "dcheck",
    "[-l] [dpath | mpath]",
    "Verifies that the data and specifications of a dataset and its prototasks are legal and consistent. The "
    "path is that of a dataset, a prototask or a .prior file; the default is the current directory. Prints a "
    "line 'file:line: expected ..., found ...' for every fault and fails if there is any; prints nothing "
    "where all is well.",
    (
        Option(
            "l",
            "",
            "Check locally: of a dataset not the prototasks, of a prototask not the prior files.",
        ),
    ),
    0,
    1,
)


def main(arguments=None):
    """Run the command; return its exit code: 1 if there is any fault."""
    return run(COMMAND, _check, arguments)


def _check(session, options, paths):
    # Imported here: it needs NumPy, which -h and errors in the arguments need not wait for.
    from delvecore.checking.datasets import check_place

    location = session.locate(*(paths or ["."]), part="data")
    names = location.names
    if names:
        names = (*names[:-1], plain_name(names[-1]))
    printer = Printer()
    check_place(session.hierarchy, names, report=printer.report, local="l" in options)
    return 1 if printer.count else 0


class Printer:
    """Prints each fault once, as it is found, so that any number of them takes no memory."""

    def __init__(self):
        self.count, self._files = 0, set()

    def report(self, error):
        problem = error.problem
        if problem.line is None:
            # What concerns a whole file may be met more than once; what concerns a line is not.
            if problem.message in self._files:
                return
            self._files.add(problem.message)
        self.count += 1
        print(problem.message)


if __name__ == "__main__":
    sys.exit(main())
