"""Tables of known programs: each here has the columns that the program writes, with numbers of our own."""

import io
import json

import pandas as pd
import pytest

from delvecore.errors import ParseError
from delvecore.score_tables.harnesses import known_directory, known_document
from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.programs import known_source
from delvecore.score_tables.reading import read_scores, scores_of
from delvecore.score_tables.table import multi_header
from delvecore.score_tables.text_tables import read_text
from tests.score_tables.tables import cells, scores


def read(text):
    """A table of texts, as the reader gives it."""
    frame = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    return frame.set_axis(["" if name.startswith("Unnamed: ") else name for name in frame.columns], axis=1)


def text_table(text, name):
    return read_text(text.encode(), name, name).frame


def known(table):
    source_table = known_source(read(table) if isinstance(table, str) else table)
    assert source_table is not None
    return source_table


def values(known_table, *keys):
    """{(names of these columns, value column): number} of a known table, without missing cells."""
    options = known_table.options
    chosen = keys or [
        name
        for one in (options.dataset, options.method, options.metric)
        if one is not None
        for name in one.split("+")
    ] + list(options.fold)
    return {
        (*(str(row[name]) for name in chosen), value): float(row[value])
        for _, row in known_table.frame.iterrows()
        for value in options.value
        if not pd.isna(row[value]) and row[value] not in ("", "?")
    }


def directions(known_table):
    return {name: metric.higher_is_better for name, metric in known_table.metrics.items()}


def left_out(known_table):
    return {name for one in known_table.omissions for name in one.names}


AMLB = (
    "id,task,framework,constraint,fold,type,result,metric,duration,info,acc,auc,rmse\n"
    "t/1,kc1,RF,1h8c,0,binary,0.8,auc,60,,0.7,0.8,\n"
    "t/1,kc1,GP,1h8c,0,binary,0.9,auc,61,,0.8,0.9,\n"
    "t/2,cpu,RF,1h8c,0,regression,-5,neg_rmse,62,,,,5\n"
    "t/2,cpu,GP,1h8c,0,regression,,neg_rmse,63,Error: no memory,,,\n"
)


def test_a_loss_of_the_automl_benchmark_without_its_sign_turned_leaves_the_direction_open():
    assert directions(known(AMLB.replace("neg_rmse", "rmse").replace("-5", "5"))) == {}


def test_two_budgets_of_the_automl_benchmark_are_two_methods():
    known_table = known(AMLB.replace("GP,1h8c", "RF,4h8c"))
    assert known_table.options.method == "framework+constraint"


def test_two_metrics_of_one_dataset_in_tabarena_are_two_metrics_of_errors():
    head = "dataset,fold,method,metric_error,metric_error_val,metric,problem_type,time_train_s,time_infer_s\n"
    known_table = known(
        head + "kc1,0,RF,0.2,0.1,roc_auc,binary,10,1\nkc1,0,RF,0.3,0.1,log_loss,binary,10,1\n"
    )
    assert (known_table.options.metric, known_table.plain) == ("metric", False)
    assert directions(known_table) == {"roc_auc": False, "log_loss": False}


OPENML = "run_id,task_id,setup_id,flow_id,flow_name,data_id,data_name,function,upload_time,value,values\n"


def test_openml_evaluations_of_each_fold_are_lists():
    row = '31,7,70,{},61,iris,predictive_accuracy,2014-01-01 10:00:00,,"[0.9, 0.8]"\n'
    known_table = known(OPENML + "1," + row.format("J48") + "2," + row.format("IBk"))
    assert values(known_table)["iris", "IBk", "predictive_accuracy", "1", "value"] == 0.8
    assert known_table.frame.index.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    "table", ["id,0,1,2\n1,0.8,0.7,0.9\n", "method,0,1,2\nsvm,0.8,0.7,0.9\n", ",0,1\na,1,2\n"]
)
def test_a_numbered_header_alone_shows_no_resamples(table):
    assert known_source(read(table)) is None


