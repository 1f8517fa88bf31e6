"""Data files of PROBEN1: a header that counts, then an example a line, inputs before outputs.

What a file says is kept to the byte: words as they are, and how blanks stand between them. Source: L.
Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994, sections 2.3 and 2.4 and appendix C."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from delvecore.errors import Fault, ParseError
from delvecore.importers.attribute_names import file_name
from delvecore.number_format.numbers import is_number
from delvecore.readers.files import plain_name, read_bytes

SUFFIX = ".dt"
COUNTS = (
    *("bool_in", "real_in", "bool_out", "real_out"),
    *("training_examples", "validation_examples", "test_examples"),
)
"""The lines of a header; each is there once."""
PARTITIONS = {
    "a": ("training", "validation", "test"),
    "b": ("training", "test", "validation"),
    "c": ("validation", "training", "test"),
    "d": ("validation", "test", "training"),
    "e": ("test", "validation", "training"),
    "f": ("test", "training", "validation"),
}
"""In which order the examples of a file are used: section 2.3."""
Row = tuple[str, ...]


class Sizes(NamedTuple):
    """How many examples each set has."""

    training: int
    validation: int
    test: int

    def sets(self, partition: str) -> dict[str, np.ndarray]:
        """Return the positions of the examples of each set in a partition, one of PARTITIONS."""
        order = PARTITIONS[partition]
        ends = np.cumsum([getattr(self, name) for name in order])
        return dict(zip(order, np.split(np.arange(sum(self)), ends[:-1]), strict=True))


class Layout(NamedTuple):
    """How a file stands on its lines. header: its lines; width: to which words are filled from the left, 0
    where they are not; gaps: what stands before, between and behind the words of a line, None for single
    blanks; others: {number of a row, from 0: its gaps} where they differ; end: of the file."""

    header: tuple[str, ...]
    width: int = 0
    gaps: Row | None = None
    others: Mapping[int, Row] = {}
    end: str = "\n"

    def text(self, rows: Iterable[Row]) -> str:
        """Return the whole file."""
        lines = (self.line(number, row) for number, row in enumerate(rows))
        return "\n".join([*self.header, *lines]) + self.end

    def line(self, number: int, row: Row) -> str:
        gaps = self.others.get(number, self.gaps)
        if gaps is None:
            return " ".join(word.rjust(self.width) for word in row)
        return gaps[0] + "".join(word + gap for word, gap in zip(row, gaps[1:], strict=True))

    def stored(self) -> str:
        """Return the text that `restored` makes the same layout of."""
        return json.dumps(self._asdict(), indent=1) + "\n"

    @classmethod
    def restored(cls, text: str, source: str) -> "Layout":
        """Return a stored layout. Raises ParseError."""
        try:
            said = json.loads(text)
            others = {int(number): tuple(gaps) for number, gaps in said["others"].items()}
            gaps = None if said["gaps"] is None else tuple(said["gaps"])
            return cls(tuple(said["header"]), int(said["width"]), gaps, others, said["end"])
        except (ValueError, LookupError, TypeError, AttributeError):
            remedy = "import the files again"
            raise ParseError(source, None, "how PROBEN1's files stand", "something else", remedy) from None


@dataclass(frozen=True)
class ExampleFile:
    """One data file. source: its path; stem: its name without `.dt`, such as `glass1`; counts: of the header,
    by name; rows: the words of each example."""

    source: str
    stem: str
    counts: Mapping[str, int]
    rows: tuple[Row, ...]
    layout: Layout

    @property
    def problem(self) -> str:
        """`glass` of `glass1`."""
        return re.sub(r"(?<=\D)\d$", "", self.stem)

    @property
    def inputs(self) -> int:
        return self.counts["bool_in"] + self.counts["real_in"]

    @property
    def outputs(self) -> int:
        return self.counts["bool_out"] + self.counts["real_out"]

    @property
    def sizes(self) -> Sizes:
        return Sizes(*(self.counts[name] for name in COUNTS[-3:]))

    @cached_property
    def columns(self) -> tuple[Row, ...]:
        """The words of each coefficient."""
        return tuple(zip(*self.rows, strict=True))


def example_files(paths: Sequence[str]) -> dict[str, list[ExampleFile]]:
    """Return the files at and below some paths by problem, in the order of their names. Raises Fault where
    there is none, ParseError for one that is not of the format."""
    found: dict[str, dict[str, ExampleFile]] = {}
    for path in sorted(set(_paths(paths)), key=os.path.basename):
        one = parse_examples(read_bytes(path).decode("latin-1"), path)
        if file_name(one.stem) != one.stem:
            raise Fault(
                path, "a name of letters, digits and . _ -", repr(one.stem), "rename it", is_file=True
            )
        before = found.setdefault(one.problem, {}).setdefault(one.stem, one)
        if before is not one:
            raise Fault(path, f"one file {one.stem}{SUFFIX}", f"another, {before.source}", is_file=True)
    return {problem: list(files.values()) for problem, files in sorted(found.items())}


def _paths(paths: Iterable[str]) -> Iterator[str]:
    for path in map(os.path.expanduser, paths):
        if os.path.isfile(path):
            yield path
            continue
        below = [os.path.join(place, name) for place, _, names in os.walk(path) for name in names]
        chosen = [one for one in below if plain_name(one).endswith(SUFFIX)]
        if not chosen:
            found = "none there" if os.path.isdir(path) else "nothing there"
            raise Fault(path, f"files of PROBEN1, NAME{SUFFIX}", found, "check the path", is_file=True)
        yield from chosen


def parse_examples(text: str, source: str) -> ExampleFile:
    """Return what a data file says. Raises ParseError where header and examples do not agree, or a word is no
    number."""
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
    width, wanted = sum(counts[name] for name in COUNTS[:4]), sum(counts[name] for name in COUNTS[4:])
    for number, row in enumerate(rows, start=start + 1):
        if len(row) != width:
            expected = f"{width} coefficients, as the header says"
            raise ParseError(source, number, expected, str(len(row)), "correct the line or the header")
        stray = next((word for word in row if not is_number(word)), None)
        if stray is not None:
            raise ParseError(source, number, "numbers", repr(stray), "correct the line")
    if len(rows) != wanted:
        expected = f"{wanted} examples, as the header says"
        raise ParseError(source, start + len(rows), expected, str(len(rows)), "correct the header")
    for kind in ("training", "test"):
        if not counts[f"{kind}_examples"]:
            raise ParseError(source, None, f"{kind} examples", "none")


def _spacing(lines: Sequence[str], rows: Sequence[Row]) -> tuple[int, Row | None, dict[int, Row]]:
    """Return (width, gaps, others) of a Layout that give these lines back."""
    longest = max((len(word) for row in rows for word in row), default=0)
    for width in dict.fromkeys((0, longest)):
        plain = Layout((), width)
        if all(line == plain.line(0, row) for line, row in zip(lines, rows, strict=True)):
            return width, None, {}
    found = [tuple(re.split(r"\S+", line)) for line in lines]
    common = Counter(found).most_common(1)[0][0]
    return 0, common, {number: gaps for number, gaps in enumerate(found) if gaps != common}
