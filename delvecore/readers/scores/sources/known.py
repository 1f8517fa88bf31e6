"""What is known of a table of a known program or archive: which column is what, which way scores go."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from delvecore.losses.metrics import Metric
from delvecore.readers.scores import words
from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.roles import named

__all__ = ["Known", "Names", "are_there", "first_of", "renamed", "scored"]

Names = Mapping[str, str]
"""Of columns, by what they are folded to."""


@dataclass(frozen=True, eq=False)
class Known:
    """A table of a known source. sheet: as a long table; options: which column is what; metrics: of known
    direction, by name; plain: does no column name metrics?"""

    title: str
    sheet: Sheet
    options: ScoreOptions = field(default_factory=ScoreOptions)
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    plain: bool = False

    def completed(self, options: ScoreOptions) -> ScoreOptions:
        """Return what a user says, with what the source says where the user says nothing."""
        said = {name: value for name, value in vars(options).items() if value not in (None, ())}
        return replace(self.options, **said)


def are_there(names: Names, wanted: str) -> bool:
    """Are all of these columns there?"""
    return set(wanted.split()) <= names.keys()


def first_of(names: Names, wanted: str) -> tuple[str, ...]:
    """Return the first one of these columns that is there, nothing without one."""
    return tuple(names[name] for name in wanted.split() if name in names)[:1]


def scored(sheet: Sheet) -> tuple[str, ...]:
    """Return the names of the columns of known metrics."""
    costs = {id(one) for one in named(sheet.columns, words.SECONDS)}
    numbers = [one for one in sheet.columns if one.kind == "number" and id(one) not in costs]
    return tuple(one.name for one in numbers if words.is_metric(one.name))


def renamed(sheet: Sheet, names: Mapping[str, str]) -> Sheet:
    """Return a table whose columns are called otherwise."""
    columns = [Column(names.get(column.name, column.name), column.array) for column in sheet.columns]
    return replace(sheet, columns=tuple(columns))