def test_types_of_tasks_of_mteb_are_ranked_where_no_tasks_stand_beside_them():
    facts = (
        "Rank (Borda),Model,Zero-shot,Memory Usage (MB),Number of Parameters,Embedding Dimensions,Max Tokens"
    )
    known_table = known(
        f"{facts},Mean (Task),Mean (TaskType),STS,Retrieval\n1,e5,99%,127,33M,384,512,61.1,60.2,70,50\n"
    )
    assert values(known_table) == {("STS", "e5", "score"): 70, ("Retrieval", "e5", "score"): 50}
    assert "Mean (TaskType)" in left_out(known_table)


def test_metrics_of_helm_with_two_directions_stay_apart():
    known_table = known("Model,Mean win rate,MMLU - EM,MMLU - Calibration error\nGPT-4,0.9,0.7,0.1\n")
    assert directions(known_table) == {"EM": True, "Calibration error": False}
    assert (known_table.plain, known_table.options.metric) == (False, "metric")


def stat(name, mean, split="test", **about):
    return {"name": {"name": name, "split": split, **about}, "count": 2, "sum": 2 * mean, "mean": mean}


def test_stats_of_a_run_of_helm_are_named_by_its_folder(tmp_path):
    for model in ("openai_gpt", "meta_llama"):
        run = tmp_path / "runs" / "v1" / f"mmlu:subject=anatomy,model={model},data=x"
        run.mkdir(parents=True)
        stats = [stat("exact_match", 0.5), stat("exact_match", 0.4, perturbation={"name": "typos"})]
        (run / "stats.json").write_text(json.dumps([*stats, stat("exact_match", 0.9, split="valid")]))
        (run / "run_spec.json").write_text("{}")
    known_table = known(directory(tmp_path))
    runs = [
        ("mmlu:subject=anatomy,data=x", model, "exact_match", "value")
        for model in ("openai_gpt", "meta_llama")
    ]
    assert values(known_table) == dict.fromkeys(runs, 0.5)


def directory(path):
    return known_directory([str(one) for one in sorted(path.rglob("*")) if one.is_file()], str(path))


def test_an_older_result_of_lm_evaluation_harness_is_named_by_its_arguments():
    content = {
        "results": {"piqa": {"acc": 0.7, "acc_stderr": 0.01}, "boolq": {"acc": 0.6, "acc_stderr": 0.02}},
        "versions": {"piqa": 0},
        "config": {"model": "gpt2", "model_args": "pretrained=org/m"},
    }
    known_table = known(known_document(content, "results.json"))
    assert values(known_table) == {
        ("piqa", "org/m", "acc", "value"): 0.7,
        ("boolq", "org/m", "acc", "value"): 0.6,
    }
    assert directions(known_table) == {}


def test_results_with_other_numbers_of_shots_are_other_tasks():
    result = {"results": {"arc_easy": {"acc,none": 0.5}}, "configs": {}, "model_name": "m"}
    frames = [known_document(result | {"n-shot": {"arc_easy": shots}}, "") for shots in (0, 25)]
    assert known(pd.concat(frames, ignore_index=True)).options.dataset == "task+shots"


def test_two_revisions_of_a_model_are_two_methods(tmp_path):
    for revision in ("a1", "b2"):
        folder = tmp_path / "org__e5" / revision
        folder.mkdir(parents=True)
        scores = {"test": [{"main_score": 0.5, "hf_subset": "default"}]}
        result = {"task_name": "STS", "mteb_version": "1.18.0", "scores": scores}
        (folder / "STS.json").write_text(json.dumps(result))
    assert set(known(directory(tmp_path)).frame["model"]) == {"org/e5@a1", "org/e5@b2"}


def test_a_result_that_is_not_as_its_harness_writes_it_is_told():
    with pytest.raises(ParseError, match="results as a harness writes them"):
        known_document({"results": {"piqa": 0.5}, "versions": {}}, "a.json")


def test_a_group_without_its_tasks_is_a_task():
    content = {"results": {"mmlu": {"acc,none": 0.5}}, "groups": {"mmlu": {"acc,none": 0.5}}, "configs": {}}
    assert values(known(known_document(content, "a.json"))) == {("mmlu", "a", "acc", "value"): 0.5}


def test_a_damaged_result_is_named(tmp_path):
    (tmp_path / "results_1.json").write_text('{"results": ')
    with pytest.raises(ParseError, match=r"results_1\.json"):
        directory(tmp_path)


CROSS_VALIDATE = {"fit_time": [0.1, 0.2], "score_time": [0.01, 0.01], "test_accuracy": [0.8, 0.9]}


