"""Files of scores on the Add data page: read, shown on all pages, changed where a guess was wrong."""

import ast
import re
from pathlib import Path

import pytest

import delvecore
from dashboard.server import uploads
from delvecore.importers.plan import ImportOptions
from tests.dashboard.conftest import visit
from tests.dashboard.reading import answer, box, click, codes, plain, send, texts

pytestmark = pytest.mark.slow

LONG = "dataset,method,fold,accuracy\n" + "".join(
    f"d{dataset},{method},{fold},{0.9 - 0.1 * place - 0.01 * dataset}\n"
    for dataset in range(12)
    for place, method in enumerate(("best", "mine", "last"))
    for fold in range(2)
)
WIDE = "dataset,a,b\nx,0.9,0.8\ny,0.7,0.6\nz,0.5,0.4\n"
TASKS = ("/plot-1s/yield/std.16", "/plot-1d/yield/std.16", "/plot-2s/yield/std.16")
ON_TASKS = "dataset,method,loss,value\n" + "".join(f"{task},mine,S,0.1\n" for task in TASKS)


@pytest.fixture
def add(array_page):
    """Open the Add data page on an archive with an array, and send a file: `add("scores.csv", LONG)`."""
    return lambda name, text: send(array_page.fresh("add_data"), name, text)


def test_scores_of_other_datasets_are_what_all_pages_show_until_one_goes_back(add):
    app = add("scores.csv", LONG)
    assert "All pages show your table **scores.csv** instead of the archive." in plain(app)
    facts = "Scores of 3 methods on 12 datasets, 2 folds or seeds: accuracy (higher is better)."
    assert facts in plain(app)
    # Nobody has said which is theirs: the page names the winner, and leads to the ranking that says the same.
    better = "is significantly better than mine and last"
    assert answer(app) == f"best ranks 1 of 3 By accuracy (higher is better) on 12 tasks, it {better}."
    app.button(key="own-ranking").click().run()
    assert answer(app).startswith("best ") or "**best has" in answer(app)
    assert "significantly better than every other" in answer(app).replace("**", "")
    visit(app, "add_data")
    box(app, "Which is yours?").set_value("mine").run()
    # Nemenyi's critical difference of three methods on 12 datasets is 0.96 (2.343 sqrt(3 x 4 / 72)).
    stands = "significantly better than last; significantly worse than best."
    assert answer(app).startswith("mine ranks 2 of 3 By accuracy")
    assert stands in answer(app)
    assert "**mine is best on none of 12 tasks** and last on none." in answer(app)
    app.button(key="own-ranking").click().run()
    assert stands in answer(app)
    visit(app, "methods")
    assert "pear" not in texts(app)
    assert "Others do not have your files" in texts(app)
    assert any(line.startswith("delve dashboard") and "scores.csv" in line for line in codes(app))
    click(app, "Back to the archive")
    assert "pear" in app.dataframe[0].value["method"].tolist()
    visit(app, "add_data")
    click(app, "Remove")
    assert app.title[0].value == "Add your own results"
    assert uploads.own_score_files() == ()


def test_a_table_on_the_archives_tasks_joins_them_and_a_single_method_is_mine(add):
    app = add("own.csv", ON_TASKS)
    assert answer(app).startswith(
        "mine ranks 1 of 4 By standardized squared error (S) on 3 tasks: not testable"
    )
    assert "**mine is best on 3 of 3 tasks** (/plot-1d/yield/std.16" in answer(app)
    assert "Matched: **3 of 3 tasks**" in texts(app)
    app.button(key="own-compare").click().run()
    assert "Yours is **mine**, **rank 1 of 4**" in answer(app)
    visit(app, "tables")
    said = "mine is shown with the methods of this archive, on the 3 of "
    assert any(said in one.value for one in app.info)
    line = next(one for one in codes(app) if "delve table" in one)
    assert all(
        task in line or task.rpartition("/")[0] in line or task.split("/")[1] in line for task in TASKS
    )
    visit(app, "ranking")
    assert "over 3 of 8 tasks by" in answer(app)
    assert "Yours is **mine**, **rank 1 of 4**" in answer(app)
    joins = "mine is ranked next to methods of this archive, on the 3 of "
    assert any(joins in one.value for one in app.info)
    box(app, "Mine").set_value(None).run()
    assert not any(joins in one.value for one in app.info)
    assert "over 3 tasks" not in answer(app)
    visit(app, "add_data")
    before = median_of(app)
    unit = next(one for one in app.button_group if one.label == "Values are")
    # Standardized values of 0.1 are 0.1 x predicting the mean, whatever they were as raw ones.
    assert median_of(unit.set_value("standardized").run()) == pytest.approx(0.1) != pytest.approx(before)


