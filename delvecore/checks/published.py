"""Is what a file `Published` says possible? A rule of `dcheck` for datasets, of `mcheck` for methods."""

from collections.abc import Callable, Mapping

from delvecore.errors import DelveError, Report, attempt
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.published import PUBLISHED, PublishedResult, parse_published, unknown_task
from delvecore.readers.specifications import dataset_names, read_task

__all__ = ["check_published", "read_published_of"]

KINDS = {"data": "dataset", "methods": "method"}


def read_published_of(
    files: Mapping[str, str],
    names: tuple[str, str],
    is_task: Callable[[PublishedResult], bool],
    *,
    report: Report,
) -> tuple[PublishedResult, ...]:
    """Return the published results among the files of a dataset or method. names: ("data" or "methods", its
    name); is_task: is that on which a result was published known, or not known not to be? A result on another
    is reported and left out."""
    path = files.get(PUBLISHED)
    text = attempt(report, read_text, path) if path else None
    if path is None or text is None:
        return ()
    found = parse_published(text, path, owner=(KINDS[names[0]], names[1]), report=report)
    for one in found:
        if not is_task(one):
            report(unknown_task(path, one))
    return tuple(filter(is_task, found))


def check_published(hierarchy: Hierarchy, part: str, name: str, *, report: Report) -> None:
    """Check the published results of a dataset (part `data`) or method (`methods`). Nothing is known of the
    tasks of datasets that are not there."""
    hierarchy = hierarchy.reporting(lambda error: None)  # faults of other files are told elsewhere
    known = dataset_names(hierarchy)
    asked: dict[str, bool] = {}

    def is_task(one: PublishedResult) -> bool:
        if one.path not in asked:
            asked[one.path] = one.dataset not in known or _is_task(hierarchy, one)
        return asked[one.path]

    read_published_of(hierarchy.files(part, name), (part, name), is_task, report=report)


def _is_task(hierarchy: Hierarchy, one: PublishedResult) -> bool:
    try:
        read_task(hierarchy, one.dataset, one.prototask, one.task)
    except DelveError:
        return False
    return True
