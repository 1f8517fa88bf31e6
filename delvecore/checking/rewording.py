"""Errors of other parts as faults of one file and line."""

from delvecore.errors import DelveError, ParseError

__all__ = ["as_fault"]


def as_fault(error: DelveError, source: str, line: int | None, *, kind: str) -> ParseError:
    """Return an error as a ParseError: as it is if it is one, else with its words at a file and line.

    Errors read `WHERE: expected X, found Y; what to do`.
    """
    if isinstance(error, ParseError):
        return error
    _, _, words = str(error).rpartition(": expected ")
    expected, _, found = words.partition(", found ")
    found, _, remedy = found.partition("; ")
    return ParseError(source, line, expected, found, remedy, kind=kind)
