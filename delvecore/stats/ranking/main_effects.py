"""Main effects of the settings of a method's variants: mean ranks by the values of each setting.

The variants are ranked on each task. The main effect of a value is the mean rank of the variants that have
it. Each unit counts once; intervals are Student's t over units.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from delvecore.stats.choose import DEFAULT_LEVEL
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking.friedman import friedman
from delvecore.stats.ranking.ranks import (
    DIGITS,
    choose_unit,
    is_one_dataset,
    task_ranks,
    unit_names,
    unit_ranks,
    unit_table,
)
from delvecore.stats.ranking.score_table import ScoreTable


@dataclass(frozen=True)
class Mean:
    """Mean rank and mean value of a variant, or of all variants with a value.

    The interval of the mean rank is NaN for one unit, and for equal ranks on all units.

    Attributes
    ----------
    variants : int
        Number of variants.
    """

    name: str
    rank: float
    lower: float
    upper: float
    value: float
    variants: int = 1


@dataclass(frozen=True)
class MainEffects:
    """Effects of the settings of variants.

    Attributes
    ----------
    variants : tuple of Mean
        Each variant with its rank, in the order of the table.
    settings : mapping of str to tuple of Mean
        Values of each setting that differs between variants, the widest range of mean ranks first.
    p : mapping of str to float
        p of Friedman's test of the ranks of a setting's values, adjusted by Holm for all settings; NaN for
        one unit.
    unit, units : str, int
        Kind of unit that counts once, and the number of units.
    tasks : int
        Number of ranked tasks.
    """

    variants: tuple[Mean, ...]
    settings: Mapping[str, tuple[Mean, ...]]
    p: Mapping[str, float]
    unit: str
    units: int
    tasks: int
    level: float


def main_effects(
    table: ScoreTable, settings: Mapping[str, Mapping[str, str]], *, level: float = DEFAULT_LEVEL
) -> MainEffects:
    """Main effects of settings: the mean rank of each value of a setting, and Friedman's test of these ranks.

    table: scores of the variants, without gaps; settings: settings of each variant, by its name. There are
    neither p nor intervals if all tasks are of one dataset. Raises ValueError for an empty table or one with
    gaps.
    """
    unit = choose_unit(table)
    names, tested = unit_names(table, unit), not is_one_dataset(table)
    ranks, values = unit_ranks(task_ranks(table), names).ranks, unit_table(table, unit).values
    count, most = ranks.shape

    def mean_of(name: str, places: list[int]) -> Mean:
        means, half = ranks[:, places].mean(axis=1), np.nan
        if tested and count > 1 and np.ptp(means) > 10.0**-DIGITS:
            half = float(stdtrit(count - 1, (1 + level) / 2) * means.std(ddof=1) / np.sqrt(count))
        middle = float(means.mean())
        lower, upper = np.clip([middle - half, middle + half], 1, most).tolist()
        return Mean(name, middle, lower, upper, float(values[:, places].mean()), len(places))

    by_setting: dict[str, tuple[Mean, ...]] = {}
    alone = []
    for setting, groups in _groups(table.methods, settings).items():
        by_setting[setting] = tuple(mean_of(*one) for one in groups.items())
        by_value, p = np.column_stack([ranks[:, places].mean(axis=1) for places in groups.values()]), np.nan
        if count > 1 and tested:
            test = friedman(task_ranks(ScoreTable(tuple(map(str, range(count))), tuple(groups), by_value)))
            p = test.p if test.exact_p is None else test.exact_p
        alone.append(p)
    adjusted = adjust(np.array(alone), untested=True).tolist()

    def reach(setting: str) -> float:
        in_order = [value.rank for value in by_setting[setting]]
        return max(in_order) - min(in_order)

    return MainEffects(
        tuple(mean_of(name, [place]) for place, name in enumerate(table.methods)),
        {setting: by_setting[setting] for setting in sorted(by_setting, key=reach, reverse=True)},
        p=dict(zip(by_setting, adjusted, strict=True)),
        unit=unit,
        units=count,
        tasks=len(table.tasks),
        level=level,
    )


def _groups(
    methods: tuple[str, ...], settings: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, list[int]]]:
    """Return the places of the variants by value, for each setting that differs."""
    keys = dict.fromkeys(key for name in methods for key in settings[name])
    groups: dict[str, dict[str, list[int]]] = {}
    for key in keys:
        values: dict[str, list[int]] = {}
        for place, name in enumerate(methods):
            values.setdefault(settings[name].get(key, ""), []).append(place)
        if len(values) > 1:
            groups[key] = values
    return groups
