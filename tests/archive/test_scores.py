"""Tables of scores as archives: opened, kept in the cache, beside delve directories; those of test cases
matched by case."""

import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import delvecore
import delvecore as dv
from delvecore.archive import state_of
from delvecore.archive.score_tables import measure_ranked, ranked_scores, read_score_table
from delvecore.archive.scores import opening
from delvecore.archive.scores.building import measure_key, sorted_rows
from delvecore.archive.scores.opening import array_of, named_factors
from delvecore.errors import DelveError
from delvecore.library import input_tables
from delvecore.losses.metrics import known_metric
from delvecore.measures import column_measure
from delvecore.model import Scheme
from delvecore.readers.labels import place_of
from delvecore.score_tables.options import NO_OPTIONS, ScoreOptions
from delvecore.score_tables.score_file import Reading, ScoreFile
from delvecore.stats.designs import RunDesign, fold_correlation
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.tables import SCHEMAS, SCORE_ROWS
from tests.archives import small_archive
from tests.case_results import right_or_wrong
from tests.score_tables.test_case_results import exact_p
from tests.scores_files import folds_csv
from tests.shared import shared_path


@pytest.fixture
def folds(tmp_path):
    return folds_csv(tmp_path / "folds.csv")


def score_file(rows, metric="accuracy", **facts):
    """A file with rows of (dataset, method, instance, value)."""
    empty = {"spread": None, "seconds": None, "megabytes": None, "metric": metric}
    named = [dict(zip(("dataset", "method", "instance", "value"), row, strict=True)) | empty for row in rows]
    known = known_metric(metric) or column_measure(metric, False)
    rows = pa.Table.from_pylist(named, schema=SCORE_ROWS)
    return ScoreFile("made", rows, (known,), Reading("made", 0, 0), **facts)


def archive_of(*files):
    return delvecore.open([], cache=False).joined(opening.group_of(files))


def test_each_dataset_has_a_task_and_each_fold_is_an_instance(folds):
    archive = delvecore.open(folds)
    assert archive.tasks.select(["dataset", "task", "instances", "scheme", "share"]).to_pylist()[0] == {
        "dataset": "iris",
        "task": "all",
        "instances": 5,
        "scheme": "cross-validation",
        "share": fold_correlation(5),
    }
    assert (archive.results.num_rows, archive.losses.num_rows, archive.costs.num_rows) == (9, 45, 45)
    assert archive.losses.schema.names == SCHEMAS["losses"].names
    assert archive.files == (str(folds),)
    assert archive.datasets["dataset"].to_pylist() == ["iris", "wine", "heart"]  # as in the file


def test_scores_stay_as_they_are_and_their_errors_are_those_of_overlapping_training_sets():
    # Accuracies 0.8, 0.9, 1.0 of three folds: the mean is 0.9 and its variance 0.01 (1/3 + 0.5).
    rows = [("d", "m", f"fold {k}", 0.8 + 0.1 * k) for k in range(3)]
    design = RunDesign(Scheme.CROSS_VALIDATION, 3, 1, 1 / 3)
    (row,) = archive_of(score_file(rows, design=design)).results.to_pylist()
    assert (row["mean"], row["standard_error"]) == pytest.approx((0.9, (0.01 * (1 / 3 + 0.5)) ** 0.5))
    assert (row["test_cases"], row["standardizer"], row["standardized_mean"]) == (None, 1.0, row["mean"])


def test_methods_are_compared_by_the_corrected_test_of_folds_and_runs_on_one_split_are_said_to_be(folds):
    assert set(delvecore.open(folds).compare("/iris")["test"].to_pylist()) == {"resampled"}
    rows = [
        ("d", name, f"seed {k}", 0.8 + 0.01 * k * place) for place, name in enumerate("ab") for k in range(4)
    ]
    archive = archive_of(score_file(rows, design=RunDesign(Scheme.ONE_SPLIT)))
    (pair,) = archive.compare().to_pylist()
    # Differences 0, 0.01, 0.02, 0.03: mean 0.015, standard error of four independent ones.
    assert pair["standard_error"] == pytest.approx((0.01**2 * 5 / 3 / 4) ** 0.5)
    assert (pair["test"], pair["df1"], pair["notes"]) == ("runs", 3, ["one_split"])


def test_the_spread_that_stands_with_a_number_is_its_standard_deviation(tmp_path):
    path = tmp_path / "spread.csv"
    path.write_text("dataset,a,b\none,0.90 ± 0.02,0.80 ± 0.03\ntwo,0.70 ± 0.01,0.60 ± 0.04\n")
    archive = delvecore.open(path, scores=ScoreOptions(higher_is_better=True))
    results = archive.results.select(["sd_training", "standard_error"]).to_pylist()
    assert [row["sd_training"] for row in results] == [0.02, 0.03, 0.01, 0.04]
    assert {row["standard_error"] for row in results} == {None}


