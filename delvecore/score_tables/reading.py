"""Read the scores of a file, a directory, or a data frame of any library, and record the decisions."""

import os
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import pyarrow as pa

from delvecore.errors import DelveError, Fault, ParseError
from delvecore.measures import Measure
from delvecore.model import Scheme
from delvecore.readers.labels import place_of
from delvecore.score_tables import checks, files, names
from delvecore.score_tables.cells import MISSING, Parsed
from delvecore.score_tables.column_roles import ask_averages, ask_words, has_numbers
from delvecore.score_tables.formats import Source, read_columnar, read_table
from delvecore.score_tables.harnesses import known_directory
from delvecore.score_tables.known_tables import KnownTable
from delvecore.score_tables.options import NO_OPTIONS, Answer, Question, ScoreOptions
from delvecore.score_tables.programs import known_source
from delvecore.score_tables.refused import refuse_table, refuse_traces
from delvecore.score_tables.roles import Roles, dataset_facts, long_roles, paths_of_tasks
from delvecore.score_tables.runs_in_columns import runs_in_rows
from delvecore.score_tables.score_file import (
    Notes,
    Reading,
    Role,
    ScoreFile,
    Why,
    first_and_last,
    of_one_kind,
)
from delvecore.score_tables.table import (
    Column,
    NoRowsError,
    Table,
    combined,
    frame_table,
    group_numbers,
    repeats,
    requested_rows,
    same_name,
    without_unused,
)
from delvecore.score_tables.table_kind import table_kind
from delvecore.score_tables.wide import is_wide, wide_roles
from delvecore.stats.designs import RunDesign, design_of_runs
from delvecore.tables import CASE_ROWS, SCORE_ROWS

PARTS = ("test", "testing", "holdout", "validation", "valid", "val", "dev", "train", "training")
"""Names of parts of the cases. Only the rows of the first of these parts that a table has count."""
_PART_NAMES = ("split", "set", "subset", "partition", "part", "phase", "stage")
_TRUTH = {
    **dict.fromkeys(("true", "pass", "passed", "yes", "solved", "resolved", "correct"), "1"),
    **dict.fromkeys(("false", "fail", "failed", "no", "unsolved", "unresolved", "incorrect"), "0"),
    **dict.fromkeys(("", "nan", "none", "na"), ""),
}


def read_scores(source: Source, *, name: str = "", options: ScoreOptions = NO_OPTIONS) -> ScoreFile:
    """Read the scores of a file, or of all tables in a directory; `-` is standard input.

    Raises ParseError with the file and line of a fault, and Question if a table is ambiguous and the options
    do not decide."""
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        return _read_directory(os.fspath(source), name, options)
    return _score_file(read_table(source, name=name, options=options), options)


def scores_of(data: Any, *, name: str = "table", options: ScoreOptions = NO_OPTIONS) -> ScoreFile:
    """Read the scores of a data frame in memory, of any library; errors are those of `read_scores`."""
    table = frame_table(to_pandas(data), name, os.path.splitext(name)[0])
    return _score_file(requested_rows(table, options.where), options)


def _read_directory(path: str, name: str, options: ScoreOptions) -> ScoreFile:
    """Read all tables in a directory: one dataset in many files, or each file separately."""
    paths, table = files.tables_in(path), None
    refuse_traces(paths, path)
    frame, kind = known_directory(paths, path), files.columnar_kind(paths)
    if frame is not None:
        table = requested_rows(frame_table(frame, path, ""), options.where)
    elif kind is not None and len(paths) > 1:
        table = read_columnar(paths, path, options, kind=kind)
        table = table if table is not None and _has_names(table) else None
    if table is not None:
        stem, _ = os.path.splitext(os.path.basename(os.path.abspath(path)))
        scores = _score_file(replace(table, file=stem), options)
        return replace(scores, source=name or path)
    tables, empty = {}, []
    for one in paths:
        try:
            tables[one] = read_table(one, options=options)
        except NoRowsError as error:
            empty.append(error)
    if not tables:
        raise empty[0]
    parts = [_score_file(table, options) for table in _pooled(tables, path)]
    if len(parts) > 1 or len(tables) == 1:
        return _merged(parts, name or path, options)
    role = Role("files", f"{len(tables)} tables", "content")
    reading = replace(parts[0].reading, source=name or path, roles=(role, *parts[0].reading.roles))
    return replace(parts[0], source=name or path, reading=reading)


