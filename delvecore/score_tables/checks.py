"""Checks of scores before they are used: names, sizes, one scale, each score once, and failed runs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from delvecore.losses.metrics import LARGEST, Metric
from delvecore.names import NAME, is_name
from delvecore.score_tables.directions import metric_named
from delvecore.score_tables.options import Answer, ScoreOptions
from delvecore.score_tables.roles import Notes
from delvecore.score_tables.table import Table, group_numbers

__all__ = ["KEYS", "check_scores", "duplicates", "keep_and_drop", "on_one_scale", "treat_failed"]

KEYS = ("dataset", "method", "instance", "metric")
_LEAST, _MOST = 30.0, 300.0
"""How many times the values of one method may be those of the others if they look like per cent."""


def check_scores(scores: pd.DataFrame, table: Table) -> None:
    """Names must be one printable line, values finite, and each score must stand once. ParseError."""
    for kind in KEYS:
        for level in scores[kind].cat.categories:
            if level and not is_name(level):
                row = int(scores.index[(scores[kind] == level).argmax()])
                raise table.fault(f"{NAME}, for a {kind}", repr(level), "rename it", row=row)
    large = (scores["value"].abs() > LARGEST).to_numpy()
    if large.any():
        row, value = int(scores.index[large.argmax()]), scores["value"].to_numpy()[large.argmax()]
        remedy = "write NA for a run that failed"
        raise table.fault(f"a score of at most {LARGEST:g} in size", f"{value:g}", remedy, row=row)
    again = duplicates(scores)
    if again.any():
        second = int(again.argmax())
        same = np.logical_and.reduce(
            [scores[key].cat.codes == scores[key].cat.codes.iloc[second] for key in KEYS]
        )
        rows = scores.index.to_numpy()
        line = table.line_of(int(rows[same.argmax()]))
        first = f" (first on line {line})" if line is not None else ""
        told = ", ".join(filter(None, (str(scores[key].iloc[second]) for key in KEYS)))
        raise table.fault(
            "one score for each dataset, method, instance and metric",
            f"a second one of {told}{first}",
            "call the column that tells them apart fold, or say which it is, or remove one",
            row=int(rows[second]),
        )


def duplicates(scores: pd.DataFrame) -> np.ndarray:
    """Which scores have the dataset, method, instance and metric of an earlier one?"""
    key = group_numbers([scores[name].array for name in KEYS], len(scores))
    top = int(key.max(initial=0)) + 1
    if top <= 1 << 27 and len(np.flatnonzero(np.bincount(key[key >= 0], minlength=1) > 1)) == 0:
        return np.zeros(len(scores), dtype=bool)
    return pd.Series(key).duplicated().to_numpy() & (key >= 0)


def keep_and_drop(
    scores: pd.DataFrame, table: Table, listed: Sequence[str], options: ScoreOptions, notes: Notes
) -> pd.DataFrame:
    """The scores without the methods, datasets and metrics that are dropped. ParseError for a name that is
    none of them, and none of the listed columns."""
    known = {*listed}
    for what in ("method", "dataset", "metric"):
        levels = list(scores[what].cat.categories)
        known.update(levels)
        dropped = [name for name in options.drop if name in levels]
        if dropped:
            scores = scores[~scores[what].isin(dropped)]
            scores = scores.assign(**{what: scores[what].cat.remove_unused_categories()})
            notes.leave(what, dropped, "as you said", option="drop")
    labels = {
        level
        for column in table.columns
        if not column.is_typed
        for level in column.levels
        if options.keep or options.drop
    }
    for name in (*options.keep, *options.drop):
        if name not in known and name not in labels:
            found = f"none named {name!r}"
            raise table.fault("a method, dataset, metric or column to keep or drop", found, "check the name")
    return scores


def on_one_scale(
    scores: pd.DataFrame, metrics: Sequence[Metric], table: Table, options: ScoreOptions, notes: Notes
) -> tuple[pd.DataFrame, tuple[Metric, ...]]:
    """The scores of each metric on one scale, fractions or per cent. Question where two are mixed."""
    found = []
    for metric in metrics:
        scores, one = _metric_on_one_scale(scores, metric, table, options, notes)
        found.append(one)
    return scores, tuple(found)


def _metric_on_one_scale(
    scores: pd.DataFrame, metric: Metric, table: Table, options: ScoreOptions, notes: Notes
) -> tuple[pd.DataFrame, Metric]:
    rows = (scores["metric"] == metric.name).to_numpy() & scores["value"].notna().to_numpy()
    values, percent = scores["value"].to_numpy()[rows], scores["percent"].to_numpy()[rows]
    if not len(values):
        return scores, metric
    if percent.any() and not percent.all() and options.scale is None:
        plain = values[~percent]
        if np.abs(plain).max() <= 1:
            notes.take("scale", "values with % are divided by 100", "content", option="scale")
            return _divided(scores, rows, percent), metric
        if plain.min() <= 1:
            _ask_scale(table, scores, rows, ~percent & (values <= 1))
    if percent.all() and metric.best == 1:
        return scores, metric._replace(best=100.0)
    if metric.best == 1 and values.max() > 1 + 1e-6:
        small = (values > 0) & (values <= 1)
        if small.any() and options.scale is None and values.max() <= 100 + 1e-6:
            _ask_scale(table, scores, rows, small)
        if options.scale == "fractions":
            return _divided(scores, rows, values > 1), metric
        return scores, metric._replace(best=100.0 if values.max() <= 100 + 1e-6 else None)
    if options.scale == "fractions":
        return _divided(scores, rows, values > 1), metric
    if options.scale is None and metric.best is None and values.min() >= 0 and 1 < values.max() <= 100:
        for line in ["method"] if metric_named(metric.name) else ["method", "dataset"]:
            _check_lines(scores, rows, line, table)
    return scores, metric


def _check_lines(scores: pd.DataFrame, rows: np.ndarray, line: str, table: Table) -> None:
    """Ask where all values of some methods, or datasets, are fractions, and others look like per cent."""
    names = scores[line].to_numpy()[rows]
    found = pd.Series(scores["value"].to_numpy()[rows]).groupby(names).agg(["max", "min", "median"])
    small = found[found["max"] <= 1]
    large = found.drop(small.index)
    ratio = large["median"].median() / max(small["median"].median(), 1e-300) if len(small) else 0.0
    if _LEAST < ratio < _MOST and (large["min"] > 1).all():
        _ask_scale(table, scores, rows, np.isin(names, small.index))


def _divided(scores: pd.DataFrame, rows: np.ndarray, chosen: np.ndarray) -> pd.DataFrame:
    """The scores with some values divided by 100."""
    values = scores["value"].to_numpy(copy=True)
    places = np.flatnonzero(rows)[chosen]
    # Rounded, so that 93 % is the 0.93 of another cell.
    values[places] = np.round(values[places] / 100, 15)
    return scores.assign(value=values)


def _ask_scale(table: Table, scores: pd.DataFrame, rows: np.ndarray, small: np.ndarray) -> None:
    values = scores["value"].to_numpy()[rows]
    row = int(scores.index[rows][small.argmax()])
    answers = [
        Answer("Values above 1 are per cent", "scale", "fractions"),
        Answer("All are on one scale", "scale", "as written"),
    ]
    found = f"{values[small][0]:g} beside {values.max():g}"
    raise table.question("values on one scale, fractions or per cent", found, answers, row=row)


def treat_failed(
    scores: pd.DataFrame, metrics: Sequence[Metric], options: ScoreOptions, notes: Notes
) -> tuple[pd.DataFrame, int, int]:
    """The scores with failed runs as the options say, and the counts of all runs and of failed ones."""
    missing = scores["value"].isna().to_numpy()
    if len(metrics) > 1 and missing.any():  # a metric that a dataset does not have at all is no failed run
        has = (
            scores.assign(there=~missing)
            .groupby(["dataset", "metric"], observed=True)["there"]
            .transform("any")
        )
        scores, missing = scores[has.to_numpy()], missing[has.to_numpy()]
    runs, failed = len(scores), int(missing.sum())
    if not failed:
        return scores, runs, 0
    methods = list(scores["method"][missing].cat.remove_unused_categories().cat.categories)
    notes.take(
        "failed runs", options.failed, "said" if options.failed != "left out" else "default", option="failed"
    )
    if options.failed == "method out":
        notes.leave("method", methods, "some of their runs failed", option="failed")
        kept = scores[~scores["method"].isin(methods)]
        return kept.assign(method=kept["method"].cat.remove_unused_categories()), runs, failed
    if options.failed == "worst":
        higher = {metric.name: metric.higher_is_better for metric in metrics}
        sign = scores["metric"].map(higher).astype(float).map({1.0: -1.0, 0.0: 1.0})
        losses = scores["value"] * sign
        groups = [scores["dataset"].array.codes, scores["metric"].array.codes]
        return (
            scores.assign(value=losses.fillna(losses.groupby(groups).transform("max")) * sign),
            runs,
            failed,
        )
    notes.leave("run", methods, "no value (missing or failed)", count=failed, option="failed")
    return scores, runs, failed
