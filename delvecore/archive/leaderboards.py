"""Best methods in a whole archive: the loss, their order, wins and losses, kinds of tasks, and costs."""

import re
import textwrap
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow.compute as pc

from delvecore.answers.leaderboard import (
    LEAST_COSTED,
    Costs,
    Leaderboard,
    leaderboard_answer,
    leaderboard_of,
)
from delvecore.answers.wins_and_losses import Where, where_of
from delvecore.archive.score_tables import measure_ranked, ranked_scores, usual_loss
from delvecore.archive.views import under
from delvecore.errors import DelveError
from delvecore.losses.spec import loss_preference
from delvecore.losses.standard_losses import Loss
from delvecore.measures import Measure
from delvecore.methods import METHODS
from delvecore.model import SCORED, TaskId
from delvecore.number_format.columns import task_paths
from delvecore.render.numbers import integer
from delvecore.render.text import first_sentence
from delvecore.stats.array_types import Floats
from delvecore.stats.choose import DEFAULT_SETTING, Setting, level_of
from delvecore.stats.losses.results import usable_constant
from delvecore.stats.orientation import oriented_interval
from delvecore.stats.ranking.analysis import Analysis, analyze
from delvecore.stats.ranking.pareto_front import cost_front
from delvecore.stats.ranking.performance_profiles import GroupRanks, group_ranks
from delvecore.stats.ranking.ranks import (
    best_first,
    choose_unit,
    comparable_methods,
    unit_averages,
    unit_names,
)
from delvecore.stats.ranking.score_table import ScoreTable, complete_table
from delvecore.stats.verdicts import DEFAULT_TEST, pair_verdicts
from delvecore.tables import PLACE, grouped_by, rows_of, values_in

if TYPE_CHECKING:
    import pandas as pd

    from delvecore.archive import Archive


ENOUGH = 0.5
"""A default loss has at least this share of the number of results of the loss with the most."""


def leading_loss(archive: "Archive", tasks: tuple[str, ...] | None = None) -> str:
    """Return the default loss for ranking an archive.

    This is the first one by `loss_preference` among losses with at least half as many results as the one with
    the most. Among scores, it is the metric with the most results. `tasks` are full paths. None, and tasks
    without results, mean all tasks.
    Raises DelveError without results.
    """
    loss = usual_loss(archive)
    if not archive.paths:
        return loss
    counts: Mapping[str, int] = archive.index.loss_counts
    if tasks is not None:
        wanted, some = set(tasks), Counter[str]()
        for task, on in archive.index.methods_on.items():
            some.update({one: len(methods) for one, methods in on.items() if task.path in wanted})
        counts = some or counts
    return min((one for one in counts if counts[one] >= ENOUGH * max(counts.values())), key=loss_preference)


def leading_scores(
    archive: "Archive",
    loss: str | None = None,
    *,
    tasks: Collection[str] | None = None,
    methods: Collection[str] | None = None,
    keep: Collection[str] = (),
) -> ScoreTable:
    """Return the table of scores by which the archive's methods are ranked.

    `loss` is the key of a measure, None for `leading_loss`. `tasks` are full paths, None for all; tasks
    without results are left out. `methods` and `keep` are described in `score_table`. Raises DelveError
    without results.
    """
    measure = measure_ranked(archive, loss or leading_loss(archive))
    places: list[tuple[str, ...]] = []
    if tasks is not None:
        wanted, done = set(tasks), archive.index.methods_on
        places = [task for task, on in done.items() if task.path in wanted and measure.key in on]
        if not places:
            raise DelveError(f"expected results under {measure.key} on the chosen tasks, found none")
    return ranked_scores(archive, measure, places, methods=methods, keep=keep)


def method_order(archive: "Archive") -> tuple[str, ...]:
    """Return all methods of an archive, best mean rank first; those without a rank follow by name."""
    try:
        ranked = best_first(leading_scores(archive))
    except DelveError:
        ranked = ()
    return (*ranked, *sorted(set(values_in(archive.methods, "method")).difference(ranked)))


def where_it_wins(archive: "Archive", method: str, *, loss: str | None = None) -> Where | None:
    """Return the tasks on which a method wins or loses against the others, among those with its results. None
    without results, with fewer than two tasks, or without another method."""
    try:
        ranked = leading_scores(archive, loss, keep=[method])
    except DelveError:
        return None
    table = complete_table(_of_one(ranked, method))
    if min(table.values.shape) < 2:
        return None
    return where_of(table, groups_of(archive, ranked), method, unit=choose_unit(table))


