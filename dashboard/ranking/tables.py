"""Ranks, pairs and values, each made once for a Request: records for figures, and tables of numbers.

Methods stand in the order of their mean ranks.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from dashboard.frame import theme, words
from dashboard.ranking.choice import CONTROL, MINE, NEMENYI, WILCOXON, Request
from dashboard.ranking.data import analysis_of, names_in_order, per_request, score_table
from dashboard.ranking.figures.critical_difference import Diagram, DiagramMethod, Mark
from dashboard.ranking.figures.rank_pairs import NUMBERS, RankPairs
from dashboard.ranking.figures.score_distributions import ScoreAxis, ScoreDistributions, Scores
from dashboard.server import archive as opened
from delvecore.report.rounding import p_text
from delvecore.statistics.ranking.analysis import Analysis

__all__ = [
    "MOST_PAIRS",
    "diagram_numbers",
    "diagram_of",
    "distributions",
    "first_pairs",
    "frame_of",
    "global_tests",
    "looks",
    "order_table",
    "pairs_numbers",
    "pairs_of",
    "value_numbers",
    "values_table",
]

MOST_COLOURS = 8
MOST_PAIRS = 60
"""The matrix of pairs holds so many methods."""


def frame_of(rows: Iterable[Any], *names: str) -> pd.DataFrame:
    """Return these fields of records as columns."""
    kept = list(rows)
    return pd.DataFrame({name: [getattr(row, name) for row in kept] for name in names})


def looks(request: Request, methods: list[str]) -> list[theme.MethodStyle]:
    """Return colour and symbol of methods, as on every page; of more than eight, the later ones are grey."""
    known = opened.method_styles(request.state)
    strangers = theme.method_styles([*known, *(name for name in methods if name not in known)])
    styles = [{**strangers, **known}[name] for name in methods]
    return styles[:MOST_COLOURS] + [style.grey() for style in styles[MOST_COLOURS:]]


@per_request
def diagram_of(request: Request) -> Diagram:
    """The critical-difference diagram of the request's test."""
    found, test = analysis_of(request), request.test
    places = {method: row for row, method in enumerate(found.order)}
    groups = {NEMENYI: found.nemenyi.groups, WILCOXON: found.cliques}.get(test)
    dunn = found.bonferroni_dunn if test == CONTROL else None
    names = names_in_order(found)
    rows = zip(found.order, names, _p_against(found, test), looks(request, names), strict=True)
    methods = tuple(
        DiagramMethod(name, float(found.ranks.average[place]), p, _mark(found, test, place), style)
        for place, name, p, style in rows
    )
    return Diagram(
        methods,
        tuple(tuple(sorted(places[one] for one in group)) for group in groups.members) if groups else (),
        dunn.cd if dunn is not None else found.nemenyi.cd if test == NEMENYI else None,
        places[found.control] if dunn is not None and found.control is not None else None,
        found.table.methods[_against(found, test)],
        _note(found),
    )


def _mark(found: Analysis, test: str, place: int) -> Mark:
    if test != CONTROL or found.bonferroni_dunn is None:
        return ""
    if place == found.control:
        return "control"
    return "different" if found.bonferroni_dunn.different[place] else ""


def _against(found: Analysis, test: str) -> int:
    """Return the place of the method that p-values are against: the control, or the first."""
    return found.control if test == CONTROL and found.control is not None else found.order[0]


def _p_against(found: Analysis, test: str) -> list[float]:
    """The p-value of each method against the first, or against the control, adjusted as the test is."""
    against = _against(found, test)
    if test == CONTROL and found.bonferroni_dunn is not None:
        adjusted = found.bonferroni_dunn.p_bonferroni
        return [np.nan if place == against else float(adjusted[place]) for place in found.order]
    p = found.wilcoxon.p_holm if test == WILCOXON else found.nemenyi.p
    pairs = zip(found.scan.first.tolist(), found.scan.second.tolist(), strict=True)
    by_pair = dict(zip(pairs, p.tolist(), strict=True))
    return [
        np.nan if place == against else by_pair[min(place, against), max(place, against)]
        for place in found.order
    ]


def _note(found: Analysis) -> str:
    if found.is_significant:
        return ""
    p = words.p_value(found.friedman.p if found.friedman.exact_p is None else found.friedman.exact_p)
    return f"Friedman’s test finds no difference at {found.alpha:g} ({p}): no method is shown to differ."


@per_request
def diagram_numbers(request: Request) -> pd.DataFrame:
    """Mean ranks with p-values and the groups that each method is in, by number."""
    diagram = diagram_of(request)
    if request.test == CONTROL:
        return frame_of(diagram.methods, "method", "rank", "p", "mark")
    groups = [
        ", ".join(str(number) for number, group in enumerate(diagram.groups, 1) if row in group)
        for row in range(len(diagram.methods))
    ]
    return frame_of(diagram.methods, "method", "rank", "p").assign(groups=groups)


