"""The Archive page in a browser."""

import re

import pytest
from playwright.sync_api import expect

CELL = """() => {
  const plot = document.querySelector('.js-plotly-plot'), layout = plot._fullLayout;
  const box = plot.getBoundingClientRect(), cells = plot._fullData[1];
  return [box.left + layout.xaxis._offset + layout.xaxis.d2p(cells.x[0]) + 30,
          box.top + layout.yaxis._offset + layout.yaxis.d2p(cells.y[0])];
}"""


def test_a_click_on_the_map_leads_to_the_comparison(visit, full_address):
    visitor = visit()
    visitor.open(full_address)
    x, y = visitor.page.evaluate(CELL)
    visitor.page.mouse.move(x, y, steps=4)
    visitor.page.wait_for_timeout(200)
    visitor.after(lambda: visitor.page.mouse.click(x, y))
    visitor.page.wait_for_url(re.compile(r"/compare\?.*task=%2Fdemo%2Fage%2Fstd\.8"))
    assert visitor.exceptions() == 0


def test_problems_are_a_click_away(visit, full_address):
    visitor = visit()
    visitor.open(full_address)
    visitor.after(lambda: visitor.page.get_by_role("link", name="What is wrong, and what to do").click())
    expect(visitor.page.get_by_role("heading", name="What is wrong with these files?")).to_be_visible()


def test_the_numbers_of_the_map_can_be_taken_away(visit, full_address, tmp_path):
    visitor = visit()
    visitor.open(full_address)
    visitor.page.get_by_role("button", name="Download", exact=True).click()
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="CSV", exact=True).click()
    assert download.value.suggested_filename == "coverage.csv"
    download.value.save_as(tmp_path / "coverage.csv")
    assert (tmp_path / "coverage.csv").read_text().splitlines()[:2] == [
        "prototask,method,tasks,done,share",
        "/demo/age,one,6,1,0.16666666666666666",
    ]


def test_a_hostile_address_is_harmless(visit, full_address):
    visitor = visit()
    visitor.open(
        full_address + "/?dataset=../../etc/passwd&loss=<script>alert(1)</script>&level=![x](http://a.b/c)"
    )
    assert visitor.exceptions() == 0
    expect(visitor.page.get_by_text("<script>alert(1)</script>")).to_be_visible()
    assert visitor.page.locator("img[src*='a.b']").count() == 0


def test_a_figure_can_be_taken_away_as_a_picture(visit, full_address, tmp_path):
    pytest.importorskip("kaleido", reason="pictures need the extra `figures`")
    visitor = visit()
    visitor.open(full_address)
    visitor.page.get_by_role("button", name="Download", exact=True).click()
    for kind, start in (("SVG", b"<svg"), ("PDF", b"%PDF"), ("PNG", b"\x89PNG")):
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("button", name=kind, exact=True).click()
        assert download.value.suggested_filename == f"coverage.{kind.lower()}"
        download.value.save_as(tmp_path / kind)
        assert (tmp_path / kind).read_bytes().startswith(start)
