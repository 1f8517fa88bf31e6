"""Wide tables: a line a dataset, a column a method (or the other way round)."""

import numpy as np
from numpy.typing import NDArray

from delvecore.losses.metrics import known_metric
from delvecore.readers.scores import words
from delvecore.readers.scores.assembling import Scores
from delvecore.readers.scores.columns import Codes, Column, Sheet
from delvecore.readers.scores.instances import instance_codes
from delvecore.readers.scores.long import numbers_in
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.remarks import Remarks
from delvecore.readers.scores.roles import named, said

__all__ = ["wide_instances", "wide_scores"]

UNNAMED = "score"


def wide_instances(sheet: Sheet, options: ScoreOptions) -> tuple[Column, ...]:
    """Return the columns of a wide table that tell instances apart."""
    return tuple(map(sheet.column, options.fold)) or tuple(named(sheet.columns, words.INSTANCES))


def wide_scores(sheet: Sheet, options: ScoreOptions, remarks: Remarks, *, alone: str) -> Scores:
    """Return the scores of a wide table. alone: the file's name, which may hold that of the metric."""
    filled = [column for column in sheet.columns if column.kind != "empty"]
    remarks.leave_columns([one for one in sheet.columns if one.kind == "empty"], "nothing stands in them")
    methods = not options.dataset and not named(filled, words.DATASETS) and named(filled, words.METHODS)
    labels = methods[0] if methods else _labels(sheet, filled, options, remarks)
    instances = wide_instances(sheet, options)
    kept = _score_columns(filled, labels, instances, remarks)
    many, count = len(kept), sheet.rows
    rows = labels.codes if labels else Codes(np.arange(count), tuple(map(str, range(1, count + 1))))
    down = Codes(np.tile(rows.places, many), rows.levels)
    across = Codes(np.repeat(np.arange(many), count), tuple(column.name for column in kept))
    instance = instance_codes(instances, count)
    spreads = [one for one in kept if spread_in(one) is not None]
    nothing = np.full(count, np.nan)
    all_spreads = [
        one.numbers.spread if one.numbers and one.numbers.spread is not None else nothing for one in kept
    ]
    return Scores(
        dataset=across if methods else down,
        method=down if methods else across,
        instance=Codes(np.tile(instance.places, many), instance.levels),
        metric=Codes(np.zeros(many * count, dtype=np.int64), (_metric(labels, options, alone),)),
        value=np.concatenate([numbers_in(sheet, column) for column in kept]),
        lines=np.tile(np.arange(count), many),
        measured={"spread": np.concatenate(all_spreads)} if spreads else {},
    )


def spread_in(column: Column) -> NDArray[np.float64] | None:
    """Return the standard deviations that stand with a column's numbers."""
    return column.numbers.spread if column.numbers else None


def _labels(sheet: Sheet, filled: list[Column], options: ScoreOptions, remarks: Remarks) -> Column | None:
    """Return the column that names the rows: as it is said, known by name, or the first one of texts."""
    texts = [column for column in filled if column.kind == "text"]
    found = [*said(sheet, options.dataset)[:1], *named(filled, words.DATASETS), *texts]
    others = [column.name for column in texts if column not in found[:1]]
    remarks.guess(
        "dataset", found[0].name or "the first column" if found else "the line", others, "--dataset"
    )
    remarks.guess("method", "a column each", (), "--method")
    return found[0] if found else None


def _score_columns(
    filled: list[Column], labels: Column | None, instances: tuple[Column, ...], remarks: Remarks
) -> list[Column]:
    rest = [one for one in filled if one is not labels and all(one is not other for other in instances)]
    summaries, described = named(rest, words.SUMMARIES), named(rest, words.PROPERTIES)
    counted = [one for one in rest if not one.name and one.is_whole]
    apart = {id(one) for one in (*summaries, *described, *counted)}
    texts = [one for one in rest if one.kind == "text" and id(one) not in apart and one.strange() is not None]
    remarks.leave_columns(summaries, "they sum the others up")
    remarks.leave_columns([*described, *counted], "they describe datasets")
    return [one for one in rest if id(one) not in apart and (one.kind == "number" or one in texts)]


def _metric(labels: Column | None, options: ScoreOptions, alone: str) -> str:
    """Return the name of the metric: the one that is said, or that the corner or the file's name holds."""
    if options.metric:
        return options.metric
    corner = labels.name if labels else ""
    if known_metric(corner):
        return corner
    parts = [part for part in alone.replace("-", "_").split("_") if part]
    found = [part for part in ["_".join(parts[-2:]), *parts] if known_metric(part)]
    return found[0] if found else UNNAMED
