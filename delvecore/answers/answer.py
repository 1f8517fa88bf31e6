"""Answer to a question: a headline, a table of typed columns, notes, a figure's record, and a command.

Modules of this package make answers. `delvecore.render`, `delvecore.plots` and pages show them, independently
of the question.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from delvecore.measures import Baseline

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

Kind = Literal["name", "number", "share", "p", "count"]
Values: TypeAlias = "Sequence[Any] | NDArray[Any]"


@dataclass(frozen=True, eq=False)
class Column:
    """Column of a table, with everything that a renderer needs to write it.

    Attributes
    ----------
    key : str
        Name in CSV, JSON and data frames.
    title : str
        Name for readers.
    kind : Kind
        How values are rounded for readers.
    values : sequence
        One value per row; None or NaN if there is none.
    group : str
        Heading above the title, shared with neighboring columns.
    decimals : int, optional
        Decimals of numbers; None for three significant digits.
    error : str
        Key of the column with the standard errors of the values. Readers see both in one cell.
    about : str
        Meaning of the values, shown on request.
    best : str
        `min` or `max`: the value that a leaderboard shows in bold; empty for none.
    is_shown : bool
        Whether the table of a page shows it. Exported numbers always include it.
    """

    key: str
    title: str
    kind: Kind
    values: Values
    group: str = ""
    decimals: int | None = None
    error: str = ""
    about: str = ""
    best: Literal["", "min", "max"] = ""
    is_shown: bool = True


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length.

    Attributes
    ----------
    columns : tuple of Column
        From left to right.
    bold : set of (int, str)
        Row and key of the bold cells.

    Examples
    --------
    >>> names = Column("method", "method", "name", ["lin-1", "gp-1"])
    >>> table = Table((names, Column("rank", "", "count", [2, 1])))
    >>> len(table), table["method"], table.select("rank").rows
    (2, ['lin-1', 'gp-1'], [(2,), (1,)])
    """

    columns: tuple[Column, ...]
    bold: frozenset[tuple[int, str]] = frozenset()

    def __len__(self) -> int:
        return len(self.columns[0].values) if self.columns else 0

    def __getitem__(self, key: str) -> Values:
        """Values of a column. Raises KeyError for an unknown key."""
        return self.column(key).values

    def __contains__(self, key: str) -> bool:
        return key in self.keys

    @property
    def keys(self) -> list[str]:
        return [column.key for column in self.columns]

    def column(self, key: str) -> Column:
        """Return a column. Raises KeyError for an unknown key."""
        return {column.key: column for column in self.columns}[key]

    def select(self, *keys: str) -> "Table":
        """Return some columns, in the given order."""
        bold = frozenset((row, key) for row, key in self.bold if key in keys)
        return Table(tuple(map(self.column, keys)), bold)

    def drop(self, *keys: str) -> "Table":
        """Return the table without these columns."""
        return self.select(*(key for key in self.keys if key not in keys))

    def take(self, rows: Sequence[int]) -> "Table":
        """Return some rows, in the given order."""
        place = {row: number for number, row in enumerate(rows)}
        columns = tuple(replace(one, values=[one.values[row] for row in rows]) for one in self.columns)
        return Table(columns, frozenset((place[row], key) for row, key in self.bold if row in place))

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """The values of each row as Python types."""
        import numpy as np

        return list(zip(*(np.asarray(one.values).tolist() for one in self.columns), strict=True))

    def frame(self) -> "pd.DataFrame":
        """Return a data frame with the keys as column names."""
        import pandas as pd

        return pd.DataFrame({column.key: _whole(column) for column in self.columns})


def _whole(column: Column) -> Any:
    """Return the values of a column. Counts stay whole numbers if some are missing."""
    if column.kind != "count" or all(value is not None for value in column.values):
        return column.values
    import pandas as pd

    return pd.array(list(column.values), dtype="Int64")


def table_of(rows: Iterable[Sequence[Any]], columns: Sequence[tuple[str, str, Kind]]) -> Table:
    """Return the table of rows. columns: key, title and kind of each column."""
    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    return Table(tuple(Column(*about, list(of)) for about, of in zip(columns, values, strict=True)))


def plain_columns(kind: Kind, *keys: str) -> list[tuple[str, str, Kind]]:
    """Return columns for `table_of` with their keys as titles."""
    return [(key, key, kind) for key in keys]


PAIR = ("method_a", "method_b")
"""Keys of the columns that name a pair of methods."""


