"""Who is best in a whole archive: by which loss, in which order, where, and at what cost."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

import delvecore
from delvecore.archive.score_details import unit_costs
from delvecore.archive.score_tables import RankedTable, ranked_table, usual_loss
from delvecore.archive.task_facts import task_groups
from delvecore.archive.views import under
from delvecore.errors import DelveError
from delvecore.losses.spec import loss_preference
from delvecore.model import task_title
from delvecore.report.ranking.leaders import Costs, Leaderboard, leaderboard_finding, leaderboard_of
from delvecore.report.ranking.where import Where, where_of
from delvecore.report.writers.text import first_sentence
from delvecore.statistics.choose import DEFAULT_SETTING, RankTest, Setting
from delvecore.statistics.ranking.analysis import Analysis, analyse
from delvecore.statistics.ranking.front import cost_front
from delvecore.statistics.ranking.groups import GroupRanks, group_ranks
from delvecore.statistics.ranking.order import best_first, comparable_methods
from delvecore.statistics.ranking.pair_verdicts import pair_verdicts
from delvecore.statistics.ranking.score_table import ScoreTable, complete_table
from delvecore.statistics.ranking.units import choose_unit

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "costs_of",
    "groups_of",
    "kinds_of_tasks",
    "leaderboard",
    "leaderboard_frame",
    "leading_loss",
    "leading_table",
    "method_order",
    "where_it_wins",
]

ENOUGH = 0.5
"""A loss leads that has this share of the results of the loss with the most."""


def leading_loss(archive: delvecore.Archive) -> str:
    """Return the loss by which an archive is ranked where nobody says: the one wanted most of those that have
    nearly as many results as any; of scores the metric with the most. Raises DelveError without results."""
    loss = usual_loss(archive)
    if not archive.paths:
        return loss
    counts = archive.index.loss_counts
    return min((one for one in counts if counts[one] >= ENOUGH * counts[loss]), key=loss_preference)


def leading_table(archive: delvecore.Archive, loss: str | None = None) -> RankedTable:
    """Return what ranks the archive's methods, as losses; tasks of scores have the names of their datasets.
    loss: None for `leading_loss`. Raises DelveError where there are no results."""
    found = ranked_table(archive, loss=loss or leading_loss(archive), as_losses=True)
    if archive.paths:
        return found
    titles = tuple(task_title(*path.strip("/").split("/")) for path in found.table.tasks)
    paths = dict(zip(titles, found.table.tasks, strict=True))
    return found._replace(table=replace(found.table, tasks=titles), paths=paths)


def method_order(archive: delvecore.Archive) -> tuple[str, ...]:
    """Return all methods of an archive, best mean rank first; those without a rank follow by name."""
    try:
        ranked = best_first(leading_table(archive).table)
    except DelveError:
        ranked = ()
    return (*ranked, *sorted(set(archive.methods["method"].to_pylist()) - set(ranked)))


def where_it_wins(archive: delvecore.Archive, method: str, *, loss: str | None = None) -> Where | None:
    """Where does a method win and lose over the tasks of an archive that it has results on, against the
    others that have them? None without results, and where there is no other on two tasks."""
    try:
        ranked = leading_table(archive, loss)
    except DelveError:
        return None
    table = complete_table(_of_one(ranked.table, method)).table
    if min(table.values.shape) < 2:
        return None
    return where_of(table, groups_of(archive, ranked), method, unit=choose_unit(table))


def groups_of(archive: delvecore.Archive, ranked: RankedTable) -> dict[str, dict[str, list[str]]]:
    """Return the tasks of a table by what tells them apart: see `task_groups`."""
    named = {path: name for name, path in ranked.paths.items()}
    groups = task_groups(archive, named)
    return {
        aspect: {level: [named[path] for path in paths] for level, paths in levels.items()}
        for aspect, levels in groups.items()
    }


def kinds_of_tasks(
    archive: delvecore.Archive, board: Leaderboard, *, loss: str | None = None
) -> tuple[GroupRanks, ...]:
    """How do the methods of a leaderboard do on each kind of task? See `task_groups`."""
    found, groups = board.found, groups_of(archive, leading_table(archive, loss))
    return group_ranks(found.table, groups, unit=found.unit, level=1 - found.alpha)


def _of_one(table: ScoreTable, method: str) -> ScoreTable:
    """Return the methods that are usually compared; where one is not among them, its tasks and the methods
    that have results on all of these."""
    usual = comparable_methods(table)
    if method in usual.methods or method not in table.methods:
        return usual.select(methods=[name for name in usual.methods if method in usual.methods])
    known = ~np.isnan(table.values)
    rows = known[:, table.methods.index(method)]
    both = known[rows].all(axis=0)
    tasks, methods = (np.array(names, dtype=object) for names in (table.tasks, table.methods))
    return table.select(tasks=tasks[rows], methods=methods[both])


def leaderboard(
    archive: delvecore.Archive,
    *,
    loss: str | None = None,
    unit: str | None = None,
    setting: Setting = DEFAULT_SETTING,
) -> Leaderboard:
    """Which methods are best over all tasks of an archive, by how much and at what cost? loss: None for
    `leading_loss`; unit: what counts once, None for the usual. Methods without results on most tasks are not
    compared. Raises DelveError where there is nothing to compare."""
    ranked = leading_table(archive, loss)
    table = comparable_methods(ranked.table)
    try:
        found = analyse(table, unit=unit, alpha=setting.alpha, adjustment=setting.adjust)
    except ValueError as error:
        raise DelveError(str(error)) from None
    said = pair_verdicts(found, RankTest.NEMENYI)
    return leaderboard_of(found, said, costs_of(archive, found, ranked.paths))


def costs_of(archive: delvecore.Archive, found: Analysis, paths: Mapping[str, str]) -> Costs | None:
    """Return what the methods of a ranking cost, on the tasks where that of all is known; None below two
    units. paths: of the tasks in the archive, by their names in the table."""
    table = found.table
    used = replace(table, tasks=tuple(paths[task] for task in table.tasks))
    losses, seconds, _ = unit_costs(archive, used, unit=found.unit)
    if len(losses) < 2:
        return None
    memory = archive.costs.group_by("method").aggregate([("megabytes", "max")])
    most = dict(zip(memory["method"].to_pylist(), memory["megabytes_max"].to_pylist(), strict=True))
    megabytes = np.array([most.get(name) or np.nan for name in table.methods])
    return Costs(cost_front(losses, seconds, level=1 - found.alpha), megabytes)


def leaderboard_frame(archive: delvecore.Archive, *, loss: str | None = None) -> "pd.DataFrame":
    """Return the leaderboard as a data frame: a row a method, best first, with its description."""
    import pandas as pd

    archive, loss = under(archive, loss)
    rows = leaderboard_finding(leaderboard(archive, loss=loss))
    frame = pd.DataFrame(rows.rows, columns=[field.key for field in rows.fields])
    told = dict(zip(*(archive.methods[name].to_pylist() for name in ("method", "summary")), strict=True))
    frame["description"] = [first_sentence(told.get(name)) for name in frame["method"]]
    return frame.set_index("method")
