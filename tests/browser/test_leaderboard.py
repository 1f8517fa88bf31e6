"""The page Leaderboard in a browser."""

import re
import struct

import pytest
from playwright.sync_api import expect


def test_a_click_on_the_leaderboard_opens_the_method(visit, full_address):
    visitor = visit()
    visitor.open(full_address)
    table = visitor.page.locator('[data-testid="stDataFrame"]').first
    box = table.bounding_box()
    assert box is not None
    visitor.after(lambda: visitor.page.mouse.click(box["x"] + 90, box["y"] + 52))
    visitor.page.wait_for_url(re.compile(r"/methods\?.*method="))
    expect(visitor.page.get_by_role("tab", name="Where it wins")).to_be_visible()
    assert visitor.exceptions() == 0


def test_problems_are_a_click_away(visit, full_address):
    visitor = visit()
    visitor.open(full_address)
    visitor.after(lambda: visitor.page.get_by_role("link", name="What is wrong, and what to do").click())
    expect(visitor.page.get_by_role("heading", name="What is wrong with these files?")).to_be_visible()


def test_the_leaderboard_can_be_taken_away(visit, full_address, tmp_path):
    visitor = visit()
    visitor.open(full_address)
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="CSV", exact=True).first.click()
    assert download.value.suggested_filename == "leaderboard.csv"
    download.value.save_as(tmp_path / "leaderboard.csv")
    assert (tmp_path / "leaderboard.csv").read_text().startswith("method,about")


def test_a_hostile_address_is_harmless(visit, full_address):
    visitor = visit()
    visitor.open(
        full_address + "/?dataset=../../etc/passwd&loss=<script>alert(1)</script>&level=![x](http://a.b/c)"
    )
    assert visitor.exceptions() == 0
    expect(visitor.page.get_by_text("<script>alert(1)</script>")).to_be_visible()
    assert visitor.page.locator("img[src*='a.b']").count() == 0


def test_the_browser_makes_pictures_of_a_figure_in_light_colours(visit, full_address, tmp_path):
    visitor = visit("dark")
    visitor.open(f"{full_address}/methods?method=one&loss=S&method-part=Losses")
    visitor.page.get_by_role("button", name="Download", exact=True).click()
    visitor.after(visitor.page.get_by_role("radio", name="one column, 3.3 in").click)
    found = {}
    for kind in ("SVG", "PNG"):
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("button", name=kind, exact=True).click()
        assert download.value.suggested_filename == f"one-S-losses.{kind.lower()}"
        download.value.save_as(tmp_path / kind)
        found[kind] = (tmp_path / kind).read_bytes()
    # 3.3 inches are 317 pixels of 1/96 inch and 990 dots of 1/300 inch.
    width = float(re.search(r'<svg [^>]*?width="([\d.]+)"', found["SVG"].decode())[1])
    assert width == pytest.approx(3.3 * 96, abs=1)
    assert struct.unpack(">I", found["PNG"][16:20])[0] == pytest.approx(3.3 * 300, abs=3)
    assert b"fill: rgb(255, 255, 255)" in found["SVG"]
    assert b"iTXtDescription" in found["PNG"]
    assert b"<metadata>" in found["SVG"]
    assert all(b"Drawn: one column, 3.3 in" in content for content in found.values())
