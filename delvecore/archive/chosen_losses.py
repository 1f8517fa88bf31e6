"""Some of an archive's losses: those of a place, of which there may be few where all are more than memory."""

import functools
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.archive.stored import PLACE
from delvecore.archive.views import below
from delvecore.cache import some_rows
from delvecore.numerals.lists import rows_where
from delvecore.tables import SCHEMAS

if TYPE_CHECKING:
    from delvecore.archive import Archive

__all__ = ["comparable_losses", "losses_at"]


def losses_at(archive: "Archive", places: Collection[str], loss: str | None) -> pa.Table:
    """Return the losses at or below some places, under one loss or all: see `Archive.losses_at`."""
    choose = functools.partial(_mask, places=places, loss=loss)
    if archive._scores:
        return rows_where(archive.losses, choose(archive.losses))
    return some_rows(archive._stored, "losses", choose).drop_columns("unit")


def _mask(losses: pa.Table, *, places: Collection[str], loss: str | None) -> pa.ChunkedArray:
    """Return which rows are at or below one of these places, and under the loss."""
    everything = pa.chunked_array([np.ones(losses.num_rows, dtype=bool)])
    of_places = [
        functools.reduce(
            pc.and_,
            [pc.equal(losses[name], part) for name, part in zip(PLACE[1:], _parts(place), strict=False)],
            everything,
        )
        for place in places
    ]
    mask = functools.reduce(pc.or_, of_places)
    return mask if loss is None else pc.and_(mask, pc.equal(losses["loss"], loss))


def _parts(place: str) -> list[str]:
    return place.strip("/").split("/") if place.strip("/") else []


def comparable_losses(archive: "Archive", place: str, loss: str | None) -> pa.Table:
    """Return the losses of the tasks at or below a place that the data know. Raises DelveError for a place
    below which there are no results."""
    is_of_scores = bool(archive._scores) and pa.types.is_dictionary(archive.losses["dataset"].type)
    if is_of_scores and not place.strip("/"):  # of which all tasks are known
        return archive.losses if loss is None else losses_at(archive, ["/"], loss)
    known = _paths(archive.results).filter(below(_paths(archive.results), place))
    usable = losses_at(archive, [place], loss)
    usable = usable.cast(SCHEMAS["losses"]) if is_of_scores else usable
    return rows_where(usable, pc.is_in(_paths(usable), value_set=known.combine_chunks()))


def _paths(table: pa.Table) -> pa.ChunkedArray:
    return pc.binary_join_element_wise(*(table[name] for name in PLACE[1:]), "/")
