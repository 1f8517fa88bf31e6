"""A loss that a command was asked for, which may be a metric that is computed first."""

import sys
from collections.abc import Sequence

from delvecore.archive import Archive
from delvecore.archive.metrics import measured
from delvecore.cli.support.places import Names
from delvecore.errors import DelveError
from delvecore.losses.spec import split_losses
from delvecore.metrics.registry import find_measure, known_name


def with_loss(
    archive: Archive, loss: str | None, places: Sequence[Names] = (), *, command: str
) -> tuple[Archive, str | None]:
    """Return an archive that has results under the loss, and what it is called there; None is the usual one.
    places: of the tasks for which a metric is wanted, none for all. Where a metric has no value, and why, is
    said on standard error."""
    if loss is None:
        return archive, None
    found = measured(archive, known_name(loss), places)
    for note in found.notes:
        print(f"{command}: {note}", file=sys.stderr)
    return found.archive, found.loss


def asked_names(text: str | None, expected: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the losses and the metrics that the text behind -l lists, blanks or commas between, none for
    None. Raises DelveError for a text without any, and for a word that is neither. expected: words."""
    losses, metrics, found = list[str](), list[str](), "none"
    for word in map(known_name, (text or "").replace(",", " ").split()):
        try:
            losses += split_losses(word)
        except ValueError as error:
            if find_measure(word) is None:
                losses, metrics, found = [], [], repr(error.args[0])
                break
            metrics.append(word)
    if text is not None and not losses and not metrics:
        raise DelveError(f"expected {expected} behind -l, found {found}")
    return tuple(dict.fromkeys(losses)), tuple(dict.fromkeys(metrics))
