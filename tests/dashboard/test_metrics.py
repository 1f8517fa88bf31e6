"""Metrics on the pages: offered behind the losses, computed when chosen, told where there are none; and their
settings, which stand in the name of the metric, and so in the address and in commands."""

import pytest

from delvecore.losses.method_task import open_method_task
from delvecore.readers.hierarchy import Hierarchy
from tests.archives import small_archive
from tests.dashboard.conftest import Pages
from tests.dashboard.reading import plain

AGE, SHADE = "/demo/age/std.8", "/demo/shade/std.4"
CLASSES = ("pink", "blue", "red")


def loss_box(app):
    return next(box for box in app.selectbox if box.key == "control-loss")


def test_compare_offers_metrics_behind_the_losses_and_shows_one(small_page):
    app = small_page("compare", task=AGE, loss="nmse")
    options = loss_box(app).options
    assert options[0] == "Squared error (S)"
    assert options[1] == "Metric: normalized mse (nmse, lower is better)"
    assert "Metric: root mean squared error (rmse, lower is better)" in options
    assert [option for option in options if "accuracy" in option] == []  # age is no class
    assert "nmse" in plain(app)
    assert "One number for each of 2 training sets; analyses of single cases" in plain(app)
    for page in ("ranking", "tables", "task_arrays", "leaderboard"):
        small_page(page, loss="rmse")


def test_a_metric_without_values_is_told_and_an_address_reads_no_file_of_the_server(small_page):
    app = small_page("compare", task=AGE, loss="kappa")
    assert "kappa: expected a value on some task, found none" in plain(app)
    assert loss_box(app).value == "S"
    app = small_page("compare", task=AGE, loss="totU:benefits=../../../../etc/passwd")
    assert "which this archive does not have" in plain(app)


@pytest.mark.parametrize("loss", ["1 - acc", "-rmse"])
def test_an_old_address_of_a_loss_that_was_made_of_a_metric_is_told(small_page, loss):
    app = small_page("compare", task=AGE, loss=loss)
    assert f"The address asks for the loss “{loss}”, which this archive does not have" in plain(app)
    assert loss_box(app).value == "S"


@pytest.fixture(scope="module")
def guessed(tmp_path_factory):
    """Both methods keep their guesses of colours: all right but the first of each set, or the first two."""
    root = small_archive(tmp_path_factory.mktemp("guessed"))
    for wrong, method in enumerate(("one", "two"), start=1):
        task = open_method_task(Hierarchy([str(root)]), method, "demo", "shade", "std.4")
        for number in range(4):
            guesses = list(task.true_targets(number)[0].words)
            for place in range(wrong):
                guesses[place] = CLASSES[(CLASSES.index(guesses[place]) + 1) % 3]
            path = root / f"methods/{method}{SHADE}/guess.{number}"
            path.write_text("".join(f"{word}\n" for word in guesses))
    return root


@pytest.fixture(scope="module")
def page(guessed, run_page):
    return Pages(guessed, run_page)


def control(app, key):
    return next(one for kind in (app.number_input, app.selectbox) for one in kind if one.key == key)


def test_beta_and_the_positive_class_are_chosen_on_the_page_and_stand_in_the_address(page):
    app = page.fresh("compare", task=SHADE, loss="F:positive=red")
    assert control(app, "metric-positive").options == list(CLASSES)
    assert control(app, "metric-positive").value == "red"
    control(app, "metric-beta").set_value(2.0).run()
    assert not app.exception
    assert app.query_params["loss"] == "F:beta=2:positive=red"
    control(app, "metric-positive").set_value("blue").run()
    control(app, "metric-beta").set_value(1.0).run()
    assert app.query_params["loss"] == "F:positive=blue"


def test_metrics_that_need_a_setting_are_offered_with_one_and_losses_have_none(page):
    for loss in ("Z", "kappa"):
        app = page("compare", task=SHADE, loss=loss)
        assert not any((one.key or "").startswith("metric-") for one in app.selectbox)
    offered = loss_box(app).options
    assert any("tpr:positive=pink" in one for one in offered)
    assert any("totU:matrix=1_0_0;0_1_0;0_0_1" in one for one in offered)


def test_a_cost_benefit_matrix_is_edited_by_the_names_of_the_classes(page):
    app = page("compare", task=SHADE, loss="totU:matrix=1_0_0;0_1_0;0_0_1")
    edited = next(frame.value for frame in app.dataframe if list(frame.value) == list(CLASSES))
    assert edited.to_numpy().tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
