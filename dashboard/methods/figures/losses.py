"""Losses of one method on all its tasks, as one dot plot with the archive's best beside it."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.frame.theme import MethodStyle

__all__ = ["MethodLosses", "method_losses_figure"]

ROW_HEIGHT = 22
MARGINS = 110
TOP = 58
FARTHEST = 3.0
"""Losses farther than this beyond the baseline are drawn at the edge, with their value."""


class MethodLosses(NamedTuple):
    """One method's standardized losses.

    tasks: one a row, numbered from 0: task, dataset, prototask, prior, training_size, loss, standard_error,
    text and best_method, best_loss, best_error, best_text; baseline: None where it is not known.
    """

    method: str
    style: MethodStyle
    tasks: pd.DataFrame
    axis: str
    baseline: float | None
    baseline_text: str | None


def method_losses_figure(losses: MethodLosses) -> go.Figure:
    """Draw one row a task: the method's standardized loss with its standard error, and the lowest of all.

    A click gives the point's customdata: task and best method.
    """
    tasks = losses.tasks
    if tasks.empty:
        return theme.empty_figure("No results under this loss", height=160)
    figure = theme.new_figure(height=MARGINS + ROW_HEIGHT * len(tasks))
    low, high = _range(losses)
    _add_bands(figure, tasks)
    _add_best(figure, tasks, high)
    _add_method(figure, losses, high)
    _add_far(figure, losses, high)
    _label(figure, losses, low, high)
    return figure


def _range(losses: MethodLosses) -> tuple[float, float]:
    """Return the ends of the loss axis: from 0, or below where losses are, to the largest that is drawn."""
    values, errors = losses.tasks["loss"], losses.tasks["standard_error"].fillna(0)
    baseline = losses.baseline
    shown = pd.concat([values - errors, values + errors, losses.tasks["best_loss"]])
    shown = shown[np.isfinite(shown)]
    far = baseline + FARTHEST if baseline is not None else np.inf
    top = min(max([*shown, baseline or 0.0]), far)
    low = min([0.0, *shown])
    return low - 0.03 * (top - low) * (low < 0), top + 0.04 * (top - low)


def _add_bands(figure: go.Figure, table: pd.DataFrame) -> None:
    """Shade every other prototask, so that its tasks are seen to belong together."""
    groups = (
        table[["dataset", "prototask", "prior"]].ne(table[["dataset", "prototask", "prior"]].shift())
    ).any(axis=1)
    number = groups.cumsum()
    for _, rows in table.groupby(number):
        if number[rows.index[0]] % 2 == 0:
            figure.add_hrect(
                y0=rows.index[0] - 0.5,
                y1=rows.index[-1] + 0.5,
                fillcolor="rgba(127,135,144,0.10)",
                line_width=0,
            )


def _drawn(table: pd.DataFrame, column: str, high: float) -> pd.DataFrame:
    """Return the rows whose value can be drawn on the axis."""
    values = table[column]
    return table[np.isfinite(values) & (values <= high)]


def _add_best(figure: go.Figure, table: pd.DataFrame, high: float) -> None:
    shown = _drawn(table, "best_loss", high)
    figure.add_scatter(
        name="lowest of all methods",
        x=shown["best_loss"].tolist(),
        y=shown.index.tolist(),
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 13, "color": theme.GREY, "line": {"width": 2.5}},
        customdata=shown[["task", "best_method"]].values.tolist(),
        hovertext=[
            f"{words.plot_text(line.task)}<br>lowest: {words.plot_text(line.best_method)} {line.best_text}"
            for line in shown.itertuples()
        ],
        hoverinfo="text",
        **_steady(),
    )


def _add_method(figure: go.Figure, losses: MethodLosses, high: float) -> None:
    shown = _drawn(losses.tasks, "loss", high)
    errors = [None if np.isnan(error) else error for error in shown["standard_error"]]
    figure.add_scatter(
        name=words.plot_text(losses.method),
        x=shown["loss"].tolist(),
        y=shown.index.tolist(),
        mode="markers",
        marker={"symbol": losses.style.symbol, "size": 10, "color": losses.style.colour},
        error_x={"array": errors, "thickness": 2, "width": 4, "color": losses.style.colour},
        customdata=shown[["task", "best_method"]].values.tolist(),
        hovertext=[_hover(line) for line in shown.itertuples()],
        hoverinfo="text",
        **_steady(),
    )


def _add_far(figure: go.Figure, losses: MethodLosses, high: float) -> None:
    """Draw losses beyond the axis at its edge, with their value."""
    far = losses.tasks[losses.tasks["loss"] > high]
    if far.empty:
        return
    figure.add_scatter(
        x=[high] * len(far),
        y=far.index.tolist(),
        mode="markers+text",
        marker={"symbol": "triangle-right", "size": 11, "color": losses.style.colour},
        text=[f"{line.text}  " for line in far.itertuples()],
        textposition="middle left",
        customdata=far[["task", "best_method"]].values.tolist(),
        hovertext=[_hover(line) for line in far.itertuples()],
        hoverinfo="text",
        showlegend=False,
        cliponaxis=False,
        **_steady(),
    )


def _steady() -> dict[str, Any]:
    """A click selects a point to open it; nothing should fade."""
    return {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}


def _hover(line: Any) -> str:
    return (
        f"{words.plot_text(line.task)}: {line.text}<br>"
        f"lowest: {words.plot_text(line.best_method)} {line.best_text}<br>click to compare"
    )


def _label(figure: go.Figure, losses: MethodLosses, low: float, high: float) -> None:
    figure.update_yaxes(
        tickvals=list(range(len(losses.tasks))),
        ticktext=_labels(losses.tasks),
        range=[len(losses.tasks) - 0.5, -0.5],
        showgrid=False,
        tickfont={"size": 12},
    )
    figure.update_xaxes(title_text=losses.axis, range=[low, high], side="bottom")
    figure.update_layout(
        margin={"t": TOP, "r": 24},
        hovermode="closest",
        legend={"y": 1, "yanchor": "bottom", "x": 0, "xref": "paper", "entrywidth": 0},
    )
    figure.layout.legend.update(y=1 + 26 / (figure.layout.height - MARGINS))
    if losses.baseline is not None:
        figure.add_vline(x=losses.baseline, line={"color": theme.LINE_GREY, "width": 1.5, "dash": "dash"})
        figure.add_annotation(
            text=losses.baseline_text, showarrow=False, x=losses.baseline, y=1, yref="paper",
            yanchor="bottom", font={"size": 12},
        )  # fmt: skip


def _labels(table: pd.DataFrame) -> list[str]:
    """The prototask at its first task, then training sizes only."""
    labels: list[str] = []
    before = None
    for line in table.itertuples():
        group = (line.dataset, line.prototask, line.prior)
        name = words.plot_text(words.task_path(line.dataset, line.prototask), longest=30)
        name += "" if line.prior == "std" else f", prior {words.plot_text(line.prior, longest=12)}"
        labels.append(f"{f'{name}   ' if group != before else ''}{line.training_size:,} ")
        before = group
    return labels
