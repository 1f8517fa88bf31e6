"""A ranking as text: first the chosen test, then all other tests."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from delvecore.render.numbers import (
    NEXT_TO_ZERO,
    SMALLEST_P,
    difference_of_ranks,
    integer,
    p_text,
    p_words,
    percent,
    rounded,
    significant,
    smallest_p_words,
    statistic,
)
from delvecore.render.text import aligned, fold
from delvecore.render.verdicts import BETTER, SIGNIFICANTLY, WORSE
from delvecore.report.ranking.json_and_csv import ranking_csv, ranking_json
from delvecore.report.ranking.ranking_report import (
    RankingReport,
    counts_text,
    critical_difference_words,
    listed,
    may_be_best_words,
    ranking_latex,
    ranking_notes,
)
from delvecore.report.ranking.sentences import (
    ranking_sentence,
    run_sentences,
    task_counts_sentence,
    unit_count,
    units_name,
    untestable_words,
)
from delvecore.report.ranking.tables import combined_table, pair_rows, place_texts, tests_of_pair, turned
from delvecore.report.verdict_words import FLIPPED_UNITS, THAN
from delvecore.score_tables.score_file import Reading
from delvecore.stats.choose import Verdict, adjustment_words, level_of
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.bonferroni_dunn import control_difference
from delvecore.stats.ranking.friedman import OmnibusTest
from delvecore.stats.ranking.nemenyi import MOST_GROUPS
from delvecore.stats.verdicts import RankTest, groups_of, pair_verdicts, verdict_matrix

MOST_SHOWN, FEW = 12, 4
"""Maximum number of printed methods unless all are requested, and of lines of names for more methods."""
INDENT = "  "
MORE = "(--all prints everything)"


def ranking_text(report: RankingReport, form: str, *, readings: Sequence[Reading] = ()) -> str:
    """Return an analysis in one of FORMATS; KeyError for another format. readings: for JSON."""
    return ranking_json(report, readings) if form == "json" else FORMATS[form](report)


def _text(report: RankingReport) -> str:
    analysis = report.analysis
    lead = [fold(ranking_sentence(analysis, report.verdicts, quantity=analysis.table.quantity), "")]
    if sentences := " ".join(
        run_sentences(analysis.given.runs, are_counted=not report.counts_failed, warns=False)
    ):
        lead.append(fold(sentences, ""))
    first_two = analysis.table.methods[analysis.order[0]], analysis.table.methods[analysis.order[1]]
    if (tests := tests_of_pair(report.combined, first_two)) is not None:
        lead.append(
            fold(f"On single tasks, by the test of each task, {task_counts_sentence(first_two, tests)}", "")
        )
    sections = [
        *lead,
        _methods(report),
        _significant_pairs(report),
        _groups(report),
    ]
    if not analysis.one_dataset:
        sections += [["DETAILS"], global_tests(analysis), rank_differences(analysis), pair_lines(report)]
        sections += [_wilcoxon_groups(report), single_task_lines(report)]
    notes = [line for note in (*report.notes, *ranking_notes(report)) for line in fold(note, "")]
    return "\n\n".join("\n".join(lines) for lines in [*sections, notes] if lines) + "\n"


def _methods(report: RankingReport) -> list[str]:
    """A line for each method, best mean rank first, with the numbers of methods that it is better and worse
    than."""
    shown = len(report.shown)
    table = report.methods.take(
        range(shown if report.is_whole or report.top is not None else min(shown, MOST_SHOWN))
    )
    cells = {
        "": table["method"],
        "mean rank": [rounded(one, 3) for one in table["mean_rank"]],
        **({"places": place_texts(table)} if report.places else {}),
        "best on": map(str, table["best_on"]),
        "mean": [significant(one, 4) for one in table["mean"]],
        "median": [significant(one, 4) for one in table["median"]],
        "better than": map(str, table["better_than"]),
        "worse than": map(str, table["worse_than"]),
    }
    left = len(report.methods) - len(table)
    most = FEW if _is_short(report) else MOST_SHOWN
    best = may_be_best_words(report.analysis, report.places, most=most)
    lines = [*_aligned(cells), *([f"and {left} more {MORE}"] if left else [])]
    return [*lines, *(["", *fold(best, "")] if best else [])]


def _significant_pairs(report: RankingReport) -> list[str]:
    """Significant pairs by the chosen test: a line for each method that is better than another."""
    analysis, matrix = report.analysis, verdict_matrix(report.analysis, report.verdicts)
    names, count = analysis.table.methods, int(report.verdicts.different.sum())
    verdicts = report.verdicts
    if not verdicts.is_testable:
        return [f"{verdicts.test}: {untestable_words(analysis, verdicts)}."]
    lines = [f"{verdicts.test}: {count} of {verdicts.tested} pairs differ {SIGNIFICANTLY}."]
    clauses = []
    for place in analysis.order:
        below = [names[other] for other in analysis.order if matrix[place, other] == Verdict.BETTER]
        clauses += [f"{names[place]} is {THAN[Verdict.BETTER]} {_named(report, below)}"] if below else []
    return [*lines, *_first(report, clauses)]


def _groups(report: RankingReport) -> list[str]:
    if report.verdicts.control is not None or not report.verdicts.is_testable:
        return []
    analysis = report.analysis
    found_groups = groups_of(analysis, report.verdicts)
    lines = [f"{report.verdicts.test}: groups without a pair that differs {SIGNIFICANTLY}:"]
    lines += _first(report, [_named(report, group) for group in analysis.names(found_groups)] or ["none"])
    return lines if len(found_groups) <= MOST_GROUPS else [*lines, f"{INDENT}and others, too many to list"]


def _wilcoxon_groups(report: RankingReport) -> list[str]:
    """The groups of Wilcoxon's test, if another one was chosen."""
    if report.verdicts.test == RankTest.WILCOXON or not report.is_whole:
        return []
    return _groups(replace(report, verdicts=pair_verdicts(report.analysis, RankTest.WILCOXON)))


