"""Runs without a value: how many there are, and what is left out because of them, in sentences."""

from collections.abc import Sequence
from typing import Any

from delvecore.model import task_title
from delvecore.report.writers.text import and_list, counted
from delvecore.score_tables.score_file import Reading
from delvecore.stats.ranking.common_runs import CommonRuns, Lacking

__all__ = ["are_counted", "run_record", "run_sentences"]

MOST_NAMED = 6


def are_counted(runs: CommonRuns | None, readings: Sequence[Reading]) -> bool:
    """Do the lines on how scores were read say how many runs have no value?"""
    return runs is not None and [one.failed for one in readings] == [runs.failed]


def run_sentences(runs: CommonRuns | None, *, are_counted: bool = False) -> list[str]:
    """Return sentences for the first lines of a ranking; none where no run lacks a value.

    are_counted: is it said before how many do?"""
    if runs is None or not runs.failed:
        return []
    first = f"{runs.failed:,} of {counted(runs.runs, 'run')} {'have' if runs.failed > 1 else 'has'} no value"
    parts = [] if are_counted else [first]
    tasks = [f"{one.counted} of {one.instances} on {_title(one.task)}" for one in runs.reduced if one.counted]
    if tasks:
        means = "means are over the instances (folds, seeds or training sets) that all methods have, "
        parts.append(means + _first(tasks))
    said = "; ".join(parts)
    found = [f"{said[:1].upper()}{said[1:]}."] if said else []
    if runs.cells:
        are = "is" if len(runs.cells) == 1 else "are"
        cells = counted(len(runs.cells), "value")
        found.append(f"{cells} {are} missing, of methods with fewer than half of a task's instances.")
    if runs.without:
        count = counted(len(runs.without), "task")
        named = _first(list(map(_title, runs.without)))
        found.append(f"No instance is common to all methods on {count}, left out: {named}.")
    if runs.unranked:
        which, are = ("it", "is") if len(runs.unranked) == 1 else ("them", "are")
        named = _first([_lacking(one) for one in runs.unranked])
        found.append(f"{named} and {are} not ranked; name {which} among the methods to have {which} ranked.")
    return found


def _title(task: str) -> str:
    """Return the name of a task for readers; a path of scores is their dataset."""
    names = task[1:].split("/") if task.startswith("/") else []
    return task_title(*names) if len(names) == 3 else task


def _lacking(one: Lacking) -> str:
    return f"{one.method} has {one.there:,} of {counted(one.expected, 'run')}"


def _first(names: list[str]) -> str:
    shown = names[:MOST_NAMED]
    return and_list([*shown, f"{len(names) - MOST_NAMED:,} more"] if len(names) > MOST_NAMED else shown)


def run_record(runs: CommonRuns | None) -> dict[str, Any] | None:
    """Return the same for JSON: None where each value is one number."""
    if runs is None:
        return None
    return {
        "runs": runs.runs,
        "failed": runs.failed,
        "unranked": [one._asdict() for one in runs.unranked],
        "missing_values": len(runs.cells),
        "reduced": [one._asdict() for one in runs.reduced],
        "text": " ".join(run_sentences(runs)),
    }
