"""How fast, and in how much memory, are ten million scores read and opened?"""

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from benchmarks.made_scores import FOLDS, METHODS, METRICS, write_dataset, write_folds
from benchmarks.results import Finding
from benchmarks.timing import run_command

ROWS = 10_000_000
_PROGRAM = """
import resource, sys, time
start = time.perf_counter()
path = sys.argv[1]
{work}
assert count == int(sys.argv[2]), count
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)
"""
_READ = """
from delvecore.score_tables.reading import read_scores
count = read_scores(path).rows.num_rows
"""
_PANDAS = """
import pandas
count = len((pandas.read_csv if path.endswith("csv") else pandas.read_parquet)(path))
"""
_OPENED = """
import delvecore
count = delvecore.open(path).results["instances"].to_numpy().sum()
"""
_TO_TABLE = """
import pyarrow.dataset
count = len(pyarrow.dataset.dataset(path, partitioning="hive").to_table())
"""
_ONE_OPENED = _OPENED.replace("path", "path, where={'metric': 'rmse'}")
_ONE_TO_TABLE = _TO_TABLE.replace("to_table()", "to_table(filter=pyarrow.dataset.field('metric') == 'rmse')")
_RANKED = """
import contextlib, io
from delvecore.cli.subcommands.rank import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    assert main([path]) == 0
count = int(sys.argv[2])
"""
_PANDAS_RANKED = """
import pandas
rows = (pandas.read_csv if path.endswith("csv") else pandas.read_parquet)(path)
means = rows.groupby(["dataset", "method"])["accuracy"].mean().unstack()
means.rank(axis=1, ascending=False).mean()
count = len(rows)
"""
_ALONE = "A fresh process each, imports included, with its largest resident memory. "
_NOTES = {
    "read": _ALONE + "Rows of dataset, method, fold and accuracy; the better of two runs. Beside it: pandas "
    "reads the file and does nothing with it.",
    "flat": _ALONE
    + "One Parquet file of rows of dataset, method, fold and accuracy. Opened: the results of all "
    "tasks and methods are made, and kept in the cache. Beside it: `pyarrow.dataset.to_table` of the same "
    "rows, which does nothing with them.",
    "ranked": _ALONE
    + "`delve rank FILE` with nothing in the cache. Beside it: pandas reads the file and takes "
    "means over folds and mean ranks, without any test.",
    "parts": _ALONE + "Rows of task, fold, metric (30 of them) and value, a Parquet file a method, sorted by "
    "metric; the rest as above.",
}


class Case(NamedTuple):
    """What is measured. works: of ours, and of the plain way; goal: seconds and megabytes; runs: of which
    the best one counts; part: of the rows that are there."""

    what: str
    works: tuple[str, str]
    goal: tuple[float, float]
    note: str
    runs: int = 1
    part: int = 1


READ = Case("{rows:,} scores read from {kind}", (_READ, _PANDAS), (5, 1500), _NOTES["read"], 2)
OPENED = (
    Case("{rows:,} scores opened, {kind}", (_OPENED, _TO_TABLE), (15, 4000), _NOTES["flat"]),
    Case("{rows:,} scores opened again, {kind}", (_OPENED, _TO_TABLE), (2, 500), _NOTES["flat"]),
)
RANKED = Case(
    "`delve rank` of {rows:,} scores: {kind}", (_RANKED, _PANDAS_RANKED), (10, 1500), _NOTES["ranked"]
)
SIZES = (((1000, 100, 2), "csv", (10, 1500)), ((2000, 100, 100), "parquet", (60, 3000)))
"""Datasets, methods and folds that are ranked, the kind of file, and the goal."""
OF_PARTS = (
    *(case._replace(note=_NOTES["parts"]) for case in OPENED),
    Case(
        "one metric of thirty of {rows:,} scores opened, {kind}",
        (_ONE_OPENED, _ONE_TO_TABLE),
        (2, 500),
        _NOTES["parts"],
        part=len(METRICS),
    ),
)


def measure(*, rows: int = ROWS) -> list[Finding]:
    """Write tables of about so many rows, read and open them."""
    with tempfile.TemporaryDirectory() as parent:
        many = _as_many(rows)
        paths = {kind: os.path.join(parent, f"scores.{kind}") for kind in ("csv", "parquet")}
        for path in paths.values():
            _alone(write_folds, path, many=many)
        cases = {"csv": READ._replace(goal=(20, 1500)), "parquet": READ}
        found = [_measured(cases[kind], paths[kind], many**2 * FOLDS, kind) for kind in paths]
        return found + _opened(parent, rows) + _ranked(parent, rows / ROWS)


def _ranked(parent: str, share: float) -> list[Finding]:
    """Write tables of a share of the largest sizes and rank them."""
    found = []
    for (datasets, methods, folds), kind, goal in SIZES:
        size = {"many": max(round(datasets * share), 3), "methods": methods, "folds": folds}
        path = os.path.join(parent, f"ranked-{folds}.{kind}")
        _alone(write_folds, path, **size)
        words = f"{size['many']:,} datasets, {methods} methods, {folds} folds, {kind}"
        found.append(_measured(RANKED._replace(goal=goal), path, size["many"] * methods * folds, words))
    return found


def _opened(parent: str, rows: int) -> list[Finding]:
    """Write rows as one file, and as a file a method, and open both."""
    flat, parts = (os.path.join(parent, name) for name in ("flat.parquet", "parts"))
    many, tasks = _as_many(rows), max(rows // (METHODS * len(METRICS) * FOLDS), 2)
    _alone(write_folds, flat, many=many)
    _alone(write_dataset, parts, tasks=tasks)
    count = tasks * METHODS * len(METRICS) * FOLDS
    found = [_measured(case, flat, many**2 * FOLDS, "one file") for case in OPENED]
    return found + [_measured(case, parts, count, "100 files") for case in OF_PARTS]


def _as_many(rows: int) -> int:
    """How many datasets and methods have about so many rows?"""
    return max(round((rows / FOLDS) ** 0.5), 2)


def _alone(write: Callable[..., None], path: str, **size: int) -> None:
    """Write in a process of its own: the peak of a program counts the size of the one that starts it."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as alone:
        alone.submit(write, path, **size).result()


def _measured(case: Case, path: str, rows: int, kind: str) -> Finding:
    (seconds, megabytes), (beside, more) = (
        min(_once(work, path, rows // case.part) for _ in range(case.runs)) for work in case.works
    )
    longest, most = case.goal
    return Finding(
        what=case.what.format(rows=rows, kind=kind),
        measured=f"{seconds:.1f} s, {megabytes:.0f} MB",
        beside=f"{'pandas' if 'pandas' in case.works[1] else 'pyarrow'} {beside:.1f} s, {more:.0f} MB",
        ratio=f"{beside / seconds:.1f}x as fast",
        goal=f"{longest} s, {most} MB",
        reached=seconds <= longest and megabytes <= most,
        note=case.note,
    )


def _once(work: str, path: str, rows: int) -> tuple[float, float]:
    """Return seconds and megabytes of a program, which keeps its cache beside the tables."""
    environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(os.path.dirname(path), "cache")}
    code = _PROGRAM.format(work=work)
    seconds, megabytes = run_command([sys.executable, "-c", code, path, str(rows)], env=environment).split()
    return float(seconds), float(megabytes)
