"""The glossary of all terms, on every page."""

import streamlit as st

from dashboard.ui.glossary import GLOSSARY

__all__ = ["show_glossary", "terms_with"]


def terms_with(text: str) -> list[str]:
    """Return the terms in which, or in whose meaning, all words of a text occur, those named so first."""
    asked = text.casefold().split()
    found = [
        term for term in GLOSSARY if all(word in f"{term} {GLOSSARY[term]}".casefold() for word in asked)
    ]
    return sorted(found, key=lambda term: not all(word in term.casefold() for word in asked))


@st.fragment
def show_glossary() -> None:
    """Offer the meaning of every term; the list is made when it is opened."""
    menu = st.popover("Glossary", icon=":material/help:", key="all-terms", on_change="rerun")
    if menu.open:
        with menu:
            text = st.text_input("What does it mean?", key="term", placeholder="a word, such as prior")
            terms = terms_with(text)
            st.markdown("\n".join(f"- **{term}**: {GLOSSARY[term]}" for term in terms) or "No such term.")
