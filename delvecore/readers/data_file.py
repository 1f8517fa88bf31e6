"""What holds the cases of a dataset, or makes them: `Dataset.data`, `Dataset.generator`."""

from collections.abc import Container, Mapping

from delvecore.errors import ParseError
from delvecore.model import Generator
from delvecore.numerals.numbers import whole_number
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.lines import logical_lines, parse_keys

__all__ = ["DATA", "GENERATOR", "find_data_of", "has_data", "parse_generator", "read_generator"]

DATA, GENERATOR = "Dataset.data", "Dataset.generator"
KEYS = ("generator", "cases", "sha-256")
DIGITS = frozenset("0123456789abcdef")


def find_data_of(hierarchy: Hierarchy, dataset: str) -> dict[str, str]:
    """Return {plain name: path} of what holds or makes the cases of a dataset."""
    found = {name: hierarchy.find("data", dataset, name) for name in (DATA, GENERATOR)}
    return {name: path for name, path in found.items() if path is not None}


def has_data(files: Container[str]) -> bool:
    """Are there cases, in a file or from a generator? files: of a dataset's directory, by plain name."""
    return DATA in files or GENERATOR in files


def read_generator(files: Mapping[str, str]) -> Generator:
    """Return the Generator of a dataset's directory; raises ParseError."""
    return parse_generator(read_text(files[GENERATOR]), files[GENERATOR])


def parse_generator(text: str, source: str) -> Generator:
    """Return the Generator that a `Dataset.generator` describes; raises ParseError."""
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


def _fault(source: str, line: int, expected: str, found: str) -> ParseError:
    return ParseError(source, line, expected, found, kind="specification")
