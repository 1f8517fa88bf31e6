"""Score distributions: a box and all single values of each method, over tasks or over training sets."""

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = ["score_distributions_figure"]

ROW_HEIGHT, SMALL_ROW, FEW = 52, 30, 12
TOP, BOTTOM = 28, 56


def score_distributions_figure(table: pd.DataFrame) -> go.Figure:
    """Draw one row a method: its quartiles as a box, whiskers to the last value within 1.5 times its
    length, and every value as a dot.

    table: columns method, value, task, colour, symbol; methods in order. attrs: axis, baseline and
    baseline_text (None where there is none).
    """
    if table.empty:
        return theme.empty_figure("No values to show", height=160)
    methods = list(dict.fromkeys(table["method"]))
    height = ROW_HEIGHT if len(methods) <= FEW else SMALL_ROW
    figure = theme.new_figure(height=TOP + BOTTOM + height * len(methods))
    figure.update_layout(margin={"l": 8, "r": 16, "t": TOP, "b": 8}, showlegend=False, hovermode="closest")
    figure.add_traces([_box(row, part) for row, (_, part) in enumerate(table.groupby("method", sort=False))])
    names = [words.plot_text(name, longest=24) + " " for name in methods]
    figure.update_yaxes(
        tickvals=list(range(len(methods))), ticktext=names, range=[len(methods) - 0.45, -0.55], showgrid=False
    )
    _scale(figure, table)
    return figure


def _box(row, part):
    colour = part["colour"].iloc[0]
    return {
        "type": "box",
        "orientation": "h",
        "x": part["value"].tolist(),
        "y": [row] * len(part),
        "width": 0.5,
        "boxpoints": "all",
        "jitter": 0.5,
        "pointpos": 0,
        "fillcolor": "rgba(127,135,144,0.14)",
        "line": {"color": theme.LINE_GREY, "width": 1.5},
        "marker": {
            "color": colour,
            "symbol": part["symbol"].iloc[0],
            "size": 6,
            "opacity": 0.75,
        },
        "text": [words.plot_text(task) for task in part["task"]],
        "name": words.plot_text(part["method"].iloc[0], longest=24),
        "hovertemplate": "%{text}: %{x:.4g}<extra></extra>",
        "hoveron": "points",
    }


def _scale(figure, table):
    low, high = table["value"].min(), table["value"].max()
    baseline = table.attrs["baseline"]
    if baseline is not None:
        low, high = min(low, baseline), max(high, baseline)
        figure.add_vline(x=baseline, line={"color": theme.LINE_GREY, "width": 1.5, "dash": "dash"})
        figure.add_annotation(
            text=table.attrs["baseline_text"], showarrow=False, x=baseline, y=1, yref="paper",
            yanchor="bottom", font={"size": 12},
        )  # fmt: skip
    low = min(low, 0.0) if low >= 0 and baseline is not None else low
    reach = (high - low) or 1.0
    figure.update_xaxes(title_text=table.attrs["axis"], range=[low - 0.02 * reach, high + 0.03 * reach])
