"""Tables and other files in the user's cache directory, outside the archive.

Each is complete or counts as absent: files are written under a temporary name and renamed, and have a
checksum. A generation is a directory with all tables of one state of an archive: Arrow files that are mapped
into memory, and a manifest with the size and checksum of each. Two processes cannot disturb each other."""

import contextlib
import functools
import json
import logging
import mmap
import os
import shutil
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from delvecore import __version__
from delvecore.atomic_io import scratch_directory, sweep, sync
from delvecore.locations import PARTS
from delvecore.names import hash_of
from delvecore.readers.tar_archives import Index, archives_in, known_indexes, remember_index
from delvecore.tables import STORED

NEW = ".new-"
"""Name of directories that are being written."""
MAPS = "DELVE_MEMORY_MAPS"
"""Environment variable; with the value `no`, files of the cache are read whole."""


class DamagedError(ValueError):
    """A cached file differs from what was written."""


@functools.cache
def say_damaged(path: str) -> None:
    """Warn once that a file of the cache is damaged and is made again."""
    logging.getLogger("delvecore").warning(
        "%s: expected an intact cached file, found damage; made again", path
    )


def sealed_content(path: str, size: int | None = None) -> mmap.mmap | bytes:
    """Return the content of a file of the cache, mapped into memory, or read whole if MAPS is `no`. Only
    files that are written once and never truncated are mapped: a process that reads a truncated mapping is
    killed. size: in bytes, None for a file just written. Raises OSError, ValueError for an empty one, and
    DamagedError."""
    with open(path, "rb") as file:
        is_read = os.environ.get(MAPS, "").lower() == "no"
        content = file.read() if is_read else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if size not in (None, len(content)):
        raise DamagedError("the size differs from the one that was written")
    return content


