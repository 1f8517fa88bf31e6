"""How the scores on a page were read, in its first lines, and the questions that reading them left open."""

from collections.abc import Callable, Iterator, Sequence

import streamlit as st

from delvecore.report import words
from delvecore.report.writers.document import read_back_lines
from delvecore.score_tables.options import Answer, Question
from delvecore.score_tables.score_file import Reading

Change = Callable[[Answer], None]
MOST_BUTTONS = 12


def show_readings(
    readings: Sequence[Reading],
    *,
    change: Change | None = None,
    forget: Callable[[], None] | None = None,
) -> None:
    """Show a line for each table of scores; once opened, each role, guess and omission.

    change: reads the tables anew with an answer, None where that is done elsewhere; forget: takes back the
    answers given, None where there are none."""
    for line in read_back_lines(readings):
        st.caption(words.escape(line))
    if not readings:
        return
    with st.expander("How the scores were read", icon=":material/fact_check:", key="readings"):
        for place, reading in enumerate(readings):
            st.caption("\n".join(f"- {words.escape(line)}" for line in _lines(reading)))
            if change is not None:
                show_alternatives(reading, change, key=f"read-{place}")
        if forget is not None:
            show_forget(forget)


def show_forget(forget: Callable[[], None]) -> None:
    """Offer to take back the answers given."""
    st.button("Forget my answers", icon=":material/undo:", key="forget", on_click=forget)


def _lines(reading: Reading) -> Iterator[str]:
    """Yield each role and each omission in words."""
    for role in reading.roles:
        yield f"{'Guess: ' if role.is_guess else ''}{role.text}"
    for omission in reading.omissions:
        yield f"Left out: {omission.text}"
    if not reading.omissions:
        yield "Left out: nothing"


def show_alternatives(reading: Reading, change: Change, *, key: str) -> None:
    """Show a button for each way in which the table can be read otherwise."""
    _buttons(reading.alternatives[:MOST_BUTTONS], change, key)


def show_question(question: Question, change: Change, *, key: str) -> None:
    """Show what is not clear in a table, and a button for each answer."""
    st.warning(words.escape(question.plain), icon=":material/help:")
    _buttons(question.answers, change, key)


def _buttons(answers: Sequence[Answer], change: Change, key: str) -> None:
    if not answers:
        return
    with st.container(horizontal=True, key=f"answers-{key}"):
        for place, answer in enumerate(answers):
            st.button(words.escape(answer.label), key=f"{key}-{place}", on_click=change, args=(answer,))
