"""Results of an archive's methods over the instances that all of them have."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.archive.result_index import Names, used_codes
from delvecore.model import Scheme, TaskId
from delvecore.number_format.columns import places_among, task_places
from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.losses.results import result_table
from delvecore.stats.ranking.score_table import (
    CommonResults,
    CommonRuns,
    Failures,
    Partial,
    enough_runs,
)
from delvecore.tables import LOSS_ORDER, PLACE, SCHEMAS, distinct_rows, rows_of, values_in

if TYPE_CHECKING:
    from delvecore.archive import Archive


MOST_PLACES = 8
"""Largest number of places whose losses are selected one by one; for more places, all losses are read and
then filtered."""


def common_results(
    archive: "Archive",
    *,
    loss: str,
    places: Sequence[Sequence[str]] = (),
    methods: Collection[str] | None = None,
    keep: Collection[str] = (),
) -> CommonResults:
    """Return results under one loss, with means over the instances that all compared methods have.

    Methods with fewer than half of their runs are not compared, unless they are in `keep` or kept by the
    options of their scores. A method with fewer than half of the instances of a task has no result there. In
    a table of scores, a method should have a run on each task. In delve directories, it should have runs on
    the tasks where it has a result. A single score for a task of delve directories is a mean over all
    instances of the task. `places` are names such as ("demo", "age"), empty for all tasks; `methods` None
    means all.
    """
    wanted = [tuple(names) for names in places] or [()]
    rows, tasks, names, place, column = _rows_below(archive, loss, wanted, methods)
    counts, is_mean, losses, instances = _counted(archive, loss, wanted, (rows, tasks, names, place, column))
    kept_names = {*keep, *(name for scores in archive._scores for name in scores.keep)}
    kept = np.array([name in kept_names for name in names], dtype=bool)
    most = counts.max(axis=1, initial=0)
    expected = np.where(counts > 0, most[:, None], 0)
    if not archive.paths:
        expected = np.broadcast_to(most[:, None], counts.shape)
    should_have = np.where(expected > 0, instances[:, None], 0)
    ranked = enough_runs(counts.sum(axis=0), expected.sum(axis=0), keep=kept)
    counted = ranked & enough_runs(counts, most[:, None], keep=kept)
    in_common = counted & ~is_mean
    own = in_common[losses.task, losses.method]
    have = np.bincount(losses.run[own], minlength=len(losses.run_task))
    is_common = have == np.maximum(in_common.sum(axis=1), 1)[losses.run_task]
    common = np.bincount(losses.run_task[is_common], minlength=len(tasks))
    is_reduced = np.zeros(len(tasks), dtype=bool)
    is_reduced[losses.task[own & ~is_common[losses.run]]] = True
    stays = counted & ~(is_reduced[:, None] & (in_common | (common == 0)[:, None]))
    results = archive.results.take(rows[stays[place, column]])
    fewer = losses.row[own & is_common[losses.run] & is_reduced[losses.task]]
    if len(fewer):
        recomputed = result_table(
            losses.table.take(fewer), archive.tasks, archive.constants, archive.measures
        )
        results = pa.concat_tables([results, recomputed.cast(results.schema)])
    reduced = np.flatnonzero(is_reduced).tolist()
    numbers = np.split(losses.number[is_common], np.cumsum(common)[:-1])
    runs = CommonRuns(
        runs=int(should_have.sum()),
        failed=int(should_have.sum() - counts.sum()),
        unranked=tuple(
            Partial(names[method], int(counts[:, method].sum()), int(expected[:, method].sum()))
            for method in np.flatnonzero(~ranked).tolist()
        ),
        cells=tuple(
            (tasks[task].path, names[method])
            for task, method in np.argwhere((counts > 0) & ranked & ~counted).tolist()
        ),
        reduced=tuple(Partial(tasks[task].path, int(common[task]), int(instances[task])) for task in reduced),
    )
    compared = [name for name, is_ranked in zip(names, ranked.tolist(), strict=True) if is_ranked]
    lacks = ranked & (counts < should_have)
    if lacks.any():
        failures = _failures(tasks, names, losses, instances, lacks, ranked)
        runs = replace(runs, compared=tuple(compared), failures=failures)
    return CommonResults(results, tasks, compared, runs, {tasks[task]: numbers[task] for task in reduced})


_Rows = tuple[Whole, list[TaskId], list[str], Whole, Whole]


def _counted(
    archive: "Archive", loss: str, wanted: Sequence[Names], counted: _Rows
) -> tuple[Whole, Mask, "_Losses", Whole]:
    """Return the runs of each method on each task, a mask of single scores, the losses of tasks on which a
    method may lack instances, and the numbers of instances of the tasks."""
    rows, tasks, names, place, column = counted
    given = np.zeros((len(tasks), len(names)), dtype=np.int64)
    given[place, column] = archive.results["instances"].to_numpy()[rows]
    unpaired = _are_unpaired(archive, tasks)
    given[unpaired] = np.minimum(given[unpaired], 1)
    is_mean = _single_scores(archive, names, given)
    counts = np.where(is_mean, 0, given)
    losses = _losses_of(archive, loss, wanted, tasks, names, _may_lack(archive, counts, tasks))
    instances = np.maximum(counts.max(axis=1, initial=0), np.bincount(losses.run_task, minlength=len(tasks)))
    counts[is_mean] = np.broadcast_to(np.maximum(instances, 1)[:, None], counts.shape)[is_mean]
    return counts, is_mean, losses, instances


def _rows_below(
    archive: "Archive", loss: str, places: Sequence[Names], methods: Collection[str] | None
) -> _Rows:
    """Return the rows of results below some places, their tasks and methods, and each row's position among
    these."""
    index = archive.index
    rows = index.rows_under(loss)
    chosen = are_below(index.tasks, places)[index.task[rows]]
    if methods is not None:
        chosen &= np.isin(index.methods, list(methods))[index.method[rows]]
    rows = rows[chosen]
    used, place = used_codes(index.task[rows], len(index.tasks))
    columns, column = np.unique(index.method[rows], return_inverse=True)
    tasks = [index.tasks[code] for code in used.tolist()]
    return rows, tasks, [index.methods[code] for code in columns.tolist()], place, column


def are_below(names: Sequence[Names], places: Iterable[Names]) -> Mask:
    """Find the tasks at or below one of the places."""
    wanted = set(places)
    lengths = {len(place) for place in wanted}
    return np.array([any(name[:length] in wanted for length in lengths) for name in names], dtype=bool)


def _single_scores(archive: "Archive", methods: Sequence[str], counts: Whole) -> Mask:
    """Return a mask of the results that are a single number from a table of scores.

    Its shape is (tasks, methods). Only the tasks of delve directories count."""
    single = np.zeros(counts.shape, dtype=bool)
    for scores in archive._scores if archive.paths else ():
        known = values_in(scores.tables["results"], "method")
        names = {scores.renamed.get(name, name) for name in known}
        single |= np.isin(methods, list(names)) & (counts == 1)
    return single


class _Losses(NamedTuple):
    """Losses on tasks where a method may lack instances that others have.

    Attributes
    ----------
    row, task, method : Whole
        Position of each loss in the table, and among the tasks and methods.
    run : Whole
        Position of each loss's instance among all instances of these tasks.
    run_task, number : Whole
        The task and the instance number of each of those runs.
    """

    table: pa.Table
    row: Whole
    task: Whole
    method: Whole
    run: Whole
    run_task: Whole
    number: Whole


def _losses_of(
    archive: "Archive",
    loss: str,
    places: Sequence[Names],
    tasks: Sequence[TaskId],
    methods: Sequence[str],
    wanted: Mask,
) -> _Losses:
    """Return the losses of some methods on the tasks that need them."""
    few = ["/".join(place) for place in places] if len(places) <= MOST_PLACES else ["/"]
    table = archive.losses_at(*few, loss=loss) if wanted.any() else SCHEMAS["losses"].empty_table()
    task, method = task_places(table, [one.path for one in tasks]), places_among(table["method"], methods)
    row = np.flatnonzero((task >= 0) & (method >= 0) & np.append(wanted, False)[task])
    task, method, number = task[row], method[row], table["instance"].to_numpy()[row].astype(np.int64)
    width = number.max(initial=0) + 1
    keys, run = np.unique(task * width + number, return_inverse=True)
    return _Losses(table, row, task, method, run, keys // width, keys % width)


def _failures(
    tasks: Sequence[TaskId],
    names: Sequence[str],
    losses: _Losses,
    instances: Whole,
    lacks: Mask,
    ranked: Mask,
) -> tuple[Failures, ...]:
    """Return (dataset, ranked methods that fail on the same runs, number of these runs).

    `lacks` marks the tasks on which a method lacks runs."""
    fails = lacks[losses.run_task]
    fails[losses.run, losses.method] = False
    weights = np.ones(len(fails), dtype=np.int64)
    # If each method has all runs or none, single losses were not read.
    whole = np.flatnonzero(lacks.any(axis=1) & ~np.isin(np.arange(len(tasks)), losses.run_task))
    place = np.concatenate([losses.run_task, whole])
    fails, weights = np.concatenate([fails, lacks[whole]]), np.concatenate([weights, instances[whole]])
    partial = fails.any(axis=1) & (fails != ranked).any(axis=1)
    totals: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for run in np.flatnonzero(partial).tolist():
        failing = tuple(names[method] for method in np.flatnonzero(fails[run]).tolist())
        totals[tasks[place[run]].dataset, failing] += int(weights[run])
    return tuple((*key, count) for key, count in totals.items())


def worst_results(
    archive: "Archive",
    *,
    loss: str,
    places: Sequence[Sequence[str]] = (),
    methods: Collection[str],
) -> pa.Table:
    """Return results of methods under one loss, with the worst value of the task for each failed run.

    Means are over all instances. The worst value is the worst score of the task, or in delve directories the
    worst mean loss of a run, by all methods. Arguments: see `common_results`."""
    wanted = [tuple(names) for names in places] or [()]
    rows, tasks, names, place, column = _rows_below(archive, loss, wanted, methods)
    counts, is_mean, _, instances = _counted(archive, loss, wanted, (rows, tasks, names, place, column))
    lacks: Mask = counts < instances[:, None]
    if archive.paths:
        lacks &= counts > 0
    is_filled = np.asarray(lacks.any(axis=1))
    stays = ~is_filled[place] | is_mean[place, column]
    every = list(archive.index.methods)
    losses = _losses_of(archive, loss, wanted, tasks, every, is_filled)
    number = np.array([names.index(name) if name in names else -1 for name in every])[losses.method]
    fails = lacks[losses.run_task]
    fails[losses.run[number >= 0], number[number >= 0]] = False
    run, method = np.nonzero(fails)
    measured = losses.table.take(losses.row).cast(SCHEMAS["losses"])
    _, first = np.unique(losses.run, return_index=True)
    filled = measured.take(first[run])
    worst = _worst_values(archive, loss, measured, losses)[losses.run_task[run]]
    lengths = pc.list_value_length(filled["values"]).to_numpy()
    values = pa.ListArray.from_arrays(np.concatenate([[0], lengths.cumsum()]), np.repeat(worst, lengths))
    changed = {"method": pa.array(np.array(names, dtype=object)[method], pa.string()), "values": values}
    for name, column_values in changed.items():
        position = filled.schema.get_field_index(name)
        filled = filled.set_column(position, filled.schema.field(name), column_values)
    measured_rows = measured.filter(pa.array((number >= 0) & ~is_mean[losses.task, number]))
    together = pa.concat_tables([measured_rows, filled])
    together = together.take(pc.sort_indices(together, [(name, "ascending") for name in LOSS_ORDER]))
    means = result_table(together, archive.tasks, archive.constants, archive.measures)
    results = archive.results.take(rows[stays])
    return pa.concat_tables([results, means.cast(results.schema)])


def _worst_values(archive: "Archive", loss: str, measured: pa.Table, losses: "_Losses") -> Floats:
    """Return the worst value of each task."""
    lists = measured["values"].combine_chunks()
    starts = lists.offsets.to_numpy()[:-1] - lists.offsets[0].as_py()
    sign = -1.0 if archive.measures[loss].higher_is_better else 1.0
    flat = sign * lists.flatten().to_numpy()
    lengths = pc.list_value_length(lists).to_numpy()
    each = np.add.reduceat(flat, starts) / lengths if archive.paths else np.maximum.reduceat(flat, starts)
    worst: Floats = np.full(int(losses.run_task.max()) + 1, -np.inf)
    np.maximum.at(worst, losses.task, each)
    return sign * worst


def _may_lack(archive: "Archive", counts: Whole, tasks: Sequence[TaskId]) -> Mask:
    """Find the tasks on which a method may lack instances that others have."""
    known = {row[:3]: row[3] for row in rows_of(archive.tasks, (*PLACE[1:], "instances"))}
    whole = np.array([known.get(name) or -1 for name in tasks], dtype=np.int64)
    lacks: Mask = ((counts > 0) & (counts != whole[:, None])).any(axis=1)
    return lacks & ~_are_unpaired(archive, tasks)


def _are_unpaired(archive: "Archive", tasks: Sequence[TaskId]) -> Mask:
    """Find the tasks on which each method has separate runs, so that only their mean is compared."""
    unpaired = distinct_rows(
        archive.tasks.filter(pc.equal(archive.tasks["scheme"], Scheme.UNPAIRED)), PLACE[1:]
    )
    return np.array([tuple(task) in unpaired for task in tasks], dtype=bool)
