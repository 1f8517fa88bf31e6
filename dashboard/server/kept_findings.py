"""Findings of earlier checks, kept in the user's cache: what was checked is checked anew only where names,
sizes or times of its files have changed."""

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

from delvecore.archive.reading import FORM
from delvecore.checked_files import read_checked, write_checked
from delvecore.errors import Problem
from delvecore.readers.hierarchy import Hierarchy

__all__ = ["KeptFindings", "state_of_places"]

SECONDS = 10.0
"""How often what was found is written while checks go on."""
Names = tuple[str, ...]


def state_of_places(hierarchy: Hierarchy, places: Sequence[tuple[Names, bool]]) -> str | None:
    """Return a hash of the names, sizes and times of all files at places, None where they lie in archives,
    which are checked anew. places: part and names of each, and whether all below it counts, or only its own
    files."""
    digest = hashlib.blake2b(digest_size=16)
    for (part, *names), is_deep in places:
        for directory in hierarchy.directories(part, *names):
            if not os.path.isdir(directory):
                return None
            for line in _lines(directory, is_deep=is_deep):
                digest.update(line.encode(errors="surrogateescape"))
    return digest.hexdigest()


def _lines(directory: str, *, is_deep: bool) -> Iterator[str]:
    """Yield a line for each file, in an order that does not depend on the disk."""
    for place, below, files in os.walk(directory):
        below.sort()
        for name in sorted(files):
            path = os.path.join(place, name)
            with contextlib.suppress(FileNotFoundError):
                found = os.stat(path)
                yield f"{path} {found.st_size} {found.st_mtime_ns} {found.st_ino}\n"
        yield f"{place} {' '.join(below)}\n"
        if not is_deep:
            return


class KeptFindings:
    """What was found in parts of an archive, by key and state, in a file of the cache. base: the directory of
    caches, None to keep nothing."""

    def __init__(self, base: str | None, roots: Sequence[str]) -> None:
        name = hashlib.blake2b("\n".join(roots).encode(errors="surrogateescape"), digest_size=16).hexdigest()
        self._path = os.path.join(base, "findings", name) if base else None
        found = read_checked(self._path) if self._path else None
        is_ours = found is not None and found["form"] == FORM
        self._kept: dict[str, tuple[str, list[Any]]] = found["parts"] if found and is_ours else {}
        self._written = time.monotonic()

    def load(self, key: str, state: str | None) -> tuple[Problem, ...] | None:
        """Return what was found in a part whose files are still those, None where that is not known."""
        before, rows = self._kept.get(key, ("", []))
        return tuple(Problem(*row) for row in rows) if state and before == state else None

    def store(self, key: str, state: str | None, found: Sequence[Problem]) -> None:
        """Keep what was found in a part."""
        if state:
            self._kept[key] = state, [list(problem) for problem in found]
        if time.monotonic() - self._written > SECONDS:
            self.write()

    def write(self) -> None:
        """Write it where it can be written; where not, the next server checks again."""
        self._written = time.monotonic()
        if self._path:
            with contextlib.suppress(OSError):
                write_checked(self._path, {"form": FORM, "parts": dict(self._kept)})
