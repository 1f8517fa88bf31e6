"""Wide tables: a row per dataset and a column per method, or transposed."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from delvecore.score_tables import names
from delvecore.score_tables.column_roles import NO_SCORES, ask, ask_unread, judge_columns
from delvecore.score_tables.options import ROWS, Answer, ScoreOptions
from delvecore.score_tables.roles import (
    Roles,
    counted_rows,
    fold_columns,
    instance_columns,
    is_status,
    metric_column,
    named,
    option_columns,
    spread_of,
    step_column,
    told_apart,
    without,
)
from delvecore.score_tables.score_file import Notes, Why
from delvecore.score_tables.summaries import is_summary_column, without_summary_rows
from delvecore.score_tables.table import Column, Table

DATASETS_DOWN = Answer("Rows are datasets", "transpose", False)
METHODS_DOWN = Answer("Rows are methods", "transpose", True)


def is_wide(table: Table, options: ScoreOptions) -> bool:
    """Does each of several columns hold the scores of one method, or of one dataset? Raises Question."""
    if options.method or options.value or (options.metric and table.has(options.metric)):
        return False
    if options.transpose is not None:
        return True
    columns, methods = table.filled, _method_columns(table)
    datasets = named(without(columns, methods), names.DATASETS if methods else names.ROWS)
    numbers = _may_be_scores(table, options)
    metrics = [one for one in numbers if names.says_metric(one.name) and one.name not in options.keep]
    metrics = [one for one in metrics if not is_summary_column(one, without(numbers, [one]))]
    if len(numbers) == 1 and names.only_direction(numbers[0].name) is not None:
        return False  # words of a metric in another name
    has_row_names = any(map(_names_rows, [*datasets, *methods]))
    if len(numbers) < (1 if datasets and not methods else 2) or len(metrics) == len(numbers):
        return False
    if methods and (datasets or not _names_rows(methods[0])):
        return False
    first = [one for one in columns if one.is_text][:1]
    if metrics and (has_row_names or any(not one.name and _names_rows(one) for one in first)):
        listed = tuple(one.name for one in metrics)
        others = ", ".join(repr(one.name) for one in without(numbers, metrics)[:3])
        actual = f"{', '.join(map(repr, listed[:3]))}, known as metrics, next to {others}"
        keep = Answer("Each column is a method or dataset", "keep", listed)
        answers = [keep, Answer(f"Only {listed[0]} is a score", "value", listed[:1])]
        raise table.question("columns that are all methods (or datasets), or all metrics", actual, answers)
    if metrics and 2 * len(metrics) >= len(numbers):
        return False
    if not methods and 2 * sum(one.is_called(names.ALGORITHMS) for one in numbers) >= len(numbers):
        return True
    labels = [one for one in without(columns, [*datasets, metric_column(columns)]) if one.is_label]
    labels = [one for one in labels if not one.is_called(names.HORIZONS, names.INSTANCES)]
    is_one = len([one for one in labels if not is_status(one)]) < (1 if datasets else 2)
    return bool(methods) or has_row_names or is_one


def _may_be_scores(table: Table, options: ScoreOptions) -> list[Column]:
    """Return the numeric columns without names of costs, sizes, counts, values, labels or folds."""
    lists = (*NO_SCORES, names.VALUES, names.DATASETS)
    numbers = [one for one in table.filled if one.is_mostly_numbers]
    numbers = without(numbers, instance_columns(numbers))
    costs = [one for one in numbers if one.is_called(*lists) or names.is_cost(one.name)]
    numbers = without(numbers, [one for one in costs if one.name not in options.keep])
    numbers = without(numbers, [spread_of(one, numbers) for one in numbers if names.is_metric(one.name)])
    return without(numbers, [_numbered_methods(table.filled)])


def _method_columns(table: Table) -> list[Column]:
    """Return the columns that name methods, except columns that name the best method of each row."""
    numbers = {one.name for one in table.filled if one.is_mostly_numbers}
    listed = [one for one in table.filled if names.says(one.name, names.METHODS) and one.name not in numbers]
    listed = [one for one in listed if not numbers.issuperset(one.levels)]
    return [one for one in table.filled if one in (*listed, _numbered_methods(table.filled))]


def _numbered_methods(columns: Sequence[Column]) -> Column | None:
    """Return the column in which methods are numbers.

    Its values are decimal numbers in the first column, or few whole numbers next to fractions.
    """
    first, *others = columns
    is_label = first.is_called(names.METHODS) and first.is_mostly_numbers and not first.is_whole
    if is_label and not any(one.is_text or one.is_called(names.ROWS) for one in others):
        return first
    for column in named(columns, names.METHODS):
        beside = [one for one in without(columns, [column]) if one.is_mostly_numbers]
        is_coded = column.is_whole and 1 < column.distinct <= len(column) / 2
        if is_coded and any(not one.is_whole for one in beside):
            return column
    return None


def _names_rows(column: Column) -> bool:
    """Is the name of each row unique, if it has one?"""
    return column.distinct + int(np.count_nonzero(column.names.codes < 0)) == len(column)


def wide_roles(table: Table, options: ScoreOptions, notes: Notes) -> tuple[Table, Roles]:
    """Return the roles of a wide table, and the table without summaries. Raises ParseError, Question."""
    labels = option_columns(table, options.dataset) or _labels(table, options)
    label, others = labels[0] if labels else None, without(table.filled, labels)
    step = step_column(table, others, options)
    instances = fold_columns(table, options) or _instances(table, label, options, step)
    if label is None and not instances and step is None and options.transpose is None:
        listed = ", ".join(repr(one.name) for one in table.filled[:3])
        folds = Answer("Rows are folds of one dataset", "fold", (ROWS,))
        actual, answers = f"{table.rows} rows without names below {listed}", [DATASETS_DOWN, folds]
        raise table.question("rows that are datasets, or folds of one dataset", actual, answers)
    metric = metric_column(others)
    rest = without(others, [metric, *instances, step])
    counters = [one for one in rest if label and one.counts_rows and _is_identifier(one)]
    notes.leave("column", [one.name or "the first column" for one in counters], "row numbers")
    texts = [one for one in rest if not one.is_mostly_numbers and not one.has_failures_only]
    numbers = without(rest, [*counters, *texts])
    ask_unread(table, texts, are_scores=len(numbers) > 0)
    spreads = _spread_columns(table, numbers, options, notes)
    values = without(numbers, spreads.values())
    plain = {one.name: _plain(one.name) if one.name in spreads else one.name for one in values}
    if len({*plain.values()}) < len(plain):
        plain = {name: name for name in plain}
    turned, why = _orientation(table, label, [*plain.values()], options)
    rows, across = ("method", "dataset") if turned else ("dataset", "method")
    notes.take("shape", f"rows are {rows}s, columns are {across}s", why, option="transpose")
    if label is not None:
        table = without_summary_rows(table, label, values, options, notes)
    fresh = {column.name: column for column in table.columns}
    labels, values, texts = ([fresh[one.name] for one in part] for part in (labels, values, texts))
    metric, step = (fresh[one.name] if one else None for one in (metric, step))
    instances = [fresh.get(one.name, one) for one in instances]
    values, spare = _scores_among(table, values, labels, options, notes)
    if labels:
        taken = " + ".join(one.name or "the first column" for one in labels)
        notes.take(rows, taken, "said" if options.dataset else "name", option="dataset")
    elif not instances and step is None:
        labels = [counted_rows(table, "row", 1)]
    dataset, method = ([], labels) if turned else (labels, [])
    runs, scores = tuple(instances), tuple(values)
    beside = tuple(fresh[spreads[one.name].name] if one.name in spreads else None for one in values)
    names_across = tuple(plain[one.name] for one in values)
    roles = Roles(tuple(dataset), tuple(method), runs, metric, scores, beside, names_across, step=step)
    corner = labels[0].name if labels and names.is_metric(labels[0].name) else ""
    roles = replace(roles, corner=corner, spare=(*spare, *texts), across="dataset" if turned else "method")
    return table, told_apart(table, roles, options, notes)


def _scores_among(
    table: Table, columns: list[Column], labels: Sequence[Column], options: ScoreOptions, notes: Notes
) -> tuple[list[Column], list[Column]]:
    """Return the columns with scores of one kind, and the unused columns. Raises Question about all
    others."""
    judged = judge_columns(columns, options.keep, is_scaled=options.scale is not None)
    if labels and labels[0].distinct < table.rows:  # one row per dataset and horizon
        judged |= {one.name: "not used" for one in columns if one.is_called(names.HORIZONS)}
    ask(table, [name for name, role in judged.items() if role == "open"])
    scores, spare = ([one for one in columns if judged[one.name] == role] for role in ("score", "not used"))
    if not scores:
        remedy = "call its columns dataset, method and value, or name them in options"
        raise table.fault("columns of scores", "none", remedy)
    summaries = [name for name, role in judged.items() if role == "summary"]
    notes.leave("column", summaries, "summaries, by name and numbers", option="keep")
    return scores, spare


def _labels(table: Table, options: ScoreOptions) -> list[Column]:
    """Return the column that labels the rows: by its name, by its identifiers, or the first column of
    text."""
    of_runs = without(named(table.filled, names.INSTANCES), named(table.filled, names.ROWS + names.METHODS))
    texts = [one for one in without(table.filled, of_runs) if one.is_text]
    # The one that differs in each row, a task or its dataset, names the row.
    by_name = sorted(named(table.filled, names.ROWS), key=lambda one: one.distinct < table.rows)
    plain = [one for one in by_name if one.is_text or one.is_whole]
    # A header decides, whatever the row labels are.
    by_name = plain or named(without(by_name, plain), names.DATASETS + names.LAST_DATASETS)
    methods = [] if options.transpose is False and by_name else _method_columns(table)
    numbered = [one for one in without(table.filled, by_name) if one.is_whole]
    numbered = [one for one in numbered if _is_identifier(one) or one.is_called(names.METHODS)]
    numbered.sort(key=lambda one: one.counts_rows)
    return [*methods, *by_name, *texts, *numbered][:1]


def _is_identifier(column: Column) -> bool:
    """Is the column unnamed, or does its name mean row numbers, such as `id`, `index` or `openml_id`?"""
    is_plain = all(character.isalnum() or character in " _-.#:" for character in column.name)
    return not column.name or (is_plain and column.is_called(names.IDENTIFIERS))


def _instances(
    table: Table, label: Column | None, options: ScoreOptions, step: Column | None
) -> list[Column]:
    """Return the columns of folds or seeds. Raises Question if they may be methods."""
    columns = instance_columns(without(table.filled, [label, step]))
    columns = [one for one in columns if one.name not in options.keep]
    others = [one for one in without(table.filled, [*columns, label]) if one.is_mostly_numbers]
    if label is not None and label.distinct == table.rows and all(one.is_whole for one in others):
        unclear = [one.name for one in columns if one.kind == "number" and one.distinct > 1]
        ask(table, unclear, "methods, or folds and seeds")
    return columns


def _spread_columns(
    table: Table, columns: Sequence[Column], options: ScoreOptions, notes: Notes
) -> dict[str, Column]:
    """Return the column of spreads for each column of means, by name. Raises Question."""
    pairs = {one.name: spread_of(one, columns) for one in columns}
    spreads = {name: one for name, one in pairs.items() if one is not None and one.name not in options.keep}
    listed, others = [one.name for one in spreads.values()], without(columns, spreads.values())
    if spreads and 2 * len(spreads) < len(others):
        judged = judge_columns(others, options.keep)
        open_ones = [name for name, role in judged.items() if role == "open"]
        ask(table, [*dict.fromkeys([*open_ones, *listed])], "scores, or their spreads")
    if spreads:
        notes.take("spread", ", ".join(listed), "name", option="keep")
    return spreads


def _plain(name: str) -> str:
    """Return the name of a method without the word for a mean: `SVM` for `SVM_mean` or `mean(SVM)`."""
    words = [word for word in re.findall(r"[^\s_()\[\].]+", name) if word.lower() not in names.MEANS]
    return name if len(words) == len(names.words_of(name)) else " ".join(words) or name


def _orientation(
    table: Table, label: Column | None, across: Sequence[str], options: ScoreOptions
) -> tuple[bool, Why]:
    """Return whether rows are methods, and the reason. Raises Question if nothing shows it."""
    if options.transpose is not None:
        return options.transpose, "said"
    answers = [DATASETS_DOWN, METHODS_DOWN]
    if label is not None and {*label.levels} == {*across}:  # such as a table of p-values
        actual = f"rows and columns of the same names ({', '.join(label.levels[:3])})"
        raise table.question("datasets in one direction and methods in the other", actual, answers)
    if label is None or options.dataset:
        return False, "said" if options.dataset else "default"
    says_method, says_dataset = (names.says(label.name, one) for one in (names.METHODS, names.DATASETS))
    if says_method != says_dataset:
        return says_method, "name"
    rows = label.levels
    methods_down, datasets_down, methods_across, datasets_across = (
        any(names.is_called(one, words) for one in listed)
        for listed in (rows, across)
        for words in (names.ALGORITHMS, names.KNOWN_DATASETS)
    )
    as_methods, as_datasets = methods_down or datasets_across, datasets_down or methods_across
    if as_methods != as_datasets:
        return as_methods, "content"
    if len(across) > label.distinct or as_methods:
        actual = f"rows such as {rows[0]!r}, columns such as {across[0]!r}"
        raise table.question("rows that are datasets, or methods", actual, answers)
    return False, "default"
