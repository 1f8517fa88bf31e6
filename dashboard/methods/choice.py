"""Which losses of which method does the visitor want, and the column of a table that holds them."""

from collections.abc import Collection
from typing import Any, NamedTuple

import streamlit as st

from dashboard.ui.glossary import help_for
from delvecore.archive import Archive
from delvecore.losses.spec import metric_of
from delvecore.report import words


class Request(NamedTuple):
    """What is shown, and what it is cached by. loss: one that the method has."""

    archive: Archive
    method: str
    loss: str


def chosen_loss(losses: Collection[str], wanted: str | None, usual: str | None = None) -> str | None:
    """Return the loss wanted, else the usual one, else the first of those there are; None without any."""
    return next((one for one in (wanted, usual) if one in losses), next(iter(losses), None))


def value_column(loss: str | None, of: str = "") -> Any:
    """Return the column of standardized losses, or of the values of a metric, under its name. of: `median` of
    them."""
    metric = metric_of(loss) if loss else None
    name = words.plain(metric.name, longest=20) if metric else f"{'' if of else 'standardized '}loss"
    title = f"{of} {name}".strip()
    about = help_for("standardized loss") if metric is None else f"{metric.direction.capitalize()}."
    title = title if metric and not of else title[0].upper() + title[1:]
    return st.column_config.NumberColumn(title, format="%.4f", help=about)
