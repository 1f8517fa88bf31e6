"""Does a table hold scores or cases? Asked where it is unclear; what was chosen can be changed."""

from typing import Any

import streamlit as st

from dashboard.server.own_tables import UnclearTable
from dashboard.server.uploads import Own
from delvecore.plots import words

__all__ = ["ask_kind", "show_unclear"]

SCORES, CASES = "These are scores", "These are cases"
ABOUT = (
    "Scores say how well methods did, a number for each method and dataset; of cases, such as patients or "
    "flowers, each line is one, and a dataset can be made of them"
)


ASKED = "What does each line hold?"


def show_unclear(mine: Own, number: int, table: UnclearTable) -> None:
    """A card that asks what a table holds, with a button for each answer."""
    with st.container(border=True, key=f"own-unclear-{number}"):
        st.subheader(f":material/help: {words.escape(table.name)}", anchor=False)
        st.markdown(words.escape(f"{ASKED} It may be scores or cases: {table.why}."), help=ABOUT)
        with st.container(horizontal=True):
            st.button(SCORES, key=f"are-scores-{number}", on_click=mine.take_for_scores, args=(number,))
            st.button(CASES, key=f"are-cases-{number}", on_click=mine.take_for_cases, args=(number,))
            gone: dict[str, Any] = {"on_click": mine.remove_unclear, "icon": ":material/delete:"}
            st.button("Remove", key=f"remove-unclear-{number}", args=(number,), **gone)


def ask_kind(mine: Own, number: int, *, is_scores: bool) -> None:
    """Show both kinds with the one chosen; the other one reads the table anew."""
    key = f"own-kind-{number}"
    st.session_state[key] = SCORES if is_scores else CASES

    def change() -> None:
        if is_scores and st.session_state[key] == CASES:
            mine.take_for_cases(number)
        elif not is_scores and st.session_state[key] == SCORES:
            mine.take_for_scores(number)

    st.segmented_control(ASKED, [SCORES, CASES], key=key, on_change=change, required=True, help=ABOUT)
