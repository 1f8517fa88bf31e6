"""The Task-arrays page, without a browser: on an array that a user made, with holes."""

import json
import re
import shutil

import pytest

from dashboard.server import archive as opened
from dashboard.task_arrays import data as array_data
from dashboard.ui.request import MOST_COLORED, Request
from delvecore.plots import theme
from delvecore.report import words
from delvecore.score_tables.options import ScoreOptions
from tests.archives import write_tree
from tests.dashboard import array_archive as made
from tests.dashboard.array_archive import ARRAY, METHODS, array_archive, opened_array
from tests.dashboard.reading import answer, box, codes, figures, opened_archive, plain, texts

CROSSINGS = "Where do learning curves cross?"
"""Told in words, without a figure."""
MAP = "Which method is best on each task?"
ABOVE = [MAP, "One bed\\, sunny"]
"""The map, and the curves of the first member with results."""
BELOW = ["Which methods do not differ significantly over these tasks?"]
TABS = {
    "What drives it": ["What drives the loss?", "Is it the same for other methods?", "Who learns fastest?"],
    "Curves": ["How do losses fall with more training cases?", CROSSINGS],
    "One method": ["Where does it win, and where does it lose?"],
    "Differences": ["Better or worse than the reference?"],
    "Cost": ["What does a lower loss cost?"],
}


def headings(tab):
    return [*ABOVE, *TABS[tab], *BELOW]


def of_tab(app):
    """The figures of the open tab: without the map, the curves next to it, and the diagram below."""
    return figures(app)[2:-1]


def open_tab(page, name="Curves", **parameters):
    """The page with one tab open."""
    return page("task_arrays", **parameters, **{"array-part": name})


@pytest.fixture
def request_of(array_page):
    """Make a request of all methods: `request_of("pear")`, the reference."""
    archive = opened_archive(array_page.archive)
    return lambda reference="apple": Request(
        archive, "S", array=ARRAY, methods=METHODS, available=METHODS, reference=reference
    )


def annotations(figure):
    return [note["text"] for note in figure["layout"].get("annotations", ())]


@pytest.mark.parametrize("tab", TABS)
def test_a_tab_draws_its_figures_with_texts_and_lists_and_no_other(tab, array_page):
    app = open_tab(array_page, tab)
    assert [shown.label for shown in app.tabs] == list(TABS)
    assert [heading.value for heading in app.subheader] == headings(tab)
    charts = app.get("plotly_chart")
    assert len(charts) == len([title for title in headings(tab) if title != CROSSINGS])
    for chart in charts:
        assert any(name in chart.proto.alt for name in METHODS)
        assert any(letter.isdigit() for letter in chart.proto.alt)
    # A telephone has a list in place of each figure.
    listed = [element.proto.body for element in app.get("html") if "class='dot-list'" in element.proto.body]
    hidden = [re.search(r"640px\) \{\.([\w-]+)", body).group(1) for body in listed]
    assert hidden == [f"st-key-{re.search('figure-[a-z-]+', chart.proto.id).group()}" for chart in charts]
    assert all("<li>" in body for body in listed)


def test_the_first_line_says_who_is_best_and_on_how_many_tasks(array_page):
    # apple's losses lie 1.0 below pear's on all of the 8 tasks with results, at a standard deviation of 0.2.
    app = open_tab(array_page)
    assert answer(app) == (
        "apple has the lowest loss on most tasks of 4 of 4 datasets of garden 8 tasks of 4 datasets, squared "
        "error (S), all 3 methods; apple is significantly best on most tasks of 4 datasets."
    )
    assert (
        "The array has 10 of the 12 tasks of a complete one. There are results on 8 of 10 tasks. Also without results: quince on 1."
    ) in plain(app)


