"""One method stands out in a figure: by what the figure says of itself, not by what is written in it."""

import pytest

from delvecore.answers.answer import Answer, IntervalFields, table_of
from delvecore.plots import theme
from delvecore.plots.critical_difference import Diagram, critical_difference_figure
from delvecore.plots.highlighted_method import emphasized, name_places
from delvecore.plots.rows import intervals_figure


@pytest.mark.parametrize("pixels", [0, 640])
def test_a_figure_says_which_width_it_needs_beside_what_its_places_stand_for(pixels):
    figure = theme.new_figure(height=100)
    name_places(figure, y=["a", "b"])
    if pixels:
        theme.needs_width(figure, pixels)
    assert theme.least_width(figure) == pixels
    assert theme.least_width(emphasized(figure, "a")) == pixels


STYLE = theme.MethodStyle(theme.COLORS[0], "circle")


def lines_figure():
    figure = theme.new_figure(height=100)
    for name in ("a", "mine"):
        look = {"line": {"width": 2}, "marker": {"size": 6}, "name": "the same words", "meta": name}
        figure.add_trace(theme.trace("lines+markers", [1, 2], [1, 2], **look))
    return figure


def test_a_line_of_ones_own_is_wider_larger_and_over_the_others():
    other, own = emphasized(lines_figure(), "mine").plotly().data
    assert (own.line.width, own.marker.size, own.zorder, own.name) == (4, 9, 1, "<b>the same words</b>")
    assert (other.line.width, other.marker.size, other.zorder, other.name) == (2, 6, None, "the same words")


def test_a_row_of_ones_own_is_black_and_the_others_keep_their_colors():
    rows = [(name, 1.0, 0.5, 1.5) for name in ("a", "mine")]
    table = table_of(rows, [(key, key, "number") for key in ("method", "mean", "low", "high")])
    drawn = IntervalFields(("method",), "mean", "low", "high", "mean rank")
    styles = dict.fromkeys(("a", "mine"), theme.MethodStyle(theme.COLORS[0], "circle"))
    figure = emphasized(intervals_figure(Answer("ranks", "", table, figure=drawn), styles), "mine")
    assert figure.plotly().data[0].marker.color == (theme.COLORS[0], theme.MINE)
    assert figure.plotly().data[0].marker.size == (8, 12)


def test_the_figure_that_all_visitors_share_stays_as_it_is():
    figure = lines_figure()
    before = figure.to_dict()
    emphasized(figure, "mine")
    assert figure.to_dict() == before


def test_a_tick_is_bold_by_its_place_and_not_by_its_words():
    figure = theme.new_figure(height=100)
    figure.update_yaxes(tickvals=[0, 1], ticktext=["mine", "mine"])
    name_places(figure, y=["mine, but longer", "mine"])
    assert emphasized(figure, "mine").plotly().layout.yaxis.ticktext == ("mine", "<b>mine</b>")


def test_the_label_the_mark_and_the_line_in_the_diagram_of_ranks_are_bold():
    columns = ("a", "mine"), (1.4, 1.6), (0.5, 0.5), ("", ""), (STYLE, STYLE)
    diagram = Diagram(*columns, ((0, 1),), 0.5, None, "a", "")
    figure = emphasized(critical_difference_figure(diagram), "mine")
    texts = [text for trace in figure.plotly().data if trace.mode == "text" for text in trace.text]
    assert [text for text in texts if "<b>" in text] == [text for text in texts if "mine" in text] != []
    sizes = [trace.marker.size for trace in figure.plotly().data if trace.mode == "markers" and trace.ids]
    assert sizes[0][1] == 1.5 * sizes[0][0]
    assert (
        figure.plotly().data[-1].line.width == 2 * figure.plotly().data[0].line.width
        or figure.plotly().data[-1].mode == "lines"
    )