def test_of_several_methods_on_the_archives_tasks_the_winner_is_named_at_once(add):
    both = ON_TASKS + "".join(f"{task},other,S,99\n" for task in TASKS[:2])
    app = add("own.csv", both.replace("mine", "first"))
    assert answer(app).startswith("first ranks 1 of 5 By standardized squared error (S) on 2 tasks")
    assert "Yours is" not in answer(app)
    app.button(key="own-ranking").click().run()
    assert "first" in answer(app)
    assert "2 of 8 tasks" in texts(app)


def median_of(app):
    return float(re.search("median ([0-9.]+) × predicting the mean", texts(app))[1])


def test_the_direction_is_asked_for_where_nothing_tells_it(add):
    app = add("wide.csv", WIDE)
    assert "Nothing shows whether a higher or lower value of 'score' is better" in plain(app)
    assert "**wide.csv** cannot be shown yet" in answer(app)
    click(app, "Higher is better")
    assert "ranks 1 of" in app.title[0].value
    assert "score (higher is better)" in plain(app)


def test_messages_of_the_reader_name_no_options_of_commands():
    # Questions alone name them, in words of their own for commands, Python and pages.
    files = list((Path(delvecore.__file__).parent / "score_tables").rglob("*.py"))
    faulty = [
        one for path in files if path.name != "options.py" for one in ast.walk(ast.parse(path.read_text()))
    ]
    texts = {one.value for one in faulty if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    assert len(texts) > 100
    assert {text for text in texts if re.search(r"--[a-z]", text)} == set()


def remove_elsewhere(app):
    """Remove the only table, as another tab of the same browser does."""
    mine = app.session_state["own"]
    (number,) = [*mine.scores, *mine.cases, *mine.unclear]
    mine.remove_table(number)


def test_a_table_that_was_removed_in_another_tab_is_said_to_be_and_cannot_be_changed(add):
    app = add("scores.csv", LONG)
    direction = box(app, "Direction")
    remove_elsewhere(app)
    direction.set_value(False).run()
    assert not app.exception
    assert [one.value.replace("\\", "") for one in app.error] == [uploads.REMOVED]
    assert app.title[0].value == "Add your own results"


@pytest.mark.parametrize("label", ["Which is yours?", "Leave out"])
def test_other_choices_for_a_removed_table_are_no_errors_either(add, label):
    app = add("scores.csv", LONG)
    chosen = box(app, label)
    remove_elsewhere(app)
    chosen.set_value("last").run()
    assert not app.exception
    assert uploads.own_score_files() == ()


CHANGES = {
    "read_as": ("cases",),
    "make_dataset": (ImportOptions(),),
    "describe_cases": (ImportOptions(),),
    "set_standardized": (True,),
}


@pytest.mark.parametrize("name", CHANGES)
def test_nothing_changes_a_table_that_is_gone(name):
    mine = uploads.Own()
    getattr(mine, name)(1, *CHANGES[name])
    assert mine.refused == [uploads.REMOVED]
    assert (mine.scores, mine.cases, mine.unclear) == ({}, {}, {})


def test_what_is_removed_twice_is_gone_and_cannot_be_installed(tmp_path):
    mine = uploads.Own()
    mine.remove_table(1)
    mine.remove(uploads.Added("methods", "gone"))
    assert mine.refused == []
    mine.install(uploads.Added("methods", "gone"), str(tmp_path), [])
    assert mine.refused == [uploads.REMOVED]
