"""`minfo`: get information about methods and what they were run on. Source: DELVE manual, appendix C."""

import sys

from delvecore.commands.frame.context import run
from delvecore.commands.frame.inquiry import OPTIONS, show_information
from delvecore.commands.frame.options import Command
from delvecore.report.information.method_information import method_information

__all__ = ["main"]

COMMAND = Command(
    "minfo",
    "[-a | -k KEYS] [-q] [-t] [MPATH]",
    "Print what is known of all methods (/), of a method, or of a dataset, prototask or task as a method "
    "used it. Without a path: the current directory.",
    OPTIONS,
    0,
    1,
)


def main(arguments=None):
    """Run the command and return its exit code."""
    return run(COMMAND, _show, arguments)


def _show(session, options, paths):
    location = session.locate(*(paths or ["."]), part="methods")
    show_information(method_information(session.hierarchy, session.tolerant, location.names), options)


if __name__ == "__main__":
    sys.exit(main())
