"""The Bayesian signed-rank test: which of two methods is better on a new task, by a Dirichlet process.

The difference on a new task has the distribution sum w_i delta(z_i) over the differences seen and one of
zero; the weights w are those of independent gamma numbers. For each draw of weights the chances that the sum
of two such differences lies below, in or above the region are compared. From `DRAWN_BELOW` tasks on, the
three chances are taken as jointly normal, which is as exact as the draws are. Source: Benavoli and others
2014, ICML 32, and 2017, JMLR 18(77), section 4.2.
"""

import numpy as np

from delvecore.statistics.ranking.pair_scan import PairChunks
from delvecore.statistics.ranking.posteriors import PairPosterior, check_rope, without_region
from delvecore.statistics.ranking.rounding_noise import task_decimals, without_noise
from delvecore.statistics.ranking.score_table import ScoreTable
from delvecore.statistics.ranking.signed_rank_chance import chance_of_negative
from delvecore.statistics.ranking.signed_rank_region import chances_of_region

__all__ = ["DRAWN_BELOW", "DRAWS", "PRIOR", "bayesian_signed_rank"]

DRAWS = 10_000
DRAWN_BELOW = 100
"""From so many tasks on, nothing is drawn from the weights."""
PRIOR = 0.5
"""Weight of the difference of zero that stands for what was believed before."""


def bayesian_signed_rank(
    table: ScoreTable,
    *,
    rope: float = 0.0,
    draws: int = DRAWS,
    seed: int = 0,
    pairs: tuple[np.ndarray, np.ndarray] | None = None,
) -> PairPosterior:
    """How probable is it that a method is better than another on a new task, or as good?

    rope: half the width of the region of practical equivalence, in units of the values. draws, seed: the same
    seed gives the same result; its standard error is at most 0.5 / sqrt(draws). Methods that are equal on all
    tasks have 1/2 each without a region. Raises ValueError for a negative rope and missing values.
    """
    check_rope(rope)
    chunks = PairChunks(table, pairs)
    decimals = min(task_decimals(table.values).max(initial=0.0), 15.0)
    tasks = len(table.tasks)
    if rope == 0 and tasks >= DRAWN_BELOW:
        parts = [chance_of_negative(part, PRIOR) for part in chunks.loss_differences()]
        a_better = np.concatenate(parts)
        return _posterior(chunks, rope, a_better, np.zeros(len(a_better)), 1 - a_better)
    if tasks >= DRAWN_BELOW:
        parts = [chances_of_region(part, rope, PRIOR, decimals) for part in chunks.loss_differences()]
        return _posterior(chunks, rope, *np.concatenate(parts).T)
    posterior = _Drawn(tasks, rope, decimals, draws, np.random.default_rng(seed))
    found = [posterior(row) for part in chunks.loss_differences() for row in np.sort(part, axis=1)]
    a_better, equivalent, b_better = np.array(found, dtype=float).reshape(-1, 3).T
    if rope == 0:
        a_better, equivalent, b_better = without_region(a_better, b_better)
    return _posterior(chunks, rope, a_better, equivalent, b_better)


def _posterior(chunks, rope, *shares):
    return PairPosterior("signed rank", rope, chunks.first, chunks.second, *shares)


class _Drawn:
    """Chances of draws of the weights. All pairs use the same draws: weights of equal parameters may be
    exchanged, so that it is no matter which belongs to which difference."""

    def __init__(self, tasks, rope, decimals, draws, generator):
        self.rope, self.decimals = rope, decimals
        weights = generator.standard_exponential((tasks, draws), dtype=np.float32)
        prior = generator.standard_gamma(PRIOR, (1, draws), dtype=np.float32)
        self.weights = np.concatenate([weights, prior])
        self.up_to = np.concatenate([np.zeros((1, draws), np.float32), np.cumsum(weights, axis=0)])
        self.total = np.square(self.up_to[-1] + prior[0])

    def __call__(self, z):
        if z[0] == z[-1] == 0:
            return (0.0, 1.0, 0.0)
        below = self._below(z, -2 * self.rope)
        above = self.total - (self._below(z, 2 * self.rope) if self.rope else below)
        inside = self.total - below - above if self.rope else np.zeros_like(below)
        winner = np.argmax([below, inside, above], axis=0)
        return tuple(np.bincount(winner, minlength=3) / len(winner))

    def _below(self, z, limit):
        """The chance that a sum lies below the limit, for each draw; one at the limit counts half."""
        left, right = self._partners(z, limit)
        reach = self.up_to[left]
        if not np.array_equal(left, right):
            reach = (reach + self.up_to[right]) / 2
        # Zero is the last: the others' sums with it count twice, its sum with itself once.
        with_zero = 2 * reach[-1] + self.weights[-1] * ((limit > 0) + 0.5 * (limit == 0))
        return np.einsum("is,is->s", self.weights[:-1], reach[:-1]) + self.weights[-1] * with_zero

    def _partners(self, z, limit):
        """Return (left, right): with how many z_j is z_i + z_j below limit, and below or at it, for each i.

        The last is for a difference of zero.
        """
        rest = without_noise(limit - np.append(z, 0.0), self.decimals)
        return np.searchsorted(z, rest, side="left"), np.searchsorted(z, rest, side="right")
