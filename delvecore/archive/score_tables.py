"""Tables of scores, tasks x methods, and tables of a paper, from a file or from what an archive holds."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import delvecore
from delvecore.archive.common_results import are_below, common_results
from delvecore.errors import DelveError
from delvecore.losses.metrics import LARGEST
from delvecore.losses.spec import is_logarithmic, loss_order, metric_of
from delvecore.model import TaskId, is_below
from delvecore.number_format.columns import path_codes, places_among, task_paths, task_places
from delvecore.report.paper.source import archive_paper_table, archive_values, score_paper_table, score_values
from delvecore.report.paper.table import PaperRequest, PaperTable
from delvecore.report.paper.values import ArchiveValues
from delvecore.report.published import published_on
from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.score_file import Omission, Reading, Role
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.stats.losses.results import loss_title
from delvecore.stats.ranking.random_effects import CombinedPairs, combine_comparisons
from delvecore.stats.ranking.ranks import unit_names, units_of
from delvecore.stats.ranking.score_table import CommonRuns, ScoreTable

if TYPE_CHECKING:
    from delvecore.archive import Archive


Names = tuple[str, ...]


def read_score_table(path: str, *, higher_is_better: bool | None = None) -> ScoreTable:
    """Return the scores of a file, tasks x methods: of the metric with the most of them, means over folds or
    seeds. higher_is_better: None where the metric's name tells. Raises ParseError (file:line) for what is no
    table of scores, UnknownDirection where nothing says whether higher is better.

    Examples
    --------
    >>> table = read_score_table("docs/examples/cases.csv")
    >>> table.methods, table.values.shape, table.quantity
    (('logistic', 'naive-bayes', 'tree'), (1, 3), 'accuracy')
    """
    archive = delvecore.open([path], scores=ScoreOptions(higher_is_better=higher_is_better))
    loss = usual_loss(archive)
    return scored_table(archive, loss=loss).table


def usual_loss(archive: "Archive") -> str:
    """Return the loss with the most results, the first by `loss_order`. Raises DelveError without results."""
    counts = archive.index.loss_counts
    if not counts:
        raise DelveError(f"{' '.join(archive.sources)}: expected results, found none")
    return min(counts, key=lambda loss: (-counts[loss], loss_order(loss)))


def loss_named(archive: "Archive", name: str) -> str:
    """Return the loss, or that of the metric, of this name. Raises DelveError where there is neither."""
    known = archive.index.losses
    found = [loss for loss in known if name in (loss, getattr(metric_of(loss), "name", None))]
    if not found:
        raise DelveError(f"expected one of the losses {', '.join(known)}, found {name!r}")
    return found[0]


class RankedTable(NamedTuple):
    """What is ranked of an archive. paths: of the tasks in the archive, by their names in the table;
    readings: how files of scores were read, and which of their metrics is ranked."""

    loss: str
    table: ScoreTable
    paths: dict[str, str]
    readings: tuple[Reading, ...] = ()


def scored_table(
    archive: "Archive",
    places: Iterable[Sequence[str]] = (),
    *,
    loss: str,
    methods: Collection[str] | None = None,
    keep: Collection[str] = (),
) -> RankedTable:
    """Return what `archive_score_table` has of a metric's losses as scores again, in the file's order."""
    losses = archive_score_table(archive, places, loss=loss, methods=methods, keep=keep)
    known = set(losses.tasks)
    tasks = map(TaskId, *(archive.tasks[column].to_pylist() for column in TaskId._fields))
    names = {task.path: task.title for task in tasks}
    order = [path for path in names if path in known]
    ranked = set(losses.methods)
    in_order = [name for name in archive.methods["method"].to_pylist() if name in ranked]
    scores = _as_scored(losses.select(tasks=order, methods=in_order), [names[path] for path in order], loss)
    return RankedTable(loss, scores, dict(zip(scores.tasks, order, strict=True)))


def ranked_loss(archive: "Archive", loss: str | None) -> str:
    """Return the loss that is ranked. loss: of scores also the name of a metric; None for the metric with the
    most scores, or for S. Raises DelveError where scores have no such loss."""
    return (loss or "S") if archive.paths else loss_named(archive, loss or usual_loss(archive))


def methods_under(
    archive: "Archive", places: Iterable[Sequence[str]] = (), *, loss: str | None = None
) -> Names:
    """Return the methods with results below the places, in the archive's order."""
    wanted = [tuple(names) for names in places] or [()]
    index = archive.index
    is_wanted = are_below(index.tasks, wanted)
    rows = index.rows_under(ranked_loss(archive, loss))
    there = set(index.method[rows[is_wanted[index.task[rows]]]].tolist())
    return tuple(name for place, name in enumerate(index.methods) if place in there)


