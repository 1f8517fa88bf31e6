"""Methods and pairs of methods of a ranking as tables, from which every format takes its columns."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from delvecore.answers.answer import Column, Kind, Table
from delvecore.report.ranking.sentences import places_words, untestable_words
from delvecore.report.verdict_words import FLIPPED_UNITS
from delvecore.stats.array_types import Mask
from delvecore.stats.choose import Verdict, level_of, turned_verdict
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.effects import mean_difference, median_difference, superiority, win_rate
from delvecore.stats.ranking.pair_test import PairTest
from delvecore.stats.ranking.places import PlaceSets
from delvecore.stats.ranking.sign_flips import simultaneous_intervals
from delvecore.stats.verdicts import (
    PairVerdicts,
    RankTest,
    groups_of,
    pair_verdicts,
    units_needed,
    verdict_matrix,
)

Columns = Mapping[str, Any]
"""A list or array with a value per row, or one value for all rows, by key."""
POWER = 0.8


TITLES = {"method_a": "a", "method_b": "b", "lowest_place": "place from", "highest_place": "to"}
_PLACES = {"lowest_place": "lowest", "highest_place": "highest", "may_be_best": "may_be_best"}


def shown_against(analysis: Analysis) -> int:
    """Return the place of the reference of comparisons: the control, or the method with the best mean
    rank."""
    return analysis.order[0] if analysis.control is None else analysis.control


def methods_table(analysis: Analysis, verdicts: PairVerdicts, places: PlaceSets | None) -> Table:
    """Methods of a ranking, best mean rank first.

    Columns: mean rank, confidence set of the place, number of units where the method is best, mean and median
    value, number of methods that it is better and worse than, numbers of its groups. `wins`, `ties`, `losses`
    and `p`, adjusted, are against the control or the best mean rank; None in the row of that method."""
    order, against = list(analysis.order), shown_against(analysis)
    values, matrix = analysis.table.values[:, order], verdict_matrix(analysis, verdicts)[order]
    groups = [set(members) for members in groups_of(analysis, verdicts)]
    within = (tuple(n for n, group in enumerate(groups, 1) if place in group) for place in order)
    place_columns = {
        key: [None] * len(order) if places is None else getattr(places, name)[order].tolist()
        for key, name in _PLACES.items()
    }
    pair, is_first = analysis.pair_numbers[order, against], np.array(order) < against
    wins, ties, losses = (counts[pair] for counts in analysis.scan.wins)
    is_other = np.array(order) != against
    counts = {"wins": np.where(is_first, wins, losses), "ties": ties}
    counts["losses"] = np.where(is_first, losses, wins)
    return _table(
        {
            "method": [analysis.table.methods[place] for place in order],
            "mean_rank": analysis.ranks.average[order],
            **place_columns,
            "best_on": analysis.best_on[order],
            "mean": values.mean(axis=0),
            "median": np.median(values, axis=0),
            "better_than": (matrix == Verdict.BETTER).sum(axis=1),
            "worse_than": (matrix == Verdict.WORSE).sum(axis=1),
            "groups": np.fromiter(within, dtype=object, count=len(order)),
            **{key: _of_others(one, is_other) for key, one in counts.items()},
            "p": _of_others(verdicts.p_adjusted[pair], is_other),
        },
        len(order),
    )


def _of_others(values: np.ndarray, is_other: Mask) -> list[Any]:
    return [value if one else None for value, one in zip(values.tolist(), is_other, strict=True)]


def place_texts(table: Table) -> list[str]:
    """Return the confidence set of each method's place in words."""
    return [places_words(ends) for ends in table.select("lowest_place", "highest_place").rows]


