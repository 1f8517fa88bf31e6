"""`minfo`: get information about methods and what they were run on. Source: DELVE manual, appendix C."""

import sys
from collections.abc import Sequence

from delvecore.commands.frame.completers import method_paths
from delvecore.commands.frame.inquiry import add_inquiry, inquire
from delvecore.commands.frame.manual import ClassicParser
from delvecore.commands.frame.manual_files import CODING_USED, DATA
from delvecore.report.information.method_information import method_information

__all__ = ["command", "main"]


def command() -> ClassicParser:
    """Return what the command takes and tells of itself."""
    parser = ClassicParser(
        "minfo",
        "get information about methods",
        "[-a | -k KEYS] [-q] [-t] [MPATH]",
        description="Print what is known of all methods (/), of a method, or of a dataset, prototask or task "
        "as a method used it. Without a path: the current directory.",
        complete=method_paths(),
        files=(*DATA, ("/METHOD/*", "show what the method was run on."), CODING_USED),
        examples=(
            ("minfo /lin-1/demo", "Tell about a dataset as a method used it."),
            ("minfo -t -k prototasks /lin-1/demo", "List the prototasks that it was run on."),
        ),
    )
    return add_inquiry(parser, method_information, part="methods")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return inquire(command(), method_information, arguments, part="methods")


if __name__ == "__main__":
    sys.exit(main())
