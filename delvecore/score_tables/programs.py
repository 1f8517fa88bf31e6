"""Tables of known benchmarks, archives of results, machine learning libraries and experiment trackers.

A record in PROGRAMS has the columns that identify a table, and their roles; a function determines the
rest."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from delvecore.losses.metrics import known_metric
from delvecore.measures import Measure, column_measure
from delvecore.score_tables.cells import parse_texts, rounding
from delvecore.score_tables.harnesses import evaluations
from delvecore.score_tables.known_tables import (
    KnownTable,
    different,
    directed_metric,
    groups_in,
    holds_numbers,
    stacked,
    varies,
)
from delvecore.score_tables.names import (
    DATASETS,
    INSTANCES,
    MEANS,
    METHODS,
    SECONDS,
    folded,
    is_called,
    is_metric,
    words_in,
    words_of,
)
from delvecore.score_tables.options import Answer, Question, ScoreOptions
from delvecore.score_tables.runs_in_columns import has_runs
from delvecore.score_tables.score_file import Omission

_HIGHER = words_in(
    "ROC Sens Spec ccc rsq_trad iic rpiq rpd j_index kap sens spec bal_accuracy f_meas pr_auc gain_capture "
    "roc_aunp roc_aunu Equivalent BLEU-4 RR@10"
)
_LOWER = words_in(
    "mean_per_class_error mean_residual_deviance classif.bbrier classif.mbrier RMSSE mn_log_loss brier_class "
    "huber_loss poisson_log_loss brier_survival"
)
"""Names of metrics that only caret, H2O, HELM, mlr3, pycaret and tidymodels use."""
_MTEB_FACTS = words_in(
    "rank rankborda rankmeantask zeroshot memoryusagemb memoryusagegbfp32 numberofparameters maxtokens "
    "modelsizemillionparameters activeparametersb totalparametersb embeddingdimensions releasedate"
)
_MTEB_TYPES = words_in(
    "bitextmining classification clustering instructionretrieval instructionreranking retrieval reranking "
    "multilabelclassification pairclassification sts summarization"
)
_MTEB_MEAN = re.compile(r"mean([ _]\(.*\))?|(.*[ _])?average([ _]\(\d+[ _]datasets\))?", re.IGNORECASE)
_PARTS = words_in(
    "test testing holdout validation valid val dev train training mean avg std sd se best worst min max"
)


def folded_names(frame: pd.DataFrame) -> dict[str, str]:
    """Return {folded name: column} of a table."""
    return {folded(name): name for name in reversed(frame.columns)}


def _metrics_in(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the nonempty columns whose names are metrics, except times."""
    names = [name for name in frame.columns if is_metric(name) or name in _HIGHER or name in _LOWER]
    return tuple(name for name in names if not is_called(name, SECONDS) and different(frame[name]))


def _called(frame: pd.DataFrame, words: tuple[str, ...]) -> list[str]:
    return [name for name in frame.columns if is_called(name, words)]


def _program_measures(names: Iterable[str]) -> list[Measure]:
    """Return the metrics whose names only some programs use."""
    return [column_measure(name, name in _HIGHER) for name in names if name in _HIGHER or name in _LOWER]


def _printed_harness(table: KnownTable) -> KnownTable | None:
    """Read what lm-evaluation-harness prints for one model. An arrow shows a metric's direction."""
    frame, names = table.frame, folded_names(table.frame)
    tasks = frame[names["tasks"]].replace("", None).ffill()
    arrow = frame[names["metric"]].str.extract(r"\s([↑↓])$")[0]
    if tasks.str.startswith("-").any() or arrow.isna().any():  # groups, whose means are above their tasks
        return None
    metric, kind = frame[names["metric"]].str[:-1].str.strip(), frame[names["filter"]]
    metric = metric.where(kind.isin(("none", "")), metric + "," + kind)
    columns = {names[key]: key for key in ("value", "stderr")} | {names["nshot"]: "shots"}
    frame = frame[[*columns]].rename(columns=columns).assign(harness=table.title, task=tasks, metric=metric)
    frame = frame.assign(higher_is_better=(arrow == "↑").astype(object))
    return evaluations(table.having(frame, dataset="task", metric="metric", value=("value",)))


