"""Contents of the Compare page: losses and differences, and tabs."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import nan
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.compare import data
from dashboard.compare.classes import is_classification, show_classes
from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui import blocks, controls, figure_numbers, page, selection
from dashboard.ui.blocks import dot_list, show_answer, show_sentence
from dashboard.ui.commands import reproducing_command, scored_command, setting_words
from dashboard.ui.glossary import help_for
from dashboard.ui.page import published_note
from dashboard.ui.request import Request
from delvecore.answers.answer import Answer, IntervalFields, Kind, Table, table_of
from delvecore.answers.compare_methods import MEAN_AND_ERROR
from delvecore.answers.compare_pair import SPREADS, verdict_text
from delvecore.answers.planning import plan_answer
from delvecore.answers.ranking.effects_and_equivalence import REGIONS, region_words
from delvecore.answers.ranking.single_tasks import IS_NOT
from delvecore.archive import Archive
from delvecore.archive.questions import answer_to
from delvecore.errors import DelveError
from delvecore.library.bundle import bundle_zip
from delvecore.measures import Measure
from delvecore.plots import comparison as figures
from delvecore.plots import theme
from delvecore.plots.comparison import overview_figure
from delvecore.plots.figure import Figure
from delvecore.plots.rows import intervals_figure
from delvecore.render.numbers import parameter
from delvecore.render.provenance import option_words
from delvecore.render.spans import markdown
from delvecore.report import words
from delvecore.stats.choose import Setting, Verdict
from delvecore.stats.orientation import oriented_interval
from delvecore.stats.ranking.effects import DEFAULT_MARGIN
from delvecore.stats.ranking.score_table import ScoreTable

MOST_METHODS, MOST_PAIRS = 60, 30
"""Largest numbers of methods and of pairs in a figure."""
DECIDING = 20
GROUPS = {"Raw": "raw", "Standardized": "std."}
HEADS = {"p_adjusted": "p, adjusted"}
SHORT = "SE: standard error; SD: standard deviation, by source of variation."
ABOUT = {
    "Loss": "Estimated expected loss",
    "SE": "Standard error of the estimate",
    "SD train": "Standard deviation from training sets and stochastic training",
    "SD cases": "Standard deviation from test cases",
    "SD rest": "Standard deviation from other sources: interactions, stochastic predictions, and test cases "
    "if each training set has its own",
}


def _show(
    request: Request,
    question: str,
    draw: Callable[[Answer], Figure],
    heading: str = "",
    term: str | None = None,
    *,
    command: str | None = None,
    note: str = "",
    listed: Answer | None = None,
) -> None:
    """Show the answer to a question with its figure. term: glossary term whose help is at the heading."""
    if heading:
        st.subheader(heading, anchor=False, help=help_for(term) if term else None)
    answer = replace(data.answer_about(request, question), command=command or "")
    figure = data.drawn(request, question, draw)
    show_answer(answer, figure, name=request.file_name(answer.question), note=note, listed=listed)


def show_overview(request: Request, lacking: str, mine: str | None) -> None:
    """Show losses and differences in one figure, the omissions, and the exports for a paper."""
    table = data.answer_about(request, "overview").table
    looks, dots = data.comparison_of(request).looks or {}, []
    for name, mean, error, verdict, p in table.select(
        "method", *MEAN_AND_ERROR, "verdict", "p_adjusted"
    ).rows:
        text = f"{words.with_error(mean, error)}, {verdict_text(verdict, p)}"
        dots.append((name, mean if mean is not None else nan, text, looks[name].color))
    title, _ = data.comparison_of(request).quantity
    listed = dot_list(f"{title} of each method, and its difference from {request.reference}.", dots)
    more: dict[str, Any] = {"note": published_note(data.published(request)), "listed": listed}
    _show(request, "overview", overview_figure, command=data.mstats_command(request), **more)
    remarks = map(markdown, data.comparison_of(request).remarks)
    for text in filter(None, (*remarks, lacking)):
        st.caption(text)
    if len(request.methods) > 1:
        name = request.file_name("bundle")
        command = data.mstats_command(request, all_pairs=True) or reproducing_command(mine)
        about = blocks.about_export(name, command)
        numbers = figure_numbers.numbers_text(data.answer_about(request, "overview").table.frame())
        lines = figure_numbers.view_lines("compare", "overview", numbers)
        make = partial(data.bundle_of, request, command, about, lines)
        blocks.bundle_button(lambda: bundle_zip(make()), name, key="compare-bundle")


def show_tabs(request: Request) -> None:
    """Show the tabs that have content. The address determines the open one."""
    tabs: dict[str, Callable[[Request], None]] = {}
    if len(request.methods) > 1:
        tabs |= {"Training sets": _show_training_sets, "Test cases": _show_cases}
        if not data.comparison_of(request).is_scored:
            tabs["What would decide it"] = _show_plan
        tabs["All pairs"] = _show_pairs
    tabs["Losses in numbers"] = _show_losses
    if is_classification(request):
        tabs["Classes"] = show_classes
    controls.show_tabs(tabs, "compare-part", request, joined={"The best": "All pairs"})


def _show_training_sets(request: Request) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        asked = "Is it the same on every training set?"
        _show(request, "instance_losses", figures.instances_figure, asked, "task instance")
    with right:
        asked = "What causes the uncertainty?"
        _show(request, "sources_of_error", figures.error_bars_figure, asked, "standard error")


def _show_plan(request: Request) -> None:
    """Show which sizes would detect a relevant difference between the reference and one other method."""
    st.subheader("What would decide it?", anchor=False)
    label = f"Method to compare with {words.escape(request.reference)}"
    left, right = st.columns(2)
    with left:
        method = selection.local(st.selectbox, label, "decide", request.others)
    with right:
        help = "The smallest difference that you care about, as a percentage of the baseline's loss"
        percent = st.number_input(
            "Smallest difference that matters, %", 0.1, 100.0, 1.0, help=help, key="smallest"
        )
    pair = next(
        one for one in data.comparison_of(request).against(request.reference) if one["method_a"] == method
    )
    constant = pair["standardizer"]
    try:
        smallest = None if constant is None else percent / 100 * constant
        answer = plan_answer(pair, smallest=smallest, level=request.setting.level)
    except DelveError as error:
        page.empty_state("No plan can be made here.", words.escape(str(error)))
        return
    st.markdown(markdown(answer.headline))
    show_answer(answer, None, name=request.file_name("plan"))


def _show_losses(request: Request) -> None:
    """Show the output of `mstats` for each method, raw and standardized."""
    st.subheader("What makes the losses vary?", anchor=False)
    comparison = data.comparison_of(request)
    units = "" if comparison.is_scored else "; std.: standardized, in units of the baseline"
    title, best = comparison.quantity
    st.caption(f"{best.capitalize()} {words.escape(title[0].lower() + title[1:])} first{units}. {SHORT}")
    _, *numbers = data.answer_about(request, "estimates_answer").table.keys
    keys = ["method", "against", *numbers, "training_sets", *([] if comparison.is_scored else ["test_cases"])]
    alt = "Estimated expected losses, raw and standardized, with standard errors and standard deviations"
    _show_table(comparison.estimates_table.select(*keys), "estimates", request, alt=alt)
    if command := data.estimates_command(request):
        page.show_commands(command)


def _show_pairs(request: Request) -> None:
    """Show all pairs. Below them are the methods that may be the best, and those that are equivalent."""
    if len(request.methods) > 2:
        command = data.mstats_command(request, all_pairs=True)
        more: dict[str, Any] = {"command": command, "listed": _better_and_worse(request)}
        _show(
            request, "pair_matrix", figures.pair_matrix_figure, "Which method is better than which?", **more
        )
    st.subheader("Every pair in numbers", anchor=False)
    st.caption(SHORT)
    comparison = data.comparison_of(request)
    table = comparison.pairs_table
    numbers = comparison.numbers(table, "difference", "lower", "upper", *SPREADS)
    keys = ["method_a", "method_b", "verdict", "p_adjusted", "p", *numbers, "test_words", "instances", "note"]
    alt = "Differences of all pairs of methods with standard errors, intervals and p-values"
    _show_table(table.select(*keys), "pairs", request, alt=alt)
    if command := data.mstats_command(request, all_pairs=True):
        page.show_commands(command)
    if request.archive.has_training_sets:
        show_best(request)


def _better_and_worse(request: Request) -> Answer:
    """Count, for each method, the methods that are significantly worse and significantly better."""
    table = data.answer_about(request, "pair_matrix").table
    counts = Counter(zip(table["method_a"], table["verdict"], strict=True))
    looks, dots = data.comparison_of(request).looks or {}, []
    for name in request.methods:
        better, worse = counts[name, Verdict.BETTER], counts[name, Verdict.WORSE]
        text = f"better than {better}, worse than {worse}"
        dots.append((name, better - worse, text, looks[name].color))
    return dot_list("Significant differences of each method from the others.", dots)


def _show_table(table: Table, what: str, request: Request, *, alt: str) -> None:
    """Show columns of numbers, with as many decimals as their errors need, and offer all columns as files."""
    columns: dict[str, Any] = {}
    config: dict[str, Any] = {}
    for column in table.columns:
        head, values = HEADS.get(column.key, column.title), column.values
        if column.group:
            unit = f", {GROUPS[column.group]}" if request.measure.is_loss else ""
            head, values = head.replace(" - ", " − ") + unit, pd.array(list(values), dtype="Float64")
            about = _about(column.title, request)
            config[head] = st.column_config.NumberColumn(format=f"%.{column.decimals}f", help=about)
        elif column.kind == "p":
            values = [words.p_value(p).removeprefix("p ").removeprefix("= ") for p in values]
        elif column.kind == "count":
            values = pd.array(list(values), dtype="Int64")
        elif column.key.startswith("method"):
            config[head] = st.column_config.TextColumn(pinned=True)
        elif column.key == "test_words":
            config[head] = st.column_config.TextColumn(
                help="The test's statistic and degrees of freedom (df)"
            )
        columns[head] = values
    blocks.plain_table(pd.DataFrame(columns), name=f"{what}-table", alt=alt, column_config=config)
    with st.container(horizontal=True, key=f"files-{what}-table"):
        for kind, make in {"CSV": data.table_csv, "LaTeX": data.table_latex}.items():
            name = request.file_name(f"{what}-table")
            blocks.file_button(kind, partial(make, request, what), name)


def _about(title: str, request: Request) -> str | None:
    """Return the help text of a column. The name of a metric means its estimated value."""
    measure = request.measure
    if title == "a - b":
        side = "above" if measure.higher_is_better else "below"
        return f"Estimated expected difference; {side} zero, method a is better"
    if not measure.is_loss and title == measure.title:
        return f"Estimated expected {words.escape(words.directed_name(measure))}"
    return ABOUT.get(title)


def _show_cases(request: Request) -> None:
    st.subheader("Which cases decide it?", anchor=False)
    method = request.others[0]
    if len(request.others) > 1:
        label = f"Compare one method with {words.escape(request.reference)} in detail"
        method = selection.local(st.selectbox, label, "closer", request.others, width=420)
    if not data.comparison_of(request).has_cases:
        st.info("These scores have one number per method and training set, and none for single test cases.")
        return
    answer = data.cases_answer(request, method)
    if answer is None:
        st.info("These two methods have no test cases in common.")
        return
    st.markdown(markdown(answer.headline))
    left, right = st.columns(2, gap="medium")
    with left:
        figure = figures.case_histogram_figure(answer)
        show_answer(answer, figure, name=request.file_name(answer.question))
    with right:
        _show_deciding(request, method)


def _show_deciding(request: Request, method: str) -> None:
    pair = request.of_pair(method)
    table = data.deciding_table(pair, most=DECIDING)
    quantity = "Loss" if request.measure.is_loss else request.measure.title
    kept = "raw losses, targets, inputs" if request.measure.is_loss else words.escape(quantity)
    st.caption(f"The {len(table)} cases with the largest differences; {kept}.")
    numbers = ["Difference", *(f"{quantity} of {name}" for name in pair.methods)]
    config = {name: st.column_config.NumberColumn(format="%.4g") for name in numbers}
    if "Case" in table and pd.api.types.is_numeric_dtype(table["Case"]):
        config["Case"] = st.column_config.NumberColumn(pinned=True, format="%d")
    alt = f"Test cases with the largest differences between {method} and {request.reference}"
    name = request.file_name("deciding-cases")
    blocks.table_block(table, name=name, alt=alt, column_config=config, height=300)


def show_best(request: Request) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        help = help_for("multiple comparison with the best")
        st.subheader("Which may be the best?", anchor=False, help=help)
        _show_question(request, "best", DEFAULT_MARGIN)
    with right:
        st.subheader("Which are as good as each other?", anchor=False, help=help_for("equivalence"))
        help = region_words(request.measure)
        margin = selection.local(st.selectbox, "As good within", "region", list(REGIONS), help=help)
        _show_question(request, "same", margin)


def question_answer(request: Request, question: str, margin: float) -> Answer | str:
    """Return the answer about the task, or why there is none. margin: limit of practical equivalence."""
    methods = request.family
    return _question_answer(
        request.archive, request.task, methods, question, request.measure, request.setting, margin
    )


@cached
def _question_answer(
    archive: Archive,
    task: str,
    methods: tuple[str, ...],
    question: str,
    measure: Measure,
    setting: Setting,
    margin: float,
) -> Answer | str:
    table = ScoreTable((task,), tuple(methods), np.full((1, len(methods)), np.nan))
    try:
        return answer_to(question, archive, table, measure=measure, setting=setting, margin=margin)
    except DelveError as error:
        return str(error)


def _show_question(request: Request, question: str, margin: float) -> None:
    answer = question_answer(request, question, margin)
    if not show_sentence(answer) or isinstance(answer, str):
        return
    line = [request.task, *option_words("--loss", request.loss), *setting_words(request.setting)]
    line += ["--show", question]
    note, table, drawn = "", answer.table, answer
    if question == "best":
        lower, upper = (np.asarray(table[key], float) for key in ("lower", "upper"))
        _, far = oriented_interval(lower, upper, request.measure)
        near = table.take(np.argsort(far, kind="stable")[:MOST_METHODS].tolist())
        drawn = _best_rows(request, near)
        if len(near) < len(table):
            note = f" The {len(near)} of {words.count(len(table), 'method')} nearest the best are drawn."
    else:
        line += ["--rope", parameter(margin)]
    show_answer(
        answer,
        intervals_figure(drawn, {}, most=MOST_PAIRS),
        name=request.file_name(question),
        note=note,
        command=scored_command("rank", *line),
        label=f"tab:{question}",
    )


def _best_rows(request: Request, table: Table) -> Answer:
    """List the mean of each method minus the best mean of the others, in gray if another method is better."""
    styles, measure = theme.method_styles(look_order(request.archive)), request.measure
    rows = table.select("method", "lower", "upper", "verdict").rows
    middles = [(name, (lower + upper) / 2, lower, upper) for name, lower, upper, _ in rows]
    texts = tuple("worse" if one == IS_NOT else one for *_, one in rows)
    colors = tuple(theme.GRAY if one == IS_NOT else styles[name].color for name, *_, one in rows)
    quantity = "loss" if measure.is_loss else measure.title
    title = f"{quantity} minus the {words.best_end(measure)} of the others"
    ends = ("value", "lower", "upper", words.better_side(title, higher=measure.higher_is_better), (0.0,))
    figure = IntervalFields(("method",), *ends, texts=texts, colors=colors)
    about: tuple[Kind, ...] = ("name", "number", "number", "number")
    keys = ("method", "value", "lower", "upper")
    return Answer("best", "", table_of(middles, list(zip(keys, keys, about, strict=True))), figure=figure)
