"""Help texts: one or two sentences for each term in the benchmark's glossary, and a list of all terms."""

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
    """Return the terms whose name or meaning contains all words of a text. Matches in names come first."""
    asked = text.casefold().split()
    terms = [
        term for term in GLOSSARY if all(word in f"{term} {GLOSSARY[term]}".casefold() for word in asked)
    ]
    return sorted(terms, key=lambda term: not all(word in term.casefold() for word in asked))
