"""Tables of scores that anyone may write, drawn with fixed seeds, each with what it says."""

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from tests.score_tables.judging import Truth
from tests.word_lists import listed

__all__ = ["Legitimate", "legitimate_table", "write_table"]

METHODS = listed("""
    svm  rf  mlp  knn  gp  ridge  lasso  xgb  catboost  lightgbm  tabnet  nb  lda  qda  tree  ours  ensemble
    ResNet  Rocket  HC2  deep-forest  SVM-RBF  C4.5  J48  AdaBoost  bagging  linear  logreg  elm  pls
    """)
STRANGE_METHODS = listed("""
    test  SD  best  mean  1998  CV  Run  Seed  MAP  ML  #2  rank  average  Total  std  max  min  Median
    Wins  loss  time  ID  A  F1  AUC  train  Fold  mean_rank  2020  value  score  metric  count  size  Model  ±  50%
    """)
ODD_NUMBERS = (("9007199254740993", "9007199254740992"), ("01", "1"), ("1.10", "1.1"), ("1e3", "1000"))
DATASETS = listed("""
    iris  wine  glass  heart  sonar  letter  vowel  yeast  zoo  adult  car  kr-vs-kp  mnist  kmnist  fashion
    digits  abalone  credit-g  diabetes  segment  vehicle  waveform  optdigits  splice  ecoli  balance-scale
    housing  cpu  ozone  blood
    """)
STRANGE_DATASETS = listed("""
    rank  loss  mean  average  total  test  best  wins  accuracy  fold  1998  01  1  1.10  1.1  #2  SD
    overall  train  sum  max  count
    """)
HIGHER = ("accuracy", "acc", "auc", "f1", "roc_auc", "balanced_accuracy", "Accuracy", "test_accuracy")
LOWER = ("rmse", "mae", "error", "logloss", "error_rate", "RMSE", "MSE", "test_loss")
SUMMARIES: dict[str, Callable[..., Any]] = {
    "mean": np.mean,
    "median": np.median,
    "sum": np.sum,
    "minimum": np.min,
    "maximum": np.max,
}
WIDE = ("wide", "turned", "unlabeled")
MISSING = ("", "NA", "nan", "-", "?", "N/A")
SEPARATORS = {"csv": ",", "tsv": "\t", "semicolon": ";"}
ENDINGS = {"semicolon": ".csv"} | {kind: f".{kind}" for kind in ("csv", "tsv", "parquet", "xlsx", "json")}


@dataclass(frozen=True)
class Legitimate:
    """A table, where it stands, what is said of it, and what it says.

    source: a path, or a table in memory; features: what is special about it; is_ordinary: has it no name and
    no number that another thing could have?"""

    seed: int
    source: Any
    options: dict[str, Any]
    truth: Truth
    features: tuple[str, ...]
    is_ordinary: bool

    @property
    def text(self) -> str:
        """What to write into a report: the features, what is said, and the first lines."""
        head = ""
        if isinstance(self.source, Path):
            if self.source.suffix in (".csv", ".tsv", ".json", ".txt"):
                lines = self.source.read_text().splitlines()
                head = "\n".join(line[:200] for line in lines[:6] + lines[6:][-1:])
        else:
            head = str(self.source)[:600]
        return f"seed {self.seed} {' '.join(self.features)} {self.options}\n{head}"


class _Numbers(NamedTuple):
    """values: datasets x methods as they are printed; texts: as what; higher: is higher better?"""

    values: pd.DataFrame
    texts: pd.DataFrame
    higher: bool
    unit: str


class _Shaped(NamedTuple):
    """frame: of texts; names: its columns of names; stem: of a file's name; options: what is said of it."""

    frame: pd.DataFrame
    names: Collection[str]
    stem: str
    options: dict[str, Any]


