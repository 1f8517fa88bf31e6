"""Tables kept between runs: memory-mapped Arrow files in the user's cache directory, outside the archive.

A generation is a directory with all tables of one state of an archive, and a manifest with size and checksum
of each file. It is written beside and renamed, so that a reader sees all of it or nothing and two processes
cannot disturb one another. A generation that is damaged in any way is told and counts as absent."""

import json
import os
import shutil
from collections.abc import Collection, Mapping

import pyarrow as pa

from delvecore.atomic_io import scratch_directory, sweep, sync
from delvecore.checked_files import NEW, checksum, expect, hash_of, say_damaged, sealed_content

FORMAT = 6
MANIFEST = "manifest.json"
OLD = ".old-"
"""How directories are named that are being removed."""
DAMAGE = (OSError, ValueError, KeyError, TypeError, pa.ArrowException)


def format_hash(schemas: dict[str, pa.Schema], version: str) -> str:
    """Return a hash that changes when what is written into a cache would differ for the same files."""
    described = [f"{name}:{schema}" for name, schema in sorted(schemas.items())]
    return hash_of([str(FORMAT), version, *described], size=8)


class Cache:
    """The cached generations of one archive, given by its directories, the tables' format and names."""

    def __init__(self, base: str, paths: list[str], form: str, names: Collection[str]) -> None:
        self.names = set(names)
        self.directory = os.path.join(base, "archives", hash_of([form, *paths]))

    def load(self, state: str) -> dict[str, pa.Table] | None:
        """Return the tables of this state, memory-mapped, or None where they are absent or damaged."""
        return self._load(os.path.join(self.directory, state))

    def load_any(self) -> dict[str, pa.Table] | None:
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

    def _load(self, path: str) -> dict[str, pa.Table] | None:
        try:
            with open(os.path.join(path, MANIFEST)) as manifest:
                told = dict(json.load(manifest))
            if set(told) != self.names:
                raise ValueError("these are not the tables that were written")
            return {name: _read(os.path.join(path, f"{name}.arrow"), *told[name]) for name in told}
        except FileNotFoundError:
            return None
        except DAMAGE:
            say_damaged(path)
            return None

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


def _read(path: str, size: int, told: str) -> pa.Table:
    """Return a table of the cache, mapped into memory. Raises one of DAMAGE unless it is what was written."""
    content = sealed_content(path, size)
    expect(checksum(content), told)
    return pa.ipc.open_file(pa.py_buffer(content)).read_all()


def _write(path: str, table: pa.Table) -> tuple[int, str]:
    """Write a table in the chunks that its first column has, one after the other; return the file's size and
    checksum."""
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        first = 0
        for chunk in table.column(0).chunks:
            writer.write_table(table.slice(first, len(chunk)).combine_chunks())
            first += len(chunk)
    content = sealed_content(path)
    return len(content), checksum(content)
