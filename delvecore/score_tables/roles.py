"""Roles of the columns of a table: what is said, then names, then content; every decision is noted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from delvecore.losses.metrics import known_metric
from delvecore.readers.labels import task_path, task_paths
from delvecore.score_tables import names
from delvecore.score_tables.column_roles import ask_unread, is_open_score
from delvecore.score_tables.options import ROWS, Answer, Question, ScoreOptions, Steps
from delvecore.score_tables.score_file import OF_GROUPS, Notes, Why
from delvecore.score_tables.table import (
    Column,
    Table,
    combined,
    count_groups,
    determines,
    group_numbers,
    repeats,
)

MOST_METRICS = 100
MOST_LEVELS = 200
"""Of a column that is taken into the names of methods or datasets."""
MOST_FACTOR_LEVELS = 50
LEAST_COMPLETE = 0.3
"""Share of all combinations that must be there for two columns to be datasets and methods."""
FEWEST_TRENDS, LARGEST_TREND = 20, 0.1
"""Runs by which it is seen whether scores have a trend, and the mean rank correlation if they have none."""
OF_DATASETS = (names.DATASETS, names.SIZES, names.PROPERTIES, names.HORIZONS, names.FAMILIES)
"""Names of columns that tell tasks apart, and not methods."""

Columns = tuple[Column, ...]


@dataclass(frozen=True)
class Roles:
    """The columns of a table by what they hold.

    dataset, method: the columns that name them, none where there is only one; instances: columns that tell
    folds or seeds apart; metric: the column that names metrics; values: columns of scores, and names_across
    what each stands for: a metric in a long table, a method in a wide one, a dataset in one that is turned;
    spreads: the column of the deviations of each of them; corner: a metric over the names of rows;
    seconds, megabytes: columns of costs; case, group: columns of test cases, each with its own score, and of
    those that are kept together; spare: columns of no role; step: the column of epochs or steps of a run."""

    dataset: Columns
    method: Columns
    instances: Columns
    metric: Column | None
    values: Columns
    spreads: tuple[Column | None, ...]
    across: Literal["metric", "method", "dataset"] = "metric"
    names_across: tuple[str, ...] = ()
    corner: str = ""
    seconds: Column | None = None
    megabytes: Column | None = None
    spare: Columns = ()
    case: Column | None = None
    group: Column | None = None
    step: Column | None = None


def named(columns: Iterable[Column], known: tuple[str, ...]) -> list[Column]:
    """The columns whose names stand in a list, the most telling first."""
    found = [column for column in columns if names.is_called(column.name, known)]
    return sorted(found, key=lambda column: known.index(names.folded(column.name)))


def without(columns: Iterable[Column], taken: Iterable[Column | None]) -> list[Column]:
    known = {*map(id, taken)}
    return [column for column in columns if id(column) not in known]


def said(table: Table, name: str | None) -> list[Column]:
    """The columns that an option names, several joined by `+`."""
    parts = [] if name is None else [name] if table.has(name) else name.split("+")
    return [*map(table.column, parts)]


def texts_in(columns: Iterable[Column]) -> list[Column]:
    """The columns of texts that are no numbers."""
    return [one for one in columns if one.kind == "text" and not one.is_mostly_numbers]


def label_columns(columns: Iterable[Column]) -> list[Column]:
    """The columns that may name datasets or methods: texts that differ, but not in most rows."""
    return [one for one in texts_in(columns) if 1 < one.distinct <= max(len(one) / 2, 2)]


def metric_column(columns: Sequence[Column]) -> Column | None:
    """The column of texts whose name says that it names metrics; otherwise one most of whose texts are known
    metrics."""
    texts = [
        one for one in columns if one.kind == "text" and one.distinct <= MOST_METRICS and not is_status(one)
    ]
    for column in texts:
        if names.ends_with(column.name, names.METRIC_WORDS) and not column.is_mostly_numbers:
            return column
    for column in [*named(texts, names.METRICS), *texts]:
        is_named = names.is_called(column.name, names.METRICS)
        known = [one for one in column.levels if names.is_metric(one) or (is_named and known_metric(one))]
        if 2 * len(known) >= column.distinct:
            return column
    return None


def is_status(column: Column) -> bool:
    """Do the texts of a column say how runs ended?"""
    return column.kind == "text" and (
        names.is_called(column.name, names.STATUSES)
        or names.words_of(column.name)[-1:] in (["status"], ["result"])
    )


def says_step(column: Column) -> bool:
    """Is a column called as epochs, steps or iterations are?"""
    is_step = names.is_called(column.name, names.STEPS) or names.ends_with(column.name, names.STEP_WORDS)
    return is_step or _says_iteration(column)


def _says_iteration(column: Column) -> bool:
    words = names.words_of(column.name)
    return words[-1:] != [] and words[-1] in names.ITERATIONS and {*names.RESAMPLING}.isdisjoint(words)


def step_column(table: Table, columns: Iterable[Column], options: ScoreOptions) -> Column | None:
    """The column of epochs or steps along the training of a run, unless it is said to be something else.

    An iteration next to a column of a resampling or `learner_id`, as mlr3 writes it, is a repeat."""
    taken = (*options.keep, *options.fold, *options.value, options.dataset, options.method)
    has_resampling = any(names.is_called(column.name, names.RESAMPLING) for column in table.columns)
    for column in columns:
        if has_resampling and _says_iteration(column):
            continue
        if says_step(column) and column.name not in taken and column.is_whole and column.distinct > 1:
            return column
    return None


def folds_said(table: Table, options: ScoreOptions) -> list[Column]:
    """The columns of folds that the caller names; `rows` says that each row is a fold."""
    if options.fold == (ROWS,) and not table.has(ROWS):
        return [Column("fold", pd.Series(np.arange(table.rows), index=table.frame.index))]
    return [*map(table.column, options.fold)]


def is_instance(column: Column) -> bool:
    """Is this a column of folds or seeds: named so, with whole numbers or labels in it?"""
    is_named = names.is_called(column.name, names.INSTANCES)
    return is_named and (bool(texts_in([column])) or column.has_whole_numbers)


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


class _Free(list[Column]):
    """The columns that have no role yet."""

    def take(self, columns: Iterable[Column | None]) -> Columns:
        found = tuple(column for column in columns if column is not None)
        self[:] = without(self, found)
        return found

    def best(self, known: tuple[str, ...]) -> Columns:
        """Take the column with the most telling name, one that varies if there is one; else the one whose
        last word says it, as in `params.dataset`."""
        found = sorted(named(self, known), key=lambda one: one.distinct < 2)
        found += [one for one in texts_in(self) if "".join(names.words_of(one.name)[-1:]) in known]
        return self.take(found[:1])

    def number(self, known: tuple[str, ...]) -> Column | None:
        """Take the column of numbers with the most telling name."""
        found = [one for one in named(self, known) if one.kind == "number"]
        return next(iter(self.take(found[:1])), None)


def long_roles(table: Table, options: ScoreOptions, notes: Notes, *, metrics: bool = True) -> Roles:
    """Find the roles of the columns of a long table. metrics: may a column name metrics? ParseError,
    Question."""
    free = _Free(table.filled)
    dataset, method = free.take(said(table, options.dataset)), free.take(said(table, options.method))
    values, instances = free.take(map(table.column, options.value)), free.take(folds_said(table, options))
    metric = _metric(table, free, options) if metrics else None
    free.take([metric])
    why: dict[str, Why] = {"dataset": "said" if dataset else "name", "method": "said" if method else "name"}
    method = method or free.best(names.METHODS)
    dataset = dataset or free.best(names.DATASETS) or (() if options.case else free.best(names.LAST_DATASETS))
    case, group = _cases(table, free, [*dataset, *method], options, notes)
    step = step_column(table, free, options)
    free.take([step])
    instances = instances or free.take([one for one in named(free, names.INSTANCES) if is_instance(one)])
    if not dataset or not method:
        dataset, method = _by_content(free, dataset, method, why)
    for role, chosen in (("dataset", dataset), ("method", method)):
        taken = " + ".join(one.name or "column without a name" for one in chosen)
        others = [one.name for one in label_columns(free)] if why[role] == "content" else []
        notes.take(role, taken or "only one, named by the file", why[role], others=others, option=role)
    seconds, megabytes = free.number(names.SECONDS), free.number(names.MEGABYTES)
    unread = named(free, names.VALUES) + [one for one in free if names.is_metric(one.name)]
    ask_unread(table, [one for one in unread if not is_status(one)])
    values = values or free.take(_values(table, free, metric, dataset, method))
    spreads = tuple(spread_of(column, free) for column in values)
    free.take(spreads)
    if any(spreads):
        notes.take("spread", ", ".join(one.name for one in spreads if one), "name", option="keep")
    for cost in filter(None, (seconds, megabytes)):
        notes.take("cost", cost.name, "name")
    if metric is not None:
        notes.take("metric", metric.name, "said" if options.metric else "name", option="metric")
    _note_values(free, values, options, notes)
    roles = Roles(
        dataset,
        method,
        instances,
        metric,
        values,
        spreads,
        names_across=tuple(one.name for one in values),
        seconds=seconds,
        megabytes=megabytes,
        spare=tuple(free),
        case=case,
        group=group,
        step=step,
    )
    return told_apart(table, roles, options, notes)


def _note_values(free: _Free, values: Columns, options: ScoreOptions, notes: Notes) -> None:
    is_named = all(names.is_metric(one.name) or names.is_called(one.name, names.VALUES) for one in values)
    reason: Why = "said" if options.value else "name" if is_named else "content"
    others = [one.name for one in free if one.kind == "number" and reason == "content"]
    notes.take("value", ", ".join(one.name for one in values), reason, others=others, option="value")


def _cases(
    table: Table, free: _Free, known: Sequence[Column], options: ScoreOptions, notes: Notes
) -> tuple[Column | None, Column | None]:
    """Take the column of test cases, where it is said, or called so and needed to tell scores apart, and that
    of groups of cases. ParseError for groups without cases, and for a case of two groups."""
    found = free.take(said(table, options.case))
    if not found and options.case is None and known:
        is_open = repeats(group_numbers([one.names for one in known], table.rows))
        found = free.take(named(free, names.CASES)[:1] if is_open else ())
    groups = free.take(said(table, options.group))
    if groups and not found:
        remedy = "say which column it is, or leave the groups out"
        raise table.fault("a column of test cases beside that of their groups", "none", remedy)
    if not found:
        return None, None
    notes.take("test case", found[0].name, "said" if options.case else "name", option="case")
    groups = groups or free.take(named(free, names.GROUPS)[:1])
    if not groups:
        return found[0], None
    of_cases = combined([*(one for one in known if not names.is_called(one.name, names.METHODS)), *found])
    first = pd.Series(groups[0].names.codes).groupby(of_cases.codes).transform("first")
    differ = (first.to_numpy() != groups[0].names.codes) & (of_cases.codes >= 0)
    if differ.any() and not options.group:
        free.extend(groups)
        return found[0], None
    if differ.any():
        row = int(differ.argmax())
        told = f"{found[0].names[row]!r} in another one, too"
        raise table.fault("each test case in one group", told, row=int(table.frame.index[row]))
    notes.take(OF_GROUPS, groups[0].name, "said" if options.group else "name", option="group")
    return found[0], groups[0]


def _metric(table: Table, columns: Sequence[Column], options: ScoreOptions) -> Column | None:
    """The column that names metrics: the one that is said, or whose texts most are known metrics."""
    if options.metric is not None and table.has(options.metric):
        column = table.column(options.metric)
        return None if column.is_mostly_numbers else column
    return metric_column(columns)


def _by_content(
    free: _Free, dataset: Columns, method: Columns, why: dict[str, Why]
) -> tuple[Columns, Columns]:
    """Datasets and methods where names of columns do not tell both: the two columns of texts of which most
    combinations are there. The one with more names has the datasets."""
    known = (dataset or method)[:1]
    unnamed = [one for one in texts_in(free) if not one.name and one.distinct == len(one)]
    if unnamed and not known:
        why.update(method="content")
        return (), free.take(unnamed[:1])
    found = sorted(label_columns(free), key=lambda one: -one.distinct)
    pairs = [(known[0], one) for one in found] if known else [*combinations(found, 2)]
    share, best = max(
        ((_completeness(*pair), pair) for pair in pairs), key=lambda one: one[0], default=(0, ())
    )
    pair = best if share >= LEAST_COMPLETE else ()
    if not known:
        why.update(dataset="content", method="content")
        return free.take(pair[:1]), free.take(pair[1:] if pair else found[:1])
    chosen = free.take(pair[1:])
    if chosen:
        why["method" if dataset else "dataset"] = "content"
    return dataset or chosen, method or chosen


def _completeness(one: Column, other: Column) -> float:
    """Share of all combinations of two columns that are there; 0 where one determines the other."""
    if determines(one.names, other.names) or determines(other.names, one.names):
        return 0.0
    many = count_groups(group_numbers([one.names, other.names], len(one)))
    return many / max(one.distinct * other.distinct, 1)


def _says_score(name: str) -> bool:
    """Is a name that of a metric, or does it have one in it?"""
    return names.is_metric(name) or names.only_direction(name) is not None


def _values(
    table: Table, columns: Sequence[Column], metric: Column | None, dataset: Columns, method: Columns
) -> Sequence[Column]:
    """The columns of scores: known metrics, names such as `value`, or the only numbers that differ within
    datasets. Question where several columns may be one."""
    numbers = [
        one for one in columns if one.is_mostly_numbers or (one.has_failures_only and _says_score(one.name))
    ]
    numbers = without(numbers, named(numbers, names.COUNTS + names.IDENTIFIERS + names.P_VALUES))
    generic = named(numbers, names.VALUES)
    times = [one for one in numbers if "time" in names.words_of(one.name)] + named(numbers, names.SECONDS)
    known = [one for one in without(numbers, times) if names.is_metric(one.name)]
    if (dataset and method) or not known:  # words such as `error` in other names
        beside = without(numbers, [*times, *known, *(spread_of(one, columns) for one in known)])
        hinted = [one for one in beside if names.only_direction(one.name) is not None]
        known += [one for one in hinted if one.has_failures_only or not one.has_whole_numbers]
    ends = [one for one in numbers if names.ends_with(one.name, ("value", "score"))]
    by_dataset, by_method = (combined(one) if one else None for one in (dataset, method))
    if metric is not None and (found := (generic or known or ends or numbers)[:1]):
        unsure = [] if generic or known or ends else [one for one in numbers if one.distinct > 1]
        return _only(table, unsure) or found
    if known and dataset and method:
        beside = [one for one in without(numbers, known) if is_open_score(one, by_dataset, by_method)]
        beside = without(beside, [spread_of(one, columns) for one in [*known, *beside]])
        return _only(table, [*known[:1], *beside] if beside else []) or known
    if found := known or generic or ends[:1]:
        return found
    found = [one for one in numbers if one.distinct > 1 and not one.counts_rows]
    found = [one for one in found if by_dataset is None or not determines(by_dataset, one.names)]
    found = without(found, [spread_of(one, columns) for one in found])
    if not found:
        listed = ", ".join(repr(column.name) for column in table.columns[:8])
        remedy = "write numbers into one of them, or say which column holds the scores"
        raise table.fault("a column of scores that are numbers", f"the columns {listed}", remedy)
    return _only(table, found, may_be_wide=not method) or found


def _only(table: Table, columns: Sequence[Column], *, may_be_wide: bool = False) -> Sequence[Column]:
    """The one column of scores; Question where there are several. may_be_wide: may each be a method?"""
    if len(columns) > 1:
        listed = [one.name for one in columns]
        text = ", ".join(map(repr, listed[:6])) + (", ..." if len(listed) > 6 else "")
        answers = [Answer(f"{name} is the score", "value", (name,)) for name in listed[:6]]
        if may_be_wide:
            answers.append(Answer("Each column is a method", "transpose", False))
        raise table.question("one column of scores, or known metrics", text, answers)
    return columns


def told_apart(table: Table, roles: Roles, options: ScoreOptions, notes: Notes) -> Roles:
    """Distinguish the runs: keep the instance columns that are needed, and where they do not suffice, add
    further columns to the names of methods or datasets. In a table of nothing but scores, each row is a
    fold."""
    rows = table.rows
    known = [*roles.dataset, *roles.method, *(one for one in (roles.metric, roles.case) if one)]
    if rows > 1 and not known and not roles.instances and roles.step is None:
        counted = Column("fold", pd.Series(np.arange(rows), index=table.frame.index))
        notes.take("instance", "each row is a fold", "content", option="fold")
        return replace(roles, instances=(counted,))
    chosen = list(roles.instances) if options.fold else []
    found, is_open = _finer([*known, *chosen], () if options.fold else roles.instances, rows)
    # `fold 0` of a file for each fold tells nothing apart in that file.
    chosen = chosen or found or [one for one in roles.instances[:1] if one.distinct == 1]
    if chosen:
        taken = " + ".join(one.name for one in chosen)
        notes.take("instance", taken, "said" if options.fold else "name", option="fold")
    unneeded = [one.name for one in without(roles.instances, chosen)]
    notes.leave("column", unneeded, "not needed to distinguish runs", option="fold")
    roles = replace(roles, instances=tuple(chosen))
    if options.fold == (ROWS,) and not table.has(ROWS) and known and not repeats(_key(known, rows)):
        row_names = f"a name for each row in {known[0].name!r}"
        raise table.fault("rows without names, as the option fold says", row_names, "leave the option out")
    if options.steps and roles.step is None and not any(map(says_step, table.columns)):
        listed = f"the columns {', '.join(repr(one.name) for one in table.columns[:8])}"
        raise table.fault("a column of epochs or steps, as the option steps says", listed, "leave it out")
    if roles.step is not None:
        is_needed = bool(_finer([*known, *chosen], [roles.step], rows)[0]) and is_open
        if is_needed and options.steps is None and _is_repeat(roles.step, [*known, *chosen], roles.values):
            notes.take("instance", f"{roles.step.name}, along which scores have no trend", "content")
            roles = replace(roles, instances=(*roles.instances, roles.step), step=None)
            is_open = _finer([*known], roles.instances, rows)[1]
        elif is_needed and options.steps is None:
            raise _which_step(table, roles.step, chosen)
        elif is_needed:
            notes.take("steps", f"the {options.steps} of {roles.step.name}", "said", option="steps")
            is_open = False
        else:
            roles = replace(roles, step=None, spare=(*roles.spare, roles.step))
    further = _further([*known, *chosen], roles, rows) if is_open else []
    if is_open and not further and not options.fold:
        _ask_runs(table, [*known, *chosen], roles)
    for column in further:
        of_data = names.is_called(column.name, *OF_DATASETS) or bool(options.method)
        role = "dataset" if of_data and not options.dataset else "method"
        before: Columns = getattr(roles, role)
        taken = " + ".join(one.name for one in (*before, column))
        others = [" + ".join(one.name for one in before)] if before else []
        notes.take(role, f"{taken}, for these distinguish runs", "content", others=others, option=role)
        changed: dict[str, Any] = {role: (*before, column)}
        roles = replace(roles, **changed, spare=tuple(without(roles.spare, [column])))
    return roles


def _ask_runs(table: Table, known: Sequence[Column], roles: Roles) -> None:
    """Ask about a column of whole numbers that distinguishes the runs of each method, has the same numbers
    for several methods, and another name than folds and seeds have."""
    key = _key(known, table.rows)
    most = int(np.bincount(key[key >= 0]).max(initial=0))
    for column in roles.spare:
        is_alike = column.has_whole_numbers and 1 < column.distinct <= 2 * most
        if is_alike and not says_step(column) and not _finer(known, [column], table.rows)[1]:
            name = column.name or "without a name"
            answers = [
                Answer("They are folds or seeds", "fold", (column.name,)),
                Answer("Leave it out", "drop", (column.name,)),
            ]
            found = f"{most} rows of one method on a dataset, and a column {name!r} that distinguishes them"
            raise table.question("one row of each method and run", found, answers)


def _key(columns: Sequence[Column], rows: int) -> NDArray[np.int64]:
    return group_numbers([one.names for one in columns], rows)


def _which_step(table: Table, step: Column, instances: Sequence[Column]) -> Question:
    """The question which row along the training of a run counts."""
    words: dict[Steps, str] = {"last": "The last one counts", "best": "The best one", "mean": "Their mean"}
    answers = [Answer(label, "steps", word) for word, label in words.items()]
    if _says_iteration(step):
        folds = tuple(one.name for one in (*instances, step))
        answers.append(Answer("They are folds or repeats", "fold", folds))
    found = f"{step.distinct} rows of {step.name!r}"
    return table.question("one row a run, or which of its steps counts", found, answers)


def _is_repeat(step: Column, known: Sequence[Column], values: Sequence[Column]) -> bool:
    """Do the scores of many runs neither rise nor fall along the iterations, so that these are repeats?"""
    if not _says_iteration(step):
        return False
    key = _key(known, len(step))
    ranks = pd.DataFrame({"step": step.parsed.value, "value": values[0].parsed.value}).groupby(key).rank()
    gaps = ranks - ranks.groupby(key).transform("mean")
    sums = (gaps.assign(both=gaps["step"] * gaps["value"]) ** [2, 2, 1]).groupby(key).sum()
    trends = (sums["both"] / np.sqrt(sums["step"] * sums["value"])).dropna()
    return len(trends) >= FEWEST_TRENDS and abs(float(trends.mean())) <= LARGEST_TREND


def _finer(known: Sequence[Column], candidates: Iterable[Column], rows: int) -> tuple[list[Column], bool]:
    """Of the candidates, the columns that are needed to distinguish rows; do some rows stay alike?"""
    chosen: list[Column] = []
    key = group_numbers([one.names for one in known], rows)
    for column in candidates:
        if not repeats(key):
            break
        finer = group_numbers([one.names for one in (*known, *chosen, column)], rows)
        if count_groups(finer) > count_groups(key):
            chosen, key = [*chosen, column], finer
    return chosen, repeats(key)


def _further(known: Sequence[Column], roles: Roles, rows: int) -> list[Column]:
    """Further columns by which all runs differ: one if it suffices, else several; none if all do not
    suffice."""
    described = [combined(part) for part in (roles.dataset, roles.method) if part]
    usable = [
        one
        for one in roles.spare
        if 1 < one.distinct <= MOST_LEVELS
        and (one.kind == "text" or one.is_whole)
        and not any(determines(part, one.names) for part in described)
    ]
    if roles.across != "metric":  # methods stand across: only what belongs to datasets tells rows apart
        usable = [one for one in usable if names.is_called(one.name, *OF_DATASETS)]
    liked = named(usable, names.METHODS + sum(OF_DATASETS, ()))
    texts = [one for one in without(usable, liked) if one.kind == "text"]
    ordered = [*liked, *sorted(texts, key=lambda one: one.distinct)]
    for candidates in [*([one] for one in ordered), ordered]:
        chosen, is_open = _finer(known, candidates, rows)
        if not is_open:
            return chosen
    return []


class DatasetFacts(NamedTuple):
    """Properties of datasets, by dataset: see ScoreFile. paths: `dataset/task` of each task, where a column
    says which dataset it is of."""

    factors: Mapping[str, Mapping[str, str]] = {}
    families: Mapping[str, str] = {}
    sizes: Mapping[str, int] = {}
    paths: Mapping[str, str] = {}


def dataset_facts(roles: Roles, notes: Notes) -> DatasetFacts:
    """Properties of datasets in the columns of no role; further ones are left out, with the reason."""
    dataset, spare = roles.dataset, roles.spare
    if not dataset:
        _leave_out(spare, roles, notes)
        return DatasetFacts()
    by = combined(dataset)
    many = len(by.categories)
    tasks = named(dataset, names.TASKS)[:1]
    beside = named(without([*dataset, *spare], tasks), names.OF_TASKS)[:1] if tasks else []
    # One dataset, or one family, in every row says that all tasks are of it.
    holder = [one for one in beside if determines(by, one.names) and 1 <= one.distinct < many]
    paths: dict[str, str] = {}
    if holder:
        datasets, tasks_of = _levels(by, holder[0]), _levels(by, tasks[0])
        paths = {name: task_path(datasets[name], tasks_of[name]) for name in datasets}
    elif tasks and len(dataset) == 1:
        paths = task_paths(tuple(by.categories))
    constant = [one for one in without(spare, holder) if one.distinct > 1 and determines(by, one.names)]
    sizes = [one for one in named([*constant, *dataset], names.SIZES) if one.is_whole][:1]
    alone = [one for one in without(spare, holder) if one.distinct == 1]
    families = [one for one in named([*constant, *alone], names.FAMILIES) if one.distinct < many][:1]
    parts = dataset if len(dataset) > 1 and not holder else ()
    factors = [one for one in constant if one.distinct <= min(MOST_FACTOR_LEVELS, many - 1)]
    factors = [*without(parts, sizes), *without(factors, [*sizes, *families])]
    if families:
        notes.take("family", families[0].name, "name")
    _leave_out(without(spare, [*families, *holder]), roles, notes)
    path = {name: paths.get(name, name) for name in by.categories}
    levels = {one.name: _levels(by, one, path) for one in factors}
    of_family = next((_levels(by, one, path) for one in (*families, *parts[:1])), {})
    of_size = _levels(by, sizes[0], path) if sizes else {}
    return DatasetFacts(
        {name: {key: one[name] for key, one in levels.items() if name in one} for name in path.values()}
        if factors
        else {},
        of_family,
        {name: int(float(text)) for name, text in of_size.items()},
        paths,
    )


def _levels(by: pd.Categorical, column: Column, path: Mapping[str, str] | None = None) -> dict[str, str]:
    """The text of a column for each dataset that has one. path: what datasets are called, if otherwise."""
    known = (by.codes >= 0) & (column.names.codes >= 0)
    first = pd.Series(column.names.codes[known]).groupby(by.codes[known]).first()
    found = {by.categories[code]: column.levels[place] for code, place in first.items()}
    return {path[name] if path else name: text for name, text in found.items()}


def _leave_out(columns: Sequence[Column], roles: Roles, notes: Notes) -> None:
    """Note why each column is not used, those of one reason together."""
    datasets, methods = (combined(part) if part else None for part in (roles.dataset, roles.method))
    reasons: dict[str, list[str]] = {}
    for column in columns:
        if column.distinct < 2:
            reason = "the same in every row"
        elif datasets is not None and determines(datasets, column.names):
            reason = "one value a dataset"
        elif methods is not None and determines(methods, column.names):
            reason = "one value a method"
        else:
            reason = "no scores by their names" if column.kind == "number" else "texts"
        reasons.setdefault(reason, []).append(column.name or "a column without a name")
    for reason, found in reasons.items():
        notes.leave("column", found, reason, option="value" if reason.startswith("no scores") else "")
