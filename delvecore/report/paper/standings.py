"""Which method is the best of a task, which are not significantly worse, which differ from a reference?

Decides from estimates and tests of pairs; knows neither archives nor formats.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from delvecore.report.paper.table import (
    ALONE,
    BEST,
    BETTER_THAN,
    EQUAL,
    UNTESTED,
    WORSE,
    WORSE_THAN,
    PaperCell,
)
from delvecore.statistics.adjust import adjust
from delvecore.statistics.choose import is_settled
from delvecore.statistics.notes import Note

__all__ = ["PairFound", "with_standings"]


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


def with_standings(
    cells: Mapping[str, PaperCell],
    pair: Callable[[str, str], PairFound],
    *,
    level: float,
    adjustment: str,
    reference: str | None = None,
    higher_is_better: bool = False,
) -> dict[str, PaperCell]:
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
    best = max(known, key=known.get) if higher_is_better else min(known, key=known.get)
    found = {name: pair(name, best) for name in known if known[name] != known[best]}
    adjusted = _adjusted({name: one.p for name, one in found.items()}, adjustment)
    done = {}
    for name, cell in cells.items():
        if name not in known:
            done[name] = cell
            continue
        facts = _to_reference(name, reference, pair, level, higher_is_better) if reference in cells else {}
        done[name] = replace(cell, **_standing(name, found, adjusted, level), **facts)
    return done


def _adjusted(values, method):
    tested = {name: p for name, p in values.items() if p is not None}
    if not tested:
        return {}
    found = (
        list(tested.values()) if method == "none" else adjust(np.array(list(tested.values())), method=method)
    )
    return dict(zip(tested, map(float, found), strict=True))


def _standing(name, found, adjusted, level):
    if name not in found:
        return {"standing": BEST}
    one, p = found[name], adjusted.get(name)
    standing = UNTESTED if p is None else WORSE if _is_settled(one, p, level) else EQUAL
    return {
        "standing": standing,
        "p": p,
        "raw_p": one.p,
        "test": one.test,
        "note": one.note,
        "notes": one.notes,
    }


def _is_settled(one, p, level):
    return is_settled(p, level=level, test=one.test, instances=one.instances)


def _to_reference(name, reference, pair, level, higher_is_better):
    if name == reference:
        return {}
    one = pair(name, reference)
    if one.p is None or not one.difference:
        return {"reference_p": one.p}
    is_better = (one.difference > 0) == higher_is_better
    settled = (BETTER_THAN if is_better else WORSE_THAN) if _is_settled(one, one.p, level) else None
    return {"reference_p": one.p, "to_reference": settled}
