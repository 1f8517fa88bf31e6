"""Scores of methods on tasks: the table that every statistic over many tasks starts from."""

import csv
import io
import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from delvecore.errors import ParseError
from delvecore.numerals.numbers import parse_number

__all__ = ["DROPS", "LARGEST", "CompleteTable", "ScoreTable", "complete_table", "parse_score_table"]

DROPS = ("tasks", "methods")
LARGEST = 1e150
"""Squares of larger values are no numbers any more."""
MISSING = ("", "?", "na", "nan")
UNPRINTABLE = ("Cc", "Zl", "Zp")
"""Categories of characters that no name may hold: they end a line, or control a terminal."""


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """One score of each method on each task.

    tasks, methods: names, each once. values: shape (tasks, methods), finite or not a number where a method
    has no score, at most `LARGEST` in size. higher_is_better: the direction, which is stated and never
    guessed. quantity: what the values are, such as `standardized loss S`, for headings. Raises ValueError for
    a table that is not so.
    """

    tasks: tuple[str, ...]
    methods: tuple[str, ...]
    values: np.ndarray
    higher_is_better: bool = False
    quantity: str = ""

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=float)
        values.flags.writeable = False
        object.__setattr__(self, "tasks", tuple(self.tasks))
        object.__setattr__(self, "methods", tuple(self.methods))
        object.__setattr__(self, "values", values)
        expected = (len(self.tasks), len(self.methods))
        if values.shape != expected:
            raise ValueError(f"expected values of shape {expected}, got {values.shape}")
        for kind in ("tasks", "methods"):
            names = getattr(self, kind)
            if len(set(names)) < len(names):
                raise ValueError(f"expected each of the {kind} once, got {_repeated(names)!r} again")
        if (np.abs(values) > LARGEST).any():
            raise ValueError(f"expected values up to {LARGEST:g}, or nan for missing ones, got a larger one")

    @property
    def missing(self) -> int:
        """The number of cells without a value."""
        return int(np.isnan(self.values).sum())

    @property
    def losses(self) -> np.ndarray:
        """The values with the sign that makes lower better."""
        return -self.values if self.higher_is_better else self.values

    def select(
        self, *, tasks: Iterable[str] | None = None, methods: Iterable[str] | None = None
    ) -> "ScoreTable":
        """Return the table of these tasks and methods, by name, in the order given.

        Raises KeyError for a name that is not in the table.
        """
        rows = _places(self.tasks, tasks)
        columns = _places(self.methods, methods)
        return ScoreTable(
            tuple(self.tasks[row] for row in rows),
            tuple(self.methods[column] for column in columns),
            self.values[np.ix_(rows, columns)],
            self.higher_is_better,
            self.quantity,
        )


@dataclass(frozen=True, eq=False)
class CompleteTable:
    """A table without missing values, and what was left out to make it so."""

    table: ScoreTable
    dropped_tasks: tuple[str, ...]
    dropped_methods: tuple[str, ...]


def complete_table(table: ScoreTable, *, drop: str = "tasks") -> CompleteTable:
    """Which tasks and methods have all values?

    drop: leave out the `tasks` where a method's value is missing, or the `methods` that miss one. Nothing is
    ever filled in. Raises ValueError for another word.
    """
    if drop not in DROPS:
        raise ValueError(f"expected one of {', '.join(DROPS)} to drop, got {drop!r}")
    missing = np.isnan(table.values)
    if not missing.any():
        return CompleteTable(table, (), ())
    if drop == "tasks":
        gone = missing.any(axis=1)
        kept, names = _split(table.tasks, gone)
        return CompleteTable(table.select(tasks=kept), names, ())
    # A task on which nobody has a value says nothing about any method.
    empty = missing.all(axis=1)
    kept_tasks, gone_tasks = _split(table.tasks, empty)
    kept, names = _split(table.methods, missing[~empty].any(axis=0))
    return CompleteTable(table.select(tasks=kept_tasks, methods=kept), gone_tasks, names)


def parse_score_table(
    text: str, source: str, *, higher_is_better: bool = False, quantity: str = ""
) -> ScoreTable:
    """Read a table of comma-separated values: tasks in the first column, a header with the methods' names.

    Empty fields, `?`, `NA` and `nan` are missing values; blank lines are passed over. source: the name for
    errors. Raises ParseError (file:line) for anything else that is no finite number, for lines of another
    length, and for names that are empty or occur twice.
    """
    rows = _rows(text, source)
    line, header = next(rows, (1, list[str]()))
    if len(header) < 2:
        raise ParseError(
            source, line, "a header with commas: a word for tasks, the names of methods", _found(header)
        )
    methods = [name.strip() for name in header[1:]]
    _check_names(methods, source, line, "method")
    tasks: dict[str, None] = {}
    values = []
    for line, row in rows:
        if len(row) != len(header):
            raise ParseError(source, line, f"{len(header)} fields, as in the header", f"{len(row)}")
        task = row[0].strip()
        _check_names([task, *([task] if task in tasks else [])], source, line, "task")
        tasks[task] = None
        values.append([_number(field, source, line) for field in row[1:]])
    if not values:
        raise ParseError(source, line, "a line of values for each task", "none")
    return ScoreTable(tuple(tasks), tuple(methods), np.array(values), higher_is_better, quantity)


def _rows(text: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, fields) of the lines that are not blank."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    try:
        for row in reader:
            if any(field.strip() for field in row):
                yield reader.line_num, row
    except csv.Error as error:
        raise ParseError(source, reader.line_num, "comma-separated values", str(error)) from None


def _found(header: Sequence[str]) -> str:
    return f"only {header[0]!r}" if header else "an empty file"


def _check_names(names: Sequence[str], source: str, line: int, kind: str) -> None:
    if "" in names:
        raise ParseError(source, line, f"the name of a {kind}", "an empty field")
    for name in names:
        if any(unicodedata.category(character) in UNPRINTABLE for character in name):
            raise ParseError(source, line, f"the name of a {kind} on one line", repr(name))
    if len(set(names)) < len(names):
        raise ParseError(source, line, f"the name of each {kind} once", f"{_repeated(names)!r} again")


def _number(field: str, source: str, line: int) -> float:
    word = field.strip()
    if word.lower() in MISSING:
        return math.nan
    try:
        value = parse_number(word)
    except ValueError:
        expected = "a finite number, or an empty field for a missing one"
        raise ParseError(source, line, expected, repr(word)) from None
    if abs(value) > LARGEST:
        raise ParseError(source, line, f"a number of at most {LARGEST:g} in size", repr(word))
    return value


def _repeated(names: Sequence[str]) -> str:
    first = {name: place for place, name in reversed(tuple(enumerate(names)))}
    return next(name for place, name in enumerate(names) if first[name] < place)


def _places(known: Sequence[str], names: Iterable[str] | None) -> list[int]:
    if names is None:
        return list(range(len(known)))
    where = {name: place for place, name in enumerate(known)}
    return [where[name] for name in names]


def _split(names: Sequence[str], gone: np.ndarray) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (names that stay, names that go)."""
    pairs = list(zip(names, gone.tolist(), strict=True))
    return tuple(name for name, out in pairs if not out), tuple(name for name, out in pairs if out)
