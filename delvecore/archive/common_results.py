"""Results of an archive's methods over the instances that all of them have."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, cast

import numpy as np
import pyarrow as pa

import delvecore
from delvecore.archive.result_index import Names, used_codes
from delvecore.stats.kinds import Mask, Whole
from delvecore.stats.losses.blocks import Block, Task, read_losses
from delvecore.stats.losses.results import result_table
from delvecore.stats.ranking.common_runs import (
    CommonResults,
    CommonRuns,
    Lacking,
    Reduced,
    common_instances,
    enough_runs,
    path_of,
)

__all__ = ["are_below", "common_results"]

MOST_PLACES = 8
"""Losses of more places are searched for among those of all."""


def common_results(
    archive: "delvecore.Archive",
    *,
    loss: str,
    places: Sequence[Sequence[str]] = (),
    methods: Collection[str] | None = None,
    keep: Collection[str] = (),
) -> CommonResults:
    """Return results under one loss whose means are over the instances that all methods compared have.

    Methods with fewer than half of their runs are not compared, unless they are in `keep` or kept by how
    their scores were read. One with fewer than half of the instances of a task has no result there. In a
    table of scores a method should have a run on each task; in delve directories on those tasks only where
    it has a result. A single score that a table has for a task of delve directories is a mean over all of its
    instances.

    Parameters
    ----------
    places : names such as ("demo", "age")
        At or below which tasks count; none for all tasks.
    methods
        The only ones compared, None for all.
    keep
        Methods that are compared however few runs they have.
    """
    wanted = [tuple(names) for names in places] or [()]
    rows, tasks, names, place, column = _rows_below(archive, loss, wanted, methods)
    given = np.zeros((len(tasks), len(names)), dtype=np.int64)
    given[place, column] = archive.results["instances"].to_numpy()[rows]
    is_mean = _single_scores(archive, names, given)
    counts = np.where(is_mean, 0, given)
    losses = _Instances(archive, counts, tasks, names, loss=loss, places=wanted)
    counts[is_mean] = np.broadcast_to(np.maximum(losses.counts, 1)[:, None], counts.shape)[is_mean]
    kept_names = {*keep, *(name for scores in archive._scores for name in scores.group.keep)}
    kept = np.array([name in kept_names for name in names], dtype=bool)
    most = counts.max(axis=1, initial=0)
    expected = np.where(counts > 0, most[:, None], 0)
    if not archive.paths:
        expected = np.broadcast_to(most[:, None], counts.shape)
    ranked = enough_runs(counts.sum(axis=0), expected.sum(axis=0), keep=kept)
    counted = ranked & enough_runs(counts, most[:, None], keep=kept)
    stays, reduced, instances, fewer = counted.copy(), [], {}, [np.empty(0, dtype=np.int64)]
    for number, block in losses.blocks.items():
        own = counted[number] & ~is_mean[number]
        common = common_instances(block.present, own)
        if (block.present[:, own].sum(axis=0) > common.sum()).any():
            reduced.append(Reduced(path_of(tasks[number]), int(common.sum()), len(common)))
            instances[tasks[number]] = block.numbers[common]
            fewer.append(block.rows_of(common, own))
            stays[number] &= ~own & common.any()
    few = (counts > 0) & ranked & ~counted
    lacking = [
        Lacking(names[method], int(counts[:, method].sum()), int(expected[:, method].sum()))
        for method in np.flatnonzero(~ranked).tolist()
    ]
    runs = CommonRuns(
        runs=int(expected.sum()),
        failed=int(expected.sum() - counts.sum()),
        unranked=tuple(lacking),
        cells=tuple((path_of(tasks[one]), names[method]) for one, method in np.argwhere(few).tolist()),
        reduced=tuple(reduced),
    )
    whole = stays[place, column]
    results = archive.results.take(rows[whole])
    if len(of_common := np.concatenate(fewer)):
        found = result_table(losses.table.take(of_common), archive.tasks, archive.constants)
        results = pa.concat_tables([results, found.cast(results.schema)])
    compared = [name for name, is_ranked in zip(names, ranked.tolist(), strict=True) if is_ranked]
    return CommonResults(loss, results, tasks, compared, runs, instances)


def _rows_below(
    archive: "delvecore.Archive", loss: str, places: Sequence[Names], methods: Collection[str] | None
) -> tuple[Whole, list[Task], list[str], Whole, Whole]:
    """Return the rows of results under a loss below some places, their tasks and methods, and the place of
    each row's among these."""
    index = archive.index
    rows = index.rows_under(loss)
    chosen = are_below(index.tasks, places)[index.task[rows]]
    if methods is not None:
        chosen &= np.isin(index.methods, list(methods))[index.method[rows]]
    rows = rows[chosen]
    used, place = used_codes(index.task[rows], len(index.tasks))
    columns, column = np.unique(index.method[rows], return_inverse=True)
    tasks = [cast(Task, index.tasks[code]) for code in used.tolist()]
    return rows, tasks, [index.methods[code] for code in columns.tolist()], place, column


