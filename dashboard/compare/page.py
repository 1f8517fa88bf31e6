"""Compare: which of these methods is better on this task, and is it sure?"""

import streamlit as st

from dashboard.compare import data as compare_data
from dashboard.compare import pictures as compare_parts
from dashboard.compare import verdict
from dashboard.compare.choice import Choice, choose_comparison
from dashboard.compare.controls import show_controls
from dashboard.compare.tabs import show_tabs
from dashboard.compare.verdict import RAW
from dashboard.frame import page, words


def ranked(task: str, loss: str) -> list[str]:
    return [row["method"] for row in compare_data.estimates(view.state, task, loss)]


def usable_unit(choice: Choice, unit: str) -> str:
    """Raw losses where the baseline's loss is not known."""
    constant = compare_data.estimates(view.state, choice.task.path, choice.loss)[0]["standardizer"]
    if compare_data.can_standardize(constant, choice.loss):
        return unit
    st.info("The baseline's loss is not recorded for this task; losses are raw.")
    return RAW


def show_answer(choice: Choice, unit: str) -> None:
    estimates = [
        row
        for row in compare_data.estimates(view.state, choice.task.path, choice.loss)
        if row["method"] in choice.methods
    ]
    found = compare_data.pairs(view.state, choice.task.path, choice.loss, choice.level)
    if len(choice.methods) < 2:
        name = words.escape(choice.methods[0])
        page.answer(f"**One method only**: {name}. Choose another to compare it with.", view)
        return
    first = choice.reference if len(choice.methods) == 2 else choice.methods[0]
    pairs = compare_data.pairs_against(found, first, choice.methods)
    page.answer(verdict.task_sentence(estimates, pairs, level=choice.level, unit=unit), view)
    against = compare_data.pairs_against(found, choice.reference, choice.methods)
    if choice.reference != first and (
        said := verdict.reference_sentence(against, choice.reference, level=choice.level)
    ):
        st.markdown(said)
    show_cautions(found, choice)


def show_cautions(found, choice: Choice) -> None:
    pairs = [pair for pair in found if {pair["method_a"], pair["method_b"]} <= set(choice.methods)]
    for text, names in verdict.cautions(pairs).items():
        which = verdict.pairs_named(names, of=len(pairs))
        if verdict.is_serious(text):
            st.warning(f"{which}: {text}.", icon=":material/warning:")
        else:
            st.caption(f"{which}: {text}.")


def show_basis(choice: Choice) -> None:
    row = compare_data.estimates(view.state, choice.task.path, choice.loss)[0]
    own = "the same for all" if choice.task.design == "common" else "its own for each"
    test = (
        "test sets of different sizes"
        if row["test_cases"] is None
        else f"a test set of {words.count(row['test_cases'], 'case')}"
    )
    sets = words.count(row["instances"], "training set")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"{sets} of {words.count(choice.task.training_size, 'case')}, {test}, {own}.", width="content"
        )
        st.code(choice.task.path, language=None, width="content")


view = page.begin("Which of these methods is better on this task, and is it sure?")
tasks = compare_data.compared_tasks(view.state)
if not tasks:
    page.answer("No results to compare yet.", view)
    page.empty_state(
        "No method has results here.",
        "Run two methods on a task:",
        "delve run METHOD /DATASET/PROTOTASK/TASK",
    )
    st.stop()
choice = choose_comparison(tasks, view.selection, ranked)
head = st.container()
unit = show_controls(view, choice)
with head:
    unit = usable_unit(choice, unit)
    show_answer(choice, unit)
    for notice in choice.notices:
        st.info(notice, icon=":material/info:")
show_basis(choice)
compare_parts.show_estimates(view, choice, unit)
show_tabs(view, choice, unit)
