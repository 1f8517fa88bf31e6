"""What lies in delve directories, read once and kept in the cache until it changes."""

import contextlib
import functools
import os
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import pyarrow as pa

from delvecore import __version__, locations
from delvecore.archive.building import OpeningStep, build_tables
from delvecore.archive.file_contents import content_path
from delvecore.archive.scores.sources import Sources, sources_of
from delvecore.archive.snapshot import Snapshot, take_snapshot
from delvecore.archive.stored import LATE, STORED, UNSETTLED, CaseCache, IndexCache, Tables
from delvecore.cache import Cache, format_hash
from delvecore.errors import Faults, Report, attempt
from delvecore.losses.published import PUBLISHED, PublishedResult, read_published_of
from delvecore.readers.array import SPECIFICATION, no_member, parse_array
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.tables import PUBLISHED as PUBLISHED_RESULTS
from delvecore.tables import distinct_rows, table_of
from delvecore.task_arrays import TaskArray

__all__ = ["FORM", "Notify", "Paths", "Read", "Seen", "look", "read_arrays"]
__all__ += ["read_published", "read_roots", "sources"]

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
Notify = Callable[["OpeningStep"], None]
FORM = format_hash(STORED, __version__)
"""Changes when what is kept in the cache would be otherwise."""
FEWEST_RESULTS = 200
"""So many methods' tasks have to be read for the start of other processes to pay."""


def sources(paths: Paths = None) -> Sources:
    """Return the delve directories and the files that `open` would read; of addresses, which are asked what
    there is, what stands for them. Raises DelveError where a path is neither."""
    if paths is None:
        listed = os.environ.get("DELVE_PATH")
        split = None if listed is None else locations.split_paths(listed)
        paths = locations.default_directories() if split is None else split
    return sources_of([paths] if isinstance(paths, str | os.PathLike) else paths)


class Seen(NamedTuple):
    """What lies in the directories, and the faults of the file system there."""

    snapshot: Snapshot
    errors: Faults
    hierarchy: Hierarchy


class Read(NamedTuple):
    """What lay there, the stored tables of it, and why the cache could not be used. pending: datasets that
    were not read."""

    seen: Seen
    tables: Tables
    notice: str | None
    pending: tuple[str, ...] = ()


def look(roots: list[str], *, follow_links: bool) -> Seen:
    errors = Faults()
    snapshot = take_snapshot(roots, report=errors.append, follow_links=follow_links)
    return Seen(snapshot, errors, Hierarchy(roots, follow_links=follow_links))


def read_roots(
    roots: list[str],
    case_cache: CaseCache,
    *,
    verify: bool,
    follow_links: bool,
    notify: Notify,
    datasets: Collection[str] | None,
) -> Read:
    """Return what lies in delve directories, from the cache where it is there. For the rest see `open`."""
    base = case_cache.base
    indexes = IndexCache(base, FORM, roots)
    if verify and base:
        with contextlib.suppress(OSError):
            os.unlink(content_path(base, roots))
    if not verify:
        indexes.recall()
    seen = look(roots, follow_links=follow_links)
    indexes.keep()
    kept = Cache(base, roots, FORM, STORED, LATE) if base else None
    read = functools.partial(_read, roots, seen, kept, case_cache, verify=verify)
    tables = kept.load(seen.snapshot.state, lambda: read().tables) if kept and not verify else None
    return Read(seen, tables, None) if tables else read(notify=notify, datasets=datasets)


def _read(
    roots: list[str],
    seen: Seen,
    cache: Cache | None,
    case_cache: CaseCache,
    *,
    verify: bool,
    notify: Notify = lambda step: None,
    datasets: Collection[str] | None = None,
) -> Read:
    """Read what the cache does not have, and put it there. What changes or fails meanwhile is read once more;
    where that does not help, the next opening reads it again."""
    from delvecore.archive.parts import PartStore, read_in_parts, read_some

    build = functools.partial(build_tables, keep_cases=case_cache.keep, notify=notify)
    old = cache.load_any() if cache and not verify else None
    is_large = old is None and not verify and len(seen.snapshot.results) >= FEWEST_RESULTS
    parts = PartStore(seen, case_cache.base) if is_large and case_cache.base else None
    if parts and datasets and seen.snapshot.datasets.keys() >= set(datasets):
        some = read_some(seen, parts, sorted(datasets))
        if some is not None:
            return some
    tables = build(seen.snapshot, seen.hierarchy, read_in_parts(seen, parts, notify) if parts else old)
    if not _is_settled(tables):
        seen = look(roots, follow_links=seen.hierarchy.follow_links)
        tables = build(seen.snapshot, seen.hierarchy, tables)
    state = seen.snapshot.state if _is_settled(tables) else UNSETTLED
    try:
        if cache:
            cache.store(state, tables)
        if cache and parts:
            parts.remove()
        if cache:  # mapped, so that they need not be in memory
            again = functools.partial(_read, roots, seen, None, case_cache, verify=verify)
            tables = cache.load(state, lambda: again().tables) or tables
    except OSError as error:
        cannot = f"the cache cannot be written ({error.strerror})"
        notice = f"{cache.directory if cache else ''}: {cannot}; reading again next time"
        return Read(seen, tables, notice)
    return Read(seen, tables, None)


def _is_settled(tables: Tables) -> bool:
    """Was every unit there, and the same, while it was read?"""
    return not tables["units"]["state"].null_count


def read_arrays(snapshot: Snapshot, prototasks: pa.Table, report: Report) -> tuple[TaskArray, ...]:
    """Return the task-arrays of a snapshot, by name. prototasks: those of the archive; a member that has none
    is a hole, not a fault, but one whose dataset is there without the prototask or prior is."""
    if not snapshot.arrays:
        return ()
    columns = (prototasks[name].to_pylist() for name in ("dataset", "prototask", "priors"))
    priors = {(dataset, prototask): found for dataset, prototask, found in zip(*columns, strict=True)}
    datasets = {dataset for dataset, _ in priors}
    found = []
    for name, unit in snapshot.arrays.items():
        path = unit.files[SPECIFICATION]
        text = attempt(report, read_text, path)
        array = None if text is None else parse_array(text, name, path, report=report)
        if array is not None:
            found.append(array)
        for member in array.members if array else ():
            known = priors.get((member.dataset, member.prototask), ())
            if member.dataset in datasets and member.prior not in known:
                report(no_member(path, member))
    return tuple(found)


def read_published(snapshot: Snapshot, tasks: pa.Table, report: Report) -> pa.Table:
    """Return what was published of methods on tasks, by the files of datasets, then by those of methods:
    schema `tables.PUBLISHED`. tasks: the archive's; a result on another of its datasets is reported."""
    units = [*snapshot.datasets.values(), *snapshot.methods.values()]
    units = [unit for unit in units if PUBLISHED in unit.files]
    if not units:
        return PUBLISHED_RESULTS.empty_table()
    known = distinct_rows(tasks, ("dataset", "prototask", "task"))

    def is_task(one: PublishedResult) -> bool:
        return one.dataset not in snapshot.datasets or (one.dataset, one.prototask, one.task) in known

    found = [
        {name: getattr(one, name) for name in PUBLISHED_RESULTS.names}
        for unit in units
        for one in read_published_of(unit.files, (unit.names[0], unit.names[1]), is_task, report=report)
    ]
    return table_of(found, PUBLISHED_RESULTS)
