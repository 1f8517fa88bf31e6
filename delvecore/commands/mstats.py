"""`mstats`: estimate a method's expected losses, or compare them. Source: manual, section 8.3, appendix C."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypedDict

from delvecore.commands.frame.completers import losses as loss_names
from delvecore.commands.frame.completers import method_paths, methods
from delvecore.commands.frame.computed_losses import (
    ComputedLosses,
    LossFiles,
    compute_losses,
    compute_standardizers,
    path_of,
)
from delvecore.commands.frame.context import Session, run
from delvecore.commands.frame.loss_files import find_losses, read_losses, read_standardizer
from delvecore.commands.frame.manual import ClassicParser
from delvecore.commands.frame.manual_files import LOSSES as LOSS_FILES
from delvecore.commands.frame.manual_files import PREDICTIONS, SPECIFICATIONS, STATISTICS
from delvecore.commands.frame.names import chosen_names
from delvecore.commands.frame.places import Names, method_of
from delvecore.errors import DelveError
from delvecore.losses.spec import LOSSES, loss_order, parse_loss, split_losses
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy, Location
from delvecore.readers.instances import INSTANCE_SUFFIX, ListedFacts, listed_facts, parse_instances
from delvecore.readers.specifications import (
    method_datasets,
    method_names,
    method_prototasks,
    method_tasks,
    parse_task_name,
    read_dataset,
    read_prototask,
)
from delvecore.report.information.statistics_text import (
    comparison_text,
    estimate_text,
    loss_heading,
)
from delvecore.statistics.losses.sums import Rows, compare_losses, estimate_loss
from delvecore.statistics.losses.unequal import compare_unequal, estimate_unequal
from delvecore.statistics.notes import words_of

__all__ = ["command", "main"]

BASE = "loss"
TASK_DEPTH = 4


def command() -> ClassicParser:
    """Return what the command takes and tells of itself."""
    parser = ClassicParser(
        "mstats",
        "calculate or compare statistics of losses",
        "[-c METHODS] [-i BASE] [-l LOSSES] [MPATH]",
        description="Estimate the expected losses of a method on a task, or compare them with those of other "
        "methods. Above a task, every task below is visited. Without a path: the current directory. Where "
        "there are no loss files, losses are computed from the prediction files and nothing is written; "
        "mloss keeps them.",
        complete=method_paths(),
        files=(*SPECIFICATIONS, LOSS_FILES, *PREDICTIONS, STATISTICS),
        examples=(
            ("mstats -l S /lin-1/demo/age/std.128", "Estimate a method's squared error."),
            ("mstats -c knn-cv-1 -l S /lin-1/demo/age/std.128", "Compare it with another method's."),
        ),
    )
    meaning = (
        "Compare with these methods. METHODS is one argument, with blanks or commas between; the name of one "
        "method may hold them, unless each of its words names a method too: then '/a b/' means the one."
    )
    parser.value("c", "METHODS", meaning, methods)
    parser.value("i", "BASE", "Read loss files whose names start with BASE instead of 'loss'.")
    meaning = (
        f"Show these losses, in this order, instead of all there are: letters of {LOSSES}, and specialised "
        "losses such as Z0.2N (no guess costs 0.2) or Mcosts (a loss matrix in a file) with blanks between. "
        "Specialised losses are standardized by what the best constant guess loses on the test targets, or "
        "no guess where that loses less."
    )
    parser.value("l", "LOSSES", meaning, loss_names)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return run(command(), _show, arguments)


class _Request(NamedTuple):
    """What was asked for; losses: names, none for all there are; methods: those to compare with."""

    session: Session
    base: str
    losses: tuple[str, ...]
    methods: list[str]


class _Task(NamedTuple):
    """A method's task. files: {loss: {instance: path or ComputedLosses}}; constants: filled with what
    standardizes computed losses when it is first asked for; listed: the ListedFacts of instances that are
    not the standard ones, or None."""

    names: Names
    design: str
    training_size: int
    files: dict[str, LossFiles]
    constants: dict[str, float]
    listed: ListedFacts | None


class _Facts(TypedDict):
    loss: str
    constant: float | None
    design: str
    training_size: int
    listed: ListedFacts | None


Blocks = Iterator[tuple[str, list[str]]]
"""Losses, each with the texts about it."""


def _show(session: Session, options: Namespace) -> None:
    location = session.locate(*(options.paths or ["."]), part="methods")
    losses = _losses(options.l)
    methods = [
        method_of(session.hierarchy, word, purpose=" to compare with")
        for word in _compared(session, options.c)
    ]
    if options.c is not None and not methods:
        raise DelveError("expected the name of a method behind -c, found none")
    request = _Request(session, BASE if options.i is None else options.i, losses, methods)
    _check_place(session, location)
    for names in _tasks_below(session.tolerant, location.names):
        _show_task(request, names)


def _compared(session: Session, text: str | None) -> tuple[str, ...]:
    """Return the names or paths of methods that an option lists."""
    if text is None:
        return ()
    known = method_names(session.tolerant)
    return chosen_names([text], [*known, *(f"/{name}/" for name in known)])


def _losses(text: str | None) -> tuple[str, ...]:
    """Return the names of the losses that an option lists; none where the option was not given."""
    found = "none"
    try:
        names = split_losses(text or "")
    except ValueError as error:
        names, found = (), repr(error.args[0])
    if text is not None and not names:
        known = f"{' '.join(LOSSES)}, or such as Z0.2N and Mcosts,"
        raise DelveError(f"expected losses among {known} behind -l, found {found}")
    return names


def _check_place(session: Session, location: Location) -> None:
    """Raise DelveError unless the location is a directory of a method, down to a task."""
    names = location.names
    if not session.hierarchy.directories("methods", *names) or len(names) > TASK_DEPTH:
        raise DelveError(f"{location.path}: expected a directory of a method, found none; check the name")
    if len(names) > 1:
        dataset = read_dataset(session.hierarchy, names[1])
        if len(names) > 2:
            read_prototask(session.hierarchy, dataset, names[2])
    if len(names) == TASK_DEPTH and not parse_task_name(names[-1]):
        raise DelveError(f"{location.path}: expected a task such as std.128, found {names[-1]!r}")


def _tasks_below(hierarchy: Hierarchy, names: Names) -> Iterator[Names]:
    """Yield the names that lead to each task at or below a place, in plain lexical order."""
    if len(names) == TASK_DEPTH:
        yield names
        return
    levels = (method_names, method_datasets, method_prototasks, method_tasks)
    for name in levels[len(names)](hierarchy, *names):
        yield from _tasks_below(hierarchy, (*names, name))


def _show_task(request: _Request, names: Names) -> None:
    print("/".join(("", *names)))
    hierarchy = request.session.hierarchy
    files = _losses_of(request, names, request.losses)
    wanted = request.losses or sorted(files, key=loss_order)
    present = [loss for loss in wanted if _is_there(request, names, files, loss)]
    named = parse_task_name(names[-1])
    if not present or named is None:
        return
    prototask = read_prototask(hierarchy, read_dataset(hierarchy, names[1]), names[2])
    listed = _listed(request.session, names, prototask.test_set_selection)
    design = listed.design if listed else prototask.test_set_selection
    task = _Task(names, design, named[1], files, {}, listed)
    blocks = _comparison_blocks if request.methods else _estimate_blocks
    for loss, texts in blocks(request, task, present):
        for number, text in enumerate(texts):
            print(text if number else f"{loss_heading(loss)}\n{text}")


def _listed(session: Session, names: Names, selection: str) -> ListedFacts | None:
    """Return the ListedFacts of a task's instances, None where they are the standard ones."""
    path = session.hierarchy.find("data", *names[1:3], names[3] + INSTANCE_SUFFIX)
    if path is None:
        return None
    facts = listed_facts(parse_instances(read_text(path), path), selection)
    if not facts.training_disjoint:
        caution = "training sets share cases: errors and p-values are computed as if they did not"
        session.warn(f"{'/'.join(('', *names))}: {caution}")
    return facts


