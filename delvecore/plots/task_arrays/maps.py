"""Maps of a task-array: best methods, differences to a reference, where one method is ahead or behind."""

import textwrap
from collections.abc import Sequence
from math import copysign, isnan
from typing import Any

import numpy as np
import pyarrow as pa

from delvecore.answers.task_array_sentences import Row, member_words
from delvecore.measures import Measure
from delvecore.plots import theme
from delvecore.plots.figure import Figure
from delvecore.plots.task_arrays import panels
from delvecore.plots.task_arrays.panels import (
    CLICK,
    DASHED,
    EMPTY,
    HOLES,
    Look,
    Scene,
    against_words,
    as_number,
    html_p,
    missing_words,
    task_of,
)
from delvecore.plots.theme import STAYS, UNSEEN
from delvecore.render.verdicts import NOT_WORSE, WORSE
from delvecore.report import words
from delvecore.stats.orientation import oriented

WINNER_HEIGHT, DIFFERENCE_HEIGHT, REGRET_HEIGHT = 58, 22, 46
WINNER_WIDTH, REGRET_WIDTH = 122, 136
"""Of a row and of a cell of each map, in pixels."""
HEAD, FOOT = 44, 8
FIRST_SIGN, NEXT_SIGN = -0.40, 0.088
"""Where in a cell, one wide, the best method's marker is, and how far apart the others are."""
MOST_SIGNS = 8
UP, MIDDLE, DOWN = 0.25, 0.06, 0.31
"""Where in a cell, one high, its three lines are."""
CELL = 0.46
LEFT, RIGHT = 116, 92
BAR_LENGTH, BAR_GAP, BAR_WIDTH = 180, 14, 12
"""Of the colour bar, in pixels."""
NO_RESULT = "–"
COLOUR_BAR = {"len": BAR_LENGTH, "lenmode": "pixels", "thickness": BAR_WIDTH, "outlinewidth": 0}
COLOUR_BAR |= {"x": 1, "xpad": BAR_GAP, "y": 1, "yanchor": "top", "ypad": 0, "showticklabels": False}
FARTHEST = 95
"""Percentile of the absolute differences that gets the full colour: one extreme must not pale all others."""


def winners_figure(table: pa.Table, scene: Scene) -> Figure:
    """Map of the best methods: a row for each combination of levels, a column for each size of training sets.

    A cell has the marker and the name of the best method, by how much it is before the next, and the markers
    of the methods that are not significantly worse; a hole is dashed, with the reason.

    Parameters
    ----------
    table : pa.Table
        Numbers of the question `winners`.
    scene : Scene
        Looks of all methods.

    Returns
    -------
    Figure
        A click gives the point's customdata: task and best method.
    """
    rows, looks = table.to_pylist(), scene.looks
    if not rows:
        return theme.empty_figure("No tasks to show", height=200)
    figure, places = _map_of_tasks(rows, scene, row_height=WINNER_HEIGHT, cell_width=WINNER_WIDTH)
    spots = list(zip(rows, places, strict=True))
    known = [(row, x, y) for row, (x, y) in spots if row["best"]]
    left, hover = [x + FIRST_SIGN for _, x, _ in known], [_winner_hover(scene, row) for row, _, _ in known]
    data = [[task_of(row), row["best"]] for row, _, _ in known]
    about: dict[str, Any] = {"hover": hover, "customdata": data, "showlegend": False}
    names = [f"  {words.plot_text(row['best'], longest=14)}" for row, _, _ in known]
    signs = _signs([looks[row["best"]] for row, _, _ in known], 10, 13)
    best = theme.trace("markers+text", left, [y - UP for _, _, y in known], text=names, **about, **signs)
    leads = [
        words.with_error(row["lead"], row["lead_error"]) * (row["lead"] is not None) for row, _, _ in known
    ]
    text = {"text": leads, "textposition": "middle right", "textfont": {"size": 11}}
    lead = theme.trace("text", [x - 0.05 for x in left], [y + MIDDLE for _, _, y in known], **about, **text)
    # The markers of the methods that are not significantly worse, and how many more there are.
    others = [
        (k, n) for k, (row, _, _) in enumerate(known) for n in range(len(row["not_worse"][:MOST_SIGNS]))
    ]
    more = [(len(known[k][0]["not_worse"]) - MOST_SIGNS) * (n == MOST_SIGNS - 1) for k, n in others]
    equal = theme.trace(
        "markers+text",
        [left[k] + n * NEXT_SIGN for k, n in others],
        [known[k][2] + DOWN for k, _ in others],
        hover=[hover[k] for k, _ in others],
        customdata=[data[k] for k, _ in others],
        showlegend=False,
        text=[f" +{count}" if count > 0 else "" for count in more],
        **_signs([looks[known[k][0]["not_worse"][n]] for k, n in others], 7, 11),
    )
    holes = [(missing_words(row["note"]), x, y) for row, (x, y) in spots if not row["best"]]
    why, *at = zip(*holes, strict=True) if holes else ((), (), ())
    reasons = theme.trace("text", *map(list, at), text=list(why), textfont={"size": 11}, showlegend=False)
    whole = {"marker": {"symbol": "square", "size": 40, "opacity": 0}, **UNSEEN}
    targets = theme.trace("markers", [x for _, x, _ in known], [y for _, _, y in known], **about, **whole)
    figure.add_traces([best, lead, equal, reasons, targets])
    figure.update_layout(shapes=[_shape(row["best"] and looks[row["best"]], *place) for row, place in spots])
    return figure


