"""`dls`: list the contents of data directories. Source: DELVE manual, appendix C."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from functools import partial

from delvecore.cli.support.context import Session, print_lines, run
from delvecore.cli.support.manual import ClassicParser
from delvecore.errors import DelveError
from delvecore.render.text import columns_text

GROUPED = "Group the names by the true directories that hold them."


def command() -> ClassicParser:
    return ClassicParser(
        "dls",
        "list the contents of data directories",
        "[-l] [DPATH | MPATH]",
        description="List the merged contents of all data directories with this path, sorted. If "
        "the path is a file, print it. A method's path means the data that the method was run on. The "
        "default is the current directory.",
        examples=(
            ("dls /demo/age", "List the files of a prototask in all delve directories."),
            ("dls -l /lin-1/demo/age", "The same with a method's path, grouped by true directory."),
        ),
        flags={"l": GROUPED},
    )


def show_entries(session: Session, options: Namespace, *, part: str) -> None:
    """Print the names in the directory of an argument, or the argument if it is a file."""
    argument, *_ = options.paths or ["."]
    place = session.locate(argument, part=part)
    if directories := session.hierarchy.directories(part, *place):
        entries = session.tolerant.entries(part, *place)
        names = [name for name in entries if name[0] != "."]
        groups = ([name for name in names if f"{one}/{name}" in entries[name]] for one in directories)
        if options.l:
            print_lines("\n\n".join(map(_group, directories, groups)))
        elif names:
            print_lines(columns_text(names))
        return
    path = session.hierarchy.find(part, *place)
    if path is None:
        raise DelveError(f"{argument}: expected a file or directory of the hierarchy, found nothing")
    directory, _, name = path.rpartition("/")
    print_lines(f"{directory}/:\n{name}" if options.l else argument)


def _group(directory: str, names: Sequence[str]) -> str:
    return f"{directory}/:\n{columns_text(names)}".rstrip()


main = partial(run, command, partial(show_entries, part="data"))

if __name__ == "__main__":
    sys.exit(main())
