"""Roles of the columns of a table: what is said, then names, then content; every decision is noted."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from delvecore.losses.metrics import known_metric
from delvecore.readers.labels import task_path, task_paths
from delvecore.score_tables import names
from delvecore.score_tables.options import Answer, ScoreOptions
from delvecore.score_tables.score_file import Omission, Role, Why
from delvecore.score_tables.table import Column, Table, combined, count_groups, determines, group_numbers

__all__ = [
    "Described",
    "LongRoles",
    "Notes",
    "described",
    "is_wide",
    "label_columns",
    "long_roles",
    "metric_column",
]
__all__ += ["named", "said", "without"]

MOST_METRICS = 100
MOST_LEVELS = 200
"""Of a column that is taken into the names of methods or datasets."""
MOST_FACTOR_LEVELS = 50
LEAST_COMPLETE = 0.3
"""Share of all combinations that must be there for two columns to be datasets and methods."""


@dataclass
class Notes:
    """What was decided about a table, and what was left out, in order."""

    roles: list[Role] = field(default_factory=list)
    omissions: list[Omission] = field(default_factory=list)

    def take(self, role: str, taken: str, why: Why, *, others: Iterable[str] = (), option: str = "") -> None:
        self.roles.append(Role(role, taken, why, tuple(others), option))

    def leave(
        self,
        what: str,
        listed: Sequence[str],
        why: str,
        *,
        count: int | None = None,
        line: int | None = None,
        option: str = "",
    ) -> None:
        """Note what is left out, unless there is none of it."""
        many = len(listed) if count is None else count
        if many:
            self.omissions.append(Omission(what, tuple(listed[:8]), many, why, line, option))


def named(columns: Iterable[Column], known: tuple[str, ...]) -> list[Column]:
    """The columns whose names stand in a list, the most telling first."""
    places = [(names.found_in(column.name, known), column) for column in columns]
    found = [(place, column) for place, column in places if place is not None]
    return [column for _, column in sorted(found, key=lambda pair: pair[0])]


def without(columns: Iterable[Column], taken: Sequence[Column | None]) -> list[Column]:
    """The columns that are not among others."""
    return [column for column in columns if all(column is not one for one in taken)]


def said(table: Table, name: str | None) -> list[Column]:
    """The columns that an option names, several joined by `+`."""
    if name is None:
        return []
    return [table.column(name)] if table.has(name) else [table.column(part) for part in name.split("+")]


def label_columns(columns: Iterable[Column]) -> list[Column]:
    """The columns that may name datasets or methods: texts that differ, but not in most rows."""
    texts = [one for one in columns if one.kind == "text" and not one.is_mostly_numbers]
    return [one for one in texts if 1 < one.distinct <= max(len(one) / 2, 2)]


def metric_column(columns: Sequence[Column]) -> Column | None:
    """The column most of whose texts are known metrics, one with a telling name first."""
    for column in [*named(columns, names.METRICS), *columns]:
        if column.kind == "text" and column.distinct <= MOST_METRICS:
            is_named = names.found_in(column.name, names.METRICS) is not None
            known = [one for one in column.levels if names.is_metric(one) or (is_named and known_metric(one))]
            if 2 * len(known) >= column.distinct:
                return column
    return None


def is_instance(column: Column) -> bool:
    """Is this a column of folds or seeds: named so, with whole numbers or labels in it?"""
    if names.found_in(column.name, names.INSTANCES) is None:
        return False
    if column.kind == "text" and not column.is_mostly_numbers:
        return True
    value = column.parsed.value
    return bool(((value == np.floor(value)) | np.isnan(value)).all())


def is_wide(table: Table, options: ScoreOptions) -> bool:
    """Does each of several columns hold the scores of one method, or of one dataset? Question."""
    names_metrics = options.metric is not None and table.has(options.metric)
    if options.method is not None or options.value or names_metrics:
        return False
    filled = [column for column in table.filled if column.name not in options.drop]
    lists = (names.SECONDS, names.MEGABYTES, names.SIZES, names.VALUES, names.DATASETS, names.COUNTS)
    numbers = [
        one
        for one in filled
        if one.is_mostly_numbers
        and not is_instance(one)
        and (one.name in options.keep or all(names.found_in(one.name, known) is None for known in lists))
    ]
    metrics = [one for one in numbers if _says_metric(one.name) and one.name not in options.keep]
    methods = [one for one in filled if names.says(one.name, names.METHODS) and not one.is_mostly_numbers]
    datasets = [
        one for one in named(filled, names.ROWS if not methods else names.DATASETS) if one not in methods
    ]
    has_row_names = any(_names_rows(one) for one in [*datasets, *methods])
    if options.transpose is not None:
        return True
    if len(numbers) < (1 if datasets and not methods else 2) or len(metrics) == len(numbers):
        return False
    if methods and (datasets or not _names_rows(methods[0])):
        return False
    if metrics and has_row_names:
        _ask_methods_or_metrics(table, metrics, numbers)
    if metrics and 2 * len(metrics) >= len(numbers):
        return False
    if methods or has_row_names:
        return True
    return len(label_columns(without(filled, datasets))) < (1 if datasets else 2)


def _names_rows(column: Column) -> bool:
    """Does each row have a name of its own, if it has one?"""
    return column.distinct + int(np.count_nonzero(column.names.codes < 0)) == len(column)


def _says_metric(name: str) -> bool:
    """Is this the name of a metric, of test or of training cases?"""
    words = [word for word in names.words_of(name) if word not in ("train", "training")]
    return names.is_metric(name) or names.is_metric(" ".join(words))


def _ask_methods_or_metrics(table: Table, metrics: Sequence[Column], numbers: Sequence[Column]) -> None:
    listed = tuple(one.name for one in metrics)
    others = [one.name for one in without(numbers, metrics)]
    raise table.question(
        "columns that are all methods (or datasets), or all metrics",
        f"{', '.join(map(repr, listed[:3]))}, known as metrics, beside {', '.join(map(repr, others[:3]))}",
        [
            Answer("Each column is a method or dataset", "keep", listed),
            Answer(f"Only {listed[0]} is a score", "value", listed[:1]),
        ],
    )


@dataclass(frozen=True)
class LongRoles:
    """The columns of a long table by what they hold; no dataset, or method: there is only one.

    values: of scores; instances: that tell instances apart; spare: of no role; spreads: the deviations of the
    values, where they have columns."""

    dataset: tuple[Column, ...]
    method: tuple[Column, ...]
    instances: tuple[Column, ...]
    values: tuple[Column, ...]
    metric: Column | None
    seconds: Column | None
    megabytes: Column | None
    spare: tuple[Column, ...]
    spreads: tuple[Column | None, ...]


class _Pool:
    """The columns that have no role yet."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = list(columns)

    def take(self, columns: Sequence[Column | None]) -> tuple[Column, ...]:
        self.columns = without(self.columns, columns)
        return tuple(column for column in columns if column is not None)

    def best(self, known: tuple[str, ...]) -> tuple[Column, ...]:
        """Take the column with the most telling name, one that varies if there is one; else the one whose
        last word says it, as in `params.dataset`."""
        found = sorted(named(self.columns, known), key=lambda one: one.distinct < 2)
        texts = [one for one in self.columns if one.kind == "text" and not one.is_mostly_numbers]
        last = [one for one in texts if "".join(names.words_of(one.name)[-1:]) in known]
        found += [one for one in last if one not in found]
        return self.take(found[:1])

    def number(self, known: tuple[str, ...]) -> Column | None:
        found = [one for one in named(self.columns, known) if one.kind == "number"]
        return next(iter(self.take(found[:1])), None)


