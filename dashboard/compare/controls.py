"""What is compared: the task by words, loss, methods, reference, confidence, unit."""

import streamlit as st

from dashboard.compare import data
from dashboard.compare.choice import PARTS, RAW, STANDARDIZED, Choice, ComparedTask, Request, nearest_task
from dashboard.frame import selection
from dashboard.frame.controls import level_control, loss_control
from dashboard.frame.glossary import help_for

__all__ = ["show_controls"]


def show_controls(choice: Choice) -> Request:
    """Show the controls of a comparison and return the request, in the unit chosen."""
    with st.container(border=True, key="compare-controls"):
        dataset, prototask, prior, size = st.columns([2, 2, 1.4, 3.2])
        with dataset:
            _part(choice, "dataset", "Dataset")
        with prototask:
            _part(choice, "prototask", "Prototask")
        with prior:
            _part(choice, "prior", "Prior")
        with size:
            _size(choice)
        _second_row(choice)
        return choice.request.in_unit(_third_row(choice.request))


def _tasks(choice: Choice) -> list[ComparedTask]:
    return list(data.compared_tasks(choice.request.state).values())


def _kept(choice: Choice, part: str) -> dict[str, str]:
    """Return the parts of the task that come before one, and stay when it is chosen."""
    return {name: getattr(choice.task, name) for name in PARTS[: PARTS.index(part)]}


def _options(choice: Choice, part: str) -> list[str]:
    """Return what a part may be, the parts before it being as they are."""
    kept = _kept(choice, part).items()
    same = [t for t in _tasks(choice) if all(getattr(t, name) == value for name, value in kept)]
    return list(dict.fromkeys(getattr(t, part) for t in same))


def _take(choice: Choice, part: str) -> None:
    """Go to the task that has the part just chosen and otherwise is most like the one shown."""
    wanted = _kept(choice, part) | {part: st.session_state[f"pick-{part}"]}
    selection.choose(task=nearest_task(_tasks(choice), choice.task, **wanted).path)


def _part(choice: Choice, part: str, label: str) -> None:
    options = _options(choice, part)
    st.session_state[f"pick-{part}"] = getattr(choice.task, part)
    st.selectbox(
        label,
        options,
        key=f"pick-{part}",
        help=help_for(part),
        disabled=len(options) == 1,
        on_change=_take,
        args=(choice, part),
    )


def _size(choice: Choice) -> None:
    st.session_state["pick-training_size"] = choice.task.training_size
    st.segmented_control(
        "Training cases",
        _options(choice, "training_size"),
        key="pick-training_size",
        required=True,
        help="How many cases each training set has",
        on_change=_take,
        args=(choice, "training_size"),
    )


def _second_row(choice: Choice) -> None:
    request = choice.request
    loss, methods, reference = st.columns([2.7, 4.1, 1.8])
    with loss:
        loss_control(list(choice.task.losses), request.loss)
    with methods:
        selection.control(
            st.multiselect,
            "Methods",
            "methods",
            choice.available,
            value=request.methods,
            placeholder="Choose two or more methods",
            help="All with results on this task under this loss; lowest mean loss first",
        )
    with reference:
        selection.control(
            st.selectbox,
            "Reference",
            "reference",
            request.methods,
            value=request.reference,
            help="Differences are shown as each method less this one",
        )


def _third_row(request: Request) -> str:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        about = "Of the intervals; a difference is settled where p is below 1 less this"
        level_control(request.level, explanation=about)
        unit: str = selection.local(
            st.segmented_control,
            "Unit",
            "unit",
            [STANDARDIZED, RAW],
            required=True,
            help=help_for("standardized loss"),
        )
        return unit
