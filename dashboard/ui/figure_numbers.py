"""Numbers of a figure: written into its files, and recomputed from its view for `delve verify`."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlencode

import pandas as pd
import pyarrow as pa
import streamlit as st
from streamlit.logger import set_log_level
from streamlit.testing.v1 import AppTest

from dashboard.server import archive as opened
from dashboard.server.pages import BY_NAME
from dashboard.ui import selection
from dashboard.ui.commands import reproducing_command
from delvecore.errors import DelveError
from delvecore.render import csv
from delvecore.render.numbers import significant
from delvecore.render.provenance import figure_lines
from delvecore.score_tables.options import ScoreOptions

KEPT = "figure-numbers"
DIGITS = 10
"""Significant digits of numbers in files. Further digits may differ between machines."""
PATIENCE = 600.0
"""Maximum time in seconds to read the archive, and to compute a page."""


def keep(key: str, table: pd.DataFrame | pa.Table) -> None:
    """Store the numbers of a figure if the page runs for `computed`. key: of the figure."""
    if (kept := st.session_state.get(KEPT)) is not None:
        kept[key] = numbers_text(table)


def numbers_text(table: pd.DataFrame | pa.Table) -> str:
    """Return the numbers of a figure as CSV, with DIGITS digits."""
    return csv_text(
        table, lambda value: float(significant(value, DIGITS)) if isinstance(value, float) else value
    )


def view_lines(page: str, key: str, numbers: str) -> tuple[str, ...]:
    """Return lines for a file of a figure, with the view and the numbers."""
    query = urlencode({key: st.query_params.get_all(key) for key in st.query_params}, doseq=True)
    command = reproducing_command(selection.mine()).split("\n")[-1]
    return figure_lines(SplitResult("", "", f"/{page}", query, key), command, numbers)


def computed(
    paths: Sequence[str], scores: ScoreOptions, page: str, query: str
) -> tuple[dict[str, str], float]:
    """Return ({key of a figure: its numbers as CSV}, confidence level), recomputed for a page.

    paths: delve directories or files of scores, none for the archive in use; scores: how these files are
    read; query: of the page's address. Raises DelveError if the files cannot be read, or if the page fails.
    """
    if page not in BY_NAME:
        raise DelveError(f"expected a page among {', '.join(BY_NAME)}, found {page!r}")
    set_log_level("ERROR")  # otherwise Streamlit warns that no browser is there
    opened.choose_paths(paths, scores=scores)
    shown = opened.open_archive(patience=PATIENCE)
    if shown.archive is None:
        raise DelveError(shown.error or str(shown.question) or "expected an archive, found none")
    app = AppTest.from_function(_show, args=(page,), default_timeout=PATIENCE)
    app.query_params.update(parse_qs(query, keep_blank_values=True))
    app.session_state[KEPT] = {}
    app.run()
    if app.exception:
        raise DelveError(f"the page {page} failed: {app.exception[0].message}")
    return app.session_state[KEPT], selection.wanted_setting(app.session_state[selection.STORED]).level


def _show(name: str) -> None:
    """Show a page. Streamlit runs the source of this function, so it has its own imports."""
    import importlib

    from dashboard.ui import page

    importlib.import_module(f"dashboard.{name}.page").show_page(page.prepare())


def as_frame(table: pd.DataFrame | pa.Table) -> pd.DataFrame:
    """Return a table as a data frame, without unnecessary copies."""
    return table.to_pandas() if isinstance(table, pa.Table) else table


def csv_text(table: pd.DataFrame | pa.Table, change: Callable[[Any], Any] = lambda value: value) -> str:
    """Return a table as CSV with full precision: see `delvecore.render.csv`. change: of each value."""
    frame = as_frame(table)
    columns = [[change(_plain(value)) for value in column] for _, column in frame.items()]
    return csv.csv_text(list(frame.columns), zip(*columns, strict=True))


def _plain(value: Any) -> Any:
    """Convert NumPy values and arrays to Python objects, and missing values of pandas to None."""
    if value is pd.NA or value is pd.NaT:
        return None
    return value.tolist() if hasattr(value, "tolist") else value