def test_folds_are_not_counted_where_estimators_have_other_numbers_of_them():
    frames = [
        pd.DataFrame(CROSS_VALIDATE).assign(model=model).head(size) for model, size in (("rf", 2), ("gp", 1))
    ]
    assert known(pd.concat(frames, ignore_index=True)).options.fold == ()


@pytest.mark.parametrize(
    ("scorer", "cells", "higher"),
    [
        ("neg_mean_squared_error", [-2, -3], True),
        ("rmse", [2, 3], False),
        ("rmse", [-2, -3], True),
        ("log_loss", [-1, 1], None),
    ],
)
def test_a_scorer_s_direction_is_said_by_its_name_and_sign(scorer, cells, higher):
    frame = pd.DataFrame({"fit_time": [1, 1], "score_time": [1, 1], f"test_{scorer}": cells})
    assert directions(known(frame)).get(f"test_{scorer}") is higher


def test_dumps_of_cross_validate_are_read_with_their_names():
    both = dict.fromkeys(["iris", "car"], dict.fromkeys(["rf", "gp"], CROSS_VALIDATE))
    known_table = known(known_document(both, "scores.json"))
    assert known_table.frame["fold"].tolist() == [0, 1] * 4
    assert set(known_table.frame["name"]) == {"rf", "gp"}
    assert len(known_document(CROSS_VALIDATE, "iris_rf.json")) == 2
    assert known_document({"a": 1}, "a.json") is None


PYCARET = (
    ",Model,Accuracy,AUC,Recall,Prec.,F1,Kappa,MCC,TT (Sec)\n"
    "lr,Logistic Regression,0.76,0.80,0.5,0.6,0.55,0.4,0.41,0.6\n"
    "ridge,Ridge Classifier,0.74,0.0000,0.6,0.6,0.61,0.4,0.42,0.1\n"
)


def test_an_area_that_pycaret_could_not_compute_is_missing():
    numbers = values(known(PYCARET))
    assert numbers["Ridge Classifier", "MCC"] == 0.42
    assert ("Ridge Classifier", "AUC") not in numbers


def test_h2o_and_lazypredict_compare_models_on_one_dataset():
    h2o = known("model_id,auc,logloss,mean_per_class_error,rmse,mse\nGBM_1,0.8,0.4,0.3,0.4,0.16\n")
    assert (h2o.options.method, directions(h2o)) == ("model_id", {"mean_per_class_error": False})
    lazy = known("Model,Accuracy,Balanced Accuracy,F1 Score,Time Taken\nSVC,0.8,0.7,0.6,0.01\n")
    assert lazy.options.value == ("Accuracy", "Balanced Accuracy", "F1 Score")


@pytest.mark.parametrize(("value", "column"), [("score_test", 1), ("score_val", 2)])
def test_in_leaderboards_of_autogluon_higher_is_better_of_every_metric(value, column):
    frame = read("model,score_test,score_val,eval_metric,fit_time,fit_order\nLightGBM,-3,-4,rmse,12,1\n")
    known_table = known(frame if column == 1 else frame.drop(columns="score_test"))
    assert directions(known_table) == {value: True}


def test_means_of_tidymodels_keep_their_spread_and_settings():
    head = "wflow_id,.config,.metric,mean,std_err,n,preprocessor,model,rank\n"
    known_table = known(head + "".join(f"rf,M{n},rmse,{n},0.1,10,recipe,rand_forest,{n}\n" for n in (1, 2)))
    assert (known_table.options.method, known_table.options.value) == ("wflow_id+.config", ("mean",))
    assert {"rank", "n"}.isdisjoint(known_table.frame.columns)


def test_arff_without_cases_is_told():
    text = "@relation a\n@attribute b numeric\n"
    with pytest.raises(ParseError, match="@data"):
        text_table(text, "a.arff")


def test_durations_that_the_page_of_mlflow_downloads_are_seconds():
    head = "Start Time,Duration,Run ID,Name,Source Type,User,Status,max_depth,rmse\n"
    row = "2024-01-01,{},{},run-{},LOCAL,me,FINISHED,3,2.5\n"
    known_table = known(head + row.format("1.5min", "a", 1) + row.format("300ms", "b", 2))
    assert known_table.frame["Duration"].tolist() == [90, 0.3]
    assert known_table.options.method == "Name"


