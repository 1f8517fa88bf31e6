"""A ranking of methods over tasks for reading, and as a table for a paper."""

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import median

import numpy as np

from delvecore.report.grid import Column, grid_of_texts
from delvecore.report.ranking.records import ranking_csv, ranking_json
from delvecore.report.ranking.units import (
    basis_words,
    family_words,
    unit_count,
    unit_source,
    units_name,
)
from delvecore.report.rounding import SMALLEST_P, p_text, rounded
from delvecore.report.writers.latex import latex_grid
from delvecore.report.writers.text import aligned, counted, fold
from delvecore.statistics.adjust import adjust
from delvecore.statistics.choose import adjustment_words
from delvecore.statistics.ranking.analysis import Analysis
from delvecore.statistics.ranking.combined import CombinedPairs
from delvecore.statistics.ranking.pair_verdicts import RankTest, pair_verdicts
from delvecore.statistics.ranking.rank_tests import control_difference
from delvecore.statistics.ranking.units import DATASET, TASK, holds_several

__all__ = ["ranking_text"]

MOST_PAIRS = 66
"""With more pairs than those of 12 methods, only pairs that differ are printed."""
MOST_SHOWN = 200
INDENT = "  "
FLOAT_NOISE = 1e-13
"""Mean differences below this share of the largest value are those of rounding, and printed as 0."""


def ranking_text(
    found: Analysis, form: str, *, combined: CombinedPairs | None = None, said: Sequence[str] = ()
) -> str:
    """Return an analysis in one of FORMATS; KeyError for another format. combined: DELVE's own comparisons
    over the same tasks, for text and JSON; said: what is to be said of the tasks' numbers."""
    return FORMATS[form](found, combined, said)


def _text(found: Analysis, combined: CombinedPairs | None, said: Sequence[str]) -> str:
    what = f"; {found.table.quantity}" if found.table.quantity else ""
    first = f"{len(found.table.methods)} methods on {basis_words(found)}{what}; confidence {_percent(found)}"
    sections = [fold(first, ""), _methods(found), _global_tests(found), _ranks(found), _pairs(found)]
    if combined is not None:
        sections.append(_combined(found, combined))
    notes = [line for note in (*said, *_notes(found)) for line in fold(note, "")]
    return "\n\n".join("\n".join(lines) for lines in [*sections, notes] if lines) + "\n"


def _methods(found: Analysis) -> list[str]:
    """A line for each method, best mean rank first."""
    intervals = found.rank_intervals
    rows = [["", "mean rank", f"{_percent(found)} interval", "best on", "mean", "median"]]
    first = (found.ranks.ranks == found.ranks.ranks.min(axis=1, keepdims=True)).sum(axis=0)
    for place in found.order:
        values = found.table.values[:, place]
        ends = f"{rounded(intervals.lower[place], 2)} to {rounded(intervals.upper[place], 2)}"
        name, rank = found.table.methods[place], rounded(found.ranks.average[place], 3)
        middle = f"{median(values.tolist()):.4g}"
        rows.append([name, rank, ends, f"{first[place]}", f"{values.mean():.4g}", middle])
    return aligned(rows)


def _global_tests(found: Analysis) -> list[str]:
    friedman, f, quade = found.friedman, found.iman_davenport, found.quade
    exact = "" if friedman.exact_p is None else f", exact p {_p(friedman.exact_p)}"
    corrected = f"chi2({friedman.df}) = {friedman.chi2:.4f}, p {_p(friedman.p)}{exact}"
    tests = [
        ["Friedman, ties corrected", corrected],
        ["Friedman, uncorrected", f"chi2({friedman.df}) = {friedman.chi2_uncorrected:.4f}"],
        ["Iman-Davenport", f"F({f.df1}, {f.df2}) = {_number(f.f)}, p {_p(f.p)}"],
        ["Quade", f"F({quade.df1}, {quade.df2}) = {_number(quade.f)}, p {_p(quade.p)}"],
    ]
    if found.dropped_tasks or found.dropped_methods:
        all_cells = found.skillings_mack
        text = f"chi2({all_cells.df}) = {all_cells.chi2:.4f}, p {_p(all_cells.p)}, {all_cells.tasks} tasks"
        tests.append(["Skillings-Mack, with gaps", text])
    return ["Do the methods differ at all?", *aligned(tests, indent=INDENT, left=2)]


def _ranks(found: Analysis) -> list[str]:
    names = found.table.methods
    lines = [f"Nemenyi: mean ranks that are {found.nemenyi.cd:.4f} apart differ. Groups that do not:"]
    lines += _bars(found.names(found.nemenyi.groups))
    control = found.bonferroni_dunn
    if control is None:
        cd = control_difference(found.ranks, alpha=found.alpha)
        return [*lines, f"Bonferroni-Dunn: {cd:.4f} from a control (--control M names it)."]
    different = ", ".join(names[place] for place in found.order if control.different[place])
    said = f"Bonferroni-Dunn: {control.cd:.4f} from the control {names[control.control]}."
    return [*lines, f"{said} Different: {different or 'none'}."]


