"""What is known of the table of a known program: which column is what, and which way its scores go."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from delvecore.losses.metrics import Metric, known_metric
from delvecore.score_tables.options import Question, ScoreOptions
from delvecore.score_tables.score_file import Omission

__all__ = ["Known", "Names", "different", "known", "metric_of", "omitted", "stacked"]

Names = Mapping[str, str]
"""The columns of a table by their folded names."""


@dataclass(frozen=True, eq=False)
class Known:
    """A table of a known program.

    title: of the program; frame: a long table, whose index has the row in the file; options: which column is
    what; metrics: those of known direction, by value column or metric name; plain: does no column name
    metrics; question: what must be decided first; omissions: what the program's own words leave out."""

    title: str
    frame: pd.DataFrame
    options: ScoreOptions = field(default_factory=ScoreOptions)
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    plain: bool = True
    question: Question | None = None
    omissions: tuple[Omission, ...] = ()


def known(
    title: str,
    frame: pd.DataFrame,
    metrics: Iterable[Metric] = (),
    *,
    omissions: Iterable[Omission] = (),
    question: Question | None = None,
    **roles: Any,
) -> Known:
    """A known table by its roles, which are fields of ScoreOptions."""
    by_name = {metric.name: metric for metric in metrics}
    options, plain = ScoreOptions(**roles), roles.get("metric") is None
    return Known(title, frame, options, by_name, plain, question, tuple(omissions))


def metric_of(name: str, *, higher: bool) -> Metric:
    """The metric of this name and direction, with its best value where it is known."""
    found = known_metric(name)
    return found if found is not None and found.higher_is_better == higher else Metric(name, higher)


def different(values: pd.Series) -> list[str]:
    """The different texts of a column, in their order."""
    return [str(value) for value in values.unique() if not pd.isna(value) and value != ""]


def omitted(what: str, names: Iterable[str], why: str) -> list[Omission]:
    """The omission of things of these names, if there are any."""
    listed = tuple(names)
    return [Omission(what, listed, len(listed), why)] if listed else []


def stacked(frame: pd.DataFrame, groups: Mapping[str, Mapping[Any, str]], name: str) -> pd.DataFrame:
    """A long table with one row for each row and group; rows keep their index.

    groups: for each group its columns and what they are called then; name: of the column of groups."""
    rest = frame.drop(columns=[column for group in groups.values() for column in group])
    parts = [
        rest.assign(**{new: frame[old] for old, new in columns.items()}, **{name: group})
        for group, columns in groups.items()
    ]
    return pd.concat(parts)
