"""Comparisons of many tasks on the workers of a cluster: a request has losses of some tasks, and no files.

A comparison knows nothing of other tasks, so the rows are those that one process finds."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.errors import DelveError
from delvecore.model import TaskId
from delvecore.parallel.processes import CarryOut, in_order
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.stats.losses.comparisons import compare_all
from delvecore.stats.losses.results import Block, read_losses
from delvecore.tables import COMPARISONS

BYTES_AT_ONCE, PAIRS_AT_ONCE = 4_000_000, 5_000
"""Blocks go together in one request until there are so many bytes of losses, or pairs of methods."""
Compared: TypeAlias = "pa.Table | DelveError"
Against = Mapping[TaskId, Collection[str]]
Constants = Mapping[tuple[str, str, str, str], float | None]


@dataclass(frozen=True)
class CompareRequest:
    """What `compare_all` is given, of some tasks that follow each other. name: the first of them, and its
    loss; losses: as an Arrow stream, which has no more than these."""

    name: str
    losses: bytes
    tasks: pa.Table
    standardizers: Constants
    against: Against | None
    setting: Setting

    def failed(self, error: BaseException) -> Compared:
        return DelveError(f"comparisons from {self.name} on: {error}")


class CompareBench:
    """Compares; it needs nothing but what a request has."""

    def carry_out(self, request: CompareRequest) -> Compared:
        """Return the rows of `compare_all`."""
        losses = pa.ipc.open_stream(request.losses).read_all()
        given = losses, request.tasks, request.standardizers
        return compare_all(*given, against=request.against, setting=request.setting)


def compare_distributed(
    losses: pa.Table,
    tasks: pa.Table,
    standardizers: Constants,
    carry_out: CarryOut[CompareRequest, Compared],
    *,
    loss: str | None = None,
    methods: Collection[str] | None = None,
    against: Against | None = None,
    setting: Setting = DEFAULT_SETTING,
) -> pa.Table:
    """Return what `compare_all` does, to the last bit, computed by those whom carry_out asks. Raises
    DelveError where they fail."""
    if methods is not None:
        losses = losses.filter(pc.is_in(losses["method"], value_set=pa.array(methods, pa.string())))
    found = [COMPARISONS.empty_table()]
    requests = _requests(losses, tasks, standardizers, loss=loss, against=against, setting=setting)
    for _, rows in in_order(carry_out, requests):
        if isinstance(rows, DelveError):
            raise rows
        found.append(rows)
    return pa.concat_tables(found)


def _requests(
    losses: pa.Table,
    tasks: pa.Table,
    standardizers: Constants,
    *,
    loss: str | None,
    against: Against | None,
    setting: Setting,
) -> Iterator[CompareRequest]:
    named = zip(*(tasks[name].to_pylist() for name in ("dataset", "prototask", "task")), strict=True)
    row_of = {task: row for row, task in enumerate(named)}
    for blocks in _together(losses, read_losses(losses, loss=loss).blocks):
        names = list(dict.fromkeys(block.task for block in blocks))
        parts = [losses.slice(block.starts[0], block.starts[-1] - block.starts[0]) for block in blocks]
        keys = [(*block.task, block.loss) for block in blocks]
        yield CompareRequest(
            name="/".join(("", *keys[0])),
            losses=_stream(pa.concat_tables(parts)),
            tasks=tasks.take([row_of[task] for task in names if task in row_of]),
            standardizers={key: standardizers.get(key) for key in keys},
            against=None if against is None else {task: against.get(task, ()) for task in names},
            setting=setting,
        )


def _together(losses: pa.Table, blocks: tuple[Block, ...]) -> Iterator[list[Block]]:
    """Yield blocks that have pairs, in order, as many together as one request has."""
    some: list[Block] = []
    pairs = size = 0
    for block in blocks:
        count = len(block.methods)
        if count < 2:
            continue
        some.append(block)
        pairs += count * (count - 1) // 2
        size += losses.slice(block.starts[0], block.starts[-1] - block.starts[0]).nbytes
        if pairs >= PAIRS_AT_ONCE or size >= BYTES_AT_ONCE:
            yield some
            some, pairs, size = [], 0, 0
    if some:
        yield some


def _stream(table: pa.Table) -> bytes:
    """Return a table, of which only these rows are kept, as bytes."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    found: bytes = sink.getvalue().to_pybytes()
    return found
