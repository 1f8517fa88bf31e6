"""Error messages with their parts: the place, what was expected, what was found, and the remedy."""

from collections.abc import Callable
from functools import partial
from os import PathLike
from typing import NamedTuple, NoReturn, ParamSpec, TypeVar

from delvecore.locations import with_addresses
from delvecore.names import shown

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
LONGEST = 300
MOST_FAULTS = 1000
"""Largest number of faults of a dataset, or of a method's results on a task, that are reported one by one."""
NOTICE = "notice"
"""The kind of a notice: useful information, but no fault."""
TRUST = "--trust"
"""The option of commands that allows all objects named in a file to run; errors name it as the remedy."""
KINDS = ("specification", "data", "results", "documentation", "file", "hierarchy", NOTICE)


class Problem(NamedTuple):
    """One fault in an archive, as data.

    Attributes
    ----------
    kind : str
        One of KINDS.
    source : str
        Path of the file or directory.
    line : int or None
        Number from 1, or None when the whole file is meant.
    expected, found : str
        Short phrases.
    remedy : str
        What to do, or an empty string.
    """

    kind: str
    source: str
    line: int | None
    expected: str
    found: str
    remedy: str

    @property
    def place(self) -> str:
        source = shown(with_addresses(self.source))
        return source if self.line is None else f"{source}:{self.line}"

    @property
    def message(self) -> str:
        return _one_line(self.place, self.expected, self.found, self.remedy)


class DelveError(Exception):
    """An error that a user can act on; its text is one line."""


class Fault(DelveError):  # noqa: N818
    """Something differs from what is required.

    Attributes
    ----------
    place : str
        Place in words or as a path, or an empty string.
    expected, found
        Short phrases.
    remedy : str
        What to do, or an empty string.
    is_file : bool
        Whether the place is a file.
    key : str or None
        Key of the wrong line of a specification, if known.
    """

    def __init__(
        self,
        place: str,
        expected: str,
        found: object,
        remedy: str = "",
        *,
        is_file: bool = False,
        key: str | None = None,
    ) -> None:
        self.place, self.expected, self.found, self.remedy = place, expected, str(found), remedy
        self.is_file, self.key = is_file, key
        super().__init__(_one_line(place, expected, self.found, remedy))

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), str(self), self.__dict__)

    def within(self, place: str, *, is_file: bool = False) -> "Fault":
        """Return this fault as one of a larger place."""
        inner = f"{place}: {self.place}" if self.place else place
        return Fault(inner, self.expected, self.found, self.remedy, is_file=is_file, key=self.key)


def _restored(kind: type[Fault], text: str, state: dict[str, object]) -> Fault:
    """Return a fault that comes from another process."""
    fault = kind.__new__(kind, text)
    fault.__dict__.update(state)
    return fault


class ParseError(Fault, ValueError):
    """A file violates its format.

    Attributes
    ----------
    count : int
        Number of faults that it summarizes.
    passing : bool
        Whether the file system failed, perhaps only for a moment, so that the file's content is unknown.
    """

    count = 1

    def __init__(
        self,
        source: str | PathLike[str],
        line: int | None,
        expected: str,
        found: str,
        remedy: str = "",
        *,
        kind: str = "data",
        passing: bool = False,
    ) -> None:
        self.passing = passing
        self.problem = Problem(
            kind=kind,
            source=str(source),
            line=line,
            expected=shortened(expected),
            found=shortened(found),
            remedy=remedy,
        )
        _, _, _, expected, found, remedy = self.problem
        super().__init__(self.problem.place, expected, found, remedy, is_file=True)

    @property
    def source(self) -> str:
        return self.problem.source

    @property
    def line(self) -> int | None:
        return self.problem.line


class Faults(list[ParseError]):
    """Collects the faults of a file or directory. It keeps the first MOST_FAULTS and counts the rest, so that
    a bad file cannot fill the memory."""

    more = 0

    def append(self, error: ParseError) -> None:
        if len(self) < MOST_FAULTS:
            super().append(error)
            return
        passing = error.passing or self[-1].passing
        if self.more:
            del self[-1]
        self.more += error.count
        remedy, kind = "fix the first ones", error.problem.kind
        expected = f"at most {MOST_FAULTS} faults"
        rest = ParseError(error.source, None, expected, f"{self.more} more", remedy, kind=kind)
        rest.count, rest.passing = self.more, passing
        super().append(rest)

    @property
    def passing(self) -> bool:
        """Did the file system fail?"""
        return any(error.passing for error in self)


spec_fault = partial(ParseError, kind="specification")
result_fault = partial(ParseError, kind="results")
Report = Callable[[ParseError], object]
"""A callable that receives faults."""


def attempt(
    report: Report, read: Callable[Arguments, Result], /, *args: Arguments.args, **options: Arguments.kwargs
) -> Result | None:
    """Return the result of a function, or None after passing its ParseError to report."""
    try:
        return read(*args, **options)
    except ParseError as error:
        report(error)
        return None


def words_of_system(error: OSError) -> str:
    """Return the message of a file system error, in lower case."""
    return (error.strerror or "an error of the file system").lower()


def unreadable(path: str, expected: str, error: OSError, remedy: str = "") -> ParseError:
    """Return the ParseError of a file system error, which may be temporary unless permissions caused it."""
    passing = not isinstance(error, PermissionError)
    return ParseError(path, None, expected, words_of_system(error), remedy, kind="file", passing=passing)


def located(error: DelveError, source: str, line: int | None, *, kind: str) -> ParseError:
    """Return an error as a fault at source and line, or in the file that the error names itself."""
    if isinstance(error, ParseError):
        return error
    if not isinstance(error, Fault):
        return ParseError(source, line, "what can be used", str(error), kind=kind)
    if error.is_file:
        source, line = error.place, None
    return ParseError(source, line, error.expected, error.found, error.remedy, kind=kind)


def _one_line(place: str, expected: str, found: str, remedy: str) -> str:
    where = f"{place}: " if place else ""
    line = f"{where}expected {expected}, found {found}" + (f"; {remedy}" if remedy else "")
    return shown(with_addresses(line))


def shortened(text: str) -> str:
    """Return a text as one printable line; the middle of a very long text is omitted."""
    text = shown(text)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 60]}... ({len(text)} characters) ...{text[-20:]}"


def raise_error(error: ParseError) -> NoReturn:
    """Stop at the first fault: the default for commands; archives collect the faults instead."""
    raise error
