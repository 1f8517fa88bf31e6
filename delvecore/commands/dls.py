"""`dls`: list the contents of data directories. Source: DELVE manual, appendix C."""

import sys
from collections.abc import Sequence

from delvecore.commands.frame.completers import data_paths
from delvecore.commands.frame.listing import add_listing, show_entries
from delvecore.commands.frame.manual import ClassicParser

__all__ = ["command", "main"]


def command() -> ClassicParser:
    """Return what the command takes and tells of itself."""
    parser = ClassicParser(
        "dls",
        "list the contents of data directories",
        "[-l] [DPATH | MPATH]",
        description="List the merged contents of all data directories with this path, sorted; a file's name "
        "is repeated. A method's path stands for the data that the method was run on. Without a path: the "
        "current directory.",
        complete=data_paths(),
        examples=(
            ("dls /demo/age", "List what all delve directories hold of a prototask."),
            ("dls -l /lin-1/demo/age", "The same by a method's path, with the true paths."),
        ),
    )
    return add_listing(parser)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return show_entries(command(), arguments, part="data")


if __name__ == "__main__":
    sys.exit(main())
