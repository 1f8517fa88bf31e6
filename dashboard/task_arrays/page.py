"""Task-arrays: on which tasks each method is good or bad."""

from collections.abc import Sequence

import streamlit as st

from dashboard.server.archive import classes_offered, look_order, metrics_offered
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.tabs import show_map, show_ranks, show_tabs
from dashboard.ui import blocks, controls, page, selection
from dashboard.ui.archive_facts import largest_array, offer_ranking
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from dashboard.ui.request import MOST_COLORED, Request
from delvecore.answers import task_array_sentences as sentences
from delvecore.answers.task_array import definition, vacant_sentences
from delvecore.archive import Archive
from delvecore.model import TaskArray
from delvecore.plots import theme
from delvecore.render.spans import markdown
from delvecore.report import words
from delvecore.report.ranking.sentences import run_sentences

LEGEND = "array-legend"


def show_controls(archive: Archive, array: str | None, request: Request | None) -> None:
    """Show the controls above the figures; without a request only that of the array. array: None for no
    choice."""
    with st.container(border=True, key="array-controls"):
        which, loss, reference, own = st.columns([2.9, 2.1, 1.4, 1.3])
        arrays = array_data.arrays(archive)
        with which:
            selection.control(
                st.selectbox,
                "Task-array",
                "array",
                list(arrays),
                value=array,
                index=None if array is None else 0,
                placeholder="Choose a task-array …",
                format_func=lambda name: f"{name}: {arrays[name].title}" if arrays[name].title else name,
                help=help_for("task-array"),
            )
        if request is None:
            return
        with loss:
            known = array_data.losses_known(request.archive)[request.array]
            tasks = array_data.tasks_of(request.archive, request.array)
            offered, classes = (ask(request.archive, tasks) for ask in (metrics_offered, classes_offered))
            measures = request.archive.measures
            controls.loss_control(list(known), request.loss, measures, metrics=offered, classes=classes)
        with reference:
            about = "Differences and p-values are relative to this method"
            controls.reference_control(request.available, request.reference, help=about)
        with own:
            controls.mine_control(request.available)


def show_legend(request: Request) -> None:
    """Show the methods as a legend that is also the control: a click adds or removes a method."""
    paint(request)
    with st.container(key=LEGEND):
        controls.method_boxes(
            request.available,
            request.methods,
            help="Best first, by mean place over the tasks. Click to add or remove. The first "
            f"{MOST_COLORED} chosen methods have colors, the others are gray.",
        )
        controls.method_shortcuts(request.available)


def paint(request: Request) -> None:
    """Put each method's colored marker before its name. The style sheet never contains a name from a file."""
    styles, colored = theme.method_styles(look_order(request.archive)), set(request.colored)
    rules = []
    for number, name in enumerate(request.available, start=1):
        color = styles[name].color if name in colored else theme.GRAY
        button = f".st-key-{LEGEND} [role=toolbar] button:nth-of-type({number})::before"
        rules.append(f'{button}{{content:"{theme.SIGNS[styles[name].symbol]}"/"";color:{color}}}')
    st.html(f"<style>{''.join(rules)}</style>")


def show_answer(view: View, request: Request, notices: Sequence[str]) -> None:
    array, measure = request.task_array, request.measure
    results = array_data.found_of(request, request.methods)
    winners = array_data.table("winners", request)
    unit, methods = array_data.unit_of(request), request.methods
    own = sentences.own_sentence(winners, methods, view.selection.mine, measure=measure, unit=unit)
    heading = sentences.array_finding(array, winners, methods, measure=measure, unit=unit)
    basis = sentences.array_basis(winners, methods, of=len(request.available), measure=measure, unit=unit)
    page.answer(heading, view, basis=basis, mine=own, notices=notices)
    best = sentences.records(winners, request.methods, unit=unit)["method"][0]
    against = array_data.answer("differences", request, best).figure.table
    if sentence := sentences.failure_sentence(array, against, best, measure=measure, setting=request.setting):
        st.markdown(markdown(sentence))
    if sentence := sentences.gaps_sentence(results):
        st.caption(markdown(sentence))
    if failed := run_sentences(results.runs):
        st.caption(markdown(" ".join(failed)))
    for sentence in vacant_sentences(array):
        st.caption(words.escape(sentence))
    with st.container(horizontal=True, gap="medium"):
        offer_ranking(request.archive, request.array, request.loss)
        offer_definition(array)


def offer_definition(array: TaskArray) -> None:
    with st.popover("Its factors", icon=":material/rule:", type="tertiary", help=help_for("factor")):
        blocks.table_block(
            definition(array).table.frame(),
            name=f"{array.name}-definition",
            alt=f"Factors and levels of {array.name}",
            column_config={"meaning": st.column_config.TextColumn(width=420)},
        )


def show_array(view: View, request: Request, notices: Sequence[str]) -> None:
    head = st.container()
    show_controls(request.archive, request.array, request)
    with head:
        if request.methods:
            show_answer(view, request, notices)
        else:
            page.answer("No method is chosen", view, notices=notices)
    legend, shown = st.columns([1, 6], gap="medium")
    with legend:
        show_legend(request)
    with shown:
        if request.methods:
            show_tabs(show_map(view, request))
            show_ranks(request)
        else:
            page.no_methods(view.selection)


def show_nothing(view: View, array: str) -> None:
    page.answer("No method has results on this task-array yet", view)
    show_controls(view.archive, array, None)
    datasets = dict.fromkeys(member.dataset for member in array_data.arrays(view.archive)[array].members)
    commands = "\n".join(command_text("delve", "run", "METHOD", f"/{dataset}") for dataset in datasets)
    how = "Run a method on the tasks of the array, and its curves appear:"
    page.empty_state("No results here.", how, commands)


def show_page(prepared: View) -> None:
    view = page.begin(prepared, "task_arrays", tests=True)
    losses = array_data.losses_known(view.archive)
    if not losses:
        page.answer("There are no task-arrays here", view)
        how = (
            "In a table of scores, name the datasets by two or more factors, such as `8-low`. In "
            "an archive, a file in a directory of `data` lists the factors and members:"
        )
        page.empty_state("An array needs factors.", how, "data/ARRAY/Array.spec")
        return
    notices: list[str] = []
    if "array" in view.unknown:
        page.answer("No task-array is shown", view)
        show_controls(view.archive, None, None)
        how = "Choose a task-array in the list."
        page.empty_state("This archive does not have the task-array in the address.", how)
    elif request := array_data.choose_request(view.archive, view.selection, notices):
        show_array(view, request, notices)
    else:
        show_nothing(view, view.selection.array or largest_array(view.archive, losses))
