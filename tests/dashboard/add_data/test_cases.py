"""Files of cases on the Add data page: a preview, the dataset made of them, and its archive file."""

import gzip
from pathlib import Path

from dashboard.add_data.columns import with_changes
from dashboard.server import sandbox
from delvecore.locations import default_directories
from tests.dashboard.conftest import Pages, visit
from tests.dashboard.reading import box, click, plain, send, texts

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
    app.session_state["own"].read_as(number, "cases", with_changes(plan_of(app), changes))
    app.run()
    assert not app.exception


def test_cases_have_a_preview_and_become_a_dataset_on_all_pages(small_page):
    app = send(small_page.fresh("add_data"), "flowers.csv", CASES)
    assert "60 cases of 3 columns: a dataset can be made from them." in texts(app)
    assert kinds(app)[0].value == "These are cases"
    assert column(app, "role") == ["input", "input", "target"]
    assert box(app, "What is to be predicted?").value == "price"
    box(app, "What is to be predicted?").set_value("colour").run()
    assert column(app, "role") == ["input", "target", "input"]
    click(app, "Make the dataset")
    assert "The dataset **flowers** is shown next to this archive" in app.markdown[0].value
    assert "Checked: nothing is wrong with it." in [item.value for item in app.success]
    assert b"flowers/Dataset.spec" in gzip.decompress(app.session_state["own"].packed("flowers"))
    visit(app, "datasets")
    assert "flowers" in app.dataframe[0].value["dataset"].tolist()


def test_a_column_of_groups_is_no_input_and_keeps_its_cases_together(small_page):
    rows = "".join(f"{n * 1.5},p{n // 6},{('red', 'blue')[n % 2]},{n % 7}.5\n" for n in range(120))
    app = send(small_page.fresh("add_data"), "wards.csv", "size,patient,colour,price\n" + rows)
    assert box(app, "Groups of cases").value == ""
    box(app, "Groups of cases").set_value("price").run()
    assert "expected a column whose values are groups of cases" in app.error[0].value
    box(app, "Groups of cases").set_value("patient").run()
    assert (box(app, "Groups of cases").value, plan_of(app).options.group) == ("patient", "patient")
    assert column(app, "role") == ["input", "left out", "input", "target"]
    click(app, "Make the dataset")
    assert "The dataset **wards** is shown next to this archive" in app.markdown[0].value
    packed = gzip.decompress(app.session_state["own"].packed("wards"))
    assert b"Commonality" in packed


def test_columns_get_other_roles_and_types_and_a_dataset_is_made_within_limits(small_page, monkeypatch):
    app = send(small_page.fresh("add_data"), "flowers.csv", CASES)
    change(app, {1: {"type": "real"}})  # which it cannot have
    assert "expected numbers" in app.error[0].value
    assert column(app, "type") == ["real", "binary", "nominal"]
    change(app, {0: {"role": "target"}, 1: {"role": "left out", "type": "ordinal"}})
    assert column(app, "role") == ["target", "left out", "target"]
    assert column(app, "type")[2] == "nominal"
    assert plan_of(app).targets == (("price",), ("size",))
    change(app, {1: {"role": "input"}, 2: {"role": "left out"}})
    assert column(app, "role") == ["target", "input", "left out"]
    assert plan_of(app).targets == (("size",),)
    monkeypatch.setattr(sandbox, "SECONDS", 0)
    monkeypatch.setattr(sandbox, "PAUSE", 0)
    click(app, "Make the dataset")
    assert "expected a file that can be read in 0 seconds" in app.error[0].value
    assert app.session_state["own"].added == {}


SALES = "date,price,kind\n" + "".join(
    f"2020-{1 + n // 28:02}-{1 + n % 28:02},{n * 7 % 13}.5,{'rare' if n % 30 == 0 else 'usual'}\n"
    for n in range(120)
)


def test_the_order_and_the_sizes_of_training_sets_are_told_and_can_be_chosen(small_page):
    app = send(small_page.fresh("add_data"), "sales.csv", SALES)
    assert "Random order, seed 1." in plain(app)
    assert "Rare classes, fewer than two cases a training set on average: 'rare' of kind" in plain(app)
    order = next(one for one in app.segmented_control if one.label == "Order of the cases")
    assert order.value == "random"
    order.set_value("retain").run()
    assert "Order of the file retained, as requested." in plain(app)
    sizes = next(one for one in app.text_input if one.label == "Sizes of training sets")
    sizes.set_value("20, 60").run()
    assert (plan_of(app).options.order, tuple(plan_of(app).options.sizes)) == ("retain", (20, 60))
    assert not [one for one in app.warning if "Rare" in one.value and "size 60" in one.value]
    sizes = next(one for one in app.text_input if one.label == "Sizes of training sets")
    sizes.set_value("20, many").run()
    assert "sizes: expected whole numbers separated by commas" in plain(app)
    click(app, "Make the dataset")
    assert "The dataset **sales** is shown next to this archive" in app.markdown[0].value


