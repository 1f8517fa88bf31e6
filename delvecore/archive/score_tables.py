"""Tables of scores, tasks x methods, from a file or from the results of an archive."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import delvecore
from delvecore.archive.result_index import used_codes
from delvecore.errors import DelveError
from delvecore.losses.spec import loss_order, metric_of
from delvecore.model import task_title
from delvecore.readers.scores.records import ScoreOptions
from delvecore.statistics.choose import DEFAULT_SETTING, Setting
from delvecore.statistics.kinds import Whole
from delvecore.statistics.losses.standardization import loss_title
from delvecore.statistics.ranking.combined import CombinedPairs, combine_comparisons
from delvecore.statistics.ranking.score_table import LARGEST, ScoreTable
from delvecore.statistics.ranking.units import unit_names, units_of

__all__ = [
    "archive_combined",
    "archive_score_table",
    "in_its_metric",
    "loss_named",
    "ranked_table",
    "read_score_table",
]
__all__ += ["scored_table", "usual_loss"]

Names = tuple[str, ...]
TASK_KEY = ("dataset", "prototask", "task")


def read_score_table(path: str, *, higher_is_better: bool | None = None) -> ScoreTable:
    """Return the scores of a file, tasks x methods: of the metric with the most of them, means over folds or
    seeds. higher_is_better: None where the metric's name tells. Raises ParseError (file:line) for what is no
    table of scores, UnknownDirection where nothing says whether higher is better."""
    archive = delvecore.open([path], scores=ScoreOptions(higher_is_better=higher_is_better))
    loss = usual_loss(archive)
    return scored_table(archive, loss=loss).table


def usual_loss(archive: delvecore.Archive) -> str:
    """Return the loss with the most results, of several the first by `loss_order`. Raises DelveError where
    there are no results."""
    counts = archive.index.loss_counts
    if not counts:
        raise DelveError(f"{' '.join(archive.sources)}: expected results, found none")
    return min(counts, key=lambda loss: (-counts[loss], loss_order(loss)))


def loss_named(archive: delvecore.Archive, name: str) -> str:
    """Return the loss of this name, or that of the metric of this name. Raises DelveError where the archive
    has neither."""
    known = archive.index.losses
    found = [loss for loss in known if name in (loss, getattr(metric_of(loss), "name", None))]
    if not found:
        raise DelveError(f"expected one of the losses {', '.join(known)}, found {name!r}")
    return found[0]


class ScoredTable(NamedTuple):
    """Scores as their file has them, in its order. paths: of the tasks in the archive, by their names."""

    table: ScoreTable
    paths: dict[str, str]


def scored_table(
    archive: "delvecore.Archive", places: Iterable[Sequence[str]] = (), *, loss: str
) -> ScoredTable:
    """Return what `archive_score_table` has of the losses of a metric as scores again."""
    losses = archive_score_table(archive, places, loss=loss)
    known = set(losses.tasks)
    names = {"/" + "/".join(place): task_title(*place) for place in _task_names(archive.tasks)}
    order = [path for path in names if path in known]
    methods = [name for name in archive.methods["method"].to_pylist() if name in losses.methods]
    scores = _as_scored(losses.select(tasks=order, methods=methods), [names[path] for path in order], loss)
    return ScoredTable(scores, dict(zip(scores.tasks, order, strict=True)))


class RankedTable(NamedTuple):
    """What is ranked of an archive. paths: of the tasks in the archive, by their names in the table."""

    loss: str
    table: ScoreTable
    paths: dict[str, str]


def ranked_table(
    archive: "delvecore.Archive",
    places: Iterable[Sequence[str]] = (),
    *,
    loss: str | None = None,
    as_losses: bool = False,
) -> RankedTable:
    """Return the scores of an archive that holds nothing else, else its standardized losses, and of a metric
    its values. loss: None for that with the most scores, or for S; as_losses: of scores and metrics the
    losses that are kept of them."""
    is_scored = not archive.paths
    if is_scored:
        loss = loss_named(archive, loss or usual_loss(archive))
        if not as_losses:
            return RankedTable(loss, *scored_table(archive, places, loss=loss))
    loss = loss or "S"
    losses = archive_score_table(archive, places, loss=loss)
    table = losses if as_losses else in_its_metric(losses, loss)
    return RankedTable(loss, table, dict(zip(table.tasks, table.tasks, strict=True)))


def _as_scored(table: ScoreTable, names: Sequence[str], loss: str) -> ScoreTable:
    units, tasks = table.units, tuple(names)
    if units is not None:
        told: Literal["names", "column"] = "names" if units.families == units.datasets else "column"
        units = None if units.families == tasks else units._replace(known_by=told)
    return in_its_metric(replace(table, tasks=tasks, units=units), loss)


def in_its_metric(table: ScoreTable, loss: str) -> ScoreTable:
    """Return a table of losses that are kept of a metric as scores again; of DELVE's losses as it is."""
    metric = metric_of(loss)
    if metric is None:
        return table
    values, higher = metric.values_of(table.values), metric.higher_is_better
    return replace(table, values=values, higher_is_better=higher, quantity=metric.name)