FORECASTS = "dataset,pred_len,model,mse,mae\nETTh1,96,DLinear,0.2,0.3\nETTh1,192,DLinear,0.41,0.5\nETTh1,96,PatchTST,0.1,0.2\nETTh1,192,PatchTST,0.3,0.4\n"


@pytest.mark.parametrize(("mse", "is_mean"), [("0.31", True), ("0.305", True), ("0.32", False)])
def test_a_mean_over_horizons_is_no_task_where_its_numbers_agree(mse, is_mean):
    known_table = known(FORECASTS + f"ETTh1,Avg,DLinear,{mse},0.4\nETTh1,Avg,PatchTST,0.2,0.3\n")
    assert (len(known_table.frame), known_table.question is None) == ((4, True) if is_mean else (6, False))
    assert left_out(known_table) == ({"Avg"} if is_mean else set())


@pytest.mark.parametrize(
    "head",
    [
        "dataset,macro_f1,macro_precision,micro_f1,micro_precision",
        "dataset,SVM_mean,SVM_std,RF_mean,RF_std",
        "dataset,svm,rf,mlp,ours",
    ],
)
def test_other_pairs_of_columns_are_no_methods_and_metrics(head):
    assert known_source(read(f"{head}\na,1,2,3,4\nb,5,6,7,8\n")) is None


def grid(*lines):
    return pd.DataFrame([[cell.strip() or None for cell in line.split("|")] for line in lines])


def test_datasets_above_metrics_become_rows():
    header_table = multi_header(grid("|iris||car|", "method|acc|f1|acc|f1", "svm|1|2|3|4", "rf|5|6|7|8"))
    assert header_table.columns.tolist() == ["method", "acc", "f1", "dataset"]
    assert header_table.to_numpy().tolist()[3] == ["rf", "7", "8", "car"]
    assert header_table.index.tolist() == [2, 3, 2, 3]


def test_merged_rows_and_numbered_horizons_are_kept():
    header_table = multi_header(
        grid("||DLinear||PatchTST|", "dataset|horizon|mse|mae|mse|mae", "ETTh1|96|1|2|3|4", "|192|5|6|7|8")
    )
    assert header_table["dataset"].tolist() == ["ETTh1"] * 4
    assert known(header_table).options.dataset == "dataset+horizon"
    names = multi_header(grid("model|ETTh1||ETTm1|", "|96|192|96|192", "DLinear|1|2|3|4"))
    assert names.columns.tolist() == ["model", "ETTh1/96", "ETTh1/192", "ETTm1/96", "ETTm1/192"]


@pytest.mark.parametrize(
    "lines",
    [
        ("dataset|svm|rf", "iris|1|2", "car|3|4"),
        ("dataset|method|acc", "iris|svm|0.5", "iris|rf|0.6"),
        ("Our results||", "dataset|svm|rf", "iris|1|2"),
        ("dataset|A||B|", "|acc|x|acc|x", "iris|1|2|3|4"),
        ("dataset|A||B|", "|x|y|x|y", "iris|1|2|3|4"),
    ],
)
def test_one_header_row_is_left_as_it_is(lines):
    assert multi_header(grid(*lines)) is None


LATEX = r"""
\begin{table}[t] % our table
\caption{Accuracy in \%}\label{tab:a}
\begin{tabular}{l|cc}
\toprule
Dataset & \textbf{SVM}~\cite{svm} & \begin{tabular}[c]{@{}c@{}}Random\\Forest\end{tabular} \\
\midrule
\multicolumn{3}{l}{\textit{UCI}} \\
iris\_2 & $93.1 \pm 0.4$ & \textbf{94.2}$_{\pm 0.5}$\\[2pt]
car & \underline{1{,}093.5} & \cellcolor{gray!20}{90.0}$^{*}$ \\ \hline
\bottomrule
\end{tabular}
\end{table}
"""


def test_a_tabular_is_read_without_its_commands():
    assert text_table(LATEX, "paper.tex").to_dict("list") == {
        "Dataset": ["iris_2", "car"],
        "SVM": ["93.1 ± 0.4", "1,093.5"],
        "Random Forest": ["94.2 ± 0.5", "90.0"],
    }