def _pooled(tables: Mapping[str, Table], directory: str) -> list[Table]:
    """Return the tables of a directory, joined if they have the same columns and names."""
    first, *others = tables.values()
    header = [column.name for column in first.columns]
    are_alike = all([column.name for column in table.columns] == header for table in others)
    if not others or not are_alike or known_source(first.frame) is not None:
        return [*files.named_tables(tables, directory).values()]
    kind, numbers, plain = files.runs_in_names([*tables], directory)
    firsts, groups = dict[str, Table](), dict[str, list[str]]()
    for path, table in tables.items():
        firsts.setdefault(plain[path], table)
    named = files.named_tables(firsts, directory)
    is_one = _has_names(first) and len({files.metric_in(one.file) for one in named.values()}) == 1
    for path in tables:
        groups.setdefault(next(iter(named)) if is_one else plain[path], []).append(path)
    kind = kind if kind not in map(names.folded, header) else ""
    pooled = []
    for key, paths in groups.items():
        frames = [tables[path].frame.assign(**{kind: numbers[path]} if kind else {}) for path in paths]
        table = named[key].with_frame(frames[0])
        if len(paths) > 1:
            parts = tuple((path, tables[path].rows) for path in paths)
            omissions = tuple(dict.fromkeys(one for path in paths for one in tables[path].omissions))
            whole = pd.concat(frames, ignore_index=True)
            table = replace(table, source=directory, frame=whole, lines=None, header_line=None, sheets=())
            table = replace(table, omissions=omissions, parts=parts)
        pooled.append(table)
    return pooled


def _has_names(table: Table) -> bool:
    """Do the names of columns identify methods and datasets?"""
    lists = (names.METHODS, names.DATASETS)
    return all(any(one.is_called(words) for one in table.columns) for words in lists)


def _score_file(table: Table, options: ScoreOptions) -> ScoreFile:
    """Return the scores of a table. A question about possible cases mentions how to import them."""
    try:
        return _read_scores(table, options)
    except Question as question:
        question.may_be_cases = table_kind(table.frame)[0] != "scores"
        raise question.in_command from None


def _read_scores(table: Table, options: ScoreOptions) -> ScoreFile:
    """Prepare the table, find the roles of its columns, melt it, and check the scores; note each decision."""
    notes = Notes()
    notes.leave("sheet", table.sheets, "another sheet of the file", option="sheet")
    notes.omissions.extend(table.omissions)
    table = _without_headers(table, notes)
    table = _with_failed(table, options.failed_words).with_decimal(options.decimal)
    empty = [one.name for one in table.columns if one.kind == "empty"]
    notes.leave("column", empty, "they are empty")
    listed = [column.name for column in table.columns]
    refuse_table(listed, table.source)
    table = _with_truth(_test_rows(table, notes), options)
    ask_averages(table, options)
    program = known_source(table.frame)
    if program is not None:
        options = _options_of(program, options, notes)
        table = table.with_frame(program.frame)
    dropped = [one.name for one in table.filled if one.name in options.drop]
    if dropped:
        notes.leave("column", dropped, "your answer", option="drop")
        table = table.with_frame(table.frame.drop(columns=dropped))
    if program is None:
        table, options = runs_in_rows(table, options, notes)
    kept, roles = _roles(table, program, options, notes)
    scores, levels = _melted(kept, roles, options, notes)
    paths, holder = paths_of_tasks(roles)
    facts = dataset_facts(roles, paths, holder, notes)
    if paths:
        scores = scores.assign(dataset=scores["dataset"].cat.rename_categories(paths))
    scores = checks.without_dropped(scores, table, listed, options, notes)
    scores = checks.with_names(scores, table, notes)
    fixed, source = program.metrics if program else {}, table.source
    fixed_by: Why = "source" if fixed else "name"
    if options.metric is None and not fixed:
        scores, levels, fixed = checks.one_metric_each(scores, levels, source, options, notes)
    there = set(scores["metric"].unique())
    levels = {name: column for name, column in levels.items() if name in there}
    metrics = checks.directed(levels, fixed, fixed_by, source, options, notes)
    scores = scores[scores["metric"].isin(metrics)]
    unpaired = None
    if roles.step is not None:
        scores = checks.one_row_a_run(scores, [*metrics.values()], options)
    if roles.instances or all(one.kind != "number" or one.is_whole for one in roles.spare):
        unpaired = checks.unpaired_runs(scores, options, notes)
    scores, are_paired = (scores, True) if unpaired is None else (unpaired, False)
    checks.check_scores(scores, table)
    design = RunDesign(Scheme.UNPAIRED, repeats=scores["instance"].nunique())
    if are_paired:
        design = _design_of(roles.instances, options, notes, of_cases=roles.case is not None)
    for name, metric in metrics.items():
        scores, metrics[name] = checks.on_one_scale(scores, metric, table, options, notes)
    measures = tuple(metrics.values())
    scores = checks.failed_runs(scores, measures, options, notes, are_paired=are_paired)
    reading = _reading(source, scores, measures, design, notes)
    return ScoreFile(source, _rows(scores), measures, reading, *facts, design)


