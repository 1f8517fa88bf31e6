"""Roles of columns and rows are known by names and content; what is left out is said, what is unclear asked."""

import re

import pandas as pd
import pytest

from delvecore.errors import ParseError
from delvecore.score_tables.options import Question, ScoreOptions, UnknownDirection
from delvecore.score_tables.reading import read_scores, scores_of
from tests.score_tables.tables import cells, scores
from tests.shared import shared_path


def guesses(score_file):
    return {guess.role: guess.taken for guess in score_file.reading.roles}


def notices(score_file):
    return [notice.text for notice in score_file.reading.omissions]


def product(*lists):
    rows = [[]]
    for one in lists:
        rows = [[*row, value] for row in rows for value in one]
    return rows


def lines(header, rows):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


def crossed(header, *lists, per=1):
    """A table with a row for each combination of names; its values are 0, 1, 2, ... divided by `per`."""
    return lines(header, [[*row, place / per] for place, row in enumerate(product(*lists))])


def test_without_known_names_the_columns_that_cross_are_taken_and_the_larger_is_the_datasets():
    score_file = scores(crossed("where,who,accuracy", "xyz", "PQ", per=10))
    assert (guesses(score_file)["dataset"], guesses(score_file)["method"]) == ("where", "who")
    assert cells(score_file)["z", "Q", "", "accuracy"] == 0.5


def test_what_a_user_says_goes_before_every_guess():
    score_file = scores(crossed("where,who,accuracy", "xyz", "PQ", per=10), dataset="who", method="where")
    assert cells(score_file)["Q", "z", "", "accuracy"] == 0.5
    assert score_file.reading.roles[0].option == "dataset"


def test_letters_of_losses_are_metrics_where_a_column_says_so_only():
    assert scores("data,A,B\na,1,2\nb,3,4\n", higher_is_better=True).metrics[0].title == "score"
    score_file = scores("dataset,method,loss,value\na,A,S,1\na,A,Z,2\na,S,S,3\na,S,Z,4\n")
    assert cells(score_file)["a", "S", "", "Z"] == 4


def test_metrics_of_unknown_direction_are_left_out_beside_known_ones_and_told():
    table = crossed("dataset,method,metric,value", "ab", "AB", ["rmse", "goo", "mae"])
    assert "1 metric (goo): their direction is not known" in notices(scores(table))
    told = scores(table, higher_is_better=True)
    assert [(metric.key, metric.higher_is_better) for metric in told.metrics][1] == ("goo", True)


def test_the_metric_may_stand_in_the_corner_or_in_the_files_name():
    assert scores("accuracy,A,B\na,1,0\nb,0,1\n").metrics[0].title == "accuracy"
    assert scores("data,A,B\na,1,0\nb,0,1\n", name="ours_log_loss.csv").metrics[0].title == "log_loss"


def test_values_beyond_one_make_per_cent():
    assert scores("dataset,method,acc\na,A,97.5\na,B,1.5\n").metrics[0].best == 100
    assert scores("dataset,method,acc\na,A,1.0\na,B,0.5\n").metrics[0].best == 1


@pytest.mark.parametrize("option", [True, False])
def test_a_direction_that_is_said_goes_before_the_known_one(option):
    score_file = scores("dataset,method,loss\na,A,97.5\na,B,30.5\n", higher_is_better=option)
    assert score_file.metrics[0].higher_is_better == option


WIDE = "data,A,B,C\na,1,2,9\nb,3,5,8\nc,4,7,6\nd,2,1,3\n"


@pytest.mark.parametrize(
    "row",
    [
        "Average,2.5,3.75,6.5",
        "avg,2,4,6",  # printed without decimals
        "Wins,0,1,3",
        "Std,1.12,2.38,2.29",
    ],
)
def test_rows_whose_names_and_numbers_say_summary_are_left_out(row):
    score_file = scores(WIDE + row + "\n", higher_is_better=True)
    assert score_file.rows.num_rows == 12
    (left_out,) = score_file.reading.omissions
    assert (left_out.what, left_out.names, left_out.line) == ("row", (row.split(",")[0],), 6)


