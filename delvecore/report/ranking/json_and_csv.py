"""A ranking for other programs: JSON and CSV in full precision, and its values as `delve rank` reads them.

What is not a number, or infinite, is null in JSON and an empty field in CSV."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from delvecore.render.csv import csv_text
from delvecore.render.json import finite, json_text
from delvecore.report.ranking.failed_runs import failure_record
from delvecore.report.ranking.ranking_report import RankingReport, methods_that_may_be_best
from delvecore.report.ranking.sentences import (
    assumption_words,
    ranking_sentence,
    run_record,
    untestable_words,
)
from delvecore.report.verdict_words import FLIPPED_UNITS
from delvecore.stats.choose import level_of
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking import wilcoxon
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.bonferroni_dunn import control_difference
from delvecore.stats.ranking.effects import wilson_interval
from delvecore.stats.ranking.paired_t import PairedT
from delvecore.stats.ranking.random_effects import CombinedPairs
from delvecore.stats.ranking.ranks import unit_names
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.sign_flips import simultaneous_intervals
from delvecore.stats.ranking.standings import summarize
from delvecore.stats.verdicts import PairVerdicts, RankTest, groups_of, pair_verdicts, units_needed

Record = dict[str, Any]
"""What JSON can hold, under names."""
Columns = Mapping[str, Any]
"""What there is of each pair, under names: a list or array of as many values as pairs, or one for all."""
POWER = 0.8


def ranking_json(report: RankingReport) -> str:
    """Return all that was found, under the names of `docs/statistics-reference.md`, a line for each pair and
    test; null for pairs and groups where methods are many and nobody asks for them."""
    record = _record(report) | {"notes": list(report.said)}
    return json_text(record)


def ranking_csv(report: RankingReport) -> str:
    """Return a line for each pair of methods, with every test of it."""
    found, chosen = report.found, report.verdicts
    wins, ties, _ = found.scan.wins
    units = len(found.units.tasks)
    rate = (wins + ties / 2) / units
    lower, upper = wilson_interval(rate, units, level=1 - found.alpha)
    signed, t, flips = _wilcoxon(found), _t_tests(found), _sign_flips(found)
    columns = {
        **_names(found),
        "rank_difference": found.nemenyi.difference,
        "p_nemenyi": found.nemenyi.p,
        **dict(zip(("wins", "ties", "losses"), found.scan.wins, strict=True)),
        **dict(zip(("win_rate", "win_rate_lower", "win_rate_upper"), (rate, lower, upper), strict=True)),
        "mean_difference": found.scan.mean,
        "median_difference": found.scan.median,
        **{f"wilcoxon_{name}": signed[name] for name in ("n", "zeros", "statistic", "p", "p_holm", "method")},
        "t": t["t"],
        **{f"t_{name}": t[name] for name in ("df", "p", "p_holm", "p_corrected")},
        **{f"flips_{name}": flips[name] for name in ("p", "p_all", "difference", "lower", "upper")},
        "flips_interval_unit": flips["interval_unit"],
        "adjustment": found.adjustment,
        "wilcoxon_p_adjusted": signed["p_adjusted"],
        "t_p_adjusted": adjust(found.t_tests.p, method=found.adjustment),
        "flips_p_adjusted": flips["p_adjusted"],
        "unit": found.unit,
        "units": units,
        "test": chosen.test.word,
        **{name: getattr(chosen, name) for name in ("p", "p_adjusted", "verdict")},
        "reason": _reason(report),
    }
    if found.one_dataset:
        columns |= {name: None for name in columns if _is_inference(name)}
    return csv_text(list(columns), _rows(columns, len(wins)))


def _is_inference(column: str) -> bool:
    """Is this a column of a test or an interval? They are empty if all tasks are of one dataset."""
    return any(part in column.split("_") for part in ("p", "lower", "upper", "t", "statistic", "df", "z"))


def _record(report: RankingReport) -> Record:
    found, combined = report.found, report.combined
    table, names, places = found.table, found.table.methods, report.places

    def pairs(of: Callable[[Analysis], Columns], *, tested: bool = True) -> list[Record] | None:
        """Return a record a pair; None for tests if all tasks are of one dataset."""
        if not report.lists_pairs or (tested and found.one_dataset):
            return None
        return _by_pair(found, of(found))

    def groups(said: PairVerdicts) -> list[list[str]] | None:
        return found.names(groups_of(found, said)) if report.lists_pairs else None

    untested = found.one_dataset or not report.lists_pairs
    tests = ("friedman", "iman_davenport", "quade", "aligned_ranks", "skillings_mack")
    return {
        "answer": ranking_sentence(found, report.verdicts, quantity=table.quantity),
        "failed_runs": failure_record(found, report.verdicts.test),
        "tasks": list(table.tasks),
        "unit": found.unit,
        "assumes": assumption_words(found),
        "units": _units(found),
        "methods": list(names),
        "dropped_tasks": list(found.dropped_tasks),
        "dropped_methods": list(found.dropped_methods),
        "runs": run_record(found.given.runs),
        "quantity": table.quantity,
        "higher_is_better": table.higher_is_better,
        "alpha": found.alpha,
        "level": level_of(found.alpha),
        "adjustment": found.adjustment,
        "control": None if found.control is None else names[found.control],
        "test": report.verdicts.test.word,
        "testable": report.verdicts.is_testable,
        "reason": _reason(report),
        "smallest_p": report.verdicts.smallest_p,
        "groups": groups(report.verdicts),
        "verdicts": pairs(lambda _: _verdicts(report.verdicts), tested=False),
        "summary": list(map(finite, map(asdict, summarize(table)))),
        "average_ranks": found.average_ranks,
        "places": places and {name: list(places.of(method)) for method, name in enumerate(names)},
        "places_hold": None if places is None else "one at a time" if places.single else "all at once",
        "may_be_best": places and methods_that_may_be_best(found, places),
        **{name: None if found.one_dataset else asdict(getattr(found, name)) for name in tests},
        "by_family": _by_other_unit(found.by_family, pairs=report.lists_pairs),
        "by_dataset": _by_other_unit(found.by_dataset, pairs=report.lists_pairs),
        "nemenyi": None if found.one_dataset else _nemenyi(found, pairs=report.lists_pairs),
        "bonferroni_dunn": None if found.one_dataset else _bonferroni_dunn(found),
        "wilcoxon": pairs(_wilcoxon),
        "wilcoxon_groups": None if untested else groups(pair_verdicts(found, RankTest.WILCOXON)),
        "t_tests": pairs(_t_tests),
        "sign_flips": pairs(_sign_flips),
        "effects": pairs(_effects),
        "bayes": pairs(_bayes),
        "power": pairs(lambda _: _power(report)),
        "combined": None if combined is None or found.one_dataset else _combined(combined),
    }


def _reason(report: RankingReport) -> str | None:
    """Return why no pair is tested; None where pairs are."""
    return None if report.verdicts.is_testable else untestable_words(report.found, report.verdicts)


def _verdicts(said: PairVerdicts) -> Columns:
    p, p_adjusted = said.p, said.p_adjusted
    return {"p": p, "adjustment": said.adjustment, "p_adjusted": p_adjusted, "verdict": said.verdict}


def _by_other_unit(found: Analysis | None, *, pairs: bool) -> Record | None:
    """Return what holds if another unit counts once; None if it is not shown."""
    if found is None:
        return None
    return {
        "assumes": assumption_words(found),
        "units": _units(found),
        "average_ranks": found.average_ranks,
        "friedman": asdict(found.friedman),
        "nemenyi": _nemenyi(found, pairs=pairs),
        "wilcoxon": _by_pair(found, _wilcoxon(found)) if pairs else None,
        "sign_flips": _by_pair(found, _sign_flips(found)) if pairs else None,
    }


def _units(found: Analysis) -> dict[str, list[str]]:
    """Return the tasks of each unit."""
    tasks: dict[str, list[str]] = {name: [] for name in found.units.tasks}
    for task, name in zip(found.table.tasks, unit_names(found.table, found.unit), strict=True):
        tasks[name].append(task)
    return tasks


def _nemenyi(found: Analysis, *, pairs: bool) -> Record:
    p = zip(*_names(found).values(), found.nemenyi.p.tolist(), strict=True) if pairs else ()
    return {
        "cd": found.nemenyi.cd,
        "cd_demsar": found.nemenyi.full_cd,
        "spread": found.nemenyi.spread,
        "alpha": found.alpha,
        "groups": found.names(found.nemenyi.groups) if pairs else None,
        "p": {f"{a}|{b}": one for a, b, one in p} if pairs else None,
    }


def _bonferroni_dunn(found: Analysis) -> Record:
    names, test = found.table.methods, found.bonferroni_dunn
    if test is None:
        cd = control_difference(found.ranks, alpha=found.alpha)
        return {"control": None, "cd": cd, "different": None, "p": None, "p_holm": None}
    others = [(place, name) for place, name in enumerate(names) if place != test.control]
    return {
        "control": names[test.control],
        "cd": test.cd,
        "different": [name for place, name in others if test.different[place]],
        "p": {name: float(test.p_bonferroni[place]) for place, name in others},
        "p_holm": {name: float(test.p_holm[place]) for place, name in others},
    }


def _wilcoxon(found: Analysis) -> Columns:
    test = found.wilcoxon
    numbers = {name: getattr(test, name) for name in ("n", "zeros", "statistic", "p")}
    numbers["p_adjusted"] = pair_verdicts(found, RankTest.WILCOXON).p_adjusted
    methods = [wilcoxon.METHODS[number] for number in test.method.tolist()]
    return {**numbers, **_adjusted(test), "method": methods}


def _t_tests(found: Analysis) -> Columns:
    test, corrected = found.t_tests, found.corrected_t_tests
    return {
        "difference": test.difference,
        "t": test.statistic,
        "df": test.df,
        "p": test.p,
        **_adjusted(test),
        "test_share": corrected.test_share,
        "t_corrected": corrected.statistic,
        "p_corrected": corrected.p,
        "p_corrected_holm": corrected.p_holm,
    }


def _adjusted(test: wilcoxon.SignedRanks | PairedT) -> Columns:
    """Return p adjusted for all pairs in four ways; see `adjust`."""
    others = ("bonferroni", "hochberg", "benjamini-hochberg")
    ways = {f"p_{way.replace('-', '_')}": adjust(test.p, method=way) for way in others}
    return {"p_holm": test.p_holm, **ways}


def _sign_flips(found: Analysis) -> Columns:
    test, said = found.sign_flips, pair_verdicts(found, RankTest.FLIPS)
    tested = {name: getattr(test, name) for name in ("p", "p_all", "z", "exact", "flips")}
    intervals = simultaneous_intervals(test, level=level_of(found.alpha), control=found.control)
    tested |= {"statistic": str(test.statistic), "interval_unit": FLIPPED_UNITS[test.statistic]}
    tested |= {"difference": test.mean, "lower": intervals.lower, "upper": intervals.upper}
    return {**tested, "adjustment": said.adjustment, "p_adjusted": said.p_adjusted}


def _power(report: RankingReport) -> Columns:
    """With how many units would the test chosen find each pair's difference with probability `POWER`?"""
    said = report.verdicts
    needed = units_needed(said, len(report.found.units.tasks), power=POWER)
    return {"power": POWER, "test": said.test.word, "units_needed": needed}


