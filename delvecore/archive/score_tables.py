"""Tables of scores, tasks x methods, and tables for a paper, from a file or an archive."""

import hashlib
import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import delvecore
from delvecore.archive.common_results import are_below, common_results, worst_results
from delvecore.archive.metrics import key_named
from delvecore.errors import DelveError
from delvecore.losses.metrics import LARGEST
from delvecore.losses.spec import loss_order, parse_loss
from delvecore.measures import Measure
from delvecore.model import TaskId, is_below
from delvecore.number_format.columns import path_codes, places_among, task_paths, task_places
from delvecore.readers.regular_files import read_plain
from delvecore.report.paper.source import archive_paper_table, archive_values, score_paper_table, score_values
from delvecore.report.paper.table import PaperRequest, PaperTable
from delvecore.report.paper.values import ArchiveValues
from delvecore.report.published import published_on
from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.score_file import Omission, Reading, Role
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.stats.ranking.infinite import count_as_worst
from delvecore.stats.ranking.random_effects import combine_comparisons
from delvecore.stats.ranking.ranks import unit_names, units_of
from delvecore.stats.ranking.score_table import CommonRuns, ScoreTable
from delvecore.tables import rows_of, values_in

if TYPE_CHECKING:
    from delvecore.archive import Archive


Names = tuple[str, ...]


def read_score_table(path: str, *, higher_is_better: bool | None = None) -> ScoreTable:
    """Return the scores of a file, tasks x methods.

    The metric is the one with the most scores. Values are means over folds or seeds. `higher_is_better` None
    means that the name of the metric decides. Raises ParseError (file:line) if the file is not a table of
    scores, and UnknownDirection if the direction of the metric is unknown.

    Examples
    --------
    >>> table = read_score_table("docs/examples/cases.csv")
    >>> table.methods, table.values.shape, table.quantity
    (('logistic', 'naive-bayes', 'tree'), (1, 3), 'accuracy')
    """
    archive = delvecore.open([path], scores=ScoreOptions(higher_is_better=higher_is_better))
    return ranked_scores(archive, archive.measures[usual_loss(archive)])


def usual_loss(archive: "Archive") -> str:
    """Return the loss with the most results, the first by `loss_order`. Raises DelveError without results."""
    counts = archive.index.loss_counts
    if not counts:
        raise DelveError(f"{' '.join(archive.sources)}: expected results, found none")
    return min(counts, key=lambda loss: (-counts[loss], loss_order(loss)))


def measure_ranked(archive: "Archive", name: str | None) -> Measure:
    """Return the measure that is ranked.

    `name` is a loss or metric, by key or title. None means S, or in an archive of scores only the metric with
    the most scores. Raises DelveError for a measure without results.
    """
    wanted = name or ("S" if archive.paths else usual_loss(archive))
    key = key_named(archive, wanted)
    if key is not None:
        return archive.measures[key]
    if archive.paths and (loss := parse_loss(wanted)) is not None:
        return loss
    if archive.paths:
        raise DelveError(_nothing_below(archive, (), wanted))
    raise DelveError(f"expected one of the losses {', '.join(archive.index.losses)}, found {wanted!r}")


def methods_under(
    archive: "Archive", places: Iterable[Sequence[str]] = (), *, loss: str | None = None
) -> Names:
    """Return the methods with results below the places, in the archive's order."""
    wanted = [tuple(names) for names in places] or [()]
    index = archive.index
    is_wanted = are_below(index.tasks, wanted)
    rows = index.rows_under(measure_ranked(archive, loss).key)
    there = set(index.method[rows[is_wanted[index.task[rows]]]].tolist())
    return tuple(name for place, name in enumerate(index.methods) if place in there)


def ranked_scores(
    archive: "Archive",
    measure: Measure,
    places: Iterable[Sequence[str]] = (),
    *,
    methods: Collection[str] | None = None,
    keep: Collection[str] = (),
) -> ScoreTable:
    """Return `score_table` for readers.

    In an archive with only files of scores, tasks and methods have the names and the order of the files.
    Arguments are those of `score_table`.
    """
    table = score_table(archive, measure, places, methods=methods, keep=keep)
    if archive.paths:
        return table
    known, ranked = set(table.tasks), set(table.methods)
    tasks = map(TaskId._make, rows_of(archive.tasks, TaskId._fields))
    titles = {task.path: task.title for task in tasks if task.path in known}
    in_order = tuple(name for name in values_in(archive.methods, "method") if name in ranked)
    if (tuple(titles), in_order) != (table.tasks, table.methods):
        table = table.select(tasks=titles, methods=in_order)
    units, names = table.units, tuple(titles.values())
    if units is not None:
        known_by: Literal["names", "column"] = "names" if units.families == units.datasets else "column"
        units = None if units.families == names else units._replace(known_by=known_by)
    runs = table.runs and table.runs.with_names(titles)
    return replace(table, tasks=names, paths=tuple(titles), units=units, runs=runs)


