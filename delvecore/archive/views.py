"""How an archive is looked at by hand: in five lines, by places, as data frames."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.errors import Fault

if TYPE_CHECKING:
    import pandas as pd

    from delvecore.archive import Archive

__all__ = ["FRAMES", "below", "frame_of", "methods_by_loss", "overview"]

FRAMES = (
    *("datasets", "attributes", "prototasks", "priors", "tasks", "methods", "codings", "results"),
    *("losses", "costs", "comparisons", "problems", "published"),
)
"""The tables of an archive, by name."""


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


def below(places: pa.ChunkedArray, place: str) -> pa.ChunkedArray:
    """Which places, such as `demo/age/std.128`, lie at or below one? Raises DelveError where none does."""
    names = place.strip("/")
    found = pc.or_(pc.equal(places, names), pc.starts_with(places, f"{names}/" if names else ""))
    if names and not pc.any(found).as_py():
        raise Fault(place, "a place with tasks and their results", "none", "archive.tasks lists the tasks")
    return found


def frame_of(archive: "Archive", table: str) -> "pd.DataFrame":
    """Return a table as a data frame. Raises DelveError for what is not one of FRAMES."""
    if table not in FRAMES:
        raise Fault(repr(table), "a table of an archive", "none", f"there are {', '.join(FRAMES)}")
    return getattr(archive, table).to_pandas()


def methods_by_loss(archive: "Archive", is_wanted: Callable[[tuple[str, ...]], bool]) -> dict[str, set[str]]:
    """Return {loss: methods with results} on the tasks that are wanted, by (dataset, prototask, task)."""
    found: dict[str, set[str]] = {}
    for task, losses in archive.index.methods_on.items():
        if is_wanted(task):
            for loss, methods in losses.items():
                found.setdefault(loss, set()).update(methods)
    return found
