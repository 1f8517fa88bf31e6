"""The methods by kinds of tasks, and by cost; only the open tab is drawn."""

import functools
from collections.abc import Callable

import pandas as pd
import streamlit as st

from dashboard.archive import data
from dashboard.archive.choice import Request
from dashboard.server import archive as opened
from dashboard.ui import controls, page, selection
from dashboard.ui.commands import scored_command
from dashboard.ui.row_pages import part_control
from delvecore.plots import words
from delvecore.plots.cells import cells_figure
from delvecore.plots.ranking.further import front_figure
from delvecore.plots.ranking.method_rows import RankInterval, rank_intervals_figure
from delvecore.report.provenance import option_words
from delvecore.report.ranking.cost_quality import costs_finding, front_names, front_sentence
from delvecore.report.ranking.questions import measure_of

__all__ = ["show_tabs"]

COST, RANKS = "Cost", "Mean ranks"
MOST_METHODS = 60
"""Up to so many are all drawn."""
TITLES = {"family": "Families", "training cases": "Training cases", "type of task": "Types of tasks"}


def show_tabs(request: Request) -> None:
    """Show a tab for the costs, where they are known, and one for each way to group the tasks."""
    shown: dict[str, Callable[[Request], None]] = {COST: _show_costs} if data.costs(request) else {}
    shown[RANKS] = _show_ranks
    for aspect in data.kinds(request):
        shown[TITLES.get(aspect, aspect.capitalize())] = functools.partial(_show_kinds, aspect=aspect)
    tabs = controls.tabs(list(shown), "archive-part")
    for tab, show in zip(tabs, shown.values(), strict=True):
        if tab.open:
            with tab:
                show(request)


def _show_ranks(request: Request) -> None:
    every = data.intervals(request)
    part = part_control(len(every), "Methods shown", "rows-shown", whole=MOST_METHODS)
    rows = data.intervals_shown(request, part.start, part.stop)
    table = pd.DataFrame(every, columns=RankInterval._fields).drop(columns=["text", "style"])
    page.figure_block(
        opened.figure(rank_intervals_figure, data.intervals_shown, request, part.start, part.stop),
        table,
        name="mean-ranks",
        alt="Mean ranks with intervals: " + "; ".join(f"{row.method} {row.text}" for row in rows),
        command=_command(request, "leaderboard"),
    )


def _show_costs(request: Request) -> None:
    costs = data.known_costs(request)
    seconds = dict(zip(costs.methods, costs.front.cost.tolist(), strict=True))
    shown = [
        f"**{words.escape(name)}** ({words.number(seconds[name], digits=2)} s)" for name in front_names(costs)
    ]
    said = f"{front_sentence(costs, words.and_list(shown))}."
    st.markdown(said)
    found = costs_finding(costs, measure=measure_of(request.loss))
    table = pd.DataFrame(found.rows, columns=[field.key for field in found.fields])
    page.figure_block(
        opened.figure(front_figure, data.costs, request),
        table,
        name="costs",
        alt=f"Each method at its cost and loss. {words.spoken(said)}",
        command=_command(request, "front"),
    )
    marks = "Filled marks are on the front" + ("; bars are intervals." if costs.has_intervals else ".")
    st.caption(" ".join([marks, *found.notes]))


def _show_kinds(request: Request, aspect: str) -> None:
    groups = data.kinds(request)[aspect]
    said = " ".join(_first_words(request, aspect))
    st.markdown(said)
    measure = selection.local(
        st.segmented_control,
        "What is shown",
        "measure",
        list(data.MEASURES),
        required=True,
        format_func=lambda name: data.measure_words(name, groups[0]),
        label_visibility="collapsed",
    )
    with st.container(horizontal=True):
        methods = part_control(len(groups[0].methods), "Methods shown", "rows-shown", whole=MOST_METHODS)
        some = part_control(len(groups), "Kinds shown", "kinds-shown", whole=MOST_METHODS)
    ends = (methods.start, methods.stop, some.start, some.stop)
    clicked = page.figure_block(
        opened.figure(cells_figure, data.kinds_grid, request, aspect, measure, *ends),
        data.kind_table(request, aspect),
        name=f"by-{aspect}".replace(" ", "-"),
        key="kinds",
        alt=f"{data.measure_words(measure, groups[0])} of each method by {aspect}. {words.spoken(said)}",
        command=_command(request, "leaderboard"),
        selectable=True,
        places={name: name for name in groups[0].methods},
        opens="method",
    )
    if clicked:
        selection.open_page("methods", method=str(clicked[0]["customdata"][0]))


def _first_words(request: Request, aspect: str) -> list[str]:
    """Say who has the best mean rank on each kind of tasks, as few words as that needs."""
    first: dict[str, list[str]] = {}
    for group in data.kinds(request)[aspect]:
        first.setdefault(group.methods[group.order[0]], []).append(group.name)
    return [
        f"**{words.escape(name)}** has the best mean rank on {words.and_list([*map(words.escape, kinds)])}."
        for name, kinds in sorted(first.items(), key=lambda item: -len(item[1]))
    ]


def _command(request: Request, question: str) -> str:
    told = ["--unit", request.unit] if request.unit else []
    told += ["--level", f"{request.setting.level:g}", "--show", question]
    return scored_command("rank", *option_words("--loss", request.loss), *told)
