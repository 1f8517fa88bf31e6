"""What a session shows while the archive is read, and when its files are not those any more that it shows: it
keeps what it shows until it asks for the new state, and what goes wrong meanwhile is told in one place."""

import contextlib
import logging
from collections.abc import Iterator

import streamlit as st

from dashboard.server import archive as opened
from dashboard.server.opening import Opening
from delvecore.errors import DelveError
from delvecore.report import words


@st.fragment(run_every=0.5)
def show_progress(opening: Opening[opened.Opened]) -> None:
    """Show how far the reading of the archive is; the page comes by itself when it is done."""
    if opening.is_done(0.0):
        st.rerun()
    progress = opening.progress
    with st.container(key="opening"):
        share = f"{100 * progress.share:.0f} %"
        st.progress(progress.share, f"Reading the archive: {words.escape(progress.subject)} ({share})")
        st.caption(
            "The first time, cases are simulated and losses computed from the predictions. The results "
            "are kept, so that the next start takes a moment. This page continues by itself."
        )


SHOWN = "shown"
SECONDS = 5.0
"""Between two questions of a page whether the files have changed: a browser draws all of it anew at each."""


def served() -> opened.Opened:
    """Return the server's archive as this session saw it first, or when it last asked anew."""
    shown: opened.Opened | None = st.session_state.get(SHOWN)
    if shown is None or (shown.archive is None and shown.question is None):
        shown = st.session_state[SHOWN] = opened.open_archive(check=shown is None)
    return shown


def move_over() -> None:
    """Show the archive as it is now, from the next run on."""
    st.session_state.pop(SHOWN, None)


@st.fragment(run_every=SECONDS)
def tell_change() -> None:
    """Say that the files have changed, and offer the new state; the address stays."""
    shown = st.session_state.get(SHOWN)
    if shown is None:
        return
    if opened.has_changed(shown):
        with st.container(key="changed", border=True):
            st.markdown("**The archive has changed on disk.** This page shows it as it was.")
            if st.button("Show the new state", icon=":material/refresh:", key="show-new", type="primary"):
                move_over()
                st.rerun()
    elif trouble := opened.store_trouble():
        with st.container(key="changed", border=True):
            st.markdown("**The archive cannot be reached now.** This page shows what was read before.")
            st.text(trouble)


@contextlib.contextmanager
def told() -> Iterator[None]:
    """Say in one message that a page could not be finished where files went away below it."""
    try:
        yield
    except (DelveError, OSError) as error:
        logging.getLogger("delvecore").warning("a page could not be finished", exc_info=error)
        st.error("This page could not be finished: files of the archive changed or could not be read.")
        st.text(str(error))
        st.button("Try again", icon=":material/refresh:", key="try-again", on_click=move_over)
