"""Long tables: a line a run, columns for dataset, method and instance, one or several for scores."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from delvecore.readers.scores.assembling import Scores
from delvecore.readers.scores.batches.codes import Codes, crossed, narrow
from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.directories import Alone, metric_in, without_metric
from delvecore.readers.scores.instances import instance_codes
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.roles import Roles
from delvecore.readers.scores.words import VALUES, found_in

Value = TypeVar("Value", bound=np.generic)

__all__ = ["long_scores", "numbers_in", "spreads_of"]


def long_scores(sheet: Sheet, roles: Roles, options: ScoreOptions, *, alone: Alone) -> Scores:
    """Return the scores of a long table. alone: the names where no column holds them."""
    count, times = sheet.rows, len(roles.values)
    names = {
        "dataset": _codes(roles.dataset, count, alone.dataset),
        "method": _codes(roles.method, count, without_metric(alone.method)),
        "instance": instance_codes(roles.instances, count),
    }
    stacked = {name: Codes(_tiled(codes.places, times), codes.levels) for name, codes in names.items()}
    measured = {
        name: _tiled(numbers_in(sheet, column), times)
        for name, column in (("seconds", roles.seconds), ("megabytes", roles.megabytes))
        if column is not None
    }
    return Scores(
        **stacked,
        metric=_metrics(roles, count, options.metric or metric_in(alone.file)),
        value=_joined([numbers_in(sheet, column) for column in roles.values]),
        lines=None if times == 1 else np.tile(np.arange(count), times),
        measured=measured | _spreads(sheet, roles),
    )


def _joined(values: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    return values[0] if len(values) == 1 else np.concatenate(values)


def _tiled(values: NDArray[Value], times: int) -> NDArray[Value]:
    return values if times == 1 else np.tile(values, times)


def numbers_in(sheet: Sheet, column: Column) -> NDArray[np.float64]:
    """Return a column's numbers; ParseError names the first field that is none."""
    if column.numbers is not None:
        return column.numbers.values
    row = column.strange()
    if row is None:
        return np.full(len(column), np.nan)
    found = column.codes.levels[column.codes.places[row]]
    expected = f"a number or a missing value such as `NA` in the column {column.name!r}"
    raise sheet.fault(expected, repr(found), "correct it, or choose other columns with --value", row=row)


def spreads_of(columns: Sequence[Column]) -> dict[str, NDArray[np.float64]]:
    """Return the standard deviations beside the numbers of columns, under `spread`; nothing without any."""
    spreads = [column.numbers.spread if column.numbers else None for column in columns]
    if all(spread is None for spread in spreads):
        return {}
    nothing = np.full(len(columns[0]), np.nan)
    return {"spread": np.concatenate([nothing if spread is None else spread for spread in spreads])}


def _spreads(sheet: Sheet, roles: Roles) -> dict[str, NDArray[np.float64]]:
    """Return the standard deviations, of columns of their own or beside the values."""
    if not any(roles.spreads):
        return spreads_of(roles.values)
    nothing = np.full(sheet.rows, np.nan)
    columns = [nothing if column is None else numbers_in(sheet, column) for column in roles.spreads]
    return {"spread": _joined(columns)}


def _codes(columns: Sequence[Column], count: int, alone: str) -> Codes:
    if not columns:
        return Codes(np.zeros(count, dtype=np.int8), (alone,))
    return crossed([column.codes for column in columns])


def _metrics(roles: Roles, count: int, called: str | None) -> Codes:
    """Return the metric of each score. called: the one that is said, or that the file's name holds; it counts
    where the only column of scores is called `value` or the like."""
    if roles.metric is not None:
        return roles.metric.codes
    if called and len(roles.values) == 1 and found_in(roles.values[0].name, VALUES) is not None:
        return Codes(np.zeros(count, dtype=np.int8), (called,))
    many = len(roles.values)
    places = np.repeat(np.arange(many, dtype=narrow(many)), count)
    return Codes(places, tuple(column.name for column in roles.values))
