"""`mmore`: page through files of method directories. Source: DELVE manual, appendix C."""

import sys

from delvecore.commands.frame.context import run
from delvecore.commands.frame.options import Command
from delvecore.commands.frame.paging import show_files

__all__ = ["main"]

COMMAND = Command(
    "mmore",
    "MPATH ...",
    "Show text files of method directories, compressed ones too. On a terminal the files go through the "
    "program in PAGER, more if that is not set.",
    (),
    1,
    None,
)


def main(arguments=None):
    """Run the command and return its exit code."""
    return run(COMMAND, _show, arguments)


def _show(session, _options, paths):
    return show_files(session, paths, part="methods")


if __name__ == "__main__":
    sys.exit(main())
