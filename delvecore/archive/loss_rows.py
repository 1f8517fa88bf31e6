"""The table of losses: built in order from the data read, and its rows at some places."""

import functools
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.errors import Fault
from delvecore.model import place_names
from delvecore.number_format.columns import list_column, rows_where, task_paths, translated
from delvecore.tables import LOSS_ORDER, PLACE, READ, SCHEMAS, Row, Tables

if TYPE_CHECKING:
    from delvecore.archive import Archive
    from delvecore.archive.scores.opening import ScoreGroup


class LazyTables(dict[str, pa.Table]):
    """Tables of an archive, some of them made at their first use.

    Attributes
    ----------
    make : Mapping[str, Callable[[], pyarrow.Table]]
        Functions that make the tables built on first use, by name.
    read_losses : Callable[[Collection[str] | None], pyarrow.Table]
        Called with the datasets that are needed, None for all.
    """

    def __init__(
        self,
        tables: Tables,
        make: Mapping[str, Callable[[], pa.Table]],
        read_losses: Callable[[Collection[str] | None], pa.Table],
    ) -> None:
        super().__init__(tables)
        self._make: dict[str, Callable[[], pa.Table]]
        self._make = {
            "losses": functools.partial(read_losses, None),
            **make,
        }
        self._read_losses, self._lock = read_losses, threading.RLock()
        self._parts: dict[frozenset[str], pa.Table] = {}

    def __missing__(self, name: str) -> pa.Table:
        with self._lock:
            if name not in self:
                self[name] = self._make[name]()
        return self[name]

    def losses_on(self, datasets: Collection[str]) -> pa.Table:
        """Return the losses on these datasets, and on others if they have been read."""
        wanted = frozenset(datasets)
        with self._lock:
            if "losses" in self:
                return self["losses"]
            if wanted not in self._parts:
                self._parts[wanted] = self._read_losses(wanted)
            return self._parts[wanted]


def loss_table(rows: Sequence[Row]) -> pa.Table:
    """Return rows with NumPy values as the table of losses, in LOSS_ORDER."""
    rows = sorted(rows, key=itemgetter(*LOSS_ORDER))
    *keys, _ = READ["losses"]
    columns = [pa.array([row[field.name] for row in rows], type=field.type) for field in keys]
    values = list_column([row["values"] for row in rows])
    return pa.Table.from_arrays([*columns, values], schema=READ["losses"])


def sorted_losses(losses: pa.Table) -> pa.Table:
    """Return a table of losses in LOSS_ORDER, in one chunk."""
    keys = losses.select(LOSS_ORDER)
    order = pc.sort_indices(keys, sort_keys=[(name, "ascending") for name in LOSS_ORDER])
    return losses.take(order).combine_chunks()


def join_losses(
    losses: pa.Table,
    scores: "Sequence[ScoreGroup]",
    choose: Callable[[pa.Table], pa.Table] = lambda table: table,
) -> pa.Table:
    """Return the losses of delve directories, joined with those of scores, in LOSS_ORDER.

    `choose` selects rows of each table before they are joined. Losses of a single file keep their
    representation.
    """
    if len(scores) == 1 and not losses.num_rows and not scores[0].renamed:
        return choose(scores[0].tables["losses"])
    chosen = choose(losses)
    more = [(choose(one.tables["losses"]), one.renamed) for one in scores]
    parts = [with_names(table, renamed) for table, renamed in more if table.num_rows]
    if not parts:
        return chosen if not scores else chosen.cast(SCHEMAS["losses"])
    return sorted_losses(pa.concat_tables([chosen.cast(SCHEMAS["losses"]), *parts]))


def with_names(table: pa.Table, renamed: Mapping[str, str]) -> pa.Table:
    """Return a table with plain columns, and with the new names of methods."""
    plain = table.cast(pa.schema([(field.name, _plain(field.type)) for field in table.schema]))
    if not renamed or "method" not in table.column_names:
        return plain
    names = translated(plain["method"], lambda name: renamed.get(name, name), pa.string())
    return plain.set_column(plain.column_names.index("method"), "method", names)


def _plain(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_integer(kind):  # losses of scores may have smaller types
        return pa.int64()
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def losses_at(archive: "Archive", places: Collection[str], loss: str | None) -> pa.Table:
    """Return the losses at or below some places, under one loss or all: see `Archive.losses_at`."""

    def chosen(losses: pa.Table) -> pa.Table:
        return rows_where(losses, _mask(losses, places=places, loss=loss))

    names = [place_names(place) for place in places]
    stored = archive._stored
    if isinstance(stored, LazyTables) and all(names):
        losses = stored.losses_on({name[0] for name in names})
    else:
        losses = stored["losses"]
    return join_losses(losses.drop_columns("unit"), archive._scores, chosen)


def _mask(losses: pa.Table, *, places: Collection[str], loss: str | None) -> pa.ChunkedArray:
    """Return which rows are at or below one of these places, and under the loss."""
    everything = pa.chunked_array([np.ones(losses.num_rows, dtype=bool)])
    of_places = [
        functools.reduce(
            pc.and_,
            [pc.equal(losses[name], part) for name, part in zip(PLACE[1:], place_names(place), strict=False)],
            everything,
        )
        for place in places
    ]
    mask = functools.reduce(pc.or_, of_places)
    return mask if loss is None else pc.and_(mask, pc.equal(losses["loss"], loss))


def comparable_losses(archive: "Archive", place: str, loss: str | None) -> pa.Table:
    """Return the losses of known tasks below a place. Raises DelveError if there are none."""
    is_of_scores = bool(
        archive._scores and pa.types.is_dictionary(losses_at(archive, ["/"], "")["dataset"].type)
    )
    if is_of_scores and not place.strip("/"):  # all tasks are known
        return archive.losses if loss is None else losses_at(archive, ["/"], loss)
    paths = task_paths(archive.results)
    known = paths.filter(_below(paths, place)).combine_chunks()
    usable = losses_at(archive, [place], loss)
    usable = usable.cast(SCHEMAS["losses"]) if is_of_scores else usable
    return rows_where(usable, pc.is_in(task_paths(usable), value_set=known))


def _below(paths: pa.ChunkedArray, place: str) -> pa.ChunkedArray:
    """Return the paths at or below a place. Raises DelveError if there are none."""
    path = f"/{place.strip('/')}"
    is_below = pc.or_(pc.equal(paths, path), pc.starts_with(paths, f"{path.rstrip('/')}/"))
    if path != "/" and not pc.any(is_below).as_py():
        raise Fault(place, "a place with tasks and their results", "none", "archive.tasks lists the tasks")
    return is_below
