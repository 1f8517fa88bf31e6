"""How fast commands start, next to importing pandas, and pages of very many methods and tasks."""

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.support import Finding, costs_of, skipped
from benchmarks.visitor import find_chromium, processor_seconds, running_browser, running_dashboard, settle
from delvecore.cli.delve import CLASSIC, COMMANDS

# Commands


HELP_GOAL, STATISTICS_GOAL = 0.15, 1.0
"""Seconds of the processor; ratio to importing pandas."""
TASK = "/lin-1/demo/age/std.128"
_COMMANDS_NOTE = (
    "Seconds of the processor, of the whole process, in minima of {rounds} rounds. Load average at the end "
    "{load:.1f}."
)


def measure_commands(*, rounds: int = 3) -> list[Finding]:
    """Measure the help of all commands, and `mstats` of a task of the shipped archive."""
    delve = ["-m", "delvecore.cli.delve"]
    helps = {name: [*delve, name, "--help"] for name in (*COMMANDS, *CLASSIC)}
    works = {"pandas": ["-c", "import pandas"], "delve": [*delve, "--help"], **helps}
    works["mstats -l S"] = [*delve, "mstats", "-l", "S", TASK]
    with tempfile.TemporaryDirectory() as cache:
        rows = [
            {
                name: costs_of([sys.executable, *words], XDG_CACHE_HOME=cache).processor
                for name, words in works.items()
            }
            for _ in range(rounds)
        ]
    first, best = rows[0], {name: min(row[name] for row in rows) for name in works}
    slowest = max(helps, key=lambda name: best[name])
    note = _COMMANDS_NOTE.format(rounds=rounds, load=os.getloadavg()[0])
    pandas, statistics = best["pandas"], best["mstats -l S"]
    return [
        _beside("delve --help", best["delve"], pandas, note),
        _beside(
            f"slowest help, {slowest}", best[slowest], pandas, note, HELP_GOAL, best[slowest] <= HELP_GOAL
        ),
        _beside("mstats -l S of a task, first time", first["mstats -l S"], first["pandas"], note),
        _beside(
            "mstats -l S of a task, then",
            statistics,
            pandas,
            note,
            f"{STATISTICS_GOAL:.0f}x",
            statistics <= STATISTICS_GOAL * pandas,
        ),
    ]


def _beside(
    what: str, ours: float, pandas: float, note: str, goal: float | str = "", reached: bool | None = None
) -> Finding:
    goal = f"{goal} s" if isinstance(goal, float) else goal
    ratio = f"{ours / pandas:.2f}x"
    return Finding(what, f"{ours:.2f} s", f"import pandas {pandas:.2f} s", ratio, goal, reached, note)


# Very many methods and tasks


PAGES = ("", "methods", "ranking", "compare", "tables")
FIRST_GOAL, AGAIN_GOAL = 6.0, 1.5
"""Seconds until a page is drawn: the first time, and from then on."""
_PAGES_NOTE = (
    "A table of {methods} methods and {tasks} tasks with random accuracies. Seconds from the address until a "
    "real browser has drawn the page, one page after the other. Load average at the end {load:.1f}."
)


def measure_many_methods(*, methods: int = 300, tasks: int = 1000) -> list[Finding]:
    """Open pages of a large table of scores twice each."""
    chromium = find_chromium()
    if chromium is None:
        return [skipped("many methods", "No Chromium is found on this machine.")]
    found = []
    with tempfile.TemporaryDirectory() as directory:
        path = write_scores(Path(directory, "many.csv"), methods=methods, tasks=tasks)
        with running_dashboard([path], cache=directory) as address, running_browser(chromium) as browser:
            for name in PAGES:
                times = []
                for _ in range(2):
                    page, start = browser.new_page(), time.perf_counter()
                    before = processor_seconds(address.pid)
                    page.goto(f"{address.rstrip('/')}/{name}", wait_until="commit")
                    settle(page)
                    processor = processor_seconds(address.pid) - before
                    times.append((time.perf_counter() - start, processor))
                    page.close()
                found.append((name or "leaderboard", *times))
    note = _PAGES_NOTE.format(methods=methods, tasks=tasks, load=os.getloadavg()[0])
    return [
        Finding(
            f"{name}: {words}",
            f"{taken:.1f} s",
            f"{processor:.1f} s of the server's processor",
            goal=f"{goal} s",
            reached=taken <= goal,
            note=note,
        )
        for name, first, again in found
        for words, (taken, processor), goal in (
            ("first time", first, FIRST_GOAL),
            ("again", again, AGAIN_GOAL),
        )
    ]


def write_scores(path: Path, *, methods: int, tasks: int) -> str:
    """Write a table of random accuracies, whose methods differ; return its path."""
    random = np.random.default_rng(7)
    middle = 0.5 + random.normal(size=(tasks, 1)) / 40
    values = middle + (random.normal(size=(tasks, methods)) + np.linspace(0, 1, methods)) / 40
    rows = enumerate(values.clip(0.01, 0.99).tolist())
    lines = [f"data-{task},m-{place},{value:.4f}" for task, row in rows for place, value in enumerate(row)]
    path.write_text("\n".join(["dataset,method,accuracy", *lines]) + "\n", encoding="utf-8")
    return str(path)
