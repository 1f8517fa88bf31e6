"""The cases of a dataset, and of a prototask in its order; random orders; cases as an Arrow table.

All other code reads cases through this module, so generated and stored cases are treated in the same way.
Source: DELVE manual, sections 3.2, 4.1 and 4.4, appendix C (`dgenorder`)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.errors import DelveError, Fault
from delvecore.model import CATEGORICAL_TYPES, RANDOM_ORDER, Attribute, Dataset, Prior, Prototask
from delvecore.number_format.columns import translated
from delvecore.number_format.numbers import plain_category
from delvecore.readers.cases import Cases, Column, make_column, read_case_file, take_words, words_of
from delvecore.readers.dataset import DATA, GENERATOR, find_data_of, has_data, read_generator
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.prototask import read_indexes
from delvecore.simulators.simulate import build_ahead, build_file

if TYPE_CHECKING:
    from delvecore.encoding.instances import Instance

ALL, NO_MISSING = "all", "no missing"


Strata = tuple[Attribute, np.ndarray]
"""Target of a stratified prototask, and each case's position among its categories as int64, -1 if missing."""


@dataclass(frozen=True)
class PrototaskCases:
    """The cases that a prototask uses, in its order, with the columns of its inputs and targets.

    Attributes
    ----------
    columns : dict of int to Column
        Columns by attribute number.
    case_numbers : array
        Number of each case in `Dataset.data`, from 1; 0 if only `Prototask.data` exists and does not show it.
    commonality : Sequence[int | None]
        Commonality index of each case or None; empty if no case has one.
    listed : dict[str, tuple[str, list of Instance]]
        Listed instances by the path of their file, with the file's text.
    """

    dataset: Dataset
    prototask: Prototask
    columns: dict[int, Column]
    case_numbers: np.ndarray
    commonality: Sequence[int | None] = ()
    listed: "dict[str, tuple[str, list[Instance]]]" = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    @cached_property
    def groups(self) -> np.ndarray | None:
        """The group of each case as int64, one per commonality index.

        None if no case has an index, or if the specification of the dataset does not declare indexes, which
        then have no effect."""
        if not self.dataset.commonality or not any(index is not None for index in self.commonality):
            return None
        keys = [("alone", place) if index is None else index for place, index in enumerate(self.commonality)]
        codes = {key: code for code, key in enumerate(dict.fromkeys(keys))}
        return np.array([codes[key] for key in keys], dtype=np.int64)

    @cached_property
    def strata(self) -> Strata | None:
        """The values by which training sets are stratified, None for other prototasks."""
        if not self.prototask.stratified:
            return None
        attribute = self.dataset.attribute(self.prototask.targets[0])
        places = {value: place for place, value in enumerate(attribute.range.categories or ())}
        words = self.columns[attribute.number].words
        codes = np.array([places.get(plain_category(word, places), -1) for word in words], dtype=np.int64)
        return attribute, codes

    @property
    def count(self) -> int:
        return len(self.case_numbers)

    @property
    def are_in_order(self) -> bool:
        """Do the cases have the order of the dataset?"""
        return self.prototask.order_file is None or bool((np.diff(self.case_numbers) > 0).all())

    def attribute_columns(self, numbers: Iterable[int]) -> list[tuple[Attribute, Column]]:
        """Return (Attribute, Column) for attribute numbers, in their order."""
        return [(self.dataset.attribute(number), self.columns[number]) for number in numbers]


def prototask_cases(hierarchy: Hierarchy, dataset: Dataset, prototask: Prototask) -> PrototaskCases:
    """Return the cases of a prototask, from `Dataset.data`.

    If that file is absent, or a file that selects or orders its cases, they are from `Prototask.data`. Raises
    DelveError if both are unusable, ParseError for a faulty line."""
    chosen = _case_file_name(prototask), prototask.order_file
    missing = [] if has_data(find_data_of(hierarchy, dataset.name)) else [DATA]
    places = [(dataset.name, prototask.name, name) for name in chosen if name]
    missing += [names[-1] for names in places if hierarchy.find("data", *names) is None]
    if not missing:
        return _from_dataset(hierarchy, dataset, prototask)
    path = hierarchy.find("data", dataset.name, prototask.name, "Prototask.data")
    if path is None:
        raise Fault(
            prototask.path,
            f"Prototask.data, or {missing[0]} to make it from",
            "neither",
            "make it with dgenorder" if missing == [RANDOM_ORDER] else "fetch the dataset again",
        )
    return _from_prototask(hierarchy, dataset, prototask, path)


_HELD: WeakKeyDictionary[Hierarchy, PrototaskCases] = WeakKeyDictionary()


def held_cases(hierarchy: Hierarchy, dataset: Dataset, prototask: Prototask) -> PrototaskCases:
    """Return `prototask_cases`, cached for the last prototask of each hierarchy.

    Tasks are processed by prototask, so the cases are read once."""
    held = _HELD.get(hierarchy)
    if held is None or (held.dataset, held.prototask) != (dataset, prototask):
        held = _HELD[hierarchy] = prototask_cases(hierarchy, dataset, prototask)
    return held


