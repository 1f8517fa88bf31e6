"""Checks of scores before they are used: names, sizes, one scale, each score once, and failed runs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from delvecore.losses.metrics import LARGEST, Metric
from delvecore.names import NAME, is_name
from delvecore.score_tables.directions import metric_named
from delvecore.score_tables.options import Answer, ScoreOptions
from delvecore.score_tables.score_file import Notes
from delvecore.score_tables.table import Table, group_numbers, repeats, without_unused

KEYS = ("dataset", "method", "instance", "metric", "case")
"""The last one of scores of test cases."""
ONCE = "one score for each dataset, method, instance and metric"
_LEAST, _MOST = 30.0, 300.0
"""How many times the values of one method may be those of the others if they look like per cent."""


def keys_in(scores: pd.DataFrame) -> list[str]:
    """The columns that tell scores apart."""
    return [name for name in KEYS if name in scores]


def check_scores(scores: pd.DataFrame, table: Table) -> None:
    """Names must be one printable line, values finite, and each score must stand once. ParseError."""
    rows = scores.index.to_numpy()
    for kind in keys_in(scores):
        for level in scores[kind].cat.categories:
            if level and not is_name(level):
                row = int(rows[(scores[kind] == level).argmax()])
                raise table.fault(f"{NAME}, for a {kind}", repr(level), "rename it", row=row)
    large = (scores["value"].abs() > LARGEST).to_numpy()
    if large.any():
        found, remedy = f"{scores['value'].iloc[large.argmax()]:g}", "write NA for a run that failed"
        expected = f"a score of at most {LARGEST:g} in size"
        raise table.fault(expected, found, remedy, row=int(rows[large.argmax()]))
    if again := second_score(scores):
        first, second, told = again
        line = table.line_of(int(rows[first]))
        found = f"a second one of {told}" + (f" (first on line {line})" if line is not None else "")
        remedy = "call the column that tells them apart fold, or say which it is, or remove one"
        raise table.fault(ONCE, found, remedy, row=int(rows[second]))


def with_names(scores: pd.DataFrame, table: Table, notes: Notes) -> pd.DataFrame:
    """The rows that name their dataset, method and metric. ParseError for a score without such a name."""
    named = np.ones(len(scores), dtype=bool)
    for key in (name for name in keys_in(scores) if name != "instance"):
        nameless = scores[key].isna().to_numpy()
        named &= ~nameless
        scored = nameless & scores["value"].notna().to_numpy()
        if scored.any():
            remedy = f"write the {key} into each line, or take the line out"
            row = int(scores.index[scored.argmax()])
            raise table.fault(f"the name of a {key} beside its score", "an empty field", remedy, row=row)
    rows = scores.index[~named].nunique()
    notes.leave("row", (), "no dataset or method is named, nor a score", count=rows)
    if not named.any():
        remedy = "call its columns dataset and method, or say which they are"
        raise table.fault("a line of scores of a method on a dataset", "none", remedy)
    return scores if named.all() else scores[named]


def second_score(scores: pd.DataFrame) -> tuple[int, int, str] | None:
    """Find two scores of the same dataset, method, instance and metric: the rows of the first and the second,
    and their names; None where each stands once."""
    names = keys_in(scores)
    key = group_numbers([scores[name].array for name in names], len(scores))
    if not repeats(key):
        return None
    second = int((pd.Series(key).duplicated().to_numpy() & (key >= 0)).argmax())
    told = ", ".join(filter(None, (str(scores[name].iloc[second]) for name in names)))
    return int((key == key[second]).argmax()), second, told


def without_dropped(
    scores: pd.DataFrame, table: Table, listed: Sequence[str], options: ScoreOptions, notes: Notes
) -> pd.DataFrame:
    """The scores without the methods, datasets and metrics that are dropped. ParseError for a name that is
    none of them, and none of the listed columns."""
    known = {*listed}
    for what in ("method", "dataset", "metric"):
        known.update(scores[what].cat.categories)
        dropped = [name for name in options.drop if name in scores[what].cat.categories]
        if dropped:
            scores = scores[~scores[what].isin(dropped)]
            scores = scores.assign(**{what: without_unused(scores[what])})
            notes.leave(what, dropped, "as you said", option="drop")
    unknown = [name for name in (*options.keep, *options.drop) if name not in known]
    if unknown:
        labels = {level for column in table.columns if not column.is_typed for level in column.levels}
        for name in unknown:
            if name not in labels:
                expected = "a method, dataset, metric or column to keep or drop"
                raise table.fault(expected, f"none named {name!r}", "check the name")
    return scores


def on_one_scale(
    scores: pd.DataFrame, metric: Metric, table: Table, options: ScoreOptions, notes: Notes
) -> tuple[pd.DataFrame, Metric]:
    """The scores of a metric on one scale, fractions or per cent. Question where two are mixed."""
    rows = (scores["metric"] == metric.name).to_numpy() & scores["value"].notna().to_numpy()
    values, percent = scores["value"].to_numpy()[rows], scores["percent"].to_numpy()[rows]
    if not len(values):
        return scores, metric
    is_open, least, most = options.scale is None, values.min(), values.max()
    if is_open and percent.any() and not percent.all():
        if np.abs(values[~percent]).max() <= 1:
            notes.take("scale", "values with % are divided by 100", "content", option="scale")
            return _divided(scores, rows, percent), metric
        if values[~percent].min() <= 1:
            _ask_scale(table, scores, rows, ~percent & (values <= 1))
    if percent.all() and metric.best == 1:
        return scores, metric._replace(best=100.0)
    is_beyond, is_within = metric.best == 1 and most > 1 + 1e-6, most <= 100 + 1e-6
    small = (values > 0) & (values <= 1)
    if is_open and is_beyond and is_within and small.any():
        _ask_scale(table, scores, rows, small)
    if options.scale == "fractions":
        return _divided(scores, rows, values > 1), metric
    if is_beyond:
        return scores, metric._replace(best=100.0 if is_within else None)
    if is_open and metric.best is None and least >= 0 and 1 < most <= 100:
        for line in ["method"] if metric_named(metric.name) else ["method", "dataset"]:
            _check_lines(scores, rows, line, table)
    return scores, metric


def _check_lines(scores: pd.DataFrame, rows: np.ndarray, line: str, table: Table) -> None:
    """Ask about the scale where all values of some methods, or datasets, are fractions, and those of the
    others look like per cent."""
    there = scores[rows]
    found = there.groupby(line, observed=True)["value"].agg(["max", "min", "median"])
    small = found[found["max"] <= 1]
    large = found.drop(small.index)
    ratio = large["median"].median() / max(small["median"].median(), 1e-300) if len(small) else 0.0
    if _LEAST < ratio < _MOST and (large["min"] > 1).all():
        _ask_scale(table, scores, rows, there[line].isin(small.index).to_numpy())


def _divided(scores: pd.DataFrame, rows: np.ndarray, chosen: np.ndarray) -> pd.DataFrame:
    """The scores with some values divided by 100."""
    values = scores["value"].to_numpy(copy=True)
    places = np.flatnonzero(rows)[chosen]
    # Rounded, so that 93 % is the 0.93 of another cell.
    values[places] = np.round(values[places] / 100, 15)
    return scores.assign(value=values)


def _ask_scale(table: Table, scores: pd.DataFrame, rows: np.ndarray, small: np.ndarray) -> None:
    values = scores["value"].to_numpy()[rows]
    answers = [
        Answer("Values above 1 are per cent", "scale", "fractions"),
        Answer("All are on one scale", "scale", "as written"),
    ]
    found = f"{values[small][0]:g} beside {values.max():g}"
    row = int(scores.index[rows][small.argmax()])
    raise table.question("values on one scale, fractions or per cent", found, answers, row=row)


def failed_runs(
    scores: pd.DataFrame, metrics: Sequence[Metric], options: ScoreOptions, notes: Notes
) -> pd.DataFrame:
    """Count runs without a value, and treat them as the option `failed` says: left without one, given the
    worst value of their dataset, or left out with their methods."""
    missing = scores["value"].isna()
    if len(metrics) > 1 and missing.any():  # a metric that a dataset does not have at all is no failed run
        has = (~missing).groupby([scores["dataset"], scores["metric"]], observed=True).transform("any")
        scores, missing = scores[has], missing[has]
    notes.runs, notes.failed = len(scores), int(missing.sum())
    if not notes.failed:
        return scores
    methods = list(without_unused(scores["method"][missing]).cat.categories)
    is_default = options.failed == "left out"
    notes.take("failed runs", options.failed, "default" if is_default else "said", option="failed")
    if options.failed == "method out":
        notes.leave("method", methods, "some of their runs failed", option="failed")
        scores = scores[~scores["method"].isin(methods)]
        scores = scores.assign(method=without_unused(scores["method"]))
    elif options.failed == "worst":
        signs = {metric.name: metric.sign for metric in metrics}
        sign = scores["metric"].map(signs).astype(float)
        losses = scores["value"] * sign
        groups = losses.groupby([scores["dataset"], scores["metric"]], observed=True)
        scores = scores.assign(value=losses.fillna(groups.transform("max")) * sign)
    else:
        notes.leave("run", methods, "no value (missing or failed)", count=notes.failed, option="failed")
    return scores
