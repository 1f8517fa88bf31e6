"""Roles of the columns of a long table, by options first, then by names, then by contents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from delvecore.losses.metrics import known_metric
from delvecore.readers.labels import task_path, task_paths
from delvecore.score_tables import names
from delvecore.score_tables.column_roles import ask_unread, is_open_score, shortened
from delvecore.score_tables.options import ROWS, Answer, Question, ScoreOptions
from delvecore.score_tables.score_file import OF_GROUPS, Notes, Why
from delvecore.score_tables.table import (
    Column,
    Table,
    combined,
    count_groups,
    determines,
    group_numbers,
    listed_columns,
    repeats,
)

MOST_METRICS = 100
MOST_LEVELS = 200
"""Largest number of levels of a column that is joined to the names of methods or datasets."""
MOST_FACTOR_LEVELS = 50
LEAST_COMPLETE = 0.3
"""Least share of all combinations that must occur for two columns to be datasets and methods."""
FEWEST_TRENDS, LARGEST_TREND = 20, 0.1
"""Runs needed to judge whether scores have a trend, and the mean rank correlation up to which they have
none."""
FEWEST_GAPS = 6
"""Differences between consecutive rows of runs that are needed to judge whether times grow during a run."""
OF_DATASETS = (names.DATASETS, names.SIZES, names.PROPERTIES, names.HORIZONS, names.FAMILIES)
"""Names of columns that distinguish tasks, but not methods."""
STEPS = {"last": "The last one counts", "best": "The best one", "mean": "Their mean"}

Columns = tuple[Column, ...]


@dataclass(frozen=True)
class Roles:
    """The columns of a table by role.

    Attributes
    ----------
    dataset, method : Columns
        Columns that name datasets and methods, none if there is only one.
    instances : Columns
        Columns that distinguish folds or seeds.
    metric : Column or None
        The column that names metrics.
    values : Columns
        Columns of scores.
    names_across : tuple of str
        Names of these columns.
    across : Literal['metric', 'method', 'dataset']
        The kind of these names: a metric in a long table, a method in a wide one, a dataset in a transposed
        one.
    spreads : tuple of Column or None
        Column of standard deviations for each column of scores.
    corner : str
        The metric in the header cell above the names of rows.
    seconds, megabytes : Column or None
        Columns of costs.
    case, group : Column or None
        Columns of test cases, each with its own score, and of their groups.
    spare : Columns
        Columns without a role.
    step : Column or None
        The column of epochs or steps of a run.
    """

    dataset: Columns
    method: Columns
    instances: Columns
    metric: Column | None
    values: Columns
    spreads: tuple[Column | None, ...]
    names_across: tuple[str, ...]
    across: Literal["metric", "method", "dataset"] = "metric"
    corner: str = ""
    seconds: Column | None = None
    megabytes: Column | None = None
    spare: Columns = ()
    case: Column | None = None
    group: Column | None = None
    step: Column | None = None


def named(columns: Iterable[Column], words: tuple[str, ...]) -> list[Column]:
    """Return the columns whose names are in a list, the most specific name first."""
    listed = [column for column in columns if column.is_called(words)]
    return sorted(listed, key=lambda column: words.index(names.folded(column.name)))


def without(columns: Iterable[Column], omitted: Iterable[Column | None]) -> list[Column]:
    identities = {*map(id, omitted)}
    return [column for column in columns if id(column) not in identities]


def option_columns(table: Table, name: str | None) -> list[Column]:
    """Return the columns that an option names, several joined by `+`."""
    parts = [] if name is None else [name] if table.has(name) else name.split("+")
    return [*map(table.column, parts)]


def metric_column(columns: Sequence[Column]) -> Column | None:
    """Return the column of metrics, which has such a name or mostly contains names of known metrics."""
    texts = [one for one in columns if one.kind == "text" and one.distinct <= MOST_METRICS]
    texts = [one for one in texts if not is_status(one)]
    for column in texts:
        if names.ends_with(column.name, names.METRIC_WORDS) and not column.is_mostly_numbers:
            return column
    for column in [*named(texts, names.METRICS), *texts]:
        is_named = column.is_called(names.METRICS)
        metrics = [one for one in column.levels if names.is_metric(one) or (is_named and known_metric(one))]
        if 2 * len(metrics) >= column.distinct:
            return column
    return None


def is_status(column: Column) -> bool:
    """Do the texts of a column report how runs ended?"""
    is_named = column.is_called(names.STATUSES) or names.ends_with(column.name, ("status", "result"))
    return is_named and column.kind == "text"


def says_step(column: Column) -> bool:
    """Does the name of a column mean epochs, steps or iterations?"""
    is_step = column.is_called(names.STEPS) or names.ends_with(column.name, names.STEP_WORDS)
    return is_step or _says_iteration(column)


def _says_iteration(column: Column) -> bool:
    is_last = not {*column.words[-1:]}.isdisjoint(names.ITERATIONS)
    return is_last and {*names.RESAMPLING}.isdisjoint(column.words)


def step_column(table: Table, columns: Iterable[Column], options: ScoreOptions) -> Column | None:
    """Return the column of epochs or steps along the training of a run, unless an option names it.

    An iteration next to a column of a resampling or `learner_id`, as in tables of mlr3, is a repeat."""
    used = (*options.keep, *options.fold, *options.value, options.dataset, options.method)
    has_resampling = any(one.is_called(names.RESAMPLING) for one in table.columns)
    steps = (one for one in columns if says_step(one) and one.name not in used)
    steps = (one for one in steps if not (has_resampling and _says_iteration(one)))
    return next((one for one in steps if one.is_whole and one.distinct > 1), None)


def counted_rows(table: Table, name: str, first: int = 0) -> Column:
    """Return a new column of row numbers."""
    return Column(name, pd.Series(np.arange(first, table.rows + first), index=table.frame.index))


def fold_columns(table: Table, options: ScoreOptions) -> list[Column]:
    """Return the columns of folds that the caller names; `rows` means that each row is a fold."""
    if options.fold == (ROWS,) and not table.has(ROWS):
        return [counted_rows(table, "fold")]
    return [*map(table.column, options.fold)]


def instance_columns(columns: Iterable[Column]) -> list[Column]:
    """Return the columns whose names mean folds or seeds, and that contain whole numbers or labels."""
    return [one for one in named(columns, names.INSTANCES) if one.is_text or one.has_whole_numbers]


def spread_of(value: Column, columns: Iterable[Column]) -> Column | None:
    """Return the column with the standard deviations of another: `acc_std` for `acc_mean` or `acc`."""
    base = [word for word in value.words if word not in names.MEANS]
    for column in columns:
        rest = [word for word in column.words if word not in names.DEVIATIONS]
        is_marked = len(rest) < len(column.words) or column.name.rstrip().endswith("±")
        if column is not value and column.kind == "number" and is_marked and rest == base:
            return column
    return None


class _Free(list[Column]):
    """The columns without a role so far."""

    def take(self, columns: Iterable[Column | None]) -> Columns:
        taken = tuple(column for column in columns if column is not None)
        self[:] = without(self, taken)
        return taken

    def best(self, words: tuple[str, ...]) -> Columns:
        """Take the column whose name, or its last word as in `params.dataset`, is the most specific."""
        columns = sorted(named(self, words), key=lambda one: one.distinct < 2)
        columns += [one for one in self if one.is_text and names.ends_with(one.name, words)]
        return self.take(columns[:1])

    def number(self, words: tuple[str, ...]) -> Column | None:
        """Take the numeric column with the most specific name."""
        columns = [one for one in named(self, words) if one.kind == "number"]
        return next(iter(self.take(columns[:1])), None)


def long_roles(table: Table, options: ScoreOptions, notes: Notes, *, metrics: bool = True) -> Roles:
    """Return the roles of the columns of a long table.

    `metrics` permits a column that names metrics. Raises ParseError, Question.
    """
    free = _Free(table.filled)
    dataset, method = (free.take(option_columns(table, name)) for name in (options.dataset, options.method))
    values, instances = free.take(map(table.column, options.value)), free.take(fold_columns(table, options))
    is_column = options.metric is not None and table.has(options.metric)
    metric = table.column(options.metric or "") if is_column else metric_column(free)
    metric = None if not metrics or (is_column and metric and metric.is_mostly_numbers) else metric
    free.take([metric])
    why: dict[str, Why] = {"dataset": "said" if dataset else "name", "method": "said" if method else "name"}
    method = method or free.best(names.METHODS)
    dataset = dataset or free.best(names.DATASETS) or (() if options.case else free.best(names.LAST_DATASETS))
    case, group = _cases(table, free, [*dataset, *method], options, notes)
    step = next(iter(free.take([step_column(table, free, options)])), None)
    instances = instances or free.take(instance_columns(free))
    if not dataset or not method:
        dataset, method = _by_content(free, dataset, method, why)
    for role, columns in (("dataset", dataset), ("method", method)):
        taken = " + ".join(one.name or "column without a name" for one in columns)
        others = [one.name for one in free if one.is_label] if why[role] == "content" else []
        notes.take(role, taken or "only one, named by the file", why[role], others=others, option=role)
    costs = [free.number(names.SECONDS), free.number(names.MEGABYTES)]
    if not values and costs[0] and not any(one.is_mostly_numbers for one in free):
        values, costs[0] = (costs[0],), None  # solvers are compared by their times
    unread = named(free, names.VALUES) + [one for one in free if names.is_metric(one.name)]
    ask_unread(table, [one for one in unread if not is_status(one)])
    values = values or free.take(_values(table, free, metric, dataset, method))
    spreads = tuple(spread_of(column, free) for column in values)
    free.take(spreads)
    if any(spreads):
        notes.take("spread", ", ".join(one.name for one in spreads if one), "name", option="keep")
    for cost in filter(None, costs):
        notes.take("cost", cost.name, "name")
    if metric is not None:
        notes.take("metric", metric.name, "said" if options.metric else "name", option="metric")
    is_named = all(names.is_metric(one.name) or one.is_called(names.VALUES) for one in values)
    others = [] if options.value or is_named else [one.name for one in free if one.kind == "number"]
    across = tuple(one.name for one in values)
    reason: Why = "said" if options.value else "name" if is_named else "content"
    notes.take("value", ", ".join(across), reason, others=others, option="value")
    roles = Roles(dataset, method, instances, metric, values, spreads, across, spare=tuple(free), case=case)
    roles = replace(roles, group=group, step=step, seconds=costs[0], megabytes=costs[1])
    return told_apart(table, roles, options, notes)


def _cases(
    table: Table, free: _Free, labels: Sequence[Column], options: ScoreOptions, notes: Notes
) -> tuple[Column | None, Column | None]:
    """Take the column of test cases, and that of their groups. Raises ParseError for a case in two groups."""
    cases = free.take(option_columns(table, options.case))
    if not cases and options.case is None and labels and repeats(_key(labels, table.rows)):
        cases = free.take(named(free, names.CASES)[:1])
    groups = free.take(option_columns(table, options.group))
    if groups and not cases:
        remedy = "name the column, or leave out the groups"
        raise table.fault("a column of test cases next to that of their groups", "none", remedy)
    if not cases:
        return None, None
    notes.take("test case", cases[0].name, "said" if options.case else "name", option="case")
    groups = groups or free.take(named(free, names.GROUPS)[:1])
    if not groups:
        return cases[0], None
    of_cases = combined([*(one for one in labels if not one.is_called(names.METHODS)), *cases])
    codes = groups[0].names.codes
    first = pd.Series(codes).groupby(of_cases.codes).transform("first").to_numpy()
    differ = (first != codes) & (of_cases.codes >= 0)
    if not differ.any():
        notes.take(OF_GROUPS, groups[0].name, "said" if options.group else "name", option="group")
        return cases[0], groups[0]
    if options.group:
        row = int(differ.argmax())
        actual = f"{cases[0].names[row]!r} in more than one"
        raise table.fault("each test case in one group", actual, row=int(table.frame.index[row]))
    free.extend(groups)
    return cases[0], None


def _by_content(
    free: _Free, dataset: Columns, method: Columns, why: dict[str, Why]
) -> tuple[Columns, Columns]:
    """Return the two label columns with the most complete combinations. Datasets are the column with more
    labels."""
    named_one = (dataset or method)[:1]
    unnamed = [one for one in free if one.is_text and not one.name and one.distinct == len(one)]
    if unnamed and not named_one:
        why.update(method="content")
        return (), free.take(unnamed[:1])
    labels = sorted((one for one in free if one.is_label), key=lambda one: -one.distinct)
    pairs = [(named_one[0], one) for one in labels] if named_one else [*combinations(labels, 2)]
    shares = [_completeness(*pair) for pair in pairs]
    pair = pairs[int(np.argmax(shares))] if max(shares, default=0) >= LEAST_COMPLETE else ()
    if not named_one:
        why.update(dataset="content", method="content")
        return free.take(pair[:1]), free.take(pair[1:] if pair else labels[:1])
    chosen = free.take(pair[1:])
    if chosen:
        why["method" if dataset else "dataset"] = "content"
    return dataset or chosen, method or chosen


def _completeness(one: Column, other: Column) -> float:
    """Return the share of all combinations of two columns that occur; 0 if one determines the other."""
    if determines(one.names, other.names) or determines(other.names, one.names):
        return 0.0
    return count_groups(_key([one, other], len(one))) / max(one.distinct * other.distinct, 1)


def _values(
    table: Table, columns: Sequence[Column], metric: Column | None, dataset: Columns, method: Columns
) -> Sequence[Column]:
    """Return the columns of scores: metrics, names like `value`, or the only numbers. Raises Fault."""
    numbers = [one for one in columns if one.is_mostly_numbers or (one.has_failures_only and _is_score(one))]
    numbers = [one for one in numbers if not one.is_called(names.COUNTS, names.IDENTIFIERS, names.P_VALUES)]
    generic = named(numbers, names.VALUES)
    times = [one for one in numbers if "time" in one.words or one.is_called(names.SECONDS)]
    metrics = [one for one in without(numbers, times) if names.is_metric(one.name)]
    if (dataset and method) or not metrics:  # words such as `error` in other names
        beside = without(numbers, [*times, *metrics, *(spread_of(one, columns) for one in metrics)])
        hinted = [one for one in beside if names.only_direction(one.name) is not None]
        metrics += [one for one in hinted if one.has_failures_only or not one.has_whole_numbers]
    ends = [one for one in numbers if names.ends_with(one.name, ("value", "score"))]
    by_dataset, by_method = (combined(one) if one else None for one in (dataset, method))
    if metric is not None and (chosen := (generic or metrics or ends or numbers)[:1]):
        is_sure = generic or metrics or ends
        return chosen if is_sure else _only(table, [one for one in numbers if one.distinct > 1]) or chosen
    if metrics and dataset and method:
        beside = [one for one in without(numbers, metrics) if is_open_score(one, by_dataset, by_method)]
        beside = without(beside, [spread_of(one, columns) for one in [*metrics, *beside]])
        return _only(table, [*metrics[:1], *beside] if beside else []) or metrics
    if chosen := metrics or generic or ends[:1]:
        return chosen
    chosen = [one for one in numbers if one.distinct > 1 and not one.counts_rows]
    chosen = [one for one in chosen if by_dataset is None or not determines(by_dataset, one.names)]
    chosen = without(chosen, [spread_of(one, columns) for one in chosen])
    if not chosen:
        remedy = "write numbers into one of them, or say which column holds the scores"
        expected = "a column of scores that are numbers"
        raise table.fault(expected, listed_columns(table.columns[:8]), remedy)
    return _only(table, chosen, may_be_wide=not method) or chosen


def _is_score(column: Column) -> bool:
    """Is a name that of a metric, or does it contain one?"""
    return names.is_metric(column.name) or names.only_direction(column.name) is not None


def _only(table: Table, columns: Sequence[Column], *, may_be_wide: bool = False) -> Sequence[Column]:
    """Return the one column of scores.

    `may_be_wide` is true if each column may be a method. Raises Question if there are several.
    """
    if len(columns) > 1:
        listed = [one.name for one in columns]
        answers = [Answer(f"{name} is the score", "value", (name,)) for name in listed[:6]]
        answers += [Answer("Each column is a method", "transpose", False)] * may_be_wide
        raise table.question("one column of scores, or known metrics", shortened(listed), answers)
    return columns


def told_apart(table: Table, roles: Roles, options: ScoreOptions, notes: Notes) -> Roles:
    """Keep the instance columns that distinguish runs. If they do not suffice, extend the labels."""
    rows = table.rows
    labels = [*roles.dataset, *roles.method, *filter(None, (roles.metric, roles.case))]
    if rows > 1 and not labels and not roles.instances and roles.step is None:
        notes.take("instance", "each row is a fold", "content", option="fold")
        return replace(roles, instances=(counted_rows(table, "fold"),))
    chosen = list(roles.instances) if options.fold else []
    needed, is_open = _finer([*labels, *chosen], () if options.fold else roles.instances, rows)
    # If each fold has a separate file, `fold 0` distinguishes nothing within its file.
    chosen = chosen or needed or [one for one in roles.instances[:1] if one.distinct == 1]
    if chosen:
        taken = " + ".join(one.name for one in chosen)
        notes.take("instance", taken, "said" if options.fold else "name", option="fold")
    unneeded = [one.name for one in without(roles.instances, chosen)]
    notes.leave("column", unneeded, "not needed to distinguish runs", option="fold")
    roles = replace(roles, instances=tuple(chosen))
    if options.fold == (ROWS,) and not table.has(ROWS) and labels and not repeats(_key(labels, rows)):
        actual = f"a name for each row in {labels[0].name!r}"
        raise table.fault("rows without names, as the option fold requires", actual, "leave the option out")
    if is_open and roles.step is None and roles.seconds and _rises(roles.seconds, [*labels, *chosen]):
        roles = replace(roles, step=roles.seconds, seconds=None)
    if options.steps and roles.step is None and not any(map(says_step, table.columns)):
        expected = "a column of epochs or steps, as the option steps requires"
        raise table.fault(expected, listed_columns(table.columns[:8]), "leave it out")
    if (step := roles.step) is not None:
        if not is_open or not _finer([*labels, *chosen], [step], rows)[0]:
            roles = replace(roles, step=None, spare=(*roles.spare, step))
        elif options.steps is not None:
            notes.take("steps", f"the {options.steps} of {step.name}", "said", option="steps")
            is_open = False
        elif _is_repeat(step, [*labels, *chosen], roles.values):
            notes.take("instance", f"{step.name}, along which scores have no trend", "content")
            roles = replace(roles, instances=(*roles.instances, step), step=None)
            is_open = _finer(labels, roles.instances, rows)[1]
        else:
            answers = [Answer(label, "steps", word) for word, label in STEPS.items()]
            if _says_iteration(step):
                folds = tuple(one.name for one in (*chosen, step))
                answers.append(Answer("They are folds or repeats", "fold", folds))
            actual = f"{step.distinct} rows of {step.name!r}"
            raise table.question("one row per run, or the step of each run that counts", actual, answers)
    further = _further([*labels, *chosen], roles, rows) if is_open else []
    if classes := named(further, names.CLASSES):
        raise _which_class(table, classes[0], roles)
    if is_open and not further and not options.fold:
        _ask_runs(table, [*labels, *chosen], roles)
    for column in further:
        of_data = column.is_called(*OF_DATASETS) or bool(options.method)
        role = "dataset" if of_data and not options.dataset else "method"
        before: Columns = getattr(roles, role)
        taken = " + ".join(one.name for one in (*before, column))
        others = [" + ".join(one.name for one in before)] if before else []
        notes.take(role, f"{taken}, to distinguish runs", "content", others=others, option=role)
        changed: dict[str, Any] = {role: (*before, column)}
        roles = replace(roles, **changed, spare=tuple(without(roles.spare, [column])))
    return roles


def _ask_runs(table: Table, labels: Sequence[Column], roles: Roles) -> None:
    """Ask about a column of whole numbers that distinguishes runs, but is not called fold or seed."""
    key = _key(labels, table.rows)
    most = int(np.bincount(key[key >= 0]).max(initial=0))
    for column in roles.spare:
        is_alike = column.has_whole_numbers and 1 < column.distinct <= 2 * most
        if is_alike and not says_step(column) and not _finer(labels, [column], table.rows)[1]:
            name, answer = column.name or "without a name", (column.name,)
            answers = [Answer("They are folds or seeds", "fold", answer)]
            answers += [Answer("They are datasets", "dataset", column.name)] * (not roles.dataset)
            answers.append(Answer("Leave it out", "drop", answer))
            actual = f"{most} rows of one method on a dataset, and a column {name!r} that distinguishes them"
            raise table.question("one row of each method and run", actual, answers)


def _key(columns: Sequence[Column], rows: int) -> NDArray[np.int64]:
    return group_numbers([one.names for one in columns], rows)


def _rises(times: Column, labels: Sequence[Column]) -> bool:
    """Do times increase from row to row of each run, as during training?"""
    gaps = pd.Series(times.parsed.value).groupby(_key(labels, len(times))).diff().dropna()
    return len(gaps) >= FEWEST_GAPS and bool((gaps > 0).all())


def _which_class(table: Table, column: Column, roles: Roles) -> Question:
    """Return the question about scores of single classes, which are neither datasets nor methods."""
    joined = "+".join(one.name for one in (*roles.dataset, column))
    wheres = {level: ((column.name, (level,)),) for level in column.levels[:2]}
    answers = [Answer("Each class counts as a dataset", "dataset", joined)]
    answers += [Answer(f"Only {level} counts", "where", where) for level, where in wheres.items()]
    actual = f"a row for each of {column.distinct} classes in {column.name!r}"
    return table.question("one row per run, and not one per class", actual, answers)


def _is_repeat(step: Column, labels: Sequence[Column], values: Sequence[Column]) -> bool:
    """Do most runs have no trend over the iterations, so that iterations are repeats?"""
    if not _says_iteration(step):
        return False
    key = _key(labels, len(step))
    ranks = pd.DataFrame({"step": step.parsed.value, "value": values[0].parsed.value}).groupby(key).rank()
    gaps = ranks - ranks.groupby(key).transform("mean")
    sums = (gaps.assign(both=gaps["step"] * gaps["value"]) ** [2, 2, 1]).groupby(key).sum()
    trends = (sums["both"] / np.sqrt(sums["step"] * sums["value"])).dropna()
    return len(trends) >= FEWEST_TRENDS and abs(float(trends.mean())) <= LARGEST_TREND


def _finer(labels: Sequence[Column], candidates: Iterable[Column], rows: int) -> tuple[list[Column], bool]:
    """Return the candidates that are needed to distinguish rows, and whether some rows are still not
    distinct."""
    chosen: list[Column] = []
    key = _key(labels, rows)
    for column in candidates:
        if not repeats(key):
            break
        finer = _key((*labels, *chosen, column), rows)
        if count_groups(finer) > count_groups(key):
            chosen, key = [*chosen, column], finer
    return chosen, repeats(key)


def _further(labels: Sequence[Column], roles: Roles, rows: int) -> list[Column]:
    """Return the smallest set of further columns that distinguishes all runs; empty if there is none."""
    described = [combined(part) for part in (roles.dataset, roles.method) if part]
    usable = [one for one in roles.spare if one.kind == "text" or one.is_whole]
    usable = [one for one in usable if 1 < one.distinct <= MOST_LEVELS]
    usable = [one for one in usable if not any(determines(part, one.names) for part in described)]
    if roles.across != "metric":  # methods are columns: only what belongs to datasets distinguishes rows
        usable = [one for one in usable if one.is_called(*OF_DATASETS)]
    liked = named(usable, names.METHODS + sum(OF_DATASETS, ()))
    texts = [one for one in without(usable, liked) if one.kind == "text"]
    ordered = [*liked, *sorted(texts, key=lambda one: one.distinct)]
    for candidates in [*([one] for one in ordered), ordered]:
        chosen, is_open = _finer(labels, candidates, rows)
        if not is_open:
            return chosen
    return []


def paths_of_tasks(roles: Roles) -> tuple[dict[str, str], list[Column]]:
    """Return the path `dataset/task` of each task by its name, and the column of datasets, if any."""
    dataset = roles.dataset
    tasks = named(dataset, names.TASKS)[:1]
    if not tasks:
        return {}, []
    by = combined(dataset)
    beside = named(without([*dataset, *roles.spare], tasks), names.OF_TASKS)[:1]
    # One dataset, or one family, in every row means that all tasks belong to it.
    holder = [one for one in beside if determines(by, one.names) and 1 <= one.distinct < len(by.categories)]
    if holder:
        datasets, tasks_of = _levels(by, holder[0]), _levels(by, tasks[0])
        return {name: task_path(datasets[name], tasks_of[name]) for name in datasets}, holder
    return (task_paths(tuple(by.categories)) if len(dataset) == 1 else {}), []


Facts = tuple[Mapping[str, Mapping[str, str]], Mapping[str, str], Mapping[str, int]]
"""Factors, families and sizes of training sets by dataset: see ScoreFile."""


def dataset_facts(roles: Roles, paths: Mapping[str, str], holder: Sequence[Column], notes: Notes) -> Facts:
    """Return properties of datasets in columns without a role. paths, holder: see `paths_of_tasks`."""
    dataset, spare = roles.dataset, roles.spare
    if not dataset:
        _leave_out(spare, roles, notes)
        return {}, {}, {}
    by = combined(dataset)
    many = len(by.categories)
    spare = tuple(without(spare, holder))
    constant = [one for one in spare if one.distinct > 1 and determines(by, one.names)]
    alone = [one for one in spare if one.distinct == 1]
    sizes = [one for one in named([*constant, *dataset], names.SIZES) if one.is_whole][:1]
    families = [one for one in named([*constant, *alone], names.FAMILIES) if one.distinct < many][:1]
    parts = dataset if len(dataset) > 1 and not holder else ()
    factors = [one for one in constant if one.distinct <= min(MOST_FACTOR_LEVELS, many - 1)]
    factors = [*without(parts, sizes), *without(factors, [*sizes, *families])]
    if families:
        notes.take("family", families[0].name, "name")
    _leave_out(without(spare, families), roles, notes)
    path = {name: paths.get(name, name) for name in by.categories}
    levels = {one.name: _levels(by, one, path) for one in factors}
    of_family = next((_levels(by, one, path) for one in (*families, *parts[:1])), {})
    of_size = _levels(by, sizes[0], path) if sizes else {}
    of_name = {name: {key: one[name] for key, one in levels.items() if name in one} for name in path.values()}
    numbers = {name: int(float(text)) for name, text in of_size.items()}
    return of_name if factors else {}, of_family, numbers


def _levels(by: pd.Categorical, column: Column, path: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the text of a column for each dataset that has one. path: names of datasets, if they differ."""
    there = (by.codes >= 0) & (column.names.codes >= 0)
    first = pd.Series(column.names.codes[there]).groupby(by.codes[there]).first()
    texts = {by.categories[code]: column.levels[place] for code, place in first.items()}
    return {path[name] if path else name: text for name, text in texts.items()}


def _leave_out(columns: Sequence[Column], roles: Roles, notes: Notes) -> None:
    """Note why each column is not used, grouped by reason."""
    labels = {"dataset": roles.dataset, "method": roles.method}
    by = {role: combined(part) for role, part in labels.items() if part}
    reasons: dict[str, list[str]] = {}
    for column in columns:
        reason = "not named like scores" if column.kind == "number" else "texts"
        of = next((role for role, part in by.items() if determines(part, column.names)), None)
        reason = reason if of is None else f"one value per {of}"
        reason = reason if column.distinct > 1 else "the same in every row"
        reasons.setdefault(reason, []).append(column.name or "a column without a name")
    for reason, listed in reasons.items():
        notes.leave("column", listed, reason, option="value" if reason.startswith("not named") else "")
