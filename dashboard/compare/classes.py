"""The tab of the page Compare for classification: who recognises which class, how sure is the accuracy?"""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import pandas as pd
import streamlit as st

from dashboard.compare import data
from dashboard.compare.choice import Request
from dashboard.compare.class_curves import show_curves, show_pairs_of_classifiers
from dashboard.server import archive as opened
from dashboard.ui import page, selection
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
from delvecore.archive.classification import classification_summary
from delvecore.errors import DelveError
from delvecore.plots import words
from delvecore.plots.theme import SEQUENTIAL
from delvecore.report.classification import TitledSummary, classification_text
from delvecore.report.rounding import decimals_for, p_text, rounded
from delvecore.stats.choose import DEFAULT_LEVEL
from delvecore.stats.classification.summary import ClassificationSummary, Spread

__all__ = [
    *("class_table", "counts_table", "interval_table", "is_classification", "measures_command"),
    *("measures_text", "overall_table", "show_classes", "summaries", "training_set_table"),
]

ALL = "All"
SPREADS = {"accuracy": "Accuracy", "average recall": "Average recall", "mean AUC": "Mean AUC"}
AGREEMENT = {"macro_f": "Macro F", "matthews": "Matthews", "kappa": "Kappa"}
SHARES = "%.3f"
MOST_CLASSES = 20
MOST_BESIDE = 6
"""Of up to so many classes the contingency table stands beside the measures."""
SHADE = SEQUENTIAL[1][1].rpartition(",")[0]
ABOUT = {
    "Accuracy": "Share of the test cases that are predicted right",
    "Average recall": "Mean of the recalls of all classes, each counting alike",
    "Mean AUC": "Area under the ROC curve of each class against the others, mean of the classes",
    "Expected accuracy": "Accuracy if every distribution of the classes were equally likely",
    "Macro F": "Mean of the F measures of all classes, each counting alike",
    "Matthews": "Correlation of predicted and actual classes, from -1 to 1",
    "Kappa": "Agreement beyond what chance alone would make (Cohen)",
    "Most frequent class": "Its share of the test cases: the accuracy of always guessing it",
    "p above it": "Exact binomial test, one-sided, of an accuracy above that of always guessing that class; "
    "only where no test case is used twice",
}
BY_CLASS = {
    "Recall": "recall",
    "Specificity": "specificity",
    "Precision": "precision",
    "F": "F measure",
    "Rate": "predicted positive rate",
    "AUC": "AUC",
}


@opened.cached
def is_classification(request: Request) -> bool:
    """Are the targets of the task classes?"""
    tasks = opened.rows(request.state, "tasks")
    kinds = {(row["dataset"], row["prototask"], row["task"]): row["task_type"] for row in tasks}
    return kinds.get(request.place) == "classification"


def summaries(request: Request) -> dict[str, ClassificationSummary | str]:
    """What is each method worth as a classifier, or why can it not be said?"""
    return {
        name: _summary(request.state, name, request.place, request.setting.level) for name in request.methods
    }


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
        row |= {title: _share(getattr(summary.agreement, name)) for name, title in AGREEMENT.items()}
        row["Most frequent class"] = _share(summary.null_share)
        if summary.null is not None:
            row["p above it"] = p_text(summary.null.greater)
        rows.append(row)
    return pd.DataFrame(rows)


def counts_table(summary: ClassificationSummary) -> pd.DataFrame:
    """Test cases by actual class (rows) and predicted class (columns), with margins."""
    table = summary.table
    counted = zip(table.classes, table.counts, table.actual, strict=True)
    rows = [[name, *counts, total] for name, counts, total in counted]
    rows.append([ALL, *table.predicted, table.total])
    return pd.DataFrame(rows, columns=["Actual class", *(f"→ {name}" for name in table.classes), ALL])


def class_table(summary: ClassificationSummary) -> pd.DataFrame:
    """A row a class: how it is recognised against all others."""
    names = ["name", "recall", "specificity", "precision", "f", "predicted_positive_rate"]
    columns = {
        title: [getattr(one, name) for one in summary.measures.classes]
        for title, name in zip(["Class", *BY_CLASS], names, strict=False)
    }
    if summary.areas is not None:
        columns["AUC"] = list(summary.areas)
    return pd.DataFrame(columns)


def interval_table(summary: ClassificationSummary) -> pd.DataFrame:
    """Binomial intervals of the accuracy of all training sets together; empty where test cases are shared."""
    rows = [(one.method, one.lower, one.upper, one.caution) for one in summary.intervals]
    return pd.DataFrame(rows, columns=["Interval", "From", "To", "Beware"])


def training_set_table(summary: ClassificationSummary) -> pd.DataFrame:
    """A row a training set: accuracy with Wilson's interval, average recall."""
    columns = ["Training set", "Accuracy", "Wilson from", "to", "Average recall"]
    rows = []
    for one in summary.instances:
        ends = (one.interval.lower, one.interval.upper)
        rows.append((one.instance, one.measures.accuracy, *ends, one.measures.average_recall))
    return pd.DataFrame(rows, columns=columns)


def measures_text(request: Request, form: str) -> str:
    """Everything about all methods, as `delve measures` prints it; form: `csv` or `json`."""
    size, found = data.task_of(request).training_size, summaries(request).items()
    known = [(method, summary) for method, summary in found if not isinstance(summary, str)]
    return classification_text([TitledSummary(name, request.task, size, one) for name, one in known], form)


def measures_command(request: Request, method: str) -> str:
    """The command line that prints the measures of one method."""
    more = [] if request.setting.level == DEFAULT_LEVEL else ["--level", f"{request.setting.level:g}"]
    return command_text("delve", "measures", method, request.task, *more)


