"""Error rates and power of the verdicts of a ranking: sign flips, Wilcoxon's test with Holm, Nemenyi's.

Archives are drawn in which some or all methods are equally good. An archive errs where a pair of equally good
methods is called different. Sign flips go by default, by means and by ranks; related families are flipped."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from benchmarks.error_rate import ALPHA, Each, highest, named, table_text
from delvecore.stats.choose import FlipStatistic
from delvecore.stats.ranking.analysis import Analysis, analyse
from delvecore.stats.ranking.sign_flips import sign_flips
from delvecore.stats.verdicts import PairVerdicts, RankTest, pair_verdicts

UNITS, METHODS = (6, 10, 29), (2, 6, 20)
DRAWS, FEWER = 1_000, 10
"""How many flips of more than 15 units those by choice have; power is simulated on so many times fewer
archives."""
SHIFT, FAR = 1.0, 3.0
"""Standard deviations by which one method is better where power is asked for, and half of them in a partial
null."""
RELATED, OF_FAMILY = 0.12, 3
"""Correlation of the datasets of a family, of which each has so many."""
SEED = 26
Floats = np.ndarray
Draw = Callable[[np.random.Generator, int, int], Floats]


def _exchangeable(draws: np.random.Generator, units: int, methods: int) -> Floats:
    return draws.normal(size=(units, methods))


def _unequal(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """A quarter of the methods, at least one, vary five times as much."""
    return draws.normal(size=(units, methods)) * np.where(np.arange(methods) < max(1, methods // 4), 5.0, 1.0)


def _own_scales(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """Each unit has a scale of its own."""
    return draws.normal(size=(units, methods)) * np.exp(1.5 * draws.normal(size=(units, 1)))


def _related(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """Datasets of a family are related; units are families, and rows of the result datasets."""
    family = np.repeat(draws.normal(size=(units, methods)), OF_FAMILY, axis=0)
    return np.sqrt(RELATED) * family + np.sqrt(1 - RELATED) * draws.normal(size=family.shape)


def _partial(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """The second half of the methods are better, each by another amount."""
    values = draws.normal(size=(units, methods))
    half = (methods + 1) // 2
    values[:, half:] -= FAR * np.arange(1, methods - half + 1)
    return values


NULLS: dict[str, Draw] = {
    "exchangeable": _exchangeable,
    "unequal variance": _unequal,
    "own scales": _own_scales,
    "related families": _related,
    "partial": _partial,
}
TESTS = ("sign flips, default", "sign flips of means", "sign flips of ranks", "Wilcoxon, Holm", "Nemenyi")


@dataclass(frozen=True)
class RankingRates:
    """Of each of `TESTS`: errors, the share of archives in which equally good methods are called different;
    power: the share of pairs with a method that is better by SHIFT that are found; None where no data could
    reach the level. by_dataset: errors of sign flips of means where related datasets are flipped."""

    null: str
    units: int
    methods: int
    archives: int
    errors: tuple[float | None, ...]
    power: tuple[float | None, ...]
    by_dataset: float | None = None

    @property
    def holds(self) -> bool:
        """Is no error rate of sign flips above the level by more than two standard errors?"""
        return all(one is None or one <= highest(self.archives) for one in self.errors[:3])


def measure(archives: int, each: Each = map) -> list[RankingRates]:
    """Simulate all nulls."""
    every = product(NULLS, UNITS, METHODS)
    # A partial null of two methods has one pair, which differs.
    settings = [(*one, archives) for one in every if one[0] != "partial" or one[2] > 2]
    return list(each(rates_of, *zip(*settings, strict=True)))


def rates_of(null: str, units: int, methods: int, archives: int) -> RankingRates:
    """Simulate one null with so many units and methods."""
    draws = np.random.default_rng([SEED, list(NULLS).index(null), units, methods])
    # With few units no test could find anything, which one archive shows.
    archives = archives if 2.0 ** (1 - units) < ALPHA else 1
    found = [_different(NULLS[null](draws, units, methods), null) for _ in range(archives)]
    first, second = np.triu_indices(methods, 1)
    equal = second < (methods + 1) // 2 if null == "partial" else np.ones(len(first), dtype=bool)
    shifted = []
    for _ in range(max(archives // FEWER, 1)):
        values = NULLS[null](draws, units, methods)
        values[:, 0] -= SHIFT * np.abs(values[:, 0]).mean() if null == "own scales" else SHIFT
        shifted.append(_different(values, null))
    against = first == 0 if null != "partial" else (first == 0) & equal
    by_dataset = None
    if null == "related families" and archives > 1:
        tables = (named(_related(draws, units, methods)) for _ in range(archives))
        again = [[_flips(analyse(table), FlipStatistic.MEANS)] for table in tables]
        by_dataset = _rate(again, 0, np.ones(len(first), dtype=bool))
    columns = range(len(TESTS))
    return RankingRates(
        null,
        units,
        methods,
        archives,
        errors=tuple(_rate(found, test, equal) for test in columns),
        power=tuple(_power(shifted, test, against) for test in columns),
        by_dataset=by_dataset,
    )


def _rate(found, test: int, equal: Floats) -> float | None:
    """Return the share of archives with an error; archives that are not testable have none."""
    different = [one[test][equal].any() for one in found if one[test] is not None]
    return sum(different) / len(found) if different and equal.any() else None


def _power(found, test: int, pairs: Floats) -> float | None:
    different = [one[test][pairs].mean() for one in found if one[test] is not None]
    return float(sum(different) / len(found)) if different and pairs.any() else None


def _different(values: Floats, null: str) -> list[Floats | None]:
    """Return which pairs each of `TESTS` calls different, None where it could call none so."""
    if null == "related families":
        values = values.reshape(-1, OF_FAMILY, values.shape[1]).mean(axis=1)
    analysis = analyse(named(values))
    by_choice = [_flips(analysis, statistic) for statistic in (FlipStatistic.MEANS, FlipStatistic.RANKS)]
    tests = (RankTest.FLIPS, RankTest.WILCOXON, RankTest.NEMENYI)
    default, *others = (pair_verdicts(analysis, test) for test in tests)
    return [_where_testable(default), *by_choice, *map(_where_testable, others)]


def _where_testable(verdicts: PairVerdicts) -> Floats | None:
    return verdicts.different if verdicts.is_testable else None


def _flips(analysis: Analysis, statistic: FlipStatistic) -> Floats | None:
    if 2.0 ** (1 - analysis.scan.tasks) >= ALPHA:
        return None
    return sign_flips(analysis.scan, statistic=statistic, draws=DRAWS).p_all < ALPHA


_SECTION = """## The verdicts of a ranking

