"""Tables of scores in the shapes that programs, archives and papers write, each with what it says."""

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tests.score_tables.judging import Truth

__all__ = ["FORMATS", "RealFormat", "Sample", "real_format"]

DATASETS = ("adult", "vehicle", "sonar", "letter", "segment", "vowel", "credit-g", "phoneme")
HIGHER = {"higher_is_better": True}
METHODS = ("LightGBM", "CatBoost", "RandomForest", "TabNet", "MLP", "kNN")


@dataclass(frozen=True)
class Sample:
    """One file of a format, or several.

    truths: by the metric's name, as `judged_reading` takes them. table: of texts; or files: texts or bytes by path. name: of the table's file. options: what has to be said
    since the file does not say it. is_wide: are all columns but the first methods or datasets?"""

    truths: Mapping[str, Truth]
    table: pd.DataFrame | None = None
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    name: str = "results.csv"
    options: Mapping[str, Any] = field(default_factory=dict)
    is_wide: bool = False

    def write(self, folder: Path) -> Path:
        """Write the files; return the path of the only one, or of the folder."""
        folder.mkdir(parents=True, exist_ok=True)
        files = dict(self.files) if self.table is None else {self.name: self.table.to_csv(index=False)}
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder / next(iter(files)) if len(files) == 1 else folder


Build = Callable[[np.random.Generator], Sample]


@dataclass(frozen=True)
class RealFormat:
    """title: what writes such files; build: makes one of them."""

    title: str
    build: Build

    def sample(self, seed: int = 0) -> Sample:
        """Return one file of this format."""
        return self.build(np.random.default_rng([len(self.title), *self.title.encode(), seed]))


FORMATS: dict[str, RealFormat] = {}


def real_format(title: str) -> Callable[[Build], Build]:
    """Register a builder under the words of a table of formats."""

    def register(build: Build) -> Build:
        FORMATS[build.__name__] = RealFormat(title, build)
        return build

    return register


def drawn(
    rng: np.random.Generator, datasets: int = 5, methods: int = 4, *, folds: int = 1, unit: str = "accuracy"
) -> pd.DataFrame:
    """Return a row per run: dataset, method, fold (from 0) and score, all texts. unit: accuracy, percent or loss."""
    tasks = rng.choice(DATASETS, datasets, replace=False)
    learners = rng.choice(METHODS, methods, replace=False)
    rows = []
    for task in tasks:
        level = rng.uniform(0.55, 0.9)
        for learner in learners:
            mean = level + rng.normal(0, 0.04)
            scores = np.minimum(mean + rng.normal(0, 0.01, folds), 0.995)
            rows += [(str(task), str(learner), str(fold), score) for fold, score in enumerate(scores)]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "fold", "score"])
    scale = {"accuracy": 1.0, "percent": 100.0, "loss": 3.0}[unit]
    frame["score"] = [f"{value * scale:.{2 if unit == 'percent' else 4}f}" for value in frame["score"]]
    return frame


def truth_of(frame: pd.DataFrame, higher: bool, column: str = "score", *, is_loose: bool = False) -> Truth:
    """Return the means over runs of a long table."""
    values = frame[column].astype(float).groupby([frame["dataset"], frame["method"]]).mean().unstack()
    return Truth(values, higher, is_loose)


def more(rng: np.random.Generator, frame: pd.DataFrame, low: float = 0.3, high: float = 0.95) -> list[str]:
    """Return further numbers of each row as texts."""
    return [f"{value:.4f}" for value in rng.uniform(low, high, len(frame))]


def pivot(frame: pd.DataFrame, column: str = "score", *, corner: str = "dataset") -> pd.DataFrame:
    """Return texts as a row per dataset and a column per method."""
    wide = frame.pivot(index="dataset", columns="method", values=column)
    return wide.rename_axis(columns=None).reset_index(names=corner)


def turned(frame: pd.DataFrame, column: str = "score", *, corner: str = "model") -> pd.DataFrame:
    """Return texts as a row per method and a column per dataset."""
    wide = frame.pivot(index="method", columns="dataset", values=column)
    return wide.rename_axis(columns=None).reset_index(names=corner)


def one(frame: pd.DataFrame, higher: bool) -> dict[str, Truth]:
    """Return the truth of a table whose only metric may have any name."""
    return {"": truth_of(frame, higher)}


def columns(frame: pd.DataFrame, names: str, **others: Any) -> pd.DataFrame:
    """Return some columns of a frame, `NAME=COLUMN` or `COLUMN` each, and others with what stands in their rows."""
    pairs = (word.rpartition("=") for word in names.split())
    return pd.DataFrame({name or column: frame[column] for name, _, column in pairs}).assign(**others)


def renamed(frame: pd.DataFrame, column: str, names: Sequence[str]) -> None:
    """Give other names to the datasets or methods of a frame."""
    frame[column] = frame[column].map(dict(zip(frame[column].unique(), names, strict=True)))


def text_file(name: str, lines: Sequence[str]) -> dict[str, str]:
    """Return a file of lines by its path."""
    return {name: "\n".join(lines) + "\n"}


def taking_turns(frame: pd.DataFrame, *words: str) -> dict[str, str]:
    """Return one of the words for each dataset."""
    return {name: words[n % len(words)] for n, name in enumerate(frame["dataset"].unique())}


# Benchmarks of AutoML and of tables.


