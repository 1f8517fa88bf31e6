"""`mmore`: page through files of method directories. Source: DELVE manual, appendix C."""

import sys
from collections.abc import Sequence

from delvecore.commands.frame.completers import method_paths
from delvecore.commands.frame.manual import ClassicParser
from delvecore.commands.frame.paging import show_files

__all__ = ["command", "main"]


def command() -> ClassicParser:
    """Return what the command takes and tells of itself."""
    return ClassicParser(
        "mmore",
        "page through files of method directories",
        "MPATH ...",
        description="Show text files of method directories, compressed ones too. On a terminal the files go "
        "through the program in PAGER, more if that is not set.",
        paths="+",
        complete=method_paths(files=True),
        files=(("/METHOD/Source/*", "describe the method in full."),),
        examples=(("mmore /lin-1/Summary", "Show what a method is."),),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return show_files(command(), arguments, part="methods")


if __name__ == "__main__":
    sys.exit(main())
