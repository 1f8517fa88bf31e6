"""The page Ranking's numbers as tables for papers and programs, and the command that prints them."""

import shlex
from collections.abc import Iterable

import numpy as np
import pandas as pd

from dashboard.frame import words
from dashboard.ranking import tables as ranking_tables
from dashboard.ranking.data import (
    ARCHIVE,
    BOTH,
    CONTROL,
    MINE,
    Question,
    analysis_of,
    archive_scores,
    score_table,
)
from delvecore.report.rounding import p_text
from delvecore.report.writers.csv import csv_text
from delvecore.report.writers.latex import Column, latex_table

__all__ = [
    "archive_places",
    "command",
    "diagram_numbers",
    "name_of",
    "order_latex",
    "pairs_latex",
    "pairs_numbers",
    "scores_csv",
]

MOST_PLACES = 12


def name_of(question: Question, what: str) -> str:
    """Return the name of a file of the page, different for each loss and source."""
    return f"ranking-{'mine' if question.source == MINE else question.loss}-{what}"


def scores_csv(question: Question) -> str:
    """Return the table of values, tasks x methods, as `delve rank` reads it."""
    table = score_table(question)
    rows = [
        [task, *(None if value != value else value for value in values)]
        for task, values in zip(table.tasks, table.values.tolist(), strict=True)
    ]
    return csv_text(["task", *table.methods], rows)


def command(question: Question) -> str:
    """Return the command line that prints the same numbers: from the archive where it can name the tasks and
    methods, else from the file that `scores_csv` makes."""
    places = archive_places(question)
    if places is not None:
        source = [*places, "--loss", question.loss]
    else:
        source = [f"{name_of(question, 'table')}.csv"]
    parts = ["delve", "rank", *source, "--alpha", f"{question.alpha:g}"]
    parts += ["--control", question.control] if question.control else []
    parts += ["--drop", question.drop] if question.drop != "tasks" else []
    parts += ["--higher-is-better"] if question.source == MINE and question.higher else []
    return shlex.join(parts)


def archive_places(question: Question) -> list[str] | None:
    """Return paths that hold exactly the question's tasks, as few as there can be; None where the methods are
    not all of those, or the paths too many for a command line."""
    if question.source != ARCHIVE:
        return None
    scores = archive_scores(question.state, question.loss)
    chosen = set(question.tasks)
    with_any = ~np.isnan(scores.select(tasks=question.tasks).values).all(axis=0)
    if {name for name, any_value in zip(scores.methods, with_any, strict=True) if any_value} != set(
        question.methods
    ):
        return None
    if chosen == set(scores.tasks):
        return []
    places = list(dict.fromkeys(_widest(path, chosen, scores.tasks) for path in question.tasks))
    return places if len(places) <= MOST_PLACES else None


def _widest(path, chosen, tasks):
    """Return the dataset, or the prototask, of a task where all tasks below are chosen, else the task."""
    names = path.split("/")
    for length in (2, 3):
        place = "/".join(names[:length])
        if all(task in chosen for task in tasks if task.startswith(place + "/")):
            return place
    return path


def diagram_numbers(question: Question) -> pd.DataFrame:
    """Mean ranks with p-values and the groups that each method is in, by number."""
    table = ranking_tables.diagram_table(question)
    groups = table.attrs["groups"]
    shown = table[["method", "rank", "p"]].copy()
    if question.test == CONTROL:
        shown["mark"] = table["mark"]
        return shown
    shown["groups"] = [
        ", ".join(str(number + 1) for number, group in enumerate(groups) if row in group)
        for row in range(len(table))
    ]
    return shown


def pairs_numbers(question: Question) -> pd.DataFrame:
    """Each pair once, in the order of mean ranks, with all its numbers."""
    table = ranking_tables.pairs_table(question)
    place = {name: row for row, name in enumerate(dict.fromkeys(table["row"]))}
    return table[table["row"].map(place) < table["column"].map(place)].reset_index(drop=True)


def _basis(question: Question) -> str:
    found = analysis_of(question)
    text = f"{words.count(len(found.table.tasks), 'task')}, {len(found.table.methods)} methods"
    if found.dropped_tasks:
        text += f"; {words.count(len(found.dropped_tasks), 'task')} left out for missing values"
    if question.source == BOTH:
        text += "; own methods beside those of the archive"
    return text


def order_latex(question: Question) -> str:
    """Return the methods by mean rank as a booktabs table; those not told apart from the first are bold."""
    table, found = ranking_tables.order_table(question), analysis_of(question)
    columns = [Column("Method"), *(Column(title, "r") for title in ("Mean rank", "First on", "Median", "p"))]
    body = [
        [line.method, f"{line.rank:.2f}", str(line.firsts), f"{line.median:.4g}", _p(line.p)]
        for line in table.itertuples()
    ]
    against = "the control" if question.test == CONTROL else "the first"
    alike = {
        (row, 0) for row, line in enumerate(table.itertuples()) if line.p != line.p or line.p >= found.alpha
    }
    return latex_table(
        columns,
        body,
        caption=f"Methods by mean rank: {found.table.quantity}.",
        label=f"tab:{name_of(question, 'order')}",
        note=f"p: against {against}, {question.test}. Bold: not told apart from {against} at "
        f"{found.alpha:g}. {_basis(question)}.",
        bold=alike,
    )


def pairs_latex(question: Question) -> str:
    """Return all pairs as a booktabs table; p-values that stay small with Holm's adjustment are bold."""
    table, found = pairs_numbers(question), analysis_of(question)
    columns = [Column("Method a"), Column("Method b"), Column("a - b", "r"), Column("won/tied/lost", "r")]
    columns += [Column("p", "r"), Column("p (Holm)", "r")]
    body = [
        [
            line.row,
            line.column,
            f"{line.difference:+.3g}",
            f"{line.wins}/{line.ties}/{line.losses}",
            _p(line.p),
            _p(line.p_holm),
        ]
        for line in table.itertuples()
    ]
    bold: Iterable = {(row, 5) for row, p in enumerate(table["p_holm"]) if p < found.alpha}
    return latex_table(
        columns,
        body,
        caption=f"Pairs of methods: {found.table.quantity}.",
        label=f"tab:{name_of(question, 'pairs')}",
        note=f"Wilcoxon's signed-rank test. Bold: below {found.alpha:g} with Holm's adjustment. "
        f"{_basis(question)}.",
        bold=bold,
    )


def _p(value):
    return "" if value != value else p_text(value)
