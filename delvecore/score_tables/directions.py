"""Directions of metrics: as said, else by the name of the ranked column, else by that of the metric."""

from collections.abc import Mapping

import pandas as pd

from delvecore.losses.metrics import Metric, known_metric
from delvecore.score_tables.names import is_complement, words_of
from delvecore.score_tables.options import Answer, Question, ScoreOptions, UnknownDirection
from delvecore.score_tables.score_file import Notes, Why
from delvecore.score_tables.table import same_name

UNNAMED = "score"
"""The metric of values of which nothing is known."""
_ARROWS = {"↑": True, "⬆": True, "↓": False, "⬇": False}
_OF_A_METRIC = (["metric", "error"], ["regret"], ["normalized", "regret"], ["normalized", "error"])
"""Columns of the shortfall of a metric against the best: lower is better for every metric."""


def metric_named(name: str) -> Metric | None:
    """The metric that a name stands for, with the direction that an arrow in it shows; None if unknown. An
    arrow against a known name makes it unknown."""
    shown = {higher for arrow, higher in _ARROWS.items() if arrow in name}
    known = Metric(name, False, 0.0) if is_complement(name) else known_metric(name)
    if not shown:
        return known
    higher = next(iter(shown))
    if len(shown) > 1 or (known is not None and known.higher_is_better != higher):
        return None
    return known or Metric(name, higher)


def directed(
    levels: Mapping[str, str | None],
    *,
    given: Mapping[str, Metric],
    source: str,
    options: ScoreOptions,
    notes: Notes,
    given_by: Why = "source",
) -> dict[str, Metric]:
    """The metrics of a table whose direction is known, by name; unknown ones are left out beside known ones.

    levels: names of metrics, and the column of the values where that has another name; given: metrics whose
    direction is known by `given_by`. UnknownDirection where none is known, or the names of column and metric
    disagree; Question where a direction is said and it is not clear for which metric."""
    said = options.higher_is_better
    known: dict[str, tuple[Metric, Why]] = {}
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
            known[name] = (known[name][0] if is_so else Metric(name, said)), "said"
        unknown = []
    if not known:
        raise UnknownDirection(source, unknown)
    notes.leave("metric", unknown, "their direction is not known", option="higher_is_better")
    metrics = {name: known[name] for name in levels if name in known}
    for name, (_metric, why) in metrics.items():
        notes.take("direction", name, why, option="higher_is_better")
    return {name: metric for name, (metric, _why) in metrics.items()}


def _named(name: str, column: str | None, source: str, *, is_said: bool) -> Metric | None:
    """The direction by the name of the column of values, else by the name of the metric. Where they disagree:
    None if the user says a direction, else UnknownDirection."""
    of_metric, of_column = metric_named(name), metric_named(column or "")
    if of_column is None:
        return of_metric
    if of_metric is None or words_of(column or "") in _OF_A_METRIC:
        return of_column._replace(name=name, best=None)
    if of_metric.higher_is_better == of_column.higher_is_better:
        return of_metric
    if is_said:
        return None
    told = f"{name!r}, {of_metric.direction}, in the column {column!r}, {of_column.direction}"
    raise UnknownDirection(source, [name], found=told)


def one_metric_each(
    scores: pd.DataFrame, levels: dict[str, str | None], notes: Notes
) -> tuple[pd.DataFrame, dict[str, str | None], Mapping[str, Metric]]:
    """The scores as those of one metric where a column names one metric for each dataset. Where metrics of
    both directions are named, values of which lower is better change their sign."""
    own = next(iter(levels.values()), None) or UNNAMED
    of_own = metric_named(own)
    found = {level: metric_named(level) for level in scores["metric"].unique()}
    if len(found) < 2:
        return scores, levels, {}
    pairs = scores[["dataset", "metric"]].drop_duplicates()
    is_each = len(pairs) == pairs["dataset"].nunique() and own not in found
    if not is_each or (of_own is None and None in found.values()):
        return scores, levels, {}
    lower = [level for level, one in found.items() if one is not None and not one.higher_is_better]
    told = f"{own}: each dataset has a metric of its own ({', '.join(list(found)[:4])})"
    if of_own is None and 0 < len(lower) < len(found):
        told += f"; the sign of {', '.join(lower[:4])} is changed, so that higher is better"
        scores = scores.assign(value=scores["value"].where(~scores["metric"].isin(lower), -scores["value"]))
    notes.take("metric", told, "content", option="metric")
    given = {} if of_own else {own: Metric(own, higher_is_better=len(lower) < len(found))}
    return scores.assign(metric=same_name(len(scores), own)), {own: None}, given