def _map_of_tasks(
    rows: Sequence[Row], scene: Scene, *, row_height: int, cell_width: int
) -> tuple[Figure, list[tuple[int, int]]]:
    """Return an empty map with a row for each combination of levels, a column for each size, and where in it
    the rows of a table are."""
    members = list(dict.fromkeys(tuple(row["levels"]) for row in rows))
    sizes = sorted({row["training_size"] for row in rows})
    figure = theme.new_figure(height=HEAD + FOOT + row_height * len(members))
    figure.update_layout(margin={"r": 4, "t": HEAD, "b": FOOT, "pad": 0}, hoverdistance=60)
    title = {"text": "training cases", "font": {"size": 12}, "standoff": 4}
    theme.name_columns(figure, [str(size) for size in sizes], title=title, automargin=False)
    left = panels.label_members(figure, [member_words(scene.array, levels) for levels in members])
    theme.needs_width(figure, left + cell_width * len(sizes))
    theme.clickable(figure)
    return figure, [(sizes.index(row["training_size"]), members.index(tuple(row["levels"]))) for row in rows]


def _winner_hover(scene: Scene, row: Row) -> str:
    best = words.with_error(row["standardized_mean"], row["standardized_error"])
    lines = [scene.place(row), f"<b>{words.plot_text(row['best'])}</b> is best: {best}"]
    for column, title in (("not_worse", NOT_WORSE), ("worse", WORSE)):
        if row[column]:
            tested = zip(row[column], row[f"{column}_p"], strict=True)
            listed = ", ".join(f"{words.plot_text(name)} ({html_p(p)})" for name, p in tested)
            lines.append(f"{title}: {listed}")
    if row["untested"]:
        lines.append(f"not tested: {', '.join(map(words.plot_text, row['untested']))}")
    return "<br>".join(textwrap.fill(line, 90).replace("\n", "<br>") for line in lines) + CLICK


def _shape(best: Look | None, x: int, y: int) -> dict[str, Any]:
    look: dict[str, Any] = {"line": {**DASHED, "width": 1}, "fillcolor": "rgba(0,0,0,0)"}
    if best is not None:
        red, green, blue = (int(best.colour[k : k + 2], 16) for k in (1, 3, 5))
        look = {"line": {"width": 0}, "fillcolor": f"rgba({red},{green},{blue},0.14)"}
    place = {"x0": x - 0.485, "x1": x + 0.485, "y0": y - CELL, "y1": y + CELL}
    return {"type": "rect", **place, "layer": "below", **look}


def _signs(looks: Sequence[Look], size: int, text_size: int) -> dict[str, Any]:
    """Return marks with texts at their right."""
    colours = [look.colour for look in looks]
    marker = {"symbol": [look.symbol for look in looks], "color": colours, "size": size, "opacity": 1}
    return {"marker": marker, "textposition": "middle right", "textfont": {"size": text_size}, **STAYS}


