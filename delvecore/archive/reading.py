"""Contents of delve directories, read once and cached until a change: the archive's tables, the cases of its
datasets, and the indexes of archive files.

On first use, several processes read a large archive in parts. Each part is one dataset with all its results.
The cache keeps each part, so that only unfinished parts are lost if the program is killed. Parts are removed
when the whole is complete."""

import contextlib
import functools
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from delvecore import locations
from delvecore.archive.building import KeepCases, Notify, OpeningStep, build_tables, unit_states
from delvecore.archive.dataset_unit import read_dataset_unit
from delvecore.archive.loss_rows import LazyTables
from delvecore.archive.scores.opening import sources_of
from delvecore.archive.shipped import find_shipped, prove_shipped, read_shipped
from delvecore.archive.snapshot import Snapshot, Unit, state_of_units, take_snapshot
from delvecore.cache import FORM as FORM
from delvecore.cache import Cache, kept, kept_indexes
from delvecore.errors import DelveError, Fault, Faults, Report, attempt
from delvecore.losses.published import PUBLISHED, PublishedResult, read_published_of
from delvecore.model import TaskArray
from delvecore.names import hash_of
from delvecore.parallel.processes import in_processes, usable_cores
from delvecore.readers.array import SPECIFICATION, no_member, parse_array
from delvecore.readers.files import read_text
from delvecore.readers.tar_archives import Identity
from delvecore.readers.tree_digest import is_current
from delvecore.tables import PUBLISHED as PUBLISHED_RESULTS
from delvecore.tables import READ, STORED, UNITS, Tables, distinct_rows, rows_of, table_of

UNSETTLED = "unsettled"
"""The state in the cache of tables that do not, or may not, match the files."""


class CaseCache:
    """Cases by dataset, memory-mapped from the cache if possible, otherwise kept in memory."""

    def __init__(self, base: str | None, form: str, *, writes: bool = True) -> None:
        self.base, self.form, self.writes = base, form, writes
        self.kept: dict[str, pa.Table] = {}

    def _cache(self, unit: Unit) -> Cache | None:
        return Cache(self.base, ["cases", *unit.directories], self.form, ["cases"]) if self.base else None

    def keep(self, unit: Unit, table: pa.Table | None) -> None:
        """Cache the cases of a newly read dataset; `table` is None if it has none."""
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
        """Return the cases of a dataset. Raises DelveError if its specification or data cannot be read."""
        cache = self._cache(unit)
        stored = cache.load(unit.state) if cache and unit.key not in self.kept else None
        if stored is not None:
            return stored["cases"]
        if unit.key not in self.kept:
            read = read_dataset_unit(unit)
            if read.case_table is None:
                nothing = f"/{unit.names[1]}: expected a file Dataset.data or Dataset.generator, found none"
                raise DelveError(str(read.errors[0] if read.errors else nothing))
            if not read.errors.passing:
                self.keep(unit, read.case_table)
            return read.case_table
        return self.kept[unit.key]


Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
FEWEST_RESULTS = 200
"""Smallest number of results (one method on one task) for which it pays to start other processes."""


def sources(paths: Paths = None) -> tuple[list[str], list[str]]:
    """Return the delve directories and the files that `open` would read; addresses are queried, and local
    directories represent them. Raises DelveError if a path is neither."""
    if paths is None:
        listed = os.environ.get("DELVE_PATH")
        split = None if listed is None else locations.split_paths(listed)
        paths = locations.default_directories() if split is None else split
    places: Any = [paths] if isinstance(paths, str | os.PathLike) else paths
    if not isinstance(places, Iterable) or not all(isinstance(one, str | os.PathLike) for one in places):
        raise Fault("paths", "a path or a list of paths", type(paths).__name__)
    return sources_of(list(places))


Read = tuple[Snapshot, Tables, str | None]
"""Contents of the directories, their stored tables, and why the cache could not be used."""