@real_format("AutoML benchmark, `results.csv`")
def amlb(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 4, folds=3)
    metric = frame["dataset"].map(taking_turns(frame, "auc", "neg_logloss", "neg_rmse"))
    result = frame["score"].where(~metric.str.startswith("neg"), "-" + frame["score"])
    kinds = {"auc": "binary", "neg_logloss": "multiclass", "neg_rmse": "regression"}
    table = columns(frame, "task=dataset framework=method fold", constraint="1h8c_gp3", result=result)
    table.insert(0, "id", "openml.org/t/" + frame["dataset"].factorize()[0].astype(str).astype(object))
    table = table.assign(metric=metric, type=metric.map(kinds), mode="aws", version="2.1", params="")
    table = table.assign(app_version="dev", utc="2023-05-01T10:00:00", duration=more(rng, frame, 100, 3600))
    table = table.assign(models_count="10", seed=[str(1000 + n) for n in range(len(frame))], info="")
    truths = {"result": truth_of(frame.assign(score=result), True)}
    for name, higher in (("auc", True), ("logloss", False), ("rmse", False)):
        table[name] = frame["score"].where(metric.str.endswith(name), "")
        truths[name] = truth_of(frame[metric.str.endswith(name)], higher)
    return Sample(truths, table)


@real_format("AutoML benchmark of 2019, without a column `metric`")
def amlb_old(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 3, folds=2)
    frame["acc"] = more(rng, frame)
    table = columns(frame, "task=dataset framework=method fold result=score acc auc=score", mode="aws")
    table = table.assign(version="0.1", utc="2019-06-01T10:00:00", duration=more(rng, frame, 100, 3600))
    table = table.assign(models="10", seed=[str(7 + n) for n in range(len(frame))], info="")
    table.insert(0, "id", "openml.org/t/" + frame["dataset"])
    return Sample({"acc": truth_of(frame, True, "acc"), "auc": truth_of(frame, True)}, table)


@real_format("AutoML benchmark, report of mean results a task")
def amlb_report(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 4)
    table = pivot(frame, corner="task")
    table.insert(1, "metric", "auc")
    return Sample({"auc": truth_of(frame, True), "": truth_of(frame, True)}, table)


@real_format("TabArena, results a split")
def tabarena(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 4, folds=3, unit="loss")
    metric = frame["dataset"].map(taking_turns(frame, "roc_auc", "rmse", "log_loss"))
    table = columns(frame, "dataset fold method metric_error=score", metric=metric, problem_type="binary")
    table = table.assign(metric_error_val=more(rng, frame), time_train_s=more(rng, frame, 1, 99))
    return Sample({"metric_error": truth_of(frame, False)}, table)


@real_format("TabRepo, `results.parquet`")
def tabrepo(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 4, folds=3)
    frame["method"] += "_c1_BAG_L1"
    tids = (359900 + frame["dataset"].factorize()[0]).astype(str)
    table = columns(frame, "dataset fold framework=method metric_error=score", metric="roc_auc", tid=tids)
    table = table.assign(
        metric_error_val=more(rng, frame), rank=more(rng, frame, 1, 4), problem_type="binary"
    )
    buffer = io.BytesIO()
    typed(table.assign(time_train_s=more(rng, frame, 1, 99))).to_parquet(buffer)
    return Sample({"metric_error": truth_of(frame, False)}, files={"results.parquet": buffer.getvalue()})


@real_format("TabArena, its leaderboard of methods")
def tabarena_leaderboard(rng: np.random.Generator) -> Sample:
    names = [f"{name} (tuned)" for name in METHODS[:5]]
    frame = pd.DataFrame({"Model": names, "Elo": ["1650", "1600", "1510", "1450", "1300"]})
    frame = frame.assign(
        Rank=["3.1", "4.2", "5.0", "6.6", "9.1"], Improvability=["7.3", "8.1", "9.9", "12.0", "20.1"]
    )
    truth = truth_of(pd.DataFrame({"dataset": "all", "method": names, "score": frame["Elo"]}), True)
    return Sample(
        {"Elo": truth}, frame.assign(**{"Train Time (s/1K)": ["10.1", "400.2", "2.2", "9.9", "0.1"]})
    )


@real_format("TabZilla")
def tabzilla(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 4, folds=3)
    number = (30 + frame["dataset"].factorize()[0]).astype(str).astype(object)
    frame["dataset"] = "openml__" + frame["dataset"] + "__" + number
    frame = frame.assign(loss=more(rng, frame), val=more(rng, frame), eval=more(rng, frame, 0, 1))
    names = "dataset_name=dataset alg_name=method Accuracy__test=score Accuracy__val=val eval-time__test=eval"
    table = columns(frame, names, exp_name="default", training_time=more(rng, frame, 1, 9))
    table.insert(0, "dataset_fold_id", frame["dataset"] + "_fold_" + frame["fold"])
    truths = {"Log Loss__test": truth_of(frame, False, "loss"), "Accuracy__test": truth_of(frame, True)}
    truths |= {"Accuracy__val": truth_of(frame, True, "val")}
    truths |= {"eval-time__test": truth_of(frame, False, "eval")}
    return Sample(truths, table.assign(**{"Log Loss__test": frame["loss"]}))


@real_format("tabular benchmark of Grinsztajn et al., a row a configuration")
def grinsztajn(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3)
    table = pd.DataFrame({"model_name": frame["method"], "data__keyword": frame["dataset"]})
    table = table.assign(mean_test_score=frame["score"], mean_train_score=more(rng, frame), n_train="1000")
    return Sample(
        {"": truth_of(frame, True)}, table, options={"higher_is_better": True, "value": ("mean_test_score",)}
    )


@real_format("PMLB, results of algorithms")
def pmlb(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 4)
    frame["macrof1"], frame["bal"] = more(rng, frame), more(rng, frame)
    table = columns(frame, "dataset algorithm=method accuracy=score macrof1 bal_accuracy=bal")
    truths = {"accuracy": truth_of(frame, True), "macrof1": truth_of(frame, True, "macrof1")}
    return Sample(truths | {"bal_accuracy": truth_of(frame, True, "bal")}, table, name="pmlb.tsv")


