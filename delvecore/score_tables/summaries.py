"""Summary rows and columns: left out only where a name says so and the numbers agree with it."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from delvecore.score_tables.names import folded, words_in, words_of

__all__ = ["agrees", "is_summary"]

Floats = NDArray[np.float64]
_KINDS = {
    "mean": "mean average averages avg means overall amean",
    "median": "median medians",
    "sum": "total sum",
    "deviation": "std stdev sd stddev deviation",
    "error": "stderr se sem",
    "variance": "variance var",
    "rank": "rank ranks ranking avgrank averagerank meanrank",
    "wins": "wins win best",
    "ties": "ties tie draws losses loss wtl wdl",
    "maximum": "best max maximum",
    "minimum": "worst min minimum best",
    "geometric": "geomean gmean geometric",
    "other": "count pvalue mpce cd",
}
_WORDS = {kind: frozenset(text.split()) for kind, text in _KINDS.items()}
_ALL = frozenset().union(*_WORDS.values())
_BESIDE = words_in(
    "of the all datasets data sets number no num accuracy acc error score scores standard per methods tasks "
    "problems geo arithmetic w t l d p value values top 1 auc macro"
)


def is_summary(name: str) -> bool:
    """Does a name say that a row or column summarizes the others: `Average_Rank`, `Wins`, `mean accuracy`?"""
    words = words_of(name)
    return folded(name) in _ALL or (
        any(word in _ALL for word in words) and all(word in _ALL or word in _BESIDE for word in words)
    )


def agrees(name: str, line: Floats, rounding: Floats, others: Floats) -> bool:
    """Do the numbers of a summary agree with its name, to half a unit of their last printed digit?

    Parameters
    ----------
    line : array of shape (n,)
        The summary: a number a column of `others`, NaN where there is none.
    rounding : array of shape (n,)
        Half a unit of the last printed digit of each number.
    others : array of shape (m, n)
        The numbers that it may summarize, over the first axis.
    """
    words = {folded(name), *words_of(name)}
    known = ~np.isnan(line)
    if not known.any() or len(others) < 2 or np.isnan(others).all(axis=0).any():
        return False
    is_rank = bool(words & _WORDS["rank"])
    for kind, listed in _WORDS.items():
        if not words & listed or (is_rank and kind != "rank"):
            continue
        for summary in _summaries(kind, others):
            allowed = rounding + 8 * np.finfo(float).eps * np.maximum(np.abs(summary), np.abs(line))
            if (np.abs(summary - line)[known] <= allowed[known]).all():
                return True
    return False


def _summaries(kind: str, others: Floats) -> Iterator[Floats]:
    """What a kind of summary may be of numbers."""
    if kind == "mean":
        yield np.nanmean(others, axis=0)
    elif kind == "median":
        yield np.nanmedian(others, axis=0)
    elif kind == "sum":
        yield np.nansum(others, axis=0)
    elif kind in ("deviation", "error", "variance"):
        counts = np.sqrt((~np.isnan(others)).sum(axis=0))
        for freedom in (0, 1):
            spread = np.nanstd(others, axis=0, ddof=freedom)
            yield {"deviation": spread, "error": spread / counts, "variance": spread**2}[kind]
    elif kind in ("maximum", "minimum"):
        yield (np.nanmax if kind == "maximum" else np.nanmin)(others, axis=0)
    elif kind == "geometric" and (others > 0).all():
        yield np.exp(np.log(others).mean(axis=0))
    elif kind == "wins":
        for values in (others, -others):
            is_best = values == np.nanmax(values, axis=1, keepdims=True)
            ties = is_best.sum(axis=1, keepdims=True)
            yield from (is_best.sum(axis=0) * 1.0, (is_best & (ties == 1)).sum(axis=0) * 1.0)
            yield (is_best / ties).sum(axis=0)
    elif kind == "rank":
        for values in (others, -others):
            yield rankdata(values, axis=1, nan_policy="omit").mean(axis=0)
            yield from (
                rankdata(np.nanmean(values, axis=0), method=way) for way in ("average", "min", "dense")
            )
