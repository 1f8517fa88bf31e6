"""Read the scores of a file, a directory or a frame in memory, and say how they were read."""

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from delvecore.errors import DelveError, ParseError
from delvecore.losses.metrics import Metric
from delvecore.score_tables import names
from delvecore.score_tables.checks import (
    KEYS,
    check_scores,
    duplicates,
    keep_and_drop,
    on_one_scale,
    treat_failed,
)
from delvecore.score_tables.directions import directed, metric_named
from delvecore.score_tables.directories import (
    Alone,
    alone_in,
    columnar_kind,
    metric_in,
    names_of_files,
    tables_in,
    without_metric,
)
from delvecore.score_tables.files import (
    NoRowsError,
    Source,
    frame_table,
    read_columnar,
    read_content,
    read_typed,
    rows_where,
    typed_format,
)
from delvecore.score_tables.frames import to_pandas
from delvecore.score_tables.instances import design_of, instance_names
from delvecore.score_tables.options import NOTHING_SAID, Question, ScoreOptions
from delvecore.score_tables.roles import Described, LongRoles, Notes, described, is_wide, long_roles
from delvecore.score_tables.score_file import Reading, ScoreFile
from delvecore.score_tables.sources import Known, known_directory, known_source
from delvecore.score_tables.table import Column, Table, combined
from delvecore.score_tables.table_kind import table_kind
from delvecore.score_tables.text_tables import read_text
from delvecore.score_tables.wide import WideRoles, wide_roles
from delvecore.stats.designs import RunDesign
from delvecore.tables import SCORE_ROWS

__all__ = ["merged", "read_scores", "read_table", "scores_of"]

UNNAMED = "score"
"""The metric of values of which nothing is known."""
PARTS = ("test", "testing", "holdout", "validation", "valid", "val", "dev", "train", "training")
"""Of cases: the rows of the first one that is there count."""
_PART_NAMES = ("split", "set", "subset", "partition", "part", "phase", "stage")


def read_scores(source: Source, *, name: str = "", options: ScoreOptions = NOTHING_SAID) -> ScoreFile:
    """Read the scores of a file, or of all tables in a directory; `-` is the standard input.

    Raises
    ------
    ParseError
        With the file and line of what is wrong.
    Question
        Where the table can be read in two ways and the options do not say which.
    """
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        return _read_directory(os.fspath(source), name, options)
    table = read_table(source, name=name, options=options)
    return _score_file(table, alone_in(table.file), options)


def read_table(source: Source, *, name: str = "", options: ScoreOptions = NOTHING_SAID) -> Table:
    """The table in a file as it stands there, with the rows that are asked for. ParseError."""
    content = read_content(source, name=name)
    kind = typed_format(content.data)
    table = read_text(content) if kind is None else read_typed(content, kind, options)
    return table if kind in ("Parquet", "Arrow") else rows_where(table, options.where)


def scores_of(data: Any, *, name: str = "table", options: ScoreOptions = NOTHING_SAID) -> ScoreFile:
    """Read the scores of a data frame in memory, of any library; errors as those of `read_scores`."""
    table = rows_where(frame_table(to_pandas(data), name, ""), options.where)
    return _score_file(table, alone_in(name), options)


def _read_directory(path: str, name: str, options: ScoreOptions) -> ScoreFile:
    """Read all tables in a directory: one dataset of many files, or each file."""
    paths = tables_in(path)
    base = os.path.basename(os.path.abspath(path))
    frame, kind = known_directory(paths, path), columnar_kind(paths)
    table = None
    if frame is not None:
        table = rows_where(frame_table(frame, path, ""), options.where)
    elif kind is not None and len(paths) > 1:
        table = read_columnar(paths, path, options, kind=kind)
        table = table if table is not None and _has_names(table) else None
    if table is not None:
        found = _score_file(table, alone_in(base), options)
        return replace(found, source=name or path)
    files, empty = [], []
    for one, alone in names_of_files(paths, path).items():
        try:
            files.append(_score_file(read_table(one, options=options), alone, options))
        except NoRowsError as error:
            empty.append(error)
    if not files:
        raise empty[0]
    return merged(files, name or path, options)


def _has_names(table: Table) -> bool:
    """Does it have columns of methods and datasets by name?"""
    return all(
        any(names.found_in(column.name, known) is not None for column in table.columns)
        for known in (names.METHODS, names.DATASETS)
    )


