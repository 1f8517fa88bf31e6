"""Figures of results published elsewhere: the file `Published` of a dataset or a method.

Published results appear next to results of this archive, and are never tested or ranked with them."""

from collections.abc import Callable, Iterable, Mapping
from math import sqrt
from typing import NamedTuple

from delvecore.errors import ParseError, Report, attempt, raise_error
from delvecore.model import TaskId, task_name
from delvecore.names import NAME, is_name
from delvecore.number_format.numbers import format_number, is_number
from delvecore.readers.files import read_text
from delvecore.readers.lines import Lines, is_count, logical_lines, split_comment
from delvecore.readers.specifications import parse_task_name
from delvecore.writers.files import joined, plain_line

PUBLISHED = "Published"
"""The name of the file."""
SOURCE_KEY = "Source:"
UNKNOWN = "?"
HEADING = "# method task measure mean deviation runs where"
LINE = "METHOD /DATASET/PROTOTASK/TASK MEASURE MEAN DEVIATION RUNS WHERE"
OWNERS = {"data": "dataset", "methods": "method"}
"""Common owner of the results of a file, by part of the archive."""


class PublishedResult(NamedTuple):
    """Published result of a method on a task.

    Attributes
    ----------
    measure : str
        Letter of a loss or name of a metric.
    mean : float
        Mean, in the unit of the measure.
    deviation : float or None
        Standard deviation over runs, None if unknown.
    source : str
        Publication.
    where : str
        Page or table in the publication.
    line : int
        Line of the file.
    """

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
    line: int = 0

    @property
    def task(self) -> str:
        return task_name(self.prior, self.training_size)

    @property
    def path(self) -> str:
        return TaskId(self.dataset, self.prototask, self.task).path

    @property
    def standard_error(self) -> float | None:
        """Standard error of the mean over runs, None if it is unknown."""
        return None if self.deviation is None or not self.runs else self.deviation / sqrt(self.runs)

    @property
    def origin(self) -> str:
        """The source, and the page or table."""
        return ", ".join(filter(None, (self.source, self.where)))


def parse_published(
    text: str, path: str, *, owner: tuple[str, str], report: Report = raise_error
) -> tuple[PublishedResult, ...]:
    """Return the results of a file `Published`. Faulty lines are reported and omitted.

    owner: ("dataset", its name) or ("method", its name), the required owner of all results."""
    results: dict[tuple[str, ...], PublishedResult] = {}
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
            before = results.setdefault((one.source, one.method, one.path, one.measure), one)
            if before is not one:
                raise _fault(path, number, "each result once", f"it again (first on line {before.line})")
        except ParseError as error:
            report(error)
    return tuple(results.values())


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


def _fault(path: str, line: int, expected: str, actual: str) -> ParseError:
    return ParseError(path, line, expected, actual, "correct the line", kind="results")


def read_published_of(
    files: Mapping[str, str],
    names: tuple[str, str],
    is_task: Callable[[PublishedResult], bool],
    *,
    report: Report,
) -> tuple[PublishedResult, ...]:
    """Return the published results among the files of a dataset or method.

    names: ("data" or "methods", its name); is_task: returns whether a task is in the archive. Results on
    other tasks are reported and omitted."""
    path = files.get(PUBLISHED)
    text = attempt(report, read_text, path) if path else None
    if path is None or text is None:
        return ()
    results = parse_published(text, path, owner=(OWNERS[names[0]], names[1]), report=report)
    for one in results:
        if not is_task(one):
            report(_fault(path, one.line, "a task of the dataset", one.path))
    return tuple(filter(is_task, results))


def published_text(results: Iterable[PublishedResult]) -> str:
    """Return the text of a file `Published`. Raises ValueError for a text with a line break."""
    lines: list[str] = []
    source = None
    for one in results:
        if one.source != source:
            source = one.source
            lines += [f"{SOURCE_KEY} {plain_line(source)}", HEADING]
        spread = UNKNOWN if one.deviation is None else format_number(one.deviation)
        runs = UNKNOWN if one.runs is None else f"{one.runs}"
        words = (one.method, one.path, one.measure, format_number(one.mean), spread, runs, one.where)
        lines.append(plain_line(" ".join(words).rstrip()))
    return joined(lines)


PUBLISHED_SIGN = "†"
"""Mark after the name of a method whose figures were published elsewhere."""


def origins_of(values: Iterable[PublishedResult]) -> list[str]:
    """Return a text per source: `A paper, 1999: net (table 2), tree (table 2; table 3)`."""
    origins: dict[str, dict[str, dict[str, None]]] = {}
    for one in values:
        places = origins.setdefault(one.source, {}).setdefault(one.method, {})
        places |= {one.where: None} if one.where else {}
    return [
        f"{source}: "
        + ", ".join(
            f"{method} ({'; '.join(places)})" if places else method
            for method, places in sorted(methods.items())
        )
        for source, methods in sorted(origins.items())
    ]
