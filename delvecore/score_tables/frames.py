"""Data frames of any library as pandas frames."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import pandas as pd
import pyarrow as pa

from delvecore.errors import DelveError

EXPECTED = (
    "a data frame, an Arrow table, a dictionary of columns, a list of records, an array, a path or an archive"
)


def to_pandas(data: Any) -> pd.DataFrame:
    """A pandas frame of what holds a table; an index with names becomes the first columns.

    Parameters
    ----------
    data : pandas, Polars, Arrow or another data frame that narwhals knows or that has the interchange
        protocol; a mapping of columns; a sequence of records.

    Raises
    ------
    DelveError
        For anything else.

    Examples
    --------
    >>> to_pandas([{"method": "rf", "accuracy": 0.9}]).to_dict("list")
    {'method': ['rf'], 'accuracy': [0.9]}
    """
    try:
        frame = _frame(data)
    except (TypeError, ValueError, ModuleNotFoundError, pa.ArrowException) as error:
        found = type(data).__name__ + (f" ({error})" if not isinstance(error, TypeError) else "")
        raise DelveError(f"data: expected {EXPECTED}, found {found}") from None
    if frame.index.nlevels > 1 or frame.index.name is not None or frame.index.dtype.kind not in "iu":
        frame = frame.reset_index()
    return frame if frame.columns.nlevels > 1 else frame.set_axis(map(str, frame.columns), axis=1)


def _frame(data: Any) -> pd.DataFrame:
    if isinstance(data, Mapping):
        return pd.DataFrame(dict(data))
    if isinstance(data, Sequence) and data and all(isinstance(row, Mapping) for row in data):
        return pd.DataFrame(list(data))
    if isinstance(data, pa.Table):
        return data.flatten().to_pandas()
    known = nw.from_native(data, pass_through=True)
    if isinstance(known, nw.LazyFrame):
        known = known.collect()
    if isinstance(known, nw.DataFrame):
        return known.to_pandas()
    if not hasattr(data, "__dataframe__"):
        raise TypeError
    return pd.api.interchange.from_dataframe(data)
