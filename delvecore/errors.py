"""What is said when something is wrong: where, what was expected, what was found, what to do."""

from collections import namedtuple

__all__ = ["DelveError", "ParseError", "Problem", "raise_error"]


class Problem(namedtuple("Problem", "kind source line expected found remedy")):
    """One fault in an archive, as data.

    kind: one of KINDS; source: path of the file or directory; line: number from 1, or None when the whole
    file is meant; expected, found: short phrases; remedy: what to do, or an empty string.
    """

    __slots__ = ()

    @property
    def message(self):
        source = _printable(self.source)
        where = source if self.line is None else f"{source}:{self.line}"
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{where}: expected {self.expected}, found {self.found}{remedy}"


LONGEST = 300
KINDS = ("specification", "data", "results", "documentation", "file", "hierarchy")


class DelveError(Exception):
    """An error that a user can act on; its text is one line."""


class ParseError(DelveError, ValueError):
    """A file does not say what its format demands."""

    def __init__(self, source, line, expected, found, remedy="", *, kind="data"):
        self.problem = Problem(kind, str(source), line, _shortened(expected), _shortened(found), remedy)
        super().__init__(self.problem.message)

    @property
    def source(self):
        return self.problem.source

    @property
    def line(self):
        return self.problem.line


def _printable(text):
    """Return a text in one line that does nothing to a terminal: the unprintable is shown as by repr."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def _shortened(text):
    """Return a text in one printable line, without the middle of one that nobody would read."""
    text = _printable(text)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 60]}... ({len(text)} characters) ...{text[-20:]}"


def raise_error(error):
    """Stop at the first fault: the default for commands; archives collect the faults instead."""
    raise error
