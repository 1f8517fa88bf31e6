"""The control of the level of confidence, the same on every page that has one."""

import streamlit as st

from dashboard.frame import selection

__all__ = ["level_control"]


def level_control(level: float, *, explanation: str) -> float:
    """Show the levels to choose from, this one chosen; return the level that now holds."""
    return selection.control(
        st.segmented_control,
        "Confidence",
        "level",
        selection.LEVELS,
        value=level,
        required=True,
        format_func=lambda level: f"{level:.0%}".replace("%", " %"),
        help=explanation,
    )
