"""Files of losses and results: loss matrices, losses, statistics, constants, costs.

Thousands of loss files are read in one vectorized parse. A slow parser, which reports lines, reads files with
blank lines, other line ends, words, infinities or faults. Source: DELVE manual, sections 5.3, 7.4, 7.5 and
8.3.
"""

from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from delvecore.errors import Report, attempt, raise_error, result_fault, spec_fault
from delvecore.losses.spec import is_baseline, is_logarithmic, loss_limits
from delvecore.losses.standard_losses import LOSS_SPECS, TEST_SET_STATS_LOSSES
from delvecore.model import Prototask
from delvecore.number_format.columns import parse_numbers
from delvecore.number_format.numbers import is_number, whole_number
from delvecore.readers.files import read_bytes, text_of
from delvecore.readers.lines import token_lines

COSTS = "Costs"
UNDEFINED = "undefined"
INFINITE = ("inf", "+inf", "infinity")


def parse_losses(text: str, source: str, *, loss: str, prototask: Prototask | None = None) -> list[float]:
    """Return the losses of one instance, one number per line.

    Raises ParseError, with its line, for text that is not a number (except `Inf` in log-probability losses)
    and for numbers outside `loss_limits`.
    """
    numbered = ((number, line.strip()) for number, line in enumerate(text.splitlines(), start=1))
    lines = [(number, line) for number, line in numbered if line]
    limits = loss_limits(loss, prototask, test_cases=len(lines))
    return [_loss(line, number, source, loss, limits) for number, line in lines]


def _loss(word: str, number: int, source: str, loss: str, limits: tuple[float, float]) -> float:
    if is_logarithmic(loss) and word.lower() in INFINITE:
        return inf
    if not is_number(word):
        raise result_fault(source, number, "one loss, a finite number", repr(word))
    low, high = limits
    if not low <= float(word) <= high:
        expected = "that is not negative" if high == inf else f"from {low:g} to {high:g}"
        raise result_fault(source, number, f"a loss {expected}", repr(word), "make it again with mloss")
    return float(word)


def parse_test_set_stats(
    text: str, source: str, *, report: Report = raise_error
) -> dict[str, tuple[float | None, ...]]:
    """Return {loss letter: value of each target} from `Test-set-stats`; None represents `undefined`.

    DELVE 1.1 writes extra `undefined` entries after the L values of numeric targets. They are dropped: L has
    as many values as the other losses.
    """
    words_by_letter: dict[str, list[str]] = {}
    for number, (letter, *words) in token_lines(text):
        if letter not in TEST_SET_STATS_LOSSES or not words:
            letters = " ".join(letter for letter in LOSS_SPECS if letter in TEST_SET_STATS_LOSSES)
            expected = f"a loss letter ({letters}) and its values"
            report(result_fault(source, number, expected, repr(" ".join([letter, *words]))))
            continue
        bad = [word for word in words if not is_number(word) and word != UNDEFINED]
        if bad:
            report(result_fault(source, number, f"a number or {UNDEFINED!r}", repr(bad[0])))
            continue
        bad = [word for word in words if is_number(word) and not is_baseline(letter, float(word))]
        if bad:
            expected = "a positive number to divide losses by"
            report(result_fault(source, number, expected, repr(bad[0]), "run mgendata again"))
            continue
        words_by_letter[letter] = words
    targets = max(
        (len(words) for letter, words in words_by_letter.items() if not is_logarithmic(letter)), default=None
    )
    return {
        letter: tuple(None if word == UNDEFINED else float(word) for word in _without_surplus(words, targets))
        for letter, words in words_by_letter.items()
    }


def _without_surplus(words: list[str], targets: int | None) -> list[str]:
    """Return a line's values without extra `undefined`. `targets` is their number, None if no other line
    shows it."""
    known = [word for word in words if word != UNDEFINED]
    if targets is None or len(known) == targets:
        return known or words[:1]
    return words[:targets] if set(words[targets:]) <= {UNDEFINED} else words


CONSTANTS = ("mean", "stdDev", "median", "absDev")


