"""`delve metrics`: which metrics there are, and their values for a method."""

from collections.abc import Sequence

from delvecore.cli.support.manual import PREDICTIONS, SPECIFICATIONS, ManualParser, add_follow_links
from delvecore.cli.support.score_options import add_summary

FORMATS = ("text", "csv")


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    if options.summary and (options.method is None or options.format == "csv"):
        parser.error("--summary: expected a METHOD and --format text, which prints summaries")
    from delvecore.cli.actions.metrics import print_metrics

    return print_metrics(options)


def command() -> ManualParser:
    parser = ManualParser(
        "delve metrics",
        "list metrics, and print their values",
        description="List the metrics that are accepted wherever a loss is, as delve rank --loss F: one "
        "number of an instance each, with a direction. If METHOD is there, print their values: means over "
        "the instances of each task, or each of them for --format csv.",
        note="Settings follow a name: F:beta=2, tpr:positive=yes, totU:benefits=FILE. If a metric "
        "has no value, the reason is stated for those that were named.",
        files=(*SPECIFICATIONS, *PREDICTIONS[:2]),
        examples=(
            ("delve metrics", "List all metrics with their formulas."),
            ("delve metrics lin-1 /titanic", "Print those of a method on the tasks of a dataset."),
            ("delve metrics lin-1 /demo/sex --metric F:beta=2", "Print one with a setting."),
        ),
    )
    parser.add_argument("method", nargs="?", metavar="METHOD", help="the name of a method with results")
    meaning = "tasks, prototasks or datasets: /titanic/survived/std.160, /titanic; without any, all"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=meaning)
    meaning = "these metrics only; one argument, with blanks or commas between: 'acc F'"
    parser.add_argument("--metric", action="append", metavar="NAMES", help=meaning)
    add_summary(parser, "of the values over the instances, in place of their mean")
    parser.add_argument("--format", choices=FORMATS, default="text", help="of what is printed")
    add_follow_links(parser)
    return parser