def _bars(groups: Iterable[Sequence[str]]) -> list[str]:
    return [line for group in groups for line in fold(", ".join(group), INDENT)] or [f"{INDENT}none"]


def _pairs(found: Analysis) -> list[str]:
    """Pairs with wins, differences and p; all of them, or those that differ where there are many."""
    wins, ties, losses = found.scan.wins
    test, t, names = found.wilcoxon, found.t_tests, found.table.methods
    shown = list(range(len(test.p)))
    wilcoxon, flips = (pair_verdicts(found, test) for test in (RankTest.WILCOXON, RankTest.FLIPS))
    how = adjustment_words(found.adjustment)
    title = f"Pairs: {units_name(found)} that a wins, ties and loses; p, {how}:"
    if len(test.p) > MOST_PAIRS:
        differing = [pair for pair in shown if wilcoxon.different[pair]]
        shown = sorted(differing, key=lambda pair: wilcoxon.p_adjusted[pair])[:MOST_SHOWN]
        title = (
            f"{len(differing)} of {len(test.p)} pairs differ by Wilcoxon's test, p {how}; "
            f"{len(shown)} follow, --format csv has all:"
        )
    noise = FLOAT_NOISE * np.abs(found.table.values).max()
    t_adjusted = adjust(t.p, method=found.adjustment)
    tests = (wilcoxon.p_adjusted, found.nemenyi.p, t_adjusted, flips.p_adjusted)
    rows = [["a", "b", "w/t/l", "mean difference", "Wilcoxon", "Nemenyi", "t-test", "sign flips"]]
    for pair in shown:
        row = [names[test.first[pair]], names[test.second[pair]], f"{wins[pair]}/{ties[pair]}/{losses[pair]}"]
        row.append(f"{0.0 if abs(t.difference[pair]) < noise else t.difference[pair]:.4g}")
        rows.append([*row, *(_small(p[pair], found.alpha) for p in tests)])
    lines = aligned(rows, indent=INDENT, left=2) if len(rows) > 1 else []
    lines += [f"{INDENT}*: p < 0.0001"] if any("*" in row for row in rows) else []
    groups = ["Groups in which no pair differs by Wilcoxon's test:", *_bars(found.names(found.cliques))]
    return [*fold(title, ""), *lines, "", *groups]


def _combined(found: Analysis, pairs: CombinedPairs) -> list[str]:
    """Tasks by each one's own test, and the mean over units, of the pairs most sure to differ."""
    percent, effects = _percent(found), pairs.effects
    rows = [["a", "b", "w/t/l", "untested", "mean", f"{percent} interval", "tau", "a further one", "p"]]
    order = np.argsort(np.where(np.isnan(effects.p), 2.0, effects.p), kind="stable")
    for pair in order[:MOST_PAIRS].tolist():
        row = [pairs.methods_a[pair], pairs.methods_b[pair]]
        row += [f"{pairs.wins[pair]}/{pairs.ties[pair]}/{pairs.losses[pair]}", str(pairs.untested[pair])]
        numbers = [f"{effects.mean[pair]:.3g}", _ends(effects.lower[pair], effects.upper[pair])]
        numbers += [f"{effects.tau[pair]:.3g}", _ends(effects.next_lower[pair], effects.next_upper[pair])]
        numbers = ["" if "nan" in text else text for text in numbers]
        rows.append([*row, *numbers, _small(pairs.p_adjusted[pair], found.alpha)])
    title = (
        "Each task's own test: tasks on which a is settled as better, open, settled as worse, p adjusted for "
        f"all pairs of a task. Over {unit_count(found)}: mean of the standardized differences a less b "
        f"(random effects), how much it varies between {units_name(found)} (tau), between which values that "
        f"of a further one lies ({percent}), and p, {adjustment_words(found.adjustment)} ({len(rows) - 1} of "
        f"{len(pairs.tasks)} pairs):"
    )
    marked = [f"{INDENT}*: p < 0.0001"] if any("*" in row for row in rows) else []
    return [*fold(title, ""), *aligned(rows, indent=INDENT, left=2), *marked]


def _ends(lower: float, upper: float) -> str:
    return f"{lower:.3g} to {upper:.3g}"


