"""Controls of a task-array: the array, loss, reference, and methods as a legend."""

import streamlit as st

from dashboard.server.archive import classes_offered, look_order, metrics_offered
from dashboard.task_arrays import data as array_data
from dashboard.ui import controls, selection
from dashboard.ui.glossary import help_for
from dashboard.ui.request import MOST_COLOURED, Request
from delvecore.archive import Archive
from delvecore.plots import theme

LEGEND = "array-legend"


def show_controls(archive: Archive, array: str | None, request: Request | None) -> None:
    """Show the controls above the figures; without a request the array only. array: None for none chosen."""
    with st.container(border=True, key="array-controls"):
        which, loss, reference, own = st.columns([2.9, 2.1, 1.4, 1.3])
        arrays = array_data.arrays(archive)
        with which:
            selection.control(
                st.selectbox,
                "Task-array",
                "array",
                list(arrays),
                value=array,
                index=None if array is None else 0,
                placeholder="Choose a task-array …",
                format_func=lambda name: f"{name}: {arrays[name].title}" if arrays[name].title else name,
                help=help_for("task-array"),
            )
        if request is None:
            return
        with loss:
            known = array_data.losses_known(request.archive)[request.array]
            tasks = array_data.tasks_of(request.archive, request.array)
            offered, classes = (
                metrics_offered(request.archive, tasks),
                classes_offered(request.archive, tasks),
            )
            measures = request.archive.measures
            controls.loss_control(list(known), request.loss, measures, metrics=offered, classes=classes)
        with reference:
            about = "Differences and p-values are those from this method"
            controls.reference_control(request.available, request.reference, help=about)
        with own:
            controls.mine_control(request.available)


def show_legend(request: Request) -> None:
    """Show the methods as a legend that is also the control: a click adds or removes a method."""
    paint(request)
    with st.container(key=LEGEND):
        controls.method_boxes(
            request.available,
            request.methods,
            help="Best first, by mean place over the tasks. Click to add or remove. The "
            f"first {MOST_COLOURED} chosen have colors, the others are gray.",
        )
        controls.method_shortcuts(request.available)


def paint(request: Request) -> None:
    """Put each method's colored marker before its name. The style sheet contains no name from a file."""
    styles, coloured = theme.method_styles(look_order(request.archive)), set(request.coloured)
    rules = []
    for number, name in enumerate(request.available, start=1):
        colour = styles[name].colour if name in coloured else theme.GREY
        button = f".st-key-{LEGEND} [role=toolbar] button:nth-of-type({number})::before"
        rules.append(f'{button}{{content:"{theme.SIGNS[styles[name].symbol]}"/"";color:{colour}}}')
    st.html(f"<style>{''.join(rules)}</style>")
