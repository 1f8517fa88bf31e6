"""Figures of the pages of a published site."""

from collections.abc import Callable, Mapping

from delvecore.answers.answer import Answer
from delvecore.answers.task_array import ArrayFacts
from delvecore.plots.critical_difference import critical_difference_figure
from delvecore.plots.figure import Figure, Part
from delvecore.plots.ranking_data import diagram_of, names_in_order
from delvecore.plots.task_arrays.costs import costs_figure
from delvecore.plots.task_arrays.curves import curves_figure
from delvecore.plots.task_arrays.effects import effects_map_figure, slopes_figure
from delvecore.plots.task_arrays.maps import regrets_figure, winners_figure
from delvecore.plots.task_arrays.panels import CLICK
from delvecore.plots.theme import MethodStyle
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.verdicts import PairVerdicts

_ARRAY_FIGURES: Mapping[str, Callable[[ArrayFacts, Mapping[str, MethodStyle]], Figure]] = {
    "estimates": curves_figure,
    "winners": winners_figure,
    "regrets": regrets_figure,
    "effects": effects_map_figure,
    "slopes": slopes_figure,
    "costs": costs_figure,
}
"""Figures of questions about a task-array. Differences have only a table."""


def ranking_diagram(analysis: Analysis, verdicts: PairVerdicts, styles: Mapping[str, MethodStyle]) -> Figure:
    """Critical-difference diagram of a ranking."""
    looks = [styles[name] for name in names_in_order(analysis)]
    return critical_difference_figure(diagram_of(analysis, verdicts, looks))


def array_figure(answer: Answer, styles: Mapping[str, MethodStyle]) -> Figure | None:
    """Draw the answer to a question about a task-array; None if it has only a table."""
    make = _ARRAY_FIGURES.get(answer.question)
    return None if make is None else make(answer.figure, styles)


def page_data(figure: Figure) -> Part:
    """Return a figure for a page without clicks, and without the template that pages share."""
    layout = {name: value for name, value in figure.layout.items() if name != "template"}
    traces = [{name: value for name, value in one.items() if name != "customdata"} for one in figure.data]
    for trace in traces:
        hover = trace.get("hovertext")
        if hover is not None:
            trace["hovertext"] = _unclickable(hover)
    return {"data": traces, "layout": layout}


def _unclickable(text: object) -> object:
    if isinstance(text, str):
        return text.replace(CLICK, "")
    return [_unclickable(one) for one in text] if isinstance(text, list | tuple) else text
