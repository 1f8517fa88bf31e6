"""What a table of scores says about its methods, for other programs: JSON and CSV, in full precision.

What is not a number, or infinite, is null in JSON and an empty field in CSV.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from delvecore.report.writers.csv import csv_text
from delvecore.statistics.adjust import adjust
from delvecore.statistics.ranking.analysis import Analysis
from delvecore.statistics.ranking.combined import CombinedPairs
from delvecore.statistics.ranking.effects import wilson_interval
from delvecore.statistics.ranking.pair_tests import METHODS, PairedT, SignedRanks
from delvecore.statistics.ranking.power import tasks_needed, tasks_needed_of_signed_ranks
from delvecore.statistics.ranking.rank_tests import control_difference
from delvecore.statistics.ranking.standings import summarize

__all__ = ["PAIR_FIELDS", "pair_records", "ranking_csv", "ranking_json", "ranking_record"]

Record = dict[str, Any]
"""What JSON can hold, under names."""
Column = list[Any] | NDArray[Any]
"""A value for each pair."""
POWER = 0.8
PAIR_FIELDS = (
    *("a", "b", "rank_difference", "p_nemenyi", "wins", "ties", "losses", "win_rate"),
    *("win_rate_lower", "win_rate_upper", "mean_difference", "median_difference"),
    *("wilcoxon_n", "wilcoxon_zeros", "wilcoxon_statistic", "wilcoxon_p", "wilcoxon_p_holm"),
    *("wilcoxon_method", "t", "t_df", "t_p", "t_p_holm", "t_p_corrected"),
)


def ranking_json(found: Analysis, combined: CombinedPairs | None = None) -> str:
    """Return `ranking_record` as text, a line for each pair and test."""
    return "{\n" + ",\n".join(_members(ranking_record(found, combined))) + "\n}\n"


def ranking_csv(found: Analysis) -> str:
    """Return a line for each pair of methods, with every test of it: `PAIR_FIELDS`."""
    return csv_text(PAIR_FIELDS, pair_records(found))


def ranking_record(found: Analysis, combined: CombinedPairs | None = None) -> Record:
    """Everything that was found, under the names of `docs/statistics.md`, as dictionaries and lists.

    combined: DELVE's own comparisons over the same tasks, for a table that comes from an archive.
    """
    names, effects = found.table.methods, found.rank_intervals
    return {
        "tasks": list(found.table.tasks),
        "methods": list(names),
        "dropped_tasks": list(found.dropped_tasks),
        "dropped_methods": list(found.dropped_methods),
        "quantity": found.table.quantity,
        "higher_is_better": found.table.higher_is_better,
        "alpha": found.alpha,
        "control": None if found.control is None else names[found.control],
        "summary": [_plain(asdict(one)) for one in summarize(found.table)],
        "average_ranks": found.average_ranks,
        "rank_intervals": dict(
            zip(names, zip(effects.lower.tolist(), effects.upper.tolist(), strict=True), strict=True)
        ),
        "friedman": asdict(found.friedman),
        "iman_davenport": asdict(found.iman_davenport),
        "quade": asdict(found.quade),
        "aligned_ranks": asdict(found.aligned_ranks),
        "skillings_mack": asdict(found.skillings_mack),
        "nemenyi": _nemenyi(found),
        "bonferroni_dunn": _bonferroni_dunn(found),
        "wilcoxon": _wilcoxon(found),
        "wilcoxon_groups": found.names(found.cliques),
        "t_tests": _t_tests(found),
        "effects": _effects(found),
        "bayes": _bayes(found),
        "power": _power(found),
        "combined": None if combined is None else _combined(combined),
    }


def pair_records(found: Analysis) -> list[tuple[Any, ...]]:
    """Return a tuple of `PAIR_FIELDS` for each pair."""
    wins, ties, losses = found.wins
    tasks = len(found.table.tasks)
    rate = (wins + ties / 2) / tasks
    lower, upper = wilson_interval(rate, tasks, level=1 - found.alpha)
    signed, t, nemenyi = found.wilcoxon, found.t_tests, found.nemenyi
    columns: list[Column] = [
        *_names(found),
        *(nemenyi.difference, nemenyi.p, wins, ties, losses, rate, lower, upper),
        *(found.scan.mean, found.scan.median),
        *(signed.n, signed.zeros, signed.statistic, signed.p, signed.p_holm),
        [METHODS[number] for number in signed.method.tolist()],
        *(t.statistic, [t.df] * len(wins), t.p, t.p_holm, found.corrected_t_tests.p),
    ]
    return list(zip(*map(_listed, columns), strict=True))


def _nemenyi(found: Analysis) -> Record:
    pairs = zip(*_names(found), found.nemenyi.p.tolist(), strict=True)
    return {
        "cd": found.nemenyi.cd,
        "alpha": found.alpha,
        "groups": found.names(found.nemenyi.groups),
        "p": {f"{a}|{b}": p for a, b, p in pairs},
    }


def _bonferroni_dunn(found: Analysis) -> Record:
    names, test = found.table.methods, found.bonferroni_dunn
    if test is None:
        cd = control_difference(found.alpha, len(names), len(found.table.tasks))
        return {"control": None, "cd": cd, "different": None, "p": None, "p_holm": None}
    others = [place for place in range(len(names)) if place != test.control]
    return {
        "control": names[test.control],
        "cd": test.cd,
        "different": [names[place] for place in others if test.different[place]],
        "p": {names[place]: float(test.p_bonferroni[place]) for place in others},
        "p_holm": {names[place]: float(test.p_holm[place]) for place in others},
    }


def _wilcoxon(found: Analysis) -> list[Record]:
    test = found.wilcoxon
    columns = {
        "n": test.n,
        "zeros": test.zeros,
        "statistic": test.statistic,
        "p": test.p,
        **_adjusted(test),
        "method": [METHODS[number] for number in test.method.tolist()],
    }
    return _by_pair(found, columns)


def _t_tests(found: Analysis) -> list[Record]:
    test, corrected = found.t_tests, found.corrected_t_tests
    columns = {
        "difference": test.difference,
        "t": test.statistic,
        "df": [test.df] * len(test.p),
        "p": test.p,
        **_adjusted(test),
        "test_share": [corrected.test_share] * len(test.p),
        "t_corrected": corrected.statistic,
        "p_corrected": corrected.p,
        "p_corrected_holm": corrected.p_holm,
    }
    return _by_pair(found, columns)


def _adjusted(test: SignedRanks | PairedT) -> dict[str, Column]:
    """Return p adjusted for all pairs in four ways; see `adjust`."""
    others = ("bonferroni", "hochberg", "benjamini-hochberg")
    ways: dict[str, Column] = {f"p_{way.replace('-', '_')}": adjust(test.p, method=way) for way in others}
    return {"p_holm": test.p_holm} | ways


def _power(found: Analysis) -> list[Record]:
    """How many tasks would show each pair's difference, as large as it is here, with probability `POWER`?"""
    columns: dict[str, Column] = {
        "power": [POWER] * len(found.wilcoxon.p),
        "tasks_t_test": tasks_needed(found.scan, alpha=found.alpha, power=POWER),
        "tasks_wilcoxon": tasks_needed_of_signed_ranks(found.scan, alpha=found.alpha, power=POWER),
    }
    return _by_pair(found, columns)


