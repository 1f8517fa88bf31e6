"""Figures in a browser: labels that do not overlap, marks that can be clicked, and pictures to take away."""

import re
import struct

import pytest
from playwright.sync_api import expect

from delvecore.cli import delve
from tests.archives import write_tree
from tests.browser.conftest import served
from tests.dashboard.array_archive import array_archive
from tests.dashboard.ranking.test_page import csv_of

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
"""How many labels the first figure has, and how many of them lie on another or beyond the figure."""


def test_labels_of_forty_methods_do_not_overlap_on_the_screen(browser, visit, tmp_path):
    scores = tmp_path / "scores.csv"
    scores.write_text(csv_of(40, 30))
    with served(tmp_path, scores, "--lower-is-better") as address:
        visitor = visit()
        visitor.open(f"{address}/ranking?diagram=Critical-difference+diagram")
        expect(visitor.page.locator(".js-plotly-plot").first).to_be_visible()
        assert visitor.page.evaluate(OVERLAPS) == [20, 0]
        visitor.open(f"{address}/ranking?diagram=Critical-difference+diagram&drawn=all")
        expect(visitor.page.locator(".js-plotly-plot").first).to_be_visible()
        assert visitor.page.evaluate(OVERLAPS) == [40, 0]


def test_the_browser_makes_pictures_of_a_figure_in_light_colors(visit, full_address, tmp_path):
    visitor = visit("dark")
    visitor.open(f"{full_address}/methods?method=one&loss=S&method-part=Losses")
    visitor.after(visitor.page.get_by_role("button", name="Download", exact=True).click)
    visitor.after(visitor.page.get_by_role("radio", name="one column, 3.3 in").click)
    pictures = {}
    for kind in ("SVG", "PNG"):
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("button", name=kind, exact=True).click()
        assert download.value.suggested_filename == f"one-S-losses.{kind.lower()}"
        download.value.save_as(tmp_path / kind)
        pictures[kind] = (tmp_path / kind).read_bytes()
    # 3.3 inches are 317 pixels of 1/96 inch and 990 dots of 1/300 inch.
    width = float(re.search(r'<svg [^>]*?width="([\d.]+)"', pictures["SVG"].decode())[1])
    assert width == pytest.approx(3.3 * 96, abs=1)
    assert struct.unpack(">I", pictures["PNG"][16:20])[0] == pytest.approx(3.3 * 300, abs=3)
    assert b"fill: rgb(255, 255, 255)" in pictures["SVG"]
    assert b"iTXtDescription" in pictures["PNG"]
    assert b"<metadata>" in pictures["SVG"]
    assert all(b"Drawn: one column, 3.3 in" in content for content in pictures.values())


def test_pictures_are_verified_until_a_loss_changes(browser, visit, tmp_path, capsys):
    archive = array_archive(tmp_path)
    task = "/plot-1s/yield/std.16"
    with served(tmp_path, archive) as address:
        visitor = visit()
        visitor.open(f"{address}/compare?task={task}&methods=apple&methods=quince&reference=apple")
        visitor.after(visitor.page.get_by_role("button", name="Download", exact=True).first.click)
        files = []
        for kind in ("SVG", "PNG", "PDF"):
            with visitor.page.expect_download() as download:
                visitor.page.get_by_role("button", name=kind, exact=True).click()
            files.append(tmp_path / download.value.suggested_filename)
            download.value.save_as(files[-1])
    words = ["verify", *map(str, files), "--data", str(archive)]
    capsys.readouterr()
    assert delve.main(words) == 0
    assert capsys.readouterr().out.count(": figure unchanged (") == 3
    for instance in range(4):
        write_tree(archive, {f"methods/quince{task}/loss.S.{instance}": "0.1\n0.2\n" * 4})
    assert delve.main(words) == 1
    lines = capsys.readouterr().out.splitlines()
    assert sum(": figure changed, a verdict changed (" in line for line in lines) == 3
    assert (
        sum(line.endswith("the paper has worse; recomputed: better; the verdict changed") for line in lines)
        == 3
    )
