"""The column of a table that holds a method's losses."""

from typing import Any

import streamlit as st

from dashboard.ui.glossary import help_for
from delvecore.losses.spec import metric_of
from delvecore.plots import words

__all__ = ["value_column"]


def value_column(loss: str | None, of: str = "", *, format: str = "%.4f") -> Any:
    """Return the column of standardized losses, or of the values of a metric, under its name. of: `median` of
    them."""
    metric = metric_of(loss) if loss else None
    name = words.plain(metric.name, longest=20) if metric else f"{'' if of else 'standardized '}loss"
    title = f"{of} {name}".strip()
    about = help_for("standardized loss") if metric is None else f"{metric.direction.capitalize()}."
    title = title if metric and not of else title[0].upper() + title[1:]
    return st.column_config.NumberColumn(title, format=format, help=about)