def _automl_benchmark(table: KnownTable) -> KnownTable:
    """Read OpenML AutoML Benchmark. Higher `result` is better if `metric` shows that losses have reversed
    signs."""
    metric, values = folded_names(table.frame).get("metric"), _metrics_in(table.frame)
    if metric is None:
        return table.having(value=values)
    metrics = [known_metric(one) for one in different(table.frame[metric])]
    is_turned = metrics and all(one is not None and one.higher_is_better for one in metrics)
    (result,) = table.options.value
    return table.having(metrics=[column_measure(result, True)] if is_turned else [], value=(result, *values))


def _tabarena(table: KnownTable) -> KnownTable:
    """Read TabArena. Lower errors are better for all metrics. Each dataset has its own metric."""
    metric = folded_names(table.frame).get("metric")
    if metric is None or not varies(table.frame, metric, table.options.dataset or ""):
        return table
    metrics = {name: column_measure(name, False, 0.0) for name in different(table.frame[metric])}
    return replace(table.having(metric=metric), metrics=metrics)


def _tabzilla(table: KnownTable) -> KnownTable:
    """Read TabZilla. `dataset_fold_id` ends with the fold, and metrics of test cases end in `__test`."""
    column = table.frame[folded_names(table.frame)["datasetfoldid"]].astype(str)
    frame = table.frame.assign(fold=column.str.rpartition("_fold_")[2])
    tested = [one for one in table.options.value if one.endswith("__test") and "time" not in words_of(one)]
    return table.having(frame, fold=("fold",), value=tuple(tested))


def _openml(table: KnownTable) -> KnownTable:
    """Read OpenML. Lists in `values` are the values of folds."""
    frame, names = table.frame, folded_names(table.frame)
    has = {key: key in names and bool(different(frame[names[key]])) for key in ("value", "values")}
    if has["value"] or not has["values"]:
        return table
    lists = frame[names["values"]].astype(str).str.findall(r"[^\s,\[\]]+")
    frame = frame.assign(value=lists).explode("value")
    frame["fold"] = frame.groupby(level=0).cumcount()
    return table.having(frame, fold=("fold",), value=("value",))


def _resamples(table: KnownTable) -> KnownTable | None:
    """Read a table with a row per dataset and a column per resample, whose names are numbers from 0 or 1."""
    frame, (first, *rest) = table.frame, table.frame.columns
    kind = {"resample": "resample", "fold": "resample", "seed": "seed"}.get(folded(first).rstrip("s"))
    counted = [[str(number + start) for number in range(len(rest))] for start in (0, 1)]
    cells = frame[first].head(1000).dropna().astype(str)
    if kind is None or len(rest) < 2 or rest not in counted or not parse_texts(cells).bad.all():
        return None
    long = frame.rename(columns={first: "dataset"}).melt("dataset", None, kind, "score", ignore_index=False)
    return table.having(long, dataset="dataset", fold=(kind,), value=("score",))


def _mteb(table: KnownTable) -> KnownTable | None:
    """Read MTEB: a column per task, or per type of tasks if there are no tasks; other columns are dropped."""
    frame, model = table.frame, table.options.method or ""
    others = [name for name in frame.columns if name != model]
    if sum(folded(name) in _MTEB_FACTS for name in others) < 3:
        return None
    facts = [one for one in others if folded(one) in _MTEB_FACTS or not holds_numbers(frame[one])]
    means = [name for name in others if _MTEB_MEAN.fullmatch(name)]
    scores = [name for name in others if name and name not in (*facts, *means)]
    if tasks := [name for name in scores if folded(name) not in _MTEB_TYPES]:
        means, scores = [*means, *(name for name in scores if name not in tasks)], tasks
    short = frame[model].astype(str).str.replace(r"^\[(.+)\]\(.*\)$", r"\1", regex=True)
    if short.nunique() == frame[model].nunique():  # Markdown links are not needed to distinguish models
        frame = frame.assign(**{model: short})
    long = frame.melt(model, scores, "task", "score", ignore_index=False)
    table = table.having(long, [column_measure("score", True)], dataset="task", value=("score",))
    return table.without("column", facts, "facts about models").without("column", means, "means over tasks")


