"""Who is best in a whole archive: the loss that says so, and the methods in their order."""

from collections import Counter

import delvecore
from delvecore.archive.score_tables import RankedTable, ranked_table, usual_loss
from delvecore.errors import DelveError
from delvecore.losses.spec import loss_preference
from delvecore.statistics.ranking.order import best_first

__all__ = ["leading_loss", "leading_table", "method_order"]

ENOUGH = 0.5
"""A loss leads that has this share of the results of the loss with the most."""


def leading_loss(archive: delvecore.Archive) -> str:
    """Return the loss by which an archive is ranked where nobody says: the one wanted most of those that have
    nearly as many results as any; of scores the metric with the most. Raises DelveError without results."""
    loss = usual_loss(archive)
    if not archive.paths:
        return loss
    counts = Counter(archive.results["loss"].to_pylist())
    return min((one for one in counts if counts[one] >= ENOUGH * counts[loss]), key=loss_preference)


def leading_table(archive: delvecore.Archive, loss: str | None = None) -> RankedTable:
    """Return what ranks the archive's methods. loss: None for `leading_loss`. Raises DelveError where there
    are no results."""
    return ranked_table(archive, loss=loss or leading_loss(archive))


def method_order(archive: delvecore.Archive) -> tuple[str, ...]:
    """Return all methods of an archive, best mean rank first; those without a rank follow by name."""
    try:
        ranked = best_first(leading_table(archive).table)
    except DelveError:
        ranked = ()
    return (*ranked, *sorted(set(archive.methods["method"].to_pylist()) - set(ranked)))
