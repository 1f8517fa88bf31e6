"""Which column holds what? By what is said, by known names, then by content; every choice is a guess."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from delvecore.losses.metrics import known_metric
from delvecore.readers.scores import words
from delvecore.readers.scores.batches.codes import crossed
from delvecore.readers.scores.columns import Column, Sheet, determines
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.remarks import COLUMN_OPTIONS, Remarks

__all__ = ["Roles", "is_wide", "labels", "long_roles", "metric_column", "named", "said", "without"]

MOST_METRICS = 100
LEAST_COMPLETE = 0.3
"""Share of all combinations that must be there, that two columns are taken for datasets and methods."""


@dataclass(frozen=True)
class Roles:
    """The columns of a long table by what they hold; no dataset, or method: there is only one. values: of
    scores, under names of metrics or under that of `metric`; instances: that may tell instances apart;
    spare: that are nothing of this; spreads: the standard deviations of the values, if they have columns."""

    dataset: tuple[Column, ...]
    method: tuple[Column, ...]
    instances: tuple[Column, ...]
    values: tuple[Column, ...]
    metric: Column | None = None
    seconds: Column | None = None
    megabytes: Column | None = None
    spare: tuple[Column, ...] = ()
    spreads: tuple[Column | None, ...] = ()


class _Pool:
    """The columns that have no role yet."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = list(columns)

    def take(self, columns: Sequence[Column | None]) -> tuple[Column, ...]:
        """Give columns a role, those of them that are there."""
        self.columns = without(self.columns, columns)
        return tuple(column for column in columns if column is not None)

    def best(self, known: tuple[str, ...]) -> tuple[Column, ...]:
        """Take the column with the most telling name, one that varies if there is one."""
        return self.take(sorted(named(self.columns, known), key=lambda one: one.distinct < 2)[:1])

    def number(self, known: tuple[str, ...]) -> Column | None:
        """Take the column of numbers with the most telling name."""
        found = [one for one in named(self.columns, known) if one.kind == "number"]
        return next(iter(self.take(found[:1])), None)


def without(columns: Sequence[Column], taken: Sequence[Column | None]) -> list[Column]:
    """Return the columns that are not among others."""
    return [column for column in columns if all(column is not one for one in taken)]


def said(sheet: Sheet, name: str | None) -> tuple[Column, ...]:
    """Return the columns that an option names, several joined by `+`."""
    if name is None:
        return ()
    return (sheet.column(name),) if sheet.has(name) else tuple(map(sheet.column, name.split("+")))


def named(columns: Sequence[Column], known: tuple[str, ...]) -> list[Column]:
    """Return the columns whose names stand in a list, the most telling first."""
    places = [(words.found_in(column.name, known), column) for column in columns]
    found = [(place, column) for place, column in places if place is not None]
    return [column for _, column in sorted(found, key=lambda pair: pair[0])]


def labels(columns: Sequence[Column]) -> list[Column]:
    """Return the columns that may name datasets or methods: texts that differ, but not in most rows."""
    texts = [one for one in columns if one.kind == "text" and not one.is_mostly_numbers]
    return [one for one in texts if 1 < one.distinct <= max(len(one) / 2, 2)]


def is_wide(sheet: Sheet, options: ScoreOptions) -> bool:
    """Does each of several columns of numbers hold the scores of one method (or of one dataset)?"""
    if options.method is not None or options.value or (options.metric and sheet.has(options.metric)):
        return False
    filled = [column for column in sheet.columns if column.kind != "empty"]
    numbers = _unnamed_numbers(filled)
    metrics = [one for one in numbers if words.is_metric(one.name)]
    methods = named(filled, words.METHODS)
    datasets = named(filled, words.DATASETS if methods else words.ROWS)
    fewest = 1 if datasets and not methods else 2
    if len(numbers) < fewest or (metrics and (methods or 2 * len(metrics) >= len(numbers))):
        return False
    if methods and not datasets:
        return methods[0].distinct == sheet.rows
    if any(one.distinct == sheet.rows for one in datasets):
        return all(one.is_mostly_numbers for one in methods)
    return not methods and len(labels(without(filled, datasets))) < (1 if datasets else 2)


