"""How long does a visitor of the page Task-arrays wait: for its pictures, and for those after a choice?"""

import statistics
import tempfile
import time
from collections.abc import Callable

from playwright.sync_api import Browser, Page

from benchmarks.made_array import write_array
from benchmarks.pages import VIEWPORT, watch, watched
from benchmarks.results import Finding, skipped
from benchmarks.visitor import find_chromium, running_browser, running_dashboard, settle

METHODS, MANY_METHODS = 10, 30
"""There are goals for the first number; the second is measured too."""
DRAWN_GOAL, CHANGE_GOAL = 1.0, 0.300
TABS = ("Curves", "Winners", "Differences", "What drives it", "Cost")
TEXTS = ("Logarithmic", "Linear")
_SKIPPED = "No Chromium is found on this machine (Debian: apt-get install chromium)."
_DRAWN_NOTE = (
    "Median of {rounds} visits that come from another page, inside the browser, from the click in the "
    "navigation to the last visible change of the page: an array of 40 tasks whose archive is cached."
)
_CHANGE_NOTE = (
    "Medians of {rounds} changes on the same page, each to what was shown once before, from the click to "
    "the last visible change; a method taken out of the legend, and in again."
)


def measure(*, rounds: int = 7) -> list[Finding]:
    """Visit the page with ten methods, then with thirty."""
    chromium = find_chromium()
    if chromium is None:
        return [skipped("page Task-arrays", _SKIPPED)]
    with running_browser(chromium) as browser:
        return [found for methods in (METHODS, MANY_METHODS) for found in _measure(browser, methods, rounds)]


def _measure(browser: Browser, methods: int, rounds: int) -> list[Finding]:
    with tempfile.TemporaryDirectory() as directory:
        root = write_array(directory, methods=methods)
        with running_dashboard([root], cache=directory) as address:
            context = browser.new_context(viewport=VIEWPORT)
            page = context.new_page()
            page.goto(f"{address}/task_arrays")
            page.wait_for_selector(".js-plotly-plot .main-svg", timeout=120_000)
            settle(page)
            watch(page)
            drawn = _medians(rounds, {"Curves": lambda: _visit(page)})
            changes = _medians(rounds, _changes(page))
            context.close()
    return [
        *(_finding(what, methods, taken, DRAWN_GOAL, _DRAWN_NOTE, rounds) for what, taken in drawn.items()),
        *(
            _finding(what, methods, taken, CHANGE_GOAL, _CHANGE_NOTE, rounds)
            for what, taken in changes.items()
        ),
    ]


def _medians(rounds: int, ways: dict[str, Callable[[], float]]) -> dict[str, float]:
    """Return the median seconds of each way, after a first time that fills the caches."""
    taken: dict[str, float] = {}
    for what, way in ways.items():
        way()
        way()
        taken[what] = statistics.median(way() for _ in range(rounds))
    return taken


def _visit(page: Page) -> float:
    """Leave the page and come back by the navigation."""
    links = page.get_by_test_id("stSidebarNavLink")
    links.filter(has_text="File check").click()
    page.get_by_role("heading", name="What is wrong with these files?").wait_for()
    settle(page)
    time.sleep(0.3)
    return watched(page, links.filter(has_text="Task-arrays").click)


def _changes(page: Page) -> dict[str, Callable[[], float]]:
    """Return what a visitor changes, each as a function that does it once and returns the seconds."""
    state = {"scale": 0, "tab": 0}

    def scale() -> float:
        state["scale"] += 1
        return watched(page, page.get_by_text(TEXTS[state["scale"] % 2 - 1], exact=True).click)

    def method() -> float:
        return watched(page, page.locator(".st-key-array-legend [role=toolbar] button").nth(1).click)

    def tab() -> float:
        state["tab"] = state["tab"] % (len(TABS) - 1) + 1
        return watched(page, page.get_by_role("tab", name=TABS[state["tab"]]).click)

    return {"scale": scale, "method in or out": method, "tab": tab}


def _finding(what: str, methods: int, taken: float, goal: float, note: str, rounds: int) -> Finding:
    kind = "drawn" if goal == DRAWN_GOAL else "changed"
    aimed = methods == METHODS
    return Finding(
        f"Task-arrays, 40 tasks x {methods} methods {kind}: {what}",
        f"{taken * 1e3:.0f} ms",
        goal=f"{goal * 1e3:.0f} ms" if aimed else "",
        reached=taken <= goal if aimed else None,
        note=note.format(rounds=rounds),
    )