SCORES = "dataset,method,fold,accuracy\n" + "".join(
    f"d{dataset},{method},{fold},{0.9 - 0.1 * place - 0.01 * dataset}\n"
    for dataset in range(6)
    for place, method in enumerate(("best", "last"))
    for fold in range(2)
)
WIDE = ",svm,knn\niris,0.9,0.8\nwine,0.7,0.7\nheart,0.6,0.7\n"


def kinds(app):
    return [one for one in app.segmented_control if "These are cases" in one.options]


def test_it_is_asked_what_an_unclear_table_holds_and_it_can_go_away(small_page):
    app = send(small_page.fresh("add_data"), "wide.csv", WIDE)
    assert "may contain scores or cases: please choose below." in app.markdown[0].value
    assert "each row has a name in '', and its numbers are on one scale" in plain(app)
    assert not kinds(app)
    click(app, "These are cases")
    assert "3 cases of 3 columns" in texts(app)
    kinds(app)[0].set_value("These are scores").run()
    assert not app.exception
    assert "cases of" not in texts(app)
    assert kinds(app)[0].value == "These are scores"
    click(app, "Remove")
    assert app.session_state["own"].files == []


def test_a_dataset_can_be_made_while_a_table_is_shown_in_place_of_the_archive(small_page, caplog):
    app = small_page.fresh("add_data")
    sent = (("scores.csv", SCORES), ("flowers.csv", CASES))
    app.file_uploader[0].set_value([(name, text.encode(), "text/csv") for name, text in sent])
    app.run()
    assert "All pages show your table **scores.csv** instead of the archive." in plain(app)
    click(app, "Make the dataset")
    assert not app.error
    assert "The dataset **flowers** is hidden until you go back to the archive." in plain(app)
    assert "Checked: nothing is wrong with it." in [item.value for item in app.success]
    assert "Download" in [button.proto.label for button in app.get("download_button")]
    click(app, "Back to the archive")
    assert "The dataset **flowers** and the table **scores.csv** are shown next to this archive" in plain(app)
    assert not [record for record in caplog.records if record.exc_info]


CARS = "age,colour,price\n" + "".join(
    f"{n * 7 % 40},{('red', 'blue')[n % 2]},{n * 7 % 40 * 2 + n % 2 * 9}.5\n" for n in range(80)
)


def test_tasks_like_a_file_of_cases_are_shown_with_the_methods_on_them(whole_archive, run_page, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    (shipped,) = default_directories()
    app = send(Pages(Path(shipped), run_page).fresh("add_data"), "cars.csv", CARS)
    click(app, "Find data like mine")
    assert not app.error
    assert "Data like mine" in [one.value for one in app.subheader]
    text = plain(app)
    assert "Target price: regression" in text
    assert "Inputs: 0 real, 1 integer, 1 categorical." in text
    assert " has 2 inputs, 0 % noise by" in text
    assert "non-linearity 0.00. Nearest:" in text
    assert "Nothing in the archive is near" in app.warning[-1].value
    methods, tasks = (one.value for one in app.dataframe[-2:])
    assert tasks["data"][0] == "cars.csv"
    assert len(tasks) == 9
    assert "gp-1" in methods["method"].tolist()
    assert "delve like cars.csv --target price" in [one.value for one in app.code]
    box(app, "What is to be predicted?").set_value("age").run()
    assert "Data like mine" not in [one.value for one in app.subheader]


def test_data_that_cannot_be_described_have_one_line(small_page):
    constant = "age,colour,price\n" + "".join(
        f"{n * 7 % 40},{('red', 'blue')[n % 2]},2.5\n" for n in range(80)
    )
    app = send(small_page.fresh("add_data"), "cars.csv", constant)
    click(app, "Find data like mine")
    assert not app.exception
    assert "expected a target with two different values, found 2.5 in all cases" in plain(app)
