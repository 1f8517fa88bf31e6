"""How long do pages take, and how much memory, with as many results as benchmarks have?"""

import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.made_scores import write_many_results, write_scores
from benchmarks.results import Finding
from benchmarks.timing import run_command

__all__ = ["measure", "visit"]

FIRST_GOAL, AGAIN_GOAL, MEMORY_GOAL = 3.0, 0.5, 2000
"""Seconds until a page is computed that nobody has seen, and again with another choice; megabytes."""
SIZES = {"1,000 x 1,000": (1000, 1000), "1,000 x 100": (1000, 100), "10,000 x 30": (10_000, 30)}
PAGES = ("archive", "datasets", "methods", "compare", "ranking", "tables", "add_data", "problems")
CHANGED = {"level": "0.99"}
_APP = Path(__file__).resolve().parents[1] / "dashboard" / "app.py"
_NOTE = (
    "The scripts of all pages run in one process without a browser, after the archive was opened from its "
    "cache, each at its first address: the slowest page the first time, the slowest when it runs again, the "
    "slowest at another confidence, and the largest resident memory after all."
)


def measure(*, most_results: int = 1_000_000) -> list[Finding]:
    """Visit the pages with tables of scores, and with a delve directory of the middle size."""
    found = []
    with tempfile.TemporaryDirectory() as parent:
        for name, (tasks, methods) in SIZES.items():
            if tasks * methods <= most_results:
                path = os.path.join(parent, f"scores-{tasks}-{methods}.csv")
                write_scores(path, tasks=tasks, methods=methods)
                found += _findings(f"{name} scores", path, parent)
        tasks, methods = SIZES["1,000 x 100"]
        if tasks * methods <= most_results:
            root = os.path.join(parent, "delve-made")
            write_many_results(root, tasks=tasks, methods=methods)
            found += _findings("1,000 x 100 results of DELVE", root, parent)
    return found


def _findings(name: str, path: str, cache: str) -> list[Finding]:
    """Open a path twice, the second time from the cache, and visit the pages."""
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    command = [sys.executable, "-m", "benchmarks.scale", path]
    run_command([*command, "--open"], env=environment)
    taken = json.loads(run_command(command, env=environment).splitlines()[-1])
    findings = []
    for what, goal in (("first", FIRST_GOAL), ("again", AGAIN_GOAL), ("changed", AGAIN_GOAL)):
        page = max(taken[what], key=taken[what].__getitem__)
        seconds = taken[what][page]
        shown = f"{seconds:.2f} s ({page})"
        findings.append(_finding(f"{name}: slowest page, {what}", shown, f"{goal:g} s", seconds <= goal))
    most = taken["megabytes"]
    findings.append(_finding(f"{name}: memory", f"{most:.0f} MB", f"{MEMORY_GOAL:,} MB", most <= MEMORY_GOAL))
    return findings


def _finding(what: str, measured: str, goal: str, reached: bool) -> Finding:
    return Finding(what, measured, goal=goal, reached=reached, note=_NOTE)


def visit(path: str, pages: tuple[str, ...]) -> dict[str, object]:
    """Return the seconds of each page, by what was asked for, and the most memory in megabytes."""
    from streamlit.testing.v1 import AppTest

    from dashboard.server import archive as opened

    opened.choose_paths([path])
    opened.rely_on_watch(True)
    while opened.open_archive(patience=5.0).opening is not None:
        pass
    taken: dict[str, dict[str, float]] = {"first": {}, "again": {}, "changed": {}}
    for page in pages:
        app = AppTest.from_file(str(_APP), default_timeout=600)
        if page != pages[0]:
            app.run()
            app.switch_page(f"{page}/page.py")
        for what, parameters in (("first", {}), ("again", {}), ("changed", CHANGED)):
            for key, value in parameters.items():
                app.query_params[key] = value
            start = time.perf_counter()
            app.run()
            taken[what][page] = time.perf_counter() - start
    unit = 1 if sys.platform == "darwin" else 1024
    return {**taken, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6}


def _imported(directory: str) -> None:
    """Visit the pages with a small table, so that all that a server has imported is imported here."""
    path = os.path.join(directory, "few.csv")
    write_scores(path, tasks=4, methods=3)
    visit(path, PAGES)


if __name__ == "__main__":
    if "--open" in sys.argv:
        visit(sys.argv[1], ())
    else:
        _imported(os.environ["XDG_CACHE_HOME"])
        print(json.dumps(visit(sys.argv[1], PAGES)))
