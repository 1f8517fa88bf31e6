"""Effects of a task-array's factors on the values of one method and of several; slopes of learning curves."""

from collections.abc import Callable, Mapping, Sequence
from math import exp, floor, log, log10, nan
from statistics import fmean
from typing import Any

import pyarrow as pa

from delvecore.answers.answer import Table, plain_columns, table_of
from delvecore.answers.task_array import ArrayFacts
from delvecore.answers.task_array_sentences import level_words, member_words
from delvecore.measures import Measure
from delvecore.model import TaskArray
from delvecore.plots import rows, theme
from delvecore.plots.figure import Figure
from delvecore.plots.highlighted_method import name_places
from delvecore.plots.task_arrays import panels
from delvecore.plots.task_arrays.panels import DASHED, ENDS, estimate_trace, html_p, known_ends
from delvecore.plots.theme import MethodStyle
from delvecore.render.numbers import percentage, rounded, significant
from delvecore.report import words
from delvecore.stats.arrays.factorial_effects import LEVEL, LINEAR, LOG, TERM, TRAINING_SIZE
from delvecore.stats.choose import is_significant
from delvecore.stats.orientation import oriented
from delvecore.tables import rows_of

RIGHT = 84
CELL_HEIGHT, SLOPE_HEIGHT = 32, 22
HEAD = 34
LABELS, COLUMN = 240, 72
"""Width in pixels of the names of effects, and minimum width of a readable column."""
NOTHING = "No effects can be estimated: too few tasks have results"
FACTORS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100)
MOST_FACTORS, MOST_TICKS = 9, 16
_ESTIMATE = (*ENDS, "significant", "hover")
EFFECT = ("key", "method", "label", "size", "share", *_ESTIMATE)
"""Columns of effects. key: factors and levels; size: on the scale of the analysis."""
SLOPE = ("method", "levels", *_ESTIMATE)


def effects_of(array_table: ArrayFacts) -> Table:
    """Return the effects that have an estimate, in the columns of EFFECT."""
    array, scale = array_table.array, _scale_of(array_table.table)
    shares = {
        (method, term): share
        for kind, method, term, share in rows_of(array_table.table, ("kind", "method", "term", "share"))
        if kind == TERM
    }
    names = ("kind", "method", "term", "factors", "contrasted", "p_adjusted", "effect", "lower", "upper")
    effects = []
    for kind, method, term, factors, contrasted, p, *ends in rows_of(array_table.table, names):
        if kind in (TERM, LINEAR, LEVEL) and ends[0] is not None:
            label = _effect_label(array, kind, factors, contrasted)
            value, lower, upper = (nan if one is None else scale(one) for one in ends)
            significant = is_significant(p, array_table.setting.alpha)
            times = "× " * is_log(array_table.table)
            hover = (
                f"<b>{words.plot_text(method)}</b>: {words.plot_text(label)}<br>"
                f"{times}{words.number(value, digits=3)}, {words.level(array_table.setting.level)} interval "
                f"{times}{words.number(lower, digits=3)} to {times}{words.number(upper, digits=3)}<br>"
                f"{html_p(p)}, {'significant' if significant else 'not significant'}"
            )
            key, share = f"{factors}{contrasted or ()}", shares.get((method, term))
            effects.append((key, method, label, ends[0], share, value, lower, upper, significant, hover))
    return table_of(effects, plain_columns("number", *EFFECT))


def _effect_label(array: TaskArray, kind: str, factors: Sequence[str], ends: Sequence[str]) -> str:
    """`medium noise → high noise`, `64 → 1024 training cases`, `inputs × noise`. Not escaped."""
    if len(factors) > 1:
        return " × ".join(factors)
    if factors[0] == TRAINING_SIZE:
        return f"{' → '.join(ends)} training cases"
    number = [factor.name for factor in array.factors].index(factors[0])
    levels = [level_words(array, number, level) for level in ends]
    return f"{levels[0]}, against the average" if kind == LEVEL else " → ".join(levels)


def _scale_of(table: pa.Table) -> Callable[[float], float]:
    """Return the function from the scale of the analysis to displayed numbers."""
    return exp if is_log(table) else float


def is_log(table: pa.Table) -> bool:
    """Are effects, or slopes, of logarithms, so that they multiply the values?"""
    return bool(table.num_rows) and table["scale"][0].as_py() == LOG


