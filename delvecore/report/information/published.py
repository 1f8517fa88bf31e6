"""What was published elsewhere on a dataset, or of a method, in a few words: for `dinfo` and `minfo`."""

from delvecore.errors import DelveError
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.published import PUBLISHED, PublishedResult, parse_published
from delvecore.report.writers.text import counted

__all__ = ["published_texts"]

OWNERS = {"data": "dataset", "methods": "method"}


def published_texts(hierarchy: Hierarchy, part: str, name: str) -> list[str]:
    """Return `net-1999: sep and cep on 2 tasks (A. Author, A paper, 1999)` for each method and source of the
    file of a dataset (part `data`) or a method (`methods`). What cannot be read is told by the checks."""
    path = hierarchy.find(part, name, PUBLISHED)
    if path is None:
        return []
    try:
        found = parse_published(read_text(path), path, owner=(OWNERS[part], name), report=_ignored)
    except DelveError:
        return []
    groups: dict[tuple[str, str], list[PublishedResult]] = {}
    for one in found:
        groups.setdefault((one.method, one.source), []).append(one)
    return [_text(method, source, results) for (method, source), results in groups.items()]


def _ignored(_error: DelveError) -> None:
    """Faults are told by `dcheck`, `mcheck` and the page Problems."""


def _text(method: str, source: str, results: list[PublishedResult]) -> str:
    measures = " and ".join(dict.fromkeys(one.measure for one in results))
    tasks = counted(len({one.path for one in results}), "task")
    return f"{method}: {measures} on {tasks} ({source})"