@pytest.mark.parametrize(
    "row", ["Wins,0,0,4", "mean,9,9,9", "mean,2.5,3.75,6.4", "Std,1,1,1", "rank,1,2,3.5"]
)
def test_rows_that_only_a_name_calls_a_summary_are_asked_about(row):
    name = row.partition(",")[0]
    with pytest.raises(Question, match=f"say --keep {name} or --drop {name}") as error:
        scores(WIDE + row + "\n", higher_is_better=True)
    assert error.value.line == 6
    assert scores(WIDE + row + "\n", higher_is_better=True, keep=(name,)).rows.num_rows == 15
    assert scores(WIDE + row + "\n", higher_is_better=True, drop=(name,)).rows.num_rows == 12


def beside(table, name, values):
    """A table with a further column."""
    return "\n".join(",".join(row) for row in zip(table.splitlines(), [name, *values.split()], strict=True))


@pytest.mark.parametrize(
    ("name", "values"), [("Mean", "4.0 5.333 5.667 2.0"), ("Best", "9 8 7 3"), ("sum", "12 16 17 6")]
)
def test_columns_whose_names_and_numbers_say_summary_are_no_methods(name, values):
    score_file = scores(beside(WIDE, name, values), higher_is_better=True)
    assert score_file.rows["method"].unique().to_pylist() == ["A", "B", "C"]
    assert [notice.names for notice in score_file.reading.omissions] == [(name,)]


@pytest.mark.parametrize(
    ("name", "values"),
    [("mean", "1 1 1 1"), ("Mean", "4.0 5.3 5.67 2.1"), ("avg rank", "1 2 3 4"), ("SD", "3 2 4 1")],
)
def test_columns_that_only_a_name_calls_a_summary_are_asked_about(name, values):
    text = beside(WIDE, name, values)
    with pytest.raises(Question, match="say --keep"):
        scores(text, higher_is_better=True)
    assert name in scores(text, higher_is_better=True, keep=(name,)).rows["method"].unique().to_pylist()
    assert name not in scores(text, higher_is_better=True, drop=(name,)).rows["method"].unique().to_pylist()


def test_properties_of_datasets_beside_methods_are_factors_and_families():
    score_file = scores(
        "dataset,type,classes,domain,A,B\na,image,2,med,.1,.2\nb,image,3,med,.3,.4\nc,ecg,2,eco,.5,.6\nd,ecg,3,eco,.7,.8\n",
        higher_is_better=True,
    )
    assert score_file.rows["method"].unique().to_pylist() == ["A", "B"]
    assert score_file.factors["c"] == {"type": "ecg", "classes": "2"}
    assert score_file.families == {"a": "med", "b": "med", "c": "eco", "d": "eco"}


def test_a_wide_table_may_have_a_line_a_fold():
    rows = [[*row, place, place + 1] for place, row in enumerate(product(["a", "b"], [1, 2, 3]))]
    score_file = scores(lines("dataset,fold,A,B", rows), higher_is_better=False)
    assert cells(score_file)["b", "B", "fold 3", "score"] == 6
    assert score_file.design.folds == 3


def test_columns_of_methods_may_stand_beside_a_column_of_metrics():
    rows = [[*row, place / 8, place / 4] for place, row in enumerate(product("ab", ["accuracy", "rmse"]))]
    score_file = scores(lines("dataset,metric,A,B", rows))
    assert cells(score_file)["b", "B", "", "rmse"] == 0.75
    assert [one.key for one in score_file.metrics] == ["accuracy", "rmse"]


def test_a_metric_above_methods_may_be_called_as_a_failed_run_is():
    score_file = scores(",Accuracy,,Error,\ndata,A,B,A,B\nx,0.9,0.8,0.1,0.2\ny,0.7,0.6,0.3,0.4\n")
    assert cells(score_file)["y", "B", "", "Error"] == 0.4


