"""The page Tables in a browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.archives import small_archive
from tests.browser.conftest import start_server
from tests.dashboard.compare_archive import AGE, add_losses, drawn_losses

HOSTILE = "![x](http:evil.example)<img src=x>"


@pytest.fixture(scope="module")
def tables_address(browser, tmp_path_factory):
    """The address of the page on a server with five methods, one of which wants to be more than a name."""
    directory = tmp_path_factory.mktemp("tables")
    archive = small_archive(directory)
    for number, method in enumerate(("near", "far", HOSTILE)):
        add_losses(archive, method, AGE, "S", drawn_losses(number, (2, 4), shift=number))
    process, address = start_server(directory, archive)
    yield f"{address}/tables"
    process.terminate()
    process.wait(10)


def test_the_table_is_shown_within_the_window(visit, tables_address):
    visitor = visit("dark")
    visitor.open(f"{tables_address}?loss=S")
    assert visitor.exceptions() == 0
    table = visitor.page.locator(".st-key-paper-table table")
    expect(table.locator("thead")).to_contain_text("near")
    expect(table.locator("tfoot")).to_contain_text("not significantly worse than the best")
    visitor.fits((390, 1280, 1920))


def test_names_of_files_stay_names(visit, tables_address):
    visitor = visit()
    visitor.open(f"{tables_address}?loss=S&format=html")
    expect(visitor.page.locator(".st-key-paper-table thead")).to_contain_text(HOSTILE)
    assert visitor.page.locator(".st-key-paper-table img").count() == 0


def test_a_download_is_what_the_page_shows(visit, tables_address, tmp_path):
    visitor = visit()
    visitor.open(f"{tables_address}?loss=S&tasks={AGE}&format=markdown")
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Download Markdown").click()
    assert download.value.suggested_filename == "table-S.md"
    download.value.save_as(tmp_path / "table.md")
    content = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert "| Task | Cases |" in content
    assert "delve table --format markdown --loss S --method " in content  # one name holds blanks
    shown = visitor.page.locator('.stCode:has-text("| Task | Cases |")').first.inner_text()
    assert content.splitlines()[2] in shown


def test_what_is_chosen_is_in_the_address(visit, tables_address):
    visitor = visit()
    visitor.open(f"{tables_address}?loss=S")
    visitor.after(visitor.page.get_by_role("radio", name="rows").click)
    visitor.page.wait_for_url(re.compile("layout=rows"))
    expect(visitor.page.locator(".st-key-paper-table thead")).to_contain_text("Method")
    visitor.after(visitor.page.get_by_role("radio", name="Typst").click)
    visitor.page.wait_for_url(re.compile("format=typst"))
