"""`mtable`: a table of methods x tasks, with standardized losses, their errors, and what is significant."""

import sys
from collections import namedtuple

from delvecore.commands.frame.completers import data_paths, methods, quietly
from delvecore.commands.frame.completers import losses as loss_names
from delvecore.commands.frame.context import run
from delvecore.commands.frame.manual import ClassicParser
from delvecore.commands.frame.manual_files import LOSSES as LOSS_FILES
from delvecore.commands.frame.manual_files import SPECIFICATIONS, STATISTICS
from delvecore.commands.frame.places import here, method_of, places_of
from delvecore.commands.frame.printing import print_text
from delvecore.errors import DelveError
from delvecore.losses.spec import LOSSES, loss_order, split_losses
from delvecore.statistics.choose import DEFAULT_LEVEL, level_of, significance

__all__ = ["command", "main"]

FORMATS = ("text", "csv", "latex", "html", "markdown")
LEVEL = significance(DEFAULT_LEVEL)


class _Request(namedtuple("_Request", "losses methods reference level form")):
    """What was asked for; losses and methods: empty for all there are."""

    __slots__ = ()


def command() -> ClassicParser:
    """Return what the command takes and tells of itself."""
    parser = ClassicParser(
        "mtable",
        "print a table of methods and tasks",
        "[-l LOSSES] [-m METHODS] [-r REFERENCE] [-a LEVEL] [-f FORMAT] [DPATH ...]",
        description="Print a table of the standardized losses of methods (columns) on tasks (rows), with "
        "standard errors and marks for the lowest of each row and for those that are not significantly "
        "higher. A path stands for all tasks below it with results; without one: the current directory in a "
        "delve directory, else all (/).",
        paths="*",
        complete=data_paths(tasks=True),
        files=(*SPECIFICATIONS, LOSS_FILES, STATISTICS),
        examples=(
            ("mtable /demo", "Compare all methods on the tasks of a dataset."),
            ("mtable -l S -m 'lin-1 gp-1' -f latex /demo/age", "Set two methods side by side in LaTeX."),
        ),
    )
    meaning = "Tables for these losses, such as 'A Z0.2N Mcosts', instead of all there are."
    parser.value("l", "LOSSES", meaning, loss_names)
    meaning = "These methods only, in this order. One argument, with blanks between."
    parser.value("m", "METHODS", meaning, methods)
    parser.value("r", "REFERENCE", "Also mark which methods differ significantly from this one.", methods)
    parser.value("a", "LEVEL", f"The level of significance, instead of {LEVEL}.")
    meaning = (
        f"One of {', '.join(FORMATS[:-1])} or {FORMATS[-1]}. csv has a line for each task and method, full "
        "precision, and words instead of marks."
    )
    parser.value("f", "FORMAT", meaning, quietly(lambda *_: FORMATS))
    return parser


def main(arguments=None):
    """Run the command and return its exit code."""
    return run(command(), _show, arguments)


def _show(session, options):
    request = _request(session, options)
    hierarchy, directory = session.hierarchy, session.working_directory
    places = places_of(hierarchy, options.paths, directory) or [here(hierarchy, directory)]
    # Reading an archive needs Arrow; the help and wrong arguments do not wait for it.
    import delvecore

    archive = delvecore.open(session.hierarchy.roots)
    if archive.problems.num_rows:
        count = archive.problems.num_rows
        session.warn(f"{count} faults in the files, of which delve check tells; what is faulty is left out")
    print_text("\n".join(_tables(archive, request, places)))


def _request(session, options):
    methods = [method_of(session.hierarchy, word) for word in (options.m or "").split()]
    reference = method_of(session.hierarchy, options.r) if options.r is not None else None
    if options.m is not None and not methods:
        raise DelveError("expected names of methods behind -m, found none")
    if methods and reference and reference not in methods:
        methods = [reference, *methods]
    form = FORMATS[0] if options.f is None else options.f
    if form not in FORMATS:
        raise DelveError(f"expected one of {', '.join(FORMATS)} behind -f, found {form!r}")
    return _Request(_losses(options.l), tuple(dict.fromkeys(methods)), reference, _level(options), form)


def _losses(text):
    expected = f"losses among {' '.join(LOSSES)}, or specialised ones such as Z0.2N, behind -l"
    try:
        losses = split_losses(text or "")
    except ValueError as error:
        raise DelveError(f"expected {expected}, found {str(error)!r}") from None
    if text is not None and not losses:
        raise DelveError(f"expected {expected}, found none")
    return losses


def _level(options):
    text = str(LEVEL) if options.a is None else options.a
    try:
        level = float(text)
    except ValueError:
        level = 0.0
    if not 0 < level < 1:
        raise DelveError(f"expected a level between 0 and 1 behind -a, found {text!r}")
    return level


def _tables(archive, request, places):
    """Yield the tables, one a loss."""
    from delvecore.report.paper.method_table import method_table
    from delvecore.report.paper.method_table_formats import method_table_text

    for names in places:
        if names and not any(_path(row)[: len(names)] == names for row in archive.tasks.to_pylist()):
            path = "/".join(("", *names))
            raise DelveError(f"{path}: expected a place with tasks, found none; dls and dinfo list them")
    tasks = _tasks_with_results(archive, request, places)
    losses = [loss for loss in request.losses or sorted(tasks, key=loss_order) if tasks.get(loss)]
    if not losses:
        places = ", ".join("/" + "/".join(names) for names in places)
        wanted = f" of {' '.join(request.methods)}" if request.methods else ""
        under = f" under {' '.join(request.losses)}" if request.losses else ""
        raise DelveError(f"{places}: expected losses{wanted}{under}, found none; mloss makes them")
    for number, loss in enumerate(losses):
        methods = request.methods or _methods(archive, tasks[loss], loss, request.reference)
        facts = {
            "loss": loss,
            "methods": methods,
            "reference": request.reference,
            "level": level_of(request.level),
        }
        table = method_table(archive.results, archive.comparisons, tasks=tasks[loss], **facts)
        text = method_table_text(table, request.form)
        # CSV has one header, however many losses.
        yield text.partition("\n")[2].rstrip("\n") if number and request.form == "csv" else text.rstrip("\n")
        if request.form != "csv":
            yield ""


def _path(row):
    return row["dataset"], row["prototask"], row["task"]


def _tasks_with_results(archive, request, places):
    """Return {loss: [task]} for tasks below the places, in the archive's order, with results of a method."""
    found = {}
    for row in archive.results.select(["method", "dataset", "prototask", "task", "loss"]).to_pylist():
        task = _path(row)
        is_below = any(task[: len(names)] == names for names in places)
        if is_below and (not request.methods or row["method"] in request.methods):
            found.setdefault(row["loss"], {})[task] = None
    order = {_path(row): number for number, row in enumerate(archive.tasks.to_pylist())}
    return {
        loss: sorted(tasks, key=lambda task: order.get(task, len(order))) for loss, tasks in found.items()
    }


def _methods(archive, tasks, loss, reference):
    """Return the methods with results on these tasks, by name, the reference first."""
    wanted = set(tasks)
    names = {
        row["method"] for row in archive.results.to_pylist() if row["loss"] == loss and _path(row) in wanted
    }
    return tuple(dict.fromkeys([*([reference] if reference else []), *sorted(names)]))


if __name__ == "__main__":
    sys.exit(main())
