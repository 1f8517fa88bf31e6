"""The lower part of the page Ranking in tabs, of which the address knows the open one; only that is drawn."""

from collections.abc import Sequence

import streamlit as st

from dashboard.frame.page import View
from dashboard.ranking import detail_tabs as details
from dashboard.ranking import numbers
from dashboard.ranking.data import Question
from dashboard.ranking.tasks import RankedTask
from delvecore.statistics.ranking.analysis import Analysis

__all__ = ["PARTS", "show_tabs"]


def show_tabs(view: View, question: Question, found: Analysis, tasks: Sequence[RankedTask]) -> None:
    """Show the tabs."""
    tabs = st.tabs(list(PARTS), key="ranking-part", bind="query-params", on_change="rerun")
    for tab, show in zip(tabs, PARTS.values(), strict=True):
        if tab.open:
            with tab:
                show(view, question, found)


PARTS = {
    "How sure are the ranks?": details.show_ranks,
    "One pair": details.show_pair,
    "Task by task": details.show_task_tests,
    "Values": details.show_values,
    "Does the order hold?": details.show_leave_out,
    "All numbers": numbers.show_numbers,
}
