"""`Prototask.spec`, case files and order files. Source: DELVE manual, sections 4.1 and 4.4."""

from collections.abc import Iterable, Mapping, Sequence
from typing import overload

from delvecore.errors import ParseError, Report, raise_error
from delvecore.model import ORIGINS, SELECTIONS, SEQUENTIAL, TRANSFORMATIONS, Dataset, Prototask
from delvecore.readers.lines import logical_lines, parse_keys, token_lines

__all__ = ["key_lines", "parse_indexes", "parse_prototask"]

KEYS = (
    "cases",
    "origin",
    "order",
    "inputs",
    "targets",
    "test-set-size",
    "training-set-sizes",
    "test-set-selection",
    "maximum-number-of-instances",
)
RANGE = "maximum-dependency-range"
OPTIONAL = (RANGE, "stratified", "transformations")
YES = ("yes", "no")


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

    report receives a ParseError for each fault (the default raises the first). Returns None, after the
    reports, where a missing or unusable key leaves no prototask to speak of.
    """
    lines = [(number, line) for number, line in logical_lines(text) if not line.lstrip().startswith("#")]
    end = lines[-1][0] if lines else 1
    keys = parse_keys(lines, source, (*KEYS, *OPTIONAL), report=report)
    reader = _Reader(keys, source, end, report)
    prototask = Prototask(
        dataset.name,
        name,
        origin=reader.choice("origin", ORIGINS),
        cases=reader.text("cases"),
        order=reader.text("order"),
        inputs=reader.attributes("inputs", dataset, may_be_empty=True),
        targets=reader.targets(dataset),
        test_set_size=reader.size("test-set-size"),
        training_set_sizes=reader.sizes("training-set-sizes"),
        test_set_selection=reader.choice("test-set-selection", SELECTIONS),
        maximum_instances=reader.size("maximum-number-of-instances"),
        maximum_dependency_range=reader.size(RANGE) if RANGE in keys else None,
        stratified=reader.choice("stratified", YES) == "yes" if "stratified" in keys else False,
        transformations=reader.transformations(dataset) if "transformations" in keys else (),
    )
    if reader.unusable:
        return None
    reader.check_order(prototask, dataset)
    reader.check_strata(prototask, dataset)
    reader.check_transformations(prototask, dataset)
    if reader.unusable:
        return None
    reader.check_overlap(prototask.inputs, prototask.targets)
    return prototask


def key_lines(text: str) -> dict[str, int]:
    """Return {key: number of its line} of a specification, for messages about what it asks for."""
    lines = [(number, line) for number, line in logical_lines(text) if not line.lstrip().startswith("#")]
    keys = parse_keys(lines, "", (*KEYS, *OPTIONAL), report=lambda error: None)
    return {key: number for key, (number, _) in keys.items()}


class _Reader:
    """Fetches the keys of one specification and remembers whether something vital was missing."""

    def __init__(self, keys: Mapping[str, tuple[int, str]], source: str, end: int, report: Report) -> None:
        self.keys, self.source, self.end, self.report = keys, source, end, report
        self.unusable = False

    def fault(self, line: int, expected: str, found: str, remedy: str = "") -> None:
        self.unusable = True
        self.report(ParseError(self.source, line, expected, found, remedy, kind="specification"))

    def text(self, key: str) -> str:
        if key not in self.keys:
            self.fault(self.end, f"the key {key!r}", "no such line", "add it")
            return ""
        number, value = self.keys[key]
        if not value:
            self.fault(number, f"a value for {key!r}", "nothing")
        return " ".join(value.split())

    def choice(self, key: str, allowed: Iterable[str]) -> str:
        value = self.text(key)
        if value and value.lower() not in allowed:
            self.fault(self.keys[key][0], f"{key} to be one of {', '.join(allowed)}", repr(value))
        return value.lower()

    def size(self, key: str) -> int:
        return (*self.sizes(key, single=True), 0)[0]

    def sizes(self, key: str, *, single: bool = False) -> tuple[int, ...]:
        words = self.text(key).split()
        good = [word for word in words if word.isascii() and word.isdigit() and 0 < int(word[:19]) < 10**18]
        if len(good) != len(words) or (single and len(words) > 1):
            wanted = "one positive whole number" if single else "positive whole numbers"
            self.fault(self.keys[key][0], f"{key} to be {wanted}", repr(" ".join(words)))
        return tuple(int(word) for word in good)

    def attributes(self, key: str, dataset: Dataset, *, may_be_empty: bool) -> tuple[int, ...]:
        if may_be_empty and key in self.keys and not self.keys[key][1]:
            return ()
        numbers = []
        for word in self.text(key).replace(",", " ").split():
            try:
                numbers.append(dataset.attribute(word).number)
            except KeyError:
                self.unknown_attribute(key, word, dataset)
        return tuple(numbers)

    def targets(self, dataset: Dataset) -> tuple[int, ...]:
        numbers = self.attributes("targets", dataset, may_be_empty=False)
        if 0 in numbers:
            expected = "targets: attributes of the dataset"
            self.fault(self.keys["targets"][0], expected, "attribute 0", "use it as an input only")
        return numbers

    def unknown_attribute(self, key: str, word: str, dataset: Dataset) -> None:
        line = self.keys[key][0]
        if word == "0":
            expected = f"{key}: attribute 0 only where the order of the dataset is informative"
            self.fault(line, expected, f"the order {dataset.order!r}", "leave it out")
        else:
            known = f"the number (1 to {len(dataset.attributes)}) or name of an attribute"
            self.fault(line, f"{key}: {known}", repr(word))

    def transformations(self, dataset: Dataset) -> tuple[tuple[int, str], ...]:
        """Return ((attribute number, function), ...) from pairs of words such as `INCOME log`."""
        words = self.text("transformations").replace(",", " ").split()
        if len(words) % 2:
            expected = "transformations: pairs of an attribute and a function"
            self.fault(self.keys["transformations"][0], expected, f"{len(words)} words")
            return ()
        pairs = []
        for word, function in zip(words[::2], words[1::2], strict=True):
            try:
                number = dataset.attribute(word).number
            except KeyError:
                self.unknown_attribute("transformations", word, dataset)
                continue
            if function.lower() not in TRANSFORMATIONS:
                expected = f"transformations: a function, one of {', '.join(TRANSFORMATIONS)}"
                self.fault(self.keys["transformations"][0], expected, repr(function))
            pairs.append((number, function.lower()))
        return tuple(pairs)

    def check_overlap(self, inputs: Sequence[int], targets: Sequence[int]) -> None:
        for key, numbers in (("inputs", inputs), ("targets", targets)):
            repeated = {number for number in numbers if numbers.count(number) > 1}
            for number in sorted(repeated):
                self.fault(self.keys[key][0], f"each attribute once in {key}", f"attribute {number} twice")
        for number in sorted(set(inputs) & set(targets)):
            line = self.keys["targets"][0]
            self.fault(line, "targets that are not inputs", f"attribute {number} in both")

    def check_order(self, prototask: Prototask, dataset: Dataset) -> None:
        """Sequential prototasks: manual, section 4.1."""
        key, line = RANGE, self.keys["order"][0]
        if not prototask.is_sequential:
            if key in self.keys:
                remedy = "remove the line"
                self.fault(self.keys[key][0], f"{key} only with order {SEQUENTIAL}", "another order", remedy)
            return
        if key not in self.keys:
            self.fault(self.end, f"the key {key!r} of a sequential prototask", "no such line", "add it")
        if dataset.order != "informative":
            expected = f"order {SEQUENTIAL} only where the order of the dataset is informative"
            self.fault(line, expected, f"the order {dataset.order!r}", "use another order")
        if dataset.commonality:
            expected = f"order {SEQUENTIAL} only where cases have no commonality indexes"
            self.fault(line, expected, "commonality indexes", "use a random order")

    def check_strata(self, prototask: Prototask, dataset: Dataset) -> None:
        """Stratified training sets: manual, section 4.2."""
        if not prototask.stratified:
            return
        line, remedy = self.keys["stratified"][0], "remove the line"
        if prototask.is_sequential:
            self.fault(
                line, "stratified only in prototasks that are not sequential", "order sequential", remedy
            )
        expected = "stratified only with a single target that has finitely many values"
        values: tuple[str, ...] | None = ()
        if len(prototask.targets) != 1:
            self.fault(line, expected, f"{len(prototask.targets)} targets", remedy)
        else:
            values = dataset.attribute(prototask.targets[0]).range.categories
        if values is None:
            self.fault(line, expected, "a target with infinitely many", remedy)
        if not values:
            return
        for size in prototask.training_set_sizes:
            if size % len(values):
                expected = f"training set sizes that are multiples of {len(values)}, the number of values"
                self.fault(self.keys["training-set-sizes"][0], expected, str(size), "change the size")

    def check_transformations(self, prototask: Prototask, dataset: Dataset) -> None:
        used, seen = (*prototask.inputs, *prototask.targets), set[int]()
        for number, _ in prototask.transformations:
            attribute, line = dataset.attribute(number), self.keys["transformations"][0]
            if number not in used:
                self.fault(line, "transformations of inputs and targets only", attribute.name, "remove it")
            if number in seen:
                self.fault(line, "transformations: each attribute once", f"{attribute.name} again")
            if attribute.range.kind == "categorical":
                self.fault(line, "transformations of numbers only", f"{attribute.name}, which is categorical")
            seen.add(number)


def parse_indexes(
    text: str, source: str, *, count: int, permutation: bool, report: Report = raise_error
) -> list[int]:
    """Return case numbers (from 1) of a case or order file: one number a line.

    count: how many cases there are to choose from. A case file lists some of them; an order file
    (permutation=True) lists each exactly once.
    """
    numbers: list[int] = []
    seen: set[int] = set()
    number = 1
    for number, tokens in token_lines(text):
        word = tokens[0]
        if len(tokens) > 1 or not _is_index(word, count):
            expected = f"one case number from 1 to {count}"
            report(ParseError(source, number, expected, repr(" ".join(tokens)), kind="data"))
            continue
        if int(word) in seen:
            report(ParseError(source, number, "each case number once", f"{word} again", kind="data"))
            continue
        seen.add(int(word))
        numbers.append(int(word))
    if permutation and len(numbers) != count:
        remedy = "make the order anew"
        report(ParseError(source, number, f"{count} case numbers", f"{len(numbers)}", remedy, kind="data"))
    return numbers


def _is_index(word: str, count: int) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 19 and 1 <= int(word) <= count
