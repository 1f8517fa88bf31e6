"""Contents of the Ranking page: methods in order, all pairs, and three expanders."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig as Column

from dashboard.ranking import data, exports
from dashboard.ranking.data import analysis_of, combined_of, pairs_of, reference_of, shown, verdicts_of
from dashboard.ranking.pair import show_pair
from dashboard.server import archive as opened
from dashboard.server.cache import cached
from dashboard.ui import blocks, page, selection
from dashboard.ui.blocks import dot_list, show_answer, show_diagram, show_sentence
from dashboard.ui.request import Request
from delvecore.answers.answer import Answer, Table
from delvecore.answers.questions import QUESTIONS
from delvecore.answers.ranking.effects_and_equivalence import REGIONS, region_words
from delvecore.answers.ranking_caveats import first_words
from delvecore.answers.ranking_figures import (
    best_against_others,
    leave_out_answer,
    order_answer,
    task_tests_answer,
    values_answer,
    wins_answer,
)
from delvecore.archive.questions import answer_to
from delvecore.errors import DelveError
from delvecore.plots.critical_difference import Diagram, critical_difference_figure
from delvecore.plots.draw import draw, draw_wide
from delvecore.plots.figure import Figure
from delvecore.plots.ranking_pairs import MOST_IN_WORDS
from delvecore.render.numbers import p_text, parameter, rank_text
from delvecore.render.spans import as_name, markdown
from delvecore.render.verdicts import SIGNIFICANTLY
from delvecore.report import words
from delvecore.report.ranking.sentences import places_words, unit_count
from delvecore.report.ranking.tables import combined_table
from delvecore.report.verdict_words import shared_case_notes
from delvecore.stats.ranking.effects import DEFAULT_MARGIN
from delvecore.stats.ranking.ranks import leave_out, units_of_families
from delvecore.stats.verdicts import RankTest

TITLES = {word: question.title for word, question in QUESTIONS.items() if question.title}
"""The further questions of this page, by the words of `delve rank --show`."""
ROWS, CLASSIC = "Methods as rows", "Critical-difference diagram"
OLDER_TABS = "ranking-part"
"""The parameter of older addresses that named a tab."""
CLIQUES = (
    f"Mean ranks, best at the left. A bar joins methods that do not differ {SIGNIFICANTLY}. A dotted stretch "
    "skips methods outside the group."
)
AGAINST_CONTROL = (
    "Mean ranks, best at the left. The reference is bold. "
    f"Methods that differ {SIGNIFICANTLY} from it are in italics."
)
CAPTIONS = {
    RankTest.NEMENYI: "Mean ranks, best at the left. Methods under one bar are within the critical "
    "difference (CD), which depends on which methods are compared.",
    RankTest.CONTROL: (
        "Mean ranks, best at the left. The reference is bold, and methods farther "
        "from it than the critical difference (CD) are in italics."
    ),
}
HOW_TESTED = "How the methods are tested."
ROOM = 620
"""Pixels that are always available to the diagram next to the sidebar."""
DISCOVERY_HELP = "p is adjusted over tasks by Benjamini and Hochberg’s false discovery rate"
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
        "By chance", help="The most significant results expected by chance"
    ),
    "units": st.column_config.NumberColumn("Over", help="Units with an estimate and an error"),
    "mean": None,
    "lower": st.column_config.NumberColumn("from", format="%.3g"),
    "upper": st.column_config.NumberColumn("to", format="%.3g"),
    "p": None,
    "tau": st.column_config.NumberColumn(
        "tau", format="%.3g", help="How much the difference varies between units"
    ),
    "next_lower": st.column_config.NumberColumn("New unit from", format="%.3g"),
    "next_upper": st.column_config.NumberColumn("to ", format="%.3g"),
    "p_adjusted": "p, adjusted",
}


def show_screens(request: Request, others: Sequence[str]) -> None:
    """Show the methods in order, the matrix of pairs, and the expanders. others: further caveats."""
    _show_order(request, others)
    _show_pairs(request)
    for title, key, icon, show in (
        (f"Robustness: {_robustness(request)}", "robustness", "balance", _show_robustness),
        ("Two methods in full", "pair", "compare_arrows", show_pair),
        ("More questions", "more", "help_center", _show_more),
    ):
        about: dict[str, Any] = {"icon": f":material/{icon}:", "on_change": "rerun", "bind": "query-params"}
        # Older addresses ask for a tab that is now this line.
        older = {"One pair": "pair", "Robustness": "robustness"}.get(st.query_params.get(OLDER_TABS, ""))
        line = st.expander(title, expanded=older == key, key=key, **about)
        if line.open:
            with line:
                show(request)
    st.query_params.pop(OLDER_TABS, None)


def _robustness(request: Request) -> str:
    """Return a line that reports whether the order is the same without each family of tasks."""
    left = left_out_of(data.of_first(request))
    several = len(set(left.table["row"])) > 1
    return markdown(left.headline) if several else "places, wins, single tasks and values"


def _show_order(request: Request, others: Sequence[str]) -> None:
    """Show the methods as rows, or as a critical-difference diagram, with the exports below."""
    label, about = "Diagram", {"label_visibility": "collapsed"}
    kind = selection.one_of(label, "diagram", [ROWS, CLASSIC], **about)
    if kind == CLASSIC:
        _show_diagram(request)
    else:
        answer = order_of(request)
        marks, *details = answer.notes
        notes = (marks, " ".join(others) or HOW_TESTED)
        show_answer(
            replace(answer, notes=notes),
            blocks.figure_of(order_of, data.styles, (request,)),
            name=exports.name_of(request, "order"),
            key="order",
            command=exports.command_later(request),
            help=markdown(" ".join(details)),
            redraw=lambda inches: draw_wide(answer, data.styles(request), inches),
            listed=_listed(request, answer.table),
        )
    with st.container(horizontal=True):
        if kind == CLASSIC:
            _offer_critical_difference(request)
        exports.show_bundle(request)
        exports.show_all_numbers(request)


@cached
def order_of(request: Request) -> Answer:
    return order_answer(analysis_of(request), verdicts_of(request), shown(request))


def _listed(request: Request, table: Table) -> Answer:
    """Return mean ranks and places as a list, for a window that is too narrow for the figure."""
    looks, dots = data.styles(request), []
    for name, rank, *ends in table.select("method", "mean_rank", "lowest_place", "highest_place").rows:
        noun = "place" if ends[0] == ends[1] else "places"
        places = "" if ends[0] is None else f", {noun} {places_words((ends[0], ends[1]))}"
        dots.append((name, rank, f"{rank_text(rank)}{places}", looks[name].color))
    return dot_list("Mean ranks, and the places that each method may have.", dots)


def _show_diagram(request: Request) -> None:
    is_against_control = request.test == RankTest.FLIPS and data.verdicts_of(request).control is not None
    show_diagram(
        data.diagram_of(request),
        opened.figure(_wide_diagram, data.diagram_of, request),
        name=exports.name_of(request, "critical-difference"),
        key="critical-difference",
        caption=AGAINST_CONTROL if is_against_control else CAPTIONS.get(request.test, CLIQUES),
        command=exports.command_later(request),
    )


def _wide_diagram(drawn: Diagram) -> Figure:
    return critical_difference_figure(drawn, room=ROOM)


def _offer_critical_difference(request: Request) -> None:
    """Offer the diagram with the bar of Nemenyi's critical difference, or a switch back from it."""
    is_shown = request.test == RankTest.NEMENYI
    label = "By sign flips" if is_shown else "Critical difference (Nemenyi)"
    about = "Show the same methods and tasks with the other test"
    chosen = {"test": str(RankTest.FLIPS if is_shown else RankTest.NEMENYI)}
    more: dict[str, Any] = {"on_click": st.query_params.update, "kwargs": chosen, "help": about}
    st.button(label, key="other-test", type="tertiary", **more)


