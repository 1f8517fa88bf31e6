"""Open delve directories as Arrow tables: `delvecore.open(path)` and the Archive that it returns. What only a
first reading or a comparison needs is imported there, so that a cached archive opens in milliseconds."""

import contextlib
import functools
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from delvecore import __version__, locations
from delvecore.archive.snapshot import Snapshot, take_snapshot
from delvecore.archive.stored import LATE, READ, STORED, UNSETTLED, CaseCache, IndexCache, Tables, problem_row
from delvecore.cache import Cache, format_hash
from delvecore.errors import Fault, Faults, Report, attempt
from delvecore.model import TaskArray
from delvecore.readers.array import SPECIFICATION, no_member, parse_array
from delvecore.readers.files import read_document, read_text
from delvecore.readers.hierarchy import Hierarchy, find_directories
from delvecore.statistics.choose import DEFAULT_SETTING, Setting
from delvecore.tables import PROBLEMS, table_of

if TYPE_CHECKING:
    import pandas as pd

    from delvecore.archive.array_view import ArrayView
    from delvecore.archive.building import OpeningStep

__all__ = ["Archive", "delve_directories", "open", "state_of"]

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
Notify = Callable[["OpeningStep"], None]


@dataclass(frozen=True, eq=False, repr=False)
class Archive:
    """Everything in one or more merged delve directories, as Arrow tables with the schemas of `tables`.
    paths: the delve directories, in order of precedence; state: hash of names, sizes and times of all files,
    the same for the same content; arrays: its task-arrays, by name; follow_links: are links
    followed that lead out of the directories? notice: why the cache could not be used,
    or None."""

    paths: tuple[str, ...]
    state: str
    datasets: pa.Table
    attributes: pa.Table
    prototasks: pa.Table
    priors: pa.Table
    tasks: pa.Table
    methods: pa.Table
    codings: pa.Table
    results: pa.Table
    costs: pa.Table
    problems: pa.Table
    arrays: tuple[TaskArray, ...]
    notice: str | None
    follow_links: bool
    _snapshot: Snapshot = field(repr=False)
    _case_cache: CaseCache = field(repr=False)
    _standardizers: pa.Table = field(repr=False)
    _stored: Tables = field(repr=False)

    def beside(self, paths: Sequence[str | os.PathLike[str]]) -> "Archive":
        """Return an archive of these delve directories and of further ones. Only what is new is read, and
        nothing is written into the cache. Raises DelveError for a path that is no delve directory."""
        from delvecore.archive.building import build_tables

        roots = [*self.paths, *find_directories(paths)]
        seen = _look(roots, follow_links=self.follow_links)
        case_cache = CaseCache(self._case_cache.base, self._case_cache.form, writes=False)
        tables = build_tables(seen.snapshot, seen.hierarchy, self._stored, keep_cases=case_cache.keep)
        return _archive(roots, _Read(seen, tables, self.notice), case_cache)

    @functools.cached_property
    def losses(self) -> pa.Table:
        """The losses of all methods: schema `tables.LOSSES`. Those of the cache are checked here."""
        return self._stored["losses"].drop_columns("unit")

    @property
    def hierarchy(self) -> Hierarchy:
        """The merged directories, for functions that read files by name."""
        return Hierarchy(list(self.paths), follow_links=self.follow_links)

    @functools.cached_property
    def comparisons(self) -> pa.Table:
        """All pairs of methods on all tasks and losses: schema `tables.COMPARISONS`; p adjusted as usual."""
        return self.compare()

    def compare(
        self,
        place: str = "/",
        *,
        loss: str | None = None,
        methods: Collection[str] | None = None,
        setting: Setting = DEFAULT_SETTING,
    ) -> pa.Table:
        """Return all pairs of methods on the tasks at or below a place, such as `/demo/age/std.128`: schema
        `tables.COMPARISONS`. loss, methods: these alone; p is adjusted over the pairs of a task that are
        compared. Raises DelveError for a place below which there are no results."""
        import pyarrow.compute as pc

        from delvecore.archive.standardizers import constants_of, standardizer_index
        from delvecore.archive.views import below
        from delvecore.statistics.losses.pairs import compare_all

        keys, places = (
            pc.binary_join_element_wise(table["dataset"], table["prototask"], table["task"], "/")
            for table in (self.results, self.losses)
        )
        known = keys.filter(below(keys, place))
        usable = self.losses.filter(pc.is_in(places, value_set=known.combine_chunks()))
        constants = standardizer_index(constants_of(self._standardizers))
        return compare_all(usable, self.tasks, constants, loss=loss, methods=methods, setting=setting)

    def to_frame(self, table: str) -> "pd.DataFrame":
        """Return one of the tables as a data frame: `datasets`, `tasks`, `methods`, `results`, `losses`, ...
        Raises DelveError for another name."""
        from delvecore.archive.views import frame_of

        return frame_of(self, table)

    def array(
        self,
        name: str,
        *,
        loss: str | None = None,
        methods: Sequence[str] | None = None,
        reference: str | None = None,
        setting: Setting = DEFAULT_SETTING,
    ) -> "ArrayView":
        """Return a task-array, of which `to_frame()` and `curves()` show the methods. loss: None for S, or
        the first with results; methods: None for all; reference: which the others are held against, None for
        the best. Raises DelveError where there is no such array, or no such results."""
        from delvecore.archive.array_view import array_view

        chosen = None if methods is None else tuple(methods)
        return array_view(self, name, loss=loss, methods=chosen, reference=reference, setting=setting)

    def __repr__(self) -> str:
        from delvecore.archive.views import overview

        return overview(self)

    def cases(self, dataset: str) -> pa.Table:
        """Return the cases of a dataset, one row a case, typed: see `archive.dataset_unit`. Raises DelveError
        for an unknown dataset and for one whose specification or data cannot be read."""
        if dataset not in self._snapshot.datasets:
            names = ", ".join(self._snapshot.datasets) or "none"
            raise Fault(f"/{dataset}", "a dataset of this archive", "none", f"there are {names}")
        return self._case_cache.load(self._snapshot.datasets[dataset])

    def other_contents(self, *, rest: Callable[[float], object]) -> list[str]:
        """Read all files; return what has another content than when it was last read so, though its size and
        times are the same: places such as `/methods/lin-1`, and paths of archive files. None without a cache,
        and where files changed meanwhile. rest: called now and then with the seconds to wait. Raises OSError
        where the cache cannot be written."""
        from delvecore.archive.contents import content_path, digests_of, other_contents

        if self._case_cache.base is None:
            return []
        found = digests_of(self._snapshot, rest=rest)
        if _look(list(self.paths), follow_links=self.follow_links).snapshot.state != self.state:
            return []
        return other_contents(content_path(self._case_cache.base, list(self.paths)), found)

    def read_document(self, part: str, *names: str) -> str:
        """Return the text of a documentation file, e.g. ("methods", "lin-1", "Source", "lin-1.txt"). Raises
        DelveError for a file that is not among the archive's documents."""
        units = self._snapshot.datasets if part == "data" else self._snapshot.methods
        unit = units.get(names[0]) if names else None
        path = unit.files.get("/".join(names[1:])) if unit else None
        if path is None:
            raise Fault(f"/{'/'.join(names)}", "a document of the archive", "none")
        return read_document(path)