def test_runs_that_have_no_line_are_seen_in_the_number_of_folds():
    table = crossed("dataset,method,fold,rmse", "a", "AB", "123")
    assert scores(table).reading.instances == "3 folds each"
    assert scores(table.removesuffix("a,B,3,5.0\n")).reading.instances == "2 to 3 folds"


def test_columns_without_a_role_are_passed_over_with_the_reason():
    rows = [
        [place, *row, "v1" if row[1] == "A" else "v2", "x", place / 100, place / 10]
        for place, row in enumerate(product(["a", "b", "c"], ["A", "B"]))
    ]
    score_file = scores(lines("id,dataset,method,version,tag,train_accuracy,accuracy", rows))
    assert {notice.names: notice.why for notice in score_file.reading.omissions} == {
        ("id", "train_accuracy"): "not named like scores",
        ("version",): "one value per method",
        ("tag",): "the same in every row",
    }


def test_seeds_that_differ_in_every_run_are_not_needed_beside_folds():
    rows = [[*row, 100 + place, place / 10] for place, row in enumerate(product(["a"], ["A", "B"], [0, 1]))]
    score_file = scores(lines("dataset,method,fold,seed,accuracy", rows))
    assert cells(score_file)["a", "B", "fold 1", "accuracy"] == 0.3
    assert "1 column (seed): not needed to distinguish runs" in notices(score_file)


def test_repeats_and_folds_name_instances_together():
    score_file = scores(crossed("dataset,method,repeat,fold,rmse", "a", "AB", "01", "012"))
    assert cells(score_file)["a", "B", "repeat 1, fold 2", "rmse"] == 11
    assert score_file.design[:3] == ("repeated cross-validation", 3, 2)
    # Of Overlap: r s + (1 - r) t with r = 1/3, s = (2 * 2 - 1) / 5, t = 1 / 5.
    assert score_file.design.share == pytest.approx(1 / 3 * 3 / 5 + 2 / 3 * 1 / 5)


def test_instances_stand_in_the_order_of_their_numbers():
    score_file = scores(crossed("dataset,method,seed,rmse", "a", "AB", [10, 9, 2]))
    assert score_file.rows["instance"].chunk(0).dictionary.to_pylist() == ["seed 2", "seed 9", "seed 10"]
    assert score_file.design.kind == "one split"


def test_a_share_that_is_said_is_not_assumed():
    design = scores(crossed("dataset,method,resample,rmse", "a", "AB", "12"), share=0.25).design
    assert (design.kind, design.share, design.assumed) == ("resampled", 2 * 0.25 * 0.75, False)


def test_a_further_column_that_tells_runs_apart_goes_into_the_names_of_methods():
    score_file = scores(crossed("dataset,framework,constraint,rmse", "ab", "AB", ["1h", "4h"]))
    assert cells(score_file)["b", "B, 4h", "", "rmse"] == 7
    assert guesses(score_file)["method"] == "framework + constraint, to distinguish runs"


def test_training_sizes_go_into_the_names_of_datasets():
    score_file = scores(crossed("dataset,method,n_train,rmse", "ab", "AB", [64, 128]))
    assert score_file.sizes == {"a, 64": 64, "a, 128": 128, "b, 64": 64, "b, 128": 128}
    assert score_file.families["a, 64"] == "a"


def test_times_and_memory_are_costs():
    score_file = scores("dataset,method,accuracy,train_time,memory_mb\na,A,1,2.5,100\na,B,0,3.5,200\n")
    assert score_file.rows["seconds"].to_pylist() == [2.5, 3.5]
    assert score_file.rows["megabytes"].to_pylist() == [100, 200]
    assert len(score_file.metrics) == 1


@pytest.mark.parametrize(("mean", "std"), [("acc_mean", "acc_std"), ("accuracy", "accuracy_sd")])
def test_standard_deviations_may_have_a_column_of_their_own(mean, std):
    score_file = scores(f"dataset,method,{mean},{std}\na,A,0.5,0.1\na,B,0.6,0.2\n")
    assert score_file.rows["spread"].to_pylist() == [0.1, 0.2]
    assert [metric.key for metric in score_file.metrics] == [mean]


