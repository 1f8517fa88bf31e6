"""Rules for `Dataset.spec` and for `Dataset.data` as a whole. Source: DELVE manual, sections 3.1, 3.3 and
3.4."""

from collections.abc import Iterator, Mapping

from delvecore.errors import ParseError, Report, attempt, spec_fault
from delvecore.model import Dataset, Range
from delvecore.number_format.numbers import is_number
from delvecore.readers.cases import Cases
from delvecore.readers.dataset import attribute_lines, parse_dataset
from delvecore.readers.files import read_text

SPECIFICATION = "Dataset.spec"


def file_text(files: Mapping[str, str], name: str, place: str, *, report: Report) -> str | None:
    """Return the text of a file that must be there, or None after reporting why there is none. files: true
    path by plain name; place: what stands for the directory in messages."""
    if name in files:
        return attempt(report, read_text, files[name])
    report(no_file(place, name))
    return None


def no_file(place: str, name: str) -> ParseError:
    """Return the fault of a directory that lacks a file."""
    remedy = "add it, or remove the directory"
    return ParseError(place, None, f"a file {name}", "none", remedy, kind="hierarchy")


def check_dataset(files: Mapping[str, str], name: str, place: str, *, report: Report) -> Dataset | None:
    """Read and check `Dataset.spec`; return the Dataset, or None where there is nothing to read. files: of
    the dataset's directory, true path by plain name; place: the directory."""
    text = file_text(files, SPECIFICATION, place, report=report)
    if text is None:
        return None
    source = files[SPECIFICATION]
    dataset = parse_dataset(text, name, source, report=report)
    for attribute, line in zip(dataset.attributes, attribute_lines(text), strict=False):
        for expected, found in _range_faults(attribute.range):
            report(spec_fault(source, line, expected, found, "correct the range"))
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
    for word in sorted({word for word in limits.missing if limits.missing.count(word) > 1}):
        yield "each missing value once", f"{word} twice"


def check_cases(dataset: Dataset, cases: Cases, source: str, *, report: Report) -> None:
    """Check what can only be said of all cases together: that there are any, and commonality indexes. Indexes
    that `Dataset.spec` does not announce are no fault: DELVE 1.1 asked for that line to be left out, and they
    are kept in the tables without an effect. source: the path of `Dataset.data`."""
    if cases.count == 0:
        report(ParseError(source, None, "at least one case", "none", "add the cases"))
    elif dataset.commonality and not cases.has_groups:
        expected = "commonality indexes, which Dataset.spec says are present"
        report(ParseError(source, None, expected, "none", "add them, or take the line out of Dataset.spec"))
