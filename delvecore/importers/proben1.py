"""PROBEN1 data files, and datasets from them: permutations become prototasks, partitions become tasks.

Files are reproduced byte for byte, including the blanks between words. Columns of ones and zeros form one
nominal attribute if exactly one of them is 1 in every example. All other coefficients are copied.
Source: L. Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994, sections 2.3 and 2.4 and
appendix C."""

import csv
import functools
import json
import os
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from delvecore.encoding.instances import Instance
from delvecore.encoding.task_instances import instances_text
from delvecore.errors import Fault, ParseError
from delvecore.importers.attributes import file_name
from delvecore.importers.dataset_writer import new_dataset, write_new
from delvecore.locations import shipped
from delvecore.losses.published import PUBLISHED, PublishedResult, published_text
from delvecore.model import Attribute, Dataset, Options, Prior, PriorLine, Prototask, Task
from delvecore.number_format.numbers import is_number
from delvecore.readers.dataset import DATA, parse_range
from delvecore.readers.files import plain_name, read_bytes
from delvecore.readers.training import PUBLISHED_AS
from delvecore.writers.files import dataset_text, prior_text, prototask_text

SUFFIX = ".dt"
COUNTS = (
    *("bool_in", "real_in", "bool_out", "real_out"),
    *("training_examples", "validation_examples", "test_examples"),
)
"""The lines of a header; each occurs once."""
PARTITIONS = {
    "a": ("training", "validation", "test"),
    "b": ("training", "test", "validation"),
    "c": ("validation", "training", "test"),
    "d": ("validation", "test", "training"),
    "e": ("test", "validation", "training"),
    "f": ("test", "training", "validation"),
}
"""Order in which the examples of a file are used: section 2.3."""
Row = tuple[str, ...]


class Layout(NamedTuple):
    """Layout of a file.

    Attributes
    ----------
    header : tuple of str
        Lines of the header.
    width : int
        Width to which words are padded on the left, 0 without padding.
    gaps : Row or None
        The characters before, between and after the words of a line, None for single blanks.
    others : mapping of int to Row
        Gaps of the rows that differ, by row number from 0.
    end : str
        End of the file.
    """

    header: tuple[str, ...]
    width: int = 0
    gaps: Row | None = None
    others: Mapping[int, Row] = {}
    end: str = "\n"

    def text(self, rows: Iterable[Row]) -> str:
        lines = (self.line(number, row) for number, row in enumerate(rows))
        return "\n".join([*self.header, *lines]) + self.end

    def line(self, number: int, row: Row) -> str:
        gaps = self.others.get(number, self.gaps)
        if gaps is None:
            return " ".join(word.rjust(self.width) for word in row)
        return gaps[0] + "".join(word + gap for word, gap in zip(row, gaps[1:], strict=True))

    def stored(self) -> str:
        """Return the layout as text, which `restored` reads."""
        return json.dumps(self._asdict(), indent=1) + "\n"

    @classmethod
    def restored(cls, text: str, source: str) -> "Layout":
        """Return a stored layout. Raises ParseError."""
        try:
            record = json.loads(text)
            others = {int(number): tuple(gaps) for number, gaps in record["others"].items()}
            gaps = None if record["gaps"] is None else tuple(record["gaps"])
            return cls(tuple(record["header"]), int(record["width"]), gaps, others, record["end"])
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            remedy = "import the files again"
            raise ParseError(source, None, "a layout of PROBEN1", "something else", remedy) from None