def _show_pairs(request: Request) -> None:
    """Show the matrix of all pairs, by the test of the diagram."""
    st.subheader("Which method is better than which?", anchor=False)
    count, table = len(analysis_of(request).table.methods), pairs_of(request).table
    if count > request.most:
        st.caption(first_words(request.most, count))
    if len(shown(request)) > MOST_IN_WORDS:
        more = "show no numbers; “Show the numbers” lists them."
        st.caption(f"For more than {MOST_IN_WORDS} methods, cells {more}")
    looks, best = data.styles(request), table["row"][0]
    dots = [(*one, looks[one[0]].color) for one in best_against_others(table)]
    about: dict[str, Any] = {
        "latex": lambda: exports.pairs_latex(request),
        "listed": dot_list(f"Difference from {best}, with its adjusted p.", dots),
    }
    exports.show(request, pairs_of, name="pairs", key="ranking-pairs", **about)


def _show_more(request: Request) -> None:
    # The most frequent question comes first.
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
        answer = answer_of(request, word, margin)
    if not show_sentence(answer) or isinstance(answer, str):
        return
    region = f" --rope {parameter(margin)}" if question.has_region else ""
    name = f"further-{word}"
    show_answer(
        replace(answer, command=f"{exports.command(request, question=word)}{region}"),
        draw(answer, data.styles(request)) if answer.figure else None,
        name=exports.name_of(request, name),
        key=name,
        label=f"tab:{word}",
    )


