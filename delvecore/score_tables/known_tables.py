"""Tables of known programs: the roles of their columns, and the directions of their scores."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import pandas as pd

from delvecore.losses.metrics import known_metric
from delvecore.measures import Measure, column_measure
from delvecore.score_tables.cells import parse_texts
from delvecore.score_tables.options import Question, ScoreOptions
from delvecore.score_tables.score_file import Omission


@dataclass(frozen=True, eq=False)
class KnownTable:
    """A table of a known program.

    Attributes
    ----------
    title : str
        Title of the program.
    frame : pandas.DataFrame
        A long table, indexed by the row in the file.
    options : ScoreOptions
        Roles of the columns.
    metrics : mapping of str to Measure
        Metrics of known direction, by value column or metric name.
    question : Question or None
        Question to answer first.
    omissions : tuple of Omission
        Rows left out by the rules of the program.
    files : str
        The joined files, if several.
    """

    title: str
    frame: pd.DataFrame
    options: ScoreOptions = field(default_factory=ScoreOptions)
    metrics: Mapping[str, Measure] = field(default_factory=dict)
    question: Question | None = None
    omissions: tuple[Omission, ...] = ()
    files: str = ""

    @property
    def plain(self) -> bool:
        """Is there no column of metric names?"""
        return self.options.metric is None

    def having(
        self, frame: pd.DataFrame | None = None, metrics: Iterable[Measure] = (), **roles: Any
    ) -> Self:
        """Return a copy with another frame, further metrics, and other fields of ScoreOptions."""
        return replace(
            self,
            frame=self.frame if frame is None else frame,
            metrics={**self.metrics, **{metric.key: metric for metric in metrics}},
            options=replace(self.options, **roles),
        )

    def without(self, what: str, names: Iterable[str], why: str) -> Self:
        """Return a copy with one more omission, if there are names."""
        listed = tuple(names)
        more = [Omission(what, listed, len(listed), why)] if listed else []
        return replace(self, omissions=(*self.omissions, *more))


def directed_metric(name: str, *, higher: bool) -> Measure:
    """Return the metric of this name and direction, with its best value if it is known."""
    metric = known_metric(name)
    return (
        metric if metric is not None and metric.higher_is_better == higher else column_measure(name, higher)
    )


def different(values: pd.Series) -> list[str]:
    """Return the distinct texts of a column, in their order."""
    return [str(value) for value in values.unique() if not pd.isna(value) and value != ""]


def varies(frame: pd.DataFrame, column: str, within: str) -> bool:
    """Does a column have several values for one value of another column?"""
    pairs = frame[[within, column]].drop_duplicates()
    return bool(pairs.replace("", None).dropna()[within].duplicated().any())


def holds_numbers(series: pd.Series) -> bool:
    """Are most cells of a sample numbers or missing?"""
    cells = series.head(100).dropna().astype(str)
    return 2 * int(np.sum(~parse_texts(cells).bad)) >= len(cells)


def stacked(frame: pd.DataFrame, groups: Mapping[Any, Mapping[Any, str]], name: str) -> pd.DataFrame:
    """Return a long table with one row for each row and group; rows keep their index.

    groups: new names of the columns, for each group; name: the name of the column of groups."""
    rest = frame.drop(columns=[column for group in groups.values() for column in group])
    parts = [
        rest.assign(**{new: frame[old] for old, new in columns.items()}, **{name: group})
        for group, columns in groups.items()
    ]
    return pd.concat(parts)


def groups_in(frame: pd.DataFrame, pattern: str) -> dict[str, dict[str, str]]:
    """Group columns such as `A_acc`, `A_f1` and `B_acc` by the two parts of a pattern: group and contents."""
    groups: dict[str, dict[str, str]] = {}
    for name in frame.columns:
        if match := re.fullmatch(pattern, name):
            groups.setdefault(match[1], {})[name] = match[2]
    return groups