def legitimate_table(seed: int, folder: Path) -> Legitimate:
    """Return the table of a seed, written into a folder where it is a file."""
    rng = np.random.default_rng([25, seed])
    features: list[str] = []
    strange = rng.random() < 0.35
    tasks, methods = _names(rng, strange, features)
    shape = _pick(rng, wide=0.36, turned=0.12, long=0.2, folds=0.16, metrics=0.08, unlabeled=0.08)
    features.insert(0, shape)
    if shape == "folds":
        return _folds(seed, rng, folder, tasks, methods, strange, features)
    numbers = _numbers(rng, tasks, methods, features)
    if shape in WIDE:
        frame, names, stem, options = _wide(rng, numbers, shape, features)
    else:
        frame, names, stem, options = _long(rng, numbers, shape, features)
    higher = options.get("higher_is_better", numbers.higher)
    source = _written(rng, frame, names, folder / str(seed) / stem, features)
    if not isinstance(source, Path) and not options and shape in WIDE:
        options = {"metric": stem}
    if isinstance(source, pd.DataFrame) and shape in ("wide", "turned") and rng.random() < 0.5:
        source = source.set_index(source.columns[0]).rename_axis(index=source.columns[0] or None)
        features.append("indexed")
    return Legitimate(
        seed, source, options, Truth(numbers.values, higher), tuple(features), _is_ordinary(strange, features)
    )


def _is_ordinary(strange: bool, features: list[str]) -> bool:
    """Does no name and no number look like another thing?"""
    return not strange and not {"sum of others", "unlabeled", "constant column"} & set(features)


def _pick(rng: np.random.Generator, **chances: float) -> str:
    names = list(chances)
    weights = np.array(list(chances.values()))
    return names[int(rng.choice(len(names), p=weights / weights.sum()))]


def _names(rng: np.random.Generator, strange: bool, features: list[str]) -> tuple[list[str], list[str]]:
    """Return names of datasets and of methods."""
    tasks = rng.choice(DATASETS, int(rng.integers(3, 16)), replace=False).tolist()
    methods = rng.choice(METHODS, int(rng.integers(2, 10)), replace=False).tolist()
    if not strange:
        if rng.random() < 0.15:
            features.append("identifiers")
            numbers = rng.choice(50_000, len(tasks), replace=False) + 1
            tasks = [str(one) for one in (np.sort(numbers) if rng.random() < 0.5 else numbers)]
        return tasks, methods
    kind = _pick(rng, methods=0.5, datasets=0.3, numbers=0.2)
    strange_names = {"methods": (methods, STRANGE_METHODS), "datasets": (tasks, STRANGE_DATASETS)}
    if kind in strange_names:
        names, others = strange_names[kind]
        for name in rng.choice(others, int(rng.integers(1, 3)), replace=False).tolist():
            names[int(rng.integers(len(names)))] = name
            features.append(f"{kind[:-1]} {name!r}")
    else:
        pair = ODD_NUMBERS[int(rng.integers(len(ODD_NUMBERS)))]
        if rng.random() < 0.5 and len(methods) > 2:
            methods[:2] = pair
            features.append(f"methods {pair}")
        else:
            tasks[:2] = pair
            features.append(f"datasets {pair}")
    # A further name may have taken the place of an earlier one.
    return list(dict.fromkeys(tasks)), list(dict.fromkeys(methods))