@cached
def answer_of(request: Request, word: str, margin: float) -> Answer | str:
    about: dict[str, Any] = {"measure": request.measure, "setting": request.setting, "margin": margin}
    try:
        return answer_to(word, request.archive, analysis_of(request), **about)
    except DelveError as error:
        return str(error)


def _narrowed(request: Request, narrow: Callable[[Request], Request]) -> Request:
    """Return a request for only the first methods, with a notice if there are more."""
    narrowed = narrow(request)
    count = len(analysis_of(request).order)
    if len(analysis_of(narrowed).order) < count:
        st.caption(first_words(len(narrowed.methods), count))
    return narrowed


@cached
def wins_of(request: Request) -> Answer:
    return wins_answer(analysis_of(request), verdicts_of(request), shown(request), reference_of(request))


@cached
def left_out_of(request: Request) -> Answer:
    analysis = analysis_of(request)
    left = leave_out(analysis.ranks, units_of_families(analysis.table, analysis.unit))
    return leave_out_answer(analysis, left, shown(request))


@cached
def task_tests_of(request: Request) -> Answer:
    analysis, combined = analysis_of(request), combined_of(request)
    answer = task_tests_answer(analysis, combined, reference_of(request), request.setting)
    shared = shared_case_notes(request.archive.results, set(analysis.table.tasks))
    return replace(answer, notes=(" ".join((*answer.notes, *map(as_name, shared))),))


@cached
def values_of(request: Request) -> Answer:
    axis = words.measure_axis(request.measure, standardized=True)
    return values_answer(analysis_of(request), shown(request), axis, request.measure.baseline)


def _show_robustness(request: Request) -> None:
    """Show how robust the order is, the numbers of wins, single tasks, and all values."""
    left, right = st.columns(2, gap="medium")
    with left:
        _show_leave_out(request)
    with right:
        exports.show(request, wins_of, title="How often does it win?", name="wins", key="ranking-wins")
    _show_task_tests(request)
    title = "How are the values distributed?"
    exports.show(request, values_of, title=title, name="values", key="ranking-values")


def _show_leave_out(request: Request) -> None:
    st.subheader("Does the order depend on some of the tasks?", anchor=False)
    request = _narrowed(request, data.of_first)
    if len(set(left_out_of(request).table["row"])) < 2:
        how = "Choose tasks of several datasets to see whether the order holds without each of them."
        page.empty_state("There is only one family of tasks.", how)
        return
    exports.show(request, left_out_of, name="leave-out", key="leave-out", with_command=False)


def _show_task_tests(request: Request) -> None:
    """Show DELVE's tests on each single task, counted and combined."""
    st.subheader("What do the tests on each task show?", anchor=False)
    request = _narrowed(request, data.of_tested)
    with st.spinner("Comparing all pairs on all tasks …"):
        combined = combined_of(request)
    if combined is None:
        how = "A method has one score on each task, which does not show its uncertainty."
        page.empty_state("No task here can be tested.", how)
        return
    exports.show(request, task_tests_of, name="task-verdicts", key="task-verdicts", with_command=False)
    st.caption(
        f"All pairs, a against b, over {unit_count(analysis_of(request))}: the mean difference by a "
        "random-effects model with its interval, and its variation between units (tau). The last "
        f"interval is for a new unit; {words.setting(request.setting)}."
    )
    table = combined_table(combined).select(*COMBINED).frame()
    printed = table.assign(p_adjusted=table["p_adjusted"].map(p_text))
    side = "Above" if request.measure.higher_is_better else "Below"
    mean = st.column_config.NumberColumn("Mean difference", format="%.3g", help=f"{side} zero for a")
    name, alt = (
        exports.name_of(request, "task-tests"),
        "Combined tests of all tasks, for all pairs of methods",
    )
    blocks.table_block(printed, file=table, name=name, alt=alt, column_config=COMBINED | {"mean": mean})
