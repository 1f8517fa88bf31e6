"""How an archive is looked at by hand: in five lines, by places, as data frames."""

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.archive.loss_rows import comparable_losses
from delvecore.archive.metrics import measured
from delvecore.errors import Fault
from delvecore.model import TaskId, place_names
from delvecore.parallel.cluster import carry_out_on
from delvecore.stats.choose import Setting
from delvecore.stats.losses.comparisons import CompareBench, compare_all, compare_distributed

if TYPE_CHECKING:
    import pandas as pd

    from delvecore.archive import Archive


FRAMES = (
    *("datasets", "attributes", "prototasks", "priors", "tasks", "methods", "codings", "results"),
    *("losses", "costs", "comparisons", "problems", "published"),
)
"""The tables of an archive, by name."""
OF_LOSSES = ("results", "losses", "comparisons")


def overview(archive: "Archive") -> str:
    """Return what an archive holds, in five lines."""
    arrays = ", ".join(array.name for array in archive.arrays) or "none"
    losses = " ".join(archive.index.losses)
    return (
        f"Archive of {', '.join(archive.sources)}\n"
        f"{len(archive.datasets):,} datasets, {len(archive.tasks):,} tasks; task-arrays: {arrays}\n"
        f"{len(archive.methods):,} methods; losses: {losses or 'none'}\n"
        f"{len(archive.results):,} results; {len(archive.problems):,} problems in files\n"
        f"to_frame(), compare(), array(), cases(); tables: {', '.join(FRAMES)}"
    )


def under(
    archive: "Archive", loss: str | None, places: Sequence[Sequence[str]] = ()
) -> "tuple[Archive, str | None]":
    """Return an archive that has results under a loss, which may be a metric that is computed first, and what
    it is called there; None stays. places: see `archive.metrics.measured`, which raises DelveError."""
    if loss is None or loss in archive.index.losses:
        return archive, loss
    found = measured(archive, loss, places)
    return found.archive, found.loss


def compared(
    archive: "Archive",
    place: str,
    *,
    loss: str | None,
    methods: Collection[str] | None,
    against: Mapping[TaskId, Collection[str]] | None,
    setting: Setting,
) -> pa.Table:
    """Return all pairs of methods on the tasks at or below a place: see `Archive.compare`."""
    names = place_names(place)
    archive, loss = under(archive, loss, [names] if names else [])
    given = comparable_losses(archive, place, loss), archive.tasks, archive.constants
    compare = functools.partial(compare_all, *given)
    if archive.scheduler:
        compare = functools.partial(
            compare_distributed, *given, carry_out_on(archive.scheduler, CompareBench)
        )
    return compare(loss=loss, methods=methods, against=against, setting=setting)


def frame_of(archive: "Archive", table: str, *, loss: str | None = None) -> "pd.DataFrame":
    """Return a table as a data frame. loss: a loss or metric, of whose rows alone it then is. Raises
    DelveError for what is not one of FRAMES, and for a loss of a table that has none."""
    if table not in FRAMES:
        raise Fault(repr(table), "a table of an archive", "none", f"there are {', '.join(FRAMES)}")
    if loss is None:
        return _frame(getattr(archive, table))
    if table not in OF_LOSSES:
        raise Fault(f"loss={loss!r}", f"a table that has losses: {', '.join(OF_LOSSES)}", repr(table))
    archive, name = under(archive, loss)
    if table == "comparisons":
        return archive.compare(loss=name).to_pandas()
    rows = getattr(archive, table)
    return _frame(rows.filter(pc.equal(rows["loss"], name)))


def _frame(table: pa.Table) -> "pd.DataFrame":
    """Return a data frame whose whole numbers have room for sums, however small they are kept."""
    whole = [
        field.with_type(pa.int64()) if pa.types.is_integer(field.type) else field for field in table.schema
    ]
    return table.cast(pa.schema(whole)).to_pandas()


def methods_by_loss(archive: "Archive", is_wanted: Callable[[TaskId], bool]) -> dict[str, set[str]]:
    """Return {loss: methods with results} on the tasks that are wanted, by (dataset, prototask, task)."""
    found: dict[str, set[str]] = {}
    for task, losses in archive.index.methods_on.items():
        if is_wanted(task):
            for loss, methods in losses.items():
                found.setdefault(loss, set()).update(methods)
    return found