def _combined(pairs: CombinedPairs) -> list[Record]:
    columns = {field.name: getattr(pairs, field.name) for field in fields(pairs) if field.name != "level"}
    columns = {"a": list(columns.pop("methods_a")), "b": list(columns.pop("methods_b"))} | columns
    return _records({key: _listed(column) for key, column in columns.items()})


def _effects(found: Analysis) -> list[Record]:
    effects = found.effects
    wins, ties, losses = found.wins
    columns = {"wins": wins, "ties": ties, "losses": losses}
    for name in ("mean", "median", "win_rate", "superiority"):
        interval = getattr(effects, name)
        columns[name] = interval.estimate
        columns[f"{name}_lower"] = interval.lower
        columns[f"{name}_upper"] = interval.upper
    return _by_pair(found, columns)


def _bayes(found: Analysis) -> list[Record]:
    columns = {"rope": [found.rope] * len(found.wilcoxon.p)}
    for posterior in found.bayes:
        name = posterior.test.replace(" ", "_")
        for outcome in ("a_better", "equivalent", "b_better"):
            columns[f"{name}_{outcome}"] = getattr(posterior, outcome)
    return _by_pair(found, columns)


def _by_pair(found: Analysis, columns: Mapping[str, Column]) -> list[Record]:
    """Return a dictionary for each pair from {key: one value a pair}."""
    a, b = _names(found)
    columns = {"a": a, "b": b} | {key: _listed(column) for key, column in columns.items()}
    return _records(columns)


def _records(columns: Mapping[str, list[Any]]) -> list[Record]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _names(found: Analysis) -> tuple[list[str], list[str]]:
    """Return the names of the first and of the second method of each pair."""
    names = found.table.methods
    return [names[a] for a in found.scan.first.tolist()], [names[b] for b in found.scan.second.tolist()]


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
    values = column.tolist()
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
