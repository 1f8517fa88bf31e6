"""An independent judge of how tables of scores are ranked: what pandas says against what `delvecore.rank` says."""

import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

import delvecore
from delvecore.errors import DelveError
from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.reading import read_scores

__all__ = ["Outcome", "Truth", "Verdict", "judged", "judged_cells", "judged_reading", "mean_ranks"]

Outcome = Literal["right", "asked", "wrong"]
TOLERANCE = 1e-9
"""Mean ranks are sums of halves over a count; anything further apart is another ranking."""


@dataclass(frozen=True)
class Truth:
    """What a table says. values: datasets x methods, NaN where a value is missing.

    is_loose: do the names that are read contain those of `values` (a program adds options to them)?"""

    values: pd.DataFrame
    higher_is_better: bool
    is_loose: bool = False


class Verdict(NamedTuple):
    """outcome: the same numbers, a message, or other numbers without a word; detail: what came out; expected:
    what a message asks for."""

    outcome: Outcome
    detail: str = ""
    expected: str = ""


@dataclass
class Ranked:
    """Mean ranks by method, and over how many tasks."""

    ranks: Mapping[str, float]
    tasks: int
    notes: tuple[str, ...] = field(default=())


def mean_ranks(truth: Truth) -> Ranked:
    """Return the mean ranks that pandas gives, over the datasets where no value is missing."""
    complete = truth.values.dropna(how="all", axis=1).dropna()
    ranks = complete.rank(axis=1, ascending=not truth.higher_is_better).mean()
    return Ranked({str(name): float(rank) for name, rank in ranks.items()}, len(complete))


def judged(source: Any, truth: Truth, rank: Callable[..., Any] = delvecore.rank, **options: Any) -> Verdict:
    """Return how a source was ranked, held against its truth. Nothing but a DelveError of one line asks."""
    message = _told(lambda: rank(source, **options))
    if isinstance(message, Verdict):
        return message
    table, averages = message.analysis.table, message.analysis.ranks.average
    ranked = Ranked(
        dict(zip(message.analysis.ranks.methods, np.asarray(averages).tolist(), strict=True)),
        len(table.tasks),
    )
    return _compared(ranked, mean_ranks(truth), truth.is_loose)


def _told(read: Callable[[], Any]) -> Any:
    """Return what is read, or the verdict on an error: only a DelveError of one line asks."""
    try:
        return read()
    except DelveError as error:
        text = str(error)
        if not text.strip() or len(text.splitlines()) > 1:
            return Verdict("wrong", f"a message that is not one line: {text!r}")
        return Verdict("asked", text, getattr(error, "expected", text))
    except Exception as error:
        return Verdict("wrong", f"traceback of {type(error).__name__}: {error}"[:300])


def _compared(ranking: Ranked, true: Ranked, is_loose: bool) -> Verdict:
    names = {name: name for name in true.ranks}
    if is_loose:
        names = {name: next((one for one in ranking.ranks if name in one), name) for name in true.ranks}
    if set(ranking.ranks) != set(names.values()) or len(set(names.values())) < len(names):
        missing, more = set(names.values()) - set(ranking.ranks), set(ranking.ranks) - set(names.values())
        return Verdict("wrong", f"methods missing {sorted(missing)[:5]}, added {sorted(more)[:5]}")
    if ranking.tasks != true.tasks:
        return Verdict("wrong", f"{ranking.tasks} tasks, not {true.tasks}")
    apart = {
        name: (round(ranking.ranks[taken], 4), round(true.ranks[name], 4))
        for name, taken in names.items()
        if not abs(ranking.ranks[taken] - true.ranks[name]) <= TOLERANCE
    }
    if apart:
        return Verdict("wrong", f"mean ranks (found, right): {dict(list(apart.items())[:4])}")
    return Verdict("right")


def judged_reading(path: Any, truths: Mapping[str, Truth], **options: Any) -> Verdict:
    """Return how a file was read, held against the means of each metric that it has.

    truths: by the metric's name; a single one named `` stands for whatever the metric is called."""
    message = _told(lambda: read_scores(path, options=ScoreOptions(**options)))
    if isinstance(message, Verdict):
        return message
    rows = message.rows.select(["dataset", "method", "metric", "value"]).to_pandas().astype({"value": float})
    rows = rows.astype(dict.fromkeys(("dataset", "method", "metric"), str))
    for metric in message.metrics:
        truth = truths.get("") or _named(metric.key, truths)
        if truth is None:
            return Verdict("wrong", f"read {metric.key!r} as a metric; there are {list(truths)}")
        if truth.higher_is_better != metric.higher_is_better:
            return Verdict("wrong", f"{metric.key}: {metric.direction}, which it is not")
        means = rows[rows["metric"] == metric.key].groupby(["dataset", "method"])["value"].mean().unstack()
        if fault := _difference(means, truth):
            return Verdict("wrong", f"{metric.key}: {fault}")
    return Verdict("right")


