"""The lower part of the page Ranking in tabs, of which the address knows the open one; only that is drawn."""

from collections.abc import Callable

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig as Column

from dashboard.frame import page, words
from dashboard.ranking import details, exports, tables
from dashboard.ranking.choice import MINE, Request
from dashboard.ranking.data import analysis_of, drawn
from dashboard.ranking.figures.leave_out import leave_out_figure
from dashboard.ranking.figures.rank_intervals import rank_intervals_figure
from dashboard.ranking.figures.score_distributions import score_distributions_figure
from dashboard.ranking.figures.settled_tasks import settled_tasks_figure
from dashboard.ranking.figures.win_rates import win_rates_figure
from dashboard.ranking.numbers import show_numbers
from dashboard.ranking.pair_tab import show_pair
from dashboard.ranking.verdict import leave_out_sentence
from delvecore.report.rounding import p_text

__all__ = ["PARTS", "show_tabs"]

COMBINED: dict[str, Column | str | None] = {
    "method_a": st.column_config.TextColumn("a", pinned=True),
    "method_b": "b",
    "tasks": "Tasks",
    "wins": "a better",
    "ties": "Not settled",
    "losses": "a worse",
    "untested": "No test",
    "stouffer": st.column_config.NumberColumn("Stouffer’s z", format="%.3g", help="Above zero for a"),
    "p_stouffer": "p, Stouffer",
    "p_holm": "p, with Holm",
    "p_weighted": st.column_config.TextColumn("p, weighted", help="Tasks weighted by 1 / standard error"),
    "p_fisher": "p, Fisher",
}


def show_tabs(request: Request) -> None:
    """Show the tabs."""
    tabs = st.tabs(list(PARTS), key="ranking-part", bind="query-params", on_change="rerun")
    for tab, show in zip(tabs, PARTS.values(), strict=True):
        if tab.open:
            with tab:
                show(request)


def _show_ranks(request: Request) -> None:
    """Show mean ranks with intervals, and beside them wins against one method."""
    left, right = st.columns(2, gap="medium")
    with left:
        _show_intervals(request)
    with right:
        _show_wins(request)


def _percent(request: Request) -> str:
    return f"{100 * request.level:g} %"


def _show_intervals(request: Request) -> None:
    st.subheader("How far would ranks move with other tasks?", anchor=False)
    st.caption(f"{_percent(request)} intervals by drawing the tasks anew, with replacement, 2,000 times.")
    rows = details.intervals(request)
    page.figure_block(
        drawn(rank_intervals_figure, details.intervals, request),
        tables.frame_of(rows, "method", "rank", "lower", "upper", "best"),
        name=exports.name_of(request, "rank-intervals"),
        key="rank-intervals",
        alt="Mean ranks with intervals: " + "; ".join(f"{row.method} {row.text}" for row in rows),
        command=exports.command(request),
    )


def _reference_of(request: Request) -> tuple[str, str]:
    """Return (the method that others are shown against, why it): the control, else the best mean rank."""
    names = tables.pairs_of(request).methods
    if request.control in names:
        return request.control or "", "the control"
    return names[0], "the best mean rank"


def _show_wins(request: Request) -> None:
    reference, why = _reference_of(request)
    st.subheader("How often does it win?", anchor=False)
    st.caption(
        f"Against **{words.escape(reference)}** ({why}): tasks won / tied / lost, {_percent(request)} "
        "intervals, whatever other methods there are."
    )
    rows = details.win_rates(request, reference).rows
    page.figure_block(
        drawn(win_rates_figure, details.win_rates, request, reference),
        tables.frame_of(rows, "method", "wins", "ties", "losses", "rate", "lower", "upper"),
        name=exports.name_of(request, "wins"),
        key="ranking-wins",
        alt=f"Share of tasks on which each method is better than {reference}: "
        + "; ".join(f"{row.method} {row.text}" for row in rows),
        command=exports.command(request),
    )


def _show_task_tests(request: Request) -> None:
    """Show what DELVE's own tests of each task say, counted and combined."""
    st.subheader("What do the tests on each task say?", anchor=False)
    if request.source == MINE:
        page.empty_state(
            "Your table has one value of each method on a task.",
            "The test of a task needs losses on every test case, as the archive has them.",
        )
        return
    reference, _ = _reference_of(request)
    st.caption(
        "The test of `mstats` on each task, which knows training sets and test cases, counted for each "
        f"method against **{words.escape(reference)}** at {request.alpha:g}, not adjusted."
    )
    with st.spinner("Comparing all pairs on all tasks …"):
        table = details.combined_table(request)
    rows = details.settled_tasks(request, reference).rows
    page.figure_block(
        drawn(settled_tasks_figure, details.settled_tasks, request, reference),
        tables.frame_of(rows, "method", "wins", "ties", "losses", "untested"),
        name=exports.name_of(request, "settled-tasks"),
        key="settled-tasks",
        alt=f"Tasks on which each method is better than {reference}, not settled, worse",
    )
    st.caption(
        "All pairs, a against b. Stouffer: do the tasks’ tests together speak for one of the two? Fisher: "
        "does any task tell them apart, whichever is better there?"
    )
    name = exports.name_of(request, "task-tests")
    st.dataframe(
        table.assign(**{column: table[column].map(p_text) for column in table if column[:2] == "p_"}),
        hide_index=True,
        alt="Tests of all tasks combined, for all pairs of methods",
        key=f"table-{name}",
        placeholder=words.NO_VALUE,
        column_config=COMBINED,
    )
    page.csv_button(table, name)


def _show_values(request: Request) -> None:
    """Show how the values of each method are spread over the tasks."""
    st.subheader("How are the values spread?", anchor=False)
    st.caption(
        "One mark a task; boxes hold the middle half, the line in them is the median. Best mean rank first."
    )
    count = len(tables.distributions(request).methods)
    page.figure_block(
        drawn(score_distributions_figure, tables.distributions, request),
        tables.value_numbers(request),
        name=exports.name_of(request, "values"),
        key="ranking-values",
        alt=f"Distribution of the values of {count} methods over the tasks",
        command=exports.command(request),
    )


def _show_leave_out(request: Request) -> None:
    """Show whether the order holds without each family of tasks."""
    left = details.left_out(request)
    st.subheader("Does the order hold without one family of tasks?", anchor=False)
    if not left:
        page.empty_state(
            "There is one family of tasks only.",
            "Choose tasks of several datasets to see whether the order holds without each of them.",
        )
        return
    st.markdown(leave_out_sentence(analysis_of(request).table.methods, left))
    page.figure_block(
        drawn(leave_out_figure, details.leave_out_ranks, request),
        details.leave_out_numbers(request),
        name=exports.name_of(request, "leave-out"),
        key="leave-out",
        alt="Mean ranks of all methods with each family of tasks left out in turn",
    )


PARTS: dict[str, Callable[[Request], None]] = {
    "How sure are the ranks?": _show_ranks,
    "One pair": show_pair,
    "Task by task": _show_task_tests,
    "Values": _show_values,
    "Does the order hold?": _show_leave_out,
    "All numbers": show_numbers,
}