def _unnamed_numbers(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of numbers whose names say nothing else than that of a method could."""
    lists = (words.INSTANCES, words.SECONDS, words.MEGABYTES, words.SIZES, words.VALUES, words.DATASETS)
    numbers = [one for one in columns if one.is_mostly_numbers]
    return [one for one in numbers if all(words.found_in(one.name, names) is None for names in lists)]


def long_roles(sheet: Sheet, options: ScoreOptions, remarks: Remarks, *, metrics: bool = True) -> Roles:
    """Return what the columns of a long table hold. metrics: may one of them name metrics? ParseError where
    nothing can hold the scores."""
    pool = _Pool([column for column in sheet.columns if column.kind != "empty"])
    dataset, method = pool.take(said(sheet, options.dataset)), pool.take(said(sheet, options.method))
    values = pool.take([sheet.column(name) for name in options.value])
    instances = pool.take([sheet.column(name) for name in options.fold])
    metric = _metric_column(sheet, pool.columns, options) if metrics else None
    pool.take([metric])
    method = method or pool.best(words.METHODS)
    dataset = dataset or pool.best(words.DATASETS)
    instances = instances or pool.take(named(pool.columns, words.INSTANCES))
    dataset, method = _by_content(pool, dataset, method, remarks)
    seconds, megabytes = pool.number(words.SECONDS), pool.number(words.MEGABYTES)
    values = values or pool.take(_values(sheet, pool.columns, metric, dataset))
    spreads = [_spread_of(column, pool.columns) for column in values]
    pool.take(spreads)
    if metric is not None:
        remarks.guess("metric", f"the names in {metric.name}", (), "--metric")
    remarks.guess(
        "value", ", ".join(one.name for one in values), _names(pool.columns, numbers=True), "--value"
    )
    return Roles(
        dataset=dataset,
        method=method,
        instances=instances,
        values=values,
        metric=metric,
        seconds=seconds,
        megabytes=megabytes,
        spare=tuple(pool.columns),
        spreads=tuple(spreads),
    )


def _spread_of(value: Column, columns: Sequence[Column]) -> Column | None:
    """Return the column of the standard deviations of another one: `acc_std` beside `acc_mean`."""
    named_by = [word for word in words.words_of(value.name) if word not in words.MEANS]
    for column in columns:
        parts = words.words_of(column.name)
        rest = [word for word in parts if word not in words.DEVIATIONS]
        if column.kind == "number" and len(rest) < len(parts) and rest == named_by:
            return column
    return None


def _names(columns: Sequence[Column], *, numbers: bool) -> list[str]:
    """Return the names of the columns that hold numbers, or that may be names."""
    return [
        one.name for one in ([one for one in columns if one.kind == "number"] if numbers else labels(columns))
    ]


def _metric_column(sheet: Sheet, columns: Sequence[Column], options: ScoreOptions) -> Column | None:
    """Return the column that names metrics: the one that is said, or whose texts most are known metrics."""
    if options.metric is not None:
        return sheet.column(options.metric) if sheet.has(options.metric) else None
    return metric_column(columns)


def metric_column(columns: Sequence[Column]) -> Column | None:
    """Return the column most of whose texts are known metrics, one with a telling name first."""
    for column in [*named(columns, words.METRICS), *columns]:
        if column.kind == "text" and column.distinct <= MOST_METRICS:
            levels = column.codes.levels
            is_named = words.found_in(column.name, words.METRICS) is not None
            known = [
                level for level in levels if words.is_metric(level) or (is_named and known_metric(level))
            ]
            if 2 * len(known) >= len(levels):
                return column
    return None


def _by_content(
    pool: _Pool, dataset: tuple[Column, ...], method: tuple[Column, ...], remarks: Remarks
) -> tuple[tuple[Column, ...], tuple[Column, ...]]:
    """Return datasets and methods, where names did not tell them: of two, there are more datasets."""
    found = sorted(labels(pool.columns), key=lambda one: -one.distinct)
    if not dataset and not method:
        pairs = [(a, b) for place, a in enumerate(found) for b in found[place + 1 :]]
        best = max(pairs, key=lambda pair: _completeness(*pair), default=None)
        if best is not None and _completeness(*best) >= LEAST_COMPLETE:
            dataset, method = pool.take(best[:1]), pool.take(best[1:])
        else:
            method = pool.take(found[:1])
    elif not method or not dataset:
        known = (dataset or method)[0]
        beside = max(found, key=lambda one: _completeness(known, one), default=None)
        if beside is not None and _completeness(known, beside) >= LEAST_COMPLETE:
            chosen = pool.take([beside])
            dataset, method = dataset or chosen, method or chosen
    for role, chosen in (("dataset", dataset), ("method", method)):
        taken = " + ".join(one.name for one in chosen) or "only one, named by the file"
        remarks.guess(role, taken, _names(pool.columns, numbers=False), COLUMN_OPTIONS[role])
    return dataset, method


def _completeness(one: Column, other: Column) -> float:
    """Return the share of all combinations of two columns that are there; 0 where one says the other."""
    if determines(one.codes, other) or determines(other.codes, one):
        return 0.0
    return len(crossed([one.codes, other.codes]).levels) / max(one.distinct * other.distinct, 1)


def _values(
    sheet: Sheet, columns: Sequence[Column], metric: Column | None, dataset: tuple[Column, ...]
) -> Sequence[Column]:
    """Return the columns of scores: of known metrics, of names such as `value`, of numbers that differ within
    datasets."""
    numbers = [one for one in columns if one.is_mostly_numbers]
    generic = named(numbers, words.VALUES)
    known = [one for one in numbers if words.is_metric(one.name)]
    if metric is not None:
        found = generic[:1] or known[:1] or numbers[:1]
    else:
        found = known or generic or _differing(numbers, dataset)
    if not found:
        names = ", ".join(repr(column.name) for column in sheet.columns[:8])
        remedy = "write numbers into one of them, or say --value COLUMN"
        raise sheet.fault("a column of scores that are numbers", f"the columns {names}", remedy)
    return found


def _differing(columns: Sequence[Column], dataset: tuple[Column, ...]) -> list[Column]:
    """Return the columns that are no properties of datasets, or of the whole file, nor counts of the rows."""
    codes = crossed([one.codes for one in dataset]) if dataset else None
    differing = [one for one in columns if one.distinct > 1 and not _counts_rows(one)]
    return [one for one in differing if codes is None or not determines(codes, one)]


def _counts_rows(column: Column) -> bool:
    """Are these the numbers of the rows?"""
    numbers = column.numbers
    return numbers is not None and column.is_whole and bool((np.diff(numbers.values) == 1).all())