def _named(name: str, truths: Mapping[str, Truth]) -> Truth | None:
    """Return the truth of a metric, whose name may stand behind a word such as `metrics.`"""
    keys = [key for key in truths if _folded(name).endswith(_folded(key))]
    return truths[max(keys, key=len)] if keys else None


def _folded(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


Readings = Sequence[Mapping[tuple[str, str, str], float]]
"""Values by dataset, method and fold: each is one way to read the same bytes."""


def judged_cells(data: bytes, name: str, readings: Readings, told: Readings = (), **options: Any) -> Verdict:
    """Return how bytes were read, held against all that they may say.

    told: what they may say where the reading tells of rows that are left out."""
    message = _told(lambda: read_scores(io.BytesIO(data), name=name, options=ScoreOptions(**options)))
    if isinstance(message, Verdict):
        return message
    rows = message.rows.select(["dataset", "method", "instance", "value", "metric"]).to_pylist()
    if len(message.metrics) > 1:
        return Verdict(
            "wrong", f"{len(message.metrics)} metrics, {[one.key for one in message.metrics]}, not one"
        )
    cells = {
        (row["dataset"], row["method"], row["instance"].rpartition(" ")[2]): row["value"]
        for row in rows
        if row["value"] is not None and not np.isnan(row["value"])
    }
    if any(one.what == "row" for one in message.reading.omissions):
        readings = [*readings, *told]
    if any(_same(cells, true) for true in readings):
        return Verdict("right")
    if not readings:
        return Verdict("wrong", f"{len(cells)} values without a message")
    true = readings[0]
    more, less = sorted(set(cells) - set(true)), sorted(set(true) - set(cells))
    other = [
        (key, cells[key], true[key])
        for key in cells
        if key in true and not _same({key: cells[key]}, {key: true[key]})
    ]
    return Verdict("wrong", f"added {more[:3]}, missing {less[:3]}, different {other[:3]}")


def _same(actual: Mapping[Any, float], true: Mapping[Any, float]) -> bool:
    """Are the values equal, but for what floats make of a per cent?"""
    return actual.keys() == true.keys() and all(
        math.isclose(value, true[key], rel_tol=1e-12, abs_tol=0) for key, value in actual.items()
    )


def _difference(frame: pd.DataFrame, truth: Truth) -> str:
    """Return what is different from the truth in a table of datasets x methods, or an empty text."""
    true = truth.values.copy()
    true.index, true.columns = true.index.map(str), true.columns.map(str)
    if frame.shape != true.shape:
        return (
            f"{frame.shape[0]} datasets x {frame.shape[1]} methods, not {true.shape[0]} x {true.shape[1]}: "
            + (f"{frame.index.tolist()[:4]} x {frame.columns.tolist()[:4]}")
        )
    if truth.is_loose:
        frame = frame.set_axis(_taken(frame.index, true.index), axis=0)
        frame = frame.set_axis(_taken(frame.columns, true.columns), axis=1)
    if len(true) == 1:
        frame = frame.set_axis(true.index, axis=0)
    if set(frame.index) != set(true.index) or set(frame.columns) != set(true.columns):
        return f"names {frame.index.tolist()[:4]} x {frame.columns.tolist()[:4]}"
    frame = frame.loc[true.index, true.columns]
    same = np.isclose(frame.to_numpy(float), true.to_numpy(float), rtol=1e-9, atol=0, equal_nan=True)
    if same.all():
        return ""
    row, column = np.argwhere(~same)[0]
    place = f"{true.index[row]}, {true.columns[column]}"
    return (
        f"{frame.iat[row, column]!r} of {place}, not {true.iat[row, column]!r}; {int((~same).sum())} differ"
    )


def _taken(actual: pd.Index, true: pd.Index) -> list[str]:
    """Return for each name that was read the true one that is a part of it."""
    longest = sorted(true, key=len, reverse=True)
    return [next((one for one in longest if one in name), name) for name in actual]