def effects_figure(array_table: ArrayFacts, styles: Mapping[str, MethodStyle]) -> Figure:
    """Effects of the factors of a task-array on one method, the largest on top: a dot with its interval.

    Parameters
    ----------
    array_table : ArrayFacts
        Numbers of the question `effects` of one method. The axis is logarithmic if effects multiply the
        values.
    styles : mapping
        Look of the method.

    Returns
    -------
    Figure
        Dots of significant effects are filled.
    """
    effects = largest_first(effects_of(array_table))
    if not len(effects):
        return theme.empty_figure(NOTHING, height=160)
    look, is_factor, values = styles[effects["method"][0]], is_log(array_table.table), list(effects["value"])
    figure = rows.rows_figure(list(effects["label"]), right=RIGHT, longest=48)
    bar = {"thickness": 2, "width": 5, "color": look.color}
    places = list(range(len(effects)))
    figure.add_trace(estimate_trace(effects, [look] * len(effects), values, places, bar=bar, size=8))
    rows.add_right_texts(figure, list(map(_share, effects["share"])))
    rows.add_vertical_line(figure, 1 if is_factor else 0)
    above: dict[str, Any] = {"yref": "paper", "yanchor": "bottom"}
    theme.add_text(figure, "no effect", 0, 1, **above)
    theme.add_text(figure, "share", 1, 1, xref="paper", xanchor="left", xshift=8, **above)
    figure.update_xaxes(title={"text": _effects_axis(array_table.measure, is_factor)})
    if is_factor:
        ends = [1.0, *known_ends(effects)]
        low, high = min(ends) / 1.08, max(ends) * 1.08
        shown = _factor_ticks(low, high)
        texts = [f"× {significant(tick, 6)}" for tick in shown]
        figure.update_xaxes(type="log", range=[log10(low), log10(high)], tickvals=shown, ticktext=texts)
    return figure


def largest_first(effects: Table) -> Table:
    """Return effects in descending order of size."""
    return effects.take(sorted(range(len(effects)), key=lambda place: -abs(effects["size"][place])))


def _share(share: float | None) -> str:
    return "" if share is None else percentage(share) if share >= 0.01 else "&lt; 1 %"


def _effects_axis(measure: Measure, is_factor: bool) -> str:
    noun = words.plot_text(measure.noun)
    what = f"difference of the {words.plot_text(words.unit_words(measure))}"
    what = f"factor of the {noun}" if is_factor else what
    if measure.is_loss:
        return f"← lowers the {noun}    {what}    raises it →"
    return words.better_side(what, higher=measure.higher_is_better)


def _factor_ticks(low: float, high: float) -> list[float]:
    """Return factors between the ends for a logarithmic axis, including 1, at a minimum distance."""
    least = log10(high / low) / MOST_FACTORS
    shown = [1.0]
    middle = FACTORS.index(1)
    for tick in (*FACTORS[middle + 1 :], *FACTORS[:middle][::-1]):
        if low <= tick <= high and all(abs(log10(tick / other)) >= least for other in shown):
            shown.append(tick)
    return sorted(shown)


def like_effects(array_table: ArrayFacts, styles: Mapping[str, MethodStyle]) -> list[Table]:
    """Return a table for each effect on the methods with a color, the largest mean effect first."""
    effects, groups = effects_of(array_table), dict[str, list[int]]()
    for place, (key, method) in enumerate(effects.select("key", "method").rows):
        if method in styles and not styles[method].is_gray:
            groups.setdefault(key, []).append(place)
    tables = map(effects.take, groups.values())
    return sorted(tables, key=lambda group: -fmean(map(abs, group["size"])))


def effects_map_figure(array_table: ArrayFacts, styles: Mapping[str, MethodStyle]) -> Figure:
    """Effects of the factors of a task-array on several methods: a row per effect and a column per method.

    Parameters
    ----------
    array_table : ArrayFacts
        Numbers of the question `effects`.
    styles : mapping
        Methods with a color are drawn.

    Returns
    -------
    Figure
        Cells are shaded by size, blue for better; significant effects are bold.
    """
    groups = like_effects(array_table, styles)
    if not groups:
        return theme.empty_figure(NOTHING, height=160)
    methods = [name for name, look in styles.items() if not look.is_gray]
    figure, is_factor = (
        theme.new_figure(height=HEAD + CELL_HEIGHT * len(groups) + 8),
        is_log(array_table.table),
    )
    cells: list[tuple[float, int, int, str, str]] = []
    for row, group in enumerate(groups):
        for method, value, is_marked, text in group.select("method", "value", "significant", "hover").rows:
            size = log(value) if is_factor else value
            shown = f"× {rounded(value, 2)}" if is_factor else words.number(value, digits=2)
            shown = f"<b>{shown}</b>" if is_marked and size else shown
            cells.append((size, methods.index(method), row, shown, text))
    sizes, x, y, texts, hover = map(list, zip(*cells, strict=True))
    shades: list[list[float | None]] = [[None] * len(methods) for _ in groups]
    for size, column, row, *_ in cells:
        shades[row][column] = oriented(size, array_table.measure)
    reach = max(map(abs, sizes)) or 1.0
    figure.add_trace(theme.shades(shades, gap=2, least=-reach, zmax=reach))
    small = {"size": 12}
    figure.add_trace(theme.trace("text", x, y, hover=hover, text=texts, textfont=small, showlegend=False))
    names = [words.plot_text(group["label"][0], longest=48) + " " for group in groups]
    theme.name_rows(figure, names, showgrid=False)
    titles = [words.plot_text(name, longest=12) for name in methods]
    theme.needs_width(figure, LABELS + COLUMN * len(methods))
    theme.name_columns(figure, titles, tickfont=small)
    name_places(figure, x=methods)
    figure.update_layout(margin={"t": HEAD, "b": 8}, hovermode="closest", hoverdistance=40)
    return figure


