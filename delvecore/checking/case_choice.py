"""Which cases does a prototask use, and in which order? Rules for case and order files.

Source: DELVE manual, sections 4.1 and 4.4.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from delvecore.checking.facts import CaseFacts
from delvecore.checking.stored_cases import check_stored_cases, read_stored_cases
from delvecore.errors import ParseError, Report
from delvecore.model import Dataset, Prototask
from delvecore.readers.indexes import read_indexes

__all__ = ["ChosenCases", "choose_cases"]

ALL, NO_MISSING, KEPT = "all", "no missing", ("retain", "sequential")
SPECIFICATION = "Prototask.spec"


@dataclass(frozen=True)
class ChosenCases:
    """Which cases a prototask uses.

    count: how many, None where nothing says it; is_known: whether these are known, and their order; chosen:
    the positions (from 0) of these cases in the dataset, ascending, None for all of them; order: the numbers
    (from 1) of these in the prototask's order, None where the dataset's order is kept.
    """

    count: int | None = None
    is_known: bool = False
    chosen: np.ndarray | None = None
    order: np.ndarray | None = None

    @cached_property
    def positions(self) -> np.ndarray:
        """The positions (int64, from 0) of the cases in the dataset, in the prototask's order."""
        chosen = np.arange(self.count or 0) if self.chosen is None else self.chosen
        return chosen if self.order is None else chosen[self.order - 1]


def choose_cases(
    files: Mapping[str, str],
    prototask: Prototask,
    dataset: Dataset,
    facts: CaseFacts | None,
    lines: Mapping[str, int],
    *,
    report: Report,
) -> ChosenCases:
    """Check how a prototask chooses and orders its cases; return them.

    files: of the prototask's directory; facts: of the dataset's cases or None; lines: of the keys of
    `Prototask.spec`.
    """
    stored = read_stored_cases(files, prototask, dataset, report=report)
    absent = [key for key in ("cases", "order") if _is_absent(getattr(prototask, key), key, files)]
    if absent and stored is None:
        for key in absent:
            report(_absent(getattr(prototask, key), key, files, lines))
    if facts is None or facts.total == 0 or "cases" in absent:
        return ChosenCases(stored.count if stored else None)
    faults: list[ParseError] = []
    chosen = _chosen(files, prototask, facts, lines, report, faults.append)
    count, order = facts.total if chosen is None else len(chosen), None
    if "order" not in absent and prototask.order.lower() not in KEPT:
        order = _indexes(files[prototask.order], count, faults.append, permutation=True)
    for fault in faults:
        report(fault)
    result = ChosenCases(count, not faults and not absent, chosen, order)
    if stored is not None:
        positions = result.positions if result.is_known else None
        check_stored_cases(stored, prototask, facts, count, positions, report=report)
    return result


def _is_absent(value: str, key: str, files: Mapping[str, str]) -> bool:
    keywords = (ALL, NO_MISSING) if key == "cases" else KEPT
    return value.lower() not in keywords and value not in files


def _absent(value: str, key: str, files: Mapping[str, str], lines: Mapping[str, int]) -> ParseError:
    keywords = "'all', 'no missing'" if key == "cases" else "'retain', 'sequential'"
    expected = f"{key} to be {keywords} or a file beside the specification"
    remedy = "make it with dgenorder" if key == "order" else "add the file"
    return ParseError(files[SPECIFICATION], lines[key], expected, repr(value), remedy, kind="specification")


def _chosen(
    files: Mapping[str, str],
    prototask: Prototask,
    facts: CaseFacts,
    lines: Mapping[str, int],
    report: Report,
    report_file: Report,
) -> np.ndarray | None:
    """Return the positions of the cases in use, in the dataset's order, None for all of them.

    A case with a wrong number of values counts where all cases are used: it keeps the others in their places.
    """
    if prototask.cases.lower() == ALL:
        return None
    if prototask.cases.lower() == NO_MISSING:
        chosen = np.flatnonzero(facts.complete((*prototask.inputs, *prototask.targets)))
        if not len(chosen):
            expected = "cases without missing values among inputs and targets"
            source = files[SPECIFICATION]
            report(ParseError(source, lines["cases"], expected, "none", kind="specification"))
        return chosen
    path = files[prototask.cases]
    return np.sort(_indexes(path, facts.total, report_file, permutation=False)).astype(np.int64) - 1


def _indexes(path: str, count: int, report: Report, *, permutation: bool) -> np.ndarray:
    """Return the numbers of a case or order file, none after reporting why it cannot be read."""
    try:
        numbers = read_indexes(path, count=count, permutation=permutation, report=report)
    except ParseError as error:
        report(error)
        return np.empty(0, dtype=np.int64)
    if not len(numbers) and not permutation:
        report(ParseError(path, None, "at least one case number", "none", "list the cases to use"))
    return numbers
