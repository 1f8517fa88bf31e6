"""What is in a `.tar.gz` file, and is it safe to use? Nothing is unpacked, and no name leaves its directory.

Archives come from other people: a name may try to lead elsewhere, a link may point elsewhere, and a few
kilobytes may unpack to a full disk. Whatever is not a plain file or directory refuses the whole archive.
Source of the form (one directory, named like what it holds): DELVE manual, appendix A."""

import gzip
import os
import struct
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from tarfile import TarInfo
from typing import IO, NamedTuple

from delvecore.errors import ParseError
from delvecore.names import is_name
from delvecore.readers.regular_files import open_regular

BLOCK = 512
GZIP = b"\x1f\x8b"
CHUNK = 1 << 20
FIRST_CHUNK = 1 << 14
MOST_HEADER_BYTES = 1 << 20
MOST_NAME_BYTES = 255
DEEPEST = 16
IN_MEMORY = 1 << 26
UNUSABLE = "use nothing of it, or have it packed again"


class Limits(NamedTuple):
    """How large may an archive be? members: files and directories; file_bytes: of one file, unpacked;
    total_bytes: of all; ratio: of unpacked to packed size, which counts from free_bytes on."""

    members: int
    file_bytes: int
    total_bytes: int
    free_bytes: int
    ratio: int


IN_PLACE = Limits(200_000, 1 << 32, 1 << 33, 1 << 26, 300)
"""For archives that the owner of a delve directory put there, or installs."""


class Index(NamedTuple):
    """top: the one directory of the archive; files: (offset, size) in the unpacked content by name without
    the top; folders: {entry: is it a directory?} by name, the top's own being ''; hidden: how many names
    start with a dot and are left out."""

    top: str
    files: dict[str, tuple[int, int]]
    folders: dict[str, dict[str, bool]]
    hidden: int


class Content:
    """The unpacked bytes of an archive: in memory where they are few, else in a file without a name."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.file: IO[bytes] | None = None
        self.size = 0
        self.data: bytes | None = None

    def add(self, part: bytes) -> None:
        self.size += len(part)
        if self.file is None and self.size > IN_MEMORY:
            self.file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as this object
            for earlier in self.parts:
                self.file.write(earlier)
            self.parts = []
        if self.file is None:
            self.parts.append(part)
        else:
            self.file.write(part)

    def finish(self) -> None:
        if self.file is None:
            self.data, self.parts = b"".join(self.parts), []
        else:
            self.file.flush()

    def read(self, offset: int, size: int) -> bytes:
        """Return so many bytes from an offset on, fewer at the end."""
        if self.file is not None:
            return os.pread(self.file.fileno(), size, offset)
        return (self.data or b"")[offset : offset + size]


class _Reader:
    """What the tar reader reads from: bounded, because a header may claim to be as long as it likes."""

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


def _refusal(path: str, expected: str, found: str, remedy: str = UNUSABLE) -> ParseError:
    return ParseError(path, None, expected, found, remedy, kind="file")


def read_content(
    path: str,
    limits: Limits = IN_PLACE,
    *,
    shown: str | None = None,
    notify: Callable[[float], object] | None = None,
) -> Content:
    """Return the unpacked Content of an archive; ParseError where it is damaged or unpacks to too much.
    shown: what messages call the file, where it is not its path; notify: called with the share of the packed
    bytes that were read, now and then."""
    content = Content()
    with open(open_regular(path), "rb") as raw:
        packed = os.fstat(raw.fileno()).st_size
        most = min(limits.total_bytes, max(limits.free_bytes, limits.ratio * packed))
        for part in _unpacked(raw, shown or path):
            content.add(part)
            if content.size > most:
                raise _refusal(shown or path, f"at most {most:,} bytes when unpacked", "more")
            if notify:
                notify(min(1.0, raw.tell() / max(packed, 1)))
    content.finish()
    return content


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
    """Return the name of an archive's directory, from its beginning alone; ParseError where it has none."""
    content = Content()
    with open(open_regular(path), "rb") as raw:
        pieces = _unpacked(raw, path, chunk=FIRST_CHUNK)

        def read_at(offset: int, size: int) -> bytes:
            while content.size < offset + size <= IN_MEMORY and (part := next(pieces, None)):
                content.add(part)
            return b"".join(content.parts)[offset : offset + size]

        for member in _members(_Reader(read_at, path), path):
            if names := _checked_names(member.name, path):
                return names[0]
    raise _refusal(path, "a directory with files", "none")


def _members(reader: _Reader, path: str) -> Iterator[TarInfo]:
    """Yield the members of a tar file. Raises ParseError where it is none or is damaged."""
    damage = (tarfile.TarError, ValueError, LookupError, ArithmeticError, RecursionError, struct.error)
    try:
        with tarfile.TarFile(fileobj=reader) as tar:  # type: ignore[arg-type]  # reading needs no more
            while (member := tar.next()) is not None:
                yield member
                tar.members.clear()  # type: ignore[attr-defined]  # it would keep them all
            end = reader.read_at(tar.offset, BLOCK)
    except damage as error:
        if isinstance(error, ParseError):
            raise
        raise _refusal(path, "a tar file", f"damage ({error})", "fetch the file again") from None
    if end.strip(b"\0"):
        raise _refusal(path, "a tar file", f"damage at byte {tar.offset:,}", "fetch the file again")


def index_archive(content: Content, path: str, limits: Limits = IN_PLACE) -> Index:
    """Return the Index of an archive's Content. Raises ParseError for anything that is not safe or not in the
    form of appendix A: one directory with plain files and directories."""
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
                found = " and ".join(map(repr, sorted(tops)))
                raise _refusal(path, "one directory, named like the dataset or method", found)
            _enter(member, names, files, folders, path)
    if not files:
        raise _refusal(path, "a directory with files", "none")
    return Index(tops.pop(), files, folders, hidden)


def _safe_members(content: Content, path: str, limits: Limits) -> Iterator[TarInfo]:
    """Yield the members of an archive's Content. Raises ParseError for one that is no plain file or
    directory, too large, or not there as a whole."""
    for member in _members(_Reader(content.read, path), path):
        if not (member.isreg() or member.isdir()) or member.issparse():
            raise _refusal(path, "plain files and directories only", f"{_kind(member)} {_shown(member.name)}")
        if not 0 <= member.size <= limits.file_bytes:
            expected = f"files of at most {limits.file_bytes:,} bytes"
            raise _refusal(path, expected, f"{_shown(member.name)} of {member.size:,}")
        if not member.isdir() and member.offset_data + member.size > content.size:
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
    """Return the components of a member's name, none of which leads out of the archive's directory."""
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
