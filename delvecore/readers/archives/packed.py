"""Datasets and methods in `.tar.gz` files, read where they lie. Source: DELVE manual, appendix A.

A file inside one has a path that leads through it, such as `delve/data/demo.tar.gz/demo/Dataset.spec`. What
an archive holds is kept in memory for as long as its size and times stay the same."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from delvecore.errors import ParseError, may_pass, words_of_system
from delvecore.readers.archives.tar_index import Content, Index, index_archive, read_content, read_top

SUFFIX = ".tar.gz"
MOST_INDEXES = 1000
MOST_CONTENTS = 100
MOST_BYTES = 1 << 27
"""Of unpacked contents in memory."""

Known = TypeVar("Known")
Identity = tuple[int, int, int, int]
"""What identifies a file while it is not changed: its number, size, time and, which its owner cannot choose,
the time of the last change to it or to its place."""

_tops: dict[str, tuple[Identity, str | ParseError]] = {}
_indexes: dict[str, tuple[Identity, Index | ParseError]] = {}
_contents: dict[str, tuple[Identity, Content | ParseError]] = {}
"""What is known of archives, by path: (its Identity, value or ParseError). Oldest first."""


def identity_of(status: os.stat_result) -> Identity:
    """Return what identifies a file of this status."""
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def archives_in(directory: str) -> list[str]:
    """Return the paths of the archives that lie in a directory, sorted; [] where it cannot be listed."""
    try:
        names = os.listdir(directory)
    except OSError:
        return []
    paths = (f"{directory}/{name}" for name in sorted(names) if name.endswith(SUFFIX) and name[0] != ".")
    return [path for path in paths if os.path.isfile(path)]


def archive_of(path: str) -> tuple[str, tuple[str, ...]] | None:
    """Return (archive, names inside it) of a path that leads through an archive, else None."""
    end = path.find(SUFFIX + "/")
    while end >= 0:
        archive = path[: end + len(SUFFIX)]
        if os.path.isfile(archive):
            return archive, tuple(path[len(archive) + 1 :].split("/"))
        end = path.find(SUFFIX + "/", end + 1)
    return None


def top_of(path: str) -> str:
    """Return the name of an archive's directory: the dataset's or method's. Raises ParseError."""
    known = _indexes.get(path)
    if known is not None and isinstance(known[1], Index) and known[0] == _identity(path):
        return known[1].top
    return _known(_tops, path, MOST_INDEXES, read_top)


def index_of(path: str) -> Index:
    """Return the Index of an archive; ParseError where it is not safe or damaged."""
    return _known(
        _indexes,
        path,
        MOST_INDEXES,
        lambda path: index_archive(_content(path), path),
    )


def known_indexes(paths: Iterable[str]) -> dict[str, tuple[Identity, Index]]:
    """Return {path: (what identifies the file, Index)} of those archives whose Index was made or recalled."""
    found = ((path, _indexes.get(path)) for path in paths)
    return {path: (known[0], known[1]) for path, known in found if known and isinstance(known[1], Index)}


def remember_index(path: str, identity: Identity, index: Index) -> None:
    """Take over the Index of an archive, which counts while the file is what is identified."""
    _indexes.setdefault(path, (identity, index))


def _content(path: str) -> Content:
    return _known(_contents, path, MOST_CONTENTS, read_content)


def _known(
    store: dict[str, tuple[Identity, Known | ParseError]], path: str, most: int, make: Callable[[str], Known]
) -> Known:
    """Return make(path), or what it gave, or why it failed, when the file was the same."""
    identity, known = _identity(path), store.get(path)
    if known is None or known[0] != identity:
        try:
            known = identity, make(path)
        except ParseError as error:
            known = identity, error
        except OSError as error:
            fault = "a readable archive", words_of_system(error), "check its permissions"
            raise ParseError(path, None, *fault, kind="file", passing=may_pass(error)) from None
        store.pop(path, None)
        store[path] = known
        for oldest in list(store)[:-most]:
            store.pop(oldest, None)
        _make_room()
    if isinstance(known[1], ParseError):
        problem = known[1].problem
        raise ParseError(*problem[1:], kind=problem.kind)
    return known[1]