def _is_short(report: RankingReport) -> bool:
    return not report.is_whole and len(report.analysis.order) > MOST_SHOWN


def _first(report: RankingReport, texts: Sequence[str]) -> list[str]:
    """Return texts as lines; only the first ones for many methods."""
    kept = texts[:FEW] if _is_short(report) else texts
    lines = [line for text in kept for line in fold(text, INDENT)]
    return lines if len(kept) == len(texts) else [*lines, f"{INDENT}and {len(texts) - len(kept)} more {MORE}"]


def _named(report: RankingReport, names: Sequence[str]) -> str:
    return listed(names, FEW) if _is_short(report) else ", ".join(names)


FORMATS: dict[str, Callable[[RankingReport], str]] = {
    "text": _text,
    "json": ranking_json,
    "csv": ranking_csv,
    "latex": ranking_latex,
}


MOST_FLIPPED = 500_000
"""Maximum number of differences, pairs times units, for sign flips that were not requested."""
MOST_PAIRS = 15
"""Maximum number of printed pairs, those of 6 methods, unless all are requested."""
MOST_OPPONENTS, FEW_OPPONENTS = 11, 6
"""Maximum number of opponents printed for one method, and the number printed if there are more."""
FLOAT_NOISE = 1e-13
"""Mean differences below this share of the largest value are rounding errors, and printed as 0."""
TINY = [f"{INDENT}*: {smallest_p_words()}"]


