"""What the Leaderboard shows: mean ranks, kinds of tasks, costs, and what is in the archive."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.leaderboard import data
from dashboard.leaderboard.data import Request
from dashboard.server import checks as check_data
from dashboard.server.pages import streamlit_page
from dashboard.ui import blocks, selection
from dashboard.ui.blocks import Dot, DotList, show_answer
from dashboard.ui.commands import scored_command
from dashboard.ui.controls import part_control
from dashboard.ui.glossary import help_for
from delvecore.answers.answer import Answer
from delvecore.answers.leaderboard import Costs, front_names, front_sentence, leaderboard_answer
from delvecore.answers.wins_and_losses import (
    MEASURES,
    is_thin,
    kind_name,
    kinds_table,
    leaders_of,
    leaders_sentence,
    measure_words,
    measured,
    measured_words,
)
from delvecore.archive import Archive
from delvecore.library import contents
from delvecore.locations import is_part_of_whole
from delvecore.plots.figure import Figure
from delvecore.render.numbers import parameter, seconds_text
from delvecore.render.provenance import option_words
from delvecore.render.spans import as_name, markdown, plain, strong
from delvecore.report import words
from delvecore.report.ranking.sentences import first_few

MOST_METHODS = 60
"""Up to so many are all drawn."""
PERCENT = "percent"
PLACES = ("lowest_place", "highest_place")
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
    "seconds": st.column_config.NumberColumn("Seconds", format="%.3g", help=help_for("computing cost")),
    "megabytes": st.column_config.NumberColumn("MB", format="%d", help="The most memory that was used"),
}
GAPS = {
    "method": st.column_config.TextColumn("Method", pinned=True),
    "prototask": st.column_config.TextColumn("Prototask"),
    "tasks": st.column_config.NumberColumn("Tasks", help="That any method has results on"),
    "missing": st.column_config.NumberColumn("Without results"),
    "reason": st.column_config.TextColumn("Why", help="What the method itself says of these tasks"),
}


def show_ranks(request: Request) -> None:
    """Show a dot a method, which opens its page; all else that is told of methods stands in the numbers."""
    count = len(data.known_board(request).whole.order)
    part = part_control(count, "Methods shown", "rows-shown", whole=MOST_METHODS)
    _open_clicked(
        data.leaders_figure(request, part.start, part.stop),
        data.leaders(request),
        methods=data.leaders(request)["method"],
        name="leaderboard",
        alt=data.places(request, part.start, part.stop).alt,
        command=_command(request, "leaderboard"),
        column_config=_columns(request),
        note="Dot: place by mean rank. Bar: its 95 % confidence set. Click a row to open the method.",
    )


def show_methods(request: Request) -> None:
    """Show a row a method, which opens its page, where none can be ranked."""
    table = data.leaders(request)
    row = blocks.pick_row(table, name="leaders", alt="The methods", column_config=LEADERS)
    blocks.csv_button(table, "leaderboard")
    if row is not None:
        selection.open_page("methods", method=str(table.at[row, "method"]))


def show_costs(request: Request, answer: Answer) -> None:
    """Show each method at its cost and mean, and name those on the front."""
    st.subheader("What does it cost?", anchor=False, help=help_for("computing cost"))
    costs: Costs = answer.figure
    seconds = dict(zip(costs.methods, costs.front.cost.tolist(), strict=True))
    shown = [f"{strong(as_name(name))} ({seconds_text(seconds[name])} s)" for name in front_names(costs)]
    said = f"{front_sentence(costs, words.and_list(shown))}."
    st.markdown(markdown(said))
    marks = f"Filled marks are on the cost frontier{'; bars are intervals' * costs.has_intervals}."
    about = (
        f"Mean {words.short_line(costs.quality)} (the dot) and seconds of each method, the cheapest first."
    )
    looks, means = data.styles(request), dict(zip(costs.methods, costs.means[0].tolist(), strict=True))
    dots = [
        Dot(name, means[name], f"{_short(means[name])}, {seconds_text(seconds[name])} s", looks[name].colour)
        for name in answer.table["method"]
    ]
    show_answer(
        replace(answer, command=_command(request, "front")),
        data.costs_figure(request),
        name="costs",
        key="costs",
        alt=f"Each method at its cost and {costs.quality}. {plain(said)}",
        note=f" {marks}",
        listed=DotList(about, dots),
    )


def _short(value: float) -> str:
    return words.number(value, digits=2, zeros=True)


def show_kinds(request: Request, aspect: str) -> None:
    """Show the methods on each kind of task; one with few tasks is pale."""
    groups = data.kinds(request)[aspect]
    head = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = selection.one_of(
            "What is shown",
            "measure",
            list(MEASURES),
            format_func=lambda name: measure_words(name, groups[0]),
            label_visibility="collapsed",
        )
        methods = part_control(len(groups[0].methods), "Methods shown", "rows-shown", whole=MOST_METHODS)
        some = part_control(len(groups), "Kinds shown", "kinds-shown", whole=MOST_METHODS)
    thin = " Kinds of one or two tasks have no shade." if any(map(is_thin, groups)) else ""
    said, shown = leaders_sentence(groups, measure), measure_words(measure, groups[0])
    head.markdown(markdown(said))
    dots = []
    for group in groups:
        names = leaders_of(group, measure)
        value = float(measured(group, measure)[group.methods.index(names[0])])
        text = f"{first_few(names, 1)} {measured_words(value, measure)}"
        dots.append(Dot(kind_name(group), value, text, data.styles(request)[names[0]].colour))
    _open_clicked(
        data.kinds_drawn(request, aspect, measure, methods.start, methods.stop, some.start, some.stop),
        kinds_table(groups).frame().astype(dict.fromkeys(PLACES, "Int64")),
        methods=groups[0].methods,
        name=f"by-{aspect}".replace(" ", "-"),
        key="kinds",
        alt=f"{shown} of each method by {aspect}. {plain(said)}",
        note=f"A darker cell is better.{thin}",
        listed=DotList(f"{shown}: the first method on each kind of task.", dots),
    )


def _open_clicked(figure: Figure, table: pd.DataFrame, *, methods: Iterable[str], **details: Any) -> None:
    """Show a figure in which a click opens a method: see `figure_block`."""
    places = {name: name for name in methods}
    clicked = blocks.figure_block(figure, table, places=places, opens="method of the figure", **details)
    if clicked is not None:
        selection.open_page("methods", method=clicked)


def _columns(request: Request) -> dict[str, Any]:
    columns = blocks.answer_columns(leaderboard_answer(data.known_board(request)).table)
    for key in columns:
        if key.startswith("within"):
            columns[key]["help"] = "Where it loses hardly more than the best"
    return columns | LEADERS


def _command(request: Request, question: str) -> str:
    told = ["--unit", request.unit] if request.unit else []
    told += ["--level", parameter(request.setting.level), "--show", question]
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
