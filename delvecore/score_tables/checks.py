"""Checks of scores before they are used: directions of metrics, names, sizes, one scale, failed runs.

The direction of a metric is the one that is said, else that of the name of the ranked column, else that of
the name of the metric."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from delvecore.errors import Fault
from delvecore.losses.metrics import LARGEST, known_metric
from delvecore.measures import Measure, column_measure
from delvecore.names import NAME, is_name
from delvecore.score_tables.names import hinted_directions, is_complement, only_direction, words_of
from delvecore.score_tables.options import Answer, Question, ScoreOptions, UnknownDirection
from delvecore.score_tables.score_file import Notes, Why
from delvecore.score_tables.table import Table, group_numbers, repeats, same_name, without_unused

UNNAMED = "score"
"""The metric of values of which nothing is known."""
_ARROWS = {"↑": True, "⬆": True, "↓": False, "⬇": False}
_OF_A_METRIC = (["metric", "error"], ["regret"], ["normalized", "regret"])
"""Columns of the shortfall of a metric against the best: lower is better for every metric."""


def metric_named(name: str) -> Measure | None:
    """The metric that a name stands for, with the direction that an arrow in it shows; None if unknown. An
    arrow against a known name makes it unknown."""
    shown = {higher for arrow, higher in _ARROWS.items() if arrow in name}
    known = column_measure(name, False, 0.0) if is_complement(name) else known_metric(name)
    if not shown:
        hinted = None if known is not None else only_direction(name)
        return known if hinted is None else column_measure(name, hinted)
    higher = next(iter(shown))
    if len(shown) > 1 or (known is not None and known.higher_is_better != higher):
        return None
    return known or column_measure(name, higher)


def _disagreement(metric: str, higher: bool, column: str, hints: set[bool]) -> str:
    words = " and ".join(column_measure("", hint).direction for hint in sorted(hints - {higher}))
    return f"{metric}, {column_measure('', higher).direction}, in the column {column!r}, {words}"


def directed(
    levels: Mapping[str, str | None],
    *,
    given: Mapping[str, Measure],
    source: str,
    options: ScoreOptions,
    notes: Notes,
    given_by: Why = "source",
) -> dict[str, Measure]:
    """The metrics of a table whose direction is known, by name; unknown ones are left out beside known ones.

    levels: names of metrics, and the column of the values where that has another name; given: metrics whose
    direction is known by `given_by`. UnknownDirection where none is known, or the names of column and metric
    disagree; Question where a direction is said and it is not clear for which metric."""
    said = options.higher_is_better
    known: dict[str, tuple[Measure, Why]] = {}
    for name, column in levels.items():
        metric = given.get(name) or _named(name, column, source, is_said=said is not None)
        if metric is not None:
            known[name] = metric, given_by if name in given else "name"
    unknown = [name for name in levels if name not in known]
    if said is not None:
        chosen = unknown or list(levels)
        against = [name for name, (metric, _why) in known.items() if metric.higher_is_better != said]
        if len(chosen) > 1 and not unknown and against:
            answers = [Answer(name, "metric", name) for name in chosen[:4]]
            found = ", ".join(map(repr, chosen))
            raise Question(source, "one metric whose direction is said", found, answers)
        for name in chosen:
            is_so = name in known and known[name][0].higher_is_better == said
            known[name] = (known[name][0] if is_so else column_measure(name, said)), "said"
        unknown = []
    if not known:
        raise UnknownDirection(source, unknown)
    notes.leave("metric", unknown, "their direction is not known", option="higher_is_better")
    metrics = {name: known[name] for name in levels if name in known}
    for name, (_metric, why) in metrics.items():
        notes.take("direction", name, why, option="higher_is_better")
    return {name: metric for name, (metric, _why) in metrics.items()}


def _named(name: str, column: str | None, source: str, *, is_said: bool) -> Measure | None:
    """The direction by the name of the column of values, else by the name of the metric. Where they disagree:
    None if the user says a direction, else UnknownDirection."""
    of_metric, of_column = metric_named(name), metric_named(column or "")
    if of_column is not None and (of_metric is None or words_of(column or "") in _OF_A_METRIC):
        return column_measure(name, of_column.higher_is_better)
    if of_metric is None:
        return None
    hints = {of_column.higher_is_better} if of_column is not None else hinted_directions(column or "")
    if hints <= {of_metric.higher_is_better}:
        return of_metric
    if is_said:
        return None
    told = _disagreement(repr(name), of_metric.higher_is_better, column or "", hints)
    raise UnknownDirection(source, [name], found=told)


def one_metric_each(
    scores: pd.DataFrame, levels: dict[str, str | None], source: str, options: ScoreOptions, notes: Notes
) -> tuple[pd.DataFrame, dict[str, str | None], Mapping[str, Measure]]:
    """The scores as those of one metric where a column names one metric for each dataset. If higher is
    better for some of these metrics only, the values of the others change their sign, unless the name of the
    column of values has a direction. UnknownDirection where it has another one than all of the metrics."""
    own = next(iter(levels.values()), None) or UNNAMED
    of_own, hints = metric_named(own), hinted_directions(own)
    if of_own is None and len(hints) == 1:
        of_own = column_measure(own, higher_is_better=hints == {True})
    found = {level: metric_named(level) for level in scores["metric"].unique()}
    ways = {one.higher_is_better for one in found.values() if one is not None}
    is_said = options.higher_is_better is not None and of_own is None
    if len(found) < 2 or (is_said and ways - {options.higher_is_better}):
        return scores, levels, {}
    pairs = scores[["dataset", "metric"]].drop_duplicates()
    is_each = len(pairs) == pairs["dataset"].nunique() and own not in found
    if not is_each or (of_own is None and None in found.values() and not is_said):
        return scores, levels, {}
    lower = [level for level, one in found.items() if one is not None and not one.higher_is_better]
    directions = {one is not None and one.higher_is_better for one in found.values()}
    listed = ", ".join(list(found)[:4])
    is_against = of_own is not None and directions == {not of_own.higher_is_better}
    is_open = None not in found.values() and options.higher_is_better is None
    if is_against and is_open and words_of(own) not in _OF_A_METRIC:
        disagreement = _disagreement(listed, directions == {True}, own, hints or {directions == {False}})
        raise UnknownDirection(source, [own], found=disagreement)
    told = f"{own}: each dataset has a metric of its own ({listed})"
    if of_own is None and 0 < len(lower) < len(found):
        told += f"; the sign of {', '.join(lower[:4])} is changed, so that higher is better"
        scores = scores.assign(value=scores["value"].where(~scores["metric"].isin(lower), -scores["value"]))
    notes.take("metric", told, "content", option="metric")
    if is_said and options.higher_is_better is not None:
        notes.take("direction", own, "said", option="higher_is_better")
        one = column_measure(own, options.higher_is_better)
    else:
        one = of_own or column_measure(own, higher_is_better=len(lower) < len(found))
    return scores.assign(metric=same_name(len(scores), own)), {own: None}, {own: one}


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
    _check_instances(scores, table)
    if again := second_score(scores):
        first, second, told = again
        line = table.line_of(int(rows[first]))
        where = (
            f"on line {line}"
            if line is not None
            else f"in {table.part_of(int(rows[first]))}" * bool(table.parts)
        )
        found = f"a second one of {told}" + (f" (first {where})" if where else "")
        remedy = "call the column that tells them apart fold, or say which it is, or remove one"
        raise table.fault(ONCE, found, remedy, row=int(rows[second]))


def _check_instances(scores: pd.DataFrame, table: Table) -> None:
    """On a dataset all scores must have a fold or seed, or none. ParseError."""
    has_none = scores["instance"] == ""
    if not has_none.any() or has_none.all():
        return
    is_known = (~has_none).groupby(scores["dataset"], observed=True).transform("any")
    wrong = (has_none & is_known.fillna(False) & scores["value"].notna()).to_numpy(dtype=bool)
    if wrong.any():
        dataset = scores["dataset"].iloc[wrong.argmax()]
        expected = f"a fold or seed beside each score on {dataset}"
        remedy = "write it into each line, or take the line out"
        raise table.fault(expected, "none", remedy, row=int(scores.index[wrong.argmax()]))


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
            notes.leave(what, dropped, "your answer", option="drop")
    unknown = [name for name in (*options.keep, *options.drop) if name not in known]
    if unknown:
        labels = {level for column in table.columns if not column.is_typed for level in column.levels}
        for name in unknown:
            if name not in labels:
                expected = "a method, dataset, metric or column to keep or drop"
                raise table.fault(expected, f"none named {name!r}", "check the name")
    return scores


def on_one_scale(
    scores: pd.DataFrame, metric: Measure, table: Table, options: ScoreOptions, notes: Notes
) -> tuple[pd.DataFrame, Measure]:
    """The scores of a metric on one scale, fractions or per cent. Question where two are mixed."""
    rows = (scores["metric"] == metric.key).to_numpy() & scores["value"].notna().to_numpy()
    values, percent = scores["value"].to_numpy()[rows], scores["percent"].to_numpy()[rows]
    if not len(values):
        return scores, metric
    _check_sign(metric, values, table, options)
    if metric.best == 0 and (values > 0 if metric.higher_is_better else values < 0).any():
        return scores, replace(metric, best=None)
    is_open, least, most = options.scale is None, values.min(), values.max()
    if is_open and percent.any() and not percent.all():
        if np.abs(values[~percent]).max() <= 1 and np.abs(values[percent]).max() <= 1:
            _ask_scale(table, scores, rows, percent)
        if np.abs(values[~percent]).max() <= 1:
            notes.take("scale", "values with % are divided by 100", "content", option="scale")
            return _divided(scores, rows, percent), metric
        if values[~percent].min() <= 1:
            _ask_scale(table, scores, rows, ~percent & (values <= 1))
    if percent.all() and metric.best == 1:
        return scores, replace(metric, best=100.0)
    is_beyond, is_within = metric.best == 1 and most > 1 + 1e-6, most <= 100 + 1e-6
    small = (values > 0) & (values <= 1)
    if is_open and is_beyond and is_within and small.any():
        _ask_scale(table, scores, rows, small)
    if options.scale == "fractions":
        return _divided(scores, rows, values > 1), metric
    if is_beyond:
        return scores, replace(metric, best=100.0 if is_within else None)
    if is_open and metric.best is None and least >= 0 and 1 < most <= 100:
        for line in ["method"] if metric_named(metric.key) else ["method", "dataset"]:
            _check_lines(scores, rows, line, table)
    return scores, metric


def _check_sign(metric: Measure, values: np.ndarray, table: Table, options: ScoreOptions) -> None:
    """Ask about the direction of a metric all of whose values are on the wrong side of its best value 0, as
    those of an RMSE that was written with the other sign."""
    is_beyond = values >= 0 if metric.higher_is_better else values <= 0
    if metric.best == 0 and options.higher_is_better is None and is_beyond.all() and values.any():
        side = "negative" if values.min() < 0 else "positive"
        found = f"{metric.key!r}, {metric.direction} by its name, whose values are all {side}"
        raise UnknownDirection(table.source, [metric.key], found=found)


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


def one_row_a_run(scores: pd.DataFrame, metrics: Sequence[Measure], options: ScoreOptions) -> pd.DataFrame:
    """Of the rows along the training of each run the one that counts: the last, the best, or their mean."""
    keys = keys_in(scores)
    if options.steps == "mean":
        means = scores.groupby(keys, observed=True, dropna=False)["value"].transform("mean")
        return scores.assign(value=means).drop_duplicates(keys)
    higher = scores["metric"].isin([metric.key for metric in metrics if metric.higher_is_better])
    order = scores["value"].where(higher, -scores["value"]) if options.steps == "best" else scores["step"]
    order = order.where(scores["value"].notna(), -np.inf)
    chosen = scores.assign(order=order).reset_index(names="place").sort_values("order", kind="stable")
    chosen = chosen.drop_duplicates(keys, keep="last").sort_index().set_index("place")
    return chosen.drop(columns="order")


def _are_paired(scores: pd.DataFrame) -> bool:
    """Is there one run of each method on a dataset, or one that several methods have?"""

    def key(*names: str) -> np.ndarray:
        return group_numbers([scores[name].array for name in names], len(scores))

    has_one = not repeats(key("dataset", "method", "metric"))
    return has_one or repeats(key("dataset", "metric", "instance")) or bool((scores["instance"] == "").any())


def unpaired_runs(scores: pd.DataFrame, options: ScoreOptions, notes: Notes) -> pd.DataFrame | None:
    """The scores with the runs of each method numbered, where no run of one method is a run of another one,
    too; None where runs are paired.

    Runs without a column are so, too, if every method has several on every dataset. Fault for a design of
    runs that are not paired."""
    names = ["dataset", "method", "metric"]
    has_repeats = second_score(scores) is not None
    if "case" in scores or (has_repeats and options.fold):
        return None
    if not has_repeats and (_are_paired(scores) or scores["method"].nunique() < 2):
        return None
    groups = scores.groupby(names, observed=True)["value"]
    sizes = groups.agg(["size", "nunique"])
    if has_repeats:
        by_run = scores.groupby([*names, "instance"], observed=True).size()
        if by_run.min() < 2 or (sizes["nunique"] < 2).all():
            return None
    if options.design or options.share is not None:
        remedy = "leave design and share out, or say which column has the folds"
        raise Fault("design", "none for runs that are not paired", options.design or "a share", remedy)
    low, high = sizes["size"].min(), sizes["size"].max()
    many = f"{low}" if low == high else f"{low} to {high}"
    told = f"{many} of each method on a dataset are not paired, and their means are compared"
    notes.take("runs", told, "content")
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
    """Count runs without a value, and treat them as the option `failed` says: left without one, given the
    worst value of their dataset, or left out with their methods. A run that other methods have and that no
    row names has no value, too, where values are filled in and runs are paired."""
    if options.failed == "worst":
        scores = _with_absent_runs(scores, are_paired=are_paired)
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
        higher = scores["metric"].isin([metric.key for metric in metrics if metric.higher_is_better])
        groups = scores["value"].groupby([scores["dataset"], scores["metric"]], observed=True)
        worst = groups.transform("min").where(higher, groups.transform("max"))
        scores = scores.assign(value=scores["value"].fillna(worst))
    else:
        notes.leave("run", methods, "no value (missing or failed)", count=notes.failed, option="failed")
    return scores


def _with_absent_runs(scores: pd.DataFrame, *, are_paired: bool) -> pd.DataFrame:
    """Return the scores with a row without a value for each run that other methods have and one lacks; if
    runs are not paired, for each dataset."""
    scores = scores.assign(method=without_unused(scores["method"]))
    whole, methods = scores, scores["method"]
    if not are_paired:
        scores = scores[scores["instance"] == scores["instance"].cat.categories[0]]
        methods = scores["method"]
    run = group_numbers([scores[name].array for name in keys_in(scores) if name != "method"], len(scores))
    _, first, run = np.unique(run, return_index=True, return_inverse=True)
    is_absent = np.ones((len(first), len(methods.cat.categories)), dtype=bool)
    is_absent[run, methods.cat.codes] = False
    runs, codes = np.nonzero(is_absent)
    absent = scores.iloc[first[runs]].assign(method=pd.Categorical.from_codes(codes, dtype=methods.dtype))
    numbers = [name for name in ("value", "spread") if name in scores]
    absent[numbers] = np.nan
    return pd.concat([whole, absent])
