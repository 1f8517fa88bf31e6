"""`delve measures`: contingency tables of a method's classes, and what they say."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence

from delvecore.answers.classification import TitledSummary, classification_text
from delvecore.archive import Archive
from delvecore.archive.task_details import classification_summary
from delvecore.cli.support.archives import open_places
from delvecore.cli.support.context import print_text
from delvecore.cli.support.places import Names, method_of, path_text
from delvecore.errors import DelveError
from delvecore.model import TaskId, is_below
from delvecore.readers.hierarchy import Hierarchy
from delvecore.stats.classification.summary import (
    ClassificationSummary,
    PairOfClassifiers,
    compare_classifiers,
)
from delvecore.tables import rows_of


def print_measures(options: Namespace) -> int:
    archive, places = open_places(options.paths, follow_links=options.follow_links)
    print_text(classification_text(_summaries(archive, options, places), options.format))
    return 0


def _summaries(archive: Archive, options: Namespace, places: Sequence[Names]) -> list[TitledSummary]:
    hierarchy, level = archive.hierarchy, options.level
    method = method_of(hierarchy, options.method)
    other = None if options.against is None else method_of(hierarchy, options.against)
    rows = rows_of(archive.tasks, (*TaskId._fields, "task_type", "training_size"))
    sizes = {TaskId(*task): size for *task, kind, size in rows if kind == "classification"}
    done = {TaskId.parse(path) for path in archive.index.tasks_done.get(method, ())}
    for names in places:
        if not any(task in done and is_below(task, [names]) for task in sizes):
            raise _none_below([names], method)
    summaries: list[TitledSummary] = []
    reasons: list[str] = []
    for task, size in sizes.items():
        if task in done and is_below(task, places or [()]):
            try:
                summary = classification_summary(hierarchy, method, task, level=level, null=options.null)
            except DelveError as error:
                if task in places:
                    raise
                reasons.append(str(error))
                continue
            against = other and (other, _compared(hierarchy, other, task, summary, level=level))
            summaries.append(TitledSummary(method, path_text(task), size, summary, against=against or None))
    for reason in reasons:
        print(f"delve measures: {reason}", file=sys.stderr)
    if not summaries:
        raise _none_below(places, method)
    return summaries


def _compared(
    hierarchy: Hierarchy, other: str, task: TaskId, summary: ClassificationSummary, *, level: float
) -> PairOfClassifiers | str:
    """Return the comparison with another method, or why there is none."""
    try:
        return compare_classifiers(
            summary, classification_summary(hierarchy, other, task, level=level), level=level
        )
    except (DelveError, ValueError) as error:
        return str(error)


def _none_below(places: Iterable[Names], method: str) -> DelveError:
    under = ", ".join(map(path_text, places)) or "/"
    expected = f"classification tasks with predictions of {method}"
    return DelveError(f"{under}: expected {expected}, found none; minfo {method} lists what it was run on")
