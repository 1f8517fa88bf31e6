"""Files of non-standard task instances: lists of training and test cases. Source: manual, section 6.3.

    Instance: 0
    Training: 1 5 7-20
    Test: 30-40

Numbers are those of the cases in `Dataset.data`, from 1.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from delvecore.errors import ParseError, Report, raise_error
from delvecore.readers.lines import logical_lines, split_comment

__all__ = [
    "INSTANCE_SUFFIX",
    "ListedFacts",
    "ListedInstance",
    "listed_design",
    "listed_facts",
    "parse_instances",
    "runs_of",
    "share_cases",
]

INSTANCE_SUFFIX = ".instances"
KEYS = ("instance", "training", "test")
COMMON, HIERARCHICAL = "common", "hierarchical"


Run = tuple[int, int]
"""The first and the last of consecutive case numbers."""


class ListedInstance(NamedTuple):
    """One instance as listed. training, test: tuples of (first, last) case numbers, both included, in the
    order of the file; lines: {key: line number}."""

    number: int
    training: tuple[Run, ...]
    test: tuple[Run, ...]
    lines: dict[str, int]

    @property
    def training_size(self) -> int:
        return count_cases(self.training)

    @property
    def test_size(self) -> int:
        return count_cases(self.test)


def count_cases(runs: Iterable[Run]) -> int:
    """How many cases are in runs of (first, last)?"""
    return sum(last - first + 1 for first, last in runs)


def parse_instances(text: str, source: str, *, report: Report = raise_error) -> tuple[ListedInstance, ...]:
    """Return the ListedInstances of a file, in the order of their numbers, which go up from 0.

    Each fault goes to report: unknown, missing and repeated lines, numbers out of order, a case listed twice,
    a training case that is a test case too. An instance with a fault is left out after the report.
    """
    blocks: list[dict[str, tuple[int, str]]] = []
    end, found = 1, []
    for end, key, value in _keyed_lines(text, source, report):
        if key == "instance":
            blocks.append({})
        elif not blocks:
            report(_fault(source, end, "a line 'Instance: 0' first", repr(key), "add it"))
            blocks.append({})
        if key in blocks[-1]:
            report(_fault(source, end, f"the key {key!r} once an instance", "it again", "remove one of them"))
            continue
        blocks[-1][key] = (end, value)
    if not blocks:
        report(_fault(source, end, "at least one instance", "none", "list them, or remove the file"))
    for number, block in enumerate(blocks):
        try:
            found.append(_instance(number, block, source))
        except ParseError as error:
            report(error)
    return tuple(found)


def _fault(source: str, line: int, expected: str, found: str, remedy: str = "") -> ParseError:
    return ParseError(source, line, expected, found, remedy, kind="specification")


def _keyed_lines(text: str, source: str, report: Report) -> Iterator[tuple[int, str, str]]:
    for number, line in logical_lines(text):
        content = split_comment(line)[0]
        if not content.strip():
            continue
        name, colon, value = content.partition(":")
        key = name.strip().lower()
        if not colon or key not in KEYS:
            expected = "a line 'Instance: NUMBER', 'Training: CASES' or 'Test: CASES'"
            report(_fault(source, number, expected, repr(content.strip()), "correct it"))
            continue
        yield number, key, value.strip()


def _instance(number: int, block: Mapping[str, tuple[int, str]], source: str) -> ListedInstance:
    """Return one ListedInstance; ParseError says what is wrong with it."""
    start = min(line for line, _ in block.values())
    for key in KEYS:
        if key not in block:
            raise _fault(source, start, f"a line {key.capitalize()!r} for each instance", "none", "add it")
    line, text = block["instance"]
    if text != str(number):
        remedy = "number the instances from 0 without gaps"
        raise _fault(source, line, f"instance {number}", repr(text), remedy)
    training, test = (_runs(block[key][0], block[key][1], key, source) for key in KEYS[1:])
    shared = share_cases(training, test)
    if shared:
        expected = "test cases that are not training cases"
        raise _fault(source, block["test"][0], expected, f"case {shared} in both", "take it out of one")
    return ListedInstance(number, training, test, {key: place for key, (place, _) in block.items()})


def _runs(line: int, text: str, key: str, source: str) -> tuple[Run, ...]:
    """Return ((first, last), ...) of words such as `5` and `7-20`."""
    runs = []
    for word in text.replace(",", " ").split():
        first, dash, last = word.partition("-")
        bounds = (first, last if dash else first)
        if not all(bound.isascii() and bound.isdigit() and 0 < int(bound[:19]) < 10**18 for bound in bounds):
            raise _fault(source, line, f"{key}: case numbers from 1 such as 5 or 7-20", repr(word))
        if int(bounds[0]) > int(bounds[1]):
            raise _fault(source, line, f"{key}: a range of cases from low to high", repr(word))
        runs.append((int(bounds[0]), int(bounds[1])))
    if not runs:
        raise _fault(source, line, f"{key}: at least one case", "none")
    ordered = sorted(runs)
    for before, after in pairwise(ordered):
        if after[0] <= before[1]:
            raise _fault(source, line, f"{key}: each case once", f"case {after[0]} again", "remove one")
    return tuple(runs)


def share_cases(runs: Iterable[Run], others: Iterable[Run]) -> int | None:
    """Return a case number that two lists of runs have in common, or None; within each no case is twice."""
    ordered = sorted([*runs, *others])
    for before, after in pairwise(ordered):
        if after[0] <= before[1]:
            return after[0]
    return None


def listed_design(instances: Sequence[ListedInstance], otherwise: str) -> str:
    """By which scheme are the losses of listed instances to be analysed, `common` or `hierarchical`?

    Common where all have the same test cases in the same order; otherwise: the scheme of the prototask, for
    a single instance. Source: manual, sections 6.1 and 8.
    """
    if len(instances) < 2:
        return otherwise
    expanded = {_merged(instance.test) for instance in instances}
    return COMMON if len(expanded) == 1 else HIERARCHICAL


class ListedFacts(NamedTuple):
    """What statistics need to know of listed instances. design: see `listed_design`; sizes: of each instance;
    disjoint: is no case in the training (test) sets of two instances?"""

    design: str
    training_sizes: tuple[int, ...]
    test_sizes: tuple[int, ...]
    training_disjoint: bool
    test_disjoint: bool

    @property
    def differ(self) -> bool:
        """Are there test sets of different sizes?"""
        return len(set(self.test_sizes)) > 1


def listed_facts(instances: Sequence[ListedInstance], otherwise: str) -> ListedFacts:
    """Return the ListedFacts of the instances of a file; otherwise: the scheme of the prototask."""
    return ListedFacts(
        listed_design(instances, otherwise),
        tuple(instance.training_size for instance in instances),
        tuple(instance.test_size for instance in instances),
        share_cases([run for instance in instances for run in instance.training], ()) is None,
        share_cases([run for instance in instances for run in instance.test], ()) is None,
    )


def _merged(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Join runs that follow each other, so that `1 2 3` is the same as `1-3`."""
    joined = [runs[0]]
    for first, last in runs[1:]:
        if first == joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return tuple(joined)


def runs_of(numbers: Iterable[int]) -> str:
    """Return case numbers as words: `1 5 7-20`; the order is kept."""
    pairs = _merged([(number, number) for number in numbers])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in pairs)