def pair_names(methods: Sequence[str]) -> list[Column]:
    """Return the columns that name all pairs of methods."""
    pairs = list(combinations(methods, 2))
    return [Column(key, key[-1], "name", [pair[side] for pair in pairs]) for side, key in enumerate(PAIR)]


def by_method(methods: Sequence[str], *columns: Column, order: Sequence[int]) -> Table:
    """Return a table with a row per method, in the given order."""
    return Table((Column("method", "method", "name", methods), *columns)).take(order)


def interval_columns(
    key: str, title: str, kind: Kind, *values: Values, level: str = "", ends: str | None = None
) -> list[Column]:
    """Return the columns of a number and its interval.

    values: estimates, lower and upper ends. ends: prefix of the keys of both ends, by default the key.
    """
    start = f"{key}_" if ends is None else ends
    keys = (key, f"{start}lower", f"{start}upper")
    about = zip(keys, (title, f"{level} from".strip(), "to"), values, strict=True)
    return [Column(key, title, kind, one) for key, title, one in about]


def interval_figure(
    columns: Sequence[Column], names: tuple[str, ...], axis: str, *, lines: tuple[float, ...] = ()
) -> "IntervalFields":
    """Return the figure of the columns of an interval. names: keys of the columns that name a row."""
    value, lower, upper = (column.key for column in columns)
    return IntervalFields(names, value, lower, upper, axis, lines)


@dataclass(frozen=True)
class Answer:
    """Answer to a question, in any format.

    Attributes
    ----------
    question : str
        Key of the question, such as `regret`.
    headline : str
        The answer in one line, with names and strong parts marked: see `render.spans`.
    table : Table
        The numbers.
    notes : tuple of str
        Explanations of the numbers, marked like the headline.
    figure : object
        Record that a function of `delvecore.plots` draws, or None.
    command : str
        Command that gives the same answer; empty if there is none.
    alt : str
        Description of the figure for screen readers; empty if the headline describes it.
    shown : Table, optional
        Columns for readers, if they differ from those of the numbers.
    repeated : int
        Number of leading columns that each part repeats if LaTeX needs the table split; 0 keeps it whole.

    Examples
    --------
    >>> names = Column("method", "method", "name", ["lin-1", "gp-1"])
    >>> Answer("leaderboard", "gp-1 wins.", Table((names,))).table.rows
    [('lin-1',), ('gp-1',)]
    """

    question: str
    headline: str
    table: Table
    notes: tuple[str, ...] = ()
    figure: Any = None
    command: str = ""
    alt: str = ""
    shown: Table | None = None
    repeated: int = 0


@dataclass(frozen=True)
class IntervalFields:
    """Figure of an answer with one row per method, or per pair of methods: a dot with its interval.

    Attributes
    ----------
    names : tuple of str
        Keys of the columns that name a row.
    value, lower, upper : str
        Keys of the columns with the numbers.
    axis : str
        Title of the axis.
    lines : tuple of float
        Values that a thin line marks.
    texts : tuple of str
        Texts to the right of the rows; empty to show the values.
    labels : tuple of str
        Row names in the figure; empty to use those of the table.
    colors : tuple of str
        Colors of bars without dots; empty for dots.
    are_places : bool
        Whether values are places, counted from 1.
    """

    names: tuple[str, ...]
    value: str
    lower: str
    upper: str
    axis: str
    lines: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    are_places: bool = False


FigureKind = Literal[
    "bayes",
    "diagram",
    "front",
    "leave out",
    "methods",
    "pairs",
    "scatter",
    "task verdicts",
    "training",
    "values",
]


@dataclass(frozen=True, eq=False)
class FigureData:
    """Figure of an answer, with its data beyond the columns of the answer's table.

    Attributes
    ----------
    kind : FigureKind
        Which figure; `plots.draw` has a function for each.
    quantity : str
        What an axis shows, in words.
    higher_is_better : bool
        The better direction of the quantity.
    subject : str
        Method that others are compared with, or method or test that the figure is about; empty for none.
    groups : tuple of tuple of int
        Rows of methods that do not differ significantly.
    has_tests : bool
        For `methods`, whether there are tests against the reference only; for `scatter`, tests of each task.
    baseline : Baseline, optional
        Value that a line marks.
    data : object
        Numbers that are not in columns: scores, posterior samples, runs, costs, or a ranking.
    """

    kind: FigureKind
    quantity: str = ""
    higher_is_better: bool = False
    subject: str = ""
    groups: tuple[tuple[int, ...], ...] = ()
    has_tests: bool = False
    baseline: Baseline | None = None
    data: Any = None
