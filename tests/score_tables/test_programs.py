"""Files of known programs and archives open in one step: each here has the shape of one, with numbers of our own."""

import io
import json

import pytest

from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.reading import read_scores
from tests.score_tables.tables import cells, scores


def titles(found):
    return [metric.title for metric in found.metrics]


def source(found):
    return [guess.taken for guess in found.reading.roles if guess.role == "source"]


def test_automl_benchmark_results_are_read_by_their_named_metrics():
    found = scores(
        "id,task,framework,fold,result,mode,version,utc,duration,models,seed,info,acc,auc,logloss\n"
        "t/1,kc1,RF,0,0.8,aws,0.1,2019-01-01T10:00:00,60.5,10,11,,0.75,0.8,\n"
        "t/1,kc1,RF,1,0.7,aws,0.1,2019-01-01T10:01:00,61.5,10,12,,0.70,0.7,\n"
        "t/1,kc1,GP,0,,aws,0.2,2019-01-01T10:02:00,3600,,13,Error: no memory,,,\n"
        "t/1,kc1,GP,1,0.9,aws,0.2,2019-01-01T10:03:00,62.5,10,14,,0.85,0.9,\n"
        "t/2,car,RF,0,0.5,aws,0.1,2019-01-01T10:04:00,63.5,10,15,,0.95,,0.5\n"
        "t/2,car,RF,1,0.6,aws,0.1,2019-01-01T10:05:00,64.5,10,16,,0.90,,0.6\n"
        "t/2,car,GP,0,0.4,aws,0.2,2019-01-01T10:06:00,65.5,10,17,,0.99,,0.4\n"
        "t/2,car,GP,1,0.3,aws,0.2,2019-01-01T10:07:00,66.5,10,18,,0.98,,0.3\n"
    )
    assert source(found) == ["AutoML benchmark"]
    assert titles(found) == ["1 - acc", "1 - auc", "logloss"]
    values = cells(found)
    assert values["car", "GP", "fold 1", "logloss"] == 0.3
    assert values["kc1", "GP", "fold 0", "auc"] is None
    assert ("kc1", "RF", "fold 0", "logloss") not in values
    assert found.rows["seconds"][0].as_py() == 60.5


UEA = "Resamples:,0,1,2\nArrowHead,0.8,0.7,0.9\nBeef,0.6,0.5,0.4\n"


def test_a_table_of_resamples_is_of_the_method_and_the_metric_in_the_files_name():
    found = scores(UEA, name="HC2_accuracy.csv")
    assert cells(found)["Beef", "HC2", "resample 2", "accuracy"] == 0.4
    assert found.design.kind == "resampled"


def test_the_summary_of_the_ucr_archive_is_a_wide_table_of_error_rates():
    found = scores(
        "ID,Type,Name,Train ,Test ,Class,Length,ED (w=0),DTW (learned_w) ,DTW (w=100),Data donor/editor\n"
        "1,Image,Adiac,390,391,37,176,0.3887,0.3913 (3),0.3964,A. Jalba\n"
        "2,Spectro,Beef,30,30,5,470,0.3333,0.3333 (0),0.3667,K. Kemsley\n"
        "3,Image,Herring,64,64,2,Vary,0.4844,0.4688 (5),0.4688,J. Mapp\n",
        metric="error rate",
    )
    assert cells(found)["Herring", "DTW (w=100)", "", "error rate"] == 0.4688
    assert found.rows.num_rows == 9
    assert found.factors["Beef"]["Type"] == "Spectro"


def test_iohprofiler_tables_have_a_dataset_for_each_function_and_dimension():
    rows = [
        f"{alg},{func},{dim},{100 * func + dim + place}"
        for place, alg in enumerate(("CMA", "DE"))
        for func in (1, 2)
        for dim in (5, 20)
    ]
    found = scores("\n".join(["algId,funcId,DIM,ERT", *rows]) + "\n")
    assert (source(found), titles(found)) == (["IOHprofiler"], ["ERT"])
    assert cells(found)["2, 20", "DE", "", "ERT"] == 221
    assert found.factors["2, 20"] == {"funcId": "2", "DIM": "20"}
    assert found.families["2, 20"] == "2"


