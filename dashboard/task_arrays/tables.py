"""What the figures of the Task-arrays page draw: one record a figure, made from the request."""

import textwrap
from collections.abc import Sequence
from math import exp, log, nan
from statistics import fmean
from typing import Any

import numpy as np

from dashboard.server.archive import Row, look_order
from dashboard.server.cache import cached
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.choice import Request
from delvecore.answers.wins_and_losses import Where, where_of, where_sentence
from delvecore.archive import Archive
from delvecore.archive.leaderboards import task_groups
from delvecore.measures import Measure
from delvecore.model import TaskArray
from delvecore.plots import theme
from delvecore.plots.cost_quality import CostPath, CostPoint, CostsFigure
from delvecore.plots.critical_difference import Diagram
from delvecore.plots.ranking_data import diagram_of, names_in_order
from delvecore.plots.task_arrays import plot_data
from delvecore.plots.task_arrays.curves import CurvesFigure
from delvecore.plots.task_arrays.effects import (
    EffectCell,
    EffectRow,
    EffectsFigure,
    EffectsMap,
    SlopeMark,
    SlopesFigure,
)
from delvecore.plots.task_arrays.maps import (
    DifferenceCell,
    DifferencesFigure,
    RegretCell,
    RegretsFigure,
    WinnerCell,
    WinnersFigure,
)
from delvecore.plots.task_arrays.panels import ABSENT, EMPTY, Estimate, Look, PanelGrid
from delvecore.plots.task_arrays.plot_data import (
    against_words,
    cell_words,
    html_p,
    level_words,
    member_words,
    number,
    place_words,
    task_of,
    value_title,
    verdict_signs,
)
from delvecore.report import words
from delvecore.stats.arrays.factorial_effects import LEVEL, LINEAR, LOG, TERM, TRAINING_SIZE
from delvecore.stats.arrays.results import NO_MEMBER, NO_SIZE, NO_TASK
from delvecore.stats.choose import is_significant, turned_verdict
from delvecore.stats.orientation import oriented
from delvecore.stats.ranking.score_table import ScoreTable, Units

HOLES = {NO_MEMBER: ABSENT, NO_TASK: "no such task here", NO_SIZE: "no such size"}
"""Why a cell of the grid is no task, in a few words."""


@cached
def grid_of(archive: Archive, array: str) -> PanelGrid:
    return plot_data.grid_of(array_data.arrays(archive)[array])


@cached
def places(request: Request) -> dict[str, str]:
    """The tasks with results, in words, by path: what a click into a figure opens."""
    array = request.task_array
    rows = [row for row in array_data.winners(request).to_pylist() if row["best"]]
    return {str(task_of(row)): cell_words(array, row) for row in rows}


def looks(request: Request, *, every: bool = False) -> dict[str, Look]:
    """Return how the methods look: those beyond eight grey, unless every one stands for itself."""
    coloured = request.methods if every else request.coloured
    return plot_data.looks_of(request.methods, known=look_order(request.archive), coloured=coloured)


@cached
def curves(request: Request) -> CurvesFigure:
    array = request.task_array
    return plot_data.curves_of(
        array,
        array_data.estimates(request).to_pylist(),
        looks(request),
        measure=request.measure,
        is_log=request.is_log,
        hint="<br>Click to compare",
        published=array_data.published(request),
        most_columns=request.columns,
        crossings=() if request.is_log else array_data.crossed(request),
    )


@cached
def diagram(request: Request) -> Diagram:
    """The critical-difference diagram over the tasks of the array; empty where methods cannot be ranked."""
    ranked = array_data.ranking(request)
    if isinstance(ranked, str):
        return Diagram(methods=(), groups=(), cd=None, control=None, against="", note=ranked, total=0)
    found, said = ranked
    return diagram_of(found, said, theme.styles_of(names_in_order(found), known=look_order(request.archive)))


