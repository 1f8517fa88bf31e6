"""Tail probabilities of Student's t and of F, with nothing but `math`.

Both are the regularized incomplete beta function I_x(a, b), here from the continued fraction DLMF 8.17.22.
Its factor x^a (1-x)^b / B(a, b) is written relative to the mean of the beta distribution, and the fraction
uses the distance from there (as in DiDonato and Morris 1992, ACM TOMS 18(3), "Algorithm 708"), so that no
large terms cancel: relative errors stay near 1e-13 down to 1e-300 and for degrees of freedom of 0.5 to 1e8,
whole or not."""

from math import exp, inf, lgamma, log, log1p, pi

__all__ = ["f_upper_tail", "student_t_two_sided"]

_EPSILON = 2.0**-53
_TINY = 1e-300
_HUGE = 1e150
_MAXIMUM_TERMS = 1_000_000
_HALF_LOG_TWO_PI = 0.5 * log(2 * pi)
# Coefficients of Stirling's series, DLMF 5.11.1: B_2k / (2k (2k-1)) for k = 1, 2, ...
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)


def student_t_two_sided(t: float, df: float) -> float:
    """How probable is a t statistic at least this far from zero, in either direction, under the hypothesis?

    df: degrees of freedom, positive, may be fractional. Infinite t gives 0.
    Raises ValueError for a t that is not a number and for df that are not positive and finite."""
    _check(t, df)
    size = abs(t)
    return _tail(size * size, 2 * log(size), df / 2, 0.5) if size > 0 else 1.0


def f_upper_tail(f: float, df1: float, df2: float) -> float:
    """How probable is an F ratio at least this large under the hypothesis?

    df1, df2: degrees of freedom of numerator and denominator, positive, may be fractional. Infinite f gives
    0, zero or less 1. Raises ValueError for an f that is not a number and for df that are not positive and
    finite."""
    _check(f, df1, df2)
    return _tail(f, log(f), df2 / 2, df1 / 2) if f > 0 else 1.0


def _check(value: float, *degrees: float) -> None:
    if value != value:
        raise ValueError("a statistic that is not a number has no tail probability")
    for df in degrees:
        if not 0 < df < inf:
            raise ValueError(f"degrees of freedom must be positive and finite, got {df}")


def _tail(f: float, log_f: float, a: float, b: float) -> float:
    """P(F >= f) for 2b and 2a degrees of freedom: I_x(a, b), x = a / (a + b f). log_f is for a huge f."""
    if log_f == inf:
        return 0.0
    factor = exp(_log_factor(f, log_f, a, b))
    f = min(f, _HUGE)
    x = 1 / (1 + b * f / a)
    y = b * f / a * x
    excess = b * (f - 1) * x
    if f >= 1:
        return factor / _continued_fraction(a, b, x, y, excess)
    # The fraction converges fast only on its own side of the mean; here the upper tail is no longer small.
    return 1 - factor / _continued_fraction(b, a, y, x, -excess)


def _log_factor(f: float, log_f: float, a: float, b: float) -> float:
    """log(x^a (1-x)^b / B(a, b)) at x = a / (a + b f)."""
    share, rest = b / (a + b), a / (a + b)
    log_x = -log1p(share * (f - 1)) if f < _HUGE else -log(share) - log_f
    if f < 0.5:
        log_y = log_f + log_x
    else:
        log_y = log1p(rest * (f - 1) / (1 + share * (f - 1))) if f < _HUGE else -log(share)
    scale = 0.5 * log(a * share) - _HALF_LOG_TWO_PI
    remainder = _stirling_error(a + b) - _stirling_error(a) - _stirling_error(b)
    return a * log_x + b * log_y + (scale + remainder)


def _stirling_error(z: float) -> float:
    """log(gamma(z)) less Stirling's (z - 1/2) log(z) - z + log(2 pi)/2; DLMF 5.11.1."""
    if z < 10:
        return lgamma(z) - ((z - 0.5) * log(z) - z + _HALF_LOG_TWO_PI)
    inverse_square = 1 / (z * z)
    total = 0.0
    for coefficient in reversed(_STIRLING):
        total = total * inverse_square + coefficient
    return total / z


def _continued_fraction(a: float, b: float, x: float, y: float, excess: float) -> float:
    """The even part of the fraction DLMF 8.17.22, by Lentz's method: x^a y^b / B(a, b) over it is I_x(a, b).

    y = 1 - x and excess = a - (a + b) x >= 0 are given because their differences would lose digits here."""
    value = numerator = a / (a + 1) * (excess + 1)
    denominator = 0.0
    for n in range(1, _MAXIMUM_TERMS):
        odd = a + 2 * n - 1
        upper = (a + n - 1) / odd * ((a + b + n - 1) / odd) * n * (b - n) * x * x
        lower = n + n * (b - n) * x / odd + (a + n) / (odd + 2) * (excess + 1 + n * (1 + y))
        denominator = 1 / ((lower + upper * denominator) or _TINY)
        numerator = (lower + upper / numerator) or _TINY
        step = numerator * denominator
        value *= step
        if abs(step - 1) <= 2 * _EPSILON:
            return value
    raise ArithmeticError(f"the incomplete beta function did not converge for a={a}, b={b}, x={x}")
