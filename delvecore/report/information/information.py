"""Information as keys with values, and how `dinfo` and `minfo` print it.

A value is a text, a tuple of words (printed on one line), a list (printed one entry a line), a Statement, or
a table with `lines()` and `terse()`. Source: DELVE manual, appendix C, `dinfo`; the layout is DELVE 1.1's.
"""

from collections import namedtuple

from delvecore.errors import DelveError

__all__ = ["Information", "Statement", "information_text"]

EMPTY = {"title": "no title"}


class Information(namedtuple("Information", "usual complete values")):
    """What is known of one place.

    usual, complete: the keys printed without and with -a, each in its order; values: {key: function without
    arguments}, so that only what is printed is read. Keys in neither list are given on request (-k).
    """

    __slots__ = ()

    def keys(self, *, everything=False, wanted=None):
        """Return the keys to print; wanted: text of the keys asked for. DelveError for an unknown key."""
        if wanted is None:
            return list(self.complete if everything else self.usual)
        keys = wanted.split()
        unknown = [key for key in keys if key not in self.values]
        if unknown:
            known = " ".join(dict.fromkeys((*self.complete, *self.values)))
            raise DelveError(f"unknown key {unknown[0]!r}; the keys are {known}")
        if not keys:
            raise DelveError("expected at least one key, found none; -q lists the keys")
        return keys


class Statement(namedtuple("Statement", "text terse")):
    """A value that is printed as a sentence of its own, without its key."""

    __slots__ = ()


def information_text(information, keys, *, terse=False):
    """Return the lines that show the values of keys; terse leaves the headings out."""
    lines = []
    for key in keys:
        value = information.values[key]()
        lines += _terse_lines(value) if terse else _lines(key, value)
    return "\n".join(lines)


def _heading(key):
    words = key.replace("-", " ")
    return words[0].upper() + words[1:] + ": "


def _lines(key, value):
    heading = _heading(key)
    if isinstance(value, Statement):
        return [value.text]
    if hasattr(value, "lines"):
        return [heading, *value.lines()]
    if not value:
        return [heading + EMPTY.get(key, "none")]
    if isinstance(value, list):
        return [heading, *(f"\t{entry}" for entry in value)]
    return [heading + (value if isinstance(value, str) else " ".join(value))]


def _terse_lines(value):
    if isinstance(value, Statement):
        return [value.terse]
    if hasattr(value, "terse"):
        return value.terse()
    return [value if isinstance(value, str) else " ".join(value)]
