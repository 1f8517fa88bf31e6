"""Small files of losses and results: loss matrices, losses, statistics, constants, costs; `loss_files` reads
thousands of loss files at once. Source: DELVE manual, sections 5.3, 7.4, 7.5 and 8.3."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from delvecore.errors import Report, raise_error, result_fault, spec_fault
from delvecore.losses.spec import is_baseline, is_logarithmic, loss_limits
from delvecore.losses.standard_losses import LOSS_SPECS, TEST_SET_STATS_LOSSES
from delvecore.model import Prototask
from delvecore.number_format.numbers import is_number, whole_number
from delvecore.readers.lines import token_lines

COSTS = "Costs"
UNDEFINED = "undefined"
INFINITE = ("inf", "+inf", "infinity")


def parse_losses(text: str, source: str, *, loss: str, prototask: Prototask | None = None) -> list[float]:
    """Return the losses of one instance, one number a line, as a list of floats. Log-probability losses may
    be infinite (`Inf`: the target had probability zero); anything else that is not a number, `nan` included,
    and what lies outside `loss_limits`, raises ParseError with its line. prototask: that of the instance, if
    known."""
    limits = low, high = loss_limits(loss, prototask)
    try:
        values = list(map(float, filter(None, text.split("\n"))))
        total = sum(values)
        if (
            total - total == 0
            and "_" not in text
            and (not values or low <= min(values) <= max(values) <= high)
        ):
            return values
    except ValueError:
        pass  # the slow path below names the line
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), start=1))
    return [_loss(line, number, source, loss, limits) for number, line in lines if line]


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
    """Return {loss letter: value of each target} from `Test-set-stats`; None stands for `undefined`.

    Surplus `undefined` entries, which DELVE 1.1 writes behind the L values of numeric targets, are dropped:
    L has as many values as the other losses."""
    found: dict[str, list[str]] = {}
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
        found[letter] = words
    targets = max((len(words) for letter, words in found.items() if not is_logarithmic(letter)), default=None)
    return {
        letter: tuple(None if word == UNDEFINED else float(word) for word in _without_surplus(words, targets))
        for letter, words in found.items()
    }


def _without_surplus(words: list[str], targets: int | None) -> list[str]:
    """Return the values of a line without surplus `undefined`. targets: how many there are, None where
    no other line says so."""
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
    """Of one instance. seconds: of the processor, for learning and predicting; megabytes: of memory;
    testing_seconds: for predicting alone. None where it is not known."""

    seconds: float
    megabytes: float | None = None
    testing_seconds: float | None = None


def parse_costs(text: str, source: str, *, report: Report = raise_error) -> dict[int, Cost]:
    """Return {instance: Cost} from `Costs`, which `delve run` writes; files of earlier versions do not have
    the last number. report receives a ParseError for each line that is no cost."""
    found: dict[int, Cost] = {}
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
        found[instance] = Cost(seconds, megabytes, *rest)
    return found


def _cost(word: str) -> float | None:
    """Return a number that is not negative, None for `-`; ValueError for anything else."""
    if word == "-":
        return None
    if not is_number(word) or float(word) < 0:
        raise ValueError(word)
    return float(word)


class LossMatrix(NamedTuple):
    """values: of the target, in the order of the dataset's specification; losses: a tuple a guess, in this
    order, of the loss for each true value; no_guess: the loss of making none for each true value, or None
    where a guess must be made."""

    values: tuple[str, ...]
    losses: tuple[tuple[float, ...], ...]
    no_guess: tuple[float, ...] | None


def parse_loss_matrix(text: str, source: str, *, values: Sequence[str]) -> LossMatrix:
    """Return the LossMatrix of a file for a target with these values. A line a guess, holding a loss for each
    true value, and perhaps one more line for making no guess; a `#` starts a comment. Losses are not
    negative, and zero where the guess is right. Raises ParseError."""
    rows: list[tuple[float, ...]] = []
    number: int | None = None
    for number, words in token_lines(text):
        if len(rows) > len(values):
            expected = f"{len(values)} lines, one a guess, and at most one for no guess"
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
