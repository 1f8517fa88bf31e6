"""Mean losses of an archive's methods over the instances that all of them have."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import delvecore
from delvecore.archive.result_index import index_of
from delvecore.stats.kinds import Floats, Mask, Whole
from delvecore.stats.losses.blocks import Block, Losses, Task, read_losses
from delvecore.stats.losses.results import result_table
from delvecore.stats.ranking.common_runs import CommonRuns, Lacking, Reduced, common_instances, enough_runs

__all__ = ["CommonMeans", "MethodMeans", "common_means"]


MOST_PLACES = 8
"""Losses of more places are searched for among those of all."""


class MethodMeans(NamedTuple):
    """Results under one loss. tasks, methods: names; counts, values: shape (tasks, methods), how many
    instances each method has, and its mean over these, not a number where there is none; column: of the
    results, from which the means are."""

    loss: str
    column: str
    tasks: Sequence[Task]
    methods: Sequence[str]
    counts: Whole
    values: Floats


class CommonMeans(NamedTuple):
    """values: means over common instances, shape (tasks, methods), of all methods; ranked: which of them have
    enough runs."""

    values: Floats
    ranked: Mask
    runs: CommonRuns


def common_means(
    archive: delvecore.Archive, found: MethodMeans, places: Sequence[str], *, keep: Collection[str] = ()
) -> CommonMeans:
    """Return means over the instances that all methods compared have.

    Methods with fewer than half of their runs are not compared, unless they are in `keep`. One with fewer
    than half of the instances of a task has no value there. In a table of scores a method should have a run
    on each task; in delve directories on those tasks only where it has a result. A single score that a table
    has for a task of delve directories is a mean over all of its instances. places: at or below which all
    tasks are."""
    is_mean = _single_scores(archive, found)
    counts = np.where(is_mean, 0, found.counts)
    losses = _Instances(archive, found._replace(counts=counts), places)
    counts[is_mean] = np.broadcast_to(np.maximum(losses.counts, 1)[:, None], counts.shape)[is_mean]
    kept = np.array([name in keep for name in found.methods], dtype=bool)
    most = counts.max(axis=1, initial=0)
    expected = np.where(counts > 0, most[:, None], 0)
    if not archive.paths:
        expected = np.broadcast_to(most[:, None], counts.shape)
    ranked = enough_runs(counts.sum(axis=0), expected.sum(axis=0), keep=kept)
    counted = ranked & enough_runs(counts, most[:, None], keep=kept)
    values = np.where(counted, found.values, np.nan)
    reduced, rows = [], []
    for place, block in losses.blocks.items():
        own = counted[place] & ~is_mean[place]
        common = common_instances(block.present, own)
        if (block.present[:, own].sum(axis=0) > common.sum()).any():
            reduced.append(Reduced(_path(found.tasks[place]), int(common.sum()), len(common)))
            rows.append(block.rows_of(common, own))
            values[place, own | (not common.any())] = np.nan
    if any(map(len, rows)):
        _fill(values, archive, found, losses.table.take(np.concatenate(rows)))
    lacking = [
        Lacking(found.methods[method], int(counts[:, method].sum()), int(expected[:, method].sum()))
        for method in np.flatnonzero(~ranked).tolist()
    ]
    runs = CommonRuns(
        runs=int(expected.sum()),
        failed=int(expected.sum() - counts.sum()),
        unranked=tuple(lacking),
        cells=int(((counts > 0) & ranked & ~counted).sum()),
        reduced=tuple(reduced),
    )
    return CommonMeans(values, ranked, runs)


def _single_scores(archive: delvecore.Archive, found: MethodMeans) -> Mask:
    """Which results on tasks of delve directories are one number from a table? Shape (tasks, methods)."""
    single = np.zeros(found.counts.shape, dtype=bool)
    for scores in archive._scores if archive.paths else ():
        known = scores.group.tables["results"]["method"].unique().to_pylist()
        names = {scores.renamed.get(name, name) for name in known}
        single |= np.isin(list(found.methods), list(names)) & (found.counts == 1)
    return single


def _fill(values: Floats, archive: delvecore.Archive, found: MethodMeans, losses: pa.Table) -> None:
    """Put the means of some losses into their places."""
    results = result_table(losses, archive.tasks, archive.constants)
    index = index_of(results)
    tasks, methods = ({name: place for place, name in enumerate(names)} for names in found[2:4])
    rows = np.array([tasks[name] for name in index.tasks])[index.task]
    columns = np.array([methods[name] for name in index.methods])[index.method]
    values[rows, columns] = pc.fill_null(results[found.column], np.nan).to_numpy()


class _TaskRuns(NamedTuple):
    """The runs on one task. methods: the place of each row's method among those compared, -1 for others;
    instances: the place of its instance; present: shape (instances, methods compared); start: the first row.
    """

    start: int
    methods: Whole
    instances: Whole
    present: Mask

    def rows_of(self, instances: Mask, methods: Mask) -> Whole:
        """Return the rows of some instances and methods."""
        chosen = (self.methods >= 0) & instances[self.instances] & methods[self.methods]
        return np.flatnonzero(chosen) + self.start


class _Instances:
    """Which method has which instance? counts: how many instances there are on each task; blocks: by the
    place of a task, of those where a method lacks some; table: the losses that their rows are of."""

    def __init__(self, archive: delvecore.Archive, found: MethodMeans, places: Sequence[str]) -> None:
        self.counts = found.counts.max(axis=1, initial=0)
        self.blocks: dict[int, _TaskRuns] = {}
        self.table = pa.table({})
        lacking = self._lacking(archive, found)
        if lacking:
            few = places if len(places) <= MOST_PLACES else ["/"]
            self.table = archive.losses_at(*few, loss=found.loss)
            self.blocks = dict(_read(read_losses(self.table), lacking, found.methods))
            for place, block in self.blocks.items():
                self.counts[place] = len(block.present)

    @staticmethod
    def _lacking(archive: delvecore.Archive, found: MethodMeans) -> dict[Task, int]:
        """Return the places of the tasks on which a method may lack instances that others have."""
        names = zip(
            *(archive.tasks[name].to_pylist() for name in ("dataset", "prototask", "task")), strict=True
        )
        known = dict(zip(names, archive.tasks["instances"].to_pylist(), strict=True))
        whole = np.array([known.get(name) or -1 for name in found.tasks], dtype=np.int64)
        incomplete = ((found.counts > 0) & (found.counts != whole[:, None])).any(axis=1)
        return {found.tasks[place]: place for place in np.flatnonzero(incomplete).tolist()}


def _read(losses: Losses, wanted: dict[Task, int], methods: Sequence[str]) -> Iterator[tuple[int, _TaskRuns]]:
    """Yield the runs on the tasks that are wanted, each with its place, where methods have different ones."""
    columns = {name: place for place, name in enumerate(methods)}
    for block in losses.blocks:
        place = wanted.get(block.task)
        if place is not None:
            yield place, _task_runs(block, losses.instances, columns)


def _task_runs(block: Block, instances: Whole, columns: dict[str, int]) -> _TaskRuns:
    start, stop = block.starts[0], block.starts[-1]
    places = np.array([columns.get(name, -1) for name in block.methods], dtype=np.int64)
    method = np.repeat(places, np.diff(block.starts))
    known, instance = np.unique(instances[start:stop], return_inverse=True)
    present = np.zeros((len(known), len(columns)), dtype=bool)
    present[instance[method >= 0], method[method >= 0]] = True
    there: Mask = np.asarray(present.any(axis=1))  # others have instances of their own
    place = np.cumsum(there) - 1
    method[~there[instance]] = -1
    return _TaskRuns(start, method, place[instance], present[there])


def _path(task: Task) -> str:
    return "/" + "/".join(task)
