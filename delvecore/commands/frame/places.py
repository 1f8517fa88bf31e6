"""The places that arguments mean: `/dataset/prototask/task`, methods, and true directories of both.

Every command reads them here. Source: DELVE manual, appendix C, "Data and method path names".
"""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from delvecore.commands.frame.context import Session
from delvecore.commands.frame.progress import Steps
from delvecore.errors import DelveError
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import dataset_names, parse_task_name, prototask_names

__all__ = [
    "Names",
    "TruePlace",
    "data_place",
    "dataset_place",
    "each_task",
    "here",
    "is_below",
    "method_of",
    "name_of",
    "path_text",
    "place_of",
    "places_of",
    "prototask_places",
    "task_places",
    "true_place",
]

Names = tuple[str, ...]
"""The names below `data` (of a dataset, its prototask, its task) or `methods`; none for all of them."""
DEPTHS = {"data": 3, "methods": 4}


def path_text(names: Names) -> str:
    """Return a place as it is written: `/demo/age`."""
    return "/" + "/".join(names)


def place_of(hierarchy: Hierarchy, path: str, directory: str, *, part: str = "data") -> Names:
    """Return the place in `data` or `methods` that a path means; DelveError for one below a task."""
    names: Names = tuple(hierarchy.locate(path, directory, part=part).names)
    if len(names) > DEPTHS[part]:
        raise DelveError(f"{path}: expected a dataset, prototask or task, found a place below it")
    return names


def places_of(hierarchy: Hierarchy, paths: Iterable[str], directory: str) -> list[Names]:
    """Return the places in the data that paths mean."""
    return [place_of(hierarchy, path, directory) for path in paths]


def here(hierarchy: Hierarchy, directory: str) -> Names:
    """Return the place of the working directory, or the root where it lies outside of data and methods."""
    try:
        return tuple(hierarchy.locate(".", directory, part="data").names)
    except DelveError:
        return ()


def is_below(task: Names, places: Collection[Names]) -> bool:
    """Is a task at or below one of these places?"""
    return any(task[: len(names)] == names for names in places)


def method_of(hierarchy: Hierarchy, word: str, *, purpose: str = "") -> str:
    """Return the name of a method given by name or path (`lin-1`, `/lin-1/`); DelveError where it is none.

    purpose: what it is for, in the message (` to compare with`).
    """
    if (name := _known_name(hierarchy, word, "methods")) is None:
        raise DelveError(f"{word}: expected a method{purpose}, found none; mls / lists the methods")
    return name


def name_of(hierarchy: Hierarchy, word: str, directory: str, *, part: str) -> str:
    """Return the name of a dataset (`data`) or method (`methods`) given by name or by any path of it."""
    name = _known_name(hierarchy, word, part)
    if name is None:
        names = hierarchy.locate(word, directory, part=part).names
        name = _known_name(hierarchy, names[0], part) if len(names) == 1 else None
    if name is None:
        kind, lister = ("dataset", "dls /") if part == "data" else ("method", "mls /")
        raise DelveError(f"{word}: expected the name of a {kind}, found none; {lister} lists them")
    return name


def _known_name(hierarchy: Hierarchy, word: str, part: str) -> str | None:
    """Return the name that a word such as `lin-1` or `/lin-1/` gives, None where there is none of it."""
    name = word.strip("/")
    is_name = name.strip(".") and "/" not in name and hierarchy.directories(part, name)
    return name if is_name else None


class TruePlace(NamedTuple):
    """A true directory, the names below `methods` or `data` that lead to it, and how messages show it."""

    directory: str
    names: Names
    shown: str

    def below(self, name: str) -> "TruePlace":
        shown = name if self.shown == "" else os.path.join(self.shown, name)
        return TruePlace(os.path.join(self.directory, name), (*self.names, name), shown)


def true_place(session: Session, argument: str) -> TruePlace:
    """Return the TruePlace that a command's argument means; DelveError outside of methods directories."""
    directory, names = _true_names(session, argument, "methods")
    if not names:
        expected = "the true path of a directory below the methods directory of an active delve directory"
        raise DelveError(f"{argument}: expected {expected}, found {directory}")
    return TruePlace(directory, names, argument)


