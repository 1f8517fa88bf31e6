"""Prediction and target files: their losses and instances, and their words as values.

Errors name the file and line. A file of plain numbers is parsed as one array; words are created on demand.
Source: DELVE manual, sections 3.3 (missing and censored values), 5.3 (no guess) and 7.5,
appendix C (`mloss`).
"""

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from delvecore.encoding.codes import Code
from delvecore.encoding.codings import code_of
from delvecore.encoding.normalization import Constants
from delvecore.errors import Fault, ParseError
from delvecore.losses.spec import NO_GUESS, parse_loss, prediction_kinds
from delvecore.model import Attribute, Coding
from delvecore.number_format.columns import ReadColumn, parse_numbers
from delvecore.number_format.numbers import is_number

OUTPUTS = "outputs"
"""The kind of file with plain outputs of classes, which only the metric `sep` uses."""
NAME = re.compile(rf"(c?)(l?)(guess|prob|ptarg|{OUTPUTS})(?:\.(\S+))?\.(0|[1-9][0-9]*)")


@dataclass(frozen=True, order=True)
class ResultFile:
    """Parts of the name of a file of predictions or losses, and its path.

    Attributes
    ----------
    loss : str
        Loss in the name, or empty.
    kind : str
        guess, prob, ptarg, outputs or loss.
    coded : bool
        Whether it is about encoded targets.
    logarithms : bool
        Whether it has natural logs.
    """

    instance: int
    loss: str
    kind: str
    coded: bool = False
    logarithms: bool = False
    path: str = ""

    @property
    def name(self) -> str:
        prefix = "c" * self.coded + "l" * self.logarithms
        middle = f".{self.loss}" if self.loss else ""
        return f"{prefix}{self.kind}{middle}.{self.instance}"

    @property
    def decoded(self) -> "ResultFile":
        """The file with the decoded predictions."""
        return replace(self, coded=False, path="")


def parse_prediction_name(name: str, path: str = "") -> ResultFile | None:
    """Return the parts of a plain file name, or None if it is not the name of a prediction file."""
    match = NAME.fullmatch(name)
    if match is None:
        return None
    coded, logarithms, kind, loss, instance = match.groups()
    if (coded and kind == "prob") or (logarithms and kind == "guess"):
        return None
    if kind == OUTPUTS and (coded or logarithms or loss):
        return None
    if loss and not parse_loss(loss) and not (len(loss) == 1 and loss.isascii() and loss.isupper()):
        return None
    return ResultFile(
        instance=int(instance),
        loss=loss or "",
        kind=kind,
        coded=bool(coded),
        logarithms=bool(logarithms),
        path=path,
    )


def list_predictions(files: dict[str, str]) -> list[ResultFile]:
    """Return the prediction files among {plain name: path}, by instance."""
    parsed = (parse_prediction_name(name, path) for name, path in files.items())
    return sorted(file for file in parsed if file is not None)


def choose_predictions(files: list[ResultFile], loss: str, *, distribution: bool) -> list[ResultFile]:
    """Return the prediction files for a loss, one per instance, by instance.

    They have the loss in their names. If there are none, files without a loss in their names are returned. A
    coded file takes precedence over the decoded file of the same name. distribution: whether the method can
    predict a distribution. Raises DelveError for two files of one instance."""
    kinds = prediction_kinds(loss, distribution=distribution)
    able = [file for file in files if file.kind in kinds]
    serving = [file for file in able if file.loss == loss] or [file for file in able if not file.loss]
    names = {file.name for file in serving}
    chosen: dict[int, ResultFile] = {}
    for file in serving:
        if not file.coded and replace(file, coded=True).name in names:
            continue
        if file.instance in chosen:
            expected = f"one prediction file for loss {loss} of instance {file.instance}"
            first, actual = chosen[file.instance].path, f"{file.path} as well"
            raise Fault(first, expected, actual, "remove one", is_file=True)
        chosen[file.instance] = file
    return list(chosen.values())


LOG_OF_ZERO = ("-inf", "-infinity")
PLAIN = b"0123456789.+-eE \niInNfF"
"""Bytes of a file of plain numbers. A file with any other byte is parsed word by word."""


