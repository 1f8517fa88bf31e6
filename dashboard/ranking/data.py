"""What the page Ranking compares, computed once for all; methods stand in the order of their mean ranks."""

import math
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.ranking.choice import MOST_SHOWN, Request, ranked_tasks
from dashboard.server import archive as opened
from dashboard.server.archive import look_order
from dashboard.server.cache import cached
from delvecore.archive import Archive, score_tables
from delvecore.model import place_names
from delvecore.plots import ranking_data, theme
from delvecore.plots.critical_difference import Diagram
from delvecore.plots.method_rows import (
    MOST_DOTS,
    AgainstOne,
    LeaveOut,
    PlaceRange,
    RanksWithout,
    ScoreAxis,
    ScoreDistributions,
    Scores,
    WinRate,
)
from delvecore.plots.ranking_data import names_in_order
from delvecore.plots.ranking_pairs import NUMBERS, RankPairs
from delvecore.report import words
from delvecore.report.ranking.sentences import TaskVerdicts, unit_count, units_name
from delvecore.report.ranking.sentences import task_verdicts as pair_task_verdicts
from delvecore.stats.choose import DEFAULT_LEVEL, DEFAULT_SETTING
from delvecore.stats.ranking.analysis import Analysis, analyse
from delvecore.stats.ranking.effects import wilson_interval
from delvecore.stats.ranking.random_effects import CombinedPairs, combine_comparisons
from delvecore.stats.ranking.ranks import LeftOut, leave_out, unit_names, units_of_families
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import PairVerdicts, RankTest, pair_verdicts
from delvecore.tables import COMPARISONS


@cached
def archive_scores(archive: Archive, loss: str) -> ScoreTable:
    """The mean score of every method on every task, NaN for none; empty where no loss is known."""
    if not loss:
        return ScoreTable((), (), np.empty((0, 0)))
    return _scores_of(archive, loss, list(ranked_tasks(archive)))


def score_table(request: Request) -> ScoreTable:
    """Return the scores that a request is about, gaps included: means over the common instances."""
    return _score_table(without_tests(request))


def without_tests(request: Request) -> Request:
    """Return the same for all requests that are about the same scores."""
    return replace(request, setting=DEFAULT_SETTING, test=RankTest.NEMENYI, most=MOST_SHOWN)


@cached
def _score_table(request: Request) -> ScoreTable:
    tasks = ranked_tasks(request.archive)
    known = [path for path in request.tasks if request.loss in tasks[path].methods]
    if not known or not request.methods:
        return ScoreTable((), (), np.empty((0, 0)))
    keep = (*request.keep, *filter(None, [request.control]))
    places = list(map(place_names, known))
    return _scores_of(request.archive, request.loss, known, places=places, methods=request.methods, keep=keep)


def _scores_of(archive: Archive, loss: str, tasks: Sequence[str], **chosen: Any) -> ScoreTable:
    """Return what `score_tables.score_table` has of tasks, in their order."""
    measure = archive.measures[loss]
    found = score_tables.score_table(archive, measure, **chosen)
    known = set(found.tasks)
    scores = found.select(tasks=[path for path in tasks if path in known])
    return replace(scores, quantity=words.measure_quantity(measure)) if measure.is_loss else scores


def finding_of(request: Request) -> Analysis | str:
    # The test chosen, and how many methods are drawn, change what is shown, not what is computed.
    return _finding(replace(request, test=RankTest.NEMENYI, most=MOST_SHOWN))


