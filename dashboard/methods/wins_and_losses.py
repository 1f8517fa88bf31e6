"""Where a method wins and loses, what it costs, and which others resemble it."""

import math

import streamlit as st

from dashboard.methods.data import Request
from dashboard.server import archive as opened
from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui import blocks
from dashboard.ui.archive_facts import leaderboard_of
from delvecore.answers.leaderboard import cost_sentence
from delvecore.answers.wins_and_losses import Where, alike_sentence, where_sentence, where_table
from delvecore.archive.leaderboards import where_it_wins
from delvecore.plots import theme
from delvecore.plots.rows import Interval, Intervals, intervals_figure
from delvecore.render.spans import markdown, plain
from delvecore.report.ranking.sentences import group_name

PLACES = ("lowest_place", "highest_place")
COLUMNS = {
    "kind": st.column_config.TextColumn("Kind of task", pinned=True),
    "place": st.column_config.NumberColumn("Place", help="By mean rank there, 1 for the best"),
    "mean_rank": st.column_config.NumberColumn("Mean rank", format="%.2f"),
    "lowest_place": st.column_config.NumberColumn("Places from", help="95 % confidence set of its place"),
    "highest_place": st.column_config.NumberColumn("to"),
    "best": st.column_config.NumberColumn("Best on", format="percent"),
    "first": st.column_config.TextColumn("Best mean rank"),
}


@cached
def where(request: Request) -> Where | None:
    """Where does the method win and lose? None where nothing can be compared."""
    return where_it_wins(request.archive, request.method, loss=request.loss)


def intervals(request: Request) -> Intervals:
    """The place of the method on each kind of task, with its confidence set; a line at that over all."""
    style = theme.method_styles([*look_order(request.archive), request.method])[request.method]
    found = where(request)
    if found is None:
        return Intervals((), "")
    rows = []
    for one in (found.whole, *found.groups):
        lowest, highest = one.places_of(found.place) or (math.nan, math.nan)
        rows.append(Interval(group_name(one), one.place(found.place), lowest, highest, colour=style.colour))
    return Intervals(tuple(rows), "← better   place by mean rank", (found.whole.place(found.place),))


@cached
def sentences(request: Request) -> list[str]:
    """Return what the method costs, and which others resemble it."""
    board = leaderboard_of(request.archive, request.loss)
    if isinstance(board, str) or request.method not in board.whole.methods:
        return []
    cost = cost_sentence(board.costs, request.method) if board.costs else ""
    return [cost, alike_sentence(board.found.table, request.method)]


def show_where(request: Request) -> None:
    found = where(request)
    if found is None:
        st.markdown("It cannot be compared: no other method has results on two of its tasks.")
        return
    said = where_sentence(found)
    st.markdown(markdown(" ".join(filter(None, [said, *sentences(request)]))))
    blocks.figure_block(
        opened.figure(intervals_figure, intervals, request),
        where_table(found).frame().astype(dict.fromkeys(PLACES, "Int64")),
        name=f"{request.method}-{request.loss}-where",
        key="where",
        alt=f"Places of {request.method} on kinds of tasks, with confidence sets. {plain(said)}",
        column_config=COLUMNS,
    )
