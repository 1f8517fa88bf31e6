"""Signs that cases are not independent: repeated ids, copies of rows, an order of time.

After a random division of such cases, a method may recognize memorized cases in the test set. This module
only reports: each sign is a clause for a message."""

import re
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pyarrow as pa

from delvecore.importers.attributes import FEW_CATEGORIES, ColumnPlan, Role
from delvecore.importers.plan import ImportPlan, Sign
from delvecore.importers.source import parse_dates
from delvecore.model import CATEGORICAL_TYPES

MOST_CASES = 100_000
"""Largest number of cases that are checked."""
FEWEST_CASES = 12
CASES_EACH = 2
"""Least average number of cases for each value of a group column."""
MOST_COLUMNS = 20
"""Number of other columns that decide whether cases are alike."""
FEW_GROUPS, SOME_GROUPS, MANY_GROUPS = 3, 5, 8
"""Fewest distinct values that count as ids: by the column's name, by blocks of rows, or by similar cases."""
ALIKE, VERY_ALIKE = 0.8, 0.95
"""Shares of a column's variance between groups above which the cases of a group are alike, or very alike."""
ORDERED = 0.5
"""Least correlation of neighboring rows that indicates an order of time."""
SHARE_OF_COPIES = 0.01
ID_NAME = re.compile(
    r"(?i)(^|.*[^a-z])(id|ids|uid|subj|(subject|patient|person|participant|proband|user|customer|client|donor|animal|"
    r"individual|respondent|student|speaker|author|writer|session|visit|family|household|site|hospital|clinic|"
    r"center|centre|batch|plate|machine|device|sensor|station|store|shop|school|group|cluster)s?)"
    r"[^a-z]*(id|no|nr|number|code|key|name)?[^a-z]*$"
)
TIME_NAME = re.compile(
    r"(?i)(^|.*[^a-z])(date|time|timestamp|datetime|year|month|week|day|hour|period|t)[^a-z]*$"
)


def signs_of_leaks(plan: ImportPlan) -> Iterator[Sign]:
    """Yield the signs that random training and test sets of these cases share information.

    If groups are known, the signs of groups and copies are not reported."""
    frame = _frame(plan)
    if len(frame) < FEWEST_CASES:
        return
    numbers = {column.name: _numbers(column, frame[column.name]) for column in plan.columns}
    groups = list(_groups(plan, frame, numbers)) if plan.group is None else []
    yield from groups
    if plan.group is None:
        yield from _copies(plan, frame)
    yield from _time(plan, frame, numbers)
    if plan.group is None and not groups:  # neighboring cases of a group have similar targets
        targets = (column for column in plan.kept if column.role is Role.TARGET)
        yield from filter(None, (_order_of_target(column, numbers[column.name]) for column in targets))


def _frame(plan: ImportPlan) -> pd.DataFrame:
    """Return the first cases as words, by the names of attributes, None for missing values."""
    parts, count = [], 0
    for batch in plan.source.batches():
        parts.append(batch)
        count += len(batch[0])
        if count >= MOST_CASES:
            break
    columns = {}
    for place, column in enumerate(plan.columns):
        words = pa.chunked_array([batch[place] for batch in parts], type=pa.string()).slice(0, MOST_CASES)
        text = words.to_pandas().astype(object).str.strip()
        columns[column.name] = text.where(~text.isin(plan.options.missing) & text.notna(), None)
    return pd.DataFrame(columns)


def _numbers(column: ColumnPlan, words: pd.Series) -> np.ndarray:
    """Return the values of a column as numbers. Categories get arbitrary numbers."""
    if column.profile.is_numeric:
        return np.asarray(pd.to_numeric(words, errors="coerce"), dtype=float)
    codes = pd.factorize(words)[0].astype(float)
    return np.where(codes < 0, np.nan, codes)


def _groups(plan: ImportPlan, frame: pd.DataFrame, numbers: dict[str, np.ndarray]) -> Iterator[Sign]:
    for column in plan.columns:
        words = frame[column.name]
        count, present = words.nunique(), int(words.notna().sum())
        if column.role is Role.TARGET or count < FEW_GROUPS or present < CASES_EACH * count:
            continue
        is_text = not column.profile.is_numeric and column.profile.dates < column.profile.known
        values = numbers[column.name]
        is_whole = column.profile.is_numeric and bool((values[~np.isnan(values)] % 1 == 0).all())
        if not (is_text or is_whole):
            continue
        if why := _why_ids(plan, column, words, numbers, is_text=is_text):
            text = f"{column.source} repeats {count:,} values in {present:,} cases, {why}"
            yield Sign("groups", text, column.source)


def _why_ids(
    plan: ImportPlan, column: ColumnPlan, words: pd.Series, numbers: dict[str, np.ndarray], *, is_text: bool
) -> str:
    """Return why the values of a column look like ids of groups of cases, or an empty string."""
    count = words.nunique()
    if ID_NAME.match(column.source):
        return "and its name means an id"
    if is_text and count > FEW_CATEGORIES:
        return "too many for categories"
    if (
        count >= SOME_GROUPS
        and int((words != words.shift()).sum()) == count
        and not _is_sorted(words, plan, column)
    ):
        return "in blocks of rows"
    if count >= MANY_GROUPS and _cases_are_alike(plan, column, words, numbers):
        return "and cases with the same value are similar"
    return ""


