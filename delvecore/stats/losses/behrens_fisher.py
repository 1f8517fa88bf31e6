"""The reference distribution of a mean difference on a common test set, for few training sets and any
variances.

Let A, B and E be MS_a, MS_b and MS_e divided by I J, and theta_a, theta_b, theta_e their expectations. The
variance of the mean is theta_a + (theta_b - theta_e), and theta_a is at least theta_e. Given the mean
squares, the error of the mean is

    sqrt(V) T,     V = max(A n / W, E) + D,     n = I - 1,  D: the positive part of B - E,

W is a chi-square with n degrees of freedom, or n + 2 with probability n / (n + 4) (D + E) / (D + E + 2 A). T
is Student's t with (V / D)^2 times the degrees of freedom of D (Satterthwaite's). This distribution gives p
and interval. If W always had n degrees and D were known, it would be that of Behrens and Fisher, which is far
too conservative if test cases matter more than training sets. Sources: R. A. Fisher, Annals of Eugenics 6
(1935); M. Ghosh and Y.-H. Kim, Canadian Journal of Statistics 29 (2001), whose prior makes that probability D
/ (D + A)."""

from typing import NamedTuple

import numpy as np
from scipy.special import erfc, gammaincc, gammaln, ndtr, ndtri, stdtrit

from delvecore.stats.array_types import Floats, Whole
from delvecore.stats.losses.anova import MeanSquares

_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(32)
_LOG_POINTS, _LOG_WEIGHTS = np.log((1 + _POINTS) / 2), np.log(_WEIGHTS / 2)
_FAR, _WIDTH = 90.0, 7.0
"""The squared deviate (minus 2 n) and the width of W's root beyond which a part of p is negligible."""
_MOST_DF, _LEAST_VARIANCE, _LEAST_ROOT = 1e9, 1e-250, 1e-100
_STEPS, _CLOSE, _ROWS = 60, 1e-6, 256


class Reference(NamedTuple):
    """The distribution, as arrays with one entry per difference: `error` is its scale.

    If every training set has its own test cases, it is Student's t with n degrees of freedom: cases_df is
    NaN, training is 1, and the following fields are 0.

    Attributes
    ----------
    error : Floats
        sqrt(max(A, E) + D). `training`, `cases` and `residual` are the shares of A, D and E in its square.
    df : Floats
        n.
    cases_df : Floats
        Degrees of freedom of D.
    second : Floats
        Probability that W has n + 2 degrees of freedom.
    """

    error: Floats
    df: Floats
    cases_df: Floats
    training: Floats
    cases: Floats
    residual: Floats
    second: Floats


def reference(squares: MeanSquares[Floats], *, instances: Floats, test_cases: Floats) -> Reference:
    """Reference distribution of a mean on a common test set, after Behrens and Fisher; MS_a + MS_b > 0.

    D is the mean of the positive part of a normal variable with mean B - E and the standard error of B - E.
    So test cases count a little even if B is less than E by chance."""
    parts = np.array([squares.training, squares.between_cases, squares.residual])
    unit = parts.max(axis=0)
    training, between, residual = parts / unit
    df, between_df = instances - 1.0, test_cases - 1.0
    spread = (2 * (between**2 / between_df + residual**2 / (df * between_df))) ** 0.5
    excess = (between - residual) / np.where(spread > 0, spread, 1.0)
    mean, variance = positive_part(excess)
    cases_df = np.where(mean > 0, 2 * mean**2 / np.maximum(variance, _LEAST_VARIANCE), _MOST_DF)
    cases = spread * mean
    total = np.maximum(training, residual) + cases
    error = (unit / (instances * test_cases) * total) ** 0.5
    second = df / (df + 4) * (cases + residual) / (cases + residual + 2 * training)
    shares = {"training": training / total, "cases": cases / total, "residual": residual / total}
    return Reference(error, df, cases_df, **shares, second=second)


