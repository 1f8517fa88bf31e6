"""Pareto front of cost and quality, and its certainty: which methods are worth their cost?"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from delvecore.stats.array_types import Floats, Mask
from delvecore.stats.ranking.ranks import LEAST_UNITS, stretch, without_noise

DRAWS = 2_000


@dataclass(frozen=True, eq=False)
class CostFront:
    """Arrays with one entry per method.

    A method is surely on the front if `sure` is at least `level`, and surely off it below 1 - `level`.

    Attributes
    ----------
    level : float
        Confidence level of the intervals.
    loss : Floats
        Mean over units.
    loss_lower, loss_upper, cost_lower, cost_upper : Floats
        Ends of the intervals.
    cost : Floats
        Geometric mean over units.
    on_front : Mask
        Whether no other method is both cheaper and better.
    sure : Floats
        Share of the draws of units with the method on the front.
    """

    level: float
    loss: Floats
    loss_lower: Floats
    loss_upper: Floats
    cost: Floats
    cost_lower: Floats
    cost_upper: Floats
    on_front: Mask
    sure: Floats


def cost_front(
    losses: Floats,
    costs: Floats,
    *,
    level: float = 0.95,
    limits: tuple[float, float] = (-math.inf, math.inf),
    draws: int = DRAWS,
    seed: int = 0,
) -> CostFront:
    """Pareto front: the methods that no method beats in both cost and loss.

    The bootstrap draws units with replacement; loss and cost of a unit stay together. A mean loss has a
    percentile interval, widened as for mean ranks and truncated at the limits. A cost has Student's interval
    of the logarithms. There is no interval with fewer than three units, or for constant values.

    Parameters
    ----------
    losses, costs : arrays of shape (units, methods)
        Complete, lower is better; costs above 0, such as seconds.
    level : float
        Confidence of the intervals.
    limits : pair of floats
        Lowest and highest possible mean loss.
    draws, seed : int
        Number of draws, and their seed.

    Returns
    -------
    CostFront
        One entry per method; ends of missing intervals are NaN.

    Raises
    ------
    ValueError
        For costs that are not positive.

    References
    ----------
    Efron (1979) for percentile intervals.

    Examples
    --------
    >>> import numpy as np
    >>> cost_front(np.array([[0.5, 0.3, 0.6]] * 4), np.array([[1.0, 10.0, 20.0]] * 4)).on_front.tolist()
    [True, True, False]
    """
    if not (costs > 0).all():
        raise ValueError("expected costs above 0, got others")
    units = len(losses)
    times = np.random.default_rng(seed).multinomial(units, np.full(units, 1 / units), draws) / units
    both = np.array([losses, np.log(costs)])
    middle, drawn = both.mean(axis=1), times @ both
    ends = np.quantile(drawn[0], [(1 - level) / 2, (1 + level) / 2], axis=0)
    ends = np.where(_is_fixed(losses), math.nan, ends)
    lower, upper = np.clip(middle[0] + stretch(units, level) * (ends - middle[0]), *limits)
    reach = np.full(losses.shape[1], math.nan)
    if units >= LEAST_UNITS:  # Student's interval
        reach = stdtrit(units - 1, (1 + level) / 2) * both[1].std(axis=0, ddof=1) / math.sqrt(units)
        reach = np.where(_is_fixed(both[1]), math.nan, reach)
    with np.errstate(over="ignore"):
        cost, cheapest, dearest = np.exp([middle[1], middle[1] - reach, middle[1] + reach])
    on_front, sure = _undominated(middle[:, None])[0], _undominated(drawn).mean(axis=0)
    return CostFront(level, middle[0], lower, upper, cost, cheapest, dearest, on_front, sure)


def _is_fixed(values: Floats) -> Mask:
    """Return which columns do not vary."""
    same = without_noise(values)
    fixed: Mask = (same == same[0]).all(axis=0)
    return fixed


def _undominated(points: Floats) -> Mask:
    """Return the undominated points: no other point is as good in both coordinates and better in one.

    points: shape (2, draws, methods). Returns shape (draws, methods).
    """
    mine, others = points[..., :, None], points[..., None, :]
    beaten = np.logical_and(np.all(others <= mine, axis=0), np.any(others < mine, axis=0))
    free: Mask = ~np.any(beaten, axis=2)
    return free
