"""Ranking: methods ranked over many tasks, with tests."""

import streamlit as st

from dashboard.ranking.controls import show_controls, test_chosen
from dashboard.ranking.data import finding_of, score_table, verdicts_of
from dashboard.ranking.screens import show_screens
from dashboard.ui import page
from dashboard.ui.archive_facts import offer_array
from dashboard.ui.commands import command_text
from dashboard.ui.page import View
from dashboard.ui.request import Request
from delvecore.answers.ranking_caveats import caveats, not_ranked, ranking_basis, why_nothing
from delvecore.model import TaskId
from delvecore.render.spans import as_name, markdown
from delvecore.report.ranking.sentences import ranking_heading, standing_of, standing_sentence
from delvecore.stats.ranking.analysis import Analysis

NOTHING = "Nothing can be ranked here yet"


def show_view(view: View) -> None:
    if not view.archive.results.num_rows:
        page.no_results(view, NOTHING, "No method has results here.")
        return
    notices: list[str] = []
    request = show_controls(view, notices)
    finding = finding_of(request)
    if isinstance(finding, str):
        show_nothing(view, request, finding, notices)
    else:
        show_answer(view, request, finding, notices)


def show_answer(view: View, request: Request, analysis: Analysis, notices: list[str]) -> None:
    verdicts = verdicts_of(request)
    own = standing_of(analysis, verdicts, view.selection.mine)
    mine = standing_sentence(own) if own else ""
    heading = ranking_heading(analysis, verdicts)
    page.answer(heading, view, basis=ranking_basis(analysis, verdicts), mine=mine, notices=notices)
    cautions = caveats(analysis, request.test)
    if serious := [text for text, is_serious in cautions if is_serious]:
        st.warning(markdown("\n\n".join(serious)), icon=":material/warning:")
    others = [text for text, is_serious in cautions if not is_serious]
    tasks = request.tasks or ()
    elsewhere = not_ranked(request.archive, tasks)
    show_screens(request, [*others, *([elsewhere] if elsewhere else [])])
    offer_array(view.archive, {TaskId.parse(path).dataset for path in tasks}, request.loss)


def show_nothing(view: View, request: Request, reason: str, notices: list[str]) -> None:
    if view.selection.methods is not None and len(request.methods) < 2:
        name = "".join(request.methods)
        heading = f"{as_name(name)} is only one method" if name else "Choose methods to rank"
        page.answer(heading, view, notices=notices)
        if name:
            page.empty_state("A ranking needs two methods.", "Choose another one to rank it with.")
        else:
            page.no_methods(view.selection)
        return
    page.answer(NOTHING, view, notices=notices)
    needed = "A ranking needs two methods with results on the same two tasks."
    why = (
        why_nothing(score_table(request), reason)
        if request.loss
        else ("No two methods have such results here.")
    )
    how = f"{why} Choose other tasks or methods, leave out methods instead of tasks, or run methods:"
    page.empty_state(needed, how, command_text("delve", "run", "METHOD", "/DATASET/PROTOTASK"))


def show_page(prepared: View) -> None:
    # Tests of single tasks, which only an archive of files has, always use the adjustment.
    of_files = prepared.shown.archive is not None and bool(prepared.shown.archive.paths)
    adjusts = of_files or not test_chosen().adjusts_by_itself
    show_view(page.begin(prepared, "ranking", tests=True, adjusts=adjusts))