def test_curves_have_a_dashed_panel_with_a_word_for_each_hole(array_page):
    figure = of_tab(open_tab(array_page))[0]
    words = annotations(figure)
    assert words.count("no such task") == 1
    assert words.count("no results") == 1
    dashed = [
        shape
        for shape in figure["layout"]["shapes"]
        if shape["type"] == "rect" and shape["line"].get("dash") == "dash"
    ]
    assert len(dashed) == 2
    assert {"<b>one bed</b>", "<b>two beds</b>", "<b>three beds</b>", "<b>sunny</b>", "<b>dark</b>"} <= set(
        words
    )
    assert "predicting the mean" in words


def test_winners_name_the_best_in_each_cell_with_its_lead_and_the_holes(array_page, request_of):
    traces = figures(open_tab(array_page, "Winners"))[0]["data"]
    drawn = [text for trace in traces for text in trace.get("text", ())]
    assert [drawn.count(text) for text in ("  apple", "no such task", "no results")] == [8, 2, 2]
    rows = array_data.table("differences", request_of()).to_pylist()
    pears = [row for row in rows if row["method"] == "pear" and row["difference"] is not None]
    assert len(pears) == 8
    for row in pears:
        assert words.with_error(row["difference"], row["difference_error"]) in drawn


def test_one_methods_map_says_how_far_it_is_behind_and_whether_that_is_significant(array_page, request_of):
    # pear is worse than apple by one and better than quince by one wherever they have results: 8 tasks.
    app = open_tab(array_page, "One method", of="pear")
    assert "**pear has the best mean on none of 4 datasets** and the worst on none." in plain(app)
    assert [tab.label for tab in app.tabs] == list(TABS)  # older addresses have a tab of this name
    figure = of_tab(app)[0]
    drawn = [text for trace in figure["data"] for text in trace.get("text", ())]
    assert sum(text.startswith("− ") and text.endswith("behind apple") for text in drawn) == 8
    assert drawn.count("no results") == 2
    row = array_data.table("differences", request_of("pear")).to_pylist()[0]
    size = words.with_error(-row["difference"], row["difference_error"])
    assert row["method"] == "apple"
    assert any(size in text for text in drawn)


def test_effects_name_the_levels_of_the_users_own_factors(array_page):
    app = open_tab(array_page, "What drives it", methods=["apple", "pear"])
    labels = [text.strip() for text in of_tab(app)[0]["layout"]["yaxis"]["ticktext"]]
    assert labels == ["8 → 16 training cases", "light × training size"]
    # With nothing in the dark but one bed, beds, light and their interaction are one and the same to the tasks.
    assert ("Too few tasks have results to separate these effects: beds, light and beds × light.") in texts(
        app
    )


def test_costs_leave_out_methods_without_any_and_say_so(array_page):
    app = open_tab(array_page, "Cost")
    assert [trace["name"] for trace in of_tab(app)[0]["data"]] == ["apple", "pear"]
    assert "No costs are known for quince." in texts(app)


def test_costs_are_missed_in_words_where_no_method_has_any(tmp_path, run_page):
    archive, _ = opened_array(tmp_path)
    for path in archive.rglob("Costs"):
        path.unlink()
    app = open_tab(run_page, "Cost")
    assert "No costs recorded." in texts(app)
    assert not of_tab(app)


def test_the_address_holds_methods_level_scale_and_effects(array_page):
    app = open_tab(array_page, methods=["pear", "quince"], level="0.99", scale="Logarithmic")
    figure = of_tab(app)[0]
    assert {trace["name"] for trace in figure["data"]} == {"pear", "quince"}
    said = "pear is the only method shown on garden"
    assert answer(open_tab(array_page, methods="pear")).startswith(said)
    assert figure["layout"]["yaxis"]["type"] == "log"
    assert "pear has the lowest loss on most tasks of 4 of 4 datasets" in answer(app)
    assert app.get("button_group")[0].value == 0.99
    app = open_tab(array_page, "What drives it", **{"effects-of": "pear"})
    assert "Effects on **pear**" in texts(app)