def _case_file_name(prototask: Prototask) -> str | None:
    """Return the name of the file that lists the cases in use, None for a keyword."""
    return None if prototask.cases.lower() in (ALL, NO_MISSING) else prototask.cases


def _from_dataset(hierarchy: Hierarchy, dataset: Dataset, prototask: Prototask) -> PrototaskCases:
    path = find_case_file(hierarchy, dataset.name)
    if path is None:
        raise Fault(prototask.path, DATA, "none", "fetch the dataset again")
    cases = read_case_file(path, dataset)
    chosen = _chosen(hierarchy, prototask, cases)
    order = _order(hierarchy, prototask, len(chosen))
    positions = chosen if order is None else chosen[order]
    return select_cases(dataset, prototask, cases, positions)


def select_cases(
    dataset: Dataset, prototask: Prototask, cases: Cases, positions: np.ndarray
) -> PrototaskCases:
    """Return the cases at these positions (int64, from 0), in this order, as the cases of a prototask.

    Raises DelveError for a sequential prototask with commonality indexes."""
    columns = {number: cases.columns[number] for number in prototask.used if number}
    if len(positions) != cases.count or np.any(np.diff(positions) != 1):
        for number, column in columns.items():
            columns[number] = column_at(column, positions)
    if 0 in prototask.used:
        columns[0] = make_column([str(number) for number in (positions + 1).tolist()])
    commonality: Sequence[int | None] = ()
    if cases.has_groups:
        commonality = [cases.commonality[position] for position in positions.tolist()]
    selected = PrototaskCases(dataset, prototask, columns, positions + 1, commonality)
    _check_sequence(selected)
    return selected


def _check_sequence(selected: PrototaskCases) -> None:
    """Raise Fault for a sequential prototask with commonality indexes: manual, section 4.1."""
    if not selected.prototask.is_sequential or not selected.commonality:
        return
    for index, number in zip(selected.commonality, selected.case_numbers.tolist(), strict=True):
        if index is not None:
            where = f"case {number}" if number else "Prototask.data"
            raise Fault(
                selected.prototask.path,
                "no commonality indexes in a sequential prototask",
                f"@{index} in {where}",
                "use a random order",
            )


def _chosen(hierarchy: Hierarchy, prototask: Prototask, cases: Cases) -> np.ndarray:
    """Return the positions of the cases that the prototask uses, in the dataset's order."""
    name = _case_file_name(prototask)
    if name:
        numbers = _indexes(hierarchy, prototask, name, count=cases.count, permutation=False)
        return np.sort(numbers) - 1
    if prototask.cases.lower() == NO_MISSING:
        return np.flatnonzero(no_missing(prototask, cases))
    return np.arange(cases.count)


def no_missing(prototask: Prototask, cases: Cases) -> np.ndarray:
    """Return a mask of the prototask's cases without missing values. The case index is never missing."""
    used = np.ones(cases.count, dtype=bool)
    for number in filter(None, prototask.used):
        used &= ~cases.columns[number].missing
    return used


def _order(hierarchy: Hierarchy, prototask: Prototask, count: int) -> np.ndarray | None:
    """Return the order of a prototask's cases as positions, or None if the dataset's order is retained."""
    name = prototask.order_file
    if name is None:
        return None
    numbers = _indexes(hierarchy, prototask, name, count=count, permutation=True)
    return numbers - 1


def _indexes(
    hierarchy: Hierarchy, prototask: Prototask, name: str, *, count: int, permutation: bool
) -> np.ndarray:
    path = hierarchy.find("data", prototask.dataset, prototask.name, name)
    if path is None:
        raise Fault(prototask.path, f"the file {name}", "none", "add it, or change the specification")
    return read_indexes(path, count=count, permutation=permutation)


def column_at(column: Column, positions: np.ndarray) -> Column:
    """Return the values of a Column at positions (int64, from 0)."""
    return Column(
        take_words(column.words, positions),
        column.numbers[positions],
        column.missing[positions],
        column.censored[positions],
    )


def _from_prototask(
    hierarchy: Hierarchy, dataset: Dataset, prototask: Prototask, path: str
) -> PrototaskCases:
    attributes = tuple(map(dataset.attribute, prototask.used))
    cases = read_case_file(path, dataset._replace(attributes=attributes))
    if 0 in cases.columns:
        numbers = cases.columns[0].numbers.astype(np.int64)
    else:
        numbers = _known_numbers(hierarchy, prototask, cases.count)
    selected = PrototaskCases(dataset, prototask, cases.columns, numbers, cases.commonality)
    _check_sequence(selected)
    return selected


