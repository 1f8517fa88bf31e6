"""Which cases does a prototask use, and in which order? Rules for case and order files.

Source: DELVE manual, sections 4.1 and 4.4.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from delvecore.checking.facts import CaseFacts
from delvecore.checking.stored_cases import check_stored_cases, read_stored_cases
from delvecore.errors import ParseError
from delvecore.model import Dataset, Prototask
from delvecore.readers.indexes import read_indexes

__all__ = ["ChosenCases", "choose_cases"]

ALL, NO_MISSING, KEPT = "all", "no missing", ("retain", "sequential")
SPECIFICATION = "Prototask.spec"


@dataclass(frozen=True)
class ChosenCases:
    """count: how many cases are in use, None where nothing says it; positions: of these in the dataset
    (int64, from 0), in the prototask's order, or None where that is not known."""

    count: int | None = None
    positions: np.ndarray | None = None


def choose_cases(
    files: Mapping[str, str],
    prototask: Prototask,
    dataset: Dataset,
    facts: CaseFacts | None,
    lines: Mapping[str, int],
    *,
    report,
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
    faults = []
    chosen = _chosen(files, prototask, facts, lines, report, faults.append)
    order = np.arange(len(chosen))
    if "order" not in absent and prototask.order.lower() not in KEPT:
        order = _indexes(files[prototask.order], len(chosen), faults.append, permutation=True) - 1
    for fault in faults:
        report(fault)
    positions = None if faults or absent else chosen[order]
    if stored is not None:
        check_stored_cases(stored, prototask, facts, len(chosen), positions, report=report)
    return ChosenCases(len(chosen), positions)


def _is_absent(value, key, files):
    keywords = (ALL, NO_MISSING) if key == "cases" else KEPT
    return value.lower() not in keywords and value not in files


def _absent(value, key, files, lines):
    keywords = "'all', 'no missing'" if key == "cases" else "'retain', 'sequential'"
    expected = f"{key} to be {keywords} or a file beside the specification"
    remedy = "make it with dgenorder" if key == "order" else "add the file"
    return ParseError(files[SPECIFICATION], lines[key], expected, repr(value), remedy, kind="specification")


def _chosen(files, prototask, facts, lines, report, report_file):
    """Return the positions of the cases in use, in the dataset's order.

    A case with a wrong number of values counts where all cases are used: it keeps the others in their places.
    """
    if prototask.cases.lower() == ALL:
        return np.arange(facts.total)
    if prototask.cases.lower() == NO_MISSING:
        chosen = np.flatnonzero(facts.complete((*prototask.inputs, *prototask.targets)))
        if not len(chosen):
            expected = "cases without missing values among inputs and targets"
            source = files[SPECIFICATION]
            report(ParseError(source, lines["cases"], expected, "none", kind="specification"))
        return chosen
    path = files[prototask.cases]
    return np.sort(_indexes(path, facts.total, report_file, permutation=False)) - 1


def _indexes(path, count, report, *, permutation):
    """Return the numbers of a case or order file, none after reporting why it cannot be read."""
    try:
        numbers = read_indexes(path, count=count, permutation=permutation, report=report)
    except ParseError as error:
        report(error)
        return np.empty(0, dtype=np.int64)
    if not len(numbers) and not permutation:
        report(ParseError(path, None, "at least one case number", "none", "list the cases to use"))
    return numbers