def global_tests(analysis: Analysis) -> list[str]:
    """Do the methods differ at all?"""
    friedman, f, quade = analysis.friedman, analysis.iman_davenport, analysis.quade
    exact = "" if friedman.exact_p is None else f", exact {p_words(friedman.exact_p)}"
    corrected = f"chi2({friedman.df}) = {statistic(friedman.statistic)}, {p_words(friedman.p)}{exact}"
    tests = [
        ["Friedman, ties corrected", corrected],
        ["Friedman, uncorrected", f"chi2({friedman.df}) = {statistic(friedman.uncorrected)}"],
        ["Iman-Davenport", _f_words(f, friedman.exact_p)],
        ["Quade", _f_words(quade, friedman.exact_p)],
    ]
    if analysis.dropped_tasks or analysis.dropped_methods:
        all_cells = analysis.skillings_mack
        text = (
            f"chi2({all_cells.df}) = {statistic(all_cells.statistic)}, {p_words(all_cells.p)}, "
            f"{all_cells.tasks} tasks"
        )
        tests.append(["Skillings-Mack, with gaps", text])
    return ["Do the methods differ at all?", *aligned(tests, indent=INDENT, left=2)]


def rank_differences(analysis: Analysis) -> list[str]:
    """Critical differences of mean ranks, with and without a control."""
    control = analysis.bonferroni_dunn
    lines = fold(critical_difference_words(analysis), "")
    if control is None:
        cd = control_difference(analysis.ranks, alpha=analysis.alpha)
        reference = "a reference (--control M names it)"
        return [*lines, f"Bonferroni-Dunn: {difference_of_ranks(cd)} from {reference}."]
    names, different_places = analysis.table.methods, control.first[control.different]
    different = ", ".join(names[place] for place in analysis.order if place in different_places)
    reference = names[control.second[0]]
    sentence = f"Bonferroni-Dunn: {difference_of_ranks(control.cd)} from the reference {reference}."
    return [*lines, f"{sentence} Different: {different or 'none'}."]


def pair_lines(report: RankingReport) -> list[str]:
    """Pairs with wins, differences and p by every test."""
    analysis, (pairs, which) = report.analysis, _pairs_shown(report)
    count = len(analysis.scan.first)
    has_flips = report.verdicts.test == RankTest.FLIPS or count * len(analysis.units.tasks) <= MOST_FLIPPED
    first, second = np.array(pairs).T
    table = report.pairs_of("wilcoxon", "nemenyi", "t", *(["flips"] if has_flips else []))
    table = turned(table.take(analysis.pair_numbers[first, second].tolist()), first > second)
    noise = FLOAT_NOISE * np.abs(analysis.table.values).max()
    counts = table.select("wins", "ties", "losses").rows
    differences = [
        significant(0.0 if abs(one) < noise else one, 4) if wins or losses else "identical"
        for one, (wins, _, losses) in zip(table["difference"], counts, strict=True)
    ]
    tests = {"Wilcoxon": "wilcoxon_p_adjusted", "Nemenyi": "nemenyi_p", "t-test": "t_p_adjusted"}
    tests |= {"sign flips": "flips_p_adjusted"} if has_flips else {}
    cells = {
        "a": table["method_a"],
        "b": table["method_b"],
        "w/t/l": [counts_text(*one) for one in counts],
        "mean difference": differences,
        **{title: [_small(p, analysis.alpha) for p in table[key]] for title, key in tests.items()},
    }
    how = adjustment_words(analysis.adjustment)
    title = f"Pairs: {units_name(analysis)} that a wins, ties and loses; p, {how}"
    if has_flips:
        cells["interval"] = [_ends(*ends) for ends in table.select("flips_lower", "flips_upper").rows]
        title += (
            f"; p of sign flips by themselves, with simultaneous {percent(level_of(analysis.alpha))} "
            "intervals "
            f"of the mean difference a minus b, in {FLIPPED_UNITS[analysis.sign_flips.statistic]}"
        )
    return [*fold(f"{title}{which}:", ""), *_table(cells)]