def open(
    paths: Paths = None,
    *,
    cache: bool = True,
    verify: bool = False,
    follow_links: bool = False,
    notify: Notify = lambda step: None,
) -> Archive:
    """Read delve directories, or directories holding some, into an Archive.

    paths: one path or several, first come first; None means DELVE_PATH, else the archive that ships with
    the project. cache: keep and use memory-mapped tables in the user's cache directory; verify: read all
    files, whatever the cache holds, and put there what they say; follow_links: also those that lead out of
    their delve directory, which are problems else; notify: called now and then while files are
    read, with how far that is (`archive.building.OpeningStep`). Faults in files are collected in
    `Archive.problems`; DelveError is raised only where a path is no delve directory."""
    roots = delve_directories(paths)
    form = format_hash(STORED, __version__)
    base = locations.cache_directory() if cache else None
    indexes = IndexCache(base, form, roots)
    if verify and base:
        from delvecore.archive.contents import content_path

        with contextlib.suppress(OSError):
            os.unlink(content_path(base, roots))
    if not verify:
        indexes.recall()
    seen, case_cache = _look(roots, follow_links=follow_links), CaseCache(base, form)
    indexes.keep()
    kept = Cache(base, roots, form, STORED, LATE) if base else None
    read = functools.partial(_read, roots, seen, kept, case_cache, verify=verify)
    tables = kept.load(seen.snapshot.state, lambda: read().tables) if kept and not verify else None
    found = _Read(seen, tables, None) if tables else read(notify=notify)
    return _archive(roots, found, case_cache)


