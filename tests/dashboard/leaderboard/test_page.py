"""The page Leaderboard."""

import json
import shutil

import pytest

from dashboard.leaderboard import data
from dashboard.server import archive as opened
from delvecore.stats.choose import DEFAULT_SETTING
from tests.archives import write_tree
from tests.dashboard.array_archive import METHODS, opened_array
from tests.dashboard.reading import figures, texts


def request_of(page):
    opened.choose_paths([str(page.archive)])
    return data.Request(opened.open_archive(patience=10).archive, "S", DEFAULT_SETTING)


def test_the_first_line_says_who_is_best_and_against_whom_that_is_significant(array_page):
    app = array_page("leaderboard")
    assert app.title[0].value == "Who wins, where, and at what cost?"
    # Quince lacks one of the 8 tasks of 4 plots; apple is always first, pear always second.
    assert app.markdown[0].value == (
        "**apple has the best mean rank** over 7 of 8 tasks of 4 datasets by standardized squared error \\(S\\): mean rank 1.00 of 3 "
        "methods, **not testable with 4 datasets (smallest adjusted p 0.12)**."
    )


def test_the_leaderboard_has_all_methods_best_first_with_descriptions(array_page):
    app = array_page("leaderboard")
    drawn = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert [text.strip() for text in drawn["layout"]["yaxis"]["ticktext"]] == ["apple", "pear", "quince"]
    assert drawn["data"][0]["x"] == [1, 2, 3]
    table = data.leaders(request_of(array_page))
    assert table["about"].tolist() == ["It was drawn at random."] * 3
    assert table["pairwise_wins"].tolist() == [1, 0.5, 0]


def test_a_selector_tells_kinds_of_tasks_apart(array_page):
    app = array_page("leaderboard", **{"archive-part": "Light"})
    # Of three tasks and more; of fewer a kind has no shade and is not named.
    assert "**apple** has the best mean rank on " in texts(app)
    traces = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    assert len(traces) == 3, "shades, numbers, pale numbers"
    assert [trace["text"] for trace in traces[1:]] == [["1.00", "2.00", "3.00"]] * 2
    assert not array_page("leaderboard", **{"archive-part": "Cost"}).info  # an old part shows all tasks
    assert traces[1]["customdata"][:2] == [["apple"], ["pear"]]


@pytest.mark.parametrize(
    ("measure", "said", "cells"),
    [
        ("Mean rank", "**apple** has the best mean rank on sunny.", ["1.33", "1.67", "3.00"]),
        ("Best", "**apple** is most often best on sunny.", ["67 %", "33 %", "0 %"]),
        ("Near", "**apple** is most often within 1 % of the best on sunny.", ["67 %", "33 %", "0 %"]),
        (
            "Within reach",
            "**pear** is most often within 10 % of the best on sunny.",
            ["67 %", "100 %", "0 %"],
        ),
    ],
)
def test_the_sentence_on_kinds_says_what_the_cells_show(tmp_path, run_page, measure, said, cells):
    path, _ = opened_array(tmp_path)
    for bed, values in {1: (1.0, 1.05, 9.0), 2: (1.0, 1.05, 9.0), 3: (2.0, 1.0, 9.0)}.items():
        for method, value in zip(METHODS, values, strict=True):
            for file in path.glob(f"methods/{method}/plot-{bed}s/yield/*/loss.S.*"):
                file.write_text(f"{value}\n" * 8)
    app = run_page("leaderboard", **{"archive-part": "Light", "measure": measure})
    assert app.markdown[1].value == said
    assert figures(app)[0]["data"][1]["text"] == cells
    name, *_ = said.removeprefix("**").split("**")
    assert any(f"{name} {cells[METHODS.index(name)]}" in one.proto.body for one in app.get("html"))


def test_what_is_missing_is_told_with_the_reason(array_page):
    # No program is called quince: nothing but the absence of its results is known.
    assert [gap[0::4] for gap in data.gaps_with_reasons(request_of(array_page).archive)] == [
        ("quince", "not run")
    ]
    said = texts(array_page("leaderboard"))
    assert "2 of 3 methods have results on all of 8 tasks that any has; quince lacks 1." in said


def test_without_two_methods_on_two_tasks_the_page_says_why_nobody_is_best(small_page):
    app = small_page("leaderboard")
    assert "**No method can be called best yet:**" in app.markdown[0].value
    assert (
        "**1 dataset** with 2 prototasks and 5 tasks; **2 methods** with results on 2 of the tasks."
        in texts(app)
    )
    assert app.dataframe[0].value["method"].tolist() == ["one", "two"]


def test_an_archive_without_results_leads_to_its_datasets_and_says_how_to_get_some(small, run_page):
    for name in ("one", "two"):
        shutil.rmtree(small / "methods" / name / "demo")
    app = run_page("leaderboard")
    assert "and no results yet" in app.markdown[0].value
    assert [link.proto.label for link in app.get("page_link")][-1] == "All datasets"
    assert "delve run" in app.code[-1].value


def test_problems_are_announced_and_counted_as_the_page_problems_counts_them(small, run_page):
    write_tree(small, {"methods/one/demo/age/std.8/loss.S.0": "1\nnan\nx\n4\n"})
    assert "found in the files so far; the rest is shown" in texts(run_page("leaderboard"))
    listed = run_page("file_check")
    while "so far" in listed.markdown[0].value:
        listed.run()
    problems = int((listed.dataframe[0].value["kind"] != "notice").sum())
    assert problems > 1  # losses that are no numbers, and methods without a description
    assert f"**{problems} problems" in listed.markdown[0].value
    assert f"{problems} problems found in the files; the rest is shown" in texts(run_page("leaderboard"))


def test_a_click_on_a_cell_of_any_tab_opens_the_method(array_page):
    app = array_page.fresh("leaderboard", **{"archive-part": "Light"})
    points = [{"customdata": ["pear"], "curve_number": 1, "point_index": 1}]
    selected = {"points": points, "point_indices": [1], "box": [], "lasso": []}
    app.session_state["figure-kinds"] = {"selection": selected}
    app.run()
    assert not app.exception
    assert app.title[0].value.replace("\\", "") == "pear: It was drawn at random"
    assert "pear" in app.query_params["method"]
