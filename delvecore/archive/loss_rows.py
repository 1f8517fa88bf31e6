"""The table of losses: made of what was read, in order, and the rows of it at some places."""

import functools
from collections.abc import Collection, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.archive.stored import LOSS_ORDER, PLACE, READ, Row
from delvecore.archive.views import below
from delvecore.number_format.list_columns import list_column, rows_where
from delvecore.tables import SCHEMAS

if TYPE_CHECKING:
    from delvecore.archive import Archive

__all__ = ["comparable_losses", "loss_table", "losses_at", "merged_losses", "sorted_losses"]


def loss_table(rows: Sequence[Row]) -> pa.Table:
    """Return rows with NumPy values as the table of losses, in LOSS_ORDER."""
    rows = sorted(rows, key=itemgetter(*LOSS_ORDER))
    *keys, _ = READ["losses"]
    columns = [pa.array([row[field.name] for row in rows], type=field.type) for field in keys]
    values = list_column([row["values"] for row in rows])
    return pa.Table.from_arrays([*columns, values], schema=READ["losses"])


def merged_losses(old: pa.Table, kept: pa.ChunkedArray, rows: Sequence[Row]) -> pa.Table:
    """Return the rows of an old table that are kept, and new ones, in LOSS_ORDER."""
    return sorted_losses(pa.concat_tables([rows_where(old, kept), loss_table(rows)]))


def sorted_losses(losses: pa.Table) -> pa.Table:
    """Return a table of losses in LOSS_ORDER, in one chunk."""
    keys = losses.select(LOSS_ORDER)
    order = pc.sort_indices(keys, sort_keys=[(name, "ascending") for name in LOSS_ORDER])
    return losses.take(order).combine_chunks()


def losses_at(archive: "Archive", places: Collection[str], loss: str | None) -> pa.Table:
    """Return the losses at or below some places, under one loss or all: see `Archive.losses_at`."""
    return rows_where(archive.losses, _mask(archive.losses, places=places, loss=loss))


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
    paths = _paths(archive.results)
    known = paths.filter(below(paths, place)).combine_chunks()
    usable = losses_at(archive, [place], loss)
    usable = usable.cast(SCHEMAS["losses"]) if is_of_scores else usable
    return rows_where(usable, pc.is_in(_paths(usable), value_set=known))


def _paths(table: pa.Table) -> pa.ChunkedArray:
    return pc.binary_join_element_wise(*(table[name] for name in PLACE[1:]), "/")
