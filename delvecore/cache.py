"""Tables kept between runs: memory-mapped Arrow files in the user's cache directory, outside the archive.

A generation is a directory with all tables of one state of an archive, and a manifest with the SHA-256 of
each file. It is written beside and renamed, so that a reader sees all of it or nothing and two processes
cannot disturb one another. A generation that is damaged in any way is told and counts as absent. Large tables
are checked when they are first asked for, the others at once."""

import functools
import hashlib
import json
import mmap
import os
import threading
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from delvecore.durable import scratch_directory, sweep, sync

__all__ = ["Cache", "Generation", "digest_of", "format_hash", "read_checked", "say_damaged"]
__all__ += ["write_checked", "write_whole"]

FORMAT = 3
MANIFEST = "manifest.json"
BLOCK, THREADS = 1 << 22, 4
"""In how many bytes a large file is taken for its digest, and by how many threads."""
NEW, OLD = ".new-", ".old-"
"""How directories are named that are being written, or removed."""
DAMAGE = (OSError, ValueError, KeyError, TypeError, pa.ArrowException)
Remake = Callable[[], Mapping[str, pa.Table]]


def format_hash(schemas: dict[str, pa.Schema], version: str) -> str:
    """Return a hash that changes when what is written into a cache would differ for the same files."""
    described = [f"{name}:{schema}" for name, schema in sorted(schemas.items())]
    return hashlib.blake2b("\n".join([str(FORMAT), version, *described]).encode(), digest_size=8).hexdigest()


@functools.cache
def say_damaged(path: str) -> None:
    """Say, once, that a file of the cache is not what was written and is made anew."""
    import logging

    logging.getLogger("delvecore").warning("%s: expected what was kept here, found damage; made anew", path)


