"""Wide tables: a row a dataset and a column a method, or the other way round."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from delvecore.score_tables import names
from delvecore.score_tables.cells import rounding
from delvecore.score_tables.options import Answer, ScoreOptions
from delvecore.score_tables.roles import Notes, is_instance, metric_column, named, said, spread_of, without
from delvecore.score_tables.score_file import Why
from delvecore.score_tables.summaries import agrees, is_summary
from delvecore.score_tables.table import Column, Table

__all__ = ["ScoreColumn", "WideRoles", "wide_roles"]

_GENERIC = ("value", "values", "score", "scores", "metricvalue", "result", "results")
"""Names of a column that may hold scores of no method."""
ODD_RATIO = 1000.0
"""A column whose numbers are so many times those of the others may be no scores of the same kind."""


@dataclass(frozen=True)
class ScoreColumn:
    """The scores of one method, or of one dataset. name: without the word for a mean; spread: of them."""

    name: str
    value: Column
    spread: Column | None = None


@dataclass(frozen=True)
class WideRoles:
    """The columns of a wide table by what they hold.

    table: without summary rows; labels: names of the rows; turned: are the rows methods?"""

    table: Table
    labels: Column | None
    scores: tuple[ScoreColumn, ...]
    instances: tuple[Column, ...]
    turned: bool
    spare: tuple[Column, ...]
    metric: Column | None


def wide_roles(table: Table, options: ScoreOptions, notes: Notes) -> WideRoles:
    """What the columns of a wide table hold. ParseError where none holds scores; Question."""
    columns = [column for column in table.filled if column.name not in options.drop]
    notes.leave(
        "column", [c.name for c in table.filled if c.name in options.drop], "as you said", option="drop"
    )
    labels = _label_column(table, columns, options)
    instances = [table.column(name) for name in options.fold] or _instances(table, columns, labels)
    metric = metric_column(without(columns, [labels]))
    rest = without(columns, [labels, metric, *instances])
    counters = [one for one in rest if labels and one.counts_rows and _is_identifier(one)]
    notes.leave("column", [one.name or "the first column" for one in counters], "they count the rows")
    rest = without(rest, counters)
    texts = [one for one in rest if not one.is_mostly_numbers]
    scores = _score_columns(table, without(rest, texts), options, notes)
    turned, why = _orientation(table, labels, scores, options)
    rows, across = ("methods", "datasets") if turned else ("datasets", "methods")
    notes.take("shape", f"rows are {rows}, columns are {across}", why, option="transpose")
    table, labels = _without_rows(table, labels, scores, options, notes)
    scores, spare = _without_columns(table, scores, options, notes)
    if labels is not None:
        name = labels.name or "the first column"
        notes.take(rows[:-1], name, "said" if options.dataset else "name", option="dataset")
    again = {column.name: column for column in table.columns}
    return WideRoles(
        table,
        labels,
        tuple(
            ScoreColumn(one.name, again[one.value.name], again[one.spread.name] if one.spread else None)
            for one in scores
        ),
        tuple(again[one.name] for one in instances),
        turned,
        tuple(again[one.name] for one in (*spare, *texts)),
        again[metric.name] if metric is not None else None,
    )


def _label_column(table: Table, columns: Sequence[Column], options: ScoreOptions) -> Column | None:
    """The column that names the rows: said, named so, an identifier, or the first one of texts."""
    texts = [one for one in columns if one.kind == "text" and not one.is_mostly_numbers]
    # Of a task and the dataset that it is of, the one that differs in each row names it.
    by_name = sorted(named(columns, names.ROWS), key=lambda one: one.distinct < table.rows)
    by_name = [one for one in by_name if one in texts or one.is_whole]
    methods = [one for one in texts if names.says(one.name, names.METHODS)]
    numbered = [one for one in columns if one.is_whole and one not in by_name and _is_numbered(one)]
    numbered.sort(key=lambda one: one.counts_rows)
    if options.transpose is False and by_name:
        methods = []
    found = [*said(table, options.dataset), *methods, *by_name, *texts, *numbered]
    return found[0] if found else None


def _is_numbered(column: Column) -> bool:
    """Is it named as numbers of rows or of methods are?"""
    return _is_identifier(column) or names.found_in(column.name, names.METHODS) is not None


def _is_identifier(column: Column) -> bool:
    """Is it named as numbers of rows are: not at all, `id`, `index`, `openml_id`?"""
    is_plain = all(character.isalnum() or character in " _-.#:" for character in column.name)
    return not column.name or (is_plain and names.found_in(column.name, names.IDENTIFIERS) is not None)


def _instances(table: Table, columns: Sequence[Column], labels: Column | None) -> list[Column]:
    """The columns of folds or seeds. Question where they may be methods."""
    found = [one for one in named(columns, names.INSTANCES) if is_instance(one) and one is not labels]
    others = [one for one in columns if one.is_mostly_numbers and one not in found and one is not labels]
    is_needed = labels is None or labels.distinct < table.rows
    unclear = [one for one in found if one.kind == "number" and one.distinct > 1 and not is_needed]
    if unclear and all(one.is_whole for one in others):
        _ask(table, unclear, "methods, or folds and seeds")
    return [one for one in found if is_needed or one not in unclear or not all(o.is_whole for o in others)]


def _ask(table: Table, columns: Sequence[Column], expected: str, *, why: str = "") -> None:
    listed = tuple(one.name for one in columns)
    text = ", ".join(map(repr, listed[:6])) + (", ..." if len(listed) > 6 else "")
    it = "it" if len(listed) == 1 else "them"
    answers = [Answer(f"Keep {it} as scores", "keep", listed), Answer(f"Leave {it} out", "drop", listed)]
    raise table.question(
        expected, f"{'a column' if len(listed) == 1 else 'columns'} called {text}{why}", answers
    )


def _score_columns(
    table: Table, columns: Sequence[Column], options: ScoreOptions, notes: Notes
) -> list[ScoreColumn]:
    """The columns of numbers, each with the column of its spread. Question where a spread may be a method."""
    pairs = {id(one): spread for one in columns if (spread := spread_of(one, columns)) is not None}
    pairs = {key: one for key, one in pairs.items() if one.name not in options.keep}
    spreads = list(pairs.values())
    values = without(columns, spreads)
    lone = [one for one in spreads if 2 * len(spreads) < len(values)]
    if lone:
        _ask(table, lone, "scores, or their spreads")
    if spreads:
        notes.take("spread", ", ".join(one.name for one in spreads), "name", option="keep")
    return [
        ScoreColumn(_plain(one.name) if id(one) in pairs else one.name, one, pairs.get(id(one)))
        for one in values
    ]


def _plain(name: str) -> str:
    """The name of a method without the word for a mean: `SVM` of `SVM_mean`, `mean(SVM)`."""
    words = [
        word
        for word in pd.Series(name).str.extractall(r"([^\s_()\[\].]+)")[0]
        if word.lower() not in names.MEANS
    ]
    return name if len(words) == len(names.words_of(name)) else " ".join(words) or name


def _orientation(
    table: Table, labels: Column | None, scores: Sequence[ScoreColumn], options: ScoreOptions
) -> tuple[bool, Why]:
    """Are the rows methods, and what says it? Question where nothing does and columns are more than rows."""
    if options.transpose is not None:
        return options.transpose, "said"
    if labels is None or options.dataset:
        return False, "said" if options.dataset else "default"
    corner = labels.name
    says_method, says_dataset = names.says(corner, names.METHODS), names.says(corner, names.DATASETS)
    if says_method != says_dataset:
        return says_method, "name"
    rows, across = [names.folded(one) for one in labels.levels], [names.folded(one.name) for one in scores]
    as_methods = sum(one in names.ALGORITHMS for one in rows) + sum(
        one in names.KNOWN_DATASETS for one in across
    )
    as_datasets = sum(one in names.KNOWN_DATASETS for one in rows) + sum(
        one in names.ALGORITHMS for one in across
    )
    if bool(as_methods) != bool(as_datasets):
        return as_methods > 0, "content"
    if len(scores) > labels.distinct or as_methods:
        raise table.question(
            "rows that are datasets, or methods",
            f"rows such as {labels.levels[0]!r}, columns such as {scores[0].name!r}",
            [Answer("Rows are datasets", "transpose", False), Answer("Rows are methods", "transpose", True)],
        )
    return False, "default"


def _without_rows(
    table: Table, labels: Column | None, scores: Sequence[ScoreColumn], options: ScoreOptions, notes: Notes
) -> tuple[Table, Column | None]:
    """The table without summary rows, and rows that are to be dropped. Question, ParseError."""
    if labels is None:
        return table, labels
    label_names = labels.names
    called = [name for name in label_names.categories if is_summary(name) and name not in options.keep]
    dropped = [name for name in label_names.categories if name in options.drop]
    called = [name for name in called if name not in dropped]
    out = label_names.isin(dropped)
    notes.leave("row", dropped, "as you said", option="drop")
    if called:
        summaries = label_names.isin(called)
        rest = ~summaries & ~out
        plain = [one.value for one in scores if not is_summary(one.value.name)]
        values = np.column_stack([one.parsed.value for one in plain])
        digits = np.column_stack([_roundings(one) for one in plain])
        bad = np.column_stack([one.parsed.bad for one in plain])
        for name in called:
            rows = np.flatnonzero(label_names == name)
            if not all(
                bad[row].any() or agrees(name, values[row], digits[row], values[rest]) for row in rows
            ):
                answers = [
                    Answer("Keep it as scores", "keep", (name,)),
                    Answer("Leave it out", "drop", (name,)),
                ]
                line = int(table.frame.index[rows[0]])
                raise table.question(
                    "rows of scores", f"a row called {name!r}, as a summary is", answers, row=line
                )
        first = table.line_of(int(table.frame.index[np.flatnonzero(summaries)[0]]))
        notes.leave("row", called, "summaries, by name and numbers", line=first, option="keep")
        out |= summaries
    if out.all():
        raise table.fault("lines of scores of datasets", "only summaries", "name the rows otherwise")
    if not out.any():
        return table, labels
    kept = table.with_frame(table.frame[~out])
    return kept, kept.column(labels.name)


def _roundings(column: Column) -> np.ndarray:
    """Half a unit of the last printed digit of each cell."""
    if column.is_typed and column.distinct > len(column) // 2:
        return np.array([rounding(repr(value)) for value in column.parsed.value.tolist()])
    known = np.array([*(rounding(text) for text in column.levels), np.nan])
    return known[column.names.codes]


def _without_columns(
    table: Table, scores: Sequence[ScoreColumn], options: ScoreOptions, notes: Notes
) -> tuple[list[ScoreColumn], list[Column]]:
    """The columns of scores of one kind, and those that describe the rows. Question."""
    again = {column.name: column for column in table.columns}
    scores = [ScoreColumn(one.name, again[one.value.name], one.spread) for one in scores]
    plain = [one for one in scores if not _is_suspicious(one) or one.value.name in options.keep]
    suspicious = [one for one in scores if one not in plain]
    summaries, spare, unclear = [], [], []
    for one in suspicious:
        column, name = one.value, one.value.name
        if is_summary(name) and _agrees(column, plain):
            summaries.append(one)
        elif _says_rank(name) or names.found_in(name, (*_GENERIC, *names.COUNTS)) is not None:
            unclear.append(one)
        elif (_is_whole(column) or _is_cost(name)) and not _is_like(column, plain):
            spare.append(column)
        elif _is_whole(column) or _is_cost(name):
            unclear.append(one)
        else:
            plain.append(one)
    plain.sort(key=scores.index)
    unclear += [one for one in _odd_columns(plain) if one.value.name not in options.keep]
    if not plain:
        remedy = "call its columns dataset, method and value, or say which they are"
        raise table.fault("columns of scores", "none", remedy)
    if unclear:
        _ask(table, [one.value for one in unclear], "scores of one kind")
    notes.leave(
        "column", [one.value.name for one in summaries], "summaries, by name and numbers", option="keep"
    )
    return plain, spare


def _is_suspicious(score: ScoreColumn) -> bool:
    """Does its name say that it holds something else than scores?"""
    name = score.value.name
    properties = (*names.PROPERTIES, *names.SIZES, *names.SECONDS, *names.MEGABYTES)
    known = (*properties, *names.COUNTS, *_GENERIC)
    return _says_rank(name) or names.found_in(name, known) is not None or _is_identifier(score.value)


def _says_rank(name: str) -> bool:
    """Does a name say summary, or rank, as `CatBoost rank` does?"""
    return is_summary(name) or bool({"rank", "ranks"}.intersection(names.words_of(name)))


def _is_whole(column: Column) -> bool:
    value = column.parsed.value
    return bool(((value == np.floor(value)) | np.isnan(value)).all())


def _is_cost(name: str) -> bool:
    return any(names.found_in(name, known) is not None for known in (names.SECONDS, names.MEGABYTES))


def _agrees(column: Column, others: Sequence[ScoreColumn]) -> bool:
    if len(others) < 2:
        return False
    values = np.array([one.value.parsed.value for one in others])
    return agrees(column.name, column.parsed.value, _roundings(column), values)


def _is_like(column: Column, others: Sequence[ScoreColumn]) -> bool:
    """Are its numbers like those of the others: within their range, and not whole beside fractions?"""
    known = [one.value.parsed.value for one in others]
    if not known:
        return False
    low, high = np.nanmin(known), np.nanmax(known)
    value = column.parsed.value
    within = np.nanmin(value) >= low - 0.5 * (high - low) and np.nanmax(value) <= high + 0.5 * (high - low)
    return bool(within) and (
        not column.is_whole or column.distinct == 1 or any(o.value.is_whole for o in others)
    )


def _odd_columns(scores: Sequence[ScoreColumn]) -> list[ScoreColumn]:
    """The columns whose numbers are of another kind: of another scale than most, or whole and larger beside
    fractions."""
    if len(scores) < 2:
        return []
    values = np.array([one.value.parsed.value for one in scores])
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = np.nanmedian(np.abs(values), axis=0) if len(scores) > 2 else np.abs(values[0])
        ratios = np.abs(values) / middle
    odd = []
    for one, ratio in zip(scores, ratios, strict=True):
        there = np.isfinite(ratio) & (ratio > 0)
        typical = float(np.median(ratio[there])) if there.any() else 1.0
        if max(typical, 1 / typical) > ODD_RATIO or _is_whole_beside_fractions(one, scores):
            odd.append(one)
    return list(scores) if odd and len(scores) == 2 else odd


def _is_whole_beside_fractions(score: ScoreColumn, scores: Sequence[ScoreColumn]) -> bool:
    others = [one.value for one in scores if one is not score]
    if not score.value.is_whole or score.value.distinct < 3 or any(one.is_whole for one in others):
        return False
    value, most = score.value.parsed.value, np.nanmax([one.parsed.value for one in others])
    return bool(np.nanmin(value) >= most or np.nanmax(value) > 3 * most)
