"""Files of cases on the page Add data: a preview, the dataset made of them, and its archive file."""

import gzip

import pytest

from dashboard.server import trial
from dashboard.server.own_cases import with_changes
from tests.dashboard.reading import texts

pytestmark = pytest.mark.slow

CASES = "size,colour,price\n" + "".join(
    f"{n * 1.5},{('red', 'blue')[n % 2]},{('low', 'high', 'top')[n % 3]}\n" for n in range(60)
)


def column(app, name):
    return app.data_editor[0].value[name].tolist()


def plan_of(app):
    (own,) = app.session_state["own"].cases.values()
    return own.plan


def change(app, changes):
    (number,) = app.session_state["own"].cases
    app.session_state["own"].change_cases(number, with_changes(plan_of(app), changes))
    app.run()
    assert not app.exception


def send(app, name, text):
    app.file_uploader[0].set_value([(name, text.encode(), "text/csv")])
    app.run()
    return app


def test_cases_have_a_preview_and_become_a_dataset_on_all_pages(small, run_page):
    app = send(run_page("add_data"), "flowers.csv", CASES)
    assert not app.exception
    assert "60 cases of 3 columns: a dataset can be made of them." in texts(app)
    assert column(app, "role") == ["input", "input", "target"]
    target = next(box for box in app.selectbox if box.label == "What is to be predicted?")
    assert target.value == "price"
    target.set_value("colour").run()
    assert column(app, "role") == ["input", "target", "input"]
    next(button for button in app.button if button.label == "Make the dataset").click().run()
    assert not app.exception
    assert "The dataset **flowers** is shown beside this archive" in app.markdown[0].value
    assert "Checked: nothing is wrong with it." in [item.value for item in app.success]
    app.switch_page("datasets/page.py").run()
    assert "flowers" in app.dataframe[0].value["dataset"].tolist()


def test_the_archive_file_of_the_dataset_can_be_taken_away(small, run_page):
    app = send(run_page("add_data"), "flowers.csv", CASES)
    next(button for button in app.button if button.label == "Make the dataset").click().run()
    own = app.session_state["own"]
    assert b"flowers/Dataset.spec" in gzip.decompress(own.packed("flowers"))


def test_columns_get_other_roles_and_types(small, run_page):
    app = send(run_page("add_data"), "flowers.csv", CASES)
    change(app, {0: {"role": "left out"}})
    assert column(app, "role") == ["left out", "input", "target"]
    change(app, {0: {"role": "input"}, 1: {"type": "ordinal"}})
    assert column(app, "role") == ["input", "input", "target"]
    assert column(app, "type") == ["real", "ordinal", "nominal"]
    change(app, {0: {"role": "target"}})
    assert plan_of(app).targets == (("price",), ("size",))
    change(app, {2: {"role": "left out"}})
    assert plan_of(app).targets == (("size",),)


def test_a_type_that_a_column_cannot_have_is_told_and_changes_nothing(small, run_page):
    app = send(run_page("add_data"), "flowers.csv", CASES)
    change(app, {1: {"type": "real"}})
    assert "expected numbers" in app.error[0].value
    assert column(app, "type") == ["real", "binary", "nominal"]


def test_a_dataset_is_made_within_the_limits_of_a_trial(small, run_page, monkeypatch):
    app = send(run_page("add_data"), "flowers.csv", CASES)
    monkeypatch.setattr(trial, "SECONDS", 0)
    next(button for button in app.button if button.label == "Make the dataset").click().run()
    assert not app.exception
    assert "expected what can be read in 0 seconds" in app.error[0].value
    assert app.session_state["own"].added == {}


WIDE = ",svm,knn\niris,0.9,0.8\nwine,0.7,0.7\nheart,0.6,0.7\n"


def test_what_may_be_scores_or_cases_is_taken_for_the_likelier_with_both_to_choose(small, run_page):
    app = send(run_page("add_data"), "flowers.csv", CASES)
    assert app.segmented_control[0].value == "These are cases"
    assert "60 cases of 3 columns" in texts(app)
    app = send(run_page("add_data"), "wide.csv", WIDE)
    assert app.segmented_control[0].options == ["These are scores", "These are cases"]
    assert app.segmented_control[0].value == "These are scores"
    app.segmented_control[0].set_value("These are cases").run()
    assert "3 cases of 3 columns" in texts(app)
    app.segmented_control[0].set_value("These are scores").run()
    assert not app.exception
    assert "cases of" not in texts(app)


def test_a_header_of_scores_is_not_asked_about(small, run_page):
    app = send(run_page("add_data"), "scores.csv", "dataset,method,accuracy\niris,svm,0.9\niris,knn,0.8\n")
    assert not app.segmented_control
    assert "Scores of 2 methods on 1 dataset" in texts(app)
