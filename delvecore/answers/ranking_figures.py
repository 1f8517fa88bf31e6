"""Answers of a ranking that have a figure: places, pairs, wins, tests of single tasks, values and more.

Inputs and outputs list methods in the order of their mean ranks."""

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from delvecore.answers.answer import (
    Answer,
    Column,
    FigureData,
    IntervalFields,
    Kind,
    Table,
    plain_columns,
    table_of,
)
from delvecore.answers.ranking_caveats import leave_out_sentence
from delvecore.measures import Baseline
from delvecore.render.numbers import (
    NEXT_TO_ZERO,
    difference_of_ranks,
    integer,
    p_text,
    parameter,
    percent,
    probability_text,
    rank_text,
)
from delvecore.render.spans import as_name, strong
from delvecore.render.verdicts import BETTER, SIGNIFICANTLY
from delvecore.report import words
from delvecore.report.ranking.ranking_report import RankingReport
from delvecore.report.ranking.sentences import (
    adjustment_name,
    basis_words,
    places_words,
    ranking_details,
    ranking_heading,
    task_counts_sentence,
    test_in_words,
    unit_count,
    units_name,
)
from delvecore.report.ranking.tables import combined_table, pair_rows, pairs_table
from delvecore.report.verdict_words import PHRASES
from delvecore.stats.array_types import Floats
from delvecore.stats.choose import (
    SIGNIFICANT,
    FlipStatistic,
    Setting,
    Verdict,
    level_of,
)
from delvecore.stats.ranking import effects
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.bayesian_correlated_t import correlated_t
from delvecore.stats.ranking.bayesian_sign import bayesian_sign, sign_draws
from delvecore.stats.ranking.bayesian_signed_rank import bayesian_signed_rank, signed_rank_draws
from delvecore.stats.ranking.ranks import FAMILY, LeftOut
from delvecore.stats.ranking.sign_flips import simultaneous_intervals
from delvecore.stats.ranking.wilcoxon import scan_pairs
from delvecore.stats.verdicts import (
    PairVerdicts,
    RankTest,
    groups_of,
    place_sets_of,
    units_needed,
    verdict_matrix,
)

MOST_VALUES = 400
"""Maximum number of tasks whose values are all listed and drawn. Larger tables show quantiles."""
MOST_LEFT_OUT = 30
MOST_NEEDED = 10_000
MOST_POINTS, FARTHEST = 2000, 300
"""Maximum number of dots, one per task, and the number drawn if there are more: the largest differences."""
QUANTILES = {
    "smallest": 0.0,
    "5 %": 0.05,
    "25 %": 0.25,
    "median": 0.5,
    "75 %": 0.75,
    "95 %": 0.95,
    "largest": 1.0,
}
WIN_SHARE = "Probability of winning on a new task"
"""Share of wins, with its interval."""


def names_in_order(analysis: Analysis) -> list[str]:
    """Return the methods, best mean rank first."""
    return [analysis.table.methods[place] for place in analysis.order]


def places_answer(analysis: Analysis, verdicts: PairVerdicts, methods: Collection[str]) -> Answer:
    """Places of the methods: a row per method with its place, confidence set and mean rank."""
    sets, average, rows, texts = place_sets_of(analysis, verdicts), analysis.ranks.average, [], []
    for one, name in zip(analysis.order, names_in_order(analysis), strict=True):
        if name in methods:
            rank = float(average[one])
            place = 1 + (average < rank).sum() + ((average == rank).sum() - 1) / 2
            ends = (math.nan, math.nan) if sets is None else sets.of(one)
            rows.append((name, float(place), *ends, rank))
            texts.append(
                f"{'' if sets is None else f'{places_words(sets.of(one))}   '}mean rank {rank_text(rank)}"
            )
    about: list[tuple[str, str, Kind]] = [("method", "method", "name"), ("place", "place", "number")]
    about += [("lowest", "from", "count"), ("highest", "to", "count"), ("rank", "mean rank", "number")]
    note = (
        f"The dot is the place by mean rank, the bar its {percent(level_of(analysis.alpha))} confidence set "
        "from the test of pairs."
    )
    named = "; ".join(f"{name} {text}" for (name, *_), text in zip(rows, texts, strict=True))
    alt = f"Places with confidence sets: {named}"
    axis, names = "← better   place", ("method",)
    figure = IntervalFields(names, "place", "lowest", "highest", axis, texts=(*texts,), are_places=True)
    return Answer("places", "", table_of(rows, about), (note,), figure, alt=alt)


