"""Effects of a task-array's factors on the values of one method and of several; slopes of learning curves."""

from math import exp, floor, isnan, log, log10, nan
from statistics import fmean
from typing import Any, NamedTuple

import pyarrow as pa

from delvecore.answers.task_array_sentences import Row, level_words, member_words
from delvecore.model import TaskArray
from delvecore.plots import rows, theme
from delvecore.plots.figure import Figure
from delvecore.plots.highlighted_method import name_places
from delvecore.plots.task_arrays import panels
from delvecore.plots.task_arrays.panels import DASHED, Estimate, Scene, estimate_trace, html_p
from delvecore.render.numbers import percentage, rounded, significant
from delvecore.report import words
from delvecore.stats.arrays.factorial_effects import LEVEL, LINEAR, LOG, TERM, TRAINING_SIZE
from delvecore.stats.choose import is_significant
from delvecore.stats.orientation import oriented

RIGHT = 84
CELL_HEIGHT, SLOPE_HEIGHT = 32, 22
HEAD = 34
LABELS, COLUMN = 240, 72
"""Pixels of the effects' names, and of a column that can be read."""
NOTHING = "No effects can be estimated: too few tasks have results"
FACTORS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100)
MOST_FACTORS, MOST_TICKS = 9, 16


class Effect(NamedTuple):
    """An effect on a method. key: factors and levels; label: what changes; size: on the scale of the
    analysis; share: of the variation between tasks, None if not known."""

    key: tuple[tuple[str, ...], ...]
    method: str
    label: str
    size: float
    estimate: Estimate
    share: float | None


def effects_of(table: pa.Table, scene: Scene) -> list[Effect]:
    """Return the effects that have an estimate. table: numbers of the question `effects`."""
    every = table.to_pylist()
    shares = {(row["method"], row["term"]): row["share"] for row in every if row["kind"] == TERM}
    effects = []
    for row in every:
        if row["kind"] in (TERM, LINEAR, LEVEL) and row["effect"] is not None:
            label, share = _effect_label(scene.array, row), shares.get((row["method"], row["term"]))
            key = tuple(row["factors"]), tuple(row["contrasted"] or ())
            effects.append(
                Effect(key, row["method"], label, row["effect"], _effect(label, row, scene), share)
            )
    return effects


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


def _effect(label: str, row: Row, scene: Scene) -> Estimate:
    is_log = row["scale"] == LOG
    ends = (row[name] for name in ("effect", "lower", "upper"))
    value, lower, upper = (nan if one is None else exp(one) if is_log else one for one in ends)
    significant, times = is_significant(row["p_adjusted"], scene.setting.alpha), "× " if is_log else ""
    hover = (
        f"<b>{words.plot_text(row['method'])}</b>: {words.plot_text(label)}<br>"
        f"{times}{words.number(value, digits=3)}, {words.level(scene.setting.level)} interval "
        f"{times}{words.number(lower, digits=3)} to {times}{words.number(upper, digits=3)}<br>"
        f"{html_p(row['p_adjusted'])}, {'significant' if significant else 'not significant'}"
    )
    return Estimate(value, lower, upper, significant, hover)


def is_log(table: pa.Table) -> bool:
    """Are effects, or slopes, of logarithms, so that they multiply the values?"""
    return bool(table.num_rows) and table["scale"][0].as_py() == LOG


def effects_figure(table: pa.Table, scene: Scene) -> Figure:
    """Effects of the factors of a task-array on one method, the largest on top: a dot with its interval.

    Parameters
    ----------
    table : pa.Table
        Numbers of the question `effects` of one method. Factors, which multiply the values, have a
        logarithmic axis.
    scene : Scene
        Look of the method.

    Returns
    -------
    Figure
        Dots are filled where the effect is significant.
    """
    effects = sorted(effects_of(table, scene), key=lambda one: -abs(one.size))
    if not effects:
        return theme.empty_figure(NOTHING, height=160)
    look, is_factor, values = (
        scene.looks[effects[0].method],
        is_log(table),
        [one.estimate.value for one in effects],
    )
    figure = rows.rows_figure([one.label for one in effects], right=RIGHT, longest=48)
    marks = [(one.estimate, look) for one in effects]
    bar = {"thickness": 2, "width": 5, "color": look.colour}
    figure.add_trace(estimate_trace(marks, values, list(range(len(effects))), bar=bar, size=8))
    rows.add_right_texts(figure, [_share(one.share) for one in effects])
    rows.add_vertical_line(figure, 1 if is_factor else 0)
    above: dict[str, Any] = {"yref": "paper", "yanchor": "bottom"}
    theme.add_text(figure, "no effect", 0, 1, **above)
    theme.add_text(figure, "share", 1, 1, xref="paper", xanchor="left", xshift=8, **above)
    figure.update_xaxes(title={"text": _effects_axis(scene, is_factor)})
    if is_factor:
        ends = [1.0, *(end for one in effects for end in one.estimate.known)]
        low, high = min(ends) / 1.08, max(ends) * 1.08
        shown = _factor_ticks(low, high)
        texts = [f"× {significant(tick, 6)}" for tick in shown]
        figure.update_xaxes(type="log", range=[log10(low), log10(high)], tickvals=shown, ticktext=texts)
    return figure