def write_whole(path: str, data: bytes) -> None:
    """Write a file of the cache, and its parent directories, whole or not at all. Raises OSError."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with scratch_directory(NEW, os.path.dirname(path)) as beside:
        inside = os.path.join(beside, os.path.basename(path))
        with open(inside, "wb") as file:
            file.write(data)
        sync([inside])
        os.replace(inside, path)


def write_checked(path: str, value: object) -> None:
    """Write a JSON-compatible value as a file of the cache, with its checksum. Raises OSError."""
    data = json.dumps(value, separators=(",", ":")).encode()
    write_whole(path, checksum(data).encode() + b"\n" + data)


def read_checked(path: str) -> Any:
    """Return the value that `write_checked` wrote, None if absent; a damaged file counts as absent."""
    try:
        with open(path, "rb") as file:
            expected, data = file.read().split(b"\n", 1)
        expect(checksum(data), expected.decode())
        return json.loads(data)
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        say_damaged(path)
        return None


def kept(path: str | None, state: object, make: Callable[[], Any]) -> Any:
    """Return the JSON-compatible value of a file of the cache. It is made again if the state differs.

    If `path` is None, nothing is kept. A value that cannot be cached is made again the next time."""
    entry = read_checked(path) if path else None
    if isinstance(entry, list) and entry[:-1] == [state]:  # earlier versions wrote other values
        return entry[-1]
    value = make()
    if path:
        with contextlib.suppress(OSError):
            write_checked(path, [state, value])
    return value


def expect(actual: str, expected: str) -> None:
    """Raise DamagedError if a checksum differs from that of the written data."""
    if actual != expected:
        raise DamagedError("the file differs from the one that was written")


def checksum(content: mmap.mmap | bytes) -> str:
    """Return the checksum of a file's content. Then a mapping takes no memory until it is used again."""
    digits = f"{zlib.crc32(content):08x}"
    if isinstance(content, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        content.madvise(mmap.MADV_DONTNEED)
    return digits


FORMAT = 7
MANIFEST = "manifest.json"
OLD = ".old-"
"""Name of directories that are being removed."""
DAMAGE = (OSError, ValueError, KeyError, TypeError, pa.ArrowException)


def format_hash(schemas: dict[str, pa.Schema], version: str) -> str:
    """Return a hash that changes if the data written into a cache would differ for the same files."""
    described = [f"{name}:{schema}" for name, schema in sorted(schemas.items())]
    return hash_of([str(FORMAT), version, *described], size=8)


class Cache:
    """The cached generations of one archive, given by its directories, the tables' format and names."""

    def __init__(self, base: str, paths: list[str], form: str, names: Collection[str]) -> None:
        self.names = set(names)
        self.directory = os.path.join(base, "archives", hash_of([form, *paths]))

    def load(self, state: str) -> dict[str, pa.Table] | None:
        """Return the tables of this state, memory-mapped, or None if they are absent or damaged."""
        path = os.path.join(self.directory, state)
        tables: dict[str, pa.Table] = {}
        try:
            with open(os.path.join(path, MANIFEST)) as manifest:
                files = dict(json.load(manifest))
            if set(files) != self.names:
                raise ValueError("the tables differ from those that were written")
            for name, facts in files.items():
                tables[name] = _read(os.path.join(path, f"{name}.arrow"), *facts)
        except FileNotFoundError:
            return None
        except DAMAGE:
            say_damaged(path)
            return None
        return tables

    def has(self, state: str) -> bool:
        """Is there a generation of this state? Damage is detected when it is loaded."""
        return os.path.exists(os.path.join(self.directory, state, MANIFEST))

    def load_any(self) -> dict[str, pa.Table] | None:
        """Return the tables of the newest undamaged generation in any state, or None."""
        for path in sorted(self._generations(), key=_modified, reverse=True):
            tables = self.load(os.path.basename(path))
            if tables is not None:
                return tables
        return None

    def store(self, state: str, tables: Mapping[str, pa.Table], *, lasting: bool = True) -> None:
        """Write a generation, synced to the disk if `lasting`, and remove the older ones. Raises OSError."""
        os.makedirs(self.directory, exist_ok=True)
        sweep(OLD, self.directory)
        with scratch_directory(NEW, self.directory) as temporary:
            files = {name: _write(os.path.join(temporary, f"{name}.arrow"), t) for name, t in tables.items()}
            with open(os.path.join(temporary, MANIFEST), "w") as manifest:
                json.dump(files, manifest)
            if lasting:
                sync([os.path.join(temporary, name) for name in os.listdir(temporary)])
            self._put(temporary, os.path.join(self.directory, state))
        for path in self._generations():
            if os.path.basename(path) != state:
                shutil.rmtree(path, ignore_errors=True)

    def _put(self, temporary: str, final: str) -> None:
        """Rename into place. Another process may do the same, with equivalent files."""
        if os.path.isdir(final):
            with scratch_directory(OLD, self.directory) as former:
                os.replace(final, os.path.join(former, "generation"))
        try:
            os.rename(temporary, final)
        except OSError:
            if not os.path.isdir(final):
                raise

    def _generations(self) -> list[str]:
        try:
            with os.scandir(self.directory) as entries:
                return [entry.path for entry in entries if entry.is_dir() and entry.name[0] != "."]
        except OSError:
            return []

    def remove(self) -> None:
        shutil.rmtree(self.directory, ignore_errors=True)


def _modified(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _read(path: str, size: int, expected: str) -> pa.Table:
    """Return a table of the cache, mapped into memory. Raises one of DAMAGE if it differs from what was
    written."""
    content = sealed_content(path, size)
    expect(checksum(content), expected)
    options = pa.ipc.IpcReadOptions(use_threads=False)  # nothing is decoded
    return pa.ipc.open_file(pa.py_buffer(content), options=options).read_all()


def _write(path: str, table: pa.Table) -> tuple[int, str]:
    """Write a table, chunk by chunk; return the file's size and checksum."""
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        first = 0
        for chunk in table.column(0).chunks:
            writer.write_table(table.slice(first, len(chunk)).combine_chunks())
            first += len(chunk)
    content = sealed_content(path)
    return len(content), checksum(content)


FORM = format_hash(STORED, __version__)
"""Version of the cached data. Change it whenever their contents would differ."""


@contextlib.contextmanager
def kept_indexes(roots: Sequence[str], base: str | None, *, verify: bool = False) -> Iterator[bool]:
    """Keep the indexes of the archive files below some roots in a cache directory.

    Within the block, cached indexes are used; with `verify`, they are made again. Yields whether each archive
    file has one. If the cache cannot be written, that is reported when the tables are stored."""
    path = os.path.join(base, "indexes", hash_of([FORM, *roots])) if base else None
    before = (read_checked(path) or {}) if path and not verify else {}
    for archive, (identity, index) in before.items():
        remember_index(archive, tuple(identity), Index(*index))
    try:
        yield all(archive in before for archive in _archives_below(roots))
    finally:
        indexes = known_indexes(_archives_below(roots))
        is_same = {name: identity for name, (identity, _) in before.items()} == {
            name: list(identity) for name, (identity, _) in indexes.items()
        }
        if path and not is_same:
            with contextlib.suppress(OSError):
                write_checked(path, indexes)


def _archives_below(roots: Sequence[str]) -> list[str]:
    return [path for root in roots for part in PARTS for path in archives_in(os.path.join(root, part))]
