"""Error rates and power of sign flips of scaled differences, and coverage of sets of places made of them.

Every unit has a scale and a difficulty of its own. The test is computed here for all pairs at once: the
difference of two methods is that of their scaled values, and the largest one is the range."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.error_rate import ALPHA, Each, highest, named, table_text
from delvecore.stats.ranking.analysis import analyse
from delvecore.stats.ranking.places import place_sets
from delvecore.stats.ranking.sign_flips import MOST_EXACT, all_signs, unit_scales

SIZES = ((5, 4), (6, 4), (8, 8), (10, 4), (10, 12), (20, 5), (20, 8), (29, 12), (41, 30))
"""Units and methods."""
DRAWS = 1_000
PLACES = tuple((units, methods) for methods in (4, 8) for units in (5, 10, 20, 30))
SEED = 41
Floats = np.ndarray
Draw = Callable[[np.random.Generator, int, int], Floats]


def _normal(draws: np.random.Generator, units: int, methods: int) -> Floats:
    return draws.normal(size=(units, methods))


def _unequal(draws: np.random.Generator, units: int, methods: int) -> Floats:
    return _normal(draws, units, methods) * np.where(np.arange(methods) < max(1, methods // 3), 5.0, 1.0)


def _half_exponential(draws: np.random.Generator, units: int, methods: int) -> Floats:
    values, half = _normal(draws, units, methods), methods // 2
    values[:, :half] = draws.exponential(size=(units, half)) - 1
    return values


def _one_fails(draws: np.random.Generator, units: int, methods: int) -> Floats:
    values = _normal(draws, units, methods)
    values[:, 0] += np.where(draws.random(units) < 0.1, 9.0, -1.0)
    return values


def _near_copies(draws: np.random.Generator, units: int, methods: int) -> Floats:
    distance = 10.0 ** draws.uniform(-4, -1, (units, 1))
    values = draws.normal(size=(units, 1)) + distance * _normal(draws, units, methods)
    values[:, 0] = draws.normal(size=units)
    return values


def _clustered(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """Each unit is a family of three datasets whose correlation is 0.3."""
    family = np.repeat(draws.normal(size=(units, 1, methods)), 3, axis=1)
    values = np.sqrt(0.3) * family + np.sqrt(0.7) * draws.normal(size=family.shape)
    return np.asarray((draws.lognormal(0, 0.8, (units, 3, 1)) * values).mean(axis=1))


def _missing(draws: np.random.Generator, units: int, methods: int) -> Floats:
    values = _normal(draws, units, methods)
    values[draws.random(values.shape) < 0.3 / methods] = np.nan
    return values


def _diverging(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """About four cells in ten units are up to 1e14."""
    large = 10.0 ** draws.uniform(2, 14, (units, methods))
    return np.where(draws.random(large.shape) < 0.4 / methods, large, _normal(draws, units, methods))


def _one_better(draws: np.random.Generator, units: int, methods: int) -> Floats:
    values = _normal(draws, units, methods)
    values[:, 0] -= 1.5
    return values


def _better_than_copies(draws: np.random.Generator, units: int, methods: int) -> Floats:
    values = _near_copies(draws, units, methods)
    values[:, 0] -= 1.0
    return values


def _one_diverging(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """The second method is better; the first one diverges on half of the units."""
    values = _normal(draws, units, methods)
    values[:, 1] -= 1.5
    values[:, 0] = np.where(draws.random(units) < 0.5, 10.0 ** draws.uniform(2, 14, units), values[:, 0])
    return values


NULLS: dict[str, Draw] = {
    "equal": _normal,
    "unequal variance": _unequal,
    "Cauchy": lambda draws, units, methods: draws.standard_cauchy((units, methods)),
    "exponential": lambda draws, units, methods: draws.exponential(size=(units, methods)),
    "log-normal": lambda draws, units, methods: draws.lognormal(size=(units, methods)),
    "near copies": _near_copies,
    "clustered": _clustered,
    "missing cells": _missing,
    "ties": _normal,
    "diverging": _diverging,
}
"""Equal methods whose differences are symmetric about zero. Values of `ties` are whole numbers."""
SKEWED: dict[str, Draw] = {"half exponential": _half_exponential, "one fails on 10 %": _one_fails}
"""Methods of equal means whose differences are not symmetric: nothing is promised."""
ALTERNATIVES: dict[str, Draw] = {
    "ladder": lambda draws, units, methods: _normal(draws, units, methods) + np.linspace(0, 1.5, methods),
    "one better": _one_better,
    "near copies, one better": _better_than_copies,
    "one diverging": _one_diverging,
}
DRAWN = NULLS | SKEWED | ALTERNATIVES
SHIFTS: dict[str, Callable[[int], Floats]] = {
    "equal": lambda methods: np.zeros(methods),
    "one better by 2": lambda methods: np.where(np.arange(methods) > 0, 2.0, 0.0),
    "one better by 3": lambda methods: np.where(np.arange(methods) > 0, 3.0, 0.0),
    "ladder of 0.5": lambda methods: 0.5 * np.arange(methods),
    "ladder of 1": lambda methods: 1.0 * np.arange(methods),
}
"""True means, in standard deviations, for sets of places."""


DIFFERENT = {"one better": 1, "near copies, one better": 1, "one diverging": 2}
"""How many methods of an alternative differ, the first ones; the others are equal."""


@dataclass(frozen=True)
class FlipRates:
    """Shares of tables by size, None where no data could reach the level.

    name: of `NULLS`, `SKEWED` or `ALTERNATIVES`; any_pair: in which some pair is called different; errors: in
    which some equally good methods are; pairs: share of pairs; tables: how many were drawn."""

    name: str
    any_pair: tuple[float | None, ...]
    errors: tuple[float | None, ...]
    pairs: tuple[float | None, ...]
    tables: int

    @property
    def held(self) -> list[bool]:
        """Which errors of symmetric differences are at most the level, within two standard errors?"""
        promised = [] if self.name in SKEWED else self.errors
        return [rate <= highest(self.tables) for rate in promised if rate is not None]

    @property
    def holds(self) -> bool:
        return all(self.held)


@dataclass(frozen=True)
class PlaceRates:
    """Misses of sets of places, see `section_of_places`.

    misses: of all sets, of single ones, and of the best method, the first one of several; width: mean number
    of places in a set; tables: how many were drawn."""

    name: str
    units: int
    methods: int
    misses: tuple[float, float, float]
    width: float
    tables: int

    @property
    def holds(self) -> bool:
        """Is no rate above the level by more than two standard errors?"""
        return max(self.misses) <= highest(self.tables)


def measure(tables: int, each: Each = map) -> list[FlipRates]:
    """Simulate all nulls and alternatives at all sizes."""
    names = list(DRAWN)
    cells = [(name, *size, tables) for name in names for size in SIZES]
    rates = list(each(cell_rates, *zip(*cells, strict=True)))
    rows = (rates[start : start + len(SIZES)] for start in range(0, len(rates), len(SIZES)))
    return [FlipRates(name, *zip(*row, strict=True), tables) for name, row in zip(names, rows, strict=True)]


def measure_places(tables: int, each: Each = map) -> list[PlaceRates]:
    """Simulate sets of places with all true means."""
    lines = [(name, *size, tables) for name in SHIFTS for size in PLACES]
    return list(each(place_rates, *zip(*lines, strict=True)))


def cell_rates(name: str, units: int, methods: int, tables: int) -> Sequence[float | None]:
    """Simulate one null or alternative at one size: shares of tables, of errors, and of pairs."""
    draws = np.random.default_rng([SEED, list(DRAWN).index(name), units, methods])
    first = np.triu_indices(methods, 1)[0]
    # All methods of a ladder differ; of a null none does.
    equal = first >= (DIFFERENT.get(name, methods) if name in ALTERNATIVES else 0)
    if 2.0 ** (1 - units) >= ALPHA:
        return None, None, None
    found = np.array(
        [
            different(with_scales(DRAWN[name](draws, units, methods), draws, name), draws)
            for _ in range(tables)
        ]
    )
    errors = float(found[:, equal].any(axis=1).mean()) if equal.any() else None
    return float(found.any(axis=1).mean()), errors, float(found.mean())


def with_scales(values: Floats, draws: np.random.Generator, name: str = "") -> Floats:
    """Return values of which each unit has a scale and a difficulty of its own."""
    units = (len(values), 1)
    made = np.asarray(3 * draws.normal(size=units) + draws.lognormal(0, 0.8, units) * values)
    return made.round() if name == "ties" else made


def different(values: Floats, draws: np.random.Generator) -> Floats:
    """Which pairs are significantly different by sign flips of scaled differences, as `sign_flips` has it?"""
    values = values[~np.isnan(values).any(axis=1)]
    units, methods = values.shape
    first, second = np.triu_indices(methods, 1)
    if units < 2:
        return np.zeros(len(first), dtype=bool)
    scales = unit_scales(values)
    # Differences of large values are exact if one method of the unit is zero.
    scaled = (values - np.median(values, axis=1, keepdims=True)) / np.where(scales > 0, scales, 1.0)[:, None]
    exact = units <= MOST_EXACT
    signs = all_signs(units) if exact else 2.0 * draws.integers(0, 2, (DRAWS, units), dtype=np.int8) - 1
    sums, total, one = signs @ scaled, scaled.sum(axis=0), 0 if exact else 1
    reached = np.abs(total[first] - total[second]) * (1 - 1e-9)
    largest = sums.max(axis=1) - sums.min(axis=1)
    if (np.count_nonzero(largest >= reached.max()) + one) / (len(signs) + one) >= ALPHA:
        return np.zeros(len(first), dtype=bool)
    order, of_method, running = np.argsort(reached), np.ascontiguousarray(sums.T), np.zeros(len(signs))
    p = np.empty(len(first))
    for place, pair in enumerate(order.tolist()):
        np.maximum(running, np.abs(of_method[first[pair]] - of_method[second[pair]]), out=running)
        p[place] = (np.count_nonzero(running >= reached[pair]) + one) / (len(signs) + one)
    found = np.zeros(len(first), dtype=bool)
    found[order] = np.maximum.accumulate(p[::-1])[::-1] < ALPHA
    return found


def place_rates(name: str, units: int, methods: int, tables: int) -> PlaceRates:
    """Simulate sets of places of methods with true means, by the functions of rankings."""
    draws = np.random.default_rng([SEED, list(SHIFTS).index(name), units, methods])
    shifts = SHIFTS[name](methods)
    # Equal methods share their places; the truth lies in a set that holds all of them.
    first = 1 + (shifts[:, None] > shifts).sum(axis=1)
    last = (shifts[:, None] >= shifts).sum(axis=1)
    missed = single = best = width = 0.0
    for _ in range(tables):
        flips = analyse(named(with_scales(draws.normal(size=(units, methods)) + shifts, draws))).sign_flips
        sets = place_sets(flips, higher_is_better=False, level=1 - ALPHA)
        own = place_sets(flips, higher_is_better=False, level=1 - ALPHA, single=True)
        missed += bool(((first < sets.lowest) | (last > sets.highest)).any())
        single += float(((first < own.lowest) | (last > own.highest)).mean())
        best += not sets.may_be_best[0]
        width += float((sets.highest - sets.lowest + 1).mean())
    misses = (missed / tables, single / tables, best / tables)
    return PlaceRates(name, units, methods, misses, width / tables, tables)


_SECTION = """## Scaled differences

