"""Where do the symbolic links of a delve directory lead?

One that leads out of its delve directory could show anything that the reader's user may read. It is followed
only where that was asked for. `data` and `methods`, and the delve directory, may be links themselves."""

import os
from collections.abc import Iterable

from delvecore.errors import ParseError
from delvecore.locations import PARTS

__all__ = ["FOLLOW_LINKS", "PARTS", "bases_of", "enclosing_directory", "is_delve_directory", "leads_out"]
__all__ += ["outside"]

FOLLOW_LINKS = "--follow-links"
"""The option of commands that have such links followed."""


def is_delve_directory(path: str) -> bool:
    """Does the name start with `delve`, and are `data` and `methods` inside?"""
    name = os.path.basename(os.path.abspath(path))
    return name.startswith("delve") and all(os.path.isdir(os.path.join(path, part)) for part in PARTS)


def enclosing_directory(path: str) -> str | None:
    """Return the delve directory that a path lies in, or None."""
    path = os.path.abspath(path)
    while not is_delve_directory(path):
        path, below = os.path.dirname(path), path
        if path == below:
            return None
    return path


def bases_of(roots: Iterable[str]) -> tuple[str, ...]:
    """Return the true paths of delve directories and of their parts: below these a link may lead."""
    places = (place for root in roots for place in (root, *(os.path.join(root, part) for part in PARTS)))
    return tuple(dict.fromkeys(map(os.path.realpath, places)))


def leads_out(path: str, bases: Iterable[str]) -> bool:
    """Does a path lead to a place that is below none of the bases?"""
    true = os.path.realpath(path) + os.sep
    return not any(true.startswith(base.rstrip(os.sep) + os.sep) for base in bases)


def outside(path: str) -> ParseError:
    """Return the error for a link that leads out of its delve directory, and is not followed."""
    remedy = f"put a copy there, or have links followed ({FOLLOW_LINKS})"
    return ParseError(
        path, None, "what lies in the delve directory", "a link that leads out of it", remedy, kind="file"
    )
