"""Means are compared over the runs that all methods compared have; who has results where. The numbers are
worked by hand."""

import shutil

import numpy as np
import pandas as pd
import pytest

import delvecore
from delvecore.archive.result_index import ResultIndex, index_of
from delvecore.archive.score_tables import measure_ranked, ranked_scores, score_table
from delvecore.cli import delve
from delvecore.errors import DelveError
from delvecore.library.ranking import rank
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.stats.ranking.score_table import Partial
from delvecore.tables import SCHEMAS, table_of
from tests.archives import small_archive, write_tree

SCORES = {
    # b failed on fold 3 of x, the hardest one; c only has the easiest fold of each.
    ("x", "a"): (0.9, 0.8, 0.7, 0.2),
    ("x", "b"): (0.8, 0.7, 0.6, None),
    ("x", "c"): (0.99, None, None, None),
    ("y", "a"): (0.5, 0.5, 0.5, 0.5),
    ("y", "b"): (0.7, 0.3, 0.7, 0.3),
    ("y", "c"): (0.9, None, None, None),
    ("z", "a"): (0.4, 0.4, 0.4, 0.4),
    ("z", "b"): (0.1, 0.2, 0.3, 0.4),
    ("z", "c"): (None, None, None, None),
}


def frame(scores=SCORES):
    rows = [
        (task, method, fold, value)
        for (task, method), values in scores.items()
        for fold, value in enumerate(values)
        if value is not None
    ]
    return pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy"])


@pytest.fixture
def run_delve(run_command):
    """Run `delve` and return what it prints."""
    return lambda *words: run_command(delve.main, *words).out


@pytest.fixture
def path(tmp_path):
    frame().to_csv(tmp_path / "scores.csv", index=False)
    return str(tmp_path / "scores.csv")


def ranked_of(path, **chosen):
    archive = delvecore.open([path], cache=False)
    return ranked_scores(archive, measure_ranked(archive, None), **chosen)


def test_a_method_that_fails_on_the_hard_fold_does_not_win_by_the_easy_ones(path):
    # Over the folds that each has, b has 0.70 on x and a 0.65. Over folds 0 to 2 a has 0.8 and b 0.7.
    table = ranked_of(path)
    assert (table.tasks, table.methods) == (("x", "y", "z"), ("a", "b"))
    assert table.values == pytest.approx(np.array([[0.8, 0.7], [0.5, 0.5], [0.4, 0.25]]))
    assert table.runs.reduced == (Partial("x", 3, 4),)


def test_only_methods_that_are_compared_have_to_have_a_run(path):
    # b is not compared: a and c have fold 0 of x and y.
    table = ranked_of(path, methods=["a", "c"], keep=["a", "c"])
    assert table.values[:2] == pytest.approx(np.array([[0.9, 0.99], [0.5, 0.9]]))
    # Of a alone all folds count.
    assert ranked_of(path, methods=["a"]).values[:, 0] == pytest.approx([0.65, 0.5, 0.4])


def test_below_half_of_a_task_there_is_no_value_and_exactly_half_is_enough(tmp_path):
    scores = SCORES | {("x", "c"): (0.9, None, None, None), ("y", "c"): (0.9, 0.9, 0.5, 0.5)}
    scores |= {("z", "c"): (0.2, 0.2, None, None)}
    frame(scores).to_csv(tmp_path / "scores.csv", index=False)
    table = ranked_of(str(tmp_path / "scores.csv"))
    # c has 7 of 12 runs, so it is ranked; on x it has 1 of 4; on z folds 0 and 1 count.
    expected = [[0.8, 0.7, np.nan], [0.5, 0.5, 0.7], [0.4, 0.15, 0.2]]
    assert table.values == pytest.approx(np.array(expected), nan_ok=True)
    assert (table.runs.cells, table.runs.reduced) == ((("x", "c"),), (Partial("x", 3, 4), Partial("z", 2, 4)))


def test_a_task_without_common_runs_has_no_values_and_is_named(tmp_path):
    scores = {key: values for key, values in SCORES.items() if key[1] != "c"}
    scores |= {("w", "a"): (0.1, 0.2, None, None), ("w", "b"): (None, None, 0.3, 0.4)}
    frame(scores).to_csv(tmp_path / "scores.csv", index=False)
    table = ranked_of(str(tmp_path / "scores.csv"))
    assert table.runs.without == ("w",)
    assert np.isnan(table.values[table.tasks.index("w")]).all()
    text = repr(rank(str(tmp_path / "scores.csv")))
    assert "No instance is common to all methods on 1 task, left out: w." in " ".join(text.split())
    assert "over 3 of 4 tasks" in " ".join(text.split())


def test_text_says_below_its_answer_what_failed_and_what_is_left_out(path, run_delve):
    words = " ".join(run_delve("rank", path).split())
    notice = (
        "11 of 36 runs have no value; means are over the instances (folds, seeds or training sets) that all "
        "methods have, 3 of 4 on x. c has 2 of 12 runs and is not ranked; name it among the methods to rank it."
    )
    assert words.index("has the best mean rank") < words.index(notice) < words.index("mean rank best on")
    named = " ".join(run_delve("rank", path, "--methods", "a,b,c").split())
    assert "not ranked" not in named
    assert "1 of 4 on x and 1 of 4 on y" in named


