"""The tab of Compare for classification: recall of each class, and calibration of probabilities."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.compare import data
from dashboard.server import archive as opened
from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui import blocks, page, selection
from dashboard.ui.blocks import show_answer
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
from dashboard.ui.request import Request
from delvecore.answers import classification as answers
from delvecore.answers.answer import Answer
from delvecore.answers.classification import ALL, TitledSummary, classification_text
from delvecore.archive import Archive
from delvecore.archive.task_details import classification_summary
from delvecore.errors import DelveError
from delvecore.model import TaskId
from delvecore.plots import theme
from delvecore.plots.comparison import ranking_figure, reliability_figure
from delvecore.plots.theme import SEQUENTIAL
from delvecore.render.numbers import coordinate, parameter
from delvecore.render.spans import markdown
from delvecore.report import words
from delvecore.stats.choose import DEFAULT_LEVEL
from delvecore.stats.classification.summary import ClassificationSummary

AXES = ("Rates (ROC)", "Counts (coverage)")
SHARES = "%.3f"
MOST_CLASSES = 20
MOST_BESIDE = 6
"""Largest number of classes for which the contingency table appears next to the measures."""
SHADE = SEQUENTIAL[1][1].rpartition(",")[0]
ABOUT = {
    "Accuracy": "Share of test cases that are predicted correctly",
    "Average recall": "Mean of the recalls of all classes, with equal weights",
    "Mean AUC": "Area under the ROC curve of each class against the others; mean over the classes",
    "Expected accuracy": "Expected accuracy if all distributions of the classes were equally likely",
    "Macro F": "Mean of the F measures of all classes, with equal weights",
    "Matthews": "Correlation of predicted and actual classes, from -1 to 1",
    "Kappa": "Agreement beyond that expected by chance (Cohen)",
    "Most frequent class": (
        "Share of this class in the test cases, which is the accuracy of always guessing it"
    ),
    "p above it": (
        "One-sided exact binomial test of an accuracy above that of always guessing that "
        "class; only if no test case is used twice"
    ),
}
PINNED = ("Method", "Actual class")
NOT_SHOWN = ("cases", "predicted")
"""Columns that other tables of the tab have."""
TERMS = {
    "Recall": "recall",
    "Specificity": "specificity",
    "Precision": "precision",
    "F": "F measure",
    "Rate": "predicted positive rate",
    "AUC": "AUC",
}


@cached
def is_classification(request: Request) -> bool:
    tasks = (row for row in opened.rows(request.archive, "tasks") if row["task_type"] == "classification")
    return any((row["dataset"], row["prototask"], row["task"]) == request.place for row in tasks)


@cached
def summary_of(archive: Archive, method: str, place: TaskId, level: float) -> ClassificationSummary | str:
    """Return a method's measures as a classifier, or why there are none."""
    try:
        return classification_summary(archive.hierarchy, method, place, level=level)
    except DelveError as error:
        return str(error)


def summaries(request: Request) -> dict[str, ClassificationSummary | str]:
    archive, place, level = request.archive, request.place, request.setting.level
    return {name: summary_of(archive, name, place, level) for name in request.methods}


def measures_text(request: Request, form: str) -> str:
    """Return the measures of all methods as `delve measures` prints them. form: `csv` or `json`."""
    size = data.training_size(request)
    titled = [
        TitledSummary(name, request.task, size, one)
        for name, one in summaries(request).items()
        if not isinstance(one, str)
    ]
    return classification_text(titled, form)


def measures_command(request: Request, method: str) -> str:
    """The command line that prints the measures of one method."""
    more = [] if request.setting.level == DEFAULT_LEVEL else ["--level", parameter(request.setting.level)]
    return command_text("delve", "measures", method, request.task, *more)


def show_classes(request: Request) -> None:
    method_summaries = {}
    for name, one in summaries(request).items():
        if isinstance(one, str):
            st.caption(f"{words.escape(name)}: {words.escape(one)}.")
        else:
            method_summaries[name] = one
    if not method_summaries:
        st.info("Contingency tables need predictions, but there are only losses.", icon=":material/info:")
        return
    _show_table(
        answers.overall_measures(method_summaries), "How many cases are classified correctly?", "accuracy"
    )
    with st.container(horizontal=True, key="files-measures"):
        for kind in ("CSV", "JSON"):
            make = partial(measures_text, request, kind.lower())
            blocks.file_button(kind, make, request.file_name("measures"))
    method = selection.one_of(
        "Classes predicted by", "classifier", list(method_summaries), format_func=words.escape
    )
    _show_method(method_summaries[method], method)
    _show_curves(request, method_summaries[method], method)
    _show_against(request, method_summaries)
    page.show_commands(measures_command(request, method))


