"""The tabs of the Task-arrays page; only the open one is computed and drawn."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import streamlit as st

from dashboard.server import archive as opened
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays import lists
from dashboard.ui import blocks, controls, page, selection
from dashboard.ui.blocks import show_diagram, spoken
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View, published_note, shared_cases
from dashboard.ui.request import MOST_COLORED, Request
from delvecore.answers.answer import Answer
from delvecore.answers.task_array import array_label
from delvecore.answers.task_array_sentences import (
    best_words,
    crossing_sentence,
    effect_notes,
    member_words,
    with_winners,
)
from delvecore.measures import Measure
from delvecore.plots import theme
from delvecore.plots.critical_difference import critical_difference_figure
from delvecore.plots.figure import Figure
from delvecore.plots.task_arrays.costs import cost_means, costs_figure, methods_with_costs
from delvecore.plots.task_arrays.effects import effects_figure, effects_map_figure, slopes_figure
from delvecore.plots.task_arrays.maps import differences_map_figure, regrets_figure, winners_figure
from delvecore.plots.task_arrays.panels import SIGNS, columns_within, task_of
from delvecore.render.answers import answer_text
from delvecore.render.numbers import parameter
from delvecore.render.spans import markdown
from delvecore.render.verdicts import BETTER, NOT_DIFFERENT, NOT_WORSE, SIGNIFICANTLY, WORSE
from delvecore.report import words
from delvecore.stats.choose import Verdict, adjustment_words
from delvecore.tables import rows_of

MOST_CROSSINGS = 6
CLICKED = "array-clicked"
"""Key of the task of the last clicked cell."""
LINEAR, LOG = "Linear", "Logarithmic"
STANDARDIZED = help_for("standardized loss")
SIGNS_MEAN = f"{SIGNS[Verdict.BETTER]} {BETTER}, {SIGNS[Verdict.WORSE]} {WORSE}"
CROSSING = "The differences at the sizes on both sides are significant and have opposite signs"
ON_ALL = "Tasks on which all methods have results"
COST_COLUMNS = {
    "method": st.column_config.TextColumn("Method", pinned=True, help=help_for("method")),
    "tasks": st.column_config.NumberColumn("Tasks", help="Tasks with recorded costs"),
    "instances": st.column_config.NumberColumn("Instances", help=help_for("task instance")),
    "median_seconds": st.column_config.NumberColumn("Median seconds", format="%.3g"),
    "total_seconds": st.column_config.NumberColumn("Seconds in all", format="%.0f"),
    "most_megabytes": st.column_config.NumberColumn("Most memory, MB", format="%.0f"),
    "compared_tasks": st.column_config.NumberColumn("Over tasks", help=ON_ALL),
    "note": st.column_config.TextColumn("Note"),
}


def show_tabs(request: Request) -> None:
    parts = {
        "What drives it": _drivers,
        "Curves": _curves,
        "One method": _one_method,
        "Differences": _differences,
        "Cost": _costs,
    }
    controls.show_tabs(parts, "array-part", request, joined={"Winners": "What drives it"})


def _show(
    request: Request,
    key: str,
    draw: Callable[..., Figure] | None,
    listed: Callable[[Request], Answer],
    what: str,
    *,
    question: str = "",
    name: str = "",
    selectable: bool = False,
    **details: Any,
) -> None:
    """Show a figure with its numbers.

    key: of the widgets, by default also the question and the name of files; draw: None for curves; listed:
    the list for narrow windows; what: alternative text; selectable: does a click open Compare? details: see
    `blocks.figure_block`."""
    question = question or key
    answer, as_list = array_data.answer(question, request), listed(request)
    is_listed = f"opened-array-{key}" in st.session_state
    task = blocks.figure_block(
        array_data.figure(draw, question, request) if draw else array_data.curves(request),
        array_data.numbers(question, request),
        name=request.file_name(name or key),
        key=f"array-{key}",
        alt=f"{what}. {spoken(as_list)}",
        listed=as_list,
        command=array_data.command(question, request),
        places=array_data.places(request) if selectable else {},
        opens=f"task of the figure of {key}",
        latex=lambda: answer_text(answer, "latex", label=array_label(request.task_array, question)),
        **details,
    )
    if key == "winners":
        _open_cell(task, is_listed=is_listed)
    elif task is not None:
        selection.open_page("compare", task=task, loss=request.loss, reference=request.reference)


def _open_cell(task: str | None, *, is_listed: bool) -> None:
    """Show the learning curves of the map's cell that was clicked. The figure keeps the event, which
    counts only once.

    is_listed: was the cell chosen in the list instead of clicked?"""
    if is_listed or task != st.session_state.get(CLICKED):
        if not is_listed:
            st.session_state[CLICKED] = task
        if task is not None:
            selection.choose(task=task)
            st.rerun()


def _standardized_help(measure: Measure) -> str | None:
    return STANDARDIZED if measure.is_loss else None


def _tests(request: Request) -> str:
    """Return a sentence that says when a difference on a task is significant."""
    adjusted = adjustment_words(request.setting.adjust)
    return (
        f"Significant: p below {parameter(request.setting.alpha)}, on each task "
        f"{adjusted}.{_overlaps(request)}"
    )


def _overlaps(request: Request) -> str:
    return shared_cases(request.archive, array_data.tasks_of(request.archive, request.array))


def _curves(request: Request) -> None:
    measure = request.measure
    with st.container(horizontal=True, vertical_alignment="bottom"):
        what = "do losses fall" if measure.is_loss else f"does {words.escape(measure.title)} change"
        title = f"How {what} with more training cases?"
        st.subheader(title, anchor=False, help=_standardized_help(measure))
    gray = len(request.methods) - MOST_COLORED
    marks = (
        "Bars show one standard error on either side, if they are longer than the marks. Click a "
        "mark to compare the methods on that task."
        + (f" The {words.count(gray, 'method')} beyond the best {MOST_COLORED} are gray." if gray > 0 else "")
        + published_note([value for _, value in array_data.published(request)])
    )
    values = "Standardized losses" if measure.is_loss else measure.title
    what = f"{values} of {words.count(len(request.methods), 'method')}"
    about = f"{what} by size of training sets"

    def for_paper(inches: float) -> Figure:
        return theme.for_paper(array_data.curves(replace(request, columns=columns_within(inches))), inches)

    more: dict[str, Any] = {"marks": marks, "note": _overlaps(request).strip(), "redraw": for_paper}
    _show(request, "curves", None, lists.best, about, question="estimates", selectable=True, **more)
    _crossings(request)


def show_ranks(request: Request) -> None:
    """Show the critical-difference diagram of the array."""
    st.subheader(f"Which methods do not differ {SIGNIFICANTLY} over these tasks?", anchor=False)
    show_diagram(
        array_data.diagram(request),
        opened.figure(critical_difference_figure, array_data.diagram, request),
        name=request.file_name("critical-difference"),
        key="array-critical-difference",
        caption=f"Mean ranks, best at the left. A bar joins methods that do not differ {SIGNIFICANTLY}.",
        command=array_data.rank_command(request),
    )


def _crossings(request: Request) -> None:
    array, crossings = request.task_array, array_data.crossed(request)
    st.subheader("Where do learning curves cross?", anchor=False, help=CROSSING)
    listed = "\n".join(f"- {crossing_sentence(array, one)}" for one in crossings[:MOST_CROSSINGS])
    st.markdown(markdown(listed) or "No two methods swap places with significant differences at both sizes.")
    if (more := len(crossings) - MOST_CROSSINGS) > 0:
        st.caption(f"{words.count(more, 'more crossing')}; the figure has a ring at each.")


def show_map(view: View, request: Request) -> Request:
    """Show the best method of each task, and the learning curves of the clicked member.

    Return the request with the chosen scale."""
    best = best_words(request.measure)
    names = ("levels", "dataset", "prototask", "task")
    cells = list(rows_of(with_winners(array_data.table("winners", request)), names))
    chosen = [tuple(levels) for levels, *place in cells if task_of(*place) == view.selection.task]
    with st.container(key="array-both"):
        winners, curves = st.columns([1.5, 1], gap="medium")
    with winners:
        st.subheader("Which method is best on each task?", anchor=False, help=help_for("p-value"))
        cell = (
            f"A cell names the method with the {best} and its lead over the next, ± one standard error. "
            f"Small marks are methods {NOT_WORSE}. Click a cell to see its learning curves."
        )
        more: dict[str, Any] = {"selectable": True, "marks": cell, "note": _tests(request)}
        _show(request, "winners", winners_figure, lists.firsts, "Map of the tasks", **more)
    if not cells:
        return request
    with curves:
        levels = chosen[0] if chosen else tuple(cells[0][0])
        st.subheader(words.escape(member_words(request.task_array, levels).capitalize()), anchor=False)
        with st.container(key="only-scale"):
            request = _scaled(request)
        here = [one for cell, one in array_data.published(request) if cell.levels == levels]
        ring = f"A ring marks a crossing: {CROSSING[0].lower()}{CROSSING[1:]}."
        what = f"Learning curves of {member_words(request.task_array, levels)}"
        of_member = replace(request, member=levels)
        more = {"question": "estimates", "selectable": True, "marks": ring + published_note(here)}
        _show(of_member, "member-curves", None, lists.of_member, what, **more)
    return request


def _scaled(request: Request) -> Request:
    """Return the request with the chosen scale. If some values are not positive, the scale stays linear."""
    scale = selection.one_of("Scale", "scale", [LINEAR, LOG], label_visibility="collapsed")
    is_log = scale == LOG
    if is_log and (array_data.found_of(request, request.methods).value <= 0).any():
        st.info("Some of these values are not above zero; the scale is linear.", icon=":material/info:")
        is_log = False
    return replace(request, is_log=is_log)


def _one_method(request: Request) -> None:
    """Show the tasks that one method wins and loses in words, and its lead or deficit on each task."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader("Where does it win, and where does it lose?", anchor=False, help=help_for("regret"))
        # The visitor's own method first.
        names = sorted(request.methods, key=lambda name: name != selection.mine())
        method = selection.local(st.selectbox, "Method", "of", names, label_visibility="collapsed", width=220)
    own = replace(request, reference=method)
    st.markdown(markdown(array_data.wins_sentence(own)))
    is_loss = request.measure.is_loss
    regret = "its loss minus that of the best method" if is_loss else "its distance from the best method"
    marks = (
        "Blue: it is the best of the chosen methods, with its lead over the next. Orange: its "
        f"regret, {regret}. ± one standard error. {SIGNS_MEAN}. Click a cell to compare the methods on that "
        "task."
    )
    what = f"Map of where {method} wins and loses"
    about: dict[str, Any] = {"question": "regrets", "name": f"{method}-regret", "selectable": True}
    _show(own, "regret", regrets_figure, lists.regrets, what, marks=marks, note=_tests(request), **about)


