"""Thirteen tasks of a newcomer on the shipped archive, found by the text that is seen, each in at most four clicks, a table
in LaTeX in six; and what addresses and choices must not get wrong."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE, ROOT, Visitor, served, visitors

MOST_CLICKS, MOST_FOR_LATEX = 4, 6
ARCHIVE = ROOT / "data" / "delve"
TERMS = {
    "prior": "What is thought to be known",
    "censored": "censored",
    "win rate": "Share of tasks on which one",
}
"""Words of the manual, and how what they mean begins."""


@pytest.fixture(scope="module")
def address(browser, whole_archive, tmp_path_factory) -> Iterator[str]:
    """The address of a server with the shipped archive."""
    with served(tmp_path_factory.mktemp("twelve"), ARCHIVE, cache=whole_archive) as address:
        yield address


def arrive(visitor: Visitor, address: str) -> Visitor:
    """Open the first page, and wait until the archive is read."""
    visitor.open(address)
    visitor.page.locator(".st-key-opening").wait_for(state="detached")
    visitor.settle()
    return visitor


@pytest.fixture(scope="module")
def arrived(browser, windows, address) -> Iterator[Visitor]:
    """A visitor for all tasks, of which the last leaves something behind."""
    with visitors(browser, windows) as make:
        yield arrive(make(), address)


class Person:
    """A visitor whose clicks are counted, from the opened page on."""

    def __init__(self, visitor: Visitor, address: str) -> None:
        self.visitor, self.page, self.clicks = visitor, visitor.page, 0
        self.page.keyboard.press("Escape")
        visitor.walk(address)
        self.began = time.monotonic()

    def click(self, role: str, name: str, *, runs: bool = True, exact: bool = True) -> None:
        """Click what is called so."""
        self.clicks += 1
        target = self.page.get_by_role(role, name=name, exact=exact).first
        self.visitor.after(target.click) if runs else target.click()

    def open_part(self, title: str) -> None:
        """Open what stands folded under a title."""
        self.clicks += 1
        self.page.locator("summary").filter(has_text=title).click()

    def choose(self, label: str, *options: str) -> None:
        """Open a list with one click, type what is wanted, and take it with Enter."""
        self.clicks += 1
        self.page.get_by_role("combobox", name=label, exact=True).first.click()
        for option in options:
            self.page.keyboard.type(option)
            self.page.get_by_role("option", name=option).first.wait_for()
            self.visitor.after(lambda: self.page.keyboard.press("Enter"))
        if len(options) > 1:
            self.page.keyboard.press("Escape")

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
        self.page.get_by_text("Add your own results").wait_for(state="detached", timeout=2 * PATIENCE)
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

    def done(self, task: str, most: int = MOST_CLICKS) -> None:
        """Tell how long the task took; fail where it took more clicks."""
        print(f"{task}: {self.clicks} clicks, {time.monotonic() - self.began:.1f} s", os.linesep)
        assert self.visitor.exceptions() == 0
        assert self.clicks <= most, (task, self.clicks)


@pytest.fixture
def person(arrived, address):
    """A person at a page: `person("ranking")`, the first one without a name."""
    return lambda place="": Person(arrived, f"{address}/{place}")


def test_the_best_method_and_how_sure_that_is(person):
    one = person()
    one.answers("gp-1 ranks first of 12 on 29 regression datasets")
    one.answers("beats knn-cv-1, cart-1 and base-1")
    one.done("the best method")


def test_where_knn_cv_1_wins(person):
    one = person()
    one.click("link", "Task-arrays")
    one.click("tab", "One method")
    one.choose("Method", "knn-cv-1")
    one.says("Where does it win, and where does it lose?")
    told = one.page.get_by_text(re.compile(r"^knn-cv-1 (wins|has the best mean|has the lowest|never|loses)"))
    expect(told.first).to_be_visible()
    one.done("where knn-cv-1 wins")


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


def test_a_categorical_dataset_with_few_cases_and_its_prior(person):
    one = person()
    one.click("link", "Datasets")
    one.click("button", "categorical · 1", exact=False)
    one.answers("1 of 33 datasets")
    one.click_row(0)
    expect(one.page.get_by_role("heading", level=1)).to_have_text(
        "titanic: 2,201 cases, 3 categorical inputs"
    )
    one.answers("Who survived")
    one.answers("knn-cv-1 and mlp-ese-1 are each best on 3 of 8 tasks")
    one.click("tab", "Priors")
    expect(one.page.locator('[data-testid="stDataFrame"] table').first).to_contain_text("binary")
    one.done("a categorical dataset and its prior")


def test_where_the_curves_of_three_methods_cross(visit, address):
    one = Person(arrive(visit(), address), address)
    one.click("link", "Task-arrays")
    one.choose("Task-array", "kin")
    one.click("tab", "Curves")
    one.answers("all 12 methods")  # and so any three
    one.says("No two methods swap places with significant differences at both sizes.")
    one.done("where curves cross")


def test_a_diagram_of_a_chosen_subset_as_a_file(person):
    one = person()
    one.click("button", "high noise")
    one.click("link", "Ranking")
    expect(one.visitor.first_line).not_to_contain_text("over 154 tasks")
    one.click("button", "Download", exact=False)
    with one.page.expect_download() as download:
        one.click("button", "PDF", runs=False)
    assert download.value.suggested_filename == "ranking-S-order.pdf"
    one.done("a diagram of a subset")


def test_latex_of_five_methods_on_eight_tasks(person, tmp_path):
    one = person()
    one.click("link", "Tables")
    members = [f"{inputs}{kind}" for inputs in (8, 32) for kind in ("fm", "fh", "nm", "nh")]
    one.choose("Tasks", *(f"/kin-{name}/dist/std.256" for name in members))
    one.click("button", "All 12 methods", runs=False)
    one.click("button", "Top 5")
    one.page.keyboard.press("Escape")
    one.answers("over 8 tasks")
    with one.page.expect_download() as download:
        one.click("button", "Download LaTeX", runs=False)
    download.value.save_as(tmp_path / "table.tex")
    assert "\\begin{tabular}" in (tmp_path / "table.tex").read_text()
    one.done("LaTeX of five methods on eight tasks", MOST_FOR_LATEX)


def test_why_a_result_is_missing(person):
    one = person()
    one.click("link", "Compare")
    one.choose("Task", "/titanic/survived/std.160")
    one.says("Without results here:")
    one.says("cannot: its target SURVIVED is binary")
    one.click("link", "Leaderboard")
    one.page.get_by_text("Why are results missing?").wait_for()
    one.clicks += 1
    one.visitor.after(one.page.get_by_text("Why are results missing?").click)
    expect(one.page.locator('[data-testid="stDataFrame"] table').last).to_contain_text("cannot: its target")
    one.done("why a result is missing")


def test_share_a_view_and_go_back(person):
    one = person()
    before = one.visitor.answer()
    one.click("link", "Ranking")
    one.click("radio", "99 %")
    one.click("button", "Copy link", runs=False)
    shared = one.page.locator(".st-key-copy-link code, [data-testid=stPopoverBody] code").first.inner_text()
    assert "level=0.99" in shared
    one.page.keyboard.press("Escape")
    one.visitor.after(one.page.go_back)
    one.visitor.after(one.page.go_back)
    one.answers(before)
    one.done("share and go back")


def test_what_three_terms_mean(person):
    one = person()
    one.click("button", "Glossary", exact=False)
    for term, meaning in TERMS.items():
        one.page.get_by_label("What does it mean?").fill("")
        one.type("What does it mean?", term)
        expect(one.page.get_by_text(meaning).first).to_be_visible()
    one.done("three terms")


def test_which_factor_matters(person):
    one = person()
    one.click("link", "Task-arrays")
    one.click("tab", "What drives it")
    one.says("What drives the loss?")
    expect(one.page.locator(".st-key-figure-array-effects text").first).to_be_attached()
    one.done("which factor matters")


def test_own_results_beside_the_rest_after_a_reload_too(person, tmp_path):
    file = tmp_path / "own.csv"
    tasks = [f"/kin-8fm/dist/std.{size}" for size in (64, 128, 256, 512, 1024)]
    file.write_text("dataset,method,loss,value\n" + "".join(f"{task},newest,S,0.001\n" for task in tasks))
    one = person()
    one.click("link", "Add data")
    one.drop(file)
    one.says("5 of 5 tasks")
    one.visitor.open(one.page.url)
    one.says("own.csv")
    one.click("button", "Ranking")
    one.says("newest")
    one.done("own results beside the rest")


def test_own_scores_of_folds_are_compared_with_their_own_errors(visit, address, tmp_path):
    file = tmp_path / "folds.csv"
    lines = [
        f"{task},{method},{fold},{0.1 * place + 0.01 * (fold % 3 + fold * shift) + shift}"
        for place, task in enumerate(("mine-1", "mine-2", "mine-3", "mine-4", "mine-5"))
        for method, shift in (("newest", 0.0), ("older", 0.2))
        for fold in range(10)
    ]
    file.write_text("\n".join(["dataset,method,fold,rmse", *lines, ""]))
    one = Person(arrive(visit(), address), address)
    one.click("link", "Add data")
    one.drop(file)
    one.answers("newest")
    one.says("10 folds")
    one.click("button", "Compare")
    one.answers(re.compile("older .* significantly .* newest|newest .* significantly .* older"))
    one.done("own scores of folds")
    one.click("link", "Leaderboard")
    one.says("Costs are shown if the times of at least two methods on two datasets are known.")


def test_which_method_for_small_noisy_data(person):
    one = person()
    one.click("button", "high noise")
    one.choose("Training cases", "64")
    one.answers("lasso-cv-1 ranks first")
    one.done("which method for small noisy data")


@pytest.mark.parametrize("task", ["demo/age/std.128", "/lin-1/demo/age/std.128"])
def test_a_task_is_understood_without_its_slash_and_with_a_method(person, task):
    one = person(f"compare?task={task}")
    one.answers("on /demo/age/std.128")
    expect(one.page.get_by_role("combobox", name="Task", exact=True).first).to_have_value("/demo/age/std.128")


def test_a_heading_on_kinds_speaks_of_what_the_columns_show(person):
    one = person()
    one.choose("Columns", "Families")
    one.choose("What is shown", "Within 10 %")
    one.answers("within 10 % of the best")
    one.says("Within 10 %")


def test_a_method_chosen_after_none_is_the_only_one_that_is_pressed(visit, address):
    one = Person(arrive(visit(), address), f"{address}/ranking")
    one.click("button", "All 12 methods", runs=False)
    one.click("button", "None")
    pressed = one.page.locator('.st-key-control-methods button[aria-pressed="true"]')
    expect(pressed).to_have_count(0)
    one.click("button", "gp-1")
    expect(pressed).to_have_text(["gp-1"])
    one.answers("gp-1 is only one method")
