"""Who is best in a whole archive: by which loss, in which order, where, and at what cost."""

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from delvecore.answers.leaderboard import Leaderboard, leaderboard_answer, leaderboard_of
from delvecore.answers.wins_and_losses import Where, where_of
from delvecore.archive.costs import costs_of
from delvecore.archive.score_tables import RankedTable, ranked_table, usual_loss
from delvecore.archive.task_facts import task_groups
from delvecore.archive.views import under
from delvecore.errors import DelveError
from delvecore.losses.spec import loss_preference
from delvecore.model import TaskId
from delvecore.report.writers.text import first_sentence
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.stats.ranking.analysis import analyse
from delvecore.stats.ranking.performance_profiles import GroupRanks, group_ranks
from delvecore.stats.ranking.ranks import best_first, choose_unit, comparable_methods
from delvecore.stats.ranking.score_table import ScoreTable, complete_table
from delvecore.stats.verdicts import default_test, pair_verdicts

if TYPE_CHECKING:
    import pandas as pd

    from delvecore.archive import Archive


ENOUGH = 0.5
"""A loss leads that has this share of the results of the loss with the most."""


def leading_loss(archive: "Archive") -> str:
    """Return the loss by which an archive is ranked where nobody says: the one wanted most of those that have
    nearly as many results as any; of scores the metric with the most. Raises DelveError without results."""
    loss = usual_loss(archive)
    if not archive.paths:
        return loss
    counts = archive.index.loss_counts
    return min((one for one in counts if counts[one] >= ENOUGH * counts[loss]), key=loss_preference)


def leading_table(
    archive: "Archive",
    loss: str | None = None,
    *,
    methods: Collection[str] | None = None,
    keep: Collection[str] = (),
) -> RankedTable:
    """Return what ranks the archive's methods, as losses; tasks of scores have the names of their datasets.
    loss: None for `leading_loss`; methods, keep: see `archive_score_table`. Raises DelveError where there are
    no results."""
    loss = loss or leading_loss(archive)
    found = ranked_table(archive, loss=loss, as_losses=True, methods=methods, keep=keep)
    if archive.paths:
        return found
    titles = tuple(TaskId.parse(path).title for path in found.table.tasks)
    paths = dict(zip(titles, found.table.tasks, strict=True))
    runs = found.table.runs and found.table.runs.with_names(dict(zip(found.table.tasks, titles, strict=True)))
    return found._replace(table=replace(found.table, tasks=titles, runs=runs), paths=paths)


def method_order(archive: "Archive") -> tuple[str, ...]:
    """Return all methods of an archive, best mean rank first; those without a rank follow by name."""
    try:
        ranked = best_first(leading_table(archive).table)
    except DelveError:
        ranked = ()
    return (*ranked, *sorted(set(archive.methods["method"].to_pylist()) - set(ranked)))


def where_it_wins(archive: "Archive", method: str, *, loss: str | None = None) -> Where | None:
    """Where does a method win and lose over the tasks of an archive that it has results on, against the
    others that have them? None without results, and where there is no other on two tasks."""
    try:
        ranked = leading_table(archive, loss, keep=[method])
    except DelveError:
        return None
    table = complete_table(_of_one(ranked.table, method)).table
    if min(table.values.shape) < 2:
        return None
    return where_of(table, groups_of(archive, ranked), method, unit=choose_unit(table))


def groups_of(archive: "Archive", ranked: RankedTable) -> dict[str, dict[str, list[str]]]:
    """Return the tasks of a table by what tells them apart: see `task_groups`."""
    named = {path: name for name, path in ranked.paths.items()}
    groups = task_groups(archive, named)
    return {
        aspect: {level: [named[path] for path in paths] for level, paths in levels.items()}
        for aspect, levels in groups.items()
    }


def kinds_of_tasks(
    archive: "Archive", board: Leaderboard, *, loss: str | None = None
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
    archive: "Archive",
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
    runs = ranked.table.runs
    if runs and runs.reduced and len(table.methods) < len(ranked.table.methods):
        # The runs of methods that are not compared need not be common.
        fewer = leading_table(archive, loss, methods=table.methods).table
        table = replace(fewer, runs=fewer.runs and replace(fewer.runs, unranked=runs.unranked))
    try:
        found = analyse(table, unit=unit, alpha=setting.alpha, adjustment=setting.adjust)
    except ValueError as error:
        raise DelveError(str(error)) from None
    said = pair_verdicts(found, default_test())
    return leaderboard_of(found, said, costs_of(archive, found, loss=ranked.loss, paths=ranked.paths))


def leaderboard_frame(archive: "Archive", *, loss: str | None = None) -> "pd.DataFrame":
    """Return the leaderboard as a data frame: a row a method, best first, with its description."""
    import pandas as pd

    archive, loss = under(archive, loss)
    rows = leaderboard_answer(leaderboard(archive, loss=loss))
    frame = pd.DataFrame(rows.rows, columns=[field.key for field in rows.fields])
    told = dict(zip(*(archive.methods[name].to_pylist() for name in ("method", "summary")), strict=True))
    frame["description"] = [first_sentence(told.get(name)) for name in frame["method"]]
    return frame.set_index("method")
