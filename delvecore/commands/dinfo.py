"""`dinfo`: get information about datasets, prototasks and tasks. Source: DELVE manual, appendix C."""

import sys

from delvecore.commands.frame.context import run
from delvecore.commands.frame.inquiry import OPTIONS, show_information
from delvecore.commands.frame.options import Command
from delvecore.report.information.data_information import data_information

__all__ = ["main"]

COMMAND = Command(
    "dinfo",
    "[-a | -k KEYS] [-q] [-t] [DPATH | MPATH]",
    "Print what is known of a dataset, prototask or task, or of all datasets (/). A method's path stands for "
    "the data that the method was run on. Without a path: the current directory.",
    OPTIONS,
    0,
    1,
)


def main(arguments=None):
    """Run the command and return its exit code."""
    return run(COMMAND, _show, arguments)


def _show(session, options, paths):
    location = session.locate(*(paths or ["."]), part="data")
    show_information(data_information(session.hierarchy, session.tolerant, location.names), options)


if __name__ == "__main__":
    sys.exit(main())
