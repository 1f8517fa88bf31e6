"""Every page and each of its tabs, for those who look, from a telephone to a wide screen, and for those who listen:
nothing cut, nothing on nothing else, no serious finding of axe-core that is the dashboard's own."""

import io

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image

from dashboard.server.pages import ADDRESSES
from tests.browser.conftest import (
    TEXTS_IN_THE_WAY,
    TURNED_TEXT,
    WIDER_THAN_WINDOW,
    Visitor,
    address_of,
    served,
)
from tests.scores_files import folds_csv

WIDTHS = (360, 640, 768, 1280, 1920)
"""One between any two widths where styles change, and 640, which a window of 1280 has at a zoom of 200 %."""
WIDTHS_OF_TABS = (360, 1280)
WIDTH_TO_LISTEN = 1280
STREAMLITS_OWN = {
    "list": "the list of pages has a `div` between `ul` and its groups",
    "listitem": "the items of the list of pages are in that `div`",
}
"""Rules of axe-core that Streamlit breaks itself, outside of the pages, and how."""
MOST_STOPS = 30
"""So many stops of the keyboard are enough to get past the list of pages."""
LOOKS, LISTENS = 40, 5
"""How often a page is looked at until it is drawn anew for a width, and axe-core asked until colors are taken."""
DRAWN = """() => [...document.querySelectorAll('.js-plotly-plot')].every(plot => !plot.checkVisibility() ||
  Math.abs(plot._fullLayout.width - plot.getBoundingClientRect().width) < 2)"""
"""Are all figures drawn for the width that they have now?"""
CHECKED = ("serious", "critical")
MAIN = '[data-testid="stMain"]'
OPEN_TAB = '[data-testid="stTabs"] [role="tabpanel"]'


@pytest.fixture(scope="module")
def scores_address(browser, tmp_path_factory):
    """The address of a server with a table of scores."""
    directory = tmp_path_factory.mktemp("scores")
    datasets = tuple(f"{name}-{noise}" for name in ("abalone", "boston", "kin") for noise in ("low", "high"))
    with served(directory, folds_csv(directory / "folds.csv", datasets)) as address:
        yield address


def findings(visitor: Visitor, place: str, *rules: str) -> list[str]:
    """What axe-core finds in a place of the page as it stands, by these of its rules, all by default."""
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    options = {**only, "resultTypes": ["violations"], "preload": False}  # no checked rule reads style sheets
    if not visitor.page.evaluate("() => 'axe' in window"):
        visitor.page.evaluate(Axe().axe_script)
    run = "([place, options]) => axe.run(place, options)"
    violations = visitor.page.evaluate(run, [place, options])["violations"]
    return [
        f"{one['id']}: {node['target']}: {node['failureSummary']}"
        for one in violations
        if (one["impact"] in CHECKED or one["id"] == "heading-order") and one["id"] not in STREAMLITS_OWN
        for node in one["nodes"]
    ]


def in_the_way(visitor: Visitor) -> list[str]:
    """What cannot be read on the page as it stands."""
    asked = f"() => [({WIDER_THAN_WINDOW})(), ({TURNED_TEXT})(), ({TEXTS_IN_THE_WAY})()]"
    wider, turned, texts = visitor.page.evaluate(asked)
    beyond = [f"{wider} pixels are beyond the window"] * (wider > 0)
    return [*beyond, *(f"turned: {text}" for text in turned), *texts]


def check(visitor: Visitor, address: str, place: str) -> None:
    """Go to a page; look at it and at each of its tabs at all widths, and listen to it. The widths follow from the
    one that the window has, as a redrawn page takes longest."""
    page = visitor.page
    visitor.walk(address_of(address, place))
    tabs = page.locator('[data-testid="stTabs"] [role="tab"]')
    for number in range(max(1, tabs.count())):
        if number:
            visitor.after(tabs.nth(number).click)
        shown = f"{place}: {tabs.nth(number).inner_text()}" if tabs.count() else place
        check_view(visitor)
        is_wide = page.viewport_size["width"] > WIDTHS[0]
        for width in sorted(WIDTHS_OF_TABS if number else WIDTHS, reverse=is_wide):
            look(visitor, shown, width)
            if width == WIDTH_TO_LISTEN and number:
                listen(visitor, shown, OPEN_TAB)
            elif width == WIDTH_TO_LISTEN:
                listen(visitor, shown, MAIN, in_the_dark=True)


def check_view(visitor: Visitor) -> None:
    """Nothing has failed, the heading is one, and every figure and table has a text."""
    assert visitor.exceptions() == 0
    visitor.heading()
    shown = visitor.page.locator('[data-testid="stPlotlyChart"], [data-testid="stDataFrame"]')
    for html in shown.evaluate_all("nodes => nodes.map(node => node.parentElement.outerHTML)"):
        assert "aria-label" in html or "aria-describedby" in html


def look(visitor: Visitor, place: str, width: int) -> None:
    visitor.page.set_viewport_size({"width": width, "height": 900})
    for _ in range(LOOKS):
        visitor.page.wait_for_function(DRAWN)
        if not (covering := in_the_way(visitor)):
            break
        visitor.page.wait_for_timeout(150)
    assert covering == [], (place, width)


