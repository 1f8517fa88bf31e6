"""`delve like`: which tasks of an archive are like a file of cases, and which methods win on them."""

from collections.abc import Sequence

from delvecore.cli.subcommands.import_cases import add_csv_options
from delvecore.cli.support.manual import ManualParser, add_follow_links
from delvecore.render.formats import ANSWER_FORMATS, NEAREST

SHOWN = ("methods", "tasks")


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    if options.show and options.format in ("text", "json"):
        parser.error(f"--show: expected a format with one table, found {options.format}, which has both")
    from delvecore.cli.actions.like import like

    return like(options, arguments)


def command() -> ManualParser:
    parser = ManualParser(
        "delve like",
        "find tasks like a file of cases, and the methods that win on them",
        description="Find tasks like a file of cases, and the methods that win on them. The cases are "
        "described by what task-arrays vary: inputs, noise, non-linearity, size, kinds of inputs and type of "
        "target. Noise is the share of the variance that the best of a few quick methods leaves unexplained. "
        "The methods are ranked on the nearest tasks, with the same tests as by delve rank.",
        note="Assumptions are printed first. A line says if nothing in the archive is near. delve import "
        "FILE --target COLUMN --dry-run lists the type of each column.",
        examples=(
            ("delve like cars.csv --target price", "Find tasks like a file."),
            (
                "delve like cars.csv --target price --format csv --show tasks",
                "List the nearest tasks as CSV.",
            ),
        ),
    )
    add = parser.add_argument
    add("file", metavar="FILE", help="a CSV or ARFF file, compressed or not, or a Parquet file")
    add("paths", nargs="*", metavar="PATH", help="delve directories to look in; without any, the active ones")
    add("--target", action="append", metavar="COLUMN", help="what is to be predicted")
    add("--type", action="append", metavar="COLUMN=TYPE", help="as for delve import; may be repeated")
    add("--missing", action="append", metavar="WORD", help="as for delve import; may be repeated")
    add("--group", metavar="COLUMN", help="cases with the same value stay together in cross-validation")
    meaning = "the loss or metric by which methods are ranked (default: the usual one of the tasks)"
    add("--loss", metavar="S", help=meaning)
    meaning = f"number of nearest prototasks to rank on (default: {NEAREST})"
    add("--nearest", type=int, default=NEAREST, metavar="N", help=meaning)
    add("--format", choices=tuple(ANSWER_FORMATS), default="text", help="of what is printed")
    meaning = "the table of a format that has one: methods (default) or nearest tasks"
    add("--show", choices=SHOWN, help=meaning)
    add_csv_options(parser)
    add_follow_links(parser)
    return parser
