"""Loss matrices: what each guess of a categorical target costs. Source: DELVE manual, section 5.3."""

from collections.abc import Sequence
from typing import NamedTuple

from delvecore.errors import ParseError
from delvecore.numerals.numbers import is_number
from delvecore.readers.lines import token_lines

__all__ = ["LossMatrix", "parse_loss_matrix"]


class LossMatrix(NamedTuple):
    """values: of the target, in the order of the dataset's specification; losses: a tuple a guess, in this
    order, of the loss for each true value; no_guess: the loss of making none for each true value, or None
    where a guess must be made."""

    values: tuple[str, ...]
    losses: tuple[tuple[float, ...], ...]
    no_guess: tuple[float, ...] | None


def parse_loss_matrix(text: str, source: str, *, values: Sequence[str]) -> LossMatrix:
    """Return the LossMatrix of a file for a target with these values.

    A line a guess, holding a loss for each true value, and perhaps one more line for making no guess; a `#`
    starts a comment. Losses are not negative, and zero where the guess is right. Raises ParseError.
    """
    rows: list[tuple[float, ...]] = []
    number: int | None = None
    for number, words in token_lines(text):
        if len(rows) > len(values):
            expected = f"{len(values)} lines, one a guess, and at most one for no guess"
            raise _fault(source, number, expected, "more")
        rows.append(_row(words, len(rows), values, source, number))
    if len(rows) < len(values):
        expected = f"a line for each guess, {' '.join(values)}"
        raise _fault(source, number, expected, f"{len(rows)} lines" if len(rows) != 1 else "1 line")
    no_guess = rows[len(values)] if len(rows) > len(values) else None
    return LossMatrix(tuple(values), tuple(rows[: len(values)]), no_guess)


def _row(
    words: Sequence[str], place: int, values: Sequence[str], source: str, number: int
) -> tuple[float, ...]:
    if len(words) != len(values):
        raise _fault(source, number, f"a loss for each true value, {' '.join(values)}", f"{len(words)}")
    for word in words:
        if not is_number(word) or float(word) < 0:
            raise _fault(source, number, "a loss, a number that is not negative", repr(word))
    row = tuple(abs(float(word)) for word in words)  # -0 is written 0
    if place < len(values) and row[place] != 0:
        raise _fault(source, number, f"0 for the right guess of {values[place]}", repr(words[place]))
    return row


def _fault(source: str, number: int | None, expected: str, found: str) -> ParseError:
    return ParseError(source, number, expected, found, kind="specification")
