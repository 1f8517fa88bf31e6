"""How fast, and in how much memory, is a long table of ten million scores read, and a dataset of thirty?"""

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from benchmarks.results import Finding
from benchmarks.timing import run_command

__all__ = ["measure"]

ROWS = 10_000_000
FOLDS = 10
GOALS = {"csv": (20, 2000), "parquet": (5, 2000)}
"""Seconds and megabytes."""
DATASET_GOALS = {"opened": (15, 2000), "opened again": (2, 2000), "one metric of thirty": (2, 2000)}
METRICS = ("rmse", *(f"recall@{place}" for place in range(1, 30)))
METHODS = 100
_OPENED = """
import resource, sys, time
start = time.perf_counter()
import delvecore
where = {"metric": "rmse"} if sys.argv[3] == "one metric of thirty" else None
found = delvecore.open(sys.argv[1], where=where)
assert found.results["instances"].to_numpy().sum() == int(sys.argv[2])
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)
"""
_TO_TABLE = """
import resource, sys, time
start = time.perf_counter()
import pyarrow.dataset as ds
where = ds.field("metric") == "rmse" if sys.argv[3] == "one metric of thirty" else None
found = ds.dataset(sys.argv[1], partitioning="hive").to_table(filter=where)
assert len(found) == int(sys.argv[2])
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)
"""
_DATASET_NOTE = (
    "{rows:,} rows of task, fold, metric (30 of them) and value, a Parquet file a method, sorted by metric; "
    "a fresh process, imports included. Opened: results of all tasks, methods and metrics are made, and kept "
    "in the cache. Beside it: `pyarrow.dataset.to_table` of the same rows, which does nothing with them."
)
_OURS = """
import resource, sys, time
start = time.perf_counter()
from delvecore.readers.scores.reading import read_scores
found = read_scores(sys.argv[1])
assert found.rows.num_rows == int(sys.argv[2])
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)
"""
_PANDAS = """
import resource, sys, time
start = time.perf_counter()
import pandas
found = (pandas.read_csv if sys.argv[1].endswith("csv") else pandas.read_parquet)(sys.argv[1])
assert len(found) == int(sys.argv[2])
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)
"""
_NOTE = (
    "{rows:,} rows of dataset, method, fold and accuracy, {size:.0f} MB as CSV; a fresh process, imports "
    "included, the better of two runs, with its largest resident memory. Beside it: pandas reads the "
    "file and does nothing with it."
)


def measure(*, rows: int = ROWS) -> list[Finding]:
    """Write a table as CSV and as Parquet, and read each; open a dataset of three times as many rows."""
    with tempfile.TemporaryDirectory() as parent:
        table = _table(rows)
        paths = {kind: os.path.join(parent, f"scores.{kind}") for kind in GOALS}
        pyarrow.csv.write_csv(table, paths["csv"])
        pyarrow.parquet.write_table(table, paths["parquet"])
        note = _NOTE.format(rows=len(table), size=os.path.getsize(paths["csv"]) / 1e6)
        found = [_finding(kind, path, len(table), note) for kind, path in paths.items()]
        return found + _opened(os.path.join(parent, "dataset"), 3 * rows)


def _opened(directory: str, rows: int) -> list[Finding]:
    """Write a dataset and open it, again, and one metric of it."""
    tasks = max(rows // (METHODS * len(METRICS) * FOLDS), 2)
    _write_dataset(directory, tasks)
    many = tasks * METHODS * len(METRICS) * FOLDS
    note = _DATASET_NOTE.format(rows=many)
    found = []
    with tempfile.TemporaryDirectory() as cache:
        for what, (longest, most) in DATASET_GOALS.items():
            count = many // len(METRICS) if what.startswith("one") else many
            given = [directory, str(count), what]
            seconds, megabytes = _once(_OPENED, given, {**os.environ, "XDG_CACHE_HOME": cache})
            beside, more = _once(_TO_TABLE, given)
            found.append(
                Finding(
                    what=f"a dataset of {many:,} scores, {what}",
                    measured=f"{seconds:.1f} s, {megabytes:.0f} MB",
                    beside=f"pyarrow {beside:.1f} s, {more:.0f} MB",
                    ratio=f"{beside / seconds:.1f}x as fast",
                    goal=f"{longest} s, {most} MB",
                    reached=seconds <= longest and megabytes <= most,
                    note=note,
                )
            )
    return found


def _write_dataset(directory: str, tasks: int) -> None:
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


def _once(
    code: str, given: Sequence[str], environment: Mapping[str, str] | None = None
) -> tuple[float, float]:
    """Return seconds and megabytes of a program. environment: None for this one."""
    seconds, megabytes = run_command([sys.executable, "-c", code, *given], env=environment).split()
    return float(seconds), float(megabytes)


def _table(rows: int) -> pa.Table:
    """Return folds of equally many methods and datasets, about so many rows."""
    many = max(round((rows / FOLDS) ** 0.5), 2)
    names = np.arange(many)
    datasets = np.repeat([f"dataset-{name}" for name in names], many * FOLDS)
    methods = np.tile(np.repeat([f"method-{name}" for name in names], FOLDS), many)
    folds = np.tile(np.arange(FOLDS), many * many)
    values = np.round(np.random.default_rng(1).random(len(folds)), 6)
    return pa.table({"dataset": datasets, "method": methods, "fold": folds, "accuracy": values})


def _finding(kind: str, path: str, rows: int, note: str) -> Finding:
    seconds, megabytes = _read(_OURS, path, rows)
    beside, more = _read(_PANDAS, path, rows)
    longest, most = GOALS[kind]
    return Finding(
        what=f"scores of {rows:,} runs read from {kind}",
        measured=f"{seconds:.1f} s, {megabytes:.0f} MB",
        beside=f"pandas {beside:.1f} s, {more:.0f} MB",
        ratio=f"{beside / seconds:.1f}x as fast",
        goal=f"{longest} s, {most} MB",
        reached=seconds <= longest and megabytes <= most,
        note=note,
    )


def _read(code: str, path: str, rows: int) -> tuple[float, float]:
    runs = [run_command([sys.executable, "-c", code, path, str(rows)]).split() for _ in range(2)]
    seconds, megabytes = min(tuple(map(float, run)) for run in runs)
    return seconds, megabytes
