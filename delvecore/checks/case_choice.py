"""Which cases does a prototask use, and in which order? Rules for case and order files and `Prototask.data`.
Source: DELVE manual, sections 4.1 and 4.4, appendix C (`dgenproto`)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from delvecore.checks.dataset_rules import CaseFacts, case_digests
from delvecore.errors import Faults, ParseError, Report, attempt, spec_fault
from delvecore.model import RETAIN, SEQUENTIAL, Dataset, Prototask
from delvecore.readers.cases import read_case_blocks
from delvecore.readers.files import read_pieces
from delvecore.readers.loss_files import read_indexes

__all__ = ["STORED", "ChosenCases", "choose_cases", "compared_attributes"]

ALL, NO_MISSING = "all", "no missing"
KEYWORDS = {"cases": (ALL, NO_MISSING), "order": (RETAIN, SEQUENTIAL)}
SPECIFICATION, STORED = "Prototask.spec", "Prototask.data"
REMEDY = "make it anew with dgenproto"


@dataclass(frozen=True)
class ChosenCases:
    """Which cases a prototask uses. count: how many, None where nothing says it; is_known: whether these are
    known, and their order; chosen: the positions (from 0) of these cases in the dataset, ascending, None for
    all of them; order: the numbers (from 1) of these in the prototask's order, None where the dataset's order
    is kept."""

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
    """Check how a prototask chooses and orders its cases; return them. files: of the prototask's directory;
    facts: of the dataset's cases or None; lines: of the keys of `Prototask.spec`."""
    stored = attempt(report, _read_stored, files[STORED], prototask, dataset) if STORED in files else None
    chosen = _chosen_cases(
        files=files, prototask=prototask, stored=stored, facts=facts, lines=lines, report=report
    )
    if stored is not None:
        _check_stored(stored, _expected_digests(stored, prototask, facts, chosen), chosen, report)
    return chosen


def _chosen_cases(
    files: Mapping[str, str],
    prototask: Prototask,
    stored: "_StoredCases | None",
    facts: CaseFacts | None,
    lines: Mapping[str, int],
    report: Report,
) -> ChosenCases:
    told = {"cases": prototask.cases, "order": prototask.order}
    absent = [key for key, name in told.items() if name not in files and name.lower() not in KEYWORDS[key]]
    for key in absent if stored is None else ():
        keywords = ", ".join(map(repr, KEYWORDS[key]))
        expected = f"{key} to be {keywords} or a file beside the specification"
        remedy = "make it with dgenorder" if key == "order" else "add the file"
        report(spec_fault(files[SPECIFICATION], lines[key], expected, repr(told[key]), remedy))
    if facts is None or facts.total == 0 or "cases" in absent:
        return ChosenCases(stored.count if stored else None)
    faults = Faults()
    chosen = _chosen(
        files=files, prototask=prototask, facts=facts, lines=lines, report=report, report_file=faults.append
    )
    count, order = facts.total if chosen is None else len(chosen), None
    if "order" not in absent and prototask.order_file is not None:
        order = _indexes(files[prototask.order], count, faults.append, permutation=True)
    for fault in faults:
        report(fault)
    return ChosenCases(count, not faults and not absent, chosen, order)


def _chosen(
    files: Mapping[str, str],
    prototask: Prototask,
    facts: CaseFacts,
    lines: Mapping[str, int],
    report: Report,
    report_file: Report,
) -> np.ndarray | None:
    """Return the positions of the cases in use, in the dataset's order, None for all of them. A case with a
    wrong number of values counts where all cases are used: it keeps the others in their places."""
    if prototask.cases.lower() == ALL:
        return None
    if prototask.cases.lower() == NO_MISSING:
        chosen = np.flatnonzero(facts.complete(prototask.used))
        if not len(chosen):
            expected = "cases without missing values among inputs and targets"
            report(spec_fault(files[SPECIFICATION], lines["cases"], expected, "none"))
        return chosen
    path = files[prototask.cases]
    return np.sort(_indexes(path, facts.total, report_file, permutation=False)).astype(np.int64) - 1