def _winner_hover(array: TaskArray, row: Row) -> str:
    shown = words.with_error(row["standardized_mean"], row["standardized_error"])
    lines = [place_words(array, row), f"<b>{words.plot_text(row['best'])}</b> is best: {shown}"]
    for column, title in (("not_worse", "not significantly worse"), ("worse", "significantly worse")):
        if row[column]:
            tested = zip(row[column], row[f"{column}_p"], strict=True)
            told = ", ".join(f"{words.plot_text(name)} ({html_p(p)})" for name, p in tested)
            lines.append(f"{title}: {told}")
    if row["untested"]:
        lines.append(f"not tested: {', '.join(map(words.plot_text, row['untested']))}")
    return "<br>".join(textwrap.fill(line, 90).replace("\n", "<br>") for line in [*lines, "Click to compare"])


def sizes_of(request: Request) -> tuple[int, ...]:
    return tuple(sorted({cell.training_size for cell in array_data.cells(request.archive, request.array)}))


def member_names(request: Request) -> dict[tuple[str, ...], str]:
    array = request.task_array
    cells = array_data.cells(request.archive, request.array)
    return {cell.levels: member_words(array, cell.levels) for cell in cells}


def missing_words(note: str | None) -> str:
    """Say why there is nothing in a cell, in a few words."""
    return HOLES.get(note or "", EMPTY)


@cached
def winners(request: Request) -> WinnersFigure:
    array, sizes = request.task_array, sizes_of(request)
    names = member_names(request)
    places = {levels: place for place, levels in enumerate(names)}
    found = tuple(
        WinnerCell(
            row=places[tuple(row["levels"])],
            column=sizes.index(row["training_size"]),
            best=row["best"],
            others=tuple(row["not_worse"]),
            lead=words.with_error(*lead) if lead and row["best"] else "",
            missing=None if row["best"] else missing_words(row["note"]),
            hover=_winner_hover(array, row) if row["best"] else "",
            task=task_of(row),
        )
        for row, lead in zip(array_data.winners(request).to_pylist(), array_data.leads(request), strict=True)
    )
    return WinnersFigure(found, tuple(names.values()), sizes, looks(request, every=True))


def _difference_hover(array: TaskArray, row: Row, measure: Measure) -> str:
    where, name = place_words(array, row), words.plot_text(row["method"])
    if row["difference"] is None:
        return f"<b>{name}</b><br>{words.plot_text(row['note'] or EMPTY)}<br>{where}"
    lead = f"<b>{name}</b> loses" if measure.is_loss else f"<b>{name}</b>:"
    return f"{lead} {against_words(row)}<br>{row['verdict']}<br>{where}<br>Click to compare"


@cached
def differences(request: Request) -> DifferencesFigure:
    """Each method less the reference on every task of the array."""
    array, grid = request.task_array, grid_of(request.archive, request.array)
    measure, signs = request.measure, verdict_signs(request.measure)
    cells = tuple(
        DifferenceCell(
            panel=grid.place(row["levels"]),
            size=row["training_size"],
            method=row["method"],
            difference=number(row["difference"]),
            sign=signs.get(row["verdict"], ""),
            hover=_difference_hover(array, row, measure),
            task=task_of(row),
        )
        for row in array_data.differences(request).to_pylist()
        if row["note"] not in HOLES and row["method"] != request.reference
    )
    methods = tuple(method for method in request.methods if method != request.reference)
    reference = words.plot_text(request.reference, longest=20)
    title = f"{value_title(measure)} less that of {reference}"
    return DifferencesFigure(cells, grid, sizes_of(request), methods, title, measure)


