"""Information as keys with values, and how `dinfo` and `minfo` print it.

A value is a text, a tuple of words (printed on one line), a list (printed one entry a line), a Statement, or
a table with `lines()` and `terse()`. Source: DELVE manual, appendix C, `dinfo`; the layout is DELVE 1.1's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from delvecore.errors import DelveError

__all__ = ["Information", "Statement", "information_text"]

EMPTY = {"title": "no title"}


class Table(Protocol):
    """What has lines to be read, and lines with tabs between the fields for programs."""

    def lines(self) -> list[str]:
        """Return the lines with a heading."""

    def terse(self) -> list[str]:
        """Return the lines with tabs."""


class Statement(NamedTuple):
    """A value that is printed as a sentence of its own, without its key."""

    text: str
    terse: str


Value = str | list[str] | tuple[str, ...] | Statement | Table
Values = dict[str, Callable[[], Value]]


class Information(NamedTuple):
    """What is known of one place.

    usual, complete: the keys printed without and with -a, each in its order; values: {key: function without
    arguments}, so that only what is printed is read. Keys in neither list are given on request (-k).
    """

    usual: Sequence[str]
    complete: Sequence[str]
    values: Mapping[str, Callable[[], Value]]

    def keys(self, *, everything: bool = False, wanted: str | None = None) -> list[str]:
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


def information_text(information: Information, keys: Iterable[str], *, terse: bool = False) -> str:
    """Return the lines that show the values of keys; terse leaves the headings out."""
    lines: list[str] = []
    for key in keys:
        value = information.values[key]()
        lines += _terse_lines(value) if terse else _lines(key, value)
    return "\n".join(lines)


def _heading(key: str) -> str:
    words = key.replace("-", " ")
    return words[0].upper() + words[1:] + ": "


def _lines(key: str, value: Value) -> list[str]:
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


def _terse_lines(value: Value) -> list[str]:
    if isinstance(value, Statement):
        return [value.terse]
    if hasattr(value, "terse"):
        return value.terse()
    return [value if isinstance(value, str) else " ".join(value)]
