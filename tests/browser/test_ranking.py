"""The page Ranking in a browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.archives import small_archive, write_tree
from tests.browser.conftest import start_server
from tests.dashboard.compare_archive import add_losses
from tests.dashboard.ranking.test_page import csv_of

SCREENS = ("One pair", "Robustness")
HOSTILE = "![x](http:evil.example)<img src=x>"
"""Is the first figure drawn so wide?"""
OVERLAPS = """() => {
  const chart = document.querySelector('.js-plotly-plot');
  const boxes = [...chart.querySelectorAll('.textpoint text')].map(text => text.getBoundingClientRect());
  const frame = chart.getBoundingClientRect();
  let found = boxes.filter(box => box.left < frame.left || box.right > frame.right).length;
  for (let i = 0; i < boxes.length; i++)
    for (let j = 0; j < i; j++)
      if (boxes[i].left < boxes[j].right - 1 && boxes[j].left < boxes[i].right - 1
          && boxes[i].top < boxes[j].bottom - 3 && boxes[j].top < boxes[i].bottom - 3) found += 1;
  return [boxes.length, found];
}"""


@pytest.fixture(scope="module")
def ranked_address(browser, tmp_path_factory):
    """The address of a server where three methods have results on two tasks."""
    directory = tmp_path_factory.mktemp("ranked")
    archive = small_archive(directory)
    stats = (archive / "methods/one/demo/age/std.8/Test-set-stats").read_text()
    for number, method in enumerate(("near", "far", HOSTILE)):
        add_losses(archive, method, "/demo/age/std.8", "S", [[1.0 + number + case for case in range(4)]] * 2)
        add_losses(archive, method, "/demo/age/std.4", "S", [[1.0 + number, 2.0 + number]] * 4)
        write_tree(archive, {f"methods/{method}/demo/age/std.4/Test-set-stats": stats})
    process, address = start_server(directory, archive)
    yield f"{address}/ranking?methods=near&methods=far"
    process.terminate()
    process.wait(10)


@pytest.fixture
def open_scores(visit, tmp_path):
    """Open the page on a table of scores."""
    started = []

    def run(table):
        (tmp_path / "scores.csv").write_text(table)
        process, address = start_server(tmp_path, tmp_path / "scores.csv", "--lower-is-better")
        started.append(process)
        visitor = visit()
        visitor.open(f"{address}/ranking")
        return visitor

    yield run
    for process in started:
        process.terminate()
        process.wait(10)


def test_every_screen_is_drawn_within_the_window(visit, ranked_address):
    visitor = visit("dark")
    visitor.open(ranked_address)
    expect(visitor.first_line).to_contain_text("over 2 tasks of 1 dataset")
    for part in (None, *SCREENS):
        if part:
            visitor.after(visitor.page.get_by_role("tab", name=part).click)
        assert visitor.exceptions() == 0
        visitor.fits((390, 1280, 1920))
        assert visitor.page.locator("img[src*='evil']").count() == 0


def test_labels_of_forty_methods_do_not_overlap_on_the_screen(open_scores):
    visitor = open_scores(csv_of(40, 30))
    expect(visitor.page.locator(".js-plotly-plot").first).to_be_visible()
    assert visitor.page.evaluate(OVERLAPS) == [20, 0]
    visitor.after(visitor.page.get_by_text("all 40", exact=True).click)
    assert visitor.page.evaluate(OVERLAPS) == [40, 0]


def test_what_was_chosen_is_in_the_address(visit, ranked_address):
    visitor = visit()
    visitor.open(ranked_address)
    visitor.page.get_by_text("Statistical methods").click()
    visitor.after(visitor.page.get_by_text("Wilcoxon", exact=True).first.click)
    visitor.after(visitor.page.get_by_role("tab", name="One pair").click)
    visitor.page.wait_for_url(re.compile(r"test=Wilcoxon.*ranking-part=One|ranking-part=One.*test=Wilcoxon"))
    again = visit()
    again.open(visitor.page.url)
    expect(again.page.get_by_text("Is it so on every task?")).to_be_visible()


def test_sixty_methods_on_a_hundred_tasks_can_be_tested_otherwise(open_scores):
    visitor = open_scores(csv_of(60, 100))
    expect(visitor.page.get_by_text("of 60,", exact=False).first).to_be_visible()
    visitor.settle()
    visitor.page.get_by_text("Statistical methods").click()
    buttons = visitor.page.get_by_test_id("stExpanderDetails")
    for test in ("Wilcoxon", "Nemenyi", "Wilcoxon"):
        visitor.after(buttons.get_by_text(test, exact=True).click)
        assert visitor.exceptions() == 0