@cached
def costs(request: Request) -> CostsFigure:
    """Seconds and means of methods by size of training sets.

    Only tasks on which all the methods drawn have costs and a value count, so that their means compare.
    Seconds: the geometric mean over these tasks of the median instance's."""
    rows = array_data.costs(request).to_pylist()
    usable = [row for row in rows if row["median_seconds"] and row["standardized_mean"] is not None]
    with_costs = [name for name in request.methods if any(row["method"] == name for row in usable)]
    drawn, shared = _sharing(usable, with_costs)
    counted = [row for row in usable if _cell(row) in shared]
    shown, sizes = looks(request), sorted({size for _, size in shared})
    noun = request.measure.noun
    points = {name: tuple(_cost_point(name, size, counted, noun) for size in sizes) for name in drawn}
    return CostsFigure(
        paths=tuple(CostPath(name, shown[name], found) for name, found in points.items()),
        title=words.vertical_axis(request.measure),
        baseline=request.measure.baseline,
        compared=len(shared),
        without=tuple(name for name in request.methods if name not in with_costs),
        apart=tuple(name for name in with_costs if name not in drawn),
    )


def _cell(row: Row) -> tuple[tuple[str, ...], int]:
    return tuple(row["levels"]), row["training_size"]


def _sharing(rows: Sequence[Row], methods: Sequence[str]) -> tuple[list[str], set[Any]]:
    """Return the methods to draw, and the tasks that they have in common.

    A method on less than half of the tasks of another would take the other tasks from all means, and is left
    out; so are, where all have none in common, those with the fewest tasks."""
    done = {name: {_cell(row) for row in rows if row["method"] == name} for name in methods}
    most = max(map(len, done.values()), default=0)
    left = [name for name in methods if 2 * len(done[name]) >= most]
    while len(left) > 1 and not set.intersection(*(done[name] for name in left)):
        left.remove(min(reversed(left), key=lambda name: len(done[name])))
    return left, set.intersection(*(done[name] for name in left)) if left else set()


def _cost_point(method: str, size: int, rows: Sequence[Row], noun: str) -> CostPoint:
    own = [row for row in rows if (row["method"], row["training_size"]) == (method, size)]
    seconds = exp(sum(log(row["median_seconds"]) for row in own) / len(own))
    mean = sum(row["standardized_mean"] for row in own) / len(own)
    hover = (
        f"<b>{words.plot_text(method)}</b>, {words.count(size, 'training case')}<br>"
        f"{words.number(seconds, digits=3)} s an instance, mean {words.plot_text(noun)} "
        f"{words.number(mean, digits=3)}<br>"
        f"over {words.count(len(own), 'task')}"
    )
    return CostPoint(seconds, mean, hover)


NOT_ESTIMABLE = "not estimable"


def _effect_label(array: TaskArray, row: Row) -> str:
    """`medium noise → high noise`, `64 → 1024 training cases`, `inputs × noise`. Not escaped."""
    factors, ends = row["factors"], row["contrasted"]
    if len(factors) > 1:
        return " × ".join(factors)
    if factors[0] == TRAINING_SIZE:
        return f"{' → '.join(ends)} training cases"
    number = [factor.name for factor in array.factors].index(factors[0])
    levels = [level_words(array, number, level) for level in ends]
    return f"{levels[0]}, against the average" if row["kind"] == LEVEL else " → ".join(levels)


def _contrasts(request: Request) -> list[Row]:
    """Return the effects of the methods that have an estimate."""
    rows = array_data.effects(request).to_pylist()
    return [row for row in rows if row["kind"] in (TERM, LINEAR, LEVEL) and row["effect"] is not None]


def _is_log(request: Request) -> bool:
    return bool(array_data.effects(request)["scale"][0].as_py() == LOG)


def _effect(label: str, row: Row, request: Request) -> Estimate:
    is_log = row["scale"] == LOG
    found = (row[name] for name in ("effect", "lower", "upper"))
    value, lower, upper = (nan if one is None else exp(one) if is_log else one for one in found)
    significant = is_significant(row["p_adjusted"], request.setting.alpha)
    times = "× " if is_log else ""
    hover = (
        f"<b>{words.plot_text(row['method'])}</b>: {words.plot_text(label)}<br>"
        f"{times}{words.number(value, digits=3)}, {words.level(request.setting.level)} interval "
        f"{times}{words.number(lower, digits=3)} to {times}{words.number(upper, digits=3)}<br>"
        f"{html_p(row['p_adjusted'])}, {'significant' if significant else 'not significant'}"
    )
    return Estimate(value, lower, upper, significant, hover)


