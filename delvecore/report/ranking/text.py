"""A ranking of methods over tasks for reading, and as a table for a paper."""

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from delvecore.report.grid import Column
from delvecore.report.ranking.records import ranking_csv, ranking_json
from delvecore.report.rounding import p_text, rounded
from delvecore.report.writers.latex import latex_table
from delvecore.report.writers.text import aligned, counted, fold
from delvecore.statistics.ranking.analysis import Analysis
from delvecore.statistics.ranking.combined import CombinedPairs
from delvecore.statistics.ranking.rank_tests import control_difference

__all__ = ["RANKING_FORMATS", "ranking_notes", "ranking_text"]

MOST_PAIRS = 66
"""With more pairs than those of 12 methods, only pairs that differ are printed."""
MOST_SHOWN = 200
INDENT = "  "
FLOAT_NOISE = 1e-13
"""Mean differences below this share of the largest value are those of rounding, and printed as 0."""


def ranking_text(found: Analysis, form: str, *, combined: CombinedPairs | None = None) -> str:
    """Return an analysis in one of RANKING_FORMATS; KeyError for another format.

    combined: DELVE's own comparisons over the same tasks, for text and JSON.
    """
    return RANKING_FORMATS[form](found, combined)


def _text(found: Analysis, combined: CombinedPairs | None) -> str:
    sections = [_heading(found), _methods(found), _global_tests(found), _ranks(found), _pairs(found)]
    if combined is not None:
        sections.append(_combined(combined))
    notes = [line for note in ranking_notes(found) for line in fold(note, "")]
    return "\n\n".join("\n".join(lines) for lines in [*sections, notes] if lines) + "\n"


def _heading(found: Analysis) -> list[str]:
    tasks, methods = found.table.values.shape
    what = f", {found.table.quantity}" if found.table.quantity else ""
    return [f"{methods} methods on {tasks} tasks{what}, level {found.alpha:g}"]


def _methods(found: Analysis) -> list[str]:
    """A line for each method, best mean rank first."""
    intervals = found.rank_intervals
    level = f"{100 * (1 - found.alpha):g} % interval"
    header = ["", "mean rank", level, "best on", "mean", "median"]
    rows = [header]
    first = (found.ranks.ranks == found.ranks.ranks.min(axis=1, keepdims=True)).sum(axis=0)
    for place in found.order:
        values = found.table.values[:, place]
        ends = rounded(intervals.lower[place], 2), rounded(intervals.upper[place], 2)
        rows.append(
            [
                found.table.methods[place],
                rounded(found.ranks.average[place], 3),
                f"{ends[0]} to {ends[1]}",
                str(int(first[place])),
                f"{values.mean():.4g}",
                f"{_median(values):.4g}",
            ]
        )
    return aligned(rows)


