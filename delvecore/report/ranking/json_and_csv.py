"""A ranking for other programs: JSON and CSV in full precision, and its values as `delve rank` reads them.

What is not a number, or infinite, is null in JSON and an empty field in CSV."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from delvecore.report.ranking.ranking_report import RankingReport
from delvecore.report.ranking.sentences import ranking_sentence, run_record, untestable_words
from delvecore.report.writers.csv import csv_text
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
from delvecore.stats.ranking.standings import summarize
from delvecore.stats.verdicts import PairVerdicts, RankTest, groups_of, pair_verdicts, units_needed

Record = dict[str, Any]
"""What JSON can hold, under names."""
Column = list[Any] | NDArray[Any]
"""A value for each pair."""
Columns = dict[str, Column]
POWER = 0.8
PAIR_FIELDS = (
    *("a", "b", "rank_difference", "p_nemenyi", "wins", "ties", "losses", "win_rate"),
    *("win_rate_lower", "win_rate_upper", "mean_difference", "median_difference"),
    *("wilcoxon_n", "wilcoxon_zeros", "wilcoxon_statistic", "wilcoxon_p", "wilcoxon_p_holm"),
    *("wilcoxon_method", "t", "t_df", "t_p", "t_p_holm", "t_p_corrected", "flips_p", "flips_p_all"),
    *("adjustment", "wilcoxon_p_adjusted", "t_p_adjusted", "flips_p_adjusted", "unit", "units"),
    *("test", "p", "p_adjusted", "verdict", "reason"),
)


def ranking_json(report: RankingReport) -> str:
    """Return all that was found, under the names of `docs/statistics-reference.md`, a line for each pair and
    test; null for pairs and groups where methods are many and nobody asks for them."""
    record = _record(report) | {"notes": list(report.said)}
    return "{\n" + ",\n".join(_members(record)) + "\n}\n"


def ranking_csv(report: RankingReport) -> str:
    """Return a line for each pair of methods, with every test of it: `PAIR_FIELDS`."""
    found, chosen = report.found, report.verdicts
    wins, ties, losses = found.scan.wins
    units = len(found.units.tasks)
    rate = (wins + ties / 2) / units
    lower, upper = wilson_interval(rate, units, level=1 - found.alpha)
    signed, t, nemenyi = found.wilcoxon, found.t_tests, found.nemenyi
    flips, same = found.sign_flips, [1] * len(wins)
    columns: list[Column] = [
        *_names(found),
        *(nemenyi.difference, nemenyi.p, wins, ties, losses, rate, lower, upper),
        *(found.scan.mean, found.scan.median),
        *(signed.n, signed.zeros, signed.statistic, signed.p, signed.p_holm),
        [wilcoxon.METHODS[number] for number in signed.method.tolist()],
        *(t.statistic, [t.df for _ in same], t.p, t.p_holm, found.corrected_t_tests.p),
        *(flips.p, flips.p_all, [found.adjustment for _ in same]),
        *(pair_verdicts(found, RankTest.WILCOXON).p_adjusted, adjust(t.p, method=found.adjustment)),
        *(pair_verdicts(found, RankTest.FLIPS).p_adjusted, [found.unit for _ in same], [units for _ in same]),
        *([chosen.test.word for _ in same], chosen.p, chosen.p_adjusted, chosen.verdict),
        [_reason(report) for _ in same],
    ]
    return csv_text(PAIR_FIELDS, zip(*map(_listed, columns), strict=True))


def _record(report: RankingReport) -> Record:
    found, combined = report.found, report.combined
    table, names, ranks = found.table, found.table.methods, found.rank_intervals
    ends = zip(ranks.lower.tolist(), ranks.upper.tolist(), strict=True)

    def pairs(of: Callable[[Analysis], Columns]) -> list[Record] | None:
        return _by_pair(found, of(found)) if report.lists_pairs else None

    def groups(said: PairVerdicts) -> list[list[str]] | None:
        return found.names(groups_of(found, said)) if report.lists_pairs else None

    tests = ("friedman", "iman_davenport", "quade", "aligned_ranks", "skillings_mack")
    return {
        "answer": ranking_sentence(found, report.verdicts, quantity=table.quantity),
        "tasks": list(table.tasks),
        "unit": found.unit,
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
        "verdicts": pairs(lambda _: _verdicts(report.verdicts)),
        "summary": [_plain(asdict(one)) for one in summarize(table)],
        "average_ranks": found.average_ranks,
        "rank_intervals": dict(zip(names, ends, strict=True)),
        **{name: asdict(getattr(found, name)) for name in tests},
        "by_family": _by_family(found.by_family, pairs=report.lists_pairs),
        "nemenyi": _nemenyi(found, pairs=report.lists_pairs),
        "bonferroni_dunn": _bonferroni_dunn(found),
        "wilcoxon": pairs(_wilcoxon),
        "wilcoxon_groups": groups(pair_verdicts(found, RankTest.WILCOXON)) if report.lists_pairs else None,
        "t_tests": pairs(_t_tests),
        "sign_flips": pairs(_sign_flips),
        "effects": pairs(_effects),
        "bayes": pairs(_bayes),
        "power": pairs(lambda _: _power(report)),
        "combined": combined and _combined(combined),
    }


def _reason(report: RankingReport) -> str | None:
    """Return why no pair is tested; None where pairs are."""
    return None if report.verdicts.is_testable else untestable_words(report.found)


def _verdicts(said: PairVerdicts) -> Columns:
    adjustment = [said.adjustment] * len(said.p)
    return {"p": said.p, "adjustment": adjustment, "p_adjusted": said.p_adjusted, "verdict": said.verdict}


def _by_family(found: Analysis | None, *, pairs: bool) -> Record | None:
    """Return what holds where families count once; None where none has several units."""
    if found is None:
        return None
    return {
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
    p = zip(*_names(found), found.nemenyi.p.tolist(), strict=True) if pairs else ()
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
    return numbers | _adjusted(test) | {"method": methods}


def _t_tests(found: Analysis) -> Columns:
    test, corrected = found.t_tests, found.corrected_t_tests
    df, share = [test.df] * len(test.p), [corrected.test_share] * len(test.p)
    numbers: Columns = {"difference": test.difference, "t": test.statistic, "df": df, "p": test.p}
    again: Columns = {"test_share": share, "t_corrected": corrected.statistic, "p_corrected": corrected.p}
    return numbers | _adjusted(test) | again | {"p_corrected_holm": corrected.p_holm}


def _adjusted(test: wilcoxon.SignedRanks | PairedT) -> Columns:
    """Return p adjusted for all pairs in four ways; see `adjust`."""
    others = ("bonferroni", "hochberg", "benjamini-hochberg")
    ways = {f"p_{way.replace('-', '_')}": adjust(test.p, method=way) for way in others}
    return {"p_holm": test.p_holm, **ways}


def _sign_flips(found: Analysis) -> Columns:
    test, said = found.sign_flips, pair_verdicts(found, RankTest.FLIPS)
    columns: Columns = {"p": test.p, "p_all": test.p_all, "z": test.z, "exact": [test.exact] * len(test.p)}
    columns |= {"flips": [test.flips] * len(test.p), "statistic": [str(test.statistic)] * len(test.p)}
    columns["adjustment"] = [said.adjustment] * len(test.p)
    return columns | {"p_adjusted": said.p_adjusted}


def _power(report: RankingReport) -> Columns:
    """With how many units would the test chosen find each pair's difference with probability `POWER`?"""
    said, units = report.verdicts, len(report.found.units.tasks)
    count = len(said.p)
    needed = units_needed(said, units, power=POWER)
    return {"power": [POWER] * count, "test": [said.test.word] * count, "units_needed": needed}