def groups_of(archive: "Archive", table: ScoreTable) -> dict[str, dict[str, list[str]]]:
    """Return the tasks of a table by the properties that distinguish them: see `task_groups`."""
    named = dict(zip(table.task_paths, table.tasks, strict=True))
    groups = task_groups(archive, named)
    return {
        aspect: {level: [named[path] for path in paths] for level, paths in levels.items()}
        for aspect, levels in groups.items()
    }


def kinds_of_tasks(archive: "Archive", board: Leaderboard) -> tuple[GroupRanks, ...]:
    """Compare the methods of a leaderboard on each kind of task: see `task_groups`."""
    analysis, groups = board.analysis, groups_of(archive, board.analysis.given)
    return group_ranks(
        analysis.table,
        groups,
        unit=analysis.unit,
        level=level_of(analysis.alpha),
        statistic=analysis.statistic,
    )


def _of_one(table: ScoreTable, method: str) -> ScoreTable:
    """Return the methods usually compared; if this one is not among them, those with results on all of its
    tasks."""
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
    tasks: Collection[str] | None = None,
    unit: str | None = None,
    setting: Setting = DEFAULT_SETTING,
    base: Leaderboard | None = None,
) -> Leaderboard:
    """Return the best methods over the tasks of an archive, with their differences and costs.

    `loss` None means `leading_loss`. `tasks` are full paths, None for all. `unit` is the unit of replication,
    None for the default. `base` is the same leaderboard at another level, if available. Methods without
    results on most tasks are not compared. Raises DelveError if there is nothing to compare.
    """
    measure = measure_ranked(archive, loss or leading_loss(archive))
    if base is not None:
        analysis = base.analysis.at_level(setting.alpha)
    else:
        table = _compared(archive, loss, leading_scores(archive, loss, tasks=tasks), tasks)
        try:
            analysis = analyze(table, unit=unit, alpha=setting.alpha, adjustment=setting.adjust)
        except ValueError as error:
            raise DelveError(str(error)) from None
    verdicts = pair_verdicts(analysis, DEFAULT_TEST)
    costs, scope = costs_of(archive, analysis, measure=measure), scope_of(archive, analysis.table.task_paths)
    return leaderboard_of(analysis, verdicts, costs, scope=scope, measure=measure)


def _compared(
    archive: "Archive", loss: str | None, ranked: ScoreTable, chosen: Collection[str] | None
) -> ScoreTable:
    """Return the methods of a table that are compared, with the runs that these have in common."""
    table, runs = comparable_methods(ranked), ranked.runs
    if runs and runs.reduced and len(table.methods) < len(ranked.methods):
        fewer = leading_scores(archive, loss, tasks=chosen, methods=table.methods)
        return replace(fewer, runs=fewer.runs and replace(fewer.runs, unranked=runs.unranked))
    return table


def leaderboard_frame(archive: "Archive", *, loss: str | None = None) -> "pd.DataFrame":
    """Return the leaderboard as a data frame: a row per method, best first, with its description."""

    archive, loss = under(archive, loss)
    frame = leaderboard_answer(leaderboard(archive, loss=loss)).table.frame()
    summaries = dict(rows_of(archive.methods, ("method", "summary")))
    frame["description"] = [first_sentence(summaries.get(name)) for name in frame["method"]]
    return frame.set_index("method")


LONGEST_TITLE = 60


def method_titles(archive: "Archive") -> dict[str, str]:
    """Return a short description of each method: `Gaussian process regression`.

    Methods of this package have their purpose as description, others their summary or name."""
    return {
        name: method_title(name, about) for name, about in rows_of(archive.methods, ("method", "summary"))
    }


def method_title(name: str, summary: str | None) -> str:
    """Return a short description of a method: see `method_titles`."""
    if name in METHODS:
        title = re.split("[,:(]", METHODS[name].purpose, maxsplit=1)[0].strip()
        return title[:1].upper() + title[1:]
    title = (first_sentence(summary) or name).rstrip(".")
    if len(title) > LONGEST_TITLE:  # its purpose, without its components
        title = re.split("[,:;(]| with | by | chosen ", title, maxsplit=1)[0].strip()
    return textwrap.shorten(title, LONGEST_TITLE, placeholder=" …")


