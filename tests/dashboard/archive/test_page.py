"""The Archive page."""

import json
import os
import shutil

from dashboard.archive import archive_contents
from dashboard.server import archive as opened
from tests.archives import write_tree
from tests.dashboard.array_archive import opened_array
from tests.dashboard.reading import texts
from tests.packed import pack_tree


def test_the_first_line_says_who_is_best_and_against_whom_that_is_significant(tmp_path, run_page):
    opened_array(tmp_path)
    app = run_page("archive")
    assert not app.exception
    assert app.title[0].value == "Who wins, where, and at what cost?"
    # Quince lacks one of the 8 tasks of 4 plots; apple is always first, pear always second.
    assert app.markdown[0].value == (
        "**apple has the best mean rank** over 7 of 8 tasks of 4 datasets by standardized squared error \\(S\\): mean rank 1.00 of 3 "
        "methods, **not tested (not testable with 4 datasets)**."
    )


def test_the_leaderboard_has_all_methods_best_first_with_descriptions(tmp_path, run_page):
    opened_array(tmp_path)
    table = run_page("archive").dataframe[0].value
    assert table["method"].tolist() == ["apple", "pear", "quince"]
    assert table["about"].tolist() == ["It was drawn at random."] * 3
    assert table["mean_rank"].tolist() == [1, 2, 3]
    assert table["pairwise_wins"].tolist() == [100, 50, 0]


def test_tabs_tell_kinds_of_tasks_apart(tmp_path, run_page):
    opened_array(tmp_path)
    app = run_page("archive", **{"archive-part": "Light"})
    assert not app.exception
    assert "**apple** has the best mean rank on sunny and dark." in texts(app)
    cells = json.loads(app.get("plotly_chart")[0].proto.spec)["data"][1]
    assert cells["text"] == ["1.0", "2.0", "3.0"] * 2
    assert cells["customdata"][:2] == [["apple"], ["pear"]]


def test_what_is_missing_is_told_and_nothing_else(tmp_path, run_page):
    opened_array(tmp_path)
    said = texts(run_page("archive"))
    assert "2 of 3 methods have results on all of 8 tasks that any has; quince lacks 1." in said


def test_without_two_methods_on_two_tasks_the_page_says_why_nobody_is_best(small, run_page):
    app = run_page("archive")
    assert not app.exception
    assert "**No method can be called best yet:**" in app.markdown[0].value
    assert (
        "**1 dataset** with 2 prototasks and 5 tasks; **2 methods** with results on 2 of the tasks."
        in texts(app)
    )
    assert app.dataframe[0].value["method"].tolist() == ["one", "two"]


def test_an_archive_without_results_lists_its_datasets_and_says_how_to_get_some(small, run_page):
    for name in ("one", "two"):
        shutil.rmtree(small / "methods" / name / "demo")
    app = run_page("archive")
    assert not app.exception
    assert "and no results yet" in app.markdown[0].value
    assert app.dataframe[0].value["dataset"].tolist() == ["demo"]
    assert "delve run" in app.code[-1].value


def test_an_empty_archive_says_how_to_get_some(empty, run_page):
    app = run_page("archive")
    assert not app.exception
    assert app.markdown[0].value.startswith("**no datasets** with no prototasks and no tasks")
    assert "delve run" in app.code[-1].value


def test_a_dataset_or_method_is_the_newest_by_its_day(small):
    for path in small.rglob("*"):
        os.utime(path, (0, 1_000_000_000))
    opened.choose_paths([str(small)])
    assert archive_contents.newest(opened.open_archive(patience=10).state) is None
    os.utime(small / "methods/two", (0, 1_100_000_000))
    opened.choose_paths([str(small)])
    state = opened.open_archive(patience=10).state
    archive_contents.newest.clear()
    assert archive_contents.newest(state) == ("method", "two", "2004-11-09")


def test_a_packed_method_has_a_day(small):
    pack_tree(small / "methods/one", small / "methods/one-all.tar.gz")
    (small / "methods/one").rename(small / "unpacked")
    os.utime(small / "methods/one-all.tar.gz", (4e9, 4e9))
    opened.choose_paths([str(small)])
    assert archive_contents.newest(opened.open_archive(patience=10).state)[:2] == ("method", "one")


def test_problems_are_announced(small, run_page):
    write_tree(small, {"methods/one/demo/age/std.8/loss.S.0": "1\nnan\nx\n4\n"})
    app = run_page("archive")
    assert not app.exception
    assert "found in the files so far; the rest is shown" in texts(app)


def test_problems_are_counted_as_the_page_problems_counts_them(small, run_page):
    write_tree(small, {"methods/one/demo/age/std.8/loss.S.0": "1\nnan\nx\n4\n"})
    listed = run_page("problems")
    problems = int((listed.dataframe[0].value["kind"] != "notice").sum())
    assert problems > 1  # losses that are no numbers, and methods without a description
    assert f"**{problems} problems" in listed.markdown[0].value
    assert f"{problems} problems found in the files; the rest is shown" in texts(run_page("archive"))


def test_files_that_changed_are_seen_by_the_next_visitor(small, run_page):
    run_page("archive")
    write_tree(small, {"methods/three/Summary": "A third method.\n"})
    assert "**3 methods**" in texts(run_page("archive"))


def test_hostile_addresses_are_harmless(small, run_page):
    app = run_page(
        "archive", dataset="../../etc/passwd", loss="<script>", level="nan", methods=["one", "$x$"]
    )
    assert not app.exception
    notices = [item.value for item in app.info]
    assert len(notices) == 4
    assert all("which this archive does not have" in notice for notice in notices)


def test_no_delve_directory_is_an_error_with_its_reason(tmp_path, run_page):
    opened.choose_paths([str(tmp_path / "nowhere")])
    app = run_page("archive")
    assert not app.exception
    assert app.error[0].value == "The archive cannot be read."
    assert "expected a file or directory, found none" in texts(app)


def test_a_click_on_a_cell_of_any_tab_opens_the_method(tmp_path, run_page):
    opened_array(tmp_path)
    app = run_page("archive", **{"archive-part": "Light"})
    points = [{"customdata": ["pear"], "curve_number": 1, "point_index": 1}]
    selected = {"points": points, "point_indices": [1], "box": [], "lasso": []}
    app.session_state["figure-kinds"] = {"selection": selected}
    app.run()
    assert not app.exception
    assert app.title[0].value == "What is this method and how does it do?"
    assert "pear" in app.query_params["method"]
