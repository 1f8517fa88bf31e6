"""What stands in the table of a paper: tasks, methods, loss; rows, digits, marks. All in the address."""

import streamlit as st

from dashboard.frame import selection, words
from dashboard.frame.glossary import help_for
from dashboard.frame.level import level_control
from dashboard.frame.page import View
from dashboard.tables import choice as table_choice
from dashboard.tables import data as table_data
from dashboard.tables.choice import ADJUSTED, DIGITS, LAYOUTS, MARKED, RAW, STANDARDIZED, Layout
from dashboard.tables.data import EVERYTHING
from delvecore.report.paper.request import PaperRequest
from delvecore.statistics.choose import DEFAULT_LEVEL

__all__ = ["show_controls"]


def show_controls(view: View, notices: list[str]) -> PaperRequest:
    """Show the controls and return what they ask for."""
    with st.container(border=True, key="table-controls"):
        paths = _paths(view)
        found = table_data.results_below(view.state, paths)
        loss = table_choice.choose_loss(found, view.selection, notices)
        _loss(found, loss)
        methods, reference = _methods(view, found.methods[loss], notices)
        by = _by(view, paths)
        layout = _layout(by)
        marked, adjusted, level = _marks(view)
        with st.expander("Digits and ranks", key="table-details"):
            digits, ranks = _details()
    chosen = Layout(tuple(by), *layout, marked, adjusted, digits, ranks)
    return table_choice.request_of(paths, loss, methods, reference, level, chosen)


def _paths(view):
    known = table_data.places(view.state)
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


def _place_words(place):
    text = words.plain(place.path, longest=50)
    return text if place.tasks == (place.path,) else f"{text} · {words.count(len(place.tasks), 'task')}"


def _loss(found, loss):
    known = words.loss_words(loss)
    selection.control(
        st.selectbox,
        "Loss",
        "loss",
        list(found.methods),
        value=loss,
        format_func=words.loss_name,
        help=words.escape(known.explanation) if known else help_for("loss"),
    )


def _methods(view, available, notices):
    methods = table_choice.choose_methods(available, view.selection, notices)
    reference = table_choice.choose_reference(methods, view.selection, notices)
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


def _by(view, paths):
    titles = table_data.factors_below(view.state, paths)
    return selection.local(
        st.multiselect,
        "Rows",
        "rows",
        list(titles),
        several=True,
        format_func=lambda name: f"by {titles[name][:1].lower()}{titles[name][1:]}",
        placeholder="one for each task",
        help="Choose factors to have a row for each of their levels: means over its tasks",
    )


def _layout(by):
    methods_in = selection.local(st.segmented_control, "Methods in", "layout", list(LAYOUTS), required=True)
    if by:
        return methods_in, STANDARDIZED
    unit = selection.local(
        st.segmented_control,
        "Losses",
        "losses",
        [STANDARDIZED, RAW],
        required=True,
        help=help_for("standardized loss"),
    )
    return methods_in, unit


def _marks(view):
    marked = selection.local(
        st.segmented_control,
        "Mark",
        "marks",
        list(MARKED),
        required=True,
        help="The best of each row is bold, those not significantly worse have a dagger",
    )
    level = level_control(
        view.selection.level or DEFAULT_LEVEL,
        explanation="A difference is significant where p is below 1 less this",
    )
    adjusted = selection.local(
        st.segmented_control,
        "Adjust p",
        "adjust",
        list(ADJUSTED),
        required=True,
        help="For the comparisons of several methods with the best of the same row",
    )
    return marked, adjusted, level


def _details():
    digits = selection.local(
        st.selectbox,
        "Digits",
        "digits",
        list(DIGITS),
        format_func=lambda name: f"{name} decimals" if name.isdigit() else f"two of the error {name}",
        help="Two significant digits of the standard error, or as many decimals everywhere",
    )
    ranks = selection.local(
        st.segmented_control, "Average ranks", "ranks", ["shown", "left out"], required=True
    )
    return digits, ranks == "shown"
