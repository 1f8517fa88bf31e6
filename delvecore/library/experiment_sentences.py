"""Sentences of an experiment: the winner of each task, and the data needed for a verdict."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import stats

from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.model import TaskId
from delvecore.render.numbers import integer, percent, significant
from delvecore.render.text import and_list
from delvecore.render.verdicts import BETTER, SIGNIFICANTLY
from delvecore.stats.choose import Setting, Verdict
from delvecore.stats.designs import MOST_DF, fold_correlation
from delvecore.stats.losses.case_tests import POWER
from delvecore.stats.notes import CROSS_VALIDATION, RESAMPLED, Note
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.verdicts import PairVerdicts, units_needed

MOST_REPEATS = 30
FEWEST_DATASETS = 6
"""Minimum number for a test at 5 %: with five datasets, p is at least 1/16, two of 2**5 sign patterns."""


def winner_sentences(results: pd.DataFrame, pairs: pd.DataFrame, setting: Setting) -> Iterator[str]:
    """Yield, for each task, the method with the lowest loss and the methods that it is significantly better
    than.

    results: columns of the schema RESULTS, of one loss; pairs: COMPARISONS of the same tasks."""
    key = list(TaskId._fields)
    by_task = dict(iter(results.groupby(key, sort=False)))
    pairs_of = dict(iter(pairs.groupby(key, sort=False)))
    for place, rows in by_task.items():
        if len(rows) < 2:
            continue
        has_others = sum(other[:2] == place[:2] for other in by_task) > 1
        size = f" with {rows['training_size'].iloc[0]} training cases" if has_others else ""
        yield f"On {place[0]}{size}, {_winner(rows, pairs_of.get(place, pairs.head(0)), setting)}."


def _winner(rows: pd.DataFrame, pairs: pd.DataFrame, setting: Setting) -> str:
    known = rows.dropna(subset=["mean"])
    if known.empty:
        return "no method has a loss"
    best = known.loc[known["mean"].idxmin()]
    name, mean, spec = best["method"], best["mean"], LOSS_SPECS.get(best["loss"])
    loss = spec.title[:1].lower() + spec.title[1:] if spec else best["loss"]
    others = [other for other in rows["method"] if other != name]
    alike = [other for other in known["method"][known["mean"] == mean] if other != name]
    if alike:
        return f"{and_list([name, *alike])} have the same lowest {loss}, {significant(mean, 4)}"
    is_first = pairs["method_a"] == name
    mine = pairs[is_first | (pairs["method_b"] == name)]
    is_first = is_first[mine.index]
    rivals = mine["method_b"].where(is_first, mine["method_a"])
    is_beaten = mine["verdict"] == np.where(is_first, Verdict.BETTER, Verdict.WORSE)
    beaten = list(rivals[is_beaten])
    lowest = f"{name} has the lowest {loss}, {significant(mean, 4)}"
    if len(beaten) == len(others):
        return f"{name} is best: its {loss} of {significant(mean, 4)} is {SIGNIFICANTLY} lower than " + (
            f"that of {others[0]}" if len(others) == 1 else f"those of the {len(others)} others"
        )
    if beaten:
        rest = [other for other in others if other not in beaten]
        return f"{lowest}, {BETTER} than {and_list(beaten)}, but not than {and_list(rest)}"
    return f"{lowest}, but not {SIGNIFICANTLY}{_needed(mine[rivals.isin(others)], setting)}"


def _needed(pairs: pd.DataFrame, setting: Setting) -> str:
    """Return the number of folds for which the largest difference would be significant, if more folds
    suffice."""
    tested = pairs[pairs["statistic"].notna() & (pairs["test"] == "resampled")]
    if tested.empty:
        return "" if pairs.empty or pd.notna(pairs["p"].iloc[0]) else "; nothing is tested"
    row = tested.loc[tested["statistic"].abs().idxmax()]
    sets, note = int(row["instances"]), next(map(Note.parse, row["notes"]), None)
    if note is None or note.code not in (CROSS_VALIDATION.code, RESAMPLED.code):
        return ""
    is_folds = note.code == CROSS_VALIDATION.code
    factors = [
        _factor(sets * times, fold_correlation(sets, times) if is_folds else note.numbers[0])
        for times in range(1, MOST_REPEATS + 1)
    ]
    critical = stats.t.ppf(1 - (1 - setting.level) / 2 / len(pairs), MOST_DF)
    for times, factor in enumerate(factors[1:], start=2):
        if abs(row["statistic"]) * (factors[0] / factor) ** 0.5 > critical:
            what = f"{times} repeats of {sets} folds" if is_folds else f"{sets * times} training sets"
            return f"; a difference like this one needs about {what}"
    what = "repeats of these folds" if is_folds else "more training sets"
    return f"; {what} would not make this difference significant, but more cases might"


def winners_by_size(rows: pd.DataFrame) -> Iterator[str]:
    """Yield the method with the best mean rank over datasets, for each of several sizes of training sets."""
    sizes = sorted(set(rows["training_size"]))
    counts = rows.groupby("training_size")["dataset"].nunique()
    shared = [size for size in sizes if counts[size] > 1]
    if len(shared) < 2:
        return
    named = []
    for size in shared:
        part = rows[rows["training_size"] == size]
        ranks = part.groupby(["dataset", "prototask"])["mean"].rank(na_option="bottom")
        means = ranks.groupby(part["method"]).mean()
        named.append(f"{means.idxmin()} with {size} training cases")
    yield f"By size, these methods have the best mean rank: {', '.join(named)}."


def needed_datasets(analysis: Analysis, verdicts: PairVerdicts) -> Iterator[str]:
    """Yield a sentence on how many datasets the largest difference of the best method needs, unless one is
    significant."""
    best, count = analysis.order[0], len(analysis.units.tasks)
    places = np.delete(analysis.pair_numbers[best], best)
    if (verdicts.is_testable and verdicts.different[places].any()) or not verdicts.z[places].any():
        return
    place = places[verdicts.z[places].argmax()]
    if not verdicts.is_testable:
        critical = stats.norm.isf(verdicts.alpha / 2 / len(verdicts.z))
        verdicts = replace(verdicts, critical=np.full(len(verdicts.z), critical))
    needed = max(units_needed(verdicts, count, power=POWER)[place], FEWEST_DATASETS)
    pair = analysis.scan.first[place], analysis.scan.second[place]
    other = analysis.table.methods[next(method for method in pair if method != best)]
    start = f"The largest difference of {analysis.table.methods[best]}, from {other},"
    if math.isinf(needed):
        yield f"{start} would hardly be significant with more datasets."
    else:
        yield f"{start} needs about {integer(int(needed))} such datasets for {percent(POWER)} power."


def _factor(sets: int, share: float) -> float:
    """Return the variance of a mean over training sets with this correlation, relative to that of one."""
    return 1 / sets + share / (1 - share)
