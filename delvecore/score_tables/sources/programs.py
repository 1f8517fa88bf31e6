"""Tables of known benchmarks, archives of results, libraries of learners and trackers of experiments.

Each function returns the table with what is known of it, or None for a table of another origin."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from delvecore.losses.metrics import Metric, known_metric
from delvecore.score_tables.cells import parse_cell, rounding
from delvecore.score_tables.names import (
    DATASETS,
    INSTANCES,
    METHODS,
    METRICS,
    SECONDS,
    folded,
    found_in,
    is_metric,
    words_in,
    words_of,
)
from delvecore.score_tables.options import Answer, Question
from delvecore.score_tables.score_file import Omission
from delvecore.score_tables.sources.documents import evaluations
from delvecore.score_tables.sources.known import Known, Names, different, known, metric_of, omitted, stacked
from delvecore.score_tables.table import determines

__all__ = ["PROGRAMS", "holds_numbers"]

_MTEB_FACTS = words_in(
    "rank rankborda rankmeantask zeroshot memoryusagemb memoryusagegbfp32 numberofparameters maxtokens "
    "modelsizemillionparameters activeparametersb totalparametersb embeddingdimensions releasedate"
)
_MTEB_TYPES = words_in(
    "bitextmining classification clustering instructionretrieval instructionreranking retrieval reranking "
    "multilabelclassification pairclassification sts summarization"
)
_MTEB_MEAN = re.compile(r"mean([ _]\(.*\))?|(.*[ _])?average([ _]\(\d+[ _]datasets\))?", re.IGNORECASE)
_HIGHER = words_in(
    "ROC Sens Spec ccc rsq_trad iic rpiq rpd j_index kap sens spec bal_accuracy f_meas pr_auc gain_capture "
    "roc_aunp roc_aunu Equivalent BLEU-4 RR@10"
)
_LOWER = words_in(
    "mean_per_class_error mean_residual_deviance classif.bbrier classif.mbrier RMSSE mn_log_loss brier_class "
    "huber_loss poisson_log_loss brier_survival"
)
"""Metrics of caret, H2O, HELM, mlr3, pycaret and tidymodels that only these call so."""
_PREFIXES = re.compile(r"^(metrics|params|tags|config|summary)\.(mlflow\.)?")
_PARTS = words_in(
    "test testing holdout validation valid val dev train training mean avg std sd se best worst min max"
)


def _first(names: Names, wanted: str) -> str:
    """The first of these columns that is there, or an empty string."""
    return next((names[name] for name in wanted.split() if name in names), "")


def _all(names: Names, wanted: str) -> tuple[str, ...]:
    """Those of these columns that are there."""
    return tuple(names[name] for name in wanted.split() if name in names)


def _have(names: Names, wanted: str) -> bool:
    return set(wanted.split()) <= names.keys()


def _unnamed(names: Names) -> list[str]:
    """The column of the index of a data frame."""
    return [name for key, name in names.items() if key in ("", "unnamed0", "index")]


def _metrics_in(frame: pd.DataFrame) -> tuple[str, ...]:
    """The columns named by a metric that hold anything, without those of times."""
    found = [name for name in frame.columns if is_metric(name) and found_in(name, SECONDS) is None]
    return tuple(name for name in found if not _is_empty(frame[name]))


def _is_empty(series: pd.Series) -> bool:
    missing = series.isna()
    return (
        bool(missing.all())
        if pd.api.types.is_numeric_dtype(series)
        else bool((missing | (series == "")).all())
    )


def holds_numbers(series: pd.Series) -> bool:
    """Are most of the cells numbers or missing, as far as a sample shows?"""
    cells = series.head(100).dropna().astype(str)
    return 2 * cells.map(parse_cell).notna().sum() >= len(cells)


def _own(names: Iterable[str]) -> list[Metric]:
    """The metrics that only some libraries call so."""
    return [Metric(name, name in _HIGHER) for name in names if name in _HIGHER or name in _LOWER]


def _varies(frame: pd.DataFrame, column: str, within: str) -> bool:
    return column in frame.columns and frame.groupby(within)[column].nunique().gt(1).any()


def automl_benchmark(frame: pd.DataFrame, names: Names) -> Known | None:
    """AutoML benchmark, a run a row: `result` is higher where better, for losses have their signs turned."""
    if not _have(names, "id task framework fold result"):
        return None
    values, better = _metrics_in(frame), []
    if "metric" in names:
        values = (names["result"], *values)
        found = [known_metric(metric) for metric in different(frame[names["metric"]])]
        if found and all(metric is not None and metric.higher_is_better for metric in found):
            better = [Metric(names["result"], True)]
    method, budget = names["framework"], names.get("constraint")
    if budget is not None and frame[budget].nunique() > 1:
        method = f"{method}+{budget}"
    fold = (names["fold"],)
    return known(
        "AutoML benchmark", frame, better, dataset=names["task"], method=method, fold=fold, value=values
    )


def tabarena(frame: pd.DataFrame, names: Names) -> Known | None:
    """TabArena and TabRepo, a split or a dataset a row: `metric_error` is lower where better, whatever the
    metric, of which each dataset has its own."""
    data, method, error = (_first(names, one) for one in ("dataset tid", "method framework", "metricerror"))
    if not data or not method or not error:
        return None
    metric, better = names.get("metric"), [Metric(error, False, 0.0)]
    if metric is not None and not determines(pd.Categorical(frame[data]), pd.Categorical(frame[metric])):
        better = [Metric(name, False, 0.0) for name in different(frame[metric])]
    else:
        metric = None
    roles: dict[str, Any] = {"fold": _all(names, "repeat fold split"), "value": (error,)}
    return known("TabArena", frame, better, dataset=data, method=method, metric=metric, **roles)


def tabzilla(frame: pd.DataFrame, names: Names) -> Known | None:
    """TabZilla, a fold a row: its number ends `dataset_fold_id`, metrics of test cases end in `__test`."""
    if not _have(names, "datasetfoldid datasetname algname"):
        return None
    frame = frame.assign(fold=frame[names["datasetfoldid"]].astype(str).str.rpartition("_fold_")[2])
    tested = [one for one in _metrics_in(frame) if one.endswith("__test") and "time" not in words_of(one)]
    roles: dict[str, Any] = {"dataset": names["datasetname"], "method": names["algname"]}
    return known("TabZilla", frame, fold=("fold",), value=tuple(tested), **roles)


def openml(frame: pd.DataFrame, names: Names) -> Known | None:
    """OpenML evaluations: a run and measure a row, a list of `values` where they are of each fold; or a run a
    row with a column a measure."""
    data, method = _first(names, "dataname dataid taskid"), _first(names, "flowname flowid")
    if not data or not method or "taskid" not in names:
        return None
    if "function" not in names:
        values = _metrics_in(frame)
        return known("OpenML runs", frame, dataset=data, method=method, value=values) if values else None
    value, listed, fold = names.get("value"), names.get("values"), tuple[str, ...]()
    if listed is not None and not _is_empty(frame[listed]) and (value is None or _is_empty(frame[value])):
        value, fold = "value", ("fold",)
        frame = frame.assign(value=frame[listed].astype(str).str.findall(r"[^\s,\[\]]+")).explode("value")
        frame["fold"] = frame.groupby(level=0).cumcount()
    roles: dict[str, Any] = {"metric": names["function"], "fold": fold, "value": (value,)}
    return known("OpenML evaluations", frame, dataset=data, method=method, **roles) if value else None


def iohprofiler(frame: pd.DataFrame, names: Names) -> Known | None:
    """IOHprofiler: a dataset is a function and dimension, and a target or budget; run times are losses."""
    function, method = (
        _first(names, "funcid funcname functionid"),
        _first(names, "algid algorithmid algname id"),
    )
    if not function or not method or "dim" not in names:
        return None
    value = _all(names, "ert runtime mean" if "target" in names else "ert runtime")[:1]
    data = "+".join((function, *_all(names, "dim target budget")))
    better = [Metric(name, False, 0.0) for name in value]
    return known("IOHprofiler", frame, better, dataset=data, method=method, value=value)


def resamples(frame: pd.DataFrame, names: Names) -> Known | None:
    """Results of the UEA and UCR archives: a file a method, a dataset a row, a column a resample."""
    first, *rest = frame.columns
    counted = [[str(number + start) for number in range(len(rest))] for start in (0, 1)]
    labels = frame[first].head(1000).dropna().astype(str)
    is_named = folded(first).rstrip("s") in ("resample", "fold", "seed")
    if len(rest) < 2 or rest not in counted or not is_named or labels.map(parse_cell).notna().any():
        return None
    kind = "seed" if "seed" in first.lower() else "resample"
    frame = frame.rename(columns={first: "dataset"})
    long = frame.melt("dataset", var_name=kind, value_name="score", ignore_index=False)
    return known("UEA and UCR archives", long, dataset="dataset", fold=(kind,), value=("score",))


def mteb(frame: pd.DataFrame, names: Names) -> Known | None:
    """MTEB leaderboard: a model a row, a column a task or a type of tasks, beside facts of models, ranks and
    means, which are no tasks. Scores are higher where better."""
    facts = [name for key, name in names.items() if key in _MTEB_FACTS]
    if not _have(names, "model embeddingdimensions") or len(facts) < 3:
        return None
    model = names["model"]
    facts += [one for one in frame.columns if one not in (model, *facts) and not holds_numbers(frame[one])]
    means = [name for name in frame.columns if _MTEB_MEAN.fullmatch(name)]
    scores = [name for name in frame.columns if name and name not in (model, *facts, *means)]
    if tasks := [name for name in scores if folded(name) not in _MTEB_TYPES]:
        means, scores = [*means, *(name for name in scores if name not in tasks)], tasks
    short = frame[model].astype(str).str.replace(r"^\[(.+)\]\(.*\)$", r"\1", regex=True)
    if short.nunique() == frame[model].nunique():  # links of Markdown are not needed to tell models apart
        frame = frame.assign(**{model: short})
    long, better = frame.melt(model, scores, "task", "score", ignore_index=False), [Metric("score", True)]
    out = omitted("column", facts, "facts of models") + omitted("column", means, "means over tasks")
    return known(
        "MTEB leaderboard", long, better, omissions=out, dataset="task", method=model, value=("score",)
    )


def helm(frame: pd.DataFrame, names: Names) -> Known | None:
    """HELM, a table of a group: a model a row, a column a scenario and metric, such as `MMLU - EM`."""
    model, scored = _first(names, "modeladapter model"), [name for name in frame.columns if " - " in name]
    if not model or not scored or ("meanwinrate" not in names and folded(model) != "modeladapter"):
        return None
    long = frame.melt(model, scored, "task", "value", ignore_index=False).rename(columns={model: "model"})
    long[["task", "metric"]] = long["task"].str.rsplit(" - ", n=1, expand=True)
    better = {one: known_metric(one) or next(iter(_own([one])), None) for one in different(long["metric"])}
    ways = {name: None if metric is None else metric.higher_is_better for name, metric in better.items()}
    long = long.assign(harness="HELM", higher_is_better=long["metric"].map(ways).astype(object))
    rest = [name for name in frame.columns if name and name != model and name not in scored]
    return evaluations(long, names, omitted("column", rest, "no scenario and metric"))


def autogluon(frame: pd.DataFrame, names: Names) -> Known | None:
    """AutoGluon leaderboard: higher is better of every metric, for errors have their signs turned."""
    value = _all(names, "scoretest scoreval")[:1]
    if not _have(names, "model scoreval") or not _first(names, "fitorder predtimeval fittimemarginal"):
        return None
    return known("AutoGluon leaderboard", frame, [Metric(value[0], True)], method=names["model"], value=value)


def mlr3(frame: pd.DataFrame, names: Names) -> Known | None:
    """mlr3: a resampling iteration a row (`score`), or a resampling a row (`aggregate`)."""
    if not _have(names, "taskid learnerid resamplingid"):
        return None
    plans = different(frame[names["resamplingid"]])
    kind = "fold" if all(plan.endswith("cv") for plan in plans) else "resample"
    frame = frame.drop(columns=[*_all(names, "nr iters uhash")])
    frame = frame.rename(columns={names.get("iteration", ""): kind})
    prefixes = ("classif.", "regr.", "surv.", "clust.", "dens.", "fcst.")
    values = tuple(name for name in frame.columns if name.startswith(prefixes) and not _is_empty(frame[name]))
    roles: dict[str, Any] = {"dataset": names["taskid"], "method": names["learnerid"], "value": values}
    return known("mlr3", frame, _own(values), fold=(kind,) if "iteration" in names else (), **roles)


def tidymodels(frame: pd.DataFrame, names: Names) -> Known | None:
    """tidymodels: a resample and metric a row (`.estimate`), or the `mean` over resamples with `std_err`."""
    value, method = _first(names, "estimate mean"), _first(names, "wflowid model config")
    if not value or not method or ".metric" not in frame.columns:
        return None
    kinds = {name: _kind_of(frame[name]) for name in _all(names, "id id2")}
    frame = frame.drop(columns=[name for name in ("rank", "n") if name in frame.columns])
    frame, config = frame.rename(columns={**kinds, "std_err": "stderr"}), names.get("config", "")
    method = f"{method}+{config}" if config != method and _varies(frame, config, method) else method
    roles: dict[str, Any] = {
        "method": method,
        "metric": ".metric",
        "value": (value,),
        "fold": tuple(kinds.values()),
    }
    return known("tidymodels", frame, _own(different(frame[".metric"])), **roles)


def _kind_of(column: pd.Series) -> str:
    """What a column of labels such as `Fold01` or `Repeat2` counts."""
    start = str(column.iloc[0]).lower() if len(column) else ""
    kinds = {"fold": "fold", "repeat": "repeat", "validation": "split"}
    return next((kind for word, kind in kinds.items() if start.startswith(word)), "resample")


def weka(frame: pd.DataFrame, names: Names) -> Known | None:
    """Weka's Experimenter, as CSV or ARFF: a run and fold a row; columns of keys begin with `Key_`."""
    if not _have(names, "keydataset keyrun keyscheme"):
        return None
    frame = frame.rename(columns=lambda name: name.removeprefix("Key_"))
    method = "Scheme+Scheme_options" if _varies(frame, "Scheme_options", "Scheme") else "Scheme"
    fold = tuple(name for name in ("Run", "Fold") if name in frame.columns)
    return known("Weka", frame, dataset="Dataset", method=method, fold=fold, value=_metrics_in(frame))


