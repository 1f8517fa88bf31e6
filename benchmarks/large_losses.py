"""How fast is an archive with very many losses opened and compared, and how much memory does that take?"""

import contextlib
import json
import os
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import delvecore
from benchmarks.control_group import limited
from benchmarks.made_archive import METHODS, write_archive
from benchmarks.results import Finding
from benchmarks.scale import visit
from benchmarks.timing import run_command, seconds
from delvecore.archive.loss_rows import loss_table
from delvecore.archive.reading import FORM
from delvecore.cache import Cache
from delvecore.stats.losses.results import result_table
from delvecore.tables import STORED

MEMORY_GOAL = 4000
"""Megabytes."""
TABLES_GOAL = 60.0
"""Seconds of the page Tables the first time."""
LOSSES = 100_000_000
DATASETS = ("made-0", "made-1")
TASK = "/made-0/target-0/std.16"
Work = Callable[[str], float | None]
"""Asks a question about a delve directory; returns seconds where not all of its own count."""
QUESTIONS: dict[str, Work] = {
    "archive opened": lambda root: _done(delvecore.open(root)),
    "all losses checked": lambda root: _done(delvecore.open(root).losses),
    "all estimates": lambda root: _done(_estimates(delvecore.open(root))),
    "pairs of methods on one task": lambda root: _done(delvecore.open(root).compare(TASK, loss="S")),
    "pairs of methods on all tasks": lambda root: _done(delvecore.open(root).comparisons),
    **{
        f"page {page}": lambda root, page=page: _page(root, page)
        for page in ("compare", "methods", "ranking", "tables")
    },
}
_MADE = "made and put into the cache"
GOALS = {"page tables": TABLES_GOAL}
_NOTE = (
    "{losses:,} losses, {size:.1f} GB of Arrow, of {methods} methods on {tasks} tasks. Each question has a "
    "process of its own. It opens the archive from its cache after the system has let go of the file of "
    "losses. {limit} Pages: the first run of the script, the archive page was seen before. Memory: the most "
    "of the process alone, and, in brackets, with what it has mapped of files, which the system takes back "
    "when short. Beside it: `cat` of the file of losses."
)
_LIMITED = "All of it ran in a control group with {goal:,} MB."
_UNLIMITED = "No control group could be made here: the memory was not limited, only measured."


def measure(*, losses: int = LOSSES) -> list[Finding]:
    """Make an archive, put so many losses into its cache and ask the questions. 100 million take 1 GB of
    disk meanwhile, below DELVE_BENCHMARK_DIRECTORY where that is set, else among temporary files."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("DELVE_BENCHMARK_DIRECTORY")) as parent:
        root = write_archive(parent, datasets=DATASETS)
        os.environ["XDG_CACHE_HOME"] = os.path.join(parent, "cache")
        found = {_MADE: _told([_MADE, root, str(losses)])}
        archive = delvecore.open(root)
        path = _file_of(archive)
        size = os.path.getsize(path)
        with limited(MEMORY_GOAL) as prefix:
            for question in QUESTIONS:
                _let_go(path)
                found[question] = _told([question, root], prefix or [])
            _let_go(path)
            command = [*(prefix or []), "sh", "-c", 'cat "$1" > /dev/null', "sh", path]
            cat = seconds(lambda: run_command(command))
        facts = {"losses": losses, "size": size / 1e9, "methods": len(METHODS), "tasks": len(archive.tasks)}
        limit = _LIMITED.format(goal=MEMORY_GOAL) if prefix else _UNLIMITED
        note = _NOTE.format(**facts, limit=limit)
        return [_finding(question, told, size, cat, note) for question, told in found.items()]


class Told(NamedTuple):
    """The seconds that an answer takes, those of the processor, and the most memory of its own and in all, in
    megabytes."""

    seconds: float
    processor: float
    own: float
    most: float


def _told(words: Sequence[str], prefix: Sequence[str] = ()) -> Told:
    """Ask a question in a process of its own."""
    command = [*prefix, sys.executable, "-m", "benchmarks.large_losses", *words]
    return Told(*json.loads(run_command(command).splitlines()[-1]))


def _let_go(path: str) -> None:
    """Have the system forget what it has of a file in memory, where it can be told so."""
    if hasattr(os, "posix_fadvise"):
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _finding(question: str, told: Told, size: int, cat: float, note: str) -> Finding:
    goal = GOALS.get(question)
    is_fast = goal is None or told.seconds <= goal
    return Finding(
        f"large losses: {question}",
        f"{told.seconds:.1f} s, {told.processor:.1f} s of the processor; {told.own:.0f} MB ({told.most:.0f})",
        f"`cat` {cat:.1f} s, {size / 1e9 / cat:.2f} GB/s",
        f"{told.seconds / cat:.2g}x as long",
        f"{MEMORY_GOAL:,} MB" if goal is None else f"{goal:g} s, {MEMORY_GOAL:,} MB",
        is_fast and told.own <= MEMORY_GOAL,
        note,
    )


def _done(_: object) -> float | None:
    """All of the time counts."""
    return None


def _page(root: str, page: str) -> float:
    """Return the seconds of the first run of a page."""
    taken: Any = visit(root, ("leaderboard", page))
    return float(taken["first"][page])


def _enlarge(root: str, losses: int) -> float | None:
    """Put as many losses into the cache of an archive, by the way that losses go when they are read."""
    archive = delvecore.open(root)
    rows = archive._stored["losses"].drop_columns("values").to_pylist()
    random = np.random.Generator(np.random.SFC64(1996))
    for row in rows:
        row["values"] = random.gamma(1.0, 1.0, losses // len(rows))
    table = loss_table(rows)
    results = result_table(table, archive.tasks, archive.constants)
    tables = {name: archive._stored[name] for name in STORED} | {"losses": table, "results": results}
    return _done(_cache_of(archive).store(archive.state, tables))


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


def _main(question: str, root: str, losses: str = "") -> None:
    start = time.perf_counter()
    with _watched() as own:
        taken = _enlarge(root, int(losses)) if question == _MADE else QUESTIONS[question](root)
    all_of_it = time.perf_counter() - start
    usage = resource.getrusage(resource.RUSAGE_SELF)
    most = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    processor = usage.ru_utime + usage.ru_stime
    print(json.dumps(Told(all_of_it if taken is None else taken, processor, own[0], most)))


if __name__ == "__main__":
    _main(*sys.argv[1:])
