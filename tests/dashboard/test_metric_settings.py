"""Settings of the metric beside the choice of loss: in its name, and so in the address and in commands."""

import json

import pytest

import delvecore
from dashboard.server import archive as opened
from delvecore.losses.method_task import open_method_task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.report import words
from tests.dashboard.reading import texts

pytestmark = pytest.mark.slow
TASK = "/demo/shade/std.4"
CLASSES = ("pink", "blue", "red")


@pytest.fixture
def guessed(small):
    """Both methods keep their guesses of colours: all right but the first of each set, or the first two."""
    for wrong, method in enumerate(("one", "two"), start=1):
        task = open_method_task(Hierarchy([str(small)]), method, "demo", "shade", "std.4")
        for number in range(4):
            words = list(task.target_words(number)[0])
            for place in range(wrong):
                words[place] = CLASSES[(CLASSES.index(words[place]) + 1) % 3]
            path = small / f"methods/{method}{TASK}/guess.{number}"
            path.write_text("".join(f"{word}\n" for word in words))
    opened.choose_paths([str(small)])
    return small


def control(app, key):
    return next(one for kind in (app.number_input, app.selectbox) for one in kind if one.key == key)


def test_beta_and_the_positive_class_are_chosen_on_the_page_and_stand_in_the_address(guessed, run_page):
    app = run_page("compare", task=TASK, loss="F:positive=red")
    assert not app.exception
    assert control(app, "metric-positive").options == list(CLASSES)
    assert control(app, "metric-positive").value == "red"
    control(app, "metric-beta").set_value(2.0).run()
    assert not app.exception
    assert app.query_params["loss"] == "1 - F:beta=2:positive=red"
    control(app, "metric-positive").set_value("blue").run()
    assert app.query_params["loss"] == "1 - F:beta=2:positive=blue"
    control(app, "metric-beta").set_value(1.0).run()
    assert app.query_params["loss"] == "1 - F:positive=blue"


def test_metrics_that_need_a_setting_are_offered_with_one(guessed, run_page):
    app = run_page("compare", task=TASK, loss="Z")
    offered = next(one for one in app.selectbox if one.label == "Loss").options
    assert any("tpr:positive=pink" in one for one in offered)
    assert any("totU:matrix=1_0_0;0_1_0;0_0_1" in one for one in offered)


def test_a_cost_benefit_matrix_is_edited_by_the_names_of_the_classes(guessed, run_page):
    app = run_page("compare", task=TASK, loss="totU:matrix=1_0_0;0_1_0;0_0_1")
    assert not app.exception
    edited = next(frame.value for frame in app.dataframe if list(frame.value) == list(CLASSES))
    assert edited.to_numpy().tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_losses_and_metrics_without_settings_have_no_such_button(guessed, run_page):
    for loss in ("Z", "kappa"):
        app = run_page("compare", task=TASK, loss=loss)
        assert not any((one.key or "").startswith("metric-") for one in app.selectbox)


def test_the_page_of_a_method_shows_the_metric_that_is_asked_for(guessed, run_page):
    app = run_page("methods", method="one", loss="kappa", **{"method-part": "Losses"})
    assert not app.exception
    assert "Under kappa \\(higher is better\\) its median is 0.75" in texts(app)
    assert "kappa · 1" in str(app.get("button_group"))


def test_methods_are_drawn_by_the_values_of_the_metric(guessed, run_page):
    app = run_page("methods", method="two", loss="acc", **{"method-part": "Losses"})
    drawn = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert drawn["layout"]["xaxis"]["title"]["text"] == "acc   better →"
    results = delvecore.open([guessed]).measured("acc").to_frame("results", loss="acc")
    kept = dict(zip(results["method"], results["mean"], strict=True))
    assert [one["x"] for one in drawn["data"]] == [[pytest.approx(1 - kept[name])] for name in ("one", "two")]
    assert f"its median is {words.number(1 - kept['two'], digits=3)}" in texts(app)