def _score_file(table: Table, alone: Alone, options: ScoreOptions) -> ScoreFile:
    """The scores of a table. A question about one that may be of cases says what makes a dataset of it."""
    try:
        return _read_scores(table, alone, options)
    except Question as question:
        raise question if table_kind(table.frame).kind == "scores" else question.or_cases() from None


def _read_scores(table: Table, alone: Alone, options: ScoreOptions) -> ScoreFile:
    notes = Notes()
    notes.leave("sheet", table.sheets, "another sheet of the file", option="sheet")
    notes.leave("column", table.unread, "not asked for", option="value")
    notes.leave("row", (), "not asked for", count=table.unasked, option="where")
    table = table.with_decimal(options.decimal)
    notes.leave(
        "column", [one.name for one in table.columns if one.kind == "empty"], "nothing stands in them"
    )
    notes.leave("column", table.nested, "lists or records stand in them")
    listed = [column.name for column in table.columns]
    table = _test_rows(table, notes)
    known = known_source(table.frame)
    if known is not None:
        if known.question is not None:
            raise known.question
        notes.take("source", known.title, "name")
        notes.omissions.extend(known.omissions)
        options = _completed(known.options, options)
        table = table.with_frame(known.frame)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # rows without any number
        scores, said, instances, levels = _scores(table, known, alone, options, notes)
    scores = keep_and_drop(scores, table, listed, options, notes)
    named = np.logical_and.reduce([scores[key].notna().to_numpy() for key in KEYS])
    notes.leave("row", (), "no dataset or method is named", count=int((~named).sum()))
    scores = scores[named]
    if not len(scores):
        remedy = "call its columns dataset and method, or say which they are"
        raise table.fault("a line of scores of a method on a dataset", "none", remedy)
    design = design_of(instances, options, notes)
    given = known.metrics if known else {}
    if options.metric is None and not given and options.higher_is_better is None:
        scores, levels, given = _metric_of_each_dataset(scores, levels, notes)
    there = set(scores["metric"].unique())
    metrics = directed(
        {name: column for name, column in levels.items() if name in there},
        given=given,
        given_by="source" if known and known.metrics else "name",
        source=table.source,
        options=options,
        notes=notes,
    )
    scores = scores[scores["metric"].isin(metrics)]
    check_scores(scores, table)
    scores, found = on_one_scale(scores, list(metrics.values()), table, options, notes)
    scores, runs, failed = treat_failed(scores, found, options, notes)
    return ScoreFile(
        source=table.source,
        rows=_rows(scores),
        metrics=found,
        reading=_reading(table.source, scores, found, design, runs, failed, notes),
        factors=said.factors,
        families=said.families,
        sizes=said.sizes,
        design=design,
    )


def _completed(known: ScoreOptions, said: ScoreOptions) -> ScoreOptions:
    """What a user says, and what a known program defines where the user says nothing."""
    return replace(known, **{name: value for name, value in vars(said).items() if value not in (None, ())})


def _test_rows(table: Table, notes: Notes) -> Table:
    """The rows of test cases, where a column tells them from those of training cases."""
    for column in table.columns:
        if names.folded(column.name) in _PART_NAMES and column.kind == "text":
            parts = [level for part in PARTS for level in column.levels if level.lower() == part]
            if len(column.levels) > 1 and len(parts) == len(column.levels):
                kept = column.names == parts[0]
                why = f"not of {parts[0]} cases ({column.name})"
                notes.leave("row", (), why, count=int((~kept).sum()), option="where")
                return table.with_frame(table.frame.drop(columns=column.name)[kept])
    return table


Parts = tuple[pd.DataFrame, Described, Sequence[Column], Mapping[str, str | None]]
"""Scores, facts about datasets, columns of instances, and metrics with the columns of their values."""


def _scores(table: Table, known: Known | None, alone: Alone, options: ScoreOptions, notes: Notes) -> Parts:
    if known is None and is_wide(table, options):
        wide = wide_roles(table, options, notes)
        return _wide_scores(wide, options, alone._replace(dataset=alone.of_several), notes)
    return _long_scores(table, options, alone, notes, metrics=known is None or not known.plain)


