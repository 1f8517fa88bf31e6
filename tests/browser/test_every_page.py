"""Every page in the navigation, empty and full, dark and narrow; test_eye_and_ear.py opens them light and wide."""

from dashboard.server.pages import ADDRESSES, FIRST
from tests.browser.conftest import Visitor

VIEWS = [
    *ADDRESSES,
    *(f"compare?compare-part={part}" for part in ("All pairs", "Training sets", "Test cases")),
]
"""The pages, and what else a page has in tabs."""
WIDER_THAN_WINDOW = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  return main.scrollWidth - main.clientWidth;
}"""
TURNED_TEXT = """() => [...document.querySelectorAll('.js-plotly-plot text')].filter(text => {
  const turn = (text.getAttribute('transform') || '').match(/rotate\\((-?[0-9.]+)/);
  return turn && Math.abs(parseFloat(turn[1])) % 360 > 1;
}).map(text => text.textContent)"""


def address_of(base: str, page: str) -> str:
    return base if page == FIRST else f"{base}/{page}"


def check_view(visitor: Visitor) -> None:
    assert visitor.exceptions() == 0
    title = visitor.page.locator("h1").inner_text()
    assert title.endswith("?") or ": " in title  # the question, or the thing that is shown
    assert visitor.page.evaluate(WIDER_THAN_WINDOW) <= 0
    assert visitor.page.evaluate(TURNED_TEXT) == []


def check_texts_for_those_who_cannot_see(visitor: Visitor) -> None:
    """Every figure and table has one."""
    for kind in ("stPlotlyChart", "stDataFrame"):
        for element in visitor.page.locator(f'[data-testid="{kind}"]').all():
            html = element.evaluate("node => node.outerHTML + node.parentElement.outerHTML")
            assert "aria-label" in html or "aria-describedby" in html, kind


def test_every_full_page_works_narrow_and_dark_and_then_made_wide(visit, full_address):
    visitor = visit("dark", width=390)
    visitor.open(full_address)
    titles = set()
    for page in VIEWS:
        visitor.page.set_viewport_size({"width": 390, "height": 900})
        visitor.walk(address_of(full_address, page))
        check_view(visitor)
        check_texts_for_those_who_cannot_see(visitor)
        visitor.fits((1280, 1920))
        check_view(visitor)
        titles.add(visitor.page.title())
    assert len(titles) == len(ADDRESSES) - 1  # Methods leads to the leaderboard, which lists them


def test_every_empty_page_says_what_would_be_here(visit, empty_address):
    visitor = visit("dark")
    visitor.open(empty_address)
    titles = set()
    for page in ADDRESSES:
        visitor.walk(address_of(empty_address, page))
        assert visitor.exceptions() == 0
        assert visitor.page.locator("h1").inner_text().endswith("?")
        titles.add(visitor.page.title())
    assert len(titles) == len(ADDRESSES) - 1  # Methods leads to the leaderboard, which lists them


def test_the_page_is_served_with_its_guards(visit, full_address):
    visitor = visit()
    headers = visitor.page.request.get(full_address).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"


def test_the_font_is_the_local_one(visit, full_address):
    visitor = visit()
    visitor.open(full_address)
    assert visitor.page.evaluate("() => document.fonts.check('16px Inter')")
    assert visitor.page.evaluate(
        "() => getComputedStyle(document.querySelector('h1')).fontFamily"
    ).startswith("Inter")
