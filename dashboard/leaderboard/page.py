"""Leaderboard: who wins, where, and at what cost? And what is in this archive?"""

from collections.abc import Sequence

import streamlit as st

from dashboard.leaderboard import data, tabs
from dashboard.leaderboard.data import Request
from dashboard.server.pages import streamlit_page
from dashboard.ui import page, selection
from dashboard.ui.archive_facts import usual_loss
from dashboard.ui.commands import command_text
from dashboard.ui.controls import loss_control
from dashboard.ui.page import LISTED, View
from delvecore.answers.leaderboard import leader_sentence
from delvecore.archive import Archive
from delvecore.library import contents
from delvecore.render.spans import markdown
from delvecore.report import words
from delvecore.report.ranking.ranking_report import may_be_best_words
from delvecore.report.ranking.sentences import (
    failed_ranking_words,
    other_unit_words,
    run_sentences,
    standing_of,
    standing_sentence,
)
from delvecore.stats.choose import DEFAULT_SETTING

QUESTION = "Who wins, where, and at what cost?"
EVERY = "All tasks"
ALL_METHODS = "All methods are listed here, best first: click a row to open one."
TITLES = {"family": "Families", "training cases": "Training cases", "type of task": "Types of tasks"}


def at_start(archive: Archive) -> None:
    """Make what the first page shows, before the first visitor asks for it."""
    if loss := usual_loss(archive):
        request = Request(archive, loss, DEFAULT_SETTING)
        data.leaders(request)
        board = data.board_of(request)
        if not isinstance(board, str) and len(board.whole.order) <= tabs.MOST_METHODS:
            data.leaders_figure(request, 0, len(board.whole.order))
        if data.costs(request):
            data.costs_figure(request)


def show_leaders(view: View, loss: str) -> None:
    """Say who is best, and show everybody: over all tasks, or by kinds of tasks; then the costs."""
    notices = [ALL_METHODS] if st.session_state.pop(LISTED, False) else []
    losses = sorted(view.archive.index.losses, key=words.loss_preference)
    measures = view.archive.measures
    loss = selection.wanted_loss(losses, loss, view.selection, notices, where="here", measures=measures)
    request = Request(view.archive, loss, selection.wanted_setting(view.selection), view.selection.unit)
    board = data.board_of(request)
    if isinstance(board, str):
        page.answer(
            QUESTION,
            view,
            basis=f"**No method can be called best yet:** {words.escape(board)}.",
            notices=notices,
        )
        tabs.show_problems(view.archive)
        tabs.show_methods(request)
        return
    own = standing_of(board.found, board.said, view.selection.mine)
    mine = standing_sentence(own) if own else ""
    said = leader_sentence(board, quantity=words.measure_quantity(request.measure))
    page.answer(QUESTION, view, basis=said, mine=mine, notices=notices)
    favored = failed_ranking_words(board.found, board.said.test)
    missing = run_sentences(board.found.given.runs, warns=False)
    best = may_be_best_words(board.found, board.places)
    caution = [favored, *missing, best, other_unit_words(board.found, board.said.test)]
    if caution := [*filter(None, caution)]:
        st.caption(markdown(" ".join(caution)))
    tabs.show_problems(view.archive)
    aspect = aspect_control(request, losses)
    if aspect is None:
        tabs.show_ranks(request)
    else:
        tabs.show_kinds(request, aspect)
    if costs := data.costs(request):
        tabs.show_costs(request, costs)


def aspect_control(request: Request, losses: Sequence[str]) -> str | None:
    """Ask by which loss, and by what the tasks are grouped: an aspect of the kinds, or None for all tasks."""
    aspects: dict[str, str | None] = {EVERY: None}
    aspects |= {TITLES.get(aspect, aspect.capitalize()): aspect for aspect in data.kinds(request)}
    if not aspects.keys() & set(st.query_params.get_all("archive-part")):
        st.query_params.pop("archive-part", None)  # of an address of old: costs and mean ranks are all there
    with st.container(horizontal=True, vertical_alignment="bottom", key="leaders-by"):
        if len(losses) > 1:
            with st.container(width=250):
                loss_control(losses, request.loss, request.archive.measures)
        title: str = selection.one_of("On which tasks?", "archive-part", list(aspects))
    return aspects[title]


def show_page(prepared: View) -> None:
    view = page.begin(prepared, "leaderboard", tests=True, adjusts=False)
    if loss := usual_loss(view.archive):
        show_leaders(view, loss)
        st.subheader("What is in this archive?", anchor=False)
        tabs.show_contents(view.archive)
        return
    page.answer(QUESTION, view, basis=contents.content_sentence(view.archive))
    tabs.show_problems(view.archive)
    if view.archive.datasets.num_rows:
        st.page_link(streamlit_page("datasets"), label="All datasets", icon=":material/dataset:")
    command = command_text("delve", "run", "METHOD", "/DATASET/PROTOTASK/TASK")
    page.empty_state("No results yet.", "Run a method on a task, and it is ranked here:", command)
