"""Open delve directories and files of scores: `delvecore.open(path)` and the Archive that it returns. Some
modules are imported inside functions: those for a first reading or a comparison. In this way, a cached
archive opens in milliseconds.
"""

import functools
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from delvecore import locations
from delvecore.archive.building import Notify, build_tables
from delvecore.archive.common_results import common_results
from delvecore.archive.leaderboards import leaderboard_frame
from delvecore.archive.loss_rows import comparable_losses, join_losses, losses_at
from delvecore.archive.metrics import keep_metrics, measured
from delvecore.archive.reading import (
    CaseCache,
    Paths,
    Read,
    look,
    read_arrays,
    read_published,
    read_roots,
    sources,
)
from delvecore.archive.result_index import ResultIndex, index_of
from delvecore.archive.scores.joining import on_common_cases, with_scores
from delvecore.archive.scores.opening import (
    ScoreGroup,
    options_where,
    read_scores_of,
    scores_state,
)
from delvecore.archive.snapshot import Snapshot
from delvecore.archive.standardizers import standardizer_index
from delvecore.archive.views import ArrayView, array_view, under
from delvecore.cache import FORM
from delvecore.errors import NOTICE, Fault
from delvecore.losses.spec import measure_named
from delvecore.measures import Measure, Measures
from delvecore.model import TaskArray, TaskId, place_names
from delvecore.names import hash_of
from delvecore.parallel.answering import report
from delvecore.parallel.cluster import carry_out_on
from delvecore.readers.files import read_document
from delvecore.readers.hierarchy import Hierarchy
from delvecore.render.numbers import integer
from delvecore.score_tables.options import Question, ScoreOptions
from delvecore.score_tables.score_file import Reading
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.stats.losses.comparisons import CompareBench, compare_all, compare_distributed
from delvecore.stats.ranking.ranks import family_names
from delvecore.stats.ranking.score_table import CommonResults
from delvecore.tables import READ, Tables, problem_table, rows_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Archive", "keep_losses", "keep_metric", "open", "sources", "state_of"]


FRAMES = (
    *("datasets", "attributes", "prototasks", "priors", "tasks", "methods", "codings", "results"),
    *("losses", "costs", "comparisons", "problems", "published"),
)
"""The tables of an archive, by name."""
OF_LOSSES = ("results", "losses", "comparisons")


