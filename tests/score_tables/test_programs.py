"""Files of known programs and archives open in one step: each here has the shape of one, with numbers of our own."""

import io

import pytest

from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.reading import read_scores
from tests.score_tables.tables import cells, scores


def titles(found):
    return [metric.title for metric in found.metrics]


UEA = "Resamples:,0,1,2\nArrowHead,0.8,0.7,0.9\nBeef,0.6,0.5,0.4\n"


def test_a_table_of_resamples_is_of_the_method_and_the_metric_in_the_files_name():
    found = scores(UEA, name="HC2_accuracy.csv")
    assert cells(found)["Beef", "HC2", "resample 2", "accuracy"] == 0.4
    assert found.design.kind == "resampled"


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
