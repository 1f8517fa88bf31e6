"""Two methods on all tasks: one dot a task, and the diagonal on which both are as good."""

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = ["pair_scatter_figure"]

HEIGHT = 460
LOOKS = {
    "first": (theme.COLOURS[0], "triangle-down"),
    "second": (theme.COLOURS[1], "triangle-up"),
    "open": (theme.GREY, "circle-open"),
}
"""Colour and marker of tasks where a test settles it for one of the two, and of the others."""


def pair_scatter_figure(table: pd.DataFrame) -> go.Figure:
    """Draw a dot for each task; filled where the task's own test finds a difference.

    table: columns task, first, second (values of the two methods), settled (`first` or `second`, whichever
    is better there, or `open`), hover, path (None for a task that has no page); attrs names (of the two),
    quantity, higher_is_better, tested (is there a test of each task?). A click gives the path as customdata.
    """
    if table.empty:
        return theme.empty_figure("No task that both methods have", height=HEIGHT)
    figure = theme.new_figure(height=HEIGHT)
    low, high = _ends(table)
    figure.add_trace(_diagonal(low, high))
    for kind in LOOKS:
        part = table[table["settled"] == kind]
        if len(part):
            figure.add_trace(_dots(part, kind, table.attrs))
    first, second = (words.plot_text(name, longest=24) for name in table.attrs["names"])
    figure.update_xaxes(
        title_text=f"{first}: {_plain(table, '← better', '→')}", range=[low, high], showgrid=True
    )
    figure.update_yaxes(range=[low, high], showgrid=True)
    theme.title_y_axis(figure, f"{second}: {_plain(table, '↓ better', '↑')}")
    legend = {"y": 1.0, "yanchor": "bottom", "x": 1, "xanchor": "right"}
    figure.update_layout(
        margin={"t": 58, "r": 16}, legend=legend, showlegend=table.attrs["tested"], hovermode="closest"
    )
    figure.layout.legend.update(y=1 + 28 / (HEIGHT - 110))
    _name_sides(figure, first, second, higher=table.attrs["higher_is_better"])
    return figure


def _plain(table, lower, higher):
    """Return what the axis shows, and in which direction it is better."""
    arrow = f"better {higher}" if table.attrs["higher_is_better"] else lower
    return f"{table.attrs['quantity']}   {arrow}"


def _ends(table):
    values = [*table["first"], *table["second"]]
    low, high = min(values), max(values)
    low = 0.0 if 0 <= low < 0.5 * high else low
    reach = (high - low) or abs(high) or 1.0
    return low - 0.03 * reach, high + 0.04 * reach


def _diagonal(low, high):
    return {
        "type": "scatter",
        "x": [low, high],
        "y": [low, high],
        "mode": "lines",
        "line": {"color": theme.LINE_GREY, "width": 1.5, "dash": "dash"},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _dots(part, kind, attrs):
    colour, symbol = LOOKS[kind]
    names = dict(zip(("first", "second"), attrs["names"], strict=True))
    name = f"{words.plot_text(names[kind], longest=18)} better" if kind in names else "not settled"
    return {
        "type": "scatter",
        "name": name,
        "x": part["first"].tolist(),
        "y": part["second"].tolist(),
        "mode": "markers",
        "marker": {"color": colour, "symbol": symbol, "size": 9, "line": {"width": 1.4, "color": colour}},
        "customdata": part["path"].tolist(),
        "hovertext": part["hover"].tolist(),
        "hoverinfo": "text",
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _name_sides(figure, first, second, *, higher):
    """Say in each corner who is better there: above the diagonal the first has the lower value."""
    above, below = (second, first) if higher else (first, second)
    for text, x, y in ((f"{above} better", 0.03, 0.97), (f"{below} better", 0.97, 0.03)):
        figure.add_annotation(
            text=text,
            showarrow=False,
            xref="paper",
            yref="paper",
            x=x,
            y=y,
            xanchor="left" if x < 0.5 else "right",
            yanchor="top" if y > 0.5 else "bottom",
            font={"size": 12},
        )
