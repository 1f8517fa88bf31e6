"""Skillings-Mack test for tables with missing values."""

import numpy as np
from scipy.special import chdtrc

from delvecore.stats.ranking.friedman import OmnibusTest
from delvecore.stats.ranking.ranks import rank_rows, without_noise
from delvecore.stats.ranking.score_table import ScoreTable


def skillings_mack(table: ScoreTable) -> OmnibusTest:
    """Skillings-Mack test: do methods differ in a table with missing values?

    Each task ranks only the methods that have a value. The reason for a missing value must not depend on how
    good the value would have been. Without gaps, the test equals Friedman's.

    Parameters
    ----------
    table : ScoreTable
        NaN marks a missing value.

    Returns
    -------
    OmnibusTest
        The degrees of freedom are the number of methods minus the number of connected groups of methods. Only
        tasks with values of at least two methods count.

    Raises
    ------
    ValueError
        If no task has two values.

    References
    ----------
    Skillings and Mack (1981); ties as in Friedman's test.

    Examples
    --------
    >>> values = np.array([[1, 2, 3]] * 5 + [[1, 3, 2], [2, 1, np.nan]])
    >>> skillings_mack(ScoreTable(tuple("1234567"), ("a", "b", "c"), values)).tasks
    7
    """
    present = ~np.isnan(table.values)
    counted = present.sum(axis=1) > 1
    if not counted.any():
        raise ValueError("expected a task with values of two methods, got none")
    present, values = present[counted], table.oriented[counted]
    values = without_noise(values)
    ranks, ties = rank_rows(np.where(present, values, np.inf))
    size = present.sum(axis=1)
    gaps = present.shape[1] - size
    untied = 1 - (ties - (gaps**3 - gaps)) / (size**3 - size)
    weighted = np.where(present, ranks - (size[:, None] + 1) / 2, 0.0) * np.sqrt(12 / (size[:, None] + 1))
    total = weighted.sum(axis=0)
    chi2, df = _quadratic(total, present, untied)
    uncorrected, _ = _quadratic(total, present, np.ones(len(size)))
    p = float(chdtrc(df, chi2)) if df else 1.0
    return OmnibusTest(chi2, df, p, int(counted.sum()), uncorrected=uncorrected)


def _quadratic(total: np.ndarray, present: np.ndarray, untied: np.ndarray) -> tuple[float, int]:
    """Return total' covariance^- total and the rank of the covariance."""
    shown = present.astype(float)
    covariance = -(shown.T * untied) @ shown
    np.fill_diagonal(covariance, 0.0)
    np.fill_diagonal(covariance, -covariance.sum(axis=1))
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-9 * max(values[-1], 1.0)
    return float((np.square(vectors[:, kept].T @ total) / values[kept]).sum()), int(kept.sum())