def differences_map_figure(table: pa.Table, scene: Scene) -> Figure:
    """Map of differences to a reference: a panel for each combination of levels, in it a row a method.

    Blue is better than the reference, orange worse. Colours are deeper with the square root of the
    difference, so that small ones show beside large ones. A sign says that it is significant, a dash that
    results are missing.

    Parameters
    ----------
    table : pa.Table
        Numbers of the question `differences`.
    scene : Scene
        Panels, and the methods in their order.

    Returns
    -------
    Figure
        A click gives the point's customdata: task and method.
    """
    every = table.to_pylist()
    cells = [row for row in every if row["note"] not in HOLES and row["method"] != row["reference"]]
    if not cells:
        return theme.empty_figure("Choose a second method to compare with the reference", height=200)
    grid, measure, reference = scene.grid, scene.measure, cells[0]["reference"]
    methods = [name for name in scene.looks if name != reference]
    sizes = sorted({row["training_size"] for row in every})
    known = [row for row in cells if row["difference"] is not None]
    empty = grid.without(grid.place(row["levels"]) for row in known)
    height, title = max(DIFFERENCE_HEIGHT * len(methods), 60), words.plot_text(reference, longest=20)
    title = f"{scene.value_title} less that of {title}"
    figure = panels.panel_figure(grid, row_height=height, title=title, empty=empty, left=LEFT, right=RIGHT)
    reach = _full_colour([row["difference"] for row in known])
    columns = len(grid.columns)
    # The edges of all cells; the gaps between panels are cells, too.
    edges = [
        panels.panel_left(n) + step / len(sizes) for n in range(columns) for step in range(len(sizes) + 1)
    ]
    inner = {size: (number + 0.5) / len(sizes) for number, size in enumerate(sizes)}
    for number in range(len(grid.rows)):
        part = [(row, *grid.place(row["levels"])) for row in cells]
        part = [one for one in part if one[1] == number]
        shades: list[list[float | None]] = [[None] * ((len(sizes) + 1) * columns - 1) for _ in methods]
        for row, _, column in part:
            if row["difference"] is not None:
                across = column * (len(sizes) + 1) + sizes.index(row["training_size"])
                depth = _depth(oriented(float(row["difference"]), measure), reach)
                shades[methods.index(row["method"])][across] = depth
        place: dict[str, Any] = {"x": edges, "y": list(range(len(methods))), "yaxis": panels.axis_of(number)}
        figure.add_trace(theme.shades(shades, gap=1, **place, colorbar=COLOUR_BAR, showscale=number == 0))
        blank = [NO_RESULT * ((panel, column) not in empty) for _, panel, column in part]
        # The marks of significance are also what is clicked: a heatmap's own cells cannot be selected.
        marks = theme.trace(
            "markers+text",
            [panels.panel_left(column) + inner[row["training_size"]] for row, _, column in part],
            [methods.index(row["method"]) for row, _, _ in part],
            hover=[_difference_hover(scene, row) for row, _, _ in part],
            yaxis=panels.axis_of(number),
            text=[
                hole if row["difference"] is None else panels.SIGNS.get(row["verdict"], "")
                for (row, _, _), hole in zip(part, blank, strict=True)
            ],
            textfont={"size": 12},
            customdata=[[task_of(row), row["method"]] for row, _, _ in part],
            marker={"symbol": "square", "size": 18, "opacity": 0},
            **UNSEEN,
        )
        figure.add_trace(marks)
    ticks = [(inner[size], str(size)) for size in panels.size_ticks(sizes, grid)]
    panels.label_panels(figure, grid, ticks, "training cases")
    figure.update_xaxes(range=[-panels.GAP / 8, grid.end + panels.GAP / 8])
    panels.label_rows(figure, methods, tickfont={"size": 12}, showgrid=False)
    _label_colours(figure, reach, measure)
    theme.clickable(figure)
    figure.update_layout(hoverdistance=20)
    return figure


def _difference_hover(scene: Scene, row: Row) -> str:
    where, name = scene.place(row), words.plot_text(row["method"])
    if row["difference"] is None:
        return f"<b>{name}</b><br>{words.plot_text(row['note'] or EMPTY)}<br>{where}"
    lead = f"<b>{name}</b> loses" if scene.measure.is_loss else f"<b>{name}</b>:"
    return f"{lead} {against_words(row)}<br>{row['verdict']}<br>{where}{CLICK}"


