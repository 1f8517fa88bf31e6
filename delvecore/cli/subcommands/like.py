"""`delve like`: which tasks of an archive are similar to a file of cases, and which methods win on them."""

from collections.abc import Sequence

import delvecore
from delvecore.cli.subcommands.import_cases import add_csv_options
from delvecore.cli.support.context import print_text
from delvecore.cli.support.manual import ManualParser, add_follow_links
from delvecore.names import one_line
from delvecore.render.formats import ANSWER_FORMATS, NEAREST
from delvecore.render.provenance import command_line
from delvecore.render.spans import plain
from delvecore.render.text import fold

SHOWN = ("methods", "tasks")


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    if options.show and options.format in ("text", "json"):
        parser.error(f"--show: expected a format with one table, found {options.format}, which prints both")
    from delvecore.cli.actions.import_cases import import_options, opened_source
    from delvecore.cli.support.archives import open_archive
    from delvecore.importers.in_memory import ONE_NAME
    from delvecore.importers.plan import plan_import
    from delvecore.importers.similar_tasks import similar_tasks
    from delvecore.metrics.registry import known_name
    from delvecore.readers.hierarchy import find_directories
    from delvecore.render.answers import answer_text
    from delvecore.render.csv import csv_comment

    source, form, links = opened_source(options), options.format, options.follow_links
    plan = plan_import(source, import_options(options, source, name=ONE_NAME))
    if options.paths:
        archive = delvecore.open(find_directories(options.paths), follow_links=links)
    else:
        archive = open_archive((), follow_links=links)[0]
    similar = similar_tasks(
        plan,
        archive,
        loss=None if options.loss is None else known_name(options.loss),
        nearest=options.nearest,
        command=command_line(("delve", "like", *arguments)),
    )
    if form == "json":
        print_text(similar.to_json())
    elif form == "text":
        assumed = "\n".join(line for one in similar.assumed for line in fold(plain(one_line(one)), ""))
        answers = [answer_text(answer, form) for answer in (similar.tasks, similar.methods)]
        print_text("\n".join([assumed, "", *answers]))
    else:
        comments = [*similar.assumed, similar.nearness.sentence] if form == "csv" else []
        answer = similar.tasks if options.show == "tasks" else similar.methods
        text = answer_text(answer, form, label="tab:like")
        print_text("".join(map(csv_comment, comments)) + text)
    return 0


def command() -> ManualParser:
    parser = ManualParser(
        "delve like",
        "find tasks similar to a file of cases, and the methods that win on them",
        description="Find tasks similar to a file of cases, and the methods that win on them. The "
        "similarity uses the properties that task-arrays vary: inputs, noise, non-linearity, size, "
        "kinds of inputs and type of target. Noise is the share of the variance that the best of a few "
        "quick methods leaves unexplained. "
        "The methods are ranked on the nearest tasks, with the same tests as in delve rank.",
        note="Assumptions are printed first. If no task of the archive is similar, a line reports this. "
        "delve import "
        "FILE --target COLUMN --dry-run lists the type of each column.",
        examples=(
            ("delve like cars.csv --target price", "Find tasks similar to a file."),
            (
                "delve like cars.csv --target price --format csv --show tasks",
                "List the nearest tasks as CSV.",
            ),
        ),
    )
    add = parser.add_argument
    add("file", metavar="FILE", help="a CSV or ARFF file, compressed or not, or a Parquet file")
    add("paths", nargs="*", metavar="PATH", help="delve directories to search (default: the active ones)")
    add("--target", action="append", metavar="COLUMN", help="the column to predict")
    add("--type", action="append", metavar="COLUMN=TYPE", help="as for delve import; may be repeated")
    add("--missing", action="append", metavar="WORD", help="as for delve import; may be repeated")
    add("--group", metavar="COLUMN", help="cases with the same value stay together in cross-validation")
    meaning = "the loss or metric that ranks the methods (default: the most common one of the tasks)"
    add("--loss", metavar="S", help=meaning)
    meaning = f"number of nearest prototasks to rank on (default: {NEAREST})"
    add("--nearest", type=int, default=NEAREST, metavar="N", help=meaning)
    add("--format", choices=tuple(ANSWER_FORMATS), default="text", help="output format (default: text)")
    meaning = "the table to print in a format with one table: methods (default) or nearest tasks"
    add("--show", choices=SHOWN, help=meaning)
    add_csv_options(parser)
    add_follow_links(parser)
    return parser