@cached
def effects(request: Request) -> EffectsFigure:
    """The effects on the values of the first method, the largest first."""
    array, measure = request.task_array, request.measure
    terms = [row for row in array_data.effects(request).to_pylist() if row["kind"] == TERM]
    shares = {row["term"]: row["share"] for row in terms}
    rows = []
    for row in sorted(_contrasts(request), key=lambda row: -abs(row["effect"])):
        label, share = _effect_label(array, row), shares.get(row["term"])
        told = "" if share is None else f"{100 * share:.0f} %" if share >= 0.01 else "&lt; 1 %"
        rows.append(EffectRow(label, _effect(label, row, request), told))
    is_log, noun = _is_log(request), words.plot_text(measure.noun)
    what = f"difference of the {words.plot_text(words.unit_words(measure))}"
    what = f"what the {noun} is multiplied with" if is_log else what
    axis = f"← lowers the {noun}    {what}    raises it →"
    if not measure.is_loss:
        axis = words.better_side(what, higher=measure.higher_is_better)
    return EffectsFigure(tuple(rows), looks(request)[request.methods[0]], is_log, axis)


def effect_notes(request: Request) -> list[str]:
    """Say in sentences what the effects lack. Markdown."""
    notes, unknown = [], []
    for row in array_data.effects(request).to_pylist():
        if (row["note"] or "").startswith(NOT_ESTIMABLE):
            unknown += [" × ".join(row["factors"])] if row["kind"] == TERM else []
        elif row["note"]:
            notes.append(f"{words.escape(row['note'][0].upper() + row['note'][1:])}.")
    if unknown:
        listed = words.and_list([words.escape(term) for term in unknown])
        notes.append(f"Too few tasks have results to tell these effects from each other: {listed}.")
    return list(dict.fromkeys(notes))


@cached
def effects_map(request: Request) -> EffectsMap:
    """The effects on the values of the methods with a colour, those that are largest on average first."""
    array = request.task_array
    contrasts = [row for row in _contrasts(request) if row["method"] in request.coloured]
    found: dict[tuple[tuple[str, ...], ...], list[Row]] = {}
    for row in contrasts:
        found.setdefault((tuple(row["factors"]), tuple(row["contrasted"] or ())), []).append(row)
    largest = sorted(found.values(), key=lambda rows: -fmean(abs(row["effect"]) for row in rows))
    labels = [_effect_label(array, rows[0]) for rows in largest]
    cells = [
        EffectCell(number, request.coloured.index(row["method"]), _effect(label, row, request))
        for number, (label, rows) in enumerate(zip(labels, largest, strict=True))
        for row in rows
    ]
    return EffectsMap(tuple(cells), tuple(labels), request.coloured, _is_log(request), request.measure)


@cached
def slopes(request: Request) -> SlopesFigure:
    array, grid = request.task_array, grid_of(request.archive, request.array)
    rows, shown = array_data.slopes(request).to_pylist(), looks(request, every=True)
    found = [(grid.place(row["levels"]), row["method"], _slope(array, row, request)) for row in rows]
    marks = tuple(SlopeMark(panel, method, shown[method], slope) for panel, method, slope in found)
    title, higher = f"change of {value_title(request.measure)}", request.measure.higher_is_better
    what = "change with each doubling of the training cases"
    axis = f"{what}   learns faster →" if higher else f"← learns faster   {what}"
    suffix = " %" if any(row["scale"] == LOG for row in rows) else ""
    return SlopesFigure(marks, grid, request.methods, title, axis=axis, suffix=suffix)


