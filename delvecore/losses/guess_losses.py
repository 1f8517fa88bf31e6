"""What guesses cost: standard losses, no-guess penalties, loss matrices. Source: manual, sections 5.2, 5.3.

Guesses and true targets are words here, a list a target, as prediction files and targets give them.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from delvecore.losses.functions import GUESS_FUNCTIONS
from delvecore.losses.matrices import matrix_loss
from delvecore.losses.spec import NO_GUESS, Loss, LossSpec
from delvecore.model import CATEGORICAL_TYPES, Attribute
from delvecore.numerals.numbers import plain_category
from delvecore.numerals.text_columns import CodeColumn, numbers_of
from delvecore.readers.loss_matrix import LossMatrix

__all__ = ["guess_losses", "matrix_losses", "value_places"]

Columns = Sequence[Sequence[str]]
"""Words: a column a target."""
WHOLE = 1e-3
"""How far a guess of an integer may lie from it: coding and decoding with few digits move it a little."""


def guess_losses(
    loss: Loss,
    guesses: Columns,
    targets: Columns,
    attributes: Sequence[Attribute],
    types: Sequence[str],
) -> np.ndarray:
    """Return a loss of guesses of each case, the losses of several targets added; lower is better.

    guesses, targets: columns of words; attributes, types: of the targets. With a penalty a guess may be `?`
    and costs the penalty; without one it must not be.
    """
    spec = loss.spec
    if spec is None:
        raise ValueError(f"{loss.name} is given by a matrix: see `matrix_losses`")
    function = GUESS_FUNCTIONS[spec.letter]
    if loss.penalty is None:
        return function(*_prepared(spec, guesses, targets, attributes, types))
    losses = np.zeros(len(targets[0]))
    for guess, target, attribute, kind in zip(guesses, targets, attributes, types, strict=True):
        made = np.array([word != NO_GUESS for word in guess], dtype=bool)
        some_guesses, some_targets = (
            [[word for word, is_made in zip(words, made, strict=True) if is_made]]
            for words in (guess, target)
        )
        losses[~made] += loss.penalty
        if made.any():
            losses[made] += function(*_prepared(spec, some_guesses, some_targets, [attribute], [kind]))
    return losses


def matrix_losses(matrix: LossMatrix, guesses: Sequence[str], targets: Sequence[str]) -> np.ndarray:
    """Return what a loss matrix says of each case's guess, which may be `?` if the matrix has a line for it.

    Raises ValueError for such a guess otherwise, KeyError for a word that is no value.
    """
    guessed = value_places(guesses, (*matrix.values, NO_GUESS))
    guessed[guessed == len(matrix.values)] = -1
    return matrix_loss(matrix, guessed, value_places(targets, matrix.values))


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
    spec: LossSpec,
    guesses: Columns,
    targets: Columns,
    attributes: Sequence[Attribute],
    types: Sequence[str],
) -> list[np.ndarray]:
    """Return guesses and targets as arrays of shape (cases, targets): numbers, or words where guesses are
    right or wrong."""
    if spec.point != "mode":
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
