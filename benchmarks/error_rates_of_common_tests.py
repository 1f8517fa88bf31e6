"""How often are equal methods called different on a common test set, whatever varies?

The mean of the differences and their three mean squares are independent, the mean normal and the mean squares
multiples of chi-squares, so that these are drawn and not the losses."""

from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from benchmarks.error_rate import ALPHA, Each, highest, table_text
from delvecore.stats.losses.anova import MeanSquares, PairSquares
from delvecore.stats.losses.comparisons import PairComparisons, analyse_pairs, confidence_bounds

SHAPES = ((2, 7), (2, 16), (2, 256), (2, 1024), (3, 64), (4, 16), (4, 1024), (8, 7), (8, 16), (8, 256))
SOURCES = ((0, 0), (0, 3), (1, 1), (10, 0), (10, 1), (10, 10), (100, 3), (1, 100))
POWER, STRICT = 0.9, 0.05 / 66
SEED = 1996


class Common(NamedTuple):
    """training, cases: the variances J s_a^2 and I s_b^2 of which MS_a and MS_b are, in units of s_e^2."""

    instances: int
    test_cases: int
    training: float
    cases: float

    @property
    def variance(self) -> float:
        """Of the mean difference, with s_e = 1."""
        return (self.training + self.cases + 1) / (self.instances * self.test_cases)


class Rates(NamedTuple):
    """Shares of the draws: p below alpha (and by the quasi-F test), intervals that cover, differences found
    of a size that the normal test with known variances finds with probability POWER; how many draws."""

    error: float
    error_at_1: float
    quasi_f_error: float
    covered: float
    covered_strictly: float
    power: float
    quasi_f_power: float
    draws: int

    @property
    def holds(self) -> bool:
        """Is the error at most the level, within two standard errors of the simulation?"""
        return self.error <= highest(self.draws)


def draw(common: Common, draws: np.random.Generator, count: int, *, shift: float = 0.0) -> MeanSquares:
    """Return mean differences and mean squares. shift: of the mean, in units of its standard deviation."""
    free = common.instances - 1, common.test_cases - 1
    expected = ((1 + common.training, free[0]), (1 + common.cases, free[1]), (1, free[0] * free[1]))
    mean = (draws.normal(0, 1, count) + shift) * common.variance**0.5
    return MeanSquares(mean, *(size * draws.chisquare(df, count) / df for size, df in expected))


def analysed(common: Common, squares: MeanSquares) -> PairComparisons:
    """Return the comparisons as an archive has them."""
    places, nothing = np.arange(len(squares.mean)), np.zeros(len(squares.mean))
    pairs = PairSquares(places, places, squares.mean, nothing, squares=squares, identical=nothing > 0)
    return analyse_pairs(pairs, instances=common.instances, test_cases=common.test_cases)


def rates(common: Common, draws: np.random.Generator, count: int) -> Rates:
    found = analysed(common, draw(common, draws, count))
    covered = []
    for alpha in (ALPHA, STRICT):
        lower, upper = confidence_bounds(found, alpha=alpha)
        covered.append(float(np.mean((lower <= 0) & (upper >= 0))))
    better = analysed(common, draw(common, draws, count, shift=norm.isf(ALPHA / 2) + norm.ppf(POWER)))
    errors = (float(np.mean(p)) for p in (found.p < ALPHA, found.p < 0.01, found.p_delve < ALPHA))
    power = (float(np.mean(p < ALPHA)) for p in (better.p, better.p_delve))
    return Rates(*errors, *covered, *power, draws=count)


def measure(count: int, each: Each = map) -> list[tuple[Common, Rates]]:
    """Simulate all settings."""
    settings = [Common(*shape, *sources) for shape in SHAPES for sources in SOURCES]
    draws = [np.random.default_rng([SEED, place]) for place in range(len(settings))]
    return list(zip(settings, each(rates, settings, draws, [count] * len(settings)), strict=True))


_SECTION = """## One task, few training sets, a common test set

Two methods that do not differ, on one task whose I training sets share their J test cases; {count:,} draws
a line. The test of the tables is *crossed* ([how it
works](statistics.md#confidence-intervals-and-the-test-of-a-common-test-set)); *quasi-F* is that of DELVE
1.1. Errors of *crossed* at 0.05 may be {most:.4f}, and {held} of {lines} lines hold that. Where the quasi-F
test finds more, it errs more on other lines, and data do not tell which line they are on.

- *training, cases*: how much training sets and test cases vary beyond the rest: J s_a^2 / s_e^2 and I s_b^2
  / s_e^2
- *covered*: how often the 0.95 interval holds the true difference; *strict*: that of one of 66 pairs by
  Bonferroni, 0.99924
- *power, quasi-F*: how often *crossed*, and the quasi-F test, find a difference that a normal test with
  known variances finds with probability {power:g}

"""
_TITLES = (
    *("I", "J", "training", "cases", "crossed at 0.05", "at 0.01", "quasi-F at 0.05", "covered, 0.95"),
    *("covered, strict", "power", "quasi-F"),
)


def section(found: list[tuple[Common, Rates]], count: int) -> str:
    """Return the section of the report."""
    held = sum(one.holds for _, one in found)
    head = {"count": count, "held": held, "lines": len(found), "most": highest(count), "power": POWER}
    rows = [[*map(str, common), *(f"{rate:.4f}" for rate in one[:-1])] for common, one in found]
    return _SECTION.format(**head) + table_text(_TITLES, rows)