def caret(frame: pd.DataFrame, names: Names) -> Known | None:
    """caret resamples: a resample a row, a column a model and metric, such as `rf~Accuracy`."""
    groups: dict[str, dict[str, str]] = {}
    for name in frame.columns:
        if found := re.fullmatch("([^~]+)~([^~]+)", name):
            groups.setdefault(found[1], {})[name] = found[2]
    values = tuple(dict.fromkeys(metric for group in groups.values() for metric in group.values()))
    if len(frame.columns) - sum(map(len, groups.values())) > 2 or not [
        *filter(known_metric, values),
        *_own(values),
    ]:
        return None
    roles: dict[str, Any] = {"method": "model", "fold": _all(names, "resample"), "value": values}
    return known("caret resamples", stacked(frame, groups, "model"), _own(values), **roles)


def search(frame: pd.DataFrame, names: Names) -> Known | None:
    """scikit-learn's `cv_results_`: a setting a row, a column a split; means and ranks stand beside."""
    groups: dict[str, dict[str, str]] = {}
    for name in frame.columns:
        if found := re.fullmatch(r"split(\d+)_(test_.+)", name):
            groups.setdefault(found[1], {})[name] = found[2]
    if not groups or "params" not in names:
        return None
    kept = [name for name in frame.columns if re.fullmatch(r"split\d+_test_.+|params|mean_fit_time", name)]
    long, values = stacked(frame[kept], groups, "fold"), tuple(next(iter(groups.values())).values())
    return known(
        "scikit-learn search", long, _scorers(long[[*values]]), method="params", fold=("fold",), value=values
    )


