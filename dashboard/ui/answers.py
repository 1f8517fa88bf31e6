"""Answers on a page: the figure, what must be known of it, its numbers and files. It knows no question."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard.ui import page
from delvecore.answers.answer import Answer
from delvecore.report import words
from delvecore.report.writers.answers import answer_text


def frame_of(found: Answer) -> pd.DataFrame:
    """Return the table of an answer, a column a field under its key."""
    return pd.DataFrame({field.key: field.values for field in found.fields})


def show_sentence(found: Answer | str) -> bool:
    """Write the sentence of an answer, or why there is none; is there one?"""
    if isinstance(found, str):
        page.empty_state("This question cannot be answered here.", words.escape(found))
        return False
    st.markdown(found.sentence if found.is_markdown else f"**{words.escape(found.sentence)}**")
    return True


def show_answer(
    found: Answer,
    figure: go.Figure | None,
    *,
    name: str,
    key: str | None = None,
    note: str = "",
    command: str | None = None,
    alt: str = "",
    label: str = "",
    **details: Any,
) -> None:
    """Show the figure of an answer, None for its table, with its notes, numbers and files.

    name: of the files; key: of the widgets, the question if not given; note: beside the answer's own, in
    Markdown; command, alt: instead of the answer's own; label: of the table for a paper, none without;
    details: see `page.figure_block`."""
    notes = " ".join(found.notes if found.is_markdown else map(words.escape, found.notes)) + note
    command, alt = command or found.command or None, alt or found.alt or found.sentence
    latex = (lambda: answer_text(found, "latex", label=label)) if label else None
    if figure is not None:
        about: dict[str, Any] = {"key": key or found.question, "command": command, "note": notes, **details}
        page.figure_block(figure, frame_of(found), name=name, alt=alt, latex=latex, **about)
        return
    page.table_block(frame_of(found), name=name, alt=alt, latex=latex)
    if command:
        st.code(command, language=None)
    st.caption(notes)