def pairs_table(analysis: Analysis, verdicts: PairVerdicts, *tests: str) -> Table:
    """Pairs of methods, a before b in the order of the values.

    Columns: difference of means and medians, a minus b, in the unit of the values; difference of mean ranks;
    numbers of units that a wins, ties and loses; p and verdict on a by the chosen test. `estimate`, `lower`
    and `upper` are the simultaneous interval of sign flips, in `interval_unit`; None for other tests.

    `tests` are keys of PAIR_TESTS. Their columns follow, with the key of the test as prefix.
    """
    scan, names = analysis.scan, np.array(analysis.table.methods, dtype=object)
    interval: dict[str, Any] = dict.fromkeys(("estimate", "lower", "upper"), np.nan) | {"interval_unit": None}
    if verdicts.test == RankTest.FLIPS and verdicts.is_testable:
        interval = dict(zip(interval, _interval(analysis).values(), strict=True))
    table = _table(
        {
            "method_a": names[scan.first],
            "method_b": names[scan.second],
            "difference": scan.mean,
            "median_difference": scan.median,
            "rank_difference": analysis.nemenyi.statistic,
            **dict(zip(("wins", "ties", "losses"), scan.wins, strict=True)),
            **interval,
            "p": verdicts.p,
            "p_adjusted": verdicts.p_adjusted,
            "adjustment": verdicts.adjustment,
            "verdict": [str(one) for one in verdicts.verdict],
            "reason": reason_of(analysis, verdicts),
        },
        len(scan.first),
    )
    parts = [_table(PAIR_TESTS[test](analysis, verdicts), len(table), group=test).columns for test in tests]
    return Table(tuple(column for part in (table.columns, *parts) for column in part))


def of_test(table: Table, test: str) -> Table:
    """Return the pairs with the columns of one test, without the prefix of its key."""
    columns = (
        replace(one, key=one.key.removeprefix(f"{test}_")) for one in table.columns if one.group == test
    )
    return Table((*table.select("method_a", "method_b").columns, *columns))


def reason_of(analysis: Analysis, verdicts: PairVerdicts) -> str | None:
    """Return why no pair is tested; None if pairs are."""
    return None if verdicts.is_testable else untestable_words(analysis, verdicts)


def combined_table(pairs: pa.Table) -> Table:
    """Pairs of methods by the tests of single tasks, and the mean of their differences over units.

    pairs: schema `random_effects.COMBINED`."""
    names, numbers = pairs.column_names[:2], pairs.column_names[2:]
    columns = {name: pairs[name].to_pylist() for name in names}
    return _table(columns | {name: pairs[name].to_numpy() for name in numbers}, len(pairs))


_PARTNERS = {"method_a": "method_b", "wins": "losses", "lower": "upper"}
_PARTNERS |= {b: a for a, b in _PARTNERS.items()}
_SIGNED = re.compile("difference|estimate|mean|lower|upper")


def turned(table: Table, is_turned: Mask) -> Table:
    """Return pairs, some of them as b against a. The table must not have probabilities of a or b."""
    columns = []
    for one in table.columns:
        other = re.sub("|".join(_PARTNERS), lambda match: _PARTNERS[match[0]], one.key)
        values, others = (np.asarray(table[key], dtype=object) for key in (one.key, other))
        if one.key == "verdict":
            others = np.array([turned_verdict(verdict) for verdict in others], dtype=object)
        elif _SIGNED.search(one.key) and one.key != "interval_unit":
            others = -others
        columns.append(replace(one, values=np.where(is_turned, others, values)))
    return replace(table, columns=tuple(columns))


def pair_rows(table: Table, pairs: Iterable[tuple[str, str]]) -> Table:
    """Return the rows of these pairs, each with its first method as a; unknown pairs are left out."""
    place = {pair: row for row, pair in enumerate(zip(table["method_a"], table["method_b"], strict=True))}
    kept = [pair for pair in pairs if pair in place or pair[::-1] in place]
    rows = [place[pair] if pair in place else place[pair[::-1]] for pair in kept]
    return turned(table.take(rows), np.array([pair not in place for pair in kept], dtype=bool))


def tests_of_pair(combined: pa.Table | None, pair: tuple[str, str]) -> Table | None:
    """Return the tests of single tasks for a pair, in one row; None without such tests."""
    if combined is None:
        return None
    tests = pair_rows(combined_table(combined), [pair])
    return tests if len(tests) else None


def _table(columns: Columns, count: int, *, group: str = "") -> Table:
    def column(key: str, values: Any) -> Column:
        values = values if isinstance(values, list | np.ndarray) else [values] * count
        kind: Kind = "p" if "p" in key.split("_") else "number"
        if count and isinstance(values[0], str | tuple | int | np.integer):
            kind = "name" if isinstance(values[0], str | tuple) else "count"
        name = key if not group or key == group else f"{group}_{key}"
        return Column(name, TITLES.get(key, key.replace("_", " ")), kind, values, group)

    return Table(tuple(column(key, values) for key, values in columns.items()))