def _wide_scores(wide: WideRoles, options: ScoreOptions, alone: Alone, notes: Notes) -> Parts:
    table, rows, many = wide.table, wide.table.rows, len(wide.scores)
    if wide.labels is not None:
        down = wide.labels.names
    elif wide.instances:
        down = _constant(alone.dataset, rows)
    else:
        down = pd.Categorical.from_codes(np.arange(rows), [str(number) for number in range(1, rows + 1)])
    across = pd.Categorical.from_codes(np.repeat(np.arange(many), rows), [one.name for one in wide.scores])
    tiled = pd.Categorical.from_codes(np.tile(down.codes, many), down.categories)
    corner = wide.labels.name if wide.labels and names.is_metric(wide.labels.name) else None
    metric_name = options.metric or corner or metric_in(alone.file) or UNNAMED
    metric = wide.metric.names if wide.metric else _constant(metric_name, rows)
    instance = instance_names(wide.instances, rows)
    parsed = [_numbers(table, one.value) for one in wide.scores]
    spreads = [
        one.spread.parsed.value
        if one.spread
        else known.spread
        if known.spread is not None
        else np.full(rows, np.nan)
        for one, known in zip(wide.scores, parsed, strict=True)
    ]
    scores = pd.DataFrame(
        {
            "dataset": across if wide.turned else tiled,
            "method": tiled if wide.turned else across,
            "instance": pd.Categorical.from_codes(np.tile(instance.codes, many), instance.categories),
            "metric": pd.Categorical.from_codes(np.tile(metric.codes, many), metric.categories),
            "value": np.concatenate([known.value for known in parsed]),
            "percent": np.concatenate([known.percent for known in parsed]),
            "spread": np.concatenate(spreads),
        },
        index=np.tile(table.frame.index.to_numpy(), many),
    )
    if _are_ranks(np.array(spreads)):
        notes.take("parentheses", "ranks", "content", others=["spreads"])
        scores = scores.assign(spread=np.nan)
    of_rows = () if wide.turned or wide.labels is None else (wide.labels,)
    methods = (wide.labels,) if wide.turned and wide.labels is not None else ()
    said = described(of_rows, methods, wide.spare, notes)
    scores = scores.assign(dataset=_renamed(scores["dataset"], said.paths))
    return scores, said, wide.instances, dict.fromkeys(metric.categories)


def _are_ranks(spreads: np.ndarray) -> bool:
    """Are the numbers in parentheses no spreads but ranks within each row: `0.763 (4)`?"""
    many = len(spreads)
    if many < 2 or np.isnan(spreads).any():
        return False
    is_sum = (spreads.sum(axis=0) == many * (many + 1) / 2).all()
    return bool(is_sum and not (2 * spreads % 1).any() and spreads.min() >= 1)


def _long_scores(table: Table, options: ScoreOptions, alone: Alone, notes: Notes, *, metrics: bool) -> Parts:
    roles = long_roles(table, options, notes, metrics=metrics)
    if sum(column.distinct for column in roles.method) > 1:
        alone = alone._replace(dataset=alone.of_several)
    rows, times = table.rows, len(roles.values)
    dataset = combined(roles.dataset) if roles.dataset else _constant(alone.dataset, rows)
    method = combined(roles.method) if roles.method else _constant(without_metric(alone.method), rows)
    metric, levels = _long_metrics(roles, options, alone, rows)
    parsed = [_numbers(table, column) for column in roles.values]
    columns: dict[str, Any] = {
        "dataset": _tiled(dataset, times),
        "method": _tiled(method, times),
        "instance": _tiled(instance_names(roles.instances, rows), times),
        "metric": metric,
        "value": _joined([one.value for one in parsed]),
        "percent": _joined([one.percent for one in parsed]),
    }
    spreads = [
        column.parsed.value if column is not None else one.spread
        for column, one in zip(roles.spreads, parsed, strict=True)
    ]
    if any(one is not None for one in spreads):
        columns["spread"] = _joined([np.full(rows, np.nan) if one is None else one for one in spreads])
    for name, column in (("seconds", roles.seconds), ("megabytes", roles.megabytes)):
        if column is not None:
            columns[name] = _joined([_numbers(table, column).value] * times)
    index = table.frame.index if times == 1 else np.tile(table.frame.index.to_numpy(), times)
    scores = pd.DataFrame(columns, index=index, copy=False)
    if options.metric in levels and len(levels) > 1:
        others = [name for name in levels if name != options.metric]
        scores = scores[scores["metric"] == options.metric]
        notes.leave("metric", others, "not asked for", option="metric")
    said = described(roles.dataset, roles.method, roles.spare, notes)
    if said.paths:
        scores = scores.assign(dataset=_renamed(scores["dataset"], said.paths))
    return scores, said, roles.instances, levels