def parse_normalization(text: str, source: str) -> dict[int, dict[str, float]]:
    """Return {attribute number: {constant: value}} from `normalize.n`. The constants are mean, stdDev, median
    and absDev, each on a line `normalization options CONSTANT ATTRIBUTE VALUE`. Raises ParseError."""
    constants: dict[int, dict[str, float]] = {}
    for number, words in token_lines(text):
        if len(words) != 5 or words[:2] != ["normalization", "options"] or not is_number(words[4]):
            expected = "'normalization options CONSTANT ATTRIBUTE VALUE'"
            raise result_fault(source, number, expected, repr(" ".join(words)))
        if words[2] not in CONSTANTS or whole_number(words[3]) is None:
            expected = "mean, stdDev, median or absDev of an attribute's number"
            raise result_fault(source, number, expected, repr(" ".join(words[2:4])))
        constants.setdefault(int(words[3]), {})[words[2]] = float(words[4])
    return constants


class Cost(NamedTuple):
    """Costs of one instance.

    Attributes
    ----------
    seconds : float
        Processor time in seconds, for learning and predicting.
    megabytes : float or None
        Memory in megabytes.
    testing_seconds : float or None
        Processor time for predicting alone, None if unknown.
    """

    seconds: float
    megabytes: float | None = None
    testing_seconds: float | None = None


def parse_costs(text: str, source: str, *, report: Report = raise_error) -> dict[int, Cost]:
    """Return {instance: Cost} from `Costs`, which `delve run` writes.

    Files of earlier versions do not have the last number. `report` receives a ParseError for each invalid
    line.
    """
    costs: dict[int, Cost] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            instance, seconds, megabytes, *rest = whole_number(words[0]), *map(_cost, words[1:])
        except ValueError:
            instance, seconds, megabytes, rest = None, None, None, []
        if instance is None or seconds is None or len(rest) > 1:
            form = "a line 'INSTANCE SECONDS MEGABYTES TESTING-SECONDS'"
            report(result_fault(source, number, form, repr(" ".join(words)), "run it again"))
            continue
        costs[instance] = Cost(seconds, megabytes, *rest)
    return costs


def _cost(word: str) -> float | None:
    """Return a number that is not negative, None for `-`. Raises ValueError for anything else."""
    if word == "-":
        return None
    if not is_number(word) or float(word) < 0:
        raise ValueError(word)
    return float(word)


class LossMatrix(NamedTuple):
    """Losses of guesses for each true value.

    Attributes
    ----------
    values : tuple of str
        Values of the target, in the specification's order.
    losses : tuple of tuple of float
        One tuple per guess, with the loss for each true value.
    no_guess : tuple of float or None
        Loss of no guess for each true value, or None.
    """

    values: tuple[str, ...]
    losses: tuple[tuple[float, ...], ...]
    no_guess: tuple[float, ...] | None


def parse_loss_matrix(text: str, source: str, *, values: Sequence[str]) -> LossMatrix:
    """Return the LossMatrix of a file: a line per guess with a loss for each true value, and perhaps one for
    no guess. Losses are not negative, and zero if the guess is right. Raises ParseError."""
    rows: list[tuple[float, ...]] = []
    number: int | None = None
    for number, words in token_lines(text):
        if len(rows) > len(values):
            expected = f"{len(values)} lines, one per guess, and at most one for no guess"
            raise spec_fault(source, number, expected, "more")
        rows.append(_row(words, len(rows), values, source, number))
    if len(rows) < len(values):
        expected = f"a line for each guess, {' '.join(values)}"
        raise spec_fault(source, number, expected, f"{len(rows)} lines" if len(rows) != 1 else "1 line")
    no_guess = rows[len(values)] if len(rows) > len(values) else None
    return LossMatrix(tuple(values), tuple(rows[: len(values)]), no_guess)


def _row(words: list[str], place: int, values: Sequence[str], source: str, number: int) -> tuple[float, ...]:
    if len(words) != len(values):
        raise spec_fault(source, number, f"a loss for each true value, {' '.join(values)}", f"{len(words)}")
    for word in words:
        if not is_number(word) or float(word) < 0:
            raise spec_fault(source, number, "a loss, a number that is not negative", repr(word))
    row = tuple(abs(float(word)) for word in words)  # -0 is written 0
    if place < len(values) and row[place] != 0:
        raise spec_fault(source, number, f"0 for the right guess of {values[place]}", repr(words[place]))
    return row