def data_place(session: Session, argument: str) -> TruePlace:
    """Return the TruePlace in a data directory that a command's argument means; DelveError outside.

    The place is that directory itself (no names), or one of a dataset or prototask that is there.
    """
    directory, names = _true_names(session, argument, "data")
    if names is None:
        expected = "the true path of a directory at or below the data directory of an active delve directory"
        raise DelveError(f"{argument}: expected {expected}, found {directory}")
    if not os.path.isdir(directory) or len(names) > 2:
        found = "a path below" if len(names) > 2 else "none"
        raise DelveError(f"{argument}: expected the directory of a dataset or prototask, found {found}")
    return TruePlace(directory, names, argument)


def _true_names(session: Session, argument: str, part: str) -> tuple[str, Names | None]:
    directory = os.path.normpath(os.path.join(session.working_directory, argument))
    return directory, _names_below(session.hierarchy.roots, directory, part)


def _names_below(roots: Sequence[str], directory: str, part: str) -> Names | None:
    """Return the names that lead from some part (`data` or `methods`) to a directory: none for the part
    itself, None outside of it."""
    for root in roots:
        for base in (root, os.path.realpath(root)):
            inside = os.path.join(base, part)
            if directory == inside:
                return ()
            if directory.startswith(inside + os.sep):
                return tuple(directory[len(inside) + 1 :].split(os.sep))
    return None


def dataset_place(session: Session, argument: str) -> TruePlace | None:
    """Return the TruePlace in the current method's directory for a dpath such as `/demo/income`, or None
    where it is none or the working directory is in no method's directory."""
    names = tuple(name for name in argument.split("/") if name not in ("", "."))
    inside = _names_below(session.hierarchy.roots, session.working_directory, "methods")
    is_path = argument.startswith("/") and names and names[0] in dataset_names(session.hierarchy)
    if not inside or not is_path:
        return None
    directory = session.working_directory
    for _ in inside[1:]:
        directory = os.path.dirname(directory)
    return TruePlace(os.path.join(directory, *names), (inside[0], *names), os.path.join(*names))


def prototask_places(session: Session, place: TruePlace) -> list[TruePlace]:
    """Return the TruePlaces of all prototasks at or below a place in the data, in lexical order."""
    if len(place.names) == 2:
        return [place]
    below = _directories_below(session.hierarchy, place, place.names)
    return [one for each in below for one in prototask_places(session, each)]


def task_places(session: Session, place: TruePlace) -> list[TruePlace]:
    """Return the TruePlaces of all existing task directories at or below a place, in lexical order.

    Raises DelveError for a place that does not exist or whose names mean nothing in the data.
    """
    if not os.path.isdir(place.directory):
        raise DelveError(f"{place.shown}: expected a directory, found none; make it with mgendir")
    if len(place.names) > 4:
        raise DelveError(f"{place.shown}: expected a method, dataset, prototask or task, found a path below")
    if len(place.names) == 4:
        return [place]
    below = _directories_below(session.hierarchy, place, place.names[1:])
    return [task for one in below for task in task_places(session, one)]


def _directories_below(hierarchy: Hierarchy, place: TruePlace, data: Names) -> list[TruePlace]:
    """Return the directories in a place, of which data are the names in the data, that mean something."""
    if len(data) == 2:
        found = [name for name in os.listdir(place.directory) if parse_task_name(name) is not None]
    else:
        known = set(prototask_names(hierarchy, *data) if data else dataset_names(hierarchy))
        found = [name for name in os.listdir(place.directory) if name in known]
    below = [place.below(name) for name in sorted(found)]
    return [one for one in below if os.path.isdir(one.directory)]


def each_task(session: Session, options: Namespace, work: Callable[[TruePlace, Steps], None]) -> None:
    """Do a work for each task directory at and below the path of the options, with its progress.

    options: `paths`, and the flag `q` for no progress. Raises DelveError where there are no tasks.
    """
    place = true_place(session, *(options.paths or ["."]))
    places = task_places(session, place)
    if not places:
        raise DelveError(f"{place.shown}: expected task directories, found none; make them with mgendir")
    with Steps(sys.stderr, parts=len(places), quiet=options.q) as progress:
        for task in places:
            progress.part(task.shown, line=task.shown if options.paths or len(places) > 1 else None)
            work(task, progress)