def _latex(found: Analysis, said: Sequence[str]) -> str:
    """A table of the methods, best first, with mean ranks, values and p against the control or the best."""
    names = found.table.methods
    place = found.order[0] if found.control is None else found.control
    columns = [Column("Method"), *(Column(title, "r") for title in ("Mean rank", "Mean", "Median"))]
    columns += [Column("W/T/L", "r"), Column("p", "r")]
    rows = [_latex_row(found, one, place) for one in found.order]
    bold = {(row, 0) for row, one in enumerate(found.order) if one == place}
    role = "the control" if found.control is not None else "the lowest mean rank"
    notes = [
        f"W/T/L: {units_name(found)} on which {names[place]} ({role}) is better, equal, worse.",
        f"p: Wilcoxon's signed-rank test against it, {adjustment_words(found.adjustment)} of methods.",
        f"Nemenyi's critical difference of mean ranks at {found.alpha:g}: {found.nemenyi.cd:.3f}.",
        *said,
        *_notes(found),
    ]
    what = f" ({found.table.quantity})" if found.table.quantity else ""
    caption = f"{len(found.table.methods)} methods on {basis_words(found)}{what}."
    about = {"caption": caption, "label": "tab:ranking"}
    return latex_grid(grid_of_texts(columns, rows, **about, notes=notes, bold=bold))


def _latex_row(found: Analysis, method: int, against: int) -> list[str]:
    values = found.table.values[:, method]
    row = [found.table.methods[method], rounded(found.ranks.average[method], 2)]
    row += [f"{values.mean():.4g}", f"{median(values.tolist()):.4g}"]
    if method == against:
        return [*row, "", ""]
    first, second = sorted((method, against))
    pair = int(((found.scan.first == first) & (found.scan.second == second)).nonzero()[0][0])
    wins, ties, losses = (int(counts[pair]) for counts in found.scan.wins)
    if first == method:
        wins, losses = losses, wins
    return [*row, f"{wins}/{ties}/{losses}", p_text(pair_verdicts(found, RankTest.WILCOXON).p_adjusted[pair])]


def _small(p: float, alpha: float) -> str:
    """Return p, or a mark where it is settled and so small that digits say nothing."""
    return "*" if p < min(SMALLEST_P, alpha) else p_text(p)


def _percent(found: Analysis) -> str:
    return f"{100 * (1 - found.alpha):g} %"


def _p(p: float) -> str:
    text = p_text(p)
    return text if text.startswith("<") else f"= {text or 'undefined'}"


def _number(value: float) -> str:
    return "infinite" if math.isinf(value) else f"{value:.4f}"


def _notes(found: Analysis) -> list[str]:
    """Return sentences for below a table, those that hold in every case last."""
    notes = []
    if found.dropped_tasks:
        notes.append(
            f"{counted(len(found.dropped_tasks), 'task')} of {len(found.given.tasks)} left out, where a "
            f"method has no value: {_listed(found.dropped_tasks)}."
        )
    if found.dropped_methods:
        notes.append(f"Methods left out, without a value on every task: {_listed(found.dropped_methods)}.")
    if not found.is_significant:
        p = found.friedman.p if found.friedman.exact_p is None else found.friedman.exact_p
        notes.append(
            f"The global test finds no difference at {found.alpha:g} (p = {p:.3g}): differences of pairs are "
            "to be read with that in mind."
        )
    if not found.cliques.complete:
        count = len(found.cliques.members)
        notes.append(f"Only the first {count} groups of Wilcoxon's test are listed.")
    better = "higher" if found.table.higher_is_better else "lower"
    is_pratt = found.wilcoxon.zeros_treatment == "pratt"
    zeros = "ranked with the others, and their ranks left out (Pratt)" if is_pratt else "dropped"
    return [
        *notes,
        f"Ranks: 1 is best, {better} values are better; equal values share the mean of their ranks.",
        "Mean ranks, and Nemenyi's and Bonferroni-Dunn's tests of them, depend on which methods are in the "
        "table; wins, Wilcoxon's test and the t-test of a pair do not.",
        f"Wilcoxon: two-sided, differences of zero {zeros}; exact up to 50 others, then normal. p is "
        f"{adjustment_words(found.adjustment)}.",
        "Nemenyi's test allows for all pairs by the studentized range, sign flips do by the largest "
        "statistic where p is adjusted so as to hold the probability of any error.",
        *filter(None, [_on_units(found), unit_source(found), family_words(found, RankTest.NEMENYI)]),
    ]


def _on_units(found: Analysis) -> str:
    """Say what counts once, and what is taken for independent."""
    if holds_several(found.table, found.unit):
        name = found.unit
        return (
            f"Ranks, and values, are averaged over the tasks of each {name} before all tests; intervals of "
            f"mean ranks are drawn from {units_name(found)}, which are taken for independent."
        )
    text = f"All p-values take the {units_name(found)} for independent"
    related = found.unit == TASK and holds_several(found.table, DATASET)
    return f"{text}{'; those of one dataset are not, and p is too small' if related else ''}."


def _listed(names: Sequence[str], most: int = 10) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


FORMATS: dict[str, Callable[[Analysis, CombinedPairs | None, Sequence[str]], str]] = {
    "text": _text,
    "json": ranking_json,
    "csv": lambda found, *_: ranking_csv(found),
    "latex": lambda found, _, said: _latex(found, said),
}