BATCH_BYTES = 1 << 26
Losses = NDArray[np.float64]
NEWLINE = ord("\n")
PLAIN = b"0123456789.+-eE\n"
"""The only bytes of a plain loss file. Only the newline ends a row, so counting newlines proves where each
file of a batch begins. A file with any other byte is read by itself."""


def read_loss_files(
    paths: Sequence[str], losses: Sequence[str], prototasks: Sequence[Prototask | None], *, report: Report
) -> list[Losses | None]:
    """Return the losses of each file as a float64 array, None for unusable files, which are reported.

    `losses` and `prototasks` have the loss of each file, and its prototask if known.
    """
    results: list[Losses | None] = [None] * len(paths)
    for batch, contents in _batches(paths, report):
        rules = [(losses[index], prototasks[index]) for index in batch]
        for index, data, array in zip(batch, contents, _parse_together(contents, rules), strict=True):
            if array is None:
                array = attempt(report, _parse_alone, data, paths[index], losses[index], prototasks[index])
            results[index] = array
    return results


Rule = tuple[str, Prototask | None]
"""The loss of a file, and its prototask if known."""


def _limits(rules: Sequence[Rule], counts: np.ndarray) -> np.ndarray:
    """Return `loss_limits` of each file, shape (files, 2), computed once for files that share them."""
    keys = [(loss, id(prototask), n) for (loss, prototask), n in zip(rules, counts.tolist(), strict=True)]
    distinct = dict(zip(keys, rules, strict=True))
    limits = {key: loss_limits(*rule, test_cases=key[2]) for key, rule in distinct.items()}
    return np.array([limits[key] for key in keys])


def _batches(paths: Sequence[str], report: Report) -> Iterator[tuple[list[int], list[bytes]]]:
    """Yield the positions and contents of readable files, in batches with a limited number of bytes."""
    batch, contents, size = list[int](), list[bytes](), 0
    for index, path in enumerate(paths):
        data = attempt(report, read_bytes, path)
        if data is None:
            continue
        batch.append(index)
        contents.append(data)
        size += len(data)
        if size > BATCH_BYTES:
            yield batch, contents
            batch, contents, size = [], [], 0
    if batch:
        yield batch, contents


def _parse_together(contents: Sequence[bytes], rules: Sequence[Rule]) -> list[Losses | None]:
    """Return one array per file from a single parse; None in place of those that need the slow parser."""
    whole = [data if data.endswith(b"\n") or not data else data + b"\n" for data in contents]
    bytes_of = (np.frombuffer(data, dtype=np.uint8) for data in whole)
    counts = np.array([np.count_nonzero(one == NEWLINE) for one in bytes_of])
    values = None
    if counts.all() and not any(data.translate(None, PLAIN) for data in whole):
        columns = parse_numbers(b"".join(whole), 1)
        values = columns[0] if columns else None
    if values is not None and len(values) == counts.sum():
        starts = np.cumsum(counts) - counts
        least, most = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
        limits = _limits(rules, counts)
        inside = (least >= limits[:, 0]) & (most <= limits[:, 1]) & np.isfinite(least) & np.isfinite(most)
        pieces = np.split(values, starts[1:])
        return [piece if good else None for piece, good in zip(pieces, inside.tolist(), strict=True)]
    if len(contents) == 1:
        return [None]
    middle = len(contents) // 2  # isolates the bad file, so that it does not slow the others
    parts = slice(None, middle), slice(middle, None)
    return [array for part in parts for array in _parse_together(contents[part], rules[part])]


def _parse_alone(data: bytes, path: str, loss: str, prototask: Prototask | None) -> Losses:
    values = parse_losses(text_of(data, path), path, loss=loss, prototask=prototask)
    if not values:
        raise result_fault(path, 1, "losses, one per line", "an empty file", "make it again")
    return np.array(values)
