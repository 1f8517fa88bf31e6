"""A large archive is first read in parts, a dataset with all results on it each, by several processes.

A part is what the archive's tables say of one dataset. It lies in the cache under the state of its files, so
that a kill costs the parts that were being made, and goes when the whole is there."""

import contextlib
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from delvecore import locations
from delvecore.archive.building import KeepCases, Notify, OpeningStep, build_tables
from delvecore.archive.dataset_unit import read_dataset_unit
from delvecore.archive.file_contents import fetch_units
from delvecore.archive.reading import FORM, Read, Seen, look
from delvecore.archive.snapshot import Snapshot, Unit, state_of_units
from delvecore.archive.stored import READ, STORED, UNITS, CaseCache, IndexCache, Tables
from delvecore.cache import Cache
from delvecore.parallel.processes import in_processes
from delvecore.parallel.threads import usable_cores
from delvecore.readers.archives.packed import forget_contents
from delvecore.tables import table_of

__all__ = ["PartStore", "read_in_parts", "read_some"]


class PartStore:
    """The parts of what lies in some directories, in a cache directory."""

    def __init__(self, seen: Seen, base: str) -> None:
        self.seen, self.base = seen, base
        snapshot = seen.snapshot
        self._of: dict[str, dict[tuple[str, str, str, str], Unit]] = {name: {} for name in snapshot.datasets}
        for key, unit in snapshot.results.items():
            self._of[key[1]][key] = unit

    def snapshot(self, name: str) -> Snapshot:
        """Return what lies there of a dataset."""
        dataset, results = self.seen.snapshot.datasets[name], self._of[name]
        return Snapshot({name: dataset}, {}, {}, results, state_of_units([dataset, *results.values()]))

    def _cache(self, name: str) -> Cache:
        return Cache(self.base, ["part", name, *self.seen.hierarchy.roots], FORM, STORED)

    def load(self, name: str) -> Tables | None:
        """Return the tables of a part, None where they are not in the cache."""
        return self._cache(name).load(self.snapshot(name).state)

    def make(self, name: str, *, keep_cases: KeepCases) -> None:
        """Read a part and put it into the cache. Raises OSError where that cannot be written."""
        snapshot = self.snapshot(name)
        tables = build_tables(snapshot, self.seen.hierarchy, None, keep_cases=keep_cases)
        self._cache(name).store(snapshot.state, tables, lasting=False)

    def remove(self) -> None:
        """Remove all parts, for the whole is kept."""
        for name in self.seen.snapshot.datasets:
            self._cache(name).remove()


def read_in_parts(seen: Seen, store: PartStore, notify: Notify) -> Tables | None:
    """Return the tables of all parts that could be made, None of none, to build the archive's of."""
    names = list(seen.snapshot.datasets)
    parts: dict[str, Tables] = {}
    for name in _made(store, names):
        if (part := store.load(name)) is not None:
            parts[name] = part
            notify(OpeningStep(len(parts) / len(names), f"results on {name}"))
    return joined(parts) if parts else None


def read_some(seen: Seen, store: PartStore, names: Sequence[str]) -> Read | None:
    """Return an archive with the results on some datasets, whose parts stay in the cache, and of others what
    their specifications say; None where one of the parts could not be made."""
    made = {name: store.load(name) for name in _made(store, names)}
    parts = {name: part for name, part in made.items() if part is not None}
    if len(parts) < len(names):
        return None
    snapshot = seen.snapshot
    listed = _listing(snapshot, snapshot.datasets.keys() - parts.keys())
    results = {key: unit for key, unit in snapshot.results.items() if key[1] in parts}
    found = seen._replace(snapshot=replace(snapshot, results=results))
    tables = joined({**listed, **parts})
    tables = build_tables(found.snapshot, seen.hierarchy, tables, keep_cases=lambda *_: None)
    return Read(found, tables, None, tuple(sorted(listed)))


def joined(parts: Mapping[str, Tables]) -> Tables:
    """Return the tables of parts in one, in the order of datasets, which is that of losses."""
    several = [parts[name] for name in sorted(parts)]
    return {name: pa.concat_tables([part[name] for part in several]) for name in STORED} if several else {}


def _listing(snapshot: Snapshot, names: Iterable[str]) -> dict[str, Tables]:
    units = {name: snapshot.datasets[name] for name in names}
    fetch_units(units.values(), cases=False)
    return {name: _listed(unit) for name, unit in units.items()}


def _listed(unit: Unit) -> Tables:
    """Return what a dataset's specifications say, without its cases and results."""
    rows = read_dataset_unit(unit, cases=False).rows
    tables = {
        name: table_of([{"unit": unit.key, **row} for row in rows.get(name, ())], READ[name]) for name in READ
    }
    units = table_of([{"unit": unit.key, "state": unit.state}], UNITS)
    return tables | {"units": units, "results": STORED["results"].empty_table()}


def _made(store: PartStore, names: Sequence[str]) -> Iterator[str]:
    """Have other processes make the parts of these names that are missing; yield the name of each that may be
    there. Parts that they cannot make are left to the caller."""
    missing = [name for name in names if store.load(name) is None]
    yield from (name for name in names if name not in missing)
    if not missing:
        return
    if len(missing) == 1:
        with contextlib.suppress(OSError):  # told when the whole cannot be kept
            store.make(missing[0], keep_cases=CaseCache(store.base, FORM).keep)
        yield from missing
        return
    forget_contents()  # others read now
    hierarchy, workers = store.seen.hierarchy, min(usable_cores(), len(missing))
    make = functools.partial(
        _make_part, tuple(hierarchy.roots), hierarchy.follow_links, store.seen.snapshot.state
    )
    with contextlib.closing(in_processes(make, missing, workers=workers, imports_main=False)) as made:
        yield from (name for name, _ in made)


def _make_part(roots: tuple[str, ...], follow_links: bool, state: str, name: str) -> None:
    store = _store_here(roots, follow_links)
    if store.seen.snapshot.state == state:  # else the files have changed: whoever asked will see
        store.make(name, keep_cases=CaseCache(store.base, FORM).keep)


@functools.lru_cache(maxsize=1)
def _store_here(roots: tuple[str, ...], follow_links: bool) -> PartStore:
    """Return the parts of directories in a process that makes some of them."""
    base = locations.cache_directory()
    IndexCache(base, FORM, list(roots)).recall()
    return PartStore(look(list(roots), follow_links=follow_links), base)
