"""Which methods are best on each task under each loss, and how do their scores spread over training sets?

Plain summaries of a table: spread by method, the best of each task.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.statistics.ranking.analysis import Analysis
from delvecore.statistics.ranking.ranks import task_decimals, without_noise
from delvecore.statistics.ranking.score_table import ScoreTable
from delvecore.statistics.ranking.training_sets import names_in, task_table

__all__ = [
    "STATISTICS",
    "Differences",
    "MethodSummary",
    "Place",
    "Standing",
    "leaders",
    "rank_methods",
    "significant_differences",
    "summarize",
    "summarize_scores",
    "top_performer",
    "top_performers",
]


@dataclass(frozen=True)
class MethodSummary:
    """A method's values over the tasks; not a number where there are too few (std: two)."""

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
    """A method's place on a task: rank, from 1; equal values share the lowest."""

    rank: int
    method: str
    value: float


def summarize(table: ScoreTable) -> tuple[MethodSummary, ...]:
    """What are the mean and the spread of each method's values? In the order of the table.

    std: with n - 1; iqr: between the quartiles by linear interpolation. Missing values are counted.
    """
    return tuple(_summary(*one) for one in zip(table.methods, table.values.T, strict=True))


def leaders(table: ScoreTable, *, top: int = 5) -> dict[str, tuple[Place, ...]]:
    """Which methods are best on each task? {task: its first places}, as many as are among the top.

    Equal values share a rank, so that there may be more than `top`; methods without a value have no place.
    """
    losses = without_noise(table.losses, task_decimals(table.values)[:, None])
    rows = zip(table.tasks, losses, table.values, strict=True)
    return {task: _places(table.methods, row, values, top) for task, row, values in rows}


def _summary(method: str, values: np.ndarray) -> MethodSummary:
    known = values[~np.isnan(values)]
    if not len(known):
        return MethodSummary(method, 0, len(values), *[float("nan")] * 6)
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75])
    std = known.std(ddof=1) if len(known) > 1 else float("nan")
    numbers = (known.mean(), std, middle, high - low, known.min(), known.max())
    return MethodSummary(method, len(known), len(values) - len(known), *map(float, numbers))


def _places(methods: Sequence[str], losses: np.ndarray, values: np.ndarray, top: int) -> tuple[Place, ...]:
    known = [place for place in np.argsort(losses, kind="stable") if not np.isnan(losses[place])]
    ranked = [(1 + int((losses[known] < losses[place]).sum()), place) for place in known]
    return tuple(Place(rank, methods[place], float(values[place])) for rank, place in ranked if rank <= top)


STATISTICS = ("mean", "std", "median", "iqr", "min", "max", "missing")


@dataclass(frozen=True)
class Standing:
    """The first methods of a task under a loss, by a statistic of their scores over the training sets."""

    task: str
    loss: str
    places: tuple[Place, ...]


@dataclass(frozen=True)
class Differences:
    """Methods that differ from a baseline at `limit`, by each of two tests: {method: p}, not adjusted."""

    baseline: str
    limit: float
    t_test: dict[str, float]
    wilcoxon: dict[str, float]


def summarize_scores(scores: pa.Table, *, task: str, loss: str) -> tuple[MethodSummary, ...]:
    """How do each method's scores spread over the training sets of a task? See `summarize`.

    scores: schema `training_sets.SCORES`. Raises ValueError where there are none.
    """
    return summarize(task_table(scores, task, loss))


def rank_methods(
    scores: pa.Table, *, top: int = 5, statistic: str = "mean", maximized: Iterable[str] = ()
) -> tuple[Standing, ...]:
    """Which methods are first on each task under each loss?

    statistic: one of STATISTICS. maximized: the losses of which more is better. Equal values share a rank;
    methods without the statistic have no place. Raises ValueError for another statistic.
    """
    if statistic not in STATISTICS:
        raise ValueError(f"expected one of {', '.join(STATISTICS)}, got {statistic!r}")
    maximized = set(maximized)
    found = []
    for task in names_in(scores, "task"):
        for loss in names_in(scores.filter(pc.equal(scores["task"], task)), "loss"):
            summaries = summarize_scores(scores, task=task, loss=loss)
            values = np.array([[float(getattr(one, statistic)) for one in summaries]])
            methods = tuple(one.method for one in summaries)
            table = ScoreTable((task,), methods, values, higher_is_better=loss in maximized)
            found.append(Standing(task, loss, leaders(table, top=top)[task]))
    return tuple(found)


def top_performers(
    scores: pa.Table, *, statistic: str = "mean", maximized: Iterable[str] = ()
) -> tuple[Standing, ...]:
    """Which method is best on each task under each loss? All of them, where some are equal."""
    return rank_methods(scores, top=1, statistic=statistic, maximized=maximized)


def top_performer(
    scores: pa.Table, *, task: str, loss: str, statistic: str = "mean", higher_is_better: bool = False
) -> str:
    """Which method is best on a task under a loss? The first of equal ones.

    Raises ValueError where there are no scores.
    """
    rows = scores.filter(pc.equal(scores["task"], task))
    rows = rows.filter(pc.equal(rows["loss"], loss))
    if not rows.num_rows:
        raise ValueError(f"expected scores of {task} under {loss}, got none")
    (found,) = top_performers(rows, statistic=statistic, maximized=[loss] if higher_is_better else [])
    return found.places[0].method


def significant_differences(found: Analysis, baseline: str, *, limit: float = 0.05) -> Differences:
    """Which methods differ from the baseline, by the t-test and by Wilcoxon's of each pair alone?

    p is not adjusted: `found.t_tests.p_holm` and `found.wilcoxon.p_holm` are. Raises ValueError for one
    that is not among the methods.
    """
    names = found.table.methods
    if baseline not in names:
        raise ValueError(f"expected a baseline among {', '.join(names)}, got {baseline!r}")
    place = names.index(baseline)
    first, second = found.scan.first, found.scan.second
    own = np.flatnonzero((first == place) | (second == place))
    others = [names[first[pair] + second[pair] - place] for pair in own]

    def below(p: np.ndarray) -> dict[str, float]:
        pairs = zip(others, p[own].tolist(), strict=True)
        return {other: value for other, value in pairs if value < limit}

    return Differences(baseline, limit, below(found.t_tests.p), below(found.wilcoxon.p))
