"""`delve top`: the best methods of each task under each loss, and statistics of their scores."""

from collections.abc import Sequence

from delvecore.cli.support.manual import LOSSES, ManualParser, add_follow_links
from delvecore.cli.support.score_options import add_scores, add_summary

FORMATS = ("text", "csv", "json")
STATISTICS = ("mean", "std", "median", "iqr", "min", "max", "missing")
DIMENSIONS = ("tasks", "methods", "losses")
DIGITS, MOST_DIGITS = 5, 17


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    if options.top < 1:
        parser.error(f"--top: expected at least 1, found {options.top}")
    if options.digits is not None and (options.each or options.format != "text"):
        parser.error("--digits: expected --format text, since CSV and JSON have all digits")
    if options.digits is not None and not 1 <= options.digits <= MOST_DIGITS:
        parser.error(f"--digits: expected 1 to {MOST_DIGITS}, found {options.digits}")
    if options.summary and options.each:
        parser.error("--summary: expected no --each, which prints single scores")
    from delvecore.cli.actions.top import print_top

    return print_top(options)


def command() -> ManualParser:
    parser = ManualParser(
        "delve top",
        "print the best methods of each task",
        description="Print the best methods of each task under each loss or metric. They are "
        "ordered by a statistic of their scores over the training sets that all methods have. All "
        "statistics are printed.",
        note="`delve rank` tests differences over many tasks, and `mstats` on one.",
        files=(LOSSES,),
        examples=(
            ("delve top --top 1 --losses '^S$'", "Name the best method of each task."),
            ("delve top /demo/age --methods '^svm' --top 99", "Summarize the variants of a workflow."),
            ("delve top /demo/age/std.128 --each", "Print the score of each training set."),
        ),
    )
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="files of scores, places of tasks, or delve directories")
    for name in DIMENSIONS:
        metric = ", or a metric such as auc" * (name == "losses")
        meaning = f"only {name} whose names contain a match of this regular expression{metric}"
        add(f"--{name}", metavar="EXPRESSION", help=meaning)
    add("--top", type=int, default=5, metavar="N", help="number of methods per task (default: 5)")
    meaning = "statistic of the losses that ranks the methods, lowest first (default: mean)"
    add("--statistic", choices=STATISTICS, default="mean", help=meaning)
    add("--digits", type=int, metavar="N", help=f"number of significant digits of scores (default: {DIGITS})")
    add_summary(parser, "of the scores of each method, as an additional column")
    add(
        "--each",
        action="store_true",
        help="print single scores, unranked, as CSV or JSON; metrics are turned into losses",
    )
    add("--format", choices=FORMATS, default="text", help="format of the output (default: text)")
    add_scores(parser)
    add_follow_links(parser)
    return parser
