"""Losses that are more than memory: pages say how far their comparison is. It is kept for the next time."""

from collections.abc import Collection

import streamlit as st

from dashboard.server import archive as opened
from delvecore.archive.chosen_losses import compared_first
from delvecore.plots import words

__all__ = ["compare_first"]


def compare_first(state: str, loss: str | None, methods: Collection[str]) -> None:
    """Compare methods on all tasks, with a bar that shows how far it is, where that takes long and was not
    done before."""
    place = st.empty()
    for done, total in compared_first(opened.archive_of(state), loss=loss, methods=methods):
        place.progress(done / total, f"{done:,} of {words.count(total, 'task')} compared …")
    place.empty()