def test_scores_of_training_cases_are_left_out():
    score_file = scores(
        "dataset,model,split,accuracy\na,A,train,0.9\na,A,test,0.8\na,B,train,1\na,B,test,0.7\n"
    )
    assert cells(score_file) == {("a", "A", "", "accuracy"): 0.8, ("a", "B", "", "accuracy"): 0.7}
    assert notices(score_file) == ["2 rows: not of test cases (split)"]


def test_a_column_may_hold_a_run_or_a_method_and_metric():
    score_file = scores("dataset,method,fold1,fold2\na,A,1,2\na,B,3,4\n", metric="rmse")
    assert cells(score_file)["a", "B", "fold 2", "rmse"] == 4
    score_file = scores("dataset,A_acc,A_f1,B_acc,B_f1\na,0.1,0.2,0.3,0.4\nb,0.5,0.6,0.7,0.8\n")
    assert cells(score_file)["b", "A", "", "f1"] == 0.6


def test_columns_of_training_and_test_cases_are_no_methods():
    text = "dataset,train_loss,train_acc,val_loss,val_acc\na,1,0.5,2,0.4\nb,1,0.6,2,0.5\n"
    score_file = scores(text, name="mlp.csv")
    assert [metric.key for metric in score_file.metrics] == ["val_loss", "val_acc"]
    assert cells(score_file)["b", "mlp", "", "val_acc"] == 0.5


@pytest.mark.parametrize(
    "text",
    [
        "task,metric,A,B\nx,auc,0.8,0.7\ny,rmse,10,20\n",
        "task,method,metric,score\nx,A,auc,0.8\nx,B,auc,0.7\ny,A,rmse,10\ny,B,rmse,20\n",
    ],
)
def test_datasets_with_a_metric_of_their_own_are_all_used(text):
    score_file = scores(text)
    assert cells(score_file) == {
        ("x", "A", "", "score"): 0.8,
        ("x", "B", "", "score"): 0.7,
        ("y", "A", "", "score"): -10,
        ("y", "B", "", "score"): -20,
    }
    assert score_file.metrics[0].higher_is_better
    assert "the sign of rmse is changed, so that higher is better" in score_file.reading.text


def test_the_column_that_is_ranked_gives_the_direction_and_not_the_metric_beside_it():
    rows = [
        [*row, "auc" if row[0] == "a" else "rmse", place] for place, row in enumerate(product("ab", "xyz"))
    ]
    score_file = scores(lines("dataset,method,metric,metric_error", rows))
    assert [(one.key, one.higher_is_better) for one in score_file.metrics] == [("metric_error", False)]
    assert (score_file.reading.methods, score_file.reading.datasets) == (3, 2)


def test_a_column_and_a_metric_that_disagree_are_asked_about():
    text = "dataset,method,metric,loss\na,x,accuracy,1\na,y,accuracy,2\n"
    with pytest.raises(UnknownDirection, match="'accuracy', higher is better, in the column 'loss', lower"):
        scores(text)
    assert not scores(text, higher_is_better=False).metrics[0].higher_is_better


def test_ranks_in_parentheses_are_no_standard_deviations():
    text = "data,A,B,C\na,0.9 (1),0.8 (2.5),0.8 (2.5)\nb,0.5 (3),0.6 (2),0.7 (1)\n"
    assert scores(text, metric="auc").rows["spread"].null_count == 6
    assert scores(text.replace("(3)", "(0.3)"), metric="auc").rows["spread"].null_count == 0


FAILED = "dataset,method,rmse\na,A,1\na,B,NA\na,C,3\nb,A,4\nb,B,5\nb,C,6\n"


