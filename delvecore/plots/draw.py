"""Figure of an answer, by its kind."""

from collections.abc import Callable, Mapping

from delvecore.answers.answer import Answer, FigureKind, IntervalFields
from delvecore.plots import theme
from delvecore.plots.cost_quality import front_figure
from delvecore.plots.figure import Figure
from delvecore.plots.method_rows import (
    leave_out_figure,
    score_boxes_figure,
    task_verdicts_figure,
)
from delvecore.plots.methods import training_figure
from delvecore.plots.rank_rows import method_rows_figure
from delvecore.plots.ranking_data import rank_diagram_figure
from delvecore.plots.ranking_pairs import bayes_triangle_figure, pair_scatter_figure, rank_pairs_figure
from delvecore.plots.rows import intervals_figure
from delvecore.plots.theme import MethodStyle

FIGURES: Mapping[FigureKind, Callable[..., Figure]] = {
    "bayes": bayes_triangle_figure,
    "diagram": rank_diagram_figure,
    "front": front_figure,
    "leave out": leave_out_figure,
    "methods": method_rows_figure,
    "pairs": rank_pairs_figure,
    "scatter": pair_scatter_figure,
    "task verdicts": task_verdicts_figure,
    "training": training_figure,
    "values": score_boxes_figure,
}
"""Functions of table, figure data and styles of methods."""


FOR_PAPERS = ("methods", "diagram")
"""Figures with a separate layout for the width and the letters of a paper."""


def draw(answer: Answer, styles: Mapping[str, MethodStyle]) -> Figure:
    """Draw the figure of an answer. Raises AttributeError for an answer without a figure."""
    if isinstance(answer.figure, IntervalFields):
        return intervals_figure(answer, styles)
    return FIGURES[answer.figure.kind](answer.table, answer.figure, styles)


def draw_wide(answer: Answer, styles: Mapping[str, MethodStyle], width: float) -> Figure:
    """Draw the figure of an answer at a width: in inches up to 20, with 8-point letters; above in pixels."""
    font = theme.PAPER_LETTERS if width <= theme.LARGEST_WIDTH_IN_INCHES else theme.LETTERS
    pixels = theme.pixels_of(width)
    if not isinstance(answer.figure, IntervalFields) and answer.figure.kind in FOR_PAPERS:
        return FIGURES[answer.figure.kind](answer.table, answer.figure, styles, width=pixels, font=font)
    return theme.for_paper(draw(answer, styles), pixels / theme.PIXELS_OF_INCH)
