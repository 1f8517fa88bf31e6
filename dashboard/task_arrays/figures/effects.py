"""Effects of a task-array's factors on the loss of one method, the largest first, and of several together."""

from collections.abc import Sequence
from math import isnan, log, log10
from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import rows, theme, words
from dashboard.task_arrays.figures.marks import Estimate, Look, estimate_trace

__all__ = [
    "EffectCell",
    "EffectRow",
    "EffectsFigure",
    "EffectsMap",
    "effects_figure",
    "effects_map_figure",
    "factor_ticks",
]

RIGHT = 84
CELL_HEIGHT = 32
HEAD = 34
LOWERS, RAISES = "▼", "▲"
NOTHING = "No effects can be estimated: too few tasks have results"
FACTORS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100)
MOST_TICKS = 9


class EffectRow(NamedTuple):
    """One effect. share: what is written at the right."""

    label: str
    effect: Estimate
    share: str


class EffectsFigure(NamedTuple):
    """All that is drawn. is_factor: effects multiply the loss, and 1 is none; else 0; axis: its title."""

    rows: tuple[EffectRow, ...]
    look: Look
    is_factor: bool
    axis: str


def effects_figure(drawn: EffectsFigure) -> go.Figure:
    """Draw one row an effect, the first on top: a dot with its interval, filled where it is significant.

    Factors have a logarithmic axis.
    """
    if not drawn.rows:
        return theme.empty_figure(NOTHING, height=160)
    count = len(drawn.rows)
    effects = [row.effect for row in drawn.rows]
    figure = rows.row_figure(count, right=RIGHT)
    bar = {"thickness": 2, "width": 5, "color": drawn.look.colour}
    values = [effect.value for effect in effects]
    figure.add_trace(
        estimate_trace(effects, [drawn.look] * count, x=values, y=range(count), bar=bar, size=11)
    )
    rows.label_rows(figure, [row.label for row in drawn.rows], longest=48)
    rows.add_right_texts(figure, [row.share for row in drawn.rows])
    rows.add_vertical_line(figure, 1 if drawn.is_factor else 0)
    _head(figure, "no effect", x=0)
    _head(figure, "share", x=1, xref="paper", xanchor="left", xshift=8)
    figure.update_xaxes(title_text=drawn.axis)
    if drawn.is_factor:
        _scale_factors(figure, effects)
    return figure


def _head(figure: go.Figure, text: str, **place: float | str) -> None:
    figure.add_annotation(
        text=text, showarrow=False, y=1, yref="paper", yanchor="bottom", font={"size": 12}, **place
    )


def _scale_factors(figure: go.Figure, effects: Sequence[Estimate]) -> None:
    ends = [end for one in effects for end in (one.value, one.lower, one.upper) if not isnan(end)]
    low, high = min(*ends, 1.0) / 1.08, max(*ends, 1.0) * 1.08
    shown = factor_ticks(low, high)
    figure.update_xaxes(
        type="log",
        range=[log10(low), log10(high)],
        tickvals=shown,
        ticktext=[f"× {tick:g}" for tick in shown],
    )


def factor_ticks(low: float, high: float) -> list[float]:
    """Return factors between the ends for a logarithmic axis, 1 among them, none too near to another."""
    least = log10(high / low) / MOST_TICKS
    shown = [1.0]
    for tick in (
        *filter(lambda factor: factor > 1, FACTORS),
        *filter(lambda factor: factor < 1, FACTORS[::-1]),
    ):
        if low <= tick <= high and all(abs(log10(tick / other)) >= least for other in shown):
            shown.append(tick)
    return sorted(shown)


class EffectCell(NamedTuple):
    """An effect on one method. row, column: numbers of its label and its method."""

    row: int
    column: int
    effect: Estimate


class EffectsMap(NamedTuple):
    """All that is drawn. labels, methods: of the rows and columns; is_factor: effects multiply the loss."""

    cells: tuple[EffectCell, ...]
    labels: tuple[str, ...]
    methods: tuple[str, ...]
    is_factor: bool


def effects_map_figure(drawn: EffectsMap) -> go.Figure:
    """Draw a row an effect and a column a method: its size, shaded, with a triangle where significant."""
    if not drawn.cells:
        return theme.empty_figure(NOTHING, height=160)
    figure = theme.new_figure(height=HEAD + CELL_HEIGHT * len(drawn.labels) + 8)
    sizes = [log(cell.effect.value) if drawn.is_factor else cell.effect.value for cell in drawn.cells]
    _add_shades(figure, drawn, sizes)
    figure.add_scatter(
        x=[cell.column for cell in drawn.cells],
        y=[cell.row for cell in drawn.cells],
        mode="text",
        text=[
            _text(cell.effect, size, drawn.is_factor) for cell, size in zip(drawn.cells, sizes, strict=True)
        ],
        textfont={"size": 12},
        hovertext=[cell.effect.hover for cell in drawn.cells],
        hoverinfo="text",
        showlegend=False,
    )
    rows.label_rows(figure, drawn.labels, longest=48)
    figure.update_xaxes(
        side="top",
        tickvals=list(range(len(drawn.methods))),
        ticktext=[words.plot_text(name, longest=12) for name in drawn.methods],
        tickfont={"size": 12},
        range=[-0.5, len(drawn.methods) - 0.5],
        showgrid=False,
    )
    figure.update_yaxes(showgrid=False)
    figure.update_layout(margin={"t": HEAD, "b": 8}, hovermode="closest", hoverdistance=40)
    return figure


def _text(effect: Estimate, size: float, is_factor: bool) -> str:
    shown = f"× {effect.value:.2f}" if is_factor else words.number(effect.value, digits=2)
    if not effect.settled or not size:
        return shown
    return f"{shown} {RAISES if size > 0 else LOWERS}"


def _add_shades(figure: go.Figure, drawn: EffectsMap, sizes: Sequence[float]) -> None:
    shades: list[list[float | None]] = [[None] * len(drawn.methods) for _ in drawn.labels]
    for cell, size in zip(drawn.cells, sizes, strict=True):
        shades[cell.row][cell.column] = size
    reach = max(map(abs, sizes)) or 1.0
    figure.add_heatmap(
        z=shades,
        zmin=-reach,
        zmax=reach,
        colorscale=theme.DIVERGING,
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