@pytest.mark.parametrize(
    ("failed", "value", "rows"), [("left out", None, 6), ("worst", 3, 6), ("method out", "gone", 4)]
)
def test_failed_runs_are_left_out_or_worst_or_take_their_methods_with_them(failed, value, rows):
    score_file = scores(FAILED, failed=failed)
    assert (score_file.rows.num_rows, cells(score_file).get(("a", "B", "", "rmse"), "gone")) == (rows, value)
    assert guesses(score_file)["failed runs"] == failed


def test_the_worst_value_is_the_least_where_higher_is_better():
    score_file = scores(FAILED.replace("rmse", "reward"), failed="worst")
    assert cells(score_file)["a", "B", "", "reward"] == 1


def test_a_run_that_only_other_methods_have_gets_the_worst_value_too():
    text = "dataset,method,fold,rmse\na,A,1,1\na,B,1,2\na,A,2,7\nb,A,1,4\nb,B,1,5\n"
    score_file = scores(text, failed="worst")
    assert cells(score_file)["a", "B", "fold 2", "rmse"] == 7
    assert (score_file.reading.runs, score_file.reading.failed) == (6, 1)
    assert scores(text).rows.num_rows == 5


def test_the_same_run_in_two_files_of_a_directory_is_refused(tmp_path):
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text("dataset,method,rmse\na,A,1\na,B,2\n")
    with pytest.raises(ParseError, match=r"two\.csv: .* a second one for a, A, rmse \(first in .*one\.csv"):
        read_scores(tmp_path)


def test_a_directory_without_tables_is_refused(tmp_path):
    (tmp_path / "notes.md").write_text("nothing")
    with pytest.raises(ParseError, match="expected tables of scores"):
        read_scores(tmp_path)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "dataset", "method", "metrics"),
    [
        ("amlb_old.csv.gz", "task", "framework", ["acc", "auc", "logloss"]),
        ("results-mts.csv", "dataset_name", "classifier_name", ["precision", "accuracy", "recall"]),
        ("cd_example.csv", "dataset_name", "classifier_name", ["accuracy"]),
    ],
)
def test_public_long_tables_have_the_values_that_pandas_reads(name, dataset, method, metrics):
    frame = pd.read_csv(shared_path(f"data/scores/{name}"))
    table = read_scores(shared_path(f"data/scores/{name}")).rows.to_pandas()
    assert table.metric.unique().tolist() == metrics
    for metric in metrics:
        ours = table[table.metric == metric].dropna(subset=["value"]).astype({"dataset": str, "method": str})
        theirs = frame.dropna(subset=[metric]).groupby([dataset, method])[metric]
        groups = ours.groupby(["dataset", "method"]).value
        assert groups.count().tolist() == theirs.count().tolist()
        assert groups.mean().tolist() == pytest.approx(theirs.mean().tolist())


@pytest.mark.shared
def test_a_public_wide_table_asks_for_its_direction_and_has_no_rows_of_sums():
    path = shared_path("data/scores/results-mts-avg-std.csv")
    with pytest.raises(Question, match="--keep Average_Rank or --drop Average_Rank"):
        read_scores(path)  # its ranks are of unrounded values
    with pytest.raises(UnknownDirection, match="say --higher-is-better"):
        read_scores(path, options=ScoreOptions(drop=("Average_Rank", "Wins")))
    file = read_scores(path, options=ScoreOptions(higher_is_better=True, drop=("Average_Rank", "Wins")))
    assert (file.rows.num_rows, notices(file)) == (108, ["2 rows (Average_Rank, Wins): your answer"])
    assert file.rows["spread"].null_count == 0


