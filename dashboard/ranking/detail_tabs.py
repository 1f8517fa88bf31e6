"""What the tabs of the page Ranking show: intervals and wins, one pair, distributions, leaving out."""

import streamlit as st

from dashboard.frame import page, selection, words
from dashboard.frame.page import View
from dashboard.ranking import (
    data as ranking_data,
)
from dashboard.ranking import (
    details as ranking_details,
)
from dashboard.ranking import (
    exports as ranking_exports,
)
from dashboard.ranking import (
    tables as ranking_tables,
)
from dashboard.ranking.data import MINE, Question
from dashboard.ranking.figures.bayes_triangle import bayes_triangle_figure
from dashboard.ranking.figures.leave_out import leave_out_figure
from dashboard.ranking.figures.pair_scatter import pair_scatter_figure
from dashboard.ranking.figures.rank_intervals import rank_intervals_figure
from dashboard.ranking.figures.score_distributions import score_distributions_figure
from dashboard.ranking.figures.settled_tasks import settled_tasks_figure
from dashboard.ranking.figures.win_rates import win_rates_figure
from delvecore.report.rounding import p_text
from delvecore.statistics.ranking.analysis import Analysis

__all__ = ["show_leave_out", "show_pair", "show_ranks", "show_task_tests", "show_values"]

