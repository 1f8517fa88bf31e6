"""How well do scores rank positive cases before negative ones? The area under the ROC curve.

Source: Flach, Machine Learning (2012), sections 2.2 and 12.1; ties count one half.
"""

import math

import numpy as np

__all__ = ["area_under_curve", "areas_under_curves"]


def area_under_curve(scores: np.ndarray, positive: np.ndarray) -> float:
    """Return the share of pairs of a positive and a negative case in which the positive one scores higher.

    scores: float64 a case, higher for what looks more positive; positive: bool a case. Equal scores count one
    half. NaN where all cases are of one kind. Raises ValueError for NaN among the scores, or other shapes.
    """
    scores, positive = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=bool)
    if scores.shape != positive.shape or scores.ndim != 1 or np.isnan(scores).any():
        raise ValueError(f"expected a score a case, none of them NaN, got {scores.shape}, {positive.shape}")
    count = int(positive.sum())
    if not 0 < count < len(scores):
        return math.nan
    _, places, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    ranks = (ends - (sizes - 1) / 2)[places]
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * (len(scores) - count)))


def areas_under_curves(probabilities: np.ndarray, actual: np.ndarray) -> tuple[float, ...]:
    """Return the area of each class against all others, ranked by the probability of that class.

    probabilities: shape (cases, classes); actual: places of the classes. NaN for a class without cases.
    """
    columns = np.asarray(probabilities, dtype=np.float64).T
    return tuple(area_under_curve(column, actual == place) for place, column in enumerate(columns))
