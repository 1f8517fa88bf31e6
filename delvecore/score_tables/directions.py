"""Directions of metrics: as said, else by the name of the ranked column, else by that of the metric."""

from collections.abc import Mapping, Sequence

from delvecore.losses.metrics import Metric, known_metric
from delvecore.score_tables.names import is_complement, words_of
from delvecore.score_tables.options import Answer, Question, ScoreOptions, UnknownDirection
from delvecore.score_tables.roles import Notes
from delvecore.score_tables.score_file import Why

__all__ = ["directed", "metric_named"]

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

    Parameters
    ----------
    levels : mapping
        Names of metrics, and the column of the values where that has another name.
    given : mapping
        Metrics whose direction is known otherwise, by `given_by`: the program that wrote the table, or names.

    Raises
    ------
    UnknownDirection
        Where no direction is known, or the names of column and metric disagree.
    Question
        Where a direction is said and it is not clear for which metric.
    """
    known: dict[str, tuple[Metric, Why] | None] = {}
    for name, column in levels.items():
        known[name] = _known(name, column, given, given_by, source, options)
    unknown = [name for name, found in known.items() if found is None]
    if options.higher_is_better is not None:
        chosen = unknown or list(known)
        against = [name for name in chosen if _direction(known[name]) is not options.higher_is_better]
        if len(chosen) > 1 and not unknown and against:
            _ask_which(source, chosen)
        for name in chosen:
            found = known[name]
            agrees = _direction(found) is options.higher_is_better
            known[name] = (found[0] if found and agrees else Metric(name, options.higher_is_better)), "said"
        unknown = []
    if len(unknown) == len(known):
        raise UnknownDirection(source, unknown)
    notes.leave("metric", unknown, "their direction is not known", option="higher_is_better")
    metrics = {name: found for name, found in known.items() if found is not None}
    for name, (_metric, why) in metrics.items():
        notes.take("direction", name, why, option="higher_is_better")
    return {name: metric for name, (metric, _why) in metrics.items()}


def _direction(found: tuple[Metric, Why] | None) -> bool | None:
    return None if found is None else found[0].higher_is_better


def _known(
    name: str,
    column: str | None,
    given: Mapping[str, Metric],
    given_by: Why,
    source: str,
    options: ScoreOptions,
) -> tuple[Metric, Why] | None:
    if name in given:
        return given[name], given_by
    of_metric = metric_named(name)
    of_column = metric_named(column) if column is not None else None
    if of_column is None:
        return None if of_metric is None else (of_metric, "name")
    lower = of_column._replace(name=name, best=None)
    if of_metric is None or words_of(column or "") in _OF_A_METRIC:
        return lower, "name"
    if of_metric.higher_is_better != of_column.higher_is_better:
        if options.higher_is_better is not None:
            return None
        told = f"{name!r}, {of_metric.direction}, in the column {column!r}, {of_column.direction}"
        raise UnknownDirection(source, [name], found=told)
    return of_metric, "name"


def _ask_which(source: str, chosen: Sequence[str]) -> None:
    answers = [Answer(name, "metric", name) for name in chosen[:4]]
    raise Question(source, "one metric whose direction is said", ", ".join(map(repr, chosen)), answers)