def ranked_table(
    archive: "Archive",
    places: Iterable[Sequence[str]] = (),
    *,
    loss: str | None = None,
    as_losses: bool = False,
    methods: Collection[str] | None = None,
    keep: Collection[str] = (),
) -> RankedTable:
    """Return the scores of an archive that holds nothing else, else its standardized losses, and of a metric
    its values. loss: None for that with the most scores, or for S; as_losses: of scores and metrics the
    losses that are kept of them. methods, keep: see `archive_score_table`."""
    is_asked, loss = loss is not None, ranked_loss(archive, loss)
    choice: Any = {"loss": loss, "methods": methods, "keep": keep}
    readings = archive.readings
    if not is_asked and not archive.paths:
        readings = with_chosen_metric(archive, loss, readings)
    if not archive.paths and not as_losses:
        scored = scored_table(archive, places, **choice)
        return scored._replace(readings=with_unranked(readings, scored.table.runs))
    losses = archive_score_table(archive, places, **choice)
    table = losses if as_losses else in_its_metric(losses, loss)
    paths = dict(zip(table.tasks, table.tasks, strict=True))
    return RankedTable(loss, table, paths, with_unranked(readings, table.runs))


def infinite_losses(archive: "Archive", table: ScoreTable, paths: Mapping[str, str], loss: str) -> list[str]:
    """Return a sentence for each method whose mean loss on some task of a table is infinite: no value."""
    found = Counter[str]()
    if is_logarithmic(loss) and archive.paths:
        rows = archive.results.filter(
            pc.and_(pc.equal(archive.results["loss"], loss), pc.is_inf(archive.results["mean"]))
        )
        tasks = {paths[name] for name in table.tasks}
        methods = rows["method"].to_pylist()
        places = task_paths(rows).to_pylist()
        found.update(method for method, path in zip(methods, places, strict=True) if path in tasks)
    return [
        f"{method} has an infinite loss {loss} on {count} of {len(table.tasks)} tasks, as it gave "
        "probability zero to what happened: it has no value there"
        for method, count in found.items()
        if method in table.methods
    ]


def with_unranked(readings: tuple[Reading, ...], runs: CommonRuns | None) -> tuple[Reading, ...]:
    """The readings with what is left out of a ranking since runs have no value."""
    if not readings or runs is None:
        return readings
    methods = tuple(one.method for one in runs.unranked)
    out = [Omission("method", methods, len(methods), "under half of their runs have a value", option="keep")]
    tasks = runs.without
    out.append(Omission("dataset", tasks, len(tasks), "no run is common to all methods"))
    first = replace(readings[0], omissions=(*readings[0].omissions, *(one for one in out if one.count)))
    return (first, *readings[1:])