def _losses_of(request: _Request, names: Names, wanted: Sequence[str]) -> dict[str, LossFiles]:
    """Return {loss: {instance: path or ComputedLosses}} of a task.

    Losses that are wanted but have no files are computed from predictions; where none is named, all are,
    if there is no loss file at all.
    """
    files: dict[str, LossFiles] = {**find_losses(request.session.hierarchy, names, request.base)}
    missing = [loss for loss in wanted if loss not in files]
    if request.base == BASE and (missing or not (wanted or files)):
        files |= compute_losses(request.session, names, missing or None)
    return files


def _is_there(request: _Request, names: Names, files: Mapping[str, LossFiles], loss: str) -> bool:
    if loss not in files:
        path = "/".join(("", *names))
        request.session.warn(f"{path}: no files {request.base}.{loss}.* found; mloss makes them")
    return loss in files


def _common_facts(request: _Request, task: _Task, loss: str, *others: Names) -> _Facts:
    constant = _standardizer(request, task, loss, others)
    return {
        "loss": loss,
        "constant": constant,
        "design": task.design,
        "training_size": task.training_size,
        "listed": task.listed,
    }


def _standardizer(request: _Request, task: _Task, loss: str, others: Sequence[Names]) -> float | None:
    hierarchy = request.session.hierarchy
    try:
        constant = read_standardizer(hierarchy, (task.names, *others), loss)
        if constant is None and isinstance(task.files[loss][0], ComputedLosses):
            if not task.constants:
                task.constants.update(compute_standardizers(hierarchy, task.names[1:], task.files))
            constant = task.constants.get(loss)
        return constant
    except DelveError as error:
        known = parse_loss(loss)
        if known is None or not known.matrix:
            raise
        request.session.warn(f"{'/'.join(('', *task.names))}, loss {loss}, is not standardized: {error}")
        return None


