"""Names beside marks: none on another, none on a line."""

import plotly.graph_objects as go

from delvecore.plots.cost_quality import Named, boxes_of_line, label_marks


def anchors(marks, lines=()):
    figure = go.Figure()
    label_marks(figure, marks, list(lines))
    return [(note.name, note.xanchor, note.showarrow) for note in figure.layout.annotations]


def test_a_name_alone_stands_right_of_its_mark():
    assert anchors([Named("a", (100, 100), 1, 1)]) == [("a", "left", False)]


def test_a_name_gives_way_to_a_mark_at_its_right_and_to_a_line():
    # A name of one letter is taken to be 14.6 pixels wide and starts 7 right of its mark.
    marks = [Named("a", (100, 100), 1, 1), Named("b", (118, 100), 2, 1)]
    assert anchors(marks) == [("a", "center", False), ("b", "left", False)]
    line = boxes_of_line([(100, 60), (100, 140)])
    assert anchors(marks[:1], line) == [("a", "left", False)]
    wide = boxes_of_line([(60, 100), (140, 100)])
    assert anchors(marks[:1], wide) == [("a", "center", False)]
