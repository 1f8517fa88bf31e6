"""Filters: what fits, and counts; and the picker of methods: boxes, All, None, Top 5, and a beginning of a name."""

import pytest

from dashboard.datasets.choice import FACETS
from dashboard.ui.controls import counts_of, matching
from tests.dashboard.compare_archive import AGE, add_losses


def row(name: str, **changes) -> dict:
    facts = {
        "dataset": name,
        "title": None,
        "summary": None,
        "origin": "natural",
        "usage": "assessment",
        "task_types": ["regression"],
        "cases": 500,
        "attributes": 10,
        "missing_values": 0,
        "prototasks": [],
    }
    return facts | changes


ROWS = [
    row("a"),
    row("b", origin="simulated", cases=501, task_types=["classification", "regression"]),
    row("c", cases=None, missing_values=None, title="Wines of Italy"),
]
ORIGIN, SIZE = (next(one for one in FACETS if one.name == name) for name in ("origin", "size"))


def names(rows) -> list[str]:
    return [each["dataset"] for each in rows]


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ({}, ["a", "b", "c"]),
        ({"origin": ["natural"]}, ["a", "c"]),
        ({"origin": ["natural", "simulated"], "kind": ["classification"]}, ["b"]),
        ({"missing": ["none"]}, ["a", "b"]),
    ],
)
def test_options_of_one_filter_are_alternatives_and_filters_add_up(chosen, found):
    assert names(matching(ROWS, FACETS, chosen)) == found


def test_counts_say_what_an_option_would_give_under_the_other_filters():
    counts = counts_of(ORIGIN, ROWS, FACETS, {"origin": ["natural"], "kind": ["classification"]})
    assert counts == {"natural": 0, "cultivated": 0, "simulated": 1, "artificial": 0}
    assert ORIGIN.options_of(ROWS) == ["natural", "simulated"]  # those that occur
    assert SIZE.options_of(ROWS) == ["up to 500", "501 to 5,000"]


@pytest.fixture
def many(small):
    for number in range(8):
        add_losses(
            small, f"rf-{number}", AGE, "S", [[2.0 + number, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0 + number, 5.0]]
        )


def pressed(app):
    return app.session_state["control-methods"]


def test_boxes_are_pressed_by_all_none_top_five_and_the_beginning_of_a_name(many, run_page):
    app = run_page("compare", task=AGE, loss="S")
    assert len(pressed(app)) == 10
    for button, count in (("None", 0), ("Top 5", 5), ("All", 10), ("None", 0)):
        app.button(key=f"methods-{button}").click().run()
        assert len(pressed(app)) == count
    app.text_input(key="find-method").set_value("rf").run()
    assert not app.exception
    assert len(pressed(app)) == 1
    assert pressed(app)[0].startswith("rf")
