"""Results that were published elsewhere, by their figures: the file `Published` of a dataset or a method.

They stand beside results of this archive's own and are never tested or ranked with them."""

from typing import NamedTuple

from delvecore.errors import ParseError, Report, raise_error
from delvecore.model import task_name
from delvecore.names import NAME, is_name
from delvecore.number_format.numbers import is_number
from delvecore.readers.lines import Lines, is_count, logical_lines, split_comment
from delvecore.readers.specifications import parse_task_name

__all__ = ["PUBLISHED", "SOURCE_KEY", "UNKNOWN", "PublishedResult", "parse_published", "unknown_task"]

PUBLISHED = "Published"
"""The name of the file."""
SOURCE_KEY = "Source:"
UNKNOWN = "?"
LINE = "METHOD /DATASET/PROTOTASK/TASK MEASURE MEAN DEVIATION RUNS WHERE"


class PublishedResult(NamedTuple):
    """What was published of a method on a task. measure: letter of a loss or name of a metric; deviation: the
    standard deviation over runs, None where it is not known, and so with runs; source: what was published;
    where: the page or table in it; line: of the file."""

    method: str
    dataset: str
    prototask: str
    prior: str
    training_size: int
    measure: str
    mean: float
    deviation: float | None
    runs: int | None
    source: str
    where: str
    line: int

    @property
    def task(self) -> str:
        return task_name(self.prior, self.training_size)

    @property
    def path(self) -> str:
        return f"/{self.dataset}/{self.prototask}/{self.task}"


def parse_published(
    text: str, path: str, *, owner: tuple[str, str], report: Report = raise_error
) -> tuple[PublishedResult, ...]:
    """Return the results of a file `Published`. owner: ("dataset", its name) or ("method", its name), of
    which all of them have to be. A faulty line is reported and left out."""
    found: dict[tuple[str, ...], PublishedResult] = {}
    source = ""
    lines: Lines = list(logical_lines(text))
    for number, line in lines:
        if line.strip().startswith(SOURCE_KEY):
            source = line.strip().removeprefix(SOURCE_KEY).strip()
            continue
        words = split_comment(line)[0].split()
        if not words:
            continue
        try:
            one = _result(words, source, path, number)
            if getattr(one, owner[0]) != owner[1]:
                raise _fault(path, number, f"results of the {owner[0]} {owner[1]}", getattr(one, owner[0]))
            before = found.setdefault((one.source, one.method, one.path, one.measure), one)
            if before is not one:
                raise _fault(path, number, "each result once", f"it again (first on line {before.line})")
        except ParseError as error:
            report(error)
    return tuple(found.values())


def _result(words: list[str], source: str, path: str, line: int) -> PublishedResult:
    if not source or not is_name(source):
        raise _fault(path, line, f"a line {SOURCE_KEY} above it, {NAME}", repr(source) if source else "none")
    if len(words) < 6:
        raise _fault(path, line, LINE, f"{len(words)} words")
    method, place, measure, *numbers = words[:6]
    names = place.split("/")
    task = parse_task_name(names[-1])
    if len(names) != 4 or names[0] or task is None:
        raise _fault(path, line, "a task such as /demo/age/std.128", repr(place))
    mean, deviation, runs = numbers
    if not is_number(mean):
        raise _fault(path, line, "the mean, a number", repr(mean))
    if deviation != UNKNOWN and not (is_number(deviation) and float(deviation) >= 0):
        raise _fault(path, line, f"a standard deviation, or {UNKNOWN}", repr(deviation))
    if runs != UNKNOWN and not is_count(runs):
        raise _fault(path, line, f"a number of runs, or {UNKNOWN}", repr(runs))
    spread = None if deviation == UNKNOWN else float(deviation)
    count = None if runs == UNKNOWN else int(runs)
    return PublishedResult(
        method,
        dataset=names[1],
        prototask=names[2],
        prior=task[0],
        training_size=task[1],
        measure=measure,
        mean=float(mean),
        deviation=spread,
        runs=count,
        source=source,
        where=" ".join(words[6:]),
        line=line,
    )


def _fault(path: str, line: int, expected: str, found: str) -> ParseError:
    return ParseError(path, line, expected, found, "correct the line", kind="results")


def unknown_task(path: str, result: PublishedResult) -> ParseError:
    """Return the fault of a result on a task that its dataset does not have."""
    return _fault(path, result.line, "a task of the dataset", result.path)
