"""Tables of scores, and a delve directory, of as many tasks and methods as benchmarks have."""

import os

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

SEED = 1996
FOLDS, METHODS = 10, 100
METRICS = ("rmse", *(f"recall@{place}" for place in range(1, 30)))
_DATASET = {
    "Dataset.spec": "Title: made data\nOrigin: artificial\nUsage: development\nOrder: uninformative\n"
    "Attributes:\n1  x  u  [-Inf,Inf]  # a number\n2  y  u  [-Inf,Inf]  # a number\n",
    "Dataset.data": "".join(f"{case % 7} {case % 5}\n" for case in range(40)),
    "y/Prototask.spec": "Cases: all\nOrigin: artificial\nOrder: retain\nInputs: 1\nTargets: 2\n"
    "Test-Set-Size: 8\nTraining-Set-Sizes: 16\nTest-Set-Selection: hierarchical\n"
    "Maximum-Number-Of-Instances: 2\n",
    "y/std.prior": "1 NLMH real\n2 NLMH real\n",
}
_STATISTICS = "S 1.02\nA 0.81\nZ undefined\nQ undefined\nL -1.43 undefined\n"
INSTANCES, LOSSES = 2, 4


def write_scores(path: str, *, tasks: int, methods: int) -> None:
    """Write a long table with an accuracy of each method on each task; methods differ, and so do tasks."""
    random = np.random.default_rng(SEED)
    level = random.normal(size=(tasks, 1)) + 0.3 * random.normal(size=methods)
    values = 1 / (1 + np.exp(-(level + 0.3 * random.normal(size=(tasks, methods)))))
    with open(path, "w", encoding="ascii") as file:
        file.write("dataset,method,accuracy\n")
        for task, row in enumerate(values.tolist()):
            file.writelines(
                f"dataset-{task},method-{method},{value:.5f}\n" for method, value in enumerate(row)
            )


def write_folds(path: str, *, many: int, methods: int | None = None, folds: int = FOLDS) -> None:
    """Write a long table with an accuracy of each method in each fold of so many datasets: as CSV or Parquet,
    by the path's ending. methods: None for as many as datasets."""
    datasets, names = np.arange(many), np.arange(methods or many)
    each = len(names) * folds
    table = pa.table(
        {
            "dataset": _repeated([f"dataset-{name}" for name in datasets], np.repeat(datasets, each)),
            "method": _repeated([f"method-{name}" for name in names], np.tile(np.repeat(names, folds), many)),
            "fold": np.tile(np.arange(folds), many * len(names)),
            "accuracy": np.round(np.random.default_rng(1).random(many * each), 6),
        }
    )
    if path.endswith(".csv"):
        pyarrow.csv.write_csv(table, path)
    else:
        pyarrow.parquet.write_table(table, path)


def _repeated(names: list[str], places: np.ndarray) -> pa.Array:
    return pa.array(names).take(pa.array(places))


def write_dataset(directory: str, *, tasks: int) -> None:
    """Write scores as a dataset of a file a method: all tasks and folds of one metric after another."""
    each = tasks * FOLDS
    metrics = pa.array(np.repeat(METRICS, each))
    names = np.tile(np.repeat([f"task-{place}" for place in range(tasks)], FOLDS), len(METRICS))
    folds = np.tile(np.arange(FOLDS), tasks * len(METRICS))
    for method in range(METHODS):
        part = os.path.join(directory, f"method=method-{method}")
        os.makedirs(part)
        values = np.round(np.random.default_rng(method).random(len(names)), 6)
        table = pa.table({"task": names, "fold": folds, "metric": metrics, "value": values})
        pyarrow.parquet.write_table(table, os.path.join(part, "part-0.parquet"), row_group_size=each)


def write_many_results(root: str, *, tasks: int, methods: int) -> None:
    """Write a delve directory with so many datasets of one task, and a few losses of each method on each."""
    random = np.random.default_rng(SEED)
    for dataset in range(tasks):
        for name, text in _DATASET.items():
            _write(os.path.join(root, "data", f"made-{dataset}", name), text)
    for method in range(methods):
        own = os.path.join(root, "methods", f"method-{method}")
        _write(os.path.join(own, "Summary"), "Losses drawn at random.\n")
        scale = np.exp(0.2 * random.normal())
        for dataset in range(tasks):
            place = os.path.join(own, f"made-{dataset}", "y", "std.16")
            for instance, losses in enumerate(scale * random.gamma(1.0, 1.0, (INSTANCES, LOSSES))):
                text = "".join(f"{loss:.6g}\n" for loss in losses)
                _write(os.path.join(place, f"loss.S.{instance}"), text)
            _write(os.path.join(place, "Test-set-stats"), _STATISTICS)


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
