"""Rules for `Prototask.data`: legal by itself, and what the prototask would take from the dataset now.

Source: DELVE manual, section 4.4 and appendix C (`dgenproto`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from delvecore.checking.digests import case_digests
from delvecore.checking.facts import CaseFacts
from delvecore.errors import ParseError, Report
from delvecore.model import Dataset, Prototask
from delvecore.readers.cases import read_case_blocks
from delvecore.readers.files import read_pieces

__all__ = ["STORED", "StoredCases", "check_stored_cases", "compared_attributes", "read_stored_cases"]

STORED = "Prototask.data"
REMEDY = "make it anew with dgenproto"


@dataclass(frozen=True)
class StoredCases:
    """source: the file; count: of its cases, those with a wrong number of values included; digests: of the
    others; lines: on which these start."""

    source: str
    count: int
    digests: np.ndarray
    lines: np.ndarray


def compared_attributes(prototask: Prototask) -> frozenset[int]:
    """Return the attributes whose words `Prototask.data` has in common with the dataset."""
    return frozenset((*prototask.inputs, *prototask.targets)) - {0}


def read_stored_cases(
    files: Mapping[str, str], prototask: Prototask, dataset: Dataset, *, report: Report
) -> StoredCases | None:
    """Check `Prototask.data` by itself and return its cases; None where there is none that can be read.

    files: of the prototask's directory. The columns are those of the dataset, by number; a file that only
    makes sense with inputs first and targets last is read so.
    """
    if STORED not in files:
        return None
    used = (*prototask.inputs, *prototask.targets)
    try:
        found, faults = _read(files[STORED], dataset, tuple(sorted(set(used))), prototask)
        if faults and list(used) != sorted(used):
            as_given, other_faults = _read(files[STORED], dataset, used, prototask)
            if not other_faults:
                found, faults = as_given, other_faults
    except ParseError as error:
        report(error)
        return None
    for fault in faults:
        report(fault)
    return found


def _read(
    path: str, dataset: Dataset, numbers: tuple[int, ...], prototask: Prototask
) -> tuple[StoredCases, list[ParseError]]:
    """Return (StoredCases, faults) of a file with these attributes, in this order."""
    faults: list[ParseError] = []
    digests: list[np.ndarray] = []
    lines: list[np.ndarray] = []
    left_out = 0
    part = dataset._replace(attributes=tuple(dataset.attribute(number) for number in numbers))
    for block in read_case_blocks(read_pieces(path), part, path, report=faults.append):
        digests.append(case_digests(block, compared_attributes(prototask)))
        lines.append(block.lines)
        left_out += block.left_out
    known = np.concatenate([np.empty(0, dtype=np.uint64), *digests])
    starts = np.concatenate([np.empty(0, dtype=np.int64), *lines])
    return StoredCases(path, len(known) + left_out, known, starts), faults


def check_stored_cases(
    stored: StoredCases,
    prototask: Prototask,
    facts: CaseFacts,
    count: int,
    positions: np.ndarray | None,
    *,
    report: Report,
) -> None:
    """Check that `Prototask.data` holds the prototask's cases, in its order.

    count, positions: of the cases that the prototask takes from the dataset; positions None where they are
    not known.
    """
    source, numbers = stored.source, compared_attributes(prototask)
    if stored.count != count:
        expected = f"{count} cases, as many as the prototask uses"
        report(ParseError(source, None, expected, f"{stored.count}", REMEDY))
        return
    if (
        positions is None
        or facts.left_out
        or stored.count > len(stored.digests)
        or numbers not in facts.digests
    ):
        return
    other = np.flatnonzero(facts.digests[numbers][positions] != stored.digests)
    if len(other):
        expected = f"the values of case {positions[other[0]] + 1} of Dataset.data"
        found = "others" + (f" ({len(other)} cases differ)" if len(other) > 1 else "")
        report(ParseError(source, int(stored.lines[other[0]]), expected, found, REMEDY))
