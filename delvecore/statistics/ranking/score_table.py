"""Scores of methods on tasks: the table that every statistic over many tasks starts from."""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from delvecore.errors import ParseError
from delvecore.losses.metrics import LARGEST
from delvecore.names import NAME, is_name
from delvecore.numerals.numbers import parse_number
from delvecore.readers.labels import datasets_in_names

__all__ = ["LARGEST", "ScoreTable", "Units", "complete_table", "parse_score_table"]

GROUPS = ("dataset", "family")
"""Columns of this name say which tasks belong together."""
DROPS = ("tasks", "methods")
MOST_METHODS = 2000
"""Every method is compared with every other."""
MISSING = ("", "?", "na", "nan")


class Units(NamedTuple):
    """Which tasks belong together? Names for each task of a table.

    datasets: of which each is; families: of these, datasets of one simulator or survey; a dataset without
    such a family is its own. known_by: what says so, the archive, a column of the table or the tasks' names.
    """

    datasets: tuple[str, ...]
    families: tuple[str, ...]
    known_by: Literal["archive", "column", "names"] = "archive"


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """One score of each method on each task.

    tasks, methods: names, each once. values: shape (tasks, methods), finite or not a number where a method
    has no score, at most `LARGEST` in size. higher_is_better: the direction, which is stated and never
    guessed. quantity: what the values are, such as `standardized loss S`, for headings. units: which tasks
    belong together, None where that is not known. test_share: where the rows are no tasks but training sets
    of one task that share cases, what `pair_tests.paired_t` needs to know of it. Raises ValueError
    for a table that is not so."""

    tasks: tuple[str, ...]
    methods: tuple[str, ...]
    values: np.ndarray
    higher_is_better: bool = False
    quantity: str = ""
    units: Units | None = None
    test_share: float = 0.0

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
        if self.units and any(len(names) != len(self.tasks) for names in self.units[:2]):
            raise ValueError(f"expected a dataset and a family for each of {len(self.tasks)} tasks")
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

        Raises KeyError for a name that is not in the table."""
        tasks = self.tasks if tasks is None else tuple(tasks)
        methods = self.methods if methods is None else tuple(methods)
        rows = _places(self.tasks, tasks)
        values = self.values[np.ix_(rows, _places(self.methods, methods))]
        units = self.units
        if units is not None:
            datasets, families = (tuple(names[row] for row in rows) for names in units[:2])
            units = Units(datasets, families, units.known_by)
        return replace(self, tasks=tasks, methods=methods, values=values, units=units)


class CompleteTable(NamedTuple):
    """A table without missing values, and what was left out to make it so."""

    table: ScoreTable
    dropped_tasks: tuple[str, ...]
    dropped_methods: tuple[str, ...]


def complete_table(table: ScoreTable, *, drop: str = "tasks") -> CompleteTable:
    """Which tasks and methods have all values?

    drop: leave out the `tasks` where a method's value is missing, or the `methods` that miss one. Nothing is
    ever filled in. Raises ValueError for another word."""
    if drop not in DROPS:
        raise ValueError(f"expected one of {', '.join(DROPS)} to drop, got {drop!r}")
    missing = np.isnan(table.values)
    # A task on which nobody has a value says nothing about any method.
    no_task = missing.any(axis=1) if drop == "tasks" else missing.all(axis=1)
    no_method = missing[~no_task].any(axis=0)
    if not missing.any():
        return CompleteTable(table, (), ())
    tasks, gone_tasks = _split(table.tasks, no_task)
    methods, gone_methods = _split(table.methods, no_method)
    return CompleteTable(table.select(tasks=tasks, methods=methods), gone_tasks, gone_methods)


def parse_score_table(
    text: str, source: str, *, higher_is_better: bool = False, quantity: str = ""
) -> ScoreTable:
    """Read a table of comma-separated values: tasks in the first column, a header with the methods' names.

    A further column `dataset`, or `family`, holds names and says which tasks belong together; without them
    tasks named as `age/std.128` say it. Empty fields, `?`, `NA` and `nan` are missing values; blank lines are
    passed over. source: the name for errors. Raises ParseError (file:line) for anything else that is no
    finite number, for lines of another length, and for names that are empty or occur twice."""
    rows = _rows(text, source)
    line, header = next(rows, (1, list[str]()))
    columns = _columns(header, source, line)
    tasks: dict[str, None] = {}
    values, groups = [], []
    for line, row in rows:
        if len(row) != len(header):
            raise ParseError(source, line, f"{len(header)} fields, as in the header", f"{len(row)}")
        task = row[0].strip()
        _check_names([task, *([task] if task in tasks else [])], source, line, "task")
        tasks[task] = None
        groups.append({name: row[place].strip() for name, place in columns.groups.items()})
        for name, group in groups[-1].items():
            _check_names([group], source, line, name)
        values.append([_number(row[place], source, line) for place in columns.methods.values()])
    if not values:
        raise ParseError(source, line, "a line of values for each task", "none")
    names, methods = tuple(tasks), tuple(columns.methods)
    units = _units(names, groups)
    return ScoreTable(names, methods, np.array(values), higher_is_better, quantity=quantity, units=units)


class _Columns(NamedTuple):
    """Places of columns by what they hold. groups: by `dataset` or `family`."""

    methods: dict[str, int]
    groups: dict[str, int]


def _columns(header: Sequence[str], source: str, line: int) -> _Columns:
    names = [name.strip() for name in header]
    groups = {name.lower(): place for place, name in enumerate(names) if place and name.lower() in GROUPS}
    places = [place for place in range(1, len(names)) if place not in groups.values()]
    if not places:
        found = f"only {header[0]!r}" if header else "an empty file"
        raise ParseError(source, line, "a header with commas: a word for tasks, the names of methods", found)
    if len(places) > MOST_METHODS:
        expected, remedy = f"at most {MOST_METHODS} methods", "split the table"
        raise ParseError(source, line, expected, f"{len(places)}", remedy)
    _check_names([names[place] for place in places], source, line, "method")
    return _Columns({names[place]: place for place in places}, groups)


def _units(tasks: Sequence[str], groups: Sequence[dict[str, str]]) -> Units | None:
    """Return which tasks belong together. groups: by task, what columns say."""
    named = datasets_in_names(tasks)
    if not groups[0]:
        return Units(named, named, "names") if named else None
    datasets = tuple(group.get("dataset", task) for task, group in zip(named or tasks, groups, strict=True))
    families = tuple(group.get("family", name) for name, group in zip(datasets, groups, strict=True))
    return Units(datasets, families, "column")


def _rows(text: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, fields) of the lines that are not blank."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    try:
        for row in reader:
            if any(field.strip() for field in row):
                yield reader.line_num, row
    except csv.Error as error:
        raise ParseError(source, reader.line_num, "comma-separated values", str(error)) from None


def _check_names(names: Sequence[str], source: str, line: int, kind: str) -> None:
    if "" in names:
        raise ParseError(source, line, f"the name of a {kind}", "an empty field")
    for name in names:
        if not is_name(name):
            raise ParseError(source, line, f"{NAME}, for a {kind}", repr(name), "rename it")
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
    return next(name for place, name in enumerate(names) if name in names[:place])


def _places(known: Sequence[str], names: Iterable[str]) -> list[int]:
    where = {name: place for place, name in enumerate(known)}
    return [where[name] for name in names]


def _split(names: Sequence[str], gone: np.ndarray) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (names that stay, names that go)."""
    every = np.array(names, dtype=object)
    return tuple(every[~gone]), tuple(every[gone])
