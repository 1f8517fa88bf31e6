"""What the Leaderboard shows: mean ranks, kinds of tasks, costs, and what is in the archive."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.leaderboard import data
from dashboard.leaderboard.data import Request
from dashboard.server import archive as opened
from dashboard.server import checks as check_data
from dashboard.server.pages import streamlit_page
from dashboard.ui import blocks, selection
from dashboard.ui.blocks import show_answer
from dashboard.ui.commands import scored_command
from dashboard.ui.controls import part_control
from dashboard.ui.glossary import help_for
from delvecore.answers.leaderboard import Costs, costs_answer, front_names, front_sentence, within_words
from delvecore.archive import Archive
from delvecore.library import contents
from delvecore.locations import is_part_of_whole
from delvecore.plots import theme
from delvecore.plots.cells import cells_figure
from delvecore.plots.cost_quality import front_figure
from delvecore.plots.figure import Figure
from delvecore.plots.method_rows import PlaceRange, place_ranges_figure
from delvecore.render.provenance import option_words
from delvecore.render.spans import as_name, markdown, plain, strong
from delvecore.report import words
from delvecore.stats.ranking.performance_profiles import NEAR

MOST_METHODS = 60
"""Up to so many are all drawn."""
PERCENT = "percent"
LEADERS = {
    "method": st.column_config.TextColumn("Method", pinned=True, help=help_for("method")),
    "about": st.column_config.TextColumn("What it is", width=300),
    "mean_rank": st.column_config.NumberColumn("Mean rank", format="%.2f", help=help_for("mean rank")),
    "lowest_place": st.column_config.NumberColumn(
        "Place from", format="%d", help="95 % confidence set of the place, from the test of pairs"
    ),
    "highest_place": st.column_config.NumberColumn("to", format="%d"),
    "pairwise_wins": st.column_config.NumberColumn(
        "Pairwise wins", format=PERCENT, help="Of the comparisons with another method; a tie counts half"
    ),
    "seconds": st.column_config.NumberColumn("Seconds", format="%.2g", help=help_for("computing cost")),
    "megabytes": st.column_config.NumberColumn("MB", format="%d", help="The most memory that was used"),
}
GAPS = {
    "method": st.column_config.TextColumn("Method", pinned=True),
    "prototask": st.column_config.TextColumn("Prototask"),
    "tasks": st.column_config.NumberColumn("Tasks", help="That any method has results on"),
    "missing": st.column_config.NumberColumn("Without results"),
    "reason": st.column_config.TextColumn("Why", help="What the method itself says of these tasks"),
}


def leaders_figure(rows: tuple[PlaceRange, ...]) -> Figure:
    """Draw places; a click anywhere in a row opens its method."""
    figure = place_ranges_figure(rows)
    theme.clickable(figure)
    figure.update_layout(hoverdistance=-1)
    return figure


def show_ranks(request: Request) -> None:
    """Show a dot a method, which opens its page; all else that is told of methods stands in the numbers."""
    every = data.intervals(request)
    part = part_control(len(every), "Methods shown", "rows-shown", whole=MOST_METHODS)
    rows = data.intervals_shown(request, part.start, part.stop)
    clicked = blocks.figure_block(
        opened.figure(leaders_figure, data.intervals_shown, request, part.start, part.stop),
        data.leaders(request),
        name="leaderboard",
        alt="Places with confidence sets: " + "; ".join(f"{row.method} {row.text}" for row in rows),
        command=_command(request, "leaderboard"),
        column_config=_columns(request),
        note="Dot: place by mean rank. Bar: its 95 % confidence set. Click a row to open the method.",
        **_opening(data.leaders(request)["method"]),
    )
    _open(clicked)


def show_methods(request: Request) -> None:
    """Show a row a method, which opens its page, where none can be ranked."""
    table = data.leaders(request)
    row = blocks.pick_row(table, name="leaders", alt="The methods", column_config=LEADERS)
    blocks.csv_button(table, "leaderboard")
    if row is not None:
        selection.open_page("methods", method=str(table.at[row, "method"]))


def show_costs(request: Request, costs: Costs) -> None:
    """Show each method at its cost and mean, and name those on the front."""
    st.subheader("What does it cost?", anchor=False, help=help_for("computing cost"))
    seconds = dict(zip(costs.methods, costs.front.cost.tolist(), strict=True))
    shown = [
        f"{strong(as_name(name))} ({words.number(seconds[name], digits=2)} s)" for name in front_names(costs)
    ]
    said = f"{front_sentence(costs, words.and_list(shown))}."
    st.markdown(markdown(said))
    found = costs_answer(costs)
    bars = "; bars are intervals" * costs.has_intervals
    marks = f"Filled marks are on the cost frontier{bars}."
    show_answer(
        replace(found, command=_command(request, "front")),
        opened.figure(front_figure, data.costs, request),
        name="costs",
        key="costs",
        alt=f"Each method at its cost and {costs.quality}. {plain(said)}",
        note=f" {marks}",
        listed=data.cost_list(request),
    )


def show_kinds(request: Request, aspect: str) -> None:
    """Show the methods on each kind of task; one with few tasks is pale."""
    groups = data.kinds(request)[aspect]
    said = " ".join(_first_words(request, aspect))
    st.markdown(markdown(said))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = selection.one_of(
            "What is shown",
            "measure",
            list(data.MEASURES),
            format_func=lambda name: data.measure_words(name, groups[0]),
            label_visibility="collapsed",
        )
        methods = part_control(len(groups[0].methods), "Methods shown", "rows-shown", whole=MOST_METHODS)
        some = part_control(len(groups), "Kinds shown", "kinds-shown", whole=MOST_METHODS)
    ends = (methods.start, methods.stop, some.start, some.stop)
    thin = " Kinds of one or two tasks have no shade." if any(map(data.is_thin, groups)) else ""
    clicked = blocks.figure_block(
        opened.figure(cells_figure, data.kinds_grid, request, aspect, measure, *ends),
        data.kind_table(request, aspect),
        name=f"by-{aspect}".replace(" ", "-"),
        key="kinds",
        alt=f"{data.measure_words(measure, groups[0])} of each method by {aspect}. {plain(said)}",
        note=f"A darker cell is better.{thin}",
        listed=data.kind_list(request, aspect),
        **_opening(groups[0].methods),
    )
    _open(clicked)


def _opening(methods: Iterable[str]) -> dict[str, Any]:
    return {"places": {name: name for name in methods}, "opens": "method of the figure"}


def _open(clicked: str | None) -> None:
    if clicked is not None:
        selection.open_page("methods", method=clicked)


def _columns(request: Request) -> dict[str, Any]:
    help = "Where it loses hardly more than the best"
    ratio = data.known_board(request).whole.ratio
    titles = {f"within_{100 * near:.0f}": within_words(ratio, near).capitalize() for near in NEAR}
    number = st.column_config.NumberColumn
    return LEADERS | {name: number(title, format=PERCENT, help=help) for name, title in titles.items()}


def _first_words(request: Request, aspect: str) -> list[str]:
    """Say who has the best mean rank on each kind of tasks, as few words as that needs."""
    first: dict[str, list[str]] = {}
    groups = data.kinds(request)[aspect]
    for group in [group for group in groups if not data.is_thin(group)] or groups:
        first.setdefault(group.methods[group.order[0]], []).append(group.name)
    return [
        f"{strong(as_name(name))} has the best mean rank on {words.and_list([*map(as_name, kinds)])}."
        for name, kinds in sorted(first.items(), key=lambda item: -len(item[1]))
    ]


def _command(request: Request, question: str) -> str:
    told = ["--unit", request.unit] if request.unit else []
    told += ["--level", f"{request.setting.level:g}", "--show", question]
    return scored_command("rank", *option_words("--loss", request.loss), *told)


def show_problems(archive: Archive) -> None:
    problems, notices, is_whole = check_data.counted(archive)
    if problems:
        so_far = "" if is_whole else " so far"
        st.warning(f"{words.count(problems, 'problem')} found in the files{so_far}; the rest is shown.")
    if problems or notices:
        told = words.count(notices, "notice")
        label = "What is wrong, and what to do" if problems else f"{told} on how the files were read"
        st.page_link(streamlit_page("file_check"), label=label, icon=":material/report:")


def show_contents(archive: Archive) -> None:
    said = (contents.content_sentence(archive), data.gap_sentence(archive))
    st.markdown(markdown(" ".join(filter(None, said))))
    if is_part_of_whole(archive.paths):
        st.caption(
            "The results on kin, pumadyn and bank come with the package of the archive; in a checkout:"
        )
        st.code("pip install ./data", language=None)
    if data.gaps(archive):
        with st.expander(
            "Why are results missing?", icon=":material/grid_off:", key="gaps", on_change="rerun"
        ) as box:
            if box.open:
                table = pd.DataFrame(data.gaps_with_reasons(archive))
                alt = "Prototasks on which methods lack results, and why"
                blocks.table_block(table, name="gaps", alt=alt, column_config=GAPS)
