"""`delve top`: the best methods of each task under each loss, and the spread of their scores."""

import re
from argparse import Namespace
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.archive import Archive
from delvecore.archive.score_tables import with_unranked
from delvecore.cli.subcommands.top import DIGITS, DIMENSIONS
from delvecore.cli.support.archives import open_archive, open_scores, with_loss
from delvecore.cli.support.context import print_text
from delvecore.errors import DelveError
from delvecore.library.training_set_scores import TOP_ROWS, common_scores, scores, top_rows
from delvecore.metrics.registry import summary_of
from delvecore.model import is_below, place_names
from delvecore.render.csv import csv_comment, csv_of_table
from delvecore.render.document import reading_records, with_readings
from delvecore.render.json import json_text
from delvecore.render.numbers import significant
from delvecore.render.text import aligned, fold
from delvecore.report.ranking.sentences import run_record, run_sentences
from delvecore.score_tables.score_file import Reading
from delvecore.stats.ranking.score_table import CommonRuns
from delvecore.stats.ranking.standings import names_in, select_scores
from delvecore.tables import rows_of

OWN_SETS = "Each method's numbers are from its own training sets."


def print_top(options: Namespace) -> int:
    archive, rows = _scores(options)
    form = "csv" if options.each and options.format == "text" else options.format
    if options.each:
        readings = archive.readings
        record = {"read": reading_records(readings), "rows": rows.to_pylist()}
        text = json_text(record) if form == "json" else csv_of_table(rows)
    else:
        text, readings = _first(archive, rows, options)
    print_text(with_readings(text, readings, form))
    return 0


def _first(archive: Archive, all_scores: pa.Table, options: Namespace) -> tuple[str, tuple[Reading, ...]]:
    """Return the best methods of each task as text, and how files of scores were read."""
    if options.statistic == "missing":
        counted, comments = all_scores, [OWN_SETS]
        runs: dict[str, CommonRuns] = {}
    else:
        keep = names_in(all_scores, "method") if options.methods else ()
        counted, runs = common_scores(archive, all_scores, keep=keep)
        several = len(runs) > 1
        comments = [
            f"{f'{archive.measures[loss].short_name}: ' * several}{' '.join(lines)}"
            for loss, one in runs.items()
            if (lines := run_sentences(one))
        ]
    readings = archive.readings
    if len(runs) == 1:
        readings = with_unranked(readings, *runs.values())
    about = {"top": options.top, "statistic": options.statistic, "counted": counted}
    top = top_rows(all_scores, measures=archive.measures, **about)
    top = _with_summary(archive, counted, top, options.summary) if options.summary else top
    if options.format == "csv":
        return "".join(map(csv_comment, comments)) + csv_of_table(top), readings
    if options.format == "json":
        records = {archive.measures[loss].short_name: run_record(one) for loss, one in runs.items()}
        rows = [
            {key: None if value != value else value for key, value in row.items()} for row in top.to_pylist()
        ]
        return json_text({"read": reading_records(readings), "runs": records, "rows": rows}), readings
    first = "".join("\n".join(fold(line, "")) + "\n\n" for line in comments)
    return first + "\n".join(_lines(top, options.digits or DIGITS)) + "\n", readings


def _with_summary(archive: Archive, counted: pa.Table, top: pa.Table, text: str) -> pa.Table:
    """Return the rows with a custom summary as the last column. It is NaN without scores."""
    name, summary = summary_of(text)
    if name in top.column_names:
        raise DelveError(f"--summary: expected a name that differs from all columns, found {name}")
    short = {key: measure.short_name for key, measure in archive.measures.items()}
    scores: dict[tuple[str, str, str], list[float]] = {}
    for task, loss, method, score in rows_of(counted, ("task", "loss", "method", "score")):
        if score is not None:
            scores.setdefault((task, short[loss], method), []).append(score)
    known = (np.array(scores.get(row, [])) for row in rows_of(top, ("task", "loss", "method")))
    values = [summary(values) if len(values) else np.nan for values in known]
    return top.append_column(name, pa.array(values, pa.float64()))


def _scores(options: Namespace) -> tuple[Archive, pa.Table]:
    """Return the archive and the requested scores. Raises DelveError if there are none."""
    scored = open_scores(options.paths, options)
    archive, places = scored or open_archive(options.paths, follow_links=options.follow_links)
    chosen = {name: getattr(options, name) for name in DIMENSIONS}
    archive, loss = with_loss(archive, options.losses, places, command="delve top")
    if loss is not None and loss != options.losses:  # that of a metric
        chosen["losses"] = f"^{re.escape(loss)}$"
    for name, pattern in chosen.items():
        try:
            re.compile(pattern or "")
        except re.error as error:
            raise DelveError(f"--{name}: expected a regular expression, found {pattern!r}: {error}") from None
    rows = scores(archive)
    if places:
        below = [task for task in names_in(rows, "task") if is_below(place_names(task), places)]
        rows = rows.filter(pc.is_in(rows["task"], value_set=pa.array(below, pa.string())))
    if not rows.num_rows:
        raise DelveError(f"{' '.join(options.paths) or '/'}: expected results of methods, found none")
    return archive, select_scores(rows, **chosen)


def _lines(top: pa.Table, digits: int) -> Iterator[str]:
    """Yield a heading for each task and loss, and a line for each method below it.

    digits: number of significant digits."""
    head = ("rank", "method", "mean", "std", "median", "iqr", "min", "max", "sets", "missing")
    head += tuple(name for name in top.column_names if name not in TOP_ROWS.names)
    for (task, loss), rows in groupby(rows_of(top, ("task", "loss", *head)), key=itemgetter(0, 1)):
        cells = [[_cell(value, digits) for value in row[2:]] for row in rows]
        yield f"{task}, {loss}"
        yield from aligned([head, *cells], indent="  ", left=2)
        yield ""


def _cell(value: object, digits: int) -> str:
    if isinstance(value, float):
        return "-" if value != value else significant(value, digits)
    return str(value)
