"""The lower part of the Compare page: tables, training sets, test cases in tabs; the open one is drawn."""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from dashboard.compare import classes
from dashboard.compare.cases_tab import show_cases
from dashboard.compare.choice import Request
from dashboard.compare.classes_tab import show_classes
from dashboard.compare.losses_tab import show_losses
from dashboard.compare.pairs_tab import show_pairs
from dashboard.compare.training_sets_tab import show_training_sets

__all__ = ["show_tabs"]


def _always(_request: Request) -> bool:
    return True


def _with_a_pair(request: Request) -> bool:
    return len(request.methods) > 1


class Tab(NamedTuple):
    """is_there: is there anything to show for this request?"""

    title: str
    show: Callable[[Request], None]
    is_there: Callable[[Request], bool]


TABS = (
    Tab("Losses in numbers", show_losses, _always),
    Tab("All pairs", show_pairs, _with_a_pair),
    Tab("Training sets", show_training_sets, _with_a_pair),
    Tab("Test cases", show_cases, _with_a_pair),
    Tab("Classes", show_classes, classes.is_classification),
)


def show_tabs(request: Request) -> None:
    """Show the tabs, of which the address knows the open one."""
    tabs = [tab for tab in TABS if tab.is_there(request)]
    titles = [tab.title for tab in tabs]
    places = st.tabs(titles, key="compare-part", bind="query-params", on_change="rerun")
    for place, tab in zip(places, tabs, strict=True):
        if place.open:
            with place:
                tab.show(request)
