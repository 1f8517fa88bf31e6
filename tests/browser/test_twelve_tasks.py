"""Twelve tasks of a new user on the shipped archive, with a mouse and a keyboard: how many clicks does each take?"""

import os
import re
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE, ROOT, start_server
from tests.scores_files import folds_csv

MOST_CLICKS = 4
ARCHIVE = ROOT / "data" / "delve"


@pytest.fixture(scope="module")
def address(browser, whole_archive, tmp_path_factory) -> Iterator[str]:
    """The address of a server with the shipped archive."""
    process, address = start_server(tmp_path_factory.mktemp("twelve"), ARCHIVE, cache=whole_archive)
    yield address
    process.terminate()
    process.wait(10)


class Person:
    """A visitor whose clicks are counted, from the opened page on."""

    def __init__(self, visitor, address: str) -> None:
        self.visitor, self.page, self.clicks = visitor, visitor.page, 0
        visitor.open(address)
        self.page.locator(".st-key-opening").wait_for(state="detached")
        visitor.settle()
        self.began = time.monotonic()

    def click(self, role: str, name: str, *, runs: bool = True, exact: bool = True) -> None:
        """Click what is called so."""
        self.clicks += 1
        target = self.page.get_by_role(role, name=name, exact=exact).first
        self.visitor.after(target.click) if runs else target.click()

    def choose(self, label: str, option: str) -> None:
        """Open a list with one click, type what is wanted, and take it with Enter."""
        self.clicks += 1
        self.page.get_by_role("combobox", name=label, exact=True).first.click()
        self.page.keyboard.type(option)
        self.page.get_by_role("option", name=option).first.wait_for()
        self.visitor.after(lambda: self.page.keyboard.press("Enter"))

    def click_row(self, row: int) -> None:
        """Click a row of the first table."""
        self.clicks += 1
        self.visitor.after(lambda: self.visitor.click_cell(row))

    def type(self, label: str, text: str) -> None:
        """Click a field and type into it."""
        self.clicks += 1
        self.page.get_by_role("textbox", name=label, exact=True).click()
        self.page.keyboard.type(text)
        self.visitor.after(lambda: self.page.keyboard.press("Enter"))

    def drop(self, *files: Path) -> None:
        """Choose files: a click on the button, and what the system asks."""
        self.clicks += 1
        place = self.page.locator('input[type="file"]').first
        place.set_input_files([str(one) for one in files])
        self.page.get_by_text("Nothing of yours yet").wait_for(state="detached", timeout=2 * PATIENCE)
        self.visitor.settle()

    def answers(self, expected: str | re.Pattern) -> None:
        """Wait until the first line of the page says so."""
        expect(self.visitor.first_line).to_contain_text(expected, use_inner_text=True)

    def says(self, expected: str) -> None:
        """Wait until this is to be read on the page."""
        expect(self.page.locator('[data-testid="stMain"]')).to_contain_text(expected, use_inner_text=True)

    def said(self) -> str:
        """All that is to be read on the page."""
        return self.page.locator('[data-testid="stMain"]').inner_text()

    def done(self, task: str) -> None:
        """Tell how long the task took; fail where it took more clicks."""
        print(f"{task}: {self.clicks} clicks, {time.monotonic() - self.began:.1f} s", os.linesep)
        assert self.visitor.exceptions() == 0
        assert self.clicks <= MOST_CLICKS


@pytest.fixture
def person(visit, address):
    """A person at a page: `person("ranking")`, the first one without a name."""
    return lambda place="", **more: Person(visit(**more), f"{address}/{place}")


def test_the_most_non_linear_and_noisy_dataset(person):
    one = person()
    one.click("link", "Datasets")
    one.answers("most non-linear and noisy of 24 that were measured is pumadyn-8nh")
    one.done("the most non-linear and noisy dataset")


def test_the_prior_of_demo_age(person):
    one = person()
    one.click("link", "Datasets")
    one.type("Search", "demo")
    one.click_row(0)
    one.click("tab", "Priors")
    expect(one.page.locator('[data-testid="stDataFrame"] table').first).to_contain_text("none to high (NLMH)")
    one.done("the prior of demo/age")


def test_the_best_on_kin_32nm_at_1024_and_whether_the_second_is_significantly_worse(person):
    one = person()
    one.click("link", "Compare")
    one.choose("Dataset", "kin-32nm")
    one.click("radio", "1024")
    one.answers("kin-32nm/dist with 1,024")
    one.answers("has the lowest")
    one.answers(re.compile("significant"))
    one.done("the best on kin-32nm at 1024")


