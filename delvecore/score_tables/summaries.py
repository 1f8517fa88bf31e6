"""Summaries in wide tables, rows and columns: left out only where a name says so and the numbers agree."""

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from delvecore.score_tables.cells import rounding
from delvecore.score_tables.names import folded, words_in, words_of
from delvecore.score_tables.options import ScoreOptions, keep_or_drop
from delvecore.score_tables.score_file import Notes
from delvecore.score_tables.table import Column, Table

Floats = NDArray[np.float64]
_WORDS = {
    "mean": words_in(
        "mean average averages avg means overall amean gesamt durchschnitt mittelwert "
        "mittel moyenne media promedio schnitt aggregate aggregated"
    ),
    "median": words_in("median medians"),
    "sum": words_in("total sum summe totals"),
    "deviation": words_in("std stdev sd stddev deviation"),
    "error": words_in("stderr se sem"),
    "variance": words_in("variance var"),
    "rank": words_in("rank ranks ranking avgrank averagerank meanrank"),
    "wins": words_in("wins win best"),
    "ties": words_in("ties tie draws losses loss wtl wdl"),
    "maximum": words_in("best max maximum"),
    "minimum": words_in("worst min minimum best"),
    "geometric": words_in("geomean gmean geometric"),
    "other": words_in("count pvalue mpce cd"),
}
_ALL = frozenset().union(*_WORDS.values())
_BESIDE = words_in(
    "of the all datasets data sets number no num accuracy acc error score scores standard per methods tasks "
    "problems geo arithmetic w t l d p value values top 1 auc macro"
    " n rate win row column f1 performance perf result "
    "results ↑ ↓"
)
_COUNTED = re.compile(r"[(\[]\s*(?:n\s*=\s*)?\d+\s*[)\]]")
"""How many a summary is over, as in `Average (3)` and `Mean (n=3)`."""


def is_summary(name: str) -> bool:
    """Does a name say that a row or column summarizes the others: `Average_Rank`, `Wins`, `mean accuracy`?"""
    name = _COUNTED.sub("", name)
    words = words_of(name)
    return folded(name) in _ALL or (
        any(word in _ALL for word in words) and all(word in _ALL or word in _BESIDE for word in words)
    )


def without_summary_rows(
    table: Table, labels: Column, values: Sequence[Column], options: ScoreOptions, notes: Notes
) -> Table:
    """The table without the rows of summaries, and without those that are to be dropped.

    labels: the names of the rows; values: the columns of scores. Question where only a name says summary."""
    dropped = [name for name in labels.levels if name in options.drop]
    notes.leave("row", dropped, "your answer", option="drop")
    called = [name for name in labels.levels if is_summary(name) and name not in (*options.keep, *dropped)]
    summaries, out = labels.names.isin(called), labels.names.isin(dropped)
    plain = [one for one in values if not is_summary(one.name)] or [*values]
    numbers = np.array([one.parsed.value for one in plain]).T
    digits = np.array([_roundings(one) for one in plain]).T
    bad = np.array([one.parsed.bad for one in plain]).T
    rows = table.frame.index.to_numpy()
    for name in called:
        places = np.flatnonzero(labels.names == name)
        others = numbers[~(summaries | out)]
        if not all(bad[at].any() or agrees(name, numbers[at], digits[at], others) for at in places):
            found = f"a row called {name!r}, as a summary is"
            raise table.question("rows of scores", found, keep_or_drop([name]), row=int(rows[places[0]]))
    if called:
        first = table.line_of(int(rows[summaries.argmax()]))
        notes.leave("row", called, "summaries, by name and numbers", line=first, option="keep")
    out |= summaries
    if out.all():
        raise table.fault("lines of scores of datasets", "only summaries", "name the rows otherwise")
    return table.with_frame(table.frame[~out]) if out.any() else table


def is_summary_column(column: Column, others: Sequence[Column]) -> bool:
    """Does a column that is called a summary agree with the others?"""
    if not is_summary(column.name) or len(others) < 2:
        return False
    values = np.array([one.parsed.value for one in others])
    return agrees(column.name, column.parsed.value, _roundings(column), values)


def _roundings(column: Column) -> Floats:
    """Half a unit of the last printed digit of each cell."""
    if column.is_typed and column.distinct > len(column) // 2:
        return np.array([rounding(repr(value)) for value in column.parsed.value.tolist()])
    roundings: Floats = np.array([*map(rounding, column.levels), np.nan])[column.names.codes]
    return roundings


def agrees(name: str, line: Floats, rounding: Floats, others: Floats) -> bool:
    """Do the numbers of a summary agree with its name, to half a unit of their last printed digit?

    line, rounding: the summary and half a unit of the last digit of each of its n numbers, NaN where there is
    none; others: (m, n) numbers that it may summarize, over the first axis."""
    name = _COUNTED.sub("", name)
    words = {folded(name), *words_of(name)}
    known = ~np.isnan(line)
    if not known.any() or len(others) < 2 or np.isnan(others).all(axis=0).any():
        return False
    kinds = [kind for kind, listed in _WORDS.items() if not words.isdisjoint(listed)]
    for kind in ["rank"] if "rank" in kinds else kinds:
        for summary in _summaries(kind, pd.DataFrame(others)):
            allowed = rounding + 8 * np.finfo(float).eps * np.maximum(np.abs(summary), np.abs(line))
            if (np.abs(summary - line)[known] <= allowed[known]).all():
                return True
    return False


_OF_COLUMNS: dict[str, Callable[[pd.DataFrame], tuple[pd.Series, ...]]] = {
    "mean": lambda others: (others.mean(),),
    "median": lambda others: (others.median(),),
    "sum": lambda others: (others.sum(),),
    "maximum": lambda others: (others.max(),),
    "minimum": lambda others: (others.min(),),
    "deviation": lambda others: (others.std(ddof=0), others.std()),
    "error": lambda others: (others.sem(ddof=0), others.sem()),
    "variance": lambda others: (others.var(ddof=0), others.var()),
}


def _summaries(kind: str, others: pd.DataFrame) -> Iterator[Floats]:
    """What a kind of summary may be of the numbers in each column."""
    if kind in _OF_COLUMNS:
        yield from (found.to_numpy() for found in _OF_COLUMNS[kind](others))
    elif kind == "geometric" and (others > 0).all(axis=None):
        yield np.exp(np.log(others).mean()).to_numpy()
    elif kind == "wins":
        for values in (others, -others):
            is_best = values.eq(values.max(axis=1), axis=0)
            ties = is_best.sum(axis=1)
            yield is_best.sum().to_numpy()
            yield is_best[ties == 1].sum().to_numpy()
            yield is_best.div(ties, axis=0).sum().to_numpy()
    elif kind == "rank":
        for values in (-others, others):
            yield values.rank(axis=1).mean().to_numpy()
            yield from (values.mean().rank(method=way).to_numpy() for way in ("average", "min", "dense"))
