"""The three screens of the page Ranking: the verdict, one pair, and how robust the verdict is."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig as Column

from dashboard.ranking import data, exports
from dashboard.ranking.choice import Request
from dashboard.ranking.data import analysis_of, verdicts_of
from dashboard.ranking.pair import show_pair
from dashboard.server import archive as opened
from dashboard.server.cache import cached
from dashboard.ui import blocks, controls, page, selection
from dashboard.ui.blocks import Dot, DotList, show_answer, show_diagram, show_sentence
from dashboard.ui.page import shared_cases
from delvecore.answers.answer import Answer
from delvecore.answers.ranking_caveats import first_words, leave_out_sentence
from delvecore.answers.ranking_questions import QUESTIONS, REGIONS, region_words
from delvecore.archive.questions import answer_to
from delvecore.errors import DelveError
from delvecore.plots.critical_difference import Diagram, critical_difference_figure
from delvecore.plots.figure import Figure
from delvecore.plots.method_rows import (
    MOST_DOTS,
    PlaceRange,
    WinRate,
    leave_out_figure,
    place_ranges_figure,
    score_distributions_figure,
    task_verdicts_figure,
    win_rates_figure,
)
from delvecore.plots.ranking_data import (
    alt_of_left_out,
    alt_of_pairs,
    alt_of_tasks,
    alt_of_values,
    names_in_order,
)
from delvecore.plots.ranking_pairs import MOST_IN_WORDS, rank_pairs_figure
from delvecore.plots.rows import answer_intervals, intervals_figure
from delvecore.render.numbers import p_text
from delvecore.render.spans import markdown
from delvecore.report import words
from delvecore.report.ranking.sentences import (
    TaskVerdicts,
    adjustment_name,
    test_in_words,
    unit_count,
    units_name,
)
from delvecore.stats.ranking.effects import DEFAULT_MARGIN
from delvecore.stats.verdicts import RankTest

TITLES = {word: question.title for word, question in QUESTIONS.items() if question.title}
"""The further questions that are answered here, by the words of `delve rank --show`."""
MORE = "More questions"
CLIQUES = (
    "Mean ranks, best at the left. A bar joins methods that do not differ significantly. A dotted stretch "
    "skips methods outside the group."
)
AGAINST_CONTROL = (
    "Mean ranks, best at the left. The control is bold. Methods that differ significantly from it are in "
    "italics."
)
CAPTIONS = {
    RankTest.NEMENYI: "Mean ranks, best at the left. Methods under one bar are within the critical "
    "difference (CD), which depends on which methods are compared.",
    RankTest.CONTROL: "Mean ranks, best at the left. The control is bold, methods beyond the critical "
    "difference (CD) of it are in italics.",
}
ROOM = 620
"""Pixels that the diagram is sure to have beside the sidebar."""
DISCOVERY_HELP = "With p adjusted over tasks, by Benjamini and Hochberg’s false discovery rate"
COMBINED: dict[str, Column | str | None] = {
    "method_a": st.column_config.TextColumn("a", pinned=True),
    "method_b": "b",
    "tasks": "Tasks",
    "wins": "a better",
    "ties": "Not significant",
    "losses": "a worse",
    "untested": "No test",
    "wins_over_tasks": st.column_config.NumberColumn("a better, FDR", help=DISCOVERY_HELP),
    "losses_over_tasks": st.column_config.NumberColumn("a worse, FDR", help=DISCOVERY_HELP),
    "expected": st.column_config.NumberColumn(
        "By chance", help="So many would be significant by chance at most"
    ),
    "units": st.column_config.NumberColumn("Over", help="Units with an estimate and an error"),
    "mean": None,
    "lower": st.column_config.NumberColumn("from", format="%.3g"),
    "upper": st.column_config.NumberColumn("to", format="%.3g"),
    "p": None,
    "tau": st.column_config.NumberColumn("tau", format="%.3g", help="How much it varies between units"),
    "next_lower": st.column_config.NumberColumn("A further one from", format="%.3g"),
    "next_upper": st.column_config.NumberColumn("to ", format="%.3g"),
    "p_adjusted": "p, adjusted",
}


def show_screens(request: Request) -> None:
    controls.show_tabs(SCREENS, "ranking-part", request)


def _show_verdict(request: Request) -> None:
    _show_diagram(request)
    _show_pairs(request)
    more = st.expander(
        MORE, icon=":material/help_center:", key="more", on_change="rerun", bind="query-params"
    )
    if more.open:
        with more:
            _show_more(request)


def _show_diagram(request: Request) -> None:
    st.subheader("Which methods do not differ significantly?", anchor=False)
    show_diagram(
        data.diagram_of(request),
        opened.figure(_wide_diagram, data.diagram_of, request),
        name=exports.name_of(request, "critical-difference"),
        key="critical-difference",
        caption=_diagram_caption(request),
        command=exports.command(request),
    )
    with st.container(horizontal=True):
        _offer_critical_difference(request)
        exports.show_bundle(request)
        exports.show_all_numbers(request)


def _diagram_caption(request: Request) -> str:
    is_against_control = request.test == RankTest.FLIPS and data.verdicts_of(request).control is not None
    return AGAINST_CONTROL if is_against_control else CAPTIONS.get(request.test, CLIQUES)


def _wide_diagram(drawn: Diagram) -> Figure:
    return critical_difference_figure(drawn, room=ROOM)


def _offer_critical_difference(request: Request) -> None:
    """Offer the diagram with the bar of Nemenyi's critical difference, and the way back."""
    is_shown = request.test == RankTest.NEMENYI
    label = "By sign flips" if is_shown else "Critical difference (Nemenyi)"
    about = "The same methods and tasks, by the other test"
    chosen = {"test": str(RankTest.FLIPS if is_shown else RankTest.NEMENYI)}
    more: dict[str, Any] = {"on_click": st.query_params.update, "kwargs": chosen, "help": about}
    st.button(label, key="other-test", type="tertiary", **more)