def _numbers(rng: np.random.Generator, tasks: list[str], methods: list[str], features: list[str]) -> _Numbers:
    """Return values with something about them, as they are printed."""
    shape = (len(tasks), len(methods))
    unit = _pick(rng, fraction=0.35, close=0.2, percent=0.15, loss=0.2, magnitudes=0.1)
    features.append(unit)
    higher = unit in ("fraction", "close", "percent")
    if unit == "fraction":
        values = np.clip(rng.uniform(0.4, 0.9, (shape[0], 1)) + rng.normal(0, 0.05, shape), 0.01, 0.995)
    elif unit == "close":
        values = rng.uniform(0.98, 0.995, shape)
    elif unit == "percent":
        values = rng.uniform(40, 99, (shape[0], 1)) + rng.normal(0, 3, shape)
        values = np.clip(values, 5, 99.9)
    elif unit == "loss":
        values = rng.lognormal(rng.normal(0, 2, (shape[0], 1)), 0.3, shape)
    else:
        values = 10.0 ** rng.uniform(-141, 12, (shape[0], 1)) * rng.uniform(1, 3, shape)
    digits = int(rng.integers(2, 18))
    # What is equal to a mean is called so by no name here: a summary of that name would be one.
    plain = [place for place, name in enumerate(methods) if name in METHODS]
    kind = _pick(rng, none=0.5, mean=0.1, median=0.08, minimum=0.08, maximum=0.08, sum=0.06, row=0.1)
    if kind == "row" and shape[0] > 3 and tasks[-1] not in STRANGE_DATASETS:
        features.append("last row near the mean")
        values[-1] = values[:-1].mean(axis=0) * (1 + rng.choice([0, 1e-6, 1e-3]) * rng.normal(size=shape[1]))
    elif kind in SUMMARIES and shape[1] > 2 and plain:
        features.append(f"{kind} of others")
        place = int(rng.choice([plain[-1], plain[-1], plain[0], rng.choice(plain)]))
        others = np.delete(_printed(values, digits, unit)[0], place, axis=1)
        values[:, place] = SUMMARIES[kind](others, axis=1)
    elif rng.random() < 0.2 and len(plain) > 1 and shape[1] > 2:
        features.append("ties")
        digits = 2
        values[:, plain[0]] = values[:, plain[-1]]
    elif rng.random() < 0.12 and plain:
        features.append("constant column")
        values[:, plain[0]] = values[0, plain[0]]
    elif rng.random() < 0.08 and tasks[0] not in STRANGE_DATASETS:
        features.append("constant row")
        values[0] = values[0, 0]
    features.append(f"{digits} digits")
    numbers, texts = _printed(values, digits, unit)
    if rng.random() < 0.15 and shape[0] > 4:
        features.append("missing")
        mark = str(rng.choice(MISSING))
        for _ in range(int(rng.integers(1, 3))):
            place = tuple(int(rng.integers(size)) for size in shape)
            numbers[place], texts[place] = np.nan, mark
    return _Numbers(pd.DataFrame(numbers, tasks, methods), pd.DataFrame(texts, tasks, methods), higher, unit)