def _options_of(program: KnownTable, options: ScoreOptions, notes: Notes) -> ScoreOptions:
    """Return a program's options, overridden by those of the caller. Raises the program's Question."""
    if program.question is not None and not (options.dataset or options.method):
        raise program.question
    notes.take("source", program.title, "name")
    if program.files:
        notes.take("files", program.files, "content")
    notes.omissions.extend(program.omissions)
    of_caller = {field: value for field, value in vars(options).items() if value not in (None, ())}
    return replace(program.options, **of_caller)


def _roles(
    table: Table, program: KnownTable | None, options: ScoreOptions, notes: Notes
) -> tuple[Table, Roles]:
    """Return the roles of the columns, and the table with the rows of scores. Raises ParseError, Question."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # rows without any number
        if program is None and is_wide(table, options):
            _refuse_cases(table, options)
            return wide_roles(table, options, notes)
        return table, long_roles(table, options, notes, metrics=program is None or not program.plain)


def _refuse_cases(table: Table, options: ScoreOptions) -> None:
    """Raise ParseError for options of test cases in a wide table; only long tables have them."""
    names_of = {"case": options.case, "group": options.group}
    columns = [table.column(name).name for name in names_of.values() if name]
    if columns:
        listed = " and ".join(f"option {name}" for name, column in names_of.items() if column)
        melt = f"frame.melt({columns!r}, var_name='method', value_name='score') in pandas"
        expected = f"a row for each method and test case, as the {listed} requires"
        remedy = f"convert it with {melt}, or leave the {listed} out"
        raise table.fault(expected, "a column for each method", remedy)


def _texts(table: Table, column: Column) -> pd.Series:
    return pd.Series(column.names.astype(str), index=table.frame.index)


def _without_headers(table: Table, notes: Notes) -> Table:
    """Return the table without repeated headers, as in concatenated files."""
    if any(column.is_typed or column.name not in column.levels for column in table.columns):
        return table
    again = np.all([column.names == column.name for column in table.columns], axis=0)
    if not again.any():
        return table
    notes.leave("row", (), "repeated names of columns", count=int(again.sum()))
    return table.with_frame(table.frame[~again])


def _with_failed(table: Table, words: Sequence[str]) -> Table:
    """Return the table with a standard word in place of these words for failed runs, in columns of scores."""
    texts = [one for one in table.columns if words and not one.is_typed]
    absent = [word for word in words if not any(word in one.levels for one in texts)]
    if absent:
        expected, actual = "a word for failed runs that is in the table", f"none called {absent[0]!r}"
        raise table.fault(expected, actual, "check the word")
    scores = [one for one in texts if not {*words}.isdisjoint(one.levels) and has_numbers(one)]
    failed = {one.name: _texts(table, one).replace(dict.fromkeys(words, "failed")) for one in scores}
    return table.with_frame(table.frame.assign(**failed)) if failed else table


def _with_truth(table: Table, options: ScoreOptions) -> Table:
    """Return the table with 1 for True and 0 for False in columns that have names of scores."""
    texts = [one for one in table.filled if one.kind != "number"]
    truths = [one for one in texts if {*map(str.lower, one.levels)} <= _TRUTH.keys()]
    values = (*options.value, *(one.name for one in truths if one.is_called(names.VALUES)))
    truths = [one for one in truths if one.name in values or names.is_metric(one.name)]
    numbers = {one.name: _texts(table, one).str.lower().map(_TRUTH) for one in truths}
    return table.with_frame(table.frame.assign(**numbers)) if numbers else table


def _test_rows(table: Table, notes: Notes) -> Table:
    """Return the rows of test cases, if a column distinguishes them from those of training cases."""
    for column in table.columns:
        if column.is_called(_PART_NAMES) and column.kind == "text":
            parts = [level for part in PARTS for level in column.levels if level.lower() == part]
            if len(column.levels) > 1 and len(parts) == len(column.levels):
                kept = column.names == parts[0]
                why = f"not of {parts[0]} cases ({column.name})"
                notes.leave("row", (), why, count=int((~kept).sum()), option="where")
                return table.with_frame(table.frame.drop(columns=column.name)[kept])
    return table


def _melted(
    table: Table, roles: Roles, options: ScoreOptions, notes: Notes
) -> tuple[pd.DataFrame, dict[str, str | None]]:
    """Return a row per score with the names of its dataset, method, instance and metric; and the metrics."""
    rows, index = table.rows, table.frame.index
    has_methods = roles.across == "method" or sum(one.distinct for one in roles.method) > 1
    file = table.file or "table"
    dataset = (table.of_several if has_methods else table.dataset) or file
    method = files.without_metric(table.method or file)
    metric, levels = _metrics(roles, options, file)
    down: dict[str, Any] = {
        "dataset": combined(roles.dataset) if roles.dataset else same_name(rows, dataset),
        "method": combined(roles.method) if roles.method else same_name(rows, method),
        "instance": _instance_names(roles.instances, rows),
        "metric": same_name(rows, metric) if isinstance(metric, str) else metric,
    }
    if roles.case is not None:
        none = pd.Categorical.from_codes(np.full(rows, -1), [])
        down |= {"case": roles.case.names, "group": none if roles.group is None else roles.group.names}
    if roles.step is not None:
        down["step"] = roles.step.parsed.value
    costs = {"seconds": roles.seconds, "megabytes": roles.megabytes}
    down |= {name: _numbers(table, cost).value for name, cost in costs.items() if cost is not None}
    parts = []
    for place, (column, beside) in enumerate(zip(roles.values, roles.spreads, strict=True)):
        if roles.across != "metric" or metric is None:
            down[roles.across] = same_name(rows, *roles.names_across, place=place)
        parsed = _numbers(table, column)
        part = down | {"value": parsed.value, "percent": parsed.percent}
        part["spread"] = parsed.spread if beside is None else beside.parsed.value
        parts.append(pd.DataFrame(part, index=index, copy=False))
    scores = parts[0] if len(parts) == 1 else pd.concat(parts)
    if roles.across != "metric" and _are_ranks([part["spread"] for part in parts]):
        notes.take("parentheses", "ranks", "content", others=["spreads"])
        scores["spread"] = None
    if options.metric in levels and len(levels) > 1:
        scores = scores[scores["metric"] == options.metric]
        others = [name for name in levels if name != options.metric]
        notes.leave("metric", others, "not requested", option="metric")
    return scores, levels


def _metrics(
    roles: Roles, options: ScoreOptions, file: str
) -> tuple[pd.Categorical | str | None, dict[str, str | None]]:
    """Return (metric of the rows, or None if each column is a metric; metrics with their columns of
    values)."""
    is_long = roles.across == "metric"
    column = roles.values[0] if is_long and len(roles.values) == 1 else None
    if roles.metric is not None:
        return roles.metric.names, dict.fromkeys(roles.metric.levels, column.name if column else None)
    metric = options.metric or roles.corner or files.metric_in(file)
    if not is_long:
        return metric or checks.UNNAMED, {metric or checks.UNNAMED: None}
    if metric and column is not None and column.is_called(names.VALUES):
        return metric, {metric: column.name}
    return None, dict.fromkeys(roles.names_across)


def _are_ranks(spreads: Sequence[pd.Series]) -> bool:
    """Are the numbers in parentheses ranks within each row, as in `0.763 (4)`, and not spreads?"""
    values, many = np.array(spreads, dtype=float), len(spreads)
    if many < 2 or np.isnan(values).any():
        return False
    is_sum = (values.sum(axis=0) == many * (many + 1) / 2).all()
    return bool(is_sum and not (2 * values % 1).any() and values.min() >= 1)


def _numbers(table: Table, column: Column) -> Parsed:
    """Return the parsed cells of a column. Raises Question about the first cell that is not a score."""
    parsed = column.parsed
    if parsed.bad.any():
        words = [*dict.fromkeys(column.names[parsed.bad])]
        raise ask_words(table, column, words, int(table.frame.index[int(parsed.bad.argmax())]))
    return parsed


def _rows(scores: pd.DataFrame) -> pa.Table:
    """Return scores as a table of the schema SCORE_ROWS, or CASE_ROWS for test cases."""
    schema, arrays = CASE_ROWS if "case" in scores else SCORE_ROWS, []
    for name, kind in zip(schema.names, schema.types, strict=True):
        column = scores.get(name)
        column = without_unused(column) if name in checks.KEYS else column
        array = pa.nulls(len(scores), kind) if column is None else pa.array(column, kind, from_pandas=True)
        arrays.append(array)
    return pa.table(arrays, schema=schema)


def _counts_each(scores: pd.DataFrame, of: str, *by: str) -> tuple[int, int]:
    """Return the smallest and the largest number of instances (or test cases) per method and dataset."""
    key = group_numbers([scores[name].array for name in (*by, of)], len(scores))
    once = scores[~pd.Series(key).duplicated().to_numpy()] if repeats(key) else scores
    counts = np.bincount(group_numbers([once[name].array for name in by], len(once)))
    return int(counts[counts > 0].min()), int(counts.max())


def _reading(
    source: str, scores: pd.DataFrame, metrics: Iterable[Measure], design: RunDesign, notes: Notes
) -> Reading:
    """Return the record of how the scores were read."""
    low, high = _counts_each(scores, "instance", "dataset", "method") if design.runs > 1 else (1, 1)
    what = "folds" if design.folds > 1 else "runs"
    parts = [] if high < 2 else [f"{high} {what} each" if low == high else f"{low} to {high} {what}"]
    if "case" in scores:
        least, most = _counts_each(scores, "case", "dataset")
        many = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        parts.insert(0, f"{many} test cases each")
    methods, datasets = (without_unused(scores[key]).cat.categories.tolist() for key in ("method", "dataset"))
    places = [place_of(name) for name in datasets]
    titles = [place.id.title for place in places]
    shown = [title if name.startswith("/") else name for name, title in zip(datasets, titles, strict=True)]
    groups = len({place.dataset for place in places})
    return Reading(
        source,
        methods=len(methods),
        datasets=len(datasets),
        tasks_of=groups if groups < len(datasets) else 0,
        instances=", ".join(parts),
        metrics=tuple(metrics),
        runs=notes.runs,
        failed=notes.failed,
        roles=tuple(notes.roles),
        omissions=tuple(notes.omissions),
        first_methods=first_and_last(methods),
        first_datasets=first_and_last(shown),
    )


def _merged(parts: Sequence[ScoreFile], source: str, options: ScoreOptions) -> ScoreFile:
    """Join the scores of several files. Raises ParseError for repeated scores, DelveError for directions."""
    if len(parts) == 1:
        return parts[0]
    of_one_kind(parts)
    rows = pa.concat_tables([file.rows for file in parts]).unify_dictionaries().combine_chunks()
    keys = [name for name in checks.KEYS if name in rows.column_names]
    scores = rows.select(keys).to_pandas(categories=keys)
    if again := checks.second_score(scores):
        ends = np.cumsum([file.rows.num_rows for file in parts])
        before, place = (parts[int(np.searchsorted(ends, at, side="right"))].source for at in again[:2])
        listed, *others = {file.reading.first_methods for file in parts}
        if not others and not options.value and any(one.role == "shape" for one in parts[0].reading.roles):
            label = "{} is the score, and each file a method"
            answers = [Answer(label.format(name), "value", (name,)) for name in listed]
            actual = f"columns {', '.join(map(repr, listed))} in each of {len(parts)} files"
            raise Question(source, "columns of methods in one file, or one score per file", actual, answers)
        actual, remedy = f"a second one for {again[2]}", f"remove one; the first is in {before}"
        raise ParseError(place, None, checks.ONCE, actual, remedy)
    metrics: dict[str, Measure] = {}
    for metric in (metric for file in parts for metric in file.metrics):
        first = metrics.setdefault(metric.key, metric)
        if first.higher_is_better != metric.higher_is_better:
            actual = f"expected one direction of {metric.key}, found both; open the files separately"
            raise DelveError(f"{source}: {actual}")
        if first.best != metric.best:
            best = None if None in (first.best, metric.best) else max(first.best or 0.0, metric.best or 0.0)
            metrics[metric.key] = replace(metric, best=best)
    notes = Notes(
        [Role("files", f"{len(parts)} tables", "content")],
        [one for file in parts for one in file.reading.omissions],
        sum(file.reading.runs for file in parts),
        sum(file.reading.failed for file in parts),
    )
    notes.roles += dict.fromkeys(role for file in parts for role in file.reading.roles)
    design = _design_of_files(parts, scores, options, notes)
    reading = _reading(source, scores, metrics.values(), design, notes)
    factors, families, sizes = (
        {name: one for file in parts for name, one in getattr(file, what).items()}
        for what in ("factors", "families", "sizes")
    )
    return ScoreFile(source, rows, tuple(metrics.values()), reading, factors, families, sizes, design)


def _design_of_files(
    parts: Sequence[ScoreFile], scores: pd.DataFrame, options: ScoreOptions, notes: Notes
) -> RunDesign:
    """Return the design of the instances, even if each file contains only one instance."""
    design = max((file.design for file in parts), key=lambda design: design.runs)
    instances = list(scores["instance"].cat.categories)
    if design.kind == Scheme.CASES:
        return design._replace(repeats=len(instances))
    if design.runs > 1 or not all(instances):
        return design
    labels = [dict(part.rpartition(" ")[::2] for part in label.split(", ")) for label in instances]
    columns = [Column(kind, pd.Series([label.get(kind) for label in labels])) for kind in labels[0]]
    return _design_of(columns, options, notes)


EXPECTED = (
    "a data frame, an Arrow table, a dictionary of columns, a list of records, an array, a path or an archive"
)


def to_pandas(data: Any) -> pd.DataFrame:
    """Convert tabular data to a pandas frame. Named levels of an index become the first columns.

    The data may be a data frame that narwhals supports or that has the interchange protocol, an Arrow table,
    a mapping of columns, or records. Raises DelveError for anything else.

    Examples
    --------
    >>> to_pandas([{"method": "rf", "accuracy": 0.9}]).to_dict("list")
    {'method': ['rf'], 'accuracy': [0.9]}
    """
    try:
        frame = _frame(data)
    except (TypeError, ValueError, ModuleNotFoundError, pa.ArrowException) as error:
        actual = type(data).__name__ + (f" ({error})" if not isinstance(error, TypeError) else "")
        raise DelveError(f"data: expected {EXPECTED}, found {actual}") from None
    index = frame.index
    if index.nlevels > 1 and index.names[-1] is None and index.levels[-1].dtype.kind in "iu":
        frame = frame.rename_axis([*index.names[:-1], "run"])  # as pandas joins frames of runs
    if index.nlevels > 1 or index.name is not None or index.dtype.kind not in "iu":
        frame = frame.reset_index()
    return frame if frame.columns.nlevels > 1 else frame.set_axis(map(str, frame.columns), axis=1)


def _frame(data: Any) -> pd.DataFrame:
    if isinstance(data, pd.DataFrame):
        return data
    if isinstance(data, pd.Series):
        return data.to_frame(str(data.name or "score"))
    if isinstance(data, Mapping):
        several = [name for name, one in data.items() if getattr(one, "ndim", 1) > 1]
        if several:
            remedy = "write a table with columns method, dataset, run and score"
            actual = f"an array of {data[several[0]].ndim} dimensions in {several[0]!r}"
            raise DelveError(f"data: expected a column of numbers under each name, found {actual}; {remedy}")
        return pd.DataFrame(dict(data))
    if isinstance(data, Sequence) and data and all(isinstance(row, Mapping) for row in data):
        return pd.DataFrame(list(data))
    if isinstance(data, pa.Table):
        return data.flatten().to_pandas()
    frame = nw.from_native(data, pass_through=True)
    if isinstance(frame, nw.LazyFrame | nw.DataFrame):
        return frame.lazy().collect().to_pandas()
    if not hasattr(data, "__dataframe__"):
        raise TypeError
    return pd.api.interchange.from_dataframe(data)


_PARTS_OF_KINDS = names.words_in("fold cv split resampl rep iter trial run randomstate seed")
_COUNTED = names.words_in("fold fold split resample repeat iteration trial run seed seed")
_KINDS = dict(zip(_PARTS_OF_KINDS, _COUNTED, strict=True))
"""What columns of instances count, by parts of their names. The last unit comes first in instance names."""
_FOLD = re.compile(r"fold[ _.]*(\d+)(?:[ _.]*rep(?:eat)?[ _.]*(\d+))?", re.IGNORECASE)


def _kind_of(name: str) -> str:
    """Return the unit that a column of instances counts, such as `fold`; its name if unknown."""
    return next((kind for part, kind in _KINDS.items() if part in names.folded(name)), name.strip())


def _natural_key(text: str) -> list[tuple[bool, float, str]]:
    """Return a key that sorts texts by the numbers in them: `fold 10` after `fold 9`."""
    parts = re.findall(r"\d+(?:\.\d+)?|\D+", text)
    return [(not part[0].isdigit(), float(part) if part[0].isdigit() else 0.0, part) for part in parts]


def _instance_names(columns: Sequence[Column], rows: int) -> pd.Categorical:
    """Return the instance of each row: `fold 3`, `seed 7, fold 0`; empty texts without a column."""
    if not columns:
        return same_name(rows, "")
    order = {kind: -place for place, kind in enumerate(_KINDS.values())}
    ordered = sorted(columns, key=lambda one: order.get(_kind_of(one.name), -len(order)))
    whole = combined([Column(one.name, pd.Series(_labeled(one))) for one in ordered])
    if (whole.codes < 0).any():
        whole = whole.add_categories([""]).fillna("")
    return whole.reorder_categories(sorted(whole.categories, key=_natural_key))


def _labeled(column: Column) -> pd.Categorical:
    """Return the texts of a column, with the unit (such as `fold`) in front unless they contain it."""
    kind, missing = _kind_of(column.name), {text for text in column.levels if text.lower() in MISSING}
    texts = [text for text in column.levels if text not in missing]
    if column.is_whole:
        labels = [f"{kind} {float(text):.0f}" for text in texts]
    else:
        labels = [text if any(map(str.isalpha, text)) else f"{kind} {text}" for text in texts]
    if len(set(labels)) < len(labels):  # `1` and `1.0` remain distinct
        labels = [f"{kind} {text}" for text in texts]
    return column.names.remove_categories([*missing]).rename_categories(labels)


def _design_of(
    columns: Sequence[Column], options: ScoreOptions, notes: Notes, *, of_cases: bool = False
) -> RunDesign:
    """Return the design of the instances in some columns. Raises Fault for another design of test cases."""
    counts = {kind: many for column in columns for kind, many in _counts(column).items()}
    if of_cases:
        if options.design or options.share is not None:
            raise Fault("design", "none for scores of test cases", "one", "leave out design and share")
        return RunDesign(Scheme.CASES, repeats=prod(counts.values()))
    design = design_of_runs(counts, name=options.design, test_share=options.share)
    if design.runs > 1:
        kinds = f" ({', '.join(counts)})" if design.kind == Scheme.ONE_SPLIT else ""
        notes.take("design", design.words + kinds, "default" if design.assumed else "said", option="design")
    return design


def _counts(column: Column) -> dict[str, int]:
    """Return the numbers of folds, seeds and so on. `Fold01.Rep2` has both a fold and a repeat."""
    matches = [_FOLD.fullmatch(level) for level in column.levels]
    if not matches or not all(matches):
        return {_kind_of(column.name): column.distinct}
    folds, rounds = ({match[part] for match in matches if match} for part in (1, 2))
    return {"fold": len(folds)} | ({"repeat": len(rounds)} if rounds != {None} else {})
