"""Tables kept between runs: memory-mapped Arrow files in the user's cache directory, outside the archive.

A generation is a directory with all tables of one state of an archive, and a manifest with the SHA-256 of
each file. It is written beside and renamed, so that a reader sees all of it or nothing and two processes
cannot disturb one another. A generation that is damaged in any way is told and counts as absent. Large tables
are checked when they are first asked for, the others at once."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

import pyarrow as pa

from delvecore.atomic_io import scratch_directory, sweep, sync
from delvecore.checked_files import NEW, digest_of, expect, say_damaged, sealed_content

FORMAT = 5
MANIFEST = "manifest.json"
OLD = ".old-"
"""How directories are named that are being removed."""
DAMAGE = (OSError, ValueError, KeyError, TypeError, pa.ArrowException)
Remake = Callable[[], Mapping[str, pa.Table]]


def format_hash(schemas: dict[str, pa.Schema], version: str) -> str:
    """Return a hash that changes when what is written into a cache would differ for the same files."""
    described = [f"{name}:{schema}" for name, schema in sorted(schemas.items())]
    return hashlib.blake2b("\n".join([str(FORMAT), version, *described]).encode(), digest_size=8).hexdigest()


class _Mapped:
    """A table in a file of the cache, mapped into memory. Its size is checked when it is mapped, its digest
    when it is read; both raise one of DAMAGE where the file is not what was written."""

    def __init__(self, path: str, size: int, digest: str) -> None:
        self.file, self.digest = sealed_content(path, size), digest

    def table(self) -> pa.Table:
        expect(digest_of(self.file), self.digest)
        return pa.ipc.open_file(pa.py_buffer(self.file)).read_all()


class Generation(dict[str, pa.Table]):
    """Tables by name. late: those that are checked when they are first asked for; place: of all, for people;
    remake: gives all anew where one of the late ones is damaged."""

    def __init__(
        self,
        tables: Mapping[str, pa.Table],
        late: Mapping[str, _Mapped] = MappingProxyType({}),
        *,
        place: str = "",
        remake: Remake = dict,
    ) -> None:
        super().__init__(tables)
        self.late: Mapping[str, _Mapped] = late
        self.place, self.remake = place, remake

    def __missing__(self, name: str) -> pa.Table:
        try:
            self[name] = self.late[name].table()
        except DAMAGE:
            say_damaged(self.place)
            made = self.remake()
            self.update({name: made[name] for name in (*made, *self.late)})
            self.late = {}
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
            files = {name: _Mapped(os.path.join(path, f"{name}.arrow"), *digests[name]) for name in digests}
            late = {name: files.pop(name) for name in self.late if remake}
            tables = {name: file.table() for name, file in files.items()}
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
    shutil.rmtree(path, ignore_errors=True)


def _modified(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _write(path: str, table: pa.Table) -> tuple[int, str]:
    """Write a table in the chunks that its first column has, one after the other; return the file's size and
    digest."""
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        first = 0
        for chunk in table.column(0).chunks:
            writer.write_table(table.slice(first, len(chunk)).combine_chunks())
            first += len(chunk)
    content = sealed_content(path)
    return len(content), digest_of(content)
