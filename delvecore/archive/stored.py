"""What is kept of an archive between runs: its tables, the cases of its datasets, what archive files hold.
The tables are the public ones, most with the unit that a row came from."""

import hashlib
import os
from typing import Any

import pyarrow as pa

from delvecore.archive.snapshot import Unit
from delvecore.cache import Cache
from delvecore.checked_files import read_checked, write_checked
from delvecore.errors import DelveError, ParseError
from delvecore.readers.archives.packed import archives_in, known_indexes, remember_index
from delvecore.readers.archives.tar_index import Index
from delvecore.readers.hierarchy import PARTS
from delvecore.tables import RESULTS, SCHEMAS

__all__ = [
    "LATE",
    "LOSS_ORDER",
    "PLACE",
    "READ",
    "STORED",
    "UNITS",
    "UNSETTLED",
    "CaseCache",
    "IndexCache",
    "Row",
    "Tables",
]
__all__ += ["problem_row"]

Row = dict[str, Any]
"""One row of a table by the names of its columns, whose types the table's schema tells."""
Tables = dict[str, pa.Table]

_UNIT = pa.field("unit", pa.string())
LOSS_ORDER = ("dataset", "prototask", "prior", "training_size", "loss", "method", "instance")
PLACE = ("method", "dataset", "prototask", "task")
_TEXTS = [(name, pa.string()) for name in (*PLACE, "loss")]
UNITS = pa.schema([_UNIT, ("state", pa.string())])
READ = {name: pa.schema([_UNIT, *schema]) for name, schema in SCHEMAS.items() if name != "results"}
READ["standardizers"] = pa.schema([_UNIT, *_TEXTS, ("standardizer", pa.float64())])
UNSETTLED = "unsettled"
"""The state in the cache of tables that are not, or may not be, those of the files' state."""
STORED = {**READ, "units": UNITS, "results": RESULTS}
LATE = ("losses",)
"""The large tables of STORED, which are checked in the cache when they are first used."""


def problem_row(error: ParseError) -> Row:
    """Return the row of the problems table for a fault."""
    return {**error.problem._asdict(), "message": error.problem.message}


class CaseCache:
    """Cases by dataset, memory-mapped from the cache where it can be used, else kept in memory. base: the
    cache directory, None to do without; form: the format of the tables in the cache; writes: may something be
    added to the cache?"""

    def __init__(self, base: str | None, form: str, *, writes: bool = True) -> None:
        self.base, self.form, self.writes = base, form, writes
        self.kept: dict[str, pa.Table] = {}

    def _cache(self, unit: Unit) -> Cache | None:
        return Cache(self.base, ["cases", *unit.directories], self.form, ["cases"]) if self.base else None

    def keep(self, unit: Unit, table: pa.Table | None) -> None:
        """Keep the cases of a dataset that was just read; None where it has none."""
        if table is None:
            return
        cache = self._cache(unit)
        if cache is None or not self.writes:
            self.kept[unit.key] = table
            return
        try:
            cache.store(unit.state, {"cases": table})
        except OSError:
            self.kept[unit.key] = table

    def load(self, unit: Unit) -> pa.Table:
        """Return the cases of a dataset; DelveError where its specification or data cannot be read."""
        cache = self._cache(unit)
        stored = cache.load(unit.state) if cache and unit.key not in self.kept else None
        if stored is not None:
            return stored["cases"]
        if unit.key not in self.kept:
            from delvecore.archive.dataset_unit import read_dataset_unit

            read = read_dataset_unit(unit)
            if read.case_table is None:
                nothing = f"/{unit.names[1]}: expected a file Dataset.data or Dataset.generator, found none"
                raise DelveError(str(read.errors[0] if read.errors else nothing))
            if not read.errors.passing:
                self.keep(unit, read.case_table)
            return read.case_table
        return self.kept[unit.key]


class IndexCache:
    """The indexes of the archive files in some delve directories, which say what they hold without unpacking.
    An index counts for as long as its file has the same size and times, as within a run. base: the cache
    directory, None for no cache; form: changes when indexes would be made otherwise."""

    def __init__(self, base: str | None, form: str, roots: list[str]) -> None:
        self._places = [os.path.join(root, part) for root in roots for part in PARTS]
        name = hashlib.blake2b("\n".join([form, *roots]).encode(), digest_size=16).hexdigest()
        self._path = os.path.join(base, "indexes", name) if base else None
        self._recalled: dict[str, tuple[int, ...]] = {}

    def recall(self) -> None:
        """Make known what was kept; a damaged file counts as absent."""
        if self._path is None:
            return
        read = read_checked(self._path) or {}
        kept = {path: (tuple(mark), Index(*index)) for path, (mark, index) in read.items()}
        for path, (mark, index) in kept.items():
            remember_index(path, mark, index)
        self._recalled = {path: mark for path, (mark, _) in kept.items()}

    def keep(self) -> None:
        """Keep what is known now, where it is not what was recalled. A cache that cannot be written is told
        with the tables, which cannot be kept there either."""
        if self._path is None:
            return
        found = known_indexes(path for place in self._places for path in archives_in(place))
        if {path: mark for path, (mark, _) in found.items()} != self._recalled:
            try:
                write_checked(self._path, found)
            except OSError:
                return