def order_answer(analysis: Analysis, tests: PairVerdicts, methods: Sequence[str]) -> Answer:
    """How certain is the order? A row per method with the tested quantity, places and groups."""
    order = [analysis.table.methods.index(name) for name in methods]
    against = analysis.order[0] if tests.control is None else tests.control
    is_other, sets = np.array(order) != against, place_sets_of(analysis, tests)
    title, values, lower, upper = _tested(analysis, tests, order, against)
    groups, verdicts = groups_among(analysis, tests, methods), verdict_matrix(analysis, tests)[order, against]
    within = (", ".join(str(n) for n, one in enumerate(groups, 1) if row in one) for row in range(len(order)))
    lowest, highest = (
        [None] * len(order) if sets is None else getattr(sets, end)[order].tolist()
        for end in ("lowest", "highest")
    )
    ranks, name = analysis.ranks.average[order], analysis.table.methods[against]
    table = Table(
        (
            Column("method", "method", "name", [*methods]),
            Column("mean_rank", "mean rank", "number", ranks, decimals=2),
            Column("lowest_place", "place from", "count", lowest),
            Column("highest_place", "to", "count", highest),
            Column("tested", f"{title} {name}" if title != MEAN_RANK else title, "number", values),
            Column("lower", "from", "number", lower),
            Column("upper", "to", "number", upper),
            Column("verdict", "it is", "name", np.where(is_other, verdicts, "").tolist()),
            Column("groups", "groups", "name", list(within)),
        )
    )
    is_rank = title == MEAN_RANK
    drawn = FigureData(
        "methods",
        title,
        analysis.table.higher_is_better and not is_rank,
        subject="" if is_rank else name,
        groups=groups,
        has_tests=tests.control is not None,
    )
    labels = (f"{one} {rank_text(rank)}" for one, rank in zip(methods, ranks.tolist(), strict=True))
    heading = f"{strong(ranking_heading(analysis, tests))}."
    notes = (_order_note(analysis, tests, name), *ranking_details(analysis, tests))
    return Answer("order", heading, table, notes, drawn, alt=f"Methods by mean rank: {'; '.join(labels)}")


def groups_among(
    analysis: Analysis, verdicts: PairVerdicts, methods: Sequence[str]
) -> tuple[tuple[int, ...], ...]:
    """Return the maximal sets of methods without a significant pair, as places among some methods."""
    places = {analysis.table.methods.index(name): row for row, name in enumerate(methods)}
    whole = [
        tuple(sorted(places[one] for one in group if one in places))
        for group in groups_of(analysis, verdicts)
    ]
    if len(methods) == len(analysis.table.methods):
        return tuple(whole)
    seen = [group for group in dict.fromkeys(whole) if len(group) > 1]
    masks = [sum(1 << place for place in group) for group in seen]  # Bits compare faster than sets.
    return tuple(
        group
        for group, mask in zip(seen, masks, strict=True)
        if not any(mask & other == mask != other for other in masks)
    )


MEAN_RANK = "mean rank"


def _tested(
    analysis: Analysis, verdicts: PairVerdicts, order: Sequence[int], against: int
) -> tuple[str, Floats, Floats, Floats]:
    """Return the tested quantity in words, its value for each method, and the ends of the intervals.

    Sign flips and Wilcoxon's test compare pairs, so their values are differences from one method."""
    pair, none = analysis.pair_numbers[order, against], np.full(len(order), np.nan)
    is_self, sign = np.array(order) == against, np.where(np.array(order) < against, 1.0, -1.0)
    if verdicts.test == RankTest.FLIPS:
        flips = analysis.sign_flips
        title = f"{_FLIPPED[flips.statistic]} from"
        values = np.where(is_self, 0.0, flips.mean[pair] * sign + 0.0)
        if not verdicts.is_testable:
            return title, values, none, none
        ends = simultaneous_intervals(flips, level=level_of(analysis.alpha), control=verdicts.control)
        # An end next to zero belongs to a pair that a later step finds significant. It is shown as zero.
        known = (np.where(np.abs(end) <= NEXT_TO_ZERO, 0.0, end) for end in (ends.lower, ends.upper))
        one, other = (end[pair] * sign + 0.0 for end in known)
        lower, upper = np.minimum(one, other), np.maximum(one, other)
        return title, values, np.where(is_self, np.nan, lower), np.where(is_self, np.nan, upper)
    if verdicts.test == RankTest.WILCOXON:
        above, below = (sums[pair] for sums in analysis.scan.rank_sums)
        total = np.where(above + below > 0, above + below, 1.0)
        values = np.where(is_self, 0.0, (above - below) / total * sign + 0.0)
        return "rank-biserial correlation with", values, none, none
    return MEAN_RANK, analysis.ranks.average[list(order)], none, none


