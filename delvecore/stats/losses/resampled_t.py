"""Tests over instances that share cases, such as those of cross-validation, and percentiles of bootstrap
samples.

The variation of training sets and test cases cannot be separated, so the analysis uses the mean losses of the
instances. Their mean squares have no residual, so the equations of disjoint test sets hold for them. Sources:
C. Nadeau and Y. Bengio, Machine Learning 52 (2003), pages 239-281, section 5; B. Efron and R. Tibshirani, An
Introduction to the Bootstrap (1993), section 13.3; improvements on cross-validation: the .632+ bootstrap
method, JASA 92 (1997), pages 548-560.
"""

import numpy as np

from delvecore.stats import notes
from delvecore.stats.array_types import Floats, Whole
from delvecore.stats.classification.mcnemar import mcnemar
from delvecore.stats.designs import Design
from delvecore.stats.losses.anova import ROUNDING, MeanSquares, PairSquares, harmonic_mean, without_rounding
from delvecore.stats.losses.behrens_fisher import positive_part
from delvecore.stats.notes import Note

RESUBSTITUTION = 1 - 0.632
"""The weight of the loss on the training cases."""


def _weighted_mean(means: Floats, design: Design) -> Floats:
    """Return the expected loss of each method. means: of each instance, shape (methods, instances).

    Bootstrap .632 adds 0.368 times the resubstitution loss, that of the first instance, and 0.632 times the
    loss of the samples.
    """
    mean: Floats = means.mean(axis=1)
    if design.resubstitutes:
        mean = RESUBSTITUTION * means[:, 0] + (1 - RESUBSTITUTION) * means[:, 1:].mean(axis=1)
    return mean


def sample_means(means: Floats, design: Design) -> Floats:
    """Return the values that vary over the instances: their means, or for .632 the samples' means shifted to
    the mean of .632.

    So .632 has intervals of the same width as e0. Percentiles scaled by 0.632 would be too narrow: see
    docs/statistics-reference.md."""
    if not design.resubstitutes:
        return means
    samples = means[:, 1:]
    means_of_samples: Floats = samples + (_weighted_mean(means, design) - samples.mean(axis=1))[:, None]
    return means_of_samples


def percentile_p(samples: Floats) -> float:
    """Bootstrap p by percentiles: 2 (k + 1) / (B + 1), at most 1, with k samples on the rarer side of zero.

    Zeros count on both sides, and the data count as one more sample.

    Examples
    --------
    >>> percentile_p(np.array([0.1] * 37 + [-0.1, -0.2]))
    0.15
    """
    rarer = int(min(np.count_nonzero(samples <= 0), np.count_nonzero(samples >= 0)))
    return min(1.0, 2 * (rarer + 1) / (len(samples) + 1))


def smallest_percentile_p(samples: int) -> float:
    """Return the smallest possible `percentile_p` of this number of samples."""
    return min(1.0, 2 / (samples + 1))


def percentile_bounds(samples: Floats, *, alpha: float) -> tuple[float, float]:
    """Bootstrap interval by percentiles: it excludes zero if and only if `percentile_p` is below alpha.

    It reaches from the k-th smallest sample to the k-th largest, with k the largest integer below (B + 1)
    alpha / 2. If there are too few samples, the interval covers all of them, and zero.

    Examples
    --------
    >>> percentile_bounds(np.arange(1.0, 40.0), alpha=0.15)  # k = 2, next below 40 x 0.15 / 2
    (2.0, 38.0)
    """
    order = np.sort(samples)
    place = int(np.ceil(alpha * (len(order) + 1) / 2 - 1e-9)) - 2
    if place < 0:
        return float(min(order[0], 0.0)), float(max(order[-1], 0.0))
    return float(order[place]), float(order[-1 - place])


def instance_squares(losses: Floats, sizes: Whole, design: Design) -> MeanSquares[Floats]:
    """Return mean and mean squares of each method, NaN with one instance.

    losses: shape (methods, test cases of all instances); sizes: number of test cases of each instance."""
    return correct_for_overlap(_squares(_instance_means(losses, sizes), sizes, design), len(sizes), design)


