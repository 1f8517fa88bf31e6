"""Sources of error: how much training sets, test cases and the rest add to a difference's squared error."""

from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import rows, theme, words

__all__ = ["SOURCES", "ErrorShare", "ErrorSources", "error_bars_figure"]

SOURCES = {
    "hierarchical": {"training": "Training sets", "residual": "Test cases and the rest"},
    "common": {"training": "Training sets", "cases": "Test cases", "residual": "Interaction and the rest"},
}
LOOKS = {
    "training": (theme.COLOURS[0], "", "#ffffff"),
    "cases": (theme.COLOURS[3], "/", "#101418"),
    "residual": (theme.GREY, "", "#101418"),
}
"""Colour of a source, its pattern, and a colour in which text is read on it."""
SMALLEST_LABELLED = 0.09
LEGEND = 24


class ErrorShare(NamedTuple):
    """What one source adds to a difference's squared standard error, as a share of it."""

    method: str
    source: str
    share: float
    standard_error: float


class ErrorSources(NamedTuple):
    """design: `hierarchical` or `common`."""

    lines: tuple[ErrorShare, ...]
    design: str


def error_bars_figure(found: ErrorSources) -> go.Figure:
    """Draw one stacked bar a method, each part the share of one source in the squared standard error."""
    if not found.lines:
        return theme.empty_figure("No standard errors to take apart", height=160)
    methods = list(dict.fromkeys(line.method for line in found.lines))
    figure = rows.row_figure(len(methods))
    figure.update_layout(height=figure.layout.height + LEGEND)
    for source, title in SOURCES[found.design].items():
        _add_source(figure, [line for line in found.lines if line.source == source], methods, source, title)
    rows.label_rows(figure, methods)
    figure.update_layout(
        barmode="stack", showlegend=True, bargap=0.35, margin={"t": 34}, legend={"traceorder": "normal"}
    )
    figure.update_xaxes(range=[0, 1], tickformat=".0%", title_text="Share of the squared standard error")
    return figure


def _add_source(
    figure: go.Figure, lines: list[ErrorShare], methods: list[str], source: str, title: str
) -> None:
    colour, pattern, text_colour = LOOKS[source]
    shares = [line.share for line in lines]
    figure.add_bar(
        orientation="h",
        name=title,
        x=shares,
        y=[methods.index(line.method) for line in lines],
        text=[f"{100 * share:.0f} %" if share >= SMALLEST_LABELLED else "" for share in shares],
        textposition="inside",
        insidetextanchor="middle",
        textfont={"color": text_colour, "size": 13},
        marker={
            "color": colour,
            "pattern": {
                "shape": pattern,
                "size": 6,
                "solidity": 0.15,
                "fillmode": "overlay",
                "fgcolor": "#ffffff",
            },
        },
        hovertext=[
            f"{words.plot_text(line.method)}: {title.lower()}, {100 * line.share:.1f} %" for line in lines
        ],
        hoverinfo="text",
    )
