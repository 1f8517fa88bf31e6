"""Methods on kinds of tasks: a table of numbers on shades."""

from collections.abc import Sequence

import numpy as np

from delvecore.answers.wins_and_losses import (
    MEASURES,
    is_thin,
    kind_name,
    measured,
    measured_words,
    method_shares,
)
from delvecore.plots import theme
from delvecore.plots.figure import Figure
from delvecore.plots.highlighted_method import name_places
from delvecore.plots.theme import text_width
from delvecore.render.numbers import rank_text
from delvecore.report import words
from delvecore.report.ranking.sentences import group_name, places_words
from delvecore.stats.ranking.performance_profiles import GroupRanks

ROW_HEIGHT, LINE_HEIGHT, HEAD_HEIGHT = 34, 17, 26
CELL_WIDTH = 40
LONGEST, WIDEST = 36, 12
"""Letters of a row's name, and about those of a line of a column's."""
PALE = 0.7
"""Opacity of numbers of little weight: text on either ground keeps a contrast of 4.5 to 1."""


def kinds_figure(groups: Sequence[GroupRanks], places: Sequence[int], measure: str) -> Figure:
    """Methods by kinds of tasks: a cell for each, darker if better; kinds of few tasks have no shade.

    Parameters
    ----------
    groups : sequence of GroupRanks
        The kinds, from left to right.
    places : sequence of int
        Places of the methods that are drawn, from top to bottom.
    measure : str
        One of MEASURES: what the cells show.

    Returns
    -------
    Figure
        A click on a cell gives the method as customdata.

    Examples
    --------
    >>> from delvecore.stats.ranking.performance_profiles import group_ranks
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> scores = ScoreTable(("t1", "t2", "t3"), ("gp-1", "lin-1"), np.array([[1.0, 2.0]] * 3))
    >>> groups = group_ranks(scores, {"noise": {"low noise": ("t1", "t2", "t3")}}, unit="task")
    >>> kinds_figure(groups, [0, 1], "Mean rank").data[1]["text"]
    ['1.00', '2.00']
    """
    if not groups or not places:
        return theme.empty_figure("Nothing to show", height=160)
    heads = [words.lines(kind_name(group), longest=WIDEST) for group in groups]
    head = HEAD_HEIGHT + LINE_HEIGHT * max(text.count("<br>") for text in heads)
    figure = theme.new_figure(height=head + ROW_HEIGHT * len(places) + 8)
    methods = [groups[0].methods[place] for place in places]
    cells = [
        (column, row, *_shown(group, place, measure), _hover(group, place), [methods[row]], is_thin(group))
        for column, group in enumerate(groups)
        for row, place in enumerate(places)
    ]
    shades = np.full((len(places), len(groups)), np.nan)
    for column, row, _, shade, _, _, is_pale in cells:
        shades[row, column] = np.nan if is_pale else shade
    figure.add_trace(theme.shades(shades, gap=3, least=0, colours=theme.SEQUENTIAL))
    for pale, opacity in ((False, 1.0), (True, PALE)):
        if some := [cell[:-1] for cell in cells if cell[-1] == pale]:
            x, y, text, _, hover, target = map(list, zip(*some, strict=True))
            # The numbers are also what is clicked: a heatmap's own cells cannot be selected.
            mark = {"symbol": "square", "size": 26, "opacity": 0}
            look = {"text": text, "customdata": target, "marker": mark, "showlegend": False, **theme.UNSEEN}
            figure.add_trace(theme.trace("markers+text", x, y, hover=hover, opacity=opacity, **look))
    figure.update_layout(hoverdistance=-1, hovermode="closest", margin={"t": head})
    name_places(figure, y=methods)
    widest = max(text_width(line, 13) for text in heads for line in text.split("<br>"))
    rows = max(text_width(name, 13) for name in methods)
    theme.needs_width(figure, rows + max(widest + 6, CELL_WIDTH) * len(heads))
    theme.name_columns(figure, heads)
    theme.name_rows(figure, [words.plot_text(name, longest=LONGEST) for name in methods], showgrid=False)
    return figure


def _shown(group: GroupRanks, place: int, measure: str) -> tuple[str, float]:
    """Return (text, shade): a better one is darker."""
    value, count = float(measured(group, measure)[place]), len(group.methods)
    shade = (count - value) / max(count - 1, 1) if measure == MEASURES[0] else value
    return measured_words(value, measure), shade


def _hover(group: GroupRanks, place: int) -> str:
    name, kind = words.plot_text(group.methods[place]), words.plot_text(group_name(group))
    rank = f"mean rank {rank_text(group.average[place])}"
    if (places := group.places_of(place)) is not None:
        rank += f", {'place' if places[0] == places[1] else 'places'} {places_words(places)}"
    return f"<b>{name}</b> on {kind}:<br>{rank}<br>{method_shares(group, place)}"