def test_a_second_opening_reads_no_file(folds, monkeypatch):
    first = delvecore.open(folds)
    monkeypatch.setattr(opening, "_read", lambda *_: pytest.fail("read again"))
    second = delvecore.open(folds)
    assert (second.state, second.readings, second.losses.num_rows) == (first.state, first.readings, 45)
    assert second.results.equals(first.results)


def test_the_state_changes_with_the_file_and_with_how_it_is_read(folds):
    before = delvecore.open(folds).state
    assert state_of(folds) == before
    assert state_of(folds, scores=ScoreOptions(share=0.3)) != before
    os.utime(folds, ns=(1, 1))
    assert state_of(folds) != before


@pytest.mark.parametrize(
    ("metric", "key"),
    [
        (known_metric("accuracy"), "accuracy"),
        (known_metric("MAE"), "MAE"),  # no loss matrix AE
        (column_measure("accuracy", True, 100.0), "accuracy"),
        (column_measure("1 - score", True), "1 - score"),
        (column_measure("-LL", False), "-LL"),
        (column_measure("S", False), "S"),  # the loss of DELVE
        (column_measure("S", True), "S (scores)"),
        (column_measure("Makespan", False), "Makespan"),  # no loss matrix akespan
        (column_measure("Z0.2N", True), "Z0.2N (scores)"),
    ],
)
def test_a_column_of_scores_keeps_its_name_unless_delve_has_a_loss_of_it(metric, key):
    assert measure_key(metric) == key


def test_names_of_datasets_may_be_those_of_tasks():
    assert place_of("iris") == ("iris", "scores", "all", 0)
    assert place_of("iris", 64).name == "std.64"
    assert (*place_of("age/std.128"), place_of("age/std.128").name) == (
        "age",
        "scores",
        "std",
        128,
        "std.128",
    )
    assert place_of("/demo/age/std.128") == ("demo", "age", "std", 128)
    assert place_of("/iris/scores/all") == place_of("iris")


@pytest.mark.parametrize("label", ["openml.org/t/3", "https://a.org/b", "/a/b", "a/"])
def test_other_names_with_slashes_are_those_of_datasets(label):
    place = place_of(label)
    assert place == (label.replace("/", "\u2215"), "scores", "all", 0)
    assert place.id.title == label


def test_datasets_named_by_two_factors_are_an_array():
    labels = [f"{dim}-{noise}" for dim in (8, 32) for noise in ("low", "high")]
    array = array_of("design", {name: place_of(name) for name in labels}, named_factors(labels))
    assert [[level.name for level in factor.levels] for factor in array.factors] == [
        ["8", "32"],
        ["low", "high"],
    ]
    assert named_factors(["iris", "wine"]) == named_factors(["heart-disease", "breast-cancer"]) == {}


def test_scores_of_tasks_of_the_archive_are_further_methods_in_the_same_unit(tmp_path):
    small = delvecore.open(small_archive(tmp_path))
    rows = [("/demo/age/std.8", name, f"{k}", 2.0 + k) for name in ("mine", "one") for k in range(2)]
    archive = small.joined(opening.group_of([score_file(rows, "S")]))
    assert archive.tasks.equals(small.tasks)
    by_method = {row["method"]: row for row in archive.results.to_pylist() if row["task"] == "std.8"}
    assert list(by_method) == ["one", "two", "mine", "one (scores)"]
    assert by_method["mine"]["mean"] == 2.5
    assert by_method["mine"]["standardizer"] == by_method["one"]["standardizer"] > 1
    pairs = {
        (row["method_a"], row["method_b"]): row for row in archive.compare("/demo/age/std.8").to_pylist()
    }
    pair = pairs["mine", "one"]
    # One's mean losses are 2.5 and 5 (1 to 5 less the last, times the instance), mine 2 and 3.
    assert (pair["difference"], pair["df1"]) == pytest.approx((2.5 - by_method["one"]["mean"], 1))


def test_scores_stand_beside_delve_directories(tmp_path, folds):
    root = small_archive(tmp_path)
    archive = delvecore.open([root, folds])
    assert {"demo", "iris"} <= set(archive.datasets["dataset"].to_pylist())
    assert archive.sources == (str(root), str(folds))
    assert delvecore.open(root).beside([folds]).results.equals(archive.results)
    assert archive.losses.num_rows == 45 + delvecore.open(root).losses.num_rows
    assert archive.comparisons.num_rows == 9 + delvecore.open(root).comparisons.num_rows


