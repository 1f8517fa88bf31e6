"""Does a table hold cases, or scores of methods? By its header, then by what names its lines and how its
columns are scaled."""

from collections.abc import Sequence
from enum import StrEnum
from math import prod

from delvecore.importing.plan import ColumnPlan, ImportPlan
from delvecore.readers.scores.words import DATASETS, INSTANCES, METHODS, found_in, is_metric

__all__ = ["Likeness", "likeness_of"]

SCALES_APART = 10.0
"""Columns of which one reaches so many times as far as another do not hold the same measure."""


class Likeness(StrEnum):
    """What a table is by its content; SCORES where its header leaves no doubt."""

    SCORES = "scores"
    LIKELY_SCORES = "likely scores"
    LIKELY_CASES = "likely cases"


def likeness_of(plan: ImportPlan) -> Likeness:
    """Return what the columns of a table speak for, as they were taken for those of cases.

    A header that names datasets, or methods beside metrics or folds, is that of scores. Else lines of scores
    are named: by one column that differs in each line (a wide table, whose numbers are then of one measure
    and so of one scale), or by several, of which each combination stands once (a long one)."""
    names = [column.source for column in plan.columns]
    has_method = any(found_in(name, METHODS) is not None for name in names)
    has_measure = any(is_metric(name) or found_in(name, INSTANCES) is not None for name in names)
    if (has_method and has_measure) or any(found_in(name, DATASETS) is not None for name in names[:1]):
        return Likeness.SCORES
    words = [column for column in plan.columns if not column.profile.is_numeric and column.profile.known]
    numbers = [column for column in plan.columns if column.profile.is_numeric]
    is_named = bool(words) and prod(column.profile.distinct or plan.cases for column in words) == plan.cases
    is_wide = len(numbers) > 1 and _are_of_one_scale(numbers)
    return Likeness.LIKELY_SCORES if is_named and (len(words) > 1 or is_wide) else Likeness.LIKELY_CASES


def _are_of_one_scale(columns: Sequence[ColumnPlan]) -> bool:
    reach = [max(abs(column.profile.low), abs(column.profile.high)) for column in columns]
    signed = {column.profile.low < 0 for column in columns}
    return max(reach) < SCALES_APART * min(reach) and len(signed) == 1
