"""`dinfo`: get information about datasets, prototasks and tasks. Source: DELVE manual, appendix C."""

import sys
from argparse import Namespace
from functools import partial

from delvecore.cli.support.context import Session, print_lines, run
from delvecore.cli.support.manual import DATA, ClassicParser


def command() -> ClassicParser:
    parser = ClassicParser(
        "dinfo",
        "get information about datasets, prototasks and tasks",
        "[-a | -k KEYS] [-q] [-t] [DPATH | MPATH]",
        description="Print information on a dataset, prototask or task, or on all datasets (/). A "
        "method's path means the data that the method was run on. The default is the current directory.",
        files=DATA,
        examples=(
            ("dinfo /demo", "Describe a dataset."),
            ("dinfo -t -k prototasks /demo", "List its prototasks for a script."),
            ("dinfo -k delve_path /", "List the active delve directories."),
            ("dinfo /lin-1/demo/age/std.128", "Describe the task that a method was run on."),
        ),
    )
    return add_inquiry(parser)


def add_inquiry(parser: ClassicParser) -> ClassicParser:
    parser.add_argument(
        "-a", action="store_true", help="Print all information; by default only the most important part."
    )
    meaning = "Print only these fields, in this order. KEYS is one argument, with blanks between."
    parser.add_argument("-k", metavar="KEYS", help=meaning)
    parser.add_argument(
        "-q", action="store_true", help="Print the names of the fields instead of their values."
    )
    parser.add_argument("-t", action="store_true", help="Print without headings, for other programs to read.")
    return parser


def inquire(session: Session, options: Namespace, *, part: str) -> None:
    """Print the keys (-q) or values of the requested information. part: `data` or `methods`."""
    from delvecore.report.information import data_information, information_text, method_information

    tell = data_information if part == "data" else method_information
    names = session.locate(*(options.paths or ["."]), part=part)
    information = tell(session.hierarchy, session.tolerant, names)
    keys = information.keys(everything=options.a, wanted=options.k)
    print_lines(" ".join(keys) if options.q else information_text(information, keys, terse=options.t))


main = partial(run, command, partial(inquire, part="data"))

if __name__ == "__main__":
    sys.exit(main())
