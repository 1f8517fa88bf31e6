"""Tables of scores from data in a notebook: data frames, Arrow tables, named arrays, files, archives."""

import functools
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

import delvecore
from delvecore.archive import Archive, sources
from delvecore.archive.metrics import measured
from delvecore.archive.score_tables import (
    infinite_losses,
    measure_ranked,
    methods_under,
    ranked_scores,
    readings_of,
)
from delvecore.archive.scores.opening import group_of
from delvecore.errors import DelveError
from delvecore.measures import column_measure
from delvecore.model import place_names
from delvecore.readers.labels import datasets_in_names
from delvecore.score_tables.options import Question, ScoreOptions
from delvecore.score_tables.reading import read_scores, scores_of, to_pandas
from delvecore.score_tables.score_file import Reading, Role, ScoreFile, first_and_last
from delvecore.stats.orientation import oriented
from delvecore.stats.ranking.score_table import CommonRuns, ScoreTable, Units

UNNAMED = "score"
"""The name of values if nothing is known about them."""


class Scores(NamedTuple):
    """Scores to rank and how they were read.

    Attributes
    ----------
    table : ScoreTable
        Tasks x methods.
    notes : tuple of str
        Notes on metrics without a value for some results.
    readings : tuple of Reading
        How scores were read.
    """

    table: ScoreTable
    notes: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()


def score_table(
    data: Any,
    options: ScoreOptions,
    *,
    tasks: Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    loss: str | None = None,
    places: Sequence[str] = (),
    keep: Sequence[str] = (),
) -> Scores:
    """Return the data to rank.

    tasks, methods: names of the rows and columns of an array; otherwise `methods` selects the methods to
    rank. loss, places: of an archive. keep: methods that are ranked even if they have few runs. Raises
    DelveError if the data are not a table of scores, or if the better direction is unknown."""
    if isinstance(data, Scores):
        return data
    if isinstance(data, ScoreTable):
        return Scores(data)
    if isinstance(data, str | os.PathLike) and sources(data)[0]:
        data = delvecore.open(data)
    keep = (*(methods or ()), *keep, *options.keep)
    if isinstance(data, Archive):
        names = list(map(place_names, places))
        if loss is None:
            return _of_archive(data, methods, keep, names)
        measured_loss = measured(data, loss, names)
        scores = _of_archive(measured_loss.archive, methods, keep, names, loss=measured_loss.loss)
        endless = infinite_losses(measured_loss.archive, scores.table, measured_loss.loss)
        return scores._replace(notes=(*measured_loss.notes, *endless))
    if _are_rows(data):
        data = np.array(data, dtype=float)
    if isinstance(data, np.ndarray):
        table = _of_array(data, tasks, methods or (), higher_is_better=options.higher_is_better)
        return Scores(table, readings=(_array_reading(table),))
    scores = _of_archive(archive_of(score_file(data, options)), methods, keep)
    if scores.table.quantity == UNNAMED:
        return scores._replace(table=replace(scores.table, quantity=""))
    return scores


def _are_rows(data: Any) -> bool:
    """Is this a list of rows of numbers, all of one length?"""
    if not isinstance(data, list | tuple) or not data:
        return False
    if not all(isinstance(row, list | tuple) and len(row) == len(data[0]) for row in data):
        return False
    return all(isinstance(one, int | float) for row in data for one in row)


def score_file(data: Any, options: ScoreOptions) -> ScoreFile:
    """Return the scores of a frame, a table or a file, each with its instance. Raises DelveError if there are
    none, or if the better direction is unknown."""
    try:
        if isinstance(data, str | os.PathLike):
            return read_scores(data, options=options)
        return scores_of(to_pandas(data), name="data", options=options)
    except Question as question:
        raise question.in_python from None


def _of_array(
    values: np.ndarray,
    tasks: Sequence[str] | None,
    methods: Sequence[str],
    *,
    higher_is_better: bool | None,
) -> ScoreTable:
    if values.ndim != 2:
        raise DelveError(f"data: expected an array of tasks x methods, found {values.ndim} dimensions")
    rows, columns = values.shape
    tasks = tuple(tasks or map(str, range(1, rows + 1)))
    if len(methods) != columns:
        raise DelveError(
            f"methods: expected {columns} names, one per column, found {len(methods)}; say methods=[...]"
        )
    if len(tasks) != rows:
        raise DelveError(f"tasks: expected {rows} names, one per row, found {len(tasks)}")
    if higher_is_better is None:
        actual = "none: say higher_is_better=True for scores such as accuracy, False for losses"
        raise DelveError(f"higher_is_better: expected a direction, found {actual}")
    named = datasets_in_names(tasks)
    units = Units(named, named, "names") if named else None
    try:
        table = ScoreTable(tasks, tuple(methods), values, higher_is_better, units=units)
    except ValueError as error:
        raise DelveError(f"data: {error}") from None
    return _with_failed_runs(table) if table.missing else table


def _with_failed_runs(table: ScoreTable) -> ScoreTable:
    """Return a table that counts its missing values as failed runs."""
    missing, datasets = np.isnan(table.values), table.units.datasets if table.units else table.tasks
    failures = tuple(
        (dataset, tuple(np.array(table.methods)[row].tolist()), 1)
        for dataset, row in zip(datasets, missing, strict=True)
        if row.any() and not row.all()
    )
    runs = CommonRuns(missing.size, table.missing, compared=table.methods, failures=failures)
    largest = np.where(missing, -np.inf, table.oriented).max(axis=1, keepdims=True)
    worst = np.where(missing, oriented(largest, table), table.values)
    return replace(table, runs=runs, failed_worst=np.where(np.isfinite(worst), worst, np.nan))


def archive_of(file: ScoreFile) -> Archive:
    """Return the scores of a file or frame as a separate archive."""
    return _nothing().joined(group_of([file]))


@functools.cache
def _nothing() -> Archive:
    """An empty archive, to which scores are added; it is never changed."""
    empty: Archive = delvecore.open([], cache=False)
    return empty


def _of_archive(
    archive: Archive,
    methods: Sequence[str] | None,
    keep: Sequence[str],
    places: Sequence[Sequence[str]] = (),
    *,
    loss: str | None = None,
) -> Scores:
    """Return the data to rank in an archive. Raises DelveError for methods without results in it."""
    check_methods(methods or (), methods_under(archive, places, loss=loss))
    measure = measure_ranked(archive, loss)
    table = ranked_scores(archive, measure, places, methods=methods, keep=keep)
    return Scores(table, readings=readings_of(archive, table, None if loss else measure.key))


def check_methods(names: Sequence[str], known: Sequence[str]) -> None:
    """Raise DelveError for an unknown name."""
    for name in names:
        if name not in known:
            there = ", ".join(known[:20])
            raise DelveError(f"methods: expected names of methods, found {name!r}; there are {there}")


def _array_reading(table: ScoreTable) -> Reading:
    """Return the reading of an array, whose shape and direction the caller stated."""
    roles = [Role("shape", "rows are datasets, columns are methods", "said")]
    roles.append(Role("direction", UNNAMED, "said", option="higher_is_better"))
    return Reading(
        "array",
        len(table.methods),
        len(table.tasks),
        metrics=(column_measure(UNNAMED, table.higher_is_better),),
        runs=table.values.size,
        failed=int(np.isnan(table.values).sum()),
        roles=tuple(roles),
        first_methods=first_and_last(table.methods),
        first_datasets=first_and_last(table.tasks),
    )
