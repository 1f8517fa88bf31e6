"""Places in addresses: understood however they are written; no page answers about another place instead."""

import pytest

from tests.dashboard.conftest import Pages
from tests.dashboard.reading import answer, box, codes, figures, plain

TASK = "/plot-1s/yield/std.16"


@pytest.mark.parametrize(
    "text", ["plot-1s/yield/std.16", "/apple/plot-1s/yield/std.16", "gone/plot-1s/yield/std.16"]
)
def test_compare_understands_a_task_without_its_slash_and_with_a_method(array_page: Pages, text: str) -> None:
    app = array_page("compare", task=text)
    assert "on /plot-1s/yield/std.16" in answer(app)
    assert not app.info


def test_compare_lists_the_tasks_of_the_dataset_for_one_that_there_is_not(array_page: Pages) -> None:
    app = array_page.fresh("compare", task="plot-1s/nothing/std.16")
    assert "No task is compared" in answer(app)
    assert "“plot-1s/nothing/std.16”, which this archive does not have; it is left out." in plain(app)
    assert figures(app) == []
    assert box(app, "Task").options == ["/plot-1s/yield/std.8", TASK]
    box(app, "Task").set_value(TASK).run()
    assert not app.exception
    assert "on /plot-1s/yield/std.16" in answer(app)
    assert app.query_params["task"] == TASK


@pytest.mark.parametrize(
    "wanted", [{"task": "/nowhere/yield/std.16"}, {"dataset": "nowhere"}, {"prototask": "/nowhere/yield"}]
)
def test_compare_answers_about_no_other_dataset(array_page: Pages, wanted: dict[str, str]) -> None:
    app = array_page("compare", **wanted)
    assert "No task is compared" in answer(app)
    assert "“" + next(iter(wanted.values())) + "”" in plain(app)
    assert figures(app) == []
    assert len(box(app, "Task").options) == 8


def test_compare_says_how_to_get_results_on_a_dataset_without(array_page: Pages) -> None:
    app = array_page("compare", dataset="plot-2d")
    assert "**There are no results on /plot-2d yet.**" in plain(app)
    assert "delve run METHOD /plot-2d" in codes(app)
    assert figures(app) == []


def test_datasets_understands_paths_and_lists_all_for_a_name_that_nothing_resembles(
    array_page: Pages,
) -> None:
    for text in ("/plot-1s", "plot-1s/", "/apple/plot-1s/yield"):
        app = array_page("datasets", dataset=text)
        assert app.title[0].value.startswith(r"plot\-1s")
        assert not app.info
    app = array_page("datasets", dataset="nowhere")
    assert answer(app).startswith("5 datasets for regression ")
    assert "“nowhere”" in plain(app)


def test_tables_understands_places_and_has_no_table_of_others(array_page: Pages) -> None:
    app = array_page("tables", tasks=["plot-1s/yield/std.16", "/apple/plot-1d"])
    assert "of 3 methods Average rank 1.00 over 3 tasks" in answer(app)
    app = array_page.fresh("tables", tasks="/nowhere")
    assert app.title[0].value == "There is no such table"
    assert "“/nowhere”" in plain(app)
    app.button(key="all-tasks").click().run()
    assert not app.exception
    assert "over 8 tasks" in answer(app)


def test_ranking_ranks_no_other_dataset(array_page: Pages) -> None:
    app = array_page("ranking", data="nowhere")
    assert "Nothing can be ranked here yet" in answer(app)
    assert "“nowhere”" in plain(app)
    menus = array_page("ranking", data="/plot-1s").get("popover")
    assert "2 of 8 tasks" in [menu.proto.popover.label for menu in menus]
