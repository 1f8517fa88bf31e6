"""`mls`: list the contents of method directories. Source: DELVE manual, appendix C."""

import sys
from collections.abc import Sequence

from delvecore.commands.frame.completers import method_paths
from delvecore.commands.frame.listing import add_listing, show_entries
from delvecore.commands.frame.manual import ClassicParser

__all__ = ["command", "main"]


def command() -> ClassicParser:
    """Return what the command takes and tells of itself."""
    parser = ClassicParser(
        "mls",
        "list the contents of method directories",
        "[-l] [MPATH]",
        description="List the merged contents of all method directories with this path, sorted; a file's "
        "name is repeated. Without a path: the current directory.",
        complete=method_paths(),
        examples=(
            ("mls /lin-1/demo", "List the prototasks that a method was run on."),
            ("mls -l /lin-1", "List its files with their true paths."),
        ),
    )
    return add_listing(parser)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return show_entries(command(), arguments, part="methods")


if __name__ == "__main__":
    sys.exit(main())
