"""`mls`: list the contents of method directories. Source: DELVE manual, appendix C."""

import sys

from delvecore.commands.frame.context import run
from delvecore.commands.frame.listing import OPTIONS, show_entries
from delvecore.commands.frame.options import Command

__all__ = ["main"]

COMMAND = Command(
    "mls",
    "[-l] [MPATH]",
    "List the merged contents of all method directories with this path, sorted; a file's name is repeated. "
    "Without a path: the current directory.",
    OPTIONS,
    0,
    1,
)


def main(arguments=None):
    """Run the command and return its exit code."""
    return run(COMMAND, _list, arguments)


def _list(session, options, paths):
    show_entries(session, *(paths or ["."]), part="methods", long="l" in options)


if __name__ == "__main__":
    sys.exit(main())
