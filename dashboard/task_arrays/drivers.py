"""What the figures of effects and slopes of the Task-arrays page draw: one record a figure."""

from math import exp, isnan, nan
from statistics import fmean

from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.choice import Request
from dashboard.task_arrays.tables import grid_of, looks
from delvecore.plots import words
from delvecore.plots.task_arrays.effects import (
    EffectCell,
    EffectRow,
    EffectsFigure,
    EffectsMap,
    SlopeMark,
    SlopesFigure,
)
from delvecore.plots.task_arrays.panels import Estimate
from delvecore.plots.task_arrays.plot_data import html_p, level_words, loss_title, member_words
from delvecore.stats.arrays.effects import LEVEL, LINEAR, LOG, TERM, TRAINING_SIZE
from delvecore.stats.choose import is_significant
from delvecore.task_arrays import TaskArray

__all__ = ["effect_notes", "effects", "effects_map", "effects_words", "map_words"]
__all__ += ["slopes", "slopes_words"]

MOST_TOLD = 5
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
    return array_data.effects(request)["scale"][0].as_py() == LOG


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


@opened.cached
def effects(request: Request) -> EffectsFigure:
    """The effects on the loss of the first method, the largest first."""
    array = array_data.array_of(request.state, request.array)
    terms = [row for row in array_data.effects(request).to_pylist() if row["kind"] == TERM]
    shares = {row["term"]: row["share"] for row in terms}
    rows = []
    for row in sorted(_contrasts(request), key=lambda row: -abs(row["effect"])):
        label, share = _effect_label(array, row), shares.get(row["term"])
        told = "" if share is None else f"{100 * share:.0f} %" if share >= 0.01 else "&lt; 1 %"
        rows.append(EffectRow(label, _effect(label, row, request), told))
    is_log = _is_log(request)
    what = "what the loss is multiplied with" if is_log else "difference of the standardized loss"
    axis = f"← lowers the loss    {what}    raises it →"
    return EffectsFigure(tuple(rows), looks(request)[request.methods[0]], is_log, axis)


def effects_words(request: Request) -> str:
    """Say which effects are largest, for those who do not see them."""
    rows = effects(request).rows[:MOST_TOLD]
    told = [
        f"{row.label} {words.number(row.effect.value, digits=2)}" + ", significant" * row.effect.significant
        for row in rows
    ]
    return f"{'; '.join(told) or 'None can be estimated'}."


def map_words(request: Request) -> str:
    """Say which effects are significant for which methods, for those who do not see the map."""
    drawn, told = effects_map(request), []
    for row, label in enumerate(drawn.labels):
        own = [cell for cell in drawn.cells if cell.row == row and cell.effect.significant]
        if own:
            names = words.and_list([drawn.methods[cell.column] for cell in own])
            told.append(f"{label}: {len(own)} of {len(drawn.methods)}, {names}")
    return f"Significant: {'; '.join(told[:MOST_TOLD]) or 'none'}."


def slopes_words(request: Request) -> str:
    """Say how the slopes lie, for those who do not see them."""
    drawn = slopes(request)
    told = []
    for method in drawn.methods:
        known = [mark.slope for mark in drawn.marks if mark.method == method and not isnan(mark.slope.value)]
        if known:
            ends = [words.number(end(one.value for one in known), digits=2) for end in (min, max)]
            told.append(f"{method} {ends[0]} to {ends[1]}{drawn.suffix} a doubling")
    return f"{'; '.join(told) or 'None known'}."


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


@opened.cached
def effects_map(request: Request) -> EffectsMap:
    """The effects on the losses of the methods with a colour, those that are largest on average first."""
    array = array_data.array_of(request.state, request.array)
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
    return EffectsMap(tuple(cells), tuple(labels), request.coloured, _is_log(request))


@opened.cached
def slopes(request: Request) -> SlopesFigure:
    """The slopes of the methods' learning curves."""
    array, grid = array_data.array_of(request.state, request.array), grid_of(request.state, request.array)
    rows, shown = array_data.slopes(request).to_pylist(), looks(request, every=True)
    found = [(grid.place(row["levels"]), row["method"], _slope(array, row, request)) for row in rows]
    marks = tuple(SlopeMark(panel, method, shown[method], slope) for panel, method, slope in found)
    title = f"change of {loss_title(request.loss, '')}"
    axis = "← learns faster   change with each doubling of the training cases"
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
