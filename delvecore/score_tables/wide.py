"""Wide tables: a row a dataset and a column a method, or the other way round; and summaries in them.

Summaries, rows and columns, are left out only where a name says so and the numbers agree with it."""

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from delvecore.score_tables import names
from delvecore.score_tables.cells import rounding
from delvecore.score_tables.names import folded, words_in, words_of
from delvecore.score_tables.options import Answer, ScoreOptions, keep_or_drop
from delvecore.score_tables.roles import (
    Roles,
    ask_unread,
    is_instance,
    label_columns,
    metric_column,
    named,
    said,
    spread_of,
    texts_in,
    told_apart,
    without,
)
from delvecore.score_tables.score_file import Notes, Why
from delvecore.score_tables.table import Column, Table

_GENERIC = ("value", "values", "score", "scores", "metricvalue", "result", "results")
"""Names of a column that may hold scores of no method."""
_NO_SCORES = (names.SECONDS, names.MEGABYTES, names.SIZES, names.COUNTS)
_UNIT = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")
ODD_RATIO = 1000.0
"""A column whose numbers are so many times those of the others may be no scores of the same kind."""


def is_wide(table: Table, options: ScoreOptions) -> bool:
    """Does each of several columns hold the scores of one method, or of one dataset? Question."""
    if options.method or options.value or (options.metric and table.has(options.metric)):
        return False
    if options.transpose is not None:
        return True
    lists = (*_NO_SCORES, names.VALUES, names.DATASETS)
    numbers = [one for one in table.filled if one.is_mostly_numbers and not is_instance(one)]
    numbers = [one for one in numbers if one.name in options.keep or not names.is_called(one.name, *lists)]
    numbers = without(numbers, [_numbered_methods(table.filled)])
    metrics = [one for one in numbers if _says_metric(one.name) and one.name not in options.keep]
    methods = [one for one in table.filled if _names_methods(one) or one is _numbered_methods(table.filled)]
    datasets = named(without(table.filled, methods), names.DATASETS if methods else names.ROWS)
    has_row_names = any(_names_rows(one) for one in [*datasets, *methods])
    if len(numbers) < (1 if datasets and not methods else 2) or len(metrics) == len(numbers):
        return False
    if methods and (datasets or not _names_rows(methods[0])):
        return False
    if metrics and has_row_names:
        listed = tuple(one.name for one in metrics)
        others = [repr(one.name) for one in without(numbers, metrics)]
        raise table.question(
            "columns that are all methods (or datasets), or all metrics",
            f"{', '.join(map(repr, listed[:3]))}, known as metrics, beside {', '.join(others[:3])}",
            [
                Answer("Each column is a method or dataset", "keep", listed),
                Answer(f"Only {listed[0]} is a score", "value", listed[:1]),
            ],
        )
    if metrics and 2 * len(metrics) >= len(numbers):
        return False
    horizons = named(table.filled, names.HORIZONS)
    labels = label_columns(without(table.filled, [*datasets, *horizons, metric_column(table.filled)]))
    return bool(methods) or has_row_names or len(labels) < (1 if datasets else 2)


def _names_methods(column: Column) -> bool:
    return names.says(column.name, names.METHODS) and not column.is_mostly_numbers


def _numbered_methods(columns: Sequence[Column]) -> Column | None:
    """The first column, if it is called as methods are and holds decimal numbers, such as versions, where no
    other column names rows. A later one may hold the scores of a method called `model`."""
    first, *others = columns
    is_label = names.is_called(first.name, names.METHODS) and first.is_mostly_numbers and not first.is_whole
    return first if is_label and not texts_in(others) and not named(others, names.ROWS) else None


def _names_rows(column: Column) -> bool:
    """Does each row have a name of its own, if it has one?"""
    return column.distinct + int(np.count_nonzero(column.names.codes < 0)) == len(column)


def _says_metric(name: str) -> bool:
    """Is this the name of a metric, of test or of training cases?"""
    words = [word for word in names.words_of(name) if word not in ("train", "training")]
    return names.is_metric(name) or names.is_metric(" ".join(words))


