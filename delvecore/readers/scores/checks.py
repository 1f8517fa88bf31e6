"""What must hold of scores before they are used: each once, and what becomes of runs that failed."""

import numpy as np
from numpy.typing import NDArray

from delvecore.losses.metrics import LARGEST, Metric
from delvecore.names import NAME, is_name
from delvecore.readers.scores.assembling import Scores
from delvecore.readers.scores.batches.codes import finer, repeats
from delvecore.readers.scores.columns import Sheet
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.remarks import Remarks

__all__ = ["checked", "twice"]


def checked(
    scores: Scores, sheet: Sheet, metrics: tuple[Metric, ...], options: ScoreOptions, remarks: Remarks
) -> Scores:
    """Return the scores that are used: those with a dataset and a method, of metrics that the dataset has.

    Failed runs are treated as the options say. ParseError for a score that stands twice."""
    named = (scores.dataset.places >= 0) & (scores.method.places >= 0) & (scores.metric.places >= 0)
    remarks.leave("row", (), "no dataset or method is named", count=int((~named).sum()))
    scores = scores.kept(named)
    if not len(scores.value):
        raise sheet.fault(
            "a line of scores of a method on a dataset", "none", "say --dataset and --method-column"
        )
    _check_names(scores, sheet)
    _check_sizes(scores, sheet)
    _check_once(scores, sheet)
    scores = scores.kept(_has_metric(scores))
    return _failed(scores, metrics, options, remarks)


def _check_names(scores: Scores, sheet: Sheet) -> None:
    for kind, codes in scores.names.items():
        for place, level in enumerate(codes.levels):
            if level and not is_name(level):
                row = scores.line(int(np.argmax(codes.places == place)))
                raise sheet.fault(f"{NAME}, for a {kind}", repr(level), "rename it", row=row)


def _check_sizes(scores: Scores, sheet: Sheet) -> None:
    large = (scores.value > LARGEST) | (scores.value < -LARGEST)
    if large.any():
        row = scores.line(int(np.argmax(large)))
        found, remedy = f"{scores.value[np.argmax(large)]:g}", "write NA for a run that failed"
        raise sheet.fault(f"a score of at most {LARGEST:g} in size", found, remedy, row=row)


def twice(scores: Scores) -> tuple[int, int] | None:
    """Return the first score that stands a second time: the places of both; None where each stands once."""
    key = np.zeros(len(scores.value), dtype=np.int32)
    for codes in scores.names.values():
        key = finer(key, codes)
    if not repeats(key):
        return None
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(key[order][1:] == key[order][:-1])
    seconds = order[again + 1]
    place = again[np.argmin(seconds if scores.lines is None else scores.lines[seconds])]
    return int(order[place]), int(order[place + 1])


def _check_once(scores: Scores, sheet: Sheet) -> None:
    found = twice(scores)
    if found is None:
        return
    first, second = found
    told = ", ".join(
        codes.levels[codes.places[second]]
        for codes in scores.names.values()
        if codes.levels[codes.places[second]]
    )
    before = sheet.line_of(scores.line(first))
    where = f" (first on line {before})" if before is not None else ""
    raise sheet.fault(
        "one score for each dataset, method, instance and metric",
        f"a second one of {told}{where}",
        "say with --fold which column tells them apart, or remove one",
        row=scores.line(second),
    )


def _has_metric(scores: Scores) -> NDArray[np.bool_]:
    """Which scores are of a metric that their dataset has at all? (No AUC where there are many classes.)"""
    there = ~np.isnan(scores.value)
    if len(scores.metric.levels) == 1 or there.all():
        return np.ones(len(there), dtype=bool)
    key = scores.dataset.places.astype(np.int64) * len(scores.metric.levels) + scores.metric.places
    known = np.zeros(len(scores.dataset.levels) * len(scores.metric.levels), dtype=bool)
    known[key[there]] = True
    return known[key]


def _failed(scores: Scores, metrics: tuple[Metric, ...], options: ScoreOptions, remarks: Remarks) -> Scores:
    failed = np.isnan(scores.value)
    if not failed.any():
        return scores
    remarks.guess("failed runs", options.failed, (), "--failed")
    levels = scores.method.levels
    names = [levels[place] for place in np.unique(scores.method.places[failed]).tolist()]
    if options.failed == "method out":
        remarks.leave("method", names, "runs of theirs failed")
        return scores.kept(~np.isin(scores.method.places, np.unique(scores.method.places[failed])))
    if options.failed == "worst":
        return scores.with_values(_worst(scores, metrics))
    remarks.leave("value", names, "missing or failed runs", count=int(failed.sum()))
    return scores


def _worst(scores: Scores, metrics: tuple[Metric, ...]) -> NDArray[np.float64]:
    """Return the values, with the worst one of the dataset where there is none."""
    known = {metric.name: metric.higher_is_better for metric in metrics}
    higher = np.array([known[name] for name in scores.metric.levels])[scores.metric.places]
    losses = np.where(higher, -scores.value, scores.value)
    key = scores.dataset.places.astype(np.int64) * len(scores.metric.levels) + scores.metric.places
    most = np.full(len(scores.dataset.levels) * len(scores.metric.levels), -np.inf)
    np.fmax.at(most, key, losses)
    filled = np.where(np.isnan(losses), most[key], losses)
    return np.where(higher, -filled, filled)
