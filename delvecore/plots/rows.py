"""Common parts of figures with one row per method: the rows' axis, texts to their right, vertical lines."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from delvecore.answers.answer import Answer, IntervalFields, Table, plain_columns, table_of
from delvecore.plots import theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.highlighted_method import name_places
from delvecore.plots.theme import text_width
from delvecore.render.numbers import rounded
from delvecore.report import words
from delvecore.stats.choose import Verdict

FEW = 12
"""Maximum number of rows with full height."""
TITLE, TITLE_LINE, AXIS = 245, 17, 28
"""Pixels of the longest line of an axis's title, of a line's height, and of the numbers above it."""
MOST_PAIRS = 40
"""Maximum number of drawn rows of an answer about pairs; its table has all."""
MOST_TICKS = 20
"""Maximum number of places with a tick each."""
MOST_DECIMALS = 3
"""Maximum number of decimals to which all values are aligned; with more, none are."""
HEIGHTS, NAMES = (30, 22), 34
"""Sizes for rows of pairs: pixels of a row with few and with many rows, and letters of a name."""
SIGNS: dict[str | None, str] = {Verdict.BETTER: "+", Verdict.WORSE: "−"}
"""Signs of significant verdicts. Shapes belong to methods."""


def rows_figure(
    names: Sequence[str],
    *,
    top: int = 24,
    bottom: int = 52,
    right: float = 16,
    heights: tuple[int, int] = (36, 36),
    longest: int = 24,
    showgrid: bool | None = True,
    showlegend: bool = False,
) -> Figure:
    """Return a figure with a row for each name, the first at the top.

    top, bottom, right: pixels above, below and right of the rows; heights: pixels of a row if there are few
    and if there are many; longest: maximum letters of a name; showgrid: None for Plotly's default."""
    figure = theme.new_figure(height=top + bottom + heights[len(names) > FEW] * len(names))
    margin = {"l": 8, "r": right, "t": top, "b": 8}
    figure.update_layout(margin=margin, showlegend=showlegend, hovermode="closest")
    texts = [words.plot_text(name, longest=longest) + " " for name in names]
    theme.name_rows(figure, texts, showgrid=showgrid)
    name_places(figure, y=names)
    return figure


def title_axis(figure: Figure, *texts: str, most: float = TITLE) -> None:
    """Write the titles of the horizontal axes in lines for a phone. The rows keep their height."""
    titles = [theme.title_lines(text, most) for text in texts]
    bottom = AXIS + TITLE_LINE * max(map(len, titles))
    height = figure.layout["height"] - figure.layout["margin"]["b"] + bottom
    figure.update_layout(height=height, margin={"b": bottom})
    for axis, lines in zip(("xaxis", "xaxis2"), titles, strict=False):
        title = {"text": "<br>".join(lines), "standoff": 4}
        figure.update_layout(**{axis: {"title": title, "automargin": False}})


def add_left_texts(figure: Figure, texts: Sequence[str], names: Sequence[str]) -> None:
    """Write a text between the name of each row and the row."""
    width = max(text_width(text, 13) for text in texts) + 16
    labels = max(text_width(words.short_line(name, longest=24), 13) for name in names)
    figure.update_layout(margin={"l": 16 + width + labels})
    figure.update_yaxes(automargin=False, ticklabelstandoff=round(width))
    place = {"xref": "paper", "xanchor": "right", "xshift": -10, "yref": "y"}
    figure.add_annotations([theme.text_at(text, 0, row, size=13, **place) for row, text in enumerate(texts)])


def add_right_texts(figure: Figure, texts: Sequence[str]) -> None:
    """Write a text to the right of each row; skip empty texts."""
    place = {"xref": "paper", "xanchor": "left", "xshift": 8, "yref": "y"}
    written = [theme.text_at(text, 1, row, size=13, **place) for row, text in enumerate(texts) if text]
    figure.add_annotations(written)


def add_vertical_line(
    figure: Figure,
    x: float,
    *,
    text: str | None = None,
    dash: str = "dash",
    axis: str = "x",
    is_right: bool | None = None,
) -> None:
    """Draw a thin line over all rows, with a text above it.

    axis: the axis of x; is_right: whether the line is in the right half, so that the text extends to the
    left; None centers the text."""
    line = {"color": theme.LINE_GRAY, "width": 1.5, "dash": dash}
    place = {"x0": x, "x1": x, "xref": axis, "y0": 0, "y1": 1, "yref": "y domain"}
    figure.add_shape(type="line", line=line, layer="below", **place)
    if text:
        anchor = "center" if is_right is None else "right" if is_right else "left"
        theme.add_text(figure, text, x, 1, xref=axis, xanchor=anchor, yref="paper", yanchor="bottom")


def stacked_bar(title: str, values: Sequence[float], places: Sequence[int], **more: Any) -> Trace:
    """Return one part of stacked bars: values in rows at these places, with texts inside."""
    inside = {"textposition": "inside", "insidetextanchor": "middle", "hoverinfo": "text"}
    about = {"type": "bar", "orientation": "h", "name": title, "x": list(values), "y": list(places)}
    return {**about, **inside, **more}


_ROW = ("name", "value", "lower", "upper", "color", "text", "symbol")
"""Columns of rows. value, lower, upper: NaN if missing; text: text on the right."""