def _show_pairs(request: Request) -> None:
    """Show the matrix of all pairs, by the test that the diagram goes by."""
    st.subheader("Which method is better than which?", anchor=False)
    found, said = analysis_of(request), verdicts_of(request)
    better = "higher" if found.table.higher_is_better else "lower"
    st.caption(
        f"The row less the column: mean difference ({better} is better), {units_name(found)} won / tied / "
        f"lost, p by {test_in_words(said)}, {adjustment_name(said)}. An arrow without p: p < 0.0001."
    )
    if len(found.table.methods) > request.most:
        st.caption(first_words(request.most, len(found.table.methods)))
    if len(data.pairs_of(request).methods) > MOST_IN_WORDS:
        more = "have no numbers; these are in “Show the numbers”."
        st.caption(f"Cells of more than {MOST_IN_WORDS} methods {more}")
    figure = opened.figure(rank_pairs_figure, data.pairs_of, request)
    alt = f"Matrix of all pairs of methods: mean difference, {units_name(found)} won, tied, lost, p. "
    alt += alt_of_pairs(data.pairs_of(request))
    about: dict[str, Any] = {
        "key": "ranking-pairs",
        "alt": alt,
        "latex": lambda: exports.pairs_latex(request),
        "listed": _best_against_others(request),
    }
    exports.show_figure(request, figure, data.pairs_numbers(request), "pairs", **about)


def _best_against_others(request: Request) -> DotList:
    """Return how the best mean rank does against each other method, for a telephone."""
    found, best = data.pairs_of(request), data.pairs_of(request).methods[0]
    styles = data.looks(request, list(found.methods))
    rows = []
    for place, (name, style) in enumerate(zip(found.methods, styles, strict=True)):
        if name != best:
            p = p_text(found.p_adjusted[0, place])
            more = -float(found.difference[0, place])
            said = f"{'+' * (more > 0)}{words.number(more, digits=2, zeros=True)}"
            said += f", p {p if p.startswith('<') else f'= {p}'}"
            rows.append(Dot(name, more, said, style.colour))
    return DotList(f"Difference from {best}, with its adjusted p.", rows)