def test_several_files_are_one_archive_and_what_is_told_twice_counts_once(tmp_path, folds):
    other = folds_csv(tmp_path / "other.csv", ("iris", "new"))
    archive = delvecore.open([folds, other])
    assert archive.datasets["dataset"].to_pylist() == ["iris", "wine", "heart", "new"]
    assert archive.losses.num_rows == 60
    (problem,) = archive.problems.to_pylist()
    assert problem["message"].endswith("found 15 again; the first one counts")


def test_tables_in_folders_are_scores_and_their_changes_are_seen(tmp_path):
    for method in ("rf", "gp"):
        (tmp_path / method).mkdir()
        (tmp_path / method / "iris.csv").write_text("accuracy\n0.9\n0.8\n")
    archive = delvecore.open(tmp_path)
    assert archive.methods["method"].to_pylist() == ["gp", "rf"]
    (tmp_path / "rf" / "car.csv").write_text("accuracy\n0.9\n0.8\n")
    assert state_of([tmp_path]) != archive.state
    assert len(delvecore.open(tmp_path).datasets) == 2


CRITICAL = [(9, 85, 1.303), (8, 19, 2.409), (6, 66, 0.928), (78, 51, 18.82)]
"""Nemenyi's difference at 0.05, q sqrt(k (k + 1) / (6 N)), of nine networks on the 85 univariate series of the UCR
archive, of examples of 8 and of 6, and of 78 methods on the 51 datasets of TabArena."""


@pytest.mark.parametrize(("methods", "tasks", "difference"), CRITICAL)
def test_critical_differences_are_those_that_others_print(methods, tasks, difference):
    drawn = np.random.default_rng(1).random((tasks, methods))
    table = ScoreTable(tuple(map(str, range(tasks))), tuple(map(str, range(methods))), drawn)
    assert analyze(table).nemenyi.cd == pytest.approx(difference, rel=5e-4)


@pytest.mark.shared
def test_the_example_of_critical_difference_diagrams_has_the_critical_difference_of_its_size():
    # Five classifiers on 15 datasets: 2.728 sqrt(5 6 / (6 15)).
    table = read_score_table(str(shared_path("data/scores/cd_example.csv")))
    assert analyze(table).nemenyi.cd == pytest.approx(1.575, abs=1e-3)


def long_parquet(path):
    """Accuracies and errors of two methods on three datasets."""
    rows = [
        {"dataset": dataset, "method": method, "metric": metric, "value": place / 10 + shift}
        for place, dataset in enumerate(("iris", "wine", "heart"))
        for method, shift in (("A", 0.1), ("B", 0.2))
        for metric in ("accuracy", "rmse")
    ]
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def test_only_some_rows_of_a_file_are_opened_and_the_cache_keeps_none_of_them(tmp_path):
    path = long_parquet(tmp_path / "long.parquet")
    some = delvecore.open(path, where={"metric": "rmse", "dataset": ["iris", "wine"]})
    assert some.index.losses == ("rmse",)
    assert [name for name, *_ in some.index.tasks] == ["iris", "wine"]
    whole = delvecore.open(path)
    assert len(whole.index.losses) == 2
    kept = set((tmp_path / "cache").rglob("losses.arrow"))
    delvecore.open(path, where={"metric": "accuracy"})
    assert kept == set((tmp_path / "cache").rglob("losses.arrow")) != set()


def test_of_a_loss_that_is_wanted_only_its_scores_are_read_unless_all_are_kept(tmp_path, monkeypatch):
    path = long_parquet(tmp_path / "long.parquet")
    alone = delvecore.open(path, loss="rmse")
    assert alone.index.losses == ("rmse",)
    assert len(delvecore.open(path, loss="another").index.losses) == 2  # no text of the file: all is read
    assert len(delvecore.open(path, loss="rmse").index.losses) == 2
    whole, some = (ranked_scores(one, measure_ranked(one, "rmse")) for one in (delvecore.open(path), alone))
    assert some.values.tolist() == whole.values.tolist()


