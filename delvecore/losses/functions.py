"""Losses of guesses as files have them, no-guess penalties and loss matrices; normalized probabilities.

Guesses and true targets are words, a list a target. Source: manual, sections 5.2 and 5.3."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from delvecore.errors import Fault
from delvecore.losses.spec import NO_GUESS, known_loss
from delvecore.losses.standard_losses import LOSS_FUNCTIONS, Loss, density_loss
from delvecore.model import CATEGORICAL_TYPES, Attribute, Prototask
from delvecore.number_format.columns import CodeColumn, numbers_of
from delvecore.number_format.numbers import plain_category
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.results import LossMatrix, parse_loss_matrix


def normalized_probabilities(probabilities: np.ndarray, *, logarithms: bool = False) -> np.ndarray:
    """Return rows of probabilities that sum to one.

    probabilities: shape (cases, combinations of target values), not negative; logarithms: natural logs (-inf
    allowed), from which each row's maximum is subtracted first, so that none overflows. Raises ValueError
    naming the first row (from 0) that holds no distribution."""
    rows = np.asarray(probabilities, dtype=np.float64)
    if logarithms:
        top = rows.max(axis=1, keepdims=True)
        rows = np.exp(rows - np.where(np.isfinite(top), top, 0.0))
    sums = rows.sum(axis=1)
    bad = ~((rows >= 0).all(axis=1) & (sums > 0) & np.isfinite(sums))
    if bad.any():
        raise ValueError(int(np.flatnonzero(bad)[0]))
    normalized: np.ndarray = rows / sums[:, np.newaxis]
    return normalized


def log_probability_beyond(
    probabilities: np.ndarray, values: np.ndarray, bounds: np.ndarray, signs: np.ndarray
) -> np.ndarray:
    """L of censored targets: minus the log of the probability of all values at or beyond the bound.
    probabilities: normalized rows; values: float64, that of each column, NaN for words; bounds: float64, of
    each case; signs: above zero where the target is at least the bound, below where it is at most."""
    limits = bounds[:, np.newaxis]
    beyond = np.where(signs[:, np.newaxis] > 0, values >= limits, values <= limits)
    return density_loss(np.minimum(np.sum(probabilities * beyond, axis=1), 1.0))


def read_loss_matrix(hierarchy: Hierarchy, prototask: Prototask, target: Attribute, loss: str) -> LossMatrix:
    """Return the matrix of a loss such as `Mcosts`, from the prototask's data directory.

    target: the categorical target, whose values in the order of the dataset's specification index lines and
    columns. Raises DelveError where the file is absent, ParseError where it is no such matrix, ValueError for
    a loss without one."""
    name = known_loss(loss).matrix
    if name is None:
        raise ValueError(f"expected the loss of a matrix, such as Mcosts, got {loss!r}")
    path = hierarchy.find("data", prototask.dataset, prototask.name, name)
    if path is None:
        expected = f"the loss matrix {name} beside Prototask.spec"
        raise Fault(prototask.path, expected, "none", "add it or ask for another loss")
    return parse_loss_matrix(read_text(path), path, values=target.range.categories or ())


def least_expected_loss(matrix: LossMatrix, counts: Mapping[str, float]) -> float | None:
    """What loses the best constant guess, or no guess at all, when the true values have these counts? None
    where no value was counted."""
    weights = np.array([counts.get(value, 0) for value in matrix.values], dtype=np.float64)
    if not weights.sum():
        return None
    return float(min(_rows(matrix) @ weights) / weights.sum())


def _rows(matrix: LossMatrix) -> np.ndarray:
    """Return the losses as an array, a line a guess, that of no guess last where there is one."""
    return np.array(matrix.losses if matrix.no_guess is None else (*matrix.losses, matrix.no_guess))


Columns = Sequence[Sequence[str]]
"""Words: a column a target."""
WHOLE = 1e-3
"""How far a guess of an integer may lie from it: coding and decoding with few digits move it a little."""


def guess_losses(
    loss: Loss, guesses: Columns, targets: Columns, attributes: Sequence[Attribute], types: Sequence[str]
) -> np.ndarray:
    """Return a loss of guesses of each case, the losses of several targets added; lower is better. guesses,
    targets: columns of words; attributes, types: of the targets. A guess may be `?` and costs the penalty,
    if there is one. Raises ValueError for a loss that a matrix gives."""
    if loss.letter is None:
        raise ValueError(f"{loss.key} is given by a matrix: see `matrix_losses`")
    function = LOSS_FUNCTIONS[loss.letter]
    if loss.penalty is None:
        return function(*_prepared(loss, guesses, targets, attributes, types))
    losses = np.zeros(len(targets[0]))
    for guess, target, attribute, kind in zip(guesses, targets, attributes, types, strict=True):
        made = np.array([word != NO_GUESS for word in guess], dtype=bool)
        some_guesses, some_targets = (
            [[word for word, is_made in zip(words, made, strict=True) if is_made]]
            for words in (guess, target)
        )
        losses[~made] += loss.penalty
        if made.any():
            losses[made] += function(*_prepared(loss, some_guesses, some_targets, [attribute], [kind]))
    return losses


def matrix_losses(matrix: LossMatrix, guesses: Sequence[str], targets: Sequence[str]) -> np.ndarray:
    """Return what a loss matrix says of each case's guess, which may be `?` if the matrix has a line for it.
    Raises ValueError for such a guess otherwise, KeyError for a word that is no value."""
    guessed = value_places(guesses, (*matrix.values, NO_GUESS))
    if matrix.no_guess is None and (guessed == len(matrix.values)).any():
        raise ValueError("guesses only: this loss matrix does not allow to make none")
    losses: np.ndarray = _rows(matrix)[guessed, value_places(targets, matrix.values)]
    return losses


def value_places(words: Iterable[str], values: Iterable[str]) -> np.ndarray:
    """Return the place of each word among values, int64; KeyError for one that is none of them."""
    places = {value: place for place, value in enumerate(values)}
    if isinstance(words, CodeColumn):
        used = np.unique(words.places).tolist()
        table = np.zeros(len(words.table), dtype=np.int64)
        table[used] = [places[plain_category(words.table[place], places)] for place in used]
        return table[words.places]
    return np.array([places[plain_category(word, places)] for word in words], dtype=np.int64)


def _prepared(
    loss: Loss, guesses: Columns, targets: Columns, attributes: Sequence[Attribute], types: Sequence[str]
) -> list[np.ndarray]:
    """Return guesses and targets as arrays of shape (cases, targets): numbers, or words where guesses are
    right or wrong."""
    if loss.point != "mode":
        return [np.stack([numbers_of(words) for words in columns], axis=1) for columns in (guesses, targets)]
    pairs = [_comparable(*one) for one in zip(guesses, targets, attributes, types, strict=True)]
    return [np.array(columns, dtype=object).T for columns in zip(*pairs, strict=True)]


def _comparable(
    guesses: Sequence[str], targets: Sequence[str], attribute: Attribute, kind: str
) -> tuple[list[str], list[str]]:
    """Return guesses and targets so that equal ones are equal words: a guess of an integer that is near
    enough becomes the word of its target, and `3.0` is the value `3` of an integer range."""
    if kind not in CATEGORICAL_TYPES:
        pairs = zip(guesses, targets, strict=True)
        near = [target if abs(float(guess) - float(target)) < WHOLE else guess for guess, target in pairs]
        return near, list(targets)
    if attribute.range.kind == "categorical":
        return list(guesses), list(targets)
    values = attribute.range.categories or ()
    guessed, true = ([plain_category(word, values) for word in words] for words in (guesses, targets))
    return guessed, true
