"""Comparisons of methods on tasks as a sentence and as a finished table."""

from collections import Counter
from typing import Any

import pyarrow as pa

from delvecore.model import task_title
from delvecore.report.grid import NOTHING, Column, Grid, grid_of_texts
from delvecore.report.rounding import decimals_for, p_text
from delvecore.report.verdict_words import THAN
from delvecore.report.writers.text import counted
from delvecore.stats.choose import SIGNIFICANT, Setting, Verdict, adjustment_words, percent, words_of_tests

__all__ = ["MOST_SHOWN", "comparison_grid", "comparison_sentence"]

MOST_NOTES = 5
MOST_SHOWN = 60
"""So many rows are printed; data frames have all."""
SAID = {
    Verdict.BETTER: f"{{a}} is {THAN[Verdict.BETTER]} {{b}}",
    Verdict.WORSE: f"{{a}} is {THAN[Verdict.WORSE]} {{b}}",
    Verdict.NOT_SIGNIFICANT: f"{{a}} is {THAN[Verdict.NOT_SIGNIFICANT]} {{b}}",
    Verdict.NOT_TESTED: "{a} and {b} are not tested",
}
Row = dict[str, Any]


def comparison_sentence(table: pa.Table, setting: Setting) -> str:
    """Return how many pairs differ significantly. table: of the schema `COMPARISONS`."""
    if table.num_rows == 1:
        return _of_one(table.to_pylist()[0], setting)
    counts = Counter(table["verdict"].to_pylist())
    tasks = len(table.group_by(["dataset", "prototask", "task"]).aggregate([]))
    differ = sum(counts[one] for one in SIGNIFICANT)
    return (
        f"On {counted(tasks, 'task')} {differ} of {counted(table.num_rows, 'pair')} of methods differ "
        f"significantly; not significant: {counts[Verdict.NOT_SIGNIFICANT]}, "
        f"not tested: {counts[Verdict.NOT_TESTED]} "
        f"({percent(setting.level)}; p {_adjusted(setting)})."
    )


def _of_one(row: Row, setting: Setting) -> str:
    said = SAID[Verdict(row["verdict"])].format(a=row["method_a"], b=row["method_b"])
    if row["p_adjusted"] is None:
        return f"{said}: {row['note'] or 'nothing is known of the difference'}."
    texts = _numbers(row)
    p = texts["p"] if texts["p"].startswith("<") else f"= {texts['p']}"
    why = f" {row['note'][:1].upper()}{row['note'][1:]}." if row["note"] else ""
    return (
        f"{said}: mean difference of losses {texts['difference']}, {percent(setting.level)} interval "
        f"{texts['lower']} to {texts['upper']}, p {p}, by {words_of_tests({row['test']})}.{why}"
    )


def _adjusted(setting: Setting) -> str:
    return adjustment_words(setting.adjust, what="pairs of a task")


def comparison_grid(table: pa.Table, setting: Setting) -> Grid:
    """Return the pairs as a table: difference with its error, interval, p, significant verdicts in bold."""
    shown = table.slice(0, MOST_SHOWN).to_pylist()
    tasks = [_task(row) for row in shown]
    with_tasks = len(set(tasks)) > 1
    columns = [Column("Task")] if with_tasks else []
    columns += [Column("a"), Column("b"), Column("a - b", "r"), Column("SE", "r")]
    columns += [Column(f"{percent(setting.level)} from", "r"), Column("to", "r"), Column("p", "r")]
    columns.append(Column("a is"))
    rows = [[row["method_a"], row["method_b"], *_numbers(row).values(), row["verdict"]] for row in shown]
    rows = [[task, *cells] for task, cells in zip(tasks, rows, strict=True)] if with_tasks else rows
    last = len(columns) - 1
    bold = {(place, last) for place, row in enumerate(shown) if row["verdict"] in SIGNIFICANT}
    return grid_of_texts(
        columns,
        rows,
        caption=comparison_sentence(table, setting),
        notes=_notes(table, setting),
        label="tab:comparison",
        bold=bold,
    )


def _task(row: Row) -> str:
    return task_title(row["dataset"], row["prototask"], row["task"])


def _numbers(row: Row) -> dict[str, str]:
    """Return difference, error, interval and p as texts, with as many digits as the error bears."""
    error = row["standard_error"]
    places = decimals_for(error) if error else 4
    names = {"difference": "difference", "error": "standard_error", "lower": "lower", "upper": "upper"}
    texts = {key: NOTHING if row[name] is None else f"{row[name]:.{places}f}" for key, name in names.items()}
    return texts | {"p": NOTHING if row["p_adjusted"] is None else p_text(row["p_adjusted"])}


def _notes(table: pa.Table, setting: Setting) -> list[str]:
    tests = set(table["test"].to_pylist()) - {None}
    notes = [f"p: {words_of_tests(tests)}, {_adjusted(setting)}."] if tests else []
    notes.append("a - b: of mean losses, lower is better; below zero a is better.")
    notes += [
        f"{note[:1].upper()}{note[1:]}." for note in sorted(set(table["note"].to_pylist()) - {None})[:5]
    ]
    left = table.num_rows - MOST_SHOWN
    return [*notes, *([f"{left} more pairs are in the data frame."] if left > 0 else [])]
