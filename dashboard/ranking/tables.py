"""Ranks, pairs and values, each made once for a Request: records for figures, and numbers of pairs.

Methods stand in the order of their mean ranks."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.ranking.choice import CONTROL, MINE, NEMENYI, Request
from dashboard.ranking.data import analysis_of, names_in_order, per_request, verdicts_of
from dashboard.server import archive as opened
from delvecore.figures import theme, words
from delvecore.figures.ranking.critical_difference_layout import Diagram, DiagramMethod, Mark
from delvecore.figures.ranking.method_rows import (
    AgainstOne,
    LeaveOut,
    RankInterval,
    RanksWithout,
    ScoreAxis,
    ScoreDistributions,
    Scores,
    TaskVerdicts,
    WinRate,
)
from delvecore.figures.ranking.rank_pairs import NUMBERS, RankPairs
from delvecore.report.ranking.units import unit_count, units_name
from delvecore.statistics.choose import Verdict
from delvecore.statistics.ranking.combined import combine_comparisons
from delvecore.statistics.ranking.effects import wilson_interval
from delvecore.statistics.ranking.pair_verdicts import groups_of
from delvecore.statistics.ranking.ranks import LeftOut, leave_out
from delvecore.statistics.ranking.units import unit_names, units_of_families

__all__ = [
    *("MOST_PAIRS", "combined_table", "diagram_numbers", "diagram_of", "distributions", "first_pairs"),
    *("intervals", "leave_out_ranks", "left_out", "looks", "p_against", "pairs_numbers", "pairs_of"),
    *("settled_tasks", "win_rates"),
]

PLACE = ("dataset", "prototask", "task")
MOST_COLOURS = 8
MOST_PAIRS = 60
"""The matrix of pairs holds so many methods."""


def looks(request: Request, methods: list[str]) -> list[theme.MethodStyle]:
    """Return colour and symbol of methods, as on every page; of more than eight, the later ones are grey."""
    known = theme.method_styles(opened.choices(request.state).methods)
    strangers = theme.method_styles([*known, *(name for name in methods if name not in known)])
    styles = [{**strangers, **known}[name] for name in methods]
    return styles[:MOST_COLOURS] + [style.grey() for style in styles[MOST_COLOURS:]]


@per_request
def diagram_of(request: Request) -> Diagram:
    """The critical-difference diagram of the request's test."""
    found, test = analysis_of(request), request.test
    places = {method: row for row, method in enumerate(found.order)}
    groups = groups_of(found, verdicts_of(request))
    dunn, names = found.bonferroni_dunn if test == CONTROL else None, names_in_order(found)
    marks: dict[int | None, Mark] = {}
    if dunn is not None:
        marks.update((place, "different") for place in places if dunn.different[place])
        marks[found.control] = "control"
    rows = zip(found.order, names, p_against(request), looks(request, names), strict=True)
    methods = tuple(
        DiagramMethod(name, float(found.ranks.average[place]), p, marks.get(place, ""), style)
        for place, name, p, style in rows
    )
    note, p = "", found.friedman.p if found.friedman.exact_p is None else found.friedman.exact_p
    if not found.is_significant:
        note = f"Friedman’s test finds no difference at {found.alpha:g} ({words.p_value(p)}): "
        note += "no method is shown to differ."
    return Diagram(
        methods=methods,
        groups=tuple(tuple(sorted(places[one] for one in group)) for group in groups.members),
        cd=dunn.cd if dunn is not None else found.nemenyi.cd if test == NEMENYI else None,
        control=places[found.control] if dunn is not None and found.control is not None else None,
        against=found.table.methods[_against(request)],
        note=note,
    )


def _against(request: Request) -> int:
    """Return the place of the method that p-values are against: the control, or the first."""
    found = analysis_of(request)
    return found.control if request.test == CONTROL and found.control is not None else found.order[0]


def p_against(request: Request) -> list[float]:
    """The p-value of each method against the first, or against the control, adjusted as the test is."""
    found, against = analysis_of(request), _against(request)
    pairs = zip(found.scan.first.tolist(), found.scan.second.tolist(), strict=True)
    p = verdicts_of(request).p_adjusted.tolist()
    known = {frozenset(pair): value for pair, value in zip(pairs, p, strict=True)}
    return [known.get(frozenset((place, against)), np.nan) for place in found.order]