_FLIPPED = {
    FlipStatistic.SCALED: "mean scaled difference",
    FlipStatistic.RANKS: "mean signed rank of differences",
    FlipStatistic.MEANS: "mean difference",
}


def _order_note(analysis: Analysis, verdicts: PairVerdicts, against: str) -> str:
    """Explain the marks, bars and lines of the figure."""
    level, name = percent(level_of(analysis.alpha)), as_name(against)
    tested = verdicts.is_testable or verdicts.test == RankTest.NEMENYI
    parts = [f"Filled marks differ {SIGNIFICANTLY} from {name}." if tested else "No difference is tested."]
    if verdicts.test == RankTest.FLIPS and verdicts.is_testable:
        parts.append(f"Their bars are simultaneous {level} intervals of the difference.")
    if verdicts.test == RankTest.NEMENYI:
        parts.append(
            f"Mean ranks differ if they are more than {difference_of_ranks(analysis.nemenyi.cd)} apart "
            "(critical difference)."
        )
    if verdicts.is_testable:
        parts.append(f"Places: {level} confidence sets from the tests of pairs.")
    if verdicts.is_testable and verdicts.control is None:
        parts.append(
            f"A vertical bar joins methods that do not differ {SIGNIFICANTLY}; a dotted part skips others."
        )
    if verdicts.control is not None:
        parts.append(f"+ and −: {BETTER} and worse than {name}.")
    return " ".join(parts)


def diagram_answer(analysis: Analysis, verdicts: PairVerdicts, methods: Sequence[str]) -> Answer:
    """Which methods do not differ? Mean ranks and groups, as the critical-difference diagram shows them."""
    order = order_answer(analysis, verdicts, methods)
    table = order.table.select("method", "mean_rank", "verdict", "groups")
    return replace(
        order,
        question="diagram",
        table=table,
        notes=order.notes[1:],
        figure=FigureData("diagram", data=RankingReport(analysis, verdicts, top=len(methods))),
    )


_PAIR: Mapping[str, tuple[str, str, Kind]] = {
    "method_a": ("row", "Method a", "name"),
    "method_b": ("column", "Method b", "name"),
    "difference": ("difference", "a - b", "number"),
    "median_difference": ("median", "median", "number"),
    "wins": ("wins", "won", "count"),
    "ties": ("ties", "tied", "count"),
    "losses": ("losses", "lost", "count"),
    "p": ("p", "p", "p"),
    "p_adjusted": ("p_adjusted", "p (adjusted)", "p"),
    "verdict": ("verdict", "a is", "name"),
}
"""Columns of `pairs_table` in figures, with their names there."""


def pair_table(analysis: Analysis, verdicts: PairVerdicts, pairs: Sequence[tuple[str, str]]) -> Table:
    """Comparison of the first method of each pair with the second: difference, units won, tied and lost, p,
    verdict.
    """
    table = pair_rows(pairs_table(analysis, verdicts), pairs)
    columns = []
    for key, (name, title, kind) in _PAIR.items():
        values = table[key]
        if kind != "name":
            values = np.asarray(values, int if kind == "count" else float) + 0  # without negative zeros
        columns.append(Column(name, title, kind, list(values) if kind == "name" else values))
    return Table(tuple(columns))


