"""One score of each method after each training set: a long table, parts of it, and several put together.

What an experiment yields before anything is averaged; `docs/coming-from-R.md` has it beside the R package
performanceEstimation, whose iterations are training sets here, workflows methods, and metrics losses.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.statistics.ranking.score_table import ScoreTable
from delvecore.tables import SCORES

__all__ = ["merge_scores", "names_in", "select_scores", "task_table", "training_set_scores"]

_DIMENSIONS = ("task", "method", "loss")


def training_set_scores(losses: pa.Table) -> pa.Table:
    """What did each method lose on average after each training set? Schema `SCORES`.

    losses: rows of `tables.LOSSES`, such as `archive.losses`. A mean that is no finite number is null.
    """
    places = [losses[name] for name in ("dataset", "prototask", "task")]
    task = pc.binary_join_element_wise("", *(place.cast(pa.string()) for place in places), "/")
    scores = [_mean(values) for values in losses["values"].chunks] or [np.array([])]
    score = pa.array(np.concatenate(scores), from_pandas=True)
    columns = [task, losses["method"], losses["loss"], losses["instance"], score]
    return pa.table(columns, names=SCORES.names).cast(SCORES)


def names_in(scores: pa.Table, dimension: str) -> tuple[str, ...]:
    """Which ones are there of a dimension, `task`, `method` or `loss`? In order of appearance."""
    return tuple(scores[dimension].unique().to_pylist())


def select_scores(
    scores: pa.Table,
    *,
    tasks: str | Iterable[str] | None = None,
    methods: str | Iterable[str] | None = None,
    losses: str | Iterable[str] | None = None,
) -> pa.Table:
    """Return the rows of some tasks, methods and losses.

    Each is an iterable of names, every one of which must be there, or a regular expression of which some part
    of a name must match. Raises KeyError for a name that is not there, ValueError where nothing matches.
    """
    for dimension, wanted in zip(_DIMENSIONS, (tasks, methods, losses), strict=True):
        if wanted is not None:
            kept = _kept(names_in(scores, dimension), wanted, dimension)
            scores = scores.filter(pc.is_in(scores[dimension], value_set=pa.array(kept, pa.string())))
    return scores


def merge_scores(*parts: pa.Table) -> pa.Table:
    """Return several tables of scores as one, such as of other tasks, methods or losses.

    Raises ValueError where a method's score after a training set is in two of them.
    """
    merged = pa.concat_tables(parts)
    keys = merged.select(["task", "method", "loss", "training_set"])
    counted = keys.group_by(keys.column_names).aggregate([([], "count_all")])
    repeated = counted.filter(pc.greater(counted["count_all"], 1))
    if repeated.num_rows:
        row = repeated.slice(0, 1).to_pylist()[0]
        place = f"{row['method']} on {row['task']}, loss {row['loss']}, training set {row['training_set']}"
        raise ValueError(f"expected each score once, got that of {place} again")
    return merged


def task_table(scores: pa.Table, task: str, loss: str, *, higher_is_better: bool = False) -> ScoreTable:
    """Return the scores of one task: a row for each training set, a column for each method.

    For tests within a task, such as `paired_t` with the share of cases in a test set. Raises ValueError where
    there is no score.
    """
    rows = scores.filter(pc.and_(pc.equal(scores["task"], task), pc.equal(scores["loss"], loss)))
    if not rows.num_rows:
        raise ValueError(f"expected scores of {task} under {loss}, got none")
    sets = {number: row for row, number in enumerate(sorted(set(rows["training_set"].to_pylist())))}
    methods = {name: column for column, name in enumerate(names_in(rows, "method"))}
    values = np.full((len(sets), len(methods)), np.nan)
    for row in rows.to_pylist():
        score = row["score"]
        values[sets[row["training_set"]], methods[row["method"]]] = np.nan if score is None else score
    names = tuple(f"training set {number}" for number in sets)
    return ScoreTable(names, tuple(methods), values, higher_is_better, f"mean loss {loss} of {task}")


def _mean(lists: pa.ListArray) -> np.ndarray:
    """The mean of each list of a chunk, not a number where it is not finite."""
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
    if isinstance(wanted, str):
        kept = [name for name in names if re.search(wanted, name)]
        if not kept:
            raise ValueError(f"expected a {dimension} that matches {wanted!r}, got none")
        return kept
    kept = list(wanted)
    for name in kept:
        if name not in names:
            raise KeyError(name)
    return kept