def wide_roles(table: Table, options: ScoreOptions, notes: Notes) -> tuple[Table, Roles]:
    """Find the roles of the columns of a wide table; return the table without rows of summaries, too.

    ParseError where none holds scores; Question."""
    labels = said(table, options.dataset) or _labels(table, options)
    label = labels[0] if labels else None
    instances = [*map(table.column, options.fold)] or _instances(table, label, options)
    metric = metric_column(without(table.filled, labels))
    rest = without(table.filled, [*labels, metric, *instances])
    counters = [one for one in rest if label and one.counts_rows and _is_identifier(one)]
    notes.leave("column", [one.name or "the first column" for one in counters], "they count the rows")
    texts = [one for one in rest if not one.is_mostly_numbers]
    ask_unread(table, texts)
    numbers = without(rest, [*counters, *texts])
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
    scores, spare = scores_of_one_kind(table, [again[one.name] for one in values], labels, options, notes)
    if labels:
        taken = " + ".join(one.name or "the first column" for one in labels)
        notes.take(rows, taken, "said" if options.dataset else "name", option="dataset")
    elif not instances:
        counted = pd.Series(np.arange(1, table.rows + 1), index=table.frame.index)
        labels = [Column("row", counted)]
    roles = Roles(
        dataset=() if turned else tuple(labels),
        method=tuple(labels) if turned else (),
        instances=tuple(again[one.name] for one in instances),
        metric=again[metric.name] if metric is not None else None,
        values=tuple(scores),
        spreads=tuple(again[spreads[one.name].name] if one.name in spreads else None for one in scores),
        across="dataset" if turned else "method",
        names_across=tuple(plain[one.name] for one in scores),
        corner=labels[0].name if labels and names.is_metric(labels[0].name) else "",
        spare=(*spare, *(again[one.name] for one in texts)),
    )
    return table, told_apart(table, roles, options, notes)


def _labels(table: Table, options: ScoreOptions) -> list[Column]:
    """The column that names the rows: named so, an identifier, or the first one of texts."""
    columns, texts = table.filled, texts_in(table.filled)
    # Of a task and the dataset that it is of, the one that differs in each row names it.
    by_name = sorted(named(columns, names.ROWS), key=lambda one: one.distinct < table.rows)
    decimals = [one for one in by_name if one not in texts and not one.is_whole]
    decimals = named(decimals, names.DATASETS)  # a header decides, whatever the names look like
    by_name = [one for one in by_name if one in texts or one.is_whole] or decimals
    methods = [one for one in columns if _names_methods(one) or one is _numbered_methods(columns)]
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


def _instances(table: Table, label: Column | None, options: ScoreOptions) -> list[Column]:
    """The columns of folds or seeds. Question where they may be methods."""
    found = [one for one in named(without(table.filled, [label]), names.INSTANCES) if is_instance(one)]
    found = [one for one in found if one.name not in options.keep]
    others = [one for one in without(table.filled, [*found, label]) if one.is_mostly_numbers]
    if label is not None and label.distinct == table.rows and all(one.is_whole for one in others):
        unclear = [one for one in found if one.kind == "number" and one.distinct > 1]
        _ask(table, unclear, "methods, or folds and seeds")
    return found


def _ask(table: Table, columns: Sequence[Column], expected: str) -> None:
    """Ask whether columns, if there are any, are scores."""
    listed = [one.name for one in columns]
    text = ", ".join(map(repr, listed[:6])) + (", ..." if len(listed) > 6 else "")
    if listed:
        found = f"{'a column' if len(listed) == 1 else 'columns'} called {text}"
        raise table.question(expected, found, keep_or_drop(listed))


def spread_columns(
    table: Table, columns: Sequence[Column], options: ScoreOptions, notes: Notes
) -> dict[str, Column]:
    """For each column of means, by name, the column of its spreads. Question where one may be a method."""
    pairs = {one.name: spread_of(one, columns) for one in columns}
    spreads = {name: one for name, one in pairs.items() if one is not None and one.name not in options.keep}
    if 2 * len(spreads) < len(without(columns, spreads.values())):
        _ask(table, [*spreads.values()], "scores, or their spreads")
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


def scores_of_one_kind(
    table: Table, columns: list[Column], labels: Sequence[Column], options: ScoreOptions, notes: Notes
) -> tuple[list[Column], list[Column]]:
    """The columns that hold scores, and those that describe the rows, such as times. Question about columns
    whose names or numbers are of another kind, such as ranks, identifiers and numbers of parameters."""
    plain = [one for one in columns if one.name in options.keep or not _is_suspicious(one)]
    summaries, spare, unclear = list[Column](), list[Column](), list[Column]()
    for column in without(columns, plain):
        is_cost = _is_called(column, names.SECONDS, names.MEGABYTES)
        is_horizon = names.is_called(column.name, names.HORIZONS)
        if is_summary_column(column, plain):
            summaries.append(column)
        elif is_horizon and labels and labels[0].distinct < table.rows:
            spare.append(column)  # one row a dataset and horizon
        elif _says_rank(column.name) or _is_called(column, _GENERIC, names.COUNTS):
            unclear.append(column)
        elif is_cost or column.has_whole_numbers:
            (unclear if _is_like(column, plain) else spare).append(column)
        else:
            (unclear if _is_called(column, names.SIZES, names.PROPERTIES) else plain).append(column)
    plain.sort(key=columns.index)
    if not plain:
        _ask(table, unclear, "scores of one kind")
        remedy = "call its columns dataset, method and value, or say which they are"
        raise table.fault("columns of scores", "none", remedy)
    unclear += [one for one in _odd_columns(plain) if one.name not in options.keep]
    _ask(table, unclear, "scores of one kind")
    listed = [one.name for one in summaries]
    notes.leave("column", listed, "summaries, by name and numbers", option="keep")
    return plain, spare