def cross_validate(frame: pd.DataFrame, names: Names) -> Known | None:
    """scikit-learn's `cross_validate`: a fold a row; without a column of folds they are counted, where all
    estimators have equally many."""
    values = tuple(name for name in frame.columns if name.startswith("test_"))
    if not values or not _have(names, "fittime scoretime"):
        return None
    fold, better = tuple[str, ...](), _scorers(frame[[*values]])
    others = [name for name in frame.columns if not name.startswith(("test_", "train_", "Unnamed"))]
    others = [name for name in others if name not in ("", "score_time") and found_in(name, SECONDS) is None]
    others = [
        name for name in others if frame[name].map(str).duplicated().any() or holds_numbers(frame[name])
    ]
    if not any(found_in(name, INSTANCES) is not None for name in others):
        labels = [name for name in others if not holds_numbers(frame[name])]
        groups = frame.map(str).groupby(labels or np.zeros(len(frame)), sort=False)
        are_settled = all(groups[name].nunique().eq(1).all() for name in others if name not in labels)
        if are_settled and groups.size().nunique() == 1:
            frame = frame.assign(fold=groups.cumcount()).drop(columns=_unnamed(names))
            fold = ("fold",)
    return known("scikit-learn cross_validate", frame, better, fold=fold, value=values)


