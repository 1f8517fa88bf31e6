"""Rules for `Dataset.spec` and for `Dataset.data` as a whole, and what other rules need to know of its cases.
The cases are looked at block by block: there may be many. Source: DELVE manual, sections 3.1, 3.3 and 3.4."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from delvecore.errors import ParseError, Report, attempt, spec_fault
from delvecore.model import Dataset, Range
from delvecore.number_format.numbers import is_number
from delvecore.readers.cases import Cases, Column, join_columns, word_bytes
from delvecore.readers.dataset import attribute_lines, parse_dataset
from delvecore.readers.files import read_text

SPECIFICATION = "Dataset.spec"
NO_GROUP = -1
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio, odd: its powers are spread over all numbers of 64 bits."""


def file_text(files: Mapping[str, str], name: str, place: str, *, report: Report) -> str | None:
    """Return the text of a file that must be there, or None after reporting why there is none. files: true
    path by plain name; place: what stands for the directory in messages."""
    if name in files:
        return attempt(report, read_text, files[name])
    report(no_file(place, name))
    return None


def no_file(place: str, name: str) -> ParseError:
    """Return the fault of a directory that lacks a file."""
    remedy = "add it, or remove the directory"
    return ParseError(place, None, f"a file {name}", "none", remedy, kind="hierarchy")


def check_dataset(files: Mapping[str, str], name: str, place: str, *, report: Report) -> Dataset | None:
    """Read and check `Dataset.spec`; return the Dataset, or None where there is nothing to read. files: of
    the dataset's directory, true path by plain name; place: the directory."""
    text = file_text(files, SPECIFICATION, place, report=report)
    if text is None:
        return None
    source = files[SPECIFICATION]
    dataset = parse_dataset(text, name, source, report=report)
    for attribute, line in zip(dataset.attributes, attribute_lines(text), strict=False):
        for expected, found in _range_faults(attribute.range):
            report(spec_fault(source, line, expected, found, "correct the range"))
    return dataset


def _range_faults(limits: Range) -> Iterator[tuple[str, str]]:
    """Yield (expected, found) for the parts of a range that no value of a data file could ever match."""
    for value in limits.values:
        if value[0] in "@\\:" or (value.endswith(":") and is_number(value[:-1])):
            yield "values that cannot be taken for an index, a censored value or a continuation", repr(value)
    for interval in limits.intervals:
        closed = interval.low_closed and interval.high_closed and abs(interval.low) != float("inf")
        if interval.low == interval.high and not closed:
            yield "intervals that hold a number", "one that is empty"
    for word in sorted({word for word in limits.missing if limits.missing.count(word) > 1}):
        yield "each missing value once", f"{word} twice"


@dataclass(frozen=True)
class Wanted:
    """What else the rules ask for. columns: attributes by which sets may be stratified; digests: sets
    of attributes whose words are compared with those of a `Prototask.data`; cases: must there be a
    `Dataset.data`? Not where every prototask has its own cases."""

    columns: frozenset[int] = frozenset()
    digests: frozenset[frozenset[int]] = frozenset()
    cases: bool = True


@dataclass(frozen=True)
class CaseFacts:
    """count: of the cases that could be read; left_out: of those with a wrong number of values;
    groups: the commonality index of each case, int64, -1 without one, or None where no case has one;
    columns, digests: what was wanted, by attribute and by set of attributes; _missing: (first case, number of
    cases, bits) of the blocks in which an attribute has missing values."""

    count: int
    left_out: int
    groups: np.ndarray | None
    columns: dict[int, Column]
    digests: dict[frozenset[int], np.ndarray]
    _missing: dict[int, list[tuple[int, int, np.ndarray]]] = field(repr=False)

    @property
    def total(self) -> int:
        """How many cases has the file, those with a wrong number of values included? These keep the others
        in their places."""
        return self.count + self.left_out

    def complete(self, numbers: Collection[int]) -> np.ndarray:
        """Which cases have no missing value among these attributes? bool, one a case that could be read."""
        complete = np.ones(self.count, dtype=bool)
        for number in numbers:
            for start, count, bits in self._missing.get(number, ()):
                complete[start : start + count] &= ~np.unpackbits(bits, count=count).view(bool)
        return complete


def collect_facts(blocks: Iterable[Cases], wanted: Wanted = Wanted()) -> CaseFacts:
    """Return the facts of all blocks of a dataset's cases."""
    count = left_out = 0
    groups: list[tuple[int, np.ndarray]] = []
    missing: dict[int, list[tuple[int, int, np.ndarray]]] = {}
    columns: dict[int, list[Column]] = {number: [] for number in wanted.columns}
    digests = {numbers: [np.empty(0, dtype=np.uint64)] for numbers in wanted.digests}
    for block in blocks:
        for number, column in block.columns.items():
            if column.missing.any():
                missing.setdefault(number, []).append((count, block.count, np.packbits(column.missing)))
        if any(index is not None for index in block.commonality):
            indexes = [NO_GROUP if index is None else index for index in block.commonality]
            groups.append((count, np.array(indexes, dtype=np.int64)))
        for number, parts in columns.items():
            parts.append(block.columns[number])
        for numbers, found in digests.items():
            found.append(case_digests(block, numbers))
        count += block.count
        left_out += block.left_out
    whole = None
    if groups:
        whole = np.full(count, NO_GROUP, dtype=np.int64)
        for start, part in groups:
            whole[start : start + len(part)] = part
    joined = {number: join_columns(parts) for number, parts in columns.items()}
    all_digests = {numbers: np.concatenate(found) for numbers, found in digests.items()}
    return CaseFacts(count, left_out, whole, joined, all_digests, _missing=missing)


def case_digests(cases: Cases, numbers: Collection[int]) -> np.ndarray:
    """Return a number, uint64, for each case's words of some attributes. Attribute 0 is left out. So two
    files of cases can be compared without holding either: equal words in equal places give equal numbers;
    other words do so once in 2^64."""
    total = np.zeros(cases.count, dtype=np.uint64)
    for number in sorted(set(numbers) - {0}):
        offsets, text = word_bytes(cases.columns[number].words)
        lengths = np.diff(offsets)
        places = np.arange(len(text)) - np.repeat(offsets[:-1], lengths)
        powers = np.cumprod(np.full(int(lengths.max(initial=0)) + 1, MULTIPLIER))
        parts = (text.astype(np.uint64) + np.uint64(1)) * powers[places]
        sums = np.add.reduceat(parts, offsets[:-1]) if len(text) else np.zeros_like(total)
        total = total * MULTIPLIER + sums + lengths.astype(np.uint64)
    return total


def check_case_facts(dataset: Dataset, facts: CaseFacts, source: str, *, report: Report) -> None:
    """Check what can only be said of all cases together: that there are any, and commonality indexes. Indexes
    that `Dataset.spec` does not announce are no fault: DELVE 1.1 asked for that line to be left out, and they
    are kept in the tables without an effect. source: the path of `Dataset.data`."""
    if facts.count == 0:
        report(ParseError(source, None, "at least one case", "none", "add the cases"))
    elif facts.groups is None and dataset.commonality:
        expected = "commonality indexes, which Dataset.spec says are present"
        report(ParseError(source, None, expected, "none", "add them, or take the line out of Dataset.spec"))
