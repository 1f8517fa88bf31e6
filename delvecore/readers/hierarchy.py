"""Delve directories merged into one hierarchy, and paths resolved in it.

Source: DELVE manual, section 1.2 and appendix C, "Data and method path names".
"""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from delvecore.errors import Fault, ParseError, Report, raise_error
from delvecore.readers.archives.packed import archives_in, index_of, is_directory, is_file, list_names, top_of
from delvecore.readers.files import plain_name, two_copies

__all__ = ["Hierarchy", "Location", "enclosing_directory", "find_directories", "is_delve_directory"]

PARTS = ("data", "methods")
SOURCE_DIRECTORY = "Source"
Answer = TypeVar("Answer")


class Location(NamedTuple):
    """A place in the hierarchy: part is `data` or `methods`, names the components below it."""

    part: str
    names: tuple[str, ...]

    @property
    def path(self) -> str:
        return "/" + "/".join(self.names)


def is_delve_directory(path: str) -> bool:
    """Does the name start with `delve`, and are `data` and `methods` inside?"""
    name = os.path.basename(os.path.abspath(path))
    return name.startswith("delve") and all(os.path.isdir(os.path.join(path, part)) for part in PARTS)


def enclosing_directory(path: str) -> str | None:
    """Return the delve directory that a path lies in, or None."""
    path = os.path.abspath(path)
    while not is_delve_directory(path):
        path, below = os.path.dirname(path), path
        if path == below:
            return None
    return path