def _scorers(scores: pd.DataFrame) -> list[Metric]:
    """Directions of the values of scorers. Higher is better, except where errors stand without their sign
    turned; where signs are mixed, nothing is known."""
    found = []
    for name in scores.columns:
        metric = known_metric(name.removeprefix("test_")) or Metric(name, True)
        numbers = pd.to_numeric(scores[name].astype(str), errors="coerce")
        if metric.higher_is_better or not ((numbers > 0).any() and (numbers < 0).any()):
            found.append(metric_of(name, higher=metric.higher_is_better or not (numbers > 0).any()))
    return found


def leaderboards(frame: pd.DataFrame, names: Names) -> Known | None:
    """pycaret's `compare_models`, LazyPredict, H2O's leaderboard: a model a row, a column a metric, all of
    one dataset. pycaret writes an AUC of 0 where a model has no probabilities."""
    marks = ("model ttsec", "model timetaken", "modelid meanperclasserror", "modelid meanresidualdeviance")
    mark = next((mark for mark in marks if _have(names, mark)), "")
    if not mark or any(key in DATASETS for key in names):
        return None
    values = tuple(name for name in frame.columns if name in _metrics_in(frame) or name in _LOWER)
    frame, method = frame.drop(columns=_unnamed(names)), _first(names, "model modelid")
    if mark == marks[0] and "auc" in names:
        area = frame[names["auc"]]
        frame = frame.assign(**{names["auc"]: area.mask(pd.to_numeric(area, errors="coerce") == 0)})
    return known("leaderboard of one dataset", frame, _own(values), method=method, value=values)