def _differences(request: Request) -> None:
    st.subheader("Better or worse than the reference?", anchor=False, help=help_for("p-value"))
    marks = (
        f"Difference from **{words.escape(request.reference)}**: {SIGNS_MEAN}, no mark: not significant, "
        "–: no results. Click a cell to compare the methods on that task."
    )
    what = f"Differences of each method from {request.reference} on every task"
    about: dict[str, Any] = {"selectable": True, "marks": marks, "note": _tests(request)}
    _show(request, "differences", differences_map_figure, lists.differences, what, **about)


def _drivers(request: Request) -> None:
    """Show the effects of factors on one method's values, then for several methods, and the slopes of all."""
    noun = words.escape(request.measure.noun)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader(f"What drives the {noun}?", anchor=False, help=help_for("factor effect"))
        method = selection.local(
            st.selectbox, "Effects on", "effects-of", request.methods, label_visibility="collapsed", width=220
        )
    setting = request.setting
    level, adjusted = words.level(setting.level), adjustment_words(setting.adjust, what="effects")
    marks = (
        f"Effects on **{words.escape(method)}**, the largest first, with {level} intervals. Open marks are "
        "not significant. At the right: the share of the variation between tasks."
    )
    note = (
        f"p is {adjusted}. Each member of the array is one dataset. Another dataset made in the "
        "same way may differ by more."
    )
    own = replace(request, methods=(method,))
    what = f"Effects of factors and interactions on the {request.measure.noun} of {method}"
    about: dict[str, Any] = {"name": f"{method}-effects", "marks": marks, "note": note}
    _show(own, "effects", effects_figure, lists.effects, what, **about)
    if notes := effect_notes(array_data.table("effects", own)):
        st.caption(markdown(" ".join(notes)))
    if len(request.methods) > 1:
        _effects_of_all(request)
    st.subheader("Who learns fastest?", anchor=False, help=help_for("learning slope"))
    marks = (
        f"How much the {noun} changes with each doubling of the training cases, with intervals. Open marks "
        f"are {NOT_DIFFERENT} from no change."
    )
    what = "Slopes of the learning curves in each panel"
    _show(request, "slopes", slopes_figure, lists.slopes, what, marks=marks)


