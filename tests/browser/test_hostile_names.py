"""Hostile names in a real browser: no other host is asked, nothing is said in a dialog, no script runs, no link is made."""

from urllib.parse import quote, urlencode

import pytest

from tests.browser.conftest import served
from tests.hostile_archive import ARRAY, DATASET_NAME, DIRECTORY_NAMES, hostile_archive

DANGEROUS = [
    name for name in DIRECTORY_NAMES if any(word in name for word in ("evil", "<", "$", ":", "[", "*"))
][:80]
AGE = f"/{DATASET_NAME}/age/std.8"
HARM = (
    "a[href^='mailto']",
    "a[href^='javascript']",
    "img[src*='evil']",
    "img[src='x']",
    "iframe",
)
LEADING_AWAY = """() => [...document.querySelectorAll('a[href]')].map(link => link.href).filter(
  address => new URL(address).origin !== location.origin || /evil/.test(new URL(address).pathname))"""
"""The addresses of links that lead to another host, or to a page of this one that a name makes up."""
ADDRESSES = (
    "/",
    "/?dataset=../../etc/passwd&loss=<script>alert(1)</script>&level=![x](http://evil.example/c)",
    f"/datasets?{urlencode({'dataset': DATASET_NAME})}",
    f"/datasets?{urlencode({'dataset': DATASET_NAME, 'part': 'Summary and source'})}",
    "/methods",
    *(f"/methods?{urlencode({'method': name, 'method-part': 'Documentation'})}" for name in DANGEROUS[::27]),
    f"/compare?{urlencode({'task': AGE, 'loss': 'S', 'methods': DANGEROUS[:40]}, doseq=True)}",
    f"/task_arrays?array={quote(ARRAY)}",
    "/ranking",
    "/tables",
    "/file_check",
)


@pytest.fixture(scope="module")
def hostile_address(browser, tmp_path_factory):
    directory = tmp_path_factory.mktemp("hostile")
    with served(directory, hostile_archive(directory, DANGEROUS)) as address:
        yield address


def test_no_name_reaches_another_host_or_becomes_a_link(visit, hostile_address):
    visitor, dialogs = visit(), []
    visitor.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    visitor.open(hostile_address)
    for address in ADDRESSES:
        visitor.walk(hostile_address + address)
        assert visitor.exceptions() == 0, address
        assert visitor.page.evaluate(LEADING_AWAY) == [], address
        for selector in HARM:
            assert visitor.page.locator(selector).count() == 0, (address, selector)
    assert dialogs == []
    # That no other host is asked, and that no page reports an error, every visitor's end looks at.
