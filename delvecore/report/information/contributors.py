"""Who contributed a dataset or a method, in words: what `dinfo`, `minfo` and the pages show."""

from delvecore.errors import DelveError
from delvecore.readers.documents.contributors import Contributor, read_contributors
from delvecore.readers.hierarchy import Hierarchy

__all__ = ["contributor_texts"]


def contributor_texts(hierarchy: Hierarchy, part: str, name: str) -> list[str]:
    """Return `Ada Example (ada@example.org), 2026-11-22` for each contributor of a dataset (part `data`) or a
    method (`methods`). What cannot be read is told by the checks."""
    try:
        found = read_contributors(hierarchy, part, name, report=_ignored)
    except DelveError:
        return []
    return [_text(one) for one in found]


def _ignored(_error: DelveError) -> None:
    """Faults are told by `dcheck`, `mcheck` and the page Problems."""


def _text(one: Contributor) -> str:
    address = f" ({one.address})" if one.address else ""
    return f"{one.name}{address}" + (f", {one.when}" if one.when else "")
