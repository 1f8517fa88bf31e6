"""Wide tables: a line a dataset, a column a method (or the other way round)."""

from typing import NamedTuple

import numpy as np

from delvecore.readers.scores import words
from delvecore.readers.scores.assembling import Scores
from delvecore.readers.scores.batches.codes import Codes
from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.directories import Alone, metric_in
from delvecore.readers.scores.instances import instance_codes
from delvecore.readers.scores.long import numbers_in, spreads_of
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.remarks import COLUMN_OPTIONS, Remarks
from delvecore.readers.scores.roles import metric_column, named, said, without
from delvecore.readers.scores.summaries import is_summary, summary_columns, summing_rows

__all__ = ["Wide", "wide_roles", "wide_scores"]

UNNAMED = "score"


class Wide(NamedTuple):
    """The columns of a wide table by what they hold. sheet: without rows that sum others up; labels: names of
    the rows; turned: are the rows methods, the columns datasets? metric: names that of each row."""

    sheet: Sheet
    labels: Column | None
    columns: tuple[Column, ...]
    instances: tuple[Column, ...]
    turned: bool
    spare: tuple[Column, ...]
    metric: Column | None


def wide_roles(sheet: Sheet, options: ScoreOptions, remarks: Remarks) -> Wide:
    """Return what the columns of a wide table hold. ParseError where none holds scores."""
    filled = [column for column in sheet.columns if column.kind != "empty"]
    methods = [] if options.dataset or named(filled, words.DATASETS) else named(filled, words.METHODS)
    place = _label_place(sheet, filled, methods, options, remarks)
    sheet = _without_summaries(sheet, place, remarks)
    filled = [column for column in sheet.columns if column.kind != "empty"]
    labels = None if place is None else sheet.columns[place]
    instances = tuple(sheet.column(name) for name in options.fold) or tuple(named(filled, words.INSTANCES))
    metric = metric_column(filled)
    rest = without(filled, [labels, metric, *instances])
    counted = [one for one in rest if _is_index(one)] if labels else []
    spare = [*named(without(rest, counted), words.PROPERTIES), *named(without(rest, counted), words.FAMILIES)]
    rest = without(rest, [*spare, *counted])
    texts = [one for one in rest if not one.is_mostly_numbers]
    sums = summary_columns(without(rest, texts))
    remarks.leave_columns(counted, "they count the rows")
    remarks.leave_columns(sums, "they sum the others up")
    columns = without(rest, [*texts, *sums])
    if not columns:
        raise sheet.fault(
            "columns of scores", "none", "say which columns are what: --dataset, --method-column, --value"
        )
    return Wide(
        sheet, labels, tuple(columns), instances, bool(methods), spare=(*spare, *texts), metric=metric
    )


def _label_place(
    sheet: Sheet, filled: list[Column], methods: list[Column], options: ScoreOptions, remarks: Remarks
) -> int | None:
    """Return the place of the column that names the rows: said, known by name, or the first one of texts."""
    texts = [column for column in filled if column.kind == "text" and not column.is_mostly_numbers]
    counts = [column for column in filled[:1] if _is_index(column)]
    # Of a task and the dataset that it is of, the one that differs in each row names it.
    rows_named = sorted(named(filled, words.ROWS), key=lambda one: one.distinct < sheet.rows)
    found = [*methods[:1], *said(sheet, options.dataset)[:1], *rows_named, *texts, *counts]
    others = [one.name for one in texts if one not in found[:1]]
    taken = found[0].name or "the first column" if found else "the line"
    rows, across = ("method", "dataset") if methods else ("dataset", "method")
    remarks.guess(rows, taken, others, COLUMN_OPTIONS[rows])
    remarks.guess(across, "a column each", (), COLUMN_OPTIONS[across])
    return next((place for place, one in enumerate(sheet.columns) if found and one is found[0]), None)


def _without_summaries(sheet: Sheet, place: int | None, remarks: Remarks) -> Sheet:
    """Return the table without rows whose names say that they sum others up."""
    if place is None:
        return sheet
    codes = sheet.columns[place].codes
    sums = [at for at, level in enumerate(codes.levels) if is_summary(level)]
    out = np.isin(codes.places, sums)
    if out.all():
        raise sheet.fault(
            "lines of scores of datasets",
            f"only sums of others, such as {codes.levels[0]!r}",
            "name them otherwise",
        )
    if not out.any():
        return sheet
    names = [codes.levels[at] for at in sums]
    remarks.leave("row", names, "they sum others up", line=sheet.line_of(int(np.flatnonzero(out)[0])))
    return sheet.kept(~out)


def _is_index(column: Column) -> bool:
    """Does it only count the rows?"""
    if not column.is_whole or column.numbers is None:
        return False
    named_so = not column.name or column.name.lower() in ("index", "id", "#", "no", "no.", "nr", "unnamed: 0")
    return named_so and bool((np.diff(column.numbers.values) == 1).all())


def wide_scores(wide: Wide, options: ScoreOptions, remarks: Remarks, *, alone: Alone) -> Scores:
    """Return the scores of a wide table. alone: the file's name, which may hold that of the metric."""
    sheet, columns, many, count = wide.sheet, wide.columns, len(wide.columns), wide.sheet.rows
    down = _rows(wide, alone)
    across = Codes(
        np.repeat(np.arange(many, dtype=np.int32), count), tuple(column.name for column in columns)
    )
    instance = instance_codes(wide.instances, count)
    corner = wide.labels.name if wide.labels and words.is_metric(wide.labels.name) else None
    metric = options.metric or corner or metric_in(alone.file) or UNNAMED
    lines = np.tile(np.arange(count), many)
    scores = Scores(
        dataset=across if wide.turned else _tiled(down, many),
        method=_tiled(down, many) if wide.turned else across,
        instance=_tiled(instance, many),
        metric=_tiled(
            wide.metric.codes if wide.metric else Codes(np.zeros(count, np.int32), (metric,)), many
        ),
        value=np.concatenate([numbers_in(sheet, column) for column in columns]),
        lines=lines,
        measured={} if _are_ranks(columns, remarks) else spreads_of(columns),
    )
    sums = [] if wide.instances else summing_rows(scores.value.reshape(many, count).T)
    if not sums:
        return scores
    names = [down.levels[down.places[row]] for row in sums]
    remarks.leave("row", names, "the mean or the sum of the others", line=sheet.line_of(sums[-1]))
    return scores.kept(~np.isin(lines, sums))


def _are_ranks(columns: tuple[Column, ...], remarks: Remarks) -> bool:
    """Are the numbers in parentheses no standard deviations but ranks within each line: `0.763 (4)`?"""
    spreads = spreads_of(columns).get("spread")
    many = len(columns)
    if spreads is None or many < 2:
        return False
    sums = spreads.reshape(many, -1).sum(axis=0)
    if not (sums == many * (many + 1) / 2).all() or (2 * spreads % 1).any() or spreads.min() < 1:
        return False
    remarks.guess("parentheses", "ranks", ("standard deviations",))
    return True


def _rows(wide: Wide, alone: Alone) -> Codes:
    """Return the names of the rows: numbers where no column holds them, one name where rows are instances."""
    count = wide.sheet.rows
    if wide.labels is not None:
        return wide.labels.codes
    if wide.instances:
        return Codes(np.zeros(count, dtype=np.int32), (alone.dataset,))
    return Codes(np.arange(count, dtype=np.int32), tuple(map(str, range(1, count + 1))))


def _tiled(codes: Codes, times: int) -> Codes:
    return Codes(np.tile(codes.places, times), codes.levels)
