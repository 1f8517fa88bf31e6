"""Findings of checks: run with a bar that shows how far they are, and shown with file, line and remedy."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dashboard.frame import page, selection
from dashboard.server import checks as check_data
from dashboard.server.checks import Step
from delvecore.errors import Problem
from delvecore.figures import words

__all__ = ["FINDING_COLUMNS", "check_methods", "show_findings"]

FINDING_COLUMNS = {
    "kind": st.column_config.TextColumn("Kind", width=110),
    "file": st.column_config.TextColumn("File", width=330),
    "line": st.column_config.NumberColumn("Line", width=50, format="%d"),
    "expected": st.column_config.TextColumn("Expected", width=200),
    "found": st.column_config.TextColumn("Found", width=110),
    "remedy": st.column_config.TextColumn("What to do", width=180),
}


def check_methods(state: str, steps: Sequence[Step]) -> list[Problem]:
    """Check methods part by part, with a bar unless all is known already; return what is wrong."""
    bar = None if check_data.all_checked(state, steps) else st.progress(0.0)
    found: list[Problem] = []
    for number, step in enumerate(steps):
        if bar is not None:
            bar.progress(number / len(steps), f"Checking {words.escape(check_data.step_words(step))} …")
        found += check_data.findings_of(state, step)
    if bar is not None:
        bar.empty()
    return found


def show_findings(table: pd.DataFrame, *, name: str, alt: str) -> None:
    """Show a table of findings with a filter by kind, and its download; a click on a row tells all of it."""
    kinds = table["kind"].value_counts()
    chosen = selection.local(
        st.segmented_control,
        "Kind",
        "kind",
        ["all", *kinds.index],
        required=True,
        format_func=lambda kind: f"{kind} ({len(table) if kind == 'all' else kinds[kind]})",
    )
    shown = table if chosen == "all" else table[table["kind"] == chosen].reset_index(drop=True)
    event = page.table_block(
        shown,
        name=name,
        alt=alt,
        column_config=FINDING_COLUMNS,
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = [row for row in event["selection"]["rows"] if row < len(shown)]
    if rows:
        st.code(_told(shown.iloc[rows[0]]), language=None, wrap_lines=True)
    else:
        st.caption("Click a row to read it in full.")


def _told(row: pd.Series) -> str:
    """Return a finding as the commands print it."""
    line = None if pd.isna(row["line"]) else int(row["line"])
    return Problem(
        kind=row["kind"],
        source=row["file"],
        line=line,
        expected=row["expected"],
        found=row["found"],
        remedy=row["remedy"],
    ).message