def long_roles(table: Table, options: ScoreOptions, notes: Notes, *, metrics: bool = True) -> LongRoles:
    """What the columns of a long table hold. metrics: may a column name metrics? ParseError, Question."""
    dropped = [column for column in table.filled if column.name in options.drop]
    notes.leave("column", [one.name for one in dropped], "as you said", option="drop")
    pool = _Pool(without(table.filled, dropped))
    dataset, method = pool.take(said(table, options.dataset)), pool.take(said(table, options.method))
    values = pool.take([table.column(name) for name in options.value])
    instances = pool.take([table.column(name) for name in options.fold])
    metric = _metric(table, pool.columns, options) if metrics else None
    pool.take([metric])
    why: dict[str, Why] = {"dataset": "said" if dataset else "name", "method": "said" if method else "name"}
    method = method or pool.best(names.METHODS)
    dataset = dataset or pool.best(names.DATASETS)
    instances = instances or pool.take(
        [one for one in named(pool.columns, names.INSTANCES) if is_instance(one)]
    )
    if not dataset or not method:
        dataset, method = _by_content(pool, dataset, method, why)
    for role, chosen in (("dataset", dataset), ("method", method)):
        taken = " + ".join(one.name for one in chosen) or "only one, named by the file"
        others = [one.name for one in label_columns(pool.columns)] if why[role] == "content" else []
        notes.take(role, taken, why[role], others=others, option=role)
    seconds, megabytes = pool.number(names.SECONDS), pool.number(names.MEGABYTES)
    values = values or pool.take(_values(table, pool.columns, metric, dataset))
    spreads = tuple(spread_of(column, pool.columns) for column in values)
    pool.take(spreads)
    if metric is not None:
        notes.take("metric", metric.name, "said" if options.metric else "name", option="metric")
    reason: Why = (
        "said" if options.value else "name" if all(_says_score(one) for one in values) else "content"
    )
    others = [one.name for one in pool.columns if one.kind == "number"]
    taken = ", ".join(one.name for one in values)
    notes.take("value", taken, reason, others=others if reason == "content" else (), option="value")
    spare = tuple(pool.columns)
    found = LongRoles(dataset, method, instances, values, metric, seconds, megabytes, spare, spreads)
    return _told_apart(table, found, options, notes)


