"""Time and memory of reading: archives of loss files, tables of scores, archives with very many losses."""

import contextlib
import json
import multiprocessing
import os
import resource
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import delvecore
from benchmarks.support import Finding, in_turns, run_command, seconds
from delvecore.archive.loss_rows import loss_table
from delvecore.cache import FORM, Cache
from delvecore.stats.losses.results import result_table
from delvecore.tables import STORED

# An archive of 10,000 loss files


ARCHIVE_DATASETS = tuple(f"made-{number}" for number in range(4))
PROTOTASKS = tuple(f"target-{number}" for number in range(5))
ARCHIVE_METHODS = tuple(f"method-{number}" for number in range(10))
ARCHIVE_SIZES = (16, 32, 64, 128, 256)
INSTANCES, LOSSES_A_FILE = 5, 512
LETTERS = ("A", "S")
FILES = (
    len(ARCHIVE_DATASETS)
    * len(PROTOTASKS)
    * len(ARCHIVE_METHODS)
    * len(ARCHIVE_SIZES)
    * INSTANCES
    * len(LETTERS)
)
CASES = INSTANCES * (LOSSES_A_FILE + max(ARCHIVE_SIZES))
SEED = 1996


def write_archive(parent: str, *, datasets=ARCHIVE_DATASETS, methods=ARCHIVE_METHODS) -> str:
    """Write the delve directory `delve-made` below parent and return its path."""
    root = os.path.join(parent, "delve-made")
    random = np.random.Generator(np.random.PCG64(SEED))
    for dataset in datasets:
        _write_dataset(os.path.join(root, "data", dataset), random)
    for method in methods:
        _write(os.path.join(root, "methods", method, "Summary"), "Losses drawn at random.\n")
        for dataset in datasets:
            for prototask in PROTOTASKS:
                for size in ARCHIVE_SIZES:
                    place = os.path.join(root, "methods", method, dataset, prototask, f"std.{size}")
                    _write_results(place, random)
    return root


def _write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _write_dataset(place, random):
    numbers = range(1, len(PROTOTASKS) + 4)
    attributes = [f"{number}  x{number}  u  [-Inf,Inf]  # a number" for number in numbers]
    heading = "Title: made data\nOrigin: artificial\nUsage: development\nOrder: uninformative\nAttributes:\n"
    _write(os.path.join(place, "Dataset.spec"), heading + "\n".join(attributes) + "\n")
    rows = random.normal(size=(CASES, len(attributes)))
    _write(
        os.path.join(place, "Dataset.data"), "".join(" ".join(f"{x:.6g}" for x in row) + "\n" for row in rows)
    )
    for number, prototask in enumerate(PROTOTASKS, start=4):
        _write_prototask(os.path.join(place, prototask), number)


def _write_prototask(place, target):
    lines = {
        "Cases": "all",
        "Origin": "artificial",
        "Order": "retain",
        "Inputs": "1 2 3",
        "Targets": target,
        "Test-Set-Size": INSTANCES * LOSSES_A_FILE,
        "Training-Set-Sizes": " ".join(map(str, ARCHIVE_SIZES)),
        "Test-Set-Selection": "hierarchical",
        "Maximum-Number-Of-Instances": INSTANCES,
    }
    _write(
        os.path.join(place, "Prototask.spec"), "".join(f"{key}: {value}\n" for key, value in lines.items())
    )
    _write(os.path.join(place, "std.prior"), "".join(f"{number} NLMH real\n" for number in (1, 2, 3, target)))


def _write_results(place, random):
    for letter in LETTERS:
        for instance in range(INSTANCES):
            values = random.gamma(1.0, 1.0, LOSSES_A_FILE)
            text = "".join(f"{value:.9g}\n" for value in values)
            _write(os.path.join(place, f"loss.{letter}.{instance}"), text)
    stats = "S 1.02 \nA 0.81 \nZ undefined \nQ undefined \nL -1.43 undefined \n"
    _write(os.path.join(place, "Test-set-stats"), stats)


# Tables of scores