def pairs_answer(analysis: Analysis, verdicts: PairVerdicts, methods: Sequence[str]) -> Answer:
    """Pairwise comparisons: a row per pair, the method with the better mean rank first."""
    table = pair_table(analysis, verdicts, list(itertools.combinations(methods, 2)))
    better = "higher" if analysis.table.higher_is_better else "lower"
    notes = (
        f"Above the diagonal: mean difference, the row minus the column ({better} is better), with p. "
        f"Below: {units_name(analysis)} that the row wins, ties and loses. Shades show the size. "
        f"Bold + and −: the row is {BETTER}, worse.",
        f"p: {test_in_words(verdicts)}, {adjustment_name(verdicts)}.",
    )
    alt = f"Matrix of all pairs of methods: mean difference, {units_name(analysis)} won, tied, lost, p. "
    differ = frozenset((row, "p_adjusted") for row, one in enumerate(table["verdict"]) if one in SIGNIFICANT)
    return Answer(
        "pairs",
        "",
        replace(table, bold=differ),
        notes,
        FigureData("pairs", higher_is_better=analysis.table.higher_is_better),
        alt=alt + pairs_words(table),
    )


def pairs_words(table: Table) -> str:
    """Return a text such as `1 of 3 tested pairs differs: gp-1 is better than lin-1.`."""
    beaten: dict[str, list[str]] = {}
    rows = table.select("row", "column", "verdict").rows
    for name, other, verdict in rows:
        beaten.setdefault(name, []), beaten.setdefault(other, [])
        if verdict in SIGNIFICANT:
            better, worse = (name, other) if verdict == Verdict.BETTER else (other, name)
            beaten[better].append(worse)
    clauses = [f"{name} is better than {words.and_list(others)}" for name, others in beaten.items() if others]
    count = sum(verdict in SIGNIFICANT for *_, verdict in rows)
    pairs = words.count(sum(verdict != Verdict.NOT_TESTED for *_, verdict in rows), "tested pair")
    lead = f"{count} of {pairs} differ" + "s" * (count == 1)
    return f"{lead}: {'; '.join(clauses)}." if clauses else f"{lead}."


def pairs_for_paper(answer: Answer, analysis: Analysis, verdicts: PairVerdicts) -> Answer:
    """Return the pairs with the notes of a table for a paper."""
    note = (
        f"p: {verdicts.test}, {adjustment_name(verdicts)}. Bold: significant with "
        f"{percent(level_of(analysis.alpha))} confidence. {len(analysis.table.methods)} methods on "
        f"{basis_words(analysis)}"
    )
    if analysis.dropped_tasks:
        note += f"; {words.count(len(analysis.dropped_tasks), 'task')} left out for missing values"
    table, headline = answer.table.drop("median", "verdict"), f"Pairs of methods: {analysis.table.quantity}."
    return replace(answer, headline=headline, table=table, notes=(f"{note}.",))


def best_against_others(table: Table) -> list[tuple[str, float, str]]:
    """Return (method, difference, text) of each method against the best mean rank, for a phone."""
    best, rows = table["row"][0], []
    for name, other, difference, p in table.select("row", "column", "difference", "p_adjusted").rows:
        if name == best:
            p = p_text(p)
            text = f"{'+' * (difference < 0)}{words.number(-difference, digits=2, zeros=True)}"
            rows.append((other, -difference, f"{text}, p {p if p.startswith('<') else f'= {p}'}"))
    return rows


