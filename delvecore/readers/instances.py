"""Files of non-standard task instances: lists of training and test cases. Source: manual, section 6.3.

    Instance: 0
    Training: 1 5 7-20
    Validation: 7-10
    Test: 30-40

Numbers are those of the cases in `Dataset.data`, from 1. Validation cases, if any, are some of the training
cases."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from delvecore.errors import ParseError, Report, raise_error, spec_fault
from delvecore.readers.lines import is_count, logical_lines, split_comment
from delvecore.readers.overlaps import Overlap, Run, merged, overlap_of

__all__ = ["INSTANCE_SUFFIX", "ListedFacts", "ListedInstance", "listed_facts", "parse_instances", "runs_of"]

INSTANCE_SUFFIX = ".instances"
KEYS = ("instance", "training", "test")
VALIDATION = "validation"
"""The key of a line that need not be there."""


class ListedInstance(NamedTuple):
    """One instance as listed. training, test: tuples of (first, last) case numbers, both included, in the
    order of the file; lines: {key: line number}; validation: those of the training cases that judge what was
    learned from the others, often none."""

    number: int
    training: tuple[Run, ...]
    test: tuple[Run, ...]
    lines: dict[str, int]
    validation: tuple[Run, ...] = ()

    @property
    def training_size(self) -> int:
        return sum(last - first + 1 for first, last in self.training)

    @property
    def test_size(self) -> int:
        return sum(last - first + 1 for first, last in self.test)

    @property
    def validation_size(self) -> int:
        return sum(last - first + 1 for first, last in self.validation)


def parse_instances(text: str, source: str, *, report: Report = raise_error) -> tuple[ListedInstance, ...]:
    """Return the ListedInstances of a file, in the order of their numbers, which go up from 0. Each fault
    goes to report: unknown, missing and repeated lines, numbers out of order, a case listed twice, a training
    case that is a test case too, a validation case that is no training case. An instance with a fault is left
    out after the report."""
    blocks: list[dict[str, tuple[int, str]]] = []
    end, found = 1, []
    for end, key, value in _keyed_lines(text, source, report):
        if key == "instance":
            blocks.append({})
        elif not blocks:
            report(spec_fault(source, end, "a line 'Instance: 0' first", repr(key), "add it"))
            blocks.append({})
        if key in blocks[-1]:
            expected = f"the key {key!r} once an instance"
            report(spec_fault(source, end, expected, "it again", "remove one of them"))
            continue
        blocks[-1][key] = (end, value)
    if not blocks:
        remedy = "list them, or remove the file"
        report(spec_fault(source, end, "at least one instance", "none", remedy))
    for number, block in enumerate(blocks):
        try:
            found.append(_instance(number, block, source))
        except ParseError as error:
            report(error)
    return tuple(found)


def _keyed_lines(text: str, source: str, report: Report) -> Iterator[tuple[int, str, str]]:
    for number, line in logical_lines(text):
        content = split_comment(line)[0]
        if not content.strip():
            continue
        name, colon, value = content.partition(":")
        key = name.strip().lower()
        if not colon or key not in (*KEYS, VALIDATION):
            expected = "a line 'Instance: NUMBER', 'Training: CASES' or 'Test: CASES'"
            report(spec_fault(source, number, expected, repr(content.strip()), "correct it"))
        else:
            yield number, key, value.strip()


def _instance(number: int, block: Mapping[str, tuple[int, str]], source: str) -> ListedInstance:
    """Return one ListedInstance; ParseError says what is wrong with it."""
    start = min(line for line, _ in block.values())
    for key in KEYS:
        if key not in block:
            expected = f"a line {key.capitalize()!r} for each instance"
            raise spec_fault(source, start, expected, "none", "add it")
    line, text = block["instance"]
    if text != str(number):
        remedy = "number the instances from 0 without gaps"
        raise spec_fault(source, line, f"instance {number}", repr(text), remedy)
    training, test = (_runs(*block[key], key, source) for key in KEYS[1:])
    shared = _repeated((*training, *test))
    if shared:
        expected, found = "test cases that are not training cases", f"case {shared} in both"
        raise spec_fault(source, block["test"][0], expected, found, "take it out of one")
    lines = {key: place for key, (place, _) in block.items()}
    return ListedInstance(number, training, test, lines, _validation(block, training, source))


def _validation(
    block: Mapping[str, tuple[int, str]], training: Sequence[Run], source: str
) -> tuple[Run, ...]:
    """Return the runs of the validation cases, which must be some, but not all, of the training cases."""
    if VALIDATION not in block:
        return ()
    line, text = block[VALIDATION]
    found, ordered = _runs(line, text, VALIDATION, source), sorted(training)
    inside = merged(ordered)
    for first, last in found:
        if not any(low <= first and last <= high for low, high in inside):
            expected, remedy = "validation cases that are training cases", "list them as both"
            raise spec_fault(source, line, expected, f"{first}-{last}", remedy)
    if merged(sorted(found)) == inside:
        expected = "training cases besides the validation cases"
        raise spec_fault(source, line, expected, "none", "leave some out")
    return found


def _runs(line: int, text: str, key: str, source: str) -> tuple[Run, ...]:
    """Return ((first, last), ...) of words such as `5` and `7-20`."""
    runs = []
    for word in text.replace(",", " ").split():
        first, dash, last = word.partition("-")
        bounds = (first, last if dash else first)
        if not all(map(is_count, bounds)):
            expected = f"{key}: case numbers from 1 such as 5 or 7-20"
            raise spec_fault(source, line, expected, repr(word))
        if int(bounds[0]) > int(bounds[1]):
            raise spec_fault(source, line, f"{key}: a range of cases from low to high", repr(word))
        runs.append((int(bounds[0]), int(bounds[1])))
    if not runs:
        raise spec_fault(source, line, f"{key}: at least one case", "none")
    if (twice := _repeated(runs)) is not None:
        raise spec_fault(source, line, f"{key}: each case once", f"case {twice} again", "remove one")
    return tuple(runs)


def _repeated(runs: Iterable[Run]) -> int | None:
    """Return a case number that is in two runs, or None."""
    ordered = pairwise(sorted(runs))
    return next((after[0] for before, after in ordered if after[0] <= before[1]), None)


class ListedFacts(NamedTuple):
    """What statistics need to know of listed instances. design: `common` where all have the same test cases
    in the same order, else `hierarchical`; sizes: of each instance; disjoint: is no case in the training
    (test) sets of two instances? overlap: by which plan they share cases. Source: DELVE manual, sections 6.1
    and 8."""

    design: str
    training_sizes: tuple[int, ...]
    test_sizes: tuple[int, ...]
    training_disjoint: bool
    test_disjoint: bool
    overlap: Overlap

    @property
    def differ(self) -> bool:
        """Are there test sets of different sizes?"""
        return len(set(self.test_sizes)) > 1

    def only(self, instances: Sequence[int]) -> "ListedFacts":
        """Return the facts of some of the instances, as far as they are listed."""
        training, test = (
            tuple(sizes[instance] for instance in instances if instance < len(sizes)) or sizes
            for sizes in (self.training_sizes, self.test_sizes)
        )
        return self._replace(training_sizes=training, test_sizes=test)


def listed_facts(instances: Sequence[ListedInstance], otherwise: str) -> ListedFacts:
    """Return the ListedFacts of the instances of a file; otherwise: the design of a single one, that of the
    prototask."""
    training, test = ([getattr(one, key) for one in instances] for key in KEYS[1:])
    same = len(set(map(merged, test))) == 1
    return ListedFacts(
        otherwise if len(instances) < 2 else "common" if same else "hierarchical",
        tuple(instance.training_size for instance in instances),
        tuple(instance.test_size for instance in instances),
        training_disjoint=_repeated(run for runs in training for run in runs) is None,
        test_disjoint=_repeated(run for runs in test for run in runs) is None,
        overlap=overlap_of(training, test),
    )


def runs_of(numbers: Iterable[int]) -> str:
    """Return case numbers as words: `1 5 7-20`; the order is kept."""
    pairs = merged([(number, number) for number in numbers])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in pairs)