@dataclass(frozen=True)
class ExampleFile:
    """One data file.

    Attributes
    ----------
    source : str
        Path of the file.
    stem : str
        File name without `.dt`, such as `glass1`.
    counts : mapping of str to int
        Counts of the header, by name.
    rows : tuple of Row
        The words of each example.
    """

    source: str
    stem: str
    counts: Mapping[str, int]
    rows: tuple[Row, ...]
    layout: Layout

    @property
    def problem(self) -> str:
        """The problem's name: `glass` for `glass1`."""
        return re.sub(r"(?<=\D)\d$", "", self.stem)

    @property
    def inputs(self) -> int:
        return self.counts["bool_in"] + self.counts["real_in"]

    @property
    def outputs(self) -> int:
        return self.counts["bool_out"] + self.counts["real_out"]

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of examples, by the words `training`, `validation` and `test`."""
        return {name: self.counts[f"{name}_examples"] for name in PARTITIONS["a"]}

    def sets(self, partition: str) -> dict[str, np.ndarray]:
        """Return the positions of the examples of each set in a partition, one of PARTITIONS."""
        order = PARTITIONS[partition]
        *ends, total = np.cumsum([self.sizes[name] for name in order])
        return dict(zip(order, np.split(np.arange(total), ends), strict=True))

    @cached_property
    def columns(self) -> tuple[Row, ...]:
        """The words of each coefficient."""
        return tuple(zip(*self.rows, strict=True))


def example_files(paths: Sequence[str]) -> dict[str, list[ExampleFile]]:
    """Return the files at and below some paths by problem, sorted by name. Raises Fault, ParseError."""
    files_by_problem: dict[str, dict[str, ExampleFile]] = {}
    for path in sorted(set(_paths(paths)), key=os.path.basename):
        one = parse_examples(read_bytes(path).decode("latin-1"), path)
        if file_name(one.stem) != one.stem:
            raise Fault(
                path, "a name of letters, digits and . _ -", repr(one.stem), "rename it", is_file=True
            )
        before = files_by_problem.setdefault(one.problem, {}).setdefault(one.stem, one)
        if before is not one:
            raise Fault(path, f"one file {one.stem}{SUFFIX}", f"another, {before.source}", is_file=True)
    return {problem: list(files.values()) for problem, files in sorted(files_by_problem.items())}


def _paths(paths: Iterable[str]) -> Iterator[str]:
    for path in map(os.path.expanduser, paths):
        if os.path.isfile(path):
            yield path
            continue
        below = [os.path.join(place, name) for place, _, names in os.walk(path) for name in names]
        chosen = [one for one in below if plain_name(one).endswith(SUFFIX)]
        if not chosen:
            actual = "none there" if os.path.isdir(path) else "nothing there"
            raise Fault(path, f"files of PROBEN1, NAME{SUFFIX}", actual, "check the path", is_file=True)
        yield from chosen


def parse_examples(text: str, source: str) -> ExampleFile:
    """Return the contents of a data file. Raises ParseError if header and examples do not agree."""
    lines = text.split("\n")
    end = "\n" if lines[-1] == "" else ""
    lines = lines[: len(lines) - len(end)]
    start = next((place for place, line in enumerate(lines) if "=" not in line), len(lines))
    counts = _counts(lines[:start], source)
    rows = tuple(tuple(line.split()) for line in lines[start:])
    _check_rows(rows, counts, start, source)
    stem = plain_name(os.path.basename(source)).removesuffix(SUFFIX)
    width, gaps, others = _spacing(lines[start:], rows)
    return ExampleFile(source, stem, counts, rows, Layout(tuple(lines[:start]), width, gaps, others, end))


def _counts(lines: Sequence[str], source: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        name, _, value = (part.strip() for part in line.partition("="))
        if name not in COUNTS or name in counts or not value.isdecimal():
            expected = f"a line NAME=COUNT, each of {', '.join(COUNTS)} once"
            raise ParseError(source, number, expected, repr(line.strip()))
        counts[name] = int(value)
    missing = next((name for name in COUNTS if name not in counts), None)
    if missing:
        raise ParseError(source, len(lines) + 1, f"a line {missing}=COUNT in the header", "none")
    return counts


def _check_rows(rows: Sequence[Row], counts: Mapping[str, int], start: int, source: str) -> None:
    width, examples = sum(counts[name] for name in COUNTS[:4]), sum(counts[name] for name in COUNTS[4:])
    for number, row in enumerate(rows, start=start + 1):
        if len(row) != width:
            expected = f"{width} coefficients, as the header states"
            raise ParseError(source, number, expected, str(len(row)), "correct the line or the header")
        stray = next((word for word in row if not is_number(word)), None)
        if stray is not None:
            raise ParseError(source, number, "numbers", repr(stray), "correct the line")
    if len(rows) != examples:
        expected = f"{examples} examples, as the header states"
        raise ParseError(source, start + len(rows), expected, str(len(rows)), "correct the header")
    for kind in ("training", "test"):
        if not counts[f"{kind}_examples"]:
            raise ParseError(source, None, f"{kind} examples", "none")


def _spacing(lines: Sequence[str], rows: Sequence[Row]) -> tuple[int, Row | None, dict[int, Row]]:
    """Return the width, gaps and exceptions of a Layout that reproduces these lines."""
    longest = max((len(word) for row in rows for word in row), default=0)
    for width in dict.fromkeys((0, longest)):
        plain = Layout((), width)
        if all(line == plain.line(0, row) for line, row in zip(lines, rows, strict=True)):
            return width, None, {}
    spacings = [tuple(re.split(r"\S+", line)) for line in lines]
    common = Counter(spacings).most_common(1)[0][0]
    return 0, common, {number: gaps for number, gaps in enumerate(spacings) if gaps != common}


PREFIX = "proben1-"
LAYOUT, ORDER, STANDARD = "Layout.json", "Permutation", "std"
MOST_LISTED = 20
BITS, SIGNS = {"0", "1"}, {"-1", "1"}
TITLES = {
    "building": "Energy that a building uses",
    "cancer": "Benign and malignant tumors of the breast",
    "card": "Applications for a credit card",
    "diabetes": "Diabetes among Pima women",
    "flare": "Flares of the sun",
    "gene": "Splice junctions of genes",
    "glass": "Kinds of glass",
    "heart": "Heart disease, four hospitals",
    "hearta": "Heart disease by degree, four hospitals",
    "heartac": "Heart disease by degree, Cleveland",
    "heartc": "Heart disease, Cleveland",
    "horse": "What becomes of horses with colic",
    "mushroom": "Edible and poisonous mushrooms",
    "soybean": "Diseases of soybeans",
    "thyroid": "Function of the thyroid gland",
}


@dataclass(frozen=True)
class Group:
    """Columns that are one attribute.

    Attributes
    ----------
    columns : range
        Positions of the columns, from 0.
    kind : str
        Type of the attribute.
    range : str
        Range in the notation of a specification.
    is_input : bool
        Whether it is an input, not a target.
    """

    name: str
    columns: range
    kind: str
    range: str
    is_input: bool

    @property
    def options(self) -> Options:
        """Options with which the default coding reproduces the coefficients. For a target, they have a table
        of codes."""
        if self.kind == "nominal":
            return ()
        if self.kind == "binary" and not self.is_input:
            return (("passive", "0"),) if self.range.startswith("0") else ()
        return (("coding", "copy"),)

    def word(self, words: Row) -> str:
        """Return the value that these coefficients encode."""
        return words[0] if len(words) == 1 else str(words.index("1") + 1)


@dataclass(frozen=True)
class Problem:
    """The plan for the files of a problem.

    Attributes
    ----------
    orders : tuple of array
        Order of each file: positions (from 0) of its examples in the first file.
    runs : int
        Number of instances of the task of partition a, all with the same sets.
    """

    name: str
    files: tuple[ExampleFile, ...]
    orders: tuple[np.ndarray, ...]
    origin: str = "natural"
    runs: int = 1

    @property
    def first(self) -> ExampleFile:
        return self.files[0]

    @property
    def dataset_name(self) -> str:
        return PREFIX + self.name

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        columns, border = self.first.columns, self.first.inputs
        inputs = _groups(columns[:border], 0, is_input=True)
        return (*inputs, *_groups(columns[border:], border, is_input=False))

    @cached_property
    def continuous(self) -> int:
        """Number of inputs that are not binary, as in tables 1 and 2."""
        return sum(len(set(column)) > 2 for column in self.first.columns[: self.first.inputs])

    @property
    def binary(self) -> int:
        """Number of binary inputs, including those that mark missing values."""
        return self.first.inputs - self.continuous

    @cached_property
    def outputs(self) -> tuple[tuple[Row, int], ...]:
        """The number of examples with each output, in the order of the outputs."""
        counts = Counter(row[self.first.inputs :] for row in self.first.rows)
        return tuple(sorted(counts.items(), reverse=self._has_classes))

    @property
    def classes(self) -> int:
        """The number of classes, 0 if outputs are numbers."""
        return len(self.outputs) if self._has_classes else 0

    @property
    def entropy(self) -> float:
        """The entropy of the classes in bits per example, 0 if outputs are numbers."""
        shares = np.array([count for _, count in self.outputs]) / len(self.first.rows)
        return float(-np.sum(shares * np.log2(shares))) if self._has_classes else 0.0

    @property
    def _has_classes(self) -> bool:
        return self.groups[-1].name == "class"

    @property
    def dataset(self) -> Dataset:
        attributes = tuple(
            Attribute(number, one.name, "u", parse_range(one.range), _described(one))
            for number, one in enumerate(self.groups, start=1)
        )
        title = f"PROBEN1: {TITLES.get(self.name, self.name)}"
        return Dataset(
            self.dataset_name, title, self.origin, "?", "?", commonality=False, attributes=attributes
        )

    def prototask(self, place: int) -> Prototask:
        file = self.files[place]
        training, validation, test = file.sizes.values()
        return Prototask(
            self.dataset_name,
            file.stem,
            origin=self.origin,
            cases="all",
            order=ORDER if place else "retain",
            inputs=self._numbers(is_input=True),
            targets=self._numbers(is_input=False),
            test_set_size=test,
            training_set_sizes=(training + validation,),
            test_set_selection="common",
            maximum_instances=self.runs,
        )

    def _numbers(self, *, is_input: bool) -> tuple[int, ...]:
        return tuple(n for n, one in enumerate(self.groups, start=1) if one.is_input is is_input)

    def prior(self, prototask: Prototask, name: str) -> Prior:
        lines = []
        for number in prototask.used:
            group = self.groups[number - 1]
            lines.append(PriorLine(number, "NLMH", group.kind, group.options))
        return Prior(self.dataset_name, prototask.name, name, tuple(lines))


def problem_of(files: Sequence[ExampleFile], *, origin: str = "natural", runs: int = 1) -> Problem:
    """Return the Problem of files that are permutations of each other. Raises Fault if their examples
    differ."""
    first = files[0]
    if runs < 1:
        raise Fault("--runs", "a number from 1", runs)
    for other in files[1:]:
        if other.counts != first.counts:
            raise Fault(other.source, f"the header of {first.source}", "another one", is_file=True)
    orders = tuple(_order(first, other) for other in files)
    return Problem(first.problem, tuple(files), orders, origin, runs)


def _order(first: ExampleFile, other: ExampleFile) -> np.ndarray:
    """Return the position of each example of a file in the first file; equal examples keep their order."""
    places: dict[Row, deque[int]] = defaultdict(deque)
    for place, row in enumerate(first.rows):
        places[row].append(place)
    order = []
    for number, row in enumerate(other.rows, start=len(other.layout.header) + 1):
        if not places[row]:
            expected = f"the examples of {os.path.basename(first.source)} in another order"
            raise ParseError(
                other.source, number, expected, "an example that does not occur there, or not as often"
            )
        order.append(places[row].popleft())
    return np.array(order)


def _groups(columns: Sequence[Row], offset: int, *, is_input: bool) -> Iterator[Group]:
    """Yield the attributes for columns of inputs, or of outputs; offset: position of the first column."""
    base, place = "in" if is_input else "out", 0
    while place < len(columns):
        count = _one_of(columns[place:], fewest=3 if is_input else 2)
        span = range(offset + place, offset + place + count)
        name = f"{base}{place + 1}" + (f"-{place + count}" if count > 1 else "")
        if count > 1:
            is_class = not is_input and count == len(columns)
            values = " ".join(str(number + 1) for number in range(count))
            yield Group("class" if is_class else name, span, "nominal", values, is_input)
        else:
            yield Group(name, span, *_kind(columns[place]), is_input)
        place += count


def _one_of(columns: Sequence[Row], *, fewest: int) -> int:
    """Return how many columns, starting with the first, together have exactly one 1 in every example.

    Return 1 if there is no such number. A column that is never 1 is in no group."""
    total = np.zeros(len(columns[0]), dtype=np.int64)
    for count, column in enumerate(columns, start=1):
        words = set(column)
        if not ("1" in words and words <= BITS):
            break
        total += np.array(column) == "1"
        if total.max() > 1:
            break
        if total.min() == 1:
            return count if count >= fewest else 1
    return 1


def _kind(column: Row) -> tuple[str, str]:
    """Return the type and the range of a coefficient that is a separate attribute."""
    words = set(column)
    for values in (BITS, SIGNS):
        if words <= values:
            return "binary", " ".join(sorted(values))
    low, high = (choose(words, key=float) for choose in (min, max))
    low, high = ("0" if float(low) >= 0 else low), ("1" if float(high) <= 1 else high)
    return "real", f"[{low},{high}]"


def _described(group: Group) -> str:
    kind, places = "input" if group.is_input else "output", group.columns
    if len(places) == 1:
        return f"{kind}, coefficient {places[0] + 1}"
    return f"{kind}, coefficients {places[0] + 1} to {places[-1] + 1}: one of them is 1"


def notices(problem: Problem) -> Iterator[str]:
    """Yield one sentence for each deviation of the files from their format."""
    first, counts = problem.first, problem.first.counts
    columns = [{float(word) for word in set(column)} for column in first.columns]
    outside = [values for values in columns if min(values) < 0 or max(values) > 1]
    if outside:
        low, high = min(map(min, outside)), max(map(max, outside))
        yield (
            f"{problem.name}: {len(outside)} of {len(columns)} coefficients are outside the range 0 to 1 of "
            f"the format: {low:g} to {high:g}, kept as they are"
        )
    for kind, start in (("in", 0), ("out", first.inputs)):
        promised = columns[start : start + counts[f"bool_{kind}"]]
        if any(not values <= {0, 1} for values in promised):
            claim = f"bool_{kind}={len(promised)}"
            yield f"{problem.name}: the header states {claim}, but there are numbers other than 0 and 1"


def write_problem(problem: Problem, into: str) -> tuple[Prototask, ...]:
    """Write the dataset of a problem into a delve directory, and return its prototasks; see `new_dataset`."""
    with new_dataset(problem.dataset_name, into) as directory:
        write_new(os.path.join(directory, "Dataset.spec"), dataset_text(problem.dataset))
        spans = [(one, slice(one.columns.start, one.columns.stop)) for one in problem.groups]
        lines = (" ".join(one.word(row[span]) for one, span in spans) + "\n" for row in problem.first.rows)
        write_new(os.path.join(directory, DATA), map(str.encode, lines))
        write_new(os.path.join(directory, "Summary"), _summary(problem))
        write_new(os.path.join(directory, "Source", "Notes"), _notes(problem))
        readme = os.path.join(os.path.dirname(problem.first.source), "README")
        if os.path.isfile(readme):
            write_new(os.path.join(directory, "Source", "README"), iter([read_bytes(readme)]))
        prototasks = tuple(problem.prototask(place) for place in range(len(problem.files)))
        for place, prototask in enumerate(prototasks):
            _write_prototask(problem, place, prototask, os.path.join(directory, prototask.name))
        tasks = [Task(one.dataset, one.name, STANDARD, *one.training_set_sizes) for one in prototasks]
        if published := list(published_results(tasks)):
            write_new(os.path.join(directory, PUBLISHED), published_text(published))
    return prototasks


def _write_prototask(problem: Problem, place: int, prototask: Prototask, directory: str) -> None:
    """Write a prototask with its tasks: `std` is partition a, the others have the name of their partition."""
    file, order = problem.files[place], problem.orders[place]
    os.mkdir(directory)
    write_new(os.path.join(directory, "Prototask.spec"), prototask_text(prototask))
    write_new(os.path.join(directory, LAYOUT), file.layout.stored())
    if place:
        head = f"# {file.stem} as a permutation of {problem.first.stem}\n"
        numbers = "".join(f"{number + 1}\n" for number in order.tolist())
        write_new(os.path.join(directory, ORDER), head + numbers)
    (size,) = prototask.training_set_sizes
    for partition in PARTITIONS if file.sizes["validation"] else "a":
        name, sets = STANDARD if partition == "a" else partition, file.sets(partition)
        write_new(os.path.join(directory, f"{name}.prior"), prior_text(problem.prior(prototask, name)))
        training = np.concatenate([sets["training"], sets["validation"]])
        runs = problem.runs if partition == "a" else 1
        instances = [Instance(0, training, sets["test"], validation=sets["validation"])]
        head = f"# {file.stem}{partition}: {', '.join(PARTITIONS[partition])} set, in the order of the file\n"
        listed = instances_text(instances * runs, order + 1, runs=runs)
        write_new(os.path.join(directory, f"{name}.{size}.instances"), head + listed)


def _summary(problem: Problem) -> str:
    first = problem.first
    training, validation, test = first.sizes.values()
    entropy = f"{problem.classes} classes, entropy {problem.entropy:.2f} bits per example.\n"
    classes = entropy * bool(problem.classes)
    listed = problem.outputs if len(problem.outputs) <= MOST_LISTED else ()
    shares = ", ".join(f"{' '.join(row)}: {count / len(first.rows):.1%}" for row, count in listed)
    return (
        f"{problem.dataset.title}\n\n"
        f"{len(first.rows):,} examples, {first.inputs} inputs ({problem.binary} binary, {problem.continuous} "
        f"continuous), {first.outputs} outputs,\n"
        f"coded for neural networks: {training:,} for training, {validation:,} for validation,\n"
        f"{test:,} for testing. A prototask is a permutation, a task one of the\n"
        f"partitions a (std) to f.\n{classes}{f'Outputs: {shares}.' * bool(shares)}\n"
    )


def _notes(problem: Problem) -> str:
    lines = [
        f"THE DATASET {problem.dataset_name}",
        "",
        "Files of PROBEN1; each is a permutation of the first:",
    ]
    lines += [f"  {os.path.basename(one.source)}" for one in problem.files]
    lines += ["", *(f"{line}." for line in notices(problem))]
    lines += ["", "delve export proben1 NAME restores the files byte for byte."]
    return "\n".join(lines) + "\n"


REPORT = "L. Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994"
YEAR = "1994"
COLUMNS = {"epochs": "total_epochs", "relevant": "relevant_epochs"}


@functools.cache
def report_rows() -> Mapping[tuple[str, str], Mapping[str, str]]:
    """Return the rows of the report's tables by network (`linear`, `pivot`, `noshortcut`) and data file.

    Numbers that are illegible in the report are empty."""
    path = shipped("proben1", "published.csv")
    if path is None:
        return {}
    with open(path, encoding="ascii", newline="") as file:
        return {(row["network"], row["problem"]): row for row in csv.DictReader(file)}


def published_results(tasks: Sequence[Task]) -> Iterator[PublishedResult]:
    """Yield the published results on tasks of partition a, whose prototasks have the names of data files."""
    for (network, file), row in report_rows().items():
        for task in (one for one in tasks if one.prototask == file):
            for number, (name, measure) in enumerate(PUBLISHED_AS.items(), start=1):
                column = COLUMNS.get(name, name)
                mean = row.get(f"{column}_mean", row.get(column))
                if not mean:
                    continue
                spread = row.get(f"{column}_sd")
                yield PublishedResult(
                    f"rprop-{network}-{YEAR}",
                    *task,
                    measure=measure,
                    mean=float(mean),
                    deviation=float(spread) if spread else None,
                    runs=int(row["runs"]),
                    source=REPORT,
                    where=f"table {row['table']}, page {row['page']}",
                    line=number,
                )
