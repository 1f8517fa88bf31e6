"""Rules for datasets and methods alike, of `dcheck` and `mcheck`: contributors and published results."""

from delvecore.errors import DelveError, ParseError, Report, attempt
from delvecore.losses.published import PublishedResult, read_published_of
from delvecore.readers.documents.contributors import CONTRIBUTOR, contributor_file, read_contributors
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy
from delvecore.readers.specifications import dataset_names, read_task

__all__ = ["check_contributors", "check_published"]


def check_contributors(
    hierarchy: Hierarchy, part: str, name: str, *, report: Report, needed: bool = False
) -> None:
    """Check the contributors of a dataset (part `data`) or method (`methods`). needed: must some be named? In
    archives older than the file nobody is."""
    place = attempt(report, hierarchy.directory, part, name)
    if place is None:
        return
    if contributor_file(hierarchy, part, name):
        attempt(report, lambda: read_contributors(hierarchy, part, name, report=report))
    elif needed:
        expected = (
            f"a file {SOURCE_DIRECTORY}/{CONTRIBUTOR}, with name, address and date of who contributed this"
        )
        report(ParseError(place, None, expected, "none", "write it", kind="documentation"))


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
