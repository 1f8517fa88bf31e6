"""`delve measures`: contingency tables of a method's classes, and what they say."""

import os
import sys

from delvecore.commands.frame.context import active_hierarchy
from delvecore.commands.frame.printing import print_text
from delvecore.errors import DelveError

__all__ = ["main"]

FORMATS = ("text", "csv", "json")
TASK_DEPTH = 3


def main(arguments):
    """Print the measures of a method on classification tasks; return 0."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.null is not None and not 0 < options.null < 1:
        parser.error(f"--null: expected an accuracy between 0 and 1, found {options.null:g}")
    if not 0 < options.level < 1:
        parser.error(f"--level: expected a level between 0 and 1, found {options.level:g}")
    hierarchy = active_hierarchy(os.getcwd())
    places = [_place(hierarchy, path) for path in options.paths]
    if not hierarchy.directories("methods", options.method.strip("/") or "."):
        raise DelveError(f"{options.method}: expected a method, found none; mls / lists the methods")
    # Imported here: these need NumPy and SciPy, which --help need not wait for.
    from delvecore.report.classification.text import classification_text

    found = _summaries(hierarchy, options, places)
    print_text(classification_text(found, options.format))
    return 0


def _place(hierarchy, path):
    names = hierarchy.locate(path, os.getcwd(), part="data").names
    if len(names) > TASK_DEPTH:
        raise DelveError(f"{path}: expected a dataset, prototask or task, found a place below it")
    return names


def _summaries(hierarchy, options, places):
    import delvecore

    archive = delvecore.open(hierarchy.roots)
    method = options.method.strip("/")
    rows = [row for row in archive.tasks.to_pylist() if row["task_type"] == "classification"]
    done = {
        (row["dataset"], row["prototask"], row["task"])
        for row in archive.results.select(["method", "dataset", "prototask", "task"]).to_pylist()
        if row["method"] == method
    }
    tasks = [(row["dataset"], row["prototask"], row["task"]) for row in rows]
    for names in places:
        if not any(task in done and task[: len(names)] == names for task in tasks):
            raise _none_below([names], method)
    found, reasons = [], []
    for row, task in zip(rows, tasks, strict=True):
        if task in done and any(task[: len(names)] == names for names in places or [()]):
            try:
                found.append(_summary(hierarchy, method, row, options))
            except DelveError as error:
                if task in places:
                    raise
                reasons.append(str(error))
    for reason in reasons:
        print(f"delve measures: {reason}", file=sys.stderr)
    if not found:
        raise _none_below(places, method)
    return found


def _none_below(places, method):
    under = ", ".join("/" + "/".join(names) for names in places) or "/"
    return DelveError(
        f"{under}: expected classification tasks with predictions of {method}, found none; "
        f"minfo {method} lists what it was run on"
    )


def _summary(hierarchy, method, row, options):
    from delvecore.archive.classification import classification_summary
    from delvecore.report.classification.text import TitledSummary

    names = row["dataset"], row["prototask"], row["task"]
    facts = {"level": options.level, "null": options.null}
    summary = classification_summary(hierarchy, method, names, **facts)
    return TitledSummary(method, "/" + "/".join(names), row["training_size"], summary)


def _parser():
    from delvecore.commands.frame.manual_parser import ManualParser

    parser = ManualParser(
        prog="delve measures",
        description="Print contingency tables of a method's predicted classes, and their measures: accuracy, "
        "average recall, precision, recall, F, predicted positive rate, area under the ROC curve, accuracy "
        "over class distributions, intervals, and p against a null hypothesis.",
        epilog="Predictions are needed, not only losses: files guess.n, and prob.n for the areas.",
    )
    parser.add_argument("method", metavar="METHOD", help="the name of a method with results")
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="tasks, prototasks or datasets: /titanic/survived/std.160, /titanic; without any, all",
    )
    parser.add_argument(
        "--null",
        type=float,
        metavar="ACCURACY",
        help="the accuracy of the null hypothesis (default: that of always guessing the most frequent class)",
    )
    parser.add_argument(
        "--level", type=float, default=0.95, metavar="LEVEL", help="level of the intervals (default: 0.95)"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="of what is printed")
    return parser
