"""Is a method documented as section 7.1 of the manual asks? Rules for its `Summary` and `Source`.

Whether a description is intelligible no program can tell; what can be told is that there is one, beside the
program, and that it mentions each matter that the manual lists."""

import os
import re
from collections.abc import Iterator

from delvecore.errors import ParseError, Report, attempt
from delvecore.readers.documents.contributors import CONTRIBUTOR
from delvecore.readers.files import read_document
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy

__all__ = ["TOPICS", "check_documentation", "described"]

DEPTH = 4
"""How deep the folders of `Source` are looked through, as the archive does."""
FEWEST_WORDS = 40
"""A description with fewer words cannot allow anybody to implement the method."""
PROGRAM = re.compile(
    r"(?i)(.*\.(c|cc|cpp|cxx|h|hpp|f|f77|f90|for|py|pyx|r|m|java|jl|lisp|lsp|pl|tcl|sh|go|rs|scm|o|a|so|tar|tgz"
    r"|png|jpg|gif|ps|pdf|json|toml|yaml|yml|cfg|ini|lock)|makefile.*)"
)
"""Names of files that are programs or pictures: no substitute for a description."""
TOPICS = (
    ("how attributes are encoded", r"encod|\bcod(e|ed|es|ing|ings)\b"),
    ("the parameters and how they are set", r"parameter|setting|\bset to\b|constant"),
    ("how it is decided that an optimization has converged", r"converg|stopp|\bstops?\b|terminat|directly"),
    ("rough estimates of the computational cost", r"\bcosts?\b|second|minute|\bhours?\b|\bcpu\b|operations"),
    (
        "which datasets the method was tuned on, if any",
        r"\btun(e|ed|es|ing)\b|assessment data|development data",
    ),
)
"""What the description is to mention (sections 7.1 and appendix B), and words by which it may be known."""


def check_documentation(hierarchy: Hierarchy, method: str, *, report: Report) -> None:
    """Check that a method has a summary and a description that mentions what it should."""
    place = attempt(report, hierarchy.directory, "methods", method)
    if place is None:
        return
    path = hierarchy.find("methods", method, "Summary")
    summary = attempt(report, read_document, path) if path else ""
    if summary is not None and not summary.strip():
        found = "an empty one" if path else "none"
        report(_fault(path or place, "a file Summary, a brief description of the method", found, "write it"))
    texts = described(hierarchy, method, report=report)
    words = sum(len(text.split()) for text in texts.values())
    if words < FEWEST_WORDS:
        expected = f"a description of the method in {SOURCE_DIRECTORY}, a text file beside any programs"
        found = "none" if not words else f"one of {words} words"
        remedy = "describe it so that others can implement it"
        report(_fault(place, expected, found, remedy))
        return
    said = "\n".join(texts.values())
    for topic, pattern in TOPICS:
        if not re.search(pattern, said, re.IGNORECASE):
            source = next(iter(texts)) if len(texts) == 1 else f"{place}/{SOURCE_DIRECTORY}"
            remedy = "add it, or say that there is nothing to tell"
            report(_fault(source, f"a description that mentions {topic}", "no word of it", remedy))


def described(hierarchy: Hierarchy, method: str, *, report: Report = lambda error: None) -> dict[str, str]:
    """Return the texts that describe a method, by path: those in its `Source` but for programs."""
    texts: dict[str, str] = {}
    for name, path in _sources(hierarchy, (method, SOURCE_DIRECTORY)):
        if PROGRAM.fullmatch(os.path.basename(name)) or name == CONTRIBUTOR:
            continue
        text = attempt(report, read_document, path)
        if text is not None and "\0" not in text:
            texts[path] = text
    return texts


def _fault(source: str, expected: str, found: str, remedy: str) -> ParseError:
    return ParseError(source, None, expected, found, remedy, kind="documentation")


def _sources(hierarchy: Hierarchy, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield (plain name, path) of the files of a directory and of the folders in it."""
    yield from hierarchy.files("methods", *names).items()
    if len(names) <= DEPTH:
        for folder in hierarchy.subdirectories("methods", *names):
            yield from _sources(hierarchy, (*names, folder))
