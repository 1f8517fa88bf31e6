"""Methods as classifiers, for the page Compare: contingency tables, measures, intervals."""

import math
from collections.abc import Mapping

import pandas as pd

from dashboard.compare import data
from dashboard.compare.choice import Request
from dashboard.server import archive as opened
from delvecore.archive.classification import classification_summary
from delvecore.errors import DelveError
from delvecore.report.classification.text import TitledSummary, classification_text
from delvecore.report.provenance import command_line
from delvecore.report.rounding import decimals_for, p_text, rounded
from delvecore.statistics.choose import DEFAULT_LEVEL
from delvecore.statistics.classification.summary import ClassificationSummary, Spread

__all__ = [
    "class_table",
    "counts_table",
    "interval_table",
    "is_classification",
    "measures_command",
    "measures_text",
    "overall_table",
    "summaries",
    "training_set_table",
]

DECIMALS = 3
ALL = "All"
SPREADS = {"accuracy": "Accuracy", "average recall": "Average recall", "mean AUC": "Mean AUC"}


@opened.cached
def is_classification(request: Request) -> bool:
    """Are the targets of the task classes?"""
    return any(
        (row["dataset"], row["prototask"], row["task"]) == request.place
        and row["task_type"] == "classification"
        for row in opened.rows(request.state, "tasks")
    )


def summaries(request: Request) -> dict[str, ClassificationSummary | str]:
    """What is each method worth as a classifier, or why can it not be said?"""
    return {name: _summary(request.state, name, request.place, request.level) for name in request.methods}


@opened.cached
def _summary(
    state: str, method: str, place: tuple[str, str, str], level: float
) -> ClassificationSummary | str:
    try:
        return classification_summary(opened.archive_of(state).hierarchy, method, place, level=level)
    except DelveError as error:
        return str(error)


def overall_table(found: Mapping[str, ClassificationSummary]) -> pd.DataFrame:
    """A row a method: means over training sets with their errors, what always guessing one class gives."""
    rows = []
    for method, summary in found.items():
        spreads = {spread.name: spread for spread in summary.spreads}
        row = {"Method": method}
        row |= {title: _with_error(spreads.get(name)) for name, title in SPREADS.items()}
        row["Expected accuracy"] = _share(summary.expected.mean)
        row["Most frequent class"] = _share(summary.null_share)
        if summary.null is not None:
            row["p above it"] = p_text(summary.null.greater)
        rows.append(row)
    return pd.DataFrame(rows)


def counts_table(summary: ClassificationSummary) -> pd.DataFrame:
    """Test cases by actual class (rows) and predicted class (columns), with margins."""
    table = summary.table
    rows = [
        [name, *counts, total]
        for name, counts, total in zip(table.classes, table.counts, table.actual, strict=True)
    ]
    rows.append([ALL, *table.predicted, table.total])
    predicted = [f"→ {name}" for name in table.classes]
    return pd.DataFrame(rows, columns=["Actual class", *predicted, ALL])


def class_table(summary: ClassificationSummary) -> pd.DataFrame:
    """A row a class: how it is recognised against all others."""
    measures = summary.measures.classes
    columns = {
        "Class": [one.name for one in measures],
        "Recall": [one.recall for one in measures],
        "Specificity": [one.specificity for one in measures],
        "Precision": [one.precision for one in measures],
        "F": [one.f for one in measures],
        "Rate": [one.predicted_positive_rate for one in measures],
    }
    if summary.areas is not None:
        columns["AUC"] = list(summary.areas)
    return pd.DataFrame(columns)


def interval_table(summary: ClassificationSummary) -> pd.DataFrame:
    """Binomial intervals of the accuracy of all training sets together; empty where test cases are shared."""
    return pd.DataFrame(
        [(one.method, one.lower, one.upper, one.caution) for one in summary.intervals],
        columns=["Interval", "From", "To", "Beware"],
    )


def training_set_table(summary: ClassificationSummary) -> pd.DataFrame:
    """A row a training set: accuracy with Wilson's interval, average recall."""
    return pd.DataFrame(
        [
            (
                one.instance,
                one.measures.accuracy,
                one.interval.lower,
                one.interval.upper,
                one.measures.average_recall,
            )
            for one in summary.instances
        ],
        columns=["Training set", "Accuracy", "Wilson from", "to", "Average recall"],
    )


def measures_text(request: Request, form: str) -> str:
    """Everything about all methods, as `delve measures` prints it; form: `csv` or `json`."""
    size = data.task_of(request).training_size
    titled = [
        TitledSummary(method, request.task, size, summary)
        for method, summary in summaries(request).items()
        if not isinstance(summary, str)
    ]
    return classification_text(titled, form)


def measures_command(request: Request, method: str) -> str:
    """The command line that prints the measures of one method."""
    more = [] if request.level == DEFAULT_LEVEL else ["--level", f"{request.level:g}"]
    return command_line(["delve", "measures", method, request.task, *more])


def _with_error(spread: Spread | None) -> str:
    if spread is None:
        return ""
    if spread.standard_error is None:
        return _share(spread.mean)
    decimals = decimals_for(spread.standard_error)
    return f"{rounded(spread.mean, decimals)} ± {rounded(spread.standard_error, decimals)}"


def _share(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else rounded(value, DECIMALS)