def _long_metrics(
    roles: LongRoles, options: ScoreOptions, alone: Alone, rows: int
) -> tuple[pd.Categorical, dict[str, str | None]]:
    """The metric of each score, and all metrics with the column of their values if it has another name."""
    values = roles.values
    if roles.metric is not None:
        return roles.metric.names, dict.fromkeys(roles.metric.levels, values[0].name)
    called = options.metric or metric_in(alone.file)
    if called and len(values) == 1 and names.found_in(values[0].name, names.VALUES) is not None:
        return _constant(called, rows), {called: values[0].name}
    many = len(values)
    listed = [one.name for one in values]
    return pd.Categorical.from_codes(np.repeat(np.arange(many), rows), listed), dict.fromkeys(listed)


def _metric_of_each_dataset(
    scores: pd.DataFrame, levels: Mapping[str, str | None], notes: Notes
) -> tuple[pd.DataFrame, Mapping[str, str | None], Mapping[str, Metric]]:
    """The scores as those of one metric where a column names one metric for each dataset. Where metrics of
    both directions are named, values of which lower is better change their sign."""
    own = next(iter(levels.values()), None) or UNNAMED
    found = {level: metric_named(level) for level in scores["metric"].unique()}
    pairs = scores[["dataset", "metric"]].drop_duplicates()
    is_each = len(found) > 1 and len(pairs) == pairs["dataset"].nunique() and own not in found
    if not is_each or (metric_named(own) is None and None in found.values()):
        return scores, levels, {}
    lower = [level for level, one in found.items() if one is not None and not one.higher_is_better]
    told = f"{own}: each dataset has a metric of its own ({', '.join(list(found)[:4])})"
    given: dict[str, Metric] = {}
    if metric_named(own) is None:
        given = {own: Metric(own, higher_is_better=len(lower) < len(found))}
        if 0 < len(lower) < len(found):
            told += f"; the sign of {', '.join(lower[:4])} is changed, so that higher is better"
            scores = scores.assign(
                value=scores["value"].where(~scores["metric"].isin(lower), -scores["value"])
            )
    notes.take("metric", told, "content", option="metric")
    return scores.assign(metric=_constant(own, len(scores))), {own: None}, given


def _numbers(table: Table, column: Column) -> Any:
    """The parsed cells of a column; ParseError names the first one that is no score."""
    parsed = column.parsed
    if parsed.bad.any():
        place = int(parsed.bad.argmax())
        expected = f"a number or a missing value such as `NA` in the column {column.name!r}"
        remedy = "correct it, or choose other columns of values"
        row = int(table.frame.index[place])
        raise table.fault(expected, repr(column.names[place]), remedy, row=row)
    return parsed


def _constant(text: str, rows: int) -> pd.Categorical:
    return pd.Categorical.from_codes(np.zeros(rows, dtype=np.int8), [text])


def _tiled(found: pd.Categorical, times: int) -> pd.Categorical:
    return found if times == 1 else pd.Categorical.from_codes(np.tile(found.codes, times), found.categories)


def _joined(values: Sequence[np.ndarray]) -> np.ndarray:
    return values[0] if len(values) == 1 else np.concatenate(values)


def _renamed(column: pd.Series, paths: Mapping[str, str]) -> pd.Series:
    renamed: Callable[[str], str] = lambda name: paths.get(name, name)  # noqa: E731
    return column.cat.rename_categories([renamed(name) for name in column.cat.categories])


def _rows(scores: pd.DataFrame) -> pa.Table:
    """Scores as a table of the schema SCORE_ROWS."""
    columns: dict[str, pa.Array] = {}
    for key in KEYS:
        known = scores[key].array
        used = np.bincount(known.codes, minlength=len(known.categories)) > 0
        codes = (np.cumsum(used) - 1).astype(np.int32)[known.codes]
        columns[key] = pa.DictionaryArray.from_arrays(
            pa.array(codes), pa.array(known.categories[used], pa.string())
        )
    for name in ("value", "spread", "seconds", "megabytes"):
        there = name in scores.columns
        columns[name] = (
            pa.array(scores[name], from_pandas=True) if there else pa.nulls(len(scores), pa.float64())
        )
    return pa.table(columns, schema=SCORE_ROWS)