ColumnsOfTest = Callable[[Analysis, PairVerdicts], Columns]


def _wilcoxon(analysis: Analysis, _: PairVerdicts) -> Columns:
    test, scan = analysis.wilcoxon, analysis.scan
    numbers: dict[str, Any] = {
        "n": scan.differing,
        "zeros": scan.zero,
        "statistic": test.statistic,
        "p": test.p,
    }
    numbers |= {"adjustment": analysis.adjustment, "p_adjusted": adjust(test.p, method=analysis.adjustment)}
    methods = np.where(np.isnan(scan.exact_p), "normal", "exact")
    methods = np.where(scan.differing == 0, "all differences zero", methods)
    return {**numbers, **_adjusted(test), "method": methods.tolist()}


def _t_tests(analysis: Analysis, _: PairVerdicts) -> Columns:
    test, corrected = analysis.t_tests, analysis.corrected_t_tests
    return {
        "difference": analysis.scan.mean,
        "t": test.statistic,
        "df": analysis.scan.tasks - 1,
        "p": test.p,
        "adjustment": analysis.adjustment,
        "p_adjusted": adjust(test.p, method=analysis.adjustment),
        **_adjusted(test),
        "test_share": analysis.test_share,
        "t_corrected": corrected.statistic,
        "p_corrected": corrected.p,
        "p_corrected_holm": corrected.p_holm,
    }


def _adjusted(test: PairTest) -> Columns:
    """Return p adjusted for all pairs in four ways."""
    others = ("bonferroni", "hochberg", "benjamini-hochberg")
    ways = {f"p_{way.replace('-', '_')}": adjust(test.p, method=way) for way in others}
    return {"p_holm": test.p_holm, **ways}


def _sign_flips(analysis: Analysis, _: PairVerdicts) -> Columns:
    test, verdicts = analysis.sign_flips, pair_verdicts(analysis, RankTest.FLIPS)
    return {
        **{name: getattr(test, name) for name in ("p", "p_all", "z", "exact", "flips")},
        "statistic": str(test.statistic),
        **_interval(analysis),
        "adjustment": verdicts.adjustment,
        "p_adjusted": verdicts.p_adjusted,
    }


def _interval(analysis: Analysis) -> Columns:
    """Return the mean of the statistic of sign flips with its simultaneous interval."""
    flips = analysis.sign_flips
    ends = simultaneous_intervals(flips, level=level_of(analysis.alpha), control=analysis.control)
    unit = FLIPPED_UNITS[flips.statistic]
    return {"difference": flips.mean, "lower": ends.lower, "upper": ends.upper, "interval_unit": unit}


def _effects(analysis: Analysis, _: PairVerdicts) -> Columns:
    columns: dict[str, Any] = dict(zip(("wins", "ties", "losses"), analysis.scan.wins, strict=True))
    sizes = (mean_difference, median_difference, win_rate, superiority)
    for name, size in zip(("mean", "median", "win_rate", "superiority"), sizes, strict=True):
        interval = size(analysis.scan)
        columns |= {name: interval.estimate, f"{name}_lower": interval.lower, f"{name}_upper": interval.upper}
    return columns


def _bayes(analysis: Analysis, _: PairVerdicts) -> Columns:
    columns: dict[str, Any] = {"rope": analysis.rope}
    for posterior in analysis.bayes:
        name = posterior.test.replace(" ", "_")
        for outcome in ("a_better", "equivalent", "b_better"):
            columns[f"{name}_{outcome}"] = getattr(posterior, outcome)
    return columns


def _power(analysis: Analysis, verdicts: PairVerdicts) -> Columns:
    """Return the number of units with which the chosen test finds each difference with probability POWER."""
    needed = units_needed(verdicts, len(analysis.units.tasks), power=POWER)
    return {"power": POWER, "test": verdicts.test.word, "units_needed": needed}


PAIR_TESTS: dict[str, ColumnsOfTest] = {
    "nemenyi": lambda analysis, _: {"p": analysis.nemenyi.p},
    "wilcoxon": _wilcoxon,
    "t": _t_tests,
    "flips": _sign_flips,
    "effects": _effects,
    "bayes": _bayes,
    "power": _power,
}
"""Further columns of pairs, by test."""
