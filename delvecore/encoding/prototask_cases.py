"""The cases of a prototask, in its order. Source: DELVE manual, sections 4.1 and 4.4."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from delvecore.encoding.case_file import find_case_file
from delvecore.errors import Fault, ParseError, Report, raise_error
from delvecore.model import SEQUENTIAL, Attribute, Dataset, Prototask
from delvecore.numerals.numbers import plain_category
from delvecore.readers.cases import Cases, Column, make_column, read_case_blocks, read_case_file
from delvecore.readers.data_file import DATA, find_data_of, has_data
from delvecore.readers.files import read_pieces
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.indexes import read_indexes
from delvecore.readers.stored_cases import (
    NoIndexes,
    StoredArray,
    is_large,
    picked_column,
    read_stored_cases,
)
from delvecore.readers.words import take_words

__all__ = [
    "PrototaskCases",
    "Strata",
    "column_at",
    "no_missing",
    "prototask_cases",
    "select_cases",
]

ALL, NO_MISSING, RETAIN = "all", "no missing", "retain"
KEPT = (RETAIN, SEQUENTIAL)
"""The orders that are those of the dataset."""


@dataclass(frozen=True)
class Strata:
    """The target's values in a stratified prototask. values: those that may be, in order; codes: int64, the
    place of each case's value among them, -1 where it is missing."""

    target: str
    values: tuple[str, ...]
    codes: np.ndarray


@dataclass(frozen=True)
class PrototaskCases:
    """The cases that a prototask uses, in its order, with the columns of its inputs and targets.

    columns: by attribute number; case_numbers: integers, the number of each case in `Dataset.data`, from 1,
    or 0 where only `Prototask.data` is there and does not tell; commonality: the index of each case or None.
    """

    dataset: Dataset
    prototask: Prototask
    columns: dict[int, Column]
    case_numbers: np.ndarray
    commonality: Sequence[int | None] = ()

    @cached_property
    def groups(self) -> np.ndarray | None:
        """Which cases belong together? int64, the same number for cases with one commonality index.

        None where no case shares an index, or the dataset's specification does not say that indexes are
        present: then they have no effect.
        """
        if not self.dataset.commonality or not any(index is not None for index in self.commonality):
            return None
        keys = [("alone", place) if index is None else index for place, index in enumerate(self.commonality)]
        codes = {key: code for code, key in enumerate(dict.fromkeys(keys))}
        return np.array([codes[key] for key in keys], dtype=np.int64)

    @cached_property
    def strata(self) -> Strata | None:
        """By which values are training sets stratified? None where they are not."""
        if not self.prototask.stratified:
            return None
        attribute = self.dataset.attribute(self.prototask.targets[0])
        places = {value: place for place, value in enumerate(attribute.range.categories or ())}
        words = self.columns[attribute.number].words
        codes = np.array([places.get(plain_category(word, places), -1) for word in words], dtype=np.int64)
        return Strata(attribute.name, tuple(places), codes)

    @property
    def count(self) -> int:
        return len(self.case_numbers)

    def attribute_columns(self, numbers: Iterable[int]) -> list[tuple[Attribute, Column]]:
        """Return (Attribute, Column) for attribute numbers, in the order given."""
        return [(self.dataset.attribute(number), self.columns[number]) for number in numbers]


def prototask_cases(
    hierarchy: Hierarchy, dataset: Dataset, prototask: Prototask, *, report: Report = raise_error
) -> PrototaskCases:
    """Return the cases of a prototask, from `Dataset.data` or, where that (or a file that chooses or orders
    its cases) is absent, from `Prototask.data`.

    report receives a ParseError for each faulty line. Raises DelveError where neither file can serve.
    """
    missing = _missing_files(hierarchy, dataset, prototask)
    if not missing:
        return _from_dataset(hierarchy, dataset, prototask, report)
    path = hierarchy.find("data", dataset.name, prototask.name, "Prototask.data")
    if path is None:
        raise Fault(
            prototask.path,
            f"Prototask.data, or {missing[0]} to make it from",
            "neither",
            "fetch the dataset again",
        )
    return _from_prototask(hierarchy, dataset, prototask, path, report)


def _missing_files(hierarchy: Hierarchy, dataset: Dataset, prototask: Prototask) -> list[str]:
    """Return the plain names of the files that are needed to choose and order cases but are not there."""
    chosen = _file_of(prototask.cases, (ALL, NO_MISSING)), _file_of(prototask.order, KEPT)
    missing = [] if has_data(find_data_of(hierarchy, dataset.name)) else [DATA]
    places = [(dataset.name, prototask.name, name) for name in chosen if name]
    return missing + [names[-1] for names in places if hierarchy.find("data", *names) is None]


def _file_of(value: str, keywords: Sequence[str]) -> str | None:
    return None if value.lower() in keywords else value


def _from_dataset(
    hierarchy: Hierarchy, dataset: Dataset, prototask: Prototask, report: Report
) -> PrototaskCases:
    path = find_case_file(hierarchy, dataset.name)
    if path is None:
        raise Fault(prototask.path, DATA, "none", "fetch the dataset again")
    cases = _read(path, dataset, report)
    chosen = _chosen(hierarchy, prototask, cases, report)
    order = _order(hierarchy, prototask, len(chosen), report)
    positions = chosen if order is None else chosen[order]
    if isinstance(cases.commonality, NoIndexes) and cases.count < 2**31:
        positions = positions.astype(np.int32)  # there may be millions
    return select_cases(dataset, prototask, cases, positions)


def _read(path: str, dataset: Dataset, report: Report) -> Cases:
    read = read_stored_cases if is_large(path) else read_case_file
    return read(path, dataset, report=report)


