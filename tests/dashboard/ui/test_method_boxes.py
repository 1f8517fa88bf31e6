"""The picker of methods: boxes, All, None, Top 5, and the first that a beginning means."""

import pytest

from tests.dashboard.compare_archive import AGE, add_losses

pytestmark = pytest.mark.slow


@pytest.fixture
def many(small):
    for number in range(8):
        add_losses(
            small, f"rf-{number}", AGE, "S", [[2.0 + number, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0 + number, 5.0]]
        )


def pressed(app):
    return app.session_state["control-methods"]


def test_none_takes_all_boxes_out_and_top_five_presses_five(many, run_page):
    app = run_page("compare", task=AGE, loss="S")
    assert len(pressed(app)) == 10
    app.button(key="methods-None").click().run()
    assert pressed(app) == []
    app.button(key="methods-Top 5").click().run()
    assert len(pressed(app)) == 5
    app.button(key="methods-All").click().run()
    assert len(pressed(app)) == 10


def test_a_beginning_and_enter_press_the_first_box_only(many, run_page):
    app = run_page("compare", task=AGE, loss="S")
    app.button(key="methods-None").click().run()
    app.text_input(key="find-method").set_value("rf").run()
    assert not app.exception
    assert len(pressed(app)) == 1
    assert pressed(app)[0].startswith("rf")
