"""Functions of the standard losses; losses of guesses in files, penalties, loss matrices.

Losses of guesses have guesses and targets as arguments, both of shape (cases, targets), in the unit of the
targets. Losses of several targets are added. Losses of distributions have rows of probabilities as arguments,
shape (cases, values), which sum to one, and the position of the true value in each row, int of shape
(cases,). Both return float64 of shape (cases,), and raise ValueError for other shapes.

Guesses and true targets of files are words, a list per target. Source: manual, sections 5.2 and 5.3."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from delvecore.errors import Fault
from delvecore.losses.spec import NO_GUESS, known_loss
from delvecore.losses.standard_losses import Loss
from delvecore.model import CATEGORICAL_TYPES, Attribute, Prototask
from delvecore.number_format.columns import CodeColumn, numbers_of
from delvecore.number_format.numbers import plain_category
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.results import LossMatrix, parse_loss_matrix

LossFunction = Callable[[np.ndarray, np.ndarray], np.ndarray]
LOSS_FUNCTIONS: dict[str, LossFunction] = {}
"""{letter: its function}."""


def standard_loss(letter: str) -> Callable[[LossFunction], LossFunction]:
    """Register the function of a record of `LOSS_SPECS`. Raises ValueError for a letter that is taken."""

    def register(function: LossFunction) -> LossFunction:
        if LOSS_FUNCTIONS.setdefault(letter, function) is not function:
            raise ValueError(f"expected a new letter for {function.__name__}, got {letter!r}")
        return function

    return register


@standard_loss("S")
def squared_error(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Squared error loss, S: the squared differences, added over the targets.

    >>> squared_error(np.array([[1.0, 10.0]]), np.array([[3.0, 9.0]])).tolist()
    [5.0]
    """
    losses: np.ndarray = np.sum((_same(guesses, targets) - targets) ** 2, axis=1)
    return losses


