"""Read the scores of a file, a directory, or a data frame of any library, and say how they were read."""

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
from delvecore.score_tables import checks, names
from delvecore.score_tables.cells import MISSING, Parsed
from delvecore.score_tables.checks import UNNAMED, directed, one_metric_each
from delvecore.score_tables.column_roles import ask_averages, ask_words, has_numbers
from delvecore.score_tables.files import (
    Alone,
    alone_in,
    columnar_kind,
    metric_in,
    names_of_files,
    runs_in_names,
    tables_in,
    without_metric,
)
from delvecore.score_tables.formats import Source, read_columnar, read_table
from delvecore.score_tables.harnesses import known_directory
from delvecore.score_tables.names import folded
from delvecore.score_tables.options import NOTHING_SAID, Question, ScoreOptions
from delvecore.score_tables.programs import known_source
from delvecore.score_tables.refused import refuse_table, refuse_traces
from delvecore.score_tables.roles import Roles, dataset_facts, long_roles
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
    rows_asked_for,
    same_name,
    without_unused,
)
from delvecore.score_tables.table_kind import table_kind
from delvecore.score_tables.wide import is_wide, wide_roles
from delvecore.stats.designs import RunDesign, design_of_runs
from delvecore.tables import CASE_ROWS, SCORE_ROWS

PARTS = ("test", "testing", "holdout", "validation", "valid", "val", "dev", "train", "training")
"""Of cases: the rows of the first one that is there count."""
_PART_NAMES = ("split", "set", "subset", "partition", "part", "phase", "stage")
_TRUTH = {
    **dict.fromkeys(("true", "pass", "passed", "yes", "solved", "resolved", "correct"), "1"),
    **dict.fromkeys(("false", "fail", "failed", "no", "unsolved", "unresolved", "incorrect"), "0"),
    **dict.fromkeys(("", "nan", "none", "na"), ""),
}


def read_scores(source: Source, *, name: str = "", options: ScoreOptions = NOTHING_SAID) -> ScoreFile:
    """Read the scores of a file, or of all tables in a directory; `-` is the standard input.

    Raises ParseError, with the file and line of what is wrong, and Question, where a table can be read in two
    ways and the options do not say which."""
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        return _read_directory(os.fspath(source), name, options)
    table = read_table(source, name=name, options=options)
    return _score_file(table, alone_in(table.file), options)


def scores_of(data: Any, *, name: str = "table", options: ScoreOptions = NOTHING_SAID) -> ScoreFile:
    """Read the scores of a data frame in memory, of any library; errors as those of `read_scores`."""
    table = rows_asked_for(frame_table(to_pandas(data), name, ""), options.where)
    return _score_file(table, alone_in(name), options)


def _read_directory(path: str, name: str, options: ScoreOptions) -> ScoreFile:
    """Read all tables in a directory: one dataset of many files, or each file."""
    paths = tables_in(path)
    refuse_traces(paths, path)
    frame, kind = known_directory(paths, path), columnar_kind(paths)
    table = None
    if frame is not None:
        table = rows_asked_for(frame_table(frame, path, ""), options.where)
    elif kind is not None and len(paths) > 1:
        table = read_columnar(paths, path, options, kind=kind)
        table = table if table is not None and _has_names(table) else None
    if table is not None:
        found = _score_file(table, alone_in(os.path.basename(os.path.abspath(path))), options)
        return replace(found, source=name or path)
    tables, empty = {}, []
    for one in paths:
        try:
            tables[one] = read_table(one, options=options)
        except NoRowsError as error:
            empty.append(error)
    if not tables:
        raise empty[0]
    files = [_score_file(table, alone, options) for table, alone in _pooled(tables, path)]
    if len(files) == 1 and len(tables) > 1:
        told = Role("files", f"{len(tables)} tables", "content")
        reading = replace(files[0].reading, source=name or path, roles=(told, *files[0].reading.roles))
        return replace(files[0], source=name or path, reading=reading)
    return merged(files, name or path, options)