def _estimate_blocks(request: _Request, task: _Task, losses: Sequence[str]) -> Blocks:
    """Yield (loss, [text of the estimate])."""
    for loss in losses:
        rows = _rows(task, task.files[loss], loss)
        estimate = estimate_unequal(rows) if _differ(rows) else estimate_loss(rows, design=task.design)
        yield loss, [estimate_text(estimate, **_common_facts(request, task, loss))]


def _comparison_blocks(request: _Request, task: _Task, losses: Sequence[str]) -> Blocks:
    """Yield (loss, texts of the comparisons with each other method that has this loss)."""
    others = {}
    for method in request.methods:
        names = (method, *task.names[1:])
        others[names] = _losses_of(request, names, losses)
    for loss in losses:
        rows = _rows(task, task.files[loss], loss)
        there = [names for names, files in others.items() if _is_there(request, names, files, loss)]
        yield loss, [_compare(request, task, loss, rows, names, others[names][loss]) for names in there]


def _rows(task: _Task, files: LossFiles, loss: str) -> list[list[float]]:
    return read_losses(files, loss, task.listed.test_sizes if task.listed else None)


def _differ(rows: Rows) -> bool:
    return len(set(map(len, rows))) > 1


def _shape(rows: Rows) -> str:
    sizes = " ".join(map(str, map(len, rows))) if _differ(rows) else len(rows[0])
    return f"{len(rows)} instances of {sizes} losses"


def _compare(request: _Request, task: _Task, loss: str, rows: Rows, names: Names, files: LossFiles) -> str:
    other_rows = _rows(task, files, loss)
    shape, other_shape = map(_shape, (rows, other_rows))
    if shape != other_shape:
        expected = f"{shape}, as in {path_of(task.files[loss][0])}"
        raise DelveError(f"{path_of(files[0])}: expected {expected}, found {other_shape}; run mloss again")
    if _differ(rows):
        comparison = compare_unequal(rows, other_rows)
    else:
        comparison = compare_losses(rows, other_rows, design=task.design)
    for caution in comparison.notes[len(comparison.clipped) :]:
        path, said = "/".join(("", *task.names)), words_of([caution])
        request.session.warn(f"{path}, loss {loss}, against /{names[0]}: {said}")
    shown = (task.names[0], f"/{names[0]}")
    return comparison_text(comparison, shown, **_common_facts(request, task, loss, names))


if __name__ == "__main__":
    sys.exit(main())
