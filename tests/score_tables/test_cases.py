"""Small tables that were once read wrong, rebuilt: each is read as what it says, or asked about."""

import io
import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import delvecore
from delvecore.cli import delve
from delvecore.errors import DelveError, ParseError
from delvecore.score_tables.options import Question, ScoreOptions, UnknownDirection
from delvecore.score_tables.reading import read_scores
from tests.score_tables.tables import scores


def ranks(text: str, **options: object) -> dict[str, float]:
    """Mean ranks by method of a table in a text."""
    with tempfile.TemporaryDirectory() as root:
        path = Path(root, "table.csv")
        path.write_text(text)
        ranking = delvecore.rank(path, **options)
    averages = ranking.analysis.ranks.average
    return dict(zip(ranking.analysis.ranks.methods, averages.tolist(), strict=True))


def folder(root, files: Mapping[str, str]):
    """A directory with these files."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def values(score_file) -> dict[tuple[str, str], float]:
    """{(dataset, method): mean value} of scores of one metric."""
    assert len(score_file.metrics) == 1
    rows = (
        score_file.rows.select(["dataset", "method", "value"])
        .to_pandas()
        .astype({"dataset": str, "method": str})
    )
    means = rows.groupby(["dataset", "method"])["value"].mean()
    return {key: round(value, 9) for key, value in means.items()}


def table(corner: str, rows: str, columns: str, numbers: str) -> str:
    """A wide table of CSV. numbers: of all rows, separated by blanks."""
    names, across, cells_of = rows.split(), columns.split(), numbers.split()
    lines = [",".join([corner, *across])]
    for at, name in enumerate(names):
        lines.append(",".join([name, *cells_of[at * len(across) : (at + 1) * len(across)]]))
    return "\n".join(lines) + "\n"


def test_a_header_that_names_datasets_is_no_method():
    text = table("dataset", "1.1 1.2 2.1 2.2", "svm gbm", ".5 .6 .6 .7 .7 .8 .6 .5")
    assert ranks(text, higher_is_better=True) == {"gbm": 1.25, "svm": 1.75}


def test_a_loss_that_is_negative_everywhere_is_asked_about():
    text = "dataset,method,rmse\n" + "".join(f"d{k},bad,-{9 - k}\nd{k},good,-1.{k}\n" for k in range(6))
    with pytest.raises(UnknownDirection, match="all negative"):
        scores(text)


def test_a_mark_around_a_number_takes_no_method_away():
    names = ["iris", "wine", "glass", "sonar", "heart", "wdbc"]
    text = "dataset|A|B|Ours\n" + "".join(
        f"{name}|0.9{k}|0.8{k}|<b>0.99</b>\n" for k, name in enumerate(names)
    )
    assert ranks(text, higher_is_better=True) == {"Ours": 1, "A": 2, "B": 3}


FOLDS = "dataset,method,{}\n" + "".join(f"d{k},A,.9,.6,.6\nd{k},B,.8,.8,.8\n" for k in range(3))


@pytest.mark.parametrize(
    "header",
    ["acc_0,acc_1,acc_2", "f1.1,f1.2,f1.3", "split0_test_score,split1_test_score,split2_test_score",
     "auc_rep1,auc_rep2,auc_rep3", "fold1,fold2,fold3", "accuracy (fold 1),accuracy (fold 2),accuracy (fold 3)",
     "seed_1_acc,seed_2_acc,seed_3_acc", "run 1,run 2,run 3"],
)  # fmt: skip
def test_numbered_columns_of_one_metric_are_runs(header):
    score_file = scores(FOLDS.format(header), higher_is_better=True)
    assert values(score_file) == {
        (f"d{k}", method): value for k in range(3) for method, value in (("A", 0.7), ("B", 0.8))
    }
    assert score_file.reading.instances.startswith("3 ")


@pytest.mark.parametrize("header", ["0 1 2", "1 2 3", "x0 x1 x2", "acc1 acc2 acc3", "HC2_0 HC2_1 HC2_2"])
def test_numbered_columns_beside_datasets_are_asked_about_or_runs(header):
    text = table("dataset", "ACSF1 Adiac Beef Car", header, ".92 .83 .84 .81 .80 .77 .70 .73 .66 .90 .88 .91")
    if header != "acc1 acc2 acc3":  # a metric with numbers has runs
        with pytest.raises(Question, match=r"say --no-transpose or --fold columns"):
            scores(text, higher_is_better=True)
        assert scores(text, higher_is_better=True, transpose=False).reading.methods == 3
    score_file = scores(text, higher_is_better=True, fold=("columns",), name="HC2.csv")
    assert (score_file.reading.methods, score_file.reading.datasets) == (1, 4)
    assert next(iter(values(score_file).values())) == round((0.92 + 0.83 + 0.84) / 3, 9)


def test_columns_without_names_of_rows_ask_whether_they_are_datasets_or_folds():
    text = "ridge,tree\n" + "".join(f"0.80{k},0.82{k}\n" for k in range(10))
    with pytest.raises(Question, match="say --no-transpose or --fold rows") as question:
        scores(text, higher_is_better=True)
    assert "transpose=False or fold=['rows']" in str(question.value.in_python)
    assert scores(text, higher_is_better=True, transpose=False).reading.datasets == 10
    score_file = scores(text, higher_is_better=True, fold=("rows",))
    assert (score_file.reading.datasets, score_file.reading.methods, score_file.reading.instances) == (
        1,
        2,
        "10 folds each",
    )
    with pytest.raises(DelveError, match="fold="):
        delvecore.rank({"a": [0.9, 0.8, 0.7], "b": [0.8, 0.9, 0.6]}, higher_is_better=True)


def test_all_columns_of_another_kind_stand_in_one_question_whose_cure_is_right():
    rows = ["CNN LOF PCA ts_len num_anomaly seq_anomaly", ".08 .07 .02 15538 2 1 .13 .17 .12 12000 3 3 .33 .27 .22 "
            "13000 1 1 .53 .47 .32 14000 5 4 .41 .37 .52 15000 2 2 .65 .57 .42 16000 2 2"]  # fmt: skip
    text = table("file", "a.csv b.csv c.csv d.csv e.csv f.csv", *rows)
    with pytest.raises(Question) as question:
        scores(text, higher_is_better=True)
    drop = next(one for one in question.value.answers if one.field == "drop")
    assert drop.value == ("ts_len", "num_anomaly", "seq_anomaly")
    assert set(ranks(text, higher_is_better=True, drop=drop.value)) == {"CNN", "LOF", "PCA"}


@pytest.mark.parametrize("name", ["imbalance", "class ratio", "difficulty"])
def test_a_property_of_datasets_is_asked_about(name):
    text = table("dataset", "iris wine glass sonar heart wdbc", "A B C PROPERTY",
                 ".91 .93 .90 1.0 .88 .90 .86 1.5 .77 .75 .78 8.0 .69 .72 .70 1.1 .80 .83 .79 1.2 .95 .96 .94 1.7")  # fmt: skip
    with pytest.raises(Question, match=f"'{name}'"):
        scores(text.replace("PROPERTY", name), higher_is_better=True)


@pytest.mark.parametrize(
    "name", ["Avg. Win Rate", "Mean (n=2)", "Average (2)", "Overall", "Gesamt", "Durchschnitt", "AVG"]
)
def test_a_summary_column_is_told_by_name_and_numbers(name):
    text = "model,Character,Scene,NAME\nA,.70,.60,.65\nB,.60,.72,.66\nC,.50,.40,.45\n".replace("NAME", name)
    score_file = scores(text, higher_is_better=True)
    assert score_file.reading.datasets == 2
    assert any(name in one.names for one in score_file.reading.omissions)


@pytest.mark.parametrize(
    "name", ["Average (3)", "Mean (n=3)", "Overall", "Gesamt", "Durchschnitt", "AVG", "Avg. Rate"]
)
def test_a_summary_row_is_told_by_name_and_numbers(name):
    score_file = scores(
        f"dataset,A,B\nd1,0.9,0.8\nd2,0.7,0.6\nd3,0.5,0.6\n{name},0.7,0.667\n", higher_is_better=True
    )
    assert score_file.reading.datasets == 3
    assert any(name in one.names for one in score_file.reading.omissions)


def test_what_is_equal_is_decided_for_each_pair():
    rows = "".join(f"d{k},A,1.2\nd{k},B,1.{3 + k}\nd{k},C,4e14\n" for k in range(6))
    assert ranks("dataset,method,mse\n" + rows, higher_is_better=False) == {"A": 1, "B": 2, "C": 3}


@pytest.mark.parametrize("metrics", ["MASE,WQL", "foo,bar"])
def test_a_file_a_method_is_pooled_and_unknown_metrics_are_asked_about(tmp_path, metrics):
    numbers = {"A": "23 43 80 65 64 72 52 70", "B": "54 90 15 51 14 18 53 87", "C": "39 81 23 96 26 73 31 46"}
    files = {}
    for method, each in numbers.items():
        one = iter(each.split())
        files[f"{method}.csv"] = f"dataset,model,{metrics}\n" + "".join(
            f"d{k},{method},.{next(one)},.0{next(one)}\n" for k in range(4)
        )
    root, (first, second) = folder(tmp_path, files), metrics.split(",")
    with pytest.raises(Question, match=f"--value {second}"):
        read_scores(root, options=ScoreOptions(higher_is_better=False))
    file = read_scores(root, options=ScoreOptions(higher_is_better=False, value=(second,)))
    assert values(file)["d1", "B"] == 0.051
    assert (
        values(read_scores(root, options=ScoreOptions(higher_is_better=False, value=(first,))))["d1", "B"]
        == 0.15
    )


@pytest.mark.parametrize(
    "name", ["results_seed{}.csv", "seed_{}/results.csv", "run-{}.csv", "out.fold{}.csv"]
)
def test_a_file_a_seed_is_a_run(tmp_path, name):
    text = "dataset,method,accuracy\n" + "".join(f"d{k},A,.5{{0}}\nd{k},B,.4{{0}}\n" for k in range(3))
    file = read_scores(folder(tmp_path, {name.format(k): text.format(k) for k in range(3)}))
    assert (file.reading.methods, file.reading.datasets) == (2, 3)
    assert file.reading.instances.startswith("3 ")
    assert values(file)["d1", "A"] == 0.51


UNPAIRED = "env,algo,seed,return\nPong,A,1,20\nPong,A,2,21\nPong,B,101,-5\nPong,B,102,-4\nQbert,A,1,9000\n" \
    "Qbert,A,2,9500\nQbert,B,101,4000\nQbert,B,102,4100\n"  # fmt: skip


@pytest.mark.parametrize("text", [UNPAIRED, "\n".join(
    ",".join(part for at, part in enumerate(line.split(",")) if at != 2) for line in UNPAIRED.splitlines()
) + "\n"])  # fmt: skip
def test_runs_that_are_not_paired_are_ranked_by_their_means(text):
    score_file = scores(text)
    assert values(score_file) == {
        ("Pong", "A"): 20.5,
        ("Pong", "B"): -4.5,
        ("Qbert", "A"): 9250,
        ("Qbert", "B"): 4050,
    }
    assert "not paired" in score_file.reading.text
    assert ranks(text) == {"A": 1, "B": 2}


def test_words_of_failed_runs_are_told_or_asked_about():
    text = "dataset,A,B\nd1,>1h,0.4\nd2,NR,0.5\nd3,0.5,0.6\n"
    score_file = scores(text, higher_is_better=True)
    assert (score_file.reading.methods, score_file.reading.failed) == (2, 2)
    assert "failed" in score_file.reading.text
    text = "dataset,A,B\nd1,gave up,0.4\nd2,.7,0.5\nd3,0.5,0.6\n"
    with pytest.raises(Question, match=r"'gave up'.*--failed-words 'gave up'"):
        scores(text, higher_is_better=True)
    assert scores(text, higher_is_better=True, failed_words=("gave up",)).reading.failed == 1


def test_statuses_beside_times_of_solvers_are_no_methods():
    text = "instance,minisat_time,minisat_result,glucose_time,glucose_result\ni0.cnf,1.2,SAT,1.1,SAT\n" \
        "i1.cnf,3.2,UNSAT,2.1,UNSAT\ni2.cnf,5000,TIMEOUT,21.1,SAT\ni3.cnf,9.2,SAT,8.1,SAT\n"  # fmt: skip
    score_file = scores(text, higher_is_better=False)
    assert (score_file.reading.methods, score_file.reading.datasets) == (2, 4)
    assert {method for _, method in values(score_file)} <= {
        "minisat",
        "glucose",
        "minisat_time",
        "glucose_time",
    }
    assert "minisat_result" in score_file.reading.text


def test_the_one_table_of_a_page_is_read():
    text = "# Results\n\nSome prose.\n\n| Dataset | A | B |\n|:--|--:|--:|\n| iris | 0.91 | **0.93** |\n" \
        "| wine | 0.88 | **0.90** |\n"  # fmt: skip
    score_file = scores(text, name="page.md", higher_is_better=True)
    assert values(score_file)["wine", "B"] == 0.9
    with pytest.raises(ParseError, match="one table"):
        scores(text + "\nMore.\n\n| Dataset | A | B |\n|:--|--:|--:|\n| zoo | 0.9 | 0.8 |\n", name="page.md")


def test_a_header_one_name_short_is_told_with_its_lines():
    text = "dataset,b,c\nx,.1,.8,.9\ny,.2,.8,.9\nz,.3,.7,.8\n"
    with pytest.raises(
        ParseError, match=r"table\.csv:2: expected 3 fields, as in the header on line 1, found 4"
    ):
        scores(text)


@pytest.mark.parametrize("mark", ["-", "n/a", ""])
def test_a_score_without_a_fold_is_told(mark):
    text = f"dataset,method,fold,accuracy\na,x,1,.8\na,x,2,.7\na,y,1,.6\na,y,{mark},.5\n"
    with pytest.raises(ParseError, match=r"table\.csv:5: expected a fold or seed next to each score on a"):
        scores(text)


def test_a_table_of_summaries_is_asked_about():
    with pytest.raises(Question, match="'mean', 'median'"):
        scores("dataset,mean,median\na,.1,.3\nb,.2,.2\nAverage,.15,.25\n", higher_is_better=True)


EPOCHS = "epoch,step,train_loss,val_acc\n0,9,.9,{}\n1,19,.7,{}\n2,29,.6,{}\n3,39,.5,{}\n"


@pytest.mark.parametrize(("rows", "best"), [("last", "B"), ("best", "B"), ("mean", "A")])
@pytest.mark.parametrize("column", ["epoch", "iteration_step", "global_step"])
def test_rows_of_epochs_are_asked_about(tmp_path, rows, best, column):
    curves = {"A": (0.80, 0.81, 0.82, 0.82), "B": (0.30, 0.60, 0.85, 0.90)}
    text = EPOCHS.replace("epoch", column)
    files = {f"{m}/{d}/metrics.csv": text.format(*curves[m]) for m in curves for d in ("d1", "d2")}
    root = folder(tmp_path, files)
    with pytest.raises(Question, match="say --steps last or --steps best or --steps mean"):
        read_scores(root, options=ScoreOptions(value=("val_acc",)))
    numbers = values(read_scores(root, options=ScoreOptions(value=("val_acc",), steps=rows)))
    assert max(numbers, key=lambda key: numbers[key])[1] == best
    assert len(numbers) == 4


CURVE = "dataset,method,{}accuracy\n" + "".join(
    f"{dataset},{method},{{}}{value}\n"
    for dataset in ("d1", "d2")
    for method, values_of in (("A", (0.8, 0.81, 0.82)), ("B", (0.3, 0.6, 0.9)))
    for value in values_of
)


def curve(name, *before):
    """The rows of two methods with a column that counts them from 1; before: names of columns before it."""
    header, *lines = CURVE.splitlines()
    extra = "".join(f"{one}," for one in before)
    counted = [line.format(f"{'7,' * len(before)}{1 + n % 3},") for n, line in enumerate(lines)]
    return "\n".join([header.format(f"{extra}{name},"), *counted]) + "\n"


@pytest.mark.parametrize("name", ["iteration", "iter", "Iterations", "it", "train_iter", "num_iterations"])
def test_iterations_may_be_steps_of_one_run_or_repeats(name):
    cures = f"say --steps last or --steps best or --steps mean or --fold {name}$"
    with pytest.raises(Question, match=cures):
        scores(curve(name))
    assert ranks(curve(name), steps="last") == {"A": 2, "B": 1}
    assert ranks(curve(name), steps="mean") == {"A": 1, "B": 2}
    assert "3 runs each" in scores(curve(name), fold=(name,)).reading.text


def test_iterations_beside_seeds_are_asked_about_together_with_these():
    several = curve("iteration", "seed") + curve("iteration", "seed").split("\n", 1)[1].replace(",7,", ",8,")
    with pytest.raises(Question, match=r"--fold seed --fold iteration$") as asked:
        scores(several)
    *_, steps, folds = asked.value.answers
    assert "6 runs each" in scores(several, fold=folds.value).reading.text
    assert "2 runs each" in scores(several, steps=steps.value).reading.text


@pytest.mark.parametrize("name", ["frames", "env_frames", "updates", "ep", "tokens_seen", "episode"])
def test_counts_along_a_training_are_steps_or_repeats(name):
    with pytest.raises(Question, match=f"--steps mean or --fold {name}$"):
        scores(curve(name))


@pytest.mark.parametrize("name", ["elapsed", "wall_time", "seconds"])
def test_times_that_grow_along_the_rows_of_a_run_are_steps(name):
    text = curve(name).replace(",2,0", ",2.5,0").replace(",3,0", ",3.7,0")
    with pytest.raises(Question, match=r"found \d+ rows of .*; say --steps last"):
        scores(text)
    assert ranks(text, steps="last") == {"A": 2, "B": 1}
    shuffled = text.replace(",2.5,0", ",0.5,0")
    assert "not paired" in scores(shuffled).reading.text


@pytest.mark.parametrize("name", ["class", "class_name", "label"])
def test_rows_of_classes_are_asked_about(name):
    rows = "".join(
        f"{d},{m},{c},.{v}{k}\n"
        for d in "xyz"
        for m, v in (("A", 5), ("B", 6))
        for k, c in enumerate(("cat", "dog"))
    )
    text = f"dataset,model,{name},f1\n{rows}"
    with pytest.raises(
        Question, match=f"one per class, found a row for each of 2 classes in '{name}'"
    ) as asked:
        scores(text)
    for answer in asked.value.answers:
        reading = read_scores(io.BytesIO(text.encode()), options=ScoreOptions().with_answer(answer)).reading
        assert reading.methods == 2


@pytest.mark.parametrize("beside", ["resampling", "resampling_id"])
def test_iterations_of_a_resampling_are_runs(beside):
    assert re.search("3 (runs|folds) each", scores(curve("iteration", beside)).reading.text)
    mlr3 = "learner_id,task_id,iteration,classif.acc\n" + "".join(
        f"classif.{m},{d},{n},.{5 + n}\n"
        for m in ("rpart", "ranger")
        for d in ("iris", "zoo")
        for n in (1, 2)
    )
    assert "2 runs each" in scores(mlr3).reading.text


def test_iterations_of_many_runs_without_a_trend_are_repeats():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        [(d, m, n, m) for d in range(6) for m in range(5) for n in range(6)],
        columns=["problem", "solver", "iteration", "accuracy"],
    ).astype(str)
    frame["accuracy"] = rng.normal(0.5, 0.1, len(frame)).clip(0, 1).round(4)
    reading = scores(frame.to_csv(index=False)).reading
    assert "6 runs each" in reading.text
    assert "iteration, along which scores have no trend" in reading.text
    frame["accuracy"] += frame["iteration"].astype(int) / 20
    with pytest.raises(Question, match="--steps last"):
        scores(frame.to_csv(index=False), scale="as written")


def test_a_percent_sign_behind_a_fraction_beside_fractions_is_asked_about():
    text = "dataset,A,B,C\na,0.6931,0.4769,0.7\nb,0.6553,0.4773,0.698%\nc,0.8,0.75,0.7\n"
    with pytest.raises(Question, match="fractions or percent"):
        scores(text, higher_is_better=True)


def test_columns_numbered_by_iterations_are_asked_about():
    with pytest.raises(Question, match="--fold columns"):
        scores("dataset,iter 1,iter 2,iter 3\na,.1,.2,.3\nb,.2,.3,.4\n", higher_is_better=True)


def test_a_column_called_metric_is_the_metric():
    text = "dataset,version,metric,mode,A,B,C\nmmlu,4d,naive_average,ppl,65.8,58.2,66.4\n" \
        "ceval,47,naive_average,ppl,63.5,60.3,50.8\nhellaswag,1d,accuracy,ppl,83.0,75.0,82.1\n" \
        "humaneval,8e,humaneval_pass@1,gen,51.8,32.3,59.1\n"  # fmt: skip
    assert ranks(text, higher_is_better=True) == {"A": 1.5, "B": 2.75, "C": 1.75}


def test_sktime_has_models_datasets_and_folds():
    header, rows = ["model_id", "validation_id"], []
    for fold in range(3):
        header += [f"folds.{fold}.{part}" for part in ("scores.MSE", "scores.fit_time", "ground_truth")]
    header += ["MSE_mean", "MSE_std", "fit_time_mean"]
    for m, model in enumerate(("naive", "arima", "ets")):
        for d, data in enumerate(("airline", "lynx")):
            scored = [1 + m + d + fold / 10 for fold in range(3)]
            cells_of = [part for one in scored for part in (f"{one}", ".1", "")]
            rows.append([model, f"[dataset={data}]", *cells_of, f"{1.1 + m + d:.3f}", ".1", ".1"])
    text = "\n".join(",".join(row) for row in [header, *rows]) + "\n"
    score_file = scores(text)
    assert (score_file.reading.methods, score_file.reading.datasets, score_file.reading.instances) == (
        3,
        2,
        "3 folds each",
    )
    assert "MSE_mean" in score_file.reading.text


def test_a_cutoff_is_a_run():
    text = "unique_id,cutoff,metric,Naive,ARIMA\nD1,2000-02-13,mae,2.2,1.7\nD2,2000-02-13,mae,1.8,1.6\n" \
        "D1,2000-02-20,mae,2.1,1.9\nD2,2000-02-20,mae,1.9,1.5\n"  # fmt: skip
    score_file = scores(text)
    assert values(score_file)["D1", "Naive"] == 2.15
    assert score_file.reading.datasets == 2


def test_the_headline_score_is_ranked():
    text = "task_name,task_version,model,status,score_headline_name,score_headline_metric,score_headline_value," \
        "score_headline_stderr\n" + "".join(f"{task},0,{model},success,match,accuracy,.{task[1]}{model},.05\n"
                                              for task in ("t1", "t2") for model in "12")  # fmt: skip
    score_file = scores(text)
    assert values(score_file)["t2", "1"] == 0.21
    assert [one.higher_is_better for one in score_file.metrics] == [True]


def test_a_search_of_several_datasets_is_read_by_the_column():
    text = "dataset,mean_fit_time,param_C,params,split0_test_score,split1_test_score,mean_test_score,rank_test_score\n" \
        "iris,.1,1,{'C': 1},.9,.8,.85,1\niris,.1,10,{'C': 10},.8,.7,.75,2\n" \
        "wine,.1,1,{'C': 1},.7,.8,.75,2\nwine,.1,10,{'C': 10},.9,.9,.9,1\n"  # fmt: skip
    for options in ({}, {"dataset": "dataset"}):
        score_file = scores(text, **options)
        assert values(score_file)["wine", "{'C': 10}"] == 0.9


def test_two_levels_of_names_above_cross_validate_are_asked_about():
    part = '{"fit_time":[0.1,0.1],"score_time":[0.1,0.1],"test_score":[%s]}'
    text = '{"iris":{"svm":%s,"tree":%s},"wine":{"svm":%s,"tree":%s}}'
    text %= tuple(part % one for one in ("0.9,0.8", "0.7,0.6", "0.95,0.85", "0.75,0.65"))
    with pytest.raises(Question, match="outer name") as question:
        scores(text, name="results.json")
    score_file = scores(
        text, name="results.json", **{question.value.answers[0].field: question.value.answers[0].value}
    )
    assert values(score_file)["wine", "svm"] == 0.9


@pytest.mark.parametrize("cell", ["0.953 (+/- 0.054)", "0.953 (± 0.054)", "0.953 ± 0.054", "0.953 (0.054)"])
def test_a_spread_behind_a_number_is_read(cell):
    text = f"dataset,svm,tree\niris,{cell},0.94\nwine,{cell},0.95\n"
    row = scores(text, higher_is_better=True).rows.to_pylist()[0]
    assert (row["value"], row["spread"]) == (0.953, 0.054)


def test_repeated_columns_of_a_frame_are_told():
    frame = pd.DataFrame([["a", 1, 2], ["b", 2, 3]], columns=["dataset", "A", "A"])
    with pytest.raises(DelveError, match="'A' again"):
        delvecore.rank(frame, higher_is_better=True)


def test_directions_are_read_from_words_in_a_name():
    for name, is_higher in {
        "normalized_error": False, "val_rmse": False, "scaled_loss": False, "relative_regret": False,
        "clipped accuracy": True, "AUC (weighted)": True,
    }.items():  # fmt: skip
        rows = "".join(
            f"d{k},{method},0.{k}{place}\n" for k in range(3) for place, method in enumerate("AB", 1)
        )
        score_file = scores(f"dataset,method,{name}\n{rows}")
        assert [one.higher_is_better for one in score_file.metrics] == [is_higher], name
    text = "dataset,method,metric,normalized_error\n" + "".join(
        f"d{k},{method},{'auc' if k else 'rmse'},0.{k}{place}\n"
        for k in range(3)
        for place, method in enumerate("AB", 1)
    )
    score_file = scores(text)
    assert [one.higher_is_better for one in score_file.metrics] == [False]
    assert values(score_file)["d1", "A"] == 0.11


def test_each_column_is_named_with_its_role_or_as_not_used():
    text = "id,dataset,method,fold,fit_time,n_classes,note,accuracy\n" + "".join(
        f"{d}{m}{f},d{d},{'AB'[m]},{f},{f + m}.5,{d + 2},x,0.{d + 1}{m}{f}\n"
        for d in range(3) for m in range(2) for f in range(2)
    )  # fmt: skip
    line = scores(text).reading.text
    assert line.startswith(
        "Read: 2 methods (A, B) × 3 datasets (d0, d1, d2), 2 folds each, accuracy, higher is"
    )
    assert "accuracy, higher is better (column name). " in line
    assert line.endswith(
        "Not used: 1 column (id): not named like scores; 1 column (n_classes): one value per dataset; "
        "1 column (note): the same in every row."
    )


@pytest.mark.parametrize(
    "names", ["resolved no_generation applied", "resolved_ids unresolved_ids submitted_ids"]
)
@pytest.mark.parametrize("place", ["{}.json", "{}/report.json", "{}/results/results.json"])
def test_lists_of_solved_problems_are_results_case_by_case(tmp_path, names, place):
    solved, failed, tried = names.split()
    for model, lists in {"ann": (["p1", "p2"], ["p3"]), "bob": (["p1"], ["p2"])}.items():
        path = tmp_path / place.format(model)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            json.dumps({solved: lists[0], failed: lists[1], tried: [*lists[0], *lists[1]], "total": 3})
        )
    file = read_scores(tmp_path)
    rows = {(row["method"], row["case"]): row["value"] for row in file.rows.to_pylist()}
    assert rows == {
        ("ann", "p1"): 1, ("ann", "p2"): 1, ("ann", "p3"): 0, ("bob", "p1"): 1, ("bob", "p2"): 0, ("bob", "p3"): 0,
    }  # fmt: skip
    assert file.metrics[0].higher_is_better


@pytest.mark.parametrize("words", [("pass", "fail"), (True, False)])
def test_pass_or_fail_by_problem_is_read_case_by_case(tmp_path, words):
    for model, results in {"ann": "110", "bob": "100"}.items():
        told = {f"p{k}": words[0] if one == "1" else words[1] for k, one in enumerate(results)}
        (tmp_path / f"{model}.json").write_text(json.dumps(told))
    rows = {(row["method"], row["case"]): row["value"] for row in read_scores(tmp_path).rows.to_pylist()}
    assert rows["ann", "p1"] == 1
    assert rows["bob", "p1"] == 0
    text = "".join(
        json.dumps({"problem": f"p{k}", "model": m, "passed": words[k % 2]}) + "\n"
        for k in range(3)
        for m in "ab"
    )
    assert values(scores(text, name="lines.jsonl"))["p1", "a"] == 0


REFUSED = {
    "Optuna": "number,value,datetime_start,datetime_complete,params_x,state\n0,.5,2020-01-01,2020-01-01,1,COMPLETE\n",
    "FLAML": "record_id,iter_per_learner,validation_loss,learner\n0,1,.2,lgbm\n",
    "HalvingGridSearchCV": "iter,n_resources,params,split0_test_score\n0,20,{'C': 1},.9\n",
    "Monitor": '#{"t_start": 16.1, "env_id": "A"}\nr,l,t\n1.5,10,.1\n2.5,12,.2\n',
    "forecasts, one row per time step": "unique_id,ds,y,ARIMA,ETS\nT1,2020-01-01,1,2,3\nT1,2020-01-02,2,2,3\n",
    "statistics of describe": "method,count,mean,std,min,25%,50%,75%,max\nA,5,.5,.1,.3,.4,.5,.6,.7\nB,5,.6,.1,.4,.5,.6,.7,.8\n",
    "panel of Weights": '"Step","a - acc","a - acc__MIN","a - acc__MAX"\n1,.5,.5,.5\n2,.6,.6,.6\n',
}


@pytest.mark.parametrize("title", REFUSED)
def test_files_without_scores_of_finished_runs_are_refused_with_what_to_export(title):
    with pytest.raises(ParseError, match=rf"scores of finished runs, found .*{title}.*; \w+"):
        scores(REFUSED[title])


@pytest.mark.parametrize("name", ["bbobexp_f1.dat", "IOHprofiler_f1_Sphere.json"])
def test_the_course_of_single_runs_is_refused_with_what_to_export(tmp_path, name):
    (tmp_path / name).write_text("{}")
    with pytest.raises(ParseError, match=r"found a folder of .*as CSV"):
        read_scores(tmp_path)


def test_arrays_of_numpy_are_refused_with_what_to_export(tmp_path):
    np.savez(tmp_path / "evaluations.npz", results=np.ones((2, 3)))
    with pytest.raises(ParseError, match="found arrays of NumPy; write results"):
        read_scores(tmp_path / "evaluations.npz")


def test_a_report_of_classes_asks_for_one_row():
    text = "dataset,model,class,f1-score\n" + "".join(
        f"{d},{m},{c},.{place}{len(m)}\n" for d in "xyz" for m in ("p", "qq")
        for place, c in enumerate(["0", "1", "macro avg", "weighted avg"], 1)
    )  # fmt: skip
    with pytest.raises(Question, match=r"say --where 'class=macro avg' or --where 'class=weighted avg'"):
        scores(text)
    score_file = scores(text, where=(("class", ("macro avg",)),))
    assert values(score_file)["x", "p"] == 0.31


def test_frames_of_runs_joined_by_pandas_have_runs():
    frames = {
        (d, m): pd.DataFrame({"accuracy": [0.1, 0.2, 0.3]}) for d in ("iris", "wine") for m in ("svm", "rf")
    }
    reading = delvecore.rank(pd.concat(frames)).reading
    assert (reading.methods, reading.datasets, reading.instances) == (2, 2, "3 runs each")


def test_rows_of_numbers_with_names_of_methods_are_an_array():
    ranking = delvecore.rank([[0.1, 0.2], [0.3, 0.4], [0.2, 0.5]], methods=["a", "b"], higher_is_better=True)
    assert ranking.methods == ("b", "a")
    with pytest.raises(DelveError, match="expected 2 names, one per column, found 0; say methods="):
        delvecore.rank([[0.1, 0.2], [0.3, 0.4]], higher_is_better=True)
    with pytest.raises(DelveError, match="found an array of 2 dimensions in 'a'; write a table with columns"):
        delvecore.rank({"a": np.ones((3, 2))}, higher_is_better=True)


def test_costs_and_spreads_of_several_words_are_no_methods():
    text = (
        "dataset,accuracy_mean,accuracy_standard_deviation,time_training_seconds,time_test_seconds\n"
        + "".join(f"d{k},0.{k}1,0.0{k},{k}.5,{k}.25\n" for k in range(1, 6))
    )
    score_file = scores(text, name="rocket.csv")
    assert [one.key for one in score_file.metrics] == ["accuracy_mean"]
    assert score_file.rows["spread"].to_pylist() == [0.01, 0.02, 0.03, 0.04, 0.05]
    assert "time_training_seconds, time_test_seconds" in score_file.reading.text


def test_a_sign_for_a_count_is_no_method():
    text = "theme,#,mlp,fcn\n" + "".join(f"theme-{k},{k + 3},1.{k}5,2.{k}5\n" for k in range(6))
    score_file = scores(text, higher_is_better=False)
    assert score_file.reading.methods == 2
    assert "1 column (#)" in score_file.reading.text


@pytest.mark.parametrize("name", ["Lag-Llama", "N-BEATS", "Class-Balanced", "FT-Transformer", "Feature-Net"])
def test_words_of_properties_in_names_of_methods_take_none_away(name):
    text = table("dataset", "a b c d e f", f"svm {name}", ".9 .8 .7 .8 .6 .5 .8 .9 .4 .5 .9 .8")
    assert scores(text, higher_is_better=True).reading.methods == 2


@pytest.mark.parametrize("name", ["Average_Performance", "avg result", "mean_score"])
def test_a_column_called_a_mean_that_is_none_of_the_columns_is_asked_about(name):
    text = table(
        "dataset", "a b c d", f"LOF KNN {name.replace(' ', '_')}", ".9 .8 .7 .8 .6 .5 .8 .9 .4 .5 .9 .8"
    )
    with pytest.raises(Question, match=name.replace(" ", "_")):
        scores(text, higher_is_better=True)


def test_rows_of_epochs_below_methods_are_no_datasets():
    text = "epoch,A,B\n1,.5,.6\n2,.6,.7\n3,.7,.9\n"
    with pytest.raises(Question, match="say --steps last"):
        scores(text, higher_is_better=True)
    score_file = scores(text, higher_is_better=True, steps="last")
    assert list(values(score_file).values()) == [0.7, 0.9]
    assert score_file.reading.datasets == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": "last"}, "expected a column of epochs or steps, as the option steps requires"),
        ({"fold": ("rows",)}, "expected rows without names, as the option fold requires"),
        ({"fold": ("columns",)}, "expected numbered columns, as the option fold requires"),
        ({"failed_words": ("gone",)}, "expected a word for failed runs that is in the table"),
    ],
)
def test_an_option_without_effect_is_refused(options, message):
    with pytest.raises(ParseError, match=message):
        scores("dataset,A,B\nx,.5,.6\ny,.6,.7\n", higher_is_better=True, **options)


def test_versions_of_lightning_are_runs_and_an_object_of_scores_is_a_run(tmp_path):
    for method, place in (("A", 0), ("A", 1), ("B", 0), ("B", 1)):
        path = tmp_path / "logs" / method / f"lightning_logs/version_{place}/metrics.csv"
        path.parent.mkdir(parents=True)
        path.write_text(f"epoch,val_acc\n0,.1\n1,.{5 + place}\n")
        path = tmp_path / "objects" / method / f"d{place}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"accuracy": 0.5 + place / 10}))
    file = read_scores(tmp_path / "logs", options=ScoreOptions(steps="last"))
    assert file.reading.instances == "2 runs each"
    assert sorted(values(file).values()) == [0.55, 0.55]
    assert values(read_scores(tmp_path / "objects"))["d1", "B"] == 0.6


@pytest.mark.parametrize("names", [[f"m{number}" for number in range(1, 7)], list("abcdeh")])
def test_names_that_are_alike_are_methods_however_far_apart_their_scores(names):
    # Steps of one standard deviation from zero: the first values are many times smaller than the last.
    draws = np.random.default_rng(3)
    frame = pd.DataFrame(draws.normal(size=(6, 6)) * 0.4 + np.arange(6), columns=names)
    frame.insert(0, "task", [f"t{number}" for number in range(6)])
    assert delvecore.rank(frame, higher_is_better=True).methods[0] == names[-1]


def frame_of(text):
    return pd.read_csv(io.StringIO(text))


def test_a_dataset_or_family_that_is_the_same_in_every_row_holds_all_tasks():
    rows = "".join(f"t{n},d,{n},{n + 1},{n + 3}\n" for n in range(8))
    ranking = delvecore.rank(frame_of("task,dataset,a,b,c\n" + rows), higher_is_better=True)
    assert "not tested: all tasks are of one dataset" in ranking.sentence
    rows = "".join(f"d{n},kin,{n},{n + 1},{n + 3}\n" for n in range(8))
    ranking = delvecore.rank(frame_of("dataset,family,a,b,c\n" + rows), higher_is_better=True)
    assert "if datasets of kin are independent draws" in ranking.sentence


@pytest.mark.parametrize("name", ["runtime", "time_s", "cpu_time", "seconds"])
def test_solvers_are_compared_by_times_where_nothing_else_is_measured(name):
    rows = "".join(
        f"i{k},{solver},{k}.{n}\n" for k in range(1, 4) for n, solver in enumerate(("kissat", "lgl"))
    )
    assert ranks(f"instance,solver,{name}\n{rows}", higher_is_better=False) == {"kissat": 1, "lgl": 2}


def test_identifiers_of_openml_name_datasets():
    rows = "".join(f"{d},{m},0.{n}{d}\n" for d in (31, 37, 44) for n, m in enumerate(("rf", "svm"), 1))
    reading = scores(f"openml_id,clf,accuracy\n{rows}").reading
    assert (reading.methods, reading.datasets) == (2, 3)
    with pytest.raises(Question, match=r"say --fold nr_x or --dataset nr_x or --drop nr_x$"):
        scores(f"nr_x,clf,accuracy\n{rows}")
    assert scores(f"nr_x,clf,accuracy\n{rows}", dataset="nr_x").reading.datasets == 3


@pytest.mark.parametrize("name", ["fold", "Split", "seed", "run"])
def test_a_column_of_runs_beside_methods_names_no_datasets(name):
    text = f"{name},A,B\n" + "".join(f"{name} {n},.{n}1,.{n}2\n" for n in range(1, 5))
    reading = scores(text, higher_is_better=True).reading
    assert (reading.methods, reading.datasets) == (2, 1)
    assert re.match("4 (runs|folds) each", reading.instances)


def test_rows_and_columns_of_the_same_names_are_asked_about():
    text = ",ppo,sac,td3\nppo,1,.03,.01\nsac,.03,1,.2\ntd3,.01,.2,1\n"
    with pytest.raises(Question, match=r"rows and columns of the same names \(ppo, sac, td3\)"):
        scores(text, higher_is_better=True)
    assert scores(text, higher_is_better=True, transpose=False).reading.methods == 3


@pytest.mark.parametrize("name", ["run_name", "exp_name"])
def test_names_of_runs_beside_methods_are_runs(name):
    rows = "".join(
        f"{d}-{m}-{n},{m},{d},{v}{n}\n" for d in "xyz" for m, v in (("A", 5), ("B", 6)) for n in range(3)
    )
    score_file = scores(f"{name},algorithm,env,eval_return\n{rows}", higher_is_better=True)
    assert (score_file.reading.methods, score_file.reading.datasets) == (2, 3)
    assert "not paired" in score_file.reading.text


CURVES = {"A": 0.7, "B": 0.6, "C": 0.5}
SCORES_OF = {(d, m): round(v - k / 50, 3) for m, v in CURVES.items() for k, d in enumerate("wxyz")}


def test_a_folder_for_each_method_dataset_and_seed_is_read(tmp_path):
    files = {
        f"{m}-{d}-seed{s}/final.csv": f"test_accuracy\n{v + s / 100}\n"
        for (d, m), v in SCORES_OF.items()
        for s in (1, 2)
    }
    file = read_scores(folder(tmp_path, files))
    assert values(file) == {key: pytest.approx(value + 0.015) for key, value in SCORES_OF.items()}
    assert file.reading.instances == "2 runs each"


@pytest.mark.parametrize("word", ["results", "scores", "metrics", "eval"])
def test_a_first_word_such_as_results_is_no_part_of_a_methods_name(tmp_path, word):
    files = {
        f"{word}_{m}.csv": "dataset,accuracy\n" + "".join(f"{d},{SCORES_OF[d, m]}\n" for d in "wxyz")
        for m in CURVES
    }
    assert values(read_scores(folder(tmp_path, files))) == SCORES_OF


def test_unknown_metrics_in_a_file_for_each_method_are_asked_about(tmp_path):
    files = {
        f"{m}.csv": "dataset,foo,bar\n"
        + "".join(f"{d},{SCORES_OF[d, m]},.4{k}\n" for k, d in enumerate("wxyz"))
        for m in CURVES
    }
    root = folder(tmp_path, files)
    with pytest.raises(
        Question, match="columns 'foo', 'bar' in each of 3 files; say --value foo or --value bar"
    ):
        read_scores(root, options=ScoreOptions(higher_is_better=True))
    file = read_scores(root, options=ScoreOptions(higher_is_better=True, value=("foo",)))
    assert values(file) == SCORES_OF


def test_lists_of_numbers_in_records_are_runs():
    records = [{"dataset": d, "method": m, "accuracy": [v, v + 0.02]} for (d, m), v in SCORES_OF.items()]
    nested = {m: {d: [SCORES_OF[d, m], SCORES_OF[d, m] + 0.02] for d in "wxyz"} for m in CURVES}
    for content, options in ((records, {}), (nested, {"higher_is_better": True, "transpose": False})):
        score_file = scores(json.dumps(content), name="r.json", **options)
        assert values(score_file) == {key: pytest.approx(value + 0.01) for key, value in SCORES_OF.items()}
        assert score_file.reading.instances == "2 runs each"


@pytest.mark.parametrize("name", ["best_method", "Winner", "top model"])
def test_a_column_of_the_best_method_of_each_row_is_not_used(name):
    text = f"dataset,{name},svm,rf\nx,svm,.62,.51\ny,rf,.64,.73\nz,svm,.66,.59\n"
    reading = scores(text, higher_is_better=True).reading
    assert (reading.methods, reading.datasets) == (2, 3)
    assert name in reading.text


@pytest.mark.parametrize("name", ["difficulty", "Entropy", "noise"])
def test_single_words_for_what_rows_are_like_are_asked_about(name):
    with pytest.raises(Question, match=f"a column called '{name}'"):
        scores(f"dataset,{name},A,B\nx,.5,.62,.71\ny,.7,.64,.73\nz,.6,.66,.79\n", higher_is_better=True)


@pytest.mark.parametrize("name", ["Price ($/1M)", "noise_level", "API cost (USD)"])
def test_prices_and_levels_beside_scores_are_asked_about(name):
    text = f"Model,{name},Ant,Hopper\nA,.5,.62,.71\nB,.7,.64,.73\nC,.6,.66,.79\n"
    with pytest.raises(Question, match=f"a column called '{re.escape(name)}'"):
        scores(text, higher_is_better=True)


def test_the_names_of_columns_within_a_table_are_no_row():
    text = "dataset,A,B\nx,1.1,2.2\ny,2.2,3.3\ndataset,A,B\nz,1.1,2.2\n"
    score_file = scores(text, higher_is_better=True)
    assert values(score_file)["z", "B"] == 2.2
    assert (score_file.reading.datasets, score_file.reading.failed) == (3, 0)
    assert "1 row: repeated names of columns" in score_file.reading.text


def test_three_levels_of_names_are_refused_with_what_to_write():
    text = json.dumps({m: {d: {"acc": 0.5, "f1": 0.4} for d in "xy"} for m in "ab"})
    with pytest.raises(ParseError, match="at most two levels of names, found three or more; write records"):
        scores(text, name="r.json")


def test_too_few_results_name_the_method_and_its_tasks(tmp_path, capsys):
    text = "dataset,A,B\nd1,>1h,0.4\nd2,NR,0.5\nd3,0.5,0.6\n"
    path = tmp_path / "t.csv"
    path.write_text(text)
    counted = "found 3 tasks with results of 1 method: A has results on 1 of 3 tasks; say "
    with pytest.raises(DelveError, match=f"{counted}failed='worst' to give failed runs the worst value"):
        delvecore.rank(path, higher_is_better=True)
    assert delve.main(["rank", str(path), "--higher-is-better"]) == 1
    assert f"{counted}--failed worst to give failed runs" in capsys.readouterr().err
    assert delve.main(["rank", str(path), "--higher-is-better", "--failed", "worst"]) == 0
    gaps = "dataset,A,B,C\n" + "d1,,.4,\nd2,.2,,\nd3,,.3,.1\n"
    with pytest.raises(DelveError, match="A has results on 1 of 3 tasks; C has results on 1 of 3 tasks"):
        delvecore.rank(pd.read_csv(io.StringIO(gaps)), higher_is_better=True)