def look(roots: list[str], *, follow_links: bool) -> Snapshot:
    """Return the contents of delve directories, with the faults of the file system there."""
    errors = Faults()
    snapshot = take_snapshot(roots, report=errors.append, follow_links=follow_links)
    return replace(snapshot, errors=errors)


def read_roots(
    roots: list[str],
    case_cache: CaseCache,
    *,
    verify: bool,
    follow_links: bool,
    notify: Notify,
    datasets: Collection[str] | None,
) -> Read:
    """Return the contents of delve directories, from the cache if possible. Arguments: see `open`."""
    base = case_cache.base
    with kept_indexes(roots, base, verify=verify) as are_kept:
        shipped = None if are_kept or verify else find_shipped(roots, FORM)
        files = prove_shipped(roots[0], *shipped) if shipped else None
        snapshot = look(roots, follow_links=follow_links)
    cache = Cache(base, roots, FORM, STORED) if base else None
    tables = cache.load(snapshot.state) if cache and not verify else None
    if tables:
        return snapshot, tables, None
    shipped = None if verify else shipped or find_shipped(roots, FORM)
    if shipped and _is_proved(roots[0], *shipped, files, snapshot.state, base):
        read_losses = functools.partial(_read_losses, roots, snapshot, cache, case_cache)
        make = {"units": functools.partial(units_of, snapshot)}
        tables = LazyTables(read_shipped(shipped[0], roots[0]), make, read_losses)
        return snapshot, tables, None
    return _read(roots, snapshot, cache, case_cache, verify=verify, notify=notify, datasets=datasets)


def _is_proved(
    root: str, folder: str, digest: str, files: Mapping[str, Identity] | None, state: str, base: str | None
) -> bool:
    """Do shipped tables belong to these files? The result is cached until the files change."""

    def prove() -> bool:
        proved = files or prove_shipped(root, folder, digest)
        return proved is not None and is_current(proved)

    place = os.path.join(base, "shipped", hash_of([FORM, root])) if base else None
    return bool(kept(place, [digest, state], prove))


def _read_losses(
    roots: list[str],
    seen: Snapshot,
    cache: Cache | None,
    case_cache: CaseCache,
    datasets: Collection[str] | None,
) -> pa.Table:
    """Return the losses on some datasets, or on all. Raises DelveError if files have changed since the
    archive was opened."""
    tables = cache.load(seen.state) if cache else None
    if tables:
        return tables["losses"]
    now = look(roots, follow_links=seen.hierarchy.follow_links)
    if now.state == seen.state and datasets is None:
        now, tables, _ = _read(
            roots, now, cache, case_cache, verify=False, notify=lambda step: None, datasets=None
        )
    elif now.state == seen.state:
        names = sorted(seen.datasets.keys() & set(datasets or ()))
        store = PartStore(now, case_cache.base)
        parts = {name: store.load(name) for name in _made(store, names)} if store.base else {}
        build = functools.partial(store.build, keep_cases=case_cache.keep)
        tables = joined({name: parts.get(name) or build(name) for name in names})
    if now.state != seen.state or (tables and not _is_settled(tables)):
        expected = "the files that the archive was opened with"
        raise Fault(", ".join(roots), expected, "others", "open the archive again")
    return tables["losses"] if tables else STORED["losses"].empty_table()


def _read(
    roots: list[str],
    snapshot: Snapshot,
    cache: Cache | None,
    case_cache: CaseCache,
    *,
    verify: bool,
    notify: Notify,
    datasets: Collection[str] | None,
) -> Read:
    """Read the units that the cache lacks, and cache them. Read again if files change during reading."""
    build = functools.partial(build_tables, keep_cases=case_cache.keep, notify=notify)
    old = cache.load_any() if cache and not verify else None
    is_large = old is None and not verify and len(snapshot.results) >= FEWEST_RESULTS
    parts = PartStore(snapshot, case_cache.base) if is_large and case_cache.base else None
    if parts and datasets and snapshot.datasets.keys() >= set(datasets):
        some = read_some(parts, sorted(datasets))
        if some is not None:
            return some
    tables = build(snapshot, read_in_parts(parts, notify) if parts else old)
    if not _is_settled(tables):
        snapshot = look(roots, follow_links=snapshot.hierarchy.follow_links)
        tables = build(snapshot, tables)
    state = snapshot.state if _is_settled(tables) else UNSETTLED
    try:
        if cache:
            cache.store(state, tables)
        if cache and parts:
            parts.remove()
        if cache:  # mapped from the cache, to free memory
            tables = cache.load(state) or tables
    except OSError as error:
        cannot = f"the cache cannot be written ({error.strerror})"
        notice = f"{cache.directory if cache else ''}: {cannot}; reading again next time"
        return snapshot, tables, notice
    return snapshot, tables, None


