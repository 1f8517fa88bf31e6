"""Tasks that a method wins and loses, its costs, and the methods with similar results."""

import streamlit as st

from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui import blocks
from dashboard.ui.archive_facts import leaderboard_of
from dashboard.ui.request import Request
from delvecore.answers.answer import Answer
from delvecore.answers.leaderboard import cost_sentence
from delvecore.answers.wins_and_losses import Where, alike_sentence, where_answer
from delvecore.archive.leaderboards import where_it_wins
from delvecore.plots import theme
from delvecore.plots.draw import draw
from delvecore.plots.figure import Figure
from delvecore.render.spans import markdown, plain

PLACES = ("lowest_place", "highest_place")
COLUMNS = {
    "kind": st.column_config.TextColumn("Kind of task", pinned=True),
    "place": st.column_config.NumberColumn("Place", help="Place by mean rank on these tasks; 1 is best"),
    "mean_rank": st.column_config.NumberColumn("Mean rank", format="%.2f"),
    "lowest_place": st.column_config.NumberColumn("Places from", help="95 % confidence set of the place"),
    "highest_place": st.column_config.NumberColumn("to"),
    "best": st.column_config.NumberColumn("Best on", format="percent"),
    "first": st.column_config.TextColumn("Best mean rank"),
}


@cached
def where_found(request: Request) -> Where | None:
    return where_it_wins(request.archive, request.method, loss=request.loss)


@cached
def where(request: Request) -> tuple[Answer, Figure] | None:
    """Return the tasks that the method wins and loses, with the figure; None if nothing can be compared."""
    profile = where_found(request)
    if profile is None:
        return None
    answer = where_answer(profile)
    style = theme.method_styles([*look_order(request.archive), request.method])[request.method]
    return answer, draw(answer, dict.fromkeys(answer.table["kind"], style))


@cached
def sentences(request: Request) -> list[str]:
    """Return sentences on the method's costs, and on the methods with similar results."""
    board = leaderboard_of(request.archive, request.loss)
    if isinstance(board, str) or request.method not in board.whole.methods:
        return []
    costs = board.costs
    cost = cost_sentence(costs, request.method) if costs and request.method in costs.methods else ""
    return [cost, alike_sentence(board.analysis.table, request.method)]


def show_where(request: Request) -> None:
    if (drawn := where(request)) is None:
        st.markdown("The method cannot be compared: no other method has results on two of its tasks.")
        return
    answer, figure = drawn
    st.markdown(markdown("\n".join(f"- {text}" for text in [answer.headline, *sentences(request)] if text)))
    blocks.figure_block(
        figure,
        answer.table.frame().astype(dict.fromkeys(PLACES, "Int64")),
        name=f"{request.method}-{request.loss}-where",
        key="where",
        alt=plain(answer.alt),
        column_config=COLUMNS,
    )