@real_format("SRBench, symbolic regression")
def srbench(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 4, folds=3)
    frame["mse"] = more(rng, frame)
    seeds = frame["fold"].map({"0": "860", "1": "5390", "2": "11284"})
    table = columns(frame, "dataset algorithm=method r2_test=score mse_test=mse", random_state=seeds)
    table["training time (s)"] = more(rng, frame, 1, 99)
    return Sample({"r2_test": truth_of(frame, True), "mse_test": truth_of(frame, False, "mse")}, table)


# OpenML.


@real_format("OpenML, `list_evaluations` as a frame")
def openml_evaluations(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 3)
    frame["method"] = "sklearn." + frame["method"] + "(1)"
    frame["rmse"] = more(rng, frame)
    number = frame["dataset"].factorize()[0]
    common = columns(frame, "flow_name=method data_name=dataset", setup_id="7", array_data="", uploader="1")
    common["run_id"] = [str(500 + n) for n in range(len(frame))]
    common["task_id"] = (31 + number).astype(str)
    common = common.assign(data_id=(61 + number).astype(str), upload_time="2014-01-01 10:00:00")
    common["flow_id"] = (80 + frame["method"].factorize()[0]).astype(str)
    functions = {"predictive_accuracy": "score", "root_mean_squared_error": "rmse"}
    parts = [common.assign(function=name, value=frame[column]) for name, column in functions.items()]
    truths = {name: truth_of(frame, column == "score", column) for name, column in functions.items()}
    return Sample(truths, pd.concat(parts, ignore_index=True))


@real_format("OpenML, runs of one study with `data_id` only")
def openml_runs(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 4)
    frame["dataset"] = (1000 + 37 * frame["dataset"].factorize()[0]).astype(str)
    table = pd.DataFrame({"run_id": [str(9000 + n) for n in range(len(frame))], "task_id": frame["dataset"]})
    table = table.assign(flow_name=frame["method"], predictive_accuracy=frame["score"])
    return Sample({"": truth_of(frame, True)}, table)


@real_format("wide table of names and of identifiers")
def names_and_identifiers(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 4)
    table = pivot(frame)
    table.insert(1, "ID", ["3", "31", "37", "44", "50", "1049"])
    return Sample(one(frame, True), table, options=HIGHER)


# R and Python packages.


