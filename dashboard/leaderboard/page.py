"""Leaderboard: the recommended methods, and the contents of this archive."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboard.leaderboard import data, tabs
from dashboard.server.pages import streamlit_page
from dashboard.ui import page, selection, task_filter
from dashboard.ui.archive_facts import usual_loss
from dashboard.ui.commands import command_text
from dashboard.ui.controls import loss_control
from dashboard.ui.page import View
from dashboard.ui.request import Request
from dashboard.ui.task_filter import TaskFilter
from delvecore.answers.leaderboard import leader_basis, leader_heading
from delvecore.answers.wins_and_losses import MEASURES, kinds_heading, measure_words
from delvecore.archive import Archive
from delvecore.library import contents
from delvecore.render.spans import as_name, markdown
from delvecore.report import words
from delvecore.report.ranking.sentences import failed_ranking_words, standing_of, standing_sentence
from delvecore.stats.choose import DEFAULT_SETTING

EVERY = "All tasks"
TITLES = {"family": "Families", "training cases": "Training cases", "type of task": "Types of tasks"}
NOTHING = "No method can be called best yet."


def at_start(archive: Archive) -> None:
    """Compute the content of the first page before the first visit."""
    if loss := usual_loss(archive):
        request = Request(archive, loss, DEFAULT_SETTING)
        board = data.board_of(request)
        if not isinstance(board, str):
            data.leaders(request)
            data.places_figure(request, 0, min(len(board.whole.order), tabs.MOST_METHODS))
        if data.costs(request):
            data.costs_figure(request)


def show_leaders(view: View) -> None:
    """Name the best methods on the chosen kinds of data, and show all methods with their costs."""
    archive, notices = view.archive, list[str]()
    wanted = task_filter.wanted_tasks(archive, notices)
    tasks = tuple(task.path for task in wanted.tasks) if wanted.options or notices else None
    losses = sorted(archive.index.losses, key=words.loss_preference)
    usual = data.usual_loss_on(archive, tasks)
    loss = selection.wanted_loss(
        losses, usual, view.selection, notices, where="here", measures=archive.measures
    )
    setting = selection.wanted_setting(view.selection)
    request = Request(archive, loss, setting, view.selection.unit, tasks)
    board = data.board_of(request)
    aspect, measure = show_controls(request, losses, wanted)
    if isinstance(board, str):
        page.answer(_too_little(request, wanted), view, basis=words.escape(f"{board}."), notices=notices)
        tabs.show_problems(archive)
        return
    own = standing_of(board.analysis, board.verdicts, view.selection.mine)
    heading = kinds_heading(data.kinds(request)[aspect], measure) if aspect else leader_heading(board)
    mine = standing_sentence(own) if own else ""
    page.answer(heading, view, basis=leader_basis(board), mine=mine, notices=notices)
    if favored := failed_ranking_words(board.analysis, board.verdicts.test):
        st.warning(markdown(favored), icon=":material/warning:")
    tabs.show_problems(archive)
    with st.container(key="leaders-both"):
        # The numbers on many kinds of tasks need the whole width.
        table, costs = (st.container(), st.container()) if aspect else st.columns([1.1, 1], gap="medium")
        with table:
            tabs.show_leaders(request, aspect, measure)
        with costs:
            tabs.show_costs(request, data.costs(request))


def _too_little(request: Request, wanted: TaskFilter) -> str:
    """Return the heading if nothing can be ranked."""
    if request.tasks is None:
        return NOTHING
    count = len(wanted.under(request.loss))
    if count == 1:
        return "One dataset is not enough to rank methods."
    quantity = as_name(words.measure_name(request.measure))
    return NOTHING if count else f"No such dataset has results of two methods under {quantity}."


def show_controls(request: Request, losses: Sequence[str], wanted: TaskFilter) -> tuple[str | None, str]:
    """Show controls for the loss, the properties of the data, and the columns.

    The columns are an aspect of kinds of tasks with the values to show, or None for all tasks."""
    kinds = {} if isinstance(data.board_of(request), str) else data.kinds(request)
    aspects: dict[str, str | None] = {EVERY: None}
    aspects |= {TITLES.get(aspect, aspect.capitalize()): aspect for aspect in kinds}
    if not aspects.keys() & set(st.query_params.get_all("archive-part")):
        st.query_params.pop("archive-part", None)  # fits another loss or filter; show all tasks
    aspect, measure = None, MEASURES[0]
    with st.container(horizontal=True, vertical_alignment="bottom", key="leaders-controls"):
        if len(losses) > 1:
            with st.container(width=250):
                loss_control(losses, request.loss, request.archive.measures)
        task_filter.show_lists(wanted)
        if len(aspects) > 1:
            title = selection.local(st.selectbox, "Columns", "archive-part", list(aspects), width=170)
            if aspect := aspects[title]:
                group = kinds[aspect][0]
                about: dict[str, Any] = {"format_func": lambda name: measure_words(name, group), "width": 170}
                measure = selection.local(st.selectbox, "What is shown", "measure", list(MEASURES), **about)
    task_filter.show_chips(wanted)
    return aspect, measure


def show_page(prepared: View) -> None:
    view = page.begin(prepared, "leaderboard", tests=True, adjusts=False)
    if usual_loss(view.archive):
        show_leaders(view)
        st.subheader("What is in this archive?", anchor=False)
        tabs.show_contents(view.archive)
        return
    page.answer("No results yet.", view, basis=contents.content_sentence(view.archive))
    tabs.show_problems(view.archive)
    if view.archive.datasets.num_rows:
        st.page_link(streamlit_page("datasets"), label="All datasets", icon=":material/dataset:")
    command = command_text("delve", "run", "METHOD", "/DATASET/PROTOTASK/TASK")
    page.empty_state("Run a method on a task,", "and it is ranked here:", command)