def _pooled(tables: Mapping[str, Table], directory: str) -> list[tuple[Table, Alone]]:
    """The tables of a directory, those together that are parts of one: their columns are the same, and name
    methods and datasets, or only the number of a seed or fold tells their names apart."""
    first, *others = tables.values()
    names_of = [column.name for column in first.columns]
    are_alike = all([column.name for column in table.columns] == names_of for table in others)
    if not others or not are_alike or known_source(first.frame) is not None:
        return [(tables[path], alone) for path, alone in names_of_files([*tables], directory).items()]
    runs = runs_in_names([*tables], directory)
    plain = {path: runs.plain[path] for path in tables}
    alone = names_of_files([*dict.fromkeys(plain.values())], directory)
    groups: dict[str, list[str]] = {}
    is_one = _has_names(first) and len({metric_in(one.file) for one in alone.values()}) == 1
    for path in tables:
        groups.setdefault(plain[next(iter(tables))] if is_one else plain[path], []).append(path)
    taken = {folded(name) for name in names_of}
    kind = runs.kind if runs.kind and runs.kind not in taken else ""
    return [
        (_joined({path: tables[path] for path in paths}, directory, kind, runs.numbers), alone[key])
        for key, paths in groups.items()
    ]


def _joined(tables: Mapping[str, Table], directory: str, kind: str, numbers: Mapping[str, str]) -> Table:
    """Tables with the same columns as one. kind, numbers: of runs, by path; a column of the table."""
    frames = [table.frame.assign(**({kind: numbers[path]} if kind else {})) for path, table in tables.items()]
    first = next(iter(tables.values()))
    if len(frames) == 1:
        return first.with_frame(frames[0])
    parts = tuple((path, table.rows) for path, table in tables.items())
    whole = pd.concat(frames, ignore_index=True)
    omissions = tuple(dict.fromkeys(one for table in tables.values() for one in table.omissions))
    return Table(directory, "", whole, None, None, omissions=omissions, parts=parts)


def _has_names(table: Table) -> bool:
    """Does it have columns of methods and datasets by name?"""
    lists = (names.METHODS, names.DATASETS)
    return all(any(names.is_called(column.name, known) for column in table.columns) for known in lists)


def _score_file(table: Table, alone: Alone, options: ScoreOptions) -> ScoreFile:
    """The scores of a table. A question about one that may be of cases says what makes a dataset of it."""
    try:
        return _read_scores(table, alone, options)
    except Question as question:
        raise question if table_kind(table.frame).kind == "scores" else question.or_cases() from None


