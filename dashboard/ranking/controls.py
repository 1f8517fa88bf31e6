"""What is ranked: loss, methods, control, test and level; tasks by what they are; a table of one's own."""

from collections.abc import Collection, Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dashboard.frame import selection, words
from dashboard.frame.controls import level_control, loss_control
from dashboard.frame.facets import (
    Facet,
    asked_options,
    counts_of,
    facet_control,
    matching,
    unknown_options,
)
from dashboard.frame.page import View
from dashboard.ranking import choice
from dashboard.ranking import own as own_tables
from dashboard.ranking.choice import ARCHIVE, BOTH, CONTROL, MINE, TESTS, Request
from dashboard.ranking.data import archive_scores, mine_named
from dashboard.ranking.own import OwnTable
from dashboard.ranking.tasks import RankedTask, facets_of, ranked_tasks
from delvecore.errors import ParseError

__all__ = ["show_controls"]

DROPS = {"tasks": "the task", "methods": "the method"}
TEST_HELP = (
    "Nemenyi: do two mean ranks differ by more than the critical difference? Wilcoxon with Holm: do the "
    "signed ranks of two methods differ, for all pairs together? Bonferroni-Dunn: do mean ranks differ from "
    "the control’s?"
)
CONTROL_HELP = "The method that others are held against, such as the one in use today"


def show_controls(view: View, notices: list[str]) -> Request:
    """Show the controls and return what they ask for."""
    tasks = ranked_tasks(view.state)
    losses = choice.losses_of(tasks)
    own = own_tables.own_table()
    with st.container(border=True, key="ranking-controls"):
        with st.container(horizontal=True, gap="medium"):
            source = _source(own, bool(losses))
            higher = source == MINE and _higher_is_better()
        first = st.container()
        second = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
        left, right = st.columns([3, 2], gap="small") if source != MINE else (first, st.container())
        loss, fitting = "", []
        if source != MINE and losses:
            loss = choice.choose_loss(losses, view.selection, notices)
            beside = set(own.table.tasks) if source == BOTH and own else None
            fitting = _tasks(tasks, loss, beside, left, notices)
        with second:
            test, level, drop = _test(view)
        with first:
            if source == MINE and own:
                methods, control = _own_methods(own.table.methods, test, notices)
            else:
                methods, control = _methods(view, losses, loss, fitting, test, notices)
        with right:
            _show_own(own)
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
        level=level,
        test=test,
        drop=drop,
        higher=higher,
        own=own if source != ARCHIVE else None,
    )


def _source(own: OwnTable | None, has_results: bool) -> str:
    if own is None:
        return ARCHIVE
    if not has_results:
        return MINE
    return selection.local(
        st.segmented_control,
        "Values",
        "values",
        [MINE, BOTH, ARCHIVE],
        required=True,
        help="Of your own table, of the archive, or both side by side: your methods as further columns on "
        "the tasks whose full paths your table names, its values being of the loss chosen",
    )


def _tasks(
    tasks: Mapping[str, RankedTask],
    loss: str,
    beside: Collection[str] | None,
    place: DeltaGenerator,
    notices: list[str],
) -> list[RankedTask]:
    """Show the filters in their place; return the tasks that fit. beside: a table's, which alone count."""
    candidates = [
        task
        for task in tasks.values()
        if len(task.methods.get(loss, ())) > 1 and (beside is None or task.path in beside)
    ]
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
    with place, st.expander(label, icon=":material/filter_alt:", key="task-filters"):
        _show_facets(facets, candidates, chosen)
    return fitting


def _show_facets(
    facets: Sequence[Facet[RankedTask]],
    candidates: Sequence[RankedTask],
    chosen: Mapping[str, Collection[str]],
) -> None:
    """Show the filters, each option with the number of tasks it would give."""
    wide = [facet for facet in facets if facet.is_long or facet.name in ("data", "size")]
    narrow = [facet for facet in facets if facet not in wide]
    columns = st.columns(max(len(narrow), 1)) if len(narrow) <= 4 else st.columns(3)
    for number, facet in enumerate(narrow):
        with columns[number % len(columns)]:
            facet_control(facet, facet.options, counts_of(facet, candidates, facets, chosen))
    for facet in wide:
        facet_control(facet, facet.options, counts_of(facet, candidates, facets, chosen))


