"""Which methods are worth their cost? The Pareto front of cost and quality, and how sure it is."""

from dataclasses import dataclass

import numpy as np

from delvecore.statistics.kinds import Floats, Mask
from delvecore.statistics.ranking.ranks import stretch

__all__ = ["CostFront", "cost_front"]

DRAWS = 2_000


@dataclass(frozen=True, eq=False)
class CostFront:
    """Arrays with one entry a method. loss: mean over units; cost: geometric mean over units; each with the
    ends of its interval. on_front: is no other method both cheaper and better? sure: the share of the draws
    of units in which it is on the front; from level on it is settled, and below 1 - level that it is not."""

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
    losses: Floats, costs: Floats, *, level: float = 0.95, draws: int = DRAWS, seed: int = 0
) -> CostFront:
    """Which methods does no other beat in cost and loss alike?

    losses, costs: shape (units, methods), complete, lower is better; costs above 0, such as seconds. Units
    are drawn anew with replacement, loss and cost of a unit together; intervals are percentiles,
    stretched as those of mean ranks. Raises
    ValueError for costs that are not above 0. Source: Efron 1979 (percentile intervals)."""
    if not (costs > 0).all():
        raise ValueError("expected costs above 0, got others")
    units = len(losses)
    times = np.random.default_rng(seed).multinomial(units, np.full(units, 1 / units), draws) / units
    both = np.array([losses, np.log(costs)])
    middle, drawn = both.mean(axis=1), times @ both
    ends = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=1)
    lower, upper = middle + stretch(units, level) * (ends - middle)
    with np.errstate(over="ignore"):
        cost, cost_lower, cost_upper = np.exp([middle[1], lower[1], upper[1]])
    return CostFront(
        level,
        loss=middle[0],
        loss_lower=lower[0],
        loss_upper=upper[0],
        cost=cost,
        cost_lower=cost_lower,
        cost_upper=cost_upper,
        on_front=_undominated(middle[:, None])[0],
        sure=_undominated(drawn).mean(axis=0),
    )


def _undominated(points: Floats) -> Mask:
    """points: shape (2, draws, methods). Which are not beaten by another that is as good in both and better
    in one? Shape (draws, methods)."""
    mine, others = points[..., :, None], points[..., None, :]
    beaten = np.logical_and(np.all(others <= mine, axis=0), np.any(others < mine, axis=0))
    free: Mask = ~np.any(beaten, axis=2)
    return free