def _helm(table: KnownTable) -> KnownTable | None:
    """Read HELM: one row per model, one column per scenario and metric, such as `MMLU - EM`."""
    frame, model = table.frame, table.options.method or ""
    scored = [name for name in frame.columns if " - " in name]
    if not scored or ("meanwinrate" not in folded_names(frame) and folded(model) != "modeladapter"):
        return None
    long = frame.melt(model, scored, "task", "value", ignore_index=False).rename(columns={model: "model"})
    long[["task", "metric"]] = long["task"].str.rsplit(" - ", n=1, expand=True)
    better = {
        one: known_metric(one) or next(iter(_program_measures([one])), None)
        for one in different(long["metric"])
    }
    ways = {name: metric and metric.higher_is_better for name, metric in better.items()}
    long = long.assign(harness="HELM", higher_is_better=long["metric"].map(ways).astype(object))
    rest = [name for name in frame.columns if name and name != model and name not in scored]
    table = table.having(long, dataset="task", method="model", metric="metric", value=("value",))
    return evaluations(table.without("column", rest, "no scenario and metric"))


def _mlr3(table: KnownTable) -> KnownTable:
    """Read mlr3. Iterations are folds for `cv`, otherwise resamples; columns that count them are dropped."""
    names, prefixes = folded_names(table.frame), ("classif.", "regr.", "surv.", "clust.", "dens.", "fcst.")
    plans = different(table.frame[names["resamplingid"]])
    kind = "fold" if all(plan.endswith("cv") for plan in plans) else "resample"
    frame = table.frame.drop(columns=[names[one] for one in ("nr", "iters", "uhash") if one in names])
    frame = frame.rename(columns=dict.fromkeys(table.options.fold, kind))
    values = [name for name in frame.columns if name.startswith(prefixes) and different(frame[name])]
    return table.having(frame, fold=(kind,) * len(table.options.fold), value=tuple(values))


def _tidymodels(table: KnownTable) -> KnownTable | None:
    """Read tidymodels. The labels in `id` and `id2` begin with the unit, such as `Fold` or `Repeat`."""
    if table.options.metric != ".metric":
        return None
    words = {"fold": "fold", "repeat": "repeat", "validation": "split"}
    first = {name: str(table.frame[name].iloc[0]).lower() for name in table.options.fold}
    kinds = {name: words.get(label.rstrip("0123456789"), "resample") for name, label in first.items()}
    frame = table.frame.drop(columns=["rank", "n"], errors="ignore")
    return table.having(frame.rename(columns={**kinds, "std_err": "stderr"}), fold=tuple(kinds.values()))


def _caret(table: KnownTable) -> KnownTable | None:
    """Read caret: one row per resample, one column per model and metric, such as `rf~Accuracy`."""
    groups = groups_in(table.frame, "([^~]+)~([^~]+)")
    values = tuple(dict.fromkeys(metric for group in groups.values() for metric in group.values()))
    is_known = any(known_metric(name) or _program_measures([name]) for name in values)
    if not is_known or len(table.frame.columns) - sum(map(len, groups.values())) > 2:
        return None
    return table.having(stacked(table.frame, groups, "model"), method="model", value=values)


def _search(table: KnownTable) -> KnownTable | None:
    """Read a search: one row per setting, one column per split. The table also has means and ranks."""
    beside = r"(mean|std|rank|param|split\d+)_.*|Unnamed: 0|"
    names = [name for name in table.frame.columns if not re.fullmatch(beside, name)]
    kept = table.frame.filter(
        [*names, *table.frame.filter(regex=r"^(split\d+_test_.+|mean_fit_time)$").columns]
    )
    groups = groups_in(kept, r"split(\d+)_(test_.+)")
    if not groups:
        return None
    long, values = stacked(kept, groups, "fold"), tuple(next(iter(groups.values())).values())
    return table.having(long, _scorers(long[[*values]]), fold=("fold",), value=values)