def _is_suspicious(column: Column) -> bool:
    """Does its name say that it holds something else than scores?"""
    known = (*_NO_SCORES, names.PROPERTIES, names.HORIZONS, _GENERIC)
    return _says_rank(column.name) or _is_called(column, *known) or _is_identifier(column)


def _is_called(column: Column, *lists: tuple[str, ...]) -> bool:
    """Does its name, or what stands before a unit in parentheses, as in `Params (M)`, stand in a list?"""
    return names.is_called(column.name, *lists) or names.is_called(_UNIT.sub("", column.name), *lists)


def _says_rank(name: str) -> bool:
    """Is a name that of a summary, or of ranks, as `CatBoost rank`?"""
    return is_summary(name) or not {"rank", "ranks"}.isdisjoint(names.words_of(name))


def _is_like(column: Column, others: Sequence[Column]) -> bool:
    """Are its numbers like those of the others: within their range, and not whole beside fractions?"""
    if not others:
        return False
    known, value = [one.parsed.value for one in others], column.parsed.value
    low, high = np.nanmin(known), np.nanmax(known)
    margin = 0.5 * (high - low)
    is_within = np.nanmin(value) >= low - margin and np.nanmax(value) <= high + margin
    is_fraction = not column.is_whole or column.distinct == 1
    return bool(is_within) and (is_fraction or any(one.is_whole for one in others))


def _odd_columns(columns: Sequence[Column]) -> list[Column]:
    """The columns whose numbers are of another kind: of another scale than most, or whole and larger beside
    fractions."""
    if len(columns) < 2:
        return []
    values = np.abs([one.parsed.value for one in columns])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = values / (np.nanmedian(values, axis=0) if len(columns) > 2 else values[0])
    odd = []
    for column, ratio in zip(columns, ratios, strict=True):
        there = ratio[np.isfinite(ratio) & (ratio > 0)]
        typical = float(np.median(there)) if len(there) else 1.0
        if max(typical, 1 / typical) > ODD_RATIO or _is_whole_beside_fractions(column, columns):
            odd.append(column)
    return list(columns) if odd and len(columns) == 2 else odd


def _is_whole_beside_fractions(column: Column, columns: Sequence[Column]) -> bool:
    others = without(columns, [column])
    if not column.is_whole or column.distinct < 3 or any(one.is_whole for one in others):
        return False
    value, most = column.parsed.value, np.nanmax([one.parsed.value for one in others])
    return bool(np.nanmin(value) >= most or np.nanmax(value) > 3 * most)


Floats = NDArray[np.float64]
_WORDS = {
    "mean": words_in("mean average averages avg means overall amean"),
    "median": words_in("median medians"),
    "sum": words_in("total sum"),
    "deviation": words_in("std stdev sd stddev deviation"),
    "error": words_in("stderr se sem"),
    "variance": words_in("variance var"),
    "rank": words_in("rank ranks ranking avgrank averagerank meanrank"),
    "wins": words_in("wins win best"),
    "ties": words_in("ties tie draws losses loss wtl wdl"),
    "maximum": words_in("best max maximum"),
    "minimum": words_in("worst min minimum best"),
    "geometric": words_in("geomean gmean geometric"),
    "other": words_in("count pvalue mpce cd"),
}
_ALL = frozenset().union(*_WORDS.values())
_BESIDE = words_in(
    "of the all datasets data sets number no num accuracy acc error score scores standard per methods tasks "
    "problems geo arithmetic w t l d p value values top 1 auc macro"
)


def is_summary(name: str) -> bool:
    """Does a name say that a row or column summarizes the others: `Average_Rank`, `Wins`, `mean accuracy`?"""
    words = words_of(name)
    return folded(name) in _ALL or (
        any(word in _ALL for word in words) and all(word in _ALL or word in _BESIDE for word in words)
    )


