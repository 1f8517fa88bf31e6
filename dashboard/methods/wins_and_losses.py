"""Where a method wins and loses, what it costs, and which others resemble it."""

import math

import numpy as np
import streamlit as st

from dashboard.methods.data import Request
from dashboard.server import archive as opened
from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui import blocks
from dashboard.ui.archive_facts import leaderboard_of
from delvecore.answers.leaderboard import cheaper_words
from delvecore.answers.wins_and_losses import Where, where_sentence, where_table
from delvecore.archive.leaderboards import where_it_wins
from delvecore.plots import theme
from delvecore.plots.rows import Interval, Intervals, intervals_figure
from delvecore.render.spans import markdown, plain
from delvecore.report import words
from delvecore.report.ranking.sentences import group_name
from delvecore.stats.ranking.performance_profiles import resemblance

ALIKE = 0.2
"""Ranks that are correlated less than this are not called alike."""
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


@cached
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
def alike(request: Request) -> tuple[tuple[str, float], ...]:
    """The other methods with the correlation of their ranks with the method's, the most alike first."""
    found = leaderboard_of(request.archive, request.loss)
    if isinstance(found, str) or request.method not in found.whole.methods or len(found.whole.methods) < 3:
        return ()
    methods = found.whole.methods
    row = resemblance(found.found.table)[methods.index(request.method)]
    pairs = zip(methods, row.tolist(), strict=True)
    known = [(name, value) for name, value in pairs if name != request.method and not np.isnan(value)]
    return tuple(sorted(known, key=lambda pair: -pair[1]))


def show_where(request: Request) -> None:
    found = where(request)
    if found is None:
        st.markdown("It cannot be compared: no other method has results on two of its tasks.")
        return
    said = where_sentence(found)
    st.markdown(
        markdown(" ".join(part for part in (said, cost_sentence(request), alike_sentence(request)) if part))
    )
    name = f"{request.method}-{request.loss}-where"
    blocks.figure_block(
        opened.figure(intervals_figure, intervals, request),
        where_table(found).frame().astype(dict.fromkeys(PLACES, "Int64")),
        name=name,
        key="where",
        alt=f"Places of {request.method} on kinds of tasks, with confidence sets. {plain(said)}",
        column_config=COLUMNS,
    )


def cost_sentence(request: Request) -> str:
    """`It takes 0.023 s a training set and at most 269 MB: 4 of the 11 others are cheaper; ...`"""
    found = leaderboard_of(request.archive, request.loss)
    if isinstance(found, str) or found.costs is None or request.method not in found.whole.methods:
        return ""
    costs, place = found.costs, found.costs.methods.index(request.method)
    memory, seconds = costs.megabytes[place], float(costs.front.cost[place])
    most = "" if np.isnan(memory) else f" and at most {memory:,.0f} MB"
    said = f"It takes **{words.number(seconds, digits=2)} s** a training set{most}"
    return f"{said}: {cheaper_words(costs, request.method)}."


def alike_sentence(request: Request) -> str:
    """Say which method does well and badly on the same tasks, and which on others."""
    found = alike(request)
    if not found or found[0][1] < ALIKE:
        return "No other method does well and badly on the same tasks." if found else ""
    (most, highest), (least, lowest) = found[0], found[-1]
    said = f"Most alike is **{words.escape(most)}** (correlation of ranks over the tasks "
    said += f"{words.number(highest, digits=2)})"
    other = f", least **{words.escape(least)}** ({words.number(lowest, digits=2)})"
    return f"{said}{other if lowest < -ALIKE else ''}."
