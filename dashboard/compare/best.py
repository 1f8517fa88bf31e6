"""Part of Compare: which methods may be the best of the task, and which are as good as each other."""

import numpy as np
import streamlit as st

from dashboard.compare.choice import Request
from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui import selection
from dashboard.ui.blocks import show_answer, show_sentence
from dashboard.ui.commands import scored_command, setting_words
from dashboard.ui.glossary import help_for
from delvecore.answers.answer import Answer, Table
from delvecore.answers.ranking_questions import IS_NOT, REGIONS, region_words
from delvecore.archive import Archive
from delvecore.archive.questions import answer_to
from delvecore.errors import DelveError
from delvecore.measures import Measure
from delvecore.plots import theme
from delvecore.plots.rows import Interval, Intervals, answer_intervals, intervals_figure
from delvecore.render.numbers import parameter
from delvecore.render.provenance import option_words
from delvecore.report import words
from delvecore.stats.choose import Setting
from delvecore.stats.orientation import oriented_interval
from delvecore.stats.ranking.effects import DEFAULT_MARGIN
from delvecore.stats.ranking.score_table import ScoreTable

MOST_METHODS, MOST_PAIRS = 60, 30
"""So many a figure shows."""


def show_best(request: Request) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        help = help_for("multiple comparison with the best")
        st.subheader("Which may be the best?", anchor=False, help=help)
        _show_one(request, "best", DEFAULT_MARGIN)
    with right:
        st.subheader("Which are as good as each other?", anchor=False, help=help_for("equivalence"))
        help = region_words(request.measure)
        margin = selection.local(st.selectbox, "As good within", "region", list(REGIONS), help=help)
        _show_one(request, "same", margin)


def answer_of(request: Request, question: str, margin: float) -> Answer | str:
    """Return the answer about the task, or why there is none. margin: within which methods are as good."""
    methods = tuple(sorted(request.family or request.methods))
    return _answer(request.archive, request.task, methods, question, request.measure, request.setting, margin)


@cached
def _answer(
    archive: Archive,
    task: str,
    methods: tuple[str, ...],
    question: str,
    measure: Measure,
    setting: Setting,
    margin: float,
) -> Answer | str:
    table = ScoreTable((task,), tuple(methods), np.full((1, len(methods)), np.nan))
    try:
        return answer_to(question, archive, table, measure=measure, setting=setting, margin=margin)
    except DelveError as error:
        return str(error)


def _show_one(request: Request, question: str, margin: float) -> None:
    found = answer_of(request, question, margin)
    if not show_sentence(found) or isinstance(found, str):
        return
    line = [request.task, *option_words("--loss", request.loss), *setting_words(request.setting)]
    line += ["--show", question]
    note, table = "", found.table
    if question == "best":
        lower, upper = (np.asarray(table[key], float) for key in ("lower", "upper"))
        _, far = oriented_interval(lower, upper, request.measure)
        near = table.take(np.argsort(far, kind="stable")[:MOST_METHODS].tolist())
        drawn = _loss_rows(request, near)
        if len(near) < len(table):
            note = f" The {len(near)} of {words.count(len(table), 'method')} nearest the best are drawn."
    else:
        line += ["--rope", parameter(margin)]
        drawn = answer_intervals(found, {}, most=MOST_PAIRS)
    show_answer(
        found,
        intervals_figure(drawn),
        name=request.file_name(question),
        note=note,
        command=scored_command("rank", *line),
        label=f"tab:{question}",
    )


def _loss_rows(request: Request, table: Table) -> Intervals:
    """Each method's mean less the best of the others; grey where another is better."""
    styles = theme.method_styles(look_order(request.archive))
    rows = []
    for name, lower, upper, verdict in table.select("method", "lower", "upper", "verdict").rows:
        colour, text = (theme.GREY, "worse") if verdict == IS_NOT else (styles[name].colour, verdict)
        rows.append(Interval(name, (lower + upper) / 2, lower, upper, colour, text))
    measure = request.measure
    quantity = "loss" if measure.is_loss else measure.title
    title = f"{quantity} less the {words.best_end(measure)} of the others"
    axis = words.better_side(title, higher=measure.higher_is_better)
    return Intervals(tuple(rows), axis, (0.0,), with_values=False)
