"""Maps of a task-array: best methods, differences from a reference, and leads of one method."""

import textwrap
from collections.abc import Mapping, Sequence
from itertools import starmap
from math import copysign, isnan
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.answers.task_array import ArrayFacts
from delvecore.answers.task_array_sentences import member_words
from delvecore.measures import Measure
from delvecore.model import TaskArray
from delvecore.plots import theme
from delvecore.plots.figure import Figure
from delvecore.plots.task_arrays import panels
from delvecore.plots.task_arrays.panels import (
    CLICK,
    DASHED,
    EMPTY,
    HOLES,
    against_words,
    as_number,
    html_p,
    missing_words,
    task_of,
)
from delvecore.plots.theme import STAYS, UNSEEN, MethodStyle
from delvecore.render.verdicts import NOT_WORSE, WORSE
from delvecore.report import words
from delvecore.stats.orientation import oriented
from delvecore.tables import rows_of, values_in, values_of

WINNER_HEIGHT, DIFFERENCE_HEIGHT, REGRET_HEIGHT = 58, 22, 46
WINNER_WIDTH, REGRET_WIDTH = 122, 136
"""Height of a row and width of a cell of each map, in pixels."""
HEAD, FOOT = 44, 8
FIRST_SIGN, NEXT_SIGN = -0.40, 0.088
"""Position of the best method's marker in a cell of width 1, and distance of the others."""
MOST_SIGNS = 8
UP, MIDDLE, DOWN = 0.25, 0.06, 0.31
"""Positions of the three lines in a cell of height 1."""
CELL = 0.46
LEFT, RIGHT = 116, 92
BAR_LENGTH, BAR_GAP, BAR_WIDTH = 180, 14, 12
"""Length, gap and width of the color bar in pixels."""
NO_RESULT = "–"
COLOR_BAR = {"len": BAR_LENGTH, "lenmode": "pixels", "thickness": BAR_WIDTH, "outlinewidth": 0}
COLOR_BAR |= {"x": 1, "xpad": BAR_GAP, "y": 1, "yanchor": "top", "ypad": 0, "showticklabels": False}
FARTHEST = 95
"""Percentile of the absolute differences with the full color. A single extreme would make all others pale."""


def winners_figure(array_table: ArrayFacts, styles: Mapping[str, MethodStyle]) -> Figure:
    """Map of the best methods: a row for each combination of levels, a column for each size of training sets.

    A cell has the marker and the name of the best method, its lead over the next one, and the markers of the
    methods that are not significantly worse. A hole is dashed, with the reason.

    Parameters
    ----------
    array_table : ArrayFacts
        Numbers of the question `winners`.
    styles : mapping
        Looks of all methods.

    Returns
    -------
    Figure
        A click gives the point's customdata: task and best method.
    """
    table = array_table.table
    if not table.num_rows:
        return theme.empty_figure("No tasks to show", height=200)
    figure, places = _map_of_tasks(array_table, row_height=WINNER_HEIGHT, cell_width=WINNER_WIDTH)
    winners, notes = values_of(table, "best"), values_of(table, "note")
    spots = [place for place, best in zip(places, winners, strict=True) if best]
    known = table.filter(pc.is_valid(table["best"]))
    best_ones, equals = values_of(known, "best"), values_of(known, "not_worse")
    left, hover = [x + FIRST_SIGN for x, _ in spots], _winner_hovers(array_table.array, known)
    tasks = starmap(task_of, rows_of(known, ("dataset", "prototask", "task")))
    data = list(map(list, zip(tasks, best_ones, strict=True)))
    about: dict[str, Any] = {"hover": hover, "customdata": data, "showlegend": False}
    names = [f"  {words.plot_text(name, longest=14)}" for name in best_ones]
    signs = _signs([styles[name] for name in best_ones], 10, 13)
    best = theme.trace("markers+text", left, [y - UP for _, y in spots], text=names, **about, **signs)
    leads = [
        "" if lead is None else words.with_error(lead, error)
        for lead, error in rows_of(known, ("lead", "lead_error"))
    ]
    text = {"text": leads, "textposition": "middle right", "textfont": {"size": 11}}
    lead = theme.trace("text", [x - 0.05 for x in left], [y + MIDDLE for _, y in spots], **about, **text)
    # Markers of the methods that are not significantly worse, and the number of others.
    others = [(k, n) for k, equal in enumerate(equals) for n in range(len(equal[:MOST_SIGNS]))]
    more = [(len(equals[k]) - MOST_SIGNS) * (n == MOST_SIGNS - 1) for k, n in others]
    equal = theme.trace(
        "markers+text",
        [left[k] + n * NEXT_SIGN for k, n in others],
        [spots[k][1] + DOWN for k, _ in others],
        hover=[hover[k] for k, _ in others],
        customdata=[data[k] for k, _ in others],
        showlegend=False,
        text=[f" +{count}" if count > 0 else "" for count in more],
        **_signs([styles[equals[k][n]] for k, n in others], 7, 11),
    )
    cells = list(zip(winners, notes, places, strict=True))
    holes = [(missing_words(note), x, y) for name, note, (x, y) in cells if not name]
    why, *at = zip(*holes, strict=True) if holes else ((), (), ())
    reasons = theme.trace("text", *map(list, at), text=list(why), textfont={"size": 11}, showlegend=False)
    whole = {"marker": {"symbol": "square", "size": 40, "opacity": 0}, **UNSEEN}
    targets = theme.trace("markers", [x for x, _ in spots], [y for _, y in spots], **about, **whole)
    figure.add_traces([best, lead, equal, reasons, targets])
    figure.update_layout(shapes=[_shape(name and styles[name], *place) for name, _, place in cells])
    return figure


