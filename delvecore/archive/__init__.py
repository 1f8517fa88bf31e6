"""Open delve directories as Arrow tables: `delvecore.open(path)` and the Archive that it returns.

What only a first reading or a comparison needs is imported there, so that a cached archive opens in
milliseconds.
"""

import functools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from delvecore import __version__, locations
from delvecore.archive.arrays import read_arrays
from delvecore.archive.case_cache import CaseCache
from delvecore.archive.index_cache import IndexCache
from delvecore.archive.snapshot import Snapshot, take_snapshot
from delvecore.archive.stored import READ, STORED, Tables, problem_row
from delvecore.cache import Cache, format_hash
from delvecore.errors import Fault, ParseError
from delvecore.model import TaskArray
from delvecore.readers.files import read_document
from delvecore.readers.hierarchy import Hierarchy, find_directories
from delvecore.tables import PROBLEMS, table_of

if TYPE_CHECKING:
    from delvecore.archive.building import OpeningStep

__all__ = ["Archive", "delve_directories", "open"]

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None


@dataclass(frozen=True, eq=False)
class Archive:
    """Everything in one or more merged delve directories, as Arrow tables with the schemas of `tables`.

    paths: the delve directories, in order of precedence; state: hash of names, sizes and times of all
    files, the same for the same content; arrays: its task-arrays, by name; notice: why the cache could not be
    used, or None.
    """

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
    losses: pa.Table
    costs: pa.Table
    problems: pa.Table
    arrays: tuple[TaskArray, ...]
    notice: str | None
    _snapshot: Snapshot = field(repr=False)
    _case_cache: CaseCache = field(repr=False)
    _standardizers: pa.Table = field(repr=False)
    _stored: dict[str, pa.Table] = field(repr=False)

    def beside(self, paths: Sequence[str | os.PathLike[str]]) -> "Archive":
        """Return an archive of these delve directories and of further ones.

        Only what is new is read, and nothing is written into the cache. Raises DelveError for a path that is
        no delve directory.
        """
        from delvecore.archive.building import build_tables

        roots = [*self.paths, *find_directories(paths)]
        errors: list[ParseError] = []
        snapshot = take_snapshot(roots, report=errors.append)
        case_cache = CaseCache(self._case_cache.base, self._case_cache.form, writes=False)
        tables = build_tables(snapshot, Hierarchy(roots), self._stored, keep_cases=case_cache.keep)
        return _archive(roots, snapshot, tables, errors, self.notice, case_cache)

    @property
    def hierarchy(self) -> Hierarchy:
        """The merged directories, for functions that read files by name."""
        return Hierarchy(list(self.paths))

    @functools.cached_property
    def comparisons(self) -> pa.Table:
        """All pairs of methods on all tasks and losses: schema `tables.COMPARISONS`."""
        import pyarrow.compute as pc

        from delvecore.archive.standardizers import standardizer_index
        from delvecore.statistics.losses.pairs import compare_all

        keys = pc.binary_join_element_wise(
            self.results["dataset"], self.results["prototask"], self.results["task"], "/"
        )
        places = pc.binary_join_element_wise(
            self.losses["dataset"], self.losses["prototask"], self.losses["task"], "/"
        )
        usable = self.losses.filter(pc.is_in(places, value_set=keys.combine_chunks()))
        return compare_all(usable, self.tasks, standardizer_index(self._standardizers))

    def cases(self, dataset: str) -> pa.Table:
        """Return the cases of a dataset, one row a case, typed: see `archive.case_table`.

        Raises DelveError for an unknown dataset and for one whose specification or data cannot be read.
        """
        if dataset not in self._snapshot.datasets:
            names = ", ".join(self._snapshot.datasets) or "none"
            raise Fault(f"/{dataset}", "a dataset of this archive", "none", f"there are {names}")
        return self._case_cache.load(self._snapshot.datasets[dataset])

    def read_document(self, part: str, *names: str) -> str:
        """Return the text of a documentation file, e.g. ("methods", "lin-1", "Source", "lin-1.txt").

        Raises DelveError for a file that is not among the archive's documents.
        """
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
    notify: Callable[["OpeningStep"], None] = lambda step: None,
) -> Archive:
    """Read delve directories, or directories holding some, into an Archive.

    paths: one path or several, first come first; None means DELVE_PATH, else the archive that ships with
    the project. cache: keep and use memory-mapped tables in the user's cache directory; notify: called now
    and then while files are read, with how far that is (`archive.building.OpeningStep`). Faults in files are
    collected in `Archive.problems`; DelveError is raised only where a path is no delve directory.
    """
    roots = delve_directories(paths)
    errors: list[ParseError] = []
    form = format_hash(STORED, __version__)
    base = locations.cache_directory() if cache else None
    indexes = IndexCache(base, form, roots)
    indexes.recall()
    snapshot = take_snapshot(roots, report=errors.append)
    indexes.keep()
    case_cache = CaseCache(base, form)
    tables, notice = _tables(roots, snapshot, base, form, case_cache, notify)
    return _archive(roots, snapshot, tables, errors, notice, case_cache)


def delve_directories(paths: Paths = None) -> list[str]:
    """Return the delve directories that `open` would read. Raises DelveError where a path is none."""
    return find_directories(_paths(paths))


def _paths(paths: Paths) -> Sequence[str | os.PathLike[str]]:
    if paths is None:
        listed = os.environ.get("DELVE_PATH")
        return (
            locations.default_directories()
            if listed is None
            else list(filter(None, listed.split(os.pathsep)))
        )
    return [paths] if isinstance(paths, str | os.PathLike) else list(paths)


def _tables(
    roots: list[str],
    snapshot: Snapshot,
    base: str | None,
    form: str,
    case_cache: CaseCache,
    notify: Callable[["OpeningStep"], None],
) -> tuple[Tables, str | None]:
    """Return (stored tables, notice): from the cache, or built and put there."""
    cache = Cache(base, roots, form, STORED) if base else None
    tables = cache.load(snapshot.state) if cache else None
    if tables is not None:
        return tables, None
    from delvecore.archive.building import build_tables

    old = cache.load_any() if cache else None
    tables = build_tables(snapshot, Hierarchy(roots), old, keep_cases=case_cache.keep, notify=notify)
    return tables, _store(cache, snapshot.state, tables)


def _store(cache: Cache | None, state: str, tables: Tables) -> str | None:
    """Keep the tables; return why they cannot be kept, or None."""
    if cache is None:
        return None
    try:
        cache.store(state, tables)
    except OSError as error:
        return f"{cache.directory}: the cache cannot be written ({error.strerror}); reading again next time"
    return None


def _archive(
    roots: list[str],
    snapshot: Snapshot,
    tables: Tables,
    errors: list[ParseError],
    notice: str | None,
    case_cache: CaseCache,
) -> Archive:
    arrays = read_arrays(snapshot, tables["prototasks"], report=errors.append)
    public = {name: tables[name].drop_columns("unit") for name in READ}
    return Archive(
        tuple(roots),
        snapshot.state,
        results=tables["results"],
        arrays=arrays,
        problems=_with_errors(errors, public.pop("problems")),
        _standardizers=public.pop("standardizers"),
        _stored=tables,
        **public,
        notice=notice,
        _snapshot=snapshot,
        _case_cache=case_cache,
    )


def _with_errors(errors: list[ParseError], problems: pa.Table) -> pa.Table:
    """Return the problems of the file system, then those of the files."""
    if not errors:
        return problems
    return pa.concat_tables([table_of(list(map(problem_row, errors)), PROBLEMS), problems])
