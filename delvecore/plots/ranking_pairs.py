"""Figures of pairs of methods over tasks: a matrix of all pairs, two methods on all tasks, Bayesian tests."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from delvecore.answers.answer import FigureData, Table
from delvecore.answers.ranking_figures import drawn_rows
from delvecore.plots import rows as row_layout
from delvecore.plots import theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.highlighted_method import name_places
from delvecore.plots.rows import SIGNS
from delvecore.plots.theme import shortened, text_width
from delvecore.render.numbers import p_words, probability_text
from delvecore.report import words

MOST_IN_WORDS = 20
"""Maximum number of methods with numbers in each cell; larger matrices show them on hover.

A matrix that is too wide for a page scrolls sideways.
"""
MOST_SIGNS = 24
"""Maximum number of methods with a sign for each verdict; larger matrices mark only verdicts against the
order.
"""
CELL_HEIGHT, SMALL_CELL = 42, 17
CELL_WIDTHS = (68, 9)
"""Minimum width in pixels of a column with numbers, and of one without."""
HEAD = 40
ROOM, LABEL = 940, 150
"""Pixels of a page of usual width, and minimum pixels of a row's name, which may use the rest of a page."""
HOVER = (
    "%{y} minus %{x}: mean %{customdata[0]:+.3~g}, median %{customdata[1]:+.3~g}<br>"
    "better on %{customdata[2]:.0f}, equal on %{customdata[3]:.0f}, worse on %{customdata[4]:.0f}<br>"
    "%{text}<extra></extra>"
)
NUMBERS = ("difference", "median", "wins", "ties", "losses")
Styles = Mapping[str, theme.MethodStyle]


def rank_pairs_figure(table: Table, drawn: FigureData, _styles: Styles) -> Figure:
    """Matrix of all pairs over tasks: differences above the diagonal, wins below, shaded by their size.

    Parameters
    ----------
    table : Table
        Row, column, differences, wins, p and verdict of each pair, in the order of mean ranks.

    Returns
    -------
    Figure
        A row and a column per method; a sign where the row is significantly better or worse.

    Examples
    --------
    >>> from delvecore.answers.answer import table_of
    >>> keys = ("row", "column", *NUMBERS, "p", "p_adjusted", "verdict")
    >>> rows = [("a", "b", -0.5, 0.0, 3, 0, 1, 0.5, 0.5, "better")]
    >>> table = table_of(rows, [(key, key, "number") for key in keys])
    >>> rank_pairs_figure(table, FigureData("pairs"), {}).data[1]["text"]
    ['<b>+</b> −0.50<br>p = 0.50', '1/0/3']
    """
    methods = tuple(dict.fromkeys((*table["row"], *table["column"])))
    if (count := len(methods)) < 2:
        return theme.empty_figure("Two methods are needed for a pair", height=160)
    in_words = count <= MOST_IN_WORDS
    figure = theme.new_figure(height=HEAD + (CELL_HEIGHT if in_words else SMALL_CELL) * count + 8)
    rows, columns = np.triu_indices(count, 1)
    gap = 3 if in_words else 1
    numbers = _numbers(table, rows, columns, count)
    hover: Trace = {"customdata": numbers, "hovertemplate": HOVER, "hoverongaps": False, "hoverinfo": None}
    p_texts = np.full((count, count), "", object)
    p_texts[rows, columns] = p_texts[columns, rows] = [
        words.plot_text(f"{p_words(p)}; adjusted {p_words(adjusted)}")
        for p, adjusted in table.select("p", "p_adjusted").rows
    ]
    hover["text"] = p_texts.tolist()
    figure.add_trace(theme.shades(_sizes(table, drawn.higher_is_better, rows, columns), gap=gap, **hover))
    verdicts = list(table["verdict"])
    if in_words:
        shown = ("difference", "p_adjusted", "verdict")
        above, size = [_text(cell) for cell in table.select(*shown).rows], 11.5
        below = ["/".join(map(str, cell)) for cell in table.select("losses", "ties", "wins").rows]
    else:
        # A sign in shaded cells, so that better and worse differ in more than color.
        signs = ("worse", "better") if count <= MOST_SIGNS else ("worse",)
        above, size = [SIGNS[one] if one in signs else "" for one in verdicts], 9
        below = [""] * len(verdicts)
    cells = zip(
        [*columns.tolist(), *rows.tolist()], [*rows.tolist(), *columns.tolist()], above + below, strict=True
    )
    written = [cell for cell in cells if cell[2]]
    x, y, texts = map(list, zip(*written, strict=True)) if written else ([], [], [])
    figure.add_trace(theme.trace("text", x, y, text=texts, textfont={"size": size}))
    left, cell = _name_rows(figure, methods, in_words)
    margin = {"l": left, "r": 8, "t": HEAD - 8, "b": 8}
    figure.update_layout(margin=margin, hovermode="closest", showlegend=False)
    theme.needs_width(figure, left + cell * count)
    return figure


