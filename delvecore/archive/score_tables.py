"""Tables of scores, tasks x methods, from a file or from the results of an archive."""

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.archive import Archive
from delvecore.errors import DelveError
from delvecore.readers.files import read_text
from delvecore.statistics.choose import DEFAULT_SETTING, Setting
from delvecore.statistics.ranking.combined import CombinedPairs, combine_comparisons
from delvecore.statistics.ranking.score_table import LARGEST, ScoreTable, parse_score_table
from delvecore.statistics.ranking.units import unit_names, units_of

__all__ = ["archive_combined", "archive_score_table", "read_score_table"]

Names = tuple[str, ...]
TASK_KEY = ("dataset", "prototask", "task")


def read_score_table(path: str, *, higher_is_better: bool = False, quantity: str = "") -> ScoreTable:
    """Read a file of comma-separated values: tasks in the first column, the methods' names in the header.
    Raises ParseError (file:line) for what is not such a table, OSError where there is no such file."""
    return parse_score_table(read_text(path), path, higher_is_better=higher_is_better, quantity=quantity)


def archive_score_table(
    archive: Archive, places: Iterable[Sequence[str]] = (), *, loss: str = "S", standardized: bool = True
) -> ScoreTable:
    """Return the mean loss of each method on each task below the places, in the archive's order of tasks.

    places: names such as ("demo", "age"), none for all tasks. Tasks are named /dataset/prototask/task.
    standardized: the losses of `statistics.md`, comparable between tasks. A mean that does not exist, or is
    infinite or so large that its square is, is a missing value: no difference could be taken with it. Raises
    DelveError for a place below which no method has results under the loss."""
    rows = archive.results.filter(pc.equal(archive.results["loss"], loss))
    wanted: list[Names] = [tuple(names) for names in places] or [()]
    known = set(_task_names(rows))
    for place in wanted:
        if not any(_is_below(name, place) for name in known):
            raise DelveError(_nothing_below(archive, place, loss))
    kind = "standardized" if standardized else "mean"
    below = [any(_is_below(name, place) for place in wanted) for name in _task_names(rows)]
    rows = rows.filter(pa.array(below, pa.bool_()))
    places, methods = _task_names(rows), rows["method"].to_pylist()
    tasks = {place: number for number, place in enumerate(dict.fromkeys(places))}
    columns = {method: number for number, method in enumerate(sorted(set(methods)))}
    found = pc.fill_null(rows["standardized_mean" if standardized else "mean"], np.nan).to_numpy()
    values = np.full((len(tasks), len(columns)), np.nan)
    where = [tasks[place] for place in places], [columns[method] for method in methods]
    values[where] = np.where(np.abs(found) <= LARGEST, found, np.nan)
    paths = tuple("/" + "/".join(place) for place in tasks)
    units = units_of([dataset for dataset, *_ in tasks], archive.arrays)
    return ScoreTable(paths, tuple(columns), values, quantity=f"{kind} loss {loss}", units=units)


def archive_combined(
    archive: Archive,
    table: ScoreTable,
    *,
    unit: str = "task",
    loss: str = "S",
    setting: Setting = DEFAULT_SETTING,
) -> CombinedPairs:
    """What do DELVE's own tests of each task say together, for the tasks and methods of a table? table: of
    `archive_score_table`, perhaps less tasks and methods. unit: what counts once. See `combine_comparisons`.
    """
    rows = archive.compare(loss=loss, methods=table.methods, setting=setting)
    units = dict(zip(table.tasks, unit_names(table, unit), strict=True))
    kept = ["/" + "/".join(name) in units for name in _task_names(rows)]
    return combine_comparisons(rows.filter(pa.array(kept, pa.bool_())), units=units, setting=setting)


def _task_names(rows: pa.Table) -> list[Names]:
    return list(zip(*(rows[column].to_pylist() for column in TASK_KEY), strict=True))


def _is_below(name: Names, place: Names) -> bool:
    return name[: len(place)] == place


def _nothing_below(archive: Archive, place: Names, loss: str) -> str:
    """Say why there is nothing to rank: no such place, no results below it, or only under other losses."""
    where = "/" + "/".join(place)
    rows = archive.results
    losses = zip(_task_names(rows), rows["loss"].to_pylist(), strict=True)
    known = sorted({one for name, one in losses if _is_below(name, place)})
    if not known:
        return f"{where}: expected a place with tasks and their results, found none; dls and mls list them"
    return f"{where}: expected results under the loss {loss}, found none; there are {' '.join(known)}"
