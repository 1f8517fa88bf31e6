"""Numbers of the Task-arrays page as `delve array` prints them: tables, LaTeX, and the command itself."""

import shlex
from collections.abc import Callable

import pandas as pd
import pyarrow as pa

from dashboard.task_arrays.choice import ArrayChoice
from delvecore.model import TaskArray
from delvecore.report.arrays.tables import array_data
from delvecore.report.shown_table import ShownTable, shown_latex

__all__ = ["array_command", "latex_maker", "name_of", "numbers_of"]


def name_of(choice: ArrayChoice, what: str) -> str:
    """Return the name of a figure's files, different for each array and loss."""
    return f"{choice.array}-{choice.loss}-{what}"


def array_command(
    choice: ArrayChoice,
    table: str,
    *,
    methods: tuple[str, ...] | None = None,
    reference: bool = False,
    test: bool = False,
    adjust: bool = False,
) -> str:
    """Return the command line that prints the numbers of a figure.

    methods: None for those chosen; reference, test: with the reference, with the level.
    """
    parts = ["delve", "array", choice.array, "--table", table, "--loss", choice.loss]
    methods = methods or (choice.methods if choice.methods != choice.available else None)
    parts += ["--methods", " ".join(methods)] if methods else []
    parts += ["--reference", choice.reference] if reference else []
    parts += ["--level", f"{choice.level:g}"] if test else []
    parts += ["--holm"] if adjust else []
    return " ".join(shlex.quote(part) for part in parts)


def numbers_of(table: pa.Table, array: TaskArray) -> pd.DataFrame:
    """Return a table of the statistics with a column for each factor, as `--format csv` prints it."""
    header, rows = array_data(table, array)
    columns = zip(*rows, strict=True) if rows else ([] for _ in header)
    return pd.DataFrame({name: _column(values) for name, values in zip(header, columns, strict=True)})


def _column(values):
    """Return values as a column in which whole numbers stay whole where some are missing."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int}:
        return pd.array(values, dtype="Int64")
    if kinds == {list}:
        return pd.Series([", ".join(map(str, value or ())) for value in values], dtype=object)
    return pd.Series(list(values), dtype=float if kinds == {float} else object)


def latex_maker(
    shown: Callable[..., ShownTable], table: pa.Table, array: TaskArray, **details: object
) -> Callable[[], str]:
    """Return a function that makes the table for a paper when it is asked for."""
    return lambda: shown_latex(shown(table, array, **details))