@pytest.mark.parametrize(
    "header",
    [
        "dataset,SVM_mean,SVM_std,RF_mean,RF_std",
        "dataset,SVM,SVM_se,RF,RF_se",
        "dataset,SVM,SVM std,RF,RF std",
        "dataset,SVM,SVM (std),RF,RF (std)",
        "dataset,SVM,±,RF,±",
        "dataset,SVM,SVM,RF,RF\n,mean,std,mean,std",
    ],
)
def test_a_mean_and_its_spread_are_one_method(header):
    score_file = scores(f"{header}\na,0.9,0.01,0.8,0.02\nb,0.7,0.03,0.6,0.04\n", metric="accuracy")
    rows = score_file.rows.select(["dataset", "method", "value", "spread"]).to_pylist()
    assert sorted(tuple(row.values()) for row in rows) == [
        *(("a", "RF", 0.8, 0.02), ("a", "SVM", 0.9, 0.01), ("b", "RF", 0.6, 0.04), ("b", "SVM", 0.7, 0.03))
    ]


def test_a_table_that_does_not_say_which_way_round_is_asked_about():
    text = ",t1,t2,t3\nx,.1,.2,.3\ny,.2,.3,.4\n"
    with pytest.raises(Question, match="say --no-transpose or --transpose"):
        scores(text, metric="accuracy")
    assert scores(text, metric="accuracy", transpose=True).reading.methods == 2
    assert scores(text, metric="accuracy", transpose=False).reading.methods == 3


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("params", "0.1 0.2 0.3 0.4"),
        ("other", "812 911 923 1000"),
        ("Latency [ms]", "0.2 0.1 0.3 0.4"),
        ("Improvement", "0.1 0.2 0.3 -0.1"),
    ],
)
def test_columns_of_another_kind_are_asked_about_by_name(name, values):
    text = beside("data,A,B\na,0.1,0.2\nb,0.3,0.5\nc,0.4,0.7\nd,0.2,0.1\n", name, values)
    expected = re.escape(f"expected scores of one kind, found a column called '{name}'")
    with pytest.raises(Question, match=expected):
        scores(text, metric="accuracy")
    assert scores(text, metric="accuracy", drop=(name,)).reading.methods == 2


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("params (M)", "25.6 86.6 22.1 11"),
        ("Year", "2018 2019 2020 2021"),
        ("p-value", "0.003 0.041 0.2 0.0004"),
        ("FLOPs", "4.1 17.6 4.6 9"),
    ],
)
def test_columns_called_as_sizes_and_p_values_are_not_used(name, values):
    text = beside("data,A,B\na,71.5,74.2\nb,73.1,75.1\nc,74.5,77.4\nd,72.2,77.9\n", name, values)
    reading = scores(text, metric="accuracy", scale="as written").reading
    assert (reading.methods, reading.first_methods) == (2, ("A", "B"))
    assert f"1 column ({name})" in reading.text


def test_whole_numbers_printed_with_decimals_are_scores_beside_fractions():
    text = "Model,ARC,HellaSwag,MMLU\nx,59.4,80.0,40.6\ny,69.4,83.0,57.6\nz,64.4,81.0,49.6\n"
    assert scores(text, higher_is_better=True).reading.datasets == 3


def test_names_that_are_numbers_stay_as_they_are_written():
    names = ["9007199254740993", "9007199254740992", "01", "1", "1.10", "1.1"]
    score_file = scores(
        "method,dataset,accuracy\n" + "".join(f"{name},a,0.{k}\n" for k, name in enumerate(names))
    )
    assert score_file.rows["method"].to_pylist() == names


def test_two_scales_in_one_table_are_asked_about():
    text = "dataset,A,B\nx,93,0.95\ny,92,0.91\n"
    with pytest.raises(Question, match=r"found 0\.95 next to 93; say --scale fractions or --scale"):
        scores(text, metric="accuracy")
    assert cells(scores(text, metric="accuracy", scale="fractions"))["x", "A", "", "accuracy"] == 0.93


def test_thousands_and_decimals_are_one_convention_or_a_question():
    text = 'dataset,method,rmse\na,A,"1,234"\na,B,"9,876.5"\n'
    assert cells(scores(text))["a", "A", "", "rmse"] == 1234
    with pytest.raises(Question, match=r"say --decimal , or --decimal \."):
        scores(text.replace(".5", ""))
    assert cells(scores(text.replace(".5", ""), decimal=","))["a", "A", "", "rmse"] == 1.234