def _full_colour(differences: Sequence[float]) -> float:
    """Return the difference, to either side of none, that gets the full colour."""
    return float(np.percentile(np.abs(differences), FARTHEST)) or 1.0 if differences else 1.0


def _depth(difference: float, reach: float) -> float:
    """Return how deep a difference is coloured, from -1 to 1, with its square root."""
    return copysign(min(abs(difference) / reach, 1.0) ** 0.5, difference)


def _label_colours(figure: Figure, reach: float, measure: Measure) -> None:
    """Write beside the colour bar which differences its ends and quarters stand for."""
    fixed: dict[str, Any] = {"xref": "paper", "yref": "paper", "xanchor": "left", "align": "left"}
    fixed["xshift"] = BAR_GAP + BAR_WIDTH + 5
    for place, text in ((1.0, "<br>worse"), (0.5, ""), (0.0, ""), (-0.5, ""), (-1.0, "<br>better")):
        behind = copysign(place * place * reach, place)
        value = words.number(oriented(behind, measure), digits=2) if place else "0"
        anchor = "middle" if abs(place) < 1 else "top" if place > 0 else "bottom"
        shift = BAR_LENGTH * (place - 1) / 2
        theme.add_text(figure, value + text, 1, 1, size=11, yanchor=anchor, yshift=shift, **fixed)


def regrets_figure(table: pa.Table, scene: Scene) -> Figure:
    """Map of one method: how far it is ahead of the best other method, or behind it, on each task.

    It is blue where the method is the best, orange where it is behind, deeper with the square root; a sign
    says that it is significant.

    Parameters
    ----------
    table : pa.Table
        Numbers of the question `regrets`.
    scene : Scene
        Names of the levels.

    Returns
    -------
    Figure
        A click gives the point's customdata: the task.
    """
    rows = table.to_pylist()
    behind = [oriented(as_number(row["difference"]), scene.measure) for row in rows]
    known = [size for size in behind if not isnan(size)]
    if not known:
        return theme.empty_figure("No tasks with results of this method and another", height=200)
    figure, places = _map_of_tasks(rows, scene, row_height=REGRET_HEIGHT, cell_width=REGRET_WIDTH)
    reach, (last, bottom) = _full_colour(known), map(max, zip(*places, strict=True))
    shades: list[list[float | None]] = [[None] * (last + 1) for _ in range(bottom + 1)]
    for size, (x, y) in zip(behind, places, strict=True):
        shades[y][x] = None if isnan(size) else _depth(size, reach)
    # Each cell answers to the mouse as a whole.
    texts = theme.trace(
        "markers+text",
        [x for x, _ in places],
        [y for _, y in places],
        hover=[_regret_hover(scene, *one) for one in zip(rows, behind, strict=True)],
        text=[_regret_text(scene, *one) for one in zip(rows, behind, strict=True)],
        textfont={"size": 11.5},
        customdata=[[task_of(row)] for row in rows],
        marker={"symbol": "square", "size": 40, "opacity": 0},
        showlegend=False,
        **UNSEEN,
    )
    figure.add_traces([theme.shades(shades, gap=3), texts])
    return figure


def _regret_hover(scene: Scene, row: Row, behind: float) -> str:
    if isnan(behind):
        return scene.place(row)
    side = "less" if row["difference"] < 0 else "more"
    side += " than the next best" if behind < 0 else " than the best other"
    size = words.with_error(abs(behind), row["difference_error"])
    lead = f"<b>{size}</b> {side}, {words.plot_text(row['other'])}"
    return f"{lead}<br>{row['verdict']}, {html_p(row['p_adjusted'])}<br>{scene.place(row)}{CLICK}"


def _regret_text(scene: Scene, row: Row, behind: float) -> str:
    """`+ 0.074 ± 0.020` over `before et-1`, `− 0.12 ± 0.02` over `behind gp-1`."""
    if isnan(behind):
        return missing_words(row["note"])
    sign, size = panels.SIGNS.get(row["verdict"], ""), words.with_error(abs(behind), row["difference_error"])
    where = "before" if behind < 0 else "behind" if behind else "as"
    return f"{sign} {size}".lstrip() + f"<br>{where} {words.plot_text(row['other'], longest=12)}"
