"""A dashboard in a process of its own, a real browser that visits it, and the time of a first start."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.support import Finding, skipped

# Dashboard and browser


_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-quic", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--hide-scrollbars"),
)
_VISITOR_PATIENCE = 180_000
_FINISHED = "[data-testid=stApp][data-test-script-state=notRunning]"
_WHOLE = "() => !document.querySelector('.st-key-opening')"
_DRAWN = """() => {
  const folded = (element) => element.closest('details:not([open])');
  const all = (what) => [...document.querySelectorAll(what)].filter((element) => !folded(element));
  const waiting = all('[data-testid=stSkeleton], [data-testid=stAppSkeleton], [data-stale=true]');
  const empty = all('[data-testid=stPlotlyChart]').filter((chart) => !chart.querySelector('.main-svg'));
  const blank = all('[data-testid=stDataFrame]').filter((table) => !table.querySelector('canvas'));
  return waiting.length + empty.length + blank.length === 0 && document.fonts.status === 'loaded';
}"""


def find_chromium() -> str | None:
    """Return the path of a Chromium on this machine, or None."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


class Dashboard(str):
    """The address of a dashboard. pid: of its process."""

    pid: int

    def peak(self) -> float:
        """The most memory that its process has had so far, in megabytes. Linux alone tells."""
        with open(f"/proc/{self.pid}/status") as status:
            lines = dict(line.split(":", 1) for line in status)
        return int(lines["VmHWM"].split()[0]) * 1024 / 1e6


@contextlib.contextmanager
def running_dashboard(paths: Sequence[str] = (), *, cache: str | None = None) -> Iterator[Dashboard]:
    """Serve the dashboard of these delve directories (none: the shipped archive) and yield its address.

    cache: a directory for the archive's cache instead of the user's. Raises OSError if it does not start.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, "-m", "delvecore.cli.delve", "dashboard", "--no-browser", "--port", port]
    environment = {name: value for name, value in os.environ.items() if name != "DELVE_PATH"}
    if cache:
        environment["XDG_CACHE_HOME"] = cache
    server = subprocess.Popen([*command, *paths], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        address = Dashboard(_address(server))
        address.pid = server.pid
        yield address
    finally:
        server.terminate()
        server.wait()


def _address(server):
    """Wait for the line in which the dashboard says where it is; a silent one is ended after a minute."""
    alarm = threading.Timer(_VISITOR_PATIENCE / 1000, server.kill)
    alarm.start()
    try:
        for line in server.stdout:
            for word in line.split():
                if word.startswith("http://"):
                    return word
    finally:
        alarm.cancel()
    raise OSError("the dashboard did not start")


@contextlib.contextmanager
def running_browser(chromium: str) -> Iterator[Browser]:
    """Start Chromium without a window and yield it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def settle(page: Page, *, whole: bool = True) -> None:
    """Wait until the script has run and everything on the page is drawn. whole: of an archive that is still
    being read all, not only what is there."""
    if whole:
        page.wait_for_selector(_FINISHED, timeout=_VISITOR_PATIENCE)
        page.wait_for_function(_WHOLE, timeout=_VISITOR_PATIENCE)
    page.wait_for_selector(_FINISHED, timeout=_VISITOR_PATIENCE)
    page.wait_for_function(_DRAWN, timeout=_VISITOR_PATIENCE)


# First start


BARE = """import plotly.graph_objects as go
import streamlit as st

st.title("A bare page")
st.plotly_chart(go.Figure(go.Bar(x=list("abc"), y=[1, 2, 3])))
"""
WHOLE_GOAL, WARM_GOAL, MEMORY_GOAL = 5.0, 2.0, 600
"""Seconds of the landing page with nothing cached; its ratio to the bare page with everything cached; MB."""
COMPARED = "compare?task=/demo/age/std.128"
_DATA, _FIRST_START_PATIENCE = "[data-testid=stPlotlyChart] .main-svg", 180.0
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


def measure_first_start(*, rounds: int = 3) -> list[Finding]:
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
    best = {name: Turn(*map(min, zip(*match, strict=True))) for name, match in turns.items()}
    return _findings(best, _NOTE.format(rounds=rounds, load=os.getloadavg()[0]))


def _findings(best: dict[str, Turn], note: str) -> list[Finding]:
    bare, findings = best["bare"], []
    goals = {
        "cold": (f"{WHOLE_GOAL:.0f} s", best["cold"].whole <= WHOLE_GOAL),
        "warm": (f"{WARM_GOAL:.0f}x", best["warm"].whole <= WARM_GOAL * bare.whole),
    }
    for name, words in (("cold", "empty cache"), ("warm", "cached")):
        turn, (goal, reached) = best[name], goals[name]
        findings += [
            _beside(f"start, {words}: server answers", turn.answered, bare.answered, note),
            _beside(f"start, {words}: landing page whole", turn.whole, bare.whole, note, goal, reached),
            _beside(f"start, {words}: processor until then", turn.processor, bare.processor, note),
            Finding(f"start, {words}: then Compare of a task", f"{turn.compared:.1f} s", note=note),
        ]
    peak = max(best["cold"].megabytes, best["warm"].megabytes)
    memory = (f"{peak:.0f} MB", f"{MEMORY_GOAL} MB", peak <= MEMORY_GOAL)
    findings.append(Finding("start: memory", memory[0], goal=memory[1], reached=memory[2], note=note))
    return findings


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
        page.wait_for_selector(_DATA, timeout=_FIRST_START_PATIENCE * 1000)
        settle(page)
        whole, processor, compared = time.perf_counter() - start, processor_seconds(pid), 0.0
        if then:
            start = time.perf_counter()
            page.goto(address + then, wait_until="commit")
            page.wait_for_selector(_DATA, timeout=_FIRST_START_PATIENCE * 1000)
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
    last = time.perf_counter() + _FIRST_START_PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            if time.perf_counter() > last:
                raise
            time.sleep(0.02)


def processor_seconds(pid: int) -> float:
    """Return the seconds of the processor that a running process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak(pid: int) -> float:
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) * 1024 / 1e6
