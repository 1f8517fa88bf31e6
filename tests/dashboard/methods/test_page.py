"""The Methods page: one method in full; the leaderboard is the list."""

import pytest

from dashboard.methods import data as method_data
from dashboard.ui.documents import rendered
from tests.archives import write_tree
from tests.dashboard.compare_archive import AGE, SHADE, add_losses
from tests.dashboard.reading import codes, plain, texts

pytestmark = pytest.mark.slow

PARTS = ["Where it wins", "Losses", "Documentation", "Codings"]


def test_every_part_of_a_method_is_shown(small_page):
    for part in PARTS:
        assert "/one" in codes(small_page("methods", **{"method": "one", "method-part": part})), part


def test_a_method_says_where_it_wins_and_what_resembles_it(array_page):
    said = plain(array_page("methods", method="apple"))
    assert "**apple has the best mean on 4 of 4 datasets** and the worst on none." in said
    assert "It has the best mean rank on every one of 7 kinds of tasks." in said
    said = plain(array_page("methods", method="pear", **{"method-part": "Where it wins"}))
    assert "**pear has the best mean on none of 4 datasets**" in said
    assert "its best place is 2" in said


def test_documentation_is_shown_as_text_and_programs_as_code(small, run_page):
    hostile = "![x](http://evil.example/x.png) <script>alert(1)</script>"
    write_tree(small, {"methods/one/Source/one.txt": hostile, "methods/one/Source/lib/run.py": "x = 1\n"})
    app = run_page("methods", **{"method": "one", "method-part": "Documentation"})
    assert hostile in codes(app)
    shown = "\n".join(item.value for item in app.markdown)
    assert "evil" in shown
    assert not any(markup in shown for markup in ("![x]", "](http", " <script"))
    app = run_page("methods", **{"method": "one", "method-part": "Documentation", "document": "lib/run.py"})
    assert "x = 1\n" in codes(app) or "x = 1" in codes(app)


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("Intro.\n\nComputing cost. Two seconds\nan instance.\n\nMore.", "Two seconds\nan instance."),
        ("COMPUTATIONAL COSTS\n===================\n\nTwo seconds.", "Two seconds."),
        ("The cost is not said.", None),
    ],
)
def test_the_documented_cost_is_found(text, cost):
    assert method_data.documented([text], "comput(?:ing|ational) (?:cost|time)s?") == cost


def test_a_method_says_how_often_it_is_below_the_baseline_and_what_its_documentation_says(small, run_page):
    add_losses(small, "bad", AGE, "S", [[100.0, 90.0, 80.0, 70.0], [60.0, 70.0, 80.0, 90.0]])
    write_tree(small, {"methods/one/Source/one.txt": "Computing cost. One ms.\n\nEncodings. The defaults."})
    write_tree(small, {"methods/new/Summary": "Not run yet.\n"})
    said = plain(run_page("methods", method="bad", loss="S"))
    assert "it has a lower loss than predicting the mean on **0 of 1**" in said
    app = run_page("methods", method="one", loss="S")
    assert "on **1 of 1**" in plain(app)
    assert "One ms." in plain(app)
    assert "The defaults." in plain(app)
    assert "Not documented" not in texts(app)
    assert texts(run_page("methods", method="two")).count("Not documented") == 2
    app = run_page("methods", method="new")
    assert "**new** has no results yet" in plain(app)
    assert "Not run yet." in plain(app)


def test_codings_that_differ_are_listed_and_only_those(small, run_page):
    place = {"method": "one", "method-part": "Codings"}
    assert "does not record the codings" in texts(run_page("methods", **place))
    default = "SEX -1/+1\nKIDS nm-abs\nHOUR rectan unit=24\nSHADE 1-of-n passive=pink\nAGE nm-abs\n"
    write_tree(small, {"methods/one/demo/age/std.8/Coding-used": default.replace("KIDS nm-abs", "KIDS copy")})
    app = run_page("methods", **place)
    assert "codings other than the default for **1 attribute of 1 prototask**" in texts(app)
    values = app.dataframe[0].value
    assert values[["tasks", "attribute", "coding"]].values.tolist() == [["std.8", "KIDS", "copy"]]
    write_tree(small, {"methods/one/demo/age/std.8/Coding-used": default})
    app = run_page("methods", **place)
    assert "The method uses the **default codings everywhere**." in texts(app)
    # The task below: one column each of SEX, KIDS and AGE, two of HOUR and of SHADE, which has a passive value.
    assert "one uses **6 numbers for 4 inputs and 1 number for 1 target** of /demo/age/std.8." in plain(app)
    table = app.dataframe[-1].value
    assert table["name"].tolist()[-1] == "AGE"
    assert table["column"].tolist() == [1, 2, 3, 4, 5, 6, 1]
    assert "minfo /one/demo/age/std.8" in codes(app)


def test_a_click_on_a_dot_opens_the_comparison(small_page):
    app = small_page.fresh("methods", method="two", loss="Z", **{"method-part": "Losses"})
    points = [{"customdata": [SHADE, "one"], "curve_number": 1, "point_index": 0}]
    selected = {"selection": {"points": points, "point_indices": [0], "box": [], "lasso": []}}
    app.session_state["figure-two-Z-losses"] = selected
    app.run()
    assert not app.exception
    assert "is not tested" in app.title[0].value
    assert "less than two, but estimating the uncertainty needs 7 common test cases" in plain(app)


def test_an_archive_without_methods_says_how_to_get_one(empty, run_page):
    app = run_page("methods")
    assert app.title[0].value == "No methods yet"
    assert "delve run" in app.code[-1].value


def test_an_unknown_method_in_the_address_gives_the_list_with_a_notice(small_page):
    app = small_page("methods", method="../../etc", loss="Q")
    assert app.dataframe[0].value["method"].tolist() == ["one", "two"]
    assert "../../etc" in plain(app)


def test_the_list_says_what_is_known_and_what_is_missing(small_page):
    app = small_page("methods", method="one", **{"method-part": "Check"})
    table = next(one.value for one in app.dataframe if "Missing" in one.value)
    assert len(table) == 9
    row = table[table["Point"] == "Initialization"].iloc[0]
    assert row["Missing"] == "initialization"
    assert "methods/one/Source" in plain(app)
    assert "of 9 points" in texts(app)
    assert "mcheck -c /one" in codes(app)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One line\nthat goes on.\n\nAnother.", "One line that goes on\\.\n\nAnother\\."),
        ("Computing cost\n==============\n\nSmall.", "**Computing cost**\n\nSmall\\."),
        ("Use `copy`, not *x*.", "Use `copy`\\, not \\*x\\*\\."),
        ("These:\n- one\n  more\n- two", "These\\:\n\n- one more\n- two"),
        ("Run\n\n    a = 1\n    b = 2", "**Run**\n\n        a = 1\n        b = 2"),
        ("", ""),
    ],
)
def test_layout_becomes_markdown(text, expected):
    assert rendered(text) == expected
