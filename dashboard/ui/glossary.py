"""Help texts: every term of the benchmark's glossary in one or two plain sentences, and the list of all."""

from collections.abc import Mapping
from pathlib import Path

_TEXT = Path(__file__).with_suffix(".txt").read_text("utf-8")
GLOSSARY: Mapping[str, str] = dict(
    entry.split(": ", 1) for entry in _TEXT.strip().replace("\n  ", " ").splitlines()
)
"""The meaning of each term: a line of `glossary.txt`, and the indented ones below it."""


def help_for(term: str) -> str:
    """Return the help text of a term. Raises KeyError for a term the glossary does not have."""
    return GLOSSARY[term]


def terms_with(text: str) -> list[str]:
    """Return the terms in which, or in whose meaning, all words of a text occur, those named so first."""
    asked = text.casefold().split()
    found = [
        term for term in GLOSSARY if all(word in f"{term} {GLOSSARY[term]}".casefold() for word in asked)
    ]
    return sorted(found, key=lambda term: not all(word in term.casefold() for word in asked))
