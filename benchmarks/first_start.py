"""How long does a visitor wait from the command to the whole landing page, beside a bare Streamlit page?

Each start is of a process of its own, with byte code kept as Python keeps it: the first round compiles and
does not count. Turns alternate, and minima are shown, so that others at work matter little."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.results import Finding, skipped
from benchmarks.visitor import find_chromium, running_browser, settle

BARE = """import plotly.graph_objects as go
import streamlit as st

st.title("A bare page")
st.plotly_chart(go.Figure(go.Bar(x=list("abc"), y=[1, 2, 3])))
"""
WHOLE_GOAL, WARM_GOAL, MEMORY_GOAL = 5.0, 2.0, 600
"""Seconds of the landing page with nothing cached; its ratio to the bare page with everything cached; MB."""
COMPARED = "compare?task=/demo/age/std.128"
_DATA, _PATIENCE = "[data-testid=stPlotlyChart] .main-svg", 180.0
_SKIPPED = "No Chromium is found on this machine (Debian: apt-get install chromium)."
_NOTE = (
    "Minima of {rounds} turns: a dashboard of the shipped archive with an empty cache, the same again with "
    "the cache of that start, and a Streamlit page with a title and a figure. Seconds run from the start of "
    "the process until a real browser has drawn the page. Processor: of the server alone, until then. Load "
    "average at the end {load:.1f}."
)


class Turn(NamedTuple):
    """One start. answered: seconds until the server answers; whole: until the page is drawn; processor: of
    the server until then; compared: seconds of Compare afterwards; megabytes: the most of the server."""

    answered: float
    whole: float
    processor: float
    compared: float
    megabytes: float


def measure(*, rounds: int = 3) -> list[Finding]:
    """Start both in turns, each in a new process."""
    chromium = find_chromium()
    if chromium is None:
        return [skipped("first start", _SKIPPED)]
    turns: dict[str, list[Turn]] = {"bare": [], "cold": [], "warm": []}
    with running_browser(chromium) as browser, tempfile.TemporaryDirectory() as scratch:
        app = Path(scratch, "bare_page.py")
        app.write_text(BARE, encoding="utf-8")
        bare = ["-m", "streamlit", "run", str(app), "--server.headless", "true", "--server.port"]
        ours = ["-m", "delvecore.cli.delve", "dashboard", "--no-browser", "--port"]
        for number in range(rounds + 1):
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
                of_round = {
                    "bare": _turn(browser, bare, scratch, cache),
                    "cold": _turn(browser, ours, scratch, cache, COMPARED),
                    "warm": _turn(browser, ours, scratch, cache, COMPARED),
                }
            for name, turn in of_round.items() if number else ():
                turns[name].append(turn)
    best = {name: Turn(*map(min, zip(*found, strict=True))) for name, found in turns.items()}
    return _findings(best, _NOTE.format(rounds=rounds, load=os.getloadavg()[0]))


def _findings(best: dict[str, Turn], note: str) -> list[Finding]:
    bare, found = best["bare"], []
    goals = {
        "cold": (f"{WHOLE_GOAL:.0f} s", best["cold"].whole <= WHOLE_GOAL),
        "warm": (f"{WARM_GOAL:.0f}x", best["warm"].whole <= WARM_GOAL * bare.whole),
    }
    for name, words in (("cold", "empty cache"), ("warm", "cached")):
        turn, (goal, reached) = best[name], goals[name]
        found += [
            _beside(f"start, {words}: server answers", turn.answered, bare.answered, note),
            _beside(f"start, {words}: landing page whole", turn.whole, bare.whole, note, goal, reached),
            _beside(f"start, {words}: processor until then", turn.processor, bare.processor, note),
            Finding(f"start, {words}: then Compare of a task", f"{turn.compared:.1f} s", note=note),
        ]
    peak = max(best["cold"].megabytes, best["warm"].megabytes)
    memory = (f"{peak:.0f} MB", f"{MEMORY_GOAL} MB", peak <= MEMORY_GOAL)
    found.append(Finding("start: memory", memory[0], goal=memory[1], reached=memory[2], note=note))
    return found


def _beside(
    name: str, ours: float, bare: float, note: str, goal: str = "", reached: bool | None = None
) -> Finding:
    ratio = f"{ours / bare:.1f}x as long"
    return Finding(name, f"{ours:.1f} s", f"bare page {bare:.1f} s", ratio, goal, reached, note)


def _turn(browser, words: Sequence[str], scratch: str, cache: str, then: str = "") -> Turn:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    left_out = ("DELVE_PATH", "PYTHONDONTWRITEBYTECODE")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    environment |= {"XDG_CACHE_HOME": cache, "PYTHONPYCACHEPREFIX": os.path.join(scratch, "bytecode")}
    environment["STREAMLIT_BROWSER_GATHER_USAGE_STATS"] = "false"
    start = time.perf_counter()
    with _running([sys.executable, *words, port], environment) as pid:
        address = f"http://127.0.0.1:{port}/"
        _wait_for(address)
        answered = time.perf_counter() - start
        page = browser.new_page()
        page.goto(address, wait_until="commit")
        page.wait_for_selector(_DATA, timeout=_PATIENCE * 1000)
        settle(page)
        whole, processor, compared = time.perf_counter() - start, _processor_seconds(pid), 0.0
        if then:
            start = time.perf_counter()
            page.goto(address + then, wait_until="commit")
            page.wait_for_selector(_DATA, timeout=_PATIENCE * 1000)
            settle(page)
            compared = time.perf_counter() - start
        page.close()
        return Turn(answered, whole, processor, compared, _peak(pid))


@contextlib.contextmanager
def _running(command: Sequence[str], environment: dict[str, str]) -> Iterator[int]:
    nowhere = subprocess.DEVNULL
    server = subprocess.Popen(command, env=environment, stdin=nowhere, stdout=nowhere, stderr=nowhere)
    try:
        yield server.pid
    finally:
        server.terminate()
        server.wait()


def _wait_for(address: str) -> None:
    """Wait until a server answers. Raises OSError after a while."""
    last = time.perf_counter() + _PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            if time.perf_counter() > last:
                raise
            time.sleep(0.02)


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak(pid: int) -> float:
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) * 1024 / 1e6
