"""`minfo`: get information about methods and their data. Source: DELVE manual, appendix C."""

import sys
from functools import partial

from delvecore.cli.dinfo import add_inquiry, inquire
from delvecore.cli.support.context import run
from delvecore.cli.support.manual import CODING_USED, DATA, ClassicParser


def command() -> ClassicParser:
    parser = ClassicParser(
        "minfo",
        "get information about methods",
        "[-a | -k KEYS] [-q] [-t] [MPATH]",
        description="Print information on all methods (/), on a method, or on a dataset, prototask or task "
        "as a method used it. The default is the current directory.",
        files=(*DATA, ("/METHOD/*", "show the data that the method was run on."), CODING_USED),
        examples=(
            ("minfo /lin-1/demo", "Describe a dataset as a method used it."),
            ("minfo -t -k prototasks /lin-1/demo", "List the prototasks that it was run on."),
        ),
    )
    return add_inquiry(parser)


main = partial(run, command, partial(inquire, part="methods"))

if __name__ == "__main__":
    sys.exit(main())