def _known_numbers(hierarchy: Hierarchy, prototask: Prototask, count: int) -> np.ndarray:
    """Return the case numbers of `Prototask.data`: zeros unless all cases are used in a known order."""
    name = prototask.order_file
    all_used = prototask.cases.lower() == ALL
    if all_used and (name is None or hierarchy.find("data", prototask.dataset, prototask.name, name)):
        order = _order(hierarchy, prototask, count)
        return np.arange(1, count + 1) if order is None else order + 1
    return np.zeros(count, dtype=np.int64)


LARGEST_SEED = 2**64 - 1
PIECE = 1 << 16
"""Number of lines of a file that are written at once."""


def random_order(count: int, seed: int, *, groups: np.ndarray | None = None) -> np.ndarray:
    """Return the positions (int64, from 0) of `count` cases in random order, the same for the same seed.

    groups: number of the group of each case, int64. Cases of a group are consecutive, in random order, and so
    are the groups. All orders with consecutive groups are equally likely. Raises DelveError for a negative
    seed or one with more than 64 bits."""
    if not 0 <= seed <= LARGEST_SEED:
        raise Fault("", f"a seed from 0 to {LARGEST_SEED}", seed)
    bits = np.random.PCG64(seed)  # the stream of raw bits of this generator never changes between versions
    keys = bits.random_raw(count)
    if groups is None:
        return np.argsort(keys, kind="stable")
    known, codes = np.unique(groups, return_inverse=True)
    group_keys = bits.random_raw(len(known))
    return np.lexsort((keys, codes, group_keys[codes]))


def order_lines(order: np.ndarray) -> Iterator[bytes]:
    """Yield an order file in pieces, with the number (from 1) of a case per line."""
    for start in range(0, len(order), PIECE):
        numbers = (order[start : start + PIECE] + 1).tolist()
        yield ("\n".join(map(str, numbers)) + "\n").encode()


def find_case_file(hierarchy: Hierarchy, dataset: str) -> str | None:
    """Return the path of the file with all cases of a dataset by name, built if needed, or None. Raises
    DelveError if they cannot be built."""
    return case_file(find_data_of(hierarchy, dataset))


def case_file(files: Mapping[str, str]) -> str | None:
    """Return the path of the file with all cases, built if needed; None without cases.

    files: true paths in a dataset's directory by plain name. `Dataset.data` takes precedence. Raises
    DelveError."""
    if DATA in files:
        return files[DATA]
    if GENERATOR not in files:
        return None
    return build_file(read_generator(files), files[GENERATOR])


def build_case_files(datasets: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Build the missing cases of several datasets at once, if that is faster than one after the other.

    datasets: {name: {plain name: path}}. Yields the name of each dataset that was built. `case_file` reports
    later why another dataset cannot be built."""
    wanted, names = {}, {}
    for name, files in datasets.items():
        if DATA not in files and GENERATOR in files:
            try:
                wanted[files[GENERATOR]] = read_generator(files)
            except DelveError:
                continue
            names[files[GENERATOR]] = name
    for source in build_ahead(wanted):
        yield names[source]


RANGE, TYPE, TITLE = b"delve.range", b"delve.type", b"delve.title"
"""Metadata of a table and its fields, from the specifications of the dataset and its attributes."""


def case_table(dataset: Dataset, columns: Mapping[int, Column], prior: Prior | None) -> pa.Table:
    """Return columns of cases, by attribute number, as a table.

    Types are those of the prior, otherwise those of the ranges. Missing values are null. A column with
    censored values has words."""
    arrays, fields = [], []
    for number, column in columns.items():
        attribute = dataset.attribute(number)
        kind = prior.line(number).type if prior else _type_of(attribute)
        array = _array(attribute, column, kind)
        metadata = {RANGE: attribute.range.text.encode(), TYPE: kind.encode()}
        fields.append(pa.field(attribute.name, array.type, metadata=metadata))
        arrays.append(array)
    return pa.table(arrays, schema=pa.schema(fields, metadata={TITLE: dataset.title.encode()}))


def _type_of(attribute: Attribute) -> str:
    """Return the type of an attribute by its range alone."""
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
    numbers, known = pa.array(column.numbers, mask=column.missing), column.numbers[~column.missing]
    is_whole = (known == np.floor(known)).all() and (np.abs(known) < 2**53).all()
    return numbers.cast(pa.int64()) if kind == "integer" and is_whole else numbers


def _categories(attribute: Attribute, column: Column, unknown: pa.Array, *, ordered: bool) -> pa.Array:
    values = list(attribute.range.categories or ())
    known = {value: place for place, value in enumerate(values)}
    words = words_of(column.words).array
    indices = translated(words, lambda word: known.get(plain_category(word, known)), pa.int32())
    indices = pc.if_else(unknown, pa.scalar(None, pa.int32()), indices)
    return pa.DictionaryArray.from_arrays(indices, pa.array(values, type=pa.string()), ordered=ordered)
