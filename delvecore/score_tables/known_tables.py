"""What is known of the table of a known program: which column is what, and which way its scores go."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import pandas as pd

from delvecore.losses.metrics import known_metric
from delvecore.measures import Measure, column_measure
from delvecore.score_tables.cells import parse_cell
from delvecore.score_tables.options import Question, ScoreOptions
from delvecore.score_tables.score_file import Omission


@dataclass(frozen=True, eq=False)
class Known:
    """A table of a known program.

    title: of the program; frame: a long table, whose index has the row in the file; options: which column is
    what; metrics: those of known direction, by value column or metric name; question: what must be decided
    first; omissions: what the program's own words leave out; files: of several ones, which are read."""

    title: str
    frame: pd.DataFrame
    options: ScoreOptions = field(default_factory=ScoreOptions)
    metrics: Mapping[str, Measure] = field(default_factory=dict)
    question: Question | None = None
    omissions: tuple[Omission, ...] = ()
    files: str = ""

    @property
    def plain(self) -> bool:
        """Does no column name metrics?"""
        return self.options.metric is None

    def having(
        self, frame: pd.DataFrame | None = None, metrics: Iterable[Measure] = (), **roles: Any
    ) -> Self:
        """A copy with another frame, further metrics, and other roles, which are fields of ScoreOptions."""
        return replace(
            self,
            frame=self.frame if frame is None else frame,
            metrics={**self.metrics, **{metric.key: metric for metric in metrics}},
            options=replace(self.options, **roles),
        )

    def without(self, what: str, names: Iterable[str], why: str) -> Self:
        """A copy with one more omission, if there are names."""
        listed = tuple(names)
        more = [Omission(what, listed, len(listed), why)] if listed else []
        return replace(self, omissions=(*self.omissions, *more))


def directed_metric(name: str, *, higher: bool) -> Measure:
    """The metric of this name and direction, with its best value where it is known."""
    found = known_metric(name)
    return found if found is not None and found.higher_is_better == higher else column_measure(name, higher)


def different(values: pd.Series) -> list[str]:
    """The different texts of a column, in their order."""
    return [str(value) for value in values.unique() if not pd.isna(value) and value != ""]


def varies(frame: pd.DataFrame, column: str, within: str) -> bool:
    """Does a column have several values within one of another?"""
    pairs = frame[[within, column]].drop_duplicates()
    return bool(pairs.replace("", None).dropna()[within].duplicated().any())


def holds_numbers(series: pd.Series) -> bool:
    """Are most of the cells numbers or missing, as far as a sample shows?"""
    cells = series.head(100).dropna().astype(str)
    return bool(2 * cells.map(parse_cell).notna().sum() >= len(cells))


def stacked(frame: pd.DataFrame, groups: Mapping[Any, Mapping[Any, str]], name: str) -> pd.DataFrame:
    """A long table with one row for each row and group; rows keep their index.

    groups: for each group its columns and what they are called then; name: of the column of groups."""
    rest = frame.drop(columns=[column for group in groups.values() for column in group])
    parts = [
        rest.assign(**{new: frame[old] for old, new in columns.items()}, **{name: group})
        for group, columns in groups.items()
    ]
    return pd.concat(parts)


def groups_in(frame: pd.DataFrame, pattern: str) -> dict[str, dict[str, str]]:
    """Columns such as `A_acc`, `A_f1`, `B_acc`: by group (`A`), what each column holds (`acc`). pattern: a
    regular expression whose parts are the group and that, in this order."""
    groups: dict[str, dict[str, str]] = {}
    for name in frame.columns:
        if found := re.fullmatch(pattern, name):
            groups.setdefault(found[1], {})[name] = found[2]
    return groups
