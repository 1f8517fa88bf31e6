"""Delve directories merged into one hierarchy, and paths resolved in it. Source: DELVE manual, section 1.2
and appendix C, "Data and method path names"."""

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Sequence

from delvecore.errors import Fault, ParseError, Report, attempt, raise_error, words_of_system
from delvecore.locations import PARTS, default_directories, split_paths
from delvecore.names import is_name
from delvecore.readers.files import (
    SUFFIXES,
    UNFINISHED,
    misnamed,
    no_such_file,
    plain_name,
    two_copies,
    unfinished,
)
from delvecore.readers.regular_files import (
    bases_of,
    enclosing_directory,
    is_delve_directory,
    leads_out,
    no_regular_file,
    outside,
)
from delvecore.readers.tar_archives import (
    archives_in,
    index_of,
    is_directory,
    is_file,
    is_real_directory,
    links_in,
    list_names,
    local_path,
    top_of,
)

SOURCE_DIRECTORY = "Source"
INSTANCE_SUFFIX = ".instances"
TASK_DEPTH = 4
LOSSES = "loss."


class Shadows:
    """Directories in archive files that replace others.

    Attributes
    ----------
    directories : Callable[[str, sequence of str], list of str]
        Directories of a root, also in archive files, at a place (part and names).
    """

    def __init__(self, roots: Sequence[str], directories: Callable[[str, Sequence[str]], list[str]]) -> None:
        known = set(map(os.path.realpath, default_directories())) if len(roots) > 1 else set[str]()
        self._own = [root for root in roots if os.path.realpath(root) not in known]
        self._shipped = tuple(os.path.join(root, "") for root in roots if root not in self._own)
        self._directories = directories

    def hider(self, root: str, part: str, names: Sequence[str]) -> str | None:
        """Return the user's directory that hides a place of a root, None if there is none."""
        if not names or not self._own or os.path.join(root, "") not in self._shipped:
            return None
        places = ((own, place) for place in _hiding(part, names) for own in self._own)
        return next(
            (os.path.join(own, *place) for own, place in places if self._hides(own, root, place)), None
        )

    def _hides(self, own: str, root: str, place: Sequence[str]) -> bool:
        """Does a user's directory hide this place? Results that only add losses to the shipped ones hide
        nothing."""
        directories = self._directories(own, place)
        if not directories or len(place) <= TASK_DEPTH:
            return bool(directories)
        return not _adds(_files(directories), _files(self._directories(root, place)))

    def unhidden(self, paths: Sequence[str]) -> list[str]:
        """Return the files with one name, without the shipped file if the user has one."""
        own = [path for path in paths if not path.startswith(self._shipped)] if self._shipped else []
        return own or list(paths)


def _files(directories: Iterable[str]) -> set[str]:
    return {plain_name(name) for directory in directories for name in list_names(directory)}


def _adds(own: set[str], shipped: set[str]) -> bool:
    """Do files of a task's results only add complete losses, with predictions, to the shipped files?"""
    letters = {name.rpartition(".")[0] for name in own}
    same = {name for name in shipped if name.rpartition(".")[0] in letters}
    return all(name.startswith(LOSSES) for name in own) and same <= own


