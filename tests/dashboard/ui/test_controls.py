"""Filters: what fits, and counts; and the picker of methods: boxes, All, None, Top 5, and a beginning of a name."""

import pytest

from dashboard.datasets.choice import FACETS
from dashboard.ui.controls import counts_of, matching
from tests.dashboard.array_archive import METHODS
from tests.dashboard.compare_archive import AGE, add_losses
from tests.dashboard.reading import answer, figures, plain


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
    ("chosen", "matches"),
    [
        ({}, ["a", "b", "c"]),
        ({"origin": ["natural"]}, ["a", "c"]),
        ({"origin": ["natural", "simulated"], "kind": ["classification"]}, ["b"]),
        ({"missing": ["none"]}, ["a", "b"]),
    ],
)
def test_options_of_one_filter_are_alternatives_and_filters_add_up(chosen, matches):
    assert names(matching(ROWS, FACETS, chosen)) == matches


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


def address(app):
    """The methods of the address."""
    methods = app.query_params["methods"]
    return [methods] if isinstance(methods, str) else methods


def test_boxes_are_pressed_by_all_none_top_five_and_the_beginning_of_a_name(many, run_page):
    app = run_page("compare", task=AGE, loss="S")
    assert len(pressed(app)) == 10
    for button, count in (("None", 0), ("Top 5", 5), ("All", 10), ("None", 0)):
        app.button(key=f"methods-{button}").click().run()
        assert len(pressed(app)) == count
    app.text_input(key="find-method").set_value("rf").run()
    assert not app.exception
    assert address(app) == pressed(app)
    assert len(pressed(app)) == 1
    assert pressed(app)[0].startswith("rf")


PAGES = ("compare", "ranking", "task_arrays", "tables")


@pytest.mark.parametrize("name", PAGES)
def test_none_is_an_empty_choice_that_can_be_linked_and_asks_for_methods(name, array_page):
    app = array_page.fresh(name)
    app.button(key="methods-None").click().run()
    for shown in (app, array_page(name, methods="")):
        assert not shown.exception
        assert address(shown) == [""]
        assert pressed(shown) == []
        assert "**No method is chosen.** Choose methods in the list, or press All." in plain(shown)
        assert figures(shown) == []
    app.button(key="methods-All").click().run()
    assert "methods" not in app.query_params
    assert pressed(app) == list(METHODS)


@pytest.mark.parametrize("name", PAGES)
def test_one_method_is_chosen_alone_and_another_click_adds_one(name, array_page):
    app = array_page.fresh(name, methods="pear")
    assert pressed(app) == ["pear"]
    assert "apple" not in answer(app)
    compares = name != "tables"
    assert (
        any(
            one in plain(app)
            for one in ("only one method", "one method only", "only method", "another method")
        )
        == compares
    )
    boxes = next(one for one in app.get("button_group") if one.key == "control-methods")
    boxes.set_value(["pear", "quince"]).run()
    assert not app.exception
    assert pressed(app) == address(app) == ["pear", "quince"]


def test_methods_without_results_here_leave_none_to_show(array_page):
    app = array_page("compare", methods="gone-with-the-wind")
    assert pressed(app) == []
    assert "“gone-with-the-wind”" in plain(app)
    assert "**No method is chosen.**" in plain(app)