def positive_part(mean: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of the positive part of a normal variable with this mean and deviation 1.

    Examples
    --------
    >>> mean, variance = positive_part(np.array([0.0]))
    >>> float(mean[0].round(4)), float(variance[0].round(4))  # 1 / sqrt(2 pi), 1 / 2 - 1 / (2 pi)
    (0.3989, 0.3408)
    """
    above, bell = ndtr(mean), np.exp(-(mean**2) / 2) / (2 * np.pi) ** 0.5
    expected = mean * above + bell
    expected = np.where(expected > _LEAST_ROOT, expected, 0.0)
    variance = np.where(expected > 0, (1 + mean**2) * above + mean * bell - expected**2, 0.0)
    return expected, variance


def two_sided_p(reference: Reference, difference: Floats) -> Floats:
    """Two-sided p of the Behrens-Fisher test: probability of a difference as large, if the expectation is 0.

    Examples
    --------
    >>> squares = MeanSquares(*(np.array([one]) for one in (4.0, 24.0, 8.0, 2.0)))
    >>> result = reference(squares, instances=np.array([2.0]), test_cases=np.array([3.0]))
    >>> two_sided_p(result, np.array([4.0])).round(4).tolist()
    [0.3096]
    """
    deviate = np.abs(difference) / reference.error
    tails = [_tail(_of(reference, rows), deviate[rows])[0] for rows in _parts(reference)]
    return np.minimum(np.concatenate(tails), 1.0)


def half_width(reference: Reference, alpha: float | Floats) -> Floats:
    """Half the width of the interval: the difference whose p is alpha. alpha: one value, or one per row."""
    alphas = np.broadcast_to(np.asarray(alpha, dtype=float), reference.error.shape)
    return np.concatenate([_half_width(_of(reference, rows), alphas[rows]) for rows in _parts(reference)])


def _parts(reference: Reference) -> list[slice]:
    """Return slices whose intermediate results fit into the processor's cache."""
    return [slice(start, start + _ROWS) for start in range(0, max(len(reference.df), 1), _ROWS)]


def _of(reference: Reference, rows: slice | Whole) -> Reference:
    return Reference(*(column[rows] for column in reference))


def _half_width(reference: Reference, alpha: Floats) -> Floats:
    """Solve by Newton's method on logarithms, on which the curve is convex or concave throughout."""
    deviate = _first_deviate(reference, alpha)
    rows = np.flatnonzero((deviate > 0) & ~np.isnan(reference.cases_df))
    for _ in range(_STEPS):
        tail, slope = _tail(_of(reference, rows), deviate[rows])
        step = np.clip(np.log(alpha[rows] / tail) / slope, -1.0, 1.0)
        deviate[rows] *= np.exp(step)
        rows = rows[~(np.abs(step) < _CLOSE)]
        if not len(rows):
            break
    return deviate * reference.error


def _first_deviate(reference: Reference, alpha: Floats) -> Floats:
    """Return approximate deviates, for a normal distribution of the test cases."""
    kinds, where = np.unique(reference.df + 1j * alpha, return_inverse=True)
    of_training, of_cases = -stdtrit(kinds.real, kinds.imag / 2)[where], -ndtri(kinds.imag / 2)[where]
    training = np.maximum(reference.training * of_training**2, reference.residual * of_cases**2)
    deviates: Floats = (training + reference.cases * of_cases**2) ** 0.5
    return deviates


def _tail(reference: Reference, deviate: Floats) -> tuple[Floats, Floats]:
    """Return p of deviates (in units of the error), and the slope of log p on the log of the deviate."""
    cases, residual = reference.cases, reference.residual
    with np.errstate(all="ignore"):
        squared, density, beyond = _points(reference, deviate)
        training = (reference.df * reference.training)[:, None] / squared
        variance = np.column_stack([training, residual]) + cases[:, None]
        tail, slope = _student_tail(deviate[:, None], np.maximum(variance, _LEAST_VARIANCE), reference)
        mass = np.column_stack([density, beyond])
        p, steepness = (np.where(mass > 0, mass * each, 0.0).sum(axis=1) for each in (tail, slope))
        return p, steepness / p


def _points(reference: Reference, deviate: Floats) -> tuple[Floats, Floats, Floats]:
    """Return W at the Gauss-Legendre points, the probability mass of each, and the probability of larger W.

    The points of W's root are bottom + (top - bottom) u^(1 + 3 / n). If there are few degrees of freedom,
    they are dense at small W, where A is by chance far below its expectation. Above `top` the variance is its
    floor, E + D, or the probability is negligible. The probability below `bottom` is negligible."""
    df, second, training = reference.df, reference.second, reference.df * reference.training
    left = deviate**2 / (_FAR + 2 * df) - reference.cases
    top = np.fmin((training / reference.residual) ** 0.5, df**0.5 + _WIDTH)
    top = np.where(left > 3 * reference.cases, np.fmin(top, (training / left) ** 0.5), top)
    bottom = (training / (reference.training + deviate**2 / df + _LEAST_ROOT)) ** 0.5 - _WIDTH
    bottom = np.clip(bottom, 0.0, top)
    power = (1 + 3 / df)[:, None]
    root = bottom[:, None] + (top - bottom)[:, None] * np.exp(power * _LOG_POINTS) + _LEAST_ROOT
    squared = root**2
    scale = np.log(2 * power[:, 0]) - df / 2 * np.log(2) - gammaln(df / 2)
    density = (df - 1)[:, None] * np.log(root) + (power - 1) * _LOG_POINTS - squared / 2 + scale[:, None]
    density = np.exp(density + _LOG_WEIGHTS) * (top - bottom)[:, None]
    density *= _mixed(1.0, squared / df[:, None], second[:, None])
    beyond = _mixed(gammaincc(df / 2, top**2 / 2), gammaincc(df / 2 + 1, top**2 / 2), second)
    return squared, density, beyond


def _mixed(first: float | Floats, other: Floats, share: Floats) -> Floats:
    return (1 - share) * first + share * other


def _student_tail(deviate: Floats, variance: Floats, reference: Reference) -> tuple[Floats, Floats]:
    """Return both tails of variables with these variances, and their slopes on the logarithm of the deviate.

    The estimate of `cases` has `cases_df` degrees of freedom.

    Source: G. W. Hill's normal deviate of Student's t, Communications of the ACM 13 (1970), Algorithm 395."""
    df = np.clip(reference.cases_df[:, None] * (variance / reference.cases[:, None]) ** 2, 1.0, _MOST_DF)
    squared = deviate**2 / variance
    most, grown = df - 0.5, np.log1p(squared / df)
    bend, w2 = 48 * most**2, most * grown
    fourth = (((4 * w2 + 33) * w2 + 240) * w2 + 855) / (10 * bend * (bend + 0.8 * w2**2 + 100))
    normal = w2**0.5 * (1 + (w2 + 3) / bend - fourth)
    share = squared / ((df + squared) * grown)
    return erfc(normal / 2**0.5), -((2 / np.pi) ** 0.5) * np.exp(-(normal**2) / 2) * normal * share