def _says_score(column: Column) -> bool:
    return names.is_metric(column.name) or names.found_in(column.name, names.VALUES) is not None


def spread_of(value: Column, columns: Sequence[Column]) -> Column | None:
    """The column of the deviations of another one: `acc_std` beside `acc_mean` or `acc`."""
    base = [word for word in names.words_of(value.name) if word not in names.MEANS]
    for column in columns:
        parts = names.words_of(column.name)
        rest = [word for word in parts if word not in names.DEVIATIONS]
        is_marked = len(rest) < len(parts) or column.name.rstrip().endswith("±")
        if column is not value and column.kind == "number" and is_marked and rest == base:
            return column
    return None


def _metric(table: Table, columns: Sequence[Column], options: ScoreOptions) -> Column | None:
    """The column that names metrics: the one that is said, or whose texts most are known metrics."""
    if options.metric is not None and table.has(options.metric):
        column = table.column(options.metric)
        return None if column.is_mostly_numbers else column
    return metric_column(columns)


def _by_content(
    pool: _Pool, dataset: tuple[Column, ...], method: tuple[Column, ...], why: dict[str, Why]
) -> tuple[tuple[Column, ...], tuple[Column, ...]]:
    """Datasets and methods where names do not tell them: of two columns, datasets are more."""
    found = sorted(label_columns(pool.columns), key=lambda one: -one.distinct)
    if not dataset and not method:
        pairs = [(a, b) for place, a in enumerate(found) for b in found[place + 1 :]]
        best = max(pairs, key=lambda pair: _completeness(*pair), default=None)
        why["dataset"] = why["method"] = "content"
        if best is not None and _completeness(*best) >= LEAST_COMPLETE:
            return pool.take(best[:1]), pool.take(best[1:])
        return dataset, pool.take(found[:1])
    known = (dataset or method)[0]
    beside = max(found, key=lambda one: _completeness(known, one), default=None)
    if beside is not None and _completeness(known, beside) >= LEAST_COMPLETE:
        why["method" if dataset else "dataset"] = "content"
        chosen = pool.take([beside])
        return dataset or chosen, method or chosen
    return dataset, method


def _completeness(one: Column, other: Column) -> float:
    """Share of all combinations of two columns that are there; 0 where one determines the other."""
    if determines(one.names, other.names) or determines(other.names, one.names):
        return 0.0
    return count_groups(group_numbers([one.names, other.names], len(one))) / max(
        one.distinct * other.distinct, 1
    )


def _values(
    table: Table, columns: Sequence[Column], metric: Column | None, dataset: tuple[Column, ...]
) -> Sequence[Column]:
    """The columns of scores: known metrics, names such as `value`, numbers that differ within datasets."""
    numbers = [one for one in columns if one.is_mostly_numbers]
    numbers = without(numbers, named(numbers, names.COUNTS + names.IDENTIFIERS))
    generic = named(numbers, names.VALUES)
    known = [one for one in numbers if names.is_metric(one.name) and not _is_time(one.name)]
    if metric is not None:
        found = generic[:1] or known[:1] or numbers[:1]
    else:
        found = known or generic or _differing(numbers, dataset)
    if not found:
        listed = ", ".join(repr(column.name) for column in table.columns[:8])
        remedy = "write numbers into one of them, or say which column holds the scores"
        raise table.fault("a column of scores that are numbers", f"the columns {listed}", remedy)
    return found


