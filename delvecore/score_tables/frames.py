"""Data frames of any library as pandas frames."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import pandas as pd
import pyarrow as pa

from delvecore.errors import DelveError

__all__ = ["to_pandas"]

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
    if isinstance(data, pd.DataFrame):
        counts = data.index.name is None and data.index.dtype.kind in "iu" and data.index.nlevels == 1
        frame = data if counts else data.reset_index()
        return (
            frame
            if isinstance(frame.columns, pd.MultiIndex)
            else frame.set_axis(map(str, frame.columns), axis=1)
        )
    if isinstance(data, pa.Table):
        try:
            return data.flatten().to_pandas()
        except pa.ArrowException as error:
            raise DelveError(f"data: expected columns of numbers and texts, found {error}") from None
    try:
        if isinstance(data, Mapping):
            return to_pandas(pd.DataFrame(dict(data)))
        if isinstance(data, Sequence) and data and all(isinstance(row, Mapping) for row in data):
            return to_pandas(pd.DataFrame(list(data)))
        known = nw.from_native(data, pass_through=True)
        if isinstance(known, nw.LazyFrame):
            known = known.collect()
        if isinstance(known, nw.DataFrame):
            return to_pandas(known.to_pandas())
        if hasattr(data, "__dataframe__"):
            return to_pandas(pd.api.interchange.from_dataframe(data))
        raise TypeError
    except (TypeError, ValueError, ModuleNotFoundError) as error:
        found = type(data).__name__ + (f" ({error})" if isinstance(error, ValueError) else "")
        raise DelveError(f"data: expected {EXPECTED}, found {found}") from None
