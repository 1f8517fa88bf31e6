"""p-values adjusted for how many hypotheses are tested together."""

import numpy as np

__all__ = ["holm_adjusted"]


def holm_adjusted(p: np.ndarray) -> np.ndarray:
    """Return Holm's adjusted p-values: at most one true hypothesis in 1/level families is rejected by them.

    p: one dimension; what is not a number was not tested: it stays so and does not count. The adjusted values
    ascend with p and are 1 at most. Source: Holm 1979, "A simple sequentially rejective multiple test
    procedure", Scandinavian Journal of Statistics 6.
    """
    adjusted = np.full(len(p), np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
