"""The visitor's own method: in the address, in every first line, bold in figures and tables."""

import pytest

from dashboard.server.pages import ADDRESSES
from tests.dashboard.conftest import visit
from tests.dashboard.reading import answer, box


@pytest.mark.parametrize("page", ADDRESSES)
def test_yours_is_in_the_first_line_of_every_page(array_page, page):
    said = answer(array_page(page, mine="pear"))
    assert "Yours is **pear**" in said or said.startswith("pear ranks 2 of 2")


def test_the_first_lines_say_where_yours_stands(array_page):
    assert "Yours is **pear**, **rank 2 of 3**" in answer(array_page("ranking", mine="pear"))
    assert "Yours is **pear**, **rank 2 of 3**" in answer(array_page("compare", mine="pear"))
    said = answer(array_page("task_arrays", mine="pear"))
    assert "Yours is **pear**, **place 2 of 3** by that: lowest on" in said


def test_a_control_marks_it_and_it_travels(array_page):
    app = array_page.fresh("ranking")
    assert "Yours is" not in answer(app)
    box(app, "Mine").set_value("quince").run()
    assert "Yours is **quince**" in answer(app)
    assert app.query_params["mine"] == "quince"
    visit(app, "compare")
    assert "Yours is **quince**" in answer(app)