def _map_of_tasks(
    array_table: ArrayFacts, *, row_height: int, cell_width: int
) -> tuple[Figure, list[tuple[int, int]]]:
    """Return an empty map, with combinations of levels by sizes, and the cell of each row of the table."""
    cells = [
        (tuple(levels), size) for levels, size in rows_of(array_table.table, ("levels", "training_size"))
    ]
    members, sizes = list(dict.fromkeys(levels for levels, _ in cells)), sorted({size for _, size in cells})
    figure = theme.new_figure(height=HEAD + FOOT + row_height * len(members))
    figure.update_layout(margin={"r": 4, "t": HEAD, "b": FOOT, "pad": 0}, hoverdistance=60)
    title = {"text": "training cases", "font": {"size": 12}, "standoff": 4}
    theme.name_columns(figure, [str(size) for size in sizes], title=title, automargin=False)
    left = panels.label_members(figure, [member_words(array_table.array, levels) for levels in members])
    theme.needs_width(figure, left + cell_width * len(sizes))
    theme.clickable(figure)
    return figure, [(sizes.index(size), members.index(levels)) for levels, size in cells]


def _winner_hovers(array: TaskArray, known: pa.Table) -> list[str]:
    names = ("levels", "training_size", "best", "standardized_mean", "standardized_error", "untested")
    hovers = []
    for levels, size, best, mean, error, untested, *tested in rows_of(
        known, (*names, "not_worse", "not_worse_p", "worse", "worse_p")
    ):
        shown = words.with_error(mean, error)
        lines = [panels.place_words(array, levels, size), f"<b>{words.plot_text(best)}</b> is best: {shown}"]
        for title, methods, p in ((NOT_WORSE, *tested[:2]), (WORSE, *tested[2:])):
            if methods:
                each = zip(methods, p, strict=True)
                listed = ", ".join(f"{words.plot_text(name)} ({html_p(one)})" for name, one in each)
                lines.append(f"{title}: {listed}")
        if untested:
            lines.append(f"not tested: {', '.join(map(words.plot_text, untested))}")
        hovers.append("<br>".join(textwrap.fill(line, 90).replace("\n", "<br>") for line in lines) + CLICK)
    return hovers


def _shape(best: MethodStyle | None, x: int, y: int) -> dict[str, Any]:
    look: dict[str, Any] = {"line": {**DASHED, "width": 1}, "fillcolor": "rgba(0,0,0,0)"}
    if best is not None:
        red, green, blue = (int(best.color[k : k + 2], 16) for k in (1, 3, 5))
        look = {"line": {"width": 0}, "fillcolor": f"rgba({red},{green},{blue},0.14)"}
    place = {"x0": x - 0.485, "x1": x + 0.485, "y0": y - CELL, "y1": y + CELL}
    return {"type": "rect", **place, "layer": "below", **look}


def _signs(looks: Sequence[MethodStyle], size: int, text_size: int) -> dict[str, Any]:
    """Return the look of marks with texts on their right."""
    colors = [look.color for look in looks]
    marker = {"symbol": [look.symbol for look in looks], "color": colors, "size": size, "opacity": 1}
    return {"marker": marker, "textposition": "middle right", "textfont": {"size": text_size}, **STAYS}


