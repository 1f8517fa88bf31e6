"""Findings of checks, with a progress bar, and with file, line and remedy of each."""

import os
from collections.abc import Callable, Iterable, Sequence

import pandas as pd
import streamlit as st

from dashboard.server import checks as check_data
from dashboard.server.cache import cached
from dashboard.server.checks import Step
from dashboard.ui import archive_status, blocks, selection
from dashboard.ui.controls import part_control
from delvecore.archive import Archive
from delvecore.errors import NOTICE, Problem
from delvecore.report import words

MOST_ROWS = 1000
"""Largest number of findings that are shown at once; their file has all."""
PATIENCE, SECONDS = 1.0, 1.0
"""Seconds that a page waits for checks before it shows progress; seconds between updates after that."""

FINDING_COLUMNS = {
    "kind": st.column_config.TextColumn("Kind", width=110),
    "file": st.column_config.TextColumn("File", width=330),
    "line": st.column_config.NumberColumn("Line", width=50, format="%d"),
    "expected": st.column_config.TextColumn("Expected", width=200),
    "found": st.column_config.TextColumn("Found", width=110),
    "remedy": st.column_config.TextColumn("What to do", width=180),
}


def when_checked(archive: Archive, steps: Sequence[Step], show: Callable[[list[Problem]], None]) -> None:
    """Run some checks in the background before all others, and show their findings when they are complete."""
    finding = check_data.findings_in(archive, steps, PATIENCE)
    if finding is None:
        _wait(archive, steps)
    else:
        show(finding)


@st.fragment(run_every=SECONDS)
def _wait(archive: Archive, steps: Sequence[Step]) -> None:
    """Show the number of parts checked; redraw the page when all are."""
    with archive_status.told():
        if check_data.findings_in(archive, steps, 0.0) is not None:
            st.rerun()
        done = sum(step in check_data.findings_by_step(archive) for step in steps)
        st.progress(done / len(steps), f"{done} of {words.count(len(steps), 'part')} checked …")


def show_findings(table: pd.DataFrame, *, name: str, alt: str) -> None:
    """Show a table of findings with a filter by kind and a download. A click on a row shows the full text."""
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
    part = part_control(len(shown), "Problems shown", "shown", whole=MOST_ROWS, rows=MOST_ROWS)
    every, shown = shown, shown.iloc[part].reset_index(drop=True)
    event = blocks.table_block(
        shown, file=every, name=name, alt=alt, column_config=FINDING_COLUMNS, **blocks.PICKING
    )
    row = blocks.row_of(event)
    if row is not None and row < len(shown):
        one = shown.iloc[row]
        line = None if pd.isna(one["line"]) else int(one["line"])
        message = Problem(**one.drop(["file", "line"]), source=one["file"], line=line).message
        st.code(message, language=None, wrap_lines=True)
    else:
        st.caption("Click a row to read it in full.")


def known_findings(archive: Archive) -> list[Problem]:
    return [
        finding for problems in list(check_data.findings_by_step(archive).values()) for finding in problems
    ]


def counted(table: pd.DataFrame) -> tuple[int, int]:
    """Return the number of problems and of notices among findings."""
    notices = int((table["kind"] == NOTICE).sum())
    return len(table) - notices, notices


def joined(archive: Archive, findings: Iterable[Problem], *, of_reading: bool = True) -> pd.DataFrame:
    """Return findings as a table without repetitions: kind, file, line, expected, found, remedy.

    Files are relative to the parent of the delve directory. of_reading: include the faults found when the
    archive was read."""
    table = _frame(findings, archive.paths)
    if of_reading:
        table = pd.concat([_of_reading(archive), table], ignore_index=True)
    table = table.drop_duplicates(["file", "line", "expected", "found"], ignore_index=True)
    # A directory in the wrong place has one fault, although reading and checking word it differently.
    again = table.duplicated(["kind", "file"]) & (table["kind"] == "hierarchy")
    return table[~again].reset_index(drop=True)


@cached
def _of_reading(archive: Archive) -> pd.DataFrame:
    """Return all faults of files that reading the archive found, as a table."""
    rows = archive.problems.drop_columns("message").to_pylist()
    return _frame((Problem(**row) for row in rows), archive.paths)


def _frame(findings: Iterable[Problem], paths: Sequence[str]) -> pd.DataFrame:
    """Return findings as a table. file: path relative to the parent of the delve directory."""
    table = pd.DataFrame(list(findings), columns=list(Problem._fields)).astype({"line": "Int64"})
    table.insert(1, "file", [path_inside(path, paths) for path in table.pop("source")])
    return table


def path_inside(path: str, roots: Sequence[str]) -> str:
    """Return a path relative to the parent of its delve directory."""
    for root in roots:
        if path and path.startswith(root + os.sep):
            return os.path.relpath(path, os.path.dirname(root))
    return path
