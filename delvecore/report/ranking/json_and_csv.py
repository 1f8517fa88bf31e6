"""A ranking for other programs: JSON and CSV in full precision, and its values in a file that `delve rank`
can read.

NaN and infinity are null in JSON and empty fields in CSV."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from delvecore.answers.answer import Column, Table
from delvecore.render.answers import records
from delvecore.render.csv import csv_text
from delvecore.render.document import reading_records
from delvecore.render.json import finite, json_text
from delvecore.report.ranking.ranking_report import RankingReport
from delvecore.report.ranking.sentences import (
    assumption_words,
    failure_record,
    ranking_sentence,
    run_record,
)
from delvecore.report.ranking.tables import (
    PAIR_TESTS,
    combined_table,
    of_test,
    pairs_table,
    reason_of,
)
from delvecore.score_tables.score_file import Reading
from delvecore.stats.choose import level_of
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.bonferroni_dunn import control_difference
from delvecore.stats.ranking.nemenyi import critical_difference, maximal_runs
from delvecore.stats.ranking.ranks import unit_names
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.standings import summarize
from delvecore.stats.verdicts import RankTest, groups_of, pair_verdicts

Record = dict[str, Any]
"""Values that JSON can hold, by name."""
_CHI_SQUARE = {"chi2": "statistic", "df": "df", "p": "p"}
_F = {"f": "statistic", "df1": "df", "df2": "df2", "p": "p"}
GLOBAL_TESTS = {
    "friedman": _CHI_SQUARE
    | {"chi2_uncorrected": "uncorrected", "p_uncorrected": "p_uncorrected", "exact_p": "exact_p"},
    "iman_davenport": _F | {"f_uncorrected": "uncorrected", "p_uncorrected": "p_uncorrected"},
    "quade": _F,
    "aligned_ranks": _CHI_SQUARE,
    "skillings_mack": _CHI_SQUARE | {"chi2_uncorrected": "uncorrected", "tasks": "tasks"},
}
"""Names of the numbers of an `OmnibusTest`, by test."""
IN_CSV = ("nemenyi", "effects", "wilcoxon", "t", "flips")


def ranking_json(report: RankingReport, readings: Sequence[Reading] = ()) -> str:
    """Return the whole ranking, under the names of `docs/statistics-reference.md`.

    `readings` describe how scores were read. Pairs and groups are null if there are many methods, unless all
    pairs were requested. Tests are null if all tasks are from one dataset.
    """
    analysis, verdicts, methods = report.analysis, report.verdicts, report.methods
    table, places, is_tested = analysis.table, report.places, not analysis.one_dataset
    pairs = report.pairs_of(*PAIR_TESTS) if report.lists_pairs and is_tested else None
    with_pairs = report.pairs_of() if report.lists_pairs else None
    combined = report.combined if is_tested else None

    def section(test: str) -> list[Record] | None:
        return None if pairs is None else records(of_test(pairs, test))

    def groups(test: RankTest) -> list[list[str]]:
        return analysis.names(groups_of(analysis, pair_verdicts(analysis, test)))

    record = {
        "read": reading_records(readings),
        "answer": ranking_sentence(analysis, verdicts, quantity=table.quantity),
        "failed_runs": failure_record(analysis, verdicts.test),
        "tasks": list(table.tasks),
        "unit": analysis.unit,
        "assumes": assumption_words(analysis),
        "units": _units(analysis),
        "methods": list(table.methods),
        "dropped_tasks": list(analysis.dropped_tasks),
        "dropped_methods": list(analysis.dropped_methods),
        "runs": run_record(analysis.given.runs),
        "quantity": table.quantity,
        "higher_is_better": table.higher_is_better,
        "alpha": analysis.alpha,
        "level": level_of(analysis.alpha),
        "adjustment": analysis.adjustment,
        "control": None if analysis.control is None else table.methods[analysis.control],
        "test": verdicts.test.word,
        "testable": verdicts.is_testable,
        "reason": reason_of(analysis, verdicts),
        "smallest_p": verdicts.smallest_p,
        "ranking": records(methods),
        "groups": groups(verdicts.test) if report.lists_pairs else None,
        "verdicts": None if with_pairs is None else records(with_pairs),
        "summary": list(map(finite, map(asdict, summarize(table)))),
        "average_ranks": analysis.average_ranks,
        "places": None if places is None else {row[0]: row[1:] for row in methods.select(*PLACES).rows},
        "places_hold": None if places is None else "one at a time" if places.single else "all at once",
        "may_be_best": None if places is None else report.may_be_best,
        **{name: _global_test(analysis, name) if is_tested else None for name in GLOBAL_TESTS},
        "by_family": _by_other_unit(analysis.by_family, pairs=report.lists_pairs),
        "by_dataset": _by_other_unit(analysis.by_dataset, pairs=report.lists_pairs),
        "nemenyi": _nemenyi(analysis, pairs=report.lists_pairs) if is_tested else None,
        "bonferroni_dunn": _bonferroni_dunn(analysis) if is_tested else None,
        "wilcoxon": section("wilcoxon"),
        "wilcoxon_groups": None if pairs is None else groups(RankTest.WILCOXON),
        "t_tests": section("t"),
        "sign_flips": section("flips"),
        "effects": section("effects"),
        "bayes": section("bayes"),
        "power": section("power"),
        "combined": None if combined is None else records(combined_table(combined)),
        "notes": list(report.notes),
    }
    return json_text(record)


PLACES = ("method", "lowest_place", "highest_place")


def ranking_csv(report: RankingReport) -> str:
    """Return a line for each pair of methods, with every test of it."""
    analysis, verdicts = report.analysis, report.verdicts
    table = report.pairs_of(*IN_CSV).drop("estimate", "lower", "upper", "interval_unit", *IN_BASE)
    about = {"unit": analysis.unit, "units": len(analysis.units.tasks), "test": verdicts.test.word}
    columns = [
        *table.columns,
        *(Column(key, key, "name", [value] * len(table)) for key, value in about.items()),
    ]
    if analysis.one_dataset:
        columns = [
            replace(one, values=[None] * len(table)) if _is_inference(one.key) else one for one in columns
        ]
    table = Table(tuple(columns))
    return csv_text(table.keys, finite(table.rows))


IN_BASE = tuple(f"effects_{key}" for key in ("wins", "ties", "losses", "mean", "median"))
"""Columns that CSV has under another name."""


def _is_inference(column: str) -> bool:
    """Is this a column of a test or an interval? They are empty if all tasks are of one dataset."""
    return any(part in column.split("_") for part in ("p", "lower", "upper", "t", "statistic", "df", "z"))


def _by_other_unit(analysis: Analysis | None, *, pairs: bool) -> Record | None:
    """Return the tests with another unit of replication; None if they are not shown."""
    if analysis is None:
        return None
    table = pairs_table(analysis, pair_verdicts(analysis, RankTest.NEMENYI), "wilcoxon", "flips")
    return {
        "assumes": assumption_words(analysis),
        "units": _units(analysis),
        "average_ranks": analysis.average_ranks,
        "friedman": _global_test(analysis, "friedman"),
        "nemenyi": _nemenyi(analysis, pairs=pairs),
        "wilcoxon": records(of_test(table, "wilcoxon")) if pairs else None,
        "sign_flips": records(of_test(table, "flips")) if pairs else None,
    }


def _global_test(analysis: Analysis, name: str) -> Record:
    test = getattr(analysis, name)
    return {key: getattr(test, attribute) for key, attribute in GLOBAL_TESTS[name].items()}


def _units(analysis: Analysis) -> dict[str, list[str]]:
    """Return the tasks of each unit."""
    tasks: dict[str, list[str]] = {name: [] for name in analysis.units.tasks}
    for task, name in zip(analysis.table.tasks, unit_names(analysis.table, analysis.unit), strict=True):
        tasks[name].append(task)
    return tasks


def _nemenyi(analysis: Analysis, *, pairs: bool) -> Record:
    test, names = analysis.nemenyi, analysis.table.methods
    ends = zip(test.first.tolist(), test.second.tolist(), test.p.tolist(), strict=True)
    return {
        "cd": test.cd,
        "cd_demsar": critical_difference(analysis.alpha, len(names), len(analysis.ranks.tasks)),
        "spread": analysis.ranks.spread,
        "alpha": analysis.alpha,
        "groups": analysis.names(maximal_runs(analysis.ranks.average, test.cd)) if pairs else None,
        "p": {f"{names[a]}|{names[b]}": p for a, b, p in ends} if pairs else None,
    }


def _bonferroni_dunn(analysis: Analysis) -> Record:
    names, test = analysis.table.methods, analysis.bonferroni_dunn
    if test is None:
        cd = control_difference(analysis.ranks, alpha=analysis.alpha)
        return {"control": None, "cd": cd, "different": None, "p": None, "p_holm": None}
    others = [names[place] for place in test.first]
    return {
        "control": names[test.second[0]],
        "cd": test.cd,
        "different": [
            name for name, is_different in zip(others, test.different, strict=True) if is_different
        ],
        "p": dict(zip(others, test.p.tolist(), strict=True)),
        "p_holm": dict(zip(others, test.p_holm.tolist(), strict=True)),
    }


def values_csv(table: ScoreTable) -> str:
    """Return a line for each task, with its family if the names do not show it."""
    lines = zip(table.tasks, table.values.tolist(), strict=True)
    rows = [[task, *(None if value != value else value for value in values)] for task, values in lines]
    if table.units is None or (
        table.units.known_by != "column" and table.units.families == table.units.datasets
    ):
        return csv_text(["task", *table.methods], rows)
    groups = zip(table.units.datasets, table.units.families, strict=True)
    named = [[task, *group, *values] for (task, *values), group in zip(rows, groups, strict=True)]
    return csv_text(["task", "dataset", "family", *table.methods], named)
