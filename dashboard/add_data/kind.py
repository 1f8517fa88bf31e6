"""Does a table hold scores or cases? The likelier is chosen, the other is one click away."""

import streamlit as st

from dashboard.server.uploads import Own

__all__ = ["ask_kind"]

SCORES, CASES = "These are scores", "These are cases"
ABOUT = (
    "Scores say how well methods did, a number for each method and dataset; of cases, such as patients or "
    "flowers, each line is one, and a dataset can be made of them"
)


def ask_kind(mine: Own, number: int, *, is_scores: bool) -> None:
    """Show both kinds with the one chosen; the other one reads the table anew."""
    key = f"own-kind-{number}"
    st.session_state[key] = SCORES if is_scores else CASES

    def change() -> None:
        if is_scores and st.session_state[key] == CASES:
            mine.take_for_cases(number)
        elif not is_scores and st.session_state[key] == SCORES:
            mine.take_for_scores(number)

    asked = "What does each line hold? By its columns this is the likelier."
    st.segmented_control(asked, [SCORES, CASES], key=key, on_change=change, required=True, help=ABOUT)
