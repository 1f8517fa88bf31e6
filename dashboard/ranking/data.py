"""What the page Ranking compares, and the analysis of it, computed once for all visitors.

A Question holds everything that the numbers depend on; its key stands for it wherever something is cached.
"""

import functools
import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import words
from dashboard.ranking import tasks as ranking_tasks
from dashboard.ranking.own import OwnTable
from dashboard.server import archive as opened
from delvecore.archive.score_tables import archive_score_table
from delvecore.statistics.ranking.analysis import Analysis, analyse
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = [
    "ARCHIVE",
    "BOTH",
    "CONTROL",
    "MINE",
    "NEMENYI",
    "SOURCES",
    "TESTS",
    "WILCOXON",
    "Question",
    "analysis_of",
    "archive_scores",
    "different_pairs",
    "drawn",
    "per_question",
    "score_table",
]

NEMENYI, WILCOXON, CONTROL = "Nemenyi", "Wilcoxon with Holm", "Bonferroni-Dunn"
TESTS = (NEMENYI, WILCOXON, CONTROL)
ARCHIVE, MINE, BOTH = "Archive", "Mine", "Both"
SOURCES = (ARCHIVE, MINE, BOTH)
_NOISE = 1e-9


@dataclass(frozen=True)
class Question:
    """What is compared. source: one of SOURCES; tasks: full paths of the archive's tasks; methods: those to
    be compared, of the archive and of the visitor; control: the method that others are held against; alpha:
    level; test: one of TESTS; drop: `tasks` or `methods`, what is left out where a value is missing; higher:
    is more better in the visitor's own table? own: that table, or None."""

    state: str
    source: str
    loss: str
    tasks: tuple[str, ...]
    methods: tuple[str, ...]
    control: str | None
    alpha: float
    test: str
    drop: str = "tasks"
    higher: bool = False
    own: OwnTable | None = field(default=None, compare=False, hash=False)

    @functools.cached_property
    def key(self) -> str:
        """A hash of all of it; equal questions have equal keys."""
        parts = [self.state, self.source, self.loss, *self.tasks, "", *self.methods, "", self.control or ""]
        parts += [
            repr(self.alpha),
            self.test,
            self.drop,
            str(self.higher),
            self.own.digest if self.own else "",
        ]
        return hashlib.blake2b("\0".join(parts).encode(errors="surrogateescape"), digest_size=16).hexdigest()


@opened.cached
def archive_scores(state: str, loss: str) -> ScoreTable:
    """The mean standardized loss of every method on every task that has one; not a number where none is.

    loss: empty where no loss is known on two tasks; then so is the table.
    """
    if not loss:
        return ScoreTable((), (), np.empty((0, 0)))
    found = archive_score_table(opened.archive_of(state), loss=loss)
    known = set(found.tasks)
    tasks = [path for path in ranking_tasks.ranked_tasks(state) if path in known]
    name = words.loss_name(loss)
    quantity = f"standardized {name[0].lower()}{name[1:]}"
    return replace(found.select(tasks=tasks), quantity=quantity)


def mine_named(method: str, archive: tuple[str, ...]) -> str:
    """Return the name of a visitor's method beside the archive's: told apart from one of the same name."""
    return f"{method} (mine)" if method in archive else method


def score_table(question: Question) -> ScoreTable:
    """Return the table that a question is about, missing values included."""
    if question.source == MINE:
        own = question.own.facing(higher_is_better=question.higher)
        return own.select(methods=[name for name in own.methods if name in question.methods])
    scores = archive_scores(question.state, question.loss)
    if question.source == BOTH:
        scores = beside(scores, question.own.table)
    known = set(scores.tasks)
    return scores.select(
        tasks=[path for path in question.tasks if path in known],
        methods=[name for name in scores.methods if name in question.methods],
    )


def beside(scores: ScoreTable, own: ScoreTable) -> ScoreTable:
    """Return the archive's scores with a visitor's in further columns, on the tasks of both.

    Tasks of the visitor's table are known by their full paths; others are left out, see `shared_tasks`.
    """
    rows = {task: row for row, task in enumerate(own.tasks)}
    values = np.full((len(scores.tasks), len(own.methods)), np.nan)
    for place, task in enumerate(scores.tasks):
        if task in rows:
            values[place] = own.values[rows[task]]
    names = tuple(mine_named(name, scores.methods) for name in own.methods)
    both = np.hstack([scores.values, values])
    return ScoreTable(scores.tasks, (*scores.methods, *names), both, False, scores.quantity)


def per_question(make: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of a Question and small values compute each of its results once for all visitors.

    What it returns is shared and must not be changed.
    """

    @functools.wraps(make)
    def kept(question: Question, *arguments: Hashable) -> Any:
        name = f"{make.__module__}.{make.__qualname__}"
        return _made(name, question.key, arguments, make, question)

    return kept


@opened.cached
def _made(name, key, arguments, _make, _question):
    return _make(_question, *arguments)


def analysis_of(question: Question) -> Analysis | str:
    """Return the analysis, or why there is none, in words."""
    # The test chosen changes what is shown, not what is computed.
    return _analysis(replace(question, test=NEMENYI))


@per_question
def _analysis(question):
    table = score_table(question)
    control = question.control if question.control in table.methods else None
    try:
        return analyse(table, control=control, alpha=question.alpha, drop=question.drop)
    except ValueError as error:
        return str(error)


def different_pairs(found: Analysis, test: str) -> np.ndarray:
    """Which pairs of methods, in the order of `found.scan`, does a test tell apart?

    With a control only pairs with the control are tested.
    """
    if test == WILCOXON:
        return found.wilcoxon.p_holm < found.alpha
    if test == CONTROL and found.bonferroni_dunn is not None:
        with_control = (found.scan.first == found.control) | (found.scan.second == found.control)
        other = np.where(found.scan.first == found.control, found.scan.second, found.scan.first)
        return with_control & found.bonferroni_dunn.different[other]
    return np.abs(found.nemenyi.difference) > found.nemenyi.cd + _NOISE


def drawn(
    draw: Callable[..., go.Figure],
    table: Callable[..., pd.DataFrame],
    question: Question,
    *arguments: Hashable,
    **details: Hashable,
) -> go.Figure:
    """Return draw(table(question, *arguments), **details), drawn once for all visitors."""
    name = " ".join(f"{part.__module__}.{part.__qualname__}" for part in (draw, table))
    return _drawn(name, question.key, arguments, tuple(details.items()), draw, table, question)


@opened.cached
def _drawn(name, key, arguments, details, _draw, _table, _question):
    return _draw(_table(_question, *arguments), **dict(details))
