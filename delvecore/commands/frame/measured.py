"""A loss that a command was asked for, which may be a metric that is computed first."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from delvecore.commands.frame.places import Names

if TYPE_CHECKING:
    from delvecore.archive import Archive

__all__ = ["with_loss"]


def with_loss(
    archive: "Archive", loss: str | None, places: Sequence[Names] = (), *, command: str
) -> tuple["Archive", str | None]:
    """Return an archive that has results under the loss, and what it is called there; None is the usual one.
    places: of the tasks for which a metric is wanted, none for all. Where a metric has no value, and why, is
    said on standard error."""
    if loss is None:
        return archive, None
    from delvecore.archive.metrics.adding import measured

    found = measured(archive, loss, places)
    for note in found.notes:
        print(f"{command}: {note}", file=sys.stderr)
    return found.archive, found.loss
