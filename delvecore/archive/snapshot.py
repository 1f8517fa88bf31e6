"""Current contents of the delve directories: every unit of an archive with the state of its files.

A unit is read, cached and replaced as a whole: a dataset with its prototasks, a method with its
documentation, the results of one method on one task. A unit's state is a hash of the names, numbers (inodes),
sizes, permissions and times of its files. These include the time of the last change, which programs cannot
set, so the same state means the same content. For files in an archive (`.tar.gz`) they are those of the
archive."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from delvecore.checks.methods import task_places
from delvecore.errors import NOTICE, Faults, ParseError, Report, attempt, words_of_system
from delvecore.locations import PARTS
from delvecore.names import hash_of, is_name
from delvecore.readers.array import SPECIFICATION as ARRAY
from delvecore.readers.files import SUFFIXES, UNFINISHED, misnamed, plain_name, two_copies, unfinished
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy, Shadows, half_installed
from delvecore.readers.regular_files import bases_of, leads_out, no_regular_file, outside
from delvecore.readers.specifications import parse_task_name
from delvecore.readers.tar_archives import (
    SUFFIX,
    Identity,
    Index,
    archive_of,
    archives_in,
    identity_of,
    index_of,
    known_indexes,
    status_of,
)

SPEC = "Dataset.spec"
DEPTH_OF_SOURCES = 4
Step = tuple[str, str, Sequence[tuple[str, str]]]


@dataclass(frozen=True)
class Unit:
    """Files of one part of an archive, such as a method's task.

    Attributes
    ----------
    names : tuple of str
        Place in the hierarchy, e.g. ('methods', 'lin-1', 'demo', 'age', 'std.128').
    state : str
        Hash.
    files : dict of str to str
        True path by plain path below the unit, for files that exist in one place only.
    directories : tuple of str
        The true directories.
    """

    names: tuple[str, ...]
    state: str
    files: dict[str, str]
    directories: tuple[str, ...]

    @property
    def key(self) -> str:
        return "/".join(self.names)

    @property
    def task(self) -> tuple[str, int]:
        """Return the prior and the training size. Raises ValueError if this is not a task."""
        task = parse_task_name(self.names[-1])
        if task is None:
            raise ValueError(f"{self.key} is not a task")
        return task

    def identities(self) -> list[Identity | None]:
        """Current identity of each directory on the disk, which changes with its files; None without one."""
        identities: list[Identity | None] = []
        for directory in self.directories:
            try:
                identities.append(identity_of(os.stat(directory)))
            except OSError:
                identities.append(None)
        return identities

    def documents(self) -> list[str]:
        """Names of the files in the Source directory, with their folders."""
        prefix = SOURCE_DIRECTORY + "/"
        return sorted(name[len(prefix) :] for name in self.files if name.startswith(prefix))


@dataclass(frozen=True)
class Snapshot:
    """All units of an archive, sorted by name.

    Attributes
    ----------
    arrays : dict of str to Unit
        Task-arrays among the datasets' directories.
    errors : Faults
        Faults of the file system.
    hierarchy : Hierarchy
        The same directories.
    """

    datasets: dict[str, Unit]
    arrays: dict[str, Unit]
    methods: dict[str, Unit]
    results: dict[tuple[str, str, str, str], Unit]
    state: str
    hierarchy: Hierarchy
    errors: Faults = field(default_factory=Faults)

    def sharing(self, other: "Snapshot") -> "Snapshot":
        """Return this snapshot with the objects of another one for equal units, to save memory."""
        return replace(
            self,
            datasets=_shared(self.datasets, other.datasets),
            arrays=_shared(self.arrays, other.arrays),
            methods=_shared(self.methods, other.methods),
            results=_shared(self.results, other.results),
        )


Key = TypeVar("Key")


def _shared(units: dict[Key, Unit], others: dict[Key, Unit]) -> dict[Key, Unit]:
    return {key: others[key] if others.get(key) == unit else unit for key, unit in units.items()}


Packed = tuple[Index, str]
"""Contents of a usable archive file, and its mark, which becomes part of the state of each file in it."""
Folder = tuple[Sequence[tuple[str, str]], Sequence[str]]
"""Contents of one directory, sorted: files with their marks, and folders."""


class _Scan:
    """Lists directories. archives: usable archive files by root, part and name; refused: links that lead
    out."""

    def __init__(self, roots: list[str], report: Report, *, follow_links: bool) -> None:
        self.roots, self.report, self.follow_links = roots, report, follow_links
        self.bases, self.refused = bases_of(roots), set[str]()
        self.shadows, self.hidden = Shadows(roots, self._all_in), dict[str, str | None]()
        self.archives: dict[tuple[str, str], dict[str, list[str]]] = {}
        self.packed: dict[str, Packed] = {}
        for root in roots:
            for part in PARTS:
                usable = self.archives[root, part] = {}
                paths = archives_in(os.path.join(root, part))
                for archive in map(os.path.realpath, paths) if follow_links else paths:
                    if packed := attempt(report, _packed, archive):
                        self.packed[archive] = packed
                        usable.setdefault(packed[0].top, []).append(archive)

    def directories(self, part: str, *names: str) -> list[str]:
        """Return the directories for one place, in archives too, in the order of the roots."""
        used: list[str] = []
        for root in self.roots:
            directories = list(self._directories_in(root, part, names))
            hider = self.shadows.hider(root, part, names) if directories else None
            used += directories if hider is None else ()
            for directory in directories if hider else ():
                self.hidden.setdefault(directory, hider)
        return used

    def _directories_in(self, root: str, part: str, names: Sequence[str]) -> Iterator[str]:
        path, inside = os.path.join(root, part, *names), "/".join(names[1:])
        is_refused = any(path == link or path.startswith(link + "/") for link in self.refused)
        if not is_refused and os.path.isdir(path):
            yield path
        for archive in self.archives[root, part].get(names[0], ()) if names else ():
            if inside in self.packed[archive][0].folders:
                yield "/".join((archive, *names))

    def _all_in(self, root: str, place: Sequence[str]) -> list[str]:
        return list(self._directories_in(root, place[0], place[1:]))

    def report_hidden(self) -> None:
        """Report units that are hidden by directories of the same name, each only at its top directory."""
        for path, hider in sorted(self.hidden.items()):
            if os.path.dirname(path) not in self.hidden:
                actual = f"the same at {hider}, which is used instead"
                self.report(
                    ParseError(path, None, "a name of its own", actual, "rename one to use both", kind=NOTICE)
                )

    def subdirectories(self, part: str, *names: str) -> list[str]:
        names_below = {name for path in self.directories(part, *names) for name in self._folder(path)[1]}
        if not names:
            names_below.update(top for root in self.roots for top in self.archives[root, part])
        return sorted(names_below)

    def _folder(self, path: str) -> Folder:
        place = archive_of(path) if SUFFIX + "/" in path else None
        if place is None or place[0] not in self.packed:
            return self._plain_folder(path)
        index, mark = self.packed[place[0]]
        kinds = sorted(index.folders.get("/".join(place[1][1:]), {}).items())
        files = [(name, mark) for name, is_folder in kinds if not is_folder]
        return files, [name for name, is_folder in kinds if is_folder]

    def _plain_folder(self, path: str) -> Folder:
        files: list[tuple[str, str]] = []
        folders: list[str] = []
        try:
            with os.scandir(path) as entries:
                listed = sorted([(entry.name, entry) for entry in entries])
        except OSError as error:
            self._unreadable(path, "a readable directory", error)
            return files, folders
        for name, entry in listed:
            if (entry.is_symlink() or not is_name(name) or name[0] == ".") and not self._counts(path, entry):
                continue
            try:
                if entry.is_dir():
                    folders.append(name)
                    continue
                status = entry.stat()
            except OSError as error:
                self._unreadable(entry.path, "a file or directory", error)
                continue
            if stat.S_ISREG(status.st_mode):
                files.append((name, _mark(status.st_mode, identity_of(status))))
            else:
                self.report(no_regular_file(entry.path, status.st_mode))
        return files, folders

    def _counts(self, place: str, entry: os.DirEntry[str]) -> bool:
        """Does an entry belong to the archive, even with an unusual name or as a link?"""
        if not is_name(entry.name):
            self.report(misnamed(place, entry.name))
            return False
        if entry.is_symlink() and not self.follow_links and leads_out(entry.path, self.bases):
            self.report(outside(entry.path))
            self.refused.add(entry.path)
            return False
        return entry.name[0] != "." or entry.name == UNFINISHED

    def _true(self, path: str) -> str:
        """Return the path of a file, or of its target if links are followed."""
        return os.path.realpath(path) if self.follow_links and os.path.islink(path) else path

    def _unreadable(self, path: str, expected: str, error: OSError) -> None:
        remedy = "check its permissions" if isinstance(error, PermissionError) else "fix or remove it"
        self.report(ParseError(path, None, expected, words_of_system(error), remedy, kind="file"))

    def unit(self, names: tuple[str, ...], *, depth: int) -> Unit:
        """Return a unit with the files of its directories, and of those below down to depth."""
        directories = self.directories(*names)
        files: dict[str, str] = {}
        doubled: set[str] = set()
        marks: list[str] = []
        steps = (step for directory in directories for step in self._walk(directory, "", depth))
        for directory, prefix, entries in steps:
            for name, mark in entries:
                path = f"{directory}/{name}"
                if name == UNFINISHED:
                    self.report(unfinished(path))
                    marks.append(path)
                    continue
                marks.append(path + mark)
                plain = prefix + (plain_name(name) if name.endswith(SUFFIXES) else name)
                if plain in files and len(kept := self.shadows.unhidden([files[plain], path])) == 1:
                    files[plain] = self._true(kept[0])
                    continue
                if plain in files:
                    self.report(two_copies(files[plain], path))
                    doubled.add(plain)
                files[plain] = self._true(path)
        for name in doubled:
            del files[name]
        return Unit(names, hash_of(marks), files, tuple(directories))

    def _walk(self, path: str, prefix: str, depth: int) -> Iterator[Step]:
        """Yield (true directory, prefix of plain paths, files) of a directory and of those below."""
        files, folders = self._folder(path)
        yield path, prefix, files
        for name in folders:
            inside = f"{prefix}{name}/"
            in_sources = inside.startswith(SOURCE_DIRECTORY + "/")
            if prefix.count("/") < (DEPTH_OF_SOURCES if in_sources else depth):
                yield from self._walk(f"{path}/{name}", inside, depth)


def _packed(archive: str) -> Packed:
    index = index_of(archive)
    identity, _ = known_indexes([archive])[archive]
    mode = stat.S_IFREG | stat.S_IMODE(status_of(archive).st_mode)
    return index, _mark(mode, identity)


def _mark(mode: int, identity: Identity) -> str:
    number, size, modified, changed = identity
    return f"\0{mode} {number} {size} {modified} {changed}"


def state_of_units(units: Iterable[Unit], *more: str) -> str:
    """Return one hash of the states of units and of further texts."""
    return hash_of([*(f"{unit.key}\0{unit.state}" for unit in units), *more])


def take_snapshot(roots: list[str], *, report: Report, follow_links: bool = False) -> Snapshot:
    """Return the contents of these delve directories. Faults of the file system and directories outside the
    hierarchy are reported, as are links that lead out if they are not followed."""
    scan = _Scan(roots, report, follow_links=follow_links)
    described = {name: scan.unit(("data", name), depth=1) for name in scan.subdirectories("data")}
    unit_files = {name: unit.files for name, unit in described.items()}
    arrays = {
        name: described[name] for name, files in unit_files.items() if ARRAY in files and SPEC not in files
    }
    datasets = {name: unit for name, unit in described.items() if name not in arrays}
    methods = {name: scan.unit(("methods", name), depth=0) for name in scan.subdirectories("methods")}
    results: dict[tuple[str, str, str, str], Unit] = {}

    def is_known(place: tuple[str, ...]) -> bool:
        dataset = datasets.get(place[0])
        return dataset is not None and (len(place) == 1 or f"{place[1]}/Prototask.spec" in dataset.files)

    for name in methods:
        for method, dataset, prototask, task in task_places(scan, (name,), is_known, report=report):
            place = method, dataset, prototask, task
            results[place] = scan.unit(("methods", *place), depth=0)
    units = [*described.values(), *methods.values(), *results.values()]
    scan.report_hidden()
    half = [fault for root in roots for fault in half_installed(root)]
    for fault in half:
        report(fault)
    state = state_of_units(units, *(one.source for one in half))
    hierarchy = Hierarchy(roots, follow_links=follow_links)
    return Snapshot(datasets, arrays, methods, results, state, hierarchy)