def _is_time(name: str) -> bool:
    """Is this the name of a time, which is a cost and no score unless it is asked for?"""
    return names.found_in(name, names.SECONDS) is not None or "time" in names.words_of(name)


def _differing(columns: Sequence[Column], dataset: tuple[Column, ...]) -> list[Column]:
    """The columns that describe neither datasets nor the whole file, and do not count the rows."""
    differing = [one for one in columns if one.distinct > 1 and not one.counts_rows]
    by = combined(dataset) if dataset else None
    return [one for one in differing if by is None or not determines(by, one.names)]


def _told_apart(table: Table, roles: LongRoles, options: ScoreOptions, notes: Notes) -> LongRoles:
    """The roles with the instance columns that are needed to tell runs apart, and with further columns in the
    names of methods or datasets where these do not suffice. Rows of nothing but scores are folds."""
    rows = table.rows
    if rows > 1 and not (roles.dataset or roles.method or roles.instances or roles.metric):
        counted = Column("fold", pd.Series(np.arange(rows), index=table.frame.index))
        notes.take("instance", "each row is a fold", "content", option="fold")
        return replace(roles, instances=(counted,))
    known = [*roles.dataset, *roles.method, *([roles.metric] if roles.metric else [])]
    chosen = list(roles.instances) if options.fold else []
    key = group_numbers([one.names for one in (*known, *chosen)], rows)
    for column in () if options.fold else roles.instances:
        if not _repeats(key):
            break
        finer = group_numbers([one.names for one in (*known, *chosen, column)], rows)
        if count_groups(finer) > count_groups(key):
            chosen, key = [*chosen, column], finer
    if not chosen:  # `fold 0` of a file for each fold
        chosen = [one for one in roles.instances[:1] if one.distinct == 1]
    if chosen:
        taken = " + ".join(one.name for one in chosen)
        notes.take("instance", taken, "said" if options.fold else "name", option="fold")
    unneeded = [one.name for one in without(roles.instances, chosen)]
    notes.leave("column", unneeded, "not needed to tell runs apart", option="fold")
    roles = replace(roles, instances=tuple(chosen))
    for column in _further(key, [*known, *chosen], roles, rows) if _repeats(key) else ():
        roles = _widened(roles, column, options, notes)
    return roles


def _repeats(key: np.ndarray) -> bool:
    return count_groups(key) < int(np.count_nonzero(key >= 0))


def _further(key: np.ndarray, known: Sequence[Column], roles: LongRoles, rows: int) -> list[Column]:
    """The further columns that tell all runs apart: one, or a few; none if they do not do it."""
    usable = [
        one
        for one in roles.spare
        if 1 < one.distinct <= MOST_LEVELS
        and (one.kind == "text" or one.is_whole)
        and not _describes(one, roles)
    ]
    liked = named(usable, names.METHODS + names.DATASETS + names.SIZES + names.PROPERTIES)
    texts = [one for one in without(usable, liked) if one.kind == "text"]
    ordered = [*liked, *sorted(texts, key=lambda one: one.distinct)]

    def finer(columns: Sequence[Column]) -> np.ndarray:
        return group_numbers([one.names for one in (*known, *columns)], rows)

    for column in ordered:
        if not _repeats(finer([column])):
            return [column]
    chosen: list[Column] = []
    for column in ordered:
        further = finer([*chosen, column])
        if count_groups(further) > count_groups(key):
            chosen, key = [*chosen, column], further
        if not _repeats(key):
            return chosen
    return []


def _describes(column: Column, roles: LongRoles) -> bool:
    return any(part and determines(combined(part), column.names) for part in (roles.dataset, roles.method))


def _widened(roles: LongRoles, column: Column, options: ScoreOptions, notes: Notes) -> LongRoles:
    lists = (names.DATASETS, names.SIZES, names.PROPERTIES, names.FAMILIES)
    of_data = any(names.found_in(column.name, known) is not None for known in lists)
    role = "dataset" if (of_data or options.method) and not options.dataset else "method"
    before = roles.dataset if role == "dataset" else roles.method
    others = [" + ".join(one.name for one in before)] if before else []
    taken = " + ".join(one.name for one in (*before, column))
    notes.take(role, f"{taken}, for these tell runs apart", "content", others=others, option=role)
    spare = tuple(without(roles.spare, [column]))
    if role == "dataset":
        return replace(roles, dataset=(*before, column), spare=spare)
    return replace(roles, method=(*before, column), spare=spare)


