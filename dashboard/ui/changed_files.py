"""When the files are not those any more that a session shows: it keeps what it shows until it asks for the
new state, and what goes wrong meanwhile is told in one place."""

import contextlib
import logging
from collections.abc import Iterator, Sequence

import streamlit as st

from dashboard.server import archive as opened
from dashboard.server import content_check, store_status
from dashboard.ui.commands import command_text
from delvecore.errors import DelveError
from delvecore.plots import words

__all__ = ["move_over", "served", "tell_change", "told"]

SHOWN = "shown"
SECONDS = 1.0
"""How often a page asks whether the files have changed."""


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
        _tell_new_state()
    elif trouble := store_status.trouble():
        _tell_trouble(trouble)
    elif places := content_check.differing(shown.state):
        _tell_contents(places, opened.archive_of(shown.state).paths)


def _tell_new_state() -> None:
    with st.container(key="changed", border=True):
        st.markdown("**The archive has changed on disk.** This page shows it as it was.")
        if st.button("Show the new state", icon=":material/refresh:", key="show-new", type="primary"):
            move_over()
            st.rerun()


def _tell_trouble(trouble: str) -> None:
    with st.container(key="changed", border=True):
        st.markdown("**The archive cannot be reached now.** This page shows what was read before.")
        st.text(trouble)


def _tell_contents(places: Sequence[str], roots: Sequence[str]) -> None:
    more = f" and {len(places) - 1:,} more" if len(places) > 1 else ""
    with st.container(key="changed", border=True):
        st.markdown(
            "**Files have another content than when they were read**, though their size and times are the "
            "same. This reads all anew; start the dashboard again then:"
        )
        st.code(command_text("delve", "check", "--verify", *roots), language=None)
        st.text(f"{words.plain(opened.path_inside(places[0], roots))}{more}")


@contextlib.contextmanager
def told() -> Iterator[None]:
    """Say in one message that a page could not be finished where files went away below it."""
    try:
        yield
    except (DelveError, OSError, opened.GoneError) as error:
        logging.getLogger("delvecore").warning("a page could not be finished", exc_info=error)
        st.error("This page could not be finished: files of the archive changed or could not be read.")
        if not isinstance(error, opened.GoneError):
            st.text(str(error))
        st.button("Try again", icon=":material/refresh:", key="try-again", on_click=move_over)