class WordTable:
    """The words of a file.

    Attributes
    ----------
    rows : list[list of str]
        One list of words per case.
    lines : list of int
        Line of each case.
    matrix : array or None
        All words as float64, shape (cases, words per line), if they are plain numbers or `-Inf`. Rows and
        lines are then made only when needed.
    """

    def __init__(self, source: str, rows: list[list[str]], lines: list[int]) -> None:
        self.source = source
        self.matrix: np.ndarray | None = None
        self.text = ""
        self.rows, self.lines = rows, lines

    @classmethod
    def of_numbers(cls, source: str, text: str, matrix: np.ndarray) -> "WordTable":
        """Return the table of a text whose words are the numbers of a matrix."""
        table = cls.__new__(cls)
        table.source, table.matrix, table.text = source, matrix, text
        return table

    @cached_property
    def rows(self) -> list[list[str]]:
        return [line.split() for line in self.text.split("\n") if line.strip()]

    @cached_property
    def lines(self) -> list[int]:
        return [number for number, line in enumerate(self.text.split("\n"), start=1) if line.strip()]

    def fault(self, position: int, expected: str, actual: str, remedy: str = "") -> ParseError:
        """Return the error for one case (position from 0)."""
        return ParseError(self.source, self.lines[position], expected, actual, remedy, kind="results")

    def without(self, positions: Container[int]) -> "WordTable":
        """Return the table without the cases at these positions, which start at 0."""
        kept = [place for place in range(len(self.rows)) if place not in positions]
        return WordTable(self.source, [self.rows[n] for n in kept], [self.lines[n] for n in kept])

    @property
    def is_finite(self) -> bool:
        """Has it been checked that every word is a plain number?"""
        return self.matrix is not None and bool(np.isfinite(self.matrix).all())

    def column(self, place: int) -> Sequence[str]:
        """Return the text of one column, with its numbers if all values in the file are finite."""
        if self.matrix is not None and self.is_finite:
            return ReadColumn(self.matrix[:, place], lambda: [row[place] for row in self.rows])
        return [row[place] for row in self.rows]

    def numbers(self, first: int, last: int, *, logarithms: bool = False) -> np.ndarray:
        """Return columns first to last (exclusive) as float64. Raises ParseError for words without a number.

        logarithms: also allow `-Inf`, the log of zero."""
        if self.matrix is not None and (logarithms or self.is_finite):
            return self.matrix[:, first:last]
        words = [word for row in self.rows for word in row[first:last]]
        numbers = _plain_numbers(words)
        if numbers is None:
            numbers = np.array(
                [self._number(place, words, last - first, logarithms) for place in range(len(words))]
            )
        return numbers.reshape(len(self.rows), last - first)

    def _number(self, place: int, words: list[str], width: int, logarithms: bool) -> float:
        word = words[place]
        if is_number(word):
            return float(word)
        if logarithms and word.lower() in LOG_OF_ZERO:
            return -np.inf
        raise self.fault(place // width, "a number", repr(word))


def _plain_numbers(words: list[str]) -> np.ndarray | None:
    """Return the values of words that are all plain finite numbers, otherwise None."""
    try:
        numbers = np.array(list(map(float, words)))
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() and not any("_" in word for word in words) else None


def parse_table(text: str, source: str, *, width: int, count: int | None = None) -> WordTable:
    """Return a file's text as a WordTable without blank lines.

    width: required number of words per line; count: required number of cases, None for any number. Raises
    ParseError."""
    matrix = _matrix(text, width)
    if matrix is not None and count in (None, len(matrix)):
        return WordTable.of_numbers(source, text, matrix)
    return _parse_words(text, source, width, count)


def _matrix(text: str, width: int) -> np.ndarray | None:
    """Return the numbers of a file of plain numbers (or `-Inf`) with single blanks between them.

    None for any other file. Lines may start with a blank."""
    data = text.encode()
    if data.translate(None, PLAIN):
        return None
    columns = parse_numbers(data.replace(b"\n ", b"\n").removeprefix(b" "), width)
    matrix = None if columns is None else np.column_stack(columns)
    return None if matrix is None or np.isposinf(matrix).any() else matrix


def _parse_words(text: str, source: str, width: int, count: int | None) -> WordTable:
    rows, lines = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if not words:
            continue
        if len(words) != width:
            plural = "" if width == 1 else "s"
            raise ParseError(source, number, f"{width} value{plural}", str(len(words)), kind="results")
        rows.append(words)
        lines.append(number)
    if count is not None and len(rows) != count:
        last = lines[-1] if lines else None
        expected = f"{count} lines, one for each test case"
        raise ParseError(source, last, expected, str(len(rows)), "write it again", kind="results")
    return WordTable(source, rows, lines)


Target = tuple[Attribute, Coding]
Gap = Callable[[Sequence[str], Callable[[str], str]], str | None]
"""Returns the text of a missing or censored value for its words, None for words that can be decoded."""


def decode_targets(
    table: WordTable, targets: list[Target], constants: dict[int, Constants]
) -> list[Sequence[str]]:
    """Return a table of coded true targets as values in text, a list per target.

    Missing values (`?why`) do not change. Censored values (`41:`), copied or marked, stay bounds. Raises
    ParseError for a word that its coding or attribute cannot have."""
    return _decode(table, targets, constants, _unknown_value)


def decode_guesses(
    table: WordTable, targets: list[Target], constants: dict[int, Constants]
) -> list[Sequence[str]]:
    """Return a table of coded guesses as values in text, a list per target.

    `?` in all columns of a target means no guess, and gives `?`. Raises ParseError for a word that its coding
    or attribute cannot have."""
    return _decode(table, targets, constants, _no_guess)


def plain_guesses(table: WordTable, targets: list[Target]) -> list[Sequence[str]]:
    """Return a table of plain guesses, a list per target; see `decode_guesses`."""
    pairs = enumerate(targets)
    return [_checked_words(table, place, attribute, _no_guess) for place, (attribute, _) in pairs]


def censored_parts(word: str) -> tuple[str, str, str] | None:
    """Return (`:` or empty, number, `:` or empty) of a censored value such as `41:`, otherwise None."""
    before, after = word[:1] == ":", word[-1:] == ":"
    number = word[before : len(word) - after]
    return (":" * before, number, ":" * after) if before != after and is_number(number) else None


def _no_guess(words: Sequence[str], decode: Callable[[str], str]) -> str | None:
    return NO_GUESS if set(words) == {NO_GUESS} else None


def _unknown_value(words: Sequence[str], decode: Callable[[str], str]) -> str | None:
    if words[0][0] == "?" and len(set(words)) == 1:
        return words[0]
    parts = censored_parts(words[0]) if len(words) == 1 else None
    return parts and f"{parts[0]}{decode(parts[1])}{parts[2]}"


def _decode(
    table: WordTable, targets: list[Target], constants: dict[int, Constants], gap: Gap
) -> list[Sequence[str]]:
    columns: list[Sequence[str]] = []
    place = 0
    for attribute, coding in targets:
        code = code_of(attribute, coding)
        width = len(code.column_names())
        if not width:
            raise table.fault(0, f"a coding of the target {attribute.name}", "ignore", "copy it instead")
        if code.keeps_words:
            columns.append(_checked_words(table, place, attribute, gap))
        else:
            columns.append(_decoded(table, place, code, constants.get(attribute.number), gap))
        place += width
    return columns


def _decoded(
    table: WordTable, place: int, code: Code, constants: Constants | None, gap: Gap
) -> Sequence[str]:
    """Return one decoded target. gap: returns the text of rows without numbers. Raises ParseError for other
    rows."""
    last = place + len(code.column_names())
    try:
        return code.decode(table.numbers(place, last), constants)
    except ParseError:
        pass  # raised again below, unless all its rows are gaps
    gaps = {}
    for position, row in enumerate(table.rows):
        text = gap(row[place:last], lambda number: code.decode(np.array([[float(number)]]), constants)[0])
        if text is not None:
            gaps[position] = text
    rest = iter(code.decode(table.without(gaps).numbers(place, last), constants))
    return [gaps[position] if position in gaps else next(rest) for position in range(len(table.rows))]


def _checked_words(table: WordTable, place: int, attribute: Attribute, gap: Gap) -> Sequence[str]:
    """Return one column of values. Raises ParseError for an invalid value, unless it is a gap."""
    words = table.column(place)
    categories = attribute.range.categories or ()
    known = set(categories)
    numeric = attribute.range.kind != "categorical"
    if numeric and table.is_finite:
        return words
    for position, word in enumerate(words):
        if word in known or (numeric and is_number(word)) or gap([word], str) is not None:
            continue
        expected = f"a number for {attribute.name}" if numeric else f"one of {' '.join(categories)}"
        raise table.fault(position, expected, repr(word))
    return words