def with_chosen_metric(archive: "Archive", chosen: str, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Return the readings of an archive, which say where one of several metrics was chosen unasked."""
    if len(archive.index.losses) < 2:
        return readings
    others = [loss for loss in archive.index.losses if loss != chosen]
    name, *more = (getattr(metric_of(loss), "name", loss) for loss in (chosen, *others))
    role = Role("chosen metric", name, "default", tuple(more), "metric")
    return tuple(replace(one, roles=(*one.roles, role)) for one in readings)


def _as_scored(table: ScoreTable, names: Sequence[str], loss: str) -> ScoreTable:
    units, tasks = table.units, tuple(names)
    if units is not None:
        told: Literal["names", "column"] = "names" if units.families == units.datasets else "column"
        units = None if units.families == tasks else units._replace(known_by=told)
    runs = table.runs and table.runs.with_names(dict(zip(table.tasks, tasks, strict=True)))
    return in_its_metric(replace(table, tasks=tasks, units=units, runs=runs), loss)


def in_its_metric(table: ScoreTable, loss: str) -> ScoreTable:
    """Return a table of losses that are kept of a metric as scores again; of DELVE's losses as it is."""
    metric = metric_of(loss)
    if metric is None:
        return table
    values, higher = metric.values_of(table.values), metric.higher_is_better
    return replace(table, values=values, higher_is_better=higher, quantity=metric.name)


def archive_score_table(
    archive: "Archive",
    places: Iterable[Sequence[str]] = (),
    *,
    loss: str = "S",
    standardized: bool = True,
    methods: Collection[str] | None = None,
    keep: Collection[str] = (),
) -> ScoreTable:
    """Mean loss of each method on each task below some places, over the instances that all methods have.

    Parameters
    ----------
    places : names such as ("demo", "age")
        None for all tasks. Tasks are named /dataset/prototask/task, in the archive's order.
    standardized
        Means in units that are comparable between tasks, as `statistics.md` defines them.
    methods
        The only ones compared, None for all.
    keep : names of methods
        Methods that are compared however few runs they have.

    Returns
    -------
    ScoreTable
        Its `runs` say which methods are left out, and over which instances means are taken; see
        `common_results`. A mean that does not exist, or is infinite or so large that its square is, is a
        missing value: no difference could be taken with it.

    Raises
    ------
    DelveError
        For a place below which no method has results under the loss.

    Examples
    --------
    >>> archive = delvecore.open("docs/examples/cases.csv", cache=False)
    >>> archive_score_table(archive, loss=archive.index.losses[0]).values.round(3)[0].tolist()
    [0.021, 0.07, 0.063]
    """
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
    found = common_results(archive, loss=loss, places=wanted, methods=methods, keep=keep)
    tasks, results = tuple(task.path for task in found.tasks), found.results
    values = np.full((len(tasks), len(found.methods)), np.nan)
    cells = task_places(results, tasks), places_among(results["method"], found.methods)
    means = results["standardized_mean" if standardized else "mean"]
    values[cells] = pc.fill_null(means, np.nan).to_numpy()
    return ScoreTable(
        tasks,
        tuple(found.methods),
        np.where(np.abs(values) <= LARGEST, values, np.nan),
        quantity=_quantity(loss, standardized),
        units=units_of([dataset for dataset, *_ in found.tasks], archive.families),
        standardized=standardized and metric_of(loss) is None,
        runs=found.runs,
    )


def _quantity(loss: str, standardized: bool) -> str:
    if metric_of(loss):
        return loss_title(loss)
    return f"{'standardized' if standardized else 'mean'} loss {loss}"


def archive_combined(
    archive: "Archive",
    table: ScoreTable,
    *,
    unit: str = "task",
    loss: str = "S",
    setting: Setting = DEFAULT_SETTING,
) -> CombinedPairs:
    """What do DELVE's own tests of each task say together, for the tasks and methods of a table? See
    `combine_comparisons`."""
    rows = archive.compare(loss=loss, methods=table.methods, setting=setting)
    units = dict(zip(table.tasks, unit_names(table, unit), strict=True))
    paths, places = path_codes(rows)
    kept = np.array([path in units for path in paths], dtype=bool)
    rows = rows if kept.all() else rows.filter(pa.array(kept[places]))
    return combine_comparisons(rows, units=units, setting=setting)


def _nothing_below(archive: "Archive", place: Names, loss: str) -> str:
    """Say why there is nothing to rank: no such place, no results below it, or only under other losses."""
    where = "/" + "/".join(place)
    on = archive.index.methods_on
    known = sorted({one for name, losses in on.items() if is_below(name, [place]) for one in losses})
    if not known:
        return f"{where}: expected a place with tasks and their results, found none; dls and mls list them"
    there = f"there are {' '.join(known)}, and what delve metrics lists"
    return f"{where}: expected results under the loss {loss}, found none; {there}"


Values = ArchiveValues | ScoreTable


def paper_values(archive: "Archive", request: PaperRequest) -> Values:
    """Return what a table is made of. Raises DelveError where there is nothing to show."""
    if _has_errors(archive, request):
        return archive_values(archive, request)
    loss, methods = request.loss or usual_loss(archive), request.methods or None
    found = scored_table(archive, request.places, loss=loss, methods=methods, keep=request.kept)
    return score_values(found.table, request)


def _has_errors(archive: "Archive", request: PaperRequest) -> bool:
    several = pc.max(archive.results["instances"]).as_py() if archive.results.num_rows else 0
    return bool(archive.paths or request.by or archive.case_names or (several or 0) > 1)


def paper_table(archive: "Archive", request: PaperRequest, *, values: Values | None = None) -> PaperTable:
    """Return a table of losses with their errors, or of single scores. values: see `paper_values`. Raises
    DelveError where there is nothing to show."""
    values = values or paper_values(archive, request)
    if isinstance(values, ScoreTable):
        table = score_paper_table(values, request)
    else:
        published = partial(published_on, archive)
        table = archive_paper_table(archive, request, values=values, published=published)
    return replace(table, readings=with_unranked(archive.readings, table.runs))
