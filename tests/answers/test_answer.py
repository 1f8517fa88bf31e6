"""Tables of answers: columns that are selected keep what stands out in them."""

from delvecore.answers.answer import Answer, Column, Table
from delvecore.render.answers import answer_text

NAMES, MEANS, ERRORS = (Column(key, key, "number", [1.0, 2.0]) for key in ("name", "mean", "error"))
TABLE = Table((NAMES, MEANS, ERRORS), frozenset({(0, "mean"), (1, "error")}))


def test_cells_of_columns_that_are_left_out_do_not_stand_out():
    assert TABLE.select("name", "mean").bold == {(0, "mean")}
    assert TABLE.drop("mean").bold == {(1, "error")}
    assert answer_text(Answer("q", "A caption.", TABLE.drop("error")), "latex").count(r"\mathbf{") == 1
