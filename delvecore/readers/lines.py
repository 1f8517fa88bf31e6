"""Lines of DELVE files: the only module that parses comments, continuations and `Key: value`. Source: DELVE
manual, sections 3.3, 3.4 and 4.4."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from delvecore.errors import Report, raise_error, spec_fault

Lines = list[tuple[int, str]]
"""(number of the line, its text)."""


def logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield (number of the first line, text) with continuation lines joined; blank lines are left out. A line
    that ends with a blank and a backslash continues on the next one."""
    pending, first = "", 0
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.rstrip()
        if not pending:
            first = number
        if stripped.endswith("\\") and stripped[-2:-1] in ("", " ", "\t"):
            pending += stripped[:-1] + " "
            continue
        joined = pending + line
        pending = ""
        if joined.strip():
            yield first, joined
    if pending.strip():
        yield first, pending


def uncommented_lines(text: str) -> Lines:
    """Return the `logical_lines` without lines that are only a comment."""
    return [(number, line) for number, line in logical_lines(text) if not line.lstrip().startswith("#")]


def leading_comment(text: str) -> str:
    """Return the words of the comment lines that a file begins with, joined by blanks."""
    lines = takewhile(lambda line: line.lstrip().startswith("#"), text.split("\n"))
    return " ".join(word for line in lines for word in line.lstrip().lstrip("#").split())


def split_comment(line: str) -> tuple[str, str]:
    """Return (text, comment): a comment starts at a `#` that begins a word; no comment gives ''."""
    start = line.find("#")
    while start > 0 and not line[start - 1].isspace():
        start = line.find("#", start + 1)
    if start < 0:
        return line, ""
    return line[:start], line[start + 1 :].strip()


def is_count(word: str) -> bool:
    """Is this a positive whole number that fits into 64 bits?"""
    return word.isascii() and word.isdigit() and 0 < int(word[:19]) < 10**18


def token_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, tokens) of every line with more than a comment."""
    for number, line in logical_lines(text):
        tokens = split_comment(line)[0].split()
        if tokens:
            yield number, tokens


def parse_keys(
    lines: Iterable[tuple[int, str]], source: str, known: Sequence[str], *, report: Report = raise_error
) -> dict[str, tuple[int, str]]:
    """Return {key: (line number, value)} from lines `Key: value`.

    Keys are compared without case, and blanks count as hyphens. `known` has the allowed keys in lower case.
    Other keys, repeated keys and other lines are reported.
    """
    values: dict[str, tuple[int, str]] = {}
    for number, line in lines:
        name, colon, value = line.partition(":")
        key = "-".join(name.lower().split())
        if not colon:
            problem = "a line 'Key: value'", repr(" ".join(line.split())), "write one key per line"
        elif key not in known:
            problem = f"one of the keys {', '.join(known)}", repr(key), "correct or remove the line"
        elif key in values:
            again = f"it again (first on line {values[key][0]})"
            problem = f"the key {key!r} once", again, "remove one of them"
        else:
            values[key] = (number, value.strip())
            continue
        report(spec_fault(source, number, *problem))
    return values