{tables:,} tables a cell, in which each unit has a scale and a difficulty of its own. A table errs where any
pair of equally good methods is called different at {alpha:g} by sign flips of scaled differences, with up to
{draws:,} flips. They are the default for three methods or more. The rate may be {most:.4f}, and {held} of
{cells} cells hold that, with those of the last table. With five units nothing is testable.

- *unequal variance*: a third of the methods vary five times as much
- *near copies*: all methods but one are copies of each other; their distance is 0.0001 to 0.1 standard
  deviations
- *clustered*: units are families of three datasets with a correlation of 0.3
- *missing cells*: units with a gap are left out
- *ties*: whole numbers
- *diverging*: some values are up to 1e14

"""
_SKEWED = """
The test assumes that differences are symmetric. It errs more where methods have equal means but differences
are skewed:

- *half exponential*: half of the methods have exponential values, the others normal ones
- *one fails on 10 %*: 9 standard deviations worse there, and 1 better elsewhere

"""
_POWER = """
Share of tables in which some pair is called different; in brackets, the share of pairs:

- *ladder*: equal steps from 0 to 1.5 standard deviations
- *one better*: by 1.5; of near copies by 1
- *one diverging*: one method diverges on half of the units, another one is better by 1.5

"""
_ERRORS = """
Share of tables in which two of the equally good methods of these alternatives are called different:

