"""What is ranked: loss, methods, control, test and level; the tasks by what they are; a table of one's own."""

from collections.abc import Mapping, Sequence

import streamlit as st

from dashboard import ranking_choice, ranking_data, ranking_own, ranking_tasks, selection, words
from dashboard.glossary import help_for
from dashboard.page import View
from dashboard.ranking_data import ARCHIVE, BOTH, MINE, TESTS, Question
from dashboard.ranking_own import OwnTable
from dashboard.ranking_tasks import RankedTask
from delvecore.errors import ParseError

__all__ = ["chosen_options", "show_controls"]

DROPS = {"tasks": "leave out the task", "methods": "leave out the method"}
DIRECTIONS = {"lower": "lower is better", "higher": "higher is better"}
MOST_PILLS = 14
TEST_HELP = (
    "Nemenyi: do two mean ranks differ by more than the critical difference? Wilcoxon with Holm: do the signed "
    "ranks of two methods differ, for all pairs together? Bonferroni-Dunn: do mean ranks differ from the "
    "control’s?"
)


def show_controls(
    view: View, tasks: Mapping[str, RankedTask], notices: list[str]
) -> tuple[Question, list[RankedTask]]:
    """Show the controls; return the Question that they ask and the archive's tasks that it is about."""
    with st.container(border=True, key="ranking-controls"):
        own = ranking_own.own_table()
        source = _source(own)
        first, second = st.container(), st.container()
        loss, fitting = _loss_and_tasks(view, tasks, source, first, notices)
        available = _methods_of(view, source, loss, fitting, own)
        with first:
            methods, test, control = _first_row(view, tasks, source, loss, available, notices)
        with second:
            alpha, drop, higher = _second_row(view, source)
        _show_own(own)
    paths = tuple(task.path for task in fitting) if source != MINE else ()
    question = Question(
        view.state,
        source,
        loss,
        paths,
        methods,
        control,
        alpha,
        test,
        drop,
        higher,
        own if source != ARCHIVE else None,
    )
    return question, fitting


def _source(own):
    if own is None:
        return ARCHIVE
    return selection.local(
        st.segmented_control,
        "Values",
        "values",
        [MINE, BOTH, ARCHIVE],
        required=True,
        help="Of your own table, of the archive, or both side by side: your methods as further columns on the "
        "tasks whose full paths your table names, its values being of the loss chosen",
    )


def chosen_options(facets: Sequence[ranking_tasks.Facet]) -> dict[str, list[str]]:
    """Return the options that the address asks for, by facet."""
    return {
        facet.name: [text for text in st.query_params.get_all(facet.name) if text in facet.options]
        for facet in facets
    }


def _loss_and_tasks(view, tasks, source, place, notices):
    """Return the loss and the tasks that fit; show the filters."""
    losses = ranking_choice.losses_of(tasks)
    if source == MINE or not losses:
        return "", []
    loss = ranking_choice.choose_loss(losses, view.selection, notices)
    candidates = [task for task in tasks.values() if len(task.methods.get(loss, ())) > 1]
    facets = ranking_tasks.facets_of(candidates)
    chosen = chosen_options(facets)
    fitting = ranking_tasks.matching(candidates, chosen)
    said = [option for options in chosen.values() for option in options]
    label = f"Tasks: **{len(fitting)} of {len(candidates)}**"
    label += f" ({words.escape(', '.join(said[:6]))}{' …' if len(said) > 6 else ''})" if said else " (all)"
    with st.expander(label, icon=":material/filter_alt:", key="task-filters"):
        _show_facets(facets, candidates, chosen)
    return loss, fitting


def _show_facets(facets, candidates, chosen):
    """Show the filters, each option with the number of tasks it would give."""
    wide = [facet for facet in facets if len(facet.options) > MOST_PILLS or facet.name in ("data", "size")]
    narrow = [facet for facet in facets if facet not in wide]
    columns = st.columns(max(len(narrow), 1)) if len(narrow) <= 4 else st.columns(3)
    for number, facet in enumerate(narrow):
        with columns[number % len(columns)]:
            _show_facet(facet, candidates, chosen)
    for facet in wide:
        _show_facet(facet, candidates, chosen)


