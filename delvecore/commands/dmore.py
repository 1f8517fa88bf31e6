"""`dmore`: page through files of data directories. Source: DELVE manual, appendix C."""

import sys

from delvecore.commands.frame.context import run
from delvecore.commands.frame.options import Command
from delvecore.commands.frame.paging import show_files

__all__ = ["main"]

COMMAND = Command(
    "dmore",
    "DPATH | MPATH ...",
    "Show text files of data directories, compressed ones too. A method's path stands for the data that the "
    "method was run on. On a terminal the files go through the program in PAGER, more if that is not set.",
    (),
    1,
    None,
)


def main(arguments=None):
    """Run the command and return its exit code."""
    return run(COMMAND, _show, arguments)


def _show(session, _options, paths):
    return show_files(session, paths, part="data")


if __name__ == "__main__":
    sys.exit(main())
