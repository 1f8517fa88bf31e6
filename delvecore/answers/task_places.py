"""Places of methods on one task: which place may each have, and which may be best, by the tests of pairs?"""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from delvecore.answers.answer import Answer, Column, Table
from delvecore.measures import Measure
from delvecore.render.text import counted
from delvecore.report.ranking.sentences import named
from delvecore.stats.choose import Setting, Verdict, is_significant, percent, turned_verdict
from delvecore.stats.orientation import oriented
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking.places import PlaceSets, places_of


def task_places(pairs: pa.Table, means: Mapping[str, float], measure: Measure, setting: Setting) -> PlaceSets:
    """Confidence sets of the places of methods on a task, from the verdicts on pairs.

    Parameters
    ----------
    pairs : pyarrow.Table
        Rows of `tables.COMPARISONS` of one task, with verdicts adjusted for all pairs.
    means : mapping
        {method: mean}; sets are in its order.
    measure : Measure
        What means and differences are measured in.
    setting : Setting
        The confidence.

    Returns
    -------
    PlaceSets
        A method may be the best unless a better one differs by the tests of its own k - 1 pairs, adjusted by
        Holm's procedure.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm (2024), sections 3.3 and 3.4.
    """
    place = {name: number for number, name in enumerate(means)}
    count = len(place)
    verdicts = np.full((count, count), Verdict.NOT_TESTED, dtype=object)
    p, is_worse = np.full((count, count), np.nan), np.zeros((count, count), dtype=bool)
    columns = ("method_a", "method_b", "difference", "p", "verdict")
    for a, b, difference, one, verdict in zip(*(pairs[key].to_pylist() for key in columns), strict=True):
        first, second = place[a], place[b]
        verdicts[first, second], verdicts[second, first] = Verdict(verdict), turned_verdict(verdict)
        if one is not None and difference is not None:
            p[first, second] = p[second, first] = one
            is_worse[first, second] = oriented(np.array(difference), measure) > 0
            is_worse[second, first] = oriented(np.array(difference), measure) < 0
    lowest, highest = places_of(verdicts)
    beaten = [
        (is_significant(adjust(p[one], untested=True), setting.alpha) & is_worse[one]).any()
        for one in range(count)
    ]
    return PlaceSets(setting.level, False, lowest, highest, may_be_best=~np.array(beaten))


def task_places_answer(
    task: str, pairs: pa.Table, means: Mapping[str, float], measure: Measure, setting: Setting
) -> Answer:
    """Return the methods of a task, best mean first, with their places and how many they are better than."""
    places, names = task_places(pairs, means, measure, setting), list(means)
    order = np.argsort(oriented(np.array(list(means.values())), measure), kind="stable").tolist()
    better, worse = _counts(pairs, names)
    best = [names[place] for place in order if places.may_be_best[place]]
    are = "is the only one" if len(best) == 1 else f"{named(best)} are {len(best)}"
    lead = f"{best[0]} {are}" if len(best) == 1 else are
    sentence = (
        f"On {task} {lead} of {counted(len(names), 'method')} that may be best ({percent(setting.level)})."
    )
    fields = (
        Column("method", "method", "name", [names[place] for place in order]),
        Column("mean", f"mean {measure.title}", "number", [list(means.values())[place] for place in order]),
        Column("lowest_place", "place from", "count", places.lowest[order]),
        Column("highest_place", "to", "count", places.highest[order]),
        Column(
            "may_be_best", "may be best", "name", ["yes" if one else "" for one in places.may_be_best[order]]
        ),
        Column("better_than", "better than", "count", better[order]),
        Column("worse_than", "worse than", "count", worse[order]),
    )
    notes = (
        f"Places: {percent(places.level)} confidence sets from the tests of all pairs. May be best: no other "
        "method is significantly better by the tests of the method's own pairs, adjusted by Holm's procedure "
        "(Mogstad et al. 2024).",
    )
    return Answer("places", sentence, Table(fields), notes)


def _counts(pairs: pa.Table, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return than how many others each method is significantly better, and worse."""
    better, worse = np.zeros((2, len(names)), dtype=int)
    place = {name: number for number, name in enumerate(names)}
    columns = (pairs[key].to_pylist() for key in ("method_a", "method_b", "verdict"))
    for a, b, verdict in zip(*columns, strict=True):
        if verdict in (Verdict.BETTER, Verdict.WORSE):
            winner, loser = (a, b) if verdict == Verdict.BETTER else (b, a)
            better[place[winner]] += 1
            worse[place[loser]] += 1
    return better, worse
