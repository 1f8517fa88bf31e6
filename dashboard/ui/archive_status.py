"""Status of the archive: progress of reading, how scores were read, and changes of files since."""

import contextlib
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import streamlit as st

from dashboard.server import archive as opened
from dashboard.server.jobs import Job
from delvecore.errors import DelveError
from delvecore.render.document import read_back_lines
from delvecore.render.numbers import percentage
from delvecore.report import words
from delvecore.score_tables.options import Answer, Question
from delvecore.score_tables.score_file import Reading


@st.fragment(run_every=0.5)
def wait_for(job: Job[Any]) -> None:
    """Show the progress of a job, and continue with the page when it is done."""
    if job.is_done(0.0):
        st.rerun()
    with st.container(key="opening"):
        show_progress(job)
        st.caption(
            "Only the first start takes a long time, since the results are stored. This page continues "
            "automatically."
        )


def show_progress(job: Job[Any]) -> None:
    progress = job.progress
    share = percentage(progress.share)
    st.progress(progress.share, f"{job.title}: {words.escape(progress.subject)} ({share})")


SHOWN = "shown"
SECONDS = 5.0
"""Seconds between two checks of a page for changed files; the browser redraws the page at each."""


def served() -> opened.Opened:
    """Return the server's archive as it was when this session started or last reloaded it."""
    shown: opened.Opened | None = st.session_state.get(SHOWN)
    if shown is None or (shown.archive is None and shown.question is None):
        shown = st.session_state[SHOWN] = opened.open_archive(check=shown is None)
    return shown


def move_over() -> None:
    """Show the current archive from the next run on."""
    st.session_state.pop(SHOWN, None)


@st.fragment(run_every=SECONDS)
def tell_change() -> None:
    """Report that the files have changed, and offer to load them. The address stays the same."""
    shown = st.session_state.get(SHOWN)
    if shown is None:
        return
    if opened.has_changed(shown):
        with st.container(key="changed", border=True):
            st.markdown("**The archive has changed on disk.** This page shows its earlier state.")
            if st.button("Show the new state", icon=":material/refresh:", key="show-new", type="primary"):
                move_over()
                st.rerun()
    elif trouble := opened.store_trouble():
        with st.container(key="changed", border=True):
            st.markdown(
                "**The archive cannot be reached now.** This page shows the state that was read before."
            )
            st.text(trouble)


@contextlib.contextmanager
def told() -> Iterator[None]:
    """Show a message instead of a traceback if a page could not be finished because files were removed."""
    try:
        yield
    except (DelveError, OSError) as error:
        logging.getLogger("delvecore").warning("a page could not be finished", exc_info=error)
        st.error("This page could not be finished: files of the archive changed or could not be read.")
        st.text(str(error))
        st.button("Try again", icon=":material/refresh:", key="try-again", on_click=move_over)


Change = Callable[[Answer], None]
MOST_BUTTONS = 12


def show_readings(
    readings: Sequence[Reading], *, change: Change | None = None, forget: Callable[[], None] | None = None
) -> None:
    """Show how each table was read. change: reads it again with an answer; forget: discards the answers."""
    if not readings:
        return
    names = [os.path.basename(one.source) for one in readings]
    title = f"{len(readings)} tables of scores: {words.and_list(names)}"
    if len(readings) == 1:
        title = f"{names[0]}: {readings[0].short}"
    with st.expander(words.escape(words.short_line(title)), icon=":material/fact_check:", key="readings"):
        for place, (line, reading) in enumerate(zip(read_back_lines(readings), readings, strict=True)):
            st.caption(words.escape(line))
            st.caption("\n".join(f"- {words.escape(line)}" for line in _lines(reading)))
            if change is not None:
                show_alternatives(reading, change, key=f"read-{place}")
        if forget is not None:
            show_forget(forget)


def show_forget(forget: Callable[[], None]) -> None:
    st.button("Forget my answers", icon=":material/undo:", key="forget", on_click=forget)


def _lines(reading: Reading) -> Iterator[str]:
    for role in reading.roles:
        yield f"{'Guess: ' if role.is_guess else ''}{role.text}"
    for omission in reading.omissions:
        yield f"Not used: {omission.text}"
    if not reading.omissions:
        yield "Not used: nothing"


def show_alternatives(reading: Reading, change: Change, *, key: str) -> None:
    _buttons(reading.alternatives[:MOST_BUTTONS], change, key)


def show_question(question: Question, change: Change, *, key: str) -> None:
    """Show the question about a table, and a button for each answer."""
    st.warning(words.escape(question.plain), icon=":material/help:")
    _buttons(question.answers, change, key)


def _buttons(answers: Sequence[Answer], change: Change, key: str) -> None:
    if not answers:
        return
    with st.container(horizontal=True, key=f"answers-{key}"):
        for place, answer in enumerate(answers):
            st.button(words.escape(answer.label), key=f"{key}-{place}", on_click=change, args=(answer,))
