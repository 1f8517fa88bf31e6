"""What the page Ranking shows below its answer: the diagram, the pairs beside it, and the rest in tabs.

The address knows the open tab; only that is drawn."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig as Column

from dashboard.ranking import alt_text, exports, tables
from dashboard.ranking.choice import Request
from dashboard.ranking.data import analysis_of, drawn, verdicts_of
from dashboard.ranking.further import show_further
from dashboard.ranking.numbers import show_numbers
from dashboard.ranking.pair import show_pair
from dashboard.ranking.verdict import first_words, leave_out_sentence
from dashboard.ui import controls, page, selection
from dashboard.ui.notes import shared_cases
from delvecore.plots import words
from delvecore.plots.critical_difference import MANY, NARROWEST, critical_difference_figure
from delvecore.plots.ranking.further import profiles_figure
from delvecore.plots.ranking.method_rows import (
    MOST_DOTS,
    RankInterval,
    TaskVerdicts,
    WinRate,
    leave_out_figure,
    rank_intervals_figure,
    score_distributions_figure,
    task_verdicts_figure,
    win_rates_figure,
)
from delvecore.plots.ranking.rank_pairs import MOST_IN_WORDS, rank_pairs_figure
from delvecore.report.ranking.units import adjustment_name, unit_count, units_name
from delvecore.report.rounding import p_text
from delvecore.stats.choose import RankTest

__all__ = ["PARTS", "show_tabs", "show_top"]

CLIQUES = (
    "Mean ranks, best at the left. Of methods joined by a bar no pair differs; a dotted part passes over "
    "methods that do not belong."
)
CAPTIONS = {
    RankTest.NEMENYI: "Mean ranks, best at the left. Methods under one bar are within the critical "
    "difference (CD), which depends on which methods are compared.",
    RankTest.WILCOXON: CLIQUES,
    RankTest.FLIPS: CLIQUES,
    RankTest.CONTROL: "Mean ranks, best at the left. The control is bold, methods beyond the critical "
    "difference (CD) of it are in italics.",
}
WIDEST = "two columns, 178 mm"
WIDTHS: dict[str, tuple[int, int, int] | None] = {
    "as wide as the page": None,
    "one column, 85 mm": (321, 10, 8),
    WIDEST: (673, 12, 10),
}
"""Of the diagram, with the size of its letters for few and for many methods, in pixels of 1/96 inch."""
TERMS = (
    "Friedman’s test",
    "Holm’s adjustment",
    "critical difference",
    "mean rank",
    "p-value",
    "region of practical equivalence",
    "win rate",
)
ROOMS = {True: 480, False: 620}
MOST_ON_PHONE = 3
"""Up to so many methods the matrix has its numbers in it on a phone."""
SMALL = 10
"""Size of letters of a diagram of many methods on a phone."""
COMBINED: dict[str, Column | str | None] = {
    "method_a": st.column_config.TextColumn("a", pinned=True),
    "method_b": "b",
    "tasks": "Tasks",
    "wins": "a better",
    "ties": "Not significant",
    "losses": "a worse",
    "untested": "No test",
    "units": st.column_config.NumberColumn("Over", help="Units with an estimate and an error"),
    "mean": st.column_config.NumberColumn("Mean difference", format="%.3g", help="Below zero for a"),
    "lower": st.column_config.NumberColumn("from", format="%.3g"),
    "upper": st.column_config.NumberColumn("to", format="%.3g"),
    "p": None,
    "tau": st.column_config.NumberColumn("tau", format="%.3g", help="How much it varies between units"),
    "next_lower": st.column_config.NumberColumn("A further one from", format="%.3g"),
    "next_upper": st.column_config.NumberColumn("to ", format="%.3g"),
    "p_adjusted": "p, adjusted",
}


def show_top(request: Request) -> None:
    """Show the diagram beside how near to the best methods are, and all pairs below them."""
    on_phone = "Mobi" in (st.context.headers.get("User-Agent") or "")
    is_wide = st.query_params.get("width", "") == WIDEST
    # How many pixels is the diagram sure to have? Beside the profiles fewer than above them.
    room = NARROWEST if on_phone else ROOMS[not is_wide]
    left, right = (st.container(), st.container()) if is_wide else st.columns([1.25, 1], gap="medium")
    with left:
        _show_diagram(request, on_phone=on_phone, room=room)
    with right:
        _show_profiles(request)
    _show_pairs(request, most_in_words=MOST_ON_PHONE if on_phone else MOST_IN_WORDS)


def _show_profiles(request: Request) -> None:
    """Show on how many units the methods are near the best."""
    found = tables.near_the_best(request)
    st.subheader("How near to the best?", anchor=False)
    st.caption(words.escape(found.sentence) + " Shaded: its interval.")
    mine = selection.mine()
    drawn_ones = tables.profiles(request, mine)
    figure = drawn(profiles_figure, tables.profiles, request, mine)
    table = pd.DataFrame(found.rows, columns=[field.key for field in found.fields])
    about: dict[str, Any] = {"key": "ranking-regret", "alt": found.sentence, "question": "regret"}
    exports.show_figure(request, figure, table, "regret", **about)
    total = len(found.rows)
    if len(drawn_ones.rows) < total:
        st.caption(f"{len(drawn_ones.rows)} of {total} methods are drawn, best mean rank first.")


def _show_diagram(request: Request, *, on_phone: bool, room: int) -> None:
    """Show the critical-difference diagram of the test chosen."""
    st.subheader("Which methods do not differ significantly?", anchor=False)
    st.caption(CAPTIONS[request.test])
    methods = tables.diagram_of(request).methods
    many = len(methods) > MANY
    if width := WIDTHS.get(st.query_params.get("width", "")):
        shape = {"width": width[0], "font": width[1 + many]}
    else:
        shape = {"room": room} | ({"font": SMALL} if on_phone and many else {})
    figure = drawn(critical_difference_figure, tables.diagram_of, request, **shape)
    ranks = "; ".join(f"{one.method} mean rank {one.rank:.2f}" for one in methods)
    name, alt = "critical-difference", f"Critical-difference diagram: {ranks}"
    exports.show_figure(request, figure, tables.diagram_numbers(request), name, key=name, alt=alt)
    about = "For a paper: drawn anew, with letters of 7.5 or 9 points; where methods are many, 6 or 7.5"
    more: dict[str, Any] = {"required": True, "label_visibility": "collapsed", "help": about}
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        selection.local(st.segmented_control, "Width of the diagram", "width", list(WIDTHS), **more)
        _offer_critical_difference(request)
        exports.show_bundle(request)
        page.explain(*TERMS)


def _offer_critical_difference(request: Request) -> None:
    """Offer the diagram with the bar of Nemenyi's critical difference, and the way back."""
    is_shown = request.test == RankTest.NEMENYI
    label = "By sign flips" if is_shown else "Critical difference (Nemenyi)"
    about = "The same methods and tasks, by the other test"
    test = RankTest.FLIPS if is_shown else RankTest.NEMENYI
    st.button(label, key="other-test", type="tertiary", help=about, on_click=_choose_test, args=(test,))


