"""A method as a classifier on a task, for reading: contingency table, measures, intervals, p.

Shares have three decimals, or those of two significant digits of their standard error. CSV and JSON have full
precision: `records`.
"""

import math
from collections.abc import Sequence

from delvecore.report.classification.records import (
    CLASS_FIELDS,
    TitledSummary,
    classification_csv,
    classification_json,
)
from delvecore.report.rounding import decimals_for, p_text, rounded
from delvecore.report.writers.text import aligned, fold
from delvecore.statistics.classification.class_distributions import random_split_accuracy
from delvecore.statistics.classification.contingency import ContingencyTable
from delvecore.statistics.classification.summary import ClassificationSummary, Spread

__all__ = ["CLASSIFICATION_FORMATS", "TitledSummary", "classification_text"]

DECIMALS = 3
INDENT = "  "
CLASS_TITLES = ("Class", "Cases", "Predicted", "Recall", "Specificity", "Precision", "F", "Rate", "AUC")


def classification_text(found: Sequence[TitledSummary], form: str) -> str:
    """Return the summaries in one of CLASSIFICATION_FORMATS; KeyError for another format."""
    return CLASSIFICATION_FORMATS[form](found)


def _text(found: Sequence[TitledSummary]) -> str:
    return "\n\n".join("\n".join(_lines(one)) for one in found) + "\n"


def _lines(one: TitledSummary) -> list[str]:
    summary = one.summary
    return [
        f"{one.method} on {one.task}",
        *fold(_basis(one), ""),
        "",
        *_counts(summary.table),
        "",
        *_overall(summary),
        "",
        *_classes(summary),
        "",
        *_instances(summary),
        "",
        *_notes(summary),
    ]


def _basis(one: TitledSummary) -> str:
    sets = len(one.summary.instances)
    own = "each with its own test set" if one.summary.independent else "all with the same test set"
    return (
        f"Test cases by actual class (rows) and predicted class (columns), of {sets} training set"
        f"{'s' * (sets != 1)} of {one.training_size} cases, {own}, added."
    )


def _counts(table: ContingencyTable) -> list[str]:
    header = ["", *table.classes, "All"]
    rows = [
        [name, *map(str, row), str(total)]
        for name, row, total in zip(table.classes, table.counts, table.actual, strict=True)
    ]
    rows.append(["All", *map(str, table.predicted), str(table.total)])
    return aligned([header, *rows], indent=INDENT)


def _overall(summary: ClassificationSummary) -> list[str]:
    rows = [[spread.name[0].upper() + spread.name[1:], _with_error(spread)] for spread in summary.spreads]
    expected = summary.expected
    spread = f", standard deviation {_share(expected.standard_deviation)}"
    name = "Expected accuracy, every class distribution equally likely"
    rows.append([name, _share(expected.mean) + spread])
    if summary.areas is not None and len(summary.classes) == 2:
        rows.append(
            ["Expected accuracy, ranking split at random", _share(_random_split(summary.areas, summary))]
        )
    for interval in summary.intervals:
        name = f"{100 * interval.level:g} % interval of the accuracy, {interval.method}"
        caution = f" ({interval.caution})" if interval.caution else ""
        rows.append([name, f"{_share(interval.lower)} to {_share(interval.upper)}{caution}"])
    if summary.null is not None:
        test = summary.null
        name = f"p, accuracy above {_share(test.null)} (one-sided, exact; normal, as in Flach)"
        rows.append([name, f"{p_text(test.greater)}; {p_text(test.normal_greater)}"])
        name = f"p, accuracy other than {_share(test.null)} (two-sided, exact; normal)"
        rows.append([name, f"{p_text(test.two_sided)}; {p_text(test.normal_two_sided)}"])
    width = max(len(name) for name, _ in rows)
    return [f"{INDENT}{name:<{width}}  {value}" for name, value in rows]


def _random_split(areas: Sequence[float], summary: ClassificationSummary) -> float:
    positive = summary.table.actual[0] / summary.table.total
    cases = round(summary.table.total / len(summary.instances))
    return random_split_accuracy(areas[0], cases=cases, positive_share=positive)


def _with_error(spread: Spread) -> str:
    if spread.standard_error is None:
        return _share(spread.mean)
    decimals = decimals_for(spread.standard_error)
    return f"{rounded(spread.mean, decimals)} ± {rounded(spread.standard_error, decimals)}"


def _share(value: float | None) -> str:
    return "undefined" if value is None or math.isnan(value) else rounded(value, DECIMALS)


def _classes(summary: ClassificationSummary) -> list[str]:
    rows = [list(CLASS_TITLES if summary.areas else CLASS_TITLES[:-1])]
    for place, one in enumerate(summary.measures.classes):
        shares = [_share(getattr(one, name)) for name in CLASS_FIELDS]
        area = [_share(summary.areas[place])] if summary.areas else []
        rows.append([one.name, str(one.cases), str(one.predicted), *shares, *area])
    return aligned(rows, indent=INDENT)


def _instances(summary: ClassificationSummary) -> list[str]:
    rows = [["Training set", "Accuracy", "Wilson's interval", "Average recall"]]
    for part in summary.instances:
        ends = f"{_share(part.interval.lower)} to {_share(part.interval.upper)}"
        numbers = [_share(part.measures.accuracy), ends, _share(part.measures.average_recall)]
        rows.append([str(part.instance), *numbers])
    return aligned(rows, indent=INDENT)


def _notes(summary: ClassificationSummary) -> list[str]:
    notes = [
        "Recall: of the cases of the class, the share predicted as it (true positive rate). Specificity: of "
        "the others, the share not predicted as it. Precision: of the predictions of the class, the share "
        "that is right. F: harmonic mean of precision and recall. Rate: share of all predictions that are of "
        "the class (predicted positive rate). The measures of classes are of all training sets added.",
        "Behind ± is the standard error over training sets and test cases.",
    ]
    if summary.areas is not None:
        notes.append("AUC: of the class against all others, mean over the training sets; ties count half.")
    if summary.null is not None and summary.null.null == summary.null_share:
        notes.append(
            f"{_share(summary.null_share)} is the share of the most frequent class among the test cases: the "
            "accuracy of always guessing it."
        )
    if not summary.independent and len(summary.instances) > 1:
        notes.append(
            "There is no binomial interval and no p of all training sets together, since they share their "
            "test cases; those of single training sets are given."
        )
    notes.append(
        "Binomial intervals and p say how sure the accuracy of these very classifiers is, not that of the "
        "method on new training sets; that is what ± says."
    )
    return [line for note in notes for line in fold(note, "")]


CLASSIFICATION_FORMATS = {"text": _text, "csv": classification_csv, "json": classification_json}