def _printed(values: np.ndarray, digits: int, unit: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers that remain where they are printed with so many digits, and their texts."""
    form = f"%.{digits}g" if unit in ("loss", "magnitudes") else f"%.{digits}f"
    texts = np.array([[form % value for value in row] for row in values], dtype=object)
    return np.vectorize(float)(texts).astype(float), texts


def _wide(rng: np.random.Generator, numbers: _Numbers, shape: str, features: list[str]) -> _Shaped:
    """Return a table of a row per dataset, or turned, or without names of its rows."""
    frame = numbers.texts
    if (
        shape == "wide"
        and "missing" not in features
        and rng.random() < 0.1
        and set(frame.index) <= set(DATASETS)
    ):
        frame = _with_summary(rng, numbers, features)
    if shape == "turned":
        corner = str(rng.choice(["method", "Model", "algorithm", "classifier", "Method"]))
        frame = frame.T
    elif "identifiers" in features:
        corner = str(rng.choice(["", "openml_id", "ID", "id", "did", "dataset_id", "tid", "task_id"]))
    else:
        corner = str(rng.choice(["dataset", "Dataset", "data", "", "task", "problem", "name"]))
    frame = frame.reset_index(names=corner)
    if shape == "unlabeled":
        frame = frame.drop(columns=corner)
    features.append(f"corner {corner!r}")
    names = () if shape == "unlabeled" else (corner,)
    options: dict[str, Any] = {"higher_is_better": numbers.higher}
    way = _pick(rng, said=0.7, metric=0.15, file=0.15)
    if way == "said":
        if rng.random() < 0.1:
            options = {"higher_is_better": not numbers.higher}
        return _Shaped(frame, names, "table", options)
    name = str(rng.choice(HIGHER if numbers.higher else LOWER))
    if way == "metric":
        return _Shaped(frame, names, "table", {"metric": name})
    features.append(f"file {name}")
    return _Shaped(frame, names, name, {})


def _with_summary(rng: np.random.Generator, numbers: _Numbers, features: list[str]) -> pd.DataFrame:
    """Return a table with a further row whose name and numbers say that it sums the others up."""
    digits = int(rng.integers(3, 8))
    name = str(rng.choice(["Average", "mean", "Mean", "Avg. rank", "Average rank", "median"]))
    features.append(f"summary {name!r}")
    if "rank" in name:
        ranking = numbers.values.rank(axis=1, ascending=not numbers.higher).mean()
    else:
        ranking = numbers.values.median() if name == "median" else numbers.values.mean()
    row = pd.DataFrame([[f"{value:.{digits}e}" for value in ranking]], [name], numbers.texts.columns)
    return pd.concat([numbers.texts, row])


def _long(rng: np.random.Generator, numbers: _Numbers, shape: str, features: list[str]) -> _Shaped:
    """Return a table of a row per score."""
    frame = numbers.texts.stack().reset_index()
    name = str(rng.choice(HIGHER if numbers.higher else LOWER))
    options: dict[str, Any] = {}
    columns = [
        str(rng.choice(one)) for one in (["dataset", "data", "task"], ["method", "model", "classifier"])
    ]
    if shape == "metrics":
        frame.columns = pd.Index([*columns, "value"])
        frame.insert(2, "metric", name)
    elif rng.random() < 0.12:
        features.append("two metrics")
        others = [one for one in (HIGHER[0], HIGHER[2], LOWER[0], LOWER[3]) if one != name]
        frame.columns = pd.Index([*columns, name])
        frame[str(rng.choice(others))] = [f"{value:.4f}" for value in rng.uniform(0.5, 0.99, len(frame))]
        options = {str(rng.choice(["metric", "value"])): name}
    elif rng.random() < 0.7:
        frame.columns = pd.Index([*columns, name])
        if rng.random() < 0.15:
            features.append("said against the name")
            options["higher_is_better"] = not numbers.higher
    else:
        frame.columns = pd.Index([*columns, str(rng.choice(["score", "value", "result"]))])
        options = {"higher_is_better": numbers.higher}
    names = [*columns, "metric"]
    return _Shaped(_mixed(rng, frame, features), names, "table", options)


def _mixed(rng: np.random.Generator, frame: pd.DataFrame, features: list[str]) -> pd.DataFrame:
    """Return a long table with its rows or columns in another order, and perhaps a column of times."""
    if rng.random() < 0.25:
        features.append("times")
        frame["fit_time"] = [f"{value:.3f}" for value in rng.uniform(0.1, 50, len(frame))]
    if rng.random() < 0.4:
        features.append("columns reordered")
        frame = frame[rng.permutation(frame.columns).tolist()]
    if rng.random() < 0.4:
        features.append("rows shuffled")
        frame = frame.sample(frac=1, random_state=int(rng.integers(1 << 30)))
    return frame.reset_index(drop=True)


def _folds(
    seed: int,
    rng: np.random.Generator,
    folder: Path,
    tasks: list[str],
    methods: list[str],
    strange: bool,
    features: list[str],
) -> Legitimate:
    """Return a long table of a row per fold; a value is the mean over folds."""
    digits, count = int(rng.integers(3, 17)), int(rng.integers(2, 11))
    higher = bool(rng.random() < 0.6)
    features.append(f"{digits} digits")
    rows = []
    for task in tasks:
        level = rng.uniform(0.5, 0.9) if higher else rng.lognormal(0, 1)
        for method in methods:
            mean = level + rng.normal(0, 0.05 * level)
            rows += [(task, method, str(fold), mean * rng.uniform(0.95, 1.05)) for fold in range(count)]
    name = str(rng.choice(HIGHER if higher else LOWER))
    run = str(rng.choice(["fold", "Fold", "split", "repeat", "seed", "run", "cv_fold"]))
    frame = pd.DataFrame(rows, columns=["dataset", "method", run, name])
    frame[name] = [f"{min(value, 1.0) if higher else value:.{digits}f}" for value in frame[name]]
    exact = frame[name].map(Fraction).groupby([frame["dataset"], frame["method"]]).sum().unstack()
    means = frame[name].astype(float).groupby([frame["dataset"], frame["method"]]).mean().unstack()
    order = exact.map(lambda value: value / count)
    if not _same_order(order, means):
        # Means that are equal, but not as floats, are on the edge: a value more decides them.
        frame.loc[0, name] = f"{float(frame.loc[0, name]) * 0.97:.{digits}f}"
        means = frame[name].astype(float).groupby([frame["dataset"], frame["method"]]).mean().unstack()
    if rng.random() < 0.25 and len(methods) > 2 and count > 2:
        frame, means = _with_failures(rng, frame, features)
    options = {"higher_is_better": higher} if rng.random() < 0.3 else {}
    frame = _mixed(rng, frame, features)
    source = _written(rng, frame, ("dataset", "method", run), folder / str(seed) / "table", features)
    is_ordinary = _is_ordinary(strange, features)
    return Legitimate(seed, source, options, Truth(means, higher), tuple(features), is_ordinary)


def _with_failures(
    rng: np.random.Generator, frame: pd.DataFrame, features: list[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the runs without some, and the means over the folds that all methods have which are ranked.

    A method with under half of its runs is not ranked."""
    run, name = frame.columns[2], frame.columns[3]
    gone = set(rng.choice(len(frame), int(rng.integers(1, 4)), replace=False).tolist())
    compared = frame["method"] == frame["method"]
    if rng.random() < 0.3:
        features.append("a method mostly failed")
        failed = frame.index[frame["method"] == frame["method"].iloc[0]]
        gone = set(rng.choice(failed, int(0.7 * len(failed)), replace=False).tolist())
        compared = frame["method"] != frame["method"].iloc[0]
    features.append("failed folds")
    is_gone = frame.index.isin(gone)
    ranked = frame[compared]
    lost = {(row.dataset, getattr(row, run)) for row in ranked[is_gone[compared]].itertuples()}
    kept = ranked[
        [(task, fold) not in lost for task, fold in zip(ranked["dataset"], ranked[run], strict=True)]
    ]
    means = kept[name].astype(float).groupby([kept["dataset"], kept["method"]]).mean().unstack()
    if rng.random() < 0.5:
        return frame[~is_gone].reset_index(drop=True), means
    mark = str(rng.choice(["", "NA", "timeout", "inf"]))
    return frame.assign(**{name: frame[name].where(~is_gone, mark)}), means


def _same_order(exact: pd.DataFrame, means: pd.DataFrame) -> bool:
    for (_, true), (_, actual) in zip(exact.iterrows(), means.iterrows(), strict=True):
        places = sorted(set(true))
        ranks = [places.index(value) for value in true]
        if pd.Series(ranks).rank().tolist() != actual.rank().tolist():
            return False
    return True


def _written(
    rng: np.random.Generator, frame: pd.DataFrame, names: Collection[str], stem: Path, features: list[str]
) -> Any:
    """Write a table in some format; return the path, or a table in memory."""
    kinds = {"csv": 0.4, "tsv": 0.08, "semicolon": 0.1, "parquet": 0.09, "xlsx": 0.04, "json": 0.06}
    kinds |= {"frame": 0.15, "arrow": 0.04, "dict": 0.02, "records": 0.02}
    kind = _pick(rng, **kinds)
    features.append(kind)
    return write_table(frame, names, kind, stem)


def write_table(frame: pd.DataFrame, names: Collection[str], kind: str, stem: Path) -> Any:
    """Write a table of texts as a kind of file; return the path, or a table in memory.

    names: the columns of names; all others hold numbers as they are printed, or marks of missing ones."""
    stem.parent.mkdir(exist_ok=True, parents=True)
    path = stem.with_name(stem.name + ENDINGS.get(kind, ""))
    if kind in SEPARATORS:
        if kind == "semicolon":
            commas = {name: frame[name].str.replace(".", ",") for name in frame.columns if name not in names}
            frame = frame.assign(**commas)
        frame.to_csv(path, index=False, sep=SEPARATORS[kind])
        return path
    typed = pd.DataFrame(
        {
            name: _typed_names(frame[name], is_excel=kind == "xlsx")
            if name in names
            else _floats(frame[name])
            for name in frame.columns
        }
    )
    match kind:
        case "parquet":
            typed.to_parquet(path)
        case "xlsx":
            typed.to_excel(path, index=False)
        case "json":
            path.write_text(
                json.dumps(typed.astype(object).where(typed.notna(), None).to_dict(orient="records"))
            )
        case "arrow":
            return pa.Table.from_pandas(typed, preserve_index=False)
        case "dict":
            return typed.to_dict(orient="list")
        case "records":
            return typed.to_dict(orient="records")
        case "frame":
            return typed
    return path


def _floats(column: pd.Series) -> pd.Series:
    return pd.to_numeric(column.where(~column.isin(MISSING)), errors="coerce").astype(float)


def _typed_names(column: pd.Series, *, is_excel: bool) -> pd.Series:
    """Return names as whole numbers where they are some that a format keeps as they are written."""
    is_whole = all(text.isdigit() and str(int(text)) == text for text in column)
    # Numbers in Excel are floats.
    if is_whole and not (is_excel and column.map(int).max() > 1 << 53):
        return column.map(int).astype("int64")
    return column