@per_request
def pairs_of(request: Request) -> RankPairs:
    """All ordered pairs of methods."""
    found = analysis_of(request)
    order, count = np.array(found.order), len(found.order)
    rows, columns = np.meshgrid(order, order, indexing="ij")
    low, high = np.minimum(rows, columns), np.maximum(rows, columns)
    pair = low * count - low * (low + 1) // 2 + high - low - 1
    turned = rows > columns
    sign = np.where(turned, -1.0, 1.0)
    wins, ties, losses = found.wins
    p = found.wilcoxon.p[pair]
    # Whose signed ranks weigh more? Where the test finds a difference they are not equal.
    row_larger = (found.wilcoxon.rank_sum_a[pair] > found.wilcoxon.rank_sum_b[pair]) != turned
    better = np.where(row_larger == found.table.higher_is_better, "better", "worse")
    return RankPairs(
        methods=tuple(names_in_order(found)),
        difference=found.scan.mean[pair] * sign + 0.0,
        median=found.scan.median[pair] * sign + 0.0,
        wins=np.where(turned, losses[pair], wins[pair]),
        ties=ties[pair],
        losses=np.where(turned, wins[pair], losses[pair]),
        p=p,
        p_holm=found.wilcoxon.p_holm[pair],
        verdict=np.where(p >= found.alpha, "not settled", better),
    )


def first_pairs(request: Request) -> RankPairs:
    """The pairs of the first methods, as many as a matrix can hold."""
    return pairs_of(request).first(MOST_PAIRS)


@per_request
def pairs_numbers(request: Request) -> pd.DataFrame:
    """Each pair once, in the order of mean ranks, with all its numbers."""
    pairs = pairs_of(request)
    rows, columns = np.triu_indices(len(pairs.methods), 1)
    names = np.array(pairs.methods, dtype=object)
    numbers = {name: getattr(pairs, name)[rows, columns] for name in NUMBERS}
    verdict = pairs.verdict[rows, columns].astype(object)
    return pd.DataFrame({"row": names[rows], "column": names[columns], **numbers, "verdict": verdict})


@per_request
def global_tests(request: Request) -> pd.DataFrame:
    """The tests of all methods at once, and the critical differences."""
    found = analysis_of(request)
    friedman, davenport = found.friedman, found.iman_davenport
    quade, aligned = found.quade, found.aligned_ranks
    df = str(friedman.df)
    rows: list[tuple[str, str, float, str, float | None]] = [
        ("Friedman, corrected for ties", "χ²", friedman.chi2, df, friedman.p),
        ("Friedman, not corrected", "χ²", friedman.chi2_uncorrected, df, friedman.p_uncorrected),
    ]
    if friedman.exact_p is not None:
        rows.append(("Friedman, exact", "χ²", friedman.chi2, "", friedman.exact_p))
    df = f"{davenport.df1}, {davenport.df2}"
    rows.append(("Iman and Davenport, corrected for ties", "F", davenport.f, df, davenport.p))
    rows.append(("Quade, tasks weighted by their range", "F", quade.f, f"{quade.df1}, {quade.df2}", quade.p))
    rows.append(("Aligned ranks", "χ²", aligned.chi2, str(aligned.df), aligned.p))
    if found.given.missing:
        mack = found.skillings_mack
        tasks = words.count(mack.tasks, "task")
        rows.append((f"Skillings and Mack, {tasks}, gaps allowed", "χ²", mack.chi2, str(mack.df), mack.p))
    rows.append(("Nemenyi’s critical difference", "CD", found.nemenyi.cd, "", None))
    if found.bonferroni_dunn is not None:
        rows.append(("Bonferroni-Dunn’s critical difference", "CD", found.bonferroni_dunn.cd, "", None))
    table = pd.DataFrame(rows, columns=["Test", "Statistic", "Value", "Degrees of freedom", "p"])
    return table.assign(p=["" if row[-1] is None else p_text(row[-1]) for row in rows])


@per_request
def order_table(request: Request) -> pd.DataFrame:
    """Methods by mean rank: method, rank, firsts (tasks where none is better), median value, p."""
    found = analysis_of(request)
    order = list(found.order)
    ranks = found.ranks.ranks
    best = (ranks == ranks.min(axis=1, keepdims=True)).sum(axis=0)
    return pd.DataFrame(
        {
            "method": names_in_order(found),
            "rank": found.ranks.average[order],
            "firsts": best[order],
            "median": np.median(found.table.values, axis=0)[order],
            "p": _p_against(found, request.test),
        }
    )


@per_request
def values_table(request: Request) -> pd.DataFrame:
    """The values themselves, a task a row: task, whether it counts, then the methods in order of ranks."""
    found, given = analysis_of(request), score_table(request)
    names, dropped = [*names_in_order(found), *found.dropped_methods], set(found.dropped_tasks)
    columns = dict(zip(names, given.select(methods=names).values.T, strict=True))
    counts = [task not in dropped for task in given.tasks]
    return pd.DataFrame({"task": given.tasks, "counts": counts, **columns})


@per_request
def distributions(request: Request) -> ScoreDistributions:
    """The values of each method on the tasks that count."""
    found = analysis_of(request)
    names = names_in_order(found)
    chosen = found.table.select(methods=names)
    rows = zip(names, chosen.values.T.tolist(), looks(request, names), strict=True)
    methods = tuple(Scores(name, tuple(values), style) for name, values, style in rows)
    return ScoreDistributions(methods, tuple(chosen.tasks), _axis(request))


@per_request
def value_numbers(request: Request) -> pd.DataFrame:
    """The values of `distributions`: method, task, value."""
    found = distributions(request)
    return pd.DataFrame(
        {
            "method": [scores.method for scores in found.methods for _ in found.tasks],
            "task": [*found.tasks] * len(found.methods),
            "value": [value for scores in found.methods for value in scores.values],
        }
    )


def _axis(request: Request) -> ScoreAxis:
    if request.source == MINE:
        return ScoreAxis("value   better →" if request.higher else "← better   value")
    known = words.loss_words(request.loss)
    title = words.loss_axis(request.loss, standardized=True)
    return ScoreAxis(title, known.baseline_value, known.baseline) if known else ScoreAxis(title)