def test_failed_runs_that_the_file_names_are_counted_once(tmp_path, run_delve):
    rows = [
        (task, method, fold, value)
        for (task, method), values in SCORES.items()
        for fold, value in enumerate(values)
    ]
    path = tmp_path / "failed.csv"
    pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy"]).to_csv(
        path, index=False, na_rep="NA"
    )
    for words in ((), ("--show", "leaderboard")):
        text = " ".join(run_delve("rank", str(path), *words).split())
        assert text.count("of 36 runs have no value") == 1
        assert "Means are over the instances (folds, seeds or training sets) that all methods have" in text
    assert repr(rank(str(path))).count("of 36 runs have no value") == 1


def test_rank_and_compare_in_python_do_the_same():
    ranking = rank(frame())
    assert ranking.methods == ("a", "b")
    assert ranking.runs.unranked == (Partial("c", 2, 12),)
    assert "c has 2 of 12 runs and is not ranked" in ranking.report("text").replace("\n", " ")
    assert rank(frame(), methods=["b", "c"]).runs.unranked == ()
    with pytest.raises(DelveError, match="expected names of methods, found 'd'; there are a, b, c"):
        rank(frame(), methods=["a", "d"])
    # A pair is compared on the folds that both have: accuracies 0.1 apart on each of three folds of x.
    pairs = delvecore.compare(frame()).to_frame().set_index(["dataset", "method_a", "method_b"])
    assert pairs.loc[("x", "a", "b"), "difference"] == pytest.approx(0.1)
    assert pairs.loc[("x", "a", "b"), "instances"] == 3


def test_without_enough_methods_the_message_says_why(path):
    with pytest.raises(
        DelveError, match="with results of 1 method: c has results of 2 of 12 runs; say failed="
    ):
        rank(frame({key: values for key, values in SCORES.items() if key[1] != "b"}))


def test_in_delve_directories_instances_that_a_method_lacks_do_not_count(tmp_path):
    # All six test cases of an instance have one loss; `two` lacks the last instance, that of the largest.
    path = small_archive(tmp_path)
    place = "demo/shade/std.4"
    for method, losses in {"one": (0.1, 0.2, 0.3, 1.0), "two": (0.2, 0.3, 0.4)}.items():
        (path / f"methods/{method}/{place}/loss.Z.3").unlink()
        files = {f"loss.Z.{number}": f"{loss!r}\n" * 6 for number, loss in enumerate(losses)}
        write_tree(path, {f"methods/{method}/{place}/{name}": text for name, text in files.items()})
    archive = delvecore.open([str(path)], cache=False)
    table = score_table(archive, LOSS_SPECS["Z"], [("demo", "shade", "std.4")], standardized=False)
    assert table.values == pytest.approx(np.array([[0.2, 0.3]]))
    assert table.runs.reduced == (Partial("/demo/shade/std.4", 3, 4),)
    assert (table.runs.runs, table.runs.failed) == (8, 1)
    # With the worst run's loss, 1, in its place: means of 0.1, 0.2, 0.3, 1 and of 0.2, 0.3, 0.4, 1.
    assert table.failed_worst == pytest.approx(np.array([[0.4, 0.475]]))
    assert table.runs.failures == (("demo", ("two",), 1),)


def test_each_run_that_all_methods_have_or_lack_is_no_failure_of_some(tmp_path):
    # On x all methods fail on fold 1, a on fold 2 and b on fold 3.
    scores = {("x", "a"): (0.9, None, None, 0.2), ("x", "b"): (0.8, None, 0.6, None)}
    scores |= {("x", "c"): (0.8, None, 0.6, 0.1)}
    frame(scores).to_csv(tmp_path / "scores.csv", index=False)
    runs = ranked_of(str(tmp_path / "scores.csv")).runs
    assert sorted(runs.failures) == [("x", ("a",), 1), ("x", ("b",), 1)]
    assert runs.compared == ("a", "b", "c")


def test_all_failed_runs_are_counted_if_no_method_has_all_runs(tmp_path):
    # Of folds 0 to 3 a lacks the first and b the last: 2 of 8 runs.
    scores = {("x", "a"): (None, 0.3, 0.2, 0.2), ("x", "b"): (0.8, 0.7, 0.6, None)}
    frame(scores).to_csv(tmp_path / "scores.csv", index=False)
    runs = ranked_of(str(tmp_path / "scores.csv")).runs
    assert (runs.runs, runs.failed, runs.reduced) == (8, 2, (Partial("x", 2, 4),))


def test_in_delve_directories_a_task_that_was_not_run_is_no_failed_run(tmp_path):
    path = small_archive(tmp_path)
    shutil.rmtree(path / "methods/two/demo/shade")
    table = score_table(delvecore.open([str(path)], cache=False), LOSS_SPECS["Z"])
    assert (table.methods, table.runs.failed, table.runs.unranked) == (("one",), 0, ())


ROWS = (("b", "far", "S"), ("b", "near", "S"), ("b", "near", "A"), ("a", "near", "S"), ("a", "far", "Z"))


@pytest.fixture
def index() -> ResultIndex:
    empty = dict.fromkeys(SCHEMAS["results"].names)
    rows = [
        empty | {"dataset": "demo", "prototask": "age", "task": task, "method": method, "loss": loss}
        for task, method, loss in ROWS
    ]
    return index_of(table_of(rows, SCHEMAS["results"]))


def test_results_are_counted_by_loss_and_rows_found_by_task_and_loss(index):
    assert dict(index.loss_counts) == {"S": 3, "A": 1, "Z": 1}
    assert index.rows_of(("demo", "age", "b"), "S").tolist() == [0, 1]
    assert index.rows_of(("demo", "age", "a")).tolist() == [3, 4]
    assert index.rows_of(("demo", "age", "b"), "Q").tolist() == index.rows_of(("other",)).tolist() == []
    assert index.rows_under("Z").tolist() == [4]
    assert index.first_rows.tolist() == [0, 3]