def test_two_header_rows_of_a_tabular_are_joined():
    text = r"""\begin{tabular*}{\textwidth}{@{\extracolsep{\fill}}ll*{4}{c}}
    \hline
    \multirow{2}{*}{Dataset} & \multirow{2}{*}{Horizon} & \multicolumn{2}{c}{DLinear \cite{d}} & \multicolumn{2}{c|}{PatchTST} \\
    \cmidrule(lr){3-4}\cmidrule(lr){5-6}
     & & MSE $\downarrow$ & MAE $\downarrow$ & MSE $\downarrow$ & MAE $\downarrow$ \\ \hline
    \multirow{2}{*}{ETTh1} & 96 & 0.1 & 0.2 & {\color{red}\textbf{0.3}} & 0.4 \\
     & 192 & 0.5 & 0.6 & 0.7 & 0.8 \\
    \end{tabular*}"""
    known_table = known(text_table(text, "paper.tex"))
    assert known_table.options.dataset == "Dataset+Horizon"
    assert values(known_table)["ETTh1", "192", "PatchTST", "MAE ↓"] == 0.8


def test_two_tabulars_are_told():
    with pytest.raises(ParseError, match="one tabular, found 2"):
        text_table(LATEX + LATEX, "paper.tex")


PREDICTIONS = "{0},{1},TEST,{2},MILLISECONDS,made by us\nNo Parameter Info\n{3},2000,4,-1,-1,2\n"


@pytest.mark.parametrize("cases", ["1.5,2.5\n3.5,5.5\n", "1,2\n3,5\n"])
def test_predictions_of_numbers_are_scored_by_their_mean_squared_error(cases):
    text = PREDICTIONS.format("Covid", "Ridge", 0, 2.5) + cases
    assert text_table(text, "a.csv")["mean squared error"].tolist() == [2.5]


def test_predictions_that_are_cut_off_are_told_with_their_line():
    text = PREDICTIONS.format("Covid", "Ridge", 0, 2.5) + "1\n"
    with pytest.raises(ParseError, match=r"a\.csv:4"):
        text_table(text, "a.csv")


def test_a_frame_with_two_levels_of_columns_is_read():
    columns = pd.MultiIndex.from_product([["iris", "car"], ["acc", "f1"]], names=["dataset", "metric"])
    frame = pd.DataFrame([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8]], columns=columns, index=["svm", "rf"])
    assert cells(scores_of(frame))["car", "svm", "", "f1"] == 0.4


def test_predictions_of_aeon_are_scored_a_resample_a_file(tmp_path):
    for method, right in (("HC2", "1"), ("ROCKET", "0")):
        for seed in (0, 1):
            path = tmp_path / method / "Predictions" / "Beef" / f"testResample{seed}.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                PREDICTIONS.format("Beef", method, seed, 0.5) + f"1,{right},,0.4,0.6\n0,0,,0.9,0.1\n"
            )
            (path.parent / f"trainResample{seed}.csv").write_text("not read")
    file = read_scores(tmp_path)
    assert ([one.title for one in file.metrics], file.design.kind) == (["accuracy"], "resampled")
    assert cells(file)["Beef", "ROCKET", "resample 1", "accuracy"] == 0.5
    assert cells(file)["Beef", "HC2", "resample 0", "accuracy"] == 1
    assert file.rows["seconds"].to_pylist() == [2] * 4


def test_a_users_word_goes_before_that_of_a_known_source():
    text = "dataset,fold,method,metric_error,metric_error_val,metric\na,0,A,1,2,rmse\na,0,B,3,4,rmse\n"
    score_file = scores(text, value=("metric_error_val",), higher_is_better=False)
    assert cells(score_file)["a", "B", "fold 0", "metric_error_val"] == 4


@pytest.mark.parametrize("name", ["-", "results.csv"])
def test_a_source_may_be_the_standard_input(name, monkeypatch):
    stream = type("Stream", (), {"buffer": io.BytesIO(b"data,A,B\na,1,2\nb,3,4\n")})
    monkeypatch.setattr("sys.stdin", stream)
    file = read_scores("-", name="" if name == "-" else name, options=ScoreOptions(higher_is_better=True))
    assert file.source == ("standard input" if name == "-" else name)
