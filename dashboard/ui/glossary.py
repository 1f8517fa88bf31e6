"""Help texts: one or two plain sentences for each term of the benchmark's glossary, and the list of all."""

from collections.abc import Mapping
from pathlib import Path

_TEXT = Path(__file__).with_suffix(".txt").read_text("utf-8")
GLOSSARY: Mapping[str, str] = dict(
    entry.split(": ", 1) for entry in _TEXT.strip().replace("\n  ", " ").splitlines()
)
"""The meaning of each term: a line of `glossary.txt`, and the indented lines below it."""


def help_for(term: str) -> str:
    """Return the help text of a term. Raises KeyError for a term that is not in the glossary."""
    return GLOSSARY[term]


def terms_with(text: str) -> list[str]:
    """Return the terms that contain all words of a text, in name or meaning, those with a match in the name
    first."""
    asked = text.casefold().split()
    terms = [
        term for term in GLOSSARY if all(word in f"{term} {GLOSSARY[term]}".casefold() for word in asked)
    ]
    return sorted(terms, key=lambda term: not all(word in term.casefold() for word in asked))
