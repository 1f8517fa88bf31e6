"""Cost against loss on a task-array: seconds of an instance, and the mean loss, by size of training sets."""

import pandas as pd
import plotly.graph_objects as go

from dashboard import theme, words

__all__ = ["costs_figure"]

HEIGHT, TOP = 480, 34
UNITS = ((1e-3, "1 ms"), (1e-2, "10 ms"), (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (60, "1 min"))
UNITS += ((600, "10 min"), (3600, "1 h"), (36000, "10 h"))


def costs_figure(table: pd.DataFrame) -> go.Figure:
    """Draw a path a method: one mark a size of training sets, from the smallest (small) to the largest.

    table: columns method, training_size, seconds, loss, colour, symbol, dash, drawn, hover; attrs title, baseline,
    baseline_text. The seconds are on a logarithmic axis; grey methods have thin paths.
    """
    if table.empty:
        return theme.empty_figure("No costs are recorded for these methods", height=200)
    figure = theme.new_figure(height=HEIGHT)
    for _, path in sorted(
        table.groupby("method", sort=False), key=lambda item: item[1]["drawn"].iloc[0] != "grey"
    ):
        figure.add_trace(_path(path))
        _label_end(figure, path)
    _scale(figure, table)
    theme.title_y_axis(figure, table.attrs["title"])
    figure.update_layout(
        margin={"l": 44, "r": 96, "t": TOP, "b": 8}, showlegend=False, hovermode="closest", hoverdistance=14
    )
    return figure


def _path(path):
    first = path.iloc[0]
    is_grey = first["drawn"] == "grey"
    colour = theme.GREY if is_grey else first["colour"]
    sizes = [5 + 6 * n / max(len(path) - 1, 1) for n in range(len(path))]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": words.plot_text(first["method"]),
        "x": path["seconds"].tolist(),
        "y": path["loss"].tolist(),
        "line": {
            "color": colour,
            "width": 1 if is_grey else 1.8,
            "dash": "solid" if is_grey else first["dash"],
        },
        "marker": {"color": colour, "symbol": first["symbol"], "size": 4 if is_grey else sizes},
        "opacity": 0.6 if is_grey else 1,
        "hovertext": path["hover"].tolist(),
        "hoverinfo": "text",
    }


def _label_end(figure, path):
    last = path.iloc[-1]
    if last["drawn"] == "grey":
        return
    figure.add_scatter(
        x=[last["seconds"]],
        y=[last["loss"]],
        mode="text",
        text=[f"  {words.plot_text(last['method'], longest=14)}"],
        textposition="middle right",
        textfont={"size": 12},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _scale(figure, table):
    shown = [
        (value, text)
        for value, text in UNITS
        if table["seconds"].min() / 3 <= value <= table["seconds"].max() * 3
    ]
    figure.update_xaxes(
        type="log",
        tickvals=[value for value, _ in shown],
        ticktext=[text for _, text in shown],
        title={"text": "← cheaper   median seconds of the processor, an instance", "font": {"size": 12}},
    )
    baseline = table.attrs["baseline"]
    if table["loss"].min() >= 0:
        top = max(table["loss"].max(), baseline or 0) * 1.06
        figure.update_yaxes(range=[0, top])
    if baseline is not None:
        figure.add_hline(
            y=baseline, line={"color": theme.LINE_GREY, "width": 1.2, "dash": "dash"}, layer="below"
        )
        figure.add_annotation(
            text=table.attrs["baseline_text"], x=0.005, xref="paper", y=baseline, xanchor="left", yanchor="bottom",
            showarrow=False, font={"size": 11},
        )  # fmt: skip