def differences_map_figure(array_table: ArrayFacts, styles: Mapping[str, MethodStyle]) -> Figure:
    """Map of differences from a reference: a panel for each combination of levels, with a row per method.

    Blue is better than the reference, orange worse. The depth of color is proportional to the square root of
    the difference, so that small ones are visible next to large ones. A sign marks a significant difference,
    a dash missing results.

    Parameters
    ----------
    array_table : ArrayFacts
        Numbers of the question `differences`.
    styles : mapping
        Looks of the methods, in their order.

    Returns
    -------
    Figure
        A click gives the point's customdata: task and method.
    """
    table, measure = array_table.table, array_table.measure
    names = ("method", "reference", "note")
    kept = [note not in HOLES and method != other for method, other, note in rows_of(table, names)]
    cells = table.filter(pa.array(kept, pa.bool_()))
    if not cells.num_rows:
        return theme.empty_figure("Choose a second method to compare with the reference", height=200)
    grid, reference = panels.panel_grid(array_table.array), cells["reference"][0].as_py()
    methods = [name for name in styles if name != reference]
    sizes = sorted(values_in(table, "training_size"))
    places, numbers = list(map(grid.place, values_of(cells, "levels"))), values_of(cells, "difference")
    known = [number for number in numbers if number is not None]
    empty = grid.without(at for at, one in zip(places, numbers, strict=True) if one is not None)
    height, title = max(DIFFERENCE_HEIGHT * len(methods), 60), words.plot_text(reference, longest=20)
    title = f"{panels.value_title(measure)} minus that of {title}"
    figure = panels.panel_figure(grid, row_height=height, title=title, empty=empty, left=LEFT, right=RIGHT)
    reach = _full_color(known)
    columns = len(grid.columns)
    # The edges of all cells; the gaps between panels are also cells.
    edges = [
        panels.panel_left(n) + step / len(sizes) for n in range(columns) for step in range(len(sizes) + 1)
    ]
    inner = {size: (number + 0.5) / len(sizes) for number, size in enumerate(sizes)}
    for row in range(len(grid.rows)):
        here = [number for number, at in enumerate(places) if at[0] == row]
        part, across = cells.take(pa.array(here, pa.int64())), [places[number][1] for number in here]
        shades: list[list[float | None]] = [[None] * ((len(sizes) + 1) * columns - 1) for _ in methods]
        texts, x, y = [], [], []
        rows = rows_of(part, ("method", "training_size", "difference", "verdict"))
        for column, (method, size, difference, verdict) in zip(across, rows, strict=True):
            x.append(panels.panel_left(column) + inner[size])
            y.append(methods.index(method))
            if difference is None:
                texts.append(NO_RESULT * ((row, column) not in empty))
            else:
                texts.append(panels.SIGNS.get(verdict, ""))
                depth = _depth(oriented(float(difference), measure), reach)
                shades[y[-1]][column * (len(sizes) + 1) + sizes.index(size)] = depth
        axes: dict[str, Any] = {"x": edges, "y": list(range(len(methods))), "yaxis": panels.axis_of(row)}
        figure.add_trace(theme.shades(shades, gap=1, **axes, colorbar=COLOR_BAR, showscale=row == 0))
        tasks = starmap(task_of, rows_of(part, ("dataset", "prototask", "task")))
        # The marks of significance also receive clicks: a heatmap's own cells cannot be selected.
        marks = theme.trace(
            "markers+text",
            x,
            y,
            hover=_difference_hovers(array_table, part),
            yaxis=panels.axis_of(row),
            text=texts,
            textfont={"size": 12},
            customdata=list(map(list, zip(tasks, values_of(part, "method"), strict=True))),
            marker={"symbol": "square", "size": 18, "opacity": 0},
            **UNSEEN,
        )
        figure.add_trace(marks)
    ticks = [(inner[size], str(size)) for size in panels.size_ticks(sizes, grid)]
    panels.label_panels(figure, grid, ticks, "training cases")
    figure.update_xaxes(range=[-panels.GAP / 8, grid.end + panels.GAP / 8])
    panels.label_rows(figure, methods, tickfont={"size": 12}, showgrid=False)
    _label_colors(figure, reach, measure)
    theme.clickable(figure)
    figure.update_layout(hoverdistance=20)
    return figure


def _difference_hovers(array_table: ArrayFacts, cells: pa.Table) -> list[str]:
    names = ("levels", "training_size", "method", "reference", "difference", "difference_error", "p_adjusted")
    hovers = []
    rows = rows_of(cells, (*names, "verdict", "note"))
    for levels, size, method, reference, difference, error, p, verdict, note in rows:
        where, name = panels.place_words(array_table.array, levels, size), words.plot_text(method)
        if difference is None:
            hovers.append(f"<b>{name}</b><br>{words.plot_text(note or EMPTY)}<br>{where}")
            continue
        lead = f"<b>{name}</b> loses" if array_table.measure.is_loss else f"<b>{name}</b>:"
        hovers.append(
            f"{lead} {against_words(difference, error, p, reference)}<br>{verdict}<br>{where}{CLICK}"
        )
    return hovers