def _share(share: float | None) -> str:
    return "" if share is None else percentage(share) if share >= 0.01 else "&lt; 1 %"


def _effects_axis(scene: Scene, is_factor: bool) -> str:
    measure = scene.measure
    noun = words.plot_text(measure.noun)
    what = f"difference of the {words.plot_text(words.unit_words(measure))}"
    what = f"what the {noun} is multiplied with" if is_factor else what
    if measure.is_loss:
        return f"← lowers the {noun}    {what}    raises it →"
    return words.better_side(what, higher=measure.higher_is_better)


def _factor_ticks(low: float, high: float) -> list[float]:
    """Return factors between the ends for a logarithmic axis, 1 among them, none too near to another."""
    least = log10(high / low) / MOST_FACTORS
    shown = [1.0]
    middle = FACTORS.index(1)
    for tick in (*FACTORS[middle + 1 :], *FACTORS[:middle][::-1]):
        if low <= tick <= high and all(abs(log10(tick / other)) >= least for other in shown):
            shown.append(tick)
    return sorted(shown)


def like_effects(table: pa.Table, scene: Scene) -> list[list[Effect]]:
    """Return the same effects on methods with a color, those that are largest on average first."""
    groups: dict[Any, list[Effect]] = {}
    for one in effects_of(table, scene):
        if one.method in scene.looks and not scene.looks[one.method].is_grey:
            groups.setdefault(one.key, []).append(one)
    return sorted(groups.values(), key=lambda group: -fmean(abs(one.size) for one in group))


def effects_map_figure(table: pa.Table, scene: Scene) -> Figure:
    """Effects of the factors of a task-array on several methods: a row an effect and a column a method.

    Parameters
    ----------
    table : pa.Table
        Numbers of the question `effects`.
    scene : Scene
        Methods with a color are drawn.

    Returns
    -------
    Figure
        Cells are shaded by size, blue for better, bold where significant.
    """
    groups = like_effects(table, scene)
    if not groups:
        return theme.empty_figure(NOTHING, height=160)
    methods = [name for name, look in scene.looks.items() if not look.is_grey]
    figure, is_factor = theme.new_figure(height=HEAD + CELL_HEIGHT * len(groups) + 8), is_log(table)
    cells = [(row, methods.index(one.method), one) for row, group in enumerate(groups) for one in group]
    sizes = [log(one.estimate.value) if is_factor else one.estimate.value for _, _, one in cells]
    shades: list[list[float | None]] = [[None] * len(methods) for _ in groups]
    for (row, column, _), size in zip(cells, sizes, strict=True):
        shades[row][column] = oriented(size, scene.measure)
    reach = max(map(abs, sizes)) or 1.0
    figure.add_trace(theme.shades(shades, gap=2, least=-reach, zmax=reach))
    texts = [_text(one.estimate, size, is_factor) for (_, _, one), size in zip(cells, sizes, strict=True)]
    x, y = [column for _, column, _ in cells], [row for row, _, _ in cells]
    small, hover = {"size": 12}, [one.estimate.hover for _, _, one in cells]
    figure.add_trace(theme.trace("text", x, y, hover=hover, text=texts, textfont=small, showlegend=False))
    names = [words.plot_text(group[0].label, longest=48) + " " for group in groups]
    theme.name_rows(figure, names, showgrid=False)
    titles = [words.plot_text(name, longest=12) for name in methods]
    theme.needs_width(figure, LABELS + COLUMN * len(methods))
    theme.name_columns(figure, titles, tickfont=small)
    name_places(figure, x=methods)
    figure.update_layout(margin={"t": HEAD, "b": 8}, hovermode="closest", hoverdistance=40)
    return figure