def archive_score_table(
    archive: delvecore.Archive,
    places: Iterable[Sequence[str]] = (),
    *,
    loss: str = "S",
    standardized: bool = True,
) -> ScoreTable:
    """Return the mean loss of each method on each task below the places, in the archive's order of tasks.

    places: names such as ("demo", "age"), none for all tasks. Tasks are named /dataset/prototask/task.
    standardized: the losses of `statistics.md`, comparable between tasks. A mean that does not exist, or is
    infinite or so large that its square is, is a missing value: no difference could be taken with it. Raises
    DelveError for a place below which no method has results under the loss."""
    rows = archive.index.rows_under(loss)
    wanted: list[Names] = [tuple(names) for names in places] or [()]
    known, numbers = _in_order(archive.index.task[rows], archive.index.tasks)
    for place in wanted:
        if not any(_is_below(name, place) for name in known):
            raise DelveError(_nothing_below(archive, place, loss))
    is_below = np.array([any(_is_below(name, place) for place in wanted) for name in known], dtype=bool)
    rows, numbers = rows[is_below[numbers]], numbers[is_below[numbers]]
    tasks = [name for name, below in zip(known, is_below.tolist(), strict=True) if below]
    names = archive.index.methods
    there = np.bincount(archive.index.method[rows], minlength=len(names)) > 0
    methods = [name for name, is_there in zip(names, there.tolist(), strict=True) if is_there]
    columns = (np.cumsum(there) - 1)[archive.index.method[rows]]
    found = pc.fill_null(archive.results["standardized_mean" if standardized else "mean"], np.nan)
    found = found.to_numpy()[rows]
    values = np.full((len(tasks), len(methods)), np.nan)
    lines = (np.cumsum(is_below) - 1)[numbers]
    values[lines, columns] = np.where(np.abs(found) <= LARGEST, found, np.nan)
    paths = tuple("/" + "/".join(name) for name in tasks)
    units = units_of([dataset for dataset, *_ in tasks], archive.families)
    quantity = _quantity(loss, standardized)
    return ScoreTable(paths, tuple(methods), values, quantity=quantity, units=units)


def _quantity(loss: str, standardized: bool) -> str:
    if metric_of(loss):
        return loss_title(loss)
    return f"{'standardized' if standardized else 'mean'} loss {loss}"


def archive_combined(
    archive: delvecore.Archive,
    table: ScoreTable,
    *,
    unit: str = "task",
    loss: str = "S",
    setting: Setting = DEFAULT_SETTING,
) -> CombinedPairs:
    """What do DELVE's own tests of each task say together, for the tasks and methods of a table? table: of
    `archive_score_table`, perhaps less tasks and methods. unit: what counts once. See `combine_comparisons`.
    """
    rows = archive.compare(loss=loss, methods=table.methods, setting=setting)
    units = dict(zip(table.tasks, unit_names(table, unit), strict=True))
    kept = ["/" + "/".join(name) in units for name in _task_names(rows)]
    return combine_comparisons(rows.filter(pa.array(kept, pa.bool_())), units=units, setting=setting)


def _in_order(codes: Whole, names: Sequence[Names]) -> tuple[list[Names], Whole]:
    """Return the names that numbers stand for as they come first, and the place of each number among them."""
    used, places = used_codes(codes, len(names))
    return [names[code] for code in used.tolist()], places


def _task_names(rows: pa.Table) -> list[Names]:
    return list(zip(*(rows[column].to_pylist() for column in TASK_KEY), strict=True))


def _is_below(name: Names, place: Names) -> bool:
    return name[: len(place)] == place


def _nothing_below(archive: delvecore.Archive, place: Names, loss: str) -> str:
    """Say why there is nothing to rank: no such place, no results below it, or only under other losses."""
    where = "/" + "/".join(place)
    on = archive.index.methods_on
    known = sorted({one for name, losses in on.items() if _is_below(name, place) for one in losses})
    if not known:
        return f"{where}: expected a place with tasks and their results, found none; dls and mls list them"
    there = f"there are {' '.join(known)}, and what delve metrics lists"
    return f"{where}: expected results under the loss {loss}, found none; {there}"