def test_what_the_address_asks_for_in_vain_is_said(array_page):
    app = open_tab(array_page, "<b>", loss="X", methods=["apple", "<b>"], reference="../..")
    text = plain(app)
    for value in ("“X”", "“<b>”", "“../..”"):
        assert value in text
    of_one = [title for title in headings("What drives it") if title != "Is it the same for other methods?"]
    assert [heading.value for heading in app.subheader] == of_one


def test_in_place_of_an_array_that_there_is_not_stands_the_list_of_arrays(array_page):
    app = open_tab(array_page, array="<i>")
    assert "“<i>”" in plain(app)
    assert answer(app).startswith("No task-array is shown")
    assert not figures(app)
    assert box(app, "Task-array").value is None
    assert box(app, "Task-array").options == [ARRAY + ": Plots of a garden"]
    box(app, "Task-array").set_value(ARRAY).run()
    assert [heading.value for heading in app.subheader] == headings("Curves")
    assert figures(open_tab(array_page, array="/garden/"))


def test_an_archive_without_arrays_says_what_one_is(small, run_page):
    app = run_page("task_arrays")
    assert app.title[0].value == "There are no task-arrays here"
    assert "data/ARRAY/Array.spec" in codes(app)


def test_an_array_without_results_says_which_command_makes_some(tmp_path, run_page):
    opened.choose_paths([str(write_tree(array_archive(tmp_path, ()), {"methods/.keep": ""}))])
    app = run_page("task_arrays")
    assert "No method has results on this task-array yet" in plain(app)
    assert any("delve run METHOD /plot-1s" in code for code in codes(app))


def test_many_methods_hold_up_and_the_first_have_colors(tmp_path, run_page):
    opened_array(tmp_path, tuple(f"method-{number:02d}" for number in range(MOST_COLORED + 4)))
    shown = [open_tab(run_page, tab) for tab in ("Curves", "Differences")]
    traces = of_tab(shown[0])[0]["data"]
    colors = {trace["name"]: trace["line"]["color"] for trace in traces if "name" in trace}
    assert len(colors) == MOST_COLORED + 4
    assert sum(color != theme.GRAY for color in colors.values()) == MOST_COLORED


def test_a_level_without_members_is_in_the_definition_and_in_a_caption(tmp_path, run_page):
    archive, _ = opened_array(tmp_path)
    spec = archive / "data" / ARRAY / "Array.spec"
    text = spec.read_text().replace("s: sunny", "f: foggy | s: sunny")
    write_tree(
        archive, {f"data/{ARRAY}/Array.spec": text + "Defined:\n  light f  less than 1 % of the sun\n"}
    )
    app = open_tab(run_page, "Winners")
    assert r"No member has foggy \(less than 1 \% of the sun\)\." in texts(app)
    assert "foggy" not in json.dumps(figures(app))
    (defined,) = (table.value for table in app.dataframe if "meaning" in table.value)
    assert defined["members"].tolist() == [2, 2, 1, 0, 3, 2]


def complete(monkeypatch, parent):
    """The array with a member for each combination of levels, and results on all of them."""
    monkeypatch.setattr(made, "ABSENT", None)
    monkeypatch.setattr(made, "EMPTY", None)
    return array_archive(parent, ("apple", "pear"))


def effect_labels(figure):
    return {text.strip() for text in figure["layout"]["yaxis"]["ticktext"]}


def test_effects_are_of_the_levels_on_which_a_method_has_results(tmp_path, monkeypatch, run_page):
    archive = complete(monkeypatch, tmp_path)
    opened.choose_paths([str(archive)])
    expected = {f"{bed}, against the average" for bed in made.BEDS.values()}
    for figure in of_tab(open_tab(run_page, "What drives it"))[:2]:
        assert effect_labels(figure) >= expected | {"sunny → dark", "8 → 16 training cases"}
    for place in ("apple/plot-3s", "apple/plot-3d", "pear/plot-1s", "pear/plot-1d"):
        shutil.rmtree(archive / "methods" / place)
    opened.choose_paths([str(archive)])
    labels = effect_labels(of_tab(open_tab(run_page, "What drives it"))[1])
    assert labels >= {"one bed → two beds", "two beds → three beds"}