def _text(effect: Estimate, size: float, is_factor: bool) -> str:
    shown = f"× {rounded(effect.value, 2)}" if is_factor else words.number(effect.value, digits=2)
    return f"<b>{shown}</b>" if effect.significant and size else shown


def slope_of(row: Row, scene: Scene) -> Estimate:
    """Return a slope of the question `slopes`; on the logarithmic scale as the change in percent."""
    is_log = row["scale"] == LOG
    ends = (row[name] for name in ("slope", "lower", "upper"))
    value, lower, upper = (nan if one is None else 100 * (exp(one) - 1) if is_log else one for one in ends)
    suffix = " %" if is_log else ""
    hover = (
        f"<b>{words.plot_text(row['method'])}</b>: {words.number(value, digits=3)}{suffix} a doubling<br>"
        f"{words.level(scene.setting.level)} interval {words.number(lower, digits=3)} to "
        f"{words.number(upper, digits=3)}{suffix}, {html_p(row['p_adjusted'])}<br>"
        f"{words.plot_text(member_words(scene.array, row['levels']), longest=160)}"
    )
    return Estimate(value, lower, upper, is_significant(row["p_adjusted"], scene.setting.alpha), hover)


def slopes_figure(table: pa.Table, scene: Scene) -> Figure:
    """Slopes of learning curves: a panel for each combination of levels, in it a row a method.

    Parameters
    ----------
    table : pa.Table
        Numbers of the question `slopes`.
    scene : Scene
        Panels, and the methods in their order.

    Returns
    -------
    Figure
        Marks are filled where the slope is significant.
    """
    grid, methods = scene.grid, list(scene.looks)
    marks = [(row["method"], *grid.place(row["levels"]), slope_of(row, scene)) for row in table.to_pylist()]
    marks = [mark for mark in marks if not isnan(mark[3].value)]
    if not marks:
        return theme.empty_figure("There are no slopes: they need results at two sizes or more", height=200)
    suffix, what = " %" * is_log(table), "change with each doubling of the training cases"
    axis = f"{what}   learns faster →" if scene.measure.higher_is_better else f"← learns faster   {what}"
    empty = grid.without((row, column) for _, row, column, _ in marks)
    height, sides = max(SLOPE_HEIGHT * len(methods), 60), {"left": 116, "right": 16}
    title = f"change of {scene.value_title}"
    figure = panels.panel_figure(grid, row_height=height, title=title, empty=empty, **sides)
    ends = [0.0, *(number for mark in marks for number in mark[3].known)]
    margin = 0.06 * (max(ends) - min(ends) or 1.0)
    low, high = min(ends) - margin, max(ends) + margin
    ticks = _ticks(low, high, max(2, min(4, MOST_TICKS // len(grid.columns))))
    texts = [words.number(tick, digits=3) + (suffix if tick else "") for tick in ticks]
    places = [(tick - low) / (high - low) for tick in ticks]
    panels.label_panels(figure, grid, list(zip(places, texts, strict=True)), axis)
    panels.label_rows(figure, methods, tickfont={"size": 12})
    bar = {"thickness": 1.5, "width": 5, "color": theme.GREY}
    for row in range(len(grid.rows)):
        axis = panels.axis_of(row)
        for column in range(len(grid.columns)):
            at = panels.panel_left(column) + (0.0 - low) / (high - low)
            line = {"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": f"{axis} domain"}
            figure.add_shape(layer="below", line=DASHED, **line)
        part = [mark for mark in marks if mark[1] == row]
        across = [(slope.value - low) / (high - low) for *_, slope in part]
        x = [panels.panel_left(mark[2]) + place for mark, place in zip(part, across, strict=True)]
        y = [methods.index(mark[0]) for mark in part]
        shown = [(slope, scene.looks[method]) for method, _, _, slope in part]
        trace = estimate_trace(shown, x, y, bar=bar, size=7, unit=high - low)
        figure.add_trace(trace | {"yaxis": axis})
    return figure


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers between the ends, zero among them, at most so many."""
    for power in range(floor(log10(high - low)) - 1, 9):
        for step in (10.0**power, 2 * 10.0**power, 5 * 10.0**power):
            ticks = [step * n for n in range(int(low / step) - 1, int(high / step) + 2)]
            shown = [tick for tick in ticks if low <= tick <= high]
            if len(shown) <= most:
                return shown
    return [0.0]
