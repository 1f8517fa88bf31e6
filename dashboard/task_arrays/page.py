"""Task-arrays: where does each method shine or fail?"""

from dataclasses import replace

import streamlit as st

from dashboard.frame import page
from dashboard.frame.page import View
from dashboard.task_arrays import controls, verdict
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.choice import Request, choose_request
from dashboard.task_arrays.tabs import show_tabs


def show_answer(view: View, request: Request) -> None:
    array = array_data.array_of(request.state, request.array)
    rows = array_data.winners(request).to_pylist()
    page.answer(verdict.array_sentence(array, rows, request.methods, alpha=request.alpha), view)
    best = verdict.records(rows, request.methods)[0].method
    against = array_data.differences(replace(request, reference=best)).to_pylist()
    if said := verdict.failure_sentence(array, against, best):
        st.markdown(said)
    if said := verdict.gaps_sentence(array_data.coverage(request)):
        st.caption(said)


def show_page(view: View, request: Request) -> None:
    head = st.container()
    controls.show_controls(request.state, request.array, request)
    with head:
        show_answer(view, request)
        for notice in request.notices:
            st.info(notice, icon=":material/info:")
    legend, shown = st.columns([1, 6], gap="medium")
    with legend:
        controls.show_legend(request)
    with shown:
        show_tabs(request)


def show_nothing(view: View, array: str) -> None:
    page.answer("No method has results on this task-array yet.", view)
    controls.show_controls(view.state, array, None)
    datasets = dict.fromkeys(member.dataset for member in array_data.array_of(view.state, array).members)
    page.empty_state(
        "No results here.",
        "Run a method on the tasks of the array, and its curves appear:",
        "\n".join(f"delve run METHOD /{dataset}" for dataset in datasets),
    )


def run() -> None:
    view = page.begin("Where does each method shine or fail?")
    losses = array_data.losses_known(view.state)
    if not losses:
        page.answer("There are no task-arrays here.", view)
        page.empty_state(
            "No task-arrays here.",
            "An array is a directory of `data` with a file that names its factors and members:",
            "data/ARRAY/Array.spec",
        )
    elif request := choose_request(view.state, losses, view.selection, array_data.ranked):
        show_page(view, request)
    else:
        show_nothing(view, view.selection.array or next(iter(losses)))


run()