@dataclass(frozen=True, eq=False, repr=False)
class Archive:
    """Everything in one or more merged delve directories, and in files of scores, as Arrow tables with the
    schemas of `tables`.

    Attributes
    ----------
    paths : tuple of str
        The delve directories, in order of precedence.
    state : str
        Hash of names, sizes and times of all files, the same for the same content.
    datasets, attributes, prototasks, priors, tasks, methods, codings : pyarrow.Table
        What the archive describes, one table for each kind.
    results, costs : pyarrow.Table
        Losses of methods by task instance, and their costs.
    problems : pyarrow.Table
        Faults in the files.
    published : pyarrow.Table
        Results that others published, which are never tested or ranked.
    arrays : tuple of TaskArray
        Its task-arrays, by name.
    notice : str or None
        Why the cache could not be used, or None.
    follow_links : bool
        Whether links that lead out of the directories are followed.
    files : tuple of str
        Files of scores.
    readings : tuple of Reading
        How each file of scores was read, and what was left out.
    scheduler : str or None
        See `on`.
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
    costs: pa.Table
    problems: pa.Table
    published: pa.Table
    arrays: tuple[TaskArray, ...]
    notice: str | None
    follow_links: bool
    _snapshot: Snapshot = field(repr=False)
    _case_cache: CaseCache = field(repr=False)
    _standardizers: pa.Table = field(repr=False)
    _stored: Tables = field(repr=False)
    files: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    scheduler: str | None = None
    _families: Mapping[str, str] = field(default_factory=dict, repr=False)
    _scores: tuple[ScoreGroup, ...] = field(default=(), repr=False)
    _without_scores: "Archive | None" = field(default=None, repr=False)
    _measures: Measures = field(default_factory=dict, repr=False)

    def beside(
        self, paths: Sequence[str | os.PathLike[str]], *, scores: ScoreOptions | None = None
    ) -> "Archive":
        """Return an archive with further delve directories and files of scores.

        Only new ones are read, and nothing is written into the cache. `scores` has options for new files.
        Raises DelveError for a path that is neither a delve directory nor a file of scores.
        """
        directories, files = sources(paths)
        roots = [*self.paths, *directories]
        snapshot = look(roots, follow_links=self.follow_links).sharing(self._snapshot)
        case_cache = CaseCache(self._case_cache.base, self._case_cache.form, writes=False)
        tables = build_tables(snapshot, self._stored, keep_cases=case_cache.keep)
        archive = _archive(roots, (snapshot, tables, self.notice), case_cache)
        groups = list(self._scores)
        groups += [read_scores_of(files, scores, base=None)] if files else []
        return archive.joined(*groups)

    def joined(self, *groups: ScoreGroup) -> "Archive":
        """Return this archive with groups of scores: further datasets, or methods on its tasks. Scores of
        test cases are matched by case, also with existing ones."""
        before = self._scores
        every_group = [*before, *groups]
        if any(one.cases for one in every_group):
            every_group = on_common_cases(every_group)
        if all(new is old for new, old in zip(every_group, before, strict=False)):
            archive, every_group = self, every_group[len(before) :]
        else:
            archive = replace(self._without_scores or self, scheduler=self.scheduler)
        joined = functools.reduce(with_scores, every_group, archive)
        return replace(joined, _without_scores=self._without_scores or self)

    def measured(self, metric: str) -> "Archive":
        """Return this archive with a metric, such as `F`, as an additional loss.

        `docs/metrics.md` lists the metrics. `archive.metrics.measured` also returns the key of the loss, and
        notes on missing values. Raises DelveError if the metric has no value anywhere.
        """
        return measured(self, metric).archive

    @functools.cached_property
    def losses(self) -> pa.Table:
        """The losses of all methods: schema `tables.LOSSES`. If all of them are scores, names are
        dictionary-encoded, and integers have the smallest type that fits."""
        return join_losses(self._stored["losses"].drop_columns("unit"), self._scores)

    def losses_at(self, *places: str, loss: str | None = None) -> pa.Table:
        """Return the losses at or below places such as `/demo/age/std.128`, under one loss or all."""
        return losses_at(self, places or ("/",), loss)

    @functools.cached_property
    def case_names(self) -> dict[str, tuple[str, ...]]:
        """The names of test cases by path of the task, in the order of losses, for scores that name cases."""
        return {path: one.names for scores in self._scores for path, one in scores.cases.items()}

    @functools.cached_property
    def index(self) -> ResultIndex:
        """The methods with results on each task."""
        return index_of(self.results)

    @functools.cached_property
    def measures(self) -> dict[str, Measure]:
        """The measures that have results, by key: losses of DELVE, metrics, columns of scores.

        Examples
        --------
        >>> archive = open("docs/examples/cases.csv", cache=False)
        >>> archive.measures["accuracy"].direction
        'higher is better'
        """
        return {key: measure_named(key, self._measures) for key in self.index.losses}

    @functools.cached_property
    def families(self) -> dict[str, str]:
        """The family of each dataset that has one: a task-array, or the family in a file of scores."""
        return {**self._families, **family_names(self.arrays)}

    @functools.cached_property
    def has_training_sets(self) -> bool:
        """Is any result a mean over two or more instances of its task?"""
        return (pc.max(self.results["instances"]).as_py() or 0) > 1

    @property
    def sources(self) -> tuple[str, ...]:
        """All that was opened: delve directories, and files of scores."""
        return (*self.paths, *self.files)

    @property
    def faults(self) -> list[str]:
        """The kind of each problem that is a fault rather than information for the user."""
        return [kind for (kind,) in rows_of(self.problems, ["kind"]) if kind != NOTICE]

    @property
    def hierarchy(self) -> Hierarchy:
        """The merged directories, for functions that read files by name."""
        return Hierarchy(list(self.paths), follow_links=self.follow_links)

    @functools.cached_property
    def comparisons(self) -> pa.Table:
        """All pairs of methods on all tasks and losses: schema `tables.COMPARISONS`; default setting."""
        return self.compare()

    def compare(
        self,
        place: str = "/",
        *,
        loss: str | None = None,
        methods: Collection[str] | None = None,
        against: Mapping[TaskId, Collection[str]] | None = None,
        setting: Setting = DEFAULT_SETTING,
    ) -> pa.Table:
        """Return all pairs of methods on the tasks at or below a place, such as `/demo/age/std.128`.

        The schema is `tables.COMPARISONS`. `loss` selects a loss or metric, and `methods` the methods. p is
        adjusted over the compared pairs of a task. `against` returns only the pairs with one of these
        methods. Raises DelveError for a place without results at or below it.
        """
        names = place_names(place)
        archive, loss = under(self, loss, [names] if names else [])
        given = comparable_losses(archive, place, loss), archive.tasks, archive.constants
        compare = functools.partial(compare_all, *given, measures=archive.measures)
        if self.scheduler:
            compare = functools.partial(
                compare_distributed,
                *given,
                carry_out_on(self.scheduler, CompareBench),
                measures=archive.measures,
            )
        return compare(loss=loss, methods=methods, against=against, setting=setting)

    def common_results(
        self,
        *,
        loss: str,
        places: Sequence[Sequence[str]] = (),
        methods: Collection[str] | None = None,
        keep: Collection[str] = (),
    ) -> CommonResults:
        """Return results under one loss as comparisons use them: means over the instances that all methods
        have. See `archive.common_results`."""
        return common_results(self, loss=loss, places=places, methods=methods, keep=keep)

    def on(self, scheduler: str) -> "Archive":
        """Return this archive with a Dask cluster that computes its comparisons, with identical results.

        `scheduler` is the address of the cluster, such as tcp://host:8786. A comparison raises DelveError if
        the cluster fails.
        """
        return replace(self, scheduler=scheduler)

    @functools.cached_property
    def constants(self) -> dict[tuple[str, str, str, str], float | None]:
        """The constants that standardize losses, by dataset, prototask, task and loss; None if unknown."""
        return standardizer_index(self._standardizers)

    def to_frame(self, table: str, *, loss: str | None = None) -> "pd.DataFrame":
        """Return one of the tables as a data frame: `datasets`, `tasks`, `methods`, `results`, `losses`, ...

        `loss` selects the results, losses or comparisons under one loss or metric. Raises DelveError for
        another name.
        """
        if table not in FRAMES:
            raise Fault(repr(table), "a table of an archive", "none", f"there are {', '.join(FRAMES)}")
        if loss is None:
            return _frame(getattr(self, table))
        if table not in OF_LOSSES:
            raise Fault(f"loss={loss!r}", f"a table that has losses: {', '.join(OF_LOSSES)}", repr(table))
        archive, name = under(self, loss)
        if table == "comparisons":
            return archive.compare(loss=name).to_pandas()
        rows = getattr(archive, table)
        return _frame(rows.filter(pc.equal(rows["loss"], name)))

    def leaderboard(self, *, loss: str | None = None) -> "pd.DataFrame":
        """Return a leaderboard with one row per method, best mean rank first.

        A row has the mean rank with its interval, the frequencies of wins and of results near the best, the
        cost and the description. `loss` is a loss or metric; the default is squared error if it has the most
        results. Raises DelveError if there is nothing to compare.

        Examples
        --------
        >>> said = ScoreOptions(higher_is_better=True)
        >>> archive = open("docs/examples/scores.csv", scores=said, cache=False)
        >>> archive.leaderboard()["mean_rank"].round(2).to_dict()
        {'C45_m_cf': 1.93, 'C45_m': 2.0, 'C45_cf': 2.93, 'C45': 3.14}
        """
        return leaderboard_frame(self, loss=loss)

    def array(
        self,
        name: str,
        *,
        loss: str | None = None,
        methods: Sequence[str] | None = None,
        reference: str | None = None,
        setting: Setting = DEFAULT_SETTING,
    ) -> ArrayView:
        """Return a view of a task-array, whose `to_frame()` and `curves()` show the results.

        `loss` is a loss or metric; None means S, or the first with results. `methods` None means all. The
        others are compared with `reference`; None means the best method. Raises DelveError if there is no
        such array, or no such results.
        """
        chosen = None if methods is None else tuple(methods)
        return array_view(self, name, loss=loss, methods=chosen, reference=reference, setting=setting)

    def __repr__(self) -> str:
        arrays = ", ".join(array.name for array in self.arrays) or "none"
        losses = " ".join(self.index.losses)
        return (
            f"Archive of {', '.join(self.sources)}\n"
            f"{integer(len(self.datasets))} datasets, {integer(len(self.tasks))} tasks; task-arrays: "
            f"{arrays}\n"
            f"{integer(len(self.methods))} methods; losses: {losses or 'none'}\n"
            f"{integer(len(self.results))} results; {integer(len(self.problems))} problems in files\n"
            f"to_frame(), compare(), array(), cases(); tables: {', '.join(FRAMES)}"
        )

    def cases(self, dataset: str) -> pa.Table:
        """Return the typed cases of a dataset, one row per case: see `archive.dataset_unit`.

        Raises DelveError for an unknown dataset, and if its specification or data cannot be read.
        """
        if dataset not in self._snapshot.datasets:
            names = ", ".join(self._snapshot.datasets) or "none"
            raise Fault(f"/{dataset}", "a dataset of this archive", "none", f"there are {names}")
        return self._case_cache.load(self._snapshot.datasets[dataset])

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
    scores: ScoreOptions | None = None,
    cache: bool = True,
    verify: bool = False,
    follow_links: bool = False,
    notify: Notify = lambda step: None,
    datasets: Collection[str] | None = None,
    where: Mapping[str, str | Sequence[str]] | None = None,
    loss: str | None = None,
) -> Archive:
    """Read delve directories, or directories that contain some, and files of scores into an Archive.

    - `paths`: one path or several, in order of precedence. None means DELVE_PATH, or without it the archive
      that ships with the project.
    - `scores`: options that replace guesses about files of scores.
    - `cache`: use and update memory-mapped tables in the user's cache directory.
    - `verify`: read all files, ignore the contents of the cache, and replace them.
    - `follow_links`: also follow links that lead out of their delve directory, which otherwise are problems.
    - `notify`: called from time to time with the progress (`archive.building.OpeningStep`).
    - `datasets`: the only datasets whose results are needed. Results on others may stay unread if they are
      not cached yet.
    - `where`: in files of scores, only rows with one of these texts in a column, `{"metric": "auc"}`. The
      result is not cached.
    - `loss`: the only loss that is needed from files of scores.

    Faults in files become problems. Raises DelveError only if a path is not a delve directory or a file
    cannot be read, or if scores can be read in two ways (its subclass
    `delvecore.score_tables.options.Question`).

    Examples
    --------
    >>> archive = open("docs/examples/cases.csv", cache=False)
    >>> len(archive.methods), len(archive.datasets), archive.index.losses
    (3, 1, ('accuracy',))
    """
    roots, files = sources(paths)
    base = locations.cache_directory() if cache else None
    case_cache = CaseCache(base, FORM)

    read = read_roots(
        roots, case_cache, verify=verify, follow_links=follow_links, notify=notify, datasets=datasets
    )
    archive = _archive(roots, read, case_cache)
    if not files:
        return archive
    options = options_where(scores, where)
    try:
        group = read_scores_of(files, options, base=base, verify=verify, loss=loss)
    except Question as question:
        raise question.in_python from None
    return archive.joined(group)


def state_of(paths: Paths = None, *, scores: ScoreOptions | None = None, follow_links: bool = False) -> str:
    """Return the state of the Archive that `open` would give now; only names and times are checked. Raises
    DelveError if a path is neither a delve directory nor a file."""
    roots, files = sources(paths)
    state = look(roots, follow_links=follow_links).state
    return hash_of([state, scores_state(files, scores)]) if files else state


def keep_metric(paths: Sequence[str], loss: str, *, follow_links: bool) -> tuple[str, ...]:
    """Put the values of a metric into the cache, for the next reader of these delve directories; see
    `keep_metrics`. A worker reports the progress. Raises DelveError for options that a metric does not
    take."""
    return keep_metrics(open(list(paths), follow_links=follow_links), loss, notify=report)


def keep_losses(paths: Sequence[str], *, follow_links: bool) -> None:
    """Put the losses on all datasets into the cache, for the next reader of these delve directories. Raises
    DelveError if files change meanwhile."""
    open(list(paths), follow_links=follow_links)._stored["losses"]


def _frame(table: pa.Table) -> "pd.DataFrame":
    """Return a data frame with 64-bit integer columns, so that sums do not overflow."""
    whole = [
        field.with_type(pa.int64()) if pa.types.is_integer(field.type) else field for field in table.schema
    ]
    return table.cast(pa.schema(whole)).to_pandas()


def _archive(roots: list[str], read: Read, case_cache: CaseCache) -> Archive:
    snapshot, tables, notice = read
    errors = snapshot.errors
    arrays = read_arrays(snapshot, tables["prototasks"], errors.append)
    published = read_published(snapshot, tables["tasks"], errors.append)
    public = {name: tables[name].drop_columns("unit") for name in READ if name != "losses"}
    problems = public.pop("problems")
    if errors:  # faults of the file system come before faults in files
        problems = pa.concat_tables([problem_table(errors), problems])
    return Archive(
        tuple(roots),
        snapshot.state,
        results=tables["results"],
        arrays=arrays,
        problems=problems,
        published=published,
        _standardizers=public.pop("standardizers"),
        _stored=tables,
        **public,
        notice=notice,
        follow_links=snapshot.hierarchy.follow_links,
        _snapshot=snapshot,
        _case_cache=case_cache,
    )
