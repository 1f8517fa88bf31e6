"""Datasets, methods and whole delve directories in `.tar.gz` files. Source: DELVE manual, appendix A.

Before its members are checked, an archive is unpacked into memory or an unnamed file, never to a path. A
dataset or method is read in place. A file inside has a path through the archive, such as
`delve/data/demo.tar.gz/demo/Dataset.spec`. The contents are kept while size and times of the archive are
unchanged. A whole delve directory is unpacked into the cache, once for each state of the file.
"""

import contextlib
import functools
import gzip
import mmap
import os
import stat
import struct
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from tarfile import TarInfo
from typing import IO, NamedTuple

from delvecore import locations
from delvecore.atomic_io import scratch_directory, sync
from delvecore.errors import Fault, ParseError, unreadable, words_of_system
from delvecore.locations import PARTS, is_address
from delvecore.names import hash_of, is_name
from delvecore.readers.regular_files import open_regular
from delvecore.remote.stores import add_empty_parts, local

BLOCK = 512
GZIP = b"\x1f\x8b"
CHUNK = 1 << 20
FIRST_CHUNK = 1 << 14
MOST_HEADER_BYTES = 1 << 20
MOST_NAME_BYTES = 255
DEEPEST = 16
LONGEST_BEGINNING = 1 << 26
IN_MEMORY = 1 << 20
PIECE = 1 << 22
UNUSABLE = "do not use it, or ask for a new one"


class Limits(NamedTuple):
    """Limits of the size of an archive.

    Attributes
    ----------
    members : int
        Number of files and directories.
    file_bytes : int
        Size of one unpacked file.
    total_bytes : int
        Size of all unpacked files.
    ratio : int
        Ratio of unpacked to packed size, which is checked above free_bytes.
    """

    members: int
    file_bytes: int
    total_bytes: int
    free_bytes: int
    ratio: int


IN_PLACE = Limits(200_000, 1 << 32, 1 << 33, 1 << 26, 300)
"""For archives that the owner of a delve directory put there, or installs."""


class Index(NamedTuple):
    """Contents of an archive file.

    Attributes
    ----------
    top : str
        The single directory of the archive.
    files : dict[str, tuple[int, int]]
        Pairs (offset, size) by name below the directory.
    folders : dict[str, dict of str to bool]
        Entries by directory name, '' for the top; True for a directory.
    hidden : int
        Number of names that start with a dot and are left out.
    """

    top: str
    files: dict[str, tuple[int, int]]
    folders: dict[str, dict[str, bool]]
    hidden: int


Content = bytes | mmap.mmap
"""The unpacked bytes of an archive: in memory if they are few, otherwise in an unnamed file."""


def pieces_of(content: Content, offset: int, size: int, step: int = PIECE) -> Iterator[bytes]:
    """Yield the bytes of a member in pieces."""
    for start in range(offset, offset + size, step):
        yield content[start : min(start + step, offset + size)]


class _Reader:
    """Bounded input of the tar reader, because a header can claim any length."""

    def __init__(self, read_at: Callable[[int, int], bytes], path: str) -> None:
        self.read_at, self.path, self.position = read_at, path, 0

    def read(self, size: int) -> bytes:
        if size > MOST_HEADER_BYTES:
            raise _refusal(self.path, f"headers of at most {MOST_HEADER_BYTES:,} bytes", f"one of {size:,}")
        data = self.read_at(self.position, size)
        self.position += len(data)
        return data

    def seek(self, position: int) -> None:
        self.position = position

    def tell(self) -> int:
        return self.position


def _refusal(path: str, expected: str, actual: str, remedy: str = UNUSABLE) -> ParseError:
    return ParseError(path, None, expected, actual, remedy, kind="file")


