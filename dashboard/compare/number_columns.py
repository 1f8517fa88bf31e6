"""Columns of numbers, raw and standardized, as the tables of losses and of pairs have them."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.compare.choice import Request
from dashboard.compare.data import Row
from dashboard.frame import page, words
from delvecore.report.rounding import column_decimals

__all__ = ["GROUPS", "SPREADS", "NumberColumns", "error_column", "show_numbers"]

GROUPS = (("", "raw"), ("standardized_", "std."))
"""Prefix of the columns of estimates and pairs, and what the tables call them."""
SPREADS = {"sd_training": "SD train", "sd_cases": "SD cases", "sd_residual": "SD rest"}
ABOUT = {
    "Loss": "Estimated expected loss",
    "SE": "Standard error of the estimate",
    "a − b": "Estimated expected difference: below zero method a is better",
    "SD train": "Standard deviation from training sets and stochastic training",
    "SD cases": "Standard deviation from test cases",
    "SD rest": "Standard deviation from whatever else: interactions, stochastic predictions, and test cases "
    "where each training set has its own",
}


def error_column(prefix: str) -> str:
    """Return the column of standard errors of a group."""
    return f"{prefix}error" if prefix else "standard_error"


class NumberColumns:
    """A table in the making, and how its columns are shown. pinned: its first columns, always in view."""

    def __init__(self, rows: Sequence[Row], *, pinned: Mapping[str, Sequence[str]]) -> None:
        self.rows = rows
        self.columns: dict[str, Any] = dict(pinned)
        self.config = {name: st.column_config.TextColumn(pinned=True) for name in pinned}

    def add(self, titles: Mapping[str, str], prefix: str) -> None:
        """Add a column a title, with the decimals that the group's standard errors ask for."""
        decimals = column_decimals(row[error_column(prefix)] for row in self.rows)
        for name, title in titles.items():
            if name.endswith("sd_cases") and all(row[name] is None for row in self.rows):
                continue
            self.columns[title] = pd.array([row[name] for row in self.rows], dtype="Float64")
            about = ABOUT.get(title.partition(",")[0])
            self.config[title] = st.column_config.NumberColumn(format=f"%.{decimals}f", help=about)


def show_numbers(
    found: NumberColumns,
    request: Request,
    what: str,
    *,
    alt: str,
    files: Mapping[str, Callable[[Request], str]],
) -> None:
    """Show a table with its files below it. files: what makes each, by the words on its button."""
    st.dataframe(
        pd.DataFrame(found.columns),
        hide_index=True,
        column_config=found.config,
        placeholder=words.NO_VALUE,
        alt=alt,
        key=f"table-{what}",
    )
    with st.container(horizontal=True, key=f"files-{what}"):
        for kind, make in files.items():
            page.file_button(kind, partial(make, request), request.file_name(what))