@real_format("mlr3, `score()` of a benchmark")
def mlr3_score(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3, folds=3)
    frame["method"] = "classif." + frame["method"]
    table = columns(frame, "task_id=dataset learner_id=method classif.ce=score", resampling_id="cv")
    table.insert(0, "nr", (1 + np.arange(len(frame)) // 3).astype(str))
    table["iteration"] = [str(int(n) + 1) for n in frame["fold"]]
    return Sample({"classif.ce": truth_of(frame, False)}, table)


@real_format("mlr3, `aggregate()` of a benchmark")
def mlr3_aggregate(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 3)
    frame["method"] = "classif." + frame["method"]
    table = columns(
        frame, "task_id=dataset learner_id=method classif.acc=score", resampling_id="cv", iters="10"
    )
    table.insert(0, "nr", [str(n + 1) for n in range(len(frame))])
    return Sample({"classif.acc": truth_of(frame, True)}, table)


@real_format("tidymodels, `collect_metrics(summarize = FALSE)`")
def tidymodels(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 1, 3, folds=5)
    frame["rsq"] = more(rng, frame)
    common = columns(frame, "model=method", wflow_id="recipe_" + frame["method"], preproc="recipe")
    common["id"] = "Fold" + (frame["fold"].astype(int) + 1).astype(str)
    parts = []
    for metric, column in (("rmse", "score"), ("rsq", "rsq")):
        told = {".config": "Preprocessor1_Model1", ".metric": metric, ".estimator": "standard"}
        parts.append(common.assign(**told, **{".estimate": frame[column]}))
    truths = {"rmse": truth_of(frame, False, is_loose=True)}
    truths["rsq"] = truth_of(frame, True, "rsq", is_loose=True)
    return Sample(truths, pd.concat(parts, ignore_index=True), name="ames.csv")


@real_format("caret, `resamples()$values`")
def caret(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 1, 3, folds=5)
    frame["kappa"] = more(rng, frame)
    table = pd.DataFrame({"Resample": [f"Fold{n + 1:02d}" for n in range(5)]})
    for method, rows in frame.groupby("method"):
        table[f"{method}~Accuracy"], table[f"{method}~Kappa"] = rows["score"].tolist(), rows["kappa"].tolist()
    return Sample(
        {"Accuracy": truth_of(frame, True), "Kappa": truth_of(frame, True, "kappa")}, table, name="iris.csv"
    )


@real_format("pycaret, `compare_models()`")
def pycaret(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 1, 5)
    names = ["AUC", "Recall", "Prec.", "F1", "Kappa", "MCC"]
    table = pd.DataFrame(
        {"": ["lr", "rf", "knn", "dt", "nb"], "Model": frame["method"], "Accuracy": frame["score"]}
    )
    for name in names:
        frame[name] = table[name] = more(rng, frame)
    table["TT (Sec)"] = more(rng, frame, 0.01, 3)
    truths = {name: truth_of(frame, True, name) for name in names} | {"Accuracy": truth_of(frame, True)}
    return Sample(truths, table, name="juice.csv")


def _with_times(rng: np.random.Generator, frame: pd.DataFrame, names: str) -> pd.DataFrame:
    """Return some columns, as `columns` does, and the times of `cross_validate`."""
    return columns(frame, names).assign(fit_time=more(rng, frame), score_time=more(rng, frame))


@real_format("scikit-learn `cross_validate`, frames joined with a fold column")
def cross_validate_folds(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3, folds=5)
    return Sample(one(frame, True), _with_times(rng, frame, "dataset model=method fold test_score=score"))


@real_format("scikit-learn `cross_validate`, frames joined without a fold column")
def cross_validate_joined(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3, folds=5)
    table = _with_times(rng, frame, "test_accuracy=score dataset model=method")
    return Sample({"test_accuracy": truth_of(frame, True)}, table)


@real_format("scikit-learn `cross_validate`, a file per method and dataset")
def cross_validate_files(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 3, 3, folds=5)
    files = {}
    for (dataset, method), rows in frame.groupby(["dataset", "method"]):
        table = _with_times(rng, rows.reset_index(drop=True), "test_accuracy=score")
        files[f"{method}/{dataset}.csv"] = table.to_csv()
    return Sample({"test_accuracy": truth_of(frame, True)}, files=files)


@real_format("scikit-learn `cv_results_`")
def cv_results(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 1, 4, folds=3)
    powers = {name: f"{{'C': {10**n}}}" for n, name in enumerate(frame["method"].unique())}
    frame["method"] = frame["method"].map(powers)
    params = list(frame["method"].unique())
    times = {
        "mean_fit_time": "0.1",
        "std_fit_time": "0.01",
        "mean_score_time": "0.1",
        "std_score_time": "0.01",
    }
    table = pd.DataFrame({"": list("0123"), **times, "param_C": ["1", "10", "100", "1000"], "params": params})
    for fold in ("0", "1", "2"):
        scores = frame[frame["fold"] == fold].set_index("method")["score"]
        table[f"split{fold}_test_score"] = [scores[name] for name in params]
    means = frame["score"].astype(float).groupby(frame["method"]).mean()[params]
    ranks = means.rank(ascending=False).astype(int).astype(str)
    table["mean_test_score"] = [f"{value:.6f}" for value in means]
    table = table.assign(std_test_score="0.01", rank_test_score=ranks.tolist())
    return Sample({"": truth_of(frame, True)}, table, name="iris.csv")


@real_format("sktime, results of a benchmark")
def sktime(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 3, 3, folds=2)
    table = frame.pivot(index=["dataset", "method"], columns="fold", values="score").reset_index()
    table.columns = pd.Index(
        ["validation_id", "model_id", *(f"MeanAbsoluteError_fold_{n}_test" for n in (0, 1))]
    )
    table.insert(2, "runtime_secs", more(rng, table, 1, 9))
    return Sample({"": truth_of(frame, False)}, table)


@real_format("Weka Experimenter, CSV")
def weka(rng: np.random.Generator) -> Sample:
    return Sample(*_weka(rng))


def _weka(rng: np.random.Generator) -> tuple[dict[str, Truth], pd.DataFrame]:
    frame = drawn(rng, 3, 3, folds=4, unit="percent")
    frame["kappa"], frame["rmse"] = more(rng, frame), more(rng, frame)
    folds = frame["fold"].astype(int)
    table = columns(frame, "Key_Dataset=dataset", Key_Run=(folds // 2 + 1).astype(str))
    table = table.assign(Key_Fold=(folds % 2 + 1).astype(str), Key_Scheme="trees." + frame["method"])
    table = table.assign(Key_Scheme_options="-M 2", Key_Scheme_version_ID="-217733168393644444")
    table = table.assign(Date_time="2.01706171026E7", Number_of_training_instances="135.0")
    truths = {}
    metrics = {"Percent_correct": "score", "Kappa_statistic": "kappa", "Root_mean_squared_error": "rmse"}
    for name, column in metrics.items():
        table[name] = frame[column]
        truths[name] = truth_of(frame, column != "rmse", column, is_loose=True)
    return truths, table.assign(Elapsed_Time_training="0.3", UserCPU_Time_training="0.2")


@real_format("Weka Experimenter, ARFF")
def weka_arff(rng: np.random.Generator) -> Sample:
    truths, table = _weka(rng)
    lines = ["@relation InstanceResultListener", ""]
    for name in table.columns:
        values = ",".join(dict.fromkeys(table[name]))
        kind = f"{{{values}}}" if name.startswith("Key_") else "numeric"
        lines.append(f"@attribute {name} {kind}")
    text = "\n".join([*lines, "", "@data", table.to_csv(index=False, header=False)])
    return Sample(truths, files={"Experiment1.arff": text})


@real_format("AutoGluon, leaderboards of a directory")
def autogluon(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 3, 3)
    frame["score"] = ["-" + score for score in frame["score"]]
    files = {}
    for dataset, rows in frame.groupby("dataset"):
        table = columns(rows, "model=method score_test=score", eval_metric="root_mean_squared_error")
        table = table.assign(
            score_val=more(rng, rows), pred_time_test="0.5", pred_time_val="0.4", fit_time="12"
        )
        table = table.assign(fit_time_marginal="12", stack_level="1", can_infer="True", fit_order=list("123"))
        files[f"{dataset}/leaderboard.csv"] = table.to_csv(index=False)
    return Sample({"score_test": truth_of(frame, True)}, files=files)


@real_format("autorank, a frame of populations")
def autorank(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 4)
    frame["dataset"] = frame["dataset"].factorize()[0].astype(str)
    return Sample(one(frame, True), pivot(frame, corner=""), options=HIGHER, is_wide=True)


@real_format("scmamp and other R, `write.csv` of a matrix")
def r_matrix(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 4)
    wide = pivot(frame, corner="")
    text = wide.rename(columns={"": '""'}).to_csv(index=False, quoting=3)
    return Sample(one(frame, True), files={"results.csv": text}, options=HIGHER)


@real_format("R, `write.table` with names of rows and no corner")
def r_rows(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 4)
    wide = pivot(frame).set_index("dataset")
    lines = [" ".join(f'"{name}"' for name in wide.columns)]
    lines += [
        " ".join([f'"{name}"', *row]) for name, row in zip(wide.index, wide.to_numpy().tolist(), strict=True)
    ]
    return Sample(
        one(frame, True), files=text_file("results.txt", lines), options=HIGHER | {"transpose": False}
    )


@real_format("NumPy, `savetxt` with a header")
def numpy_text(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 4)
    frame["dataset"] = (frame["dataset"].factorize()[0] + 1).astype(str)
    wide = pivot(frame).set_index("dataset")
    lines = ["# " + " ".join(wide.columns), *(" ".join(row) for row in wide.to_numpy().tolist())]
    return Sample(
        one(frame, True), files=text_file("results.txt", lines), options=HIGHER | {"transpose": False}
    )


# Archives of classifiers and of time series.


@real_format("STAC")
def stac(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 4, unit="percent")
    return Sample(one(frame, True), pivot(frame, corner="datasets"), options=HIGHER, is_wide=True)


@real_format("KEEL, a table of its statistical module")
def keel(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 4)
    return Sample(one(frame, True), pivot(frame, corner="Data set"), options=HIGHER, is_wide=True)


@real_format("classifiers a line, as drawn by `cd-diagram`")
def cd_diagram(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 4)
    table = columns(frame, "classifier_name=method dataset_name=dataset accuracy=score")
    return Sample({"accuracy": truth_of(frame, True)}, table)


@real_format("deep learning for time series, `93.3(0.5)` with ranks and wins")
def mts(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 4, unit="percent")
    wide = pivot(frame, corner="")
    numbers = wide.set_index("").astype(float)
    table = wide.set_index("").map(lambda text: f"{text}(0.{int(rng.integers(10))})").reset_index()
    ranks = numbers.rank(axis=1, ascending=False)
    table.loc[len(table)] = ["Average_Rank", *(f"{value:.6f}" for value in ranks.mean())]
    wins = numbers.eq(numbers.max(axis=1), axis=0).sum()
    table.loc[len(table)] = ["Wins", *(str(int(value)) for value in wins)]
    return Sample(one(frame, True), table, options=HIGHER, is_wide=True)


@real_format("UEA and UCR archives, resamples of a method a file")
def uea(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3, folds=4)
    files = {}
    for method, rows in frame.groupby("method"):
        wide = rows.pivot(index="dataset", columns="fold", values="score").rename_axis(columns=None)
        files[f"{method}_accuracy.csv"] = wide.reset_index(names="Resamples:").to_csv(index=False)
    return Sample({"accuracy": truth_of(frame, True)}, files=files)


@real_format("aeon, means of estimators")
def aeon(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 4)
    return Sample(
        one(frame, True), pivot(frame, corner="Estimators:"), name="accuracy_mean.csv", is_wide=True
    )


@real_format("UCR archive, its summary")
def ucr(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 3)
    names = ("ED (w=0)", "DTW (learned_w)", "DTW (w=100)")
    renamed(frame, "method", names)
    wide = pivot(frame, corner="Name")
    table = pd.DataFrame(
        {"ID": list("123456"), "Type": ["Image", "Spectro", "ECG"] * 2, "Name": wide["Name"]}
    )
    table = table.assign(Train=["390", "30", "20", "100", "12", "67"], Class=["37", "5", "2", "4", "3", "2"])
    table = table.assign(Test="50", Length=["176", "470", "Vary", "24", "80", "99"])
    for name in names:
        table[name] = wide[name] if name != "DTW (learned_w)" else wide[name] + " (3)"
    return Sample({"": truth_of(frame, False)}, table, options={"metric": "error rate"})


# Trackers of experiments.


@real_format("MLflow, `search_runs()`")
def mlflow(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 3, 3, folds=2)
    names = "metrics.accuracy=score params.seed=fold params.model=method params.dataset=dataset"
    table = columns(frame, names, experiment_id="7", status="FINISHED")
    table = table.assign(start_time="2024-01-01 10:00:00+00:00", end_time="2024-01-01 10:01:00+00:00")
    table.insert(0, "run_id", [f"{n:08x}" for n in range(len(frame))])
    table["tags.mlflow.runName"] = [f"gifted-{n}" for n in range(len(frame))]
    return Sample({"accuracy": truth_of(frame, True)}, table)


@real_format("MLflow, downloaded from its page")
def mlflow_page(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 3, 3, folds=2)
    table = columns(frame, "dataset model=method seed=fold accuracy=score", User="me", Status="FINISHED")
    about = {"Start Time": "2024-01-01 10:00:00", "Duration": "1.5min", "Source Type": "LOCAL"}
    table = table.assign(**about, Name=[f"bold-{n}" for n in range(len(frame))])
    table["Run ID"] = [f"{n:08x}" for n in range(len(frame))]
    return Sample({"accuracy": truth_of(frame, True)}, table)


@real_format("Weights & Biases, exported runs")
def wandb(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 3, 3, folds=2)
    table = columns(frame, "dataset model=method seed=fold val_loss=score", State="finished", Notes="-")
    table = table.assign(User="me", Tags="", Created="2024-01-01T00:00:00.000Z", Sweep="")
    table = table.assign(Runtime=more(rng, frame, 10, 90), Name=[f"fancy-{n}" for n in range(len(frame))])
    return Sample({"val_loss": truth_of(frame, False)}, table)


# Optimizers and agents.


@real_format("IOHprofiler")
def iohprofiler(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3, unit="loss")
    renamed(frame, "dataset", ("1, 5", "1, 20", "2, 5", "2, 20"))
    places = frame["dataset"].str.split(", ", expand=True)
    table = pd.DataFrame(
        {"algId": frame["method"], "funcId": places[0], "DIM": places[1], "ERT": frame["score"]}
    )
    return Sample({"ERT": truth_of(frame, False)}, table)


@real_format("architecture search, `1-acc`")
def one_less_accuracy(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3)
    table = frame[["dataset", "method"]].assign(**{"1-acc": frame["score"]})
    return Sample({"": truth_of(frame, False)}, table)


@real_format("reinforcement learning, returns a seed")
def returns(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3, folds=3)
    table = columns(frame, "env=dataset agent=method seed=fold return=score")
    return Sample({"return": truth_of(frame, True)}, table)


# Language models.


def _language_tasks(rng: np.random.Generator, models: Sequence[str]) -> pd.DataFrame:
    frame = drawn(rng, 4, 3)
    renamed(frame, "dataset", ("arc_easy", "hellaswag", "piqa", "boolq"))
    renamed(frame, "method", models)
    return frame


@real_format("lm-evaluation-harness, a directory of models")
def lm_eval(rng: np.random.Generator) -> Sample:
    models = ("pythia-160m", "gpt2-xl", "opt-350m")
    frame = _language_tasks(rng, models)
    frame["norm"] = more(rng, frame)
    files = {}
    for model, rows in frame.groupby("method"):
        results = {
            row.dataset: {
                "alias": row.dataset,
                "acc,none": float(row.score),
                "acc_stderr,none": 0.01,
                "acc_norm,none": float(row.norm),
                "acc_norm_stderr,none": 0.01,
            }
            for row in rows.itertuples()
        }
        content = {
            "results": results,
            "group_subtasks": {name: [] for name in results},
            "configs": {name: {"task": name, "output_type": "multiple_choice"} for name in results},
            "versions": dict.fromkeys(results, 1.0),
            "n-shot": dict.fromkeys(results, 0),
            "higher_is_better": {name: {"acc": True, "acc_norm": True} for name in results},
            "n-samples": {name: {"original": 2376, "effective": 2376} for name in results},
            "config": {
                "model": "hf",
                "model_args": f"pretrained=some/{model}",
                "batch_size": "8",
                "limit": None,
            },
            "git_hash": "a1b2c3d",
            "date": 1724000000.5,
            "model_source": "hf",
            "model_name": f"some/{model}",
            "model_name_sanitized": f"some__{model}",
            "total_evaluation_time_seconds": "120.5",
        }
        files[f"some__{model}/results_2024-08-18T10-00-00.000000.json"] = json.dumps(content, indent=2)
    truths = {"acc": truth_of(frame, True, is_loose=True)}
    truths["acc_norm"] = truth_of(frame, True, "norm", is_loose=True)
    return Sample(truths | {f"{name},none": truth for name, truth in truths.items()}, files=files)


@real_format("lm-evaluation-harness, its table in Markdown")
def lm_eval_table(rng: np.random.Generator) -> Sample:
    frame = _language_tasks(rng, ("a", "b", "c"))
    frame = frame[frame["method"] == "a"]
    lines = [
        "|Tasks|Version|Filter|n-shot|Metric|   |Value |   |Stderr|",
        "|---|---:|---|---:|---|---|---:|---|---:|",
    ]
    lines += [f"|{row.dataset}|1|none|0|acc|↑|{row.score}|±|0.0101|" for row in frame.itertuples()]
    truth = truth_of(frame.assign(method="pythia"), True, is_loose=True)
    return Sample({"acc": truth}, files=text_file("pythia.md", lines))


@real_format("HELM, a table downloaded as CSV")
def helm(rng: np.random.Generator) -> Sample:
    frame = _language_tasks(rng, ("Anthropic-LM (52B)", "davinci (175B)", "OPT (66B)"))
    table = turned(frame, corner="Model/adapter")
    table.columns = pd.Index([table.columns[0], *(f"{name} - EM" for name in table.columns[1:])])
    table.insert(1, "Mean win rate", ["0.9", "0.25", "0.35"])
    return Sample({"": truth_of(frame, True, is_loose=True)}, table, options={"drop": ("Mean win rate",)})


@real_format("HELM, groups as JSON")
def helm_json(rng: np.random.Generator) -> Sample:
    frame = _language_tasks(rng, ("Anthropic-LM (52B)", "davinci (175B)", "OPT (66B)"))
    wide = turned(frame, corner="Model/adapter")
    header = [{"value": "Model/adapter", "markdown": False, "metadata": {}}]
    header.append(
        {"value": "Mean win rate", "description": "How many models this one beats", "lower_is_better": False}
    )
    for name in wide.columns[1:]:
        metadata = {"metric": "EM", "run_group": name}
        header.append({"value": f"{name} - EM", "lower_is_better": False, "metadata": metadata})
    rows = []
    for place, row in enumerate(wide.to_numpy().tolist()):
        cells = [
            {"value": float(text), "description": "min=0.1, mean=0.2", "run_spec_names": []}
            for text in row[1:]
        ]
        rows.append(
            [{"value": row[0], "href": "?group=core", "run_spec_names": []}, {"value": 0.1 * place}, *cells]
        )
    content = [{"title": "Accuracy", "header": header, "rows": rows, "links": [], "name": "accuracy"}]
    return Sample(
        {"": truth_of(frame, True, is_loose=True)}, files={"core_scenarios.json": json.dumps(content)}
    )


@real_format("MTEB, a directory of JSON")
def mteb(rng: np.random.Generator) -> Sample:
    names = ("Banking77Classification", "STSBenchmark", "SciFact", "ArxivClusteringP2P")
    frame = _language_tasks(rng, ("all-MiniLM-L6-v2", "e5-base-v2", "bge-small-en"))
    renamed(frame, "dataset", names)
    files = {}
    for row in frame.itertuples():
        score = {"main_score": float(row.score), "accuracy": float(row.score), "f1": 0.5}
        score |= {"hf_subset": "default", "languages": ["eng-Latn"]}
        content = {"dataset_revision": "0fd18e25", "task_name": row.dataset, "mteb_version": "1.14.0"}
        content |= {"scores": {"test": [score]}, "evaluation_time": 12.5, "kg_co2_emissions": None}
        folder = f"results/org__{row.method}/8b3219a92973c328a8e22fadcfa821b5dc75636a"
        files[f"{folder}/{row.dataset}.json"] = json.dumps(content, indent=2)
        about = {"name": f"org/{row.method}", "revision": "8b3219a9", "n_parameters": 22700000}
        files[f"{folder}/model_meta.json"] = json.dumps(about)
    return Sample({"": truth_of(frame, True, is_loose=True)}, files=files)


@real_format("MTEB, the leaderboard's CSV")
def mteb_leaderboard(rng: np.random.Generator) -> Sample:
    wide, means, truths = _leaderboard(rng)
    about = {"Rank (Borda)": ["1", "2", "3"], "Model": wide["Model"], "Zero-shot": ["99%", "100%", "95%"]}
    about |= {"Memory Usage (MB)": ["418", "127", "639"], "Embedding Dimensions": ["768", "384", "1024"]}
    about |= {"Number of Parameters": ["109000000", "33000000", "335000000"], "Max Tokens": "512"}
    table = pd.DataFrame(about | {"Mean (Task)": [f"{value:.2f}" for value in means]})
    joined = pd.concat([table, wide.drop(columns="Model")], axis=1)
    return Sample(truths, joined, options=HIGHER)


def _leaderboard(rng: np.random.Generator) -> tuple[pd.DataFrame, list[float], dict[str, Truth]]:
    """Return per cents of models on tasks, their means, and what the table says."""
    frame = _language_tasks(rng, ("e5-base", "bge-small", "gte-large"))
    frame["score"] = [f"{100 * float(text):.2f}" for text in frame["score"]]
    wide = turned(frame, corner="Model")
    return wide, wide.set_index("Model").astype(float).mean(axis=1).tolist(), one(frame, True)


@real_format("Open LLM leaderboard")
def open_llm(rng: np.random.Generator) -> Sample:
    wide, means, truths = _leaderboard(rng)
    wide.insert(1, "Average ⬆️", [f"{value:.2f}" for value in means])
    wide["#Params (B)"], wide["Hub License"] = ["7.2", "70.6", "0.5"], "apache-2.0"
    return Sample(truths, wide, options=HIGHER)


# Forecasting.


@real_format("forecasting, a row per dataset, horizon and model")
def forecasting(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3, folds=3, unit="loss")
    frame["mae"] = more(rng, frame)
    horizons = frame["fold"].map({"0": "96", "1": "192", "2": "336"})
    table = columns(frame, "dataset model=method mse=score mae", horizon=horizons)
    frame["dataset"] += ", " + horizons
    return Sample({"mse": truth_of(frame, False), "mae": truth_of(frame, False, "mae")}, table)


@real_format("forecasting, models as columns beside dataset and horizon")
def forecasting_wide(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 3, 3, folds=3, unit="loss")
    horizons = frame["fold"].map({"0": "96", "1": "192", "2": "336"})
    frame = frame.assign(dataset=frame["dataset"] + ", " + horizons)
    wide = pivot(frame)
    split = wide["dataset"].str.split(", ", expand=True)
    wide.insert(1, "horizon", split[1])
    return Sample(one(frame, False), wide.assign(dataset=split[0]), options={"higher_is_better": False})


@real_format("GIFT-Eval, `all_results.csv`")
def gift_eval(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3, unit="loss")
    frame["dataset"] += "/H/short"
    frame["mae"] = more(rng, frame)
    names = "dataset model=method eval_metrics/MSE[mean]=score eval_metrics/MAE[0.5]=mae"
    table = columns(frame, names, domain="Energy", num_variates="1")
    truths = {"eval_metrics/MSE[mean]": truth_of(frame, False, is_loose=True)}
    truths |= {"eval_metrics/MAE[0.5]": truth_of(frame, False, "mae", is_loose=True)}
    return Sample(truths, table)


@real_format("Nixtla, `evaluate()` with a column per model")
def nixtla(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 3, unit="loss")
    table = pivot(frame, corner="unique_id")
    table.insert(1, "metric", "mae")
    return Sample({"": truth_of(frame, False)}, table)


# Tables of papers and of spreadsheets.


@real_format("LaTeX `tabular`")
def latex(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 4, unit="percent")
    wide = pivot(frame, corner="Dataset").set_index("Dataset")
    best = wide.astype(float).eq(wide.astype(float).max(axis=1), axis=0)
    rows = []
    for name in wide.index:
        cells = [
            rf"$\mathbf{{{text}}} \pm 0.4$" if bold else rf"${text} \pm 0.3$"
            for text, bold in zip(wide.loc[name], best.loc[name], strict=True)
        ]
        rows.append(" & ".join([name, *cells]) + r" \\")
    head = r"\textbf{Dataset} & " + " & ".join(wide.columns) + r" \\"
    text = [
        r"\begin{table}",
        r"\centering",
        r"\caption{Accuracy (\%).}",
        r"\begin{tabular}{lcccc}",
        r"\toprule",
    ]
    text += [head, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return Sample(one(frame, True), files=text_file("table.tex", text), options=HIGHER)


@real_format("Markdown table")
def markdown(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 4, unit="percent")
    wide = pivot(frame, corner="Dataset")
    lines = ["| " + " | ".join(wide.columns) + " |", "|" + "---|" * len(wide.columns)]
    lines += [
        "| " + " | ".join([row[0], f"**{row[1]}**", *row[2:]]) + " |" for row in wide.to_numpy().tolist()
    ]
    return Sample(one(frame, True), files=text_file("table.md", lines), options=HIGHER)


@real_format("methods with their spreads, `SVM_mean,SVM_std`")
def means_and_spreads(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 3)
    wide, table = pivot(frame), {}
    for name in wide.columns[1:]:
        table |= {f"{name}_mean": wide[name], f"{name}_std": more(rng, wide, 0.01, 0.05)}
    return Sample(one(frame, True), pd.DataFrame({"dataset": wide["dataset"], **table}), options=HIGHER)


@real_format("pandas, methods over metrics in two header rows")
def two_headers(rng: np.random.Generator) -> Sample:
    wide, truths = _over_metrics(rng)
    return Sample(truths, files={"results.csv": wide.to_csv()})


def _over_metrics(rng: np.random.Generator) -> tuple[pd.DataFrame, dict[str, Truth]]:
    """Return methods over metrics, and what the table says."""
    frame = drawn(rng, 5, 3)
    frame["f1"] = more(rng, frame)
    numbers = frame.assign(accuracy=frame["score"].astype(float), f1=frame["f1"].astype(float))
    wide = numbers.pivot(index="dataset", columns="method", values=["accuracy", "f1"])
    wide = wide.swaplevel(axis=1).sort_index(axis=1)
    wide.columns.names = [None, None]
    return wide, {"accuracy": truth_of(frame, True), "f1": truth_of(frame, True, "f1")}


@real_format("pandas, `agg(['mean', 'std'])` of methods in two header rows")
def mean_and_std_headers(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3, folds=4)
    groups = frame["score"].astype(float).groupby([frame["dataset"], frame["method"]])
    rounds = groups.agg(["mean", "std"]).round(6)
    wide = rounds.unstack().swaplevel(axis=1).sort_index(axis=1)
    wide.columns.names = [None, None]
    truths = {"": Truth(rounds["mean"].unstack(), True)}
    return Sample(truths, files={"results.csv": wide.to_csv()}, options=HIGHER)


@real_format("pandas, `groupby().agg(['mean', 'std'])` of a metric")
def aggregated(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3, folds=4)
    scores = frame.assign(accuracy=frame["score"].astype(float))
    rounds = scores.groupby(["dataset", "method"])[["accuracy"]].agg(["mean", "std"]).round(6)
    truth = Truth(rounds["accuracy", "mean"].unstack(), True)
    return Sample({"": truth}, files={"results.csv": rounds.to_csv()})


def excel(**sheets: pd.DataFrame) -> bytes:
    """Return a workbook of sheets whose cells are numbers where they can be."""
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer) as writer:
        for name, sheet in sheets.items():
            sheet.to_excel(writer, sheet_name=name, index=isinstance(sheet.columns, pd.MultiIndex))
    return buffer.getvalue()


@real_format("Excel, methods over metrics with merged headers")
def excel_merged(rng: np.random.Generator) -> Sample:
    wide, truths = _over_metrics(rng)
    return Sample(truths, files={"results.xlsx": excel(Results=wide)})


@real_format("Excel, a sheet a metric")
def excel_sheets(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 3)
    frame["error"] = more(rng, frame)
    sheets = {"accuracy": typed(pivot(frame)), "error": typed(pivot(frame, "error"))}
    truths = {"accuracy": truth_of(frame, True), "error": truth_of(frame, False, "error")}
    return Sample(truths, files={"results.xlsx": excel(**sheets)})


@real_format("per cent signs")
def per_cent(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 4, unit="percent")
    wide = pivot(frame).set_index("dataset").map(lambda text: f"{text}%").reset_index()
    # Per cent signs say hundredths: both scales are the same numbers.
    frame["score"] = [str(float(text)) for text in frame["score"]]
    return Sample({"accuracy": truth_of(frame, True)}, wide, options={"metric": "accuracy"}, is_wide=True)


@real_format("models as rows with a last column `Avg.`")
def model_rows(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 4, unit="percent")
    wide = turned(frame, corner="Model")
    wide["Avg."] = [f"{value:.2f}" for value in wide.drop(columns="Model").astype(float).mean(axis=1)]
    return Sample(one(frame, True), wide, options=HIGHER)


@real_format("datasets as rows with a last row `Average`")
def average_row(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 4, unit="percent")
    wide = pivot(frame)
    means = wide.drop(columns="dataset").astype(float).mean()
    wide.loc[len(wide)] = ["Average", *(f"{value:.2f}" for value in means)]
    return Sample(one(frame, True), wide, options=HIGHER)


@real_format("scores beside their ranks")
def ranks_beside(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 3)
    wide = pivot(frame).set_index("dataset")
    ranks, table = wide.astype(float).rank(axis=1, ascending=False), {}
    for name in wide.columns:
        table |= {name: wide[name], f"{name} rank": ranks[name].astype(int).astype(str)}
    return Sample(one(frame, True), pd.DataFrame(table).reset_index(), options=HIGHER)


@real_format("an arrow beside the metric, `FID ↓`")
def arrows(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 5, 3, unit="loss")
    table = frame[["dataset", "method"]].assign(**{"Fréchet dist. ↓": frame["score"]})
    return Sample({"": truth_of(frame, False)}, table)


@real_format("failed runs as words")
def failures(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 6, 4)
    for place, word in ((3, "timeout"), (9, "OOM"), (17, "-")):
        frame.loc[place, "score"] = word
    table = frame[["dataset", "method"]].assign(accuracy=frame["score"])
    frame["score"] = pd.to_numeric(frame["score"], errors="coerce")
    return Sample({"accuracy": truth_of(frame, True)}, table)


@real_format("pandas, `to_json()` of a wide frame")
def json_nested(rng: np.random.Generator) -> Sample:
    frame = drawn(rng, 4, 3)
    content = typed(pivot(frame)).set_index("dataset").rename_axis(index=None).to_json()
    return Sample(one(frame, True), files={"results.json": content}, options=HIGHER)


def typed(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of texts whose columns are numbers where all their cells are."""
    columns = {}
    for name in table.columns:
        texts = table[name].astype(str)
        if all(text.isdigit() and str(int(text)) == text for text in texts):
            columns[name] = texts.astype("int64")
        else:
            numbers = pd.to_numeric(texts.where(texts != "", None), errors="coerce")
            is_number = numbers.notna() | (texts == "")
            columns[name] = numbers.astype(float) if is_number.all() and numbers.notna().any() else texts
    return pd.DataFrame(columns)
