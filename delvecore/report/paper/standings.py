"""Which method is the best of a task, which are not significantly worse, which differ from a reference?

Decides from estimates and tests of pairs, and from average ranks; knows neither archives nor formats."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from delvecore.report.grid import ALONE, BEST, BETTER_THAN, EQUAL, UNTESTED, WORSE, WORSE_THAN
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.table import PaperCell
from delvecore.report.ranking.sentences import untestable_words
from delvecore.stats.choose import Verdict, turned_verdict
from delvecore.stats.ranking.analysis import Analysis, analyse
from delvecore.stats.ranking.ranks import choose_unit, unit_names
from delvecore.stats.ranking.score_table import ScoreTable, complete_table
from delvecore.stats.verdicts import PairVerdicts, pair_verdicts, verdict_row

LEAST = 2
"""So many units and methods have ranks."""
Pair = Callable[[str, str], "PairFound"]
STANDINGS: dict[str, str] = {Verdict.WORSE: WORSE, Verdict.NOT_TESTED: UNTESTED}
"""Of a method held against the best; all others are not worse."""
TO_REFERENCE = {Verdict.BETTER: BETTER_THAN, Verdict.WORSE: WORSE_THAN}


@dataclass(frozen=True, slots=True)
class PairFound:
    """A method less another one, and what the test says of the first. difference, p, p_adjusted: None where
    they could not be compared, for the reason that the note gives; a note may also be a caution. error:
    standard error of the difference; df: its degrees of freedom."""

    difference: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    verdict: str = Verdict.NOT_TESTED
    test: str | None = None
    note: str | None = None
    error: float | None = None
    df: float | None = None


def with_standings(cells: Mapping[str, PaperCell], pair: Pair, request: PaperRequest) -> dict[str, PaperCell]:
    """Return the cells of one row, by method, with their standings. cells: with values and errors alone;
    pair(a, b): the comparison of a with b, its p adjusted for all pairs of the row. The best is the first of
    those with the lowest (highest) value."""
    known = {name: cell.value for name, cell in cells.items() if cell.value is not None}
    lowest = max if request.higher_is_better else min
    best = lowest(known, key=lambda name: known[name], default=None)
    if best is None:
        return dict(cells)
    if len(known) == 1:
        return {name: replace(one, standing=ALONE) if name in known else one for name, one in cells.items()}
    done = dict(cells)
    for name, value in known.items():
        one = None if value == known[best] else pair(name, best)
        done[name] = _against_best(cells[name], one)
        if request.reference is not None and request.reference in cells and name != request.reference:
            other = pair(name, request.reference)
            standing = TO_REFERENCE.get(Verdict(other.verdict))
            done[name] = replace(done[name], reference_p=other.p_adjusted, to_reference=standing)
    return done


def _against_best(cell: PaperCell, one: PairFound | None) -> PaperCell:
    """Return the cell with its standing. one: its comparison with the best, None of the best itself."""
    if one is None:
        return replace(cell, standing=BEST)
    standing = STANDINGS.get(one.verdict, EQUAL)
    return replace(cell, standing=standing, p=one.p_adjusted, raw_p=one.p, test=one.test, note=one.note)


@dataclass(frozen=True, eq=False)
class RankRow:
    """cells: average ranks by method; p of a cell: of the test against the best. found, said: all that they
    come from, and what the test says of all pairs."""

    cells: dict[str, PaperCell]
    found: Analysis
    said: PairVerdicts


def rank_row(scores: ScoreTable, request: PaperRequest) -> RankRow | None:
    """Return the ranks over the tasks where all methods have values, with what counts once by the request;
    None with fewer than two such units or methods."""
    directed = replace(scores, higher_is_better=request.higher_is_better)
    used = complete_table(directed).table
    unit = request.unit or choose_unit(used)
    if min(len(set(unit_names(used, unit))), len(used.methods)) < LEAST:
        return None
    setting = request.setting
    found = analyse(directed, unit=unit, alpha=setting.alpha, adjustment=setting.adjust)
    average, said = found.ranks.average, pair_verdicts(found, request.test)
    best = int(np.argmin(average))
    first, second = found.nemenyi.first, found.nemenyi.second
    held = (first == best) | (second == best)
    places = np.where(first == best, second, first)[held].tolist()
    p = dict(zip(places, said.p_adjusted[held].tolist(), strict=True))
    verdicts = verdict_row(found, said, best)
    cells = {}
    for place, rank in enumerate(map(float, average)):
        cell = PaperCell(rank, standing=BEST)
        if rank != average[best]:
            standing = STANDINGS.get(turned_verdict(verdicts[place]), EQUAL)
            note = None if said.is_testable else untestable_words(found)
            cell = PaperCell(rank, standing=standing, p=p[place], test=request.test, note=note)
        cells[scores.methods[place]] = cell
    return RankRow(cells, found, said)