def _show_table(answer: Answer, heading: str, term: str, method: str = "", *, is_long: bool = True) -> None:
    """Show a table under the heading of its answer. is_long: may it scroll?"""
    st.subheader(heading, anchor=False, help=help_for(term))
    for note in answer.notes:
        st.caption(markdown(note))
    columns = [one for one in answer.table.columns if any(value is not None for value in one.values)]
    table = pd.DataFrame({one.title: one.values for one in columns if one.key not in NOT_SHOWN})
    if table.empty:
        return
    config: dict[str, Any] = {}
    for one in columns:
        if one.title in ABOUT:
            config[one.title] = st.column_config.TextColumn(help=ABOUT[one.title], alignment="right")
        if one.kind == "number":
            term = TERMS.get(one.title, "")
            help = help_for(term) if term else None
            config[one.title] = st.column_config.NumberColumn(format=SHARES, help=help)
    if columns[0].key in PINNED:
        config[columns[0].title] = st.column_config.TextColumn(pinned=True)
    st.dataframe(
        table.style.apply(_shades, axis=1) if answer.question == "contingency" else table,
        hide_index=True,
        key=f"table-{answer.question}",
        alt=f"{answer.headline}, {method}" if method else answer.headline,
        column_config=config,
        placeholder="" if answer.question == "intervals" else words.NO_VALUE,
        height="auto" if is_long else "content",
    )


def _show_method(summary: ClassificationSummary, method: str) -> None:
    """Show one method's tables next to each other; a wide table of many classes is above the others."""
    is_long = len(summary.classes) >= MOST_CLASSES
    asked = "Which classes are confused?", "contingency table", method
    counts = partial(_show_table, answers.contingency_table(summary), *asked, is_long=is_long)
    asked = "How well is each class recognized?", "recall", method
    classes = partial(_show_table, answers.class_measures(summary), *asked, is_long=is_long)
    sure = "How sure is the accuracy?", "binomial interval"
    intervals = partial(_show_table, answers.intervals_of(summary), *sure)
    asked = "How does it vary between training sets?", "training set", method
    training_sets = partial(_show_table, answers.measures_by_training_set(summary), *asked)
    parts = [[counts, intervals], [classes, training_sets]]
    if len(summary.classes) > MOST_BESIDE:
        counts()
        parts = [[classes], [intervals, training_sets]]
    for place, shown in zip(st.columns(2, gap="medium"), parts, strict=True):
        with place:
            for show in shown:
                show()


def _shades(row: pd.Series) -> list[str]:
    """Return the background color of each cell by its share of the row's cases. Margins have none."""
    total = row.iloc[-1]
    if row.iloc[0] == ALL or not total:
        return ["font-weight: bold"] * len(row)
    shares = [f"background-color: {SHADE},{coordinate(0.5 * value / total)})" for value in row.iloc[1:-1]]
    return ["", *shares, ""]


def _show_curves(request: Request, summary: ClassificationSummary, method: str) -> None:
    if all(one.probabilities is None for one in summary.predictions):
        st.caption(
            f"Curves need probabilities of the classes, as in files prob.n; {words.escape(method)} has none."
        )
        return
    style = theme.method_styles(look_order(request.archive))[method]
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader(
            "Do the probabilities match the frequencies?", anchor=False, help=help_for("calibration")
        )
        answer = answers.calibration_of(summary, method)
        st.markdown(markdown(answer.headline))
        if len(answer.table):
            show_answer(answer, reliability_figure(answer, style), name=request.file_name("reliability"))
    with right:
        st.subheader("How well are cases ranked?", anchor=False, help=help_for("AUC"))
        place = selection.local(st.selectbox, "Cases of the class", "class", list(summary.classes))
        axes = selection.one_of("Axes", "axes", list(AXES))
        answer = answers.rankings_of(summary, method, place, in_counts=axes == AXES[1])
        show_answer(answer, ranking_figure(answer, style), name=request.file_name("ranking"))


def _show_against(request: Request, method_summaries: dict[str, ClassificationSummary]) -> None:
    """Compare each method with the reference, if no test case is used twice."""
    if request.reference not in method_summaries or len(method_summaries) < 2:
        return
    st.subheader(
        "Which method classifies more of the same cases correctly?",
        anchor=False,
        help=help_for("McNemar's test"),
    )
    answer = answers.against_others(method_summaries, request.reference)
    if isinstance(answer, str):
        st.caption(markdown(f"There is no such test here: {words.escape(answer)}."))
        return
    st.caption(markdown(answer.notes[0]))
    blocks.table_block(answer.table.frame(), name=request.file_name("mcnemar"), alt=answer.headline)
    other = next(name for name in method_summaries if name != request.reference)
    line = ["delve", "measures", other, request.task, "--against", request.reference]
    st.code(command_text(*line), language=None)
