"""Long tables: a line a run, columns for dataset, method and instance, one or several for scores."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from delvecore.readers.scores.assembling import Scores
from delvecore.readers.scores.columns import Codes, Column, Sheet, crossed
from delvecore.readers.scores.instances import instance_codes
from delvecore.readers.scores.roles import Roles

__all__ = ["long_scores"]


def long_scores(sheet: Sheet, roles: Roles, *, alone: str) -> Scores:
    """Return the scores of a long table. alone: the name of the only dataset, or method, where no column
    holds it."""
    count, times = sheet.rows, len(roles.values)
    names = {
        "dataset": _codes(roles.dataset, count, alone),
        "method": _codes(roles.method, count, alone),
        "instance": instance_codes(roles.instances, count),
    }
    stacked = {name: Codes(np.tile(codes.places, times), codes.levels) for name, codes in names.items()}
    measured = {
        name: np.tile(numbers_in(sheet, column), times)
        for name, column in (("seconds", roles.seconds), ("megabytes", roles.megabytes))
        if column is not None
    }
    spreads = [column.numbers.spread for column in roles.values if column.numbers]
    if any(spread is not None for spread in spreads):
        nothing = np.full(count, np.nan)
        measured["spread"] = np.concatenate([nothing if spread is None else spread for spread in spreads])
    return Scores(
        **stacked,
        metric=_metrics(roles, count),
        value=np.concatenate([numbers_in(sheet, column) for column in roles.values]),
        lines=np.tile(np.arange(count), times),
        measured=measured,
    )


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


def _codes(columns: Sequence[Column], count: int, alone: str) -> Codes:
    if not columns:
        return Codes(np.zeros(count, dtype=np.int64), (alone,))
    return crossed([column.codes for column in columns])


def _metrics(roles: Roles, count: int) -> Codes:
    if roles.metric is not None:
        return roles.metric.codes
    places = np.repeat(np.arange(len(roles.values)), count)
    return Codes(places, tuple(column.name for column in roles.values))