def delve_directories(paths: Paths = None) -> list[str]:
    """Return the delve directories that `open` would read. Raises DelveError where a path is none."""
    if paths is None:
        listed = os.environ.get("DELVE_PATH")
        split = None if listed is None else list(filter(None, listed.split(os.pathsep)))
        paths = locations.default_directories() if split is None else split
    return find_directories([paths] if isinstance(paths, str | os.PathLike) else paths)


def state_of(paths: Paths = None, *, follow_links: bool = False) -> str:
    """Return the state of the Archive that `open` would give now; only names and times are looked at. Raises
    DelveError where a path is no delve directory."""
    return _look(delve_directories(paths), follow_links=follow_links).snapshot.state


class _Seen(NamedTuple):
    """What lies in the directories, and the faults of the file system there."""

    snapshot: Snapshot
    errors: Faults
    hierarchy: Hierarchy


class _Read(NamedTuple):
    """What lay there, the stored tables of it, and why the cache could not be used."""

    seen: _Seen
    tables: Tables
    notice: str | None


def _look(roots: list[str], *, follow_links: bool) -> _Seen:
    errors = Faults()
    snapshot = take_snapshot(roots, report=errors.append, follow_links=follow_links)
    return _Seen(snapshot, errors, Hierarchy(roots, follow_links=follow_links))


def _read(
    roots: list[str],
    seen: _Seen,
    cache: Cache | None,
    case_cache: CaseCache,
    *,
    verify: bool,
    notify: Notify = lambda step: None,
) -> _Read:
    """Read what the cache does not have, and put it there. What changes or fails meanwhile is read once more;
    where that does not help, the next opening reads it again."""
    from delvecore.archive.building import build_tables

    build = functools.partial(build_tables, keep_cases=case_cache.keep, notify=notify)
    tables = build(seen.snapshot, seen.hierarchy, cache.load_any() if cache and not verify else None)
    if not _is_settled(tables):
        seen = _look(roots, follow_links=seen.hierarchy.follow_links)
        tables = build(seen.snapshot, seen.hierarchy, tables)
    state = seen.snapshot.state if _is_settled(tables) else UNSETTLED
    try:
        if cache:
            cache.store(state, tables)
    except OSError as error:
        cannot = f"the cache cannot be written ({error.strerror})"
        notice = f"{cache.directory if cache else ''}: {cannot}; reading again next time"
        return _Read(seen, tables, notice)
    return _Read(seen, tables, None)


def _is_settled(tables: Tables) -> bool:
    """Was every unit there, and the same, while it was read?"""
    return not tables["units"]["state"].null_count


def _archive(roots: list[str], read: _Read, case_cache: CaseCache) -> Archive:
    (snapshot, errors, hierarchy), tables, notice = read
    arrays = _read_arrays(snapshot, tables["prototasks"], errors.append)
    public = {name: tables[name].drop_columns("unit") for name in READ if name not in LATE}
    problems = public.pop("problems")
    if errors:  # of the file system, in front of those of the files
        problems = pa.concat_tables([table_of(list(map(problem_row, errors)), PROBLEMS), problems])
    return Archive(
        tuple(roots),
        snapshot.state,
        results=tables["results"],
        arrays=arrays,
        problems=problems,
        _standardizers=public.pop("standardizers"),
        _stored=tables,
        **public,
        notice=notice,
        follow_links=hierarchy.follow_links,
        _snapshot=snapshot,
        _case_cache=case_cache,
    )


def _read_arrays(snapshot: Snapshot, prototasks: pa.Table, report: Report) -> tuple[TaskArray, ...]:
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