def _show_facet(facet, candidates, chosen):
    counts = ranking_tasks.counts_of(facet, candidates, chosen)
    many = len(facet.options) > MOST_PILLS
    details = {} if many else {"selection_mode": "multi", "wrap": True}
    selection.local(
        st.multiselect if many else st.pills,
        facet.title,
        facet.name,
        list(facet.options),
        several=True,
        format_func=lambda option: f"{words.plain(option, longest=40)} · {counts.get(option, 0)}",
        help=help_for(facet.term) if facet.term else None,
        **details,
    )


def _methods_of(view, source, loss, fitting, own):
    """Return the names of the methods that could be ranked, sorted; one's own last."""
    if source == MINE:
        return own.table.methods
    known = sorted({name for task in fitting for name in task.methods.get(loss, ())})
    if source == BOTH:
        archive = ranking_data.archive_scores(view.state, loss).methods
        known += [ranking_data.mine_named(name, archive) for name in own.table.methods]
    return tuple(known)


def _first_row(view, tasks, source, loss, available, notices):
    """Show loss, methods and control; return (methods, test, control)."""
    columns = st.columns([2.4, 4.2, 1.8]) if source != MINE else [None, *st.columns([5, 2])]
    if source != MINE and loss:
        with columns[0]:
            known = words.loss_words(loss)
            selection.control(
                st.selectbox,
                "Loss",
                "loss",
                ranking_choice.losses_of(tasks),
                value=loss,
                format_func=words.loss_name,
                help=words.escape(known.explanation) if known else help_for("loss"),
            )
    methods = _methods(columns[1], view, source, available, notices)
    test = selection.local(st.segmented_control, "Test", "test", list(TESTS), required=True, help=TEST_HELP)
    control, said = ranking_choice.choose_control(methods, view.selection, test)
    if said:
        notices.append(said)
    with columns[2]:
        selection.control(
            st.selectbox,
            "Control",
            "reference",
            [None, *methods],
            value=control,
            format_func=lambda name: "none" if name is None else name,
            help="The method that others are held against, such as the one in use today",
        )
    return methods, test, control


def _methods(column, view, source, available, notices):
    mine = set() if source == ARCHIVE else set(ranking_own.own_table().table.methods)
    own_names = [name for name in available if name in mine or name.removesuffix(" (mine)") in mine]
    if source == MINE:
        own_names = []
    methods = ranking_choice.choose_methods(
        available, view.selection, notices if source != MINE else [], beside=own_names
    )
    with column:
        selection.control(
            st.multiselect,
            "Methods",
            "methods",
            available,
            value=methods,
            placeholder="Choose two or more methods",
            help="Mean ranks depend on which methods are compared",
        )
    return methods


def _second_row(view, source):
    """Show level, what happens to gaps, and direction; return (alpha, drop, higher is better)."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        level = selection.control(
            st.segmented_control,
            "Confidence",
            "level",
            selection.LEVELS,
            value=view.selection.level or ranking_choice.DEFAULT_LEVEL,
            required=True,
            format_func=lambda level: f"{level:.0%}".replace("%", " %"),
            help="Methods are told apart where p is at most 1 less this",
        )
        drop = selection.local(
            st.segmented_control,
            "Where a method has no result",
            "drop",
            list(DROPS),
            required=True,
            format_func=DROPS.get,
            help="Ranks need results of all methods; nothing is ever filled in",
        )
        higher = False
        if source == MINE:
            direction = selection.local(
                st.segmented_control,
                "In your table",
                "better",
                list(DIRECTIONS),
                required=True,
                format_func=DIRECTIONS.get,
            )
            higher = direction == "higher"
    return round(1 - level, 9), drop, higher


def _show_own(own: OwnTable | None) -> None:
    """Take a table of the visitor's own, or say what it is."""
    label = "Compare a table of your own" if own is None else f"Your table: {words.escape(own.name)}"
    with st.expander(label, icon=":material/upload_file:", key="own-table"):
        if own is not None:
            size = f"{words.count(len(own.table.tasks), 'task')}, {words.count(len(own.table.methods), 'method')}"
            st.markdown(
                f"{size}, {words.count(own.table.missing, 'value')} missing. Only you see it, in this tab."
            )
            st.button("Take it away", icon=":material/delete:", on_click=ranking_own.forget)
        file = st.file_uploader(
            "A CSV file: a task in each line, a method in each column",
            type=["csv"],
            max_upload_size=ranking_own.MOST_BYTES >> 20,
            key="ranking-upload",
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
