"""Sources from data in a notebook: frames, pairs of inputs and targets, scikit-learn's bunches, files."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from delvecore.errors import Fault, shortened
from delvecore.importers.case_files import open_source
from delvecore.importers.plan import ImportPlan
from delvecore.importers.source import Source, bunch_source, frame_source, sorted_source, with_column
from delvecore.model import CATEGORICAL_TYPES
from delvecore.score_tables.reading import to_pandas

PAIR = 2
MOST_CELLS = 20_000_000
"""Largest number of cells of a sparse matrix that is made dense."""
ONE_NAME = "data"
"""The name of a single unnamed dataset."""
ROWS = "rows"
"""The value of `order` for the order of the rows."""
DATA_FORMS = (
    "a data frame with target=, a pair (inputs, target), "
    "the result of load_* or fetch_* of scikit-learn, or a path"
)


def named_datasets(datasets: Any) -> dict[str, Any]:
    """Return datasets by name; a single dataset gets a default name. Raises Fault without data."""
    if is_dataset(datasets):
        is_path = isinstance(datasets, str | os.PathLike)
        name = os.path.basename(os.fspath(datasets)).partition(".")[0] if is_path else ONE_NAME
        return {name or ONE_NAME: datasets}
    if isinstance(datasets, Mapping) and datasets:
        return dict(datasets)
    actual = "none" if isinstance(datasets, Mapping) else shortened(repr(type(datasets).__name__))
    raise Fault("datasets", f"data by name, or one dataset: {DATA_FORMS}", actual)


def is_dataset(thing: Any) -> bool:
    """Is this a single dataset, and not a mapping of several?"""
    if hasattr(thing, "data") and hasattr(thing, "target"):
        return True
    if isinstance(thing, str | os.PathLike) or (isinstance(thing, tuple) and len(thing) == PAIR):
        return True
    return isinstance(thing, pa.Table | pd.DataFrame) or hasattr(thing, "to_pandas")


def read_data(name: str, thing: Any) -> Source:
    """Return a dataset as a source. Raises DelveError for an unsupported object."""
    if isinstance(thing, str | os.PathLike):
        return open_source(os.fspath(thing))
    if hasattr(thing, "data") and hasattr(thing, "target"):
        if hasattr(thing.data, "toarray"):
            thing = type(thing)(**{**thing, "data": _dense(name, thing.data)})
        dtypes = thing.data.dtypes if isinstance(thing.data, pd.DataFrame) else {}
        return bunch_source(thing, name)._replace(dtypes=dict(dtypes), is_array=not len(dtypes))
    if isinstance(thing, tuple) and len(thing) == PAIR:
        return _pair(name, *thing)
    if isinstance(thing, pa.Table):
        return frame_source(thing, name)
    if isinstance(thing, np.ndarray | list):
        actual = f"{type(thing).__name__} without a target"
        raise Fault(name, DATA_FORMS, actual, "pass a pair (inputs, target)")
    frame = to_pandas(thing)
    return frame_source(frame, name)._replace(dtypes=dict(frame.dtypes))


def _dense(name: str, matrix: Any) -> np.ndarray:
    """Return a sparse matrix as an array. Raises Fault if it has too many cells."""
    rows, columns = matrix.shape
    if rows * columns > MOST_CELLS:
        actual = f"a sparse matrix of {rows:,} x {columns:,}"
        raise Fault(
            name, f"inputs of at most {MOST_CELLS:,} values", actual, "select or project its columns first"
        )
    return np.asarray(matrix.toarray())


def _pair(name: str, inputs: Any, target: Any) -> Source:
    inputs = _dense(name, inputs) if hasattr(inputs, "toarray") else inputs
    is_array = not (isinstance(inputs, pd.DataFrame) or hasattr(inputs, "to_pandas"))
    if is_array:
        values = np.asarray(inputs)
        if values.ndim != PAIR or values.dtype.kind == "c":
            actual = f"an array of shape {values.shape} and type {values.dtype}"
            raise Fault(
                name, "inputs of shape (cases, columns)", actual, "each case needs a row: x.reshape(-1, 1)"
            )
        frame = pd.DataFrame(values, columns=[f"x{place}" for place in range(values.shape[1])])
    else:
        frame = to_pandas(inputs).rename(columns=str).reset_index(drop=True)
    targets = _targets(name, target)
    if len(targets) != len(frame):
        raise Fault(name, f"a target for each of {len(frame)} cases", len(targets))
    while set(targets.columns) & set(frame.columns):
        targets = targets.add_suffix("_")
    source = frame_source(pd.concat([frame, targets], axis=1), name)
    target_names = (",".join(targets.columns),)
    return source._replace(targets=target_names, dtypes=dict(frame.dtypes), is_array=is_array)


def _targets(name: str, target: Any) -> pd.DataFrame:
    """Return one or more targets as columns. Raises Fault for an invalid shape."""
    if isinstance(target, pd.DataFrame):
        return target.rename(columns=str).reset_index(drop=True)
    if isinstance(target, pd.Series):
        return pd.DataFrame({"target": target.reset_index(drop=True)})
    values = np.asarray(target)
    if values.ndim == PAIR and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim == 1:
        return pd.DataFrame({"target": values})
    if values.ndim == PAIR and values.shape[1]:
        return pd.DataFrame(values, columns=[f"target_{place + 1}" for place in range(values.shape[1])])
    raise Fault(name, "a target of shape (cases,)", f"shape {values.shape}")


def with_groups(source: Source, groups: Any) -> tuple[Source, str]:
    """Return data with a column of groups, and its name.

    groups: a column of the data, or a value for each case."""
    if isinstance(groups, str):
        return source, groups
    return _with_values(source, "groups", groups)


def in_order(source: Source, order: Any) -> tuple[Source, str | None]:
    """Return the data with cases in order of time, and the column of times; None for the order of rows.

    order: a column of numbers or dates, a value for each case, or `rows`. Raises Fault for other values."""
    if isinstance(order, str) and order == ROWS:
        return source, None
    source, name = (source, order) if isinstance(order, str) else _with_values(source, "order", order)
    if name not in [column.name for column in source.columns]:
        raise Fault("order", f"a column, a value for each case, or {ROWS!r}", repr(name))
    return sorted_source(source, name), name


def _with_values(source: Source, what: str, values: Any) -> tuple[Source, str]:
    """Return data with one more column, whose name is unique."""
    listed = (
        list(values)
        if isinstance(values, Sequence | np.ndarray | pd.Series | pd.Index | pa.ChunkedArray)
        else None
    )
    if listed is None or any(np.ndim(value) for value in listed):
        expected = "the name of a column, or a value for each case"
        raise Fault(what, expected, shortened(repr(type(values).__name__)))
    name, names = what, {column.name for column in source.columns}
    while name in names:
        name += "_"
    words = pa.array([None if pd.isna(value) else str(value) for value in listed], type=pa.string())
    return with_column(source, name, words), name


Values = dict[str, dict[str, Any]]
"""By attribute that is a category, the value in the data of each word."""


def category_values(plan: ImportPlan) -> Values:
    """Return the original value of each category's word in a plan."""
    values: Values = {}
    for column in plan.kept:
        dtype = plan.source.dtypes.get(column.source)
        if column.type in CATEGORICAL_TYPES:
            is_numeric = dtype is None and all(map(_is_number, column.words))
            words = column.words.items()
            values[column.name] = {
                word: float(value) if is_numeric else _value(value, dtype) for value, word in words
            }
    return values


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _value(word: str, dtype: Any) -> Any:
    """Return the original value of a word in a column of this type."""
    kind = getattr(dtype, "kind", "O")
    if isinstance(dtype, pd.CategoricalDtype):
        return {str(value): value for value in dtype.categories}.get(word, word)
    if kind == "b" or str(dtype) == "boolean":
        return word.lower() == "true"
    if kind in "iuf":
        return np.dtype(str(dtype).lower()).type(float(word))
    return word