def _combined(pairs: CombinedPairs) -> list[Record]:
    left = ("effects", "methods_a", "methods_b")
    columns = {"a": list(pairs.methods_a), "b": list(pairs.methods_b)}
    columns |= {field.name: getattr(pairs, field.name) for field in fields(pairs) if field.name not in left}
    columns |= {field.name: getattr(pairs.effects, field.name) for field in fields(pairs.effects)}
    return _records(columns, len(pairs.methods_a))


def _effects(found: Analysis) -> Columns:
    columns: Record = dict(zip(("wins", "ties", "losses"), found.scan.wins, strict=True))
    for name in ("mean", "median", "win_rate", "superiority"):
        interval = getattr(found.effects, name)
        columns |= {name: interval.estimate, f"{name}_lower": interval.lower, f"{name}_upper": interval.upper}
    return columns


def _bayes(found: Analysis) -> Columns:
    columns: Record = {"rope": found.rope}
    for posterior in found.bayes:
        name = posterior.test.replace(" ", "_")
        for outcome in ("a_better", "equivalent", "b_better"):
            columns[f"{name}_{outcome}"] = getattr(posterior, outcome)
    return columns


def _by_pair(found: Analysis, columns: Columns) -> list[Record]:
    return _records({**_names(found), **columns}, len(found.nemenyi.p))