def find_directories(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return the delve directories among paths, and in directories that hold some, in order, each once.

    Raises DelveError for a path that is neither.
    """
    found: list[str] = []
    for given in paths:
        path = os.path.abspath(os.fspath(given))
        found += [path] if is_delve_directory(path) else _directories_inside(path)
    return _each_once(found)


def _each_once(directories: Iterable[str]) -> list[str]:
    """Leave out directories that were named before, also by way of a symbolic link."""
    known: dict[str, str] = {}
    for directory in directories:
        known.setdefault(os.path.realpath(directory), directory)
    return list(known.values())


def _directories_inside(path: str) -> list[str]:
    if not os.path.isdir(path):
        raise Fault(path, "a delve directory", _what_is(path), "check the path")
    try:
        inside = sorted(entry.path for entry in os.scandir(path) if is_delve_directory(entry.path))
    except OSError as error:
        raise Fault(path, "a readable directory", str(error.strerror).lower()) from None
    if not inside:
        expected = "a directory named delve* with data and methods inside, or one holding some"
        raise Fault(path, expected, "neither", "make them, or give another path")
    return inside


def _what_is(path: str) -> str:
    return "a file" if os.path.exists(path) else "nothing"


def active_directories(working_directory: str, delve_path: str | None, default: Sequence[str]) -> list[str]:
    """Return the active delve directories: the one around the working directory, then delve_path in order.

    delve_path: text of the DELVE_PATH variable or None. Without it the default list is used, but only
    outside of any delve directory: inside one, files of the same name in both would be errors.
    Entries of the variable that are no delve directories raise DelveError.
    """
    around = enclosing_directory(working_directory)
    if delve_path is None:
        paths = [] if around else default
    else:
        paths = [path for path in delve_path.split(os.pathsep) if path]
    listed = find_directories([os.path.expanduser(path) for path in paths])
    return _each_once([around, *listed]) if around else listed


class Hierarchy:
    """The merged tree below the `data` and `methods` directories of several delve directories.

    A dataset or method in a `.tar.gz` file there counts as if it were unpacked beside that file. report
    receives a ParseError for each unreadable directory or archive and each file that lies in two places; the
    default raises it.
    """

    def __init__(self, roots: Iterable[str], *, report: Report = raise_error) -> None:
        self.roots = list(roots)
        self.report = report
        self._archives: dict[tuple[str, str], list[tuple[str, str | None]]] = {}
        self._named: dict[tuple[str, str, str], list[tuple[str, str | None]]] = {}

    def directories(self, part: str, *names: str) -> list[str]:
        """Return the directories that stand for one place, in archives too, in the order of the roots."""
        found = []
        for root in self.roots:
            path = os.path.join(root, part, *names)
            if os.path.isdir(path):
                found.append(path)
            if names:
                found += self._packed_directories(root, part, names)
        return found

    def _packed_directories(self, root: str, part: str, names: Sequence[str]) -> list[str]:
        """Return the directories in the archives below one root. An archive whose content is not known is
        reported where its name says that it may be meant."""
        found = []
        for archive, top in self._archives_of(root, part, names[0]):
            if top is None:
                self._usable(top_of, archive)
                continue
            index = self._usable(index_of, archive)
            if index and "/".join(names[1:]) in index.folders:
                found.append("/".join((archive, *names)))
        return found

    def _archives_of(self, root: str, part: str, name: str) -> list[tuple[str, str | None]]:
        """Return those of `_archives_below` with a directory of this name, and damaged ones that may have."""
        key = root, part, name
        if key not in self._named:
            prefixes = name + ".", name + "-"
            self._named[key] = [
                (archive, top)
                for archive, top in self._archives_below(root, part)
                if top == name or (top is None and os.path.basename(archive).startswith(prefixes))
            ]
        return self._named[key]

    def _archives_below(self, root: str, part: str) -> list[tuple[str, str | None]]:
        """Return [(archive, name of its directory, None where it is damaged)] in one part of a root."""
        if (root, part) not in self._archives:
            paths = archives_in(os.path.join(root, part))
            self._archives[root, part] = [(path, _top_or_none(path)) for path in paths]
        return self._archives[root, part]

    def _usable(self, ask: Callable[[str], Answer], path: str) -> Answer | None:
        """Return ask(path), None after a report where an archive cannot be used."""
        try:
            return ask(path)
        except ParseError as error:
            self.report(error)
            return None

    def entries(self, part: str, *names: str) -> dict[str, list[str]]:
        """Return {entry name: [paths]} of one place, merged, names as on the disk, sorted.

        An archive's directory stands in its place.
        """
        merged: dict[str, list[str]] = {}
        for directory in self.directories(part, *names):
            for name in self._listed(directory):
                merged.setdefault(name, []).append(os.path.join(directory, name))
        if not names:
            self._show_archives(part, merged)
        return dict(sorted(merged.items()))

    def _listed(self, directory: str) -> list[str]:
        try:
            return list_names(directory)
        except OSError as error:
            found = (error.strerror or "an error").lower()
            remedy = "check its permissions"
            self.report(ParseError(directory, None, "a readable directory", found, remedy, kind="file"))
            return []

    def _show_archives(self, part: str, merged: dict[str, list[str]]) -> None:
        """Put each archive's directory in the place of its file; a damaged one stays, and is reported."""
        for root in self.roots:
            for archive, top in self._archives_below(root, part):
                if top is None:
                    self._usable(top_of, archive)
                    continue
                name = os.path.basename(archive)
                others = [path for path in merged.pop(name, ()) if path != archive]
                if others:
                    merged[name] = others
                merged.setdefault(top, []).append(f"{archive}/{top}")

    def subdirectories(self, part: str, *names: str) -> list[str]:
        """Return the sorted names of the sub-directories of one place."""
        merged = self.entries(part, *names).items()
        return [name for name, paths in merged if any(map(is_directory, paths)) and name[0] != "."]

    def files(self, part: str, *names: str) -> dict[str, str]:
        """Return {plain file name: path} of one place; a file that lies twice is reported, once, and kept."""
        found: dict[str, str] = {}
        for name, paths in self.entries(part, *names).items():
            for path in filter(is_file, paths):
                plain = plain_name(name)
                if plain in found:
                    self.report(two_copies(found[plain], path))
                else:
                    found[plain] = path
        return found

    def find(self, part: str, *names: str) -> str | None:
        """Return the path of one file given by its plain name, or None."""
        *directory, wanted = names
        matches: list[str] = []
        for place in self.directories(part, *directory):
            matches += [path for path in _variants(os.path.join(place, wanted)) if is_file(path)]
        if len(matches) > 1:
            self.report(two_copies(matches[0], matches[1]))
        return matches[0] if matches else None

    def exists(self, location: Location) -> bool:
        """Is there a directory or file at this location?"""
        if self.directories(location.part, *location.names) or not location.names:
            return True
        return self.find(location.part, *location.names) is not None

    def locate(self, argument: str, working_directory: str, *, part: str) -> Location:
        """Return the Location that a command's argument means.

        part: `data` for dpaths (a method path stands for its data path: the method's name is taken off) or
        `methods` for mpaths. Raises DelveError when the argument leaves the hierarchy.
        """
        location = self._location(argument, working_directory, part)
        if location.part == part:
            is_dpath = part == "data" and argument.startswith("/") and location.names
            return self._without_method(location) if is_dpath else location
        if part == "methods":
            raise Fault(argument, "a path in a methods directory", "one in data")
        return Location("data", location.names[1:])

    def _without_method(self, location: Location) -> Location:
        """Take a method's name off a path that means nothing in `data` with it.

        Tasks are no directories there, so whether the path exists decides nothing: its first names do.
        """
        method, *below = location.names
        if self.directories("data", *location.names[:2]) or self.exists(location):
            return location
        is_dataset = not below or self.directories("data", below[0])
        is_mpath = is_dataset and self.directories("methods", method)
        return Location("data", tuple(below)) if is_mpath else location

    def _location(self, argument: str, working_directory: str, part: str) -> Location:
        if argument.startswith("/"):
            return Location(part, _components(argument))
        full = os.path.normpath(os.path.join(working_directory, argument))
        for root in self.roots:
            for base in {root, os.path.realpath(root)}:
                relative = os.path.relpath(full, base).split(os.sep)
                if relative[0] in PARTS:
                    return Location(relative[0], tuple(relative[1:]))
        expected = "a path inside the data or methods of an active delve directory"
        raise Fault(argument, expected, full)


def _top_or_none(archive: str) -> str | None:
    try:
        return top_of(archive)
    except ParseError:
        return None


def _variants(path: str) -> tuple[str, ...]:
    from delvecore.readers.files import SUFFIXES

    return (path, *(path + suffix for suffix in SUFFIXES))


def _components(path: str) -> tuple[str, ...]:
    names = tuple(name for name in path.split("/") if name not in ("", "."))
    if ".." in names:
        raise Fault(path, "a path inside the hierarchy", "'..'", "give it without")
    return names