def costs_of(archive: "Archive", analysis: Analysis, *, measure: Measure) -> Costs | None:
    """Return cost, mean result and mean rank of the methods of a ranking with known costs.

    The ranks are those of the ranking. Costs and results are averaged over units, on tasks where the costs of
    all these methods are known. `measure` is the measure of the ranking. Returns None for fewer than two
    methods or units.
    """
    table = analysis.table
    tasks = np.array(table.task_paths, dtype=object)
    seconds = _seconds(archive, tasks.tolist(), table.methods)
    timed = (seconds > 0).any(axis=0)
    seconds, names = seconds[:, timed], np.array(table.methods, dtype=object)
    known = (seconds > 0).all(axis=1)
    methods = tuple(names[timed].tolist())
    part = table.select(tasks=np.array(table.tasks, dtype=object)[known], methods=methods)
    units = unit_names(part, analysis.unit)
    if len(set(units)) < LEAST_COSTED or len(methods) < 2:
        return None
    limits = unit_averages(units, mean_limits(archive, measure, tasks[known].tolist()))[1].mean(axis=0)
    front = cost_front(
        unit_averages(units, part.oriented)[1],
        np.exp(unit_averages(units, np.log(seconds[known]))[1]),
        level=1 - analysis.alpha,
        limits=oriented_interval(float(limits[0]), float(limits[1]), measure),
    )
    return Costs(
        methods,
        measure,
        front,
        analysis.ranks.average[timed],
        _megabytes(archive, methods),
        unit=analysis.unit,
        units=len(set(units)),
        ranked=len(analysis.units.tasks),
        left_out=int((~known).sum()),
        without=tuple(names[~timed].tolist()),
    )


def _seconds(archive: "Archive", tasks: Sequence[str], methods: Sequence[str]) -> Floats:
    """Return the median seconds over the instances of each task, shape (tasks, methods), NaN if unknown."""
    import pandas as pd

    rows = archive.costs
    columns = {"task": task_paths(rows), "method": rows["method"], "seconds": rows["seconds"]}
    frame = pd.DataFrame({key: column.to_numpy(zero_copy_only=False) for key, column in columns.items()})
    medians = frame.groupby(["task", "method"])["seconds"].median().unstack()
    seconds: Floats = medians.reindex(index=tasks, columns=methods).to_numpy(dtype=float)
    return seconds


def _megabytes(archive: "Archive", methods: Sequence[str]) -> Floats:
    """Return the most memory that each method used, NaN if unknown."""
    memory = grouped_by(archive.costs, ["method"]).aggregate([("megabytes", "max")])
    most = dict(rows_of(memory, ("method", "megabytes_max")))
    return np.array([most.get(name) or np.nan for name in methods])


def mean_limits(archive: "Archive", measure: Measure, tasks: Sequence[str]) -> Floats:
    """Return the smallest and the largest possible mean on each task, in its unit, shape (tasks, 2)."""
    ends = [-np.inf, np.inf]
    if measure.best is not None:
        ends[measure.higher_is_better] = measure.best
    limits, loss = np.tile(ends, (len(tasks), 1)), measure.key
    if not isinstance(measure, Loss) or not measure.is_standard or not np.isfinite(measure.most):
        return limits
    rows = archive.results.filter(pc.equal(archive.results["loss"], loss))
    constants = {TaskId(*task): value for *task, value in rows_of(rows, (*PLACE[1:], "standardizer"))}
    prototasks = rows_of(archive.prototasks, ("dataset", "prototask", "targets", "stratified"))
    targets = {row[:2]: len(row[2] or ()) for row in prototasks if not row[3]}
    for place, task in enumerate(map(TaskId.parse, tasks)):
        constant, count = usable_constant(loss, constants.get(task)), targets.get(task[:2])
        if constant and count:
            limits[place, 1] = measure.most * count / constant
    return limits


UNKNOWN = "unknown"
SIZE = "training cases"
TYPE = "type of task"


