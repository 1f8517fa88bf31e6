"""What stands in the table of a paper: tasks, methods, loss; rows, digits, marks. All in the address."""

from collections.abc import Sequence

import streamlit as st

from dashboard.frame import selection, words
from dashboard.frame.controls import level_control, loss_control
from dashboard.frame.glossary import help_for
from dashboard.frame.page import View
from dashboard.tables import choice, data
from dashboard.tables.choice import EVERYTHING, Request
from delvecore.report.paper.request import PaperRequest

__all__ = ["show_controls"]

STANDARDIZED, RAW = "standardized", "raw"
MARKED = {
    "best and ties": ("best", "equal", "reference"),
    "best": ("best", "reference"),
    "nothing": (),
}
"""What is marked, in words, and for the command."""
DIGITS = {
    "of each number": "cell",
    "of its row": "row",
    "of its column": "column",
    "2": "2",
    "3": "3",
    "4": "4",
}
MARK_HELP = "The best of each row is bold, those not significantly worse have a dagger"
ADJUST_HELP = "For the comparisons of several methods with the best of the same row"
ADJUSTED = {"Holm": "holm", "Bonferroni": "bonferroni", "not at all": "none"}


def show_controls(view: View, notices: list[str]) -> Request:
    """Show the controls and return what they ask for."""
    with st.container(border=True, key="table-controls"):
        paths = _paths(view)
        found = data.results_below(view.state, paths)
        loss = choice.choose_loss(found.methods, view.selection, notices)
        loss_control(list(found.methods), loss)
        methods, reference = _methods(view, found.methods[loss], notices)
        by = _by(view, paths)
        transpose = _one("Methods in", "layout", ["columns", "rows"]) == "rows"
        raw = not by and _one("Losses", "losses", [STANDARDIZED, RAW], help_for("standardized loss")) == RAW
        marked = _one("Mark", "marks", list(MARKED), MARK_HELP)
        level = level_control(
            view.selection.level, explanation="A difference is significant where p is below 1 less this"
        )
        adjusted = _one("Adjust p", "adjust", list(ADJUSTED), ADJUST_HELP)
        with st.expander("Digits and ranks", key="table-details"):
            digits = _digits()
            ranks = _one("Average ranks", "ranks", ["shown", "left out"]) == "shown"
    paper = PaperRequest(
        paths=paths,
        loss=loss,
        methods=methods,
        reference=reference,
        by=by,
        transpose=transpose,
        raw=raw,
        level=level,
        adjust=ADJUSTED[adjusted],
        marks=MARKED[marked],
        ranks=ranks,
        digits=digits,
    )
    return Request(view.state, paper)


def _one(label: str, name: str, options: Sequence[str], explanation: str | None = None) -> str:
    """Show a choice that only this page has; return what is chosen."""
    return selection.local(st.segmented_control, label, name, options, required=True, help=explanation)


def _paths(view: View) -> tuple[str, ...]:
    known = data.places(view.state)
    chosen = selection.local(
        st.multiselect,
        "Tasks",
        "tasks",
        [path for path in known if path != EVERYTHING],
        several=True,
        format_func=lambda path: _place_words(known[path]),
        placeholder=f"all {len(known[EVERYTHING].tasks)} with results",
        help="Datasets, prototasks or single tasks",
    )
    return tuple(chosen) or (EVERYTHING,)


def _place_words(place: data.Place) -> str:
    text = words.plain(place.path, longest=50)
    return text if place.tasks == (place.path,) else f"{text} · {words.count(len(place.tasks), 'task')}"


def _methods(view: View, available: Sequence[str], notices: list[str]) -> tuple[tuple[str, ...], str | None]:
    methods = choice.choose_methods(available, view.selection, notices)
    reference = choice.choose_reference(methods, view.selection, notices)
    chosen = [name for name in view.selection.methods if name in available]
    selection.control(
        st.multiselect,
        "Methods",
        "methods",
        available,
        value=tuple(chosen),
        placeholder=f"all {len(available)} with results",
        help="In the order in which you choose them; average ranks depend on which are in the table",
    )
    selection.control(
        st.selectbox,
        "Reference",
        "reference",
        methods,
        value=reference,
        index=None,
        placeholder="none",
        help="Methods significantly better (+) or worse (−) than this one are marked",
    )
    return methods, reference


def _by(view: View, paths: tuple[str, ...]) -> tuple[str, ...]:
    titles = data.factors_below(view.state, paths)
    chosen = selection.local(
        st.multiselect,
        "Rows",
        "rows",
        list(titles),
        several=True,
        format_func=lambda name: f"by {titles[name][:1].lower()}{titles[name][1:]}",
        placeholder="one for each task",
        help="Choose factors to have a row for each of their levels: means over its tasks",
    )
    return tuple(chosen)


def _digits() -> str:
    chosen = selection.local(
        st.selectbox,
        "Digits",
        "digits",
        list(DIGITS),
        format_func=lambda name: f"{name} decimals" if name.isdigit() else f"two of the error {name}",
        help="Two significant digits of the standard error, or as many decimals everywhere",
    )
    return DIGITS[chosen]
