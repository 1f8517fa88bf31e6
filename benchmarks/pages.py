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
_SKIPPED = "No Chromium is found on this machine (Debian: apt-get install chromium)."
_FIRST_NOTE = (
    "Median of {rounds} visits by a browser with an empty cache to a dashboard whose archive is cached: from "
    "asking for the address until the script has run and every figure, table and font is drawn."
)
_REDRAW_NOTE = (
    "Median of {rounds} changes of the loss on the page Compare, measured inside the browser: from the click "
    "on the new choice to the last change of the page that follows from it."
)
# The observer notes when the page last changed; the listener notes when the visitor last clicked.
_WATCH = """() => {
  window.clicked = window.changed = 0;
  document.addEventListener('pointerdown', () => { window.clicked = performance.now(); }, true);
  const note = () => { window.changed = performance.now(); };
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
        redraw = statistics.median(_redraws(browser, address, rounds))
    return [
        _finding("first page complete", first, FIRST_PAGE_GOAL, _FIRST_NOTE.format(rounds=rounds)),
        _finding("redraw after another choice", redraw, REDRAW_GOAL, _REDRAW_NOTE.format(rounds=rounds)),
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


def _redraws(browser: Browser, address: str, rounds: int) -> list[float]:
    page = browser.new_context(viewport=VIEWPORT).new_page()
    page.goto(address + COMPARE)
    settle(page)
    page.evaluate(_WATCH)
    taken = [_redraw(page, number) for number in range(rounds + 2)]
    return taken[2:]  # every choice was drawn once before it is measured


def _redraw(page: Page, number: int) -> float:
    """Choose the other of two losses and return the seconds until the page has changed for good."""
    page.get_by_role("radiogroup", name="Loss").get_by_role("radio").nth(number % 2).click()
    page.wait_for_function(_QUIET)
    settle(page)
    return page.evaluate("() => window.changed - window.clicked") / 1000


def _finding(what, taken, goal, note):
    ratio = f"{taken / goal:.0%} of the goal"
    goal_text = f"{goal:g} s" if goal >= 1 else f"{goal * 1e3:.0f} ms"
    measured = f"{taken:.2f} s" if goal >= 1 else f"{taken * 1e3:.0f} ms"
    return Finding(f"dashboard: {what}", measured, "", ratio, goal_text, taken <= goal, note)