class TaskFacts(NamedTuple):
    """Facts by which tasks are grouped.

    Attributes
    ----------
    family : str
        Task-array, or the family in a file of scores, otherwise the dataset.
    training_size : int
        Size of training sets, 0 if unknown.
    factors : mapping of str to str
        Level of each factor, in words.
    """

    dataset: str
    family: str
    origin: str
    usage: str
    task_type: str
    training_size: int
    factors: Mapping[str, str]


def task_facts(archive: "Archive") -> dict[str, TaskFacts]:
    """Return the facts of all tasks, by full path, sorted by dataset, prototask, prior and training size."""
    about = {dataset: texts for dataset, *texts in rows_of(archive.datasets, ("dataset", "origin", "usage"))}
    families, factors = archive.families, _factors(archive)
    names = ("dataset", "prototask", "prior", "training_size", "task", "task_type")
    facts = {}
    for dataset, prototask, prior, size, task, task_type in sorted(
        rows_of(archive.tasks, names), key=lambda row: row[:5]
    ):
        origin, usage = about.get(dataset, (None, None))
        facts[TaskId(dataset, prototask, task).path] = TaskFacts(
            dataset,
            families.get(dataset, dataset),
            origin=origin or UNKNOWN,
            usage=UNKNOWN if usage in (None, "?") else usage,
            task_type=task_type or UNKNOWN,
            training_size=size,
            factors=factors.get((dataset, prototask, prior), {}),
        )
    return facts


def _factors(archive: "Archive") -> dict[tuple[str, str, str], dict[str, str]]:
    """Return {factor: level}, as task-arrays of the archive define them, by dataset, prototask and prior."""
    return {
        (member.dataset, member.prototask, member.prior): {
            factor.name: factor.label(level)
            for factor, level in zip(array.factors, member.levels, strict=True)
        }
        for array in archive.arrays
        for member in array.members
    }


def scope_of(archive: "Archive", tasks: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """Return the common type of tasks (full paths), and the properties that distinguish them from others."""
    facts = task_facts(archive)
    chosen = [facts[path] for path in tasks if path in facts]
    if not chosen:
        return "", ()
    shared = set.intersection(*(set(_aspects(one).items()) for one in chosen))
    everywhere = set.intersection(*(set(_aspects(one).items()) for one in facts.values()))
    levels = [level for name, level in _aspects(chosen[0]).items() if (name, level) in shared - everywhere]
    family, task_type = chosen[0].family, chosen[0].task_type
    is_typed = (TYPE, task_type) in shared and task_type not in (UNKNOWN, SCORED)
    kept = tuple(level for level in levels if level not in (family, task_type))
    return task_type if is_typed else "", kept


def task_groups(archive: "Archive", tasks: Collection[str]) -> dict[str, dict[str, list[str]]]:
    """Group tasks by each aspect that distinguishes them: {aspect: {words: tasks}}. An aspect has at least
    two groups, some of them with several tasks.

    Aspects are families, the factors of task-arrays, numbers of training cases, and types of tasks."""
    known = task_facts(archive)
    groups: dict[str, dict[str, list[str]]] = {}
    wanted = set(tasks)
    for path in (path for path in known if path in wanted):
        for aspect, level in _aspects(known[path]).items():
            groups.setdefault(aspect, {}).setdefault(level, []).append(path)
    places = _level_places(archive)
    ordered = {
        aspect: dict(sorted(levels.items(), key=lambda item: places.get((aspect, item[0]), 0)))
        for aspect, levels in groups.items()
    }
    # An aspect is left out if all tasks have the same level, or if each task has its own.
    return {
        one: levels for one, levels in ordered.items() if 1 < len(levels) < sum(map(len, levels.values()))
    }


def _level_places(archive: "Archive") -> dict[tuple[str, str], int]:
    """Return the positions of ordered levels: those of factors, and numbers of training cases."""
    places = {(SIZE, _size_words(size)): size for size in values_in(archive.tasks, "training_size")}
    for array in archive.arrays:
        for factor in array.factors:
            places |= {(factor.name, level.label): place for place, level in enumerate(factor.levels)}
    return places


def _size_words(size: int) -> str:
    return f"{integer(size)} {SIZE}"


def _aspects(facts: TaskFacts) -> dict[str, str]:
    size = {SIZE: _size_words(facts.training_size)} if facts.training_size else {}
    return {"family": facts.family, **facts.factors, **size, TYPE: facts.task_type}