def _effects_of_all(request: Request) -> None:
    st.subheader("Is it the same for other methods?", anchor=False)
    more, noun = len(request.methods) - MOST_COLORED, request.measure.noun
    marks = (
        "Orange is worse, blue better; bold is significant. An interaction shows by how much the effect "
        "of one factor depends on the other."
        + (
            (f" The figure shows the best {MOST_COLORED} of the chosen methods; the numbers have all.")
            if more > 0
            else ""
        )
    )
    what = f"Effects on the {noun} of several methods"
    about: dict[str, Any] = {"question": "effects", "name": "effects", "marks": marks}
    _show(request, "all-effects", effects_map_figure, lists.effects_map, what, **about)


def _costs(request: Request) -> None:
    """Plot the means against computing time, and show the costs of the whole array."""
    measure, table, methods = request.measure, array_data.table("costs", request), request.methods
    side = "higher" if measure.higher_is_better else "lower"
    title = f"What does a {side} {words.escape(measure.noun)} cost?"
    st.subheader(title, anchor=False, help=help_for("computing cost"))
    if not methods_with_costs(table, methods):
        how = "Computing time and memory are recorded when a method is run on the array:"
        page.empty_state("No costs recorded.", how, command_text("delve", "run", "METHOD", "/DATASET"))
        return
    marks = _about_costs(table, methods)
    what = f"Mean {measure.noun} against computing time per instance in seconds"
    _show(request, "costs", costs_figure, lists.costs, what, marks=marks)
    answer, key = array_data.answer("total-costs", request), "mean_loss" if measure.is_loss else "mean"
    whole = array_data.numbers("total-costs", request).drop(columns="loss").rename(columns={"mean_loss": key})
    if not whole["note"].fillna("").any():
        whole = whole.drop(columns="note")
    mean = st.column_config.NumberColumn(
        f"Mean {words.short_line(measure.noun)}", format="%.3f", help=_standardized_help(measure)
    )
    blocks.table_block(
        whole,
        name=request.file_name("total-costs"),
        alt="Seconds and memory of each method over the whole array",
        latex=lambda: answer_text(answer, "latex", label=array_label(request.task_array, "total-costs")),
        column_config=COST_COLUMNS | {key: mean},
    )


def _about_costs(table: pa.Table, methods: Sequence[str]) -> str:
    means, with_costs = cost_means(table, methods), methods_with_costs(table, methods)
    first = [tasks for name, tasks in means.select("method", "tasks").rows if name == means["method"][0]]
    without, apart = (
        words.and_list([words.escape(name) for name in names if name not in there])
        for names, there in ((methods, with_costs), (with_costs, means["method"]))
    )
    return (
        "One path per method, from the smallest training sets (small marks) to the largest. Means "
        f"are over the {words.count(sum(first), 'task')} with results of all drawn methods."
        + (f" No costs are known for {without}." if without else "")
        + (f" Not drawn, since too few tasks have results: {apart}." if apart else "")
    )