def restored(
    frame: pd.DataFrame, *, names: Mapping[str, str], dtypes: Mapping[str, Any], values: Values
) -> pd.DataFrame:
    """Return a frame of attributes with the original names, values and types of its columns.

    names: original names of columns, by attribute; dtypes: by these names; values: see `category_values`."""
    columns = {
        names[name]: _restored(frame[name], dtypes.get(names[name]), values.get(name, {})) for name in frame
    }
    return pd.DataFrame(columns, index=frame.index)


def _restored(column: pd.Series, dtype: Any, values: Mapping[str, Any]) -> pd.Series:
    kind = getattr(dtype, "kind", "")
    if values:
        column = column.astype(object).map(values)
        if isinstance(dtype, pd.CategoricalDtype):
            categories = pd.Categorical(column, categories=dtype.categories, ordered=dtype.ordered)
            return pd.Series(categories, column.index)
        if dtype is None or kind in "iuf":
            numeric = all(isinstance(value, float | int | np.number) for value in values.values())
            column = column.astype(float) if numeric else column
    is_number = column.dtype.kind in "iuf"
    has_gaps = bool(column.isna().any())
    if isinstance(dtype, np.dtype) and not (has_gaps and kind in "iub"):
        return column.astype(dtype) if is_number or kind in "bO" else column
    return column.astype(float) if has_gaps and is_number else column
