"""What the page Ranking compares, and the analysis of it, computed once for all visitors."""

import operator
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from dashboard.ranking.choice import MOST_SHOWN, Request
from dashboard.ranking.tasks import ranked_tasks
from dashboard.server import archive as opened
from delvecore.archive.score_tables import archive_score_table, in_its_metric
from delvecore.plots import words
from delvecore.stats.choose import RankTest
from delvecore.stats.ranking.analysis import Analysis, analyse
from delvecore.stats.ranking.pair_verdicts import PairVerdicts, pair_verdicts
from delvecore.stats.ranking.score_table import ScoreTable

__all__ = [
    *("analysis_of", "archive_scores", "drawn", "finding_of"),
    *("per_request", "score_table", "verdicts_of"),
]

per_request = st.cache_resource(
    show_spinner=False, max_entries=200, hash_funcs={Request: operator.attrgetter("key")}
)
"""Makes a function of a Request and small values compute each of its results once for all visitors.

What it returns is shared and must not be changed."""


@per_request
def _drawn(
    name: str, request: Request, more: tuple[Hashable, ...], _make: Callable[[], go.Figure]
) -> go.Figure:
    return _make()


def drawn(
    draw: Callable[..., go.Figure],
    make: Callable[..., object],
    request: Request,
    *more: Hashable,
    **options: Hashable,
) -> go.Figure:
    """Return draw(make(request, *more), **options), drawn once for all visitors."""
    name = " ".join(f"{part.__module__}.{part.__qualname__}" for part in (draw, make))
    return _drawn(name, request, (*more, *options.items()), lambda: draw(make(request, *more), **options))


@opened.cached
def archive_scores(state: str, loss: str) -> ScoreTable:
    """The mean standardized loss of every method on every task that has one, of a metric the mean score; not
    a number where none is.

    loss: empty where no loss is known on two tasks; then so is the table."""
    if not loss:
        return ScoreTable((), (), np.empty((0, 0)))
    return _scores_of(state, loss, list(ranked_tasks(state)))


def score_table(request: Request) -> ScoreTable:
    """Return the table that a request is about, missing values included: means over the instances that its
    methods have in common."""
    return _score_table(replace(request, test=RankTest.NEMENYI, most=MOST_SHOWN))


@per_request
def _score_table(request: Request) -> ScoreTable:
    tasks = ranked_tasks(request.state)
    known = [path for path in request.tasks if request.loss in tasks[path].methods]
    if not known:
        return ScoreTable((), (), np.empty((0, 0)))
    keep = (*request.keep, *filter(None, [request.control]))
    places = [path.strip("/").split("/") for path in known]
    return _scores_of(request.state, request.loss, known, places=places, methods=request.methods, keep=keep)


def _scores_of(state: str, loss: str, tasks: Sequence[str], **chosen: Any) -> ScoreTable:
    """Return what `archive_score_table` has of tasks, in their order, as scores of the loss."""
    found = archive_score_table(opened.archive_of(state), loss=loss, **chosen)
    known = set(found.tasks)
    scores = found.select(tasks=[path for path in tasks if path in known])
    return in_its_metric(replace(scores, quantity=words.loss_quantity(loss)), loss)


def finding_of(request: Request) -> Analysis | str:
    """Return the analysis, or why there is none, in words."""
    # The test chosen, and how many methods are drawn, change what is shown, not what is computed.
    return _finding(replace(request, test=RankTest.NEMENYI, most=MOST_SHOWN))


@per_request
def _finding(request: Request) -> Analysis | str:
    table = score_table(request)
    control = request.control if request.control in table.methods else None
    try:
        return analyse(
            table,
            unit=request.unit,
            control=control,
            alpha=request.alpha,
            adjustment=request.adjust,
            drop=request.drop,
        )
    except ValueError as error:
        return str(error)


def analysis_of(request: Request) -> Analysis:
    """Return the analysis. Raises ValueError where there is none: see `finding_of`."""
    found = finding_of(request)
    if isinstance(found, str):
        raise ValueError(found)
    return found


def verdicts_of(request: Request) -> PairVerdicts:
    """What does the test of the request say of all pairs?"""
    return _verdicts(replace(request, most=MOST_SHOWN))


@per_request
def _verdicts(request: Request) -> PairVerdicts:
    return pair_verdicts(analysis_of(request), request.test)
