"""The Add data page in a browser: files are dropped, checked, and shown to one visitor."""

import re

import pytest
from playwright.sync_api import expect

from tests.archives import losses
from tests.packed import pack_members

TASK = "mine/demo/age/std.8"


@pytest.fixture
def method_file(tmp_path):
    members = [(f"{TASK}/loss.S.{n}", losses(n, 4, 0.5)) for n in range(2)]
    return pack_members(tmp_path / "mine-all.tar.gz", [*members, ("mine/Summary", "Mine.\n")])


def drop(visitor, *paths):
    """Give files to the uploader and wait for the two runs: the one that takes them, and the one after it."""
    inputs = visitor.page.locator('[data-testid="stFileUploaderDropzoneInput"]')
    visitor.after(lambda: inputs.set_input_files([str(path) for path in paths]))
    expect(visitor.page.locator("h3, [data-testid='stAlert']").first).to_be_visible()
    visitor.settle()


def test_a_method_is_added_opened_and_taken_away_and_another_visitor_sees_nothing_of_it(
    visit, full_address, method_file
):
    visitor = visit()
    visitor.open(full_address + "/add_data")
    drop(visitor, method_file)
    expect(
        visitor.page.get_by_text("is shown next to this archive on all pages, only to you.")
    ).to_be_visible()
    other = visit()
    other.open(full_address + "/methods?method=mine")
    expect(other.page.get_by_text("which this archive does not have")).to_be_visible()
    other.walk(full_address + "/add_data")
    expect(other.page.get_by_text("Add your own results")).to_be_visible()
    visitor.after(lambda: visitor.page.get_by_role("button", name="Open", exact=False).click())
    expect(visitor.page.get_by_role("heading", name=re.compile("^mine"))).to_be_visible()
    expect(visitor.page.get_by_text("mine", exact=True).first).to_be_visible()
    visitor.after(lambda: visitor.page.get_by_role("link", name="Add data").click())
    visitor.after(lambda: visitor.page.get_by_role("button", name="Remove").click())
    expect(visitor.page.get_by_text("Add your own results")).to_be_visible()
    assert visitor.exceptions() == 0


def test_a_file_larger_than_allowed_is_refused_by_the_server_too(visit, full_address):
    visitor = visit()
    visitor.open(full_address + "/add_data")
    answer = visitor.page.evaluate(
        """async () => {
            const body = new FormData();
            body.append('file', new Blob([new Uint8Array(21 << 20)]), 'x.tar.gz');
            const token = (document.cookie.match(/_streamlit_xsrf=([^;]+)/) || [])[1] || '';
            const answer = await fetch('/_stcore/upload_file/none/none',
                {method: 'PUT', body, headers: {'X-Xsrftoken': token}});
            return answer.status;
        }"""
    )
    assert 400 <= answer < 500
    visitor.problems.clear()  # the browser's own report of the refusal