def shades_of(figure):
    return [
        shade
        for trace in figure["data"]
        if trace["type"] == "heatmap"
        for row in trace["z"]
        for shade in row
        if shade is not None
    ]


def texts_of(figure):
    return [text for trace in figure["data"] for text in trace.get("text", ())]


def test_curves_of_a_metric_show_its_values_and_the_better_side(array_page):
    # r2 is 1 less the error in units of the variance, which is far above one: below zero, and apple's highest.
    app = open_tab(array_page, loss="r2")
    assert "apple has the highest r2 on" in answer(app)
    assert app.subheader[2].value == "How does r2 change with more training cases?"
    figure = of_tab(app)[0]
    assert "↑ better   r2" in annotations(figure)
    low, high = figure["layout"]["yaxis"]["range"]
    curves = [trace for trace in figure["data"] if trace["yaxis"] == "y"]
    assert [trace["name"] for trace in curves] == list(METHODS)
    values = [[value for value in trace["y"] if value is not None] for trace in curves]
    assert low < min(map(min, values)) < max(map(max, values)) < high < 0
    apple, pear = (trace["y"] for trace in curves[:2])
    assert all(one > other for one, other in zip(apple, pear, strict=True) if one is not None)


def test_a_higher_value_of_a_metric_is_better_in_color_too(array_page):
    app = open_tab(array_page, "Differences", loss="r2", reference="pear", methods=["apple", "pear"])
    figure = of_tab(app)[0]
    assert "r2 minus that of pear" in annotations(figure)
    assert all(shade < 0 for shade in shades_of(figure))  # blue
    ends = [text for text in annotations(figure) if text.endswith(("worse", "better"))]
    assert [text.startswith("−") for text in ends] == [True, False]
    assert ends[0].endswith("worse")
    figure = of_tab(open_tab(array_page, "One method", of="pear", loss="r2"))[0]
    assert all(shade > 0 for shade in shades_of(figure))  # orange
    assert sum(text.endswith("behind apple") for text in texts_of(figure)) == 8


@pytest.fixture
def score_page(tmp_path, run_page):
    """The pages of a file of accuracies on datasets of two factors: a is 0.3 above b, and b 0.3 above c."""
    lines = ["dataset,method,fold,accuracy"]
    for place, dataset in enumerate(("8-low", "8-high", "16-low", "16-high")):
        for number, mean in enumerate((0.9, 0.6, 0.3)):
            near = [place / 100 + fold * (number + 1) % 3 / 1000 for fold in range(5)]
            lines += [f"{dataset},{'abc'[number]},{fold},{mean + more}" for fold, more in enumerate(near)]
    (tmp_path / "scores.csv").write_text("\n".join(lines))
    opened_archive(tmp_path / "scores.csv", scores=ScoreOptions())
    return run_page


def test_signs_of_scores_are_those_of_losses(score_page):
    app = open_tab(score_page, "Differences", reference="b")
    assert "a has the highest accuracy on 4 of 4 tasks" in answer(app)
    assert "+ significantly better, − significantly worse" in texts(app)
    assert sorted(texts_of(of_tab(app)[0])) == ["+"] * 4 + ["−"] * 4
    figure = of_tab(open_tab(score_page, "One method", of="b"))[0]
    assert all(text.startswith("− 0.2998") and text.endswith("behind a") for text in texts_of(figure))


@pytest.mark.parametrize("tab", TABS)
def test_no_tab_of_scores_speaks_of_a_loss(tab, score_page):
    app = open_tab(score_page, tab)
    shown = [texts(app), *map(json.dumps, figures(app)), *(one.proto.alt for one in app.get("plotly_chart"))]
    assert re.findall(r"\bloss(?:es)?\b", "\n".join(shown), re.IGNORECASE) == []


def test_no_chosen_method_gives_an_empty_state(array_page):
    app = open_tab(array_page, methods="")
    assert "No method is chosen" in answer(app)
    assert not figures(app)
    assert len(app.get("plotly_chart")) == 0