def test_cross_validate_has_a_fold_a_line_as_csv_and_as_json(tmp_path):
    columns = {"fit_time": [0.1, 0.2], "score_time": [0.01, 0.01], "test_accuracy": [0.8, 0.9]}
    (tmp_path / "iris_rf.json").write_text(json.dumps(columns))
    (tmp_path / "iris_gp.json").write_text(json.dumps(columns))
    (tmp_path / "car_rf.json").write_text(json.dumps(columns))
    (tmp_path / "car_gp.csv").write_text("fit_time,score_time,test_accuracy\n0.1,0.01,0.7\n0.2,0.01,0.6\n")
    found = read_scores(tmp_path)
    values = cells(found)
    assert (len(values), values["car", "gp", "fold 1", "test_accuracy"]) == (8, 0.6)
    assert values["iris", "rf", "fold 0", "test_accuracy"] == 0.8
    assert (titles(found), found.design.kind) == (["1 - test_accuracy"], "cross-validation")


LEADERBOARD = (
    "model,score_test,score_val,eval_metric,pred_time_test,pred_time_val,fit_time,pred_time_test_marginal,"
    "pred_time_val_marginal,fit_time_marginal,stack_level,can_infer,fit_order\n"
    "LightGBM,{0},0.61,{1},0.5,0.4,12,0.5,0.4,12,1,True,1\n"
    "WeightedEnsemble_L2,{2},0.62,{1},0.6,0.5,30,0.1,0.1,18,2,True,2\n"
)
"""Columns of `TabularPredictor.leaderboard` of AutoGluon 1.1."""


@pytest.mark.parametrize("name", ["{}.csv", "{}/leaderboard.csv"])
def test_in_leaderboards_of_autogluon_higher_is_better_of_every_metric(name, tmp_path):
    for task, metric, one, two in (
        ("adult", "roc_auc", 0.7, 0.8),
        ("abalone", "root_mean_squared_error", -3, -2),
    ):
        path = tmp_path / name.format(task)
        path.parent.mkdir(exist_ok=True)
        path.write_text(LEADERBOARD.format(one, metric, two))
    found = read_scores(tmp_path)
    assert (source(found), titles(found)) == (["AutoGluon leaderboard"], ["-score_test"])
    assert cells(found)["abalone", "WeightedEnsemble_L2", "", "score_test"] == -2
    assert cells(found)["adult", "LightGBM", "", "score_test"] == 0.7
    assert found.rows["seconds"].to_pylist() == [12, 30, 12, 30]


PREDICTIONS = "{0},{1},TEST,{2},MILLISECONDS,made by us\nNo Parameter Info\n{3},2000,4,-1,-1,2\n"


def test_predictions_of_aeon_are_scored_a_resample_a_file(tmp_path):
    for method, right in (("HC2", "1"), ("ROCKET", "0")):
        for seed in (0, 1):
            path = tmp_path / method / "Predictions" / "Beef" / f"testResample{seed}.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                PREDICTIONS.format("Beef", method, seed, 0.5) + f"1,{right},,0.4,0.6\n0,0,,0.9,0.1\n"
            )
            (path.parent / f"trainResample{seed}.csv").write_text("not read")
    found = read_scores(tmp_path)
    assert (titles(found), found.design.kind) == (["1 - accuracy"], "resampled")
    assert cells(found)["Beef", "ROCKET", "resample 1", "accuracy"] == 0.5
    assert cells(found)["Beef", "HC2", "resample 0", "accuracy"] == 1
    assert found.rows["seconds"].to_pylist() == [2] * 4


def test_a_directory_a_method_with_a_file_a_dataset_says_both(tmp_path):
    for method in ("rf", "gp"):
        for dataset in ("iris", "car"):
            (tmp_path / method).mkdir(exist_ok=True)
            (tmp_path / method / f"{dataset}.csv").write_text("accuracy\n0.9\n0.8\n")
    found = read_scores(tmp_path)
    assert cells(found)["car", "rf", "fold 1", "accuracy"] == 0.8
    assert found.design == ("cross-validation", 2, 1, found.design.share, True)


def test_a_users_word_goes_before_that_of_a_known_source():
    text = "dataset,fold,method,metric_error,metric_error_val,metric\na,0,A,1,2,rmse\na,0,B,3,4,rmse\n"
    found = scores(text, value=("metric_error_val",), higher_is_better=False)
    assert cells(found)["a", "B", "fold 0", "metric_error_val"] == 4


@pytest.mark.parametrize("name", ["-", "results.csv"])
def test_a_source_may_be_the_standard_input(name, monkeypatch):
    stream = type("Stream", (), {"buffer": io.BytesIO(b"data,A,B\na,1,2\nb,3,4\n")})
    monkeypatch.setattr("sys.stdin", stream)
    found = read_scores("-", name="" if name == "-" else name, options=ScoreOptions(higher_is_better=True))
    assert found.source == ("standard input" if name == "-" else name)