def _cross_validate(table: KnownTable) -> KnownTable | None:
    """Read `cross_validate`: one row per fold. Without a column of folds, they are numbered if all estimators
    have the same number."""
    frame = table.frame
    values = tuple(name for name in frame.columns if name.startswith("test_"))
    if not values:
        return None
    table = table.having(metrics=_scorers(frame[[*values]]), value=values)
    if {"name", "outer name"} <= {*frame.columns}:
        actual = f"two levels of names, {frame['outer name'].iloc[0]!r} above {frame['name'].iloc[0]!r}"
        answers = [Answer(f"{one} holds the datasets", "dataset", one) for one in ("outer name", "name")]
        expected = "the level of names that holds the datasets"
        table = replace(table, question=Question(table.title, expected, actual, answers))
    beside = [name for name in frame.columns if not re.match("test_|train_|Unnamed|score_time$|$", name)]
    beside = [name for name in beside if not is_called(name, SECONDS)]
    numbers = [name for name in beside if holds_numbers(frame[name])]
    labels = [name for name in beside if name not in numbers and frame[name].map(str).duplicated().any()]
    groups = frame.map(str).groupby(labels or np.zeros(len(frame)), sort=False)
    has_folds = any(is_called(name, INSTANCES) for name in (*labels, *numbers))
    if has_folds or groups.size().nunique() > 1 or groups[numbers].nunique().gt(1).any(axis=None):
        return table
    return table.having(_without_index(frame.assign(fold=groups.cumcount())), fold=("fold",))


