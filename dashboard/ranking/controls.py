"""What is ranked: loss, methods, control, test and level; tasks by what they are; a table of one's own."""

from collections.abc import Mapping

import streamlit as st

from dashboard.frame import selection, words
from dashboard.frame.facets import asked_options, counts_of, facet_control, matching, unknown_options
from dashboard.frame.glossary import help_for
from dashboard.frame.level import level_control
from dashboard.frame.page import View
from dashboard.ranking import (
    choice as ranking_choice,
)
from dashboard.ranking import (
    data as ranking_data,
)
from dashboard.ranking import (
    own as ranking_own,
)
from dashboard.ranking import (
    tasks as ranking_tasks,
)
from dashboard.ranking.data import ARCHIVE, BOTH, CONTROL, MINE, TESTS, Question
from dashboard.ranking.own import OwnTable
from dashboard.ranking.tasks import RankedTask
from delvecore.errors import ParseError
from delvecore.statistics.choose import DEFAULT_LEVEL, significance

__all__ = ["show_controls"]

DROPS = {"tasks": "the task", "methods": "the method"}
TEST_HELP = (
    "Nemenyi: do two mean ranks differ by more than the critical difference? Wilcoxon with Holm: do the "
    "signed ranks of two methods differ, for all pairs together? Bonferroni-Dunn: do mean ranks differ from "
    "the control’s?"
)
CONTROL_HELP = "The method that others are held against, such as the one in use today"


def show_controls(
    view: View, tasks: Mapping[str, RankedTask], notices: list[str]
) -> tuple[Question, list[RankedTask]]:
    """Show the controls; return the Question that they ask and the archive's tasks that it is about."""
    own = ranking_own.own_table()
    with st.container(border=True, key="ranking-controls"):
        with st.container(horizontal=True, gap="medium"):
            source = _source(own, bool(ranking_choice.losses_of(tasks)))
            higher = source == MINE and _higher_is_better()
        first, second = (
            st.container(),
            st.container(horizontal=True, vertical_alignment="bottom", gap="medium"),
        )
        left, right = st.columns([3, 2], gap="small") if source != MINE else (None, st.container())
        loss, fitting = _loss_and_tasks(view, tasks, source, own, left, notices)
        with second:
            test = selection.local(
                st.segmented_control, "Test", "test", list(TESTS), required=True, help=TEST_HELP
            )
            alpha, drop = _level_and_gaps(view)
        with first:
            if source == MINE:
                methods, control = _own_methods(own, test, notices)
            else:
                methods, control = _methods(view, tasks, loss, fitting, test, notices)
        with right:
            _show_own(own)
    if source == BOTH:
        archive = ranking_data.archive_scores(view.state, loss).methods
        methods += tuple(ranking_data.mine_named(name, archive) for name in own.table.methods)
    paths = tuple(task.path for task in fitting)
    settings = (source, loss, paths, methods, control, alpha, test, drop, higher)
    return Question(view.state, *settings, own if source != ARCHIVE else None), fitting


def _source(own, has_results):
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


def _loss_and_tasks(view, tasks, source, own, place, notices):
    """Return the loss and the tasks that fit; show the filters. Beside a table only its tasks count."""
    losses = ranking_choice.losses_of(tasks)
    if source == MINE or not losses:
        return "", []
    loss = ranking_choice.choose_loss(losses, view.selection, notices)
    candidates = [task for task in tasks.values() if len(task.methods.get(loss, ())) > 1]
    if source == BOTH:
        candidates = [task for task in candidates if task.path in set(own.table.tasks)]
    facets = ranking_tasks.facets_of(candidates)
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
    return loss, fitting


def _show_facets(facets, candidates, chosen):
    """Show the filters, each option with the number of tasks it would give."""
    wide = [facet for facet in facets if facet.is_long or facet.name in ("data", "size")]
    narrow = [facet for facet in facets if facet not in wide]
    columns = st.columns(max(len(narrow), 1)) if len(narrow) <= 4 else st.columns(3)
    for number, facet in enumerate(narrow):
        with columns[number % len(columns)]:
            facet_control(facet, facet.options, counts_of(facet, candidates, facets, chosen))
    for facet in wide:
        facet_control(facet, facet.options, counts_of(facet, candidates, facets, chosen))


def _methods(view, tasks, loss, fitting, test, notices):
    """Show loss, methods and control of the archive; return (methods, control)."""
    available = sorted({name for task in fitting for name in task.methods.get(loss, ())})
    done = [task.methods.get(loss, frozenset()) for task in fitting]
    methods = ranking_choice.choose_methods(available, view.selection, notices, done)
    control, said = ranking_choice.choose_control(methods, view.selection.reference, test)
    notices += [said] if said else []
    columns = st.columns([2.4, 4.2, 1.8])
    losses = ranking_choice.losses_of(tasks)
    known = words.loss_words(loss)
    with columns[0]:
        selection.control(
            st.selectbox,
            "Loss",
            "loss",
            losses,
            value=loss if loss in losses else None,
            format_func=words.loss_name,
            help=words.escape(known.explanation) if known else help_for("loss"),
        )
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


def _own_methods(own, test, notices):
    """Show the methods of the visitor's own table; return (methods, control). They are known here alone."""
    left, right = st.columns([6, 2])
    with left:
        chosen = selection.local(
            st.multiselect,
            "Methods",
            "mine",
            list(own.table.methods),
            several=True,
            placeholder="all of your table",
            help="Mean ranks depend on which methods are compared",
        )
    methods = tuple(chosen) if len(chosen) > 1 else own.table.methods
    with right:
        options = sorted(methods) if test == CONTROL else ["none", *methods]
        reference = selection.local(st.selectbox, "Control", "my-control", options, help=CONTROL_HELP)
    if test == CONTROL and "my-control" not in st.query_params:
        reference = None
    control, said = ranking_choice.choose_control(methods, reference, test)
    notices += [said] if said else []
    return methods, control


def _higher_is_better():
    direction = selection.local(
        st.segmented_control, "In your table better is", "better", ["lower", "higher"], required=True
    )
    return direction == "higher"


def _level_and_gaps(view):
    """Show level, and what happens to gaps; return (alpha, drop)."""
    level = level_control(
        view.selection.level or DEFAULT_LEVEL,
        explanation="Methods are told apart where p is below 1 less this",
    )
    drop = selection.local(
        st.segmented_control,
        "Where a method has no result, leave out",
        "drop",
        list(DROPS),
        required=True,
        format_func=DROPS.get,
        help="Ranks need results of all methods; nothing is ever filled in",
    )
    return significance(level), drop


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
            st.button("Take it away", icon=":material/delete:", on_click=ranking_own.forget)
        file = st.file_uploader(
            "A CSV file: a task in each line, a method in each column",
            type=["csv"],
            max_upload_size=ranking_own.MOST_BYTES >> 20,
            key=f"ranking-upload-{ranking_own.rounds()}",
            help="The first line names the methods, the first column the tasks. Empty cells are missing.",
        )
        st.code("task,method-a,method-b\ntask-1,0.31,0.29\ntask-2,0.52,0.60", language=None)
        if file is not None:
            _take(file, own)


def _take(file, own):
    try:
        found = ranking_own.read_table(file.getvalue(), words.plain(file.name, longest=80))
    except ParseError as error:
        st.error(words.escape(str(error)), icon=":material/block:")
        return
    if own is None or own.digest != found.digest:
        ranking_own.take(found)
        st.rerun()
