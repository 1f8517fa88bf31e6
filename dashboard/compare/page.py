"""Compare: which of these methods is better on this task, and is it sure?"""

import streamlit as st

from dashboard.compare import data, verdict
from dashboard.compare.bundle import show_bundle
from dashboard.compare.choice import RAW, Choice, Request, choose_comparison
from dashboard.compare.controls import show_controls
from dashboard.compare.tabs import show_overview, show_tabs
from dashboard.ui import page
from dashboard.ui.commands import command_text
from dashboard.ui.defaults import typical_task
from dashboard.ui.highlighted_method import MARKDOWN
from dashboard.ui.page import View
from delvecore.losses.spec import metric_of
from delvecore.plots import words
from delvecore.report.ranking.highlighted_method import standing_sentence


def show_answer(view: View, request: Request, choice: Choice) -> None:
    """Say of which task, loss and methods the page is, who is better, against the reference too, and what to
    be beware of."""
    subject = verdict.subject(choice.task, request, of=len(choice.available))
    if len(request.methods) < 2:
        name = words.escape(request.methods[0])
        only = f"{subject}: **One method only**: {name}. Choose another to compare it with."
        page.answer(only, view, notices=choice.notices)
        return
    first = request.reference if len(request.methods) == 2 else request.methods[0]
    against = data.pairs_against(request, first)
    estimates = data.chosen_estimates(request)
    own = verdict.own_standing(estimates, data.chosen_pairs(request), view.selection.mine)
    mine = standing_sentence(own, wording=MARKDOWN) if own else ""
    answer = verdict.task_sentence(estimates, against, unit=request.unit)
    page.answer(f"{subject}: {answer}", view, mine=mine, notices=choice.notices)
    if request.reference != first:
        against = data.pairs_against(request, request.reference)
        if said := verdict.reference_sentence(against, request.reference):
            st.markdown(said)
    pairs = data.chosen_pairs(request)
    for caution, names in verdict.cautions(pairs).items():
        said = f"{verdict.pairs_named(names, of=len(pairs))}: {caution.text}."
        if caution.is_serious:
            st.warning(said, icon=":material/warning:")
        else:
            st.caption(said)


def show_basis(request: Request, mine: str | None) -> None:
    """Say what the comparison rests on, and which task it is; offer all of it for a paper."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(verdict.basis_sentence(request), width="content")
        st.code(data.title_of(request), language=None, width="content")
        if len(request.methods) > 1:
            show_bundle(request, mine)


def show_comparison(view: View) -> None:
    """Show what was chosen, or how to get results where there are none."""
    tasks = data.compared_tasks(view.state)
    if not tasks:
        page.answer("No results to compare yet.", view)
        how = "Run two methods on a task:"
        line = command_text("delve", "run", "METHOD", "/DATASET/PROTOTASK/TASK")
        page.empty_state("No method has results here.", how, line)
        return
    choice = choose_comparison(
        view.state, tasks, view.selection, ranked=data.ranked, usual=typical_task(view.state)
    )
    head = st.container()
    request = show_controls(choice)
    with head:
        if not data.is_standardizable(request):
            if metric_of(request.loss) is None:
                st.info("The baseline's loss is not recorded for this task; losses are raw.")
            request = request.in_unit(RAW)
        show_answer(view, request, choice)
    show_basis(request, view.selection.mine)
    show_overview(request)
    show_tabs(request)


show_comparison(
    page.begin("Which of these methods is better on this task, and is it sure?", tests=True, shows_task=True)
)