def _with_error(spread: Spread | None) -> str:
    if spread is None or spread.standard_error is None:
        return _share(spread.mean if spread else None)
    decimals = decimals_for(spread.standard_error)
    return f"{rounded(spread.mean, decimals)} ± {rounded(spread.standard_error, decimals)}"


def _share(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else rounded(value, 3)


def show_classes(request: Request) -> None:
    """Show the measures of all methods, and the contingency table of one."""
    all_found = summaries(request)
    found = {name: one for name, one in all_found.items() if not isinstance(one, str)}
    for name, reason in all_found.items():
        if name not in found:
            st.caption(f"{words.escape(name)}: {words.escape(reason)}.")
    if not found:
        st.info("Contingency tables need predictions; there are losses only.", icon=":material/info:")
        return
    _overall(request, found)
    more: dict[str, Any] = {"required": True, "format_func": words.escape}
    method = selection.local(st.segmented_control, "Classes predicted by", "classifier", list(found), **more)
    _one_method(found[method], method)
    show_curves(request, found[method], method)
    show_pairs_of_classifiers(request, found)
    st.caption("The same numbers on the command line:")
    st.code(measures_command(request, method), language=None)


def _one_method(summary: ClassificationSummary, method: str) -> None:
    """Show one method's tables side by side; that of many classes above the others, as it is wide."""
    parts: list[list[Callable[[ClassificationSummary, str], None]]]
    parts = [[_counts, _intervals], [_by_class, _training_sets]]
    if len(summary.classes) > MOST_BESIDE:
        _counts(summary, method)
        parts = [[_by_class], [_intervals, _training_sets]]
    for place, shown in zip(st.columns(2, gap="medium"), parts, strict=True):
        with place:
            for show in shown:
                show(summary, method)


def _show_table(table: Any, what: str, alt: str, config: dict[str, Any], **more: Any) -> None:
    st.dataframe(table, hide_index=True, key=f"table-{what}", alt=alt, column_config=config, **more)


def _overall(request: Request, found: dict[str, ClassificationSummary]) -> None:
    st.subheader("How many cases are classified right?", anchor=False, help=help_for("accuracy"))
    st.caption(
        "Means over the training sets; behind ± is the standard error over training sets and test cases."
    )
    column = st.column_config.TextColumn
    config = {name: column(help=text, alignment="right") for name, text in ABOUT.items()}
    alt = "Accuracy, average recall and AUC of each method"
    _show_table(overall_table(found), "classifiers", alt, {"Method": column(pinned=True), **config})
    with st.container(horizontal=True, key="files-measures"):
        for kind in ("CSV", "JSON"):
            make = partial(measures_text, request, kind.lower())
            page.file_button(kind, make, request.file_name("measures"))


def _height(summary: ClassificationSummary) -> Literal["content", "auto"]:
    return "content" if len(summary.classes) < MOST_CLASSES else "auto"


def _counts(summary: ClassificationSummary, method: str) -> None:
    st.subheader("Which class is taken for which?", anchor=False, help=help_for("contingency table"))
    sets = words.count(len(summary.instances), "training set")
    st.caption(f"Rows are actual classes, columns (→) predicted ones; cases of {sets} added.")
    table = counts_table(summary).style.apply(_shades, axis=1, columns=len(summary.classes))
    alt = f"Test cases by actual and predicted class, {method}"
    config = {"Actual class": st.column_config.TextColumn(pinned=True)}
    _show_table(table, "contingency", alt, config, height=_height(summary))


def _shades(row: pd.Series, *, columns: int) -> list[str]:
    """Return a background by share of the row's cases; none for margins."""
    total = row.iloc[-1]
    if row.iloc[0] == ALL or not total:
        return ["font-weight: bold"] * len(row)
    shares = [f"background-color: {SHADE},{0.5 * value / total:.2f})" for value in row.iloc[1 : columns + 1]]
    return ["", *shares, ""]


def _by_class(summary: ClassificationSummary, method: str) -> None:
    st.subheader("How well is each class recognised?", anchor=False, help=help_for("recall"))
    st.caption("Each class against all others, all training sets together.")
    column = st.column_config.NumberColumn
    config = {name: column(format=SHARES, help=help_for(term)) for name, term in BY_CLASS.items()}
    more: dict[str, Any] = {"height": _height(summary), "placeholder": words.NO_VALUE}
    alt = f"Recall, precision and F of each class, {method}"
    _show_table(class_table(summary), "classes", alt, config, **more)


def _intervals(summary: ClassificationSummary, _method: str) -> None:
    st.subheader("How sure is the accuracy?", anchor=False, help=help_for("binomial interval"))
    table = interval_table(summary)
    if table.empty:
        said = "No binomial interval of all training sets together: they share their test cases."
        st.caption(f"{said} Those of each training set are in the table of training sets.")
        return
    st.caption("Of these very classifiers; how sure the method’s accuracy is on new training sets, ± says.")
    if table["Beware"].isna().all():
        table = table.drop(columns="Beware")
    config = {name: st.column_config.NumberColumn(format=SHARES) for name in ("From", "To")}
    _show_table(table, "intervals", "Binomial intervals of the accuracy", config, placeholder="")


def _training_sets(summary: ClassificationSummary, method: str) -> None:
    st.subheader("Is it so for each training set?", anchor=False, help=help_for("training set"))
    table = training_set_table(summary)
    config = {name: st.column_config.NumberColumn(format=SHARES) for name in table.columns[1:]}
    alt = f"Accuracy of each training set, {method}"
    _show_table(table, "classified-sets", alt, config, placeholder=words.NO_VALUE)
