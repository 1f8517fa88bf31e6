"""`Prototask.spec`, and case and order files. Source: DELVE manual, sections 4.1 and 4.4."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, overload

from delvecore.errors import ParseError, Report, raise_error, spec_fault
from delvecore.model import ORIGINS, SELECTIONS, SEQUENTIAL, TRANSFORMATIONS, Dataset, Prototask
from delvecore.number_format.numbers import whole_number
from delvecore.readers.files import read_text
from delvecore.readers.lines import is_count, parse_keys, token_lines, uncommented_lines

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

SIZES, RANGE = "training-set-sizes", "maximum-dependency-range"
NEEDED = ("cases", "origin", "order", "inputs", "targets", "test-set-size", SIZES, "test-set-selection")
KEYS = (*NEEDED, "maximum-number-of-instances", RANGE, "stratified", "transformations")
YES = ("yes", "no")
MOST_SIZES = 1000


@overload
def parse_prototask(text: str, name: str, dataset: Dataset, source: str) -> Prototask: ...
@overload
def parse_prototask(
    text: str, name: str, dataset: Dataset, source: str, *, report: Report
) -> Prototask | None: ...
def parse_prototask(
    text: str, name: str, dataset: Dataset, source: str, *, report: Report = raise_error
) -> Prototask | None:
    """Return the Prototask that a specification describes for a Dataset.

    `report` receives a ParseError for each fault; the default raises the first one. Returns None, after the
    reports, if a missing or unusable key leaves the prototask undefined.
    """
    lines = uncommented_lines(text)
    keys = parse_keys(lines, source, KEYS, report=report)
    reader = _Reader(keys, dataset, source, lines[-1][0] if lines else 1, report)
    prototask = Prototask(
        dataset.name,
        name,
        origin=reader.choice("origin", ORIGINS),
        cases=reader.text("cases"),
        order=reader.text("order"),
        inputs=reader.attributes("inputs", may_be_empty=True),
        targets=reader.targets(),
        test_set_size=reader.size("test-set-size"),
        training_set_sizes=reader.sizes(SIZES),
        test_set_selection=reader.choice("test-set-selection", SELECTIONS),
        maximum_instances=reader.size("maximum-number-of-instances"),
        maximum_dependency_range=reader.size(RANGE) if RANGE in keys else None,
        stratified=reader.choice("stratified", YES) == "yes" if "stratified" in keys else False,
        transformations=reader.transformations() if "transformations" in keys else (),
    )
    if not reader.unusable:
        reader.check_order(prototask)
        reader.check_strata(prototask)
        reader.check_transformations(prototask)
    if reader.unusable:
        return None
    reader.check_overlap(prototask)
    return prototask


def key_lines(text: str) -> dict[str, int]:
    """Return {key: number of its line} of a specification, for messages."""
    keys = parse_keys(uncommented_lines(text), "", KEYS, report=lambda error: None)
    return {key: number for key, (number, _) in keys.items()}


class _Reader:
    """Reads the keys of one specification and records whether a required one was missing."""

    def __init__(
        self, keys: Mapping[str, tuple[int, str]], dataset: Dataset, source: str, end: int, report: Report
    ) -> None:
        self.keys, self.dataset, self.source, self.end, self.report = keys, dataset, source, end, report
        self.unusable = False

    def fault(self, key: str, expected: str, actual: str, remedy: str = "") -> None:
        """Report a fault in the line of a key, or at the end of the file if there is no such line."""
        self.unusable = True
        line = self.keys[key][0] if key in self.keys else self.end
        self.report(spec_fault(self.source, line, expected, actual, remedy))

    def text(self, key: str) -> str:
        if key not in self.keys:
            self.fault(key, f"the key {key!r}", "no such line", "add it")
            return ""
        value = self.keys[key][1]
        if not value:
            self.fault(key, f"a value for {key!r}", "nothing")
        return " ".join(value.split())

    def choice(self, key: str, allowed: Iterable[str]) -> str:
        value = self.text(key)
        if value and value.lower() not in allowed:
            self.fault(key, f"{key} to be one of {', '.join(allowed)}", repr(value))
        return value.lower()

    def size(self, key: str) -> int:
        return (*self.sizes(key, single=True), 0)[0]

    def sizes(self, key: str, *, single: bool = False) -> tuple[int, ...]:
        words = self.text(key).split()
        if len(words) > MOST_SIZES:
            self.fault(key, f"at most {MOST_SIZES} numbers", str(len(words)), "remove some")
            return ()
        good = list(filter(is_count, words))
        if len(good) != len(words) or (single and len(words) > 1):
            wanted = "one positive whole number" if single else "positive whole numbers"
            self.fault(key, f"{key} to be {wanted}", repr(" ".join(words)))
        return tuple(map(int, good))

    def attribute(self, key: str, word: str) -> int | None:
        """Return the number of an attribute, or None after a report on an unknown word."""
        try:
            return self.dataset.attribute(word).number
        except KeyError:
            if word == "0":
                expected = f"{key}: attribute 0 only where the order of the dataset is informative"
                self.fault(key, expected, f"the order {self.dataset.order!r}", "leave it out")
            else:
                known = f"the number (1 to {len(self.dataset.attributes)}) or name of an attribute"
                self.fault(key, f"{key}: {known}", repr(word))
            return None

    def attributes(self, key: str, *, may_be_empty: bool = False) -> tuple[int, ...]:
        if may_be_empty and key in self.keys and not self.keys[key][1]:
            return ()
        numbers = (self.attribute(key, word) for word in self.text(key).replace(",", " ").split())
        return tuple(number for number in numbers if number is not None)

    def targets(self) -> tuple[int, ...]:
        numbers = self.attributes("targets")
        if 0 in numbers:
            expected = "targets: attributes of the dataset"
            self.fault("targets", expected, "attribute 0", "use it as an input only")
        return numbers

    def transformations(self) -> tuple[tuple[int, str], ...]:
        """Return ((attribute number, function), ...) from pairs of words such as `INCOME log`."""
        key, pairs = "transformations", []
        words = self.text(key).replace(",", " ").split()
        if len(words) % 2:
            self.fault(key, f"{key}: pairs of an attribute and a function", f"{len(words)} words")
            return ()
        for word, function in zip(words[::2], words[1::2], strict=True):
            number = self.attribute(key, word)
            if number is None:
                continue
            if function.lower() not in TRANSFORMATIONS:
                expected = f"{key}: a function, one of {', '.join(TRANSFORMATIONS)}"
                self.fault(key, expected, repr(function))
            pairs.append((number, function.lower()))
        return tuple(pairs)

    def check_overlap(self, prototask: Prototask) -> None:
        inputs, targets = prototask.inputs, prototask.targets
        for key, numbers in (("inputs", inputs), ("targets", targets)):
            for number in sorted({number for number in numbers if numbers.count(number) > 1}):
                self.fault(key, f"each attribute once in {key}", f"attribute {number} twice")
        for number in sorted(set(inputs) & set(targets)):
            self.fault("targets", "targets that are not inputs", f"attribute {number} in both")

    def check_order(self, prototask: Prototask) -> None:
        """Check the rules for sequential prototasks (manual, section 4.1)."""
        if not prototask.is_sequential:
            if RANGE in self.keys:
                self.fault(RANGE, f"{RANGE} only with order {SEQUENTIAL}", "another order", "remove the line")
            return
        if RANGE not in self.keys:
            self.fault(RANGE, f"the key {RANGE!r} of a sequential prototask", "no such line", "add it")
        if self.dataset.order != "informative":
            expected = f"order {SEQUENTIAL} only where the order of the dataset is informative"
            self.fault("order", expected, f"the order {self.dataset.order!r}", "use another order")
        if self.dataset.commonality:
            expected = f"order {SEQUENTIAL} only where cases have no commonality indexes"
            self.fault("order", expected, "commonality indexes", "use a random order")

    def check_strata(self, prototask: Prototask) -> None:
        """Check the rules for stratified training sets (manual, section 4.2)."""
        if not prototask.stratified:
            return
        key, remedy = "stratified", "remove the line"
        if prototask.is_sequential:
            expected = "stratified only in prototasks that are not sequential"
            self.fault(key, expected, "order sequential", remedy)
        expected = "stratified only with a single target that has finitely many values"
        if len(prototask.targets) != 1:
            self.fault(key, expected, f"{len(prototask.targets)} targets", remedy)
            return
        values = self.dataset.attribute(prototask.targets[0]).range.categories
        if values is None:
            self.fault(key, expected, "a target with infinitely many", remedy)
        for size in prototask.training_set_sizes if values else ():
            if size % len(values or ()):
                expected = (
                    f"training set sizes that are multiples of {len(values or ())}, the number of values"
                )
                self.fault(SIZES, expected, str(size), "change the size")

    def check_transformations(self, prototask: Prototask) -> None:
        key, used, seen = "transformations", prototask.used, set[int]()
        for number, _ in prototask.transformations:
            attribute = self.dataset.attribute(number)
            if number not in used:
                self.fault(key, "transformations of inputs and targets only", attribute.name, "remove it")
            if number in seen:
                self.fault(key, "transformations: each attribute once", f"{attribute.name} again")
            if attribute.range.kind == "categorical":
                self.fault(key, "transformations of numbers only", f"{attribute.name}, which is categorical")
            seen.add(number)


def parse_indexes(
    text: str, source: str, *, count: int, permutation: bool, report: Report = raise_error
) -> list[int]:
    """Return case numbers (from 1 to count) of a case file or an order file.

    `permutation` requires each number once, as in an order file.
    """
    numbers: dict[int, None] = {}
    line = 1
    for line, tokens in token_lines(text):
        number = whole_number(tokens[0]) or 0
        if len(tokens) > 1 or not 1 <= number <= count:
            report(ParseError(source, line, f"one case number from 1 to {count}", repr(" ".join(tokens))))
        elif number in numbers:
            report(ParseError(source, line, "each case number once", f"{tokens[0]} again"))
        else:
            numbers[number] = None
    if permutation and len(numbers) != count:
        report(ParseError(source, line, f"{count} case numbers", f"{len(numbers)}", "make the order again"))
    return list(numbers)


def read_indexes(
    path: str, *, count: int, permutation: bool, report: Report = raise_error
) -> "NDArray[int64]":
    """Return the case numbers (from 1) of a case file, or with `permutation` of an order file.

    `count` is the number of available cases. Each fault goes to `report`. Raises ParseError for a file that
    cannot be read. Source: DELVE manual, 4.4.
    """
    text = read_text(path)
    numbers = parse_indexes(text, path, count=count, permutation=permutation, report=report)
    import numpy as np  # help does without

    return np.array(numbers, dtype=np.int64)