def wins_answer(analysis: Analysis, verdicts: PairVerdicts, methods: Sequence[str], reference: str) -> Answer:
    """On which share of the units is each method better than the reference? The intervals are Wilson's."""
    others, tasks, units = (
        [one for one in methods if one != reference],
        len(analysis.units.tasks),
        units_name(analysis),
    )
    table, level = (
        pair_table(analysis, verdicts, [(one, reference) for one in others]),
        level_of(analysis.alpha),
    )
    rate = (np.asarray(table["wins"]) + np.asarray(table["ties"]) / 2) / tasks
    lower, upper = effects.wilson_interval(rate, tasks, level=level)
    ends = zip(("rate", "lower", "upper"), ("share won", "from", "to"), (rate, lower, upper), strict=True)
    table = Table(
        (
            Column("method", "method", "name", others),
            *table.select("wins", "ties", "losses").columns,
            *(Column(key, title, "share", values) for key, title, values in ends),
        )
    )
    texts = [
        f"{words.share(round(2000 * share), 2000)}   ({won} / {tied} / {lost})"
        for won, tied, lost, share in table.select("wins", "ties", "losses", "rate").rows
    ]
    axis = f"Share won against {words.plot_text(reference, longest=24)}, ties half   better →"
    figure = IntervalFields(("method",), "rate", "lower", "upper", axis, (0.5,), (*texts,))
    why = (
        "the reference"
        if analysis.control is not None and reference == analysis.table.methods[analysis.control]
        else ""
    )
    note = (
        f"Against {strong(as_name(reference))} ({why or 'the best mean rank'}): {units} won / tied / lost, "
        f"{percent(level)} intervals, regardless of the other methods."
    )
    listed = "; ".join(map(" ".join, zip(others, texts, strict=True)))
    alt = f"Share of {units} on which each method is better than {reference}: {listed}"
    return Answer("wins", "", table, (note,), figure, alt=alt)


def values_answer(analysis: Analysis, methods: Sequence[str], axis: str, baseline: Baseline | None) -> Answer:
    """Distribution of the values: a row per value, or a row of quantiles per method if there are
    many tasks.
    """
    scores = analysis.table.select(methods=methods)
    if len(scores.tasks) > MOST_VALUES:
        marks = "Marks are the tasks farthest out"
        quantiles = np.quantile(scores.values, list(QUANTILES.values()), axis=0)
        numbers = (Column(key, key, "number", one) for key, one in zip(QUANTILES, quantiles, strict=True))
        table = Table((Column("method", "method", "name", [*methods]), *numbers))
    else:
        marks = "One mark per task"
        table = Table(
            (
                Column("method", "method", "name", np.repeat(np.array(methods, object), len(scores.tasks))),
                Column("task", "task", "name", [*scores.tasks] * len(methods)),
                Column("value", "value", "number", scores.values.T.ravel()),
            )
        )
    medians = zip(methods, np.median(scores.values, axis=0).tolist(), strict=True)
    listed = "; ".join(f"{name} {words.number(value, digits=3)}" for name, value in medians)
    alt = f"Values of {len(methods)} methods over the tasks, with medians: {listed}"
    note = f"{marks}; boxes hold the middle half, the line in them is the median. Best mean rank first."
    figure = FigureData("values", axis, baseline=baseline, data=scores)
    return Answer("values", "", table, (note,), figure, alt=alt)


def leave_out_answer(analysis: Analysis, left: Sequence[LeftOut], methods: Sequence[str]) -> Answer:
    """Does the order hold if any one family is left out?

    A row per method for all tasks, then for each omitted family.
    """
    order, rows, descriptions = [analysis.table.methods.index(name) for name in methods], [], []
    texts = {f"all {units_name(analysis)}": unit_count(analysis)}
    averages = [analysis.ranks.average]
    is_cut = len(left) > MOST_LEFT_OUT
    for one in sorted(left, key=lambda one: -one.moved)[:MOST_LEFT_OUT] if is_cut else left:
        moved = f"{words.count(one.moved, 'pair')} reversed" if one.moved else "same order"
        texts[f"without {one.group}"] = f"{one.tasks} {units_name(analysis)}, {moved}"
        averages.append(one.average)
    for title, average in zip(texts, averages, strict=True):
        places = average.argsort(kind="stable").argsort(kind="stable") + 1
        part = [
            (title, methods[n], float(average[at]), int(places[at]), texts[title])
            for n, at in enumerate(order)
        ]
        ranked = sorted((rank, name) for _, name, rank, *_ in part)
        descriptions.append(f"{title}: " + ", ".join(f"{name} {rank_text(rank)}" for rank, name in ranked))
        rows += part
    about: list[tuple[str, str, Kind]] = [("row", "tasks", "name"), ("method", "method", "name")]
    about += [("rank", "mean rank", "number"), ("place", "place", "count")]
    about.append(("change", "what changes", "name"))
    notes = (
        (f"The {MOST_LEFT_OUT} of {integer(len(left))} without which most places change.",) if is_cut else ()
    )
    alt = f"Mean ranks with each family of tasks left out in turn. {'; '.join(descriptions)}"
    group = analysis.unit if len(left) == len(analysis.units.tasks) else FAMILY
    sentence = leave_out_sentence(analysis.table.methods, left, group=group)
    return Answer("leave-out", sentence, table_of(rows, about), notes, FigureData("leave out"), alt=alt)


