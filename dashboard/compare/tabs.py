"""The lower part of the Compare page: tables, training sets, test cases in tabs; the open one is drawn."""

import streamlit as st

from dashboard.compare import (
    cases as compare_cases,
)
from dashboard.compare import (
    class_tab as compare_classes_parts,
)
from dashboard.compare import classes as compare_classes
from dashboard.compare import (
    numbers as compare_numbers,
)
from dashboard.compare import (
    pictures as compare_parts,
)
from dashboard.compare.choice import Choice
from dashboard.frame.page import View

__all__ = ["show_tabs"]


def show_tabs(view: View, choice: Choice, unit: str) -> None:
    """Show the tabs, of which the address knows the open one; with one method only what needs no second."""
    parts = PARTS if len(choice.methods) > 1 else PARTS[:1]
    if compare_classes.is_classification(view.state, choice.task.path):
        parts += (("Classes", compare_classes_parts.show_classes),)
    titles = [title for title, _ in parts]
    tabs = st.tabs(titles, key="compare-part", bind="query-params", on_change="rerun")
    for tab, (_, show) in zip(tabs, parts, strict=True):
        if tab.open:
            with tab:
                show(view, choice, unit)


def _losses(view, choice, _unit):
    compare_numbers.show_statistics(view, choice)


def _pairs(view, choice, unit):
    compare_parts.show_matrix(view, choice, unit)
    compare_numbers.show_pairs_table(view, choice)


PARTS = (
    ("Losses in numbers", _losses),
    ("All pairs", _pairs),
    ("Training sets", compare_parts.show_training_sets),
    ("Test cases", compare_cases.show_cases),
)
