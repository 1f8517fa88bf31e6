"""Matrix of all pairs over many tasks: difference, wins, ties and losses, and a p-value of the pair alone."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.frame.text_boxes import shortened

__all__ = ["MOST_IN_WORDS", "rank_pairs_figure", "signed"]

MOST_IN_WORDS = 12
"""Up to so many methods each cell has its numbers in it, on the width of a page; of more, or where there is
less room, the numbers come with the mouse."""
MOST_SIGNS = 24
"""Up to so many methods each shaded cell has a sign; of more, those only that go against the order."""
CELL_HEIGHT, SMALL_CELL = 58, 17
HEAD = 40
LABEL, PAGE, FEW = 150, 850, 5
"""Pixels for a row's name, and for the names of all columns; those of few, which stand beside something else,
have half as many as a row's."""
SHADES = {"better": -1.0, "worse": 1.0}
ARROWS = {"better": "▼ ", "worse": "▲ "}
HOVER = (
    "%{y}less %{x}: mean %{customdata[0]:+.3~g}, median %{customdata[1]:+.3~g}<br>"
    "better on %{customdata[2]:.0f}, equal on %{customdata[3]:.0f}, worse on %{customdata[4]:.0f}<br>"
    "p %{customdata[5]:.2~g}; with Holm’s adjustment %{customdata[6]:.2~g}<extra></extra>"
)
NUMBERS = ("difference", "median", "wins", "ties", "losses", "p", "p_holm")


def rank_pairs_figure(table: pd.DataFrame, *, most_in_words: int = MOST_IN_WORDS) -> go.Figure:
    """Draw a cell for each ordered pair: the row's method against the column's; shaded where they differ.

    table: columns row, column, NUMBERS, verdict (`better`, `worse` or `not settled`, of the row): every row
    with every other column, in the same order. most_in_words: up to how many methods is there room for the
    numbers in the cells?
    """
    if table.empty:
        return theme.empty_figure("Two methods are needed for a pair", height=160)
    methods = list(dict.fromkeys(table["row"]))
    in_words = len(methods) <= most_in_words
    figure = theme.new_figure(height=HEAD + (CELL_HEIGHT if in_words else SMALL_CELL) * len(methods) + 8)
    place = {name: number for number, name in enumerate(methods)}
    placed = table.assign(x=table["column"].map(place), y=table["row"].map(place))
    figure.add_traces(
        [
            _cells(placed, len(methods), gap=3 if in_words else 1),
            _texts(placed) if in_words else _signs(placed, len(methods)),
        ]
    )
    figure.update_layout(
        margin={"l": 8, "r": 8, "t": HEAD - 8, "b": 8}, hovermode="closest", showlegend=False
    )
    _name_rows(figure, methods, in_words)
    return figure


def _name_rows(figure, methods, in_words):
    names = [words.plot_text(shortened(name, 12, LABEL)) for name in methods]
    places = list(range(len(methods)))
    if in_words:
        room = LABEL / 2 if len(methods) <= FEW else min(LABEL, PAGE / len(methods))
        heads, labels = [words.plot_text(shortened(name, 12, room)) for name in methods], names
    else:
        # Names do not fit above narrow columns; numbers of the rows stand for them.
        heads = [str(place + 1) if place == 0 or (place + 1) % 5 == 0 else "" for place in places]
        labels = [f"{name} {place + 1}" for place, name in enumerate(names)]
    ends, size = len(names) - 0.5, 12 if in_words else 11
    common = {"tickvals": places, "showgrid": False, "tickfont": {"size": size}}
    figure.update_xaxes(side="top", ticktext=heads, range=[-0.5, ends], **common)
    figure.update_yaxes(ticktext=[f"{name} " for name in labels], range=[ends, -0.5], **common)


def _cells(placed, count, *, gap):
    shades = np.full((count, count), np.nan)
    numbers = np.zeros((count, count, len(NUMBERS)))
    y, x = placed["y"].to_numpy(), placed["x"].to_numpy()
    shades[y, x] = placed["verdict"].map(SHADES).fillna(0.0)
    numbers[y, x] = _rounded(placed[list(NUMBERS)].to_numpy(dtype=float))
    return {
        "type": "heatmap",
        "z": shades,
        "zmin": -1,
        "zmax": 1,
        "colorscale": theme.DIVERGING,
        "showscale": False,
        "xgap": gap,
        "ygap": gap,
        "customdata": numbers.astype(np.float32),
        "hovertemplate": HOVER,
        "hoverongaps": False,
    }


def _rounded(values, digits=4):
    """Return values with so many significant digits: what the mouse shows need not be sent in full."""
    with np.errstate(divide="ignore"):
        exponent = np.floor(np.log10(np.abs(values)))
    scale = 10.0 ** (digits - 1 - np.where(np.isfinite(exponent), np.maximum(exponent, -280), 0))
    return np.rint(values * scale) / scale


def _texts(placed):
    return {
        "type": "scatter",
        "x": placed["x"].tolist(),
        "y": placed["y"].tolist(),
        "mode": "text",
        "text": [_text(line) for line in placed.itertuples()],
        "textfont": {"size": 11.5},
        "hoverinfo": "skip",
    }


def _text(line):
    p = words.p_value(line.p).replace("<", "&lt;")
    difference = f"{ARROWS.get(line.verdict, '')}{signed(line.difference)}"
    return f"{difference}<br>{line.wins}/{line.ties}/{line.losses}<br>{p}"


def signed(value: float) -> str:
    """`+0.12`, `−0.12`, `0`."""
    text = words.number(abs(value), digits=2)
    return text if value == 0 else f"{'+' if value > 0 else '−'}{text}"


def _signs(placed, count):
    """A small triangle in shaded cells, so that colour is not alone in telling better from worse."""
    settled = placed[placed["verdict"].isin(SHADES)]
    if count > MOST_SIGNS:
        settled = settled[(settled["verdict"] == "better") != (settled["y"] < settled["x"])]
    better = settled["verdict"] == "better"
    return {
        "type": "scatter",
        "x": settled["x"].tolist(),
        "y": settled["y"].tolist(),
        "mode": "markers",
        "marker": {
            "symbol": np.where(better, "triangle-down", "triangle-up").tolist(),
            "color": np.where(better, theme.COLOURS[0], theme.COLOURS[1]).tolist(),
            "size": 6,
        },
        "hoverinfo": "skip",
    }