TASK_COUNTS = (
    *("wins", "ties", "losses", "untested"),
    *("wins_over_tasks", "losses_over_tasks", "expected"),
)
"""Columns of `combined_table` with numbers of tasks."""


def task_tests_answer(
    analysis: Analysis, combined: pa.Table | None, reference: str, setting: Setting
) -> Answer:
    """Results of the tests of each method against the reference on single tasks, under a setting."""
    rows: list[tuple[Any, ...]] = []
    if combined is not None:
        pairs = [(name, reference) for name in names_in_order(analysis)]
        rows = pair_rows(combined_table(combined), pairs).select("method_a", *TASK_COUNTS).rows
    about = [*plain_columns("name", "method"), *plain_columns("count", *TASK_COUNTS)]
    listed = "; ".join(f"{method} {wins}, {ties} and {losses}" for method, wins, ties, losses, *_ in rows)
    alt = f"Tasks on which each method is better than {reference}, not significant and worse: {listed}"
    note = (
        "Number of tasks by the result of the task's own test, for each method against "
        f"{strong(as_name(reference))}; {words.setting(setting)}."
    )
    figure = FigureData("task verdicts", subject=reference)
    return Answer("task-verdicts", "", table_of(rows, about), (note,), figure, alt=alt)


TaskTest = tuple[Verdict | str, float]
"""Verdict on the first of two methods on a task, and its p."""


def scatter_answer(analysis: Analysis, pair: tuple[str, str], tests: Mapping[str, TaskTest]) -> Answer:
    """Is the result the same on every task?

    A row per task with the values of two methods and the task's verdict.
    """
    scores = analysis.table.select(methods=list(pair))
    verdicts, p = zip(*(tests.get(task, ("", math.nan)) for task in scores.tasks), strict=True)
    better = {Verdict.BETTER: "first", Verdict.WORSE: "second"}
    first, second = scores.values.T
    table = Table(
        (
            Column("task", "task", "name", [*scores.tasks]),
            Column("first", pair[0], "number", first),
            Column("second", pair[1], "number", second),
            Column("better", "better", "name", [better.get(one, "neither") for one in verdicts]),
            Column("p", "p", "p", [*p]),
        )
    )
    scale = analysis.table.quantity, analysis.table.higher_is_better
    figure = FigureData("scatter", *scale, has_tests=bool(tests))
    dots, marks = len(drawn_rows(table)), "One mark per task"
    if dots < len(table):
        marks = f"Marks: the {dots} tasks on which they differ most; shades: the number of tasks"
    filled = "Filled: significant by the task’s own test. " if tests else ""
    note = f"{marks}; on the dashed line both are equally good. {filled}Click one to compare there."
    alt = f"Values of {pair[0]} and {pair[1]} on {len(table)} tasks."
    return Answer("scatter", "", table, (note,), figure, alt=alt)


def drawn_rows(table: Table) -> list[int]:
    """Return the numbers of the rows whose tasks are drawn as dots."""
    if len(table) <= MOST_POINTS:
        return list(range(len(table)))
    apart = np.abs(np.subtract(table["first"], table["second"]))
    farthest: list[int] = np.argsort(-apart, kind="stable")[:FARTHEST].tolist()
    return farthest


