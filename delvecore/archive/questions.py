"""Answers to the questions beyond ranks, from an analysis and the archive that it comes from."""

import numpy as np

from delvecore.archive import Archive
from delvecore.archive.costs import LEAST_COSTED, costs_of
from delvecore.archive.score_details import one_by_one, pair_differences, unit_runs
from delvecore.errors import DelveError
from delvecore.report.comparisons import comparison_sentence
from delvecore.report.ranking import further
from delvecore.report.ranking.cost_quality import costs_finding
from delvecore.report.ranking.findings import Field, Finding, Kind
from delvecore.report.ranking.questions import Asked
from delvecore.report.ranking.single_tasks import best_finding, same_finding
from delvecore.report.ranking.units import units_name
from delvecore.stats.choose import Setting, adjustment_words
from delvecore.stats.equivalence import level_for_pairs
from delvecore.stats.losses.best import compare_with_best, level_for_best
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.score_table import ScoreTable

__all__ = ["of_one_task", "of_single_tasks", "of_tasks_together"]


def of_tasks_together(asked: Asked, archive: Archive | None, found: Analysis) -> Finding:
    """Answer a question about all tasks. Raises DelveError where what it needs is not there."""
    if asked.question in further.OF_A_TABLE:
        return further.OF_A_TABLE[asked.question](found)
    if asked.question == "equivalence":
        return further.equivalence_finding(found, asked.margin)
    return _of_an_archive(asked, _needed(asked, archive), found)


def _needed(asked: Asked, archive: Archive | None) -> Archive:
    """Return the archive. Raises DelveError for a table, which has one number a task."""
    if archive is None:
        raise DelveError(
            f"--show {asked.question}: expected tasks of an archive, with their training sets, found a table"
        )
    return archive


def _of_an_archive(asked: Asked, archive: Archive, found: Analysis) -> Finding:
    table, loss = found.table, asked.loss
    units = units_name(found)
    if asked.question == "hierarchy":
        pairs = pair_differences(archive, table, loss=loss, unit=found.unit)
        return further.hierarchy_finding(
            pairs, units, region=asked.margin, level=asked.level, measure=asked.measure
        )
    if asked.question == "front":
        costs = costs_of(archive, found, loss=loss)
        if costs is None:
            least = f"{LEAST_COSTED} {units}"
            raise DelveError(f"--show front: expected {least} with costs of all methods, found fewer")
        return costs_finding(costs, measure=asked.measure)
    runs = unit_runs(archive, table, loss=loss)
    if not runs.losses:
        raise DelveError(f"--show {asked.question}: expected tasks with two training sets, found none")
    both = further.runs_findings(table.methods, *runs, level=asked.level, measure=asked.measure)
    return both[asked.question == "improvement"]


def of_single_tasks(asked: Asked, archive: Archive | None, table: ScoreTable) -> Finding:
    """Answer a question about each task by itself. Raises DelveError for a table."""
    is_best = asked.question == "best"
    known, setting = _needed(asked, archive), Setting(asked.level, asked.adjust)
    levels = level_for_best if is_best else level_for_pairs
    tasks = list(one_by_one(known, table, loss=asked.loss, setting=setting, level_of_pairs=levels))
    if not tasks:
        raise DelveError(f"--show {asked.question}: expected tasks with results of two methods, found none")
    if is_best:
        facts = {"alpha": asked.alpha}
        found = [
            compare_with_best(one.pairs, (one.lower, one.upper), one.p, differences=one.differences, **facts)
            for one in tasks
        ]
        named = [(one.task, one.methods, best) for one, best in zip(tasks, found, strict=True)]
        return best_finding(named, level=asked.level, measure=asked.measure)
    rows = [
        (one.task, one.named_pairs, (one.differences, one.lower, one.upper), one.verdicts) for one in tasks
    ]
    return same_finding(rows, margin=asked.margin, level=asked.level, measure=asked.measure)


def of_one_task(archive: Archive, table: ScoreTable, *, loss: str, setting: Setting) -> Finding:
    """Comparison of all pairs of methods on the only task of a table. Raises DelveError without a pair."""
    found = archive.compare(loss=loss, methods=table.methods, setting=setting)
    if not found.num_rows:
        raise DelveError(f"expected two methods on {table.tasks[0]}, found {len(table.methods)}")
    place = int(np.nanargmax(table.values[0] if table.higher_is_better else -table.values[0]))
    best = f"{table.methods[place]} has the best {table.quantity}, {table.values[0][place]:.4g}"
    sentence = f"One task, {table.tasks[0]}: {best}, of {len(table.methods)} methods. "
    columns: dict[str, tuple[str, Kind]] = {
        "method_a": ("a", "name"),
        "method_b": ("b", "name"),
        "mean_a": ("mean loss of a", "number"),
        "mean_b": ("mean loss of b", "number"),
        "difference": ("a - b", "number"),
        "lower": ("from", "number"),
        "upper": ("to", "number"),
        "p_adjusted": ("p", "p"),
        "verdict": ("a is", "name"),
    }
    fields = [Field(key, title, kind, found[key].to_pylist()) for key, (title, kind) in columns.items()]
    notes = (
        "Losses: lower is better; below zero a is better. One dataset says nothing about others.",
        f"p: {adjustment_words(setting.adjust, what='pairs of the task')}.",
    )
    return Finding("comparison", sentence + comparison_sentence(found, setting), tuple(fields), notes)
