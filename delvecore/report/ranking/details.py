"""Tables of all tests of a ranking, beside the one chosen."""

import math
from collections.abc import Sequence

import numpy as np

from delvecore.report.ranking.notes import critical_difference_words
from delvecore.report.ranking.printed_parts import RankingReport
from delvecore.report.ranking.units import unit_count, units_name
from delvecore.report.rounding import SMALLEST_P, p_text, p_words
from delvecore.report.writers.text import aligned, fold
from delvecore.stats.adjust import NEXT_TO_ZERO, adjust
from delvecore.stats.choose import RankTest, adjustment_words, level_of, percent
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.combined import CombinedPairs
from delvecore.stats.ranking.pair_verdicts import pair_verdicts
from delvecore.stats.ranking.rank_tests import control_difference

__all__ = ["combined_table", "global_tests", "pair_table", "rank_differences"]

MOST_FLIPPED = 500_000
"""Differences, pairs times units, of which signs are flipped where nobody asks for that test."""
MOST_PAIRS = 15
"""Of more pairs than those of 6 methods, only some are printed unless all are asked for."""
MOST_SHOWN, FEW = 11, 6
"""Others beside one method: so many are printed; of more, the first few."""
INDENT = "  "
FLOAT_NOISE = 1e-13
"""Mean differences below this share of the largest value are those of rounding, and printed as 0."""
TINY = [f"{INDENT}*: p < 0.0001"]


def global_tests(found: Analysis) -> list[str]:
    """Do the methods differ at all?"""
    friedman, f, quade = found.friedman, found.iman_davenport, found.quade
    exact = "" if friedman.exact_p is None else f", exact {p_words(friedman.exact_p)}"
    corrected = f"chi2({friedman.df}) = {friedman.chi2:.4f}, {p_words(friedman.p)}{exact}"
    tests = [
        ["Friedman, ties corrected", corrected],
        ["Friedman, uncorrected", f"chi2({friedman.df}) = {friedman.chi2_uncorrected:.4f}"],
        ["Iman-Davenport", f"F({f.df1}, {f.df2}) = {_number(f.f)}, {p_words(f.p)}"],
        ["Quade", f"F({quade.df1}, {quade.df2}) = {_number(quade.f)}, {p_words(quade.p)}"],
    ]
    if found.dropped_tasks or found.dropped_methods:
        all_cells = found.skillings_mack
        text = f"chi2({all_cells.df}) = {all_cells.chi2:.4f}, {p_words(all_cells.p)}, {all_cells.tasks} tasks"
        tests.append(["Skillings-Mack, with gaps", text])
    return ["Do the methods differ at all?", *aligned(tests, indent=INDENT, left=2)]


def rank_differences(found: Analysis) -> list[str]:
    """By how much must mean ranks differ, with and without a control?"""
    control = found.bonferroni_dunn
    lines = fold(critical_difference_words(found), "")
    if control is None:
        cd = control_difference(found.ranks, alpha=found.alpha)
        return [*lines, f"Bonferroni-Dunn: {cd:.4f} from a control (--control M names it)."]
    names = found.table.methods
    different = ", ".join(names[place] for place in found.order if control.different[place])
    said = f"Bonferroni-Dunn: {control.cd:.4f} from the control {names[control.control]}."
    return [*lines, f"{said} Different: {different or 'none'}."]


def pair_table(report: RankingReport) -> list[str]:
    """Pairs with wins, differences and p by every test."""
    found = report.found
    wins, ties, losses = found.scan.wins
    t, names = found.t_tests, found.table.methods
    nemenyi, wilcoxon = (pair_verdicts(found, test) for test in (RankTest.NEMENYI, RankTest.WILCOXON))
    noise = FLOAT_NOISE * np.abs(found.table.values).max()
    t_adjusted = adjust(t.p, method=found.adjustment)
    tests = [wilcoxon.p_adjusted, nemenyi.p_adjusted, t_adjusted]
    rows = [["a", "b", "w/t/l", "mean difference", "Wilcoxon", "Nemenyi", "t-test"]]
    if report.verdicts.test == RankTest.FLIPS or len(wins) * len(found.units.tasks) <= MOST_FLIPPED:
        tests.append(pair_verdicts(found, RankTest.FLIPS).p_adjusted)
        rows[0].append("sign flips")
    pairs, which = _pairs_shown(report)
    for a, b in pairs:
        pair = found.pair_numbers[a, b]
        sign, counts = (1, (wins, ties, losses)) if a < b else (-1, (losses, ties, wins))
        row = [names[a], names[b], "/".join(str(count[pair]) for count in counts)]
        row.append(f"{0.0 if abs(t.difference[pair]) < noise else sign * t.difference[pair]:.4g}")
        rows.append([*row, *(_small(p[pair], found.alpha) for p in tests)])
    how = adjustment_words(found.adjustment)
    title = f"Pairs: {units_name(found)} that a wins, ties and loses; p, {how}{which}:"
    return [*fold(title, ""), *_table(rows)]


