"""Compare: which of these methods is better on this task, and is it sure?"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboard.compare import data
from dashboard.compare.choice import RAW, Choice, ComparedTask, Request, choose_comparison, wanted_place
from dashboard.compare.controls import show_controls
from dashboard.compare.exports import show_bundle
from dashboard.compare.tabs import show_overview, show_tabs
from dashboard.ui import page, selection
from dashboard.ui.archive_facts import typical_task, without_results
from dashboard.ui.commands import command_text
from dashboard.ui.page import View
from delvecore.model import place_names
from delvecore.render.spans import markdown
from delvecore.report import words
from delvecore.report.ranking.sentences import standing_sentence

QUESTION = "Which of these methods is better on this task, and is it sure?"


def subject(choice: Choice, request: Request) -> str:
    """`On /demo/age with 128 training cases, under squared error (S), 3 of 12 methods`, in Markdown."""
    task = choice.task
    place = words.escape(request.place.title)
    if task.training_size:
        prior = "" if task.prior == "std" else f", prior {words.escape(task.prior)}"
        place = words.escape(words.task_path(task.dataset, task.prototask))
        place += f" with {words.count(task.training_size, 'training case')}{prior}"
    methods = words.some_of(len(request.methods), len(choice.available), "method")
    return f"On **{place}**, under {words.measure_within(request.measure)}, {methods}"


def show_answer(view: View, request: Request, choice: Choice) -> None:
    """Say what is compared, who is better, also against the reference, and what to be beware of."""
    about = subject(choice, request)
    if not request.methods:
        page.answer(QUESTION, view, basis=f"{about}.", notices=choice.notices)
        page.no_methods(view.selection)
        return
    if len(request.methods) < 2:
        name = words.escape(request.methods[0])
        only = f"{about}: **One method only**: {name}. Choose another to compare it with."
        page.answer(QUESTION, view, basis=only, notices=choice.notices)
        return
    found = data.comparison_of(request)
    own = found.standing_of(view.selection.mine)
    mine = standing_sentence(own) if own else ""
    page.answer(QUESTION, view, basis=f"{about}: {found.sentence}", mine=mine, notices=choice.notices)
    if request.reference != request.methods[0] and found.reference_sentence:
        st.markdown(markdown(found.reference_sentence))
    for caution, pairs in found.cautions.items():
        said = f"{pairs}: {caution.text}."
        if caution.is_serious:
            st.warning(markdown(said), icon=":material/warning:")
        else:
            st.caption(markdown(said))


def show_basis(request: Request, mine: str | None) -> None:
    """Say what the comparison rests on, and which task it is; offer all of it for a paper."""
    lacking = without_results(request.archive, *request.place)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(markdown(f"{data.basis_sentence(request)} {lacking}".rstrip()), width="content")
        st.code(request.place.title, language=None, width="content")
        if len(request.methods) > 1:
            show_bundle(request, mine)


def _is_unknown(view: View) -> bool:
    """Does the address ask for a place that nothing in the archive resembles?"""
    places = ("task", "prototask", "dataset")
    asked = next((name for name in places if getattr(view.selection, name) or name in view.unknown), None)
    return asked in view.unknown


def show_tasks(view: View, tasks: Mapping[str, ComparedTask]) -> None:
    """Show the tasks with results to choose from, of the dataset that is asked for if it has some."""
    page.answer(QUESTION, view, basis="**No task is compared.**")
    what, how = "This archive does not have what the address asks for.", "Choose a task with results:"
    command, unknown = None, next(iter(view.unknown.values()), "")
    place = place_names(unknown if _is_unknown(view) else wanted_place(view.selection) or "")
    if not _is_unknown(view):
        path = f"/{'/'.join(place)}"
        what = f"There are no results on {words.escape(path)} yet."
        how = "Choose a task with results, or run methods on this one:"
        command = command_text("delve", "run", "METHOD", path)
    page.empty_state(what, how, command)
    options = [path for path, task in tasks.items() if task.dataset in place] or list(tasks)
    about: dict[str, Any] = {"value": None, "index": None, "placeholder": "Choose a task …", "width": 420}
    selection.control(st.selectbox, "Task", "task", options, **about)


def show_comparison(view: View) -> None:
    tasks = data.compared_tasks(view.archive)
    if not tasks:
        page.no_results(view, "No results to compare yet.", "No method has results here.")
        return
    choice = choose_comparison(
        view.archive,
        tasks,
        view.selection,
        ranked=data.ranked,
        usual=typical_task(view.archive),
        measures=view.archive.measures,
    )
    if choice is None or _is_unknown(view):
        show_tasks(view, tasks)
        return
    head = st.container()
    request = show_controls(choice)
    with head:
        if request.methods and not data.is_standardizable(request):
            if request.measure.is_loss:
                st.info("The baseline's loss is not recorded for this task; losses are raw.")
            request = request._replace(unit=RAW)
        show_answer(view, request, choice)
    if not request.methods:
        return
    show_basis(request, view.selection.mine)
    show_overview(request)
    show_tabs(request)


def show_page(prepared: View) -> None:
    show_comparison(page.begin(prepared, "compare", tests=True, shows_task=True))
