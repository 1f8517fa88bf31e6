"""The dashboard as a place in the web: Back and Forward, titles, links to copy, addresses that do not exist, the
headers and the font that pages come with."""

import itertools
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor, visitor_at


@pytest.fixture(scope="module")
def visitor(browser, windows, full_address):
    """A visitor who goes from one test to the next without loading the page anew."""
    with visitor_at(browser, windows, full_address) as one:
        yield one


def choose(visitor: Visitor, label: str, option: str) -> None:
    """Choose an option of a list, as a person does."""
    visitor.page.get_by_role("combobox", name=label).first.click()
    visitor.after(lambda: visitor.page.get_by_role("option", name=option, exact=True).first.click())


MOST_ENTRIES = 50
"""So many entries Chromium keeps of a window, which earlier tests may have used."""


def place(visitor: Visitor) -> str:
    parts = urlsplit(visitor.page.url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def test_back_and_forward_undo_and_redo_every_act(visitor, full_address):
    page = visitor.page
    visitor.walk(f"{full_address}/methods")
    entries = page.evaluate("history.length")
    seen = [(place(visitor), page.title())]

    def act(action) -> None:
        visitor.after(action)
        expected = min(entries + len(seen), MOST_ENTRIES)
        page.wait_for_function("count => history.length === count", arg=expected)
        page.wait_for_timeout(300)
        seen.append((place(visitor), page.title()))
        assert page.evaluate("history.length") == expected, seen

    act(lambda: visitor.click_cell(0))
    act(lambda: page.get_by_role("tab").nth(1).click())
    act(lambda: page.get_by_role("link", name="Datasets").click())
    act(lambda: visitor.click_cell(0))
    act(lambda: page.get_by_role("button", name="All datasets").click())
    assert all(one != other for one, other in itertools.pairwise(seen))
    for way, expected in (("back", seen[-2::-1]), ("forward", seen[1:])):
        for one in expected:
            visitor.after(lambda way=way: page.evaluate(f"history.{way}()"))
            expect(page).to_have_title(one[1])
            assert (place(visitor), page.title()) == one
            assert page.evaluate("history.length") == min(entries + len(seen) - 1, MOST_ENTRIES)


def test_a_choice_is_undone_where_it_was_made(visitor, full_address):
    page = visitor.page
    visitor.walk(f"{full_address}/compare?task=/demo/age/std.8")
    before = page.locator("h1").inner_text(), visitor.answer()
    choose(visitor, "Task", "/demo/shade/std.4")
    expect(visitor.first_line).not_to_have_text(before[1], use_inner_text=True)
    visitor.after(page.go_back)
    expect(visitor.first_line).to_have_text(before[1], use_inner_text=True)
    expect(page.get_by_role("combobox", name="Task").first).to_have_value("/demo/age/std.8")
    assert page.locator("h1").inner_text() == before[0]


def test_copy_link_copies_what_shows_the_same_elsewhere(visitor, visit, full_address):
    other = visit("dark")
    context = visitor.page.context
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=full_address)
    visitor.walk(f"{full_address}/compare?task=/demo/age/std.8&compare-part=All+pairs")
    visitor.page.get_by_role("button", name="Copy link").click()
    visitor.page.get_by_text("Copied", exact=True).wait_for()
    link = visitor.page.evaluate("navigator.clipboard.readText()")
    context.clear_permissions()
    other.open(link)
    for one in (visitor, other):
        expect(one.page.get_by_role("tab", name="All pairs")).to_have_attribute("aria-selected", "true")
    expect(other.first_line).to_have_text(visitor.answer(), use_inner_text=True)


def test_addresses_that_do_not_exist_lead_to_the_nearest_and_say_so(visit, full_address):
    visitor = visit()
    for asked, title, said in (
        ("compar", "Compare · DELVE", "There is no page “compar”; this is the most similar one."),
        (
            "nonsense/here",
            "Leaderboard · DELVE",
            "There is no page “nonsense/here”; this is the most similar one.",
        ),
        ("datasets?dataset=dmo", "demo · Datasets · DELVE", "this is demo, the nearest name."),
    ):
        visitor.open(f"{full_address}/{asked}")
        notice = visitor.page.locator('.st-key-page-head [data-testid="stAlert"]')
        expect(notice).to_contain_text(said, use_inner_text=True)
        expect(visitor.page).to_have_title(title)
        visitor.heading()
        expect(notice).to_be_in_viewport()


def test_the_selection_travels_from_page_to_page(visitor, full_address):
    visitor.walk(full_address + "/datasets?dataset=demo&loss=S")
    visitor.after(lambda: visitor.page.get_by_role("link", name="Leaderboard").click())
    visitor.page.wait_for_url(re.compile(r"loss=S"))
    visitor.after(lambda: visitor.page.get_by_role("link", name="Datasets").click())
    visitor.page.wait_for_url(re.compile(r"dataset=demo"))
    expect(visitor.page.get_by_text("24 cases of 5 attributes")).to_be_visible()
    visitor.after(lambda: visitor.page.get_by_role("button", name="All datasets").click())
    expect(visitor.page.get_by_role("heading", level=1, name="1 dataset for")).to_be_visible()


def test_a_page_has_its_guards_and_its_font_and_asks_for_news_every_five_seconds(visitor, full_address):
    headers = visitor.page.request.get(full_address).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    visitor.walk(full_address)
    font = "getComputedStyle(document.querySelector('h1')).fontFamily"
    page_values = visitor.page.evaluate(f"() => [document.fonts.check('16px Inter'), {font}]")
    assert (page_values[0], page_values[1].startswith("Inter")) == (True, True)
    assert list(visitor.clocks.values()) == [5.0]  # at each the browser draws the whole page anew