def test_gp_against_rf_along_the_sizes_of_kin(person):
    one = person()
    one.click("link", "Task-arrays")
    one.choose("Task-array", "kin")
    one.choose("Reference", "rf-1")
    one.click("tab", "Differences")
    one.page.locator('.st-key-array-part [aria-label*="rf-1"]').first.wait_for(state="attached")
    for size in ("64", "256"):
        expect(one.page.locator(".js-plotly-plot").get_by_text(size, exact=True).first).to_be_attached()
    one.done("gp-1 against rf-1 along the sizes of kin")


def test_where_knn_cv_1_wins(person):
    one = person()
    one.click("link", "Task-arrays")
    one.click("tab", "One method")
    one.choose("Of the method", "knn-cv-1")
    one.says("Where does it win, and where does it lose?")
    told = one.page.get_by_text(re.compile(r"^knn-cv-1 (wins|has the lowest|is best|never|loses)"))
    expect(told.first).to_be_visible()
    one.done("where knn-cv-1 wins")


def test_the_bonferroni_dunn_diagram_of_pumadyn_at_ten_percent_against_lin_1(person):
    one = person()
    one.click("link", "Ranking")
    one.click("button", "pumadyn · 40", exact=False)
    one.choose("Control", "lin-1")
    one.click("radio", "90 %")
    for text in ("Bonferroni-Dunn", "90 %", "lin-1"):
        drawn = one.page.locator(".st-key-figure-critical-difference text").filter(has_text=text)
        expect(drawn.first).to_be_attached()
    one.done("the Bonferroni-Dunn diagram of pumadyn at 0.10 against lin-1")


def test_pdf_svg_and_latex_of_the_diagram(person, tmp_path):
    one = person("ranking?test=Bonferroni-Dunn&reference=lin-1&level=0.9&family=pumadyn")
    with one.page.expect_download(timeout=2 * PATIENCE) as download:
        one.click("button", "Paper bundle", runs=False, exact=False)
    download.value.save_as(tmp_path / "paper.zip")
    endings = {Path(name).suffix for name in zipfile.ZipFile(tmp_path / "paper.zip").namelist()}
    assert {".pdf", ".svg", ".tex"} <= endings
    one.done("PDF, SVG and LaTeX of the diagram")


def test_own_scores_beside_those_of_the_archive(person, tmp_path):
    one = person()
    one.click("link", "Add data")
    one.drop(folds_csv(tmp_path / "mine.csv"))
    one.says("3 methods on 3 datasets")
    one.done("own scores")


def test_nine_malformed_files_are_each_told_in_one_line(person, tmp_path):
    texts = ["", "\x00\x01", "a", "a,b\n1", "method,dataset\nx,y\n", "{", "[1,", "a,b,c\n1,2\n", "x\ty\n1\n"]
    files = [tmp_path / f"bad-{number}.csv" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    one = person()
    one.click("link", "Add data")
    one.drop(*files)
    for file in files:
        one.says(file.name)
    assert "Traceback" not in one.said()
    one.done("nine malformed files")


def test_a_link_opened_fresh_shows_the_same(person):
    one = person("compare?task=/kin-32nm/dist/std.1024&compare-part=All+pairs")
    other = person("compare?" + urlsplit(one.page.url).query, scheme="dark")
    other.answers(one.visitor.answer())
    expect(other.page).to_have_title(one.page.title())
    other.done("a link opened fresh")


def test_back_and_forward_undo_and_redo_a_choice(person):
    one = person("compare?task=/kin-32nm/dist/std.64")
    few, many = (one.page.get_by_text(f"{size} training cases, under").first for size in ("64", "1,024"))
    expect(few).to_be_visible()
    before = one.visitor.answer()
    one.click("radio", "1024")
    expect(many).to_be_visible()
    after = one.visitor.answer()
    one.clicks += 2
    one.visitor.after(one.page.go_back)
    one.answers(before)
    one.visitor.after(one.page.go_forward)
    one.answers(after)
    assert after != before
    one.done("Back and Forward")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("rankng", "There is no page “rankng”; this is the nearest."),
        ("datasets?dataset=kin_32NM", "this is kin-32nm, the nearest name"),
        ("methods?method=knn-cv-2", "this is knn-cv-1, the nearest name"),
        ("compare?task=/kin-32nm/dist/std.1000", "std.1000"),
    ],
)
def test_an_address_of_what_does_not_exist_leads_to_the_nearest(person, asked, said):
    one = person(asked)
    expect(one.page.locator('[data-testid="stAlert"]').first).to_contain_text(said)
    one.done(asked)
