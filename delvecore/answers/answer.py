"""Answer to one question: a sentence, a typed table, a figure's record, notes, and the command that gives it.

Modules beside this one make answers; `render.answers` and pages show them, and know no question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["name", "number", "share", "p", "count"]


@dataclass(frozen=True)
class Field:
    """A column. key: in CSV and JSON; title: for readers; kind: how its values are rounded for them; group:
    a heading above it that neighbours share; decimals: of numbers, None for three significant digits."""

    key: str
    title: str
    kind: Kind
    values: Sequence[Any] | NDArray[Any]
    group: str = ""
    decimals: int | None = None


def fields_of(rows: Iterable[Sequence[Any]], about: Sequence[tuple[str, str, Kind]]) -> tuple[Field, ...]:
    """Return the columns of rows. about: key, title and kind of each."""
    columns = list(zip(*rows, strict=True)) or [()] * len(about)
    return tuple(Field(*one, list(values)) for one, values in zip(about, columns, strict=True))


@dataclass(frozen=True)
class Answer:
    """Answer to one question, in any format.

    Parameters
    ----------
    question : str
        Its word, such as `regret`.
    sentence : str
        The answer in one line, with names and strong parts marked: see `render.spans`.
    fields : tuple of Field
        The table, a field a column, all of the same length.
    notes : tuple of str
        What readers must know of how it was found.
    figure : object
        The record that a function of `delvecore.plots` draws; None where there is no figure.
    command : str
        The command line that gives the same answer; empty where there is none.
    alt : str
        The figure in words, for those who do not see it; empty where the sentence says it.
    bold : set of (int, int)
        Row and column of the cells that stand out in a table for a paper.

    Examples
    --------
    >>> names = Field("method", "method", "name", ["lin-1", "gp-1"])
    >>> Answer("leaderboard", "gp-1 wins.", (names,), ()).rows
    [('lin-1',), ('gp-1',)]
    """

    question: str
    sentence: str
    fields: tuple[Field, ...]
    notes: tuple[str, ...]
    figure: Any = None
    command: str = ""
    alt: str = ""
    bold: frozenset[tuple[int, int]] = frozenset()

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """The values of each row in Python's own types."""
        columns = [np.asarray(field.values).tolist() for field in self.fields]
        return list(zip(*columns, strict=True))


@dataclass(frozen=True)
class IntervalFields:
    """Figure of an answer with one row a method, or a pair of methods: the keys of the fields that it draws.

    names: of a row; value, lower, upper: a number with its interval; axis: the axis's title; lines: values at
    which a thin line stands."""

    names: tuple[str, ...]
    value: str
    lower: str
    upper: str
    axis: str
    lines: tuple[float, ...] = ()
