"""Infinite losses in a table of scores: the worst value, not a missing one."""

import numpy as np

from delvecore.stats.array_types import Floats
from delvecore.stats.ranking.sign_flips import unit_scales


def count_as_worst(values: Floats, *, higher_is_better: bool = False) -> Floats:
    """Replace infinitely bad values with the worst of their task plus the largest scaled difference.

    Sign flips scale differences in the same way, by `unit_scales` of the task. A method with an infinite loss
    is behind the worst other method by the largest scaled difference of the table.

    Parameters
    ----------
    values : array of shape (tasks, methods)
        NaN marks a missing value.
    higher_is_better : bool
        Direction of the values. Infinite values in the better direction stay.

    Returns
    -------
    array of shape (tasks, methods)
        A task on which all values are infinite gets zeros, so that its methods tie.

    Examples
    --------
    >>> count_as_worst(np.array([[1.0, 2.0, np.inf], [1.0, 4.0, 2.0]])).tolist()
    [[1.0, 2.0, 3.5], [1.0, 4.0, 2.0]]
    """
    losses = -values if higher_is_better else values
    is_infinite = np.isposinf(losses)
    if not is_infinite.any():
        return values
    rows = [row[np.isfinite(row)] for row in losses]
    scales = np.array([unit_scales(row[None])[0] if len(row) > 1 else np.nan for row in rows])
    usual = np.nanmedian(np.where(scales > 0, scales, np.nan)) if (scales > 0).any() else 1.0
    scales = np.where(scales > 0, scales, usual)
    largest = max(
        (np.ptp(row) / scale for row, scale in zip(rows, scales, strict=True) if len(row) > 1), default=1.0
    )
    replaced = losses.copy()
    for task in np.flatnonzero(is_infinite.any(axis=1)).tolist():
        row = rows[task]
        replaced[task, is_infinite[task]] = row.max() + largest * scales[task] if len(row) else 0.0
    return -replaced if higher_is_better else replaced