def _read_scores(table: Table, alone: Alone, options: ScoreOptions) -> ScoreFile:
    """Prepare the table, find the roles of its columns, melt it, and check the scores; note each decision."""
    notes = Notes()
    notes.leave("sheet", table.sheets, "another sheet of the file", option="sheet")
    notes.omissions.extend(table.omissions)
    table = _with_failed(table, options.failed_words).with_decimal(options.decimal)
    empty = [one.name for one in table.columns if one.kind == "empty"]
    notes.leave("column", empty, "nothing stands in them")
    listed = [column.name for column in table.columns]
    refuse_table(listed, table.source)
    table = _with_truth(_test_rows(table, notes), options)
    ask_averages(table, options)
    known = known_source(table.frame)
    if known is not None:
        if known.question is not None and not (options.dataset or options.method):
            raise known.question
        notes.take("source", known.title, "name")
        if known.files:
            notes.take("files", known.files, "content")
        notes.omissions.extend(known.omissions)
        # What a user says goes before what the program says.
        said = {name: one for name, one in vars(options).items() if one not in (None, ())}
        options = replace(known.options, **said)
        table = table.with_frame(known.frame)
    dropped = [one.name for one in table.filled if one.name in options.drop]
    if dropped:
        notes.leave("column", dropped, "your answer", option="drop")
        table = table.with_frame(table.frame.drop(columns=dropped))
    if known is None:
        table, options = runs_in_rows(table, options, notes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # rows without any number
        if known is None and is_wide(table, options):
            kept, roles = wide_roles(table, options, notes)
        else:
            has_metrics = known is None or not known.plain
            kept, roles = table, long_roles(table, options, notes, metrics=has_metrics)
    if (options.case and not roles.case) or (options.group and not roles.group):
        expected = "a long table, with a line for each task, method and test case"
        raise table.fault(expected, "a wide one", "write it so, or leave the options case and group out")
    scores, levels = _melted(kept, roles, alone, options, notes)
    facts = dataset_facts(roles, notes)
    if facts.paths:
        scores = scores.assign(dataset=scores["dataset"].cat.rename_categories(dict(facts.paths)))
    scores = checks.without_dropped(scores, table, listed, options, notes)
    scores = checks.with_names(scores, table, notes)
    given = known.metrics if known else {}
    given_by: Why = "source" if given else "name"
    if options.metric is None and not given:
        scores, levels, given = one_metric_each(scores, levels, table.source, options, notes)
    there = set(scores["metric"].unique())
    levels = {name: column for name, column in levels.items() if name in there}
    metrics = directed(
        levels, given=given, given_by=given_by, source=table.source, options=options, notes=notes
    )
    scores = scores[scores["metric"].isin(metrics)]
    scores, are_paired = _runs_that_count(scores, roles, [*metrics.values()], options, notes)
    checks.check_scores(scores, table)
    design = RunDesign(Scheme.UNPAIRED, repeats=scores["instance"].nunique())
    if are_paired:
        design = design_of(roles.instances, options, notes, of_cases=roles.case is not None)
    for name, metric in metrics.items():
        scores, metrics[name] = checks.on_one_scale(scores, metric, table, options, notes)
    found = tuple(metrics.values())
    scores = checks.failed_runs(scores, found, options, notes, are_paired=are_paired)
    return ScoreFile(
        source=table.source,
        rows=_rows(scores),
        metrics=found,
        reading=_reading(table.source, scores, found, design, notes),
        factors=facts.factors,
        families=facts.families,
        sizes=facts.sizes,
        design=design,
    )


def _runs_that_count(
    scores: pd.DataFrame, roles: Roles, metrics: Sequence[Measure], options: ScoreOptions, notes: Notes
) -> tuple[pd.DataFrame, bool]:
    """The scores with one row a run, and whether runs are paired."""
    if roles.step is not None:
        scores = checks.one_row_a_run(scores, metrics, options)
    has_settings = any(one.kind == "number" and not one.is_whole for one in roles.spare)
    is_open = roles.instances or not has_settings
    unpaired = checks.unpaired_runs(scores, options, notes) if is_open else None
    return (scores, True) if unpaired is None else (unpaired, False)


def _with_failed(table: Table, words: Sequence[str]) -> Table:
    """The table with a word for a failed run where one of these words stands in a column of scores."""
    if not words:
        return table
    found = {}
    for column in table.columns:
        if not column.is_typed and not {*words}.isdisjoint(column.levels) and has_numbers(column):
            known = column.names.astype(str)
            found[column.name] = pd.Series(known, index=table.frame.index).replace(
                dict.fromkeys(words, "failed")
            )
    levels = {level for column in table.columns if not column.is_typed for level in column.levels}
    unknown = [word for word in words if word not in levels]
    if unknown:
        raise table.fault(
            "a word in the table as one of failed runs", f"none called {unknown[0]!r}", "check the word"
        )
    return table.with_frame(table.frame.assign(**found)) if found else table


def _with_truth(table: Table, options: ScoreOptions) -> Table:
    """The table with 1 for True and 0 for False in columns that are called as scores are."""
    found = {}
    for column in table.filled:
        name = column.name
        is_score = name in options.value or names.is_metric(name) or names.is_called(name, names.VALUES)
        if is_score and column.kind != "number" and {*map(str.lower, column.levels)} <= _TRUTH.keys():
            found[name] = pd.Series(column.names.astype(str), index=table.frame.index).str.lower().map(_TRUTH)
    return table.with_frame(table.frame.assign(**found)) if found else table


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


def _melted(
    table: Table, roles: Roles, alone: Alone, options: ScoreOptions, notes: Notes
) -> tuple[pd.DataFrame, dict[str, str | None]]:
    """The table in long form: a row a score, with dataset, method, instance, metric, value and spread. A
    dataset or method that no column names is named by the file. Also the metrics, each with its column of
    values."""
    rows, index = table.rows, table.frame.index
    has_methods = roles.across == "method" or sum(one.distinct for one in roles.method) > 1
    dataset = alone.of_several if has_methods else alone.dataset
    metric, levels = _metrics(roles, options, alone)
    down: dict[str, Any] = {
        "dataset": combined(roles.dataset) if roles.dataset else same_name(rows, dataset),
        "method": combined(roles.method) if roles.method else same_name(rows, without_metric(alone.method)),
        "instance": instance_names(roles.instances, rows),
        "metric": same_name(rows, metric) if isinstance(metric, str) else metric,
    }
    if roles.case is not None:
        none = pd.Categorical.from_codes(np.full(rows, -1), [])
        down |= {"case": roles.case.names, "group": none if roles.group is None else roles.group.names}
    if roles.step is not None:
        down["step"] = roles.step.parsed.value
    for name, cost in (("seconds", roles.seconds), ("megabytes", roles.megabytes)):
        if cost is not None:
            down[name] = _numbers(table, cost).value
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
        notes.leave("metric", others, "not asked for", option="metric")
    return scores, levels


def _metrics(
    roles: Roles, options: ScoreOptions, alone: Alone
) -> tuple[pd.Categorical | str | None, dict[str, str | None]]:
    """The metric of each row, or of all rows; None where each column of values is a metric of its own. Also
    all metrics, each with the name of its column of values where that differs."""
    is_long = roles.across == "metric"
    column = roles.values[0].name if is_long and len(roles.values) == 1 else None
    if roles.metric is not None:
        return roles.metric.names, dict.fromkeys(roles.metric.levels, column)
    called = options.metric or roles.corner or metric_in(alone.file)
    if not is_long:
        return called or UNNAMED, {called or UNNAMED: None}
    if called and column is not None and names.is_called(column, names.VALUES):
        return called, {called: column}
    return None, dict.fromkeys(roles.names_across)


def _are_ranks(spreads: Sequence[pd.Series]) -> bool:
    """Are the numbers in parentheses no spreads but ranks within each row: `0.763 (4)`?"""
    known, many = np.array(spreads, dtype=float), len(spreads)
    if many < 2 or np.isnan(known).any():
        return False
    is_sum = (known.sum(axis=0) == many * (many + 1) / 2).all()
    return bool(is_sum and not (2 * known % 1).any() and known.min() >= 1)


def _numbers(table: Table, column: Column) -> Parsed:
    """The parsed cells of a column; Question about the first one that is no score."""
    parsed = column.parsed
    if parsed.bad.any():
        place = int(parsed.bad.argmax())
        words = dict.fromkeys(column.names[parsed.bad])
        raise ask_words(table, [column], [*words], int(table.frame.index[place]))
    return parsed


def _rows(scores: pd.DataFrame) -> pa.Table:
    """Scores as a table of the schema SCORE_ROWS, of test cases CASE_ROWS."""
    schema, arrays = CASE_ROWS if "case" in scores else SCORE_ROWS, []
    for name, kind in zip(schema.names, schema.types, strict=True):
        column = scores.get(name)
        column = without_unused(column) if name in checks.KEYS else column
        arrays.append(
            pa.nulls(len(scores), kind) if column is None else pa.array(column, kind, from_pandas=True)
        )
    return pa.table(arrays, schema=schema)


def _counts_each(scores: pd.DataFrame, of: str, *by: str) -> tuple[int, int]:
    """The smallest and the largest number of instances, or test cases, beside the same names."""
    key = group_numbers([scores[name].array for name in (*by, of)], len(scores))
    once = scores[~pd.Series(key).duplicated().to_numpy()] if repeats(key) else scores
    counts = np.bincount(group_numbers([once[name].array for name in by], len(once)))
    return int(counts[counts > 0].min()), int(counts.max())


def _reading(
    source: str, scores: pd.DataFrame, metrics: Iterable[Measure], design: RunDesign, notes: Notes
) -> Reading:
    low, high = _counts_each(scores, "instance", "dataset", "method") if design.runs > 1 else (1, 1)
    what = "folds" if design.folds > 1 else "runs"
    parts = [] if high < 2 else [f"{high} {what} each" if low == high else f"{low} to {high} {what}"]
    if "case" in scores:
        least, most = _counts_each(scores, "case", "dataset")
        many = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        parts.insert(0, f"{many} test cases each")
    return Reading(
        source,
        methods=scores["method"].nunique(),
        datasets=scores["dataset"].nunique(),
        instances=", ".join(parts),
        metrics=tuple(metrics),
        runs=notes.runs,
        failed=notes.failed,
        roles=tuple(notes.roles),
        omissions=tuple(notes.omissions),
        first_methods=first_and_last(without_unused(scores["method"]).cat.categories.tolist()),
        first_datasets=first_and_last(without_unused(scores["dataset"]).cat.categories.tolist()),
    )


def merged(files: Sequence[ScoreFile], source: str, options: ScoreOptions) -> ScoreFile:
    """The scores of several files together. ParseError for a score that two of them hold; DelveError for a
    metric of two directions."""
    if len(files) == 1:
        return files[0]
    of_one_kind(files)
    rows = pa.concat_tables([file.rows for file in files]).unify_dictionaries().combine_chunks()
    keys = [name for name in checks.KEYS if name in rows.column_names]
    scores = rows.select(keys).to_pandas(categories=keys)
    if again := checks.second_score(scores):
        ends = np.cumsum([file.rows.num_rows for file in files])
        before, place = (files[int(np.searchsorted(ends, at, side="right"))].source for at in again[:2])
        found, remedy = f"a second one of {again[2]}", f"remove one; the first is in {before}"
        raise ParseError(place, None, checks.ONCE, found, remedy)
    metrics: dict[str, Measure] = {}
    for metric in (metric for file in files for metric in file.metrics):
        known = metrics.setdefault(metric.key, metric)
        if known.higher_is_better != metric.higher_is_better:
            raise DelveError(
                f"{source}: expected one direction of {metric.key}, found both; open the files apart"
            )
        if known.best != metric.best:
            best = None if None in (known.best, metric.best) else max(known.best or 0.0, metric.best or 0.0)
            metrics[metric.key] = replace(metric, best=best)
    notes = Notes()
    notes.take("files", f"{len(files)} tables", "content")
    notes.roles += dict.fromkeys(role for file in files for role in file.reading.roles)
    notes.omissions += [one for file in files for one in file.reading.omissions]
    notes.runs = sum(file.reading.runs for file in files)
    notes.failed = sum(file.reading.failed for file in files)
    design = _design_of_files(files, scores, options, notes)
    return ScoreFile(
        source=source,
        rows=rows,
        metrics=tuple(metrics.values()),
        reading=_reading(source, scores, metrics.values(), design, notes),
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
    if known.kind == Scheme.CASES:
        return known._replace(repeats=len(instances))
    if known.runs > 1 or not all(instances):
        return known
    labels = [dict(part.rpartition(" ")[::2] for part in label.split(", ")) for label in instances]
    columns = [Column(kind, pd.Series([label.get(kind) for label in labels])) for kind in labels[0]]
    return design_of(columns, options, notes)


EXPECTED = (
    "a data frame, an Arrow table, a dictionary of columns, a list of records, an array, a path or an archive"
)


def to_pandas(data: Any) -> pd.DataFrame:
    """A pandas frame of what holds a table: a data frame that narwhals knows or that has the interchange
    protocol, an Arrow table, a mapping of columns, or records. An index with names becomes the first columns.
    DelveError for anything else.

    Examples
    --------
    >>> to_pandas([{"method": "rf", "accuracy": 0.9}]).to_dict("list")
    {'method': ['rf'], 'accuracy': [0.9]}
    """
    try:
        frame = _frame(data)
    except (TypeError, ValueError, ModuleNotFoundError, pa.ArrowException) as error:
        found = type(data).__name__ + (f" ({error})" if not isinstance(error, TypeError) else "")
        raise DelveError(f"data: expected {EXPECTED}, found {found}") from None
    if (
        frame.index.nlevels > 1
        and frame.index.names[-1] is None
        and frame.index.levels[-1].dtype.kind in "iu"
    ):
        frame = frame.rename_axis([*frame.index.names[:-1], "run"])  # as pandas joins frames of runs
    if frame.index.nlevels > 1 or frame.index.name is not None or frame.index.dtype.kind not in "iu":
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
            found = f"an array of {data[several[0]].ndim} dimensions in {several[0]!r}"
            raise DelveError(f"data: expected a column of numbers under each name, found {found}; {remedy}")
        return pd.DataFrame(dict(data))
    if isinstance(data, Sequence) and data and all(isinstance(row, Mapping) for row in data):
        return pd.DataFrame(list(data))
    if isinstance(data, pa.Table):
        return data.flatten().to_pandas()
    known = nw.from_native(data, pass_through=True)
    if isinstance(known, nw.LazyFrame):
        known = known.collect()
    if isinstance(known, nw.DataFrame):
        return known.to_pandas()
    if not hasattr(data, "__dataframe__"):
        raise TypeError
    return pd.api.interchange.from_dataframe(data)


_KINDS = {
    "fold": "fold",
    "cv": "fold",
    "split": "split",
    "resampl": "resample",
    "rep": "repeat",
    "iter": "iteration",
    "trial": "trial",
    "run": "run",
    "randomstate": "seed",
    "seed": "seed",
}
"""What columns of instances count, by parts of their names; an instance's name has the last of them first."""
_FOLD = re.compile(r"fold[ _.]*(\d+)(?:[ _.]*rep(?:eat)?[ _.]*(\d+))?", re.IGNORECASE)


def kind_of(name: str) -> str:
    """What a column of instances counts: `fold`, `seed`; its own name where that is not known."""
    key = folded(name)
    return next((kind for part, kind in _KINDS.items() if part in key), name.strip())


def natural_key(text: str) -> list[tuple[bool, float, str]]:
    """A key that sorts texts by the numbers in them: `fold 10` after `fold 9`."""
    parts = re.findall(r"\d+(?:\.\d+)?|\D+", text)
    return [(not part[0].isdigit(), float(part) if part[0].isdigit() else 0.0, part) for part in parts]


def instance_names(columns: Sequence[Column], rows: int) -> pd.Categorical:
    """The instance of each row: `fold 3`, `seed 7, fold 0`; empty texts without a column."""
    if not columns:
        return same_name(rows, "")
    order = {kind: -place for place, kind in enumerate(_KINDS.values())}
    ordered = sorted(columns, key=lambda one: order.get(kind_of(one.name), -len(order)))
    whole = combined([Column(one.name, pd.Series(_labelled(one))) for one in ordered])
    if (whole.codes < 0).any():
        whole = whole.add_categories([""]).fillna("")
    return whole.reorder_categories(sorted(whole.categories, key=natural_key))


def _labelled(column: Column) -> pd.Categorical:
    """The texts of a column after what they count, where they do not say it themselves."""
    kind, texts = kind_of(column.name), column.levels
    counted = [f"{kind} {text}" for text in texts]
    if column.is_whole:  # `1` and `1.0` stay apart
        found = [text if text.lower() in MISSING else f"{kind} {float(text):.0f}" for text in texts]
    else:
        found = [text if any(map(str.isalpha, text)) else f"{kind} {text}" for text in texts]
    labels = column.names.rename_categories(found if len(set(found)) == len(found) else counted)
    missing = [label for label, text in zip(labels.categories, texts, strict=True) if text.lower() in MISSING]
    return labels.remove_categories(missing)


def design_of(
    columns: Sequence[Column], options: ScoreOptions, notes: Notes, *, of_cases: bool = False
) -> RunDesign:
    """The design of the instances that some columns tell apart. of_cases: has each a score for every case?
    Fault for another design of these."""
    counts = {kind: many for column in columns for kind, many in _counts(column).items()}
    if of_cases:
        if options.design or options.share is not None:
            raise Fault("design", "none for scores of test cases", "one", "leave design and share out")
        return RunDesign(Scheme.CASES, repeats=prod(counts.values()))
    design = design_of_runs(counts, name=options.design, test_share=options.share)
    if design.runs > 1:
        kinds = f" ({', '.join(counts)})" if design.kind == Scheme.ONE_SPLIT else ""
        notes.take("design", design.words + kinds, "default" if design.assumed else "said", option="design")
    return design


def _counts(column: Column) -> dict[str, int]:
    """How many folds, seeds, ... there are; `Fold01.Rep2` says two things."""
    found = [_FOLD.fullmatch(level) for level in column.levels]
    if not found or not all(found):
        return {kind_of(column.name): column.distinct}
    folds, repeats = ({match[part] for match in found if match} for part in (1, 2))
    return {"fold": len(folds)} | ({"repeat": len(repeats)} if repeats != {None} else {})