def read_content(
    path: str,
    limits: Limits = IN_PLACE,
    *,
    shown: str | None = None,
    notify: Callable[[float], object] | None = None,
) -> Content:
    """Return an archive's unpacked Content.

    `shown` is the name of the file in messages. `notify` is called with the completed share. Raises
    ParseError if the archive is damaged or too large.
    """
    size = 0
    with open(open_regular(path), "rb") as raw, tempfile.SpooledTemporaryFile(IN_MEMORY) as file:
        packed = os.fstat(raw.fileno()).st_size
        most = min(limits.total_bytes, max(limits.free_bytes, limits.ratio * packed))
        for part in _unpacked(raw, shown or path):
            size += file.write(part)
            if size > most:
                raise _refusal(shown or path, f"at most {most:,} bytes when unpacked", "more")
            if notify:
                notify(min(1.0, raw.tell() / max(packed, 1)))
        file.seek(0)
        return file.read() if size <= IN_MEMORY else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _unpacked(raw: IO[bytes], path: str, *, chunk: int = CHUNK) -> Iterator[bytes]:
    """Yield the unpacked bytes of a file in pieces."""
    if raw.read(2) != GZIP:
        raise _refusal(path, "a tar file packed by gzip", "something else", "pack it as tar -czf does")
    raw.seek(0)
    try:
        with gzip.GzipFile(fileobj=raw) as stream:
            while part := stream.read(chunk):
                yield part
    except EOFError:
        raise _refusal(path, "a whole archive", "it cut short", "fetch the file again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise _refusal(path, "a whole archive", f"damage ({error})", "fetch the file again") from None


def read_top(path: str) -> str:
    """Return the name of an archive's directory from its beginning. Raises ParseError if it has none."""
    content = bytearray()
    with open(open_regular(path), "rb") as raw:
        pieces = _unpacked(raw, path, chunk=FIRST_CHUNK)

        def read_at(offset: int, size: int) -> bytes:
            while len(content) < offset + size <= LONGEST_BEGINNING and (part := next(pieces, None)):
                content.extend(part)
            return bytes(content[offset : offset + size])

        for member in _members(_Reader(read_at, path), path):
            if names := _checked_names(member.name, path):
                return names[0]
    raise _refusal(path, "a directory with files", "none")


def _members(reader: _Reader, path: str) -> Iterator[TarInfo]:
    """Yield the members of a tar file. Raises ParseError if it is damaged or not a tar file."""
    damage = (tarfile.TarError, ValueError, LookupError, ArithmeticError, RecursionError, struct.error)
    try:
        with tarfile.TarFile(fileobj=reader) as tar:  # type: ignore[arg-type]  # reading needs no more
            while (member := tar.next()) is not None:
                yield member
                tar.members.clear()  # type: ignore[attr-defined]  # tarfile would keep all members
            end = reader.read_at(tar.offset, BLOCK)
    except damage as error:
        if isinstance(error, ParseError):
            raise
        raise _refusal(path, "a tar file", f"damage ({error})", "fetch the file again") from None
    if end.strip(b"\0"):
        raise _refusal(path, "a tar file", f"damage at byte {tar.offset:,}", "fetch the file again")


def index_archive(content: Content, path: str, limits: Limits = IN_PLACE) -> Index:
    """Return the Index of an archive's Content. Raises ParseError unless it is safe and has the form of
    appendix A: one directory with plain files and directories."""
    files: dict[str, tuple[int, int]] = {}
    folders: dict[str, dict[str, bool]] = {"": {}}
    tops: set[str] = set()
    hidden = 0
    for count, member in enumerate(_safe_members(content, path, limits), start=1):
        if count > limits.members:
            raise _refusal(path, f"at most {limits.members:,} files and directories", "more")
        names = _checked_names(member.name, path)
        if any(name[0] == "." for name in names):
            hidden += 1
            continue
        if names:
            tops.add(names[0])
            if len(tops) > 1:
                actual = " and ".join(map(repr, sorted(tops)))
                raise _refusal(path, "one directory, named like the dataset or method", actual)
            _enter(member, names, files, folders, path)
    if not files:
        raise _refusal(path, "a directory with files", "none")
    return Index(tops.pop(), files, folders, hidden)


def _safe_members(content: Content, path: str, limits: Limits) -> Iterator[TarInfo]:
    """Yield the members of an archive. Raises ParseError for an incomplete, too large or special one."""
    for member in _members(_Reader(lambda offset, size: content[offset : offset + size], path), path):
        if not (member.isreg() or member.isdir()) or member.issparse():
            raise _refusal(path, "plain files and directories only", f"{_kind(member)} {_shown(member.name)}")
        if not 0 <= member.size <= limits.file_bytes:
            expected = f"files of at most {limits.file_bytes:,} bytes"
            raise _refusal(path, expected, f"{_shown(member.name)} of {member.size:,}")
        if not member.isdir() and member.offset_data + member.size > len(content):
            raise _refusal(path, "a whole archive", "it cut short", "fetch the file again")
        yield member


def _kind(member: TarInfo) -> str:
    kinds = {"a symbolic link": member.issym(), "a hard link": member.islnk(), "a device": member.isdev()}
    kinds["a sparse file"] = member.issparse()
    return next((kind for kind, applies in kinds.items() if applies), "a special file")


def _shown(name: str) -> str:
    """Return a name as it can be printed in one line."""
    return ascii(name if len(name) <= 80 else name[:79] + "…")


def _checked_names(name: str, path: str) -> tuple[str, ...]:
    """Return the components of a member's name, which must stay inside the archive's directory."""
    names = tuple(part for part in name.split("/") if part not in ("", "."))
    if name.startswith("/") or ".." in names:
        raise _refusal(path, "names inside the archive's directory", _shown(name))
    printable = all(is_name(part) and "\\" not in part for part in names)
    if len(names) > DEEPEST or not printable or any(len(part.encode()) > MOST_NAME_BYTES for part in names):
        raise _refusal(path, "names of printable characters without backslashes", _shown(name))
    return names


def _enter(
    member: TarInfo,
    names: Sequence[str],
    files: dict[str, tuple[int, int]],
    folders: dict[str, dict[str, bool]],
    path: str,
) -> None:
    """Enter a member, and the directories that its name implies."""
    for depth in range(2, len(names) + 1):
        above, name = "/".join(names[1 : depth - 1]), names[depth - 1]
        is_directory = depth < len(names) or member.isdir()
        known = folders.setdefault(above, {}).setdefault(name, is_directory)
        if known != is_directory:
            raise _refusal(path, "each name once", f"{_shown(member.name)} as a file and as a directory")
    inner = "/".join(names[1:])
    if member.isdir():
        folders.setdefault(inner, {})
        return
    if len(names) == 1:
        raise _refusal(path, "one directory, named like the dataset or method", f"the file {names[0]!r}")
    if inner in files:
        raise _refusal(path, "each name once", f"{_shown(member.name)} twice")
    files[inner] = (member.offset_data, member.size)


SUFFIX = ".tar.gz"
MOST_TOPS, MOST_CONTENTS = 1000, 100

Identity = tuple[int, int, int, int]
"""Identifies an unchanged file by its number, size and time. The fourth value is the time of the last change
to the file or to its place, which its owner cannot choose."""

_indexes: dict[str, tuple[Identity, Index | ParseError]] = {}


def identity_of(status: os.stat_result) -> Identity:
    """Return the identity of a file with this status."""
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def archives_in(directory: str) -> list[str]:
    """Return the sorted paths of the archives in a directory; [] if it cannot be listed."""
    try:
        names = os.listdir(directory)
    except OSError:
        return []
    paths = (f"{directory}/{name}" for name in sorted(names) if name.endswith(SUFFIX) and name[0] != ".")
    return [path for path in paths if os.path.isfile(path)]


def archive_of(path: str) -> tuple[str, tuple[str, ...]] | None:
    """Return (archive, names inside it) of a path that leads through an archive, otherwise None."""
    end = path.find(SUFFIX + "/")
    while end >= 0:
        archive = path[: end + len(SUFFIX)]
        if os.path.isfile(archive):
            return archive, tuple(path[len(archive) + 1 :].split("/"))
        end = path.find(SUFFIX + "/", end + 1)
    return None


def top_of(path: str) -> str:
    """Return the name of an archive's directory: the dataset's or method's. Raises ParseError."""
    identity, known = _identity(path), _indexes.get(path)
    if known is not None and isinstance(known[1], Index) and known[0] == identity:
        return known[1].top
    return _top_of(path, identity)


@functools.lru_cache(MOST_TOPS)
def _top_of(path: str, _identity: Identity) -> str:
    with _readable(path):
        return read_top(path)


def index_of(path: str) -> Index:
    """Return the Index of an archive. Raises ParseError if it is unsafe or damaged."""
    identity, known = _identity(path), _indexes.get(path)
    if known is None or known[0] != identity:
        try:
            known = identity, index_archive(_content_of(path, identity), path)
        except ParseError as error:
            known = identity, error
        _indexes[path] = known
    if isinstance(known[1], ParseError):
        problem = known[1].problem
        raise ParseError(*problem[1:], kind=problem.kind)
    return known[1]


def known_indexes(paths: Iterable[str]) -> dict[str, tuple[Identity, Index]]:
    """Return {path: (identity of the file, Index)} of archives whose Index was computed or restored."""
    entries = ((path, _indexes.get(path)) for path in paths)
    return {path: (known[0], known[1]) for path, known in entries if known and isinstance(known[1], Index)}


def remember_index(path: str, identity: Identity, index: Index) -> None:
    """Store the Index of an archive, which is valid while the file has this identity."""
    _indexes.setdefault(path, (identity, index))


@functools.lru_cache(MOST_CONTENTS)
def _content_of(path: str, _identity: Identity) -> Content:
    with _readable(path):
        return read_content(path)


@contextlib.contextmanager
def _readable(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise unreadable(path, "a readable archive", error, "check its permissions") from None


def _identity(path: str) -> Identity:
    return identity_of(status_of(path))


def status_of(path: str) -> os.stat_result:
    """Return the status of an archive file. Raises ParseError."""
    try:
        return os.stat(path)
    except OSError as error:
        raise unreadable(path, "a readable archive", error) from None


def _place(path: str) -> tuple[str, Index, str] | None:
    """Return (archive, its Index, name below its directory), or None for a path that is in no archive. Raises
    ParseError for an archive that cannot be used."""
    place = archive_of(path) if SUFFIX + "/" in path else None
    if place is None:
        return None
    archive, (top, *below) = place
    index = index_of(archive)
    return (archive, index, "/".join(below)) if top == index.top else None


def is_real_directory(path: str) -> bool:
    """Is this a directory on the disk? Raises ParseError if this is unknown."""
    return stat.S_ISDIR(_mode(path))


def _mode(path: str) -> int:
    """Return the mode of the target of a path, 0 if it does not exist."""
    try:
        return os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return 0
    except OSError as error:
        remedy = "check its permissions" if isinstance(error, PermissionError) else "fix or remove it"
        raise unreadable(path, "a readable file or directory", error, remedy) from None


def links_in(path: str) -> list[str]:
    """Return the paths of the symbolic links in a directory on the disk; none are in an archive."""
    if SUFFIX + "/" in path and not os.path.isdir(path):
        return []
    with os.scandir(path) as entries:
        return [entry.path for entry in entries if entry.is_symlink()]


def is_directory(path: str) -> bool:
    """Is this a directory, on the disk or in an archive? Raises ParseError if this is unknown."""
    if is_real_directory(path):
        return True
    archive_place = archive_of(path) if SUFFIX + "/" in path else None
    if archive_place and len(archive_place[1]) == 1:
        return archive_place[1] == (top_of(archive_place[0]),)
    place = _place(path)
    return place is not None and place[2] in place[1].folders


def is_file(path: str) -> bool:
    """Is this a regular file, on the disk or in an archive? Raises ParseError if this is unknown."""
    if stat.S_ISREG(_mode(path)):
        return True
    place = _place(path)
    return place is not None and place[2] in place[1].files


def list_names(path: str) -> list[str]:
    """Return the names in a directory, on the disk (OSError) or in an archive (ParseError)."""
    place = _place(path)
    return os.listdir(path) if place is None else list(place[1].folders.get(place[2], ()))


def read_packed(path: str) -> bytes | None:
    """Return the bytes of a file in an archive, or None for a path outside archives. Raises ParseError
    for a damaged archive, FileNotFoundError for a name that it does not have."""
    member = _find(path)
    if member is None:
        return None
    content, offset, size = member
    return content[offset : offset + size]


def read_packed_pieces(path: str, size: int) -> Iterator[bytes]:
    """Yield the bytes of a file in an archive in pieces of this size. Raises as `read_packed` does."""
    member = _find(path)
    if member is None:
        return
    yield from pieces_of(*member, size)


def _find(path: str) -> tuple[Content, int, int] | None:
    """Return (Content, offset, size) of a file in an archive, or None for a path outside archives."""
    place = _place(path)
    if place is None:
        return None
    archive, index, name = place
    if name not in index.files:
        raise FileNotFoundError(2, "No such file or directory", path)
    return _content_of(archive, _identity(archive)), *index.files[name]


ENDINGS = (".tar.gz", ".tgz")
OTHERS = (".zip", ".tar", ".tar.bz2", ".tar.xz", ".tar.zst", ".7z")
ARRIVING = ".new-"


def local_path(source: str, *, anew: bool = False) -> str:
    """Return the local path of a source. For an address or an archive file, it is that of the local copy.

    Other paths are unchanged. `anew`: whether to compare a copy with its store. Raises DelveError.
    """
    path = local(source, anew=anew) if is_address(source) else source
    lower = path.lower()
    if not lower.endswith((*ENDINGS, *OTHERS)) or not os.path.isfile(path):
        return path
    if not lower.endswith(ENDINGS):
        expected, remedy = "a delve directory, or one in a .tar.gz file", "pack it as tar -czf does"
        raise Fault(
            path, expected, "another archive", f"give the directory itself, or {remedy}", is_file=True
        )
    name = f"{os.path.basename(path)}-{hash_of([os.path.abspath(path)], size=8)}"
    unpacked = os.path.join(locations.stores_directory(), locations.UNPACKED, name)
    state = os.path.join(unpacked, hash_of([repr(identity_of(os.stat(path)))], size=8))
    if not os.path.isdir(state):
        try:
            _unpack(path, unpacked, state)
        except OSError as error:
            raise Fault(path, "to unpack it into the cache", words_of_system(error), is_file=True) from None
    (top,) = os.listdir(state)
    return os.path.join(state, top)


def _unpack(path: str, unpacked: str, state: str) -> None:
    """Unpack an archive into a new directory, and remove the directories of its earlier versions."""
    content = read_content(path)
    index = index_archive(content, path)
    top = _top(index, path)
    os.makedirs(unpacked, exist_ok=True)
    with scratch_directory(ARRIVING, unpacked) as beside:
        whole = os.path.join(beside, "whole")
        for folder in index.folders:
            os.makedirs(os.path.join(whole, top, folder), exist_ok=True)
        add_empty_parts(os.path.join(whole, top))
        paths = [os.path.join(whole, top, name) for name in index.files]
        for name, member in zip(paths, index.files.values(), strict=True):
            with open(name, "wb") as file:
                file.writelines(pieces_of(content, *member))
        sync(paths)
        others = [entry.path for entry in os.scandir(unpacked) if entry.name[0] != "."]
        for number, other in enumerate(others):
            os.rename(other, os.path.join(beside, f"old-{number}"))
        os.rename(whole, state)


def _top(index: Index, path: str) -> str:
    """Return the name of an archive's directory. Raises ParseError if it is not a delve directory."""
    if any(part in index.folders for part in PARTS):
        return index.top if index.top.startswith("delve") else f"delve-{index.top}"
    inside = (name for name in index.folders[""] if name.startswith("delve"))
    if not any(f"{name}/{part}" in index.folders for name in inside for part in PARTS):
        expected = "a delve directory in it, with data and methods, or a directory that contains some"
        remedy = "use delve install to put a dataset or a method into a delve directory"
        raise ParseError(path, None, expected, f"{index.top!r}, which is not one", remedy, kind="file")
    return index.top
