"""What figures of a ranking draw and say in words; methods stand in the order of their mean ranks."""

import math
from collections.abc import Collection, Sequence
from statistics import median

import numpy as np

from delvecore.plots.critical_difference import Diagram, DiagramMethod, Mark
from delvecore.plots.method_rows import AgainstOne, LeaveOut, PlaceRange, ScoreDistributions
from delvecore.plots.ranking_pairs import RankPairs
from delvecore.plots.theme import MethodStyle
from delvecore.render.spans import as_name, strong
from delvecore.report import words
from delvecore.report.ranking.sentences import (
    TaskVerdicts,
    adjustment_name,
    places_words,
    task_counts_sentence,
    test_in_words,
    unit_count,
    units_name,
    untestable_words,
)
from delvecore.report.verdict_words import PHRASES
from delvecore.stats.choose import SIGNIFICANT, Verdict, level_of, percent
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.wilcoxon import scan_pairs
from delvecore.stats.verdicts import (
    PairVerdicts,
    RankTest,
    groups_of,
    place_sets_of,
    verdict_matrix,
    verdict_row,
)


def names_in_order(found: Analysis) -> list[str]:
    """Return the methods, best mean rank first."""
    return [found.table.methods[place] for place in found.order]


def diagram_of(
    found: Analysis, said: PairVerdicts, styles: Sequence[MethodStyle], *, most: int | None = None
) -> Diagram:
    """Return the critical-difference diagram of a test. styles: in order; most: so many methods are shown."""
    places = {method: row for row, method in enumerate(found.order)}
    dunn = found.bonferroni_dunn if said.test == RankTest.CONTROL else None
    marks: dict[int | None, Mark] = {}
    if said.control is not None:
        verdicts = verdict_row(found, said, said.control)
        marks.update((place, "different") for place in places if verdicts[place] in SIGNIFICANT)
        marks[said.control] = "control"
    rows = zip(found.order, names_in_order(found), p_against(found, said), styles, strict=True)
    methods = tuple(
        DiagramMethod(name, float(found.ranks.average[place]), p, marks.get(place, ""), style)
        for place, name, p, style in rows
    )[:most]
    groups = [tuple(sorted(places[one] for one in group)) for group in groups_of(found, said).members]
    is_nemenyi = said.test == RankTest.NEMENYI
    return Diagram(
        methods=methods,
        groups=_shown_groups(groups, len(methods)),
        cd=dunn.cd if dunn is not None else found.nemenyi.cd if is_nemenyi else None,
        control=None if said.control is None else places[said.control],
        against=found.table.methods[_against(found, said)],
        note=" ".join(filter(None, [_test_words(found, said), _no_difference(found)])),
        total=len(places),
    )


def _shown_groups(groups: Sequence[tuple[int, ...]], count: int) -> tuple[tuple[int, ...], ...]:
    """Return what is seen of groups where only the first methods are: no group within another."""
    seen = list(dict.fromkeys(tuple(place for place in group if place < count) for group in groups))
    whole = [set(group) for group in seen]
    return tuple(one for one in seen if len(one) > 1 and not any(set(one) < other for other in whole))


def _test_words(found: Analysis, said: PairVerdicts) -> str:
    """Say by which test the diagram goes, at which confidence, how p is adjusted, and what counts."""
    test = test_in_words(said)
    how = f"{percent(level_of(found.alpha))} confidence, {adjustment_name(said)}"
    text = f"{test[0].upper()}{test[1:]}, {how}; {unit_count(found)}."
    return text if said.is_testable else f"{text} {untestable_words(found, said).capitalize()}."


def _no_difference(found: Analysis) -> str:
    if found.is_significant:
        return ""
    p = found.friedman.p if found.friedman.exact_p is None else found.friedman.exact_p
    note = f"Friedman's test finds no difference at {found.alpha:g} ({words.p_value(p)})"
    return f"{note}."


def _against(found: Analysis, said: PairVerdicts) -> int:
    """Return the place of the method that p-values are against: the control, or the first."""
    return found.order[0] if said.control is None else said.control


def place_ranges_of(
    found: Analysis, said: PairVerdicts, styles: Sequence[MethodStyle]
) -> tuple[PlaceRange, ...]:
    """Return the places that methods may have, by the test of these verdicts. styles: of methods in order."""
    places, average, rows = place_sets_of(found, said), found.ranks.average, []
    for one, name, style in zip(found.order, names_in_order(found), styles, strict=True):
        rank, ends, text = float(average[one]), (math.nan, math.nan), ""
        place = 1 + (average < rank).sum() + ((average == rank).sum() - 1) / 2
        if places is not None:
            ends = places.of(one)
            text = f"{places_words(places.of(one))}   "
        rows.append(PlaceRange(name, float(place), *ends, rank, f"{text}mean rank {rank:.2f}", style))
    return tuple(rows)


