"""Scores of an archive for each training set, and the best methods by these scores, as in `delve top`."""

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import astuple, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import delvecore
from delvecore.archive import Archive
from delvecore.archive.views import under
from delvecore.measures import Measures
from delvecore.model import place_names
from delvecore.stats.ranking.score_table import CommonRuns
from delvecore.stats.ranking.standings import (
    names_in,
    rank_methods,
    select_scores,
    summarize_scores,
    training_set_scores,
)

Names = str | Iterable[str] | None


def scores(
    source: "Archive | str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None" = None,
    *,
    tasks: Names = None,
    methods: Names = None,
    losses: Names = None,
) -> pa.Table:
    """Scores of methods for each training set, as a table with one row per score.

    Parameters
    ----------
    source : Archive, path or sequence of paths, optional
        An archive, or paths as for `delvecore.open`.
    tasks, methods, losses : str or iterable of str, optional
        Names, which must all exist, or a regular expression. Metrics are computed if they are named, not
        if they only match an expression.

    Returns
    -------
    pyarrow.Table
        Columns task, method, loss, training_set, score; scores are values of the loss or metric as in
        the files. `archive.measures` has the direction of each.

    Raises
    ------
    DelveError
        If a name does not exist, or an expression is invalid or matches nothing.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "folds.csv"
    >>> rows = "d,a,1,0.5\\nd,a,2,0.75\\nd,b,1,0.25\\nd,b,2,0.5\\n"
    >>> _ = file.write_text("dataset,method,fold,error\\n" + rows)
    >>> scores(file, methods="a")["score"].to_pylist()
    [0.5, 0.75]
    """
    archive = source if isinstance(source, Archive) else delvecore.open(source)
    asked = [losses] if isinstance(losses, str) else [*(losses or ())]
    named = []
    for one in asked:
        archive, name = under(archive, one)
        named.append(name or one)
    wanted: Names = losses if named == asked else named
    return select_scores(training_set_scores(archive.losses), tasks=tasks, methods=methods, losses=wanted)


def common_scores(
    archive: Archive, table: pa.Table, *, keep: Collection[str] = ()
) -> tuple[pa.Table, dict[str, CommonRuns]]:
    """Return the rows of `scores` for the training sets that all methods have, and a description of these
    runs by loss. keep: methods that are compared even if they have few runs."""
    rows = table.append_column("row", pa.array(np.arange(table.num_rows)))
    parts, runs = [rows.slice(0, 0)], {}
    for loss in names_in(table, "loss"):
        own = rows.filter(pc.equal(rows["loss"], loss))
        places = list(map(place_names, names_in(own, "task")))
        common = archive.common_results(loss=loss, places=places, methods=names_in(own, "method"), keep=keep)
        parts.append(common.of(own, instance="training_set"))
        runs[loss] = common.runs
    return pa.concat_tables(parts).sort_by("row").drop_columns("row"), runs


TOP_ROWS = pa.schema(
    {
        "task": pa.string(),
        "loss": pa.string(),
        "rank": pa.int64(),
        "method": pa.string(),
        "sets": pa.int64(),
        "missing": pa.int64(),
        **dict.fromkeys(("mean", "std", "median", "iqr", "min", "max"), pa.float64()),
    }
)
"""Methods on tasks under losses or metrics, by their names. rank: from 1, by the chosen statistic, shared
by equal values; sets: number of training sets behind the values; missing: number without a score."""


def top_rows(
    table: pa.Table,
    *,
    measures: Measures,
    top: int = 5,
    statistic: str = "mean",
    counted: pa.Table | None = None,
) -> pa.Table:
    """Return the best methods of each task under each loss, with all statistics of their scores: TOP_ROWS.

    table: of `scores`. measures: of the archive. top: number of methods per task. statistic: the one of
    `standings.STATISTICS` that ranks them. counted: the scores for the statistics, see `common_scores`; None
    for all.
    """
    counted = table if counted is None else counted
    rows = []
    higher = [key for key, measure in measures.items() if measure.higher_is_better]
    for standing in rank_methods(counted, top=top, statistic=statistic, higher_is_better=higher):
        place = {"task": standing.task, "loss": standing.loss}
        known = {one.method: one for one in summarize_scores(counted, **place)}
        missing = {one.method: one.missing for one in summarize_scores(table, **place)}
        for one in standing.places:
            summary = replace(known[one.method], missing=missing[one.method])
            name = measures[standing.loss].short_name
            rows.append((standing.task, name, one.rank, *astuple(summary)))
    columns = list(zip(*rows, strict=True)) or [() for _ in TOP_ROWS]
    return pa.table(list(map(pa.array, columns, TOP_ROWS.types)), TOP_ROWS)
