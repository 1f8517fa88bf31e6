"""What is compared: the task by words, loss, methods, reference, confidence, unit."""

import streamlit as st

from dashboard.compare import data as compare_data
from dashboard.compare.choice import Choice, nearest_task
from dashboard.compare.verdict import RAW, STANDARDIZED
from dashboard.frame import selection, words
from dashboard.frame.glossary import help_for
from dashboard.frame.level import level_control
from dashboard.frame.page import View

__all__ = ["show_controls"]


def show_controls(view: View, choice: Choice) -> str:
    """Show the controls of a comparison and return the unit chosen: `Standardized` or `Raw`."""
    with st.container(border=True, key="compare-controls"):
        dataset, prototask, prior, size = st.columns([2, 2, 1.4, 3.2])
        with dataset:
            _part(view, choice, "dataset", "Dataset", help_for("dataset"))
        with prototask:
            _part(view, choice, "prototask", "Prototask", help_for("prototask"), "dataset")
        with prior:
            _part(view, choice, "prior", "Prior", help_for("prior"), "dataset", "prototask")
        with size:
            _size(view, choice)
        return _second_row(choice)


def _tasks(view):
    return list(compare_data.compared_tasks(view.state).values())


def _options(view, choice, part, fixed):
    """Return what a part may be, the parts before it being as they are."""
    task = choice.task
    same = [t for t in _tasks(view) if all(getattr(t, name) == getattr(task, name) for name in fixed)]
    return list(dict.fromkeys(getattr(t, part) for t in same))


def _take(view, choice, part, fixed):
    """Go to the task that has the part just chosen and otherwise is most like the one shown."""
    kept = {name: getattr(choice.task, name) for name in fixed}
    wanted = st.session_state[f"pick-{part}"]
    task = nearest_task(_tasks(view), choice.task, **kept, **{part: wanted})
    selection.choose(task=task.path)


def _part(view, choice, part, label, about, *fixed):
    options = _options(view, choice, part, fixed)
    st.session_state[f"pick-{part}"] = getattr(choice.task, part)
    st.selectbox(
        label,
        options,
        key=f"pick-{part}",
        help=about,
        disabled=len(options) == 1,
        on_change=_take,
        args=(view, choice, part, fixed),
    )


def _size(view, choice):
    fixed = ("dataset", "prototask", "prior")
    st.session_state["pick-training_size"] = choice.task.training_size
    st.segmented_control(
        "Training cases",
        _options(view, choice, "training_size", fixed),
        key="pick-training_size",
        required=True,
        help="How many cases each training set has",
        on_change=_take,
        args=(view, choice, "training_size", fixed),
    )


def _second_row(choice):
    loss, methods, reference = st.columns([2.7, 4.1, 1.8])
    with loss:
        losses = list(choice.task.losses)
        known = words.loss_words(choice.loss)
        about = words.escape(known.explanation) if known else help_for("loss")
        selection.control(
            st.selectbox, "Loss", "loss", losses, value=choice.loss, format_func=words.loss_name, help=about
        )
    with methods:
        selection.control(
            st.multiselect,
            "Methods",
            "methods",
            choice.available,
            value=choice.methods,
            placeholder="Choose two or more methods",
            help="All with results on this task under this loss; lowest mean loss first",
        )
    with reference:
        selection.control(
            st.selectbox,
            "Reference",
            "reference",
            choice.methods,
            value=choice.reference,
            help="Differences are shown as each method less this one",
        )
    return _third_row(choice)


def _third_row(choice):
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        level_control(
            choice.level, explanation="Of the intervals; a difference is settled where p is below 1 less this"
        )
        return selection.local(
            st.segmented_control,
            "Unit",
            "unit",
            [STANDARDIZED, RAW],
            required=True,
            help=help_for("standardized loss"),
        )
