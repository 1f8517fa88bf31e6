"""The questions beyond ranks, by the words that ask them; nothing here is slow to import."""

from typing import NamedTuple

from delvecore.losses.spec import metric_of
from delvecore.stats.choose import DEFAULT_ADJUSTMENT, level_of

__all__ = [
    "DEFAULT_MARGIN",
    "MOST_PAIRS",
    "MOST_TESTS",
    "OF_AN_ARCHIVE",
    "OF_SINGLE_TASKS",
    "QUESTIONS",
    "REGIONS",
    "Asked",
]
__all__ += ["region_words"]

DEFAULT_MARGIN = 0.01
"""Of standardized losses, a hundredth of what predicting the mean loses: practically none."""
REGIONS = (DEFAULT_MARGIN, 0.002, 0.005, 0.02, 0.05, 0.1)
"""What pages offer beside."""
MOST_PAIRS = 1000
"""So many pairs of methods, those of 45, JSON lists where nobody asks for them."""
MOST_TESTS = 500_000
"""So many pairs times tasks are tested one by one where nobody asks for them."""
OF_SINGLE_TASKS = ("best", "same")
QUESTIONS = {
    "leaderboard": "who wins, by how much and at what cost",
    "pairs": "p of all pairs by Holm's, Shaffer's and Bergmann and Hommel's procedures",
    "effects": "standardized differences, rank-biserial correlations, Cliff's delta",
    "equivalence": "which methods are as good as each other over the tasks",
    "hierarchy": "Bayesian hierarchical comparison: better, practically the same, or worse on the next task",
    "regret": "on which share of the tasks each method is near the best",
    "strengths": "strengths in duels (Bradley and Terry)",
    "iqm": "means of the middle half of the losses",
    "improvement": "how probably one method beats another after a training set",
    "front": "which methods are worth their cost",
    "best": "on each task: which methods may be the best",
    "same": "on each task: which methods are as good as each other",
}
"""What each word asks."""
OF_AN_ARCHIVE = ("hierarchy", "iqm", "improvement", "front", *OF_SINGLE_TASKS)


class Asked(NamedTuple):
    """question: one of QUESTIONS; loss: of an archive; margin: half the width of the region in which methods
    are practically the same; adjust: how p is adjusted for all pairs."""

    question: str
    loss: str
    alpha: float
    margin: float
    adjust: str = DEFAULT_ADJUSTMENT

    @property
    def level(self) -> float:
        """The confidence."""
        return level_of(self.alpha)

    @property
    def measure(self) -> str:
        """What is compared, in words: a metric of scores has no other unit."""
        return measure_of(self.loss)


def measure_of(loss: str) -> str:
    """Return `standardized loss`; `loss` of a metric of scores, which has no other unit."""
    return "loss" if metric_of(loss) else "standardized loss"


def region_words(loss: str) -> str:
    """Say what a region of practical equivalence is in the unit of a loss."""
    hundredth = "; 0.01 is a hundredth of what predicting the mean loses"
    said = f"Differences of expected {measure_of(loss)}es up to this are practically none"
    return said if metric_of(loss) else said + hundredth