def _full_color(differences: Sequence[float]) -> float:
    """Return the absolute difference that has the full color."""
    return float(np.percentile(np.abs(differences), FARTHEST)) or 1.0 if differences else 1.0


def _depth(difference: float, reach: float) -> float:
    """Return the depth of color of a difference, from -1 to 1, by its square root."""
    return copysign(min(abs(difference) / reach, 1.0) ** 0.5, difference)


def _label_colors(figure: Figure, reach: float, measure: Measure) -> None:
    """Label the ends and quarters of the color bar with their differences."""
    fixed: dict[str, Any] = {"xref": "paper", "yref": "paper", "xanchor": "left", "align": "left"}
    fixed["xshift"] = BAR_GAP + BAR_WIDTH + 5
    for place, text in ((1.0, "<br>worse"), (0.5, ""), (0.0, ""), (-0.5, ""), (-1.0, "<br>better")):
        behind = copysign(place * place * reach, place)
        value = words.number(oriented(behind, measure), digits=2) if place else "0"
        anchor = "middle" if abs(place) < 1 else "top" if place > 0 else "bottom"
        shift = BAR_LENGTH * (place - 1) / 2
        theme.add_text(figure, value + text, 1, 1, size=11, yanchor=anchor, yshift=shift, **fixed)


def regrets_figure(array_table: ArrayFacts, _styles: Mapping[str, MethodStyle]) -> Figure:
    """Map of one method: its lead over the best other method, or its deficit, on each task.

    A cell is blue if the method is the best, and orange if it is behind. The depth of color follows the
    square root of the difference; a sign marks a significant one.

    Parameters
    ----------
    array_table : ArrayFacts
        Numbers of the question `regrets`.

    Returns
    -------
    Figure
        A click gives the point's customdata: the task.
    """
    behind = [
        oriented(as_number(one), array_table.measure) for one in values_of(array_table.table, "difference")
    ]
    known = [size for size in behind if not isnan(size)]
    if not known:
        return theme.empty_figure("No tasks with results of this method and another", height=200)
    figure, places = _map_of_tasks(array_table, row_height=REGRET_HEIGHT, cell_width=REGRET_WIDTH)
    reach, (last, bottom) = _full_color(known), map(max, zip(*places, strict=True))
    shades: list[list[float | None]] = [[None] * (last + 1) for _ in range(bottom + 1)]
    for size, (x, y) in zip(behind, places, strict=True):
        shades[y][x] = None if isnan(size) else _depth(size, reach)
    hovers, shown = _regret_texts(array_table, behind)
    # The whole cell has a hover text.
    texts = theme.trace(
        "markers+text",
        [x for x, _ in places],
        [y for _, y in places],
        hover=hovers,
        text=shown,
        textfont={"size": 11.5},
        customdata=[[task_of(*one)] for one in rows_of(array_table.table, ("dataset", "prototask", "task"))],
        marker={"symbol": "square", "size": 40, "opacity": 0},
        showlegend=False,
        **UNSEEN,
    )
    figure.add_traces([theme.shades(shades, gap=3), texts])
    return figure


def _regret_texts(array_table: ArrayFacts, behind: Sequence[float]) -> tuple[list[str], list[str]]:
    """Return hover texts, and the texts of cells: `+ 0.074 ± 0.020` over `before et-1`."""
    names = ("levels", "training_size", "other", "difference", "difference_error", "p_adjusted", "verdict")
    hovers, texts = [], []
    rows = zip(behind, rows_of(array_table.table, (*names, "note")), strict=True)
    for far, (levels, size, other, difference, error, p, verdict, note) in rows:
        place = panels.place_words(array_table.array, levels, size)
        if isnan(far):
            hovers.append(place)
            texts.append(missing_words(note))
            continue
        number, name = words.with_error(abs(far), error), words.plot_text(other)
        side = "less" if difference < 0 else "more"
        side += " than the next best" if far < 0 else " than the best other"
        hovers.append(f"<b>{number}</b> {side}, {name}<br>{verdict}, {html_p(p)}<br>{place}{CLICK}")
        where = "before" if far < 0 else "behind" if far else "as"
        text = f"{panels.SIGNS.get(verdict, '')} {number}".lstrip()
        texts.append(f"{text}<br>{where} {words.plot_text(other, longest=12)}")
    return hovers, texts
