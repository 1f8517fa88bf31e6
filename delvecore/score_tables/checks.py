"""Checks of scores before they are used: directions of metrics, names, sizes, one scale, failed runs.

The direction of a metric is determined by the option, then by the name of the ranked column, then by the
name of the metric."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from delvecore.errors import Fault
from delvecore.losses.metrics import LARGEST, known_metric
from delvecore.measures import Measure, column_measure
from delvecore.names import NAME, is_name
from delvecore.score_tables.column_roles import PER_CENT
from delvecore.score_tables.names import hinted_directions, is_complement, only_direction, words_of
from delvecore.score_tables.options import Answer, Question, ScoreOptions, UnknownDirection
from delvecore.score_tables.score_file import Notes, Why
from delvecore.score_tables.table import Table, group_numbers, repeats, same_name, without_unused

UNNAMED = "score"
"""The name of the metric if nothing is known about the values."""
_ARROWS = {"↑": True, "⬆": True, "↓": False, "⬇": False}
_SHORTFALLS = (("metric", "error"), ("regret",), ("normalized", "regret"))
"""Columns that show by how much a metric falls short of the best: lower is better for every metric."""
KEYS = ("dataset", "method", "instance", "metric", "case")
"""Columns that identify a score. The last one is for scores of test cases."""
ONCE = "one score for each dataset, method, instance and metric"


def _metric_named(name: str) -> Measure | None:
    """Return the metric of a name, with the direction of an arrow in it; None if unknown or contradictory."""
    arrows = {higher for arrow, higher in _ARROWS.items() if arrow in name}
    metric = column_measure(name, False, 0.0) if is_complement(name) else known_metric(name)
    if not arrows:
        hint = None if metric is not None else only_direction(name)
        return metric if hint is None else column_measure(name, hint)
    if len(arrows) > 1 or (metric is not None and {metric.higher_is_better} != arrows):
        return None
    return metric or column_measure(name, arrows == {True})


def _disagreement(metric: str, higher: bool, column: str, hints: set[bool]) -> str:
    words = " and ".join(column_measure("", hint).direction for hint in sorted(hints - {higher}))
    return f"{metric}, {column_measure('', higher).direction}, in the column {column!r}, {words}"


def directed(
    levels: Mapping[str, str | None],
    fixed: Mapping[str, Measure],
    fixed_by: Why,
    source: str,
    options: ScoreOptions,
    notes: Notes,
) -> dict[str, Measure]:
    """Return the metrics of known direction, by name.

    levels: names of metrics, each with the name of the column of values if that differs; fixed: directions
    that `fixed_by` determined. Raises UnknownDirection if no direction is known, or if names disagree."""
    option = options.higher_is_better
    metrics = {name: fixed.get(name) or _of_names(name, levels[name], source, option) for name in levels}
    why: dict[str, Why] = {name: fixed_by if name in fixed else "name" for name in levels}
    unknown = [name for name, metric in metrics.items() if metric is None]
    if option is not None:
        chosen = unknown or list(levels)
        against = [name for name, one in metrics.items() if one and one.higher_is_better != option]
        if len(chosen) > 1 and not unknown and against:
            answers = [Answer(name, "metric", name) for name in chosen[:4]]
            actual = ", ".join(map(repr, chosen))
            raise Question(source, "one metric with a stated direction", actual, answers)
        metrics |= {name: column_measure(name, option) for name in {*unknown, *against} & {*chosen}}
        why |= dict.fromkeys(chosen, "said")
        unknown = []
    if len(unknown) == len(metrics):
        raise UnknownDirection(source, unknown)
    notes.leave("metric", unknown, "their direction is not known", option="higher_is_better")
    kept = {name: metric for name, metric in metrics.items() if metric is not None}
    for name in kept:
        notes.take("direction", name, why[name], option="higher_is_better")
    return kept


def _of_names(name: str, column: str | None, source: str, option: bool | None) -> Measure | None:
    """Return the metric named by the column of values and by the metric; None if they disagree."""
    of_metric, of_column = _metric_named(name), _metric_named(column or "")
    if of_column is not None and (of_metric is None or words_of(column or "") in _SHORTFALLS):
        return column_measure(name, of_column.higher_is_better)
    if of_metric is None:
        return None
    hints = {of_column.higher_is_better} if of_column is not None else hinted_directions(column or "")
    if hints <= {of_metric.higher_is_better}:
        return of_metric
    if option is not None:
        return None
    actual = _disagreement(repr(name), of_metric.higher_is_better, column or "", hints)
    raise UnknownDirection(source, [name], found=actual)


def one_metric_each(
    scores: pd.DataFrame, levels: dict[str, str | None], source: str, options: ScoreOptions, notes: Notes
) -> tuple[pd.DataFrame, dict[str, str | None], Mapping[str, Measure]]:
    """Convert scores to one metric if each dataset has a different one.

    The values of error metrics change sign. Raises Question."""
    column, option = next(iter(levels.values()), None) or UNNAMED, options.higher_is_better
    of_column, hints = _metric_named(column), hinted_directions(column)
    if of_column is None and len(hints) == 1:
        of_column = column_measure(column, hints == {True})
    metrics = {level: _metric_named(level) for level in scores["metric"].unique()}
    higher = [level for level, one in metrics.items() if one is not None and one.higher_is_better]
    lower = [level for level, one in metrics.items() if one is not None and not one.higher_is_better]
    is_known = len(higher) + len(lower) == len(metrics)
    is_option = option is not None and of_column is None
    if len(metrics) < 2 or (is_option and (lower if option else higher)):
        return scores, levels, {}
    pairs = scores[["dataset", "metric"]].drop_duplicates()
    is_each = len(pairs) == pairs["dataset"].nunique() and column not in metrics
    if not is_each or not (of_column or is_known or is_option):
        return scores, levels, {}
    listed = ", ".join(list(metrics)[:4])
    directions = {level in higher for level in metrics}
    is_against = of_column is not None and directions == {not of_column.higher_is_better}
    if is_against and is_known and option is None and words_of(column) not in _SHORTFALLS:
        actual = _disagreement(listed, directions == {True}, column, hints or {directions == {False}})
        raise UnknownDirection(source, [column], found=actual)
    taken = f"{column}: each dataset has its own metric ({listed})"
    if of_column is None and higher and lower:
        taken += f"; the sign of {', '.join(lower[:4])} is changed, so that higher is better"
        scores = scores.assign(value=scores["value"].where(~scores["metric"].isin(lower), -scores["value"]))
    notes.take("metric", taken, "content", option="metric")
    one = of_column or column_measure(column, len(lower) < len(metrics))
    if is_option:
        notes.take("direction", column, "said", option="higher_is_better")
        one = column_measure(column, bool(option))
    return scores.assign(metric=same_name(len(scores), column)), {column: None}, {column: one}


def keys_in(scores: pd.DataFrame, *, without: str = "") -> list[str]:
    """Return the columns that distinguish scores."""
    return [name for name in KEYS if name in scores and name != without]


def _row_key(scores: pd.DataFrame, names: Sequence[str]) -> NDArray[np.int64]:
    """Return a number for each combination of names in some columns."""
    return group_numbers([scores[name].array for name in names], len(scores))


def check_scores(scores: pd.DataFrame, table: Table) -> None:
    """Raise ParseError for names that are not one printable line, for very large values, and for repeated
    scores."""
    rows = scores.index.to_numpy()
    for kind in keys_in(scores):
        for level in scores[kind].cat.categories:
            if level and not is_name(level):
                row = int(rows[(scores[kind] == level).argmax()])
                raise table.fault(f"{NAME}, for a {kind}", repr(level), "rename it", row=row)
    large = (scores["value"].abs() > LARGEST).to_numpy()
    if large.any():
        actual, remedy = f"{scores['value'].iloc[large.argmax()]:g}", "write NA for a run that failed"
        expected = f"a score of at most {LARGEST:g} in size"
        raise table.fault(expected, actual, remedy, row=int(rows[large.argmax()]))
    has_none = scores["instance"] == ""
    if has_none.any() and not has_none.all():
        has_instances = (~has_none).groupby(scores["dataset"], observed=True).transform("any").fillna(False)
        wrong = (has_none & has_instances & scores["value"].notna()).to_numpy(dtype=bool)
        if wrong.any():
            expected = f"a fold or seed next to each score on {scores['dataset'].iloc[wrong.argmax()]}"
            remedy = "write it into each line, or remove the line"
            raise table.fault(expected, "none", remedy, row=int(rows[wrong.argmax()]))
    if again := second_score(scores):
        first, second = (int(rows[place]) for place in again[:2])
        line = table.line_of(first)
        where = f"in {table.part_of(first)[0]}" * bool(table.parts) if line is None else f"on line {line}"
        actual = f"a second one for {again[2]}" + (f" (first {where})" if where else "")
        remedy = "call the column that distinguishes them fold, name it in an option, or remove one"
        raise table.fault(ONCE, actual, remedy, row=second)


def with_names(scores: pd.DataFrame, table: Table, notes: Notes) -> pd.DataFrame:
    """Return the rows with a dataset, method and metric. Raises ParseError for a nameless score."""
    has_names = np.ones(len(scores), dtype=bool)
    for key in keys_in(scores, without="instance"):
        nameless = scores[key].isna().to_numpy()
        has_names &= ~nameless
        scored = nameless & scores["value"].notna().to_numpy()
        if scored.any():
            remedy = f"write the {key} into each line, or take the line out"
            row = int(scores.index[scored.argmax()])
            raise table.fault(f"the name of a {key} next to its score", "an empty field", remedy, row=row)
    rows = scores.index[~has_names].nunique()
    notes.leave("row", (), "they name no dataset or method and have no score", count=rows)
    if not has_names.any():
        remedy = "call its columns dataset and method, or name them in options"
        raise table.fault("a line of scores of a method on a dataset", "none", remedy)
    return scores if has_names.all() else scores[has_names]


def second_score(scores: pd.DataFrame) -> tuple[int, int, str] | None:
    """Return the positions of the first repeated score and its repetition, and their names, or None."""
    key = _row_key(scores, keys_in(scores))
    if not repeats(key):
        return None
    second = int((pd.Series(key).duplicated().to_numpy() & (key >= 0)).argmax())
    texts = ", ".join(filter(None, (str(scores[name].iloc[second]) for name in keys_in(scores))))
    return int((key == key[second]).argmax()), second, texts


def without_dropped(
    scores: pd.DataFrame, table: Table, columns: Sequence[str], options: ScoreOptions, notes: Notes
) -> pd.DataFrame:
    """Return the scores without the names to drop. Raises ParseError for a name that the table does not
    have."""
    listed = {*columns}
    for what in ("method", "dataset", "metric"):
        listed.update(scores[what].cat.categories)
        dropped = [name for name in options.drop if name in scores[what].cat.categories]
        if dropped:
            scores = scores[~scores[what].isin(dropped)]
            scores = scores.assign(**{what: without_unused(scores[what])})
            notes.leave(what, dropped, "your answer", option="drop")
    unknown = [name for name in (*options.keep, *options.drop) if name not in listed]
    if unknown:
        labels = {level for column in table.columns if not column.is_typed for level in column.levels}
        for name in (name for name in unknown if name not in labels):
            expected = "a method, dataset, metric or column to keep or drop"
            raise table.fault(expected, f"none named {name!r}", "check the name")
    return scores


def on_one_scale(
    scores: pd.DataFrame, metric: Measure, table: Table, options: ScoreOptions, notes: Notes
) -> tuple[pd.DataFrame, Measure]:
    """Return the scores of a metric on one scale, fractions or percent. Raises Question about a mixture."""
    rows = (scores["metric"] == metric.key).to_numpy() & scores["value"].notna().to_numpy()
    values, percent = scores["value"].to_numpy()[rows], scores["percent"].to_numpy()[rows]
    if not len(values):
        return scores, metric
    signed = values if metric.higher_is_better else -values
    if metric.best == 0 and (signed > 0).any():
        if options.higher_is_better is None and (signed >= 0).all():  # such as an RMSE with the opposite sign
            sign = "positive" if metric.higher_is_better else "negative"
            actual = f"{metric.key!r}, {metric.direction} by its name, whose values are all {sign}"
            raise UnknownDirection(table.source, [metric.key], found=actual)
        return scores, replace(metric, best=None)
    is_open, large = options.scale is None, np.abs(values) > 1
    if is_open and (large & percent).any() and not (large & ~percent).any() and not percent.all():
        notes.take("scale", "values with % are divided by 100", "content", option="scale")
        return _divided(scores, rows, percent), metric
    if is_open and (small := _small_values(scores[rows], metric)).any():
        labels = {"fractions": "Values above 1 are percentages", "as written": "All are on one scale"}
        answers = [Answer(label, "scale", scale) for scale, label in labels.items()]
        actual, row = (
            f"{values[small][0]:g} next to {values.max():g}",
            int(scores.index[rows][small.argmax()]),
        )
        raise table.question("values on one scale, fractions or percent", actual, answers, row=row)
    if options.scale == "fractions" and not (percent.all() and metric.best == 1):
        return _divided(scores, rows, values > 1), metric
    if metric.best == 1 and (values.max() > 1 + 1e-6 or percent.all()):
        is_within = percent.all() or values.max() <= 100 + 1e-6
        return scores, replace(metric, best=100.0 if is_within else None)
    return scores, metric


def _small_values(scores: pd.DataFrame, metric: Measure) -> NDArray[np.bool_]:
    """Return the values that may be fractions among percentages, or percentages among fractions."""
    values, percent = scores["value"].to_numpy(), scores["percent"].to_numpy(dtype=bool)
    small, most = np.zeros(len(values), dtype=bool), values.max()
    if percent.any() and not percent.all() and values[~percent].min() <= 1:
        small = percent if np.abs(values).max() <= 1 else ~percent & (values <= 1)
    elif metric.best == 1 and 1 + 1e-6 < most <= 100 + 1e-6 and not percent.all():
        small = (values > 0) & (values <= 1)
    elif metric.best is None and values.min() >= 0 and 1 < most <= 100:
        for name in ("method",) if _metric_named(metric.key) else ("method", "dataset"):
            by_name = scores.groupby(name, observed=True)["value"].agg(["max", "min", "median"])
            is_small = by_name["max"] <= 1
            ratio = by_name["median"][~is_small].median() / max(by_name["median"][is_small].median(), 1e-300)
            if PER_CENT[0] < ratio < PER_CENT[1] and (by_name["min"][~is_small] > 1).all():
                small |= scores[name].isin(by_name.index[is_small]).to_numpy()
    return small


def _divided(scores: pd.DataFrame, rows: np.ndarray, chosen: np.ndarray) -> pd.DataFrame:
    """Divide some of the scores by 100."""
    values = scores["value"].to_numpy(copy=True)
    places = np.flatnonzero(rows)[chosen]
    # Rounded, so that 93 % equals 0.93 in another cell.
    values[places] = np.round(values[places] / 100, 15)
    return scores.assign(value=values)


def one_row_a_run(scores: pd.DataFrame, metrics: Sequence[Measure], options: ScoreOptions) -> pd.DataFrame:
    """Return one row per run if runs were scored during training: the last or best row, or their mean."""
    keys = keys_in(scores)
    if options.steps == "mean":
        means = scores.groupby(keys, observed=True, dropna=False)["value"].transform("mean")
        return scores.assign(value=means).drop_duplicates(keys)
    best = scores["value"].where(_is_higher(scores, metrics), -scores["value"])
    order = (best if options.steps == "best" else scores["step"]).where(scores["value"].notna(), -np.inf)
    places = np.argsort(order.to_numpy(), kind="stable")
    is_last = ~scores.iloc[places].duplicated(keys, keep="last").to_numpy()
    return scores.iloc[np.sort(places[is_last])]


def _is_higher(scores: pd.DataFrame, metrics: Sequence[Measure]) -> pd.Series:
    """Is higher better, row by row?"""
    return scores["metric"].isin([metric.key for metric in metrics if metric.higher_is_better])


def unpaired_runs(scores: pd.DataFrame, options: ScoreOptions, notes: Notes) -> pd.DataFrame | None:
    """Number the runs of each method if methods do not share runs, or if no column names the runs.

    Return None for paired runs. Raises Fault for a design if runs are unpaired."""
    names = ["dataset", "method", "metric"]
    has_repeats = repeats(_row_key(scores, keys_in(scores)))
    if "case" in scores or (has_repeats and options.fold):
        return None
    if not has_repeats:  # one run of each method, or runs that methods share
        is_paired = not repeats(_row_key(scores, names)) or (scores["instance"] == "").any()
        is_paired = is_paired or repeats(_row_key(scores, ["dataset", "metric", "instance"]))
        if is_paired or scores["method"].nunique() < 2:
            return None
    groups = scores.groupby(names, observed=True)["value"]
    sizes = groups.agg(["size", "nunique"])
    if has_repeats:
        by_run = scores.groupby([*names, "instance"], observed=True).size()
        if by_run.min() < 2 or (sizes["nunique"] < 2).all():
            return None
    if options.design or options.share is not None:
        remedy = "leave out design and share, or name the column of the folds"
        raise Fault("design", "none for runs that are not paired", options.design or "a share", remedy)
    low, high = sizes["size"].min(), sizes["size"].max()
    many = f"{low}" if low == high else f"{low} to {high}"
    taken = f"{many} of each method on a dataset are not paired, and their means are compared"
    notes.take("runs", taken, "content")
    labels = [f"run {number}" for number in range(1, high + 1)]
    scores = scores.assign(instance=pd.Categorical.from_codes(groups.cumcount(), labels))
    if options.failed == "left out":
        has_half = groups.transform("count") * 2 >= groups.transform("size")
        scores = scores.assign(value=scores["value"].where(has_half))
    return scores


def failed_runs(
    scores: pd.DataFrame,
    metrics: Sequence[Measure],
    options: ScoreOptions,
    notes: Notes,
    *,
    are_paired: bool = True,
) -> pd.DataFrame:
    """Count runs without a value, treated as the option `failed` says. `worst` also adds absent runs."""
    if options.failed == "worst":
        scores = _with_absent_runs(scores, are_paired=are_paired)
    missing = scores["value"].isna()
    if len(metrics) > 1 and missing.any():  # a metric that a dataset lacks entirely is not a failed run
        has = (~missing).groupby([scores["dataset"], scores["metric"]], observed=True).transform("any")
        scores, missing = scores[has], missing[has]
    notes.runs, notes.failed = len(scores), int(missing.sum())
    if not notes.failed:
        return scores
    methods = list(without_unused(scores["method"][missing]).cat.categories)
    is_default = options.failed == "left out"
    notes.take("failed runs", options.failed, "default" if is_default else "said", option="failed")
    if is_default:
        notes.leave("run", methods, "no value (missing or failed)", count=notes.failed, option="failed")
        return scores
    if options.failed == "worst":
        groups = scores["value"].groupby([scores["dataset"], scores["metric"]], observed=True)
        worst = groups.transform("min").where(_is_higher(scores, metrics), groups.transform("max"))
        return scores.assign(value=scores["value"].fillna(worst))
    notes.leave("method", methods, "some of their runs failed", option="failed")
    scores = scores[~scores["method"].isin(methods)]
    return scores.assign(method=without_unused(scores["method"]))


def _with_absent_runs(scores: pd.DataFrame, *, are_paired: bool) -> pd.DataFrame:
    """Add a row without a value for each run, or each dataset if runs are not paired, that a method lacks."""
    whole = scores = scores.assign(method=without_unused(scores["method"]))
    if not are_paired:
        scores = scores[scores["instance"] == scores["instance"].cat.categories[0]]
    methods = scores["method"]
    run = _row_key(scores, keys_in(scores, without="method"))
    _, first, run = np.unique(run, return_index=True, return_inverse=True)
    is_absent = np.ones((len(first), len(methods.cat.categories)), dtype=bool)
    is_absent[run, methods.cat.codes] = False
    runs, codes = np.nonzero(is_absent)
    absent = scores.iloc[first[runs]].assign(method=pd.Categorical.from_codes(codes, dtype=methods.dtype))
    absent[[name for name in ("value", "spread") if name in scores]] = np.nan
    return pd.concat([whole, absent])