def _without_index(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table without the column of the index of a data frame."""
    return frame[[name for name in frame.columns if folded(name) not in ("", "unnamed0", "index")]]


def _scorers(scores: pd.DataFrame) -> list[Measure]:
    """Return the directions of the values of scorers.

    Higher is better, except for errors without reversed sign. The direction is unknown if signs are mixed.
    """
    measures = []
    for name in scores.columns:
        metric = known_metric(name.removeprefix("test_")) or column_measure(name, True)
        numbers = pd.to_numeric(scores[name].astype(str), errors="coerce")
        if metric.higher_is_better or not ((numbers > 0).any() and (numbers < 0).any()):
            measures.append(directed_metric(name, higher=metric.higher_is_better or not (numbers > 0).any()))
    return measures


def _leaderboard(table: KnownTable) -> KnownTable | None:
    """Read a leaderboard of one dataset: one row per model, one column per metric. An AUC of 0 means missing
    in pycaret."""
    frame, names = _without_index(table.frame), folded_names(table.frame)
    if {"ttsec", "auc"} <= names.keys():
        area = frame[names["auc"]]
        frame = frame.assign(**{names["auc"]: area.mask(pd.to_numeric(area, errors="coerce") == 0)})
    return None if any(key in DATASETS for key in names) else table.having(frame)


def _tracked_runs(table: KnownTable) -> KnownTable:
    """Read runs of a tracker. Settings and metrics have user-defined names. If no setting is a method, names
    of runs are methods."""
    facts = [name for name in table.frame.columns if name.startswith("_")]
    frame = table.frame.drop(columns=facts)
    if "Duration" in frame.columns:
        seconds = pd.to_timedelta(frame["Duration"].astype(str), errors="coerce").dt.total_seconds()
        frame = frame.assign(Duration=seconds if seconds.notna().all() else frame["Duration"])
    of_runs = [name for name in frame.columns if name.lower() in ("name", "runname")]
    methods = [name for name in _called(frame, METHODS) if name not in of_runs]
    method = of_runs[-1] if of_runs and not methods else None
    return table.having(frame, method=method).without("column", facts, "facts about runs")


def _forecasts(table: KnownTable) -> KnownTable | None:
    """Read forecasts. A dataset and a horizon form one task; rows of means over horizons are dropped."""
    frame, (horizon,) = table.frame, table.options.fold
    data, method = (next(iter(_called(frame, words)), "") for words in (DATASETS, METHODS))
    if not (data and method and different(frame[horizon])[1:] and frame.duplicated([data, method]).any()):
        return None
    table = table.having(dataset=f"{data}+{horizon}", method=method, fold=())
    is_mean = frame[horizon].astype(str).str.strip().str.lower().isin(MEANS)
    if not is_mean.any():
        return table
    texts = frame[[*table.options.value]].astype(str)
    numbers = pd.DataFrame({name: parse_texts(texts[name]).value for name in texts}, texts.index)
    means = numbers.mask(is_mean).groupby([frame[data], frame[method]]).transform("mean")
    gaps, allowed = (numbers - means)[is_mean].abs(), texts[is_mean].map(rounding) * (1 + 1e-6)
    called, others = different(frame.loc[is_mean, horizon]), different(frame.loc[~is_mean, horizon])
    if (gaps <= allowed).all(axis=None):
        why = f"means over {horizon}, by name and numbers"
        out = Omission.of("row", called, why, count=int(is_mean.sum()))
        return replace(table, frame=frame[~is_mean], omissions=out)
    actual = f"rows called {called[0]!r} that are not the means of the others"
    answers = [Answer("Leave them out", "where", ((horizon, tuple(others)),))]
    return replace(
        table, question=Question(table.title, f"one horizon per row in {horizon!r}", actual, answers)
    )


def _paired(table: KnownTable) -> KnownTable | None:
    """Read a column per method (or dataset) and metric: `A_acc`, `A_f1`, `B_acc`, `B_f1`."""
    frame, (methods, datasets) = table.frame, (_called(table.frame, one) for one in (METHODS, DATASETS))
    if has_runs(frame.columns):
        return None
    role = "dataset" if methods else "method" if datasets else "column"
    for joint in "_- /.:" if not (methods and datasets) else "":
        ends = [name for name in frame if is_metric(name.rpartition(joint)[2]) and holds_numbers(frame[name])]
        matched_groups = groups_in(frame[ends], f"(.+){re.escape(joint)}(.*)")
        are_parts = [
            name for name, one in matched_groups.items() if name.lower() in _PARTS or all(map(is_metric, one))
        ]
        groups = {name: group for name, group in matched_groups.items() if name not in are_parts}
        metrics = {tuple(group.values()) for group in groups.values()}
        if len(groups) > 1 and len(metrics) == 1 and min(map(len, metrics)) > 1:
            dataset, method = (role if role == one else None for one in ("dataset", "method"))
            long = stacked(frame, groups, role)
            return table.having(long, dataset=dataset, method=method, value=metrics.pop())
    return None


@dataclass(frozen=True)
class Program:
    """Description of the tables of a program.

    Columns are folded names; `a|b` is the first that exists, `a?` is optional, and `*` means all metrics.

    Attributes
    ----------
    columns : str
        Columns by role. A role is a field of ScoreOptions, `marks` (further columns that identify a table),
        `apart` (columns joined to the method if they have several values), `higher` or `lower` (values of
        fixed direction).
    prefix : str
        Pattern of a prefix that is removed from names.
    rest : Callable[[KnownTable], KnownTable | None]
        Function that adds facts that the columns do not show. Returns None if the table is from another
        source.
    """

    title: str
    columns: str
    rest: Callable[[KnownTable], KnownTable | None] = lambda table: table
    prefix: str = ""

    def read(self, frame: pd.DataFrame, names: dict[str, str]) -> KnownTable | None:
        """Return the table with facts about it; None if it is from another source."""
        if self.prefix:
            plain = [re.sub(f"(?i)^({self.prefix})", "", name) for name in frame.columns]
            if plain == [*frame.columns]:
                return None
            once = {name: new for name, new in zip(frame, plain, strict=True) if plain.count(new) == 1}
            frame = frame.rename(columns=once)
            names = folded_names(frame)
        roles: dict[str, list[str]] = defaultdict(list)
        for part in self.columns.split("; "):
            role, _, words = part.partition(" ")
            columns = _columns(words, frame, names)
            if columns is None:
                return None
            roles[role] = columns
        options = ScoreOptions(
            dataset="+".join(roles["dataset"]) or None,
            method="+".join(roles["method"] + _apart(frame, roles)) or None,
            metric="+".join(roles["metric"]) or None,
            fold=tuple(roles["fold"]),
            value=tuple(roles["value"] + roles["higher"] + roles["lower"]),
        )
        metrics = [column_measure(name, True) for name in roles["higher"]]
        metrics += [column_measure(name, False, 0.0) for name in roles["lower"]]
        table = self.rest(KnownTable(self.title, frame, options).having(metrics=metrics))
        if table is None:
            return None
        metric, values = table.options.metric, table.options.value
        measures = _program_measures(values if metric is None else different(table.frame[metric]))
        return replace(table, metrics={**{one.key: one for one in measures}, **table.metrics})


def _apart(frame: pd.DataFrame, roles: dict[str, list[str]]) -> list[str]:
    """Return the columns that distinguish methods with the same name."""
    return [one for one in roles["apart"] if any(varies(frame, one, name) for name in roles["method"])]


def _columns(words: str, frame: pd.DataFrame, names: dict[str, str]) -> list[str] | None:
    """Return the columns that a record names; None if one is missing."""
    if words == "*":
        return [*_metrics_in(frame)] or None
    listed = []
    for word in words.split():
        columns = [names[one] for one in word.rstrip("?").split("|") if one in names]
        if not columns and not word.endswith("?"):
            return None
        listed += columns[:1]
    return listed


_OPENML = "marks taskid; dataset dataname|dataid|taskid; method flowname|flowid"
_FUNCTIONS = "method algid|algorithmid|algname|id; dataset funcid|funcname|functionid dim"
PROGRAMS = (
    Program("harness", "marks harness; dataset task; method model; metric metric; value value", evaluations),
    Program(
        "lm-evaluation-harness",
        "marks tasks version filter nshot stderr; metric metric; value value",
        _printed_harness,
    ),
    Program(
        "AutoML benchmark",
        "marks id; dataset task; method framework; apart constraint?; fold fold; value result",
        _automl_benchmark,
    ),
    Program(
        "TabArena",
        "dataset dataset|tid; method method|framework; fold repeat? fold? split?; lower metricerror",
        _tabarena,
    ),
    Program("TabZilla", "marks datasetfoldid; dataset datasetname; method algname; value *", _tabzilla),
    Program("OpenML evaluations", f"{_OPENML}; metric function; value value|values", _openml),
    Program("OpenML runs", f"{_OPENML}; value *"),
    Program("IOHprofiler", f"{_FUNCTIONS} target budget?; lower ert|runtime|mean?"),
    Program("IOHprofiler", f"{_FUNCTIONS} budget?; lower ert|runtime?"),
    Program("UEA and UCR archives", "", _resamples),
    Program("MTEB leaderboard", "method model; marks embeddingdimensions", _mteb),
    Program("HELM", "method modeladapter|model", _helm),
    Program(
        "AutoGluon leaderboard",
        "method model; higher scoretest|scoreval; marks scoreval fitorder|predtimeval|fittimemarginal",
    ),
    Program("mlr3", "marks resamplingid; dataset taskid; method learnerid; fold iteration?", _mlr3),
    Program(
        "tidymodels",
        "method wflowid|model|config; apart config?; metric metric; fold id? id2?; value estimate|mean",
        _tidymodels,
    ),
    Program(
        "Weka",
        "dataset dataset; method scheme; apart schemeoptions?; fold run fold?; value *",
        prefix="Key[_ ]",
    ),
    Program("caret resamples", "fold resample?", _caret),
    Program("scikit-learn search", "method params", _search),
    Program("scikit-learn cross_validate", "marks fittime scoretime", _cross_validate),
    Program("leaderboard of one dataset", "method model; marks ttsec|timetaken; value *", _leaderboard),
    Program(
        "leaderboard of one dataset",
        "method modelid; marks meanperclasserror|meanresidualdeviance; value *",
        _leaderboard,
    ),
    Program("MLflow runs", "marks starttime runid sourcetype", _tracked_runs),
    Program("MLflow runs", "", _tracked_runs, prefix=r"(metrics|params|tags)\.(mlflow\.)?"),
    Program("Weights & Biases runs", "marks runtime step", _tracked_runs),
    Program("Weights & Biases runs", "marks name state created|runtime|sweep|user|tags|notes", _tracked_runs),
    Program("Weights & Biases runs", "", _tracked_runs, prefix=r"(config|summary)\."),
    Program(
        "forecasts",
        "fold predlen|horizon|predictionlength|forecasthorizon|outputlength|h; value *",
        _forecasts,
    ),
    Program("a column per method and metric", "", _paired),
)
"""All known programs, in the order in which a table is compared with them."""


def known_source(frame: pd.DataFrame) -> KnownTable | None:
    """Return the table of a known program, identified by its column names; None for any other table.

    frame: as read, with unique column names, indexed by the row in the file."""
    names = folded_names(frame)
    known_table = next((table for program in PROGRAMS if (table := program.read(frame, names))), None)
    plain = {name: re.sub(r"[ -]", "_", name.lower()) for name in frame.columns}
    if known_table is None and len({*plain.values()}) == len(plain) and [*plain] != [*plain.values()]:
        return known_source(frame.rename(columns=plain))  # as a spreadsheet or a paper writes its names
    return known_table
