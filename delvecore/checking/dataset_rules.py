"""Rules for `Dataset.spec`, and for `Dataset.data` as a whole. Source: manual, sections 3.1, 3.3, 3.4."""

from collections.abc import Iterator, Mapping

from delvecore.checking.facts import CaseFacts
from delvecore.errors import ParseError, Report
from delvecore.model import Dataset, Range
from delvecore.numerals.numbers import is_number
from delvecore.readers.dataset import attribute_lines, parse_dataset
from delvecore.readers.files import read_text

__all__ = ["SPECIFICATION", "check_case_facts", "check_dataset", "file_text", "no_file"]

SPECIFICATION = "Dataset.spec"


def file_text(files: Mapping[str, str], name: str, place: str, *, report: Report) -> str | None:
    """Return the text of a file that must be there, or None after reporting why there is none.

    files: true path by plain name; place: what stands for the directory in messages.
    """
    if name not in files:
        report(no_file(place, name))
        return None
    try:
        return read_text(files[name])
    except ParseError as error:
        report(error)
        return None


def no_file(place: str, name: str) -> ParseError:
    """Return the fault of a directory that lacks a file."""
    return ParseError(
        place, None, f"a file {name}", "none", "add it, or remove the directory", kind="hierarchy"
    )


def check_dataset(files: Mapping[str, str], name: str, place: str, *, report: Report) -> Dataset | None:
    """Read and check `Dataset.spec`; return the Dataset, or None where there is nothing to read.

    files: of the dataset's directory, true path by plain name; place: the directory.
    """
    text = file_text(files, SPECIFICATION, place, report=report)
    if text is None:
        return None
    source = files[SPECIFICATION]
    dataset = parse_dataset(text, name, source, report=report)
    lines = attribute_lines(text)
    for attribute, line in zip(dataset.attributes, lines, strict=False):
        for expected, found in _range_faults(attribute.range):
            remedy = "correct the range"
            report(ParseError(source, line, expected, found, remedy, kind="specification"))
    return dataset


def _range_faults(limits: Range) -> Iterator[tuple[str, str]]:
    """Yield (expected, found) for the parts of a range that no value of a data file could ever match."""
    for value in limits.values:
        if value[0] in "@\\:" or (value.endswith(":") and is_number(value[:-1])):
            yield "values that cannot be taken for an index, a censored value or a continuation", repr(value)
    for interval in limits.intervals:
        closed = interval.low_closed and interval.high_closed and abs(interval.low) != float("inf")
        if interval.low == interval.high and not closed:
            yield "intervals that hold a number", "one that is empty"
    repeated = {word for word in limits.missing if limits.missing.count(word) > 1}
    for word in sorted(repeated):
        yield "each missing value once", f"{word} twice"


def check_case_facts(dataset: Dataset, facts: CaseFacts, source: str, *, report: Report) -> None:
    """Check what can only be said of all cases together: that there are any, and commonality indexes.

    Indexes that `Dataset.spec` does not announce are no fault: DELVE 1.1 asked for that line to be left out,
    and they are kept in the tables without an effect. source: the path of `Dataset.data`.
    """
    if facts.count == 0:
        report(ParseError(source, None, "at least one case", "none", "add the cases"))
        return
    if facts.groups is None and dataset.commonality:
        expected = "commonality indexes, which Dataset.spec says are present"
        report(ParseError(source, None, expected, "none", "add them, or take the line out of Dataset.spec"))
