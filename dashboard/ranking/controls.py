"""What is ranked: loss, methods, control, test and level; tasks by what they are; a table of one's own."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.frame import selection
from dashboard.frame.controls import (
    asked_options,
    counts_of,
    facet_control,
    loss_control,
    matching,
    methods_control,
    mine_control,
    reference_control,
    unknown_options,
)
from dashboard.frame.page import View
from dashboard.frame.selection import wanted_loss, wanted_setting
from dashboard.ranking import choice
from dashboard.ranking import own as own_tables
from dashboard.ranking.choice import ARCHIVE, BOTH, CONTROL, MINE, TESTS, Request
from dashboard.ranking.data import archive_scores, mine_named
from dashboard.ranking.own import OwnTable
from dashboard.ranking.tasks import RankedTask, facets_of, ranked_tasks
from delvecore.figures import words
from delvecore.statistics.choose import Setting
from delvecore.statistics.ranking.pair_verdicts import RankTest

__all__ = ["show_controls"]

DROPS = {"tasks": "the task", "methods": "the method"}
TEST_HELP = (
    "Nemenyi: do two mean ranks differ by more than the critical difference? Wilcoxon: do the signed ranks "
    "of two methods differ? Sign flips: would their mean difference be as large by chance? "
    "Bonferroni-Dunn: do mean ranks differ from the control’s? Wilcoxon’s p go by the adjustment beside "
    "the title. The others allow for all pairs by themselves, sign flips unless none or "
    "Benjamini-Hochberg’s is chosen."
)
VALUES_HELP = (
    "Of your own table, of the archive, or both side by side: your methods as further columns on the tasks "
    "whose full paths your table names, its values being of the loss chosen"
)
METHODS_HELP = "Mean ranks depend on which methods are compared"
CONTROL_HELP = "The method that others are held against, such as the one in use today"


def show_controls(view: View, notices: list[str]) -> Request:
    """Show the controls and return what they ask for."""
    tasks = ranked_tasks(view.state)
    losses = choice.losses_of(tasks)
    own = own_tables.own_table()
    with st.container(border=True, key="ranking-controls"):
        with st.container(horizontal=True, gap="medium"):
            source, higher = _source(own, bool(losses))
        first = st.container()
        second = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
        left, right = st.columns([3, 2], gap="small") if source != MINE else (first, st.container())
        loss, fitting = "", []
        if source != MINE and losses:
            loss = wanted_loss(losses, losses[0], view.selection, notices, where="on two tasks")
            beside = set(own.table.tasks) if source == BOTH and own else None
            fitting = _tasks(tasks, loss, beside, left, notices)
        with second:
            test, setting, drop = _test(view)
        with first:
            if source == MINE and own:
                methods, control = _own_methods(own.table.methods, test, notices)
            else:
                methods, control = _methods(view, losses, loss, fitting, test, notices=notices)
        with right:
            own_tables.show_own(own)
    if source == BOTH and own:
        archive = archive_scores(view.state, loss).methods
        methods += tuple(mine_named(name, archive) for name in own.table.methods)
    return Request(
        state=view.state,
        source=source,
        loss=loss,
        tasks=tuple(task.path for task in fitting),
        methods=methods,
        control=control,
        **setting._asdict(),
        unit=choice.choose_unit(view.selection.unit, own if source == MINE else None, notices),
        test=test,
        drop=drop,
        higher=higher,
        own=own if source != ARCHIVE else None,
    )


def _source(own: OwnTable | None, has_results: bool) -> tuple[str, bool]:
    """Show whose values are ranked; return (the source, is more better in the visitor's own table?)."""
    if own is None:
        return ARCHIVE, False
    more: dict[str, Any] = {"required": True, "help": VALUES_HELP}
    options, source = [MINE, BOTH, ARCHIVE], MINE
    if has_results:
        source = selection.local(st.segmented_control, "Values", "values", options, **more)
    if source != MINE:
        return source, False
    label, sides = "In your table better is", ["lower", "higher"]
    better = selection.local(st.segmented_control, label, "better", sides, required=True)
    return source, better == "higher"


def _tasks(
    tasks: Mapping[str, RankedTask],
    loss: str,
    beside: Collection[str] | None,
    place: DeltaGenerator,
    notices: list[str],
) -> list[RankedTask]:
    """Show the filters in their place; return the tasks that fit. beside: a table's, which alone count."""
    candidates = [task for task in tasks.values() if len(task.methods.get(loss, ())) > 1]
    candidates = [task for task in candidates if beside is None or task.path in beside]
    facets = facets_of(candidates)
    notices += [
        f"The address asks for tasks of {title.lower()} “{words.escape(text)}”, of which there are "
        "none here; that is left out."
        for title, text in unknown_options(facets)
    ]
    chosen = asked_options(facets)
    fitting = matching(candidates, facets, chosen)
    said = [option for options in chosen.values() for option in options]
    label = f"Tasks: **{len(fitting)} of {len(candidates)}**"
    label += f" ({words.escape(', '.join(said[:6]))}{' …' if len(said) > 6 else ''})" if said else " (all)"
    wide = [facet for facet in facets if facet.is_long or facet.name in ("data", "size")]
    narrow = [facet for facet in facets if facet not in wide]
    with place, st.expander(label, icon=":material/filter_alt:", key="task-filters"):
        columns = st.columns(max(len(narrow), 1)) if len(narrow) <= 4 else st.columns(3)
        for number, facet in enumerate(narrow):
            with columns[number % len(columns)]:
                facet_control(facet, facet.options, counts_of(facet, candidates, facets, chosen))
        for facet in wide:
            facet_control(facet, facet.options, counts_of(facet, candidates, facets, chosen))
    return fitting


def _methods(
    view: View,
    losses: Sequence[str],
    loss: str,
    fitting: Sequence[RankedTask],
    test: RankTest,
    notices: list[str],
) -> tuple[tuple[str, ...], str | None]:
    """Show loss, methods and control of the archive; return (methods, control)."""
    done = [task.methods.get(loss, frozenset()) for task in fitting]
    available = sorted(frozenset().union(*done))
    methods = choice.choose_methods(available, view.selection, notices, done)
    control = choice.choose_control(methods, view.selection.reference, test, notices)
    columns = st.columns([2.4, 3.6, 1.5, 1.5])
    with columns[0]:
        loss_control(losses, loss or None)
    with columns[1]:
        methods_control(available, methods, help=METHODS_HELP)
    with columns[2]:
        more: dict[str, Any] = {"index": None, "placeholder": "none", "help": CONTROL_HELP}
        reference_control(methods, control, "Control", **more)
    with columns[3]:
        mine_control(available)
    return methods, control


def _own_methods(
    known: tuple[str, ...], test: RankTest, notices: list[str]
) -> tuple[tuple[str, ...], str | None]:
    """Show the methods of the visitor's own table; return (methods, control). They are known here alone."""
    left, right = st.columns([6, 2])
    with left:
        more: dict[str, Any] = {"several": True, "placeholder": "all of your table", "help": METHODS_HELP}
        chosen = selection.local(st.multiselect, "Methods", "mine", list(known), **more)
    methods = tuple(chosen) if len(chosen) > 1 else known
    with right:
        options = sorted(methods) if test == CONTROL else ["none", *methods]
        reference = selection.local(st.selectbox, "Control", "my-control", options, help=CONTROL_HELP)
    if test == CONTROL and "my-control" not in st.query_params:
        reference = None
    return methods, choice.choose_control(methods, reference, test, notices)


def _test(view: View) -> tuple[RankTest, Setting, str]:
    """Show the test, and what happens to gaps; return (test, setting, what is left out)."""
    test = selection.local(st.segmented_control, "Test", "test", list(TESTS), required=True, help=TEST_HELP)
    about = "Ranks need results of all methods; nothing is ever filled in"
    more: dict[str, Any] = {"required": True, "format_func": DROPS.__getitem__, "help": about}
    label = "Where a method has no result, leave out"
    return (
        test,
        wanted_setting(view.selection),
        selection.local(st.segmented_control, label, "drop", list(DROPS), **more),
    )