def pair_instance_squares(losses: Floats, sizes: Whole, design: Design) -> PairSquares:
    """Return the squares of the differences of all pairs of methods. Arguments as for `instance_squares`."""
    first, second = np.triu_indices(len(losses), 1)
    means = _instance_means(losses, sizes)
    with np.errstate(invalid="ignore"):
        if (sizes == 1).all():
            by_instance = np.ascontiguousarray(losses.T)  # Sums over few instances are fast this way.
            together = (by_instance.take(first, axis=1) - by_instance.take(second, axis=1)).T
        else:
            each = range(len(losses) - 1)
            together = np.concatenate([_instance_means(losses[a] - losses[a + 1 :], sizes) for a in each])
    squares = _squares(together, sizes, design)
    _without_rounding(squares, losses, sizes)
    # The difference of equal infinities is NaN.
    identical = ((together == 0) | np.isnan(together)).all(axis=1)
    for pair in np.flatnonzero(identical).tolist():
        identical[pair] = np.array_equal(losses[first[pair]], losses[second[pair]])
    mean = _weighted_mean(means, design)
    ends = {"mean_a": mean[first], "mean_b": mean[second]}
    squares = correct_for_overlap(squares, len(sizes), design)
    pairs = PairSquares(first, second, **ends, squares=squares, identical=identical)
    if not design.by_samples:
        return pairs
    samples = sample_means(together, design)
    return pairs._replace(samples=samples, p=np.array(list(map(percentile_p, samples))))


def with_counts(design: Design, losses: Floats) -> Design:
    """Return the design with `right_or_wrong`, from oriented losses."""
    are_counts = any(bool(np.isin(losses, pair).all()) for pair in ((0.0, 1.0), (-1.0, 0.0)))
    return design._replace(right_or_wrong=are_counts)


def shared_notes(losses: Floats, instances: int, design: Design) -> tuple[Note, ...]:
    """Return the notes on shared cases for two methods. losses: shape (2, test cases); design: result of
    `with_counts`."""
    if design.by_counts:  # McNemar's test of these two classifiers, on their training set
        counts = [int(np.count_nonzero(losses[one] > losses[1 - one])) for one in (0, 1)]
        return (notes.MCNEMAR.of(design.share, *counts, mcnemar(*counts)[0]),)
    many = () if design.keeps_level(instances) else (notes.TOO_MANY_FOLDS,)
    return (*many, *((design.note,) if design.note else ()))


def correct_for_overlap(squares: MeanSquares[Floats], instances: int, design: Design) -> MeanSquares[Floats]:
    """Return mean squares with the excess of MS_a over chance inflated for the correlation of instances.

    On a common test set, training sets that share a part r vary by s^2 (1 - r) around their mean. The mean
    itself varies by s^2 (1 + (I - 1) r) / I, so s^2 (1 - r) needs the factor 1 + I r / (1 - r). The estimate
    of s^2 (1 - r) is the mean of the positive part of a normal variable around MS_a - MS_e. So a value that
    is small by chance is multiplied by this factor, too.
    """
    is_tested = design.is_testable and design.keeps_level(instances)
    factor = design.inflation(instances) if is_tested else np.nan
    if factor == 1.0:
        return squares
    with np.errstate(invalid="ignore", over="ignore"):
        between = squares.training - squares.residual
        if squares.cases is not None:
            spread = squares.training * (2 / max(instances - 1, 1)) ** 0.5
            between = spread * positive_part(between / np.where(spread > 0, spread, 1.0))[0]
        return squares._replace(training=squares.training + (factor - 1) * between)


def _instance_means(losses: Floats, sizes: Whole) -> Floats:
    starts = np.concatenate([[0], np.cumsum(sizes[:-1])])
    return np.add.reduceat(losses, starts, axis=1) / sizes


def _squares(means: Floats, sizes: Whole, design: Design) -> MeanSquares[Floats]:
    """Return mean squares of instance means, shape (rows, instances), with a residual of zero."""
    mean, varied = _weighted_mean(means, design), sample_means(means, design)
    if varied.shape[1] < 2:
        return MeanSquares(mean, np.full(len(mean), np.nan), None, np.full(len(mean), np.nan))
    with np.errstate(over="ignore", invalid="ignore"):
        training = harmonic_mean(sizes) * np.var(varied, axis=1, ddof=1)
        rounding = ROUNDING * harmonic_mean(sizes) * np.einsum("mn,mn->m", means, means)
    training[training < rounding] = 0.0  # Or scores that differ only in their last digit.
    return MeanSquares(mean, training, None, np.where(np.isfinite(mean), 0.0, np.nan))


def _without_rounding(squares: MeanSquares[Floats], losses: Floats, sizes: Whole) -> None:
    """Set rounding errors to zero: see `without_rounding`."""
    first, second = np.triu_indices(len(losses), 1)
    size = np.einsum("mn,mn->m", losses, losses)
    small = (squares.training > 0) & (squares.training < ROUNDING * (size[first] + size[second]))
    for pair in np.flatnonzero(small).tolist():
        rows = (np.split(losses[end[pair]], np.cumsum(sizes[:-1])) for end in (first, second))
        known = MeanSquares(float(squares.mean[pair]), float(squares.training[pair]), None, 0.0)
        squares.training[pair] = without_rounding(known, *rows).training