FOLDS, SCORES_METHODS = 10, 100
METRICS = ("rmse", *(f"recall@{place}" for place in range(1, 30)))


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
    for method in range(SCORES_METHODS):
        part = os.path.join(directory, f"method=method-{method}")
        os.makedirs(part)
        values = np.round(np.random.default_rng(method).random(len(names)), 6)
        table = pa.table({"task": names, "fold": folds, "metric": metrics, "value": values})
        pyarrow.parquet.write_table(table, os.path.join(part, "part-0.parquet"), row_group_size=each)


# Archive read, opened again, and opened after a change


WARM_GOAL_SECONDS = 0.100
_FRESH_OPEN = """
import os, sys, time
import pyarrow, pyarrow.compute
start = time.perf_counter()
import delvecore
archive = delvecore.open(sys.argv[1])
assert archive.results.num_rows and archive.notice is None
taken = time.perf_counter() - start
assert archive.losses.num_rows == int(sys.argv[2])
print(taken, time.perf_counter() - start)
"""
_COLD_NOTE = (
    "Medians of {rounds} turns with the files in the page cache. {count:,} files, {size:.0f} MB; `cat` is "
    "`find -type f -print0 | xargs -0 cat > /dev/null` over the same directory."
)
_WARM_NOTE = (
    "Median of {rounds} fresh processes that have imported pyarrow; the figure holds everything from `import "
    "delvecore` to all tables open, whose digests were checked; that of the losses is checked when they are "
    "first used, which the second line holds as well. Beside it: the cold read of the same turn, without a "
    "cache."
)


def measure_reading(*, rounds: int = 5) -> list[Finding]:
    """Write the archive, read it cold and warm, change one file and open again."""
    with tempfile.TemporaryDirectory() as parent:
        root = write_archive(parent)
        os.environ["XDG_CACHE_HOME"] = os.path.join(parent, "cache")
        cold = _measure_cold(root, rounds)
        return [*_cold_findings(root, cold, rounds), *_warm_findings(root, cold["read"], rounds * 3)]


def _measure_cold(root, rounds):
    cat = ["sh", "-c", 'find "$1" -type f -print0 | xargs -0 cat > /dev/null', "sh", root]
    works = {"read": lambda: delvecore.open(root, cache=False), "cat": lambda: run_command(cat)}
    return in_turns(works, rounds=rounds)


def _cold_findings(root, cold, rounds):
    count, size = _size(root)
    note = _COLD_NOTE.format(rounds=rounds, count=count, size=size / 1e6)
    what = f"cold read of {FILES:,} loss files of {LOSSES_A_FILE} losses"
    measured = f"{cold['read']:.2f} s, {size / 1e6 / cold['read']:.0f} MB/s"
    beside = f"`cat` {cold['cat']:.2f} s, {size / 1e6 / cold['cat']:.0f} MB/s"
    return [Finding(what, measured, beside, f"{cold['cat'] / cold['read']:.0%} of cat's speed", note=note)]


def _warm_findings(root, cold_seconds, rounds):
    note = _WARM_NOTE.format(rounds=rounds)
    _fresh_open(root)
    warm, checked = map(statistics.median, zip(*(_fresh_open(root) for _ in range(rounds)), strict=True))
    changed = statistics.median(_open_after_change(root, number) for number in range(rounds))
    goal = f"{WARM_GOAL_SECONDS * 1e3:.0f} ms"
    beside = f"cold read {cold_seconds * 1e3:,.0f} ms"
    return [
        _faster("warm open of the same archive", warm, beside, cold_seconds, note, goal),
        _faster("warm open, and all losses checked", checked, beside, cold_seconds, note),
        _faster("open after one loss file changed", changed, beside, cold_seconds, note),
    ]


def _faster(what, taken, beside, beside_seconds, note, goal=""):
    reached = taken <= WARM_GOAL_SECONDS if goal else None
    ratio = f"{beside_seconds / taken:.1f}x faster"
    return Finding(what, f"{taken * 1e3:.0f} ms", beside, ratio, goal, reached, note)


def _fresh_open(root):
    """Return the seconds until the archive is open, and until its losses are checked as well."""
    opened, checked = run_command([sys.executable, "-c", _FRESH_OPEN, root, str(FILES)]).split()
    return float(opened), float(checked)


def _open_after_change(root, number):
    path = os.path.join(root, "methods", "method-3", "made-1", "target-2", "std.64", "loss.S.1")
    with open(path, "w", encoding="ascii") as file:
        file.write(f"{number + 0.5}\n" * LOSSES_A_FILE)
    return _fresh_open(root)[1]


