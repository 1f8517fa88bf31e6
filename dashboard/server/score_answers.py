"""What a session answered about the files of scores of the server, which are read again for it alone."""

from typing import NamedTuple

import streamlit as st

from dashboard.server import archive as opened
from delvecore.score_tables.options import Answer, ScoreOptions

__all__ = ["answer", "answered", "forget", "with_answers"]

KEPT = "answered-scores"


class _Kept(NamedTuple):
    """state: of the files and answers that were read; shown: what they hold."""

    state: str
    shown: opened.Opened


def answered() -> ScoreOptions | None:
    """Return what the session says of the files of scores, None where it says nothing of its own."""
    found: ScoreOptions | None = st.session_state.get(opened.ANSWERS)
    return found


def answer(given: Answer) -> None:
    """Have the files read with one more answer."""
    st.session_state[opened.ANSWERS] = opened.score_options().with_answer(given)


def forget() -> None:
    """Show the files as the server reads them again."""
    st.session_state.pop(opened.ANSWERS, None)


def with_answers(served: opened.Opened) -> opened.Opened:
    """Return what the session's answers make of the server's files."""
    said = answered()
    if said is None or served.opening is not None:
        return served
    key = f"{served.state} {said!r}"
    kept: _Kept | None = st.session_state.get(KEPT)
    if kept is None or kept.state != key:
        with st.spinner("Reading the scores ..."):
            kept = st.session_state[KEPT] = _Kept(key, opened.read_with(said))
    if kept.shown.archive is not None:
        opened.remember(kept.shown.archive)
    return kept.shown
