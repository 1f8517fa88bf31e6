"""How long does a visitor wait where nothing is cached: for the first page, for the archive?"""

import os
import statistics
import tempfile
import time
from collections.abc import Iterator

import delvecore
from benchmarks.results import Finding, skipped
from benchmarks.visitor import find_chromium, running_browser, running_dashboard, settle

GOALS = {"first page": 3.0, "everything": 15.0}
"""Seconds after the server answers."""
MEMORY_GOAL = 600
"""Megabytes."""
_SKIPPED = "No Chromium is found on this machine (Debian: apt-get install chromium)."
_NOTE = (
    "Median of {rounds} starts with an empty cache of the dashboard of the shipped archive: {datasets} "
    "datasets, {results:,} results; from the line that says where it is until a page says how far the "
    "reading is, and until `everything` is read and drawn; and the largest resident memory of the "
    "server, without that of the processes that read beside it. Load average at the end {load:.1f}."
)


def measure(*, rounds: int = 3) -> list[Finding]:
    """Start the dashboard anew for each of the pages."""
    chromium = find_chromium()
    if chromium is None:
        return [skipped("first start", _SKIPPED)]
    taken: dict[str, list[float]] = {name: [] for name in (*GOALS, "memory")}
    with running_browser(chromium) as browser:
        for _ in range(rounds):
            for name, found in _one_turn(browser):
                taken[name].append(found)
    median = {name: statistics.median(values) for name, values in taken.items()}
    archive = delvecore.open()
    counts = {"datasets": archive.datasets.num_rows, "results": archive.results.num_rows}
    note = _NOTE.format(rounds=rounds, **counts, load=os.getloadavg()[0])
    goals = {name: (f"{goal:.0f} s", median[name] <= goal) for name, goal in GOALS.items()}
    goals["memory"] = f"{MEMORY_GOAL} MB", median["memory"] < MEMORY_GOAL
    shown = {name: f"{found:.1f} s" for name, found in median.items()}
    shown["memory"] = f"{median['memory']:.0f} MB"
    return [
        Finding(f"first start: {name}", shown[name], goal=goal, reached=reached, note=note)
        for name, (goal, reached) in goals.items()
    ]


def _new_cache():
    """Return a directory for a moment; a process that reads may still finish its last file in it."""
    return tempfile.TemporaryDirectory(ignore_cleanup_errors=True)


def _one_turn(browser) -> Iterator[tuple[str, float]]:
    with _new_cache() as cache, running_dashboard(cache=cache) as address:
        start = time.perf_counter()
        page = browser.new_page()
        page.goto(address, wait_until="commit")
        settle(page, whole=False)
        yield "first page", time.perf_counter() - start
        settle(page)
        yield "everything", time.perf_counter() - start
        yield "memory", address.peak()
        page.close()