def readings_of(archive: "Archive", table: ScoreTable, key: str | None = None) -> tuple[Reading, ...]:
    """Return how the files of scores of a ranking were read, and what the ranking leaves out.

    `key` is that of a measure chosen by default, None if the caller chose it.
    """
    readings = archive.readings
    if key is not None and not archive.paths:
        readings = with_chosen_metric(archive, key, readings)
    return with_unranked(readings, table.runs)


def infinite_losses(archive: "Archive", table: ScoreTable, loss: str) -> list[str]:
    """Return a sentence for each method whose mean loss on some task of a table is infinite, and so worst."""
    counts = Counter[str]()
    if archive.paths:
        rows = archive.results.filter(
            pc.and_(pc.equal(archive.results["loss"], loss), pc.is_inf(archive.results["mean"]))
        )
        tasks = pa.array(table.task_paths, pa.string())
        rows = rows.filter(pc.is_in(task_paths(rows), value_set=tasks))
        counts.update(name for (name,) in rows_of(rows, ["method"]))
    return [
        f"{method} has an infinite loss {loss} on {count} of {len(table.tasks)} tasks, because it gave "
        "probability zero to the actual value. There it counts as worse than all finite losses, by the "
        "largest scaled difference of the table"
        for method, count in counts.items()
        if method in table.methods
    ]


def with_unranked(readings: tuple[Reading, ...], runs: CommonRuns | None) -> tuple[Reading, ...]:
    """Return the readings with a note on methods and tasks that the ranking omits for runs without a
    value."""
    if not readings or runs is None:
        return readings
    methods = tuple(one.name for one in runs.unranked)
    out = [Omission("method", methods, len(methods), "under half of their runs have a value", option="keep")]
    tasks = runs.without
    out.append(Omission("dataset", tasks, len(tasks), "no run is common to all methods"))
    first = replace(readings[0], omissions=(*readings[0].omissions, *(one for one in out if one.count)))
    return (first, *readings[1:])