def _make_room() -> None:
    """Forget the oldest contents where they take more memory than they may, but for the last one."""
    sizes = {path: len(one.data or b"") for path, (_, one) in _contents.items() if isinstance(one, Content)}
    for path in list(sizes)[:-1]:
        if sum(sizes.values()) > MOST_BYTES:
            _contents.pop(path, None)
            del sizes[path]


def forget_contents() -> None:
    """Make room in memory where nobody will read archives soon."""
    _contents.clear()


def _identity(path: str) -> Identity:
    return identity_of(status_of(path))


def status_of(path: str) -> os.stat_result:
    """Return the status of an archive file. Raises ParseError."""
    try:
        return os.stat(path)
    except OSError as error:
        fault = "a readable archive", words_of_system(error)
        raise ParseError(path, None, *fault, kind="file", passing=may_pass(error)) from None


def _place(path: str) -> tuple[str, Index, str] | None:
    """Return (archive, its Index, name below its directory), or None for a path that is in no archive. Raises
    ParseError for an archive that cannot be used."""
    found = archive_of(path) if SUFFIX + "/" in path else None
    if found is None:
        return None
    archive, (top, *below) = found
    index = index_of(archive)
    return (archive, index, "/".join(below)) if top == index.top else None


def is_real_directory(path: str) -> bool:
    """Is this a directory on the disk? ParseError where that cannot be known."""
    return stat.S_ISDIR(_mode(path))


def _mode(path: str) -> int:
    """Return the mode of what a path leads to, 0 where it leads to nothing."""
    try:
        return os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return 0
    except OSError as error:
        remedy = "check its permissions" if isinstance(error, PermissionError) else "mend or remove it"
        fault = "a readable file or directory", words_of_system(error), remedy
        raise ParseError(path, None, *fault, kind="file", passing=may_pass(error)) from None


def links_in(path: str) -> list[str]:
    """Return the paths of the symbolic links in a directory on the disk; none are in an archive."""
    if SUFFIX + "/" in path and not os.path.isdir(path):
        return []
    with os.scandir(path) as entries:
        return [entry.path for entry in entries if entry.is_symlink()]


def is_directory(path: str) -> bool:
    """Is this a directory, on the disk or in an archive? For an archive's own the beginning of it decides.
    Raises ParseError where that cannot be known."""
    if is_real_directory(path):
        return True
    found = archive_of(path) if SUFFIX + "/" in path else None
    if found and len(found[1]) == 1:
        return found[1] == (top_of(found[0]),)
    place = _place(path)
    return place is not None and place[2] in place[1].folders


def is_file(path: str) -> bool:
    """Is this a regular file, on the disk or in an archive? ParseError where that cannot be known."""
    if stat.S_ISREG(_mode(path)):
        return True
    place = _place(path)
    return place is not None and place[2] in place[1].files


def list_names(path: str) -> list[str]:
    """Return the names in a directory, on the disk (OSError) or in an archive (ParseError)."""
    place = _place(path)
    return os.listdir(path) if place is None else list(place[1].folders.get(place[2], ()))


def read_packed(path: str) -> bytes | None:
    """Return the bytes of a file in an archive, or None for a path that leads through none. Raises ParseError
    for a damaged archive, FileNotFoundError for a name that it does not have."""
    found = _find(path)
    return found and found[0].read(found[1], found[2])


def read_packed_pieces(path: str, size: int) -> Iterator[bytes]:
    """Yield the bytes of a file in an archive in pieces of so many bytes. Raises as `read_packed` does."""
    found = _find(path)
    if found is None:
        return
    content, offset, total = found
    for start in range(0, total, size):
        yield content.read(offset + start, min(size, total - start))


def _find(path: str) -> tuple[Content, int, int] | None:
    """Return (Content, offset, size) of a file in an archive, or None for a path that leads through none."""
    place = _place(path)
    if place is None:
        return None
    archive, index, name = place
    if name not in index.files:
        raise FileNotFoundError(2, "No such file or directory", path)
    return _content(archive), *index.files[name]