def _records(columns: Columns, count: int) -> list[Record]:
    return [dict(zip(columns, row, strict=True)) for row in _rows(columns, count)]


def _rows(columns: Columns, count: int) -> Iterator[tuple[Any, ...]]:
    return zip(*(_listed(column, count) for column in columns.values()), strict=True)


def _listed(column: Any, count: int) -> list[Any]:
    """Return the values of so many pairs, None for each number that is infinite or not a number."""
    if not isinstance(column, np.ndarray):
        return column if isinstance(column, list) else [column] * count
    values: list[Any] = column.tolist()
    return finite(values) if column.dtype.kind == "f" and not np.isfinite(column).all() else values


def _names(found: Analysis) -> dict[str, list[str]]:
    """Return the names of the first and of the second method of each pair."""
    names, test = found.table.methods, found.nemenyi
    return {
        "a": [names[one] for one in test.first.tolist()],
        "b": [names[one] for one in test.second.tolist()],
    }


def values_csv(table: ScoreTable) -> str:
    """Return a line for each task, with its family where names do not tell it."""
    lines = zip(table.tasks, table.values.tolist(), strict=True)
    rows = [[task, *(None if value != value else value for value in values)] for task, values in lines]
    if table.units is None or (
        table.units.known_by != "column" and table.units.families == table.units.datasets
    ):
        return csv_text(["task", *table.methods], rows)
    groups = zip(table.units.datasets, table.units.families, strict=True)
    named = [[task, *group, *values] for (task, *values), group in zip(rows, groups, strict=True)]
    return csv_text(["task", "dataset", "family", *table.methods], named)
