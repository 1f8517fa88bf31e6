"""Which column holds what? By what is said, by known names, then by content; every choice is a guess."""

from collections.abc import Sequence
from typing import NamedTuple

from delvecore.losses.metrics import known_metric
from delvecore.readers.scores import words
from delvecore.readers.scores.columns import Codes, Column, Sheet, crossed, determines
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.remarks import Remarks

__all__ = ["Roles", "candidates", "is_wide", "long_roles", "named", "said"]


class Roles(NamedTuple):
    """The columns of a long table by what they hold; no dataset, or method: there is only one. values: of
    scores, under names of metrics or under that of `metric`."""

    dataset: tuple[Column, ...]
    method: tuple[Column, ...]
    instances: tuple[Column, ...]
    values: tuple[Column, ...]
    metric: Column | None = None
    seconds: Column | None = None
    megabytes: Column | None = None
    spare: tuple[Column, ...] = ()
    """Those that are nothing of this."""


def said(sheet: Sheet, name: str | None) -> tuple[Column, ...]:
    """Return the columns that an option names, several joined by `+`."""
    if name is None:
        return ()
    return (sheet.column(name),) if sheet.has(name) else tuple(map(sheet.column, name.split("+")))


def named(columns: Sequence[Column], known: tuple[str, ...]) -> list[Column]:
    """Return the columns whose names stand in a list, the most telling first."""
    found = [
        (place, column) for column in columns if (place := words.found_in(column.name, known)) is not None
    ]
    return [column for _, column in sorted(found, key=lambda pair: pair[0])]


def candidates(columns: Sequence[Column]) -> list[Column]:
    """Return the columns that may name datasets or methods: texts that differ, but not in every row."""
    return [one for one in columns if one.kind == "text" and 1 < one.distinct < max(len(one), 3)]


def is_wide(sheet: Sheet, options: ScoreOptions) -> bool:
    """Does each of several columns of numbers hold the scores of one method (or of one dataset)?"""
    if options.method is not None or options.value or (options.metric and sheet.has(options.metric)):
        return False
    filled = [column for column in sheet.columns if column.kind != "empty"]
    numbers = _unnamed_numbers(filled)
    methods, datasets = named(filled, words.METHODS), named(filled, words.DATASETS)
    if methods and (datasets or any(known_metric(column.name) for column in numbers)):
        return False
    if len(numbers) < 2 or sum(known_metric(one.name) is not None for one in numbers) * 2 >= len(numbers):
        return False
    if methods:
        return methods[0].distinct == sheet.rows
    return len(candidates([one for one in filled if one not in datasets])) < (1 if datasets else 2)


def _unnamed_numbers(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of numbers whose names say nothing else than that of a method could."""
    lists = (words.INSTANCES, words.SECONDS, words.MEGABYTES, words.SIZES, words.VALUES, words.DATASETS)
    return [
        one
        for one in columns
        if one.kind == "number" and all(words.found_in(one.name, names) is None for names in lists)
    ]


def long_roles(sheet: Sheet, options: ScoreOptions, remarks: Remarks) -> Roles:
    """Return what the columns of a long table hold. ParseError where nothing can hold the scores."""
    rest = [column for column in sheet.columns if column.kind != "empty"]
    remarks.leave_columns([one for one in sheet.columns if one.kind == "empty"], "nothing stands in them")
    dataset, method = said(sheet, options.dataset), said(sheet, options.method)
    values = tuple(map(sheet.column, options.value))
    instances = tuple(map(sheet.column, options.fold))
    rest = _without(rest, (*dataset, *method, *values, *instances))
    metric = _metric_column(sheet, rest, options)
    rest = _without(rest, (metric,))
    method = method or _chosen(rest, words.METHODS)
    rest = _without(rest, method)
    dataset = dataset or _chosen(rest, words.DATASETS)
    rest = _without(rest, dataset)
    instances = instances or tuple(named(rest, words.INSTANCES))
    rest = _without(rest, instances)
    dataset, method = _by_content(rest, dataset, method, remarks)
    rest = _without(rest, (*dataset, *method))
    seconds = next((one for one in named(rest, words.SECONDS) if one.kind == "number"), None)
    megabytes = next((one for one in named(rest, words.MEGABYTES) if one.kind == "number"), None)
    rest = _without(rest, (seconds, megabytes))
    values = values or _values(
        sheet, rest, metric, crossed([one.codes for one in dataset]) if dataset else None
    )
    return Roles(
        dataset=dataset,
        method=method,
        instances=instances,
        values=values,
        metric=metric,
        seconds=seconds,
        megabytes=megabytes,
        spare=tuple(_without(rest, values)),
    )


def _without(columns: Sequence[Column], taken: Sequence[Column | None]) -> list[Column]:
    return [column for column in columns if all(column is not one for one in taken)]


def _chosen(columns: Sequence[Column], known: tuple[str, ...]) -> tuple[Column, ...]:
    """Return the column with the most telling name, one that varies if there is one."""
    found = named(columns, known)
    return tuple(sorted(found, key=lambda one: one.distinct < 2)[:1])


def _metric_column(sheet: Sheet, columns: Sequence[Column], options: ScoreOptions) -> Column | None:
    """Return the column that names metrics: the one that is said, or whose texts most are known metrics."""
    if options.metric is not None and sheet.has(options.metric):
        return sheet.column(options.metric)
    for column in [*named(columns, words.METRICS), *columns]:
        if column.kind == "text" and column.distinct <= MOST_METRICS:
            levels = column.codes.levels
            if 2 * sum(known_metric(level) is not None for level in levels) >= len(levels):
                return column
    return None


MOST_METRICS = 100


def _by_content(
    rest: Sequence[Column], dataset: tuple[Column, ...], method: tuple[Column, ...], remarks: Remarks
) -> tuple[tuple[Column, ...], tuple[Column, ...]]:
    """Return datasets and methods, where names did not tell them: of two, there are more datasets."""
    found = sorted(candidates(rest), key=lambda one: -one.distinct)
    others = [one.name for one in found]
    if not dataset and found and (method or len(found) > 1):
        dataset = (found.pop(0),)
    if not method and found and not determines(dataset[0].codes if dataset else found[0].codes, found[-1]):
        method = (found[-1],)
    for role, chosen in (("dataset", dataset), ("method", method)):
        taken = " + ".join(one.name for one in chosen) or "only one, named by the file"
        remarks.guess(role, taken, [one for one in others if one != taken], f"--{role}")
    return dataset, method


def _values(
    sheet: Sheet, columns: Sequence[Column], metric: Column | None, datasets: Codes | None
) -> tuple[Column, ...]:
    numbers = [one for one in columns if one.kind == "number"]
    generic = named(numbers, words.VALUES)
    known = [one for one in numbers if known_metric(one.name)]
    if metric is not None:
        found = generic[:1] or known[:1] or numbers[:1]
    else:
        found = known or generic or [one for one in numbers if not _describes(one, datasets)]
    if not found:
        names = ", ".join(repr(column.name) for column in sheet.columns[:8])
        raise sheet.fault("a column of scores", f"the columns {names}", "say --value COLUMN")
    return tuple(found)


def _describes(column: Column, datasets: Codes | None) -> bool:
    """Is this a property of datasets, or of the whole file?"""
    return column.distinct < 2 or (datasets is not None and determines(datasets, column))
