"""Metrics that an address asks for, and the archive that a page shows then."""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dashboard.server import metric_loss
from delvecore.archive.metrics.metric_columns import measure_of, metric_name
from delvecore.errors import DelveError
from delvecore.plots import words

if TYPE_CHECKING:
    from dashboard.ui.page import View

__all__ = ["metric_losses", "with_metric"]


def with_metric(view: "View", *, of_all: bool) -> "View":
    """Return a view whose archive has the metric that is asked for, if one is, or says why it has none.
    of_all: say on which instances of all tasks it has no value."""
    loss, archive = view.selection.loss, view.archive
    if loss is None or archive is None or loss in archive.index.losses:
        return view
    try:
        found = metric_loss.with_metric(view.state, loss)
    except DelveError as error:
        chosen = replace(view.selection, loss=None)
        return replace(view, selection=chosen, notices=(*view.notices, words.escape(str(error))))
    state, chosen = found.archive.state, replace(view.selection, loss=found.loss)
    said = found.notes[:2] if of_all else ()
    notices = (*view.notices, *(words.escape(f"{note}.") for note in said))
    return replace(view, archive=found.archive, state=state, selection=chosen, notices=notices)


def metric_losses(texts: Sequence[str]) -> dict[str, str]:
    """Return the losses that are kept of metrics, by what the address calls these."""
    found = {}
    for text in texts:
        with contextlib.suppress(DelveError):
            if measure := measure_of(text):
                found[text] = metric_name(measure)
    return found
