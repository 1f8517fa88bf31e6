"""What visitors want to know of a method of their own: where does it stand, where does it win and lose?"""

from collections import Counter
from typing import NamedTuple

import numpy as np

from dashboard.server import archive as opened
from delvecore.answers.wins_and_losses import Where, where_of
from delvecore.archive import Archive
from delvecore.archive.score_tables import archive_score_table
from delvecore.losses.spec import loss_order
from delvecore.report.ranking.sentences import Standing, standing_of
from delvecore.stats.choose import Setting
from delvecore.stats.ranking.analysis import analyse
from delvecore.stats.ranking.ranks import choose_unit
from delvecore.stats.verdicts import default_test, pair_verdicts


class OwnAnswer(NamedTuple):
    """Where a method stands, on the tasks that it has. loss: under which; methods: those with results on all
    of these tasks; standing, where: None where there are too few tasks or methods to rank."""

    loss: str
    methods: tuple[str, ...]
    tasks: tuple[str, ...]
    standing: Standing | None = None
    where: Where | None = None


@opened.cached
def answer_on(archive: Archive, method: str | None, setting: Setting) -> OwnAnswer | None:
    """Return how a method does beside those with results on all its tasks, under the loss that it has most
    results of; None where it has none, and for no method."""
    losses = [loss for on in archive.index.methods_on.values() for loss in on if method in on[loss]]
    if method is None or not losses:
        return None
    counts = Counter(losses)
    loss = min(counts, key=lambda name: (-counts[name], loss_order(name)))
    table = archive_score_table(archive, loss=loss, keep=[method])
    has = ~np.isnan(table.values)
    own = has[:, table.methods.index(method)]
    tasks = [table.tasks[place] for place in np.flatnonzero(own)]
    methods = [table.methods[place] for place in np.flatnonzero(has[own].all(axis=0))]
    try:
        found = analyse(
            table.select(tasks=tasks, methods=methods), alpha=setting.alpha, adjustment=setting.adjust
        )
    except ValueError:
        return OwnAnswer(loss, tuple(methods), tuple(tasks))
    standing = standing_of(found, pair_verdicts(found, default_test()), method)
    where = where_of(found.table, {}, method, unit=choose_unit(found.table), level=setting.level)
    return OwnAnswer(loss, tuple(methods), tuple(tasks), standing, where)