def write_whole(path: str, data: bytes) -> None:
    """Write a file of the cache, and the directories to it, so that it is there whole or not at all. Several
    processes may do so at once. Raises OSError."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with scratch_directory(NEW, os.path.dirname(path)) as beside:
        inside = os.path.join(beside, os.path.basename(path))
        with open(inside, "wb") as file:
            file.write(data)
        sync([inside])
        os.replace(inside, path)


def write_checked(path: str, data: object) -> None:
    """Write what JSON can hold as a file of the cache, with its digest. Raises OSError."""
    text = json.dumps(data, separators=(",", ":")).encode()
    write_whole(path, digest_of(text).encode() + b"\n" + text)


def read_checked(path: str) -> Any:
    """Return what `write_checked` wrote, None where there is none; a damaged file counts as absent."""
    try:
        with open(path, "rb") as file:
            digest, text = file.read().split(b"\n", 1)
        if digest != digest_of(text).encode():
            raise ValueError("the file is not what was written")
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        say_damaged(path)
        return None
    return json.loads(text)


class Generation(dict[str, pa.Table]):
    """Tables by name. late: gives those that are checked when they are first asked for; place: of all, for
    people; remake: gives all anew where one of the late ones is damaged."""

    def __init__(
        self,
        tables: Mapping[str, pa.Table],
        late: Mapping[str, Callable[[], pa.Table]] = MappingProxyType({}),
        *,
        place: str = "",
        remake: Remake = dict,
    ) -> None:
        super().__init__(tables)
        self.late, self.place, self.remake = late, place, remake

    def __missing__(self, name: str) -> pa.Table:
        try:
            self[name] = self.late[name]()
        except DAMAGE:
            say_damaged(self.place)
            self.update(self.remake())
        return self[name]


class Cache:
    """The cached generations of one archive, given by its directories, the tables' format and names. late:
    names of the large tables."""

    def __init__(
        self, base: str, paths: list[str], form: str, names: Collection[str], late: Collection[str] = ()
    ) -> None:
        self.names, self.late = set(names), set(late)
        name = hashlib.blake2b("\n".join([form, *paths]).encode(), digest_size=16).hexdigest()
        self.directory = os.path.join(base, "archives", name)

    def load(self, state: str, remake: Remake | None = None) -> Generation | None:
        """Return the tables of this state, memory-mapped, or None where they are absent or damaged. remake:
        gives all tables anew; with it the large ones are checked when they are first asked for."""
        return self._load(os.path.join(self.directory, state), remake)

    def load_any(self) -> Generation | None:
        """Return the tables of the newest undamaged generation, whatever its state, or None."""
        for path in sorted(self._generations(), key=_modified, reverse=True):
            tables = self._load(path)
            if tables is not None:
                return tables
        return None

    def store(self, state: str, tables: Mapping[str, pa.Table], *, lasting: bool = True) -> None:
        """Write a generation and remove the older ones; OSError where the cache cannot be written. lasting:
        put it on the disk, so that it outlasts the machine's end."""
        os.makedirs(self.directory, exist_ok=True)
        sweep(OLD, self.directory)
        with scratch_directory(NEW, self.directory) as temporary:
            files = {name: _write(os.path.join(temporary, f"{name}.arrow"), t) for name, t in tables.items()}
            with open(os.path.join(temporary, MANIFEST), "w") as manifest:
                json.dump(files, manifest)
            if lasting:
                sync([os.path.join(temporary, name) for name in os.listdir(temporary)])
            self._put(temporary, os.path.join(self.directory, state))
        self._forget(keep=state)

    def _put(self, temporary: str, final: str) -> None:
        """Rename into place. Another process may do so too: its files are as good as ours."""
        if os.path.isdir(final):
            with scratch_directory(OLD, self.directory) as former:
                os.replace(final, os.path.join(former, "generation"))
        try:
            os.rename(temporary, final)
        except OSError:
            if not os.path.isdir(final):
                raise

    def _load(self, path: str, remake: Remake | None = None) -> Generation | None:
        try:
            with open(os.path.join(path, MANIFEST)) as manifest:
                digests = dict(json.load(manifest))
            if set(digests) != self.names:
                raise ValueError("these are not the tables that were written")
            files = {name: _mapped(os.path.join(path, f"{name}.arrow")) for name in digests}
            read = {name: functools.partial(_read, file, digests[name]) for name, file in files.items()}
            late = {name: read.pop(name) for name in self.late if remake}
            tables = {name: table() for name, table in read.items()}
        except FileNotFoundError:
            return None
        except DAMAGE:
            say_damaged(path)
            return None
        return Generation(tables, late, place=path, remake=remake or dict)

    def _generations(self) -> list[str]:
        try:
            with os.scandir(self.directory) as entries:
                return [entry.path for entry in entries if entry.is_dir() and entry.name[0] != "."]
        except OSError:
            return []

    def _forget(self, keep: str) -> None:
        for path in self._generations():
            if os.path.basename(path) != keep:
                _remove(path)

    def remove(self) -> None:
        """Remove all generations."""
        _remove(self.directory)


def _remove(path: str) -> None:
    import shutil  # takes longer to import than a cache to read

    shutil.rmtree(path, ignore_errors=True)


def _modified(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _write(path: str, table: pa.Table) -> str:
    """Write a table in the pieces that its first column has, one after the other; return its digest."""
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        first = 0
        for piece in table.column(0).chunks:
            writer.write_table(table.slice(first, len(piece)).combine_chunks())
            first += len(piece)
    return digest_of(_mapped(path))


def _read(file: mmap.mmap, digest: str) -> pa.Table:
    if digest_of(file) != digest:
        raise ValueError("the file is not what was written")
    return pa.ipc.open_file(pa.py_buffer(file)).read_all()


def _mapped(path: str) -> mmap.mmap:
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def digest_of(content: mmap.mmap | bytes) -> str:
    """Return what tells later whether a file of the cache is what was written: the SHA-256 of those of its
    blocks, which several threads make at once. What is mapped takes no memory then until it is used."""
    view = memoryview(content)
    digests = [b""] * -(-len(view) // BLOCK)

    def digest(first: int) -> None:
        for place in range(first, len(digests), THREADS):
            block = view[place * BLOCK : (place + 1) * BLOCK]
            digests[place] = hashlib.sha256(block).digest()
            if isinstance(content, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
                content.madvise(mmap.MADV_DONTNEED, place * BLOCK, len(block))

    threads = [
        threading.Thread(target=digest, args=(first,)) for first in range(1, min(THREADS, len(digests)))
    ]
    for thread in threads:
        thread.start()
    digest(0)
    for thread in threads:
        thread.join()
    return hashlib.sha256(b"".join(digests)).hexdigest()