def test_scores_come_in_order_each_once():
    # Of five hundred combinations 460 are there, some without a value, some twice: the first one counts.
    random = np.random.default_rng(5)
    cells = random.permutation(500)[:460]
    again = np.concatenate([cells, cells[:7]])
    columns = [codes.astype(np.int8) for codes in np.unravel_index(again, (10, 2, 5, 5))]
    values = random.random(len(again))
    values[[3, 200, 300]] = np.nan
    expected = {}
    for *place, value in zip(*columns, values, strict=True):
        if not np.isnan(value):
            expected.setdefault(tuple(place), value)
    rows, twice = sorted_rows(columns, values)
    assert list(zip(*(column[rows] for column in columns), values[rows], strict=True)) == [
        (*place, expected[place]) for place in sorted(expected)
    ]
    assert twice == 6  # the seven but for the one whose first has no value


def test_losses_of_scores_are_kept_in_few_bytes(folds):
    losses = delvecore.open(folds).losses
    sizes = {
        name: losses.schema.field(name).type for name in ("method", "dataset", "instance", "training_size")
    }
    assert set(map(str, sizes.values())) == {"dictionary<values=string, indices=int8, ordered=0>", "int8"}
    assert losses.cast(SCHEMAS["losses"]).num_rows == losses.num_rows
    frame = delvecore.open(folds).to_frame("losses")
    assert set(frame[["instance", "training_size"]].dtypes.astype(str)) == {"int64"}


def test_tasks_that_are_alike_are_estimated_together_as_each_alone(tmp_path, monkeypatch):
    from delvecore.stats.losses import results

    path = folds_csv(tmp_path / "many.csv", tuple(f"d{place}" for place in range(9)))
    calls = []
    one_by_one = results._estimates_of_stack
    monkeypatch.setattr(results, "_estimates_of_stack", lambda *given: calls.append(1) or one_by_one(*given))
    together = delvecore.open(path, cache=False).results
    assert len(calls) == 1
    monkeypatch.setattr(results, "AT_ONCE", 1)
    assert delvecore.open(path, cache=False).results.equals(together)
    assert len(calls) == 10


@pytest.fixture
def two_files(tmp_path):
    """Model a lacks cases q1 and q2, model b case q7."""
    frame = right_or_wrong(0.75, 0.6)
    lacking = {"a": ["q1", "q2"], "b": ["q7"]}
    for model, cases in lacking.items():
        part = frame[(frame.model == model) & ~frame.doc_id.isin(cases)]
        part.to_csv(tmp_path / f"{model}.csv", index=False)
    known = frame[~frame.doc_id.isin(["q1", "q2", "q7"])]
    return [tmp_path / "a.csv", tmp_path / "b.csv"], exact_p(known)


def check(archive, p):
    assert "3 test cases (q1, q2, q7): not all methods have them" in archive.readings[0].text
    assert "compared on the 217 of task0 that all have" in archive.readings[0].text
    (row,) = archive.comparisons.to_pylist()
    assert (row["test_cases"], row["p"]) == (217, pytest.approx(p))
    assert archive.results["test_cases"].to_pylist() == [217, 217]
    assert archive.tasks["test_cases"].to_pylist() == [217]


def test_files_of_different_cases_are_matched_by_case(two_files):
    paths, p = two_files
    check(dv.open(paths), p)
    check(dv.open(paths), p)  # from the cache


def test_a_file_beside_an_archive_is_matched_by_case(two_files):
    (first, second), p = two_files
    check(dv.open(first).beside([second]), p)


def test_a_method_with_fewer_than_half_of_the_cases_has_no_result(tmp_path):
    frame = right_or_wrong(0.75, 0.6, 0.5)
    number = frame.doc_id.str[1:].astype(int)
    frame[(frame.model != "c") | (number < 100)].to_csv(tmp_path / "three.csv", index=False)
    archive = dv.open(tmp_path / "three.csv")
    assert "1 method (c): fewer than half of the test cases of task0" in archive.readings[0].text
    assert archive.results["method"].to_pylist() == ["a", "b"]
    assert archive.comparisons["p"][0].as_py() == pytest.approx(exact_p(frame))


def test_means_and_cases_in_one_opening_are_refused(two_files, tmp_path):
    (tmp_path / "means.csv").write_text("task,model,acc\ntask0,c,0.5\ntask0,d,0.6\n")
    with pytest.raises(DelveError, match=r"means\.csv: expected a column of test cases"):
        dv.open([two_files[0][0], tmp_path / "means.csv"])


def test_the_table_of_tasks_has_the_groups():
    frame = right_or_wrong(0.75, 0.6, cases=6)
    frame["passage"] = frame.doc_id.str[1:].astype(int) // 2
    archive = input_tables.archive_of(input_tables.score_file(frame, NO_OPTIONS))
    (task,) = archive.tasks.to_pylist()
    assert (task["scheme"], task["test_set_selection"]) == ("test cases", "common")
    assert task["case_groups"] == [0, 0, 1, 1, 2, 2]
