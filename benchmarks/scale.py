"""How long do pages take, and how much memory, with as many results as benchmarks have?"""

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.made_scores import FOLDS, write_folds, write_many_results, write_scores
from benchmarks.results import Finding
from benchmarks.timing import run_command

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest


FIRST_GOAL, AGAIN_GOAL, MEMORY_GOAL, SENT_GOAL = 3.0, 0.5, 2000, 2.0
"""Seconds until a page is computed that nobody has seen, and again with another choice; megabytes of memory,
and of what a browser is sent."""
SIZES = {"1,000 x 1,000": (1000, 1000), "1,000 x 100": (1000, 100), "10,000 x 30": (10_000, 30)}
PAGES = ("leaderboard", "datasets", "methods", "compare", "ranking", "tables", "add_data", "file_check")
PAUSE = 0.2
"""Seconds between two looks at what is read of an archive."""
CHANGED = {"level": "0.99"}
PARTS: dict[str, Sequence[Mapping[str, str]]] = {
    "leaderboard": ({"archive-part": "Mean ranks"},),
    "methods": tuple({"method": "@method", "method-part": part} for part in ("Where it wins", "Losses")),
    "compare": tuple({"compare-part": part} for part in ("Losses in numbers", "All pairs", "The best")),
    "ranking": (
        *({"test": test} for test in ("Wilcoxon", "Bonferroni-Dunn")),
        {"drawn": "best 60"},
        {"ranking-part": "One pair"},
        {"ranking-part": "Robustness"},
        {"more": "true"},
        {"more": "true", "question": "strengths"},
    ),
    "tables": (*({"format": form} for form in ("html", "csv", "parquet")), {"most": "all"}),
}
"""What else is opened on a page: tabs and choices; @method stands for a method."""
_APP = Path(__file__).resolve().parents[1] / "dashboard" / "app.py"
_NOTE = (
    "The scripts of all pages run in one process without a browser, after the archive was opened from its "
    "cache, each at its first address. Shown is the slowest page of each kind of run: the first time, again, "
    "at another confidence, and with another tab or choice the first time. Sent is the most that a browser "
    "gets, memory the largest resident after all. Downloads are made when they are asked for."
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
            path = os.path.join(parent, f"folds-{tasks}-{methods}.csv")
            write_folds(path, many=tasks, methods=methods)
            found += _findings(f"1,000 x 100 scores of {FOLDS} folds", path, parent)
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
    goals = (("first", FIRST_GOAL), ("again", AGAIN_GOAL), ("changed", AGAIN_GOAL), ("part", FIRST_GOAL))
    for what, goal in goals:
        page = max(taken[what], key=taken[what].__getitem__)
        seconds, processor = taken[what][page], taken["processor"][f"{page} {what}"]
        shown = f"{seconds:.2f} s, {processor:.2f} s of the processor ({page})"
        findings.append(_finding(f"{name}: slowest page, {what}", shown, f"{goal:g} s", seconds <= goal))
    place = max(taken["sent"], key=taken["sent"].__getitem__)
    sent = taken["sent"][place] / 1e6
    shown, goal_sent = f"{sent:.2f} MB ({place})", f"{SENT_GOAL:g} MB"
    findings.append(_finding(f"{name}: most sent", shown, goal_sent, sent <= SENT_GOAL))
    most = taken["megabytes"]
    findings.append(_finding(f"{name}: memory", f"{most:.0f} MB", f"{MEMORY_GOAL:,} MB", most <= MEMORY_GOAL))
    return findings


def _finding(what: str, measured: str, goal: str, reached: bool) -> Finding:
    return Finding(what, measured, goal=goal, reached=reached, note=_NOTE)


def visit(
    path: str, pages: tuple[str, ...], parts: Mapping[str, Sequence[Mapping[str, str]]] | None = None
) -> dict[str, object]:
    """Return the seconds of each page, by what was asked for, of the clock and of the processor; the bytes
    that were sent, and the most memory in megabytes."""
    from dashboard.server import archive as opened

    opened.choose_paths([path])
    opened.rely_on_watch(True)
    while (found := opened.open_archive(patience=5.0)).opening is not None:
        time.sleep(PAUSE)
    taken: dict[str, dict[str, float]] = {
        "first": {},
        "again": {},
        "changed": {},
        "part": {},
        "processor": {},
    }
    sent: dict[str, int] = {}

    def run(app: "AppTest", what: str, name: str, parameters: Mapping[str, str]) -> None:
        times, sent[name] = _run(app, parameters)
        taken[what][name], taken["processor"][f"{name} {what}"] = times

    for page in pages:
        app = _page(page)
        for what, parameters in (("first", {}), ("again", {}), ("changed", CHANGED)):
            run(app, what, page, parameters)
        for asked in (parts or {}).get(page, ()):
            method = opened.choices(found.archive).methods[0]
            chosen = {key: value.replace("@method", method) for key, value in asked.items()}
            run(_page(page), "part", f"{page}: {', '.join(chosen.values())}", chosen)
    unit = 1 if sys.platform == "darwin" else 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
    return {**taken, "sent": sent, "megabytes": most}


def _page(name: str) -> "AppTest":
    """Return the dashboard with a page chosen that was not run yet."""
    from streamlit.testing.v1 import AppTest
    from streamlit.util import calc_hash

    app = AppTest.from_file(str(_APP), default_timeout=600)
    if name != PAGES[0]:
        app.run()
        app._page_hash = calc_hash(name)  # switch_page knows pages that are files only
    return app


def _run(app: "AppTest", parameters: Mapping[str, str]) -> tuple[tuple[float, float], int]:
    """Run a page; return its seconds, of the clock and of the processor, and the bytes of its elements."""
    for key, value in parameters.items():
        app.query_params[key] = value
    start, processor = time.perf_counter(), time.process_time()
    app.run()
    seconds = time.perf_counter() - start, time.process_time() - processor
    return seconds, sum(one.proto.ByteSize() for one in app.main if getattr(one, "proto", None))


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
        print(json.dumps(visit(sys.argv[1], PAGES, PARTS)))
