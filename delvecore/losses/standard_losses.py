"""The standard losses, a letter each: what is known of a loss stands above its function.

Every list of letters comes from this registry: commands, checks, pages and tables of the documentation ask
it. Of all losses lower is better.

Losses of guesses take guesses and targets, both of shape (cases, targets), in the unit of the targets; those
of several targets are added. Losses of distributions take rows of probabilities that sum to one, of shape
(cases, values), and the place of the true value in each row, int of shape (cases,). Both return float64 of
shape (cases,), and raise ValueError where the shapes do not fit.

Source: DELVE manual, sections 5.2 (Figure 5.1) and 8.3."""

import math
from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from delvecore.model import CATEGORICAL_TYPES, DISCRETE_TYPES, TYPES

LossFunction = Callable[[np.ndarray, np.ndarray], np.ndarray]
TEST_SET_STATS_LOSSES = "LQAZS"
"""The letters in DELVE 1.1's file `Test-set-stats`, in the order of its lines. The format is finished: losses
that are added have no line there."""


class LossSpec(NamedTuple):
    """What is known of one standard loss."""

    letter: str
    """A capital, but not M or N, with which names of loss matrices start and penalties end."""
    name: str
    """In tables and in the output of commands."""
    page_name: str
    explanation: str
    of: str
    """The prediction that is judged, in words."""
    baseline: str
    """What the method does that standardizes the loss: it ignores the inputs."""
    preference: int
    """The loss that is wanted most often has 1."""
    types: tuple[str, ...] = ("integer", "real")
    """Of the targets that allow the loss."""
    predictions: tuple[str, ...] = ("guess",)
    """Kinds of prediction files that serve it, the first one where there is a choice."""
    point: str | None = None
    """Of a loss of guesses: the point of a distribution that loses least: mean, median or mode."""
    single_target: bool = False
    most: float = inf
    """What a test case can lose for one target, where there is a bound."""
    is_logarithmic: bool = False
    """Is it a log probability? Then what standardizes it is added, no divisor; it may be infinite; and
    censored targets count, by the probability of all values beyond their bound."""
    share_statistic: Callable[[Sequence[float]], float] | None = None
    """What standardizes it where targets have values with these shares, none zero; None for numbers."""

    @property
    def baseline_value(self) -> float:
        """What the baseline loses in units of itself."""
        return 0.0 if self.is_logarithmic else 1.0

    def allows(self, types: Iterable[str]) -> bool:
        """Do targets of these types allow the loss?"""
        types = tuple(types)
        return set(types) <= set(self.types) and (len(types) == 1 or not self.single_target)


LOSS_SPECS: dict[str, LossSpec] = {}
"""{letter: what is known of the loss}, losses of numbers first."""
LOSS_FUNCTIONS: dict[str, LossFunction] = {}
"""{letter: its function}."""


def standard_loss(spec: LossSpec) -> Callable[[LossFunction], LossFunction]:
    """Register a function as the standard loss of a record. Raises ValueError for a letter that is taken."""

    def register(function: LossFunction) -> LossFunction:
        if LOSS_SPECS.setdefault(spec.letter, spec) is not spec:
            raise ValueError(f"expected a letter of its own for {spec.name}, got {spec.letter!r}")
        LOSS_FUNCTIONS[spec.letter] = function
        return function

    return register


