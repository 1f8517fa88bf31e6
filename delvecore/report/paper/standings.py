"""Which method is the best of a task, which are not significantly worse, which differ from a reference?

Decides from estimates and tests of pairs, and from average ranks; knows neither archives nor formats.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from delvecore.report.grid import ALONE, BEST, BETTER_THAN, EQUAL, UNTESTED, WORSE, WORSE_THAN
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.table import PaperCell
from delvecore.statistics.adjust import adjust
from delvecore.statistics.choose import is_settled
from delvecore.statistics.notes import Note
from delvecore.statistics.ranking.analysis import Analysis, analyse
from delvecore.statistics.ranking.score_table import ScoreTable, complete_table

__all__ = ["PairFound", "RankRow", "rank_row", "with_standings"]

LEAST = 2
"""So many tasks and methods have ranks."""
Pair = Callable[[str, str], "PairFound"]


@dataclass(frozen=True, slots=True)
class PairFound:
    """A method less another one. difference, p: None where they could not be compared, for the reason that
    the note gives; a note may also be a caution. instances: that the two were compared on."""

    difference: float | None
    p: float | None
    test: str | None = None
    note: str | None = None
    instances: int | None = None
    notes: tuple[Note, ...] = ()


def with_standings(cells: Mapping[str, PaperCell], pair: Pair, request: PaperRequest) -> dict[str, PaperCell]:
    """Return the cells of one task, by method, with their standings.

    cells: with values and errors alone; pair(a, b): the comparison of a with b. The best is the one with the
    lowest (highest) value; another one is not significantly worse where its p, adjusted over all comparisons
    with the best that were made, does not settle it at the level of confidence.
    """
    known = {name: cell.value for name, cell in cells.items() if cell.value is not None}
    if not known:
        return dict(cells)
    if len(known) == 1:
        return {
            name: replace(cell, standing=ALONE) if name in known else cell for name, cell in cells.items()
        }
    choose = max if request.higher_is_better else min
    best = choose(known, key=lambda name: known[name])
    found = {name: pair(name, best) for name in known if known[name] != known[best]}
    adjusted = _adjusted({name: one.p for name, one in found.items()}, request.adjust)
    done = dict(cells)
    for name in known:
        one = _against_best(cells[name], found.get(name), adjusted.get(name), request.level)
        done[name] = _against_reference(one, name, pair, request) if request.reference in cells else one
    return done


def _adjusted(values: Mapping[str, float | None], method: str) -> dict[str, float]:
    tested = {name: p for name, p in values.items() if p is not None}
    if not tested or method == "none":
        return tested
    found = adjust(np.array(list(tested.values())), method=method)
    return dict(zip(tested, map(float, found), strict=True))


def _against_best(cell: PaperCell, one: PairFound | None, p: float | None, level: float) -> PaperCell:
    """Return the cell with its standing. one: its comparison with the best, None of the best itself."""
    if one is None:
        return replace(cell, standing=BEST)
    standing = UNTESTED if p is None else WORSE if _is_settled(one, p, level) else EQUAL
    return replace(cell, standing=standing, p=p, raw_p=one.p, test=one.test, note=one.note, notes=one.notes)


def _is_settled(one: PairFound, p: float, level: float) -> bool:
    return is_settled(p, level=level, test=one.test, instances=one.instances)


def _against_reference(cell: PaperCell, name: str, pair: Pair, request: PaperRequest) -> PaperCell:
    if request.reference is None or name == request.reference:
        return cell
    one = pair(name, request.reference)
    if one.p is None or not one.difference or not _is_settled(one, one.p, request.level):
        return replace(cell, reference_p=one.p)
    is_better = (one.difference > 0) == request.higher_is_better
    return replace(cell, reference_p=one.p, to_reference=BETTER_THAN if is_better else WORSE_THAN)


@dataclass(frozen=True, eq=False)
class RankRow:
    """cells: average ranks by method, in the order of the table; p of a cell: of Wilcoxon's test against the
    best. tasks: that were ranked; dropped: left out since a method has no value there."""

    cells: tuple[PaperCell, ...]
    tasks: int
    dropped: int
    analysis: Analysis


def rank_row(scores: ScoreTable, request: PaperRequest) -> RankRow | None:
    """Return the ranks over the tasks where all methods have values; None with fewer than two such tasks or
    methods."""
    directed = ScoreTable(scores.tasks, scores.methods, scores.values, request.higher_is_better)
    used = complete_table(directed).table
    if min(used.values.shape) < LEAST:
        return None
    found = analyse(directed, alpha=request.alpha)
    average = found.ranks.average
    best = int(np.argmin(average))
    tests = found.wilcoxon
    p = {}
    for first, second, one in zip(tests.first, tests.second, tests.p_holm, strict=True):
        if best in (first, second):
            p[int(first + second - best)] = float(one)
    cells = tuple(
        _rank_cell(float(rank), p.get(place), rank == average[best], request.level)
        for place, rank in enumerate(average)
    )
    return RankRow(cells, len(used.tasks), len(found.dropped_tasks), found)


def _rank_cell(rank: float, p: float | None, is_best: bool, level: float) -> PaperCell:
    if is_best:
        return PaperCell(rank, standing=BEST)
    return PaperCell(rank, standing=WORSE if is_settled(p, level=level) else EQUAL, p=p, test="Wilcoxon")
