"""What is shown of which task-array: array, loss, reference, confidence, and the methods as a legend."""

import streamlit as st

from dashboard.frame import selection, words
from dashboard.frame.controls import level_control, loss_control
from dashboard.frame.glossary import help_for
from dashboard.frame.theme import GREY
from dashboard.server import archive as opened
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.choice import MOST_COLOURED, Request

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


def show_controls(state: str, array: str, request: Request | None) -> None:
    """Show the controls above the figures; without a request, for want of results, the array only."""
    with st.container(border=True, key="array-controls"):
        which, loss, reference, level = st.columns([3.2, 2.2, 1.7, 1.9])
        with which:
            _array(state, array)
        if request is None:
            return
        with loss:
            loss_control(list(array_data.losses_known(request.state)[request.array]), request.loss)
        with reference:
            selection.control(
                st.selectbox,
                "Reference",
                "reference",
                request.available,
                value=request.reference,
                help="Differences and p-values are those of each method less this one",
            )
        with level:
            level_control(
                request.level,
                explanation="Of the intervals; a difference is settled where p is below 1 less this",
            )


def _array(state: str, array: str) -> None:
    found = array_data.arrays(state)
    selection.control(
        st.selectbox,
        "Task-array",
        "array",
        list(found),
        value=array,
        format_func=lambda name: f"{name}: {found[name].title}" if found[name].title else name,
        help=help_for("task-array"),
    )


def show_legend(request: Request) -> None:
    """Show the methods as a legend that is also the control: a click takes a method in or out."""
    _paint(request)
    with st.container(key=LEGEND):
        selection.control(
            st.pills,
            "Methods",
            "methods",
            request.available,
            value=request.methods,
            selection_mode="multi",
            format_func=words.escape,
            help="Best first, by mean place over the tasks. Click to take in or out; none means all. The "
            f"first {MOST_COLOURED} chosen have colours, the others are grey.",
        )
        with st.container(horizontal=True, gap="small"):
            few = tuple(dict.fromkeys((request.available[0], request.reference)))
            _shortcut("All", (), request.methods == request.available, "All methods")
            _shortcut("Few", few, request.methods == few, "The best method and the reference only")


def _shortcut(label: str, methods: tuple[str, ...], disabled: bool, about: str) -> None:
    if st.button(label, key=f"legend-{label}", type="tertiary", disabled=disabled, help=about):
        selection.choose(methods=methods)
        st.rerun()


def _paint(request: Request) -> None:
    """Put each method's marker in its colour before its name; greyed ones are those without a colour.

    The rules hold signs and colours only: no name from a file comes into a style sheet. Signs are not read
    aloud (the empty text behind the stroke).
    """
    styles, coloured = opened.method_styles(request.state), set(request.coloured)
    rules = []
    for number, name in enumerate(request.available, start=1):
        colour = styles[name].colour if name in coloured else GREY
        button = f".st-key-{LEGEND} [role=toolbar] button:nth-of-type({number})::before"
        rules.append(f'{button}{{content:"{SIGNS[styles[name].symbol]}"/"";color:{colour}}}')
    st.html(f"<style>{''.join(rules)}</style>")