@standard_loss("A")
def absolute_error(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Absolute error loss, A: the absolute differences, added over the targets.

    >>> absolute_error(np.array([[1.0, 10.0]]), np.array([[3.0, 9.0]])).tolist()
    [3.0]
    """
    losses: np.ndarray = np.sum(np.abs(_same(guesses, targets) - targets), axis=1)
    return losses


@standard_loss("Z")
def zero_one_loss(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Zero-one loss, Z: number of wrong guesses, of any dtype.

    >>> zero_one_loss(np.array([["yes"], ["no"]]), np.array([["yes"], ["yes"]])).tolist()
    [0.0, 1.0]
    """
    losses: np.ndarray = np.sum(_same(guesses, targets) != targets, axis=1).astype(np.float64)
    return losses


@standard_loss("Q")
def squared_probability_loss(probabilities: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Squared probability loss (Brier score), Q: squared distance from certainty of the true value, 0 to 2.
    Source: Brier (1950).

    >>> squared_probability_loss(np.array([[0.25, 0.25, 0.5]]), np.array([0])).tolist()
    [0.875]
    """
    certain = np.zeros_like(probabilities)
    certain[np.arange(len(targets)), targets] = 1.0
    losses: np.ndarray = np.sum((certain - probabilities) ** 2, axis=1)
    return losses


@standard_loss("L")
def log_probability_loss(probabilities: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Negative log probability loss, L: minus the natural logarithm of the target's probability.

    The loss of a probability of zero is infinite. Raises ValueError unless there is one row per target.

    >>> log_probability_loss(np.array([[0.25, 0.75], [1.0, 0.0]]), np.array([0, 1])).round(3).tolist()
    [1.386, inf]
    """
    if np.ndim(probabilities) != 2 or len(probabilities) != len(targets):
        raise ValueError(f"a row per case, got {np.shape(probabilities)} for {len(targets)} targets")
    return density_loss(probabilities[np.arange(len(targets)), targets])


def density_loss(densities: np.ndarray) -> np.ndarray:
    """Negative log density loss, L: minus the log of the density or probability of each true target.

    The loss of a density of zero is infinite.

    >>> density_loss(np.array([1.0, 0.5])).round(3).tolist()
    [0.0, 0.693]
    """
    with np.errstate(divide="ignore"):  # zero has a meaning here
        losses: np.ndarray = 0.0 - np.log(densities)
        return losses


def log_density_loss(log_densities: np.ndarray) -> np.ndarray:
    """L: minus the log probability or log density of the true targets."""
    return 0.0 - np.asarray(log_densities, dtype=np.float64)


def _same(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    if np.shape(guesses) != np.shape(targets) or np.ndim(targets) != 2:
        raise ValueError(f"shape (cases, targets) of both, got {np.shape(guesses)}, {np.shape(targets)}")
    return np.asarray(guesses)


def normalized_probabilities(probabilities: np.ndarray, *, logarithms: bool = False) -> np.ndarray:
    """Return rows of probabilities that sum to one.

    probabilities: shape (cases, values), not negative; logarithms: whether they are natural logs, with -inf
    allowed. The maximum of each row is subtracted first to prevent an overflow. Raises ValueError with the
    number (from 0) of the first row that is not a distribution."""
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
    """Return L of censored targets: minus the log of the probability of all values at or beyond the bound.

    probabilities: normalized rows; values: value of each column, float64, NaN for words; bounds: bound of
    each case, float64; signs: above zero if the target is at least the bound, below zero if at most."""
    limits = bounds[:, np.newaxis]
    beyond = np.where(signs[:, np.newaxis] > 0, values >= limits, values <= limits)
    return density_loss(np.minimum(np.sum(probabilities * beyond, axis=1), 1.0))


def read_loss_matrix(hierarchy: Hierarchy, prototask: Prototask, target: Attribute, loss: str) -> LossMatrix:
    """Return the matrix of a loss such as `Mcosts`, from the prototask's data directory.

    target: the categorical target. Lines and columns have the order of its values in the specification.
    Raises DelveError for an absent file, ParseError for invalid content, ValueError for a loss without a
    matrix."""
    name = known_loss(loss).matrix
    if name is None:
        raise ValueError(f"expected the loss of a matrix, such as Mcosts, got {loss!r}")
    path = hierarchy.find("data", prototask.dataset, prototask.name, name)
    if path is None:
        expected = f"the loss matrix {name} next to Prototask.spec"
        raise Fault(prototask.path, expected, "none", "add it or choose another loss")
    return parse_loss_matrix(read_text(path), path, values=target.range.categories or ())


def least_expected_loss(matrix: LossMatrix, counts: Mapping[str, float]) -> float | None:
    """Return the mean loss of the best constant guess, or of no guess, for true values with these counts.

    None without counts."""
    weights = np.array([counts.get(value, 0) for value in matrix.values], dtype=np.float64)
    if not weights.sum():
        return None
    return float(min(_rows(matrix) @ weights) / weights.sum())


def _rows(matrix: LossMatrix) -> np.ndarray:
    """Return the losses as an array with a row per guess, and a last row for no guess if it is permitted."""
    return np.array(matrix.losses if matrix.no_guess is None else (*matrix.losses, matrix.no_guess))


Columns = Sequence[Sequence[str]]
"""Words: a column per target."""
WHOLE = 1e-3
"""Largest distance of a right guess from an integer, since coding and decoding change the last digits."""


def guess_losses(
    loss: Loss, guesses: Columns, targets: Columns, attributes: Sequence[Attribute], types: Sequence[str]
) -> np.ndarray:
    """Return the loss of guesses of each case, the sum over several targets; lower is better.

    guesses, targets: columns of words; attributes, types: those of the targets. If the loss has a penalty, a
    guess may be `?`, which costs the penalty. Raises ValueError for the loss of a matrix."""
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
    """Return the loss of each case's guess in a loss matrix.

    Raises ValueError for a guess `?` without a line in the matrix, KeyError for a word that is not a value of
    the target."""
    guessed = value_places(guesses, (*matrix.values, NO_GUESS))
    if matrix.no_guess is None and (guessed == len(matrix.values)).any():
        raise ValueError("a guess for each case, because this loss matrix has no line for no guess")
    losses: np.ndarray = _rows(matrix)[guessed, value_places(targets, matrix.values)]
    return losses


def value_places(words: Iterable[str], values: Iterable[str]) -> np.ndarray:
    """Return the position of each word among values, int64. Raises KeyError for an unknown word."""
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
    """Return guesses and targets as arrays of shape (cases, targets): numbers, or words for 0-1 loss."""
    if loss.point != "mode":
        return [np.stack([numbers_of(words) for words in columns], axis=1) for columns in (guesses, targets)]
    pairs = [_comparable(*one) for one in zip(guesses, targets, attributes, types, strict=True)]
    return [np.array(columns, dtype=object).T for columns in zip(*pairs, strict=True)]


def _comparable(
    guesses: Sequence[str], targets: Sequence[str], attribute: Attribute, kind: str
) -> tuple[list[str], list[str]]:
    """Return guesses and targets as words that are equal if the guess is right.

    A guess close to a numeric target becomes its word, and `3.0` becomes the value `3` of an integer
    range."""
    if kind not in CATEGORICAL_TYPES:
        pairs = zip(guesses, targets, strict=True)
        near = [target if abs(float(guess) - float(target)) < WHOLE else guess for guess, target in pairs]
        return near, list(targets)
    if attribute.range.kind == "categorical":
        return list(guesses), list(targets)
    values = attribute.range.categories or ()
    guessed, true = ([plain_category(word, values) for word in words] for words in (guesses, targets))
    return guessed, true