@pytest.mark.parametrize(("line", "key"), [(",A,0.7", "dataset"), ("b,,0.7", "method")])
def test_a_score_without_the_name_of_its_dataset_or_method_is_refused_with_its_line(line, key):
    expected = f"table.csv:4: expected the name of a {key} next to its score, found an empty field; write the"
    with pytest.raises(ParseError, match=expected):
        scores(f"dataset,method,acc\na,A,0.5\na,B,0.6\n{line}\n", name="table.csv", higher_is_better=True)


def test_a_row_without_names_and_without_scores_is_left_out():
    score_file = scores("dataset,A,B\na,0.5,0.6\nb,0.7,0.8\n,NA,\n", higher_is_better=True)
    assert notices(score_file) == ["1 row: they name no dataset or method and have no score"]


def test_horizons_in_words_are_no_methods():
    text = "dataset,horizon,A,B\nx,short,0.24,0.25\nx,long,0.48,0.49\ny,short,0.24,0.25\ny,long,0.48,0.49\n"
    assert cells(scores(text, metric="mse"))["x, long", "A", "", "mse"] == 0.48


def test_a_table_of_nothing_but_summaries_is_asked_about():
    text = "dataset,mean,median\na,.1,.3\nb,.2,.2\nAverage,.15,.25\n"
    with pytest.raises(Question, match="columns called 'mean', 'median'; say --keep mean --keep median or"):
        scores(text, higher_is_better=True)
    cell_texts = cells(scores(text, higher_is_better=True, keep=("mean", "median")))
    assert cell_texts == {
        ("a", "mean", "", "score"): 0.1,
        ("a", "median", "", "score"): 0.3,
        ("b", "mean", "", "score"): 0.2,
        ("b", "median", "", "score"): 0.2,
    }


@pytest.mark.parametrize("mark", ["-", "", "NA", "?"])
@pytest.mark.parametrize("numbers", ["12", "ab"])
def test_a_score_without_a_fold_beside_others_is_told_with_its_line(mark, numbers):
    first, second = numbers
    text = f"dataset,method,fold,accuracy\na,x,{first},.8\na,x,{second},.7\na,y,{first},.6\na,y,{mark},.5\n"
    with pytest.raises(ParseError, match=r"table.csv:5: expected a fold or seed next to each score on a, "):
        scores(text)


def test_a_dataset_without_folds_may_stand_beside_one_with_folds():
    text = "dataset,method,fold,accuracy\na,x,1,.8\na,x,2,.7\na,y,1,.6\na,y,2,.5\nb,x,-,.9\nb,y,-,.8\n"
    assert cells(scores(text))["b", "x", "", "accuracy"] == 0.9


@pytest.mark.parametrize(
    "header", ["dataset", "Task", "problem", "Problem ID", "benchmark", "data set", "env"]
)
@pytest.mark.parametrize(
    "names", ["1.1 1.2 2.1", "0.25 0.5 0.75", "-0.5 1e-3 2.5", "0.5% 1.5% 2.5%", "1.1.2020 1.2.2020 2.1.2020"]
)
@pytest.mark.parametrize("place", [0, 1])
def test_a_header_that_names_datasets_decides_whatever_the_names_look_like(header, names, place):
    rows = [["0.5", "0.6"], ["0.6", "0.5"], ["0.7", "0.8"]]
    for row, name in zip(rows, names.split(), strict=True):
        row.insert(place, name)
    columns = ["svm", "gbm"]
    columns.insert(place, header)
    score_file = scores("\n".join(",".join(row) for row in [columns, *rows]) + "\n", higher_is_better=True)
    assert {key[:2] for key in cells(score_file)} == {
        (name, method) for name in names.split() for method in ("svm", "gbm")
    }


