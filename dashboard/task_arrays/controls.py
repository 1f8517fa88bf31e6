"""What is shown of which task-array: array, loss, reference, confidence, and the methods as a legend."""

import streamlit as st

from dashboard.frame import selection, words
from dashboard.frame.glossary import help_for
from dashboard.frame.level import level_control
from dashboard.frame.page import View
from dashboard.frame.theme import GREY
from dashboard.server import archive as opened
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.choice import MOST_COLOURED, ArrayChoice

__all__ = ["show_controls", "show_legend"]

SIGNS = {
    "circle": "●",
    "square": "■",
    "diamond": "◆",
    "triangle-up": "▲",
    "triangle-down": "▼",
    "x": "✖",
    "cross": "✚",
    "star": "★",
}
LEGEND = "array-legend"


def show_controls(view: View, choice: ArrayChoice | None, array: str) -> None:
    """Show the controls above the figures; without a choice, for want of results, the array only."""
    with st.container(border=True, key="array-controls"):
        which, loss, reference, level = st.columns([3.2, 2.2, 1.7, 1.9])
        with which:
            _array(view, array)
        if choice is None:
            return
        with loss:
            _loss(view, choice)
        with reference:
            selection.control(
                st.selectbox,
                "Reference",
                "reference",
                choice.available,
                value=choice.reference,
                help="Differences and p-values are those of each method less this one",
            )
        with level:
            _level(choice)


def _array(view, array):
    found = array_data.arrays(view.state)
    selection.control(
        st.selectbox,
        "Task-array",
        "array",
        list(found),
        value=array,
        format_func=lambda name: f"{name}: {found[name].title}" if found[name].title else name,
        help=help_for("task-array"),
    )


def _loss(view, choice):
    losses = list(array_data.losses_known(view.state)[choice.array])
    known = words.loss_words(choice.loss)
    selection.control(
        st.selectbox,
        "Loss",
        "loss",
        losses,
        value=choice.loss,
        format_func=words.loss_name,
        help=words.escape(known.explanation) if known else help_for("loss"),
    )


def _level(choice):
    level_control(
        choice.level, explanation="Of the intervals; a difference is settled where p is below 1 less this"
    )


def show_legend(view: View, choice: ArrayChoice) -> None:
    """Show the methods as a legend that is also the control: a click takes a method in or out."""
    _paint(view, choice)
    with st.container(key=LEGEND):
        selection.control(
            st.pills,
            "Methods",
            "methods",
            choice.available,
            value=choice.methods,
            selection_mode="multi",
            format_func=words.escape,
            help="Best first, by mean place over the tasks. Click to take in or out; none means all. The "
            f"first {MOST_COLOURED} chosen have colours, the others are grey.",
        )
        with st.container(horizontal=True, gap="small"):
            few = tuple(dict.fromkeys((choice.available[0], choice.reference)))
            _shortcut("All", (), choice.methods == choice.available, "All methods")
            _shortcut("Few", few, choice.methods == few, "The best method and the reference only")


def _shortcut(label, methods, disabled, about):
    if st.button(label, key=f"legend-{label}", type="tertiary", disabled=disabled, help=about):
        selection.choose(methods=methods)
        st.rerun()


def _paint(view, choice):
    """Put each method's marker in its colour before its name; greyed ones are those without a colour.

    The rules hold signs and colours only: no name from a file comes into a style sheet. Signs are not read
    aloud (the empty text behind the stroke).
    """
    styles, coloured = opened.method_styles(view.state), set(choice.coloured)
    rules = []
    for number, name in enumerate(choice.available, start=1):
        colour = styles[name].colour if name in coloured else GREY
        button = f".st-key-{LEGEND} [role=toolbar] button:nth-of-type({number})::before"
        rules.append(f'{button}{{content:"{SIGNS[styles[name].symbol]}"/"";color:{colour}}}')
    st.html(f"<style>{''.join(rules)}</style>")
