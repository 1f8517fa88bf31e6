"""Tables kept between runs: memory-mapped Arrow files in the user's cache directory, outside the archive.

A generation is a directory with all tables of one state of an archive, and a manifest with the size and a
checksum of each file. It is written beside and renamed, so that a reader sees all of it or nothing and two
processes cannot disturb one another. A generation that is damaged in any way counts as absent.
"""

import hashlib
import json
import os
from collections.abc import Collection

import numpy as np
import pyarrow as pa

__all__ = ["Cache", "format_hash", "write_whole"]

FORMAT = 1
MANIFEST = "manifest.json"
DAMAGE = (OSError, ValueError, KeyError, TypeError, pa.ArrowException)


def format_hash(schemas: dict[str, pa.Schema], version: str) -> str:
    """Return a hash that changes when what is written into a cache would differ for the same files."""
    described = [f"{name}:{schema}" for name, schema in sorted(schemas.items())]
    return hashlib.blake2b("\n".join([str(FORMAT), version, *described]).encode(), digest_size=8).hexdigest()


def write_whole(path: str, data: bytes) -> None:
    """Write a file of the cache, and the directories to it, so that it is there whole or not at all. Several
    processes may do so at once. Raises OSError."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    beside = _new_directory(".new-", os.path.dirname(path))
    try:
        inside = os.path.join(beside, os.path.basename(path))
        with open(inside, "wb") as file:
            file.write(data)
        os.replace(inside, path)
    finally:
        _remove(beside)


class Cache:
    """The cached generations of one archive, given by its directories, the tables' format and names."""

    def __init__(self, base: str, paths: list[str], form: str, names: Collection[str]) -> None:
        self.names = set(names)
        name = hashlib.blake2b("\n".join([form, *paths]).encode(), digest_size=16).hexdigest()
        self.directory = os.path.join(base, "archives", name)

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

    def store(self, state: str, tables: dict[str, pa.Table]) -> None:
        """Write a generation and remove the older ones; OSError where the cache cannot be written."""
        os.makedirs(self.directory, exist_ok=True)
        temporary = _new_directory(".new-", self.directory)
        try:
            files = {name: _write(os.path.join(temporary, f"{name}.arrow"), t) for name, t in tables.items()}
            with open(os.path.join(temporary, MANIFEST), "w") as manifest:
                json.dump(files, manifest)
            self._put(temporary, os.path.join(self.directory, state))
        finally:
            _remove(temporary)
        self._forget(keep=state)

    def _put(self, temporary: str, final: str) -> None:
        """Rename into place. Another process may have been first: then its files are as good as ours."""
        if os.path.isdir(final):
            if self._load(final) is not None:
                return
            damaged = _new_directory(".old-", self.directory)
            os.replace(final, os.path.join(damaged, "generation"))
            _remove(damaged)
        try:
            os.rename(temporary, final)
        except OSError:
            if not os.path.isdir(final):
                raise

    def _load(self, path: str) -> dict[str, pa.Table] | None:
        try:
            with open(os.path.join(path, MANIFEST)) as manifest:
                files = dict(json.load(manifest))
            if set(files) != self.names:
                return None
            return {name: _read(os.path.join(path, f"{name}.arrow"), *facts) for name, facts in files.items()}
        except DAMAGE:
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


# Reading a cache needs neither module, and they take longer to import than it takes to read.
def _new_directory(prefix: str, parent: str) -> str:
    import tempfile

    return tempfile.mkdtemp(prefix=prefix, dir=parent)


def _remove(path: str) -> None:
    import shutil

    shutil.rmtree(path, ignore_errors=True)


def _modified(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _write(path: str, table: pa.Table) -> list[int]:
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return [os.path.getsize(path), _checksum(pa.memory_map(path).read_buffer())]


def _read(path: str, size: int, checksum: int) -> pa.Table:
    buffer = pa.memory_map(path).read_buffer()
    if buffer.size != size or _checksum(buffer) != checksum:
        raise ValueError("the file is not what was written")
    return pa.ipc.open_file(buffer).read_all()


def _checksum(buffer: pa.Buffer) -> int:
    """Return the sum of all 64-bit words, modulo 2^64: one pass at the speed of memory."""
    count = buffer.size // 8
    words = np.frombuffer(buffer, dtype=np.uint64, count=count)
    rest = int.from_bytes(buffer.slice(count * 8).to_pybytes(), "little")
    return (int(words.sum(dtype=np.uint64)) + rest) % 2**64
