"""Does documentation say who contributed something? A rule of `dcheck` and `mcheck`."""

from delvecore.errors import ParseError, Report, attempt
from delvecore.readers.documents.contributors import CONTRIBUTOR, contributor_file, read_contributors
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy

__all__ = ["check_contributors"]


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
