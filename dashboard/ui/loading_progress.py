"""While an archive is read: pages say how far that is."""

import streamlit as st

from dashboard.server import archive as opened
from delvecore.plots import words

__all__ = ["show_progress"]


@st.fragment(run_every=0.5)
def show_progress(opening: opened.Opening[opened.Opened]) -> None:
    """Show how far the reading of the archive is; the page comes by itself when it is done."""
    if opening.is_done(0.0):
        st.rerun()
    progress = opening.progress
    with st.container(key="opening"):
        share = f"{100 * progress.share:.0f} %"
        st.progress(progress.share, f"Reading the archive: {words.escape(progress.subject)} ({share})")
        st.caption(
            "The first time, cases are simulated and losses computed from the predictions; what comes of it "
            "is kept, so that the next start takes a moment. This page goes on by itself."
        )
