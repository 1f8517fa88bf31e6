"""How long does a visitor wait for the first page, and for a redraw after choosing something else?"""

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from playwright.sync_api import Browser, Page

from benchmarks.results import Finding, skipped
from benchmarks.visitor import find_chromium, running_browser, running_dashboard, settle

FIRST_PAGE_GOAL, REDRAW_GOAL = 3.0, 0.300
VIEWPORT = {"width": 1280, "height": 900}
COMPARE = "/compare?task=/demo/age/std.128"


class Selector(NamedTuple):
    """What a visitor changes: choices on the page at an address, in the list of this name or in a row."""

    place: str
    choices: tuple[str, ...]
    drawn_as: str = ""


SELECTORS = {
    "training cases on Compare": Selector(COMPARE, ("32", "64", "256", "512")),
    "unit on Compare": Selector(COMPARE, ("Raw", "Standardized")),
    "reference on Compare": Selector(COMPARE, ("knn-cv-1", "lin-1", "gp-1"), "Reference"),
    "loss on Methods": Selector("/methods", ("Absolute error (A)", "Squared error (S)")),
    "attribute on Datasets": Selector("/datasets?dataset=demo", ("SIBLINGS", "INCOME", "AGE"), "Attribute"),
}
_SKIPPED = "No Chromium is found on this machine (Debian: apt-get install chromium)."
_FIRST_NOTE = (
    "Median of {rounds} visits by a browser with an empty cache to a dashboard whose archive is cached: from "
    "asking for the address until the script has run and every figure, table and font is drawn."
)
_REDRAW_NOTE = (
    "Medians inside the browser, from the click on another choice to the last visible change of the page "
    "that follows from it: {rounds} changes to choices made before, beside them the first change to each."
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
        redraws = {name: _redraws(browser, address, what, rounds) for name, what in SELECTORS.items()}
    return [_first_page(first, rounds), *(_redraw_finding(name, *taken) for name, taken in redraws.items())]


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


def _redraws(
    browser: Browser, address: str, selector: Selector, rounds: int
) -> tuple[list[float], list[float]]:
    """Return the seconds of redraws for choices that nobody made before, and for those made once."""
    context = browser.new_context(viewport=VIEWPORT)
    try:
        page = context.new_page()
        page.goto(address + selector.place)
        settle(page)
        watch(page)
        choices = selector.choices
        new = [_redraw(page, selector, choice) for choice in choices]
        return new, [_redraw(page, selector, choices[number % len(choices)]) for number in range(rounds)]
    finally:
        context.close()


def _redraw(page: Page, selector: Selector, choice: str) -> float:
    if not selector.drawn_as:
        return watched(page, page.get_by_test_id("stButtonGroup").get_by_text(choice, exact=True).click)
    page.get_by_role("combobox", name=selector.drawn_as).click()
    option = page.get_by_role("option", name=choice, exact=True)
    option.wait_for()
    return watched(page, option.click)


def watch(page: Page) -> None:
    """Have a page note from now on when the visitor clicked and when it last changed."""
    page.evaluate(_WATCH)


def watched(page: Page, click: Callable[[], None]) -> float:
    """Click something on a page under watch; return the seconds until it has changed for good."""
    click()
    page.wait_for_function(_QUIET)
    settle(page)
    return page.evaluate("() => window.changed - window.clicked") / 1000


def _first_page(taken: float, rounds: int) -> Finding:
    note = _FIRST_NOTE.format(rounds=rounds)
    goal = f"{FIRST_PAGE_GOAL:g} s"
    return Finding("first page complete", f"{taken:.2f} s", "", "", goal, taken <= FIRST_PAGE_GOAL, note)


def _redraw_finding(name: str, new: Sequence[float], again: Sequence[float]) -> Finding:
    taken, first = statistics.median(again), statistics.median(new)
    measured, beside = f"{taken * 1e3:.0f} ms", f"the first time {first * 1e3:.0f} ms"
    note = _REDRAW_NOTE.format(rounds=len(again))
    goal = f"{REDRAW_GOAL * 1e3:.0f} ms"
    return Finding(f"redraw: {name}", measured, beside, "", goal, taken <= REDRAW_GOAL, note)
