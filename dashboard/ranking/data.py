"""Data of the Ranking page, computed once for all visitors; methods are in the order of their mean ranks."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from dashboard.ui.request import MOST_SHOWN, Request
from dashboard.ui.task_filter import ranked_tasks
from delvecore.answers.answer import Answer
from delvecore.answers.ranking_figures import names_in_order, pairs_answer
from delvecore.archive import Archive, score_tables
from delvecore.model import place_names
from delvecore.plots import ranking_data, theme
from delvecore.plots.critical_difference import Diagram
from delvecore.report import words
from delvecore.stats.choose import DEFAULT_LEVEL, DEFAULT_SETTING
from delvecore.stats.ranking.analysis import Analysis, analyze
from delvecore.stats.ranking.random_effects import combine_comparisons
from delvecore.stats.ranking.ranks import unit_names
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import PairVerdicts, RankTest, pair_verdicts
from delvecore.tables import COMPARISONS, rows_of


@cached
def archive_scores(archive: Archive, loss: str) -> ScoreTable:
    """Return the mean score of each method on each task, NaN if missing; empty if no loss is known."""
    if not loss:
        return ScoreTable((), (), np.empty((0, 0)))
    return _scores_of(archive, loss, list(ranked_tasks(archive)))


def score_table(request: Request) -> ScoreTable:
    """Return the scores of a request, with gaps: means over the common instances."""
    return _score_table(without_tests(request))


def without_tests(request: Request) -> Request:
    """Return the request without the fields that do not affect its scores."""
    return replace(request, setting=DEFAULT_SETTING, test=RankTest.NEMENYI, most=MOST_SHOWN)


@cached
def _score_table(request: Request) -> ScoreTable:
    tasks = ranked_tasks(request.archive)
    known = [path for path in request.tasks or () if request.loss in tasks[path].methods]
    if not known or not request.methods:
        return ScoreTable((), (), np.empty((0, 0)))
    keep = (*request.keep, *filter(None, [request.reference]))
    places = list(map(place_names, known))
    return _scores_of(request.archive, request.loss, known, places=places, methods=request.methods, keep=keep)


def _scores_of(archive: Archive, loss: str, tasks: Sequence[str], **chosen: Any) -> ScoreTable:
    """Return the score table of tasks, in their order: see `score_tables.score_table`."""
    measure = archive.measures[loss]
    every_score = score_tables.score_table(archive, measure, **chosen)
    known = set(every_score.tasks)
    scores = every_score.select(tasks=[path for path in tasks if path in known])
    return replace(scores, quantity=words.measure_quantity(measure)) if measure.is_loss else scores


def finding_of(request: Request) -> Analysis | str:
    # The test and the number of drawn methods affect the display, not the computation.
    return _finding(replace(request, test=RankTest.NEMENYI, most=MOST_SHOWN))


@cached
def _finding(request: Request) -> Analysis | str:
    usual = request.setting._replace(level=DEFAULT_LEVEL)
    if request.setting != usual:
        usual_finding = _finding(replace(request, setting=usual))
        return (
            usual_finding if isinstance(usual_finding, str) else usual_finding.at_level(request.setting.alpha)
        )
    table = score_table(request)
    control = request.reference if request.reference in table.methods else None
    try:
        return analyze(
            table,
            unit=request.unit,
            control=control,
            alpha=request.setting.alpha,
            adjustment=request.setting.adjust,
            drop=request.drop,
        )
    except ValueError as error:
        return str(error)


def analysis_of(request: Request) -> Analysis:
    """Return the analysis. Raises ValueError if there is none: see `finding_of`."""
    finding = finding_of(request)
    if isinstance(finding, str):
        raise ValueError(finding)
    return finding


@cached
def verdicts_of(request: Request) -> PairVerdicts:
    return pair_verdicts(analysis_of(request), request.test)


PLACE = ("dataset", "prototask", "task")
MOST_TESTS = 400_000
"""Largest number of pairs that are tested on single tasks; more take too long."""


@cached
def styles(request: Request) -> dict[str, theme.MethodStyle]:
    """Return color and marker of the ranked methods, as on every page; those after the twelfth are gray."""
    names, known = names_in_order(analysis_of(request)), look_order(request.archive)
    looks = theme.styles_of(names, known=known, never_gray=[request.reference])
    return dict(zip(names, looks, strict=True))


@cached
def diagram_of(request: Request) -> Diagram:
    analysis = analysis_of(request)
    control = 0 if analysis.control is None else analysis.order.index(analysis.control) + 1
    looks, most = [*styles(request).values()], max(request.most, control)
    return ranking_data.diagram_of(analysis, verdicts_of(request), looks, most=most)


def shown(request: Request, *, most: int | None = None) -> list[str]:
    """Return the methods to draw, best mean rank first, and the control."""
    most = request.most if most is None else most
    names = names_in_order(analysis_of(request))
    return [*names[:most], *(name for name in names[most:] if name == request.reference)]


def reference_of(request: Request) -> str:
    """Return the method that figures compare the others with: the control, or the best mean rank."""
    names = shown(request)
    return request.reference if request.reference in names else names[0]


def of_first(request: Request, *, most: int = MOST_SHOWN) -> Request:
    """Return the request for its first methods and the control. More pairs would take too long."""
    chosen = set(shown(request, most=most))
    if len(chosen) == len(analysis_of(request).order):
        return request
    return replace(request, methods=tuple(name for name in request.methods if name in chosen))


def of_tested(request: Request) -> Request:
    """Return the request for its first methods: as many as can all be compared on each task."""
    pairs = MOST_TESTS // max(len(analysis_of(request).table.tasks), 1)
    return of_first(request, most=max(2, int((1 + math.sqrt(1 + 8 * pairs)) / 2)))


def has_training_sets(request: Request) -> bool:
    """Does some task have several training sets?"""
    return (pc.max(request.archive.results["instances"]).as_py() or 0) > 1


@cached
def task_tests(request: Request) -> pa.Table:
    """Return the tests of all pairs on all tasks (schema `tables.COMPARISONS`); none for single scores."""
    if not request.archive.paths and not has_training_sets(request):
        return COMPARISONS.empty_table()
    return request.archive.compare(loss=request.loss, methods=request.methods, setting=request.setting)


@cached
def combined_of(request: Request) -> pa.Table | None:
    """Return the tests of all pairs on each task, combined over tasks; None if no task has a test."""
    compared = task_tests(request)
    table, unit = analysis_of(request).table, analysis_of(request).unit
    units = dict(zip(table.tasks, unit_names(table, unit), strict=True))
    is_ranked = [words.task_path(*place) in units for place in rows_of(compared, PLACE)]
    compared = compared.filter(pa.array(is_ranked, pa.bool_()))
    return combine_comparisons(compared, units=units, setting=request.setting) if compared.num_rows else None


@cached
def pairs_of(request: Request) -> Answer:
    """Return all pairs of the drawn methods."""
    return pairs_answer(analysis_of(request), verdicts_of(request), shown(request))
