"""Confidence sets of the places of methods on one task, from tests of pairs."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from delvecore.answers.answer import Answer, Column, Table
from delvecore.measures import Measure
from delvecore.number_format.columns import places_among
from delvecore.render.numbers import counted, percent
from delvecore.render.spans import as_name
from delvecore.render.verdicts import BETTER
from delvecore.report.ranking.sentences import named
from delvecore.stats.array_types import Floats, Mask
from delvecore.stats.choose import Setting, Verdict, is_significant, turned_verdict
from delvecore.stats.orientation import oriented
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking.places import PlaceSets, places_of
from delvecore.tables import values_of


def task_places(pairs: pa.Table, means: Mapping[str, float], measure: Measure, setting: Setting) -> PlaceSets:
    """Confidence sets of the places of methods on a task, from the verdicts on pairs.

    Parameters
    ----------
    pairs : pyarrow.Table
        Rows of `tables.COMPARISONS` of one task, with verdicts adjusted for all pairs.
    means : mapping
        {method: mean}; the sets follow its order.
    measure : Measure
        The measure of means and differences.
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
    matrix, p, is_worse = _matrices(pairs, list(means), measure)
    lowest, highest = places_of(matrix)
    beaten = [
        (is_significant(adjust(p[one], untested=True), setting.alpha) & is_worse[one]).any()
        for one in range(len(means))
    ]
    return PlaceSets(setting.level, False, lowest, highest, may_be_best=~np.array(beaten))


def _matrices(
    pairs: pa.Table, names: list[str], measure: Measure
) -> tuple[NDArray[np.object_], Floats, Mask]:
    """Return verdict, p, and whether the mean is worse, for the method in a row against the one in
    a column.
    """
    verdicts = np.full((len(names),) * 2, Verdict.NOT_TESTED, dtype=object)
    first, second = (places_among(pairs[key], names) for key in ("method_a", "method_b"))
    verdicts[first, second] = one = [Verdict(verdict) for verdict in values_of(pairs, "verdict")]
    verdicts[second, first] = list(map(turned_verdict, one))
    difference, values = (
        np.array(pairs[key].to_numpy(zero_copy_only=False), dtype=float) for key in ("difference", "p")
    )
    p, signed = np.full(verdicts.shape, np.nan), np.zeros(verdicts.shape)
    p[first, second] = p[second, first] = np.where(np.isnan(difference), np.nan, values)
    signed[first, second] = np.where(np.isnan(values), 0, oriented(difference, measure))
    return verdicts, p, signed - signed.T > 0


def task_places_answer(
    task: str, pairs: pa.Table, means: Mapping[str, float], measure: Measure, setting: Setting
) -> Answer:
    """Return the methods of a task, best mean first, with places and the number of methods that each one
    beats.
    """
    places, names = task_places(pairs, means, measure, setting), list(means)
    order = np.argsort(oriented(np.array(list(means.values())), measure), kind="stable").tolist()
    matrix, *_ = _matrices(pairs, names, measure)
    better, worse = ((matrix == one).sum(axis=1)[order] for one in (Verdict.BETTER, Verdict.WORSE))
    best = [names[place] for place in order if places.may_be_best[place]]
    are = "is the only one" if len(best) == 1 else f"{named(best)} are {len(best)}"
    lead = f"{as_name(best[0])} {are}" if len(best) == 1 else are
    methods = counted(len(names), "method")
    sentence = f"On {as_name(task)} {lead} of {methods} that may be best ({percent(setting.level)})."
    fields = (
        Column("method", "method", "name", [names[place] for place in order]),
        Column("mean", f"mean {measure.title}", "number", [list(means.values())[place] for place in order]),
        Column("lowest_place", "place from", "count", places.lowest[order]),
        Column("highest_place", "to", "count", places.highest[order]),
        Column("may_be_best", "may be best", "name", np.where(places.may_be_best[order], "yes", "")),
        Column("better_than", "better than", "count", better),
        Column("worse_than", "worse than", "count", worse),
    )
    notes = (
        f"Places: {percent(places.level)} confidence sets from the tests of all pairs. May be best: no other "
        f"method is {BETTER} by the tests of the method's own pairs, adjusted by Holm's procedure "
        "(Mogstad et al. 2024).",
    )
    return Answer("places", sentence, Table(fields), notes)