def _is_sorted(words: pd.Series, plan: ImportPlan, column: ColumnPlan) -> bool:
    """Are fractions in ascending or descending order, as in a file sorted by a measurement?"""
    if not column.profile.is_numeric or column.profile.is_whole:
        return False
    values = pd.to_numeric(words, errors="coerce").dropna()
    return bool(values.is_monotonic_increasing or values.is_monotonic_decreasing)


def _cases_are_alike(
    plan: ImportPlan, column: ColumnPlan, words: pd.Series, numbers: dict[str, np.ndarray]
) -> bool:
    """Do the values of a column determine most other columns, or the target without a trend?"""
    codes = pd.factorize(words)[0]
    others = [one for one in plan.kept if one.name != column.name]
    if len(others) > MOST_COLUMNS:
        others = [one for one in others if one.role is Role.TARGET] + others[:MOST_COLUMNS]
    alike = {one.name: _share_between(codes, numbers[one.name]) for one in others}
    if len(others) > FEW_GROUPS - 1 and sum(share > ALIKE for share in alike.values()) > len(others) / 2:
        return True
    for one in others:
        if one.role is Role.TARGET and alike[one.name] > VERY_ALIKE:
            trend = pd.Series(numbers[column.name]).corr(pd.Series(numbers[one.name]), method="spearman")
            return len(others) > 1 and not abs(trend) > ORDERED
    return False


def _share_between(codes: np.ndarray, values: np.ndarray) -> float:
    """Return the intraclass correlation of values in groups, from a one-way analysis of variance."""
    there = (codes >= 0) & np.isfinite(values)
    codes, values = codes[there], values[there]
    counts = np.bincount(codes)
    sizes = counts[counts > 0]
    if len(sizes) < 2 or len(values) <= len(sizes) or not np.ptp(values):
        return 0.0
    means = (np.bincount(codes, weights=values) / np.maximum(counts, 1))[codes]
    between = float(((means - values.mean()) ** 2).sum()) / (len(sizes) - 1)
    within = float(((values - means) ** 2).sum()) / (len(values) - len(sizes))
    each = (len(values) - float((sizes**2).sum()) / len(values)) / (len(sizes) - 1)
    return (between - within) / (between + (each - 1) * within)


def _copies(plan: ImportPlan, frame: pd.DataFrame) -> Iterator[Sign]:
    names = [column.name for column in plan.kept]
    copies = int(frame[names].duplicated().sum())
    if not copies:
        return
    inputs = [column for column in plan.kept if column.role is Role.INPUT]
    possible = np.prod([float(column.profile.distinct or np.inf) for column in inputs])
    is_chance = possible < len(frame)
    verb = "rows repeats another" if copies == 1 else "rows repeat another"
    is_many = copies >= max(2, SHARE_OF_COPIES * len(frame)) and not is_chance
    yield Sign("copies", f"{copies:,} of {len(frame):,} {verb}", is_serious=is_many)


def _time(plan: ImportPlan, frame: pd.DataFrame, numbers: dict[str, np.ndarray]) -> Iterator[Sign]:
    for column in plan.columns:
        if column.role is Role.TARGET or column.is_constant or not column.profile.known:
            continue
        if column.profile.dates == column.profile.known:
            times = parse_dates(frame[column.name]).dropna()
            ordered = times.is_monotonic_increasing or times.is_monotonic_decreasing
            text = f"{column.source} has dates{' in order' * ordered}"
            is_serious = ordered or _target_follows(plan, times.sort_values().index, numbers)
            yield Sign("time", text, column.source, is_serious)
        elif column.profile.is_numeric and TIME_NAME.match(column.source):
            values = pd.Series(numbers[column.name]).dropna()
            if values.is_monotonic_increasing or values.is_monotonic_decreasing:
                yield Sign("time", f"{column.source} is in order", column.source)


def _target_follows(plan: ImportPlan, order: pd.Index, numbers: dict[str, np.ndarray]) -> bool:
    """Are the targets of consecutive cases in this order similar?"""
    targets = (column for column in plan.kept if column.role is Role.TARGET)
    signs = (_order_of_target(column, numbers[column.name][order]) for column in targets)
    return any(sign is not None and sign.is_serious for sign in signs)


def _order_of_target(column: ColumnPlan, values: np.ndarray) -> Sign | None:
    finite = values[np.isfinite(values)]
    if len(finite) < FEWEST_CASES or not np.ptp(finite):
        return None
    name = column.source
    if column.type in CATEGORICAL_TYPES:
        _, counts = np.unique(finite, return_counts=True)
        runs = 1 + int((np.diff(finite) != 0).sum())
        if runs <= len(counts) + 1:  # a file arranged by class
            return Sign("time", f"the cases are sorted by the classes of {name}", is_serious=False)
        expected = 1 + float((counts * (len(finite) - counts)).sum()) / len(finite)
        if runs < ORDERED * expected:
            random = f"about {expected - 1:,.0f} times as in random order"
            return Sign("time", f"the target {name} changes {runs - 1:,} times from row to row, not {random}")
        return None
    steps = np.diff(finite)
    if (steps >= 0).all() or (steps <= 0).all():
        return Sign("time", f"the cases are sorted by the target {name}")
    correlation = float(np.corrcoef(finite[:-1], finite[1:])[0, 1])
    if correlation > ORDERED:
        return Sign("time", f"the target {name} of neighboring rows has a correlation of {correlation:.2f}")
    return None
