"""`dls`: list the contents of data directories. Source: DELVE manual, appendix C."""

import sys

from delvecore.commands.frame.context import run
from delvecore.commands.frame.listing import OPTIONS, show_entries
from delvecore.commands.frame.options import Command

__all__ = ["main"]

COMMAND = Command(
    "dls",
    "[-l] [DPATH | MPATH]",
    "List the merged contents of all data directories with this path, sorted; a file's name is repeated. A "
    "method's path stands for the data that the method was run on. Without a path: the current directory.",
    OPTIONS,
    0,
    1,
)


def main(arguments=None):
    """Run the command and return its exit code."""
    return run(COMMAND, _list, arguments)


def _list(session, options, paths):
    show_entries(session, *(paths or ["."]), part="data", long="l" in options)


if __name__ == "__main__":
    sys.exit(main())