LOOKS = ["colour", "symbol"]
COMBINED = {
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
MOST_NEEDED = 10_000
ROPES = ("0.01", "0", "0.005", "0.02", "0.05", "0.1")


def _percent(found):
    return f"{100 * (1 - found.alpha):g} %"


def show_ranks(view: View, question: Question, found: Analysis) -> None:
    """Show mean ranks with intervals, and beside them wins against one method."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("How far would ranks move with other tasks?", anchor=False)
        st.caption(f"{_percent(found)} intervals by drawing the tasks anew, with replacement, 2,000 times.")
        table = ranking_details.interval_table(question)
        page.figure_block(
            ranking_data.drawn(rank_intervals_figure, ranking_details.interval_table, question),
            table.drop(columns=[*LOOKS, "text"]),
            name=ranking_exports.name_of(question, "rank-intervals"),
            key="rank-intervals",
            alt="Mean ranks with intervals: "
            + "; ".join(f"{line.method} {line.text}" for line in table.itertuples()),
            command=ranking_exports.command(question),
        )
    with right:
        _wins(question, found)


def _wins(question, found):
    names = ranking_tables.names_in_order(found)
    reference = reference_of(question, found)
    why = "the control" if question.control in names else "the best mean rank"
    st.subheader("How often does it win?", anchor=False)
    st.caption(
        f"Against **{words.escape(reference)}** ({why}): tasks won / tied / lost, {_percent(found)} "
        "intervals, whatever other methods there are."
    )
    table = ranking_details.wins_table(question, reference)
    page.figure_block(
        ranking_data.drawn(win_rates_figure, ranking_details.wins_table, question, reference),
        table.drop(columns=["colour", "text"]),
        name=ranking_exports.name_of(question, "wins"),
        key="ranking-wins",
        alt=f"Share of tasks on which each method is better than {reference}: "
        + "; ".join(f"{line.method} {line.text}" for line in table.itertuples()),
        command=ranking_exports.command(question),
    )


def show_pair(view: View, question: Question, found: Analysis) -> None:
    """Show two methods in full: task by task, what Bayesian tests say, how large the difference is."""
    names = ranking_tables.names_in_order(found)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = selection.local(st.selectbox, "First method", "first", names, width=260)
        others = [name for name in names if name != first]
        usual = question.control if question.control in others else others[0]
        others.insert(0, others.pop(others.index(usual)))
        second = selection.local(st.selectbox, "Second method", "second", others, width=260)
        rope = selection.local(
            st.selectbox,
            "Practically the same within",
            "rope",
            list(ROPES),
            width=220,
            help="The region of practical equivalence: differences of at most this do not matter, in the "
            "unit of the values",
        )
    st.markdown(_pair_sentence(question, first, second))
    left, right = st.columns(2, gap="medium")
    with left:
        _scatter(question, first, second)
    with right:
        _triangle(question, first, second, float(rope))


def _pair_sentence(question, first, second):
    table = ranking_tables.pairs_table(question)
    line = table[(table["row"] == first) & (table["column"] == second)].iloc[0]
    a, b = words.escape(first), words.escape(second)
    said = f"**{a} is better than {b} on {line.wins} of {line.wins + line.ties + line.losses} tasks**"
    said += f", as good on {line.ties}" if line.ties else ""
    settled = (
        "not settled"
        if line.verdict == "not settled"
        else f"{a if line.verdict == 'better' else b} is better"
    )
    return (
        f"{said}; mean difference {words.number(line.difference, digits=2)}, "
        f"{words.p_value(line.p)} by Wilcoxon’s test of this pair alone: **{settled}**."
        + (_needed(question, first, second) if settled == "not settled" else "")
    )


def _needed(question, first, second):
    """Say how many tasks would settle it."""
    needed = ranking_details.tasks_needed_for(question, first, second)
    if needed != needed:
        return ""
    if needed > MOST_NEEDED:
        return " Were it as small as it seems, more tasks would hardly ever settle it."
    return (
        f" Were the difference as it seems, about {words.count(int(needed), 'task')} would be needed to find "
        "it in four of five studies."
    )


def _scatter(question, first, second):
    st.subheader("Is it so on every task?", anchor=False)
    table = ranking_details.scatter_table(question, first, second)
    click = "" if question.source == MINE else "Click one to compare there."
    tested = "Filled: settled by the task’s own test. " if table.attrs["tested"] else ""
    st.caption(f"One mark a task; on the dashed line both are as good. {tested}{click}")
    points = page.figure_block(
        ranking_data.drawn(pair_scatter_figure, ranking_details.scatter_table, question, first, second),
        table.drop(columns=["hover", "path"]).rename(columns={"first": first, "second": second}),
        name=ranking_exports.name_of(question, "pair"),
        key="ranking-scatter",
        alt=f"Values of {first} and {second} on {len(table)} tasks",
        command=ranking_exports.command(question),
        selectable=question.source != MINE,
    )
    paths = [point["customdata"] for point in points if point.get("customdata")]
    if paths:
        path = paths[0][0] if isinstance(paths[0], list) else paths[0]
        selection.choose(task=path, methods=(first, second), reference=second)
        st.switch_page(page.file_of("compare"))


def _triangle(question, first, second, rope):
    st.subheader("How probable is it on a new task?", anchor=False)
    test = selection.local(
        st.segmented_control,
        "Bayesian test",
        "bayes",
        list(ranking_details.BAYES),
        required=True,
        label_visibility="collapsed",
        format_func=lambda name: f"{name} test".capitalize(),
    )
    st.caption("Each dot is one draw from what the test believes; the corner it is in is most probable then.")
    arguments = (question, first, second, rope)
    said = ranking_details.pair_posteriors(*arguments)
    page.figure_block(
        ranking_data.drawn(bayes_triangle_figure, ranking_details.triangle_table, *arguments, test),
        said.rename(columns={"first": f"{first} better", "second": f"{second} better"}),
        name=ranking_exports.name_of(question, "triangle"),
        key="ranking-triangle",
        alt=f"Probability triangle of {first}, {second} and practical equivalence",
        command=ranking_exports.command(question),
    )
    sizes = ranking_details.pair_effects(question, first, second)
    st.caption(f"How large is it? {words.escape(first)} less {words.escape(second)}, with intervals.")
    page.table_block(
        sizes,
        name=ranking_exports.name_of(question, "effects"),
        alt=f"Effect sizes of {first} against {second}",
        column_config={
            "effect": st.column_config.TextColumn("Effect"),
            **{
                name: st.column_config.NumberColumn(title, format="%.3g")
                for name, title in (
                    ("estimate", "Estimate"), ("lower", "From"), ("upper", "To"), ("none", "No difference")
                )
            },
        },
    )  # fmt: skip


def show_task_tests(view: View, question: Question, found: Analysis) -> None:
    """Show what DELVE's own tests of each task say, counted and combined."""
    st.subheader("What do the tests on each task say?", anchor=False)
    if question.source == MINE:
        page.empty_state(
            "Your table has one value of each method on a task.",
            "The test of a task needs losses on every test case, as the archive has them.",
        )
        return
    reference = reference_of(question, found)
    st.caption(
        "The test of `mstats` on each task, which knows training sets and test cases, counted for each "
        f"method against **{words.escape(reference)}** at {found.alpha:g}, not adjusted."
    )
    with st.spinner("Comparing all pairs on all tasks …"):
        table = ranking_details.combined_table(question)
    page.figure_block(
        ranking_data.drawn(settled_tasks_figure, ranking_details.settled_table, question, reference),
        ranking_details.settled_table(question, reference),
        name=ranking_exports.name_of(question, "settled-tasks"),
        key="settled-tasks",
        alt=f"Tasks on which each method is better than {reference}, not settled, worse",
    )
    st.caption(
        "All pairs, a against b. Stouffer: do the tasks’ tests together speak for one of the two? Fisher: "
        "does any task tell them apart, whichever is better there?"
    )
    name = ranking_exports.name_of(question, "task-tests")
    st.dataframe(
        table.assign(**{column: table[column].map(p_text) for column in table if column[:2] == "p_"}),
        hide_index=True,
        alt="Tests of all tasks combined, for all pairs of methods",
        key=f"table-{name}",
        placeholder=words.NO_VALUE,
        column_config=COMBINED,
    )
    page.csv_button(table, name)


def reference_of(question: Question, found: Analysis) -> str:
    """Return the method that others are shown against: the control, else the one with the best mean rank."""
    names = ranking_tables.names_in_order(found)
    return question.control if question.control in names else names[0]


def show_values(view: View, question: Question, found: Analysis) -> None:
    """Show how the values of each method are spread over the tasks."""
    st.subheader("How are the values spread?", anchor=False)
    st.caption(
        "One mark a task; boxes hold the middle half, the line in them is the median. Best mean rank first."
    )
    table = ranking_tables.distribution_table(question)
    page.figure_block(
        ranking_data.drawn(score_distributions_figure, ranking_tables.distribution_table, question),
        table[["method", "task", "value"]],
        name=ranking_exports.name_of(question, "values"),
        key="ranking-values",
        alt=f"Distribution of the values of {table['method'].nunique()} methods over the tasks",
        command=ranking_exports.command(question),
    )


def show_leave_out(view: View, question: Question, found: Analysis) -> None:
    """Show whether the order holds without each family of tasks."""
    table = ranking_details.leave_out_table(question)
    left = table.attrs["left"]
    st.subheader("Does the order hold without one family of tasks?", anchor=False)
    if not left:
        page.empty_state(
            "There is one family of tasks only.",
            "Choose tasks of several datasets to see whether the order holds without each of them.",
        )
        return
    st.markdown(_leave_out_sentence(found, left))
    page.figure_block(
        ranking_data.drawn(leave_out_figure, ranking_details.leave_out_table, question),
        table[["row", "method", "rank", "place"]],
        name=ranking_exports.name_of(question, "leave-out"),
        key="leave-out",
        alt="Mean ranks of all methods with each family of tasks left out in turn",
    )


def _leave_out_sentence(found, left):
    changed = [
        f"{words.escape(one.group)} (then {words.escape(found.table.methods[int(one.average.argmin())])})"
        for one in left
        if not one.same_best
    ]
    moved = [one for one in left if one.moved]
    if changed:
        more = f" and {len(changed) - 6} more" if len(changed) > 6 else ""
        named = ", ".join(changed[:6]) + more if more else words.and_list(changed)
        return f"**The best method changes** without {named}."
    if moved:
        most = max(moved, key=lambda one: one.moved)
        return (
            f"**The best method stays the same** whichever family is left out; {len(moved)} of {len(left)} "
            f"times others change places, most without {words.escape(most.group)}."
        )
    return "**The order stays the same** whichever family is left out."
