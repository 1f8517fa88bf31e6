"""Matrix of all pairs over many tasks: difference, wins, ties and losses, and a p-value of the pair alone."""

import pandas as pd
import plotly.graph_objects as go

from dashboard import theme, words

__all__ = ["MOST_IN_WORDS", "rank_pairs_figure"]

MOST_IN_WORDS = 8
"""Up to so many methods each cell has its numbers in it; of more, the numbers come with the mouse."""
CELL_HEIGHT, SMALL_CELL = 58, 17
HEAD = 40
SHADES = {"better": -1.0, "worse": 1.0}


def rank_pairs_figure(table: pd.DataFrame) -> go.Figure:
    """Draw a cell for each ordered pair: the row's method against the column's; shaded where they differ.

    table: columns row, column, difference, wins, ties, losses, p, verdict (`better`, `worse` or `not
    settled`, of the row), shown, hover; methods in order of their rows.
    """
    if table.empty:
        return theme.empty_figure("Two methods are needed for a pair", height=160)
    methods = list(dict.fromkeys(table["row"]))
    in_words = len(methods) <= MOST_IN_WORDS
    figure = theme.new_figure(height=HEAD + (CELL_HEIGHT if in_words else SMALL_CELL) * len(methods) + 8)
    figure.add_trace(_cells(table, methods, gap=3 if in_words else 1))
    figure.add_trace(_texts(table, methods) if in_words else _signs(table, methods))
    figure.update_layout(
        margin={"l": 8, "r": 8, "t": HEAD - 8, "b": 8}, hovermode="closest", showlegend=False
    )
    names = [words.plot_text(name, longest=20) for name in methods]
    places = list(range(len(methods)))
    if in_words:
        heads, labels = [words.plot_text(name, longest=13) for name in methods], names
    else:
        # Names do not fit above narrow columns; numbers of the rows stand for them.
        heads = [str(place + 1) if place == 0 or (place + 1) % 5 == 0 else "" for place in places]
        labels = [f"{name} {place + 1}" for place, name in enumerate(names)]
    ends = len(names) - 0.5
    size = 12 if in_words else 11
    figure.update_xaxes(
        side="top",
        tickvals=places,
        ticktext=heads,
        showgrid=False,
        range=[-0.5, ends],
        tickfont={"size": size},
    )
    figure.update_yaxes(
        tickvals=places,
        ticktext=[f"{name} " for name in labels],
        showgrid=False,
        range=[ends, -0.5],
        tickfont={"size": size},
    )
    return figure


def _matrix(table, methods, column, missing):
    found = {(line.row, line.column): getattr(line, column) for line in table.itertuples()}
    return [[found.get((row, other), missing) for other in methods] for row in methods]


def _cells(table, methods, *, gap):
    shades = _matrix(table.assign(shade=table["verdict"].map(SHADES).fillna(0.0)), methods, "shade", None)
    return {
        "type": "heatmap",
        "z": shades,
        "zmin": -1,
        "zmax": 1,
        "colorscale": theme.DIVERGING,
        "showscale": False,
        "xgap": gap,
        "ygap": gap,
        "text": _matrix(table, methods, "hover", ""),
        "hoverinfo": "text",
        "hoverongaps": False,
    }


def _texts(table, methods):
    place = {name: number for number, name in enumerate(methods)}
    return {
        "type": "scatter",
        "x": [place[name] for name in table["column"]],
        "y": [place[name] for name in table["row"]],
        "mode": "text",
        "text": table["shown"].tolist(),
        "textfont": {"size": 11.5},
        "hovertext": table["hover"].tolist(),
        "hoverinfo": "text",
    }


def _signs(table, methods):
    """A small triangle in each shaded cell, so that colour is not alone in telling better from worse."""
    settled = table[table["verdict"].isin(SHADES)]
    place = {name: number for number, name in enumerate(methods)}
    return {
        "type": "scatter",
        "x": [place[name] for name in settled["column"]],
        "y": [place[name] for name in settled["row"]],
        "mode": "markers",
        "marker": {
            "symbol": ["triangle-down" if v == "better" else "triangle-up" for v in settled["verdict"]],
            "color": [theme.COLOURS[0] if v == "better" else theme.COLOURS[1] for v in settled["verdict"]],
            "size": 6,
        },
        "hoverinfo": "skip",
    }
