"""The tab of Compare that says which methods may be the best of the task, and which are as good as each
other."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.compare.choice import Request
from dashboard.server import archive as opened
from dashboard.server.archive import look_order
from dashboard.ui import page, selection
from dashboard.ui.answers import show_answer
from dashboard.ui.commands import scored_command
from dashboard.ui.glossary import help_for
from delvecore.answers.answer import Answer
from delvecore.answers.ranking_questions import REGIONS, Asked, region_words
from delvecore.answers.single_tasks import IS_NOT
from delvecore.archive.questions import of_single_tasks
from delvecore.errors import DelveError
from delvecore.plots import theme, words
from delvecore.plots.rows import Interval, Intervals, intervals_figure
from delvecore.report.provenance import option_words
from delvecore.report.writers.answers import answer_text
from delvecore.stats.ranking.effects import DEFAULT_MARGIN
from delvecore.stats.ranking.score_table import ScoreTable

MOST_DRAWN = {"best": 60, "same": 30}
"""So many methods, or pairs of them, a figure shows."""


class Question(NamedTuple):
    """One question about a task; margin: half the width of the region in which methods are as good."""

    state: str
    task: str
    methods: tuple[str, ...]
    asked: Asked


def show_best(request: Request) -> None:
    """Show both answers, one beside the other."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader(
            "Which may be the best?", anchor=False, help=help_for("multiple comparison with the best")
        )
        _show_one(request, "best", DEFAULT_MARGIN)
    with right:
        st.subheader("Which are as good as each other?", anchor=False, help=help_for("equivalence"))
        label = "As good within"
        margin = selection.local(
            st.selectbox, label, "region", list(REGIONS), help=region_words(request.loss)
        )
        _show_one(request, "same", margin)


def answer_of(request: Request, question: str, margin: float) -> Answer | str:
    """Return the answer about the task, or why there is none."""
    setting, methods = request.setting, request.family or request.methods
    asked = Asked(question, request.loss, setting.alpha, margin, setting.adjust)
    return _answer(Question(request.state, request.task, tuple(sorted(methods)), asked))


@opened.cached
def _answer(question: Question) -> Answer | str:
    unknown = np.full((1, len(question.methods)), np.nan)
    table = ScoreTable((question.task,), question.methods, unknown)
    try:
        return of_single_tasks(question.asked, opened.archive_of(question.state), table)
    except DelveError as error:
        return str(error)


def _show_one(request: Request, question: str, margin: float) -> None:
    found = answer_of(request, question, margin)
    if isinstance(found, str):
        page.empty_state("This cannot be said here.", words.escape(found))
        return
    st.markdown(f"**{words.escape(found.sentence)}**")
    table = pd.DataFrame(found.rows, columns=[field.key for field in found.fields])
    setting = ["--level", f"{request.setting.level:g}", "--adjust", request.setting.adjust]
    region = ["--rope", f"{margin:g}"] if question == "same" else []
    line = [request.task, *option_words("--loss", request.loss), *setting, "--show", question, *region]
    near = _nearest(table, question)
    drawn = f" The {len(near)} of {words.count(len(table), 'method')} nearest the best are drawn."
    show_answer(
        found,
        intervals_figure(_loss_rows(request, near) if question == "best" else _pair_rows(near, margin)),
        name=request.file_name(question),
        key=question,
        note=drawn if question == "best" and len(near) < len(table) else "",
        command=scored_command("rank", *line),
        latex=lambda: answer_text(found, "latex", label=f"tab:{question}"),
    )


def _nearest(table: pd.DataFrame, question: str) -> pd.DataFrame:
    """Return the rows that are drawn, the smallest losses or differences first; its numbers have all."""
    size = table["upper"] if question == "best" else table["difference"].abs()
    return table.loc[size.sort_values(kind="stable").index[: MOST_DRAWN[question]]]


def _loss_rows(request: Request, table: pd.DataFrame) -> Intervals:
    """Each method's loss less the lowest of the others: grey, and said to be worse, where another is
    better."""
    styles = theme.method_styles(look_order(opened.archive_of(request.state)))
    rows = [
        Interval(
            name=row.method,
            value=(row.lower + row.upper) / 2,
            lower=row.lower,
            upper=row.upper,
            colour=theme.GREY if row.verdict == IS_NOT else styles[row.method].colour,
            said="worse" if row.verdict == IS_NOT else row.verdict,
        )
        for row in table.itertuples()
    ]
    return Intervals(tuple(rows), "← better   loss less the lowest of the others", (0.0,), with_values=False)


def _pair_rows(table: pd.DataFrame, margin: float) -> Intervals:
    rows = [
        Interval(
            name=f"{row.a} – {row.b}",
            value=row.difference,
            lower=row.lower,
            upper=row.upper,
            colour=theme.BLUE if row.verdict == "as good as b" else theme.GREY,
        )
        for row in table.itertuples()
    ]
    return Intervals(tuple(rows), "difference (first less second)", (-margin, margin))
