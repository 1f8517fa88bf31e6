"""Records of the standard losses, one per letter; their functions are in `losses.functions`.

Commands, checks, pages and documentation take all lists of letters from this registry. Lower losses are
better. The module imports nothing that is slow to load.

Source: DELVE manual, sections 5.2 (Figure 5.1) and 8.3."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf

from delvecore.measures import Baseline, Measure
from delvecore.model import CATEGORICAL_TYPES, DISCRETE_TYPES, TYPES

TEST_SET_STATS_LOSSES = "LQAZS"
"""Letters in DELVE 1.1's file `Test-set-stats`, in the order of its lines. New losses have no line."""


@dataclass(frozen=True, kw_only=True)
class Loss(Measure):
    """Loss of single test cases: a standard loss, a loss with a penalty for no guess, or a loss matrix.

    Attributes
    ----------
    name : str
        Name in the output of commands.
    letter : str or None
        Standard loss, without a penalty. A capital, but not M or N, since names of loss matrices start with M
        and penalties end with N. None for a matrix.
    explanation : str
        Description of the loss of a test case, in a sentence.
    of : str
        The judged prediction, in words.
    preference : int
        Rank among the losses by frequency of use, from 1.
    types : tuple of str
        Types of targets that allow the loss.
    predictions : tuple of str
        Kinds of prediction files for it, the preferred kind first.
    point : str or None
        Point of a distribution with the lowest loss: mean, median or mode. None for losses of distributions.
    single_target : bool
        Whether it needs a single target.
    most : float
        Largest loss of a test case for one target; infinite without a bound.
    is_logarithmic : bool
        Whether it is a log probability. Such a loss may be infinite, and its standardizer is added instead of
        divided by. Censored targets count by the probability of all values beyond their bound.
    share_statistic : callable or None
        Standardizer of targets whose values have these positive shares. None for numbers only.
    penalty : float or None
        Loss of making no guess.
    matrix : str or None
        Name of the file of a loss matrix.
    """

    name: str
    letter: str | None
    explanation: str
    of: str = "a category"
    preference: int = 0
    types: tuple[str, ...] = ("integer", "real")
    predictions: tuple[str, ...] = ("guess",)
    point: str | None = None
    single_target: bool = False
    most: float = inf
    is_logarithmic: bool = False
    share_statistic: Callable[[Sequence[float]], float] | None = None
    penalty: float | None = None
    matrix: str | None = None

    @property
    def is_standard(self) -> bool:
        return self.key == self.letter

    def allows(self, types: Iterable[str]) -> bool:
        """Do targets of these types allow the loss?"""
        types = tuple(types)
        return set(types) <= set(self.types) and (len(types) == 1 or not self.single_target)

    def constant(self, baselines: Iterable[float | None]) -> float | None:
        """Return the standardizer of this loss, from those of its letter for each target (`Test-set-stats`).

        Standardizers of several targets are added. None without targets, or if one is undefined. The baseline
        makes, for each target, the best constant guess, or no guess if a penalty allows it and costs less."""
        limit = inf if self.penalty is None else self.penalty
        values = list(baselines)
        known = [min(value, limit) for value in values if value is not None]
        return sum(known) if known and len(known) == len(values) else None


def _share_of_others(shares: Sequence[float]) -> float:
    return 1 - max(shares)


def _gini_impurity(shares: Sequence[float]) -> float:
    return 1 - math.fsum(share * share for share in shares)


def _negative_entropy(shares: Sequence[float]) -> float:
    return math.fsum(share * math.log(share) for share in shares)


LOSS_SPECS = {
    loss.key: loss
    for loss in (
        Loss(
            "S",
            "Squared error",
            name="Squared error",
            letter="S",
            explanation="Squared distance between guess and target.",
            of="a number",
            baseline=Baseline(1.0, "predicting the mean"),
            best=0.0,
            preference=1,
            point="mean",
        ),
        Loss(
            "A",
            "Absolute error",
            name="Absolute error",
            letter="A",
            explanation="Distance between guess and target.",
            of="a number",
            baseline=Baseline(1.0, "predicting the median"),
            best=0.0,
            preference=3,
            point="median",
        ),
        Loss(
            "Z",
            "0-1 loss",
            name="Zero-one",
            letter="Z",
            explanation="0 for a right guess, 1 for a wrong one; the mean is the error rate.",
            of="a category or whole number",
            baseline=Baseline(1.0, "guessing the most frequent class"),
            best=0.0,
            preference=2,
            types=DISCRETE_TYPES,
            point="mode",
            most=1.0,
            share_statistic=_share_of_others,
        ),
        Loss(
            "Q",
            "Squared probability",
            name="Squared Probability",
            letter="Q",
            explanation="Squared distance between the predicted probabilities and the actual class.",
            of="a distribution over categories",
            baseline=Baseline(1.0, "predicting the class frequencies"),
            best=0.0,
            preference=4,
            types=CATEGORICAL_TYPES,
            predictions=("prob",),
            single_target=True,
            most=2.0,
            share_statistic=_gini_impurity,
        ),
        Loss(
            "L",
            "Negative log probability",
            name="Negative Log probability",
            letter="L",
            explanation="Minus the natural logarithm of the predicted probability or density of the target.",
            of="a distribution or density",
            baseline=Baseline(0.0, "ignoring the inputs"),
            preference=5,
            types=TYPES,
            predictions=("prob", "ptarg"),
            is_logarithmic=True,
            share_statistic=_negative_entropy,
        ),
    )
}
"""Records of losses by letter, losses of numbers first."""
LOSSES = "".join(sorted(LOSS_SPECS))
"""The letters of all standard losses, alphabetically."""
PREFERRED = "".join(sorted(LOSS_SPECS, key=lambda letter: LOSS_SPECS[letter].preference))
"""The letters by frequency of use."""
GUESS_LOSSES = "".join(letter for letter in LOSSES if LOSS_SPECS[letter].point)
"""The standard losses of guesses (Figure 5.1), which may have a penalty for no guess."""
