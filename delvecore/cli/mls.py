"""`mls`: list the contents of method directories. Source: DELVE manual, appendix C."""

import sys
from functools import partial

from delvecore.cli.dls import GROUPED, show_entries
from delvecore.cli.support.context import run
from delvecore.cli.support.manual import ClassicParser


def command() -> ClassicParser:
    return ClassicParser(
        "mls",
        "list the contents of method directories",
        "[-l] [MPATH]",
        description="List the merged contents of all method directories with this path, sorted. If "
        "the path is a file, print it. The default is the current directory.",
        examples=(
            ("mls /lin-1/demo", "List the prototasks that a method was run on."),
            ("mls -l /lin-1", "List its files with their true paths."),
        ),
        flags={"l": GROUPED},
    )


main = partial(run, command, partial(show_entries, part="methods"))

if __name__ == "__main__":
    sys.exit(main())
