"""The Compare page in a browser, and pages of groups, sequences, strata and specialized losses beside it."""

import pytest
from playwright.sync_api import expect

from tests.archives import feature_archive, small_archive
from tests.browser.conftest import TURNED_TEXT, WIDER_THAN_WINDOW, served, visitor_at
from tests.dashboard.compare_archive import AGE, SHADE, SHARE, add_losses, drawn_losses

FEATURES = (
    "datasets?dataset=speech&part=Prototasks",
    "datasets?dataset=river&part=Prototasks",
    "datasets?dataset=shapes&part=Prototasks",
    "compare?task=/shapes/shape/std.3&loss=Z0.2N",
    "methods?method=careful&loss=Mcosts",
    "methods?method=careful&method-part=Check",
)
HOSTILE = "![x](http:evil.example)<img src=x>"


@pytest.fixture(scope="module")
def compared_address(browser, tmp_path_factory):
    """The address of a server with five methods, one of them with a name that wants to be more than a name, and the
    archive of features."""
    directory = tmp_path_factory.mktemp("compared")
    archive = small_archive(directory)
    for number, method in enumerate(("near", "far", HOSTILE)):
        add_losses(archive, method, AGE, "S", drawn_losses(number, (2, 4), shift=number))
        add_losses(
            archive, method, SHADE, "Z", drawn_losses(number + 9, (4, 6), shift=number / 9, unit=SHARE)
        )
    with served(directory, archive, str(feature_archive(directory))) as address:
        yield address


@pytest.fixture(scope="module")
def visitor(browser, windows, compared_address):
    """A visitor who goes from one test to the next without loading the page anew."""
    with visitor_at(browser, windows, compared_address) as one:
        yield one


def choose(visitor, label, option):
    visitor.page.get_by_role("combobox", name=label).click()
    choice = visitor.page.get_by_role("option", name=option, exact=True)
    choice.wait_for()
    visitor.after(choice.click)


PANELS = """() => {
  const graph = document.querySelector('.js-plotly-plot'), layout = graph._fullLayout;
  const box = axis => [axis._offset, axis._offset + axis._length];
  const texts = [...graph.querySelectorAll('.annotation-text, .ytick text, .xtitle, .x2title')];
  const frame = graph.getBoundingClientRect();
  const cut = texts.filter(one => {
    const place = one.getBoundingClientRect();
    return place.left < frame.left - 1 || place.right > frame.right + 1;
  });
  const lines = [...graph.querySelectorAll('.xtitle tspan.line, .x2title tspan.line')].length;
  return {left: box(layout.xaxis), right: box(layout.xaxis2), cut: cut.map(one => one.textContent), lines};
}"""

DRAWN_TO_FIT = """() => [...document.querySelectorAll('.js-plotly-plot')].slice(0, 1).every(graph =>
  Math.abs(graph._fullLayout.width - graph.getBoundingClientRect().width) < 1)"""


def test_losses_and_differences_are_one_figure_of_which_nothing_is_cut(visitor, compared_address):
    for losses in ("Raw", "Standardized"):
        visitor.walk(f"{compared_address}/compare?task={SHADE}&loss=Z&losses={losses}")
        for width in (1920, 1280, 768):
            visitor.fits((width,))
            visitor.page.wait_for_function(DRAWN_TO_FIT)
            page_values = visitor.page.evaluate(PANELS)
            assert page_values["left"][1] < page_values["right"][0]
            assert (page_values["cut"], page_values["lines"]) == ([], 0), width


def test_another_tab_opens_where_the_page_is_and_does_not_scroll_it(visitor, compared_address):
    visitor.page.set_viewport_size({"width": 1280, "height": 800})
    visitor.walk(f"{compared_address}/compare?task={SHADE}&loss=Z")
    for name in ("All pairs", "Test cases", "Losses in numbers", "Training sets"):
        tab = visitor.page.get_by_role("tab", name=name)
        tab.scroll_into_view_if_needed()
        before = tab.bounding_box()["y"]
        visitor.after(tab.click)
        assert tab.bounding_box()["y"] == pytest.approx(before, abs=2)


def test_numbers_and_files_of_a_figure_are_made_when_opened(visit, compared_address, tmp_path):
    visitor = visit()
    visitor.open(f"{compared_address}/compare?task={SHADE}&methods=near&methods=far")
    numbers = visitor.page.locator('[class*="st-key-numbers-"]').first
    assert numbers.locator('[data-testid="stDataFrame"]').count() == 0
    visitor.after(numbers.locator("summary").click)
    expect(numbers.locator('[data-testid="stDataFrame"] canvas').first).to_be_visible()
    choose(visitor, "A (reference)", "near")
    expect(numbers.locator('[data-testid="stDataFrame"] canvas').first).to_be_visible()
    visitor.after(visitor.page.get_by_role("button", name="Download", exact=True).first.click)
    menu = visitor.page.get_by_test_id("stPopoverBody")
    expect(menu.get_by_text("mstats -l Z --safe -c far /near/demo/shade/std.4")).to_be_visible()
    with visitor.page.expect_download() as download:
        menu.get_by_role("button", name="CSV").click()
    download.value.save_as(tmp_path / "numbers.csv")
    assert len((tmp_path / "numbers.csv").read_text().splitlines()) == 3


def test_pages_of_the_features_work_and_fit_narrow_and_wide(visitor, compared_address):
    visitor.page.emulate_media(color_scheme="dark")
    for place in FEATURES:
        visitor.page.set_viewport_size({"width": 390, "height": 900})
        visitor.walk(f"{compared_address}/{place}")
        assert visitor.exceptions() == 0, place
        assert visitor.page.evaluate(WIDER_THAN_WINDOW) <= 0, place
        assert visitor.page.evaluate(TURNED_TEXT) == [], place
        visitor.fits((1280,))
        assert visitor.page.evaluate(TURNED_TEXT) == [], place
