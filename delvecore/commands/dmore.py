"""`dmore`: page through files of data directories. Source: DELVE manual, appendix C."""

import sys
from collections.abc import Sequence

from delvecore.commands.frame.completers import data_paths
from delvecore.commands.frame.manual import ClassicParser
from delvecore.commands.frame.paging import show_files

__all__ = ["command", "main"]


def command() -> ClassicParser:
    """Return what the command takes and tells of itself."""
    return ClassicParser(
        "dmore",
        "page through files of data directories",
        "DPATH | MPATH ...",
        description="Show text files of data directories, compressed ones too. A method's path stands for "
        "the data that the method was run on. On a terminal the files go through the program in PAGER, more "
        "if that is not set.",
        paths="+",
        complete=data_paths(files=True),
        files=(("/DATASET/Summary", "is an example of a file to read."),),
        examples=(
            ("dmore /demo/age/std.prior", "Show what may be assumed of the prototask."),
            ("dmore /demo/Summary /demo/Dataset.spec", "Show two files."),
        ),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return show_files(command(), arguments, part="data")


if __name__ == "__main__":
    sys.exit(main())