def _show_more(request: Request) -> None:
    # The question that most ask comes first.
    options = sorted(TITLES, key=lambda word: word != "regret")
    margin = DEFAULT_MARGIN
    with st.container(horizontal=True, vertical_alignment="bottom"):
        about: dict[str, Any] = {"format_func": TITLES.__getitem__, "width": 320}
        word = selection.local(st.selectbox, "Question", "question", options, **about)
        question = QUESTIONS[word]
        if question.has_region:
            label, about = (
                "Practically the same within",
                {"help": region_words(request.measure), "width": 220},
            )
            margin = selection.local(st.selectbox, label, "region", list(REGIONS), **about)
    request = _narrowed(request, data.of_tested if question.is_slow else data.of_first)
    with st.spinner("Computing …"):
        found = answer_of(request, word, margin)
    if not show_sentence(found) or isinstance(found, str):
        return
    names = names_in_order(analysis_of(request))
    styles = dict(zip(names, data.looks(request, names), strict=True))
    region = f" --rope {margin:g}" if question.has_region else ""
    command = f"{exports.command(request)} --show {word}{region}"
    show_answer(
        replace(found, command=command),
        intervals_figure(answer_intervals(found, styles)) if found.figure else None,
        name=exports.name_of(request, f"further-{word}"),
        key=f"further-{word}",
        label=f"tab:{word}",
    )


@cached
def answer_of(request: Request, word: str, margin: float) -> Answer | str:
    about: dict[str, Any] = {"measure": request.measure, "setting": request.setting, "margin": margin}
    try:
        return answer_to(word, request.archive, analysis_of(request), **about)
    except DelveError as error:
        return str(error)


def _show_robustness(request: Request) -> None:
    """Show how sure the ranks are, whether the order holds, single tasks, and all values."""
    _show_ranks(request)
    _show_leave_out(request)
    _show_task_tests(request)
    _show_values(request)


def _show_ranks(request: Request) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("Which places may each method have?", anchor=False)
        level = words.level(request.setting.level)
        st.caption(
            f"The dot is the place by mean rank, the bar its {level} confidence set from the test of pairs."
        )
        rows = data.intervals(request)
        table = pd.DataFrame(rows, columns=PlaceRange._fields).drop(columns=["text", "style"])
        alt = "Places with confidence sets: " + "; ".join(f"{row.method} {row.text}" for row in rows)
        figure, name = opened.figure(place_ranges_figure, data.intervals, request), "places"
        exports.show_figure(request, figure, table, name, key=name, alt=alt)
    with right:
        _show_wins(request)


def _reference_of(request: Request) -> tuple[str, str]:
    """Return (the method that others are shown against, why it): the control, else the best mean rank."""
    names = data.pairs_of(request).methods
    if request.control in names:
        return request.control or "", "the control"
    return names[0], "the best mean rank"


def _narrowed(request: Request, narrow: Callable[[Request], Request]) -> Request:
    """Return a request of the first methods only, and say so where there are more."""
    found = narrow(request)
    count = len(analysis_of(request).order)
    if len(analysis_of(found).order) < count:
        st.caption(first_words(len(found.methods), count))
    return found


def _show_wins(request: Request) -> None:
    (reference, why), units = _reference_of(request), units_name(analysis_of(request))
    st.subheader("How often does it win?", anchor=False)
    st.caption(
        f"Against **{words.escape(reference)}** ({why}): {units} won / tied / lost, "
        f"{words.level(request.setting.level)} intervals, whatever other methods there are."
    )
    rows = data.win_rates(request, reference).rows
    table = pd.DataFrame(rows, columns=WinRate._fields).drop(columns=["text", "colour"])
    told = "; ".join(f"{row.method} {row.text}" for row in rows)
    alt = (
        f"Share of {units_name(analysis_of(request))} on which each method is better than {reference}: {told}"
    )
    figure = opened.figure(win_rates_figure, data.win_rates, request, reference)
    exports.show_figure(request, figure, table, "wins", key="ranking-wins", alt=alt)


