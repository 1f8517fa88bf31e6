"""A table of scores to fill in: the tasks of an archive, for methods that were run on them elsewhere."""

from collections.abc import Iterable, Sequence

import pyarrow as pa

from delvecore.errors import Fault
from delvecore.model import TaskId
from delvecore.report.writers.csv import csv_text

METHOD = "mine"
"""What the method is called in the table, until somebody calls it otherwise."""


def template_text(tasks: pa.Table, loss: str, places: Iterable[Sequence[str]] = ()) -> str:
    """Return CSV with a line for each task: its name, a method, the loss, and an empty column of means of it.

    tasks: of an archive; places: names such as ("demo", "age") below which tasks are wanted, none for all.
    Filled in, the table is read as scores on the archive's own tasks. Raises DelveError where there are no
    tasks."""
    wanted = [tuple(place) for place in places] or [()]
    columns = (tasks[name].to_pylist() for name in ("dataset", "prototask", "task"))
    found = [one for one in map(TaskId, *columns) if any(one[: len(place)] == place for place in wanted)]
    if not found:
        named = " ".join("/" + "/".join(place) for place in wanted)
        raise Fault(named, "a place with tasks", "none", "dls lists them")
    rows = [[one.title, METHOD, loss, None] for one in found]
    return csv_text(["dataset", "method", "loss", "value"], rows)
