"""Methods of a ranking as rows: mean rank, tested quantity, range of places, groups.

The layout is computed first, so that texts do not overlap even at the width of a paper's column."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from delvecore.answers.answer import FigureData, Table
from delvecore.plots import theme
from delvecore.plots.critical_difference import INK, WHOLE_AXIS, lanes_of, whole_ticks
from delvecore.plots.figure import Figure, Part
from delvecore.plots.rows import FEW, SIGNS, add_vertical_line, hollow
from delvecore.plots.theme import MethodStyle, shortened, text_width, wrapped
from delvecore.render.numbers import rank_text, rounded
from delvecore.report import words
from delvecore.report.ranking.sentences import places_words
from delvecore.stats.choose import SIGNIFICANT

ROOM = 560
"""Minimum width in pixels of a figure without a fixed width."""
NAMES, GROUPS, TESTED = 0.32, 0.14, 0.58
"""Maximum shares of the width for names and for groups, and share of the panels for the tested quantity."""
LINE = 1.4
"""Height of a line of text, in font sizes."""
HEIGHTS = 2.3, 1.7
"""Height of a row in font sizes, with few methods and with many."""
Ticks = Sequence[tuple[float, str]]


def method_rows_figure(
    table: Table,
    drawn: FigureData,
    styles: Mapping[str, MethodStyle],
    *,
    width: float | None = None,
    font: float = theme.LETTERS,
) -> Figure:
    """Methods of a ranking as rows, best mean rank first.

    Parameters
    ----------
    table : Table
        Mean rank, places, tested quantity and its interval for each method.
    width : float, optional
        Width in pixels; None: the available width.
    font : float
        Size of letters in pixels.

    Returns
    -------
    Figure
        Marks of the tested quantity, filled if a method differs significantly from the reference; bars of
        places; on the right vertical bars over groups, or signs of the verdicts against a reference.

    Examples
    --------
    >>> from delvecore.answers.answer import table_of
    >>> keys = ("method", "mean_rank", "lowest_place", "highest_place", "tested", "lower", "upper", "verdict")
    >>> rows = [("a", 1.0, 1, 2, 0.0, 0.0, 0.0, ""), ("b", 2.0, 1, 2, 0.5, -0.1, 1.1, "not significant")]
    >>> drawn = FigureData("methods", "mean difference from", subject="a", groups=((0, 1),))
    >>> figure = method_rows_figure(table_of(rows, [(key, key, "number") for key in keys]), drawn, {})
    >>> figure.data[0]["x"], figure.data[0]["marker"]["symbol"]
    ([0.0, 0.5], ['circle', 'circle-open'])
    """
    names, count = list(table["method"]), len(table)
    if count < 2:
        return theme.empty_figure("Two methods are needed for a ranking", height=160)
    room, gap = width or ROOM, 0.6 * font
    ranks = [rank_text(rank) for rank in table["mean_rank"]]
    of_ranks = max(text_width(text, font) for text in ranks)
    labels = [shortened(name, font, NAMES * room) for name in names]
    left = max(text_width(label, font * theme.BOLD) for label in labels) + of_ranks + 4 * gap
    lanes = lanes_of(drawn.groups, range(count))
    pitch = min(0.7 * font, GROUPS * room / (1 + max((lane for lane, _ in lanes), default=0)))
    right = 2 * gap + (
        1.5 * font if drawn.has_tests else pitch * (1 + max((lane for lane, _ in lanes), default=-1))
    )
    has_places = any(place is not None for place in table["lowest_place"])
    panels = room - left - right
    share = TESTED if has_places else 1.0
    title = f"{drawn.quantity} {shortened(drawn.subject, font, share * panels)}".strip()
    # The title may extend below the names.
    lines = wrapped(
        words.better_side(title, higher=drawn.higher_is_better), font, 0.7 * left + share * panels
    )
    bottom, row = font * (LINE * (len(lines) + 1) + 1.2), font * HEIGHTS[count > FEW]
    figure = theme.new_figure(height=round(LINE * font + 6 + row * count + bottom))
    figure.update_layout(
        margin={"l": left, "r": right, "t": LINE * font + 6, "b": bottom, "autoexpand": False},
        font={"size": font},
        width=width,
        showlegend=False,
        hovermode="closest",
    )
    figure.update_yaxes(range=[count - 0.5, -0.5], tickvals=list(range(count)), showticklabels=False)
    figure.update_layout(xaxis={"domain": [0, share]})
    _add_tested(figure, table, drawn, styles, room=share * panels, font=font)
    _add_title(figure, "x", lines, font)
    if has_places:
        start = share + 2 * gap / panels
        _add_places(figure, table, styles, start=start, room=(1 - start) * panels, font=font)
        _add_title(figure, "x2", ["place"], font)
    figure.add_annotations(_names(names, labels, ranks, font, shift=of_ranks + 2 * gap))
    for lane, group in lanes:
        for shape in _bar(group, 2 * gap + pitch * lane, 0.35 * font):
            figure.add_shape(**shape)
    if drawn.has_tests:
        place = {"xref": "paper", "xanchor": "left", "xshift": 2 * gap}
        signs = enumerate(SIGNS.get(one, "") for one in table["verdict"])
        figure.add_annotations(theme.text_at(sign, 1, at, size=font, **place) for at, sign in signs if sign)
    if width is None:
        theme.needs_width(figure, room)
    return figure


def _add_tested(
    figure: Figure,
    table: Table,
    drawn: FigureData,
    styles: Mapping[str, MethodStyle],
    *,
    room: float,
    font: float,
) -> None:
    """Add the tested quantity with its intervals and its axis."""
    values, lower, upper = (np.asarray(table[key], float) for key in ("tested", "lower", "upper"))
    ticks: Ticks
    if not drawn.subject:
        few = len(values) <= WHOLE_AXIS
        low, high = (1.0, float(len(values))) if few else (math.floor(values.min()), math.ceil(values.max()))
        ticks, ends = whole_ticks(low, high, room, font), (low - 0.3, high + 0.3)
    else:
        known = np.concatenate([values, lower[np.isfinite(lower)], upper[np.isfinite(upper)]])
        low, high = float(known.min()), float(known.max())
        reach = 0.06 * ((high - low) or 1.0)
        ends = (low - reach, high + reach)
        ticks = _even_ticks(*ends, room, font)
        add_vertical_line(figure, 0.0, dash="solid")
    _set_axis(figure, "xaxis", ticks, ends, font)
    names, verdicts = list(table["method"]), list(table["verdict"])
    looks = [styles.get(name, MethodStyle(theme.BLUE, "circle")) for name in names]
    # The reference has no verdict.
    filled = [not verdict or verdict in SIGNIFICANT for verdict in verdicts]
    symbols = [hollow(look.symbol, not one) for look, one in zip(looks, filled, strict=True)]
    marker = {"symbol": symbols, "color": [look.color for look in looks], "size": 0.75 * font}
    bars = theme.interval_bars(
        zip(values.tolist(), lower.tolist(), upper.tolist(), strict=True),
        thickness=2,
        width=0,
        color=theme.GRAY,
    )
    hover, y = [_hover(row, drawn) for row in table.rows], list(range(len(names)))
    figure.add_trace(
        theme.trace(
            "markers", values.tolist(), y, hover=hover, marker=marker, error_x=bars, ids=names, **theme.STAYS
        )
    )


def _hover(row: tuple[Any, ...], drawn: FigureData) -> str:
    name, rank, lowest, highest, value, lower, upper, *_ = row
    text = f"{words.plot_text(name)}: mean rank {rank_text(rank)}"
    if isinstance(lowest, int) and isinstance(highest, int):
        text += f", place {places_words((lowest, highest))}"
    if not drawn.subject or name == drawn.subject or not isinstance(value, float):
        return text
    text += f"<br>{drawn.quantity} {words.plot_text(drawn.subject)}: {words.number(value)}"
    ends = [end for end in (lower, upper) if isinstance(end, float) and math.isfinite(end)]
    return f"{text} [{', '.join(map(words.number, ends))}]" if len(ends) > 1 else text


def _add_places(
    figure: Figure,
    table: Table,
    styles: Mapping[str, MethodStyle],
    *,
    start: float,
    room: float,
    font: float,
) -> None:
    """Add bars from the lowest to the highest place, marks at the places by mean rank, and their axis."""
    lowest, highest, ranks = (list(table[key]) for key in ("lowest_place", "highest_place", "mean_rank"))
    last = max(*highest, len(ranks))
    axis = {**figure.layout["xaxis"], "domain": [start, 1.0], "anchor": "y"}
    figure.update_layout(xaxis2=axis)
    _set_axis(figure, "xaxis2", whole_ticks(1.0, float(last), room, font), (0.4, last + 0.6), font)
    x = [end for ends in zip(lowest, highest, strict=True) for end in (ends[0] - 0.3, ends[1] + 0.3, None)]
    y = [row for row in range(len(ranks)) for _ in range(3)]
    line = {"color": "rgba(127,135,144,0.45)", "width": 0.3 * font}
    figure.add_trace(theme.trace("lines", x, y, line=line, xaxis="x2"))
    places = [
        sum(one < rank for one in ranks) + (1 + sum(one == rank for one in ranks)) / 2 for rank in ranks
    ]
    names = list(table["method"])
    looks = [styles.get(name, MethodStyle(theme.BLUE, "circle")) for name in names]
    marker = {"symbol": [look.symbol for look in looks], "color": [look.color for look in looks]}
    ends = zip(names, lowest, highest, strict=True)
    hover = [f"{words.plot_text(name)}: place {places_words((low, high))}" for name, low, high in ends]
    marks = theme.trace(
        "markers",
        places,
        list(range(len(names))),
        hover=hover,
        marker=marker | {"size": 0.7 * font},
        ids=names,
    )
    figure.add_trace(marks | {"xaxis": "x2"})


def _set_axis(figure: Figure, name: str, ticks: Ticks, ends: tuple[float, float], font: float) -> None:
    values, texts = [value for value, _ in ticks], [text for _, text in ticks]
    look = {"tickvals": values, "ticktext": texts, "tickfont": {"size": font}, "range": list(ends)}
    figure.update_layout(**{name: {**look, "automargin": False, "showgrid": True}})


def _add_title(figure: Figure, axis: str, lines: Sequence[str], font: float) -> None:
    """Write the title of an axis below its numbers, up to the right end of its panel."""
    text = "<br>".join(map(words.plot_text, lines)).replace("← better ", "← better   ")
    text = text.replace(" better →", "   better →")
    place = {
        "xref": f"{axis} domain",
        "xanchor": "right",
        "yref": "paper",
        "yanchor": "top",
        "align": "right",
    }
    theme.add_text(figure, text, 1, 0, size=font, yshift=-1.9 * font, **place)


def _names(
    names: Sequence[str], labels: Sequence[str], ranks: Sequence[str], font: float, *, shift: float
) -> Iterator[Part]:
    """Yield names and mean ranks left of the panels, and the heading of the mean ranks."""
    place: dict[str, Any] = {"xref": "paper", "xanchor": "right", "size": font}
    gap = 0.6 * font
    for row, (name, label, rank) in enumerate(zip(names, labels, ranks, strict=True)):
        yield theme.text_at(words.plot_text(label), 0, row, xshift=-shift, name=name, **place)
        yield theme.text_at(rank, 0, row, xshift=-gap, name=name, **place)
    yield theme.text_at("mean rank", 0, 1, yref="paper", yanchor="bottom", xshift=-gap, **place)


def _bar(group: Sequence[int], x: float, width: float) -> Iterator[Part]:
    """Yield a group's vertical bar, dotted where it skips methods. x: pixels right of the panels."""
    place = {
        "type": "line",
        "xref": "paper",
        "xsizemode": "pixel",
        "xanchor": 1,
        "x0": x,
        "x1": x,
        "yref": "y",
    }
    runs: list[list[int]] = [[group[0]]]
    for before, after in itertools.pairwise(group):
        if after == before + 1:
            runs[-1].append(after)
        else:
            dotted = {"color": INK, "width": 1, "dash": "dot"}
            yield {**place, "y0": before, "y1": after, "line": dotted}
            runs.append([after])
    for run in runs:
        yield {**place, "y0": run[0] - 0.25, "y1": run[-1] + 0.25, "line": {"color": INK, "width": width}}


def _even_ticks(low: float, high: float, room: float, font: float) -> Ticks:
    """Return round numbers with texts, as many as fit."""
    step = 10.0 ** math.floor(math.log10(high - low)) / 100
    for factor in itertools.cycle((2, 2.5, 2)):
        step *= factor
        first, last = math.ceil(low / step), math.floor(high / step)
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        texts = [rounded(number * step, decimals).replace("-", "−") for number in range(first, last + 1)]
        widest = max((text_width(text, font) for text in texts), default=0.0) + 0.5 * font
        if step / (high - low) * room >= widest or len(texts) <= 2:
            return [(number * step, text) for number, text in zip(range(first, last + 1), texts, strict=True)]
    return []
