"""Scores of each method after each training set: a long table, its selection and merging.

`docs/coming-from-R.md` compares these functions with the R package performanceEstimation."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.errors import Fault
from delvecore.model import TaskId
from delvecore.number_format.columns import task_paths
from delvecore.stats.choose import is_significant
from delvecore.stats.losses.results import designs_by_task
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.ranks import without_noise
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.tables import SCORES, grouped_by, rows_of, values_in

_DIMENSIONS = ("task", "method", "loss")
MOST_NAMES = 20
"""Maximum number of names in a message."""


def training_set_scores(losses: pa.Table) -> pa.Table:
    """Mean loss of each method after each training set. Schema `SCORES`.

    losses: rows of `tables.LOSSES`, such as `archive.losses`. A mean that is not finite is null.

    Examples
    --------
    >>> key = {name: [name] for name in ("dataset", "prototask", "task", "method", "loss")}
    >>> losses = pa.table(key | {"instance": [0], "values": [[1.0, 2.0]]})
    >>> training_set_scores(losses)["score"].to_pylist()
    [1.5]
    """
    scores = [_mean(values) for values in losses["values"].chunks] or [np.array([])]
    score = pa.array(np.concatenate(scores), from_pandas=True)
    columns = [task_paths(losses), losses["method"], losses["loss"], losses["instance"], score]
    return pa.table(columns, names=SCORES.names).cast(SCORES)


def names_in(scores: pa.Table, dimension: str) -> tuple[str, ...]:
    """Return the values of a dimension, `task`, `method` or `loss`, in order of appearance.

    Examples
    --------
    >>> names_in(pa.table({"method": ["b", "a", "b"]}), "method")
    ('b', 'a')
    """
    return tuple(values_in(scores, dimension))


def select_scores(
    scores: pa.Table,
    *,
    tasks: str | Iterable[str] | None = None,
    methods: str | Iterable[str] | None = None,
    losses: str | Iterable[str] | None = None,
) -> pa.Table:
    """Select the rows of some tasks, methods and losses of a table of scores.

    Parameters
    ----------
    scores : pyarrow.Table
        Schema `delvecore.tables.SCORES`.
    tasks, methods, losses : str or iterable of str, optional
        Names, which must all exist, or a regular expression that is searched in the names.

    Returns
    -------
    pyarrow.Table
        With the same schema.

    Raises
    ------
    DelveError
        For an unknown name, an invalid expression, or one that matches nothing.

    Examples
    --------
    >>> columns = [["/d/p/t"] * 2, ["a", "b"], ["S"] * 2, [0, 0], [1.0, 2.0]]
    >>> select_scores(pa.table(columns, names=SCORES.names), methods="^b")["score"].to_pylist()
    [2.0]
    """
    for dimension, wanted in zip(_DIMENSIONS, (tasks, methods, losses), strict=True):
        if wanted is not None:
            kept = _kept(names_in(scores, dimension), wanted, dimension)
            scores = scores.filter(pc.is_in(scores[dimension], value_set=pa.array(kept, pa.string())))
    return scores


def merge_scores(*parts: pa.Table) -> pa.Table:
    """Merge tables of scores, for example of different tasks, methods or losses.

    Parameters
    ----------
    parts : pyarrow.Table
        Schema `delvecore.tables.SCORES`.

    Returns
    -------
    pyarrow.Table
        All rows, in order.

    Raises
    ------
    DelveError
        If there are no tables, or two of them have a method's score after the same training set.

    Examples
    --------
    >>> a, b = (pa.table([["/d/p/t"], [name], ["S"], [0], [1.0]], names=SCORES.names) for name in "ab")
    >>> merge_scores(a, b)["method"].to_pylist()
    ['a', 'b']
    """
    if not parts:
        raise Fault("", "tables of scores", "none")
    merged = pa.concat_tables(parts)
    keys = merged.select(["task", "method", "loss", "training_set"])
    counted = grouped_by(keys, keys.column_names).aggregate([([], "count_all")])
    repeated = counted.filter(pc.greater(counted["count_all"], 1))
    if repeated.num_rows:
        task, method, loss, number = next(rows_of(repeated, keys.column_names))
        place = f"{method} on {task}, loss {loss}, training set {number}"
        raise Fault("", "each score once", f"that of {place} again")
    return merged


def task_table(
    scores: pa.Table,
    task: str,
    loss: str,
    *,
    tasks: pa.Table | None = None,
    higher_is_better: bool = False,
) -> ScoreTable:
    """Return the scores of one task: a row for each training set, a column for each method.

    It is for tests within a task, such as `paired_t`. tasks: the archive's tasks, which state whether
    training sets share cases; the table then has their `test_share`. higher_is_better: direction of a metric.
    Raises DelveError without scores, and ValueError if the training sets permit no test.

    Examples
    --------
    >>> columns = [["/d/p/t"] * 2, ["a", "b"], ["S"] * 2, [0, 0], [2.0, 1.0]]
    >>> task_table(pa.table(columns, names=SCORES.names), "/d/p/t", "S").values.tolist()
    [[2.0, 1.0]]
    """
    rows = scores.filter(pc.and_(pc.equal(scores["task"], task), pc.equal(scores["loss"], loss)))
    if not rows.num_rows:
        raise Fault("", f"scores of {task} under {loss}", "none")
    sets = {number: row for row, number in enumerate(sorted(values_in(rows, "training_set")))}
    methods = {name: column for column, name in enumerate(names_in(rows, "method"))}
    values = np.full((len(sets), len(methods)), np.nan)
    for number, method, score in rows_of(rows, ("training_set", "method", "score")):
        values[sets[number], methods[method]] = np.nan if score is None else score
    names = tuple(f"training set {number}" for number in sets)
    quantity, share = f"mean loss {loss} of {task}", _share(tasks, task)
    return ScoreTable(
        names,
        tuple(methods),
        values,
        higher_is_better=higher_is_better,
        quantity=quantity,
        test_share=share,
    )


def _share(tasks: pa.Table | None, task: str) -> float:
    """Return the correlation that corrects tests over the training sets of a task."""
    if tasks is None:
        return 0.0
    design = designs_by_task(tasks)[TaskId.parse(task)]
    if design is None:
        raise ValueError(f"expected known training sets of {task}, got a faulty list of instances")
    if design.by_samples or design.is_unpaired or not design.is_testable:
        raise ValueError(f"expected different training sets of {task}, got {design.scheme}")
    return design.share


def _mean(lists: pa.ListArray) -> np.ndarray:
    """Return the mean of each list of a chunk, NaN if it is not finite."""
    lengths = np.asarray(pc.fill_null(pc.list_value_length(lists), 0))
    values = np.asarray(lists.flatten(), dtype=float)
    sums = np.zeros(len(lengths))
    filled = np.flatnonzero(lengths)
    starts = np.concatenate([[0], np.cumsum(lengths)])[filled]
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        if len(filled):
            sums[filled] = np.add.reduceat(values, starts)
        means = sums / lengths
    return np.where(np.isfinite(means), means, np.nan)


def _kept(names: Sequence[str], wanted: str | Iterable[str], dimension: str) -> list[str]:
    if not isinstance(wanted, str):
        kept = list(wanted)
        for name in kept:
            if name not in names:
                raise Fault(f"{dimension}s", f"one of {_some(names)}", repr(name))
        return kept
    try:
        kept = [name for name in names if re.search(wanted, name)]
    except re.error as error:
        raise Fault(f"{dimension}s", "a regular expression", f"{wanted!r}: {error}") from None
    if not kept:
        raise Fault(
            f"{dimension}s", f"a {dimension} that matches {wanted!r}", "none", f"there are {_some(names)}"
        )
    return kept


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")


@dataclass(frozen=True)
class MethodSummary:
    """Summary of a method's values over the tasks; NaN if there are too few values (std needs two).

    Attributes
    ----------
    method : str
        Name of the method.
    count, missing : int
        Numbers of tasks with and without a value.
    mean, std, median, iqr, min, max : float
        Summaries of the values. std needs two values, the others one; otherwise they are NaN.
    """

    method: str
    count: int
    missing: int
    mean: float
    std: float
    median: float
    iqr: float
    min: float
    max: float


@dataclass(frozen=True)
class Place:
    """A method's place on a task.

    Attributes
    ----------
    rank : int
        Rank from 1; equal values share the lowest rank.
    method : str
        Name of the method.
    value : float
        Value of the statistic.
    """

    rank: int
    method: str
    value: float


def summarize(table: ScoreTable) -> tuple[MethodSummary, ...]:
    """Summary statistics: mean and spread of each method's values, in the order of the table.

    std: with divisor n - 1; iqr: distance between the quartiles, by linear interpolation. Missing values are
    counted.

    Examples
    --------
    >>> summarize(ScoreTable(("t", "u"), ("a",), np.array([[1.0], [3.0]])))[0].mean
    2.0
    """
    summaries = []
    for method, values in zip(table.methods, table.values.T, strict=True):
        known = values[~np.isnan(values)]
        numbers: tuple[float, ...] = (math.nan,) * 6
        if len(known):
            low, middle, high = np.quantile(known, [0.25, 0.5, 0.75])
            std = known.std(ddof=1) if len(known) > 1 else math.nan
            numbers = (known.mean(), std, middle, high - low, known.min(), known.max())
        missing = len(values) - len(known)
        summaries.append(MethodSummary(method, len(known), missing, *map(float, numbers)))
    return tuple(summaries)


def leaders(table: ScoreTable, *, top: int = 5) -> dict[str, tuple[Place, ...]]:
    """Return the best methods on each task: {task: places}.

    Equal values share a rank, so there may be more than `top`. Methods without a value have no place.

    Examples
    --------
    >>> leaders(ScoreTable(("t",), ("a", "b"), np.array([[2.0, 1.0]])), top=1)["t"][0].method
    'b'
    """
    places = {}
    for task, losses, values in zip(table.tasks, without_noise(table.oriented), table.values, strict=True):
        known = [place for place in np.argsort(losses, kind="stable") if not np.isnan(losses[place])]
        ranked = [(1 + int((losses[known] < losses[place]).sum()), place) for place in known]
        places[task] = tuple(
            Place(rank, table.methods[place], float(values[place])) for rank, place in ranked if rank <= top
        )
    return places


STATISTICS = ("mean", "std", "median", "iqr", "min", "max", "missing")
OF_VALUES = ("mean", "median", "min", "max")
"""Statistics with the direction of the scores. Lower values of the other statistics are always better."""


@dataclass(frozen=True)
class Standing:
    """The first methods of a task under a loss, by a statistic of their scores over the training sets.

    Attributes
    ----------
    task : str
        Path of the task.
    loss : str
        Name of the loss.
    places : tuple of Place
        First methods, best first.
    """

    task: str
    loss: str
    places: tuple[Place, ...]


def summarize_scores(scores: pa.Table, *, task: str, loss: str) -> tuple[MethodSummary, ...]:
    """Summary statistics of each method's scores over the training sets of a task.

    Parameters
    ----------
    scores : pyarrow.Table
        Schema `delvecore.tables.SCORES`.
    task, loss : str
        Full path of the task, such as `/demo/age/std.128`, and name of the loss.

    Returns
    -------
    tuple of MethodSummary
        One per method: count, mean, standard deviation, median, interquartile range, smallest and largest
        score.

    Raises
    ------
    DelveError
        If there are no scores.

    Examples
    --------
    >>> columns = [["/d/p/t"] * 2, ["a"] * 2, ["S"] * 2, [0, 1], [1.0, 2.0]]
    >>> summarize_scores(pa.table(columns, names=SCORES.names), task="/d/p/t", loss="S")[0].mean
    1.5
    """
    return summarize(task_table(scores, task, loss))


def rank_methods(
    scores: pa.Table, *, top: int = 5, statistic: str = "mean", higher_is_better: bool | Iterable[str] = False
) -> tuple[Standing, ...]:
    """First methods on each task under each loss, by a statistic of their scores.

    Parameters
    ----------
    scores : pyarrow.Table
        Schema `delvecore.tables.SCORES`.
    top : int
        Number of ranks; equal values share a rank.
    statistic : str
        One of `STATISTICS`; methods without it have no place.
    higher_is_better : bool or iterable of str
        Whether higher values of all losses and metrics are better, or the names of those with this direction.
        A small spread and few missing scores are always better.

    Returns
    -------
    tuple of Standing
        One per task and loss.

    Raises
    ------
    DelveError
        For an unknown statistic.

    Examples
    --------
    >>> columns = [["/d/p/t"] * 2, ["a", "b"], ["S"] * 2, [0, 0], [2.0, 1.0]]
    >>> [(one.rank, one.method) for one in rank_methods(pa.table(columns, names=SCORES.names))[0].places]
    [(1, 'b'), (2, 'a')]
    """
    if statistic not in STATISTICS:
        raise Fault("statistic", f"one of {', '.join(STATISTICS)}", repr(statistic))
    are_higher = higher_is_better if isinstance(higher_is_better, bool) else set(higher_is_better)
    standings = []
    for task in names_in(scores, "task"):
        for loss in names_in(scores.filter(pc.equal(scores["task"], task)), "loss"):
            summaries = summarize_scores(scores, task=task, loss=loss)
            values = np.array([[float(getattr(one, statistic)) for one in summaries]])
            methods = tuple(one.method for one in summaries)
            is_higher = are_higher if isinstance(are_higher, bool) else loss in are_higher
            higher = is_higher and statistic in OF_VALUES
            table = ScoreTable((task,), methods, values, higher_is_better=higher)
            standings.append(Standing(task, loss, leaders(table, top=top)[task]))
    return tuple(standings)


def top_performers(
    scores: pa.Table, *, statistic: str = "mean", higher_is_better: bool | Iterable[str] = False
) -> tuple[Standing, ...]:
    """Best methods of each task under each loss, including ties.

    Parameters
    ----------
    scores, statistic, higher_is_better
        As for `rank_methods`.

    Returns
    -------
    tuple of Standing
        One per task and loss.

    Examples
    --------
    >>> columns = [["/d/p/t"] * 2, ["a", "b"], ["S"] * 2, [0, 0], [2.0, 1.0]]
    >>> [one.method for one in top_performers(pa.table(columns, names=SCORES.names))[0].places]
    ['b']
    """
    return rank_methods(scores, top=1, statistic=statistic, higher_is_better=higher_is_better)


def top_performer(
    scores: pa.Table, *, task: str, loss: str, statistic: str = "mean", higher_is_better: bool = False
) -> str:
    """Best method of a task under a loss; in a tie, the first one.

    Parameters
    ----------
    scores : pyarrow.Table
        Schema `delvecore.tables.SCORES`.
    task, loss : str
        Full path of the task, and name of the loss.
    statistic : str
        One of `STATISTICS`.
    higher_is_better : bool
        Whether higher values of this loss are better.

    Returns
    -------
    str
        The method's name.

    Raises
    ------
    DelveError
        If there are no scores.

    Examples
    --------
    >>> columns = [["/d/p/t"] * 2, ["a", "b"], ["S"] * 2, [0, 0], [2.0, 1.0]]
    >>> top_performer(pa.table(columns, names=SCORES.names), task="/d/p/t", loss="S")
    'b'
    """
    rows = scores.filter(pc.equal(scores["task"], task))
    rows = rows.filter(pc.equal(rows["loss"], loss))
    if not rows.num_rows:
        raise Fault("", f"scores of {task} under {loss}", "none")
    (standing,) = top_performers(rows, statistic=statistic, higher_is_better=higher_is_better)
    return standing.places[0].method


def significant_differences(
    analysis: Analysis, baseline: str, *, limit: float = 0.05
) -> tuple[dict[str, float], dict[str, float]]:
    """Methods that differ significantly from the baseline, by the t-test and by Wilcoxon's test of each pair.

    Returns {method: p} for each test, with p below the limit. p is not adjusted;
    `analysis.corrected_t_tests.p_holm` and `analysis.wilcoxon.p_holm` are adjusted. The t-test uses the
    table's `test_share`. Raises ValueError for an unknown baseline.

    Examples
    --------
    >>> from delvecore.stats.ranking.analysis import analyze
    >>> values = np.arange(8.0)[:, None] * [1, 1.1] + [0, 2]
    >>> significant_differences(analyze(ScoreTable(tuple("stuvwxyz"), ("a", "b"), values)), "b")[1]
    {'a': 0.0078125}
    """
    names = analysis.table.methods
    if baseline not in names:
        raise ValueError(f"expected a baseline among {', '.join(names)}, got {baseline!r}")
    place = names.index(baseline)
    first, second = analysis.scan.first, analysis.scan.second
    with_baseline = np.flatnonzero((first == place) | (second == place))
    others = [names[first[pair] + second[pair] - place] for pair in with_baseline]

    def below(p: np.ndarray) -> dict[str, float]:
        pairs = zip(others, p[with_baseline].tolist(), strict=True)
        return {other: p for other, p in pairs if is_significant(p, limit)}

    return below(analysis.corrected_t_tests.p), below(analysis.wilcoxon.p)
