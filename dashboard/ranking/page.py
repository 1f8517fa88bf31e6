"""Ranking: which method is best over many tasks?"""

import streamlit as st

from dashboard.frame import page, words
from dashboard.ranking import controls as ranking_controls
from dashboard.ranking import data as ranking_data
from dashboard.ranking import diagram as ranking_diagram
from dashboard.ranking import tasks as ranking_tasks
from dashboard.ranking import verdict as ranking_verdict
from dashboard.ranking.data import BOTH, MINE, Question, analysis_of
from dashboard.ranking.tabs import show_tabs
from delvecore.statistics.ranking.analysis import Analysis


def show_answer(question: Question, found: Analysis) -> None:
    basis = basis_of(question, found)
    page.answer(ranking_verdict.ranking_sentence(found, question.test, basis), view)
    said = ranking_verdict.caveats(found, question.test, basis)
    serious = [text for text, is_serious in said if is_serious]
    if serious:
        st.warning("\n\n".join(serious), icon=":material/warning:")
    others = [text for text, is_serious in said if not is_serious]
    if others:
        st.caption(" ".join(others))


def basis_of(question: Question, found: Analysis) -> ranking_verdict.Basis:
    if question.source == MINE:
        return ranking_verdict.Basis("your own values", None)
    datasets = {path.split("/")[1] for path in found.table.tasks}
    families = tuple(dict.fromkeys(tasks[path].family for path in found.table.tasks))
    own = question.own.table.tasks if question.source == BOTH else ()
    left_out = len(set(own) - set(question.tasks))
    return ranking_verdict.Basis(found.table.quantity, len(datasets), left_out, families)


def show_nothing(question: Question, reason: str) -> None:
    page.answer("**Nothing can be ranked here yet.**", view)
    needed = "A ranking needs two methods with results on the same two tasks."
    why = ranking_verdict.why_nothing(ranking_data.score_table(question), reason)
    if question.source == MINE:
        how = f"{why} Choose other methods, leave out methods instead of tasks, or take another table."
        page.empty_state(needed, how)
    elif question.source == BOTH and not question.tasks:
        count = words.count(len(question.own.table.tasks), "task")
        example = words.escape(next(iter(tasks)))
        how = f"Name tasks by their full paths, such as {example}, to have them beside the archive’s results."
        page.empty_state(f"The archive has results on none of the {count} of your table.", how)
    else:
        how = f"{why} Choose other tasks or methods, leave out methods instead of tasks, or run methods:"
        page.empty_state(needed, how, "delve run METHOD /DATASET/PROTOTASK")


view = page.begin("Which method is best over many tasks?")
tasks = ranking_tasks.ranked_tasks(view.state)
head = st.container()
notices: list[str] = []
question, fitting = ranking_controls.show_controls(view, tasks, notices)
found = analysis_of(question)
with head:
    if isinstance(found, str):
        show_nothing(question, found)
    else:
        show_answer(question, found)
    for notice in notices:
        st.info(notice, icon=":material/info:")
if not isinstance(found, str):
    ranking_diagram.show_top(question, found)
    show_tabs(view, question, found, fitting)
