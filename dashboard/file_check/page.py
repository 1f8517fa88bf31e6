"""File check: faults in the files of the archive."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from dashboard.server import checks as check_data
from dashboard.ui import archive_status, findings, page
from dashboard.ui.commands import command_text
from dashboard.ui.findings import show_findings
from dashboard.ui.page import View
from delvecore.report import words

PATIENCE, SECONDS = 1.0, 1.5
"""Seconds that a visitor waits for the checks before progress is shown; seconds between its updates."""
WAITED = "problems-waited"


def heading_and_basis(table: pd.DataFrame, is_done: bool) -> tuple[str, str]:
    """Return the number of problems and their kinds. is_done: whether everything has been checked."""
    if table.empty and not is_done:
        return "Checking the files", "Every file could be read. The checks so far found no problem."
    if table.empty:
        return "No problems in the files", "The checks of all files of the archive found no problem."
    kinds = table["kind"].value_counts()
    by_kind = words.and_list([f"{number} in {words.escape(kind)}" for kind, number in kinds.items()])
    so_far, rest = ("", "") if is_done else (" so far", " Checking goes on.")
    numbers = zip(findings.counted(table), ("problem", "notice"), strict=True)
    counts = [words.count(number, noun) for number, noun in numbers if number]
    return f"{' and '.join(counts)}{so_far}", f"{by_kind}. Each affects its own file only.{rest}"


def show_problems(view: View) -> None:
    """Show the findings. While checks continue, show their progress and update it regularly."""
    is_first = st.session_state.get(WAITED) != view.archive
    st.session_state[WAITED] = view.archive
    if check_data.findings_in(view.archive, None, PATIENCE if is_first else 0.0) is not None:
        show_found(view, is_done=True)
    else:
        # A fragment can only write inside itself, so it contains the heading.
        with view.head or st.container():
            st.fragment(show_meanwhile, run_every=SECONDS)(replace(view, head=None))


def show_meanwhile(view: View) -> None:
    """Show the findings so far; the whole page is redrawn when all checks are complete."""
    with archive_status.told():
        if check_data.findings_in(view.archive, None, 0.0) is not None:
            st.rerun()
        show_found(view, is_done=False)


def show_found(view: View, *, is_done: bool) -> None:
    table = findings.joined(view.archive, findings.known_findings(view.archive))
    heading, basis = heading_and_basis(table, is_done)
    page.answer(heading, view, basis=basis)
    if not is_done:
        archive_status.show_progress(check_data.job(view.archive))
    if not table.empty:
        show_findings(table, name="problems", alt="Problems found in the archive's files")


def show_page(prepared: View) -> None:
    view = page.begin(prepared, "file_check")
    show_problems(view)
    if view.archive.paths:  # for tables of scores, no command checks more than reading does
        commands = (("delve", "check"), ("dcheck", "/DATASET"), ("mcheck", "/"))
        page.show_commands(*(command_text(*words) for words in commands))