def interval_rows(
    answer: Answer, styles: Mapping[str, theme.MethodStyle], *, most: int = MOST_PAIRS
) -> Table:
    """Return the rows of an answer whose figure is an IntervalFields: a row per method, or per pair.

    styles: looks of methods by name; most: maximum number of pairs, those farthest from the line, or nearest
    to zero if two lines bound a region."""
    drawn: IntervalFields = answer.figure
    table = answer.table
    columns = [np.asarray(table[key], float) for key in (drawn.value, drawn.lower, drawn.upper)]
    names = list(zip(*(table[key] for key in drawn.names), strict=True))
    order = range(len(names))
    if len(drawn.names) > 1:
        line = drawn.lines[0] if len(drawn.lines) == 1 else 0.0
        off = np.nan_to_num(np.abs(columns[0] - line))
        order = np.argsort(-off if len(drawn.lines) == 1 else off, kind="stable").tolist()[:most]
    rows = []
    for place in order:
        value, *ends = (float(column[place]) for column in columns)
        label = drawn.labels[place] if drawn.labels else " – ".join(names[place])
        style = styles.get(names[place][0]) if len(drawn.names) == 1 else None
        style = style or theme.MethodStyle(theme.BLUE, "circle")
        text = f"{rounded(100 * value, 0)} %" * is_share(answer)
        text = drawn.texts[place] if drawn.texts else text
        color = drawn.colors[place] if drawn.colors else style.color
        rows.append((label, value, *ends, color, text, style.symbol))
    return table_of(rows, plain_columns("number", *_ROW))


def is_share(answer: Answer) -> bool:
    """Are the values of the figure shares from 0 to 1, written in percent?"""
    return answer.table.column(answer.figure.value).kind == "share"


def intervals_figure(
    answer: Answer, styles: Mapping[str, theme.MethodStyle], *, most: int = MOST_PAIRS
) -> Figure:
    """Intervals by name: a dot at each value, a bar over its interval, the value in digits at the right.

    Parameters
    ----------
    answer : Answer
        Its figure is an IntervalFields. A dot without an interval is hollow; there are no dots if there are
        colors.
    styles : mapping
        Looks of methods, by name.
    most : int
        Maximum number of drawn pairs.

    Returns
    -------
    Figure
        One trace for all rows with an interval, one for those without; a click gives the row's name.

    Examples
    --------
    >>> table = table_of([("lin-1", 0.5, 0.4, 0.6)], [(key, key, "number") for key in ("method", *"abc")])
    >>> figure = IntervalFields(("method",), "a", "b", "c", "mean loss")
    >>> intervals_figure(Answer("losses", "", table, figure=figure), {}).data[0]["x"]
    [0.5]
    """
    drawn: IntervalFields = answer.figure
    rows, with_values = interval_rows(answer, styles, most=most), not drawn.colors
    if not len(rows):
        return theme.empty_figure("Nothing to show", height=160)
    texts = list(rows["text"])
    if with_values and not any(texts):
        texts = _values(list(rows["value"]))
    right = max(80, *(16 + text_width(text, 13) for text in texts)) if with_values else 128
    figure = rows_figure(list(rows["name"]), top=12, right=right, heights=HEIGHTS, longest=NAMES)
    for line in drawn.lines:
        add_vertical_line(figure, line)
    # A bar without length would show its end, so rows without an interval form a separate trace.
    traces: dict[tuple[str, bool], list[int]] = {}
    for place, (color, lower) in enumerate(rows.select("color", "lower").rows):
        traces.setdefault((theme.GRAY if with_values else color, math.isnan(lower)), []).append(place)
    for (color, is_hollow), places in traces.items():
        size = 8 if len(rows) <= FEW else 6
        part, bar = rows.take(places), None if is_hollow else color
        figure.add_trace(_bars(part, places, bar, size=size, with_values=with_values))
    add_right_texts(figure, texts)
    if is_share(answer):
        figure.update_xaxes(tickformat=".0%")
    title_axis(figure, drawn.axis)
    if drawn.are_places:
        last = float(np.nanmax([rows["value"], rows["upper"]]))
        ticks = {"tickmode": "linear", "tick0": 1, "dtick": 1} if last <= MOST_TICKS else {}
        figure.update_xaxes(range=[0.5, last + 0.5], **ticks)
    return figure


def _values(values: Sequence[float]) -> list[str]:
    """Return values as texts, with equal decimals in all rows unless there would be many."""
    shown = [words.number(value, digits=3) for value in values]
    decimals = max(len(text.partition(".")[2]) for text in shown)
    if decimals > MOST_DECIMALS or not all(map(math.isfinite, values)):
        return shown
    return [rounded(value, decimals).replace("-", "−") for value in values]


def hollow(symbol: str, is_hollow: bool) -> str:
    """Return the name of a marker's symbol, or of its hollow form."""
    return f"{symbol}-open" if is_hollow else symbol


def _bars(rows: Table, places: Sequence[int], color: str | None, *, size: int, with_values: bool) -> Trace:
    """Return marks of rows at these places, with bars of one color, or without bars for None."""
    hover, symbols = [], []
    for name, value, lower, upper, _, text, symbol in rows.rows:
        ends = f" [{words.number(lower)}, {words.number(upper)}]"
        number = words.number(value) + ("" if math.isnan(lower) or math.isnan(upper) else ends)
        hover.append(f"{words.plot_text(name)}: {text if with_values and text else number}")
        symbols.append(hollow(symbol, math.isnan(lower)))
    marker = {"color": list(rows["color"]), "size": size if with_values else 1, "symbol": symbols}
    more: Trace = {"marker": marker}
    if color is not None:
        bar = {"thickness": 2, "width": size * 0.7, "color": color}
        more["error_x"] = theme.interval_bars(rows.select("value", "lower", "upper").rows, **bar)
    names = list(rows["name"])
    # A click on a row does not change the others.
    more |= {"ids": names, "customdata": [[name] for name in names], **theme.STAYS}
    return theme.trace("markers", list(rows["value"]), list(places), hover=hover, **more)
