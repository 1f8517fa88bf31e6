"""Files of a dataset: `Dataset.spec` becomes a Dataset, with the file or generator of its cases.

Source: DELVE manual, sections 3.1 and 3.4.
"""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence

from delvecore.errors import Report, raise_error, spec_fault
from delvecore.model import (
    ORDERS,
    ORIGINS,
    USAGES,
    Attribute,
    Dataset,
    Generator,
    Interval,
    Range,
)
from delvecore.names import NAME, is_name
from delvecore.number_format.numbers import is_number, whole_number
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.lines import Lines, logical_lines, parse_keys, split_comment, uncommented_lines

DATA, GENERATOR = "Dataset.data", "Dataset.generator"
CHOICES = {"origin": ORIGINS, "usage": USAGES, "order": ORDERS}
GENERATOR_KEYS = ("generator", "cases", "sha-256")
COMMONALITY = "commonality indexes are present"
MOST_VALUES = 1_000_000
CONTROLS = ("c", "u", "?")
DIGITS = frozenset("0123456789abcdef")
INFINITIES = {"inf": float("inf"), "+inf": float("inf"), "-inf": float("-inf")}


def parse_dataset(text: str, name: str, source: str, *, report: Report = raise_error) -> Dataset:
    """Return the Dataset of a specification. report receives each fault; faulty attributes keep their place
    with an empty range."""
    heading, described, end = _divide(text)
    if described is None:
        fault = "a line 'Attributes:'", "the end of the file", "list the attributes"
        report(spec_fault(source, end, *fault))
    plain = [(number, line) for number, line in heading if not _is_commonality(line)]
    keys = parse_keys(plain, source, ("title", *CHOICES), report=report)
    chosen = {}
    for key, allowed in CHOICES.items():
        wanted = f"one of {', '.join(allowed)}"
        number, chosen[key] = keys.get(key, (end, "?"))
        if key not in keys:
            report(spec_fault(source, end, f"the key {key!r}", "no such line", wanted))
        elif chosen[key] not in allowed:
            report(spec_fault(source, number, f"{key} to be {wanted}", repr(chosen[key])))
    origin, usage, order = chosen.values()
    attributes = tuple(_attributes(described or (), source, report))
    if not attributes:
        report(spec_fault(source, end, "at least one attribute", "none", "list the attributes"))
    title, indexed = keys.get("title", (0, ""))[1], len(plain) < len(heading)
    return Dataset(name, title, origin, usage, order, commonality=indexed, attributes=attributes)


def attribute_lines(text: str) -> list[int]:
    """Return the numbers of the lines that describe the attributes, in their order."""
    return [number for number, _ in _divide(text)[1] or ()]


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


def _attributes(lines: Iterable[tuple[int, str]], source: str, report: Report) -> Iterator[Attribute]:
    """Yield attributes up to the maximum number of values; faulty ones are reported and keep their place."""
    names: set[str] = set()
    total = 0
    for expected, (number, line) in enumerate(lines, start=1):
        fields, description = split_comment(line)
        words = fields.split(None, 3)
        fault = _attribute_fault(words, expected, names)
        if fault:
            report(spec_fault(source, number, *fault))
        limits = Range("", (), (), (), ())
        if len(words) > 3:
            try:
                limits = parse_range(words[3])
            except ValueError as error:
                wanted = "a range such as [0,Inf), 0..5 or a list of values"
                report(spec_fault(source, number, wanted, str(error)))
        total += limits.category_count
        if total > MOST_VALUES:
            remedy = "give numbers an interval such as [1,10000]"
            report(spec_fault(source, number, f"at most {MOST_VALUES} values in all ranges", "more", remedy))
            return
        if len(words) < 3:
            words += [f"attribute-{expected}", "?"][len(words) - 1 :]
        names.add(words[1])
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
    if not is_name(words[1]):
        return NAME, repr(words[1]), "rename the attribute"
    if words[1] in names:
        return "a name used once", f"{words[1]!r} again", "rename the attribute"
    if words[2] not in CONTROLS:
        return "c (controlled), u (uncontrolled) or ?", repr(words[2]), ""
    return None


