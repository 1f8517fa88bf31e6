"""Of many rows one part is seen at a time: which one is chosen, and the choice says how many there are."""

import streamlit as st

from dashboard.ui import selection

__all__ = ["MOST_ROWS", "part_control"]

MOST_ROWS = 50
"""Of a part."""


def part_control(
    count: int, label: str, name: str, *, whole: int = 2 * MOST_ROWS, rows: int = MOST_ROWS
) -> slice:
    """Ask which part of so many rows is to be seen. name: of the choice in the address; whole: up to so many
    rows all are seen, and nothing is asked; rows: of a part."""
    if count <= whole:
        return slice(0, count)
    starts = range(0, count, rows)
    parts = {f"{start + 1:,} to {min(start + rows, count):,} of {count:,}": start for start in starts}
    start = parts[selection.local(st.selectbox, label, name, list(parts), width=240)]
    return slice(start, min(start + rows, count))