def _pairs_shown(report: RankingReport) -> tuple[list[tuple[int, int]], str]:
    """Return the printed pairs, by the places of their methods, and a description if some are omitted."""
    analysis, count = report.analysis, len(report.analysis.scan.first)
    if report.is_whole or count <= MOST_PAIRS:
        return list(zip(analysis.scan.first.tolist(), analysis.scan.second.tolist(), strict=True)), ""
    one = analysis.order[0] if analysis.control is None else analysis.control
    others = [place for place in analysis.order if place != one]
    others = others if len(others) <= MOST_OPPONENTS else others[:FEW_OPPONENTS]
    text = f"; {len(others)} of {count} pairs, with {analysis.table.methods[one]} (--all prints all)"
    return [(one, other) for other in others], text


def single_task_lines(report: RankingReport) -> list[str]:
    """Return lines on the tests of single tasks, and the mean over units."""
    analysis = report.analysis
    if report.combined is None and not report.tests_tasks:
        count, tasks = len(analysis.nemenyi.first), len(analysis.table.tasks)
        return fold(
            f"{integer(count)} pairs on {integer(tasks)} tasks are not tested one by one; --pairs tests "
            "them.",
            "",
        )
    if report.combined is None:
        return []
    names, (pairs, which) = analysis.table.methods, _pairs_shown(report)
    table = pair_rows(combined_table(report.combined), [(names[a], names[b]) for a, b in pairs])
    level = percent(level_of(analysis.alpha))
    cells = {
        "a": table["method_a"],
        "b": table["method_b"],
        "w/t/l": [counts_text(*one) for one in table.select("wins", "ties", "losses").rows],
        "untested": map(str, table["untested"]),
        "mean": map(_number, table["mean"]),
        f"{level} interval": [_ends(*ends) for ends in table.select("lower", "upper").rows],
        "tau": map(_number, table["tau"]),
        "a further one": [_ends(*ends) for ends in table.select("next_lower", "next_upper").rows],
        "p": [_small(p, analysis.alpha) for p in table["p_adjusted"]],
    }
    title = (
        f"Each task's own test: tasks on which a is {BETTER}, neither, {WORSE}, p "
        f"adjusted for all pairs of a task. Over {unit_count(analysis)}: mean of the differences of "
        f"{'losses' if analysis.table.standardized else 'values'} a minus b (random effects), and how much "
        f"it varies between {units_name(analysis)} (tau). Then the interval for a further one ({level}), "
        f"and p, {adjustment_words(analysis.adjustment)}{which}:"
    )
    return [*fold(title, ""), *_table(cells)]


def _aligned(cells: Mapping[str, Iterable[str]], **layout: Any) -> list[str]:
    """Return columns, given by title, as lines."""
    return aligned([list(cells), *map(list, zip(*cells.values(), strict=True))], **layout)


def _table(cells: Mapping[str, Iterable[str]]) -> list[str]:
    """Return columns as lines, and the meaning of marks in them."""
    lines = _aligned(cells, indent=INDENT, left=2)
    return [*lines, *(TINY if any("*" in line.split() for line in lines) else [])]


def _number(value: float) -> str:
    return "" if math.isnan(value) else significant(value)


def _ends(lower: float, upper: float) -> str:
    """Return an interval; empty if there is none."""
    ends = (0.0 if abs(end) <= NEXT_TO_ZERO else end for end in (lower, upper))
    return "" if math.isnan(lower) else " to ".join(map(significant, ends))


def _small(p: float, alpha: float) -> str:
    """Return p, or a mark if it is significant and below the smallest printed p."""
    return "*" if p < min(SMALLEST_P, alpha) else p_text(p)


def _f_words(test: OmnibusTest, exact_p: float | None) -> str:
    """Return F and its p. If F is infinite because all ranks agree, `exact_p` of Friedman's test is
    used.
    """
    name = f"F({test.df}, {test.df2})"
    if math.isinf(test.statistic):
        return f"{name} = infinite, no p" + ("" if exact_p is None else f"; exact {p_words(exact_p)}")
    return f"{name} = {statistic(test.statistic)}, {p_words(test.p)}"
