"""A method as a classifier on a task, for programs: CSV and JSON with full precision."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from delvecore.report.writers.csv import csv_text
from delvecore.statistics.classification.binomial import NullTest
from delvecore.statistics.classification.summary import ClassificationSummary

__all__ = ["CLASS_FIELDS", "TitledSummary", "classification_csv", "classification_json"]

CLASS_FIELDS = ("recall", "specificity", "precision", "f", "predicted_positive_rate")
CsvRow = tuple[int | None, str | None, str, float | None, float | None]
"""Training set or none, class or none, measure, value, its standard error."""


@dataclass(frozen=True, slots=True)
class TitledSummary:
    """A summary, and of what: method and task (a full path); training_size: cases of a training set."""

    method: str
    task: str
    training_size: int
    summary: ClassificationSummary


def classification_csv(found: Sequence[TitledSummary]) -> str:
    """Return one line a measure: of all training sets, of a class, or of one training set."""
    header = ["method", "task", "training_set", "class", "measure", "value", "standard_error"]
    return csv_text(header, [[one.method, one.task, *row] for one in found for row in _csv_rows(one.summary)])


def _csv_rows(summary: ClassificationSummary) -> Iterator[CsvRow]:
    for spread in summary.spreads:
        yield None, None, spread.name, spread.mean, spread.standard_error
    yield None, None, "expected accuracy", summary.expected.mean, None
    for interval in summary.intervals:
        yield None, None, f"lower end, {interval.method}", interval.lower, None
        yield None, None, f"upper end, {interval.method}", interval.upper, None
    if summary.null is not None:
        yield None, None, "null hypothesis", summary.null.null, None
        yield None, None, "p one-sided exact", summary.null.greater, None
        yield None, None, "p two-sided exact", summary.null.two_sided, None
    for place, one in enumerate(summary.measures.classes):
        for name in ("cases", "predicted", *CLASS_FIELDS):
            yield None, one.name, name.replace("_", " "), getattr(one, name), None
        if summary.areas is not None:
            yield None, one.name, "AUC", summary.areas[place], None
    for part in summary.instances:
        yield part.instance, None, "accuracy", part.measures.accuracy, None
        yield part.instance, None, "average recall", part.measures.average_recall, None
        for name, row in zip(part.table.classes, part.table.counts, strict=True):
            for other, count in zip(part.table.classes, row, strict=True):
                yield part.instance, name, f"predicted {other}", count, None


def classification_json(found: Sequence[TitledSummary]) -> str:
    """Return a list with an object for each method and task; what is undefined is null."""
    return json.dumps([_record(one) for one in found], indent=2, ensure_ascii=False) + "\n"


def _record(one: TitledSummary) -> dict[str, Any]:
    summary = one.summary
    return {
        "method": one.method,
        "task": one.task,
        "training_size": one.training_size,
        "own_test_sets": summary.independent,
        "classes": list(summary.classes),
        "counts": [list(row) for row in summary.table.counts],
        "actual": list(summary.table.actual),
        "predicted": list(summary.table.predicted),
        "measures": {
            spread.name.replace(" ", "_"): {
                "mean": _number(spread.mean),
                "standard_error": _number(spread.standard_error),
                "training_sets": spread.training_sets,
            }
            for spread in summary.spreads
        },
        "expected_accuracy": {
            "mean": _number(summary.expected.mean),
            "standard_deviation": _number(summary.expected.standard_deviation),
        },
        "by_class": _class_records(summary),
        "intervals": [
            {"method": one.method, "level": one.level, "lower": one.lower, "upper": one.upper}
            for one in summary.intervals
        ],
        "null": _null_record(summary.null),
        "training_sets": [
            {
                "training_set": part.instance,
                "counts": [list(row) for row in part.table.counts],
                "accuracy": _number(part.measures.accuracy),
                "average_recall": _number(part.measures.average_recall),
                "auc": None if part.areas is None else [_number(area) for area in part.areas],
            }
            for part in summary.instances
        ],
    }


def _class_records(summary: ClassificationSummary) -> list[dict[str, Any]]:
    areas: Sequence[float | None] = summary.areas or [None] * len(summary.classes)
    return [
        {
            "class": one.name,
            "cases": one.cases,
            "predicted": one.predicted,
            **{name: _number(getattr(one, name)) for name in CLASS_FIELDS},
            "auc": _number(area),
        }
        for one, area in zip(summary.measures.classes, areas, strict=True)
    ]


def _null_record(test: NullTest | None) -> dict[str, float] | None:
    if test is None:
        return None
    return {
        "null": test.null,
        "p_greater": test.greater,
        "p_two_sided": test.two_sided,
        "p_greater_normal": test.normal_greater,
        "p_two_sided_normal": test.normal_two_sided,
    }


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
