"""`Dataset.generator`: what makes the cases of a dataset that keeps no `Dataset.data`."""

from delvecore.errors import ParseError
from delvecore.model import Generator
from delvecore.numerals.numbers import whole_number
from delvecore.readers.lines import logical_lines, parse_keys

__all__ = ["parse_generator"]

KEYS = ("generator", "cases", "sha-256")
DIGITS = frozenset("0123456789abcdef")


def parse_generator(text, source):
    """Return the Generator that a file describes; raises ParseError."""
    lines = [(number, line) for number, line in logical_lines(text) if not line.lstrip().startswith("#")]
    keys = parse_keys(lines, source, KEYS)
    for key in KEYS:
        if not keys.get(key, (0, ""))[1]:
            end = lines[-1][0] if lines else 1
            raise _fault(source, end, f"a line '{key}: ...'", "none")
    (_, name), (cases_line, cases), (sum_line, checksum) = (keys[key] for key in KEYS)
    count = whole_number(cases)
    if count is None or count < 1:
        raise _fault(source, cases_line, "how many cases it makes, 1 or more", repr(cases))
    if len(checksum) != 64 or not DIGITS.issuperset(checksum.lower()):
        raise _fault(source, sum_line, "a checksum of 64 hexadecimal digits", repr(checksum))
    return Generator(name, count, checksum.lower())


def _fault(source, line, expected, found):
    return ParseError(source, line, expected, found, kind="specification")
