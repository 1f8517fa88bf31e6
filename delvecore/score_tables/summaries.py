"""Summary rows and columns of wide tables. They are left out only if the name and the numbers agree."""

import re
from collections.abc import Iterator, Sequence

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
    "problems geo arithmetic w t l d p value values top 1 auc macro n rate win row column f1 performance "
    "perf result results"
)
_COUNTED = re.compile(r"[(\[]\s*(?:n\s*=\s*)?\d+\s*[)\]]")
"""The number of summarized values, as in `Average (3)` and `Mean (n=3)`."""


def is_summary(name: str) -> bool:
    """Does a row or column have the name of a summary: `Average_Rank`, `Wins`, `mean accuracy`?"""
    name = _COUNTED.sub("", name)
    words = words_of(name)
    return folded(name) in _ALL or (not _ALL.isdisjoint(words) and _ALL.union(_BESIDE).issuperset(words))


def without_summary_rows(
    table: Table, labels: Column, values: Sequence[Column], options: ScoreOptions, notes: Notes
) -> Table:
    """Return the table without summaries and dropped rows. Raises Question if only the name is that of a
    summary."""
    dropped = [name for name in labels.levels if name in options.drop]
    notes.leave("row", dropped, "your answer", option="drop")
    called = [name for name in labels.levels if is_summary(name) and name not in (*options.keep, *dropped)]
    summaries, out = labels.names.isin(called), labels.names.isin(dropped)
    rows = table.frame.index.to_numpy()
    if called:
        plain = [one for one in values if not is_summary(one.name)] or [*values]
        numbers, digits, bad = (
            np.array([part(one) for one in plain]).T
            for part in (lambda one: one.parsed.value, _roundings, lambda one: one.parsed.bad)
        )
        others = numbers[~(summaries | out)]
        for name in called:
            places = np.flatnonzero(labels.names == name)
            if not all(bad[at].any() or agrees(name, numbers[at], digits[at], others) for at in places):
                actual, row = f"a row called {name!r}, like a summary", int(rows[places[0]])
                raise table.question("rows of scores", actual, keep_or_drop([name]), row=row)
        first = table.line_of(int(rows[summaries.argmax()]))
        notes.leave("row", called, "summaries, by name and numbers", line=first, option="keep")
    out |= summaries
    if out.all():
        raise table.fault("lines of scores of datasets", "only summaries", "give the rows other names")
    return table.with_frame(table.frame[~out]) if out.any() else table


def is_summary_column(column: Column, others: Sequence[Column]) -> bool:
    """Does a column with the name of a summary agree with the others?"""
    if not is_summary(column.name) or len(others) < 2:
        return False
    values = np.array([one.parsed.value for one in others])
    return agrees(column.name, column.parsed.value, _roundings(column), values)


def _roundings(column: Column) -> Floats:
    """Return half a unit of the last printed digit of each cell."""
    if column.is_typed and column.distinct > len(column) // 2:
        return np.array([rounding(repr(value)) for value in column.parsed.value.tolist()])
    roundings: Floats = np.array([*map(rounding, column.levels), np.nan])[column.names.codes]
    return roundings


def agrees(name: str, line: Floats, rounding: Floats, others: Floats) -> bool:
    """Do the numbers of a summary agree with its name, to half a unit of their last printed digit?

    line, rounding: the summary and half a unit of the last digit of each of its n numbers, NaN if absent;
    others: (m, n) numbers that it may summarize, over the first axis."""
    name = _COUNTED.sub("", name)
    words, there = {folded(name), *words_of(name)}, ~np.isnan(line)
    if not there.any() or len(others) < 2 or np.isnan(others).all(axis=0).any():
        return False
    kinds = [kind for kind, listed in _WORDS.items() if not words.isdisjoint(listed)]
    for kind in ["rank"] if "rank" in kinds else kinds:
        for summary in _summaries(kind, pd.DataFrame(others)):
            allowed = rounding + 8 * np.finfo(float).eps * np.maximum(np.abs(summary), np.abs(line))
            if (np.abs(summary - line)[there] <= allowed[there]).all():
                return True
    return False


_METHODS = {
    "mean": "mean",
    "median": "median",
    "sum": "sum",
    "maximum": "max",
    "minimum": "min",
    "deviation": "std",
    "error": "sem",
    "variance": "var",
}
"""Methods of a data frame by the kind of a summary; those with degrees of freedom are tried with 0 and 1."""


def _summaries(kind: str, others: pd.DataFrame) -> Iterator[Floats]:
    """Yield the possible values of one kind of summary for each column."""
    if kind in _METHODS:
        freedom = [{"ddof": 0}, {}] if kind in ("deviation", "error", "variance") else [{}]
        yield from (getattr(others, _METHODS[kind])(**more).to_numpy() for more in freedom)
    elif kind == "geometric" and (others > 0).all(axis=None):
        yield np.exp(np.log(others).mean()).to_numpy()
    elif kind == "wins":
        for values in (others, -others):
            is_best = values.eq(values.max(axis=1), axis=0)
            ties = is_best.sum(axis=1)
            for wins in (is_best, is_best[ties == 1], is_best.div(ties, axis=0)):
                yield wins.sum().to_numpy()
    elif kind == "rank":
        for values in (-others, others):
            yield values.rank(axis=1).mean().to_numpy()
            yield from (values.mean().rank(method=way).to_numpy() for way in ("average", "min", "dense"))
