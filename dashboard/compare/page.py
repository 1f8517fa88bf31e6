"""Compare: test which of several methods is better on a task."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard.compare import data
from dashboard.compare.choice import choose_comparison, wanted_place
from dashboard.compare.tabs import show_overview, show_tabs
from dashboard.server.archive import classes_offered, metrics_offered
from dashboard.ui import page, selection
from dashboard.ui.archive_facts import typical_task, without_results
from dashboard.ui.commands import command_text
from dashboard.ui.controls import loss_control, method_choice, mine_control
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from dashboard.ui.request import Request
from delvecore.model import Task, TaskId, place_names
from delvecore.render.spans import markdown
from delvecore.report import words
from delvecore.report.ranking.sentences import standing_sentence

EVERY = "all others"
STANDARDIZED, RAW = "Standardized", "Raw"
REFERENCE_HELP = "The reference: differences are relative to this method"


def show_controls(request: Request) -> Request:
    """Show task, reference and the other method in a row, and further controls in an expander. Return the
    request."""
    with st.container(key="compare-controls"):
        task, first, second = st.columns([2, 1, 1])
        with task:
            tasks = list(data.compared_tasks(request.archive))
            shown = {"format_func": lambda path: TaskId.parse(path).title}
            selection.control(st.selectbox, "Task", "task", tasks, value=request.task, **shown)
        with first:
            _show_reference(request)
        with second:
            _show_other(request)
    measure = words.measure_name(request.measure)
    methods = words.some_of(len(request.methods), len(request.available), "method")
    with st.expander(f"{words.escape(measure)}, {methods}", key="compare-more"):
        return _show_further(request)


def _show_reference(request: Request) -> None:
    def take(new: str) -> None:
        others = [name for name in request.others if name != new] or [request.reference]
        chosen = None if _has_all(request) else (new, *others)
        selection.choose(reference=new, methods=chosen)

    about: dict[str, Any] = {
        "key": "pick-a",
        "value": request.reference,
        "then": take,
        "help": REFERENCE_HELP,
    }
    selection.kept(st.selectbox, "A (reference)", request.available, **about)


def _has_all(request: Request) -> bool:
    return bool(request.methods) and set(request.family) == set(request.available)


def _show_other(request: Request) -> None:
    """Let the visitor compare one method, or all, with the reference. Another list offers several."""
    others = request.others
    several = f"{len(others)} others" if others else "none"
    shown = EVERY if _has_all(request) else others[0] if len(others) == 1 else several
    names = [name for name in request.available if name != request.reference]

    def take(new: str) -> None:
        if new == EVERY or new in names:
            selection.choose(methods=None if new == EVERY else (request.reference, new))

    options = [EVERY, *([several] if shown == several else []), *names]
    selection.kept(st.selectbox, "B", options, key="pick-b", value=shown, then=take)


def _show_further(request: Request) -> Request:
    """Show controls for loss, scale, methods and the visitor's own method.

    Return the request with the chosen scale, raw or standardized losses."""
    place = [request.task]
    loss, unit, own = st.columns([2, 2, 1], vertical_alignment="top")
    with loss:
        more = {
            "metrics": metrics_offered(request.archive, place),
            "classes": classes_offered(request.archive, place),
        }
        losses = request.archive.index.methods_on[request.place]
        loss_control(list(losses), request.loss, request.archive.measures, **more)
    with own:
        mine_control(request.available)
    st.caption("Methods with results on this task, best mean first")
    method_choice(request.available, request.methods)
    if not request.measure.is_loss:
        return replace(request, is_raw=True)
    with unit:
        help = help_for("standardized loss")
        chosen: str = selection.one_of("Losses", "losses", [STANDARDIZED, RAW], help=help)
    return replace(request, is_raw=chosen == RAW)


def show_finding(view: View, request: Request, notices: Sequence[str]) -> None:
    """Write the finding as the heading, its basis, and its caveats."""
    if not request.methods:
        page.answer(f"No method is compared on {words.escape(request.place.title)}.", view, notices=notices)
        page.no_methods(view.selection)
        return
    comparison = data.comparison_of(request)
    own = comparison.standing_of(view.selection.mine) if len(request.methods) > 1 else None
    basis = data.basis_sentence(request, short=True)
    if len(request.methods) < 2:
        basis += " Choose another method to compare it with."
    mine = standing_sentence(own) if own else ""
    page.answer(comparison.heading, view, basis=basis, mine=mine, notices=notices)
    for caution in comparison.cautions:
        st.warning(markdown(caution), icon=":material/warning:")


def _is_unknown(view: View) -> bool:
    """Does the address ask for a place that resembles nothing in the archive?"""
    places = ("task", "prototask", "dataset")
    asked = next((name for name in places if getattr(view.selection, name) or name in view.unknown), None)
    return asked in view.unknown


def show_tasks(view: View, tasks: Mapping[str, Task]) -> None:
    """Let the visitor choose a task with results, in the requested dataset if it has some."""
    page.answer("No task is compared.", view)
    what, how = "This archive does not have what the address asks for.", "Choose a task with results:"
    command, unknown = None, next(iter(view.unknown.values()), "")
    place = place_names(unknown if _is_unknown(view) else wanted_place(view.selection) or "")
    if not _is_unknown(view):
        path = f"/{'/'.join(place)}"
        what = f"There are no results on {words.escape(path)} yet."
        how = "Choose a task with results, or run methods on this one:"
        command = command_text("delve", "run", "METHOD", path)
    page.empty_state(what, how, command)
    options = [path for path, task in tasks.items() if task.dataset in place] or list(tasks)
    about: dict[str, Any] = {"value": None, "index": None, "placeholder": "Choose a task …", "width": 420}
    selection.control(st.selectbox, "Task", "task", options, **about)


def show_page(prepared: View) -> None:
    view = page.begin(prepared, "compare", tests=True, shows_task=True)
    tasks = data.compared_tasks(view.archive)
    if not tasks:
        page.no_results(view, "No results to compare yet.", "No method has results here.")
        return
    usual, measures = typical_task(view.archive), view.archive.measures
    about: dict[str, Any] = {"ranked": data.ranked, "usual": usual, "measures": measures}
    notices: list[str] = []
    results = view.archive.index.methods_on
    chosen = choose_comparison(view.archive, tasks, results, view.selection, notices, **about)
    if chosen is None or _is_unknown(view):
        show_tasks(view, tasks)
        return
    request = show_controls(chosen)
    if request.methods and not data.is_standardizable(request):
        if request.measure.is_loss:
            st.info("The baseline's loss is not recorded for this task; losses are raw.")
        request = replace(request, is_raw=True)
    show_finding(view, request, notices)
    if request.methods:
        lacking = without_results(request.archive, *request.place)
        show_overview(request, lacking, view.selection.mine)
        show_tabs(request)
