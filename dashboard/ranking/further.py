"""The tab of Ranking for further questions: one is asked, and a sentence, a figure and a table answer it.

The address knows the question and how wide the region is in which methods are practically the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard.ranking import exports
from dashboard.ranking.choice import Request
from dashboard.ranking.data import analysis_of, per_request
from dashboard.ranking.tables import looks, of_first, of_tested
from dashboard.ranking.verdict import first_words
from dashboard.server import archive as opened
from dashboard.ui import page, selection
from delvecore.archive.questions import of_tasks_together
from delvecore.errors import DelveError
from delvecore.plots import theme, words
from delvecore.plots.ranking.further import Chance, Spot, chances_figure, front_figure
from delvecore.plots.ranking.plot_data import names_in_order
from delvecore.plots.rows import Interval, Intervals, intervals_figure
from delvecore.report.ranking.findings import Finding, finding_text
from delvecore.report.ranking.questions import DEFAULT_MARGIN, REGIONS, Asked, region_words

Draw = Callable[[Request, pd.DataFrame, float], go.Figure]
"""Draws the answer to a question; the last argument is half the width of the region."""

__all__ = ["finding_of_question", "show_further"]

QUESTIONS = {
    "equivalence": "Who is as good as whom?",
    "hierarchy": "Better on the next one?",
    "strengths": "How strong in duels?",
    "iqm": "The middle half",
    "improvement": "Who wins a training set?",
    "front": "Worth its cost?",
    "effects": "How large?",
    "pairs": "Shaffer, Bergmann-Hommel",
}
"""By the words of `delve rank --show`."""
WITH_REGION = ("equivalence", "hierarchy")
OF_FEW = ("hierarchy", "strengths")
"""Asked of fewer methods where tasks are many: they draw all pairs on all tasks many times."""
MOST_ROWS = 40
"""Pairs that a figure shows; the table has all."""


def show_further(request: Request) -> None:
    """Ask a question, and show what comes of it."""
    question = selection.local(
        st.segmented_control,
        "Question",
        "question",
        list(QUESTIONS),
        required=True,
        format_func=QUESTIONS.get,
    )
    margin = DEFAULT_MARGIN
    if question in WITH_REGION:
        label = "Practically the same within"
        margin = selection.local(
            st.selectbox, label, "region", list(REGIONS), help=region_words(request.loss)
        )
    count = len(analysis_of(request).order)
    request = of_tested(request) if question in OF_FEW else of_first(request)
    if len(analysis_of(request).order) < count:
        st.caption(first_words(len(request.methods), count))
    with st.spinner("Computing …"):
        found = finding_of_question(request, question, margin)
    if isinstance(found, str):
        page.empty_state("This question cannot be answered here.", words.escape(found))
        return
    st.markdown(f"**{words.escape(found.sentence)}**")
    _show_numbers(request, found, question, margin)
    for note in found.notes:
        st.caption(words.escape(note))


@per_request
def finding_of_question(request: Request, question: str, margin: float) -> Finding | str:
    """Return the answer, or why there is none."""
    archive = opened.archive_of(request.state)
    asked = Asked(question, request.loss, request.alpha, margin)
    try:
        return of_tasks_together(asked, archive, analysis_of(request))
    except DelveError as error:
        return str(error)


def _show_numbers(request: Request, found: Finding, question: str, margin: float) -> None:
    columns = [field.key for field in found.fields]
    table = pd.DataFrame(found.rows, columns=columns)
    name, command = f"further-{question}", exports.command(request)
    more = f" --show {question}" + (f" --rope {margin:g}" if question in WITH_REGION else "")
    figure = _figure(request, question, table, margin)
    if figure is None:
        page.table_block(
            table, name=exports.name_of(request, name), alt=found.sentence, latex=lambda: _latex(found)
        )
        st.code(command + more, language=None)
        return
    about: dict[str, Any] = {"name": exports.name_of(request, name), "key": name, "alt": found.sentence}
    page.figure_block(figure, table, command=command + more, latex=lambda: _latex(found), **about)


def _latex(found: Finding) -> str:
    return finding_text(found, "latex", label=f"tab:{found.question}")


def _figure(request: Request, question: str, table: pd.DataFrame, margin: float) -> go.Figure | None:
    draw = FIGURES.get(question)
    return None if draw is None else draw(request, table, margin)


def _styles(request: Request) -> dict[str, theme.MethodStyle]:
    names = names_in_order(analysis_of(request))
    return dict(zip(names, looks(request, names), strict=True))


def _rows(table: pd.DataFrame, names: list[str], columns: tuple[str, str, str]) -> tuple[Interval, ...]:
    ends = (table[column].to_numpy(dtype=float).tolist() for column in columns)
    return tuple(Interval(*row) for row in zip(names, *ends, strict=True))[:MOST_ROWS]


def _of_methods(columns: tuple[str, str, str], axis: str) -> Draw:
    """Return what draws a row a method."""

    def draw(request: Request, table: pd.DataFrame, _margin: float) -> go.Figure:
        styles, names = _styles(request), table["method"].tolist()
        rows = _rows(table, names, columns)
        return intervals_figure(
            Intervals(tuple(row._replace(colour=styles[row.name].colour) for row in rows), axis)
        )

    return draw


def _of_pairs(columns: tuple[str, str, str], axis: str, *, line: float | None = 0.0) -> Draw:
    """Return what draws a row a pair, the largest first. line: None for lines at the margins."""

    def draw(_request: Request, table: pd.DataFrame, margin: float) -> go.Figure:
        off = (table[columns[0]] - (line or 0.0)).abs().to_numpy(dtype=float)
        order = np.argsort(-np.nan_to_num(off) if line is not None else np.nan_to_num(off), kind="stable")
        chosen = table.iloc[order]
        names = [f"{a} – {b}" for a, b in zip(chosen["a"], chosen["b"], strict=True)]
        lines = (-margin, margin) if line is None else (line,)
        return intervals_figure(Intervals(_rows(chosen, names, columns), axis, lines))

    return draw


def _chances(_request: Request, table: pd.DataFrame, _margin: float) -> go.Figure:
    columns = ("a", "b", "a_better", "equivalent", "b_better")
    rows = table.sort_values("a_better", ascending=False)[list(columns)].itertuples(index=False)
    return chances_figure([Chance(*row) for row in rows][:MOST_ROWS])


def _front(request: Request, table: pd.DataFrame, _margin: float) -> go.Figure:
    styles, spots = _styles(request), []
    for row in table.itertuples():
        cost, loss = (row.cost, row.cost_lower, row.cost_upper), (row.loss, row.loss_lower, row.loss_upper)
        on_front = row.on_front == "on the front"
        spots.append(Spot(row.method, cost, loss, sure=row.sure, on_front=on_front, style=styles[row.method]))
    return front_figure(spots)


FIGURES: dict[str, Draw] = {
    "equivalence": _of_pairs(("difference", "lower", "upper"), "difference (first less second)", line=None),
    "hierarchy": _chances,
    "strengths": _of_methods(("strength", "lower", "upper"), "strength (logarithm of odds) →"),
    "iqm": _of_methods(("iqm", "iqm_lower", "iqm_upper"), "← better   mean of the middle half"),
    "improvement": _of_pairs(
        ("improvement", "improvement_lower", "improvement_upper"), "probability that the first wins", line=0.5
    ),
    "front": _front,
    "effects": _of_pairs(
        ("standardized", "standardized_lower", "standardized_upper"), "standardized difference (d)"
    ),
}
"""What draws the answer to a question; the others have a table only."""
