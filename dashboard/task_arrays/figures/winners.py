"""Map of winners: the best method of each task of an array, and those not significantly worse."""

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = ["winners_figure"]

ROW_HEIGHT = 46
HEAD, BELOW = 44, 8
LABEL_WIDTH = 5.9
"""Of a character of a row's name, in pixels."""
MOST_LETTERS = 40
FIRST_SIGN, NEXT_SIGN = -0.40, 0.088
"""Where in a cell, one wide, the best method's marker is, and how far apart the others are."""
MOST_SIGNS = 8
CELL = 0.46


def winners_figure(table: pd.DataFrame) -> go.Figure:
    """Draw a row for each combination of levels and a column for each size of training sets.

    A cell has the marker and the name of the best method and, below, the markers of the methods that are not
    significantly worse; a hole is dashed, with the reason. table: columns row, column, best, others (names),
    missing, hover, task; attrs rows (names of the rows), sizes, looks ({method: {colour, symbol, ...}}). A
    click gives the point's customdata: task and best method.
    """
    if table.empty:
        return theme.empty_figure("No tasks to show", height=200)
    rows = table.attrs["rows"]
    figure = theme.new_figure(height=HEAD + BELOW + ROW_HEIGHT * len(rows))
    figure.update_layout(shapes=[_cell(line, table.attrs["looks"]) for line in table.itertuples()])
    _add_best(figure, table)
    _add_others(figure, table)
    _add_holes(figure, table)
    _label(figure, rows, table.attrs["sizes"])
    theme.clickable(figure)
    return figure


def _cell(line, looks):
    hole = line.best is None
    colour = looks[line.best]["colour"] if line.best is not None else theme.LINE_GREY
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return {
        "type": "rect",
        "x0": line.column - 0.485,
        "x1": line.column + 0.485,
        "y0": line.row - CELL,
        "y1": line.row + CELL,
        "layer": "below",
        "line": {"color": theme.LINE_GREY, "width": 1, "dash": "dash"} if hole else {"width": 0},
        "fillcolor": "rgba(0,0,0,0)" if hole else f"rgba({red},{green},{blue},0.14)",
    }


def _signs(figure, x, y, looks, size, **details):
    figure.add_scatter(
        x=x,
        y=y,
        marker={
            "symbol": [look["symbol"] for look in looks],
            "color": [look["colour"] for look in looks],
            "size": size,
            "opacity": 1,
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        showlegend=False,
        hoverinfo="text",
        **details,
    )


def _add_best(figure, table):
    known = table[table["best"].notna()]
    raised = [0.14 if others else 0.0 for others in known["others"]]
    looks = [table.attrs["looks"][name] for name in known["best"]]
    _signs(
        figure,
        (known["column"] + FIRST_SIGN).tolist(),
        [row - up for row, up in zip(known["row"], raised, strict=True)],
        looks,
        10,
        mode="markers+text",
        text=[f"  {words.plot_text(name, longest=14)}" for name in known["best"]],
        textposition="middle right",
        textfont={"size": 13},
        hovertext=known["hover"].tolist(),
        customdata=known[["task", "best"]].values.tolist(),
    )


def _add_others(figure, table):
    """Draw the markers of the methods that are not significantly worse, and how many more there are."""
    x, y, looks, texts, hovers, places = [], [], [], [], [], []
    for line in table[table["best"].notna()].itertuples():
        shown = line.others[:MOST_SIGNS]
        for number, name in enumerate(shown):
            left = len(line.others) - MOST_SIGNS if number == len(shown) - 1 else 0
            x.append(line.column + FIRST_SIGN + number * NEXT_SIGN)
            y.append(line.row + 0.24)
            looks.append(table.attrs["looks"][name])
            texts.append(f" +{left}" if left > 0 else "")
            hovers.append(line.hover)
            places.append([line.task, line.best])
    text = {"text": texts, "textposition": "middle right", "textfont": {"size": 11}}
    _signs(figure, x, y, looks, 7, mode="markers+text", hovertext=hovers, customdata=places, **text)


def _add_holes(figure, table):
    """Write into cells without a best method why; the whole cell of the others answers to the mouse."""
    holes = table[table["best"].isna()]
    figure.add_scatter(
        x=holes["column"].tolist(),
        y=holes["row"].tolist(),
        mode="text",
        text=holes["missing"].tolist(),
        textfont={"size": 11},
        hoverinfo="skip",
        showlegend=False,
    )
    known = table[table["best"].notna()]
    figure.add_scatter(
        x=known["column"].tolist(),
        y=known["row"].tolist(),
        mode="markers",
        marker={"symbol": "square", "size": 40, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        hovertext=known["hover"].tolist(),
        hoverinfo="text",
        customdata=known[["task", "best"]].values.tolist(),
        showlegend=False,
    )


def _label(figure, rows, sizes):
    names = [words.plot_text(name, longest=MOST_LETTERS) for name in rows]
    left = 20 + LABEL_WIDTH * max(min(len(name), MOST_LETTERS) for name in rows)
    figure.update_layout(
        margin={"l": left, "r": 4, "t": HEAD, "b": BELOW, "pad": 0},
        hovermode="closest",
        hoverdistance=60,
    )
    figure.update_xaxes(
        side="top",
        tickvals=list(range(len(sizes))),
        ticktext=[str(size) for size in sizes],
        title={"text": "training cases", "font": {"size": 12}, "standoff": 4},
        range=[-0.5, len(sizes) - 0.5],
        showgrid=False,
        automargin=False,
    )
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[f"{name}  " for name in names],
        range=[len(rows) - 0.5, -0.5],
        showgrid=False,
        automargin=False,
    )
