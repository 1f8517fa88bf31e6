"""The upper part of the Compare page: how large the losses are, and whether the difference is sure."""

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from dashboard.compare import exports, tables
from dashboard.compare.choice import Request
from dashboard.compare.figures.differences import Difference, differences_figure
from dashboard.compare.figures.estimates import Estimate, estimates_figure
from dashboard.frame import page, words
from dashboard.frame.glossary import help_for
from dashboard.server import archive as opened

__all__ = ["show_overview"]


def show_overview(request: Request) -> None:
    """Show the expected losses, and beside them the differences to the reference."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("How large are the losses?", anchor=False, help=help_for("expected loss"))
        st.caption("Mean loss; bars reach one standard error to either side.")
        _estimates(request)
    with right:
        st.subheader("Is the difference sure?", anchor=False, help=help_for("p-value"))
        if len(request.methods) < 2:
            page.empty_state("One method only.", "Choose a second one above to compare it with.")
            return
        reference = f"**{words.escape(request.reference)}**"
        st.caption(
            f"Each method less {reference}, with {100 * request.level:g} % intervals; "
            "open marks are not settled."
        )
        _differences(request)


def _estimates(request: Request) -> None:
    lines = tables.estimates(request).lines
    page.figure_block(
        opened.figure(estimates_figure, tables.estimates, request),
        pd.DataFrame(lines, columns=Estimate._fields),
        name=request.file_name("estimates"),
        key="estimates",
        alt=f"{request.unit} loss with standard errors: {_told(lines)}",
        command=exports.mstats_command(request),
    )


def _differences(request: Request) -> None:
    lines = tables.differences(request).lines
    page.figure_block(
        opened.figure(differences_figure, tables.differences, request),
        pd.DataFrame(lines, columns=Difference._fields),
        name=request.file_name("differences"),
        key="differences",
        alt=f"Differences to {request.reference}: {_told(lines)}",
        command=exports.mstats_command(request),
    )


def _told(lines: Iterable[Estimate | Difference]) -> str:
    return "; ".join(f"{line.method} {line.text}" for line in lines)
