"""Cases as an Arrow table: a column an attribute, numbers as numbers, categories with all their values."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.model import CATEGORICAL_TYPES, Attribute, Dataset, Prior
from delvecore.number_format.numbers import plain_category
from delvecore.readers.cases import Column, words_of

RANGE, TYPE, TITLE = b"delve.range", b"delve.type", b"delve.title"
"""Metadata of a table and its fields: what the specifications say of the dataset and its attributes."""


def case_table(dataset: Dataset, columns: Mapping[int, Column], prior: Prior | None) -> pa.Table:
    """Return columns of cases, by attribute number, as a table. Types are those of the prior, else those that
    the ranges show. Missing values are null; a column with censored values has words."""
    arrays, fields = [], []
    for number, column in columns.items():
        attribute = dataset.attribute(number)
        kind = prior.line(number).type if prior else _type_of(attribute)
        array = _array(attribute, column, kind)
        said = {RANGE: attribute.range.text.encode(), TYPE: kind.encode()}
        fields.append(pa.field(attribute.name, array.type, metadata=said))
        arrays.append(array)
    return pa.table(arrays, schema=pa.schema(fields, metadata={TITLE: dataset.title.encode()}))


def _type_of(attribute: Attribute) -> str:
    """Return the type of an attribute that no prior tells of."""
    if attribute.range.kind != "categorical":
        return attribute.range.kind
    return "binary" if attribute.range.category_count == 2 else "nominal"


def _array(attribute: Attribute, column: Column, kind: str) -> pa.Array:
    unknown = pa.array(column.missing)
    if kind in CATEGORICAL_TYPES:
        return _categories(attribute, column, unknown, ordered=kind == "ordinal")
    if column.censored.any():
        words = words_of(column.words).array.cast(pa.string())
        return pc.if_else(unknown, pa.scalar(None, pa.string()), words)
    numbers = pa.array(column.numbers, mask=column.missing)
    return numbers.cast(pa.int64()) if kind == "integer" and _is_whole(column) else numbers


def _is_whole(column: Column) -> bool:
    known = column.numbers[~column.missing]
    return bool((known == np.floor(known)).all() and (np.abs(known) < 2**53).all())


def _categories(attribute: Attribute, column: Column, unknown: pa.Array, *, ordered: bool) -> pa.Array:
    values = list(attribute.range.categories or ())
    known = {value: place for place, value in enumerate(values)}
    coded = words_of(column.words).array.dictionary_encode()
    places = [known.get(plain_category(word, known)) for word in coded.dictionary.to_pylist()]
    indices = pa.array(places, type=pa.int32()).take(coded.indices)
    indices = pc.if_else(unknown, pa.scalar(None, pa.int32()), indices)
    return pa.DictionaryArray.from_arrays(indices, pa.array(values, type=pa.string()), ordered=ordered)
