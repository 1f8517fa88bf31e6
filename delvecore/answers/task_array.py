"""Input of questions about a task-array, and the tables of their answers.

An answer has a table of numbers with a row per task and method. It also has columns for readers, which text
and LaTeX show.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.types as kinds

from delvecore.answers.answer import Answer, Column, Kind, Table, table_of
from delvecore.answers.array_questions import ARRAY_QUESTIONS
from delvecore.measures import Measure
from delvecore.model import TaskArray
from delvecore.render.numbers import (
    counted,
    with_error,
)
from delvecore.report.ranking.sentences import run_sentences
from delvecore.report.verdict_words import shared_case_notes
from delvecore.stats.arrays.results import LEFT_OUT, ArrayResults
from delvecore.stats.choose import (
    DEFAULT_SETTING,
    Setting,
    adjustment_words,
)
from delvecore.tables import rows_of, values_of

HOLE = "-"
HIDDEN = ("contrasted", "lead", "lead_error")
"""Columns for figures, not printed."""
Title = tuple[str, Kind]
CELL = ("levels", "training_size")
PAIRWISE = "Differences between two methods, and their p, are over the instances that both have."


@dataclass(frozen=True, eq=False)
class ArrayFacts:
    """Input of the questions and of the figures of their answers.

    Attributes
    ----------
    data : ArrayResults
        Values of the methods on the tasks of an array.
    reference : str, optional
        Method that the others are compared with.
    costs, results : pa.Table, optional
        Tables of the archive: seconds of instances, and notes on shared cases.
    order : int
        Maximum number of factors in an interaction.
    scale : str, optional
        Scale of effects and slopes; None for the usual one.
    table : pa.Table
        Numbers of an answer, for its figure; None in a question.
    """

    data: ArrayResults
    reference: str | None = None
    setting: Setting = DEFAULT_SETTING
    costs: pa.Table | None = None
    results: pa.Table | None = None
    order: int = 2
    scale: str | None = None
    table: pa.Table = None

    @property
    def array(self) -> TaskArray:
        return self.data.array

    @property
    def measure(self) -> Measure:
        return self.data.measure


def definition(array: TaskArray) -> Answer:
    """Return the factors of an array, and the definitions of their levels.

    members: number of members per level.
    """
    rows = [
        (factor.name, *level, sum(member.levels[place] == level.name for member in array.members))
        for place, factor in enumerate(array.factors)
        for level in factor.levels
    ]
    names = ("factor", "level", "label", "meaning")
    table = table_of(rows, [*((name, name, "name") for name in names), ("members", "members", "count")])
    caption = f"{array.title or array.name} (/{array.name}): its factors and their levels."
    return Answer("definition", caption, table, tuple(vacant_sentences(array)), shown=table)


def vacant_sentences(array: TaskArray) -> list[str]:
    """List the levels without members: `No member has low noise (below 0.25 %).`"""
    named = [level.label + f" ({level.meaning})" * bool(level.meaning) for level in array.vacant]
    return [f"No member has {', or '.join(named)}."] if named else []


def array_label(array: TaskArray, question: str) -> str:
    """Return the label of a table in LaTeX."""
    return f"tab:{array.name}-{question}"


def adjusted_words(setting: Setting) -> str:
    of = "" if setting.adjust == "none" else " of methods on the same task"
    return f"{adjustment_words(setting.adjust)}{of}"


def by_task(table: pa.Table) -> list[list[int]]:
    """Return the rows of each task."""
    tasks: dict[tuple[Any, ...], list[int]] = {}
    for row, (levels, size) in enumerate(rows_of(table, CELL)):
        tasks.setdefault((*levels, size), []).append(row)
    return list(tasks.values())


def titles(kind: Kind, *titles: str) -> list[Title]:
    return [(title, kind) for title in titles]


def task_columns(array: TaskArray) -> list[Title]:
    return [*titles("name", *(factor.name for factor in array.factors)), ("size", "count")]


def number(value: float | None, error: float | None) -> str:
    return HOLE if value is None else with_error(value, error, minus="-")


def wide_answer(
    facts: ArrayFacts,
    key: str,
    caption: str,
    notes: Sequence[str],
    *,
    table: pa.Table,
    texts: Sequence[str],
    cells: pa.Table | None = None,
    bold: Collection[int] = (),
) -> Answer:
    """Answer with a row per task and a column per method; holes are dashes, counted in a note.

    cells: displayed rows of the table, by default all; texts: one per row; bold: rows in bold.
    """
    cells = table if cells is None else cells
    tasks, levels = by_task(cells), list(cells_of(facts, cells))
    methods = values_of(cells.take(tasks[0]), "method") if tasks else []
    shown, holes = [], Counter[str]()
    for rows in tasks:
        of_task = [texts[row] for row in rows]
        if of_task[0] in LEFT_OUT:
            holes[of_task[0]] += 1
            of_task = [HOLE] * len(rows)
        shown.append((*levels[rows[0]], *of_task))
    start = len(facts.array.factors) + 1
    places = {
        (number, start + k) for number, rows in enumerate(tasks) for k, row in enumerate(rows) if row in bold
    }
    notes = [*notes, *(f"{HOLE}: {why} ({counted(count, 'task')})." for why, count in holes.items())]
    columns = [*task_columns(facts.array), *titles("count", *methods)]
    answer = array_answer(facts, key, caption, notes, table, columns, shown, places)
    return replace(answer, repeated=len(facts.array.factors) + 1)


def array_answer(
    facts: ArrayFacts,
    key: str,
    caption: str,
    notes: Sequence[str],
    table: pa.Table,
    columns: Sequence[Title],
    rows: Sequence[Sequence[Any]],
    bold: Collection[tuple[int, int]] = (),
) -> Answer:
    """Return an answer with notes on runs and shared cases.

    columns, rows: for readers; a last column of notes is omitted if it is empty.
    """
    if columns[-1][0] == "note" and not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    shown = table_of(rows, [(str(number), *column) for number, column in enumerate(columns)])
    shown = replace(shown, bold=frozenset((row, str(column)) for row, column in bold))
    array, runs = facts.array, facts.data.runs
    notes = [*notes, *vacant_sentences(array)]
    if ARRAY_QUESTIONS[key].needs:  # costs need no other input
        paths = {"/".join(("", *map(str, cell.place))) for cell in facts.data.cells}
        notes += [] if facts.results is None else shared_case_notes(facts.results, paths)
        pairwise = [PAIRWISE] if runs and any(one.there for one in runs.reduced) else []
        notes = [*run_sentences(runs), *pairwise, *notes]
    caption = f"{array.title or array.name} (/{array.name}): {caption}"
    figure = replace(facts, table=table)
    return Answer(key, caption, _numbers(table, array), tuple(notes), figure=figure, shown=shown)


def labels(facts: ArrayFacts, levels: Sequence[str]) -> list[str]:
    """Return levels in words, as the columns of their factors show them."""
    return [factor.label(name) for factor, name in zip(facts.array.factors, levels, strict=True)]


def cells_of(facts: ArrayFacts, table: pa.Table) -> Iterator[tuple[Any, ...]]:
    """Yield the levels of each row in words, and the size."""
    return ((*labels(facts, levels), size) for levels, size in rows_of(table, CELL))


def _numbers(table: pa.Table, array: TaskArray) -> Table:
    """Return the columns of an Arrow table. `levels` becomes a column per factor."""
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        values = values_of(table, name)
        if name == "levels":
            columns += [
                Column(factor.name, factor.name, "name", [levels[k] for levels in values])
                for k, factor in enumerate(array.factors)
            ]
        elif name not in HIDDEN:
            kind: Kind = "count" if kinds.is_integer(column.type) else "number"
            kind = kind if kinds.is_integer(column.type) or kinds.is_floating(column.type) else "name"
            # Arrays of lists keep each list as one value.
            cells = np.fromiter(values, object, len(values)) if kinds.is_list(column.type) else values
            columns.append(Column(name, name, kind, cells))
    return Table(tuple(columns))