def listen(visitor: Visitor, place: str, part: str, *, in_the_dark: bool = False) -> None:
    """part: what is listened to, which is all of a page and then what each other tab shows; in_the_dark: in the
    dark theme too, where colors alone differ, and all tabs have those of the page."""
    for scheme, rules in [("dark", ["color-contrast"])] * in_the_dark + [("light", [])]:
        visitor.page.emulate_media(color_scheme=scheme)
        for _ in range(LISTENS):
            if not (violations := findings(visitor, part, *rules)):
                break
            visitor.page.wait_for_timeout(350)  # page.js looks a third of a second after the last change
        assert violations == [], (place, scheme)


def test_the_pages_of_an_archive_can_be_seen_and_heard(visit, full_address):
    visitor = visit()
    visitor.open(full_address)
    listen(visitor, "the list of pages", "html", in_the_dark=True)
    for place in [*ADDRESSES, "datasets?dataset=demo", "methods?method=one"]:
        check(visitor, full_address, place)


def test_the_pages_of_scores_can_be_seen_and_heard(visit, scores_address):
    visitor = visit()
    visitor.open(scores_address)
    for place in ("compare", "ranking", "tables"):
        check(visitor, scores_address, place)


def test_the_page_of_task_arrays_can_be_seen_and_heard_and_printed(visit, array_address):
    visitor = visit()
    visitor.open(array_address)
    check(visitor, array_address.removesuffix("/task_arrays"), "task_arrays")
    check_on_paper(visitor, array_address)
    check_on_a_telephone(visitor, array_address)


def test_grids_of_a_dark_page_are_printed_on_light_ground(visit, full_address):
    visitor = visit("dark")
    visitor.open(f"{full_address}/datasets")
    grid = visitor.page.locator('[data-testid="stDataFrame"]').first
    visitor.page.emulate_media(media="print", color_scheme="dark")
    assert grid.evaluate("one => getComputedStyle(one).filter").startswith("invert(1)")
    picture = Image.open(io.BytesIO(grid.screenshot())).convert("L")
    assert picture.histogram().index(max(picture.histogram())) > 200
    visitor.page.emulate_media(media="screen")


def check_on_paper(visitor: Visitor, address: str) -> None:
    """Paper has the answer, figures and captions alone."""
    visitor.page.set_viewport_size({"width": 1280, "height": 900})
    visitor.walk(address)
    visitor.page.emulate_media(media="print")
    shown = [
        '[data-testid="stMain"] h1',
        ".stPlotlyChart",
        '[data-testid="stMain"] [data-testid="stCaptionContainer"]',
    ]
    assert [visitor.page.locator(name).first.is_visible() for name in shown] == [True] * 3
    gone = [
        '[data-testid="stSidebar"]',
        '[data-testid="stMain"] button:visible',
        ".dot-list:visible",
        '[role="tablist"]',
    ]
    assert [visitor.page.locator(name).is_visible() for name in gone] == [False] * 4
    # Of a skip link a transform would be undone by the printer; what is printed has the width of a sheet.
    assert not visitor.page.locator(".skip-link").is_visible()
    visitor.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    widths = visitor.page.locator(".main-svg").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().width)"
    )
    assert 0 < max(widths) <= 701
    visitor.page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert visitor.page.locator('[style*="zoom"]').count() == 0
    visitor.page.emulate_media(media="screen")


def check_on_a_telephone(visitor: Visitor, address: str) -> None:
    """A telephone reads all of an array without moving it sideways."""
    visitor.page.set_viewport_size({"width": 360, "height": 900})
    for tab in ("Curves", "Winners", "Differences", "What drives it", "Cost"):
        visitor.walk(f"{address}?array-part={tab}")
        hidden = '.stPlotlyChart:visible, [class*="st-key-marks-"]:visible'
        assert visitor.page.locator(hidden).count() == 0, tab
        ends = "lists => lists.map(list => list.getBoundingClientRect().right)"
        boxes = visitor.page.locator(".dot-list:visible span").evaluate_all(ends)
        assert 0 < max(boxes, default=0) <= 360, tab


def test_the_keyboard_gets_past_the_list_of_pages_and_its_place_is_seen(visit, full_address):
    visitor = visit()
    visitor.open(full_address)
    page = visitor.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the page"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "H1"
    page.keyboard.press("Tab")
    style = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(f"[document.activeElement.tagName, {style}]") == ["BUTTON", "solid"]


def test_nothing_moves_for_those_who_do_not_want_it(visit, full_address):
    visitor = visit()
    visitor.page.emulate_media(reduced_motion="reduce")
    visitor.open(full_address)
    longest = visitor.page.evaluate(
        """() => Math.max(...[...document.querySelectorAll('body *')].flatMap(element => {
          const style = getComputedStyle(element);
          return [style.transitionDuration, style.animationDuration].flatMap(text => text.split(',').map(parseFloat));
        }))"""
    )
    visitor.page.emulate_media(reduced_motion="no-preference")
    assert longest <= 0.001  # seconds


def test_the_keyboard_starts_on_the_chosen_option(visit, full_address):
    visitor = visit()
    visitor.open(f"{full_address}/ranking?level=0.99")
    page = visitor.page
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('[role=radiogroup]') !== null"):
            break
    said = "document.activeElement.textContent.replaceAll('\\u00a0', ' ')"
    assert page.evaluate(said) == "99 %"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(said) == "95 %"
