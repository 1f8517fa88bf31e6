"""Lines of DELVE files: the only place that knows comments, continuations and `Key: value`.

Source: DELVE manual, sections 3.3, 3.4 and 4.4.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from delvecore.errors import ParseError, Report, raise_error

__all__ = ["logical_lines", "parse_keys", "split_comment", "token_lines"]


def logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield (number of the first line, text) with continuation lines joined; blank lines are left out.

    A line that ends with a blank and a backslash goes on in the next one.
    """
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


def split_comment(line: str) -> tuple[str, str]:
    """Return (text, comment): a comment starts at a `#` that begins a word; no comment gives ''."""
    start = line.find("#")
    while start > 0 and not line[start - 1].isspace():
        start = line.find("#", start + 1)
    if start < 0:
        return line, ""
    return line[:start], line[start + 1 :].strip()


def token_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, tokens) of every line that holds more than a comment."""
    for number, line in logical_lines(text):
        tokens = split_comment(line)[0].split()
        if tokens:
            yield number, tokens


def parse_keys(
    lines: Iterable[tuple[int, str]], source: str, known: Sequence[str], *, report: Report = raise_error
) -> dict[str, tuple[int, str]]:
    """Return {key: (line number, value)} from (number, text) lines of the form `Key: value`.

    Keys are compared without case, blanks count as hyphens. known: the keys allowed, lower case.
    Unknown and repeated keys and lines that are no `Key: value` are reported.
    """
    found: dict[str, tuple[int, str]] = {}
    for number, line in lines:
        name, colon, value = line.partition(":")
        key = "-".join(name.lower().split())
        problem = _key_problem(key, found, known) if colon else _no_key(line)
        if problem:
            report(ParseError(source, number, *problem, kind="specification"))
            continue
        found[key] = (number, value.strip())
    return found


def _no_key(line: str) -> tuple[str, str, str]:
    return "a line 'Key: value'", repr(" ".join(line.split())), "write one key a line"


def _key_problem(
    key: str, found: Mapping[str, tuple[int, str]], known: Sequence[str]
) -> tuple[str, str, str] | None:
    if key not in known:
        return f"one of the keys {', '.join(known)}", repr(key), "correct or remove the line"
    if key in found:
        return f"the key {key!r} once", f"it again (first on line {found[key][0]})", "remove one of them"
    return None
