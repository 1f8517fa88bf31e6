"""`delve measures`: contingency tables of a method's classes, and what they say."""

from collections.abc import Sequence

from delvecore.cli.support.manual import PREDICTIONS, SPECIFICATIONS, ManualParser, add_follow_links
from delvecore.render.numbers import parameter
from delvecore.stats.choose import DEFAULT_LEVEL

FORMATS = ("text", "csv", "json")


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    if options.null is not None and not 0 < options.null < 1:
        parser.error(f"--null: expected an accuracy between 0 and 1, found {parameter(options.null)}")
    if not 0 < options.level < 1:
        parser.error(f"--level: expected a level between 0 and 1, found {parameter(options.level)}")
    from delvecore.cli.actions.measures import print_measures

    return print_measures(options)


def command() -> ManualParser:
    parser = ManualParser(
        "delve measures",
        "print contingency tables of a method's classes and their measures",
        description="Print contingency tables of a method's predicted classes, and their measures with "
        "intervals. These are accuracy, average recall, precision, recall, F, predicted positive rate, area "
        "under the ROC curve, Matthews' correlation, kappa and calibration. Accuracy is also given over "
        "class distributions, with p against a null hypothesis.",
        note="Predictions are needed, not only losses: files guess.n, and prob.n for the areas.",
        files=(*SPECIFICATIONS, *PREDICTIONS[:2]),
        examples=(
            ("delve measures lin-1 /titanic/survived/std.160", "Judge a method as a classifier."),
            ("delve measures lin-1 /titanic --null 0.5", "Test its accuracy against tossing a coin."),
        ),
    )
    parser.add_argument("method", metavar="METHOD", help="the name of a method with results")
    meaning = "tasks, prototasks or datasets: /titanic/survived/std.160, /titanic; without any, all"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=meaning)
    meaning = "the accuracy of the null hypothesis (default: that of always guessing the most frequent class)"
    parser.add_argument("--null", type=float, metavar="ACCURACY", help=meaning)
    meaning = f"level of the intervals (default: {DEFAULT_LEVEL})"
    parser.add_argument("--level", type=float, default=DEFAULT_LEVEL, metavar="LEVEL", help=meaning)
    parser.add_argument("--format", choices=FORMATS, default="text", help="of what is printed")
    meaning = "another method: McNemar's test and DeLong's of both on the same test cases"
    parser.add_argument("--against", metavar="METHOD", help=meaning)
    add_follow_links(parser)
    return parser