def _hiding(part: str, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the places that hide a place."""
    if part == "data":
        yield part, names[0]
    elif SOURCE_DIRECTORY in names[1:2]:
        yield part, names[0], SOURCE_DIRECTORY
    elif len(names) > 1:
        yield "data", names[1]
        if len(names) >= TASK_DEPTH:
            yield part, *names[:TASK_DEPTH]


STAGED, MOVES = ".delve-install-", "moves"
"""Prefix of the names of an installation's directories, and the file in them that lists its moves. This file
exists from the first to the last move."""
Archives = list[tuple[str, str | None]]
"""[(archive, name of its directory, None if it is damaged)]."""


def find_directories(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return the delve directories among paths, and those inside other directories, in order, each once.

    See `local_path` for addresses and archive files. Raises DelveError for a path that is neither, or that is
    not text in UTF-8."""
    directories: list[str] = []
    for path in (os.path.abspath(local_path(os.fspath(path))) for path in paths):
        directories += [path] if is_delve_directory(path) else _directories_inside(path)
    for path in directories:
        try:
            path.encode()
        except UnicodeEncodeError:
            raise Fault(path, "a path in UTF-8", "other bytes", "rename the directory") from None
    return _each_once(directories)


def _each_once(directories: Iterable[str]) -> list[str]:
    """Leave out directories that were named before, even through a symbolic link."""
    known: dict[str, str] = {}
    for directory in directories:
        known.setdefault(os.path.realpath(directory), directory)
    return list(known.values())


def _directories_inside(path: str) -> list[str]:
    if not os.path.isdir(path):
        if not os.path.lexists(path):
            raise no_such_file(path)
        raise Fault(path, "a delve directory", "a file", "check the path")
    try:
        inside = sorted(entry.path for entry in os.scandir(path) if is_delve_directory(entry.path))
    except OSError as error:
        raise Fault(path, "a readable directory", words_of_system(error)) from None
    if not inside:
        expected = "a directory named delve* with data and methods inside, or a directory that contains some"
        raise Fault(path, expected, "neither", "make them, or give another path")
    return inside


def active_directories(working_directory: str, delve_path: str | None, default: Sequence[str]) -> list[str]:
    """Return the active delve directories: the one around the working directory, then those of delve_path.

    delve_path is the text of the DELVE_PATH variable. Without it, the default list applies, but only outside
    of any delve directory. Raises DelveError for entries that are not delve directories.
    """
    around = enclosing_directory(working_directory)
    usual = [] if around else default
    paths = usual if delve_path is None else split_paths(delve_path)
    listed = find_directories([os.path.expanduser(path) for path in paths])
    return _each_once([around, *listed]) if around else listed


def half_installed(root: str) -> list[ParseError]:
    """Return an error for each installation into a delve directory that was interrupted while it moved
    files."""
    actual = "an interrupted one: some files are in place and others are not yet"
    remedy = "run delve install again with any archive file, to finish it"
    places = sorted(glob.glob(os.path.join(glob.escape(root), STAGED + "*", MOVES)))
    return [ParseError(path, None, "a finished installation", actual, remedy, kind="file") for path in places]


class Hierarchy:
    """The merged tree below `data` and `methods` of several delve directories, and of `.tar.gz` files in
    them.

    `report` receives a ParseError for each unreadable directory or archive, each file in two places, and each
    file that is not regular. It also receives one for each link that leads out, unless `follow_links` is set.
    """

    def __init__(
        self, roots: Iterable[str], *, report: Report = raise_error, follow_links: bool = False
    ) -> None:
        self.roots = list(roots)
        self.report, self.follow_links = report, follow_links
        self._shadows = Shadows(self.roots, self._all_in)
        self._bases: tuple[str, ...] = ()
        self._out: dict[str, bool] = {}
        self._archives: dict[tuple[str, str], Archives] = {}
        self._named: dict[tuple[str, str, str], Archives] = {}

    def reporting(self, report: Report) -> "Hierarchy":
        """Return the same hierarchy with `report` as the receiver of its faults."""
        return Hierarchy(self.roots, report=report, follow_links=self.follow_links)

    def directories(self, part: str, *names: str) -> list[str]:
        """Return the directories of one place, also in archives, in the order of the roots."""
        seen = (root for root in self.roots if self._shadows.hider(root, part, names) is None)
        return [path for root in seen for path in self._directories_in(root, part, names)]

    def _directories_in(self, root: str, part: str, names: Sequence[str]) -> Iterator[str]:
        """Yield the directories of one place below one root, also in archives."""
        path = os.path.join(root, part, *names)
        if attempt(self.report, is_real_directory, path) and self._may_read(path):
            yield path
        for archive, top in self._archives_of(root, part, names[0]) if names else ():
            if top is None:  # reported if its name may match
                attempt(self.report, top_of, archive)
                continue
            index = attempt(self.report, index_of, archive)
            if index and "/".join(names[1:]) in index.folders:
                yield "/".join((archive, *names))

    def _all_in(self, root: str, place: Sequence[str]) -> list[str]:
        return list(self._directories_in(root, place[0], place[1:]))

    def directory(self, part: str, *names: str) -> str:
        """Return the first directory of a place. Raises ParseError if there is none, or it was removed."""
        directories = self.directories(part, *names)
        if not directories:
            path, expected = "/" + "/".join(names), f"a directory in {part}"
            raise ParseError(path, None, expected, "none", "check the path", kind="hierarchy")
        return directories[0]

    def _may_read(self, path: str) -> bool:
        """May the target of a path be read? A link that leads out is reported."""
        if self.follow_links:
            return True
        if path not in self._out:
            self._bases = self._bases or bases_of(self.roots)
            self._out[path] = leads_out(path, self._bases)
        if self._out[path]:
            self.report(outside(path))
        return not self._out[path]

    def _archives_of(self, root: str, part: str, name: str) -> Archives:
        """Return archives of `_archives_below` with a directory of this name, and damaged ones that might
        have it."""
        key = root, part, name
        if key not in self._named:
            prefixes = name + ".", name + "-"
            self._named[key] = [
                (archive, top)
                for archive, top in self._archives_below(root, part)
                if top == name or (top is None and os.path.basename(archive).startswith(prefixes))
            ]
        return self._named[key]

    def _archives_below(self, root: str, part: str) -> Archives:
        """Return the archives in one part of a root."""
        if (root, part) not in self._archives:
            paths = archives_in(os.path.join(root, part))
            paths = list(map(os.path.realpath, paths)) if self.follow_links else paths
            archives = [(path, attempt(lambda error: None, top_of, path)) for path in paths]
            self._archives[root, part] = archives
        return self._archives[root, part]

    def entries(self, part: str, *names: str) -> dict[str, list[str]]:
        """Return {entry name: [paths]} of one place, merged, names as on the disk, sorted. The directory in
        an archive replaces the archive."""
        merged: dict[str, list[str]] = {}
        for directory in self.directories(part, *names):
            for name in self._listed(directory):
                merged.setdefault(name, []).append(os.path.join(directory, name))
        for root in () if names else self.roots:
            for archive, top in self._archives_below(root, part):
                if top is None:  # a damaged one stays, and is reported
                    attempt(self.report, top_of, archive)
                    continue
                name = os.path.basename(archive)
                others = [path for path in merged.pop(name, ()) if path != archive]
                if others:
                    merged[name] = others
                merged.setdefault(top, []).append(f"{archive}/{top}")
        return dict(sorted(merged.items()))

    def _listed(self, directory: str) -> list[str]:
        try:
            names = list_names(directory)
        except OSError as error:
            fault = "a readable directory", words_of_system(error), "check its permissions"
            self.report(ParseError(directory, None, *fault, kind="file"))
            return []
        for name in names:
            if not is_name(name):
                self.report(misnamed(directory, name))
        gone = {path for path in links_in(directory) if not self._may_read(path)}
        return [name for name in names if is_name(name) and os.path.join(directory, name) not in gone]

    def subdirectories(self, part: str, *names: str) -> list[str]:
        """Return the sorted names of the sub-directories of one place."""
        merged = self.entries(part, *names).items()
        return [name for name, paths in merged if name[0] != "." and any(map(self._is_directory, paths))]

    def _is_directory(self, path: str) -> bool:
        return bool(attempt(self.report, is_directory, path))

    def _regular(self, path: str) -> str | None:
        """Return the path of a file; None for a directory, or for a reported entry that is not regular."""
        if not attempt(self.report, is_file, path):
            if os.path.lexists(path) and not self._is_directory(path):
                self.report(no_regular_file(path))
            return None
        if not os.path.islink(path):
            return path
        return os.path.realpath(path) if self._may_read(path) else None

    def copies(self, part: str, *names: str) -> dict[str, list[str]]:
        """Return {plain file name: its valid paths, nearly always one} of one place.

        A mark of unfinished files in a directory is reported and is not included.
        """
        copies: dict[str, list[str]] = {}
        for name, paths in self.entries(part, *names).items():
            if name == UNFINISHED:
                self.report(unfinished(paths[0]))
                continue
            copies.setdefault(plain_name(name), []).extend(filter(None, map(self._regular, paths)))
        return {plain: self._shadows.unhidden(paths) for plain, paths in copies.items() if paths}

    def files(self, part: str, *names: str) -> dict[str, str]:
        """Return {plain name: path} of one place; files with two copies are reported once and included."""
        copies = self.copies(part, *names)
        for first, *others in copies.values():
            for other in others[:1]:
                self.report(two_copies(first, other))
        return {plain: paths[0] for plain, paths in copies.items()}

    def find(self, part: str, *names: str) -> str | None:
        """Return the path of a file by its uncompressed name.

        Return None if it does not exist. A file in two places is reported, and the result is also None.
        """
        *directory, wanted = names
        matches: list[str] = []
        for place in self.directories(part, *directory):
            if os.path.lexists(mark := os.path.join(place, UNFINISHED)):
                self.report(unfinished(mark))
            variants = (os.path.join(place, wanted) + suffix for suffix in ("", *SUFFIXES))
            matches += filter(None, map(self._regular, variants))
        matches = self._shadows.unhidden(matches)
        if len(matches) > 1:
            self.report(two_copies(matches[0], matches[1]))
        return matches[0] if len(matches) == 1 else None

    def locate(self, argument: str, working_directory: str, *, part: str) -> tuple[str, ...]:
        """Return the names below a part of the hierarchy to which an argument refers.

        `part` is `data` or `methods`. For `data`, a method path means its data path. Raises DelveError if the
        argument leaves the hierarchy.
        """
        if argument.startswith("/"):
            names = tuple(name for name in argument.split("/") if name not in ("", "."))
            if ".." in names:
                raise Fault(argument, "a path inside the hierarchy", "'..'", "give it without")
            return self._without_method(names) if part == "data" and names else names
        found, names = self._names_here(argument, working_directory)
        if found == part:
            return names
        if part == "methods":
            raise Fault(argument, "a path in a methods directory", "one in data")
        return names[1:]

    def _without_method(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Remove a method's name from a path that has no meaning in `data` with it. The first names of the
        path decide, because tasks have no directories there."""
        method, *below = names
        if self.directories("data", *names[:2]) or self.find("data", *names) is not None:
            return names
        is_dataset = not below or self.directories("data", below[0])
        is_mpath = is_dataset and self.directories("methods", method)
        return tuple(below) if is_mpath else names

    def _names_here(self, argument: str, working_directory: str) -> tuple[str, tuple[str, ...]]:
        """Return the part of the hierarchy that contains a relative path, and the names below it."""
        full = os.path.normpath(os.path.join(working_directory, argument))
        for root in self.roots:
            for base in {root, os.path.realpath(root)}:
                relative = os.path.relpath(full, base).split(os.sep)
                if relative[0] in PARTS:
                    return relative[0], tuple(relative[1:])
        expected = "a path inside the data or methods of an active delve directory"
        raise Fault(argument, expected, full)