{archives:,} archives a line in which the methods compared are equally good. An archive errs where any pair
of them is called different at {alpha:g}. The rate may be {most:.4f}, and sign flips hold that on {held} of
{lines} lines. With two units nothing is testable.

- *exchangeable*: all methods alike
- *unequal variance*: a quarter of the methods vary five times as much
- *own scales*: units differ in scale (log-normal, 1.5)
- *related families*: {of} datasets each with a correlation of {related:g}; each family counts once
- *partial*: half of the methods are better; errors are those among the others
- *default*: flips of what a ranking flips where nobody chooses; *means* and *ranks*: by choice
- *units*: datasets, or families
- *–*: not testable: no data could reach the level
- *power*: share found of the pairs with a method that is better by {shift:g} standard deviation, in a tenth
  as many archives
"""
_RELATED = """
Errors of sign flips of means where the related datasets are flipped, and not their families:

"""


def section(found: list[RankingRates]) -> str:
    """Return the section of docs/error-rates.md."""
    archives = max(one.archives for one in found)
    text = _SECTION.format(
        archives=archives,
        of=OF_FAMILY,
        related=RELATED,
        alpha=ALPHA,
        most=highest(archives),
        held=sum(one.holds for one in found),
        lines=len(found),
        shift=SHIFT,
    )
    titles = ["null", "units", "methods", *TESTS, *(f"power: {test}" for test in TESTS)]
    rows = []
    for one in found:
        cells = [one.null, str(one.units), str(one.methods)]
        cells += ["–" if rate is None else f"{rate:.4f}" for rate in one.errors]
        cells += ["–" if rate is None else f"{rate:.2f}" for rate in one.power]
        rows.append(cells)
    text = f"{text}\n{table_text(titles, rows)}"
    related = [one for one in found if one.by_dataset is not None]
    if related:
        rows = [(str(one.units), str(one.methods), f"{one.by_dataset:.4f}") for one in related]
        text += _RELATED + table_text(("families", "methods", "errors"), rows)
    return text
