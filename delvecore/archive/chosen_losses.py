"""Some of an archive's losses: those of a place, of which there may be few where all are more than memory,
and parts of very many, of which what comparisons need is kept."""

import contextlib
import functools
import hashlib
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.archive.reading import FORM
from delvecore.archive.stored import PLACE
from delvecore.archive.views import below
from delvecore.cache import Choose, Generation, Sealed, some_rows
from delvecore.checked_files import DamagedError, forget_oldest, read_bytes, write_bytes
from delvecore.number_format.list_columns import NumberLists, rows_where
from delvecore.stats.designs import Design
from delvecore.stats.kinds import Mask, Whole
from delvecore.stats.losses.blocks import Block, Task, blocks_of, read_losses
from delvecore.stats.losses.comparison_cache import bytes_of, pieces_from
from delvecore.stats.losses.pairs import pieces_of
from delvecore.stats.losses.pieces import Piece
from delvecore.stats.losses.results import designs_by_task
from delvecore.tables import SCHEMAS

if TYPE_CHECKING:
    from delvecore.archive import Archive

__all__ = ["LossPart", "comparable_losses", "compared_first", "loss_parts", "losses_at"]

MOST_KEPT = 1 << 28
"""So many bytes are kept of comparisons."""


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
    is_known = _known_below(archive, place)
    usable = losses_at(archive, [place], loss)
    usable = usable.cast(SCHEMAS["losses"]) if is_of_scores else usable
    return rows_where(usable, is_known(usable))


def _known_below(archive: "Archive", place: str) -> Choose:
    """Return what tells the rows of tasks with results at or below a place. Raises DelveError for none."""
    known = _paths(archive.results).filter(below(_paths(archive.results), place)).combine_chunks()
    return lambda rows: pc.is_in(_paths(rows), value_set=known)


def _paths(table: pa.Table) -> pa.ChunkedArray:
    return pc.binary_join_element_wise(*(table[name] for name in PLACE[1:]), "/")


@dataclass(frozen=True)
class LossPart:
    """The losses of some tasks that lie in pieces of their own, not read yet. first: how many blocks the
    parts before it have; mask: which rows of the pieces are meant; designs: of their tasks; directory: where
    what is found is kept."""

    first: int
    blocks: tuple[Block, ...]
    sealed: Sequence[Sealed]
    mask: Mask
    designs: Mapping[Task, Design | None]
    directory: str

    @functools.cached_property
    def path(self) -> str:
        """The file of what is kept: named by the numbers, whose they are, and the design."""
        lengths = NumberLists(pa.chunked_array([one.rows["values"].chunk(0) for one in self.sealed])).lengths
        instances = np.concatenate([one.rows["instance"].to_numpy() for one in self.sealed])
        known = [
            (block.key, block.methods, np.diff(block.starts).tolist(), self.designs.get(block.task))
            for block in self.blocks
        ]
        name = hashlib.blake2b(repr((FORM, known, [one.digest for one in self.sealed])).encode())
        for numbers in (lengths, instances, self.mask):
            name.update(numbers.tobytes())
        return os.path.join(self.directory, name.hexdigest()[:32])

    @property
    def is_kept(self) -> bool:
        return os.path.exists(self.path)

    def pieces(self) -> list[Piece]:
        """Return what comparisons have to know of the losses, kept or computed. Raises DamagedError."""
        data = read_bytes(self.path)
        found = self._computed() if data is None else pieces_from(data)
        return [replace(piece, block=piece.block + self.first) for piece in found]

    def _computed(self) -> list[Piece]:
        for one in self.sealed:
            one.check()
        rows = rows_where(pa.concat_tables([one.rows for one in self.sealed]), pa.array(self.mask))
        found = list(pieces_of(read_losses(rows), self.designs))
        data = bytes_of(found)
        if data is not None and len(data) <= MOST_KEPT:
            with contextlib.suppress(OSError):  # nothing is kept: it is computed when it is needed again
                write_bytes(self.path, data)
                forget_oldest(self.directory, MOST_KEPT)
        return found


def loss_parts(
    archive: "Archive", place: str, loss: str | None, methods: Collection[str] | None
) -> list[LossPart]:
    """Return the parts of what `comparable_losses` gives of some methods; none where losses are not so many
    that the cache has pieces of them. Raises DelveError as it does."""
    base, stored = archive._case_cache.base, archive._stored
    if base is None or archive._scores or not isinstance(stored, Generation):
        return []
    sealed = stored.pieces("losses")
    if not sealed:
        return []
    keys = pa.concat_tables([one.rows.drop_columns("values") for one in sealed])
    mask = pc.and_(_mask(keys, places=[place], loss=loss), _known_below(archive, place)(keys))
    if methods is not None:
        mask = pc.and_(mask, pc.is_in(keys["method"], value_set=pa.array(methods, pa.string())))
    ends = np.cumsum([0, *(one.rows.num_rows for one in sealed)])
    designs, directory = designs_by_task(archive.tasks), os.path.join(base, "comparisons")
    return [
        LossPart(
            first=first,
            blocks=blocks,
            sealed=sealed[start:stop],
            mask=np.asarray(mask)[ends[start] : ends[stop]],
            designs=designs,
            directory=directory,
        )
        for first, blocks, start, stop in _together(blocks_of(keys.filter(mask)), np.asarray(mask), ends)
    ]


def _together(
    blocks: Sequence[Block], mask: Mask, ends: Whole
) -> Iterator[tuple[int, tuple[Block, ...], int, int]]:
    """Yield blocks that share pieces, with the number of the first one, and from which piece up to which one
    they lie. mask: of all rows; ends: of the pieces."""
    piece_of = np.searchsorted(ends, np.flatnonzero(mask), side="right") - 1
    some, first, start, stop = list[Block](), 0, 0, 0
    for number, block in enumerate(blocks):
        own = piece_of[block.starts[0]], piece_of[block.starts[-1] - 1] + 1
        if some and own[0] >= stop:
            yield first, tuple(some), start, stop
            some = []
        if not some:
            first, start = number, own[0]
        stop = own[1]
        some.append(block)
    if some:
        yield first, tuple(some), start, stop


def compared_first(
    archive: "Archive", *, loss: str | None, methods: Collection[str] | None = None
) -> Iterator[tuple[int, int]]:
    """Compute what `Archive.compare` keeps of very many losses, and yield how many tasks are done, of how
    many; nothing where it is there, or where no losses are so many."""
    parts = loss_parts(archive, "/", loss, methods)
    total, done = sum(len(part.blocks) for part in parts), 0
    for part in parts:
        if not part.is_kept:
            yield done, total
            with contextlib.suppress(DamagedError):  # which is told, and made anew, by who compares
                part.pieces()
            if not part.is_kept:
                return
        done += len(part.blocks)
