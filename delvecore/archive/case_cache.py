"""Cases of datasets as Arrow tables, kept between runs like the archive's other tables."""

import pyarrow as pa

from delvecore.archive.snapshot import Unit
from delvecore.cache import Cache
from delvecore.errors import DelveError

__all__ = ["CaseCache"]


class CaseCache:
    """Cases by dataset, memory-mapped from the cache where it can be used, else kept in memory.

    base: the cache directory, None to do without; form: the format of the tables in the cache; writes: may
    something be added to the cache?
    """

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
            self.kept[unit.key] = _read_cases(unit)
        return self.kept[unit.key]


def _read_cases(unit: Unit) -> pa.Table:
    from delvecore.archive.dataset_unit import read_dataset_unit

    read = read_dataset_unit(unit)
    if read.case_table is None:
        nothing = f"/{unit.names[1]}: expected a file Dataset.data or Dataset.generator, found none"
        raise DelveError(str(read.errors[0] if read.errors else nothing))
    return read.case_table