def _combined(pairs: CombinedPairs) -> list[Record]:
    left = ("effects", "methods_a", "methods_b")
    columns = {field.name: getattr(pairs, field.name) for field in fields(pairs) if field.name not in left}
    columns |= {field.name: getattr(pairs.effects, field.name) for field in fields(pairs.effects)}
    listed = {name: _listed(column) for name, column in columns.items()}
    return _records({"a": list(pairs.methods_a), "b": list(pairs.methods_b)} | listed)


def _effects(found: Analysis) -> Columns:
    columns: Columns = dict(zip(("wins", "ties", "losses"), found.scan.wins, strict=True))
    for name in ("mean", "median", "win_rate", "superiority"):
        interval = getattr(found.effects, name)
        columns |= {name: interval.estimate, f"{name}_lower": interval.lower, f"{name}_upper": interval.upper}
    return columns


def _bayes(found: Analysis) -> Columns:
    columns: Columns = {"rope": [found.rope] * len(found.wilcoxon.p)}
    for posterior in found.bayes:
        name = posterior.test.replace(" ", "_")
        for outcome in ("a_better", "equivalent", "b_better"):
            columns[f"{name}_{outcome}"] = getattr(posterior, outcome)
    return columns


def _by_pair(found: Analysis, columns: Columns) -> list[Record]:
    """Return a dictionary for each pair."""
    a, b = _names(found)
    return _records({"a": a, "b": b} | {key: _listed(column) for key, column in columns.items()})


def _records(columns: Mapping[str, list[Any]]) -> list[Record]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _names(found: Analysis) -> tuple[list[str], list[str]]:
    """Return the names of the first and of the second method of each pair."""
    names = found.table.methods
    first, second = found.nemenyi.first.tolist(), found.nemenyi.second.tolist()
    return [names[a] for a in first], [names[b] for b in second]


def _members(record: Record) -> Iterator[str]:
    """Yield the members of the outermost object as text; what holds many numbers has a line for each."""
    for key, value in record.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n  " + ",\n  ".join(map(_text, value)) + "\n ]"
        else:
            text = _text(_plain(value))
        yield f" {_text(key)}: {text}"


def _text(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


def _listed(column: Column) -> list[Any]:
    """Return a list of a column, None for each number that is infinite or not a number."""
    if isinstance(column, list):
        return column
    values: list[Any] = column.tolist()
    if column.dtype.kind == "f" and not np.isfinite(column).all():
        return [value if math.isfinite(value) else None for value in values]
    return values


def _plain(value: Any) -> Any:
    """Return a value with None for each number that is infinite or not a number."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.item() if hasattr(value, "item") else value


def values_csv(table: ScoreTable) -> str:
    """Return a line for each task, its family too where names do not tell it; without a value a field is
    empty."""
    lines = zip(table.tasks, table.values.tolist(), strict=True)
    rows = [[task, *(None if value != value else value for value in values)] for task, values in lines]
    if table.units is None or (
        table.units.known_by != "column" and table.units.families == table.units.datasets
    ):
        return csv_text(["task", *table.methods], rows)
    groups = zip(table.units.datasets, table.units.families, strict=True)
    named = [[task, *group, *values] for (task, *values), group in zip(rows, groups, strict=True)]
    return csv_text(["task", "dataset", "family", *table.methods], named)
