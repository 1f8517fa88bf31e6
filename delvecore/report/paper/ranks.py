"""The average rank of each method over the tasks of a table, and which ranks are not settled."""

from dataclasses import dataclass

import numpy as np

from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.table import BEST, EQUAL, WORSE, PaperCell
from delvecore.statistics.choose import is_settled
from delvecore.statistics.ranking.analysis import Analysis, analyse
from delvecore.statistics.ranking.score_table import ScoreTable, complete_table

__all__ = ["RankRow", "rank_row"]

LEAST = 2


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
        _cell(float(rank), p.get(place), rank == average[best], request.level)
        for place, rank in enumerate(average)
    )
    return RankRow(cells, len(used.tasks), len(found.dropped_tasks), found)


def _cell(rank, p, is_best, level):
    if is_best:
        return PaperCell(rank, standing=BEST)
    return PaperCell(rank, standing=WORSE if is_settled(p, level=level) else EQUAL, p=p, test="Wilcoxon")
