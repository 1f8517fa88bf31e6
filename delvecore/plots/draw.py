"""Figure of an answer, by the type of its record."""

from collections.abc import Callable, Mapping

from delvecore.answers.answer import Answer, IntervalFields
from delvecore.answers.leaderboard import Costs
from delvecore.answers.network_training import TrainingCurves
from delvecore.answers.ranking_figures import (
    BayesTriangle,
    MethodRows,
    PairScatter,
    RankMatrix,
    RanksWithout,
    ScoreBoxes,
    TaskCounts,
)
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
from delvecore.report.ranking.ranking_report import RankingReport

FIGURES: Mapping[type, Callable[..., Figure]] = {
    BayesTriangle: bayes_triangle_figure,
    Costs: front_figure,
    MethodRows: method_rows_figure,
    RankingReport: rank_diagram_figure,
    RankMatrix: rank_pairs_figure,
    PairScatter: pair_scatter_figure,
    RanksWithout: leave_out_figure,
    ScoreBoxes: score_boxes_figure,
    TaskCounts: task_verdicts_figure,
    TrainingCurves: training_figure,
}
"""Functions of table, record and styles of methods, by the type of the record."""


FOR_PAPERS = (MethodRows, RankingReport)
"""Records whose figures are laid out for the width and the letters of a paper."""


def draw(answer: Answer, styles: Mapping[str, MethodStyle]) -> Figure:
    """Draw the figure of an answer. Raises KeyError for a record that no figure draws."""
    if isinstance(answer.figure, IntervalFields):
        return intervals_figure(answer, styles)
    return FIGURES[type(answer.figure)](answer.table, answer.figure, styles)


def draw_wide(answer: Answer, styles: Mapping[str, MethodStyle], width: float) -> Figure:
    """Draw the figure of an answer so wide. width: inches up to 20, with letters of 8 points, or pixels."""
    font = theme.PAPER_LETTERS if width <= theme.LARGEST_WIDTH_IN_INCHES else theme.LETTERS
    pixels = theme.pixels_of(width)
    if isinstance(answer.figure, FOR_PAPERS):
        laid_out = FIGURES[type(answer.figure)]
        return laid_out(answer.table, answer.figure, styles, width=pixels, font=font)
    return theme.for_paper(draw(answer, styles), pixels / theme.PIXELS_OF_INCH)
