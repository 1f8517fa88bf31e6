"""Task-arrays: where does each method shine or fail?"""

import pandas as pd
import streamlit as st

from dashboard.server.archive import classes_offered, look_order, metrics_offered
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.choice import MOST_COLOURED, Request, choose_request
from dashboard.task_arrays.tabs import show_tabs
from dashboard.ui import page, selection
from dashboard.ui.arrays import offer_ranking
from dashboard.ui.commands import command_text
from dashboard.ui.controls import (
    loss_control,
    method_boxes,
    method_shortcuts,
    mine_control,
    reference_control,
)
from dashboard.ui.defaults import largest_array
from dashboard.ui.glossary import help_for
from dashboard.ui.page import Prepared, View
from delvecore.archive import Archive
from delvecore.plots import theme, words
from delvecore.plots.task_arrays import sentences
from delvecore.report.arrays.tables import HEADER, definition_rows, vacant_sentences
from delvecore.report.ranking.sentences import run_sentences
from delvecore.task_arrays import TaskArray

LEGEND = "array-legend"


def show_controls(archive: Archive, array: str, request: Request | None) -> None:
    """Show the controls above the figures; without a request, for want of results, the array only."""
    with st.container(border=True, key="array-controls"):
        which, loss, reference, own = st.columns([2.9, 2.1, 1.4, 1.3])
        found = array_data.arrays(archive)
        with which:
            selection.control(
                st.selectbox,
                "Task-array",
                "array",
                list(found),
                value=array,
                format_func=lambda name: f"{name}: {found[name].title}" if found[name].title else name,
                help=help_for("task-array"),
            )
        if request is None:
            return
        with loss:
            known = array_data.losses_known(request.archive)[request.array]
            tasks = array_data.tasks_of(request.archive, request.array)
            offered, classes = (
                metrics_offered(request.archive, tasks),
                classes_offered(request.archive, tasks),
            )
            loss_control(list(known), request.loss, metrics=offered, classes=classes)
        with reference:
            about = "Differences and p-values are those from this method"
            reference_control(request.available, request.reference, help=about)
        with own:
            mine_control(request.available)


def show_legend(request: Request) -> None:
    """Show the methods as a legend that is also the control: a click takes a method in or out."""
    paint(request)
    with st.container(key=LEGEND):
        method_boxes(
            request.available,
            request.methods,
            help="Best first, by mean place over the tasks. Click to take in or out; none means all. The "
            f"first {MOST_COLOURED} chosen have colours, the others are grey.",
        )
        method_shortcuts(request.available)


def paint(request: Request) -> None:
    """Put each method's marker in its colour before its name; greyed ones are those without a colour.

    The rules hold signs and colours only: no name from a file comes into a style sheet. Signs are not read
    aloud (the empty text behind the stroke)."""
    styles, coloured = theme.method_styles(look_order(request.archive)), set(request.coloured)
    rules = []
    for number, name in enumerate(request.available, start=1):
        colour = styles[name].colour if name in coloured else theme.GREY
        button = f".st-key-{LEGEND} [role=toolbar] button:nth-of-type({number})::before"
        rules.append(f'{button}{{content:"{theme.SIGNS[styles[name].symbol]}"/"";color:{colour}}}')
    st.html(f"<style>{''.join(rules)}</style>")


def show_answer(view: View, request: Request) -> None:
    array = array_data.array_of(request.archive, request.array)
    rows = array_data.winners(request).to_pylist()
    tallies, unit = array_data.tallies(request).to_pylist(), array_data.unit_of(request)
    own = sentences.own_sentence(rows, request.methods, view.selection.mine, unit=unit)
    answer = sentences.array_sentence(array, rows, request.methods, tallies, unit=unit)
    subject = sentences.subject(array, request.loss, len(request.methods), of=len(request.available))
    page.answer(f"{subject}: {answer}", view, mine=own, notices=request.notices)
    best = sentences.records(rows, request.methods, unit=unit)[0].method
    against = array_data.differences_from(request, best).to_pylist()
    if said := sentences.failure_sentence(array, against, best, setting=request.setting):
        st.markdown(said)
    if said := sentences.gaps_sentence(array_data.coverage(request)):
        st.caption(said)
    if failed := run_sentences(array_data.found_of(request, request.methods).runs):
        st.caption(words.escape(" ".join(failed)))
    for said in vacant_sentences(array):
        st.caption(words.escape(said))
    with st.container(horizontal=True, gap="medium"):
        offer_ranking(request.archive, request.array, request.loss)
        offer_definition(array)


def offer_definition(array: TaskArray) -> None:
    """Offer the factors and levels of an array, with what defines them."""
    with st.popover("Its factors", icon=":material/rule:", type="tertiary", help=help_for("factor")):
        page.table_block(
            pd.DataFrame(definition_rows(array), columns=HEADER),
            name=f"{array.name}-definition",
            alt=f"Factors and levels of {array.name}",
            column_config={"meaning": st.column_config.TextColumn(width=420)},
        )


def show_array(view: View, request: Request) -> None:
    head = st.container()
    show_controls(request.archive, request.array, request)
    with head:
        show_answer(view, request)
    legend, shown = st.columns([1, 6], gap="medium")
    with legend:
        show_legend(request)
    with shown:
        show_tabs(request)


def show_nothing(view: View, array: str) -> None:
    page.answer("No method has results on this task-array yet.", view)
    show_controls(view.archive, array, None)
    datasets = dict.fromkeys(member.dataset for member in array_data.array_of(view.archive, array).members)
    commands = "\n".join(command_text("delve", "run", "METHOD", f"/{dataset}") for dataset in datasets)
    how = "Run a method on the tasks of the array, and its curves appear:"
    page.empty_state("No results here.", how, commands)


def show_page(prepared: Prepared) -> None:
    view = page.begin(prepared, "Where does each method shine or fail?", tests=True)
    losses = array_data.losses_known(view.archive)
    if not losses:
        page.answer("There are no task-arrays here.", view)
        how = (
            "Tables of scores have one where two factors or more name their datasets, such as `8-low`. "
            "Else an array is a directory of `data` with a file that names its factors and members:"
        )
        page.empty_state("No task-arrays here.", how, "data/ARRAY/Array.spec")
        return
    usual = largest_array(view.archive, losses)
    if request := choose_request(
        view.archive, losses, view.selection, array_data.ranked, usual, array_data.unranked
    ):
        show_array(view, request)
    else:
        show_nothing(view, view.selection.array or usual)
