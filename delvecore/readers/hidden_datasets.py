"""What of the archive that ships with the program do own delve directories hide?

A dataset of one's own hides the shipped one of its name, with all shipped results on it; an own task
directory of a method, its Source or a file beside these hides the shipped one. An own task directory that is
empty, or has nothing but losses as `mloss` makes them of shipped predictions, adds to what ships. Two copies
among one's own directories are a fault, which is for whoever reads to tell."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence

from delvecore.locations import default_directories
from delvecore.readers.archives.packed import list_names
from delvecore.readers.files import plain_name

__all__ = ["SOURCE_DIRECTORY", "Shadows"]

SOURCE_DIRECTORY = "Source"
TASK_DEPTH = 4
LOSSES = "loss."


class Shadows:
    """directories: those of a root, in archive files too, that stand for a place (part and names)."""

    def __init__(self, roots: Sequence[str], directories: Callable[[str, Sequence[str]], list[str]]) -> None:
        known = set(map(os.path.realpath, default_directories())) if len(roots) > 1 else set[str]()
        self._own = [root for root in roots if os.path.realpath(root) not in known]
        self._shipped = tuple(os.path.join(root, "") for root in roots if root not in self._own)
        self._directories = directories

    def hider(self, root: str, part: str, names: Sequence[str]) -> str | None:
        """Return the own directory that hides a place of a root, None where none does."""
        if not names or not self._own or os.path.join(root, "") not in self._shipped:
            return None
        places = ((own, place) for place in _hiding(part, names) for own in self._own)
        return next(
            (os.path.join(own, *place) for own, place in places if self._hides(own, root, place)), None
        )

    def _hides(self, own: str, root: str, place: Sequence[str]) -> bool:
        """Does an own directory have this place, and more there than what adds to the shipped one?"""
        found = self._directories(own, place)
        if not found or len(place) <= TASK_DEPTH:
            return bool(found)
        return not _adds(_files(found), _files(self._directories(root, place)))

    def unhidden(self, paths: Sequence[str]) -> list[str]:
        """Return the files of one name without the shipped one, where an own one is among them."""
        own = [path for path in paths if not path.startswith(self._shipped)] if self._shipped else []
        return own or list(paths)


def _files(directories: Iterable[str]) -> set[str]:
    return {plain_name(name) for directory in directories for name in list_names(directory)}


def _adds(own: set[str], shipped: set[str]) -> bool:
    """Do own files of a task's results go with the shipped ones? Losses do, which are made of predictions;
    of one loss all instances come from one directory."""
    letters = {name.rpartition(".")[0] for name in own}
    same = {name for name in shipped if name.rpartition(".")[0] in letters}
    return all(name.startswith(LOSSES) for name in own) and same <= own


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