def _choose_test(test: RankTest) -> None:
    st.query_params["test"] = str(test)


def _show_pairs(request: Request, *, most_in_words: int) -> None:
    """Show the matrix of all pairs, by the test that the diagram goes by."""
    st.subheader("Which method is better than which?", anchor=False)
    found = analysis_of(request)
    better = "higher" if found.table.higher_is_better else "lower"
    st.caption(
        f"The row less the column: mean difference ({better} is better), {units_name(found)} won / tied / "
        f"lost, p by {request.test}, {adjustment_name(verdicts_of(request))}. An arrow without p: p < 0.0001."
    )
    if len(found.table.methods) > request.most:
        st.caption(first_words(request.most, len(found.table.methods)))
    figure = drawn(rank_pairs_figure, tables.pairs_of, request, most_in_words=most_in_words)
    said = alt_text.of_pairs(tables.pairs_of(request))
    alt = f"Matrix of all pairs of methods: mean difference, {units_name(found)} won, tied, lost, p. {said}"
    exports.show_figure(request, figure, tables.pairs_numbers(request), "pairs", key="ranking-pairs", alt=alt)


def show_tabs(request: Request) -> None:
    """Show the tabs."""
    tabs = controls.tabs(list(PARTS), "ranking-part")
    for tab, show in zip(tabs, PARTS.values(), strict=True):
        if tab.open:
            with tab:
                show(request)


def _show_ranks(request: Request) -> None:
    """Show mean ranks with intervals, and beside them wins against one method."""
    left, right = st.columns(2, gap="medium")
    with left:
        units = units_name(analysis_of(request))
        st.subheader(f"How far would ranks move with other {units}?", anchor=False)
        st.caption(
            f"{words.level(request.level)} intervals by drawing the {units} anew, with replacement, 2,000 "
            "times."
        )
        rows = tables.intervals(request)
        table = pd.DataFrame(rows, columns=RankInterval._fields).drop(columns=["text", "style"])
        alt = "Mean ranks with intervals: " + "; ".join(f"{row.method} {row.text}" for row in rows)
        figure, name = drawn(rank_intervals_figure, tables.intervals, request), "rank-intervals"
        exports.show_figure(request, figure, table, name, key=name, alt=alt)
    with right:
        _show_wins(request)


def _reference_of(request: Request) -> tuple[str, str]:
    """Return (the method that others are shown against, why it): the control, else the best mean rank."""
    names = tables.pairs_of(request).methods
    if request.control in names:
        return request.control or "", "the control"
    return names[0], "the best mean rank"