def _global_tests(found: Analysis) -> list[str]:
    friedman, f, quade = found.friedman, found.iman_davenport, found.quade
    exact = "" if friedman.exact_p is None else f", exact p {_p(friedman.exact_p)}"
    tests = [
        [
            "Friedman, ties corrected",
            f"chi2({friedman.df}) = {friedman.chi2:.4f}, p {_p(friedman.p)}{exact}",
        ],
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
        cd = control_difference(found.alpha, len(names), len(found.table.tasks))
        return [*lines, f"Bonferroni-Dunn: {cd:.4f} from a control (--control M names it)."]
    different = [names[place] for place in found.order if control.different[place]]
    return [
        *lines,
        f"Bonferroni-Dunn: {control.cd:.4f} from the control {names[control.control]}. Different: "
        f"{', '.join(different) or 'none'}.",
    ]


def _bars(groups: Iterable[Sequence[str]]) -> list[str]:
    return [line for group in groups for line in fold(", ".join(group), INDENT)] or [f"{INDENT}none"]


def _pairs(found: Analysis) -> list[str]:
    """Pairs with wins, differences and p; all of them, or those that differ where there are many."""
    wins, ties, losses = found.wins
    test, t, names = found.wilcoxon, found.t_tests, found.table.methods
    shown = list(range(len(test.p)))
    title = "Pairs: wins, ties and losses of a; p, adjusted for all pairs (Wilcoxon and t by Holm):"
    if len(test.p) > MOST_PAIRS:
        differing = [pair for pair in shown if test.p_holm[pair] < found.alpha]
        shown = sorted(differing, key=lambda pair: test.p_holm[pair])[:MOST_SHOWN]
        title = (
            f"{len(differing)} of {len(test.p)} pairs differ by Wilcoxon's test with Holm's adjustment; "
            f"{len(shown)} follow, --format csv has all:"
        )
    noise = FLOAT_NOISE * np.abs(found.table.values).max()
    rows = [["a", "b", "w/t/l", "mean difference", "Wilcoxon", "Nemenyi", "t-test"]]
    for pair in shown:
        rows.append(
            [
                names[test.first[pair]],
                names[test.second[pair]],
                f"{wins[pair]}/{ties[pair]}/{losses[pair]}",
                f"{0.0 if abs(t.difference[pair]) < noise else t.difference[pair]:.4g}",
                p_text(test.p_holm[pair]),
                p_text(found.nemenyi.p[pair]),
                p_text(t.p_holm[pair]),
            ]
        )
    lines = aligned(rows, indent=INDENT, left=2) if len(rows) > 1 else []
    groups = ["Groups in which no pair differs by Wilcoxon's test:", *_bars(found.names(found.cliques))]
    return [*fold(title, ""), *lines, "", *groups]


def _combined(pairs: CombinedPairs) -> list[str]:
    """Wins by each task's own test, and what the tests say together, of the pairs most sure to differ."""
    rows = [["a", "b", "w/t/l", "untested", "Stouffer", "Holm", "Fisher"]]
    for pair in sorted(range(len(pairs.tasks)), key=lambda pair: pairs.p_stouffer[pair])[:MOST_PAIRS]:
        rows.append(
            [
                *(pairs.methods_a[pair], pairs.methods_b[pair]),
                f"{pairs.wins[pair]}/{pairs.ties[pair]}/{pairs.losses[pair]}",
                str(pairs.untested[pair]),
                *(p_text(p[pair]) for p in (pairs.p_stouffer, pairs.p_holm, pairs.p_fisher)),
            ]
        )
    title = (
        f"Each task's own test, as mstats makes it: tasks that a wins, ties and loses at {pairs.level:g}; "
        f"p of all tasks together ({len(rows) - 1} of {len(pairs.tasks)} pairs):"
    )
    return [*fold(title, ""), *aligned(rows, indent=INDENT, left=2)]


def _latex(found: Analysis) -> str:
    """A table of the methods, best first, with mean ranks, values and p against the control or the best."""
    names = found.table.methods
    place = found.order[0] if found.control is None else found.control
    columns = [Column("Method"), *(Column(title, "r") for title in ("Mean rank", "Mean", "Median"))]
    columns += [Column("W/T/L", "r"), Column("p", "r")]
    rows = [_latex_row(found, one, place) for one in found.order]
    bold = {(row, 0) for row, one in enumerate(found.order) if one == place}
    role = "the control" if found.control is not None else "the lowest mean rank"
    note = " ".join(
        [
            f"W/T/L: tasks on which {names[place]} ({role}) is better, equal, worse.",
            "p: Wilcoxon's signed-rank test against it, Holm-adjusted over all pairs of methods.",
            f"Nemenyi's critical difference of mean ranks at {found.alpha:g}: {found.nemenyi.cd:.3f}.",
            *ranking_notes(found),
        ]
    )
    tasks, methods = found.table.values.shape
    what = f" ({found.table.quantity})" if found.table.quantity else ""
    caption = f"{methods} methods on {tasks} tasks{what}."
    return latex_table(columns, rows, caption=caption, label="tab:ranking", note=note, bold=bold)


def _latex_row(found: Analysis, method: int, against: int) -> list[str]:
    values = found.table.values[:, method]
    row = [found.table.methods[method], rounded(found.ranks.average[method], 2)]
    row += [f"{values.mean():.4g}", f"{_median(values):.4g}"]
    if method == against:
        return [*row, "", ""]
    first, second = sorted((method, against))
    pair = int(((found.scan.first == first) & (found.scan.second == second)).nonzero()[0][0])
    wins, ties, losses = (int(counts[pair]) for counts in found.wins)
    if first == method:
        wins, losses = losses, wins
    return [*row, f"{wins}/{ties}/{losses}", p_text(found.wilcoxon.p_holm[pair])]


def _median(values: NDArray[np.float64]) -> float:
    ordered = sorted(values.tolist())
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _p(p: float) -> str:
    text = p_text(p)
    return text if text.startswith("<") else f"= {text or 'undefined'}"


def _number(value: float) -> str:
    return "infinite" if math.isinf(value) else f"{value:.4f}"


def ranking_notes(found: Analysis) -> list[str]:
    """Return sentences for below a table or diagram, those that hold in every case last."""
    return [*_left_out(found), *_global(found), *_groups(found), *_always(found)]


def _left_out(found: Analysis) -> list[str]:
    notes = []
    if found.dropped_tasks:
        notes.append(
            f"{counted(len(found.dropped_tasks), 'task')} of {len(found.given.tasks)} left out, where a "
            f"method has no value: {_listed(found.dropped_tasks)}."
        )
    if found.dropped_methods:
        notes.append(f"Methods left out, without a value on every task: {_listed(found.dropped_methods)}.")
    return notes


def _global(found: Analysis) -> list[str]:
    if found.is_significant:
        return []
    p = found.friedman.p if found.friedman.exact_p is None else found.friedman.exact_p
    return [
        f"The global test finds no difference at {found.alpha:g} (p = {p:.3g}): differences of pairs are to "
        "be read with that in mind."
    ]


def _groups(found: Analysis) -> list[str]:
    if found.cliques.complete:
        return []
    return [f"Only the first {len(found.cliques.members)} groups of Wilcoxon's test are listed."]


def _always(found: Analysis) -> list[str]:
    better = "higher" if found.table.higher_is_better else "lower"
    zeros = (
        "ranked with the others, and their ranks left out (Pratt)"
        if found.wilcoxon.zeros_treatment == ("pratt")
        else "dropped"
    )
    return [
        f"Ranks: 1 is best, {better} values are better; equal values share the mean of their ranks.",
        "Mean ranks, and Nemenyi's and Bonferroni-Dunn's tests of them, depend on which methods are in the "
        "table; wins, Wilcoxon's test and the t-test of a pair do not.",
        f"Wilcoxon: two-sided, differences of zero {zeros}; exact up to 50 others, then normal. p is "
        "adjusted by Holm's method over all pairs.",
        "All p-values take the tasks for independent; those of one dataset are not quite.",
    ]


def _listed(names: Sequence[str], most: int = 10) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


RANKING_FORMATS: dict[str, Callable[[Analysis, CombinedPairs | None], str]] = {
    "text": _text,
    "json": ranking_json,
    "csv": lambda found, _: ranking_csv(found),
    "latex": lambda found, _: _latex(found),
}
