"""The Ranking page: the sentence, every tab, tables of scores, and what cannot be ranked."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.ranking.screens import TITLES
from dashboard.server import archive as opened
from delvecore.score_tables.options import ScoreOptions
from tests.archives import write_tree
from tests.dashboard.array_archive import array_archive
from tests.dashboard.compare_archive import add_losses, compared_archive
from tests.dashboard.conftest import Pages
from tests.dashboard.reading import answer, box, figures, plain, texts

NEMENYI, WILCOXON, FLIPS, CONTROL = "Nemenyi", "Wilcoxon", "Sign flips", "Bonferroni-Dunn"


def csv_of(methods, tasks, *, spread=2.0, holes=0.0, digits=6, seed=0):
    """A table as a visitor has it; method 0 is best where spread is large."""
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 0.3, (tasks, methods)) + np.linspace(0, spread, methods) + 1
    missing = rng.random(values.shape) < holes
    lines = [",".join(["task", *(f"m{number}" for number in range(methods))])]
    for task, (row, gaps) in enumerate(zip(values, missing, strict=True)):
        cells = ["" if gap else f"{value:.{digits}f}" for value, gap in zip(row, gaps, strict=True)]
        lines.append(",".join([f"problem {task}", *cells]))
    return "\n".join(lines) + "\n"


@pytest.fixture
def rank(tmp_path, run_page):
    """Open the page on a table of scores: `rank(csv, test="Nemenyi")`."""

    def run(table: str, *, higher: bool = False, **parameters) -> AppTest:
        path = tmp_path / "scores.csv"
        path.write_text(table)
        opened.choose_paths([str(path)], scores=ScoreOptions(higher_is_better=higher))
        return run_page("ranking", **parameters)

    return run


def annotations(app):
    """All texts in the figures."""
    texts = [item["text"] for figure in figures(app) for item in figure["layout"].get("annotations", ())]
    traces = [trace for figure in figures(app) for trace in figure["data"] if trace.get("mode") == "text"]
    return texts + [text for trace in traces for text in trace["text"]]


LINES = ("robustness", "pair", "more")
"""The lines of the page that open, as the address has them."""


def test_the_sentence_names_the_best_method_the_tests_and_who_does_not_differ(rank):
    app = rank(csv_of(5, 30, spread=1.0))
    assert app.title[0].value == "m0 is the best of 5, significantly better than every other"
    assert answer(app).endswith(
        " Mean rank 1.23 over 30 tasks by score. 9 of 10 pairs differ significantly by sign flips."
    )
    said = texts(app)
    assert "Friedman’s test of all methods finds that the methods differ (p < 0.0001)." in said
    assert (
        "The test is sign flips of scaled differences, adjusted for all pairs by the largest statistic"
        in said
    )


def test_the_address_says_what_counts_once(rank):
    table = csv_of(4, 30, spread=1.0)
    for number in range(30):
        table = table.replace(f"problem {number},", f"d{number % 15}/std.{number + 1},")
    app = rank(table)
    assert "over 30 tasks of 15 datasets; tasks of one dataset count once" in answer(app)
    app = rank(table, unit="task", level="0.99", adjust="none", test=WILCOXON)
    assert "over 30 tasks of 15 datasets; each task counts" in answer(app)
    assert "not adjusted for the number of comparisons, at 0.01" in texts(app)
    assert any("p-values are too small" in warning.value for warning in app.warning)


def test_methods_that_do_not_differ_give_no_best_one_and_a_diagram_that_says_so(rank):
    app = rank(csv_of(4, 14, spread=0.0))
    assert "not significantly different from any other" in app.title[0].value
    assert "finds no difference" in texts(app)
    assert "CD = " not in " ".join(annotations(app))


def test_the_critical_difference_is_one_click_beside_the_diagram(rank):
    app = rank(csv_of(4, 20))
    app = app.segmented_control(key="local-diagram").set_value("Critical-difference diagram").run()
    assert app.query_params["diagram"] == "Critical-difference diagram"
    assert "CD = " not in " ".join(annotations(app))
    assert any(
        "A bar joins methods that do not differ significantly." in caption.value for caption in app.caption
    )
    assert app.button(key="other-test").label == "Critical difference (Nemenyi)"
    app = app.button(key="other-test").click().run()
    assert "significantly by Nemenyi’s test" in answer(app)
    assert "CD = " in " ".join(annotations(app))
    assert any("within the critical difference" in caption.value for caption in app.caption)
    assert app.button(key="other-test").label == "By sign flips"
    app = app.button(key="other-test").click().run()
    assert "significantly by sign flips" in answer(app)


@pytest.mark.parametrize(("methods", "tasks"), [(2, 8), (3, 2)])
def test_every_line_that_opens_shows_a_table_of_scores_however_small(methods, tasks, tmp_path, run_page):
    path = tmp_path / "scores.csv"
    path.write_text(csv_of(methods, tasks, spread=1.0))
    page = Pages(path, run_page, scores=ScoreOptions(higher_is_better=False))
    shut = len(page("ranking").get("plotly_chart"))
    for name in LINES:
        assert len(page("ranking", **{name: "true"}).get("plotly_chart")) > shut or name == "more", name


@pytest.mark.parametrize(("name", "key"), [("One pair", "pair"), ("Robustness", "robustness")])
def test_an_older_address_of_a_tab_opens_its_line(name, key, rank):
    app = rank(csv_of(3, 9, spread=1.0), **{"ranking-part": name})
    assert "ranking-part" not in app.query_params
    assert app.session_state[key]


@pytest.mark.parametrize(("test", "methods"), [(NEMENYI, 6), (WILCOXON, 6), (FLIPS, 2), (CONTROL, 2)])
def test_every_test_has_its_diagram_and_an_adjustment_where_it_changes_something(test, methods, rank):
    app = rank(csv_of(methods, 20), test=test, diagram="Critical-difference diagram")
    assert ("CD" in " ".join(annotations(app))) == (test not in (WILCOXON, FLIPS))
    labels = [one.label for one in app.selectbox]
    assert ("Adjust p for the number of pairs" in labels) == (test == WILCOXON)
    if test == CONTROL:
        assert "m0 is the reference because its name is the first" in texts(app)
        assert "reference m0" in app.title[0].value


@pytest.mark.parametrize("test", [FLIPS, CONTROL])
def test_a_reference_is_compared_with_the_others_alone(test, rank):
    app = rank(csv_of(4, 20), test=test, diagram="Critical-difference diagram")
    app = box(app, "Reference").select("m2").run()
    assert "the reference m2" in app.title[0].value
    assert app.query_params["reference"] == "m2"
    assert "<b>m2</b>" in " ".join(annotations(app))
    assert "<i>m0</i>" in " ".join(annotations(app))
    assert any("The reference is bold" in caption.value for caption in app.caption)
    app = box(app, "Reference").set_value(None).run()
    assert "by sign flips" in answer(app)
    assert CONTROL not in app.query_params.get("test", "")


@pytest.mark.parametrize(
    "table",
    ["task,a\nt1,1\nt2,2\nt3,1\n", "task,a,b\nt1,1,\nt2,,2\n"],
    ids=["one method", "no complete task"],
)
def test_what_cannot_be_ranked_says_what_is_needed(table, rank):
    app = rank(table)
    assert app.title[0].value == "Nothing can be ranked here yet"
    assert "A ranking needs two methods with results on the same two tasks." in texts(app)
    assert not app.get("plotly_chart")


def test_gaps_leave_out_tasks_or_methods_and_say_whose(rank):
    table = "task,a,b,c\nt1,1,2,3\nt2,1,,3\nt3,2,3,4\nt4,1,2,2\nt5,3,1,\n"
    app = rank(table)
    said = plain(app)
    assert "2 of 5 tasks are left out, as results are missing there: b lacks 1, c lacks 1" in said
    assert "over 3 of 5 tasks" in answer(app)
    app = rank(table.replace("t5,3,1,\n", "t5,3,1,4\n"), drop="methods")
    assert "over 5 tasks" in answer(app)
    assert "Left out, as results are missing on some of these tasks: b." in texts(app)


def test_the_first_caveat_is_on_failed_runs_of_one_method(rank):
    # a has no value on 7 of 20 tasks: p is 3 methods * 3/2 * (1/3)^7.
    lines = [f"t{task},{'' if task < 7 else task % 5},{2 + task % 3},{3 + task % 4}" for task in range(20)]
    app = rank("\n".join(["task,a,b,c", *lines]) + "\n")
    warning = app.warning[0].value
    assert warning.startswith(
        "Failed runs are concentrated in a. Comparing on common runs may favor a: 7 of 7 failed runs are its own "
        "(exact p = 0.0021). Given the worst value for each failed run, a "
    )
    assert "Failed runs" not in answer(app).replace(warning, "")


@pytest.fixture(scope="module")
def page(tmp_path_factory, run_page):
    """Pages of an archive where `near` has lower losses than `far` on two tasks, and all methods have some on one."""
    place, _ = compared_archive(tmp_path_factory.mktemp("compared"))
    for number, method in enumerate(("near", "far")):
        rows = [[1.0 + 9 * number, 2.0 + 9 * number]] * 4
        add_losses(place, method, "/demo/age/std.4", "S", rows)
        stats = (place / "methods/one/demo/age/std.8/Test-set-stats").read_text()
        write_tree(place, {f"methods/{method}/demo/age/std.4/Test-set-stats": stats})
    return Pages(place, run_page)


def test_the_archives_methods_are_ranked_on_tasks_chosen_by_what_they_are(page):
    app = page("ranking", methods=["near", "far"])
    assert "over 2 tasks of 1 dataset; each task counts, by standardized squared error (S)" in answer(app)
    said = texts(app)
    assert "All 2 tasks are of one dataset: they are related" in said
    assert "not tested: all tasks are of one dataset" in answer(app)
    app = page("ranking")
    assert app.title[0].value == "Nothing can be ranked here yet"
    assert "too many are missing: one lacks 1, two lacks 1" in texts(app)
    app = page("ranking", methods=["near", "far"], pair="true")
    tasks = app.selectbox(key="open-ranking-scatter").options  # opened without a mouse
    assert sorted(tasks) == ["/demo/age/std.4", "/demo/age/std.8"]
    app = page("ranking", methods=["near", "far"], size="4")
    assert "There are results of 2 methods on 1 task." in texts(app)


def test_of_no_methods_there_is_an_empty_state_and_each_click_adds_one(four):
    app = four.fresh("ranking")
    app = app.button(key="methods-None").click().run()
    assert app.query_params["methods"] == ""
    assert app.title[0].value == "Choose methods to rank"
    assert "No method is chosen." in texts(app)
    assert not app.get("plotly_chart")
    for chosen, heading in ((["pear"], "pear is only one method"), (["pear", "rest"], " of 2")):
        app.button_group(key="control-methods").set_value(chosen).run()
        assert app.query_params["methods"] in (chosen, chosen[0])
        assert app.button_group(key="control-methods").value == chosen
        assert heading in app.title[0].value


def test_an_older_address_names_the_reference_as_control(four):
    app = four.fresh("ranking", control="pear")
    assert box(app, "Reference").value == "pear"
    assert app.query_params["reference"] == "pear"
    assert "control" not in app.query_params
    assert [one.label for one in app.selectbox if one.label in ("Control", "Reference", "Mine")] == [
        "Reference",
        "Mine",
    ]


@pytest.fixture(scope="module")
def four(tmp_path_factory, run_page):
    """Pages of an array with four methods, of which the last has no costs."""
    return Pages(
        array_archive(tmp_path_factory.mktemp("four"), ("apple", "pear", "quince", "rest")), run_page
    )


@pytest.mark.parametrize("question", TITLES)
def test_every_further_question_is_answered_with_one_figure(question, four):
    app = four("ranking", methods=["apple", "pear", "quince"], more="true", question=question)
    assert "This question cannot be answered here" not in texts(app)
    # The diagram, the pairs, and the answer's own figure; p-values of procedures and plans have none.
    assert len(app.get("plotly_chart")) == (2 if question in ("pairs", "power") else 3)


def test_without_costs_of_a_method_the_front_says_what_is_missing(four):
    app = four("ranking", methods=["apple", "rest"], more="true", question="front")
    assert "expected 2 datasets with costs of all methods, found fewer" in plain(app)


def test_one_pair_names_the_probability_of_winning_and_that_of_being_most_likely(four):
    app = open_numbers(four.fresh("ranking", pair="true"), "ranking-triangle")
    assert "Which outcome is most likely on a new task?" in [one.value for one in app.subheader]
    said = plain(app)
    assert "Posterior probability that an outcome is the most likely one on a new task." in said
    assert "a different quantity: “Probability of winning on a new task” estimates it." in said
    tables = [one.value for one in app.dataframe]
    (effects,) = (one for one in tables if "effect" in one)
    assert "Probability of winning on a new task" in effects["effect"].tolist()
    (posteriors,) = (one for one in tables if "test" in one and "probability of" in one)
    assert dict(zip(posteriors["test"], posteriors["probability of"], strict=True)) == {
        "signed rank": "being most likely on a new task",
        "correlated t": "the mean difference being there",
        "sign": "being most likely on a new task",
    }


def test_methods_called_as_columns_have_numbers_of_their_own(rank):
    app = rank("dataset,task,p\nd1,1,2\nd2,2,3\nd3,1,4\n", pair="true")
    tables = [one.value for one in open_numbers(app, "ranking-scatter").dataframe]
    (values,) = (one for one in tables if "better" in one)
    assert list(values) == ["task", "task (method)", "p (method)", "better", "p"]


def open_numbers(app, key):
    app.session_state[f"numbers-{key}"] = True
    app.run()
    assert not app.exception
    return app


def test_of_one_method_the_page_says_that_a_second_one_is_needed(rank):
    text = texts(rank(csv_of(1, 5, spread=1.0)))
    assert "A ranking needs two methods" in text
    assert "no methods on no tasks" not in text
    assert "0 of no methods" not in text
