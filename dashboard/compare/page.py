"""Compare: which of these methods is better on this task, and is it sure?"""

import streamlit as st

from dashboard.compare import data, verdict
from dashboard.compare.choice import RAW, Choice, Request, choose_comparison
from dashboard.compare.controls import show_controls
from dashboard.compare.tabs import show_overview, show_tabs
from dashboard.frame import page
from dashboard.frame.coming import of_the_task
from dashboard.frame.commands import command_text
from dashboard.frame.mine import MARKDOWN
from dashboard.frame.page import View
from dashboard.frame.usual import typical_task
from delvecore.figures import words
from delvecore.losses.spec import metric_of
from delvecore.report.ranking.mine import standing_sentence
from delvecore.statistics.choose import adjustment_words


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


def show_basis(request: Request) -> None:
    """Say what the comparison rests on, and which task it is."""
    task, row = data.task_of(request), data.estimates(request.state, request.task, request.loss)[0]
    if data.is_scored(request):
        counts = {one["instances"] for one in data.chosen_estimates(request)}
        fewest = f"{min(counts)} to " if len(counts) > 1 else ""
        basis = f"{fewest}{words.count(max(counts), 'score')} of each method."
        _show_basis(request, basis)
        return
    own = "the same for all" if task.design == "common" else "its own for each"
    test = "test sets of different sizes"
    if row["test_cases"] is not None:
        test = f"a test set of {words.count(row['test_cases'], 'case')}"
    sets = words.count(row["instances"], "training set")
    _show_basis(request, f"{sets} of {words.count(task.training_size, 'case')}, {test}, {own}.")


def _show_basis(request: Request, basis: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if pairs := max((pair["compared"] or 0 for pair in data.chosen_pairs(request)), default=0):
            basis += f" p is {adjustment_words(request.setting.adjust, pairs)}."
        st.caption(basis, width="content")
        st.code(data.title_of(request), language=None, width="content")


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
    show_basis(request)
    show_overview(request)
    show_tabs(request)


show_comparison(
    page.begin(
        "Which of these methods is better on this task, and is it sure?", settles=True, needs=of_the_task
    )
)
