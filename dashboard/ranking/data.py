"""What the page Ranking compares, and the analysis of it, computed once for all visitors."""

import functools
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Concatenate, ParamSpec, TypeVar

import numpy as np
import plotly.graph_objects as go

from dashboard.frame import words
from dashboard.ranking.choice import BOTH, CONTROL, MINE, NEMENYI, WILCOXON, Request
from dashboard.ranking.tasks import ranked_tasks
from dashboard.server import archive as opened
from delvecore.archive.score_tables import archive_score_table
from delvecore.statistics.ranking.analysis import Analysis, analyse
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = [
    "analysis_of",
    "archive_scores",
    "different_pairs",
    "drawn",
    "finding_of",
    "mine_named",
    "names_in_order",
    "per_request",
    "score_table",
]

Details = ParamSpec("Details")
Made = TypeVar("Made")
_NOISE = 1e-9


def per_request(
    make: Callable[Concatenate[Request, Details], Made],
) -> Callable[Concatenate[Request, Details], Made]:
    """Make a function of a Request and small values compute each of its results once for all visitors.

    What it returns is shared and must not be changed.
    """

    def kept(request: Request, /, *arguments: Details.args, **details: Details.kwargs) -> Made:
        name = f"{make.__module__}.{make.__qualname__}"
        more = (*arguments, *details.items())
        return _made(name, request.key, more, lambda: make(request, *arguments, **details))

    return functools.update_wrapper(kept, make)


@opened.cached
def _made(name: str, key: str, more: tuple[Hashable, ...], _make: Callable[[], Made]) -> Made:
    return _make()


def drawn(
    draw: Callable[..., go.Figure],
    make: Callable[..., object],
    request: Request,
    *arguments: Hashable,
    **details: Hashable,
) -> go.Figure:
    """Return draw(make(request, *arguments), **details), drawn once for all visitors."""
    name = " ".join(f"{part.__module__}.{part.__qualname__}" for part in (draw, make))
    more = (*arguments, *details.items())
    return _made(name, request.key, more, lambda: draw(make(request, *arguments), **details))


@opened.cached
def archive_scores(state: str, loss: str) -> ScoreTable:
    """The mean standardized loss of every method on every task that has one; not a number where none is.

    loss: empty where no loss is known on two tasks; then so is the table.
    """
    if not loss:
        return ScoreTable((), (), np.empty((0, 0)))
    found = archive_score_table(opened.archive_of(state), loss=loss)
    known = set(found.tasks)
    tasks = [path for path in ranked_tasks(state) if path in known]
    name = words.loss_name(loss)
    quantity = f"standardized {name[0].lower()}{name[1:]}"
    return replace(found.select(tasks=tasks), quantity=quantity)


def mine_named(method: str, archive: tuple[str, ...]) -> str:
    """Return the name of a visitor's method beside the archive's: told apart from one of the same name."""
    return f"{method} (mine)" if method in archive else method


def score_table(request: Request) -> ScoreTable:
    """Return the table that a request is about, missing values included."""
    if request.source == MINE:
        own = request.own_table.facing(higher_is_better=request.higher)
        return own.select(methods=[name for name in own.methods if name in request.methods])
    scores = archive_scores(request.state, request.loss)
    if request.source == BOTH:
        scores = _beside(scores, request.own_table.table)
    known = set(scores.tasks)
    return scores.select(
        tasks=[path for path in request.tasks if path in known],
        methods=[name for name in scores.methods if name in request.methods],
    )


def _beside(scores: ScoreTable, own: ScoreTable) -> ScoreTable:
    """Return the archive's scores with a visitor's in further columns, on the tasks of both.

    Tasks of the visitor's table are known by their full paths; others are left out.
    """
    rows = {task: row for row, task in enumerate(own.tasks)}
    values = np.full((len(scores.tasks), len(own.methods)), np.nan)
    for place, task in enumerate(scores.tasks):
        if task in rows:
            values[place] = own.values[rows[task]]
    names = tuple(mine_named(name, scores.methods) for name in own.methods)
    both = np.hstack([scores.values, values])
    return ScoreTable(scores.tasks, (*scores.methods, *names), both, False, scores.quantity)


def finding_of(request: Request) -> Analysis | str:
    """Return the analysis, or why there is none, in words."""
    # The test chosen changes what is shown, not what is computed.
    return _finding(replace(request, test=NEMENYI))


@per_request
def _finding(request: Request) -> Analysis | str:
    table = score_table(request)
    control = request.control if request.control in table.methods else None
    try:
        return analyse(table, control=control, alpha=request.alpha, drop=request.drop)
    except ValueError as error:
        return str(error)


def analysis_of(request: Request) -> Analysis:
    """Return the analysis. Raises ValueError where there is none: see `finding_of`."""
    found = finding_of(request)
    if isinstance(found, str):
        raise ValueError(found)
    return found


def names_in_order(found: Analysis) -> list[str]:
    """Return the methods, best mean rank first."""
    return [found.table.methods[place] for place in found.order]


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
