"""Tables kept between runs: memory-mapped Arrow files in the user's cache directory, outside the archive.

A generation is a directory with all tables of one state of an archive, and a manifest with the SHA-256 of
each file. It is written beside and renamed, so that a reader sees all of it or nothing and two processes
cannot disturb one another. A generation that is damaged in any way is told and counts as absent. Large tables
are checked when they are first asked for, those of several pieces a piece at a time, the others at once."""

import functools
import hashlib
import json
import mmap
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import pyarrow as pa

from delvecore.atomic_io import scratch_directory, sweep, sync
from delvecore.checked_files import NEW, digest_of, expect, say_damaged

__all__ = ["Cache", "Choose", "Generation", "Sealed", "format_hash", "some_rows"]

FORMAT = 3
MANIFEST = "manifest.json"
OLD = ".old-"
"""How directories are named that are being removed."""
DAMAGE = (OSError, ValueError, KeyError, TypeError, pa.ArrowException)
Remake = Callable[[], Mapping[str, pa.Table]]
Choose = Callable[[pa.Table], pa.Array | pa.ChunkedArray]
"""Gives a mask of the rows wanted, from all but the lists of numbers in the last column."""
SEALS = ".seals"
"""How the file beside a table of several pieces is called on, that has the digests of its numbers."""


def format_hash(schemas: dict[str, pa.Schema], version: str) -> str:
    """Return a hash that changes when what is written into a cache would differ for the same files."""
    described = [f"{name}:{schema}" for name, schema in sorted(schemas.items())]
    return hashlib.blake2b("\n".join([str(FORMAT), version, *described]).encode(), digest_size=8).hexdigest()


class Sealed(NamedTuple):
    """A piece of a table of several. rows: all of it, their numbers not checked yet; digest: of the numbers;
    check: reads them once, and raises DamagedError where they are not those."""

    rows: pa.Table
    digest: str
    check: Callable[[], None]


class _Mapped:
    """A table in a file of the cache, mapped into memory. Of one of several pieces all but the numbers of its
    last column is checked when it is first used, and of those what is asked for; any other is checked whole.
    All but making it raises one of DAMAGE where what is asked for is not what was written."""

    def __init__(self, path: str, digest: str) -> None:
        self.file, self.digest = _mapped(path), digest
        self.seals = _mapped(path + SEALS)[:] if os.path.exists(path + SEALS) else None
        self._left: dict[int, tuple[int, int, str]] = {}

    @functools.cached_property
    def _table(self) -> pa.Table:
        expect(digest_of(self.file if self.seals is None else self.seals), self.digest)
        if self.seals is not None:
            seals = json.loads(self.seals)
            expect(_digest_of_rest(self.file, seals["numbers"]), seals["rest"])
            self._left = dict(enumerate(seals["numbers"]))
        return pa.ipc.open_file(pa.py_buffer(self.file)).read_all()

    def whole(self) -> pa.Table:
        table = self._table
        for number in list(self._left):
            self._check(number)
        return table

    def pieces(self) -> list[Sealed]:
        """Return the pieces of a table of several; none of any other."""
        if self.seals is None:
            return []
        batches, numbers = self._table.to_batches(), json.loads(self.seals)["numbers"]
        return [
            Sealed(pa.Table.from_batches([batch]), digest, functools.partial(self._check, number))
            for number, (batch, (*_, digest)) in enumerate(zip(batches, numbers, strict=True))
        ]

    def where(self, choose: Choose) -> pa.Table:
        """Return the rows that are chosen."""
        import pyarrow.compute as pc  # takes longer to import than a cache to read

        from delvecore.number_format.list_columns import rows_where

        mask, first = choose(self._table), 0
        for number, piece in enumerate(self._table.columns[-1].chunks):
            if pc.any(mask.slice(first, len(piece))).as_py():
                self._check(number)
            first += len(piece)
        return rows_where(self._table, mask)

    def _check(self, number: int) -> None:
        if (left := self._left.get(number)) is not None:
            start, stop, digest = left
            expect(digest_of(self.file, start, stop), digest)
            self._left.pop(number, None)


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
            self[name] = self.late[name].whole()
        except DAMAGE:
            self.make_anew()
        return self[name]

    def pieces(self, name: str) -> list[Sealed]:
        """Return the pieces of a late table that has several, unchecked; none of any other."""
        try:
            return self.late[name].pieces() if name in self.late else []
        except DAMAGE:
            self.make_anew()
            return []

    def some(self, name: str, choose: Choose) -> pa.Table:
        """Return some rows of a table, which alone are checked where they are in pieces of their own."""
        if name in self.late and name not in self:
            try:
                return self.late[name].where(choose)
            except DAMAGE:
                self.make_anew()
        return some_rows(dict(self), name, choose)

    def make_anew(self) -> None:
        """Have all tables made anew, where one is not what was written."""
        say_damaged(self.place)
        made = self.remake()
        self.update({name: made[name] for name in (*made, *self.late)})
        self.late = {}


def some_rows(tables: Mapping[str, pa.Table], name: str, choose: Choose) -> pa.Table:
    """Return the rows of a table that are chosen; those of a large one are not copied."""
    from delvecore.number_format.list_columns import rows_where

    if isinstance(tables, Generation):
        return tables.some(name, choose)
    return rows_where(tables[name], choose(tables[name]))


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
            files = {name: _Mapped(os.path.join(path, f"{name}.arrow"), digests[name]) for name in digests}
            late = {name: files.pop(name) for name in self.late if remake}
            tables = {name: file.whole() for name, file in files.items()}
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
    file = _mapped(path)
    if table.column(0).num_chunks < 2 or table.schema[-1].type != pa.list_(pa.float64()):
        return digest_of(file)
    whole = pa.py_buffer(file)
    buffers = [piece.values.buffers()[1] for piece in pa.ipc.open_file(whole).read_all().columns[-1].chunks]
    places = [(one.address - whole.address, one.address - whole.address + one.size) for one in buffers]
    numbers = [(*place, digest_of(file, *place)) for place in places]
    seals = json.dumps({"numbers": numbers, "rest": _digest_of_rest(file, numbers)}).encode()
    with open(path + SEALS, "wb") as beside:
        beside.write(seals)
    return digest_of(seals)


def _digest_of_rest(file: mmap.mmap, numbers: Sequence[tuple[int, int, str]]) -> str:
    """Return the digest of what is between stretches of a file."""
    ends = [0, *(stop for _, stop, _ in numbers)]
    starts = [*(start for start, _, _ in numbers), len(file)]
    return digest_of(b"".join(file[end:start] for end, start in zip(ends, starts, strict=True)))


def _mapped(path: str) -> mmap.mmap:
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
