"""What methods cost, beside how good they are: one record for all pages and commands."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.answers.leaderboard import Costs
from delvecore.losses.spec import is_logarithmic, known_loss, metric_of
from delvecore.model import TaskId
from delvecore.number_format.list_columns import rows_where
from delvecore.number_format.text_columns import places_among, task_paths
from delvecore.stats.array_types import Floats
from delvecore.stats.losses.results import usable_constant
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.pareto_front import cost_front
from delvecore.stats.ranking.ranks import unit_averages, unit_names

if TYPE_CHECKING:
    from delvecore.archive import Archive


LEAST_COSTED = 2
"""Units with costs of all methods that a comparison needs."""


def costs_of(
    archive: "Archive", found: Analysis, *, loss: str, paths: Mapping[str, str] | None = None
) -> Costs | None:
    """Return cost, mean loss and mean rank of each method of a ranking.

    The ranks are those of the ranking; cost and loss are over the units of the tasks on which the costs of
    all methods are known.

    Parameters
    ----------
    archive : "Archive"
        Where the costs are.
    found : Analysis
        The ranking, of losses or of scores.
    loss : str
        The loss by which the methods are ranked.
    paths : mapping of str to str, optional
        Path of each task in the archive by its name in the ranking; None where names are paths.

    Returns
    -------
    Costs or None
        None below two units.
    """
    table = found.table
    tasks = np.array([paths[name] if paths else name for name in table.tasks], dtype=object)
    seconds = _seconds(archive, tasks.tolist(), table.methods)
    known = (seconds > 0).all(axis=1)
    part = table.select(tasks=np.array(table.tasks, dtype=object)[known])
    units = unit_names(part, found.unit)
    if len(set(units)) < LEAST_COSTED:
        return None
    metric = metric_of(loss)
    values = metric.losses_of(part.values) if metric and part.higher_is_better else part.losses
    limits = unit_averages(units, mean_limits(archive, loss, tasks[known].tolist()))[1].mean(axis=0)
    front = cost_front(
        unit_averages(units, values)[1],
        np.exp(unit_averages(units, np.log(seconds[known]))[1]),
        level=1 - found.alpha,
        limits=(float(limits[0]), float(limits[1])),
    )
    return Costs(
        table.methods,
        front,
        found.ranks.average,
        _megabytes(archive, table.methods),
        unit=found.unit,
        units=len(set(units)),
        ranked=len(found.units.tasks),
        left_out=int((~known).sum()),
    )


def _seconds(archive: "Archive", tasks: Sequence[str], methods: Sequence[str]) -> Floats:
    """Return the median of the instances of each task, shape (tasks, methods), not a number where unknown."""
    rows = archive.costs
    rows = rows_where(rows, pc.is_in(task_paths(rows), value_set=pa.array(tasks, pa.string())))
    places = places_among(task_paths(rows), tasks), places_among(rows["method"], methods)
    spent: dict[tuple[int, int], list[float]] = {}
    columns = (*(one.tolist() for one in places), rows["seconds"].to_pylist())
    for task, method, seconds in zip(*columns, strict=True):
        spent.setdefault((task, method), []).append(seconds)
    found = np.full((len(tasks), len(methods)), np.nan)
    for (task, method), seconds in spent.items():
        if method >= 0:
            found[task, method] = np.median(seconds)
    return found


def _megabytes(archive: "Archive", methods: Sequence[str]) -> Floats:
    """Return the most memory that each method used, not a number where it is not known."""
    memory = archive.costs.group_by("method").aggregate([("megabytes", "max")])
    most = dict(zip(memory["method"].to_pylist(), memory["megabytes_max"].to_pylist(), strict=True))
    return np.array([most.get(name) or np.nan for name in methods])


def mean_limits(archive: "Archive", loss: str, tasks: Sequence[str]) -> Floats:
    """Return the least and the most that a mean loss can be on each task, in its unit, shape (tasks, 2)."""
    found = np.tile([0.0, np.inf], (len(tasks), 1))
    metric = metric_of(loss)
    known = None if metric else known_loss(loss)
    if (metric and metric.best is None) or is_logarithmic(loss):
        found[:, 0] = -np.inf
    if known is None or known.spec is None or not known.is_standard:
        return found
    rows = archive.results.filter(pc.equal(archive.results["loss"], loss))
    constants = dict(zip(task_paths(rows).to_pylist(), rows["standardizer"].to_pylist(), strict=True))
    targets = {
        (row["dataset"], row["prototask"]): len(row["targets"] or ())
        for row in archive.prototasks.to_pylist()
        if not row["stratified"]
    }
    for place, task in enumerate(tasks):
        constant, count = usable_constant(loss, constants.get(task)), targets.get(TaskId.parse(task)[:2])
        if constant and count:
            found[place, 1] = known.spec.most * count / constant
    return found