def are_below(names: Sequence[Names], places: Iterable[Names]) -> Mask:
    """Which tasks lie at or below one of the places?"""
    wanted = set(places)
    lengths = {len(place) for place in wanted}
    return np.array([any(name[:length] in wanted for length in lengths) for name in names], dtype=bool)


def _single_scores(archive: "delvecore.Archive", methods: Sequence[str], counts: Whole) -> Mask:
    """Which results on tasks of delve directories are one number from a table? Shape (tasks, methods)."""
    single = np.zeros(counts.shape, dtype=bool)
    for scores in archive._scores if archive.paths else ():
        known = scores.group.tables["results"]["method"].unique().to_pylist()
        names = {scores.renamed.get(name, name) for name in known}
        single |= np.isin(methods, list(names)) & (counts == 1)
    return single


class _TaskRuns(NamedTuple):
    """The runs on one task. methods: the place of each row's method among those compared, -1 for others;
    numbers: of its instances; instances: the place of each row's among these; present: shape (instances,
    methods compared); start: the first row."""

    start: int
    methods: Whole
    numbers: Whole
    instances: Whole
    present: Mask

    def rows_of(self, instances: Mask, methods: Mask) -> Whole:
        """Return the rows of some instances and methods."""
        chosen = (self.methods >= 0) & instances[self.instances] & methods[self.methods]
        return np.flatnonzero(chosen) + self.start


class _Instances:
    """Which method has which instance? counts: how many instances there are on each task; blocks: by the
    place of a task, of those where a method lacks some; table: the losses that their rows are of."""

    def __init__(
        self,
        archive: "delvecore.Archive",
        counts: Whole,
        tasks: Sequence[Task],
        methods: Sequence[str],
        *,
        loss: str,
        places: Sequence[Names],
    ) -> None:
        self.counts = counts.max(axis=1, initial=0)
        self.blocks: dict[int, _TaskRuns] = {}
        self.table = pa.table({})
        lacking = _lacking(archive, counts, tasks)
        if not lacking:
            return
        few = ["/".join(place) for place in places] if len(places) <= MOST_PLACES else ["/"]
        self.table = archive.losses_at(*few, loss=loss)
        losses, columns = read_losses(self.table), {name: place for place, name in enumerate(methods)}
        for block in losses.blocks:
            if (place := lacking.get(block.task)) is not None:
                self.blocks[place] = _task_runs(block, losses.instances, columns)
                self.counts[place] = len(self.blocks[place].present)


def _lacking(archive: "delvecore.Archive", counts: Whole, tasks: Sequence[Task]) -> dict[Task, int]:
    """Return the places of the tasks on which a method may lack instances that others have."""
    columns = (archive.tasks[name].to_pylist() for name in ("dataset", "prototask", "task", "instances"))
    known = {(*names,): count for *names, count in zip(*columns, strict=True)}
    whole = np.array([known.get(name) or -1 for name in tasks], dtype=np.int64)
    incomplete = ((counts > 0) & (counts != whole[:, None])).any(axis=1)
    return {tasks[place]: place for place in np.flatnonzero(incomplete).tolist()}


def _task_runs(block: Block, instances: Whole, columns: dict[str, int]) -> _TaskRuns:
    start, stop = block.starts[0], block.starts[-1]
    places = np.array([columns.get(name, -1) for name in block.methods], dtype=np.int64)
    method = np.repeat(places, np.diff(block.starts))
    known, instance = np.unique(instances[start:stop], return_inverse=True)
    present = np.zeros((len(known), len(columns)), dtype=bool)
    present[instance[method >= 0], method[method >= 0]] = True
    there: Mask = np.asarray(present.any(axis=1))  # others have instances of their own
    method[~there[instance]] = -1
    return _TaskRuns(start, method, known[there], (np.cumsum(there) - 1)[instance], present[there])