def pair_sentence(
    analysis: Analysis, verdicts: PairVerdicts, pair: tuple[str, str], tests: Table | None
) -> str:
    """Summarize the comparison of two methods on single tasks and over all tasks.

    tests: see `tests_of_pair`."""
    a, b = map(as_name, pair)
    units, table = units_name(analysis), pair_table(analysis, verdicts, [pair])
    difference, wins, ties, losses, p, verdict = table.select(
        "difference", "wins", "ties", "losses", "p_adjusted", "verdict"
    ).rows[0]
    lead = f"{strong(task_counts_sentence(pair, tests))} " if tests is not None else ""
    if not wins and not losses:
        return f"{lead}Over all {ties} {units}: {strong(f'{a} and {b} are identical')}."
    better = {Verdict.BETTER: a, Verdict.WORSE: b}.get(verdict)
    shown = f"{better} is {PHRASES[Verdict.BETTER]}" if better else PHRASES[verdict]
    p_words = "" if verdict == Verdict.NOT_TESTED else f", {words.p_value(p)}"
    lead += (
        f"Over all {wins + ties + losses} {units}: mean difference {words.number(difference, digits=2)}, "
        f"better on {wins}{p_words}: {strong(shown)}."
    )
    if better or verdict == Verdict.NOT_TESTED:
        return lead
    place = analysis.pair_numbers[tuple(map(analysis.table.methods.index, pair))]
    needed = float(units_needed(verdicts, len(analysis.units.tasks))[place])
    if math.isnan(needed):
        return lead
    if needed > MOST_NEEDED:
        return f"{lead} If the difference is this small, more {units} would hardly make it significant."
    return f"{lead} With the observed difference, 80 % power needs about {integer(needed)} {units}."


def bayes_answer(analysis: Analysis, pair: tuple[str, str], *, rope: float, test: str) -> Answer:
    """Results of three Bayesian tests of a pair. test: test in the figure, `sign` or `signed rank`."""
    units = analysis.units.select(methods=list(pair))
    scan, values = scan_pairs(units), units.oriented
    likely, lying = "being most likely on a new task", "the mean difference being there"
    posteriors = [test(scan, rope=rope) for test in (bayesian_signed_rank, correlated_t, bayesian_sign)]
    rows = [
        (one.test, float(one.a_better[0]), float(one.equivalent[0]), float(one.b_better[0]), about)
        for one, about in zip(posteriors, (likely, lying, likely), strict=True)
    ]
    (chances,) = (row[1:4] for row in rows if row[0] == test)
    differences = values[:, 0] - values[:, 1]
    draws = (sign_draws if test == "sign" else signed_rank_draws)(differences, rope=rope)
    figure = FigureData("bayes", f"differ by at most {parameter(rope)}", subject=test, data=draws)
    about: list[tuple[str, str, Kind]] = [("test", "test", "name")]
    keys = (f"{pair[0]} better", "same", f"{pair[1]} better")
    about += [*((key, key, "number") for key in keys), ("probability of", "probability of", "name")]
    alt = (
        f"Posterior probability of being the most likely outcome on a new task: {pair[0]} better "
        f"{probability_text(chances[0])}, {pair[1]} better {probability_text(chances[2])}, differing by "
        f"at most {parameter(rope)} {probability_text(chances[1])}"
    )
    note = (
        "Posterior probability that an outcome is the most likely one on a new task. Each dot is one "
        "posterior sample, in the corner of its most likely outcome. The probability that a method wins "
        f"there is a different quantity: “{WIN_SHARE}” estimates it."
    )
    return Answer("bayes", "", table_of(rows, about), (note,), figure, alt=alt)


def pair_effects(analysis: Analysis, pair: tuple[str, str]) -> Answer:
    """How large is the difference of a pair? A row per effect with its interval and the neutral value."""
    scan = scan_pairs(analysis.units.select(methods=list(pair)), level=level_of(analysis.alpha))
    named = (
        ("Mean difference", effects.mean_difference(scan), 0.0),
        ("Median difference", effects.median_difference(scan), 0.0),
        (WIN_SHARE, effects.win_rate(scan), 0.5),
        ("Vargha and Delaney’s A", effects.superiority(scan), 0.5),
    )
    rows = [
        (name, *(float(part[0]) for part in (one.estimate, one.lower, one.upper)), neutral)
        for name, one, neutral in named
    ]
    about: list[tuple[str, str, Kind]] = [("effect", "Effect", "name"), ("estimate", "Estimate", "number")]
    about += [("lower", "From", "number"), ("upper", "To", "number"), ("none", "No difference", "number")]
    a, b = map(as_name, pair)
    note = f"How large is the difference? {a} minus {b}, with intervals."
    alt = f"Effect sizes of {pair[0]} against {pair[1]}"
    return Answer("pair-effects", "", table_of(rows, about), (note,), alt=alt)