def _reading(
    source: str,
    scores: pd.DataFrame,
    metrics: tuple[Metric, ...],
    design: RunDesign,
    runs: int,
    failed: int,
    notes: Notes,
) -> Reading:
    pairs = scores[["dataset", "instance"]].drop_duplicates() if design.runs > 1 else None
    counts = pairs.groupby("dataset", observed=True).size() if pairs is not None else pd.Series([1])
    low, high = int(counts.min()), int(counts.max())
    what = "folds" if design.folds > 1 else "runs"
    instances = "" if high < 2 else f"{high} {what} each" if low == high else f"{low} to {high} {what}"
    return Reading(
        source,
        methods=scores["method"].nunique(),
        datasets=scores["dataset"].nunique(),
        instances=instances,
        metrics=metrics,
        runs=runs,
        failed=failed,
        roles=tuple(notes.roles),
        omissions=tuple(notes.omissions),
    )


def merged(files: Sequence[ScoreFile], source: str, options: ScoreOptions) -> ScoreFile:
    """The scores of several files together. ParseError for a score that two of them hold; DelveError for a
    metric of two directions."""
    if len(files) == 1:
        return files[0]
    rows = pa.concat_tables([file.rows for file in files]).unify_dictionaries().combine_chunks()
    scores = rows.select(KEYS).to_pandas(categories=list(KEYS))
    again = duplicates(scores)
    if again.any():
        second = int(again.argmax())
        told = ", ".join(filter(None, (str(scores[key].iloc[second]) for key in KEYS)))
        ends = np.cumsum([file.rows.num_rows for file in files])
        first = int(np.logical_and.reduce([scores[key] == scores[key].iloc[second] for key in KEYS]).argmax())
        before, place = (files[int(np.searchsorted(ends, at, side="right"))].source for at in (first, second))
        expected = "one score for each dataset, method, instance and metric"
        raise ParseError(
            place, None, expected, f"a second one of {told}", f"remove one; the first is in {before}"
        )
    metrics: dict[str, Metric] = {}
    for metric in (metric for file in files for metric in file.metrics):
        known = metrics.setdefault(metric.name, metric)
        if known.higher_is_better != metric.higher_is_better:
            raise DelveError(
                f"{source}: expected one direction of {metric.name}, found both; open the files apart"
            )
        if known.best != metric.best:
            best = None if None in (known.best, metric.best) else max(known.best or 0.0, metric.best or 0.0)
            metrics[metric.name] = metric._replace(best=best)
    notes = Notes()
    notes.take("files", f"{len(files)} tables", "content")
    notes.roles += dict.fromkeys(role for file in files for role in file.reading.roles)
    notes.omissions += [one for file in files for one in file.reading.omissions]
    design = _design_of_files(files, scores, options, notes)
    runs, failed = (sum(getattr(file.reading, name) for file in files) for name in ("runs", "failed"))
    return ScoreFile(
        source=source,
        rows=rows,
        metrics=tuple(metrics.values()),
        reading=_reading(source, scores, tuple(metrics.values()), design, runs, failed, notes),
        factors={name: levels for file in files for name, levels in file.factors.items()},
        families={name: family for file in files for name, family in file.families.items()},
        sizes={name: size for file in files for name, size in file.sizes.items()},
        design=design,
    )


def _design_of_files(
    files: Sequence[ScoreFile], scores: pd.DataFrame, options: ScoreOptions, notes: Notes
) -> RunDesign:
    """How instances depend on each other, also where each file holds one."""
    known = max((file.design for file in files), key=lambda design: design.runs)
    instances = list(scores["instance"].cat.categories)
    if known.runs > 1 or not all(instances):
        return known
    labels = [dict(part.rpartition(" ")[::2] for part in label.split(", ")) for label in instances]
    columns = [Column(kind, pd.Series([label.get(kind) for label in labels])) for kind in labels[0]]
    return design_of(columns, options, notes)
