"""`mcheck`: check a method's documentation, codings, predictions and losses. Source: manual, section 7."""

import sys

from delvecore.commands.dcheck import Printer
from delvecore.commands.frame.context import run
from delvecore.commands.frame.options import Command, Option

__all__ = ["main"]

COMMAND = Command(
    "mcheck",
    "[-q] [mpath]",
    "Verifies a method's directories: that it is documented, that codings are allowed, that there are "
    "predictions of all instances with the right lengths and possible values, that losses are those of the "
    "predictions, and that Test-set-stats and other files made by mgendata are right. The path is that of a "
    "method, or of a dataset, prototask or task in it, or / for all methods; the default is the current "
    "directory. Prints a line 'file:line: expected ..., found ...' for every fault; fails if there is any.",
    (Option("q", "", "Do not print what is being checked."),),
    0,
    1,
)


def main(arguments=None):
    """Run the command; return its exit code: 1 if there is any fault."""
    return run(COMMAND, _check, arguments)


def _check(session, options, paths):
    # Imported here: it needs NumPy, which -h and errors in the arguments need not wait for.
    from delvecore.checking.methods import check_methods

    def say(line):
        if "q" not in options:
            print(f"checking {line}...", file=sys.stderr)

    location = session.locate(*(paths or ["."]), part="methods")
    printer = Printer()
    check_methods(session.hierarchy, location.names, report=printer.report, progress=say)
    return 1 if printer.count else 0


if __name__ == "__main__":
    sys.exit(main())