def _slope(array: TaskArray, row: Row, request: Request) -> Estimate:
    """Return a slope; on the logarithmic scale as the change in percent."""
    is_log = row["scale"] == LOG
    found = (row[name] for name in ("slope", "lower", "upper"))
    value, lower, upper = (nan if one is None else 100 * (exp(one) - 1) if is_log else one for one in found)
    suffix = " %" if is_log else ""
    hover = (
        f"<b>{words.plot_text(row['method'])}</b>: {words.number(value, digits=3)}{suffix} a doubling<br>"
        f"{words.level(request.setting.level)} interval {words.number(lower, digits=3)} to "
        f"{words.number(upper, digits=3)}{suffix}, {html_p(row['p_adjusted'])}<br>"
        f"{words.plot_text(member_words(array, row['levels']), longest=160)}"
    )
    return Estimate(value, lower, upper, is_significant(row["p_adjusted"], request.setting.alpha), hover)


@cached
def where(request: Request) -> Where | None:
    """Where does the reference win and lose? None where no task has results of two methods or more."""
    found = array_data.found_of(request, request.compared)
    rows = np.flatnonzero(np.isfinite(found.value).all(axis=1))
    if not len(rows) or len(found.methods) < 2:
        return None
    cells = [found.cells[row] for row in rows]
    tasks = tuple(words.task_path(*map(str, cell.place)) for cell in cells)
    datasets = tuple(str(cell.dataset) for cell in cells)
    higher, units = found.measure.higher_is_better, Units(datasets, datasets)
    table = ScoreTable(tasks, found.methods, found.value[rows], higher, units=units)
    groups = task_groups(request.archive, tasks)
    unit, level = array_data.unit_of(request), request.setting.level
    return where_of(table, groups, request.reference, unit=unit, level=level)


def wins_sentence(request: Request) -> str:
    found = where(request)
    if found is None:
        return "No task has results of all these methods: where it wins cannot be said."
    return where_sentence(found)


@cached
def regrets(request: Request) -> RegretsFigure:
    """How far is the reference of a request ahead of the best other method, or behind it, on every task?"""
    measure, sizes, names = request.measure, sizes_of(request), member_names(request)
    others: dict[tuple[tuple[str, ...], int], list[Row]] = {}
    for row in array_data.differences(request).to_pylist():
        if row["method"] != request.reference:
            others.setdefault((tuple(row["levels"]), row["training_size"]), []).append(row)
    places, cells = list(names), []
    for (levels, size), rows in others.items():
        known = [row for row in rows if row["difference"] is not None]
        best = min(known, key=lambda row: oriented(float(row["difference"]), measure)) if known else rows[0]
        place = places.index(levels), sizes.index(size)
        cells.append(_regret_cell(request, best, place=place))
    return RegretsFigure(tuple(cells), tuple(names.values()), sizes)


def _regret_cell(request: Request, best: Row, *, place: tuple[int, int]) -> RegretCell:
    """Return the cell of a task. best: the best other method less this one, which is turned here."""
    where, task = place_words(request.task_array, best), task_of(best)
    if best["difference"] is None:
        missing = missing_words(best["note"])
        return RegretCell(*place, nan, nan, "", sign="", missing=missing, hover=where, task=task)
    difference, error = -best["difference"], number(best["difference_error"])
    behind = oriented(difference, request.measure)
    side = "less" if difference < 0 else "more"
    side += " than the next best" if behind < 0 else " than the best other"
    size, verdict = words.with_error(abs(behind), error), turned_verdict(best["verdict"])
    said = (
        f"<b>{size}</b> {side}, {words.plot_text(best['method'])}<br>{verdict}, {html_p(best['p_adjusted'])}"
    )
    hover = f"{said}<br>{where}<br>Click to compare"
    sign = verdict_signs(request.measure).get(verdict, "")
    return RegretCell(*place, behind, error, best["method"], sign, None, hover, task)
