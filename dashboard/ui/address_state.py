"""What the address asks for of things that only one page knows, such as its filters and its open tab."""

from collections.abc import Collection

import streamlit as st

from delvecore import names

__all__ = ["MOST_VALUES", "asked_of"]

MOST_VALUES = 50
"""So many values of one parameter count."""


def asked_of(name: str, known: Collection[str]) -> tuple[list[str], dict[str, str | None]]:
    """Return what the address asks for of what is known, the nearest in place of what is not, and {what is
    not: the nearest}, None where none is like it."""
    texts = list(dict.fromkeys(st.query_params.get_all(name)))[:MOST_VALUES]
    strange = {text: names.nearest(text, known) for text in texts if text not in known}
    found = (strange.get(text, text) for text in texts)
    return list(dict.fromkeys(text for text in found if text is not None)), strange