def units_of(snapshot: Snapshot) -> pa.Table:
    """Return the states of the units of an archive: schema `tables.UNITS`."""
    return table_of([{"unit": key, "state": state} for key, state in unit_states(snapshot).items()], UNITS)


def _is_settled(tables: Tables) -> bool:
    """Was every unit present and unchanged while it was read?"""
    return not tables["units"]["state"].null_count


def read_arrays(snapshot: Snapshot, prototasks: pa.Table, report: Report) -> tuple[TaskArray, ...]:
    """Return the task-arrays of a snapshot. A missing member is reported if its dataset exists; otherwise it
    is a hole."""
    if not snapshot.arrays:
        return ()
    rows = rows_of(prototasks, ("dataset", "prototask", "priors"))
    priors = {(dataset, prototask): prior for dataset, prototask, prior in rows}
    datasets = {dataset for dataset, _ in priors}
    arrays = []
    for name, unit in snapshot.arrays.items():
        path = unit.files[SPECIFICATION]
        text = attempt(report, read_text, path)
        array = None if text is None else parse_array(text, name, path, report=report)
        if array is not None:
            arrays.append(array)
        for member in array.members if array else ():
            known = priors.get((member.dataset, member.prototask), ())
            if member.dataset in datasets and member.prior not in known:
                report(no_member(path, member))
    return tuple(arrays)


def read_published(snapshot: Snapshot, tasks: pa.Table, report: Report) -> pa.Table:
    """Return published results of datasets, followed by those of methods. Results on unknown tasks are
    reported."""
    units = [*snapshot.datasets.values(), *snapshot.methods.values()]
    units = [unit for unit in units if PUBLISHED in unit.files]
    if not units:
        return PUBLISHED_RESULTS.empty_table()
    known = distinct_rows(tasks, ("dataset", "prototask", "task"))

    def is_task(one: PublishedResult) -> bool:
        return one.dataset not in snapshot.datasets or (one.dataset, one.prototask, one.task) in known

    rows = [
        {name: getattr(one, name) for name in PUBLISHED_RESULTS.names}
        for unit in units
        for one in read_published_of(unit.files, (unit.names[0], unit.names[1]), is_task, report=report)
    ]
    return table_of(rows, PUBLISHED_RESULTS)


class PartStore:
    """The parts of the contents of some directories, in a cache directory."""

    def __init__(self, whole: Snapshot, base: str | None) -> None:
        self.whole, self.base = whole, base
        self._of: dict[str, dict[tuple[str, str, str, str], Unit]] = {name: {} for name in whole.datasets}
        for key, unit in whole.results.items():
            self._of[key[1]][key] = unit

    def snapshot(self, name: str) -> Snapshot:
        dataset, results = self.whole.datasets[name], self._of[name]
        state = state_of_units([dataset, *results.values()])
        return Snapshot({name: dataset}, {}, {}, results, state, self.whole.hierarchy)

    def _cache(self, name: str) -> Cache:
        if self.base is None:
            raise ValueError("expected a cache directory, found none")
        return Cache(self.base, ["part", name, *self.whole.hierarchy.roots], FORM, STORED)

    def load(self, name: str) -> Tables | None:
        """Return the tables of a part, None if they are not in the cache."""
        return self._cache(name).load(self.snapshot(name).state)

    def build(self, name: str, *, keep_cases: KeepCases) -> Tables:
        """Read a part."""
        return build_tables(self.snapshot(name), None, keep_cases=keep_cases)

    def make(self, name: str, *, keep_cases: KeepCases) -> None:
        """Read a part and put it into the cache. Raises OSError if the cache cannot be written."""
        tables = self.build(name, keep_cases=keep_cases)
        self._cache(name).store(self.snapshot(name).state, tables, lasting=False)

    def remove(self) -> None:
        """Remove all parts, because the whole is cached."""
        for name in self.whole.datasets:
            self._cache(name).remove()


