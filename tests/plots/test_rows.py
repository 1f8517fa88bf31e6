"""Rows that figures share: what is written beside them."""

import plotly.graph_objects as go

from delvecore.plots import rows


def test_texts_beside_rows_are_given_to_the_figure_at_once_however_many_there_are(monkeypatch):
    figure = rows.rows_figure([f"method-{number}" for number in range(300)])
    rows.add_vertical_line(figure, 0.5, text="here")
    given, give = [], go.Figure.update_layout
    monkeypatch.setattr(
        go.Figure, "update_layout", lambda *args, **more: given.append(more) or give(*args, **more)
    )
    rows.add_right_texts(figure, ["" if number == 7 else f"{number}" for number in range(300)])
    assert len(given) == 1
    written = {one.y: one.text for one in figure.layout.annotations if one.xanchor == "left"}
    assert written == {number: f"{number}" for number in range(300) if number != 7}
    assert "here" in [one.text for one in figure.layout.annotations]