def with_chosen_metric(archive: "Archive", chosen: str, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Return the readings of an archive, with a note if one of several metrics was chosen by default."""
    if len(archive.index.losses) < 2:
        return readings
    others = [loss for loss in archive.index.losses if loss != chosen]
    name, *more = (archive.measures[loss].title for loss in (chosen, *others))
    role = Role("chosen metric", name, "default", tuple(more), "metric")
    return tuple(replace(one, roles=(*one.roles, role)) for one in readings)


def score_table(
    archive: "Archive",
    measure: Measure,
    places: Iterable[Sequence[str]] = (),
    *,
    standardized: bool = True,
    methods: Collection[str] | None = None,
    keep: Collection[str] = (),
) -> ScoreTable:
    """Mean result of each method on each task below some places, over the instances that all methods have.

    Parameters
    ----------
    measure : Measure
        Loss, metric or column of scores; the values have its unit, as in the files.
    places : names such as ("demo", "age")
        Empty for all tasks. Tasks are named /dataset/prototask/task, in the archive's order.
    standardized
        Means of losses in units that are comparable between tasks, as `statistics.md` defines them.
    methods
        The only ones compared, None for all.
    keep : names of methods
        Methods that are compared however few runs they have.

    Returns
    -------
    ScoreTable
        Its `runs` record which methods are left out, and over which instances means are taken; see
        `common_results`. A mean that does not exist, or is so large that its square is infinite, is a
        missing value, since it cannot be compared. An infinite log loss counts as
        `count_as_worst` describes.

    Raises
    ------
    DelveError
        For a place below which no method has results under the measure.

    Examples
    --------
    >>> archive = delvecore.open("docs/examples/cases.csv", cache=False)
    >>> score_table(archive, archive.measures["accuracy"]).values.round(3)[0].tolist()
    [0.979, 0.93, 0.937]
    """
    loss = measure.key
    wanted: list[Names] = [tuple(names) for names in places] or [()]
    index = archive.index
    above = {
        index.tasks[code][:length]
        for code in np.unique(index.task[index.rows_under(loss)]).tolist()
        for length in range(len(TaskId._fields) + 1)
    }
    for place in wanted:
        if place not in above:
            raise DelveError(_nothing_below(archive, place, loss))
    common = common_results(archive, loss=loss, places=wanted, methods=methods, keep=keep)
    tasks = tuple(task.path for task in common.tasks)
    tables = [common.results]
    if common.runs.failures:
        tables.append(worst_results(archive, loss=loss, places=wanted, methods=common.methods))
    values = np.full((len(tables), len(tasks), len(common.methods)), np.nan)
    for table, results in zip(values, tables, strict=True):
        cells = task_places(results, tasks), places_among(results["method"], common.methods)
        means = results["standardized_mean" if standardized else "mean"]
        table[cells] = pc.fill_null(means, np.nan).to_numpy()
        if np.isinf(table).any():
            table[:] = count_as_worst(table, higher_is_better=measure.higher_is_better)
    values[~(np.abs(values) <= LARGEST)] = np.nan
    kind = "standardized" if standardized else "mean"
    return ScoreTable(
        tasks,
        tuple(common.methods),
        values[0],
        higher_is_better=measure.higher_is_better,
        best=measure.best,
        quantity=f"{kind} loss {loss}" if measure.is_loss else measure.title,
        units=units_of([dataset for dataset, *_ in common.tasks], archive.families),
        standardized=standardized and measure.is_loss,
        runs=common.runs,
        failed_worst=values[1] if common.runs.failures else None,
    )


def archive_combined(
    archive: "Archive",
    table: ScoreTable,
    *,
    unit: str = "task",
    loss: str = "S",
    setting: Setting = DEFAULT_SETTING,
) -> pa.Table:
    """Combine DELVE's own tests of each task, for the tasks and methods of a table: see
    `combine_comparisons`."""
    rows = archive.compare(loss=loss, methods=table.methods, setting=setting)
    units = dict(zip(table.task_paths, unit_names(table, unit), strict=True))
    paths, places = path_codes(rows)
    kept = np.array([path in units for path in paths], dtype=bool)
    rows = rows if kept.all() else rows.filter(pa.array(kept[places]))
    return combine_comparisons(rows, units=units, setting=setting)


def _nothing_below(archive: "Archive", place: Names, loss: str) -> str:
    """Explain why there is nothing to rank: no such place, no results below it, or only under other
    losses."""
    where = "/" + "/".join(place)
    on = archive.index.methods_on
    known = sorted({one for name, losses in on.items() if is_below(name, [place]) for one in losses})
    if not known:
        return f"{where}: expected a place with tasks and their results, found none; dls and mls list them"
    there = f"there are {' '.join(known)}, and the metrics that `delve metrics` lists"
    return f"{where}: expected results under the loss {loss}, found none; {there}"


Values = ArchiveValues | ScoreTable


def paper_values(archive: "Archive", request: PaperRequest) -> Values:
    """Return the data of a table. Raises DelveError if there is nothing to show."""
    if archive.paths or request.by or archive.case_names or archive.has_training_sets:
        return archive_values(archive, request)
    measure, methods = measure_ranked(archive, request.loss), request.methods or None
    table = ranked_scores(archive, measure, request.places, methods=methods, keep=request.kept)
    return score_values(table, request)


def paper_table(archive: "Archive", request: PaperRequest, *, values: Values | None = None) -> PaperTable:
    """Return a table of losses with their errors, or of single scores.

    `values` are described in `paper_values`. Raises DelveError if there is nothing to show.
    """
    values = values or paper_values(archive, request)
    if isinstance(values, ScoreTable):
        table = score_paper_table(values, request)
    else:
        published = partial(published_on, archive)
        table = archive_paper_table(archive, request, values=values, published=published)
    about = table.provenance and replace(table.provenance, state=content_state(archive))
    return replace(table, readings=with_unranked(archive.readings, table.runs), provenance=about)


def content_state(archive: "Archive") -> str:
    """Return the provenance of the data: the SHA-256 of files of scores, the same on every machine, or the
    state of an archive."""
    if archive.paths or not all(map(os.path.isfile, archive.sources)):
        return archive.state
    whole = hashlib.sha256()
    for path in archive.sources:
        whole.update(read_plain(path))
    return whole.hexdigest()
