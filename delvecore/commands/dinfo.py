"""`dinfo`: get information about datasets, prototasks and tasks. Source: DELVE manual, appendix C."""

import sys
from collections.abc import Sequence

from delvecore.commands.frame.completers import data_paths
from delvecore.commands.frame.inquiry import add_inquiry, inquire
from delvecore.commands.frame.manual import ClassicParser
from delvecore.commands.frame.manual_files import DATA
from delvecore.report.information.data_information import data_information

__all__ = ["command", "main"]


def command() -> ClassicParser:
    """Return what the command takes and tells of itself."""
    parser = ClassicParser(
        "dinfo",
        "get information about datasets, prototasks and tasks",
        "[-a | -k KEYS] [-q] [-t] [DPATH | MPATH]",
        description="Print what is known of a dataset, prototask or task, or of all datasets (/). A method's "
        "path stands for the data that the method was run on. Without a path: the current directory.",
        complete=data_paths(tasks=True),
        files=DATA,
        examples=(
            ("dinfo /demo", "Tell about a dataset."),
            ("dinfo -t -k prototasks /demo", "List its prototasks for a script."),
            ("dinfo -k delve_path /", "List the active delve directories."),
            ("dinfo /lin-1/demo/age/std.128", "Tell about the task that a method was run on."),
        ),
    )
    return add_inquiry(parser, data_information, part="data")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return inquire(command(), data_information, arguments, part="data")


if __name__ == "__main__":
    sys.exit(main())
