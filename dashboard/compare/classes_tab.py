"""The tab of the page Compare for classification: who recognises which class, how sure is the accuracy?"""

from functools import partial

import pandas as pd
import streamlit as st

from dashboard.compare import classes
from dashboard.compare.choice import Request
from dashboard.frame import page, selection, words
from dashboard.frame.glossary import help_for
from dashboard.frame.theme import SEQUENTIAL
from delvecore.statistics.classification.summary import ClassificationSummary

__all__ = ["show_classes"]

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


def show_classes(request: Request) -> None:
    """Show the measures of all methods, and the contingency table of one."""
    all_found = classes.summaries(request)
    found = {name: one for name, one in all_found.items() if not isinstance(one, str)}
    for name, reason in all_found.items():
        if name not in found:
            st.caption(f"{words.escape(name)}: {words.escape(reason)}.")
    if not found:
        st.info("Contingency tables need predictions; there are losses only.", icon=":material/info:")
        return
    _overall(request, found)
    method = selection.local(
        st.segmented_control, "Classes predicted by", "classifier", list(found), required=True
    )
    _one_method(found[method], method)
    st.caption("The same numbers on the command line:")
    st.code(classes.measures_command(request, method), language=None)


def _one_method(summary: ClassificationSummary, method: str) -> None:
    """Show one method's tables side by side; that of many classes above the others, as it is wide."""
    is_wide = len(summary.classes) > MOST_BESIDE
    if is_wide:
        _counts(summary, method)
    left, right = st.columns(2, gap="medium")
    with left:
        if is_wide:
            _by_class(summary, method)
        else:
            _counts(summary, method)
            _intervals(summary)
    with right:
        if is_wide:
            _intervals(summary)
        else:
            _by_class(summary, method)
        _training_sets(summary, method)


def _overall(request: Request, found: dict[str, ClassificationSummary]) -> None:
    st.subheader("How many cases are classified right?", anchor=False, help=help_for("accuracy"))
    st.caption(
        "Means over the training sets; behind ± is the standard error over training sets and test cases."
    )
    st.dataframe(
        classes.overall_table(found),
        hide_index=True,
        key="table-classifiers",
        alt="Accuracy, average recall and AUC of each method",
        column_config={
            "Method": st.column_config.TextColumn(pinned=True),
            **{
                name: st.column_config.TextColumn(help=text, alignment="right")
                for name, text in ABOUT.items()
            },
        },
    )
    with st.container(horizontal=True, key="files-measures"):
        for kind in ("CSV", "JSON"):
            make = partial(classes.measures_text, request, kind.lower())
            page.file_button(kind, make, request.file_name("measures"))


def _counts(summary: ClassificationSummary, method: str) -> None:
    st.subheader("Which class is taken for which?", anchor=False, help=help_for("contingency table"))
    sets = words.count(len(summary.instances), "training set")
    st.caption(f"Rows are actual classes, columns (→) predicted ones; cases of {sets} added.")
    table = classes.counts_table(summary)
    st.dataframe(
        table.style.apply(_shades, axis=1, columns=len(summary.classes)),
        hide_index=True,
        key="table-contingency",
        height="content" if len(summary.classes) < MOST_CLASSES else "auto",
        alt=f"Test cases by actual and predicted class, {method}",
        column_config={"Actual class": st.column_config.TextColumn(pinned=True)},
    )


def _shades(row: pd.Series, *, columns: int) -> list[str]:
    """Return a background by share of the row's cases; none for margins."""
    total = row.iloc[-1]
    if row.iloc[0] == classes.ALL or not total:
        return ["font-weight: bold"] * len(row)
    shares = [f"background-color: {SHADE},{0.5 * value / total:.2f})" for value in row.iloc[1 : columns + 1]]
    return ["", *shares, ""]


def _by_class(summary: ClassificationSummary, method: str) -> None:
    st.subheader("How well is each class recognised?", anchor=False, help=help_for("recall"))
    st.caption("Each class against all others, all training sets together.")
    table = classes.class_table(summary)
    st.dataframe(
        table,
        hide_index=True,
        key="table-classes",
        height="content" if len(summary.classes) < MOST_CLASSES else "auto",
        placeholder=words.NO_VALUE,
        alt=f"Recall, precision and F of each class, {method}",
        column_config={
            name: st.column_config.NumberColumn(format=SHARES, help=help_for(term))
            for name, term in BY_CLASS.items()
        },
    )


def _intervals(summary: ClassificationSummary) -> None:
    st.subheader("How sure is the accuracy?", anchor=False, help=help_for("binomial interval"))
    table = classes.interval_table(summary)
    if table.empty:
        st.caption(
            "No binomial interval of all training sets together: they share their test cases. Those of each "
            "training set are in the table of training sets."
        )
        return
    st.caption("Of these very classifiers; how sure the method’s accuracy is on new training sets, ± says.")
    if table["Beware"].isna().all():
        table = table.drop(columns="Beware")
    st.dataframe(
        table,
        hide_index=True,
        key="table-intervals",
        alt="Binomial intervals of the accuracy",
        placeholder="",
        column_config={name: st.column_config.NumberColumn(format=SHARES) for name in ("From", "To")},
    )


def _training_sets(summary: ClassificationSummary, method: str) -> None:
    st.subheader("Is it so for each training set?", anchor=False, help=help_for("training set"))
    table = classes.training_set_table(summary)
    st.dataframe(
        table,
        hide_index=True,
        key="table-classified-sets",
        placeholder=words.NO_VALUE,
        alt=f"Accuracy of each training set, {method}",
        column_config={
            name: st.column_config.NumberColumn(format=SHARES)
            for name in table.columns
            if name != "Training set"
        },
    )
