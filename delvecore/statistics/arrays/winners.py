"""Which method is best on each task of an array, and which are not significantly worse?"""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from delvecore.statistics.adjust import adjust as adjusted
from delvecore.statistics.arrays.estimates import cell_columns
from delvecore.statistics.arrays.results import NO_RESULTS, TESTS, ArrayResults
from delvecore.statistics.choose import DEFAULT_LEVEL, is_settled
from delvecore.statistics.kinds import Mask, Row
from delvecore.tables import ARRAY_WINNERS

__all__ = ["ONE_INSTANCE", "ONE_METHOD", "array_winners"]

ONE_METHOD = "one method only has results: there is nothing to compare it with"
ONE_INSTANCE = "one task instance only: which methods are not worse cannot be tested"
UNTESTED = "not all methods could be tested against the best"


def array_winners(data: ArrayResults, *, level: float = DEFAULT_LEVEL, adjust: bool = False) -> pa.Table:
    """Which method has the lowest expected loss on each task, and which are not significantly worse?

    Schema `ARRAY_WINNERS`, one row a cell of the grid, also for holes, whose `best` is null and whose note
    says why. Methods are listed with the lowest loss first. not_worse: the difference from the best is not
    significant at this level of confidence; worse: it is; untested: there is no p (one instance, no common
    instances, losses that are identical); without_results: no standardized loss. adjust: p after Holm over
    the methods tested on the same task. The best is the lowest estimate, by name where several are equal;
    that it was chosen by its estimate is not adjusted for.
    """
    rows = [_row(data, cell, level, adjust) for cell in range(len(data.cells))]
    columns = cell_columns(data) | {
        name: pa.array([row[name] for row in rows], ARRAY_WINNERS.field(name).type)
        for name in ARRAY_WINNERS.names[6:]
    }
    return pa.table(columns, schema=ARRAY_WINNERS)


def _row(data: ArrayResults, cell: int, level: float, adjust: bool) -> Row:
    known = np.flatnonzero(~np.isnan(data.value[cell]))
    without = [name for name, why in zip(data.methods, data.missing[cell].tolist(), strict=True) if why]
    lists = ("not_worse", "not_worse_p", "worse", "worse_p", "untested")
    row: Row = dict.fromkeys(ARRAY_WINNERS.names[6:]) | {name: [] for name in lists}
    row |= {"loss": data.loss, "without_results": without}
    if not len(known):
        return row | {"note": data.cells[cell].missing or _reason(data.missing[cell])}
    order = known[np.lexsort((np.array(data.methods)[known], data.value[cell, known]))].tolist()
    best, others = order[0], order[1:]
    standings, untested = _standings(data, cell, best, others, level, adjust)
    note = _note(data, cell, best, others, untested)
    return row | _estimate(data, cell, best) | standings | {"note": note}


def _reason(missing: NDArray[np.object_]) -> str:
    """Why has no method a loss? The first reason that is not merely the absence of results."""
    return next((reason for reason in missing.tolist() if reason != NO_RESULTS), NO_RESULTS)


def _estimate(data: ArrayResults, cell: int, best: int) -> Row:
    error = data.error[cell, best]
    return {
        "best": data.methods[best],
        "standardized_mean": float(data.value[cell, best]),
        "standardized_error": None if np.isnan(error) else float(error),
        "instances": int(data.instances[cell, best]),
    }


def _standings(
    data: ArrayResults, cell: int, best: int, others: list[int], level: float, adjust: bool
) -> tuple[Row, list[str]]:
    p = data.p[cell, others, best]
    used, of = adjusted(p, untested=True) if adjust else p, (cell, others, best)
    facts = {"test": np.array(TESTS)[data.tests[of]], "instances": data.compared[of]}
    worse, untested = is_settled(used, level=level, **facts), np.isnan(used)
    chosen = {"not_worse": ~worse & ~untested, "worse": worse, "untested": untested}
    names = {name: list(_named(data, others, mask)) for name, mask in chosen.items()}
    row: Row = {f"{name}_p": used[chosen[name]].tolist() for name in ("not_worse", "worse")}
    return row | names, names["untested"]


def _named(data: ArrayResults, numbers: Sequence[int], mask: Mask) -> Iterator[str]:
    return (data.methods[number] for number, chosen in zip(numbers, mask.tolist(), strict=True) if chosen)


def _note(
    data: ArrayResults, cell: int, best: int, others: Sequence[int], untested: Sequence[str]
) -> str | None:
    if not others:
        return ONE_METHOD
    if not untested:
        return None
    if data.instances[cell, [best, *others]].max() < 2:
        return ONE_INSTANCE
    return f"{UNTESTED}: {', '.join(untested)}"