def _indexes(path: str, count: int, report: Report, *, permutation: bool) -> np.ndarray:
    """Return the numbers of a case or order file, none after reporting why it cannot be read."""
    numbers = attempt(report, read_indexes, path, count=count, permutation=permutation, report=report)
    if numbers is not None and not len(numbers) and not permutation:
        report(ParseError(path, None, "at least one case number", "none", "list the cases to use"))
    return np.empty(0, dtype=np.int64) if numbers is None else numbers


@dataclass(frozen=True)
class _StoredCases:
    """source: the file `Prototask.data`; count: of its cases, those with a wrong number of values included;
    digests: of the others, as the prototask lists its attributes; by_number: the same if the columns stood by
    the numbers of the attributes, as earlier versions wrote them; lines: on which these cases start; faults:
    of single cases."""

    source: str
    count: int
    digests: np.ndarray
    by_number: np.ndarray
    lines: np.ndarray
    faults: list[ParseError]


def compared_attributes(prototask: Prototask) -> frozenset[int]:
    """Return the attributes whose words `Prototask.data` has in common with the dataset."""
    return frozenset(prototask.used) - {0}


def _read_stored(source: str, prototask: Prototask, dataset: Dataset) -> _StoredCases:
    """Return the cases of `Prototask.data`; ParseError where it cannot be read."""
    listed, compared = tuple(dict.fromkeys(prototask.used)), compared_attributes(prototask)
    faults = Faults()
    digests, by_number = [np.empty(0, dtype=np.uint64)], [np.empty(0, dtype=np.uint64)]
    lines, left_out = [np.empty(0, dtype=np.int64)], 0
    part = dataset._replace(attributes=tuple(map(dataset.attribute, listed)))
    for block in read_case_blocks(read_pieces(source), part, source, report=faults.append):
        columns = (block.columns[number] for number in listed)
        turned = replace(block, columns=dict(zip(sorted(listed), columns, strict=True)))
        digests.append(case_digests(block, compared))
        by_number.append(case_digests(turned, compared))
        lines.append(block.lines)
        left_out += block.left_out
    known, others = np.concatenate(digests), np.concatenate(by_number)
    return _StoredCases(
        source=source,
        count=len(known) + left_out,
        digests=known,
        by_number=others,
        lines=np.concatenate(lines),
        faults=faults,
    )


def _expected_digests(
    stored: _StoredCases, prototask: Prototask, facts: CaseFacts | None, chosen: ChosenCases
) -> np.ndarray:
    """Return what the digests of `Prototask.data` are to be: its own where the dataset does not tell."""
    numbers = compared_attributes(prototask)
    is_told = facts is not None and chosen.is_known and not facts.left_out and numbers in facts.digests
    if facts is None or not is_told or not len(stored.digests) == stored.count == chosen.count:
        return stored.digests
    return facts.digests[numbers][chosen.positions]


def _check_stored(stored: _StoredCases, expected: np.ndarray, chosen: ChosenCases, report: Report) -> None:
    """Check that `Prototask.data` holds the cases that the prototask takes from the dataset, in its order,
    and their values in the order of its attributes. Nothing is concluded from ranges: only the dataset's
    cases (expected: their digests) tell one order of columns from another."""
    other = np.flatnonzero(expected != stored.digests)
    if np.count_nonzero(expected != stored.by_number) < len(other):
        columns = "columns as Prototask.spec lists them, inputs, then targets"
        report(ParseError(stored.source, None, columns, "columns by attribute number", REMEDY))
        return
    for fault in stored.faults:
        report(fault)
    if chosen.count != stored.count:
        cases = f"{chosen.count} cases, as many as the prototask uses"
        report(ParseError(stored.source, None, cases, f"{stored.count}", REMEDY))
    if len(other):
        values = f"the values of case {chosen.positions[other[0]] + 1} of Dataset.data, inputs, then targets"
        found = "others, by attribute number too"
        found += f" ({len(other)} cases differ)" if len(other) > 1 else ""
        report(ParseError(stored.source, int(stored.lines[other[0]]), values, found, REMEDY))
