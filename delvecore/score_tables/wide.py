"""Wide tables: a row a dataset and a column a method, or the other way round."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from delvecore.score_tables import names
from delvecore.score_tables.column_roles import NO_SCORES, Claim, ask, ask_unread, judge_columns
from delvecore.score_tables.options import ROWS, Answer, Question, ScoreOptions
from delvecore.score_tables.roles import (
    Roles,
    folds_said,
    is_instance,
    is_status,
    label_columns,
    metric_column,
    named,
    said,
    spread_of,
    step_column,
    texts_in,
    told_apart,
    without,
)
from delvecore.score_tables.score_file import Notes, Why
from delvecore.score_tables.summaries import is_summary_column, without_summary_rows
from delvecore.score_tables.table import Column, Table


def is_wide(table: Table, options: ScoreOptions) -> bool:
    """Does each of several columns hold the scores of one method, or of one dataset? Question."""
    if options.method or options.value or (options.metric and table.has(options.metric)):
        return False
    if options.transpose is not None:
        return True
    numbered = _numbered_methods(table.filled)
    methods = [one for one in table.filled if _names_methods(one) or one is numbered]
    datasets = named(without(table.filled, methods), names.DATASETS if methods else names.ROWS)
    numbers = _may_be_scores(table, options)
    metrics = [one for one in numbers if names.says_metric(one.name) and one.name not in options.keep]
    metrics = [one for one in metrics if not is_summary_column(one, without(numbers, [one]))]
    if len(numbers) == 1 and names.only_direction(numbers[0].name) is not None:
        return False  # words of a metric in another name
    unnamed = [one for one in texts_in(table.filled)[:1] if not one.name]
    has_row_names = any(_names_rows(one) for one in [*datasets, *methods])
    if len(numbers) < (1 if datasets and not methods else 2) or len(metrics) == len(numbers):
        return False
    if methods and (datasets or not _names_rows(methods[0])):
        return False
    if metrics and (has_row_names or any(map(_names_rows, unnamed))):
        raise _metrics_or_methods(table, metrics, without(numbers, metrics))
    if metrics and 2 * len(metrics) >= len(numbers):
        return False
    if not methods and 2 * sum(names.is_called(one.name, names.ALGORITHMS) for one in numbers) >= len(
        numbers
    ):
        return True
    beside = [one for one in table.filled if names.is_called(one.name, names.HORIZONS, names.INSTANCES)]
    labels = label_columns(without(table.filled, [*datasets, *beside, metric_column(table.filled)]))
    labels = [one for one in labels if not is_status(one)]
    return bool(methods) or has_row_names or len(labels) < (1 if datasets else 2)


def _may_be_scores(table: Table, options: ScoreOptions) -> list[Column]:
    """The columns of numbers whose names are none of costs, sizes, counts, values, names or folds."""
    lists = (*NO_SCORES, names.VALUES, names.DATASETS)
    numbers = [one for one in table.filled if one.is_mostly_numbers and not is_instance(one)]
    numbers = [one for one in numbers if one.name in options.keep or not _says_else(one, lists)]
    numbers = without(numbers, [spread_of(one, numbers) for one in numbers if names.is_metric(one.name)])
    return without(numbers, [_numbered_methods(table.filled)])


def _says_else(column: Column, lists: Sequence[tuple[str, ...]]) -> bool:
    return names.is_called(column.name, *lists) or names.is_cost(column.name)


def _metrics_or_methods(table: Table, metrics: Sequence[Column], others: Sequence[Column]) -> Question:
    listed = tuple(one.name for one in metrics)
    known = f"{', '.join(map(repr, listed[:3]))}, known as metrics"
    answers = [
        Answer("Each column is a method or dataset", "keep", listed),
        Answer(f"Only {listed[0]} is a score", "value", listed[:1]),
    ]
    return table.question(
        "columns that are all methods (or datasets), or all metrics",
        f"{known}, beside {', '.join(repr(one.name) for one in others[:3])}",
        answers,
    )


def _names_methods(column: Column) -> bool:
    return names.says(column.name, names.METHODS) and not column.is_mostly_numbers


def _numbered_methods(columns: Sequence[Column]) -> Column | None:
    """The column of methods that are called by numbers: the first one, if it holds decimal numbers, such as
    versions, where no other column names rows; or one of a few whole numbers beside fractions. Another column
    called so may hold the scores of a method called `model`."""
    first, *others = columns
    is_label = names.is_called(first.name, names.METHODS) and first.is_mostly_numbers and not first.is_whole
    if is_label and not texts_in(others) and not named(others, names.ROWS):
        return first
    for column in named(columns, names.METHODS):
        beside = [one for one in without(columns, [column]) if one.is_mostly_numbers]
        is_coded = column.is_whole and 1 < column.distinct <= len(column) / 2
        if is_coded and any(not one.is_whole for one in beside):
            return column
    return None


def _names_rows(column: Column) -> bool:
    """Does each row have a name of its own, if it has one?"""
    return column.distinct + int(np.count_nonzero(column.names.codes < 0)) == len(column)


def wide_roles(table: Table, options: ScoreOptions, notes: Notes) -> tuple[Table, Roles]:
    """Find the roles of the columns of a wide table; return the table without rows of summaries, too.

    ParseError where none holds scores; Question."""
    labels = said(table, options.dataset) or _labels(table, options)
    label = labels[0] if labels else None
    step = step_column(table, without(table.filled, labels), options)
    instances = folds_said(table, options) or _instances(table, label, options, step)
    if label is None and not instances and step is None and options.transpose is None:
        raise _datasets_or_folds(table)
    metric = metric_column(without(table.filled, labels))
    rest = without(table.filled, [*labels, metric, *instances, step])
    counters = [one for one in rest if label and one.counts_rows and _is_identifier(one)]
    notes.leave("column", [one.name or "the first column" for one in counters], "numbers of rows")
    texts = [one for one in rest if not one.is_mostly_numbers and not one.has_failures_only]
    numbers = without(rest, [*counters, *texts])
    ask_unread(table, texts, are_scores=len(numbers) > 0)
    spreads = spread_columns(table, numbers, options, notes)
    values = without(numbers, spreads.values())
    plain = {one.name: _plain(one.name) if one.name in spreads else one.name for one in values}
    if len({*plain.values()}) < len(plain):
        plain = {name: name for name in plain}
    turned, why = orientation(table, label, [*plain.values()], options)
    rows, across = ("method", "dataset") if turned else ("dataset", "method")
    notes.take("shape", f"rows are {rows}s, columns are {across}s", why, option="transpose")
    if label is not None:
        table = without_summary_rows(table, label, values, options, notes)
    again = {column.name: column for column in table.columns}
    labels = [again[one.name] for one in labels]
    scores, spare = _scores_among(table, [again[one.name] for one in values], labels, options, notes)
    if labels:
        taken = " + ".join(one.name or "the first column" for one in labels)
        notes.take(rows, taken, "said" if options.dataset else "name", option="dataset")
    elif not instances and step is None:
        counted = pd.Series(np.arange(1, table.rows + 1), index=table.frame.index)
        labels = [Column("row", counted)]
    roles = Roles(
        dataset=() if turned else tuple(labels),
        method=tuple(labels) if turned else (),
        instances=tuple(again.get(one.name, one) for one in instances),
        metric=again[metric.name] if metric is not None else None,
        values=tuple(scores),
        spreads=tuple(again[spreads[one.name].name] if one.name in spreads else None for one in scores),
        across="dataset" if turned else "method",
        names_across=tuple(plain[one.name] for one in scores),
        corner=labels[0].name if labels and names.is_metric(labels[0].name) else "",
        spare=(*spare, *(again[one.name] for one in texts)),
        step=again[step.name] if step is not None else None,
    )
    return table, told_apart(table, roles, options, notes)


def _datasets_or_folds(table: Table) -> Question:
    """The question what the rows of a table without names of rows are."""
    answers = [
        Answer("Rows are datasets", "transpose", False),
        Answer("Rows are folds of one dataset", "fold", (ROWS,)),
    ]
    names_of = ", ".join(repr(one.name) for one in table.filled[:3])
    found = f"{table.rows} rows without names below {names_of}"
    return table.question("rows that are datasets, or folds of one dataset", found, answers)


def _scores_among(
    table: Table, columns: list[Column], labels: Sequence[Column], options: ScoreOptions, notes: Notes
) -> tuple[list[Column], list[Column]]:
    """The columns that hold scores of one kind, and those that are not used. Question about all others."""
    claims = judge_columns(columns, options.keep, is_scaled=options.scale is not None)
    if labels and labels[0].distinct < table.rows:  # one row a dataset and horizon
        of_horizons = [one.name for one in columns if names.is_called(one.name, names.HORIZONS)]
        claims |= dict.fromkeys(of_horizons, Claim("not used", "a horizon by its name"))
    ask(table, claims)
    kept = {
        role: [one for one in columns if claims[one.name].role == role]
        for role in ("score", "not used", "summary")
    }
    if not kept["score"]:
        remedy = "call its columns dataset, method and value, or say which they are"
        raise table.fault("columns of scores", "none", remedy)
    listed = [one.name for one in kept["summary"]]
    notes.leave("column", listed, "summaries, by name and numbers", option="keep")
    return kept["score"], kept["not used"]


def _labels(table: Table, options: ScoreOptions) -> list[Column]:
    """The column that names the rows: named so, an identifier, or the first one of texts."""
    columns, texts = table.filled, texts_in(table.filled)
    # Of a task and the dataset that it is of, the one that differs in each row names it.
    by_name = sorted(named(columns, names.ROWS), key=lambda one: one.distinct < table.rows)
    decimals = [one for one in by_name if one not in texts and not one.is_whole]
    decimals = named(
        decimals, names.DATASETS + names.LAST_DATASETS
    )  # a header decides, whatever the names look like
    by_name = [one for one in by_name if one in texts or one.is_whole] or decimals
    by_number = _numbered_methods(columns)
    methods = [one for one in columns if _names_methods(one) or one is by_number]
    numbered = [one for one in without(columns, by_name) if one.is_whole]
    numbered = [one for one in numbered if _is_identifier(one) or names.is_called(one.name, names.METHODS)]
    numbered.sort(key=lambda one: one.counts_rows)
    if options.transpose is False and by_name:
        methods = []
    return [*methods, *by_name, *texts, *numbered][:1]


def _is_identifier(column: Column) -> bool:
    """Is it named as numbers of rows are: not at all, `id`, `index`, `openml_id`?"""
    is_plain = all(character.isalnum() or character in " _-.#:" for character in column.name)
    return not column.name or (is_plain and names.is_called(column.name, names.IDENTIFIERS))


def _instances(
    table: Table, label: Column | None, options: ScoreOptions, step: Column | None
) -> list[Column]:
    """The columns of folds or seeds. Question where they may be methods."""
    found = [one for one in named(without(table.filled, [label, step]), names.INSTANCES) if is_instance(one)]
    found = [one for one in found if one.name not in options.keep]
    others = [one for one in without(table.filled, [*found, label]) if one.is_mostly_numbers]
    if label is not None and label.distinct == table.rows and all(one.is_whole for one in others):
        unclear = [one for one in found if one.kind == "number" and one.distinct > 1]
        open_ones = {one.name: Claim("open") for one in unclear}
        ask(table, open_ones, "methods, or folds and seeds")
    return found


def spread_columns(
    table: Table, columns: Sequence[Column], options: ScoreOptions, notes: Notes
) -> dict[str, Column]:
    """For each column of means, by name, the column of its spreads. Question where one may be a method."""
    pairs = {one.name: spread_of(one, columns) for one in columns}
    spreads = {name: one for name, one in pairs.items() if one is not None and one.name not in options.keep}
    if spreads and 2 * len(spreads) < len(without(columns, spreads.values())):
        claims = judge_columns(without(columns, spreads.values()), options.keep)
        ask(table, claims | {one.name: Claim("open") for one in spreads.values()}, "scores, or their spreads")
    if spreads:
        notes.take("spread", ", ".join(one.name for one in spreads.values()), "name", option="keep")
    return spreads


def _plain(name: str) -> str:
    """The name of a method without the word for a mean: `SVM` of `SVM_mean`, `mean(SVM)`."""
    words = [word for word in re.findall(r"[^\s_()\[\].]+", name) if word.lower() not in names.MEANS]
    return name if len(words) == len(names.words_of(name)) else " ".join(words) or name


def orientation(
    table: Table, label: Column | None, across: Sequence[str], options: ScoreOptions
) -> tuple[bool, Why]:
    """Do rows stand for methods, and what says so? Question where nothing does, and the table has more
    columns than rows."""
    if options.transpose is not None:
        return options.transpose, "said"
    if label is None or options.dataset:
        return False, "said" if options.dataset else "default"
    says_method, says_dataset = (names.says(label.name, one) for one in (names.METHODS, names.DATASETS))
    if says_method != says_dataset:
        return says_method, "name"

    def known(listed: Sequence[str], words: tuple[str, ...]) -> int:
        return sum(names.is_called(one, words) for one in listed)

    rows = label.levels
    as_methods = known(rows, names.ALGORITHMS) + known(across, names.KNOWN_DATASETS)
    as_datasets = known(rows, names.KNOWN_DATASETS) + known(across, names.ALGORITHMS)
    if bool(as_methods) != bool(as_datasets):
        return as_methods > 0, "content"
    if len(across) > label.distinct or as_methods:
        raise table.question(
            "rows that are datasets, or methods",
            f"rows such as {rows[0]!r}, columns such as {across[0]!r}",
            [Answer("Rows are datasets", "transpose", False), Answer("Rows are methods", "transpose", True)],
        )
    return False, "default"
