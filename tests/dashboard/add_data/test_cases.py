"""Files of cases on the page Add data: a preview, the dataset made of them, and its archive file."""

import gzip

import pytest

from tests.dashboard.reading import texts

pytestmark = pytest.mark.slow

CASES = "size,colour,price\n" + "".join(
    f"{n * 1.5},{('red', 'blue')[n % 2]},{('low', 'high', 'top')[n % 3]}\n" for n in range(60)
)


def send(app, name, text):
    app.file_uploader[0].set_value([(name, text.encode(), "text/csv")])
    app.run()
    return next(one for one in app.button if one.label == "These are cases, not scores").click().run()


def test_cases_have_a_preview_and_become_a_dataset_on_all_pages(small, run_page):
    app = send(run_page("add_data"), "flowers.csv", CASES)
    assert not app.exception
    assert "60 cases of 3 columns: a dataset can be made of them." in texts(app)
    assert app.dataframe[0].value["Column"].tolist() == ["size", "colour", "price"]
    target = next(box for box in app.selectbox if box.label == "What is to be predicted?")
    assert target.value == "price"
    target.set_value("colour").run()
    assert "target" in app.dataframe[0].value["becomes"][1]
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
