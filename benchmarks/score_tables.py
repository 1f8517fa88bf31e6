"""How fast, and in how much memory, is a long table of ten million scores read?"""

import os
import sys
import tempfile

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
    """Write a table as CSV and as Parquet, and read each."""
    with tempfile.TemporaryDirectory() as parent:
        table = _table(rows)
        paths = {kind: os.path.join(parent, f"scores.{kind}") for kind in GOALS}
        pyarrow.csv.write_csv(table, paths["csv"])
        pyarrow.parquet.write_table(table, paths["parquet"])
        note = _NOTE.format(rows=len(table), size=os.path.getsize(paths["csv"]) / 1e6)
        return [_finding(kind, path, len(table), note) for kind, path in paths.items()]


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
