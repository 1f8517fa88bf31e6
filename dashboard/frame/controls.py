"""Controls that are the same on every page that has them: the loss, the level of confidence."""

from collections.abc import Sequence

import streamlit as st

from dashboard.frame import selection, words
from dashboard.frame.glossary import help_for
from delvecore.statistics.choose import DEFAULT_LEVEL

__all__ = ["level_control", "loss_control"]


def level_control(level: float | None, *, explanation: str) -> float:
    """Show the levels to choose from, this one chosen or the usual one; return the level that now holds."""
    return selection.control(
        st.segmented_control,
        "Confidence",
        "level",
        selection.LEVELS,
        value=level or DEFAULT_LEVEL,
        required=True,
        format_func=lambda level: f"{level:.0%}".replace("%", " %"),
        help=explanation,
    )


def loss_control(losses: Sequence[str], loss: str | None) -> None:
    """Show the losses to choose from, this one chosen, with what it is."""
    known = words.loss_words(loss) if loss else None
    selection.control(
        st.selectbox,
        "Loss",
        "loss",
        losses,
        value=loss,
        format_func=words.loss_name,
        help=words.escape(known.explanation) if known else help_for("loss"),
    )
