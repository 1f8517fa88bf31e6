"""Tables of words as the values of targets: guesses, and true targets with what is unknown of them.

Source: DELVE manual, sections 3.3 (missing and censored values), 5.3 (no guess) and 7.5.
"""

from collections.abc import Callable, Sequence

import numpy as np

from delvecore.encoding.codings import code_of
from delvecore.encoding.codings.base import Code
from delvecore.encoding.normalization import Constants
from delvecore.errors import ParseError
from delvecore.losses.spec import NO_GUESS
from delvecore.losses.word_tables import WordTable
from delvecore.model import Attribute, Coding
from delvecore.numerals.numbers import is_number

__all__ = ["censored_parts", "decode_guesses", "decode_targets", "plain_guesses"]

Target = tuple[Attribute, Coding]
Gap = Callable[[Sequence[str], Callable[[str], str]], str | None]
"""Returns what words stand for if they are no value that can be decoded, else None."""


def decode_targets(
    table: WordTable, targets: list[Target], constants: dict[int, Constants]
) -> list[Sequence[str]]:
    """Return a table of coded true targets as values in text, a list a target.

    Missing values (`?why`) stay as they are; a censored one (`41:`), copied or marked, stays a bound. Raises
    ParseError for a word that its coding or attribute cannot have.
    """
    return _decode(table, targets, constants, _unknown_value)


def decode_guesses(
    table: WordTable, targets: list[Target], constants: dict[int, Constants]
) -> list[Sequence[str]]:
    """Return a table of coded guesses as values in text, a list a target.

    A target whose numbers are all `?` is not guessed: `?` stands for it. Raises ParseError for a word that
    its coding or attribute cannot have.
    """
    return _decode(table, targets, constants, _no_guess)


def plain_guesses(table: WordTable, targets: list[Target]) -> list[Sequence[str]]:
    """Return a table of guesses that are not coded, a list a target; otherwise as `decode_guesses`."""
    pairs = enumerate(targets)
    return [_checked_words(table, place, attribute, _no_guess) for place, (attribute, _) in pairs]


def censored_parts(word: str) -> tuple[str, str, str] | None:
    """Return (`:` or nothing, number, `:` or nothing) of a censored value such as `41:`, else None."""
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
    """gap: returns what the words of one target stand for if they are no value that can be decoded, else
    None; called with the words and a function that decodes a number."""
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
    width = len(code.column_names())

    def decode(codes: np.ndarray) -> Sequence[str]:
        return code.decode(codes, constants)

    try:
        return decode(table.numbers(place, place + width))
    except ParseError:
        return _with_gaps(table, place, width, decode, gap)


def _with_gaps(
    table: WordTable, place: int, width: int, decode: Callable[[np.ndarray], Sequence[str]], gap: Gap
) -> list[str]:
    """Decode a column of which some rows hold no numbers; other faults are raised again."""
    gaps = {}
    for position, row in enumerate(table.rows):
        text = gap(row[place : place + width], lambda number: decode(np.array([[float(number)]]))[0])
        if text is not None:
            gaps[position] = text
    rest = iter(decode(table.without(gaps).numbers(place, place + width)))
    return [gaps[position] if position in gaps else next(rest) for position in range(len(table.rows))]


def _checked_words(table: WordTable, place: int, attribute: Attribute, gap: Gap) -> Sequence[str]:
    """Return one column of values; ParseError where one is neither a value of the attribute nor, for a
    numeric range, a number, nor a gap."""
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