def _show_task_tests(request: Request) -> None:
    """Show what DELVE's own tests of each task say, counted and combined."""
    st.subheader("What do the tests on each task say?", anchor=False)
    request = _narrowed(request, data.of_tested)
    with st.spinner("Comparing all pairs on all tasks …"):
        table = data.combined_table(request)
    if table.empty:
        how = "A method has one score on each task, which says nothing of its own uncertainty."
        page.empty_state("No task has a test here.", how)
        return
    reference, _ = _reference_of(request)
    st.caption(
        "The test of each task, which knows training sets and test cases, counted for each method against "
        f"**{words.escape(reference)}**; {words.setting(request.setting)}."
        + shared_cases(request.archive, set(analysis_of(request).table.tasks))
    )
    counts = pd.DataFrame(data.task_verdicts(request, reference).rows, columns=TaskVerdicts._fields)
    figure = opened.figure(task_verdicts_figure, data.task_verdicts, request, reference)
    said = alt_of_tasks(data.task_verdicts(request, reference))
    name = "task-verdicts"
    alt = f"Tasks on which each method is better than {reference}, not significant and worse: {said}"
    exports.show_figure(request, figure, counts, name, key=name, alt=alt, with_command=False)
    st.caption(
        f"All pairs, a against b, over {unit_count(analysis_of(request))}: the mean of their "
        "differences by random effects with its interval, and how much it varies between them (tau). The "
        f"last interval is that of a further one; {words.setting(request.setting)}."
    )
    name = exports.name_of(request, "task-tests")
    printed = table.assign(p_adjusted=table["p_adjusted"].map(p_text))
    alt = "Tests of all tasks combined, for all pairs of methods"
    side = "Above" if request.measure.higher_is_better else "Below"
    mean = st.column_config.NumberColumn("Mean difference", format="%.3g", help=f"{side} zero for a")
    blocks.table_block(printed, file=table, name=name, alt=alt, column_config=COMBINED | {"mean": mean})


def _show_values(request: Request) -> None:
    st.subheader("How are the values spread?", anchor=False)
    found = data.distributions(request)
    marks = "One mark a task" if len(found.tasks) <= MOST_DOTS else "Marks are the tasks farthest out"
    st.caption(f"{marks}; boxes hold the middle half, the line in them is the median. Best mean rank first.")
    table = data.values_numbers(request)
    figure = opened.figure(score_distributions_figure, data.distributions, request)
    alt = f"Values of {len(found.methods)} methods over the tasks, with medians: {alt_of_values(found)}"
    exports.show_figure(request, figure, table, "values", key="ranking-values", alt=alt)


def _show_leave_out(request: Request) -> None:
    st.subheader("Does the order hold without one family of tasks?", anchor=False)
    request = _narrowed(request, data.of_first)
    left, found = data.left_out(request), data.leave_out_ranks(request)
    if not left:
        how = "Choose tasks of several datasets to see whether the order holds without each of them."
        page.empty_state("There is one family of tasks only.", how)
        return
    st.markdown(markdown(leave_out_sentence(analysis_of(request).table.methods, left)))
    if len(left) > data.MOST_LEFT_OUT:
        st.caption(f"The {data.MOST_LEFT_OUT} of {len(left):,} without which most places change.")
    rows = [
        (row.title, *one)
        for row in found.rows
        for one in zip(found.methods, row.ranks, row.places, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["row", "method", "rank", "place"])
    figure = opened.figure(leave_out_figure, data.leave_out_ranks, request)
    alt = f"Mean ranks with each family of tasks left out in turn. {alt_of_left_out(found)}"
    exports.show_figure(request, figure, table, "leave-out", key="leave-out", alt=alt, with_command=False)


SCREENS: dict[str, Callable[[Request], None]] = {
    "Verdict": _show_verdict,
    "One pair": show_pair,
    "Robustness": _show_robustness,
}