def _size(root):
    paths = [os.path.join(place, name) for place, _, names in os.walk(root) for name in names]
    return len(paths), sum(map(os.path.getsize, paths))


# Scores read, opened and ranked


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
    """What is measured. works: our way and the plain way; goal: seconds and megabytes; runs: the best
    one counts; part: share of the rows that are there."""

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
SCORE_TABLES_SIZES = (((1000, 100, 2), "csv", (10, 1500)), ((2000, 100, 100), "parquet", (60, 3000)))
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


def measure_score_tables(*, rows: int = ROWS) -> list[Finding]:
    """Write tables of about so many rows, read and open them."""
    with tempfile.TemporaryDirectory() as parent:
        many = _as_many(rows)
        paths = {kind: os.path.join(parent, f"scores.{kind}") for kind in ("csv", "parquet")}
        for path in paths.values():
            _alone(write_folds, path, many=many)
        cases = {"csv": READ._replace(goal=(20, 1500)), "parquet": READ}
        measured_rows = [_measured(cases[kind], paths[kind], many**2 * FOLDS, kind) for kind in paths]
        return measured_rows + _opened(parent, rows) + _ranked(parent, rows / ROWS)


def _ranked(parent: str, share: float) -> list[Finding]:
    """Write tables of a share of the largest sizes and rank them."""
    measurements = []
    for (datasets, methods, folds), kind, goal in SCORE_TABLES_SIZES:
        size = {"many": max(round(datasets * share), 3), "methods": methods, "folds": folds}
        path = os.path.join(parent, f"ranked-{folds}.{kind}")
        _alone(write_folds, path, **size)
        words = f"{size['many']:,} datasets, {methods} methods, {folds} folds, {kind}"
        measurements.append(
            _measured(RANKED._replace(goal=goal), path, size["many"] * methods * folds, words)
        )
    return measurements