"""
_PLACES = """## Confidence sets of places

{tables:,} tables a line, with sign flips as a ranking makes them by default; each unit has a scale and a
difficulty of its own. The rates are those of misses, and may be {most:.4f}; {held} of {lines} lines hold
that.

- *all*: tables in which some method's place is not in its set
- *single*: methods whose place is not in the set that is made for them alone
- *best*: tables in which the best method is not among those that may be best
- *places in a set*: the mean

"""


def section(rates: list[FlipRates]) -> str:
    """Return the section of docs/error-rates.md on errors and power."""
    by_name = {one.name: one for one in rates}
    nulls, tables = [by_name[name] for name in NULLS], rates[0].tables
    held = [cell for one in rates for cell in one.held]
    sizes = [f"{units} x {methods}" for units, methods in SIZES]
    facts = {"alpha": ALPHA, "draws": DRAWS, "most": highest(tables), "tables": tables}
    text = _SECTION.format(held=sum(held), cells=len(held), **facts)
    text += table_text(("null", *sizes), [(one.name, *map(_rate, one.errors)) for one in nulls])
    rows = [(name, *map(_rate, by_name[name].errors)) for name in SKEWED]
    text += _SKEWED + table_text(("skewed null", *sizes), rows)
    found = [by_name[name] for name in ALTERNATIVES]
    rows = [(one.name, *map(_power, one.any_pair, one.pairs)) for one in found]
    text += _POWER + table_text(("alternative", *sizes), rows)
    rows = [(name, *map(_rate, by_name[name].errors)) for name in DIFFERENT]
    return text + _ERRORS + table_text(("other pairs", *sizes), rows)


def section_of_places(rates: list[PlaceRates]) -> str:
    """Return the section of docs/error-rates.md on sets of places."""
    tables, held = rates[0].tables, sum(one.holds for one in rates)
    text = _PLACES.format(tables=tables, most=highest(tables), held=held, lines=len(rates))
    titles = ("true means", "units", "methods", "all", "single", "best", "places in a set")
    rows = [
        (one.name, str(one.units), str(one.methods), *map(_rate, one.misses), f"{one.width:.2f}")
        for one in rates
    ]
    return text + table_text(titles, rows)


def _rate(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.4f}"


def _power(any_pair: float | None, pairs: float | None) -> str:
    return "–" if any_pair is None or pairs is None else f"{any_pair:.2f} ({pairs:.2f})"
