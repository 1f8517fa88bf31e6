"""The tabs of the Task-arrays page; only the open one is computed and drawn."""

import streamlit as st

from dashboard.frame.page import View
from dashboard.task_arrays import drivers as array_drivers
from dashboard.task_arrays import pictures as array_parts
from dashboard.task_arrays.choice import ArrayChoice

__all__ = ["show_tabs"]

PARTS = (
    ("Curves", array_parts.show_curves),
    ("Winners", array_parts.show_winners),
    ("Differences", array_parts.show_differences),
    ("What drives it", array_drivers.show_drivers),
    ("Cost", array_drivers.show_costs),
)


def show_tabs(view: View, choice: ArrayChoice) -> None:
    """Show the tabs, of which the address knows the open one."""
    titles = [title for title, _ in PARTS]
    tabs = st.tabs(titles, key="array-part", bind="query-params", on_change="rerun")
    for tab, (_, show) in zip(tabs, PARTS, strict=True):
        if tab.open:
            with tab:
                show(view, choice)
