"""Names in the columns of Arrow tables: paths of tasks, and names as numbers."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

__all__ = ["places_among", "task_paths"]


def task_paths(rows: pa.Table) -> pa.ChunkedArray:
    """Return the full path of the task of each row, by its columns dataset, prototask and task."""
    names = (rows[name].cast(pa.string()) for name in ("dataset", "prototask", "task"))
    return pc.binary_join_element_wise("", *names, "/")


def places_among(names: pa.ChunkedArray, known: Sequence[str]) -> NDArray[np.int64]:
    """Return at which place among those known each name stands, -1 for none."""
    found = pc.index_in(names.cast(pa.string()), value_set=pa.array(known, pa.string()))
    return pc.fill_null(found, -1).to_numpy().astype(np.int64)