def parse_range(text: str) -> Range:
    """Return the Range that words such as `male female`, `[0,Inf)`, `0..Inf`, `1..5 ?` describe.

    Raises ValueError with the fault. Source: DELVE manual, section 3.1.
    """
    values, intervals, integers, missing = [], [], [], []
    words: list[str] = []
    for word in text.split():
        if words and words[-1][0] in "[(" and words[-1][-1] not in "])":
            words[-1] += word  # an interval that was written with blanks inside
        else:
            words.append(word)
    if not words:
        raise ValueError("no range at all")
    for word in words:
        if not is_name(word):
            raise ValueError(f"what is not {NAME}: {word!r}")
        if word[0] in "[(":
            intervals.append(_interval(word))
        elif word[0] == "?":
            missing.append(word)
        elif ".." in word and all(map(_is_whole_bound, word.split("..", 1))):
            low, high = map(_bound, word.split("..", 1))
            if low > high:
                raise ValueError(f"the integer range {word!r} with its bounds in the wrong order")
            integers.append(Interval(low, high, is_whole=True))
        else:
            values.append(word)
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise ValueError(f"the value {value!r} twice")
        seen.add(value)
    return Range(" ".join(words), tuple(values), tuple(intervals), tuple(integers), tuple(missing))


def _bound(text: str) -> float:
    if text.lower() in INFINITIES:
        return INFINITIES[text.lower()]
    if not is_number(text):
        raise ValueError(f"the bound {text!r}")
    return float(text)


def _interval(word: str) -> Interval:
    low, comma, high = word[1:-1].partition(",")
    if word[-1] not in ")]" or not comma:
        raise ValueError(f"the interval {word!r}")
    item = Interval(_bound(low), _bound(high), word[0] == "[", word[-1] == "]")
    if item.low > item.high:
        raise ValueError(f"the interval {word!r} with its bounds in the wrong order")
    return item


def _is_whole_bound(text: str) -> bool:
    digits = text.lstrip("+-")
    return digits.isdigit() or digits.lower() == "inf"


def count_cases(text: str) -> int:
    """Return the number of cases in the text of a data file, without comments and continuation lines."""
    if "#" not in text and "\\" not in text:
        return sum(1 for line in text.split("\n") if line and not line.isspace())
    return len(uncommented_lines(text))


def find_data_of(hierarchy: Hierarchy, dataset: str) -> dict[str, str]:
    """Return {plain name: path} of the files that hold or generate the cases of a dataset."""
    paths = {name: hierarchy.find("data", dataset, name) for name in (DATA, GENERATOR)}
    return {name: path for name, path in paths.items() if path is not None}


def has_data(files: Container[str]) -> bool:
    """Are there cases, in a file or from a generator? files: the files of a dataset's directory, by plain
    name."""
    return DATA in files or GENERATOR in files


def read_generator(files: Mapping[str, str]) -> Generator:
    """Return the Generator of a dataset's directory; raises ParseError."""
    return parse_generator(read_text(files[GENERATOR]), files[GENERATOR])


def parse_generator(text: str, source: str) -> Generator:
    """Return the Generator that a `Dataset.generator` describes; raises ParseError."""
    lines = uncommented_lines(text)
    keys = parse_keys(lines, source, GENERATOR_KEYS)
    for key in GENERATOR_KEYS:
        if not keys.get(key, (0, ""))[1]:
            raise spec_fault(source, lines[-1][0] if lines else 1, f"a line '{key}: ...'", "none")
    (_, name), (cases_line, cases), (sum_line, checksum) = (keys[key] for key in GENERATOR_KEYS)
    count = whole_number(cases)
    if not count:
        raise spec_fault(source, cases_line, "the number of cases that it makes, 1 or more", repr(cases))
    if len(checksum) != 64 or not DIGITS.issuperset(checksum.lower()):
        raise spec_fault(source, sum_line, "a checksum of 64 hexadecimal digits", repr(checksum))
    return Generator(name, count, checksum.lower())
