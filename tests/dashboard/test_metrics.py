"""Metrics on the pages: offered behind the losses, computed when chosen, and told where there are none."""

import pytest

pytestmark = pytest.mark.slow

AGE = "/demo/age/std.8"


def losses_of(app):
    return next(box for box in app.selectbox if box.key == "control-loss")


def text_of(app):
    return " ".join(block.value for block in [*app.markdown, *app.caption, *app.info]).replace("\\", "")


def test_compare_offers_metrics_behind_the_losses_and_shows_one(small, run_page):
    app = run_page("compare", task=AGE, loss="nmse")
    assert not app.exception
    options = losses_of(app).options
    assert options[0] == "Squared error (S)"
    assert options[1] == "Metric: normalized mse (nmse, lower is better)"
    assert "Metric: root mean squared error (rmse, lower is better)" in options
    assert [option for option in options if "accuracy" in option] == []  # age is no class
    assert "under nmse (lower is better)" in text_of(app)
    assert "One number for each of 2 training sets; what needs single cases" in text_of(app)


def test_a_metric_without_values_is_told_and_the_usual_loss_is_shown(small, run_page):
    app = run_page("compare", task=AGE, loss="kappa")
    assert not app.exception
    assert "kappa: expected a value on some task, found none" in text_of(app)
    assert losses_of(app).value == "S"


@pytest.mark.parametrize("page", ["ranking", "tables", "task_arrays", "leaderboard"])
def test_every_page_that_tests_differences_takes_a_metric(small, run_page, page):
    app = run_page(page, loss="rmse")
    assert not app.exception


def test_an_address_reads_no_file_of_the_server(small, run_page):
    app = run_page("compare", task=AGE, loss="totU:benefits=../../../../etc/passwd")
    assert not app.exception
    assert "which this archive does not have" in text_of(app)
