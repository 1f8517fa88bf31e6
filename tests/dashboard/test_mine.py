"""The visitor's own method: in the address, in every first line, bold in figures and tables."""

import json

import pytest

from dashboard.server.hosting import Hosting
from dashboard.server.pages import ADDRESSES
from tests.dashboard.array_archive import opened_array
from tests.dashboard.conftest import go_to
from tests.dashboard.reading import texts

pytestmark = pytest.mark.slow


def answer(app):
    return app.markdown[0].value.replace("\\", "")


@pytest.fixture
def array(tmp_path):
    opened_array(tmp_path)


@pytest.mark.parametrize("page", ADDRESSES)
def test_yours_is_in_the_first_line_of_every_page(array, run_page, page):
    app = run_page(page, mine="pear")
    assert not app.exception
    assert "Yours is **pear**" in answer(app)
    assert "Yours is" not in answer(run_page(page))


def test_the_first_lines_say_where_yours_stands(array, run_page):
    assert "Yours is **pear**, **rank 2 of 3**" in answer(run_page("ranking", mine="pear"))
    assert "Yours is **pear**, **rank 2 of 3**" in answer(run_page("compare", mine="pear"))
    assert "Yours is **pear**, **place 2 of 3** by that: lowest on" in answer(
        run_page("task_arrays", mine="pear")
    )


def test_a_control_marks_it_and_it_travels(array, run_page):
    app = run_page("ranking")
    (control,) = [box for box in app.selectbox if box.label == "Mine"]
    control.set_value("quince").run()
    assert "Yours is **quince**" in answer(app)
    assert app.query_params["mine"] == "quince"
    go_to(app, "compare").run()
    assert "Yours is **quince**" in answer(app)


def test_a_method_that_is_not_there_is_told(array, run_page):
    app = run_page("ranking", mine="no *such*")
    assert "method of yours “no \\*such\\*”, which this archive does not have" in texts(app)
    assert "Yours is" not in answer(app)


def test_figures_and_tables_have_it_bold(array, run_page):
    app = run_page("compare", mine="pear")
    figures = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    ticks = [text for one in figures for text in one["layout"]["yaxis"].get("ticktext", ())]
    assert [text for text in ticks if "<b>" in text] == [text for text in ticks if "pear" in text] != []
    (leaders,) = [
        json.loads(chart.proto.spec) for chart in run_page("methods", mine="pear").get("plotly_chart")
    ][:1]
    assert [text for text in leaders["layout"]["yaxis"]["ticktext"] if "<b>" in text] == ["<b>pear </b>"]


def test_the_address_that_is_opened_marks_it():
    assert Hosting().address(8501) == "http://127.0.0.1:8501"
    assert Hosting().address(8501, {"mine": "a b&c"}) == "http://127.0.0.1:8501/?mine=a%20b%26c"
