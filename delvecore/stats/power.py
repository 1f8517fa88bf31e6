"""Sample size planning: training sets and test cases needed to detect a difference between two methods.

The power is that of a noncentral t distribution whose error comes from variance components. If all training
sets share a test set, the critical value is that of the Behrens-Fisher test at the expected mean squares. The
degrees of freedom are Satterthwaite's. The difference is the smallest relevant one, because power at an
observed difference only restates its p (Hoenig and Heisey 2001, The American Statistician 55). The components
are estimates, so planned sizes are estimates, too.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import nctdtr, stdtrit

from delvecore.stats.choose import DEFAULT_LEVEL, significance
from delvecore.stats.losses.anova import Components, MeanSquares, error_parts
from delvecore.stats.losses.behrens_fisher import half_width, reference

POWER = 0.8
MOST = 100_000
"""Maximum number of training sets or test cases of a plan."""


def planned_power(
    spread: Components[float],
    difference: float,
    *,
    instances: float,
    test_cases: float,
    level: float = DEFAULT_LEVEL,
) -> float:
    """Probability that the test of one pair finds a difference of this size.

    Parameters
    ----------
    spread : Components
        Standard deviations of the difference.
    difference : float
        Smallest difference that matters, in the same unit.
    instances, test_cases : float
        Training sets, and cases of each test set; at least two.
    level : float
        Confidence of the test.

    Raises
    ------
    ValueError
        With fewer than two training sets or test cases.

    References
    ----------
    Cohen (1988), Statistical Power Analysis; Satterthwaite (1946).

    Examples
    --------
    >>> round(planned_power(Components(1.0, None, 0.0), 1.0, instances=10, test_cases=100), 3)
    0.803
    """
    if instances < 2 or test_cases < 2:
        raise ValueError(f"expected two training sets and test cases, got {instances:g} and {test_cases:g}")
    parts = error_parts(spread, instances=instances, test_cases=test_cases)
    variance = sum(part for part in parts if part is not None)
    if not variance:
        return 1.0 if difference else 1 - level
    df, error = instances - 1, variance**0.5
    critical, shift = float(stdtrit(df, (1 + level) / 2)), abs(difference) / error
    if parts.cases is not None:
        of_sets, of_cases = parts.training + parts.residual, parts.cases + parts.residual
        df = variance**2 / (of_sets**2 / (instances - 1) + of_cases**2 / (test_cases - 1))
        # Critical value at the expected mean squares.
        count = instances * test_cases
        squares = (np.array([count * part]) for part in (of_sets, of_cases, parts.residual))
        sizes = {"instances": np.array([float(instances)]), "test_cases": np.array([float(test_cases)])}
        expected = reference(MeanSquares(np.zeros(1), *squares), **sizes)
        critical = float(half_width(expected, significance(level))[0]) / error
    power = 1 - nctdtr(df, shift, critical) + nctdtr(df, shift, -critical)
    # The noncentral t is NaN far in the tail: the power is 1 there.
    return 1.0 if np.isnan(power) else float(np.clip(power, 0.0, 1.0))


def smallest_size(power_of: Callable[[int], float], *, power: float = POWER) -> int | None:
    """Return the smallest size from 2 on with this power; None if MOST is not enough.

    Raises ValueError for a power that is not between 0 and 1.

    Examples
    --------
    >>> smallest_size(lambda n: 1 - 1 / n, power=0.75)
    4
    """
    if not 0 < power < 1:
        raise ValueError(f"expected a power between 0 and 1, got {power:g}")
    if power_of(MOST) < power:
        return None
    low, high = 1, MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_of(middle) >= power else (middle, high)
    return high