def _sizes(table: Table, is_higher: bool, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return shades from -1 (the row is better) to 1: of differences above the diagonal, of wins below it."""
    sizes = np.full((1 + int(columns.max()),) * 2, np.nan)
    differences = np.asarray(table["difference"], float) * (-1 if is_higher else 1)
    sizes[rows, columns] = differences / (np.nanmax(np.abs(differences), initial=0.0) or 1.0)
    wins, ties, losses = (np.asarray(table[key], float) for key in ("wins", "ties", "losses"))
    sizes[columns, rows] = (wins - losses) / np.maximum(wins + ties + losses, 1.0)
    return sizes


def _numbers(table: Table, rows: np.ndarray, columns: np.ndarray, count: int) -> np.ndarray:
    """Return the numbers in the hover text of each cell. They compare the row with the column."""
    numbers = np.zeros((count, count, len(NUMBERS)), np.float32)
    values = np.nan_to_num(_rounded(np.stack([np.asarray(table[name], float) for name in NUMBERS], axis=1)))
    numbers[rows, columns] = values
    values = values[:, [0, 1, 4, 3, 2]]
    values[:, :2] *= -1
    numbers[columns, rows] = values
    return numbers


def _name_rows(figure: Figure, methods: tuple[str, ...], in_words: bool) -> tuple[float, float]:
    """Write the names of columns and rows; return the pixels that the rows' names and a column need."""
    count, size = len(methods), 12 if in_words else 11
    cell: float = CELL_WIDTHS[not in_words]
    names = [words.plot_text(shortened(name, size, max(LABEL, ROOM - cell * count))) for name in methods]
    # Names do not fit above narrow columns; numbers of the rows replace them.
    labels = [f"{name}  " if in_words else f"{place} {name}  " for place, name in enumerate(names, 1)]
    left = 12 + max(text_width(label, size * theme.BOLD) for label in labels)
    heads = [str(place) if place == 1 or place % 5 == 0 else "" for place in range(1, count + 1)]
    if in_words:
        widest = 4 + max(text_width(name, size * theme.BOLD) for name in methods)
        cell = max(cell, min(widest, (ROOM - left) / count))
        heads = [words.plot_text(shortened(name, size, cell - 4)) for name in methods]
    ends: dict[str, Any] = {"showgrid": False, "tickfont": {"size": size}, "automargin": False}
    places, ends["range"] = list(range(count)), [-0.5, count - 0.5]
    figure.update_xaxes(side="top", tickvals=places, ticktext=heads, **ends)
    figure.update_yaxes(tickvals=places, ticktext=labels, **ends | {"range": ends["range"][::-1]})
    name_places(figure, x=methods, y=methods)
    return left, cell


def _rounded(values: np.ndarray) -> np.ndarray:
    """Return values with four significant digits, which suffice for hover texts."""
    with np.errstate(divide="ignore"):
        exponent = np.floor(np.log10(np.abs(values)))
    scale = 10.0 ** (3 - np.where(np.isfinite(exponent), np.maximum(exponent, -280), 0))
    return np.rint(values * scale) / scale


def _text(cell: tuple[Any, ...]) -> str:
    """`+ −0.12`, `p = 0.02` in two lines: the sign of the verdict on the row, its difference and p."""
    difference, p, verdict = cell
    sign = "" if difference == 0 else "+" if difference > 0 else "−"
    size = words.number(abs(difference), digits=2, zeros=True)
    mark = f"<b>{SIGNS[verdict]}</b> " if verdict in SIGNS else ""
    p_text = "" if math.isnan(p) else f"<br>{words.p_value(p)}".replace(" < ", " &lt; ")
    return f"{mark}{sign}{size}{p_text}"


HEIGHT = 460
SQUARES = 50
"""Number of squares on each side of the map of densities of very many tasks."""
LOOKS = {
    "first": (theme.BLUE, "circle"),
    "second": (theme.VERMILION, "square"),
    "neither": (theme.GRAY, "circle-open"),
}
"""Color and marker of tasks on which one of the two is significantly better, and of the others."""
TALL = math.sqrt(3) / 2
CORNERS = {"first": (0.0, 0.0), "second": (1.0, 0.0), "same": (0.5, TALL)}


def pair_scatter_figure(table: Table, drawn: FigureData, _styles: Styles) -> Figure:
    """Scatter plot of two methods: a dot for each task, filled if the test on the task finds a difference.

    Parameters
    ----------
    table : Table
        Task, values of both in columns with the names of the methods, the better method, and p. If there
        are more than 2,000 tasks, only the largest differences have dots, and shades show the density of all.

    Returns
    -------
    Figure
        A click gives the task's path as customdata.

    Examples
    --------
    >>> from delvecore.answers.answer import table_of
    >>> columns = [(key, key, "number") for key in ("task", "first", "second", "better", "p")]
    >>> table = table_of([("/demo/age/std.8", 0.5, 0.25, "second", 0.01)], columns)
    >>> drawn = FigureData("scatter", "loss", has_tests=True)
    >>> pair_scatter_figure(table, drawn, {}).data[1]["x"]
    [0.5]
    """
    if not len(table):
        return theme.empty_figure("No task with results of both methods", height=HEIGHT)
    figure = theme.new_figure(height=HEIGHT)
    values = np.array([table["first"], table["second"]])
    low, high = _ends(values)
    figure.add_trace(_line([(low, low), (high, high)], 1.5, "dash") | {"showlegend": False})
    rows = drawn_rows(table)
    if len(rows) < len(table):
        figure.add_trace(_shades(values, low, high))
    shown = table.take(rows)
    for kind in LOOKS:
        if of_kind := [row for row, better in enumerate(shown["better"]) if better == kind]:
            figure.add_trace(_dots(shown.take(of_kind), kind))
    first, second = (words.plot_text(table.column(one).title, longest=24) for one in ("first", "second"))
    right, up = ("→ better", "↑ better") if drawn.higher_is_better else ("← better", "↓ better")
    title = "<br>".join(theme.title_lines(f"{right}   {first}: {drawn.quantity}", row_layout.TITLE))
    figure.update_xaxes(title={"text": title}, range=[low, high], showgrid=True)
    figure.update_yaxes(range=[low, high], showgrid=True)
    write_title = theme.title_y_axis_over_legend if drawn.has_tests else theme.title_y_axis
    figure.update_layout(hovermode="closest", showlegend=False, margin={"t": 34})
    write_title(figure, f"{up}   {second}: {drawn.quantity}")
    # Names of the better method in two corners: above the diagonal the first has the lower value.
    above, below = (second, first) if drawn.higher_is_better else (first, second)
    place: dict[str, Any] = {"xref": "paper", "yref": "paper"}
    theme.add_text(figure, f"{above} better", 0.03, 0.97, xanchor="left", yanchor="top", **place)
    theme.add_text(figure, f"{below} better", 0.97, 0.03, xanchor="right", yanchor="bottom", **place)
    return figure


def _shades(values: np.ndarray, low: float, high: float) -> Trace:
    """Return a map of the number of tasks in squares."""
    counts, edges, _ = np.histogram2d(values[0], values[1], bins=SQUARES, range=[[low, high]] * 2)
    middles = ((edges[1:] + edges[:-1]) / 2).tolist()
    shades = np.where(counts > 0, np.log1p(counts), np.nan).T
    return {
        "type": "heatmap",
        "x": middles,
        "y": middles,
        "z": shades,
        "customdata": counts.T,
        "colorscale": theme.SEQUENTIAL,
        "showscale": False,
        "hoverongaps": False,
        "hovertemplate": "tasks here: %{customdata}<extra></extra>",
    }


def _ends(values: np.ndarray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    low = 0.0 if 0 <= low < 0.5 * high else low
    reach = (high - low) or abs(high) or 1.0
    return low - 0.03 * reach, high + 0.04 * reach


def _dots(table: Table, kind: str) -> Trace:
    color, symbol = LOOKS[kind]
    names = {one: table.column(one).title for one in ("first", "second")}
    hover, rows = [], table.select("task", "first", "second", "p").rows
    for task, *values, p in rows:
        pairs = zip(names.values(), values, strict=True)
        text = ", ".join(f"{words.plot_text(name)} {words.number(value)}" for name, value in pairs)
        if not math.isnan(p):
            text += f"<br>{words.p_value(p)} on this task".replace("<br>p <", "<br>p &lt;")
        hover.append(f"{words.plot_text(task)}<br>{text}")
    return theme.trace(
        "markers",
        [first for _, first, *_ in rows],
        [second for _, _, second, _ in rows],
        name=f"{words.plot_text(names[kind], longest=18)} better" if kind in names else "not significant",
        marker={"color": color, "symbol": symbol, "size": 9, "line": {"width": 1.4, "color": color}},
        customdata=list(table["task"]),
        hover=hover,
        **theme.STAYS,
    )


def bayes_triangle_figure(table: Table, drawn: FigureData, _styles: Styles) -> Figure:
    """Posterior samples of a Bayesian test in a triangle. A sample is nearest to the corner that it favors.

    Returns
    -------
    Figure
        Lines divide the triangle by the most probable outcome.

    Examples
    --------
    >>> from delvecore.answers.answer import table_of
    >>> columns = [(key, key, "number") for key in ("test", "a better", "same", "b better", "probability of")]
    >>> table = table_of([("sign", 1.0, 0.0, 0.0, "winning")], columns)
    >>> drawn = FigureData("bayes", "differ by 0", subject="sign", data=np.array([[1.0, 0.0, 0.0]]))
    >>> bayes_triangle_figure(table, drawn, {}).data[2]["x"]
    [0.0]
    """
    figure = theme.new_figure(height=400)
    figure.update_xaxes(visible=False, range=[-0.32, 1.32])
    figure.update_yaxes(visible=False, range=[-0.2, TALL + 0.14], scaleanchor="x")
    figure.update_layout(margin={"l": 0, "r": 0, "t": 0, "b": 0}, showlegend=False, hovermode=False)
    figure.add_traces(_frame())
    if len(drawn.data):
        figure.add_trace(_draws(drawn.data))
    (chances,) = (row[1:4] for row in table.rows if row[0] == drawn.subject)
    names = [column.title.removesuffix(" better") for column in table.columns[1:4]]
    for place, corner in ((0, "first"), (2, "second"), (1, "same")):
        shift, anchor = (0.03, "bottom") if corner == "same" else (-0.04, "top")
        name, chance = words.plot_text(names[place], longest=22), chances[place]
        label = drawn.quantity if corner == "same" else f"{name} better"
        shown = words.plot_text(probability_text(chance))
        x, y = CORNERS[corner]
        theme.add_text(figure, f"{label}<br><b>{shown}</b>", x, y + shift, size=13, yanchor=anchor)
    return figure


def _frame() -> list[Trace]:
    """Return the sides, and lines on which two outcomes are equally probable."""
    a, b, c = CORNERS.values()
    middle = (0.5, TALL / 3)
    borders: list[tuple[float | None, float | None]] = []
    for one, other in ((a, b), (a, c), (b, c)):
        borders += [middle, ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2), (None, None)]
    return [_line([a, b, c, a], 1.5, "solid"), _line(borders, 1, "dash")]


def _line(points: Sequence[tuple[float | None, float | None]], width: float, dash: str) -> Trace:
    look = {"color": theme.LINE_GRAY, "width": width, "dash": dash}
    return theme.trace("lines", [x for x, _ in points], [y for _, y in points], line=look)


def _draws(draws: np.ndarray) -> Trace:
    first, same, second = draws.T
    rest = np.where(second >= same, theme.VERMILION, theme.GRAY)
    colors = np.where(first >= np.maximum(same, second), theme.BLUE, rest).tolist()
    x, y = (second + same / 2).round(4).tolist(), (same * TALL).round(4).tolist()
    return theme.trace("markers", x, y, marker={"color": colors, "size": 3.5, "opacity": 0.35})