def select_cases(
    dataset: Dataset, prototask: Prototask, cases: Cases, positions: np.ndarray
) -> PrototaskCases:
    """Return the cases of a dataset at some positions (int64, from 0) as those of a prototask, in this order.

    Raises DelveError for a sequential prototask whose cases have commonality indexes.
    """
    numbers = (*prototask.inputs, *prototask.targets)
    columns = {number: cases.columns[number] for number in numbers if number}
    if len(positions) != cases.count or np.any(np.diff(positions) != 1):
        columns = {number: _picked(column, positions) for number, column in columns.items()}
    if 0 in numbers:
        columns[0] = make_column([str(number) for number in (positions + 1).tolist()])
    commonality: Sequence[int | None] = NoIndexes(len(positions))
    if any(index is not None for index in cases.commonality):
        commonality = [cases.commonality[position] for position in positions.tolist()]
    selected = PrototaskCases(dataset, prototask, columns, positions + 1, commonality)
    _check_sequence(selected)
    return selected


def _picked(column: Column, positions: np.ndarray) -> Column:
    stored = isinstance(column.numbers, StoredArray)
    return picked_column(column, positions) if stored else column_at(column, positions)


def _check_sequence(selected: PrototaskCases) -> None:
    """Sequential prototasks are not for cases with commonality indexes: manual, section 4.1."""
    if not selected.prototask.is_sequential or isinstance(selected.commonality, NoIndexes):
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


def _chosen(hierarchy: Hierarchy, prototask: Prototask, cases: Cases, report: Report) -> np.ndarray:
    """Return the positions of the cases that the prototask uses, in the dataset's order."""
    name = _file_of(prototask.cases, (ALL, NO_MISSING))
    if name:
        numbers = _indexes(hierarchy, prototask, name, count=cases.count, permutation=False, report=report)
        return np.sort(numbers).astype(np.int64) - 1
    if prototask.cases.lower() == NO_MISSING:
        return np.flatnonzero(no_missing(prototask, cases))
    return np.arange(cases.count)


def no_missing(prototask: Prototask, cases: Cases) -> np.ndarray:
    """Which cases have a value of every attribute that a prototask uses? The index is never missing."""
    used = np.ones(cases.count, dtype=bool)
    for number in filter(None, (*prototask.inputs, *prototask.targets)):
        used &= ~cases.columns[number].missing
    return used


def _order(hierarchy: Hierarchy, prototask: Prototask, count: int, report: Report) -> np.ndarray | None:
    """Return the order of a prototask's cases as positions, or None where the dataset's order is retained."""
    name = _file_of(prototask.order, KEPT)
    if name is None:
        return None
    numbers = _indexes(hierarchy, prototask, name, count=count, permutation=True, report=report)
    return numbers - 1


def _indexes(
    hierarchy: Hierarchy, prototask: Prototask, name: str, *, count: int, permutation: bool, report: Report
) -> np.ndarray:
    path = hierarchy.find("data", prototask.dataset, prototask.name, name)
    if path is None:
        raise Fault(prototask.path, f"the file {name}", "none", "add it, or change the specification")
    return read_indexes(path, count=count, permutation=permutation, report=report)


def column_at(column: Column, positions: np.ndarray) -> Column:
    """Return the values of a Column at positions (int64, from 0)."""
    return Column(
        take_words(column.words, positions),
        column.numbers[positions],
        column.missing[positions],
        column.censored[positions],
    )


def _from_prototask(
    hierarchy: Hierarchy, dataset: Dataset, prototask: Prototask, path: str, report: Report
) -> PrototaskCases:
    attributes = _file_attributes(dataset, prototask, path)
    cases = _read(path, dataset._replace(attributes=attributes), report)
    if 0 in cases.columns:
        numbers = cases.columns[0].numbers.astype(np.int64)
    else:
        numbers = _known_numbers(hierarchy, prototask, cases.count, report)
    selected = PrototaskCases(dataset, prototask, cases.columns, numbers, cases.commonality)
    _check_sequence(selected)
    return selected


def _file_attributes(dataset: Dataset, prototask: Prototask, path: str) -> tuple[Attribute, ...]:
    """Return the attributes of `Prototask.data` in the order of its columns.

    The columns are those of the dataset's file, hence by number; a file that only makes sense (all values
    within their ranges) with inputs first and targets last is read so.
    """
    used = (*prototask.inputs, *prototask.targets)
    by_number = tuple(dataset.attribute(number) for number in sorted(used))
    as_given = tuple(dataset.attribute(number) for number in used)
    if by_number == as_given or not _has_faults(dataset, by_number, path):
        return by_number
    return by_number if _has_faults(dataset, as_given, path) else as_given


def _has_faults(dataset: Dataset, attributes: tuple[Attribute, ...], path: str) -> bool:
    faults: list[ParseError] = []
    described = dataset._replace(attributes=attributes)
    blocks = read_case_blocks(read_pieces(path), described, path, report=faults.append)
    return any(faults for _ in blocks)


def _known_numbers(hierarchy: Hierarchy, prototask: Prototask, count: int, report: Report) -> np.ndarray:
    """Return case numbers where all cases are used and their order is known, else zeros."""
    name = _file_of(prototask.order, KEPT)
    all_used = prototask.cases.lower() == ALL
    if all_used and (name is None or hierarchy.find("data", prototask.dataset, prototask.name, name)):
        order = _order(hierarchy, prototask, count, report)
        return np.arange(1, count + 1) if order is None else order + 1
    return np.zeros(count, dtype=np.int64)