def slopes_of(array_table: ArrayFacts) -> Table:
    """Return the slopes of the question `slopes`, on the logarithmic scale as changes in percent."""
    scale, suffix, slopes = _scale_of(array_table.table), " %" * is_log(array_table.table), []
    for method, levels, p, *ends in rows_of(
        array_table.table, ("method", "levels", "p_adjusted", "slope", "lower", "upper")
    ):
        if ends[0] is None:
            continue
        value, lower, upper = (
            nan if one is None else 100 * (scale(one) - 1) if suffix else one for one in ends
        )
        hover = (
            f"<b>{words.plot_text(method)}</b>: {words.number(value, digits=3)}{suffix} per doubling<br>"
            f"{words.level(array_table.setting.level)} interval {words.number(lower, digits=3)} to "
            f"{words.number(upper, digits=3)}{suffix}, {html_p(p)}<br>"
            f"{words.plot_text(member_words(array_table.array, levels), longest=160)}"
        )
        significant = is_significant(p, array_table.setting.alpha)
        slopes.append((method, tuple(levels), value, lower, upper, significant, hover))
    return table_of(slopes, plain_columns("number", *SLOPE))


def slopes_figure(array_table: ArrayFacts, styles: Mapping[str, MethodStyle]) -> Figure:
    """Slopes of learning curves: a panel for each combination of levels, with a row per method.

    Parameters
    ----------
    array_table : ArrayFacts
        Numbers of the question `slopes`.
    styles : mapping
        Looks of the methods, in their order.

    Returns
    -------
    Figure
        Marks of significant slopes are filled.
    """
    grid, methods, slopes = panels.panel_grid(array_table.array), list(styles), slopes_of(array_table)
    if not len(slopes):
        return theme.empty_figure("There are no slopes: they need results at two sizes or more", height=200)
    suffix, what = " %" * is_log(array_table.table), "change with each doubling of the training cases"
    higher = array_table.measure.higher_is_better
    axis = f"{what}   learns faster →" if higher else f"← learns faster   {what}"
    places = list(map(grid.place, slopes["levels"]))
    height, sides = max(SLOPE_HEIGHT * len(methods), 60), {"left": 116, "right": 16}
    title, empty = f"change of {panels.value_title(array_table.measure)}", grid.without(places)
    figure = panels.panel_figure(grid, row_height=height, title=title, empty=empty, **sides)
    ends = [0.0, *known_ends(slopes)]
    margin = 0.06 * (max(ends) - min(ends) or 1.0)
    low, high = min(ends) - margin, max(ends) + margin
    ticks = _ticks(low, high, max(2, min(4, MOST_TICKS // len(grid.columns))))
    texts = [words.number(tick, digits=3) + (suffix if tick else "") for tick in ticks]
    across = [(tick - low) / (high - low) for tick in ticks]
    panels.label_panels(figure, grid, list(zip(across, texts, strict=True)), axis)
    panels.label_rows(figure, methods, tickfont={"size": 12})
    bar = {"thickness": 1.5, "width": 5, "color": theme.GRAY}
    for row in range(len(grid.rows)):
        axis = panels.axis_of(row)
        for column in range(len(grid.columns)):
            at = panels.panel_left(column) + (0.0 - low) / (high - low)
            line = {"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": f"{axis} domain"}
            figure.add_shape(layer="below", line=DASHED, **line)
        here = [number for number, place in enumerate(places) if place[0] == row]
        part = slopes.take(here)
        x = [
            panels.panel_left(places[number][1]) + (value - low) / (high - low)
            for number, value in zip(here, part["value"], strict=True)
        ]
        y, looks = [methods.index(name) for name in part["method"]], [styles[name] for name in part["method"]]
        trace = estimate_trace(part, looks, x, y, bar=bar, size=7, unit=high - low)
        figure.add_trace(trace | {"yaxis": axis})
    return figure


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers between the ends, including zero, up to a maximum number."""
    for power in range(floor(log10(high - low)) - 1, 9):
        for step in (10.0**power, 2 * 10.0**power, 5 * 10.0**power):
            ticks = [step * n for n in range(int(low / step) - 1, int(high / step) + 2)]
            shown = [tick for tick in ticks if low <= tick <= high]
            if len(shown) <= most:
                return shown
    return [0.0]