def _pairs_shown(report: RankingReport) -> tuple[list[tuple[int, int]], str]:
    """Return the pairs that are printed, by the places of their methods, and which these are in words: all of
    them, or where there are many those with the control, else with the best method."""
    found, count = report.found, len(report.found.scan.first)
    if report.is_whole or count <= MOST_PAIRS:
        return list(zip(found.scan.first.tolist(), found.scan.second.tolist(), strict=True)), ""
    one = found.order[0] if found.control is None else found.control
    others = [place for place in found.order if place != one]
    others = others if len(others) <= MOST_SHOWN else others[:FEW]
    text = f"; {len(others)} of {count} pairs, with {found.table.methods[one]} (--all prints all)"
    return [(one, other) for other in others], text


def combined_table(report: RankingReport) -> list[str]:
    """Tasks by each one's own test, and the mean over units."""
    found, pairs = report.found, report.combined
    if pairs is None and not report.tests_tasks:
        count, tasks = len(found.nemenyi.first), len(found.table.tasks)
        return fold(f"{count:,} pairs on {tasks:,} tasks are not tested one by one; --pairs tests them.", "")
    if pairs is None:
        return []
    level = percent(level_of(found.alpha))
    rows = [["a", "b", "w/t/l", "untested", "mean", f"{level} interval", "tau", "a further one", "p"]]
    names, (shown, which) = found.table.methods, _pairs_shown(report)
    known = {pair: place for place, pair in enumerate(zip(pairs.methods_a, pairs.methods_b, strict=True))}
    for a, b in shown:
        is_turned = (names[a], names[b]) not in known
        place = known.get((names[b], names[a]) if is_turned else (names[a], names[b]))
        if place is not None:
            row = _combined_row(pairs, place, is_turned=is_turned)
            rows.append([names[a], names[b], *row, _small(pairs.p_adjusted[place], found.alpha)])
    title = (
        "Each task's own test: tasks on which a is significantly better, neither, significantly worse, p "
        f"adjusted for all pairs of a task. Over {unit_count(found)}: mean of the differences of losses "
        f"a less b (random effects), how much it varies between {units_name(found)} (tau), between which "
        "values that "
        f"of a further one lies ({level}), and p, {adjustment_words(found.adjustment)}{which}:"
    )
    return [*fold(title, ""), *_table(rows)]


def _combined_row(pairs: CombinedPairs, place: int, *, is_turned: bool) -> list[str]:
    """Return what single tasks say of a pair, and their mean; turned: of the second less the first."""
    effects, sign = pairs.effects, -1 if is_turned else 1
    counts = [str(column[place]) for column in (pairs.wins, pairs.ties, pairs.losses)]
    ends = [(effects.lower, effects.upper), (effects.next_lower, effects.next_upper)]
    around = [_ends(sorted(sign * float(column[place]) for column in pair)) for pair in ends]
    numbers = [f"{sign * effects.mean[place]:.3g}", around[0], f"{effects.tau[place]:.3g}", around[1]]
    shown = ["" if "nan" in text else text for text in numbers]
    return ["/".join(counts[::sign]), str(pairs.untested[place]), *shown]


def _table(rows: list[list[str]]) -> list[str]:
    """Return rows as lines, and what marks in them mean, once."""
    return [*aligned(rows, indent=INDENT, left=2), *(TINY if any("*" in row for row in rows) else [])]


def _ends(ends: Sequence[float]) -> str:
    lower, upper = (0.0 if abs(end) <= NEXT_TO_ZERO else end for end in ends)
    return f"{lower:.3g} to {upper:.3g}"


def _small(p: float, alpha: float) -> str:
    """Return p, or a mark where it is significant and so small that digits say nothing."""
    return "*" if p < min(SMALLEST_P, alpha) else p_text(p)


def _number(value: float) -> str:
    return "infinite" if math.isinf(value) else f"{value:.4f}"
