"""Errors of other parts as faults of one file and line."""

import os

from delvecore.errors import DelveError, ParseError

__all__ = ["as_fault"]


def as_fault(error: DelveError, source: str, line: int | None, *, kind: str) -> ParseError:
    """Return an error as a ParseError: as it is if it is one, else with its words.

    Errors read `WHERE: expected X, found Y; what to do`. The fault is that of the file WHERE, of source and
    line where that is no file.
    """
    if isinstance(error, ParseError):
        return error
    where, _, words = str(error).rpartition(": expected ")
    expected, _, found = words.partition(", found ")
    found, _, remedy = found.partition("; ")
    if os.path.isfile(where):
        source, line = where, None
    return ParseError(source, line, expected, found, remedy, kind=kind)