def tracked_runs(frame: pd.DataFrame, names: Names) -> Known | None:
    """Runs of MLflow (`search_runs`, or downloaded from its page) and of Weights & Biases: settings and
    metrics by their names; methods by the names of runs where no setting is a method."""
    is_page = _have(names, "starttime runid sourcetype")
    is_mlflow = is_page or any(name.startswith(("metrics.", "params.")) for name in frame.columns)
    is_other = _have(names, "runtime step") or (
        _have(names, "name state") and bool(_first(names, "created runtime sweep user tags notes"))
    )
    if not (is_mlflow or is_other or any(name.startswith(("config.", "summary.")) for name in frame.columns)):
        return None
    if is_page and "Duration" in frame.columns:
        seconds = pd.to_timedelta(frame["Duration"].astype(str), errors="coerce").dt.total_seconds()
        frame = frame.assign(Duration=seconds if seconds.notna().all() else frame["Duration"])
    plain = {name: _PREFIXES.sub("", name) for name in frame.columns}
    short = list(plain.values())
    frame = frame.rename(columns={name: new for name, new in plain.items() if short.count(new) == 1})
    out = omitted("column", [name for name in frame.columns if name.startswith("_")], "facts of runs")
    frame = frame[[name for name in frame.columns if not name.startswith("_")]]
    own = [name for name in frame.columns if name.lower() in ("name", "runname")]
    methods = [name for name in frame.columns if found_in(name, METHODS) is not None and name not in own]
    method = own[-1] if own and not methods else None
    return known("MLflow runs" if is_mlflow else "Weights & Biases runs", frame, omissions=out, method=method)


