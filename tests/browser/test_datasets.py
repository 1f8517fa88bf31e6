"""The Datasets page in a browser."""

import re

import pytest
from playwright.sync_api import expect


def test_a_click_opens_a_dataset_and_the_address_says_so(visit, full_address):
    visitor = visit()
    visitor.open(full_address + "/datasets")
    visitor.after(lambda: visitor.click_cell(0))
    visitor.page.wait_for_url(re.compile(r"dataset=demo"))
    expect(visitor.page.get_by_text("24 cases of 5 attributes")).to_be_visible()


def test_an_address_gives_the_same_view_again(visit, full_address):
    visitor = visit()
    visitor.open(full_address + "/datasets?dataset=demo")
    visitor.after(lambda: visitor.page.get_by_role("tab", name="Priors").click())
    visitor.page.wait_for_url(re.compile(r"part=Priors"))
    visitor.page.get_by_role("combobox", name="Prototask").click()
    visitor.after(lambda: visitor.page.get_by_role("option", name="shade").click())
    visitor.page.wait_for_url(re.compile(r"prior-of=shade"))
    visitor.page.get_by_role("button", name="Copy link").click()
    link = visitor.page.locator('[data-testid="stPopoverBody"] code').inner_text().strip()

    other = visit("dark")
    other.open(link)
    expect(other.page.get_by_role("tab", name="Priors", selected=True)).to_be_visible()
    expect(other.page.get_by_role("combobox", name="Prototask")).to_have_value("shade")


def test_the_selection_travels_from_page_to_page(visit, full_address):
    visitor = visit()
    visitor.open(full_address + "/datasets?dataset=demo&loss=S")
    visitor.after(lambda: visitor.page.get_by_role("link", name="Leaderboard").click())
    visitor.page.wait_for_url(re.compile(r"loss=S"))
    visitor.after(lambda: visitor.page.get_by_role("link", name="Datasets").click())
    visitor.page.wait_for_url(re.compile(r"dataset=demo"))
    expect(visitor.page.get_by_text("24 cases of 5 attributes")).to_be_visible()
    visitor.after(lambda: visitor.page.get_by_role("button", name="All datasets").click())
    expect(visitor.page.get_by_text("1 of 1 dataset")).to_be_visible()


def test_filters_count_and_narrow(visit, full_address):
    visitor = visit()
    # All have the same origin: the filter is there because it is asked for, and goes when it is not.
    visitor.open(full_address + "/datasets?origin=artificial")
    visitor.page.get_by_role("button", name="More filters · 1 set").click()
    visitor.after(lambda: visitor.page.get_by_role("button", name="artificial · 1").click())
    visitor.page.wait_for_url(re.compile(r"/datasets$"))
    visitor.after(lambda: _search(visitor.page, "beer"))
    expect(visitor.page.get_by_text("No dataset fits all of these filters.")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1280])
def test_filters_that_few_want_are_folded_and_a_button_unfolds_them(width, visit, full_address):
    visitor = visit(width=width)
    visitor.open(full_address + "/datasets?origin=artificial")
    pill = visitor.page.get_by_role("button", name="artificial · 1")
    expect(pill).to_be_hidden()
    visitor.page.get_by_role("button", name="More filters · 1 set").click()
    expect(pill).to_be_visible()


def _search(page, text):
    page.get_by_label("Search", exact=True).fill(text)
    page.get_by_label("Search", exact=True).press("Enter")


def test_every_part_is_drawn(visit, full_address):
    visitor = visit("dark")
    visitor.open(full_address + "/datasets?dataset=demo")
    for part in ("Cases", "Prototasks", "Priors", "Summary and source", "Attributes"):
        visitor.after(lambda part=part: visitor.page.get_by_role("tab", name=part).click())
        assert visitor.exceptions() == 0
    expect(visitor.page.locator(".js-plotly-plot")).to_have_count(1)


def test_the_picture_of_cases_is_there_for_each_prototask(visit, full_address):
    visitor = visit()
    visitor.open(full_address + "/datasets?dataset=demo&part=Prototasks")
    expect(visitor.page.locator(".js-plotly-plot")).to_have_count(2)
