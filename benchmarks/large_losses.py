"""How fast are the losses of an archive gone over that are more than memory holds, and how much memory does
that take?"""

import contextlib
import json
import os
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator

import numpy as np

import delvecore
from benchmarks.made_archive import METHODS, write_archive
from benchmarks.results import Finding
from benchmarks.scale import visit
from benchmarks.timing import run_command, seconds
from delvecore.archive.loss_rows import Spool, loss_table
from delvecore.archive.reading import FORM
from delvecore.archive.stored import LATE, STORED
from delvecore.cache import Cache
from delvecore.statistics.losses.results import result_table

__all__ = ["measure"]

GOAL = 2000
"""Megabytes."""
LOSSES = 1_000_000_000
DATASETS = ("made-0", "made-1")
TASK = "/made-0/target-0/std.16"
PAGES = ("compare", "methods", "ranking", "tables")
QUESTIONS = {
    "losses read into the cache": lambda root, losses: _enlarge(root, losses),
    "archive opened": lambda root, _: delvecore.open(root),
    "all losses checked": lambda root, _: delvecore.open(root).losses,
    "all estimates": lambda root, _: _estimates(delvecore.open(root)),
    "pairs of methods on one task": lambda root, _: delvecore.open(root).compare(TASK, loss="S"),
    "pairs of methods on all tasks": lambda root, _: delvecore.open(root).comparisons,
    **{f"page {page}": lambda root, _, page=page: visit(root, ("archive", page)) for page in PAGES},
}
_NOTE = (
    "{losses:,} losses, {size:.1f} GB of Arrow, of {methods} methods on {tasks} tasks, each question in a "
    "process of its own that opens the archive from its cache. Memory: the most of the process alone, "
    "and, in brackets, with what it has mapped of files, which the system takes back when short. Beside "
    "it: `cat` of the file of losses."
)


def measure(*, losses: int = LOSSES) -> list[Finding]:
    """Make an archive, put so many losses into its cache and ask the questions. A billion take 17 GB of
    disk meanwhile, below DELVE_BENCHMARK_DIRECTORY where that is set, else among temporary files."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("DELVE_BENCHMARK_DIRECTORY")) as parent:
        root = write_archive(parent, datasets=DATASETS)
        os.environ["XDG_CACHE_HOME"] = os.path.join(parent, "cache")
        found = {question: _asked(question, root, losses) for question in QUESTIONS}
        archive = delvecore.open(root)
        path = _file_of(archive)
        size = os.path.getsize(path)
        cat = seconds(lambda: run_command(["sh", "-c", 'cat "$1" > /dev/null', "sh", path]))
        facts = {"losses": losses, "size": size / 1e9, "methods": len(METHODS), "tasks": len(archive.tasks)}
        note = _NOTE.format(**facts)
        return [_finding(question, *told, size, cat, note) for question, told in found.items()]


def _asked(question: str, root: str, losses: int) -> tuple[float, float, float]:
    """Return the seconds that an answer takes, and the most memory of its own and in all, in megabytes."""
    command = [sys.executable, "-m", "benchmarks.large_losses", question, root, str(losses)]
    seconds, own, most = json.loads(run_command(command).splitlines()[-1])
    return seconds, own, most


def _finding(
    question: str, taken: float, own: float, most: float, size: int, cat: float, note: str
) -> Finding:
    return Finding(
        f"large losses: {question}",
        f"{taken:.1f} s, {size / 1e9 / taken:.2f} GB/s; {own:.0f} MB ({most:.0f})",
        f"`cat` {cat:.1f} s, {size / 1e9 / cat:.2f} GB/s",
        f"{taken / cat:.1f}x as long",
        f"{GOAL:,} MB",
        own <= GOAL,
        note,
    )


def _enlarge(root: str, losses: int) -> None:
    """Put as many losses into the cache of an archive, by the way that losses go when they are read."""
    archive = delvecore.open(root)
    rows = archive._stored["losses"].drop_columns("values").to_pylist()
    random, spool = np.random.Generator(np.random.SFC64(1996)), Spool(os.environ["XDG_CACHE_HOME"])
    for row in rows:
        row["values"] = spool.kept(random.gamma(1.0, 1.0, losses // len(rows)))
    table = loss_table(rows)
    results = result_table(table, archive.tasks, archive.constants)
    tables = {name: archive._stored[name] for name in STORED} | {"losses": table, "results": results}
    _cache_of(archive).store(archive.state, tables)


def _estimates(archive: delvecore.Archive) -> object:
    return result_table(archive.losses, archive.tasks, archive.constants)


def _cache_of(archive: delvecore.Archive) -> Cache:
    return Cache(str(archive._case_cache.base), list(archive.paths), FORM, STORED, LATE)


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


def _main(question: str, root: str, losses: str) -> None:
    start = time.perf_counter()
    with _watched() as own:
        QUESTIONS[question](root, int(losses))
    taken = time.perf_counter() - start
    unit = 1 if sys.platform == "darwin" else 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
    print(json.dumps([taken, own[0], most]))


if __name__ == "__main__":
    _main(*sys.argv[1:])