def _methods(
    view: View,
    losses: Sequence[str],
    loss: str,
    fitting: Sequence[RankedTask],
    test: str,
    notices: list[str],
) -> tuple[tuple[str, ...], str | None]:
    """Show loss, methods and control of the archive; return (methods, control)."""
    done = [task.methods.get(loss, frozenset()) for task in fitting]
    available = sorted(frozenset().union(*done))
    methods = choice.choose_methods(available, view.selection, notices, done)
    control = choice.choose_control(methods, view.selection.reference, test, notices)
    columns = st.columns([2.4, 4.2, 1.8])
    with columns[0]:
        loss_control(losses, loss or None)
    with columns[1]:
        selection.control(
            st.multiselect,
            "Methods",
            "methods",
            available,
            value=methods,
            placeholder="Choose two or more methods",
            help="Mean ranks depend on which methods are compared",
        )
    with columns[2]:
        selection.control(
            st.selectbox,
            "Control",
            "reference",
            methods,
            value=control,
            index=None,
            placeholder="none",
            help=CONTROL_HELP,
        )
    return methods, control


def _own_methods(known: tuple[str, ...], test: str, notices: list[str]) -> tuple[tuple[str, ...], str | None]:
    """Show the methods of the visitor's own table; return (methods, control). They are known here alone."""
    left, right = st.columns([6, 2])
    with left:
        chosen = selection.local(
            st.multiselect,
            "Methods",
            "mine",
            list(known),
            several=True,
            placeholder="all of your table",
            help="Mean ranks depend on which methods are compared",
        )
    methods = tuple(chosen) if len(chosen) > 1 else known
    with right:
        options = sorted(methods) if test == CONTROL else ["none", *methods]
        reference = selection.local(st.selectbox, "Control", "my-control", options, help=CONTROL_HELP)
    if test == CONTROL and "my-control" not in st.query_params:
        reference = None
    return methods, choice.choose_control(methods, reference, test, notices)


def _higher_is_better() -> bool:
    direction: str = selection.local(
        st.segmented_control, "In your table better is", "better", ["lower", "higher"], required=True
    )
    return direction == "higher"


def _test(view: View) -> tuple[str, float, str]:
    """Show test, level, and what happens to gaps; return (test, level, what is left out)."""
    test = selection.local(st.segmented_control, "Test", "test", list(TESTS), required=True, help=TEST_HELP)
    level = level_control(
        view.selection.level, explanation="Methods are told apart where p is below 1 less this"
    )
    drop = selection.local(
        st.segmented_control,
        "Where a method has no result, leave out",
        "drop",
        list(DROPS),
        required=True,
        format_func=DROPS.__getitem__,
        help="Ranks need results of all methods; nothing is ever filled in",
    )
    return test, level, drop


def _show_own(own: OwnTable | None) -> None:
    """Take a table of the visitor's own, or say what it is."""
    label = "Compare a table of your own" if own is None else f"Your table: {words.escape(own.name)}"
    # Closed again, being another one, as soon as a table was taken.
    with st.expander(label, icon=":material/upload_file:", key=f"own-table-{own is not None}"):
        if own is not None:
            tasks, methods = len(own.table.tasks), len(own.table.methods)
            said = f"{words.count(tasks, 'task')}, {words.count(methods, 'method')}, "
            said += f"{words.count(own.table.missing, 'missing value')}"
            st.markdown(f"{said}. Only you see it, in this tab.")
            st.button("Take it away", icon=":material/delete:", on_click=own_tables.forget)
        file = st.file_uploader(
            "A CSV file: a task in each line, a method in each column",
            type=["csv"],
            max_upload_size=own_tables.MOST_BYTES >> 20,
            key=f"ranking-upload-{own_tables.rounds()}",
            help="The first line names the methods, the first column the tasks. Empty cells are missing.",
        )
        st.code("task,method-a,method-b\ntask-1,0.31,0.29\ntask-2,0.52,0.60", language=None)
        if file is not None:
            _take(file, own)


def _take(file: UploadedFile, own: OwnTable | None) -> None:
    try:
        found = own_tables.read_table(file.getvalue(), words.plain(file.name, longest=80))
    except ParseError as error:
        st.error(words.escape(str(error)), icon=":material/block:")
        return
    if own is None or own.digest != found.digest:
        own_tables.take(found)
        st.rerun()