def read_in_parts(store: PartStore, notify: Notify) -> Tables | None:
    """Return the joined tables of the parts that could be made, or None without any, as a start for the
    archive's tables."""
    names = list(store.whole.datasets)
    parts: dict[str, Tables] = {}
    for name in _made(store, names):
        if (part := store.load(name)) is not None:
            parts[name] = part
            notify(OpeningStep(len(parts) / len(names), f"results on {name}"))
    return joined(parts) if parts else None


def read_some(store: PartStore, names: Sequence[str]) -> Read | None:
    """Return an archive with the results on some datasets only; None if a part could not be made."""
    made = {name: store.load(name) for name in _made(store, names)}
    parts = {name: part for name, part in made.items() if part is not None}
    if len(parts) < len(names):
        return None
    snapshot = store.whole
    others = {name: unit for name, unit in snapshot.datasets.items() if name not in parts}
    listed = {name: _listed(unit) for name, unit in others.items()}
    results = {key: unit for key, unit in snapshot.results.items() if key[1] in parts}
    reduced = replace(snapshot, results=results)
    tables = build_tables(reduced, joined({**listed, **parts}), keep_cases=lambda *_: None)
    return reduced, tables, None


def joined(parts: Mapping[str, Tables]) -> Tables:
    """Return the joined tables of parts, sorted by dataset, because the losses have this order."""
    several = [parts[name] for name in sorted(parts)]
    return {name: pa.concat_tables([part[name] for part in several]) for name in STORED} if several else {}


def _listed(unit: Unit) -> Tables:
    """Return a dataset's specifications, without its cases and results."""
    read = read_dataset_unit(unit, cases=False).tables
    tables = {name: read.get(name, schema.empty_table()) for name, schema in READ.items()}
    units = table_of([{"unit": unit.key, "state": unit.state}], UNITS)
    return tables | {"units": units, "results": STORED["results"].empty_table()}


def _made(store: PartStore, names: Sequence[str]) -> Iterator[str]:
    """Make missing parts in other processes; yield the name of each that may exist."""
    missing = [name for name in names if store.load(name) is None]
    yield from (name for name in names if name not in missing)
    if not missing:
        return
    if len(missing) == 1:
        with contextlib.suppress(OSError):  # reported when the whole cannot be cached
            store.make(missing[0], keep_cases=CaseCache(store.base, FORM).keep)
        yield from missing
        return
    hierarchy, workers = store.whole.hierarchy, min(usable_cores(), len(missing))
    make = functools.partial(_make_part, tuple(hierarchy.roots), hierarchy.follow_links, store.whole.state)
    with contextlib.closing(in_processes(make, missing, workers=workers)) as made:
        yield from (name for name, _ in made)


def _make_part(roots: tuple[str, ...], follow_links: bool, state: str, name: str) -> None:
    store = _store_here(roots, follow_links)
    if store.whole.state == state:  # otherwise the files have changed: the caller will notice
        store.make(name, keep_cases=CaseCache(store.base, FORM).keep)


@functools.lru_cache(maxsize=1)
def _store_here(roots: tuple[str, ...], follow_links: bool) -> PartStore:
    """Return the parts of directories in a process that makes some of them."""
    base = locations.cache_directory()
    with kept_indexes(roots, base):
        return PartStore(look(list(roots), follow_links=follow_links), base)
