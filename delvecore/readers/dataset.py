"""`Dataset.spec` in, a Dataset out. Source: DELVE manual, sections 3.1 and 3.4."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from delvecore.errors import ParseError, Report, raise_error
from delvecore.model import ORDERS, ORIGINS, USAGES, Attribute, Dataset, Range
from delvecore.readers.lines import logical_lines, parse_keys, split_comment
from delvecore.readers.ranges import parse_range

__all__ = ["attribute_lines", "count_cases", "parse_dataset"]

Lines = list[tuple[int, str]]
"""(number of the line, its text)."""
KEYS = ("title", "origin", "usage", "order")
COMMONALITY = "commonality indexes are present"
CONTROLS = ("c", "u", "?")


def parse_dataset(text: str, name: str, source: str, *, report: Report = raise_error) -> Dataset:
    """Return the Dataset that a specification describes.

    report receives a ParseError for each fault; with the default the first one is raised. Where a
    collecting report goes on, faulty attributes keep their place with an empty range.
    """
    heading, described, end = _divide(text)
    if described is None:
        report(_error(source, end, "a line 'Attributes:'", "the end of the file", "list the attributes"))
        described = []
    commonality = [number for number, line in heading if _is_commonality(line)]
    keys = parse_keys(
        [(number, line) for number, line in heading if not _is_commonality(line)], source, KEYS, report=report
    )
    origin, usage, order = (_choice(keys, key, allowed, source, end, report) for key, allowed in CHOICES)
    title = keys.get("title", (0, ""))[1]
    attributes = tuple(_attributes(described, source, report))
    if not attributes:
        report(_error(source, end, "at least one attribute", "none", "list the attributes"))
    return Dataset(name, title, origin, usage, order, bool(commonality), attributes)


def attribute_lines(text: str) -> list[int]:
    """Return the numbers of the lines that describe the attributes, in their order."""
    return [number for number, _ in _divide(text)[1] or ()]


CHOICES = (("origin", ORIGINS), ("usage", USAGES), ("order", ORDERS))


def _error(source: str, line: int, expected: str, found: str, remedy: str = "") -> ParseError:
    return ParseError(source, line, expected, found, remedy, kind="specification")


def _divide(text: str) -> tuple[Lines, Lines | None, int]:
    """Return (heading lines, attribute lines or None, last line number); whole-line comments left out."""
    heading: Lines = []
    attributes: Lines | None = None
    number = 1
    for number, line in logical_lines(text):
        if line.lstrip().startswith("#"):
            continue
        if attributes is not None:
            attributes.append((number, line))
        elif line.strip().lower().rstrip(": \t") == "attributes":
            attributes = []
        else:
            heading.append((number, line))
    return heading, attributes, number


def _is_commonality(line: str) -> bool:
    return " ".join(line.lower().split()).rstrip(".") == COMMONALITY


def _choice(
    keys: Mapping[str, tuple[int, str]],
    key: str,
    allowed: Sequence[str],
    source: str,
    end: int,
    report: Report,
) -> str:
    if key not in keys:
        report(_error(source, end, f"the key {key!r}", "no such line", f"one of {', '.join(allowed)}"))
        return "?"
    number, value = keys[key]
    if value not in allowed:
        report(_error(source, number, f"{key} to be one of {', '.join(allowed)}", repr(value)))
    return value


def _attributes(lines: Iterable[tuple[int, str]], source: str, report: Report) -> Iterator[Attribute]:
    """Yield the attributes; a faulty one is reported and keeps its place where it has a name."""
    names: set[str] = set()
    for expected, (number, line) in enumerate(lines, start=1):
        fields, description = split_comment(line)
        words = fields.split(None, 3)
        fault = _attribute_fault(words, expected, names)
        if fault:
            report(_error(source, number, *fault))
        if len(words) < 3:
            words += [f"attribute-{expected}", "?"][len(words) - 1 :]
        names.add(words[1])
        limits = _range(words, source, number, report)
        yield Attribute(expected, words[1], words[2], limits, description)


def _attribute_fault(
    words: Sequence[str], expected: int, names: Collection[str]
) -> tuple[str, str, str] | None:
    if words[0] != str(expected):
        return f"attribute number {expected}", repr(words[0]), "number the attributes from 1 without gaps"
    if len(words) < 4:
        return "number, name, c or u, and range", f"{len(words)} fields", "complete the line"
    if words[1].lstrip("+-").isdigit():
        return "a name that is not a number", repr(words[1]), "rename the attribute"
    if words[1] in names:
        return "a name used once", f"{words[1]!r} again", "rename the attribute"
    if words[2] not in CONTROLS:
        return "c (controlled), u (uncontrolled) or ?", repr(words[2]), ""
    return None


def _range(words: Sequence[str], source: str, number: int, report: Report) -> Range:
    if len(words) < 4:
        return Range("", (), (), (), ())
    try:
        return parse_range(words[3])
    except ValueError as error:
        report(_error(source, number, "a range such as [0,Inf), 0..5 or a list of values", str(error)))
        return Range("", (), (), (), ())


def count_cases(text: str) -> int:
    """Return how many cases a data file's text holds, comments and continuations allowed for."""
    if "#" not in text and "\\" not in text:
        return sum(1 for line in text.split("\n") if line and not line.isspace())
    return sum(1 for _, line in logical_lines(text) if not line.lstrip().startswith("#"))
