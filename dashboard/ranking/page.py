"""Ranking: which method is best over many tasks?"""

import streamlit as st

from dashboard.ranking.choice import Request
from dashboard.ranking.controls import show_controls, test_chosen
from dashboard.ranking.data import finding_of, score_table, verdicts_of
from dashboard.ranking.screens import show_screens
from dashboard.ui import page
from dashboard.ui.archive_facts import offer_array
from dashboard.ui.commands import command_text
from dashboard.ui.page import View
from delvecore.answers.ranking_caveats import caveats, not_ranked, ranking_sentence, why_nothing
from delvecore.model import TaskId
from delvecore.render.spans import markdown
from delvecore.report import words
from delvecore.report.ranking.sentences import standing_of, standing_sentence
from delvecore.stats.ranking.analysis import Analysis

QUESTION = "Which method is best over many tasks?"
NOTHING = "**Nothing can be ranked here yet.**"


def show_view(view: View) -> None:
    if not view.archive.results.num_rows:
        page.no_results(view, NOTHING, "No method has results here.")
        return
    head = st.container()
    notices: list[str] = []
    request = show_controls(view, notices)
    found = finding_of(request)
    with head:
        if isinstance(found, str):
            show_nothing(view, request, found)
        else:
            show_answer(view, request, found)
        if elsewhere := not_ranked(request.archive, request.tasks):
            st.caption(markdown(elsewhere))
        page.show_notices(notices)
    if not isinstance(found, str):
        show_screens(request)


def show_answer(view: View, request: Request, found: Analysis) -> None:
    said = verdicts_of(request)
    own = standing_of(found, said, view.selection.mine)
    mine = standing_sentence(own) if own else ""
    page.answer(QUESTION, view, basis=ranking_sentence(found, said), mine=mine)
    told = caveats(found, request.test)
    if serious := [text for text, is_serious in told if is_serious]:
        st.warning(markdown("\n\n".join(serious)), icon=":material/warning:")
    if others := [text for text, is_serious in told if not is_serious]:
        st.caption(markdown(" ".join(others)))
    offer_array(view.archive, {TaskId.parse(path).dataset for path in request.tasks}, request.loss)


def show_nothing(view: View, request: Request, reason: str) -> None:
    if view.selection.methods is not None and len(request.methods) < 2:
        name = words.escape("".join(request.methods))
        alone = f"**One method only**: {name}. Choose another to rank it with."
        page.answer(QUESTION, view, basis=alone if name else NOTHING)
        if not name:
            page.no_methods(view.selection)
        return
    page.answer(QUESTION, view, basis=NOTHING)
    needed = "A ranking needs two methods with results on the same two tasks."
    why = why_nothing(score_table(request), reason)
    how = f"{why} Choose other tasks or methods, leave out methods instead of tasks, or run methods:"
    page.empty_state(needed, how, command_text("delve", "run", "METHOD", "/DATASET/PROTOTASK"))


def show_page(prepared: View) -> None:
    adjusts = not test_chosen().adjusts_by_itself
    show_view(page.begin(prepared, "ranking", tests=True, adjusts=adjusts))