@per_request
def diagram_numbers(request: Request) -> pd.DataFrame:
    """Mean ranks with p-values and the groups that each method is in, by number."""
    diagram = diagram_of(request)
    table = pd.DataFrame(diagram.methods, columns=DiagramMethod._fields).drop(columns="style")
    if request.test == CONTROL:
        return table
    groups = [
        ", ".join(str(number) for number, group in enumerate(diagram.groups, 1) if row in group)
        for row in range(len(table))
    ]
    return table.drop(columns="mark").assign(groups=groups)


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
    wins, ties, losses = found.scan.wins
    said = verdicts_of(request)
    better = np.where(said.first_is_better[pair] != turned, Verdict.BETTER, Verdict.WORSE)
    verdict = np.where(said.different[pair], better, Verdict.NOT_SETTLED)
    return RankPairs(
        methods=tuple(names_in_order(found)),
        difference=found.scan.mean[pair] * sign + 0.0,
        median=found.scan.median[pair] * sign + 0.0,
        wins=np.where(turned, losses[pair], wins[pair]),
        ties=ties[pair],
        losses=np.where(turned, wins[pair], losses[pair]),
        p=said.p[pair],
        p_adjusted=said.p_adjusted[pair],
        verdict=np.where(np.isnan(said.p_adjusted[pair]), Verdict.NOT_TESTED, verdict),
        units=units_name(found),
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
def distributions(request: Request) -> ScoreDistributions:
    """The values of each method on the tasks that count."""
    found = analysis_of(request)
    names = names_in_order(found)
    chosen = found.table.select(methods=names)
    rows = zip(names, chosen.values.T.tolist(), looks(request, names), strict=True)
    methods = tuple(Scores(name, tuple(values), style) for name, values, style in rows)
    if request.source == MINE:
        axis = ScoreAxis("value   better →" if request.higher else "← better   value")
    else:
        known, title = words.loss_words(request.loss), words.loss_axis(request.loss, standardized=True)
        axis = ScoreAxis(title, known.baseline_value, known.baseline) if known else ScoreAxis(title)
    return ScoreDistributions(methods, tuple(chosen.tasks), axis)


@per_request
def intervals(request: Request) -> tuple[RankInterval, ...]:
    """Mean ranks with bootstrap intervals."""
    found, rows = analysis_of(request), []
    drawn, names = found.rank_intervals, names_in_order(found)
    for place, name, style in zip(found.order, names, looks(request, names), strict=True):
        columns = (drawn.average, drawn.lower, drawn.upper, drawn.best)
        rank, lower, upper, best = (float(column[place]) for column in columns)
        text = f"{rank:.2f}  [{lower:.2f}, {upper:.2f}]"
        rows.append(RankInterval(name, rank, lower, upper, best, text=text, style=style))
    return tuple(rows)


@per_request
def win_rates(request: Request, reference: str) -> AgainstOne[WinRate]:
    """Share of units on which each other method is better than the reference, a tie as one half.

    Intervals are Wilson's."""
    pairs, tasks = pairs_of(request), len(analysis_of(request).units.tasks)
    column, styles, rows = pairs.methods.index(reference), looks(request, list(pairs.methods)), []
    for row, (name, style) in enumerate(zip(pairs.methods, styles, strict=True)):
        if row == column:
            continue
        wins, ties, lost = (int(part[row, column]) for part in (pairs.wins, pairs.ties, pairs.losses))
        rate = (wins + ties / 2) / tasks
        lower, upper = map(float, wilson_interval(np.array(rate), tasks, level=request.level))
        text = f"{words.share(round(2000 * rate), 2000)}   ({wins} / {ties} / {lost})"
        ends = (rate, lower, upper)
        rows.append(WinRate(name, wins, ties, lost, *ends, text=text, colour=style.colour))
    return AgainstOne(reference, tuple(rows))


@per_request
def combined_table(request: Request) -> pd.DataFrame:
    """What DELVE's own tests of all pairs on each task say together: see `combine_comparisons`.

    Columns method_a, method_b, tasks, wins, ties, losses, untested, those of `RandomEffects`, p_adjusted;
    each pair once, in the alphabet's order. Methods of the visitor's own table have no such tests.
    """
    compared = opened.comparisons(request.state, request.loss, request.methods, request.setting)
    table, unit = analysis_of(request).table, analysis_of(request).unit
    units = dict(zip(table.tasks, unit_names(table, unit), strict=True))
    places = pc.binary_join_element_wise(*(compared[name] for name in PLACE), "/").to_pylist()
    compared = compared.filter(pa.array([f"/{place}" in units for place in places], pa.bool_()))
    found = combine_comparisons(compared, units=units, setting=request.setting)
    columns = {name: getattr(found, name) for name in ("tasks", "wins", "ties", "losses", "untested")}
    columns |= {field.name: getattr(found.effects, field.name) for field in fields(found.effects)}
    columns["p_adjusted"] = found.p_adjusted
    return pd.DataFrame({"method_a": found.methods_a, "method_b": found.methods_b, **columns})


@per_request
def settled_tasks(request: Request, reference: str) -> AgainstOne[TaskVerdicts]:
    """Tasks on which each other method is better than the reference, not settled, worse, without a test."""
    table, rows = combined_table(request), []
    for name in names_in_order(analysis_of(request)):
        for line in table.itertuples():
            if {line.method_a, line.method_b} == {name, reference} and name != reference:
                wins, losses = (line.wins, line.losses) if line.method_a == name else (line.losses, line.wins)
                counts = (int(count) for count in (wins, line.ties, losses, line.untested))
                rows.append(TaskVerdicts(name, *counts))
    return AgainstOne(reference, tuple(rows))


@per_request
def left_out(request: Request) -> tuple[LeftOut, ...]:
    """Mean ranks without each family of tasks; none where there is one family only."""
    found = analysis_of(request)
    return leave_out(found.ranks, units_of_families(found.table, found.unit))


@per_request
def leave_out_ranks(request: Request) -> LeaveOut:
    """Mean ranks of all tasks and without each family of them."""
    found, left = analysis_of(request), left_out(request)
    names, order = names_in_order(found), list(found.order)

    def row(title: str, text: str, average: np.ndarray) -> RanksWithout:
        places = average.argsort(kind="stable").argsort(kind="stable") + 1
        return RanksWithout(title, text, tuple(average[order].tolist()), tuple(places[order].tolist()))

    rows = [row(f"all {units_name(found)}", unit_count(found), found.ranks.average)]
    for one in left:
        moved = f"{words.count(one.moved, 'pair')} turned" if one.moved else "same order"
        text = f"{one.tasks} {units_name(found)}, {moved}"
        rows.append(row(f"without {one.group}", text, one.average))
    return LeaveOut(tuple(names), tuple(looks(request, names)), tuple(rows) if left else ())