def without_summary_rows(
    table: Table, labels: Column, values: Sequence[Column], options: ScoreOptions, notes: Notes
) -> Table:
    """The table without the rows of summaries, and without those that are to be dropped.

    labels: the names of the rows; values: the columns of scores. Question where only a name says summary."""
    dropped = [name for name in labels.levels if name in options.drop]
    notes.leave("row", dropped, "as you said", option="drop")
    called = [name for name in labels.levels if is_summary(name) and name not in (*options.keep, *dropped)]
    summaries, out = labels.names.isin(called), labels.names.isin(dropped)
    plain = [one for one in values if not is_summary(one.name)] or [*values]
    numbers = np.array([one.parsed.value for one in plain]).T
    digits = np.array([_roundings(one) for one in plain]).T
    bad = np.array([one.parsed.bad for one in plain]).T
    rows = table.frame.index.to_numpy()
    for name in called:
        places = np.flatnonzero(labels.names == name)
        others = numbers[~(summaries | out)]
        if not all(bad[at].any() or agrees(name, numbers[at], digits[at], others) for at in places):
            found = f"a row called {name!r}, as a summary is"
            raise table.question("rows of scores", found, keep_or_drop([name]), row=int(rows[places[0]]))
    if called:
        first = table.line_of(int(rows[summaries.argmax()]))
        notes.leave("row", called, "summaries, by name and numbers", line=first, option="keep")
    out |= summaries
    if out.all():
        raise table.fault("lines of scores of datasets", "only summaries", "name the rows otherwise")
    return table.with_frame(table.frame[~out]) if out.any() else table


def is_summary_column(column: Column, others: Sequence[Column]) -> bool:
    """Does a column that is called a summary agree with the others?"""
    if not is_summary(column.name) or len(others) < 2:
        return False
    values = np.array([one.parsed.value for one in others])
    return agrees(column.name, column.parsed.value, _roundings(column), values)


def _roundings(column: Column) -> Floats:
    """Half a unit of the last printed digit of each cell."""
    if column.is_typed and column.distinct > len(column) // 2:
        return np.array([rounding(repr(value)) for value in column.parsed.value.tolist()])
    roundings: Floats = np.array([*map(rounding, column.levels), np.nan])[column.names.codes]
    return roundings


def agrees(name: str, line: Floats, rounding: Floats, others: Floats) -> bool:
    """Do the numbers of a summary agree with its name, to half a unit of their last printed digit?

    line, rounding: the summary and half a unit of the last digit of each of its n numbers, NaN where there is
    none; others: (m, n) numbers that it may summarize, over the first axis."""
    words = {folded(name), *words_of(name)}
    known = ~np.isnan(line)
    if not known.any() or len(others) < 2 or np.isnan(others).all(axis=0).any():
        return False
    kinds = [kind for kind, listed in _WORDS.items() if not words.isdisjoint(listed)]
    for kind in ["rank"] if "rank" in kinds else kinds:
        for summary in _summaries(kind, pd.DataFrame(others)):
            allowed = rounding + 8 * np.finfo(float).eps * np.maximum(np.abs(summary), np.abs(line))
            if (np.abs(summary - line)[known] <= allowed[known]).all():
                return True
    return False


_OF_COLUMNS: dict[str, Callable[[pd.DataFrame], tuple[pd.Series, ...]]] = {
    "mean": lambda others: (others.mean(),),
    "median": lambda others: (others.median(),),
    "sum": lambda others: (others.sum(),),
    "maximum": lambda others: (others.max(),),
    "minimum": lambda others: (others.min(),),
    "deviation": lambda others: (others.std(ddof=0), others.std()),
    "error": lambda others: (others.sem(ddof=0), others.sem()),
    "variance": lambda others: (others.var(ddof=0), others.var()),
}


def _summaries(kind: str, others: pd.DataFrame) -> Iterator[Floats]:
    """What a kind of summary may be of the numbers in each column."""
    if kind in _OF_COLUMNS:
        yield from (found.to_numpy() for found in _OF_COLUMNS[kind](others))
    elif kind == "geometric" and (others > 0).all(axis=None):
        yield np.exp(np.log(others).mean()).to_numpy()
    elif kind == "wins":
        for values in (others, -others):
            is_best = values.eq(values.max(axis=1), axis=0)
            ties = is_best.sum(axis=1)
            yield is_best.sum().to_numpy()
            yield is_best[ties == 1].sum().to_numpy()
            yield is_best.div(ties, axis=0).sum().to_numpy()
    elif kind == "rank":
        for values in (-others, others):
            yield values.rank(axis=1).mean().to_numpy()
            yield from (values.mean().rank(method=way).to_numpy() for way in ("average", "min", "dense"))
