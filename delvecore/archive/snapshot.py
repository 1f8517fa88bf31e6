"""What lies in the delve directories right now: every unit of an archive with the state of its files.

A unit is what is read, cached and replaced as a whole: a dataset with its prototasks, a method with its
documentation, the results of one method on one task. A unit's state is a hash of the names, sizes,
modification times and permissions of its files: the same state means the same content. For files in an
archive (`.tar.gz`) they are those of the archive.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from delvecore.errors import ParseError, Report
from delvecore.readers.archives.packed import SUFFIX, PackedStatus, archives_in, index_of, status_of
from delvecore.readers.archives.tar_index import Index
from delvecore.readers.array import SPECIFICATION as ARRAY
from delvecore.readers.files import plain_name, two_copies
from delvecore.readers.hierarchy import PARTS, SOURCE_DIRECTORY
from delvecore.readers.specifications import parse_task_name

__all__ = ["Snapshot", "Unit", "take_snapshot"]

DEPTH_OF_SOURCES = 4


Status = os.stat_result | PackedStatus
Listing = Iterator[tuple[str, Status]]


@dataclass(frozen=True)
class Unit:
    """names: place in the hierarchy, e.g. ('methods', 'lin-1', 'demo', 'age', 'std.128'); state: hash;
    files: true path by plain path below the unit, for files that lie in one place only; directories: the
    true directories."""

    names: tuple[str, ...]
    state: str
    files: dict[str, str]
    directories: tuple[str, ...]

    @property
    def key(self) -> str:
        return "/".join(self.names)

    @property
    def task(self) -> tuple[str, int]:
        """The prior and the training size of the task that these results are of."""
        found = parse_task_name(self.names[-1])
        if found is None:
            raise ValueError(f"{self.key} is no task")
        return found

    def documents(self) -> list[str]:
        """Names of the files in the Source directory, with their folders."""
        prefix = SOURCE_DIRECTORY + "/"
        return sorted(name[len(prefix) :] for name in self.files if name.startswith(prefix))


@dataclass(frozen=True)
class Snapshot:
    """All units of an archive, sorted by name, and one hash over all of their states.

    arrays: the directories among the datasets' that hold a task-array and no dataset.
    """

    datasets: dict[str, Unit]
    arrays: dict[str, Unit]
    methods: dict[str, Unit]
    results: dict[tuple[str, str, str, str], Unit]
    state: str


class _Scan:
    """Lists directories once and keeps what the units need."""

    def __init__(self, roots: list[str], report: Report) -> None:
        self.roots, self.report = roots, report
        places = [(root, part) for root in roots for part in PARTS]
        self.archives = {place: dict(self._indexes(os.path.join(*place))) for place in places}

    def _indexes(self, directory: str) -> Iterator[tuple[str, Index]]:
        """Yield (archive, Index) of each archive in a directory that can be used; report the others."""
        for archive in archives_in(directory):
            try:
                yield archive, index_of(archive)
            except ParseError as error:
                self.report(error)

    def places(self, part: str, *names: str) -> list[str]:
        """Return the directories that stand for one place, in archives too, in the order of the roots."""
        found = []
        for root in self.roots:
            path = os.path.join(root, part, *names)
            found += [path] if os.path.isdir(path) else []
            for archive, index in self.archives[root, part].items() if names else ():
                if names[0] == index.top and "/".join(names[1:]) in index.folders:
                    found.append("/".join((archive, *names)))
        return found

    def subdirectories(self, part: str, *names: str) -> list[str]:
        places = self.places(part, *names)
        found = {name for place in places for name, _ in self.entries(place, directories=True)}
        if not names:
            found.update(index.top for root in self.roots for index in self.archives[root, part].values())
        return sorted(found)

    def entries(self, place: str, *, directories: bool) -> Listing:
        """Yield (name, stat result) of the files or the directories in one true directory."""
        for name, status in self._listing(place):
            if stat.S_ISDIR(status.st_mode) == directories:
                yield name, status

    def _listing(self, place: str) -> Listing:
        if SUFFIX + "/" in place and not os.path.isdir(place):
            try:
                yield from status_of(place)
            except ParseError as error:  # it was replaced since it was indexed
                self.report(error)
            return
        try:
            with os.scandir(place) as entries:
                listed = {entry.name: entry for entry in entries if entry.name[0] != "."}
        except OSError as error:
            self._unreadable(place, "a readable directory", error)
            return
        for name in sorted(listed):
            try:
                yield name, listed[name].stat()
            except OSError as error:
                self._unreadable(listed[name].path, "a file or directory", error)

    def _unreadable(self, path: str, expected: str, error: OSError) -> None:
        found = (error.strerror or "an error of the file system").lower()
        remedy = "check its permissions" if isinstance(error, PermissionError) else "mend or remove it"
        self.report(ParseError(path, None, expected, found, remedy, kind="file"))

    def unit(self, names: tuple[str, ...], *, depth: int) -> Unit:
        """Return a unit with the files of its directories, and of those below down to depth."""
        places = tuple(self.places(*names))
        files: dict[str, str] = {}
        doubled: set[str] = set()
        marks: list[str] = []
        for place in places:
            for name, path, status in self._walk(place, "", depth):
                marks.append(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0{status.st_mode}")
                plain = plain_name(name)
                if plain in files:
                    self.report(two_copies(files[plain], path))
                    doubled.add(plain)
                files[plain] = path
        for name in doubled:
            del files[name]
        return Unit(tuple(names), _hash(marks), files, places)

    def _walk(self, place: str, prefix: str, depth: int) -> Iterator[tuple[str, str, Status]]:
        below = []
        for name, status in self._listing(place):
            path = f"{place}/{name}"
            if not stat.S_ISDIR(status.st_mode):
                yield prefix + name, path, status
            elif self._goes_deeper(prefix, name, depth):
                below.append((path, f"{prefix}{name}/"))
        for path, inside in below:
            yield from self._walk(path, inside, depth)

    def _goes_deeper(self, prefix: str, name: str, depth: int) -> bool:
        level = prefix.count("/")
        in_sources = prefix.startswith(SOURCE_DIRECTORY + "/") or (not prefix and name == SOURCE_DIRECTORY)
        return level < (DEPTH_OF_SOURCES if in_sources else depth)


def _hash(marks: list[str]) -> str:
    return hashlib.blake2b("\n".join(marks).encode(errors="surrogateescape"), digest_size=16).hexdigest()


def take_snapshot(roots: list[str], *, report: Report) -> Snapshot:
    """Return what lies in these delve directories; faults of the file system go to report.

    Directories that are no place of the hierarchy (a method's directory for a dataset that does not exist,
    a task directory with another name) are reported too.
    """
    scan = _Scan(roots, report)
    described = {name: scan.unit(("data", name), depth=1) for name in scan.subdirectories("data")}
    arrays = {name: unit for name, unit in described.items() if _is_array(unit)}
    datasets = {name: unit for name, unit in described.items() if name not in arrays}
    methods = {name: scan.unit(("methods", name), depth=0) for name in scan.subdirectories("methods")}
    results: dict[tuple[str, str, str, str], Unit] = {}
    for method in methods:
        for place in _task_places(scan, method, datasets):
            results[(method, *place)] = scan.unit(("methods", method, *place), depth=0)
    units = [*described.values(), *methods.values(), *results.values()]
    state = _hash([f"{unit.key}\0{unit.state}" for unit in units])
    return Snapshot(datasets, arrays, methods, results, state)


def _is_array(unit: Unit) -> bool:
    return ARRAY in unit.files and "Dataset.spec" not in unit.files


def _task_places(scan: _Scan, method: str, datasets: dict[str, Unit]) -> Iterator[tuple[str, str, str]]:
    """Yield (dataset, prototask, task) of a method's task directories; report what does not belong."""
    for dataset in scan.subdirectories("methods", method):
        if dataset == SOURCE_DIRECTORY:
            continue
        if dataset not in datasets:
            _stray(scan, ("methods", method, dataset), "a directory named like a dataset")
            continue
        for prototask in scan.subdirectories("methods", method, dataset):
            if f"{prototask}/Prototask.spec" not in datasets[dataset].files:
                _stray(scan, ("methods", method, dataset, prototask), "a directory named like a prototask")
                continue
            for task in scan.subdirectories("methods", method, dataset, prototask):
                if parse_task_name(task) is None:
                    expected = "a directory named like a task, such as std.128"
                    _stray(scan, ("methods", method, dataset, prototask, task), expected)
                    continue
                yield dataset, prototask, task


def _stray(scan: _Scan, names: tuple[str, ...], expected: str) -> None:
    remedy = "rename or remove it, or add what it belongs to"
    for place in scan.places(*names):
        scan.report(ParseError(place, None, expected, f"{names[-1]!r}", remedy, kind="hierarchy"))
