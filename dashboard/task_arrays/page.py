"""Task-arrays: where does each method shine or fail?"""

import streamlit as st

from dashboard.frame import page
from dashboard.task_arrays import controls as array_controls
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays import tabs as array_tabs
from dashboard.task_arrays import verdict as array_verdict
from dashboard.task_arrays.choice import ArrayChoice, choose_array_view


def show_answer(choice: ArrayChoice) -> None:
    array = array_data.array_of(view.state, choice.array)
    key = (view.state, choice.array, choice.loss, choice.methods)
    rows = array_data.winners(*key, choice.level, False).to_pylist()
    page.answer(array_verdict.array_sentence(array, rows, choice.methods, alpha=choice.alpha), view)
    found = array_data.coverage(array_data.results(*key))
    best = array_verdict.records(rows, choice.methods)[0]
    against = array_data.differences(*key, best.method, choice.level, False).to_pylist()
    if said := array_verdict.failure_sentence(array, against, best.method):
        st.markdown(said)
    if said := array_verdict.gaps_sentence(found):
        st.caption(said)


def show_nothing() -> None:
    name = view.selection.array or next(iter(losses))
    page.answer("No method has results on this task-array yet.", view)
    array_controls.show_controls(view, None, name)
    datasets = dict.fromkeys(member.dataset for member in array_data.array_of(view.state, name).members)
    page.empty_state(
        "No results here.",
        "Run a method on the tasks of the array, and its curves appear:",
        "\n".join(f"delve run METHOD /{dataset}" for dataset in datasets),
    )


def show_page(choice: ArrayChoice) -> None:
    head = st.container()
    array_controls.show_controls(view, choice, choice.array)
    with head:
        show_answer(choice)
        for notice in choice.notices:
            st.info(notice, icon=":material/info:")
    legend, shown = st.columns([1, 6], gap="medium")
    with legend:
        array_controls.show_legend(view, choice)
    with shown:
        array_tabs.show_tabs(view, choice)


view = page.begin("Where does each method shine or fail?")
losses = array_data.losses_known(view.state)
if not losses:
    page.answer("There are no task-arrays here.", view)
    page.empty_state(
        "No task-arrays here.",
        "An array is a directory of `data` with a file that names its factors and members:",
        "data/ARRAY/Array.spec",
    )
elif chosen := choose_array_view(
    losses, view.selection, lambda array, loss: array_data.ranked(view.state, array, loss)
):
    show_page(chosen)
else:
    show_nothing()