@standard_loss(
    LossSpec(
        letter="S",
        name="Squared error",
        page_name="Squared error",
        explanation="Squared distance between guess and target.",
        of="a number",
        baseline="predicting the mean",
        preference=1,
        point="mean",
    )
)
def squared_error(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Squared error loss, S: the squared differences, added over the targets.

    >>> squared_error(np.array([[1.0, 10.0]]), np.array([[3.0, 9.0]])).tolist()
    [5.0]
    """
    found: np.ndarray = np.sum((_same(guesses, targets) - targets) ** 2, axis=1)
    return found


@standard_loss(
    LossSpec(
        letter="A",
        name="Absolute error",
        page_name="Absolute error",
        explanation="Distance between guess and target.",
        of="a number",
        baseline="predicting the median",
        preference=3,
        point="median",
    )
)
def absolute_error(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Absolute error loss, A: the absolute differences, added over the targets.

    >>> absolute_error(np.array([[1.0, 10.0]]), np.array([[3.0, 9.0]])).tolist()
    [3.0]
    """
    found: np.ndarray = np.sum(np.abs(_same(guesses, targets) - targets), axis=1)
    return found


@standard_loss(
    LossSpec(
        letter="Z",
        name="Zero-one",
        page_name="0-1 loss",
        explanation="0 for a right guess, 1 for a wrong one; the mean is the error rate.",
        of="a category or whole number",
        baseline="guessing the most frequent class",
        preference=2,
        types=DISCRETE_TYPES,
        point="mode",
        most=1.0,
        share_statistic=lambda shares: 1 - max(shares),
    )
)
def zero_one_loss(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Zero-one loss, Z: how many guesses, of any dtype, are not the target.

    >>> zero_one_loss(np.array([["yes"], ["no"]]), np.array([["yes"], ["yes"]])).tolist()
    [0.0, 1.0]
    """
    found: np.ndarray = np.sum(_same(guesses, targets) != targets, axis=1).astype(np.float64)
    return found


@standard_loss(
    LossSpec(
        letter="Q",
        name="Squared Probability",
        page_name="Squared probability",
        explanation="Squared distance between the probabilities given and the class that came true.",
        of="a distribution over categories",
        baseline="predicting the class frequencies",
        preference=4,
        types=CATEGORICAL_TYPES,
        predictions=("prob",),
        single_target=True,
        most=2.0,
        share_statistic=lambda shares: 1 - math.fsum(share * share for share in shares),
    )
)
def squared_probability_loss(probabilities: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Squared probability loss (Brier score), Q: squared distance from certainty of the target, from 0 to 2.
    Source: Brier (1950).

    >>> squared_probability_loss(np.array([[0.25, 0.25, 0.5]]), np.array([0])).tolist()
    [0.875]
    """
    certain = np.zeros_like(probabilities)
    certain[np.arange(len(targets)), targets] = 1.0
    found: np.ndarray = np.sum((certain - probabilities) ** 2, axis=1)
    return found


@standard_loss(
    LossSpec(
        letter="L",
        name="Negative Log probability",
        page_name="Negative log probability",
        explanation="Minus the natural logarithm of the probability (density) that the method gave the "
        "target.",
        of="a distribution or density",
        baseline="ignoring the inputs",
        preference=5,
        types=TYPES,
        predictions=("prob", "ptarg"),
        is_logarithmic=True,
        share_statistic=lambda shares: math.fsum(share * math.log(share) for share in shares),
    )
)
def log_probability_loss(probabilities: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Negative log probability loss, L: minus the natural logarithm of the target's probability, infinite
    where that is zero. Raises ValueError unless there is one row for each target.

    >>> log_probability_loss(np.array([[0.25, 0.75], [1.0, 0.0]]), np.array([0, 1])).round(3).tolist()
    [1.386, inf]
    """
    if np.ndim(probabilities) != 2 or len(probabilities) != len(targets):
        raise ValueError(f"a row a case, got {np.shape(probabilities)} for {len(targets)} targets")
    return density_loss(probabilities[np.arange(len(targets)), targets])


def density_loss(densities: np.ndarray) -> np.ndarray:
    """Negative log density loss, L: minus the log of the density (or probability) of each true target,
    infinite where that is zero.

    >>> density_loss(np.array([1.0, 0.5])).round(3).tolist()
    [0.0, 0.693]
    """
    with np.errstate(divide="ignore"):  # zero has a meaning here
        found: np.ndarray = 0.0 - np.log(densities)
        return found


def log_density_loss(log_densities: np.ndarray) -> np.ndarray:
    """L: minus the log probability or log density of the true targets."""
    return 0.0 - np.asarray(log_densities, dtype=np.float64)


def _same(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    if np.shape(guesses) != np.shape(targets) or np.ndim(targets) != 2:
        raise ValueError(f"shape (cases, targets) of both, got {np.shape(guesses)}, {np.shape(targets)}")
    return np.asarray(guesses)


LOSSES = "".join(sorted(LOSS_SPECS))
"""The letters of all standard losses, alphabetically."""
PREFERRED = "".join(sorted(LOSS_SPECS, key=lambda letter: LOSS_SPECS[letter].preference))
"""The letters, the one that is wanted most often first."""
GUESS_LOSSES = "".join(letter for letter in LOSSES if LOSS_SPECS[letter].point)
"""The standard losses of guesses (Figure 5.1), to which a no-guess penalty may be added."""
