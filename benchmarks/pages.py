"""How long does a visitor wait for the first page, and for a redraw after choosing something else?"""

import statistics
import tempfile
import time

from playwright.sync_api import Browser, Page

from benchmarks.results import Finding, skipped
from benchmarks.visitor import find_chromium, running_browser, running_dashboard, settle

__all__ = ["measure"]

FIRST_PAGE_GOAL, REDRAW_GOAL = 3.0, 0.300
VIEWPORT = {"width": 1280, "height": 900}
COMPARE = "/compare?task=/demo/age/std.128"
SIZES = ("32", "64", "256", "512", "128")
_SKIPPED = "No Chromium is found on this machine (Debian: apt-get install chromium)."
_FIRST_NOTE = (
    "Median of {rounds} visits by a browser with an empty cache to a dashboard whose archive is cached: from "
    "asking for the address until the script has run and every figure, table and font is drawn."
)
_REDRAW_NOTE = (
    "Medians of choosing other sizes of training sets on the page Compare, {first} sizes that no visitor had "
    "seen and {again} changes back to them; measured inside the browser, from the click to the last change "
    "of the page that follows from it."
)
# The listener notes when the visitor last clicked, the observer when the page last changed. What is inside a
# canvas is no picture but its description, which tables bring up to date a moment after they are drawn.
_WATCH = """() => {
  window.clicked = window.changed = 0;
  document.addEventListener('pointerdown', () => { window.clicked = performance.now(); }, true);
  const isSeen = ({target}) => !(target.nodeType === 1 ? target : target.parentElement)?.closest('canvas');
  const note = (records) => { if (records.some(isSeen)) window.changed = performance.now(); };
  const everything = {subtree: true, childList: true, attributes: true, characterData: true};
  new MutationObserver(note).observe(document.querySelector('[data-testid=stMain]'), everything);
}"""
_QUIET = "() => performance.now() - Math.max(window.changed, window.clicked) > 700"


def measure(*, rounds: int = 7) -> list[Finding]:
    """Visit the shipped archive's dashboard with a real browser."""
    chromium = find_chromium()
    if chromium is None:
        return [skipped("dashboard", _SKIPPED)]
    with (
        tempfile.TemporaryDirectory() as cache,
        running_dashboard(cache=cache) as address,
        running_browser(chromium) as browser,
    ):
        _first_visit(browser, address)
        first = statistics.median(_first_visit(browser, address) for _ in range(rounds))
        new, again = _redraws(browser, address)
    redraw_note = _REDRAW_NOTE.format(first=len(new), again=len(again))
    return [
        _finding("first page complete", first, FIRST_PAGE_GOAL, _FIRST_NOTE.format(rounds=rounds)),
        _finding("redraw after a new choice", statistics.median(new), REDRAW_GOAL, redraw_note),
        _finding("redraw after an earlier choice", statistics.median(again), REDRAW_GOAL, redraw_note),
    ]


def _first_visit(browser: Browser, address: str) -> float:
    context = browser.new_context(viewport=VIEWPORT)
    try:
        page = context.new_page()
        start = time.perf_counter()
        page.goto(address, wait_until="commit")
        settle(page)
        return time.perf_counter() - start
    finally:
        context.close()


def _redraws(browser: Browser, address: str) -> tuple[list[float], list[float]]:
    """Return the seconds of redraws for choices that nobody made before, and for those made once."""
    context = browser.new_context(viewport=VIEWPORT)
    try:
        page = context.new_page()
        page.goto(address + COMPARE)
        settle(page)
        page.evaluate(_WATCH)
        new = [_redraw(page, size) for size in SIZES[:-1]]
        return new, [_redraw(page, size) for size in (*SIZES[-1:], *SIZES, *SIZES)]
    finally:
        context.close()


def _redraw(page: Page, size: str) -> float:
    """Choose a training set size and return the seconds until the page has changed for good."""
    page.get_by_test_id("stButtonGroup").get_by_text(size, exact=True).click()
    page.wait_for_function(_QUIET)
    settle(page)
    return page.evaluate("() => window.changed - window.clicked") / 1000


def _finding(what, taken, goal, note):
    ratio = f"{taken / goal:.0%} of the goal"
    goal_text = f"{goal:g} s" if goal >= 1 else f"{goal * 1e3:.0f} ms"
    measured = f"{taken:.2f} s" if goal >= 1 else f"{taken * 1e3:.0f} ms"
    return Finding(f"dashboard: {what}", measured, "", ratio, goal_text, taken <= goal, note)
