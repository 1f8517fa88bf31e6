"""`delve measures`: contingency tables of a method's predicted classes, and their measures."""

import sys
from collections.abc import Iterable, Sequence

from delvecore.cli.support.context import print_text
from delvecore.cli.support.manual import PREDICTIONS, SPECIFICATIONS, ManualParser, add_follow_links
from delvecore.errors import DelveError
from delvecore.model import TaskId, is_below
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
    from delvecore.answers.classification import TitledSummary, classification_text
    from delvecore.archive.task_details import classification_summary
    from delvecore.cli.support.archives import open_places
    from delvecore.cli.support.places import Names, method_of, path_text
    from delvecore.stats.classification.summary import PairOfClassifiers, compare_classifiers
    from delvecore.tables import rows_of

    def none_below(places: Iterable[Names]) -> DelveError:
        under = ", ".join(map(path_text, places)) or "/"
        expected = f"classification tasks with predictions of {method}"
        remedy = f"minfo {method} lists what it was run on"
        return DelveError(f"{under}: expected {expected}, found none; {remedy}")

    archive, places = open_places(options.paths, follow_links=options.follow_links)
    hierarchy, level = archive.hierarchy, options.level
    method = method_of(hierarchy, options.method)
    other = None if options.against is None else method_of(hierarchy, options.against)
    rows = rows_of(archive.tasks, (*TaskId._fields, "task_type", "training_size"))
    sizes = {TaskId(*task): size for *task, kind, size in rows if kind == "classification"}
    done = {TaskId.parse(path) for path in archive.index.tasks_done.get(method, ())}
    for names in places:
        if not any(task in done and is_below(task, [names]) for task in sizes):
            raise none_below([names])
    summaries: list[TitledSummary] = []
    reasons: list[str] = []
    for task, size in sizes.items():
        if task not in done or not is_below(task, places or [()]):
            continue
        try:
            summary = classification_summary(hierarchy, method, task, level=level, null=options.null)
        except DelveError as error:
            if task in places:
                raise
            reasons.append(str(error))
            continue
        against: tuple[str, PairOfClassifiers | str] | None = None
        if other:
            try:
                others = classification_summary(hierarchy, other, task, level=level)
                against = other, compare_classifiers(summary, others)
            except (DelveError, ValueError) as error:
                against = other, str(error)
        summaries.append(TitledSummary(method, path_text(task), size, summary, against=against))
    for reason in reasons:
        print(f"delve measures: {reason}", file=sys.stderr)
    if not summaries:
        raise none_below(places)
    print_text(classification_text(summaries, options.format))
    return 0


def command() -> ManualParser:
    parser = ManualParser(
        "delve measures",
        "print contingency tables of a method's predicted classes and their measures",
        description="Print contingency tables of a method's predicted classes, and their measures with "
        "intervals. These are accuracy, average recall, precision, recall, F, predicted positive rate, area "
        "under the ROC curve, Matthews' correlation, kappa and calibration. Accuracy is also given over "
        "class distributions, with p against a null hypothesis.",
        note="Predictions are needed, not only losses: files guess.n, and prob.n for the area "
        "under the ROC curve.",
        files=(*SPECIFICATIONS, *PREDICTIONS[:2]),
        examples=(
            ("delve measures lin-1 /titanic/survived/std.160", "Judge a method as a classifier."),
            ("delve measures lin-1 /titanic --null 0.5", "Test its accuracy against a coin toss."),
        ),
    )
    parser.add_argument("method", metavar="METHOD", help="the name of a method with results")
    meaning = "tasks, prototasks or datasets: /titanic/survived/std.160, /titanic (default: all)"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=meaning)
    meaning = "the accuracy of the null hypothesis (default: that of always guessing the most frequent class)"
    parser.add_argument("--null", type=float, metavar="ACCURACY", help=meaning)
    meaning = f"level of the intervals (default: {DEFAULT_LEVEL})"
    parser.add_argument("--level", type=float, default=DEFAULT_LEVEL, metavar="LEVEL", help=meaning)
    parser.add_argument("--format", choices=FORMATS, default="text", help="output format (default: text)")
    meaning = "another method, for McNemar's and DeLong's tests of both on the same test cases"
    parser.add_argument("--against", metavar="METHOD", help=meaning)
    add_follow_links(parser)
    return parser
