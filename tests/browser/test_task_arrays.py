"""The Task-arrays page in a browser, on an array that a user made."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import visitor_at
from tests.dashboard.array_archive import ARRAY

FILES = {"CSV": b"", "LaTeX": b"% DELVE for the browser", "SVG": b"<svg", "PDF": b"%PDF", "PNG": b"\x89PNG"}
"""What can be taken away, and how it begins."""
PLACE = """() => {
  const graph = document.querySelectorAll('.js-plotly-plot')[1], layout = graph._fullLayout;
  graph.scrollIntoView({block: 'center'});
  const frame = graph.getBoundingClientRect(), trace = graph._fullData.find(one => one.name === 'apple');
  return [frame.left + layout.xaxis._offset + layout.xaxis.d2p(trace.x[0]),
          frame.top + layout.yaxis._offset + layout.yaxis.d2p(trace.y[0]), trace.customdata[0][0]];
}"""
"""Where the first mark of a method is, in pixels of the window, and the task that it stands for."""


@pytest.fixture(scope="module")
def visitor(browser, windows, array_address):
    """A visitor who goes from one test to the next without loading the page anew."""
    with visitor_at(browser, windows, array_address) as one:
        yield one


def traces(visitor):
    """The names of the methods that the curves next to the map draw."""
    page_values = visitor.page.evaluate(
        "() => document.querySelectorAll('.js-plotly-plot')[1]._fullData.map(one => one.name)"
    )
    return {name for name in page_values if not name.startswith("trace ")}


def test_a_click_in_the_legend_takes_a_method_out_and_the_address_knows(visitor, array_address):
    visitor.walk(array_address)
    assert traces(visitor) == {"apple", "pear", "quince"}
    visitor.after(visitor.page.get_by_role("button", name="pear", exact=True).click)
    visitor.page.wait_for_url(re.compile(r"methods=apple&methods=quince"))
    assert traces(visitor) == {"apple", "quince"}


@pytest.mark.parametrize("name", ["ranking", "task_arrays"])
def test_a_method_clicked_after_none_is_the_only_one_that_lights_up(visitor, array_address, name):
    visitor.walk(array_address.replace("task_arrays", name))
    if name == "ranking":
        visitor.page.get_by_role("button", name="3 methods").click()
    visitor.after(visitor.page.get_by_role("button", name="None", exact=True).click)
    visitor.page.wait_for_url(re.compile("methods=$"))
    pressed = visitor.page.locator('.st-key-control-methods button[aria-pressed="true"]')
    expect(pressed).to_have_count(0)
    expect(visitor.page.get_by_text("No method is chosen.")).to_be_visible()
    for method, shown in (("pear", ["pear"]), ("apple", ["apple", "pear"])):
        visitor.after(visitor.page.get_by_role("button", name=method, exact=True).click)
        visitor.page.wait_for_url(re.compile(f"methods={method}"))
        expect(pressed).to_have_text(shown)


def test_a_cell_of_the_map_is_opened_by_the_keyboard_alone(visitor, array_address):
    visitor.walk(f"{array_address}")
    visitor.page.get_by_role("combobox", name="Open a task of the figure").first.focus()
    visitor.page.keyboard.type("three beds")
    visitor.page.get_by_role("option", name="three beds, sunny, 8 training cases").wait_for()
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_url(re.compile(r"/task_arrays\?.*task=%2Fplot-3s%2Fyield%2Fstd\.8"))
    visitor.settle()
    expect(visitor.page.get_by_role("heading", name="Three beds, sunny")).to_be_visible()


CELL = """() => {
  const graph = document.querySelectorAll('.js-plotly-plot')[0], layout = graph._fullLayout;
  graph.scrollIntoView({block: 'center'});
  const frame = graph.getBoundingClientRect();
  const trace = graph._fullData.find(one => one.mode === 'markers');
  const k = trace.customdata.findIndex(one => one[0].startsWith('/plot-2s/'));
  return [frame.left + layout.xaxis._offset + layout.xaxis.d2p(trace.x[k]),
          frame.top + layout.yaxis._offset + layout.yaxis.d2p(trace.y[k])];
}"""
"""Where a cell of the map is, in pixels of the window."""


def test_a_click_on_a_cell_shows_its_curves_until_another_is_chosen(visitor, array_address):
    visitor.walk(array_address)
    x, y = visitor.page.evaluate(CELL)
    visitor.page.wait_for_timeout(300)
    visitor.page.mouse.move(x - 3, y, steps=4)
    visitor.page.mouse.move(x, y)
    visitor.page.wait_for_timeout(200)
    visitor.page.mouse.click(x, y)
    visitor.page.wait_for_url(re.compile(r"task=%2Fplot-2s"))
    expect(visitor.page.get_by_role("heading", name="Two beds, sunny")).to_be_visible()
    visitor.page.get_by_role("combobox", name="Open a task of the figure").first.focus()
    visitor.page.keyboard.type("three beds")
    visitor.page.get_by_role("option", name="three beds, sunny, 8 training cases").wait_for()
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_url(re.compile(r"task=%2Fplot-3s"))
    visitor.settle()
    expect(visitor.page.get_by_role("heading", name="Three beds, sunny")).to_be_visible()


def test_the_way_leads_to_the_ranking_of_the_same_tasks_and_back(visitor, array_address):
    visitor.walk(f"{array_address}?level=0.99")
    visitor.page.get_by_role("button", name="Ranking of these tasks").click()
    visitor.page.wait_for_url(re.compile(r"/ranking\?.*family=garden"))
    visitor.settle()
    visitor.page.wait_for_url(re.compile(r"level=0\.99"))
    visitor.page.get_by_role("button", name="Task-array garden").click()
    visitor.page.wait_for_url(re.compile(r"/task_arrays\?.*array=garden"))
    visitor.settle()
    expect(visitor.first_line).to_contain_text("of garden")


def test_a_click_on_a_mark_compares_the_methods_on_its_task(visitor, array_address):
    visitor.walk(f"{array_address}?reference=pear")
    x, y, task = visitor.page.evaluate(PLACE)
    expect(visitor.page.locator(".modebar")).to_have_count(0)
    visitor.page.mouse.move(x - 3, y, steps=4)
    visitor.page.mouse.move(x, y)
    visitor.page.wait_for_timeout(200)
    visitor.page.mouse.click(x, y)
    visitor.page.wait_for_url(re.compile(r"/compare\?.*task="))
    visitor.settle()
    expect(visitor.page.get_by_role("heading", level=1)).to_contain_text(re.compile(f"pear on {task}$"))
    assert "reference=pear" in visitor.page.url


def test_numbers_and_pictures_of_a_map_can_be_taken_away(visitor, array_address, tmp_path):
    visitor.walk(f"{array_address}")
    visitor.after(visitor.page.get_by_role("button", name="Download", exact=True).first.click)
    menu = visitor.page.get_by_test_id("stPopoverBody")
    expect(menu.get_by_text(f"delve array {ARRAY}")).to_be_visible()
    for kind, beginning in FILES.items():
        with visitor.page.expect_download() as download:
            menu.get_by_role("button", name=kind, exact=True).click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        assert path.name.startswith(f"{ARRAY}-S-")
        assert beginning in path.read_bytes()[:200]
    visitor.page.keyboard.press("Escape")