def _show_wins(request: Request) -> None:
    (reference, why), units = _reference_of(request), units_name(analysis_of(request))
    st.subheader("How often does it win?", anchor=False)
    st.caption(
        f"Against **{words.escape(reference)}** ({why}): {units} won / tied / lost, "
        f"{words.level(request.level)} intervals, whatever other methods there are."
    )
    rows = tables.win_rates(request, reference).rows
    table = pd.DataFrame(rows, columns=WinRate._fields).drop(columns=["text", "colour"])
    told = "; ".join(f"{row.method} {row.text}" for row in rows)
    alt = (
        f"Share of {units_name(analysis_of(request))} on which each method is better than {reference}: {told}"
    )
    figure = drawn(win_rates_figure, tables.win_rates, request, reference)
    exports.show_figure(request, figure, table, "wins", key="ranking-wins", alt=alt)


def _show_task_tests(request: Request) -> None:
    """Show what DELVE's own tests of each task say, counted and combined."""
    st.subheader("What do the tests on each task say?", anchor=False)
    count = len(analysis_of(request).order)
    request = tables.of_tested(request)
    if len(analysis_of(request).order) < count:
        st.caption(first_words(len(request.methods), count))
    with st.spinner("Comparing all pairs on all tasks …"):
        table = tables.combined_table(request)
    if table.empty:
        how = "A method has one score on each task, which says nothing of its own uncertainty."
        page.empty_state("No task has a test here.", how)
        return
    reference, _ = _reference_of(request)
    st.caption(
        "The test of each task, which knows training sets and test cases, counted for each method against "
        f"**{words.escape(reference)}**; {words.setting(request.setting)}."
        + shared_cases(request.state, set(analysis_of(request).table.tasks))
    )
    counts = pd.DataFrame(tables.task_verdicts(request, reference).rows, columns=TaskVerdicts._fields)
    figure = drawn(task_verdicts_figure, tables.task_verdicts, request, reference)
    said = alt_text.of_tasks(tables.task_verdicts(request, reference))
    name = "task-verdicts"
    alt = f"Tasks on which each method is better than {reference}, not significant and worse: {said}"
    exports.show_figure(request, figure, counts, name, key=name, alt=alt, with_command=False)
    st.caption(
        f"All pairs, a against b, over {unit_count(analysis_of(request))}: the mean of their "
        "differences by random effects, with its interval, how much it varies between them (tau), and "
        f"between which values that of a further one lies; {words.setting(request.setting)}."
    )
    name = exports.name_of(request, "task-tests")
    st.dataframe(
        table.assign(**{column: table[column].map(p_text) for column in table if column == "p_adjusted"}),
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
    found = tables.distributions(request)
    marks = "One mark a task" if len(found.tasks) <= MOST_DOTS else "Marks are the tasks farthest out"
    st.caption(f"{marks}; boxes hold the middle half, the line in them is the median. Best mean rank first.")
    table = tables.values_numbers(request)
    figure = drawn(score_distributions_figure, tables.distributions, request)
    alt = f"Values of {len(found.methods)} methods over the tasks, with medians: {alt_text.of_values(found)}"
    exports.show_figure(request, figure, table, "values", key="ranking-values", alt=alt)


def _show_leave_out(request: Request) -> None:
    """Show whether the order holds without each family of tasks."""
    st.subheader("Does the order hold without one family of tasks?", anchor=False)
    count = len(analysis_of(request).order)
    request = tables.of_first(request)
    if len(analysis_of(request).order) < count:
        st.caption(first_words(len(request.methods), count))
    left, found = tables.left_out(request), tables.leave_out_ranks(request)
    if not left:
        how = "Choose tasks of several datasets to see whether the order holds without each of them."
        page.empty_state("There is one family of tasks only.", how)
        return
    st.markdown(leave_out_sentence(analysis_of(request).table.methods, left))
    if len(left) > tables.MOST_LEFT_OUT:
        st.caption(f"The {tables.MOST_LEFT_OUT} of {len(left):,} without which most places change.")
    rows = [
        (row.title, *one)
        for row in found.rows
        for one in zip(found.methods, row.ranks, row.places, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["row", "method", "rank", "place"])
    figure = drawn(leave_out_figure, tables.leave_out_ranks, request)
    alt = f"Mean ranks with each family of tasks left out in turn. {alt_text.of_left_out(found)}"
    exports.show_figure(request, figure, table, "leave-out", key="leave-out", alt=alt, with_command=False)


PARTS: dict[str, Callable[[Request], None]] = {
    "How sure are the ranks?": _show_ranks,
    "One pair": show_pair,
    "Task by task": _show_task_tests,
    "Values": _show_values,
    "Does the order hold?": _show_leave_out,
    "Further questions": show_further,
    "All numbers": show_numbers,
}
