"""`mcheck`: check a method's documentation, codings, predictions and losses. Source: manual, section 7."""

import sys
from argparse import Namespace
from functools import partial

from delvecore.cli.dcheck import Printer
from delvecore.cli.support import manual
from delvecore.cli.support.context import Session, run
from delvecore.readers.specifications import method_names


def command() -> manual.ClassicParser:
    parser = manual.ClassicParser(
        "mcheck",
        "validate the files of methods",
        "[-c] [-q] [-w] [--strict] [mpath]",
        description="Verify a method's directories: documentation, codings, predictions, losses "
        "and the files that mgendata makes. Predictions of all instances must have the right lengths "
        "and possible values, losses must match the predictions, and Test-set-stats must be right. The "
        "path names a method, or a dataset, prototask or task in it; / means all methods. The default "
        "is the current directory. Print a line 'file:line: expected ..., found ...' for every fault, "
        "and fail if there is any.",
        files=(
            *(*manual.DATA, manual.CODING_USED, manual.NORMALIZE, manual.TARGETS, manual.STATISTICS),
            *(*manual.PREDICTIONS, manual.LOSSES),
        ),
        examples=(
            ("mcheck /lin-1", "Check a method with all its results."),
            ("mcheck -cq /lin-1", "Also list what a paper on the method would lack."),
            ("mcheck -q .", "Check the current directory, without progress messages."),
        ),
        statuses=manual.FOUND,
        flags={
            "c": (
                "Also print the points of the publication checklist (PROBEN1, section 2.11) that "
                "are missing from files and description. They are advice, not faults."
            ),
            "q": "Do not print progress.",
            "w": (
                "Also require the contributor of a method: name, address and date in its Source/Contributor."
            ),
        },
    )
    manual.add_strict(parser)
    return parser


def _check(session: Session, options: Namespace) -> int:
    from delvecore.checks.checklist import checklist, report_missing
    from delvecore.checks.methods import check_methods

    def say(line: str) -> None:
        if not options.q:
            print(f"checking {line}...", file=sys.stderr)

    names = session.locate(*(options.paths or ["."]), part="methods")
    printer = Printer()
    check_methods(
        session.hierarchy,
        names,
        report=printer.report,
        progress=say,
        contributors=options.w,
        strict=options.strict,
    )
    problem_count = printer.count
    if options.c:
        for method in names[:1] or method_names(session.hierarchy):
            report_missing(checklist(session.hierarchy, method), report=printer.report)
    return 1 if problem_count else 0


main = partial(run, command, _check)

if __name__ == "__main__":
    sys.exit(main())
