"""Tables of scores of what a notebook has: data frames, Arrow tables, named arrays, files, archives."""

import functools
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import delvecore
from delvecore.archive import Archive
from delvecore.archive.metrics.adding import measured
from delvecore.archive.score_tables import ranked_table
from delvecore.archive.scores.opening import group_of
from delvecore.errors import DelveError, Fault
from delvecore.losses.spec import metric_loss
from delvecore.readers.labels import datasets_in_names
from delvecore.readers.scores.reading import read_scores, scores_of
from delvecore.readers.scores.records import ScoreFile, ScoreOptions, UnknownDirection
from delvecore.statistics.kinds import Floats
from delvecore.statistics.ranking.score_table import ScoreTable, Units

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Given",
    "Scores",
    "archive_of",
    "arrow_table",
    "named_table",
    "score_file",
    "score_table",
    "told_of",
]


UNNAMED = "score"
"""What values are called of which nothing is known."""


class Scores(NamedTuple):
    """table: tasks x methods; notes: what was guessed, and what was left out, in sentences."""

    table: ScoreTable
    notes: tuple[str, ...] = ()


class Given(NamedTuple):
    """What the caller said of the data. tasks, methods: names of the rows and columns of an array; loss: of
    an archive."""

    options: ScoreOptions
    tasks: Sequence[str] | None = None
    methods: Sequence[str] | None = None
    loss: str | None = None
    places: Sequence[str] = ()


def score_table(data: Any, given: Given) -> Scores:
    """Return what is to be ranked. Raises DelveError for what is no table of scores, and where nobody says
    which direction is better."""
    if isinstance(data, ScoreTable):
        return Scores(data)
    if isinstance(data, Archive):
        places = [place.strip("/").split("/") for place in given.places]
        if given.loss is None:
            return Scores(ranked_table(data, places).table)
        found = measured(data, given.loss, places)
        return Scores(ranked_table(found.archive, places, loss=found.loss).table, found.notes)
    if isinstance(data, np.ndarray):
        return Scores(_of_array(data, given))
    if isinstance(data, str | os.PathLike):
        return _of_file(score_file(data, given.options))
    frame = arrow_table(data)
    if wide := _wide_values(frame, given.options):
        return Scores(named_table(wide, given.options.higher_is_better))
    return _of_file(score_file(frame, given.options))


def score_file(data: Any, options: ScoreOptions) -> ScoreFile:
    """Return the scores of a frame, a table or a file, each with its instance. Raises DelveError for what is
    none, and where nobody says which direction is better."""
    try:
        if isinstance(data, str | os.PathLike):
            return read_scores(data, options=options)
        return scores_of(arrow_table(data), name="data", options=options)
    except UnknownDirection as error:
        remedy = "say higher_is_better=True or False"
        raise Fault(error.place, error.expected, error.found, remedy) from None


def arrow_table(data: Any) -> pa.Table:
    """Return a data frame or Arrow table as the latter; an index with names becomes a first column. Raises
    DelveError for anything else."""
    if isinstance(data, pa.Table):
        return data
    if not hasattr(data, "reset_index"):
        expected = "a DataFrame, an Arrow table, an array, a path of a file, or an archive"
        raise DelveError(f"data: expected {expected}, found {type(data).__name__}")
    frame = data if _is_counter(data.index) else data.reset_index()
    frame = frame.set_axis(frame.columns.map(_column_name), axis=1)
    try:
        return pa.Table.from_pandas(frame, preserve_index=False, nthreads=1)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise DelveError(f"data: expected columns of numbers and of texts, found {error}") from None


def _is_counter(index: "pd.Index[Any]") -> bool:
    """Does an index only count the rows?"""
    return index.name is None and index.dtype.kind in "iu" and index.nlevels == 1


def _column_name(name: Any) -> str:
    return " ".join(map(str, name)) if isinstance(name, tuple) else str(name)


class _Wide(NamedTuple):
    tasks: tuple[str, ...]
    methods: tuple[str, ...]
    values: Floats


def _wide_values(frame: pa.Table, options: ScoreOptions) -> _Wide | None:
    """Return a table of nothing but numbers, whose columns are methods and whose rows are counted; None for
    any other, and where columns are named."""
    is_said = any((options.dataset, options.method, options.metric, options.fold, options.value))
    kinds = [field.type for field in frame.schema]
    if (
        is_said
        or not kinds
        or not all(pa.types.is_floating(one) or pa.types.is_integer(one) for one in kinds)
    ):
        return None
    columns = [pc.fill_null(column.cast(pa.float64()), np.nan).to_numpy() for column in frame.columns]
    tasks = tuple(str(number) for number in range(1, frame.num_rows + 1))
    return _Wide(tasks, tuple(frame.column_names), np.array(columns).T)


def _of_array(values: np.ndarray, given: Given) -> ScoreTable:
    if values.ndim != 2:
        raise DelveError(f"data: expected an array of tasks x methods, found {values.ndim} dimensions")
    rows, columns = values.shape
    tasks = tuple(given.tasks or (str(number) for number in range(1, rows + 1)))
    methods = tuple(given.methods or ())
    if len(methods) != columns:
        raise DelveError(f"methods: expected {columns} names, one a column, found {len(methods)}")
    if len(tasks) != rows:
        raise DelveError(f"tasks: expected {rows} names, one a row, found {len(tasks)}")
    return named_table(_Wide(tasks, methods, values), given.options.higher_is_better)


def named_table(
    wide: tuple[Sequence[str], Sequence[str], Floats], higher_is_better: bool | None
) -> ScoreTable:
    """Return a table of (tasks, methods, values). Raises DelveError without a direction."""
    tasks, methods, values = wide
    if higher_is_better is None:
        found = "none: say higher_is_better=True for scores such as accuracy, False for losses"
        raise DelveError(f"higher_is_better: expected a direction, found {found}")
    named = datasets_in_names(tasks)
    units = Units(named, named, "names") if named else None
    try:
        return ScoreTable(tuple(tasks), tuple(methods), values, higher_is_better, units=units)
    except ValueError as error:
        raise DelveError(f"data: {error}") from None


def archive_of(file: ScoreFile) -> Archive:
    """Return the scores of a file, or of a frame, as an archive of their own."""
    return _nothing().joined(group_of([file]))


@functools.cache
def _nothing() -> Archive:
    """An archive without anything, beside which scores are laid; it is never changed."""
    return delvecore.open([], cache=False)


def told_of(file: ScoreFile) -> tuple[str, ...]:
    """Return what was guessed of a file, and what was left out, in sentences."""
    return (*(guess.text for guess in file.guesses), *(notice.text for notice in file.notices))


def _of_file(file: ScoreFile) -> Scores:
    loss, table, _ = ranked_table(archive_of(file))
    notes = list(told_of(file))
    if others := [one.name for one in file.metrics if metric_loss(one) != loss]:
        notes.append(f"ranked by {loss}; metric= chooses another: {', '.join(others)}")
    return Scores(replace(table, quantity="") if table.quantity == UNNAMED else table, tuple(notes))
