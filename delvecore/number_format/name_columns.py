"""Names in the columns of Arrow tables: paths of tasks, and names as numbers."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

__all__ = ["name_codes", "path_codes", "places_among", "task_paths", "task_places"]


def task_paths(rows: pa.Table) -> pa.ChunkedArray:
    """Return the full path of the task of each row, by its columns dataset, prototask and task."""
    names = (rows[name].cast(pa.string()) for name in ("dataset", "prototask", "task"))
    return pc.binary_join_element_wise("", *names, "/")


def path_codes(rows: pa.Table) -> tuple[list[str], NDArray[np.int64]]:
    """Return the full paths of the tasks, and the number of each row's among them."""
    codes = np.zeros(rows.num_rows, dtype=np.int64)
    for column in ("dataset", "prototask", "task"):
        names, places = name_codes(rows[column])
        codes = codes * max(len(names), 1) + places
    _, first, places = np.unique(codes, return_index=True, return_inverse=True)
    return task_paths(rows.take(first)).to_pylist(), places


def task_places(rows: pa.Table, known: Sequence[str]) -> NDArray[np.int64]:
    """Return at which place among these full paths the task of each row stands, -1 for none."""
    paths, codes = path_codes(rows)
    return places_among(pa.array(paths, pa.string()), known)[codes]


def name_codes(column: pa.ChunkedArray) -> tuple[list[str], NDArray[np.int64]]:
    """Return the names in a column, sorted, and the number of each row's among them."""
    found = column.combine_chunks().dictionary_encode()
    names = found.dictionary.to_pylist()
    order = sorted(range(len(names)), key=names.__getitem__)
    places = np.empty(len(names), dtype=np.int64)
    places[order] = np.arange(len(names))
    return [names[place] for place in order], places[found.indices.to_numpy()]


def places_among(names: pa.Array | pa.ChunkedArray, known: Sequence[str]) -> NDArray[np.int64]:
    """Return at which place among those known each name stands, -1 for none."""
    found = pc.index_in(names.cast(pa.string()), value_set=pa.array(known, pa.string()))
    return pc.fill_null(found, -1).to_numpy().astype(np.int64)
