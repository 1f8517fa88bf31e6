"""McNemar's test of two classifiers."""

from scipy.special import bdtr


def mcnemar(only_a: int, only_b: int) -> tuple[float, float]:
    """McNemar test: do two classifiers differ, by the cases that only one of them classifies correctly?

    The test treats cases as independent and the classifiers as fixed: it does not generalize to other
    training sets.

    Parameters
    ----------
    only_a, only_b : int
        Cases that only one of the two classifies correctly; the others carry no information.

    Returns
    -------
    exact : float
        Two-sided p of the sign test, whose error rate never exceeds its level; 1 without such cases.
    mid_p : float
        Exact p minus the probability of the observed counts. Its error rate is close to the level, and it is
        recommended.

    References
    ----------
    McNemar (1947); Fagerland, Lydersen and Laake (2013), mid-p.

    Examples
    --------
    >>> exact, mid_p = mcnemar(1, 5)  # 2 (1 + 6) / 64, less 6 / 64 for the mid-p
    >>> round(exact, 5), mid_p
    (0.21875, 0.125)
    """
    count, fewer = only_a + only_b, min(only_a, only_b)
    tail = float(bdtr(fewer, count, 0.5))
    below = float(bdtr(fewer - 1, count, 0.5)) if fewer else 0.0
    return min(1.0, 2 * tail), tail + below