class Described(NamedTuple):
    """What further columns say of datasets, by dataset: see ScoreFile. paths: of tasks by their names, where
    a column of tasks says which dataset each is of."""

    factors: Mapping[str, Mapping[str, str]] = {}
    families: Mapping[str, str] = {}
    sizes: Mapping[str, int] = {}
    paths: Mapping[str, str] = {}


def described(
    dataset: Sequence[Column], method: Sequence[Column], spare: Sequence[Column], notes: Notes
) -> Described:
    """What further columns say of datasets; the rest of them is left out, with the reason."""
    if not dataset:
        _leave_out(spare, None, method, notes)
        return Described()
    by = combined(dataset)
    many = len(by.categories)
    holder = _holder(by, dataset, spare)
    paths = _paths(by, dataset, holder)
    constant = [one for one in without(spare, holder) if one.distinct > 1 and determines(by, one.names)]
    sizes = [one for one in named([*constant, *dataset], names.SIZES) if one.is_whole][:1]
    families = [one for one in named(constant, names.FAMILIES) if one.distinct < many][:1]
    parts = [*dataset] if len(dataset) > 1 and not holder else []
    factors = [one for one in constant if one.distinct <= min(MOST_FACTOR_LEVELS, many - 1)]
    factors = [*without(parts, sizes), *without(factors, [*sizes, *families])]
    _leave_out(without(spare, [*factors, *sizes, *families, *holder]), by, method, notes)
    if factors:
        notes.take("factors", ", ".join(one.name for one in factors), "content")
    if families:
        notes.take("family", families[0].name, "name")
    of_family = families or (parts[:1] if len(parts) > 1 else [])
    path: Callable[[str], str] = lambda name: paths.get(name, name)  # noqa: E731
    by_factor = {one.name: _levels(by, one) for one in factors}
    return Described(
        {
            path(name): {one: known[name] for one, known in by_factor.items() if name in known}
            for name in by.categories
        }
        if factors
        else {},
        {path(name): family for name, family in (_levels(by, of_family[0]) if of_family else {}).items()},
        {path(name): int(float(size)) for name, size in (_levels(by, sizes[0]) if sizes else {}).items()},
        paths,
    )


def _holder(by: pd.Categorical, dataset: Sequence[Column], spare: Sequence[Column]) -> list[Column]:
    """The column that holds the dataset of each task, where another one names the tasks."""
    tasks = named(dataset, names.TASKS)[:1]
    beside = named(without([*dataset, *spare], tasks), names.OF_TASKS)[:1] if tasks else []
    return [one for one in beside if determines(by, one.names) and 1 < one.distinct < len(by.categories)]


def _paths(by: pd.Categorical, dataset: Sequence[Column], holder: Sequence[Column]) -> dict[str, str]:
    """The path of each task that is one of a dataset's."""
    tasks = named(dataset, names.TASKS)[:1]
    if holder:
        datasets, tasks_of = _levels(by, holder[0]), _levels(by, tasks[0])
        return {name: task_path(datasets[name], tasks_of[name]) for name in datasets}
    return task_paths(tuple(by.categories)) if tasks and len(dataset) == 1 else {}


def _levels(by: pd.Categorical, column: Column) -> dict[str, str]:
    """The text of a column for each dataset that has one."""
    known = (by.codes >= 0) & (column.names.codes >= 0)
    first = pd.Series(column.names.codes[known]).groupby(by.codes[known]).first()
    return {by.categories[code]: column.levels[place] for code, place in first.items()}


def _leave_out(
    columns: Sequence[Column], datasets: pd.Categorical | None, method: Sequence[Column], notes: Notes
) -> None:
    """Note why each column is left out, those of one reason together."""
    methods = combined(method) if method else None
    reasons: dict[str, list[str]] = {}
    for column in columns:
        if column.distinct < 2:
            reason = "the same in every row"
        elif datasets is not None and determines(datasets, column.names):
            reason = "a property of datasets"
        elif methods is not None and determines(methods, column.names):
            reason = "a property of methods"
        else:
            reason = "no scores by their names" if column.kind == "number" else "of no known role"
        reasons.setdefault(reason, []).append(column.name)
    for reason, found in reasons.items():
        notes.leave("column", found, reason, option="value" if reason.startswith("no scores") else "")
