"""What the rules need to know of a dataset's cases, gathered block by block: there may be many."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np

from delvecore.checking.digests import case_digests
from delvecore.readers.case_columns import Column, join_columns
from delvecore.readers.cases import Cases

__all__ = ["CaseFacts", "Wanted", "collect_facts"]

NO_GROUP = -1
_NONE = np.empty(0, dtype=np.uint64)


@dataclass(frozen=True)
class Wanted:
    """What else the rules ask for. columns: attributes by which training sets are stratified; digests: sets
    of attributes whose words are compared with those of a `Prototask.data`."""

    columns: frozenset[int] = frozenset()
    digests: frozenset[frozenset[int]] = frozenset()


@dataclass(frozen=True)
class CaseFacts:
    """count: of the cases that could be read; left_out: of those with a wrong number of values;
    groups: the commonality index of each case, int64, -1 without one, or None where no case has one;
    columns, digests: what was wanted, by attribute and by set of attributes."""

    count: int
    left_out: int
    groups: np.ndarray | None
    columns: dict[int, Column]
    digests: dict[frozenset[int], np.ndarray]
    _missing: dict[int, np.ndarray] = field(repr=False)

    @property
    def total(self) -> int:
        """How many cases has the file, those with a wrong number of values included? These keep the others
        in their places."""
        return self.count + self.left_out

    def complete(self, numbers: Collection[int]) -> np.ndarray:
        """Which cases have no missing value among these attributes? bool, one a case that could be read."""
        complete = np.ones(self.count, dtype=bool)
        for number in numbers:
            if number in self._missing:
                complete &= ~np.unpackbits(self._missing[number], count=self.count).view(bool)
        return complete


def collect_facts(blocks: Iterable[Cases], wanted: Wanted = Wanted()) -> CaseFacts:
    """Return the facts of all blocks of a dataset's cases."""
    gathered = _Gathered(wanted)
    for block in blocks:
        gathered.add(block)
    return gathered.facts()


class _Gathered:
    """Facts of the blocks so far."""

    def __init__(self, wanted: Wanted) -> None:
        self.counts: list[int] = []
        self.left_out = 0
        self.groups: list[tuple[int, np.ndarray]] = []
        self.missing: dict[int, dict[int, np.ndarray]] = {}
        self.columns: dict[int, list[Column]] = {number: [] for number in wanted.columns}
        self.digests: dict[frozenset[int], list[np.ndarray]] = {numbers: [] for numbers in wanted.digests}

    def add(self, block: Cases) -> None:
        for number, column in block.columns.items():
            if column.missing.any():
                self.missing.setdefault(number, {})[len(self.counts)] = np.packbits(column.missing)
        if any(index is not None for index in block.commonality):
            self._add_groups(block)
        for number, parts in self.columns.items():
            parts.append(block.columns[number])
        for numbers, digests in self.digests.items():
            digests.append(case_digests(block, numbers))
        self.counts.append(block.count)
        self.left_out += block.left_out

    def _add_groups(self, block: Cases) -> None:
        indexes = [NO_GROUP if index is None else index for index in block.commonality]
        groups = np.array(indexes, dtype=np.int64)
        self.groups.append((len(self.counts), groups))

    def facts(self) -> CaseFacts:
        count = sum(self.counts)
        starts = np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])
        columns = {number: join_columns(parts) for number, parts in self.columns.items()}
        missing = {number: self._packed(parts, starts, count) for number, parts in self.missing.items()}
        digests = {numbers: np.concatenate([*parts, _NONE]) for numbers, parts in self.digests.items()}
        groups = self._all_groups(starts, count)
        return CaseFacts(count, self.left_out, groups, columns, digests, missing)

    def _packed(self, parts: dict[int, np.ndarray], starts: np.ndarray, count: int) -> np.ndarray:
        whole = np.zeros(count, dtype=bool)
        for place, bits in parts.items():
            whole[starts[place] : starts[place + 1]] = np.unpackbits(bits, count=self.counts[place])
        return np.packbits(whole)

    def _all_groups(self, starts: np.ndarray, count: int) -> np.ndarray | None:
        if not self.groups:
            return None
        whole = np.full(count, NO_GROUP, dtype=np.int64)
        for place, groups in self.groups:
            whole[starts[place] : starts[place + 1]] = groups
        return whole