def p_against(found: Analysis, said: PairVerdicts) -> list[float]:
    """Return each method's p against the first, or against the control, adjusted as the test is."""
    against = _against(found, said)
    p = said.p_adjusted[found.pair_numbers[against]].tolist()
    return [np.nan if place == against else p[place] for place in found.order]


def rank_pairs_of(
    found: Analysis, said: PairVerdicts, *, methods: Collection[str] | None = None
) -> RankPairs:
    """Return all ordered pairs of these methods, best mean rank first; None: of all."""
    names = found.table.methods
    order = np.array([place for place in found.order if methods is None or names[place] in methods], np.intp)
    first, second = np.sort(order[list(np.triu_indices(len(order), 1))], axis=0)
    scan = (
        found.scan if methods is None else scan_pairs(found.units, zeros=found.zeros, pairs=(first, second))
    )
    numbers = np.zeros((len(names),) * 2, dtype=np.intp)
    numbers[scan.first, scan.second] = numbers[scan.second, scan.first] = np.arange(len(scan.first))
    rows, columns = np.meshgrid(order, order, indexing="ij")
    here, pair, turned = numbers[rows, columns], found.pair_numbers[rows, columns], rows > columns
    sign = np.where(turned, -1.0, 1.0)
    wins, ties, losses = scan.wins
    return RankPairs(
        methods=tuple(names[place] for place in order),
        difference=scan.mean[here] * sign + 0.0,
        median=scan.median[here] * sign + 0.0,
        wins=np.where(turned, losses[here], wins[here]),
        ties=ties[here],
        losses=np.where(turned, wins[here], losses[here]),
        p=said.p[pair],
        p_adjusted=said.p_adjusted[pair],
        verdict=verdict_matrix(found, said)[rows, columns],
        units=units_name(found),
        is_higher=found.table.higher_is_better,
    )


MOST_NEEDED = 10_000


def pair_sentence(pairs: RankPairs, pair: tuple[str, str], tests: TaskVerdicts | None, needed: float) -> str:
    """What is said of two methods on single tasks, and over all of them?

    tests: on how many tasks the first is better, by each one's own test; None where there are none. needed:
    how many units would make it significant; not a number where that cannot be told."""
    place = tuple(pairs.methods.index(name) for name in pair)
    a, b = map(as_name, pair)
    said = ""
    if tests is not None:
        said = f"{strong(task_counts_sentence(pair, tests))} "
    wins, ties, losses = (int(part[place]) for part in (pairs.wins, pairs.ties, pairs.losses))
    if not wins and not losses:
        return f"{said}Over all {ties} {pairs.units}: {strong(f'{a} and {b} are identical')}."
    verdict = pairs.verdict[place]
    better = {Verdict.BETTER: a, Verdict.WORSE: b}.get(verdict)
    shown = f"{better} is {PHRASES[Verdict.BETTER]}" if better else PHRASES[verdict]
    said += f"Over all {wins + ties + losses} {pairs.units}: mean difference "
    said += f"{words.number(pairs.difference[place], digits=2)}, better on {wins}"
    said += f", {words.p_value(pairs.p_adjusted[place])}: {strong(shown)}."
    if better or math.isnan(needed):
        return said
    if needed > MOST_NEEDED:
        return f"{said} Were it as small as it seems, more {pairs.units} would hardly make it significant."
    return f"{said} If the difference is as it seems, 80 % power needs about {int(needed)} {pairs.units}."


def alt_of_pairs(found: RankPairs) -> str:
    """`Of 3 tested pairs 1 differs: gp-1 is better than lin-1.`"""
    names, better = found.methods, found.verdict == "better"
    said = [
        f"{name} is better than {words.and_list([names[place] for place in np.flatnonzero(row)])}"
        for name, row in zip(names, better, strict=True)
        if row.any()
    ]
    upper = found.verdict[np.triu_indices(len(names), 1)]
    pairs = words.count(int((upper != Verdict.NOT_TESTED).sum()), "tested pair")
    lead = f"Of {pairs} {better.sum()} differ" + "s" * int(better.sum() == 1)
    return f"{lead}: {'; '.join(said)}." if said else f"{lead}."


def alt_of_tasks(found: AgainstOne[TaskVerdicts]) -> str:
    """`lin-1 2, 5 and 30; cart-1 0, 1 and 36`"""
    return "; ".join(f"{row.method} {row.wins}, {row.ties} and {row.losses}" for row in found.rows)


def alt_of_values(found: ScoreDistributions) -> str:
    """`gp-1 0.35; lin-1 0.57`: medians."""
    said = ((one.method, median(one.values)) for one in found.methods if one.values)
    return "; ".join(f"{name} {words.number(value, digits=3)}" for name, value in said)


def alt_of_left_out(found: LeaveOut) -> str:
    """`all datasets: gp-1 1.8, lin-1 2.4; without kin: ...`, in the order of each row."""
    rows = []
    for row in found.rows:
        order = sorted(zip(row.ranks, found.methods, strict=True))
        rows.append(f"{row.title}: " + ", ".join(f"{name} {rank:.1f}" for rank, name in order))
    return "; ".join(rows)
