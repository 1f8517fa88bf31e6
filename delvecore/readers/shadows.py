"""What of the archive that ships with the program do own delve directories hide?

A dataset of one's own hides the shipped one of its name, with all shipped results on it; an own task
directory of a method that is not empty, its Source or a file beside these hides the shipped one. Two copies
among one's own directories are a fault, which is for whoever reads to tell."""

import os
from collections.abc import Callable, Iterator, Sequence

from delvecore.locations import default_directories

__all__ = ["SOURCE_DIRECTORY", "Shadows"]

SOURCE_DIRECTORY = "Source"
TASK_DEPTH = 4


class Shadows:
    """has: is there a directory, or one in an archive file, of a root at a place (part and names)?"""

    def __init__(self, roots: Sequence[str], has: Callable[[str, Sequence[str]], bool]) -> None:
        known = set(map(os.path.realpath, default_directories())) if len(roots) > 1 else set[str]()
        self._own = [root for root in roots if os.path.realpath(root) not in known]
        self._shipped = tuple(os.path.join(root, "") for root in roots if root not in self._own)
        self._has = has

    def hider(self, root: str, part: str, names: Sequence[str]) -> str | None:
        """Return the own directory that hides a place of a root, None where none does."""
        if not names or not self._own or os.path.join(root, "") not in self._shipped:
            return None
        places = ((own, place) for place in _hiding(part, names) for own in self._own)
        found = (os.path.join(own, *place) for own, place in places if self._has(own, place))
        return next((path for path in found if not _is_empty(path)), None)

    def unhidden(self, paths: Sequence[str]) -> list[str]:
        """Return the files of one name without the shipped one, where an own one is among them."""
        own = [path for path in paths if not path.startswith(self._shipped)] if self._shipped else []
        return own or list(paths)


def _is_empty(path: str) -> bool:
    """Is this a directory that waits for results, as `mgendir` makes them?"""
    return os.path.isdir(path) and not os.listdir(path)


def _hiding(part: str, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the places any of which hides a place."""
    if part == "data":
        yield part, names[0]
    elif SOURCE_DIRECTORY in names[1:2]:
        yield part, names[0], SOURCE_DIRECTORY
    elif len(names) > 1:
        yield "data", names[1]
        if len(names) >= TASK_DEPTH:
            yield part, *names[:TASK_DEPTH]
