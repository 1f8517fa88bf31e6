"""The tab of Compare for classification: who recognises which class, and do probabilities come true?"""

from functools import partial
from typing import Any, Literal

import pandas as pd
import streamlit as st

from dashboard.compare import data
from dashboard.compare.choice import Request
from dashboard.server import archive as opened
from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui import blocks, page, selection
from dashboard.ui.blocks import show_answer
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
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
from delvecore.render.spans import markdown
from delvecore.report import words
from delvecore.stats.choose import DEFAULT_LEVEL
from delvecore.stats.classification.summary import ClassificationSummary

AXES = ("Rates (ROC)", "Counts (coverage)")
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


def summaries(request: Request) -> dict[str, ClassificationSummary | str]:
    """What is each method worth as a classifier, or why can it not be said?"""
    archive, place, level = request.archive, request.place, request.setting.level
    return {name: _summary(archive, name, place, level) for name in request.methods}


@cached
def _summary(archive: Archive, method: str, place: TaskId, level: float) -> ClassificationSummary | str:
    try:
        return classification_summary(archive.hierarchy, method, place, level=level)
    except DelveError as error:
        return str(error)


def measures_text(request: Request, form: str) -> str:
    """Everything about all methods, as `delve measures` prints it; form: `csv` or `json`."""
    size, found = data.task_of(request).training_size, summaries(request).items()
    known = [(method, summary) for method, summary in found if not isinstance(summary, str)]
    return classification_text([TitledSummary(name, request.task, size, one) for name, one in known], form)


def measures_command(request: Request, method: str) -> str:
    """The command line that prints the measures of one method."""
    more = [] if request.setting.level == DEFAULT_LEVEL else ["--level", f"{request.setting.level:g}"]
    return command_text("delve", "measures", method, request.task, *more)


def show_classes(request: Request) -> None:
    all_found = summaries(request)
    found = {name: one for name, one in all_found.items() if not isinstance(one, str)}
    for name, reason in all_found.items():
        if name not in found:
            st.caption(f"{words.escape(name)}: {words.escape(reason)}.")
    if not found:
        st.info("Contingency tables need predictions; there are losses only.", icon=":material/info:")
        return
    column = st.column_config.TextColumn
    config = {name: column(help=text, alignment="right") for name, text in ABOUT.items()}
    _show_table(
        answers.overall_measures(found),
        *("How many cases are classified right?", "accuracy"),
        config={"Method": column(pinned=True), **config},
    )
    with st.container(horizontal=True, key="files-measures"):
        for kind in ("CSV", "JSON"):
            make = partial(measures_text, request, kind.lower())
            blocks.file_button(kind, make, request.file_name("measures"))
    method = selection.one_of("Classes predicted by", "classifier", list(found), format_func=words.escape)
    _show_method(found[method], method)
    _show_curves(request, found[method], method)
    _show_against(request, found)
    page.show_commands(measures_command(request, method))


def _show_table(
    found: Answer,
    heading: str,
    term: str,
    method: str = "",
    *,
    config: dict[str, Any] | None = None,
    shades: bool = False,
    height: Literal["content", "auto"] = "auto",
) -> None:
    """Show an answer that is a table under its heading. shades: is it a contingency table?"""
    st.subheader(heading, anchor=False, help=help_for(term))
    for note in found.notes:
        st.caption(markdown(note))
    table = found.table.frame()
    if table.empty:
        return
    st.dataframe(
        table.style.apply(_shades, axis=1) if shades else table,
        hide_index=True,
        key=f"table-{found.question}",
        alt=f"{found.headline}, {method}" if method else found.headline,
        column_config=config,
        placeholder="" if found.question == "intervals" else words.NO_VALUE,
        height=height,
    )


def _show_method(summary: ClassificationSummary, method: str) -> None:
    """Show one method's tables side by side; that of many classes above the others, as it is wide."""
    number = st.column_config.NumberColumn
    height: Literal["content", "auto"] = "content" if len(summary.classes) < MOST_CLASSES else "auto"

    def counts() -> None:
        config = {"Actual class": st.column_config.TextColumn(pinned=True)}
        asked = ("Which class is taken for which?", "contingency table", method)
        found = answers.contingency_table(summary)
        _show_table(found, *asked, config=config, shades=True, height=height)

    def intervals() -> None:
        config = {name: number(format=SHARES) for name in ("From", "To")}
        asked = ("How sure is the accuracy?", "binomial interval")
        _show_table(answers.intervals_of(summary), *asked, config=config)

    def classes() -> None:
        config = {name: number(format=SHARES, help=help_for(term)) for name, term in TERMS.items()}
        asked = ("How well is each class recognized?", "recall", method)
        _show_table(answers.class_measures(summary), *asked, config=config, height=height)

    def training_sets() -> None:
        found = answers.measures_by_training_set(summary)
        config = {field.key: number(format=SHARES) for field in found.table.columns[1:]}
        _show_table(found, "How does it vary between training sets?", "training set", method, config=config)

    parts = [[counts, intervals], [classes, training_sets]]
    if len(summary.classes) > MOST_BESIDE:
        counts()
        parts = [[classes], [intervals, training_sets]]
    for place, shown in zip(st.columns(2, gap="medium"), parts, strict=True):
        with place:
            for show in shown:
                show()


def _shades(row: pd.Series) -> list[str]:
    """Return a background by share of the row's cases; none for margins."""
    total = row.iloc[-1]
    if row.iloc[0] == ALL or not total:
        return ["font-weight: bold"] * len(row)
    shares = [f"background-color: {SHADE},{0.5 * value / total:.2f})" for value in row.iloc[1:-1]]
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
        st.subheader("Do the probabilities come true?", anchor=False, help=help_for("calibration"))
        found = answers.calibration_of(summary, method)
        st.markdown(markdown(found.headline))
        if len(found.table):
            show_answer(found, reliability_figure(found, style), name=request.file_name("reliability"))
    with right:
        st.subheader("How well are cases ranked?", anchor=False, help=help_for("AUC"))
        place = selection.local(st.selectbox, "Cases of the class", "class", list(summary.classes))
        axes = selection.one_of("Axes", "axes", list(AXES))
        found = answers.rankings_of(summary, method, place, in_counts=axes == AXES[1])
        show_answer(found, ranking_figure(found, style), name=request.file_name("ranking"))


def _show_against(request: Request, found: dict[str, ClassificationSummary]) -> None:
    """Show every method against the reference, where test cases are used once."""
    if request.reference not in found or len(found) < 2:
        return
    st.subheader(
        "Which method has more of the same cases right?", anchor=False, help=help_for("McNemar's test")
    )
    answer = answers.against_others(found, request.reference, level=request.setting.level)
    if isinstance(answer, str):
        st.caption(markdown(f"There is no such test here: {words.escape(answer)}."))
        return
    st.caption(markdown(answer.notes[0]))
    blocks.table_block(answer.table.frame(), name=request.file_name("mcnemar"), alt=answer.headline)
    other = next(name for name in found if name != request.reference)
    line = ["delve", "measures", other, request.task, "--against", request.reference]
    st.code(command_text(*line), language=None)
