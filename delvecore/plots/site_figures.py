"""Figures of the pages of a published site."""

from collections.abc import Callable, Mapping, Sequence

import pyarrow as pa

from delvecore.measures import Measure
from delvecore.model import TaskArray
from delvecore.plots import theme
from delvecore.plots.cost_quality import costs_figure
from delvecore.plots.critical_difference import critical_difference_figure
from delvecore.plots.figure import Figure, Part
from delvecore.plots.ranking_data import diagram_of, names_in_order
from delvecore.plots.task_arrays.costs import cost_paths
from delvecore.plots.task_arrays.curves import curves_figure
from delvecore.plots.task_arrays.effects import effects_map_figure, slopes_figure
from delvecore.plots.task_arrays.maps import regrets_figure, winners_figure
from delvecore.plots.task_arrays.panels import CLICK, Scene, looks_of
from delvecore.stats.choose import Setting
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.verdicts import PairVerdicts

_ARRAY_FIGURES: Mapping[str, Callable[[pa.Table, Scene], Figure]] = {
    "estimates": curves_figure,
    "winners": winners_figure,
    "regrets": regrets_figure,
    "effects": effects_map_figure,
    "slopes": slopes_figure,
    "costs": lambda table, scene: costs_figure(cost_paths(table, scene)),
}
"""Figures of questions about a task-array. The largest, of differences, is a table only."""


def ranking_diagram(
    found: Analysis, verdicts: PairVerdicts, styles: Mapping[str, theme.MethodStyle]
) -> Figure:
    """Critical-difference diagram of a ranking."""
    looks = [styles[name] for name in names_in_order(found)]
    return critical_difference_figure(diagram_of(found, verdicts, looks))


def array_scene(
    array: TaskArray, measure: Measure, setting: Setting, methods: Sequence[str], *, known: Sequence[str]
) -> Scene:
    """Return the looks of methods on a task-array. known: all methods, in the order of their colors."""
    looks = looks_of(methods, known=known, coloured=methods[: len(theme.COLOURS)])
    return Scene(array, measure, looks, setting)


def array_figure(question: str, table: pa.Table, scene: Scene) -> Figure | None:
    """Draw the numbers of a question about a task-array; None if it is a table only."""
    make = _ARRAY_FIGURES.get(question)
    return None if make is None else make(table, scene)


def page_data(figure: Figure) -> Part:
    """Return a figure for a page on which nothing can be clicked, without the template that pages share."""
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
