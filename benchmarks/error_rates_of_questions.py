"""Error rates of what `delve rank --show` and `delve measures` answer: sets, intervals, equivalence,
pairs."""

from collections.abc import Callable

import numpy as np
from scipy.special import stdtr, stdtrit

from benchmarks.error_rate import ALPHA, ErrorRate
from delvecore.stats.array_types import Floats
from delvecore.stats.classification.summary import reliability
from delvecore.stats.losses.comparison_with_best import compare_with_best, level_for_best
from delvecore.stats.p_adjustment import bergmann_hommel, shaffer
from delvecore.stats.ranking.bayesian_hierarchical import hierarchical_pairs
from delvecore.stats.ranking.bradley_terry import bradley_terry
from delvecore.stats.ranking.effects import two_one_sided_tests
from delvecore.stats.ranking.interquartile_mean import interquartile_mean
from delvecore.stats.ranking.pareto_front import cost_front

DRAWS = 400
MARGIN = 0.01
THREE, ONE_AHEAD = np.array([0.6, 0.1, -0.7]), np.array([5.0, 0, 0, 0, 0, 0]) - 5 / 6


def measure(part: int, tables: int) -> list[ErrorRate]:
    """Simulate every answer."""
    draws = np.random.default_rng([7, part])
    found = [_equivalence(draws, tables), *_hierarchy(draws, tables), *_pairs(draws, tables)]
    found += [_best(draws, tables, spread) for spread in ((1.0,) * 6, (1.0, 1.0, 2.0, 4.0, 8.0, 0.1))]
    for name, what, miss in (
        ("Bradley-Terry strengths, interval of one", "3 methods, 26 units", _strength),
        ("cost and loss, interval of one", "2 methods, 26 units", _cost),
        ("interquartile mean, interval of one", "2 methods, 12 tasks of 4 training sets", _middle),
        ("calibration of what is calibrated", "400 cases", _calibrated),
    ):
        found.append(_line(name, what, [miss(draws) for _ in range(tables)]))
    draws = np.random.default_rng([8, part])
    for units in (5, 10, 20):
        missed = [_strength(draws, ONE_AHEAD, units) for _ in range(tables)]
        found.append(_line("Bradley-Terry strengths, one wins 99 %", f"6 methods, {units} units", missed))
    return found


def _line(name: str, what: str, missed: list[float]) -> ErrorRate:
    return ErrorRate(name, what, "at most", ALPHA, np.array(missed))


def _equivalence(draws: np.random.Generator, tables: int) -> ErrorRate:
    """Methods that differ by the margin are not as good as each other."""
    samples = draws.normal(MARGIN, 0.004, (tables, 15))
    errors = samples.std(axis=1, ddof=1) / 15**0.5
    _, p = two_one_sided_tests(samples.mean(axis=1), errors, np.full(tables, 14.0))
    return ErrorRate("two one-sided tests, at the margin", "2 methods, 15 units", "nominal", ALPHA, p < ALPHA)


def _hierarchy(draws: np.random.Generator, tables: int) -> list[ErrorRate]:
    """Of methods without a typical difference neither is better; the interval holds the difference."""
    errors = draws.uniform(0.005, 0.03, (tables, 20))
    truth = 0.03 * draws.standard_t(8, (tables, 20))
    found = hierarchical_pairs(
        truth + errors * draws.standard_t(7, truth.shape), errors, np.full(truth.shape, 7.0)
    )
    sure = 1 - ALPHA / 2
    decided = (found.a_decided >= sure) | (found.b_decided >= sure)
    what = "2 methods, 20 units with errors"
    missed = (found.lower > 0) | (found.upper < 0)
    return [
        _line("hierarchical, one better that is not", what, decided.tolist()),
        _line("hierarchical, interval of the typical difference", what, missed.tolist()),
    ]


def _pairs(draws: np.random.Generator, tables: int) -> list[ErrorRate]:
    first, second = np.triu_indices(5, 1)
    ways: dict[str, Callable[[Floats], Floats]] = {"Shaffer": shaffer, "Bergmann-Hommel": bergmann_hommel}
    rejected: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(tables):
        # Two equal pairs of methods, and one far off, so that sets of hypotheses matter.
        values = draws.normal([0, 0, 3, 3, 9], 1.0, (20, 5))
        differences = values[:, first] - values[:, second]
        t = differences.mean(axis=0) / (differences.std(axis=0, ddof=1) / 20**0.5)
        p = 2 * stdtr(19, -np.abs(t))
        for name, way in ways.items():
            adjusted = way(p)
            rejected[name].append(min(adjusted[0], adjusted[7]) < ALPHA)
    what = "5 methods, 20 units, two pairs equal"
    return [
        ErrorRate(f"{name}, paired t", what, "at most", ALPHA, np.array(missed))
        for name, missed in rejected.items()
    ]


def _best(draws: np.random.Generator, tables: int, spread: tuple[float, ...]) -> ErrorRate:
    """Do all intervals of the loss less the lowest of the others hold it?"""
    truth = np.array([0.0, 0.2, 0.2, 0.2, 0.2, 0.2])
    gap = truth - np.array([np.delete(truth, place).min() for place in range(6)])
    first, second = np.triu_indices(6, 1)
    scale, missed = stdtrit(4, (1 + level_for_best(1 - ALPHA, 6)) / 2), []
    for _ in range(tables):
        losses = truth + draws.normal(size=(5, 6)) * spread
        differences = losses[:, first] - losses[:, second]
        mean, error = differences.mean(axis=0), differences.std(axis=0, ddof=1) / 5**0.5
        bounds, p = (mean - scale * error, mean + scale * error), 2 * stdtr(4, -np.abs(mean / error))
        found = compare_with_best((first, second), bounds, p, differences=mean, alpha=ALPHA)
        missed.append(not ((found.lower <= gap + 1e-12) & (gap - 1e-12 <= found.upper)).all())
    kind = "equal variances" if len(set(spread)) == 1 else "variances 80 times apart"
    name = "multiple comparison with the best, all intervals"
    return ErrorRate(name, f"6 methods, 5 training sets, {kind}", "at most", ALPHA, np.array(missed))


def _strength(draws: np.random.Generator, truth: Floats = THREE, units: int = 26) -> float:
    found = bradley_terry(draws.exponential(np.exp(-truth), (units, len(truth))))
    return float(np.mean((found.lower > truth) | (truth > found.upper)))


def _cost(draws: np.random.Generator) -> float:
    losses, costs = draws.normal([0.5, 0.7], 0.2, (26, 2)), np.exp(draws.normal([0, 2], 1, (26, 2)))
    found = cost_front(losses, costs, draws=DRAWS)
    missed = (found.loss_lower > [0.5, 0.7]) | (found.loss_upper < [0.5, 0.7])
    of_costs = (found.cost_lower > np.exp([0, 2])) | (found.cost_upper < np.exp([0, 2]))
    return float(np.mean([missed, of_costs]))


def _middle(draws: np.random.Generator) -> float:
    """Tasks far apart: the middle half is that of the middle six of twelve."""
    middle = np.arange(12.0)
    runs = [task + draws.normal(0, 0.1, (4, 2)) for task in middle]
    found = interquartile_mean(runs)
    return float(np.mean((found.lower > middle[3:9].mean()) | (found.upper < middle[3:9].mean())))


def _calibrated(draws: np.random.Generator) -> float:
    said = draws.uniform(0.5, 1, 400)
    seed = int(draws.integers(1 << 32))
    return float(reliability(said, draws.random(400) < said, draws=DRAWS, seed=seed).p < ALPHA)
