"""What is wrong with one dataset or method, before it is passed on or after it was taken in?"""

from delvecore.archive import Archive
from delvecore.errors import Problem
from delvecore.readers.hierarchy import Hierarchy

__all__ = ["review"]


def review(archive: Archive, part: str, name: str) -> list[Problem]:
    """Return the archive's problems in the directories of a dataset (part `data`) or method (`methods`)."""
    places = Hierarchy(list(archive.paths), report=lambda error: None).directories(part, name)
    return [
        Problem(**{field: row[field] for field in Problem._fields})
        for row in archive.problems.to_pylist()
        if any(row["source"] == place or row["source"].startswith(place + "/") for place in places)
    ]