def _opened(parent: str, rows: int) -> list[Finding]:
    """Write rows as one file, and as a file a method, and open both."""
    flat, parts = (os.path.join(parent, name) for name in ("flat.parquet", "parts"))
    many, tasks = _as_many(rows), max(rows // (SCORES_METHODS * len(METRICS) * FOLDS), 2)
    _alone(write_folds, flat, many=many)
    _alone(write_dataset, parts, tasks=tasks)
    count = tasks * SCORES_METHODS * len(METRICS) * FOLDS
    measured_rows = [_measured(case, flat, many**2 * FOLDS, "one file") for case in OPENED]
    return measured_rows + [_measured(case, parts, count, "100 files") for case in OF_PARTS]


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


# Very many losses


MEMORY_GOAL = 4000
"""Megabytes."""
LOSSES = 100_000_000
LARGE_LOSSES_DATASETS = ("made-0", "made-1")
TASK = "/made-0/target-0/std.16"
QUESTIONS: dict[str, Callable[[str], object]] = {
    "archive opened": lambda root: delvecore.open(root),
    "all losses checked": lambda root: delvecore.open(root).losses,
    "all estimates": lambda root: _estimates(delvecore.open(root)),
    "pairs of methods on one task": lambda root: delvecore.open(root).compare(TASK, loss="S"),
    "pairs of methods on all tasks": lambda root: delvecore.open(root).comparisons,
}
_ANSWER = "import sys; from benchmarks.reading import answer; answer(*sys.argv[1:])"
_MADE = "made and put into the cache"
_NOTE = (
    "{losses:,} losses, {size:.1f} GB of Arrow, of {methods} methods on {tasks} tasks. Each question has a "
    "process of its own. It opens the archive from its cache after the system has let go of the file of "
    "losses. Memory: the most of the process "
    "alone, and, in brackets, with what it has mapped of files, which the system takes back "
    "when short. Beside it: `cat` of the file of losses."
)


def measure_large_losses(*, losses: int = LOSSES) -> list[Finding]:
    """Make an archive, put so many losses into its cache and ask the questions. 100 million take 1 GB of
    disk meanwhile, below DELVE_BENCHMARK_DIRECTORY where that is set, else among temporary files."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("DELVE_BENCHMARK_DIRECTORY")) as parent:
        root = write_archive(parent, datasets=LARGE_LOSSES_DATASETS)
        os.environ["XDG_CACHE_HOME"] = os.path.join(parent, "cache")
        costs = {_MADE: _costs([_MADE, root, str(losses)])}
        archive = delvecore.open(root)
        path = _file_of(archive)
        size = os.path.getsize(path)
        for question in QUESTIONS:
            _let_go(path)
            costs[question] = _costs([question, root])
        _let_go(path)
        cat = seconds(lambda: run_command(["sh", "-c", 'cat "$1" > /dev/null', "sh", path]))
        facts = {
            "losses": losses,
            "size": size / 1e9,
            "methods": len(ARCHIVE_METHODS),
            "tasks": len(archive.tasks),
        }
        note = _NOTE.format(**facts)
        return [_finding(question, taken, size, cat, note) for question, taken in costs.items()]


class LossCosts(NamedTuple):
    """The seconds that an answer takes, those of the processor, and the most memory of its own and in all, in
    megabytes."""

    seconds: float
    processor: float
    own: float
    most: float


def _costs(words: Sequence[str]) -> LossCosts:
    """Ask a question in a process of its own."""
    command = [sys.executable, "-c", _ANSWER, *words]
    return LossCosts(*json.loads(run_command(command).splitlines()[-1]))


def _let_go(path: str) -> None:
    """Have the system forget what it has of a file in memory, where it can be told so."""
    if hasattr(os, "posix_fadvise"):
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _finding(question: str, costs: LossCosts, size: int, cat: float, note: str) -> Finding:
    return Finding(
        f"large losses: {question}",
        f"{costs.seconds:.1f} s, {costs.processor:.1f} s of the processor; "
        f"{costs.own:.0f} MB ({costs.most:.0f})",
        f"`cat` {cat:.1f} s, {size / 1e9 / cat:.2f} GB/s",
        f"{costs.seconds / cat:.2g}x as long",
        f"{MEMORY_GOAL:,} MB",
        costs.own <= MEMORY_GOAL,
        note,
    )


def _enlarge(root: str, losses: int) -> None:
    """Put as many losses into the cache of an archive, by the way that losses go when they are read."""
    archive = delvecore.open(root)
    rows = archive._stored["losses"].drop_columns("values").to_pylist()
    random = np.random.Generator(np.random.SFC64(1996))
    for row in rows:
        row["values"] = random.gamma(1.0, 1.0, losses // len(rows))
    table = loss_table(rows)
    results = result_table(table, archive.tasks, archive.constants)
    tables = {name: archive._stored[name] for name in STORED} | {"losses": table, "results": results}
    _cache_of(archive).store(archive.state, tables)


def _estimates(archive: delvecore.Archive) -> object:
    return result_table(archive.losses, archive.tasks, archive.constants)


def _cache_of(archive: delvecore.Archive) -> Cache:
    return Cache(str(archive._case_cache.base), list(archive.paths), FORM, STORED)


def _file_of(archive: delvecore.Archive) -> str:
    return os.path.join(_cache_of(archive).directory, archive.state, "losses.arrow")


@contextlib.contextmanager
def _watched() -> Iterator[list[float]]:
    """Hold the most memory that is the process's own in the list's one number, in megabytes."""
    most, done = [0.0], threading.Event()

    def look() -> None:
        while not done.wait(0.02):
            most[0] = max(most[0], _own_megabytes())

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield most
    finally:
        done.set()
        watcher.join()
        most[0] = max(most[0], _own_megabytes())


def _own_megabytes() -> float:
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            facts = dict(line.split(":", 1) for line in file)
    except OSError:
        return float("nan")
    return int(facts["RssAnon"].split()[0]) * 1024 / 1e6


def answer(question: str, root: str, losses: str = "") -> None:
    """Print what the answer to a question about a delve directory costs."""
    start = time.perf_counter()
    with _watched() as own:
        if question == _MADE:
            _enlarge(root, int(losses))
        else:
            QUESTIONS[question](root)
    taken = time.perf_counter() - start
    usage = resource.getrusage(resource.RUSAGE_SELF)
    most = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    processor = usage.ru_utime + usage.ru_stime
    print(json.dumps(LossCosts(taken, processor, own[0], most)))