@cached
def _finding(request: Request) -> Analysis | str:
    usual = request.setting._replace(level=DEFAULT_LEVEL)
    if request.setting != usual:
        found = _finding(replace(request, setting=usual))
        return found if isinstance(found, str) else found.at_level(request.setting.alpha)
    table = score_table(request)
    control = request.control if request.control in table.methods else None
    try:
        return analyse(
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
    """Return the analysis. Raises ValueError where there is none: see `finding_of`."""
    found = finding_of(request)
    if isinstance(found, str):
        raise ValueError(found)
    return found


@cached
def verdicts_of(request: Request) -> PairVerdicts:
    return pair_verdicts(analysis_of(request), request.test)


OVER_TASKS = ("wins_over_tasks", "losses_over_tasks", "expected")
PLACE = ("dataset", "prototask", "task")
MOST_LEFT_OUT = 30
"""Families of tasks that are left out in turn have so many rows."""
MOST_TESTS = 400_000
"""Of pairs on single tasks: more take too long."""


def looks(request: Request, methods: list[str]) -> list[theme.MethodStyle]:
    """Return colour and symbol of methods, as on every page; of more than eight, the later ones are grey."""
    known = look_order(request.archive)
    return theme.styles_of(methods, known=known, never_grey=[request.control or ""])


@cached
def diagram_of(request: Request) -> Diagram:
    found = analysis_of(request)
    styles = looks(request, names_in_order(found))
    control = 0 if found.control is None else found.order.index(found.control) + 1
    return ranking_data.diagram_of(found, verdicts_of(request), styles, most=max(request.most, control))


def shown(request: Request, *, most: int | None = None) -> list[str]:
    """The methods that are drawn, best mean rank first, and the control."""
    most = request.most if most is None else most
    names = names_in_order(analysis_of(request))
    return [*names[:most], *(name for name in names[most:] if name == request.control)]


def of_first(request: Request, *, most: int = MOST_SHOWN) -> Request:
    """Return the request for its first methods and the control: all pairs of more would take too long."""
    chosen = set(shown(request, most=most))
    if len(chosen) == len(analysis_of(request).order):
        return request
    return replace(request, methods=tuple(name for name in request.methods if name in chosen))


def of_tested(request: Request) -> Request:
    """Return the request for as many of its first methods as can all be compared on every task."""
    pairs = MOST_TESTS // max(len(analysis_of(request).table.tasks), 1)
    return of_first(request, most=max(2, int((1 + math.sqrt(1 + 8 * pairs)) / 2)))


def task_tests(request: Request) -> pa.Table:
    """All pairs on all tasks: schema `tables.COMPARISONS`; none of methods with one score a task."""
    results = request.archive.results
    if not request.archive.paths and (pc.max(results["instances"]).as_py() or 0) < 2:
        return COMPARISONS.empty_table()
    return opened.comparisons(request.archive, request.loss, request.methods, request.setting)


@cached
def pairs_of(request: Request) -> RankPairs:
    return ranking_data.rank_pairs_of(analysis_of(request), verdicts_of(request), methods=shown(request))


@cached
def pairs_numbers(request: Request) -> pd.DataFrame:
    """Each pair once, in the order of mean ranks, with all its numbers."""
    pairs = pairs_of(request)
    rows, columns = np.triu_indices(len(pairs.methods), 1)
    names = np.array(pairs.methods, dtype=object)
    numbers = {name: getattr(pairs, name)[rows, columns] for name in NUMBERS}
    verdict = pairs.verdict[rows, columns].astype(object)
    return pd.DataFrame({"row": names[rows], "column": names[columns], **numbers, "verdict": verdict})


@cached
def distributions(request: Request) -> ScoreDistributions:
    """The values of each method shown on the tasks that count."""
    found, names = analysis_of(request), shown(request)
    chosen = found.table.select(methods=names)
    rows = zip(names, chosen.values.T.tolist(), looks(request, names), strict=True)
    methods = tuple(Scores(name, tuple(values), style) for name, values, style in rows)
    title, baseline = words.measure_axis(request.measure, standardized=True), request.measure.baseline
    return ScoreDistributions(methods, tuple(chosen.tasks), ScoreAxis(title, baseline))


@cached
def values_numbers(request: Request) -> pd.DataFrame:
    """The numbers of `distributions`: a row a value, where these are many a row a method with quantiles."""
    found = distributions(request)
    if len(found.tasks) > MOST_DOTS:
        names = ["smallest", "5 %", "25 %", "median", "75 %", "95 %", "largest"]
        at = [np.quantile(one.values, (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)) for one in found.methods]
        table = pd.DataFrame(at, columns=names)
        table.insert(0, "method", [one.method for one in found.methods])
        return table
    rows = [
        (one.method, *pair) for one in found.methods for pair in zip(found.tasks, one.values, strict=True)
    ]
    return pd.DataFrame(rows, columns=["method", "task", "value"])


@cached
def intervals(request: Request) -> tuple[PlaceRange, ...]:
    found, among = analysis_of(request), set(shown(request))
    styles = looks(request, names_in_order(found))
    rows = ranking_data.place_ranges_of(found, verdicts_of(request), styles)
    return tuple(row for row in rows if row.method in among)


@cached
def win_rates(request: Request, reference: str) -> AgainstOne[WinRate]:
    """Share of units on which each other method is better than the reference, with Wilson's intervals."""
    pairs, tasks = pairs_of(request), len(analysis_of(request).units.tasks)
    column, styles, rows = pairs.methods.index(reference), looks(request, list(pairs.methods)), []
    for row, (name, style) in enumerate(zip(pairs.methods, styles, strict=True)):
        if row == column:
            continue
        wins, ties, lost = (int(part[row, column]) for part in (pairs.wins, pairs.ties, pairs.losses))
        rate = (wins + ties / 2) / tasks
        lower, upper = map(float, wilson_interval(np.array(rate), tasks, level=request.setting.level))
        text = f"{words.share(round(2000 * rate), 2000)}   ({wins} / {ties} / {lost})"
        ends = (rate, lower, upper)
        rows.append(WinRate(name, wins, ties, lost, *ends, text=text, colour=style.colour))
    return AgainstOne(reference, tuple(rows))


@cached
def combined_of(request: Request) -> CombinedPairs | None:
    """What DELVE's own tests of all pairs on each task say together; None where no task has a test."""
    compared = task_tests(request)
    table, unit = analysis_of(request).table, analysis_of(request).unit
    units = dict(zip(table.tasks, unit_names(table, unit), strict=True))
    places = pc.binary_join_element_wise(*(compared[name] for name in PLACE), "/").to_pylist()
    compared = compared.filter(pa.array([f"/{place}" in units for place in places], pa.bool_()))
    return combine_comparisons(compared, units=units, setting=request.setting) if compared.num_rows else None


@cached
def combined_table(request: Request) -> pd.DataFrame:
    """The same as a table, each pair once; empty where no task has a test."""
    found = combined_of(request)
    if found is None:
        return pd.DataFrame({"method_a": [], "method_b": []})
    names = ("tasks", "wins", "ties", "losses", "untested", *OVER_TASKS)
    columns = {name: getattr(found, name) for name in names}
    columns |= {field.name: getattr(found.effects, field.name) for field in fields(found.effects)}
    columns["p_adjusted"] = found.p_adjusted
    return pd.DataFrame({"method_a": found.methods_a, "method_b": found.methods_b, **columns})


@cached
def task_verdicts(request: Request, reference: str) -> AgainstOne[TaskVerdicts]:
    """Tasks on which each other method is better, not significant, worse, not tested, by method."""
    found, rows = combined_of(request), {}
    if found is None:
        return AgainstOne(reference, ())
    for place, (first, second) in enumerate(zip(found.methods_a, found.methods_b, strict=True)):
        if reference in (first, second):
            counts = pair_task_verdicts(found, place)
            name = second if first == reference else first
            rows[name] = counts.turned(name) if first == reference else counts
    return AgainstOne(
        reference, tuple(rows[name] for name in names_in_order(analysis_of(request)) if name in rows)
    )


@cached
def left_out(request: Request) -> tuple[LeftOut, ...]:
    """Mean ranks without each family of tasks; none where there is one family only."""
    found = analysis_of(request)
    return leave_out(found.ranks, units_of_families(found.table, found.unit))


@cached
def leave_out_ranks(request: Request) -> LeaveOut:
    """Mean ranks of all tasks and without each family of them."""
    found, left = analysis_of(request), left_out(request)
    names = shown(request)
    order = [found.table.methods.index(name) for name in names]

    def row(title: str, text: str, average: np.ndarray) -> RanksWithout:
        places = average.argsort(kind="stable").argsort(kind="stable") + 1
        return RanksWithout(title, text, tuple(average[order].tolist()), tuple(places[order].tolist()))

    many = len(left) > MOST_LEFT_OUT
    rows = [row(f"all {units_name(found)}", unit_count(found), found.ranks.average)]
    for one in sorted(left, key=lambda one: -one.moved)[:MOST_LEFT_OUT] if many else left:
        moved = f"{words.count(one.moved, 'pair')} turned" if one.moved else "same order"
        text = f"{one.tasks} {units_name(found)}, {moved}"
        rows.append(row(f"without {one.group}", text, one.average))
    return LeaveOut(tuple(names), tuple(looks(request, names)), tuple(rows) if left else ())
