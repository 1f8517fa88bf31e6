"""What figures with one row a method have in common: the rows' axis, texts right of them, vertical lines."""

from collections.abc import Sequence

import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = ["ROW_HEIGHT", "add_right_texts", "add_vertical_line", "label_rows", "row_figure"]

ROW_HEIGHT = 36
MARGINS = 76
TOP = 24


def row_figure(rows: int, *, right: int = 16) -> go.Figure:
    """Return an empty figure for so many rows; right: pixels for texts beside them."""
    figure = theme.new_figure(height=MARGINS + ROW_HEIGHT * max(rows, 1))
    figure.update_layout(margin={"l": 8, "r": right, "t": TOP, "b": 8}, showlegend=False, hovermode="closest")
    return figure


def label_rows(figure: go.Figure, labels: Sequence[str], *, longest: int = 24) -> None:
    """Write the rows' names at the left, the first at the top."""
    figure.update_yaxes(
        tickvals=list(range(len(labels))),
        ticktext=[words.plot_text(label, longest=longest) + " " for label in labels],
        range=[len(labels) - 0.5, -0.5],
        showgrid=True,
    )


def add_right_texts(figure: go.Figure, texts: Sequence[str]) -> None:
    """Write a text right of each row; an empty one writes nothing."""
    for row, text in enumerate(texts):
        if text:
            figure.add_annotation(
                text=text,
                showarrow=False,
                x=1,
                xref="paper",
                xanchor="left",
                xshift=8,
                y=row,
                yref="y",
                font={"size": 13},
            )


def add_vertical_line(figure: go.Figure, x: float, *, text: str | None = None, dash: str = "dash") -> None:
    """Draw a thin line over all rows, with a text above it."""
    figure.add_vline(x=x, line={"color": theme.LINE_GREY, "width": 1.5, "dash": dash}, layer="below")
    if text:
        figure.add_annotation(
            text=text, showarrow=False, x=x, y=1, yref="paper", yanchor="bottom", font={"size": 12}
        )
