"""`dcheck`: check the files of a dataset, a prototask or a prior. Source: manual, 3.4 and appendix C."""

import sys
from argparse import Namespace
from functools import partial

from delvecore.cli.support.context import Session, print_lines, run
from delvecore.cli.support.manual import DATA, FOUND, ORDER, PROTOTASK_DATA, ClassicParser
from delvecore.errors import ParseError
from delvecore.readers.files import plain_name


def command() -> ClassicParser:
    return ClassicParser(
        "dcheck",
        "validate the files of datasets",
        "[-l] [-w] [dpath | mpath]",
        description="Verify that the data and specifications of a dataset and its prototasks are "
        "valid and consistent. The path names a dataset, a prototask or a .prior file; the default is "
        "the current directory. Print a line 'file:line: expected ..., found ...' for every fault, and "
        "fail if there is any. Print nothing without faults.",
        files=(*DATA, ORDER, PROTOTASK_DATA),
        examples=(
            ("dcheck /demo", "Check a dataset with all its prototasks and priors."),
            ("dcheck -l /demo/age", "Check a prototask without its priors."),
            ("dcheck std.prior", "Check one prior file of the current directory's prototask."),
        ),
        statuses=FOUND,
        flags={
            "l": (
                "Check only this level: a dataset without its prototasks, a prototask without its "
                "prior files."
            ),
            "w": (
                "Also require the contributor of a dataset: name, address and date in its Source/Contributor."
            ),
        },
    )


def _check(session: Session, options: Namespace) -> int:
    from delvecore.checks.datasets import check_place

    names = session.locate(*(options.paths or ["."]), part="data")
    if names:
        names = (*names[:-1], plain_name(names[-1]))
    printer = Printer()
    check_place(session.hierarchy, names, report=printer.report, local=options.l, contributors=options.w)
    return 1 if printer.count else 0


class Printer:
    """Print each fault immediately and once. Only faults of whole files are remembered."""

    def __init__(self) -> None:
        self.count = 0
        self._files: set[str] = set()

    def report(self, error: ParseError) -> None:
        problem = error.problem
        if problem.line is None:
            # Only faults of whole files can repeat.
            if problem.message in self._files:
                return
            self._files.add(problem.message)
        self.count += 1
        print_lines(problem.message)


main = partial(run, command, _check)

if __name__ == "__main__":
    sys.exit(main())
