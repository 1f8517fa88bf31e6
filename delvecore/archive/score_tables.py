"""Tables of scores, tasks x methods, from a file or from the results of an archive."""

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.archive import Archive
from delvecore.errors import DelveError
from delvecore.readers.files import read_text
from delvecore.statistics.ranking.score_table import ScoreTable, parse_score_table

__all__ = ["archive_score_table", "read_score_table"]

TASK_KEY = ("dataset", "prototask", "task")


def read_score_table(path: str, *, higher_is_better: bool = False, quantity: str = "") -> ScoreTable:
    """Read a file of comma-separated values: tasks in the first column, the methods' names in the header.

    Raises ParseError (file:line) for what is not such a table, OSError where there is no such file.
    """
    return parse_score_table(read_text(path), path, higher_is_better=higher_is_better, quantity=quantity)


def archive_score_table(
    archive: Archive,
    places: Iterable[Sequence[str]] = (),
    *,
    loss: str = "S",
    standardized: bool = True,
) -> ScoreTable:
    """Return the mean loss of each method on each task below the places, in the archive's order of tasks.

    places: names such as ("demo", "age"), none for all tasks. Tasks are named /dataset/prototask/task.
    standardized: the losses of `statistics.md`, comparable between tasks. A mean that is infinite or does not
    exist is a missing value: no difference could be taken with it. Raises DelveError where no method has
    results under the loss.
    """
    rows = archive.results.filter(pc.equal(archive.results["loss"], loss))
    places = [tuple(names) for names in places] or [()]
    names = list(zip(*(rows[column].to_pylist() for column in TASK_KEY), strict=True))
    below = [any(name[: len(place)] == place for place in places) for name in names]
    rows = rows.filter(pa.array(below, pa.bool_()))
    if not rows.num_rows:
        where = ", ".join("/" + "/".join(place) for place in places)
        known = " ".join(sorted(set(archive.results["loss"].to_pylist()))) or "no loss"
        raise DelveError(f"{where}: expected results under the loss {loss}, found none; there are {known}")
    column = rows["standardized_mean" if standardized else "mean"]
    kept = [name for name, is_below in zip(names, below, strict=True) if is_below]
    return _table(kept, rows["method"].to_pylist(), column, _quantity(loss, standardized))


def _table(places, methods, column, quantity):
    tasks = {place: number for number, place in enumerate(dict.fromkeys(places))}
    known = {method: number for number, method in enumerate(sorted(set(methods)))}
    found = pc.fill_null(column, np.nan).to_numpy()
    values = np.full((len(tasks), len(known)), np.nan)
    where = [tasks[place] for place in places], [known[method] for method in methods]
    values[where] = np.where(np.isfinite(found), found, np.nan)
    paths = tuple("/" + "/".join(place) for place in tasks)
    return ScoreTable(paths, tuple(known), values, False, quantity)


def _quantity(loss, standardized):
    return f"{'standardized' if standardized else 'mean'} loss {loss}"