def forecasts(frame: pd.DataFrame, names: Names) -> Known | None:
    """Forecasts: a dataset and a horizon are one task; rows of means over horizons are none."""
    horizon = _first(names, "predlen horizon predictionlength forecasthorizon outputlength h")
    data, method = (
        next((name for name in frame.columns if found_in(name, words) is not None), "")
        for words in (DATASETS, METHODS)
    )
    values = _metrics_in(frame) if horizon and data and method else ()
    if not values or frame[horizon].nunique() < 2 or not frame.duplicated([data, method]).any():
        return None
    roles: dict[str, Any] = {"dataset": f"{data}+{horizon}", "method": method, "value": values}
    is_mean = frame[horizon].astype(str).str.strip().str.lower().isin(("avg", "average", "mean"))
    if not is_mean.any():
        return known("forecasts", frame, **roles)
    texts = frame[[*values]].astype(str)
    numbers = texts.map(lambda text: cell.value if (cell := parse_cell(text)) else np.nan)
    means = numbers[~is_mean].groupby([frame[data], frame[method]]).mean()
    means = means.reindex(pd.MultiIndex.from_frame(frame.loc[is_mean, [data, method]]))
    gaps = (numbers[is_mean] - means.set_axis(numbers.index[is_mean])).abs()
    called = tuple(different(frame.loc[is_mean, horizon]))
    if (gaps <= texts[is_mean].map(rounding) * (1 + 1e-6)).all(axis=None):
        out = Omission("row", called, int(is_mean.sum()), f"means over {horizon}, by name and numbers")
        return known("forecasts", frame[~is_mean], omissions=[out], **roles)
    others = tuple(different(frame.loc[~is_mean, horizon]))
    found = f"rows called {called[0]!r} that are not the means of the others"
    answer = Answer("Leave them out", "where", ((horizon, others),))
    question = Question("forecasts", f"one horizon a row in {horizon!r}", found, [answer])
    return known("forecasts", frame, question=question, **roles)


def numbered(frame: pd.DataFrame, names: Names) -> Known | None:
    """A column a fold, seed or run: `fold1`, `fold2`, ..."""
    found = {name: re.fullmatch(r"([A-Za-z]+)[ _.-]?(\d+)", name) for name in frame.columns}
    parts = {name: one for name, one in found.items() if one and one[1].lower() in INSTANCES}
    kinds = {one[1].lower() for one in parts.values()}
    if len(parts) < 2 or len(kinds) > 1 or not all(holds_numbers(frame[name]) for name in parts):
        return None
    kind = kinds.pop()
    long = stacked(frame, {one[2]: {name: "score"} for name, one in parts.items()}, kind)
    metric = next((name for name in frame.columns if found_in(name, METRICS) is not None), None)
    return known("a column a run", long, fold=(kind,), value=("score",), metric=metric)


def paired(frame: pd.DataFrame, names: Names) -> Known | None:
    """A column a method and metric: `A_acc`, `A_f1`, `B_acc`, `B_f1`; of datasets where rows are methods."""
    is_method, is_data = (any(key in words for key in names) for words in (METHODS, DATASETS))
    for joint in "_- /.:":
        groups: dict[str, dict[str, str]] = {}
        for name in frame.columns:
            method, _, metric = name.rpartition(joint)
            if method and method.lower() not in _PARTS and is_metric(metric) and holds_numbers(frame[name]):
                groups.setdefault(method, {})[name] = metric
        groups = {method: group for method, group in groups.items() if not all(map(is_metric, group))}
        metrics = {tuple(group.values()) for group in groups.values()}
        if (
            len(groups) > 1
            and len(metrics) == 1
            and min(map(len, metrics)) > 1
            and not (is_method and is_data)
        ):
            role = "dataset" if is_method else "method" if is_data else ""
            roles: dict[str, Any] = {role: role} if role else {}
            long = stacked(frame, groups, role or "column")
            return known("a column a method and metric", long, value=metrics.pop(), **roles)
    return None


PROGRAMS = (
    *(
        evaluations,
        automl_benchmark,
        tabarena,
        tabzilla,
        openml,
        iohprofiler,
        resamples,
        mteb,
        helm,
        autogluon,
    ),
    *(
        mlr3,
        tidymodels,
        weka,
        caret,
        search,
        cross_validate,
        leaderboards,
        tracked_runs,
        forecasts,
        numbered,
        paired,
    ),
)
"""All known programs, in the order in which a table is compared with them."""
