"""What is compared: the task by words, loss, methods, reference, confidence, unit."""

from typing import Any

import streamlit as st

from dashboard.compare import data
from dashboard.compare.choice import PARTS, RAW, STANDARDIZED, Choice, ComparedTask, Request, nearest_task
from dashboard.server.archive import classes_offered, metrics_offered
from dashboard.ui import selection
from dashboard.ui.controls import loss_control, methods_control, mine_control, reference_control
from dashboard.ui.glossary import help_for
from delvecore.model import SCORED


def show_controls(choice: Choice) -> Request:
    """Show the controls of a comparison and return the request, in the unit chosen."""
    request = choice.request
    with st.container(border=True, key="compare-controls"):
        _show_task(choice)
        measures = request.archive.measures
        is_metric = not request.measure.is_loss
        widths = [2, *([] if is_metric else [1.9]), 2.7, 1.3, 1.3]
        loss, *unit_place, methods, reference, own = st.columns(widths)
        with loss:
            offered = metrics_offered(request.archive, [request.task])
            classes = classes_offered(request.archive, [request.task])
            loss_control(list(choice.task.losses), request.loss, measures, metrics=offered, classes=classes)
        with methods:
            about = "All with results on this task under this loss; best mean first"
            methods_control(choice.available, request.methods, help=about)
        with reference:
            about = "Differences are those from this method"
            methods_shown = request.methods or (request.reference,)
            reference_control(methods_shown, request.reference, help=about)
        with own:
            mine_control(choice.available)
        if is_metric:
            return request._replace(unit=RAW)
        with unit_place[0]:
            help = help_for("standardized loss")
            unit: str = selection.one_of("Losses", "losses", [STANDARDIZED, RAW], help=help)
    return request._replace(unit=unit)


def _show_task(choice: Choice) -> None:
    """Show the parts of the task; of a dataset of scores those in which its tasks differ."""
    *places, size = st.columns([2, 2, 1.4, 3.2])
    is_scored = choice.task.prototask == SCORED
    for place, part in zip(places, PARTS[:3], strict=True):
        options = _options(choice, part)
        if is_scored and part != "dataset" and len(options) == 1:
            continue
        with place:
            more = _taking(choice, part) | {"help": help_for(part), "disabled": len(options) == 1}
            selection.kept(st.selectbox, part.capitalize(), options, **more)
    if choice.task.training_size:
        with size:
            more = _taking(choice, PARTS[3]) | {"help": "How many cases each training set has"}
            options = _options(choice, PARTS[3])
            selection.kept(st.segmented_control, "Training cases", options, required=True, **more)


def _tasks(choice: Choice) -> list[ComparedTask]:
    return list(data.compared_tasks(choice.request.archive).values())


def _kept(choice: Choice, part: str) -> dict[str, str]:
    """Return the parts of the task that come before one, and stay when it is chosen."""
    return {name: getattr(choice.task, name) for name in PARTS[: PARTS.index(part)]}


def _options(choice: Choice, part: str) -> list[str]:
    """Return what a part may be, the parts before it being as they are."""
    kept = _kept(choice, part).items()
    same = [t for t in _tasks(choice) if all(getattr(t, name) == value for name, value in kept)]
    return list(dict.fromkeys(getattr(t, part) for t in same))


def _taking(choice: Choice, part: str) -> dict[str, Any]:
    """Return arguments of a widget that shows a part of the task; another part leads to the nearest task."""

    def take(new: Any) -> None:
        wanted = _kept(choice, part) | {part: new}
        selection.choose(task=nearest_task(_tasks(choice), choice.task, **wanted).path)

    return {"key": f"pick-{part}", "value": getattr(choice.task, part), "then": take}