def test_datasets_called_by_decimal_numbers_of_a_frame_are_no_method():
    values = {"svm": [0.5, 0.6, 0.7], "gbm": [0.6, 0.7, 0.8]}
    file = scores_of(
        pd.DataFrame({"dataset": [1.1, 1.2, 2.1], **values}), options=ScoreOptions(higher_is_better=True)
    )
    assert {key[:2] for key in cells(file)} == {
        (name, method) for name in ("1.1", "1.2", "2.1") for method in ("svm", "gbm")
    }


def test_methods_called_by_decimal_numbers_are_the_rows():
    score_file = scores("method,iris,wine\n1.1,.5,.6\n1.2,.6,.7\n2.1,.7,.8\n", higher_is_better=True)
    assert cells(score_file)["wine", "2.1", "", "score"] == 0.8
    # A later column called so may be the scores of a method.
    score_file = scores("dataset,svm,model\na,.5,.6\nb,.6,.7\nc,.7,.8\n", higher_is_better=True)
    assert cells(score_file)["c", "model", "", "score"] == 0.8


@pytest.mark.parametrize("metric", ["rmse", "mse", "log_loss", "error"])
def test_a_loss_of_negative_values_only_is_asked_about(metric):
    rows = [(name, method, sign) for name in "abc" for method, sign in (("bad", -9), ("good", -1))]
    text = lines(f"dataset,method,{metric}", rows)
    with pytest.raises(
        UnknownDirection, match=f"'{metric}', lower is better by its name, .* all negative; say --h"
    ):
        scores(text)
    for higher in (True, False):
        assert [one.higher_is_better for one in scores(text, higher_is_better=higher).metrics] == [higher]
    some = scores(lines(f"dataset,method,{metric}", [*rows, ("c", "third", 2)]))
    assert [one.higher_is_better for one in some.metrics] == [False]


def test_a_negated_loss_of_positive_values_only_is_asked_about():
    rows = [(name, method, value) for name in "ab" for method, value in (("bad", 9), ("good", 1))]
    with pytest.raises(UnknownDirection, match="higher is better by its name, whose values are all positive"):
        scores(lines("dataset,method,neg_mean_squared_error", rows))


def test_a_log_likelihood_may_be_negative():
    rows = [(name, method, value) for name in "ab" for method, value in (("x", -9), ("y", -1))]
    assert [one.higher_is_better for one in scores(lines("dataset,method,nll", rows)).metrics] == [False]


def of_metrics(column, *metrics):
    rows = [
        (name, method, metrics[at % len(metrics)], at + place / 10)
        for at, name in enumerate("abcd")
        for place, method in enumerate("xyz", 1)
    ]
    return lines(f"dataset,method,metric,{column}", rows)


@pytest.mark.parametrize(
    ("column", "metrics"),
    [
        ("normalized_error", ["accuracy"]),
        ("norm error", ["roc_auc"]),
        ("accuracy_loss", ["accuracy"]),
        ("normalized_error", ["roc_auc", "f1"]),
    ],
)
def test_a_column_of_values_whose_name_contradicts_its_metrics_is_asked_about(column, metrics):
    text = of_metrics(column, *metrics)
    expected = (
        f"higher is better, in the column '{column}', lower is better; say --higher-is-better or --lower"
    )
    with pytest.raises(UnknownDirection, match=expected):
        scores(text)
    for higher in (True, False):
        score_file = scores(text, higher_is_better=higher)
        assert [one.higher_is_better for one in score_file.metrics] == [higher]
        assert len(cells(score_file)) == 12


def test_an_error_of_metrics_of_both_directions_is_lower_is_better():
    score_file = scores(of_metrics("normalized_error", "accuracy", "rmse"))
    assert [(one.key, one.higher_is_better) for one in score_file.metrics] == [("normalized_error", False)]
    assert min(cells(score_file).values()) > 0


def test_a_column_of_values_that_agrees_with_its_metric_is_not_asked_about():
    assert [one.higher_is_better for one in scores(of_metrics("normalized_error", "rmse")).metrics] == [False]
    text = of_metrics("norm_accuracy", "accuracy")
    assert [one.higher_is_better for one in scores(text, scale="as written").metrics] == [True]
