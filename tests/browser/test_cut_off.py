"""Every page, full and empty, dark and narrow; the full ones in a network that nothing leaves: its loopback leads
nowhere.

`unshare --net --map-root-user python -m tests.browser.test_cut_off DIRECTORY` opens them, and fails at what is wrong."""

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from dashboard.server.pages import ADDRESSES
from tests.archives import small_archive, write_tree
from tests.browser.conftest import (
    FLAGS,
    PATIENCE,
    ROOT,
    TURNED_TEXT,
    WIDER_THAN_WINDOW,
    Visitor,
    address_of,
    find_chromium,
    served,
)

UNREACHABLE = 101
"""The number of the system's error where no network leads to an address."""


def raise_loopback() -> None:
    """The loopback of a new network is down; 0x8914 is SIOCSIFFLAGS of Linux, the flags IFF_UP and IFF_RUNNING."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        fcntl.ioctl(one, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))


def check_cut_off() -> None:
    with socket.socket() as one:
        one.settimeout(5)
        if (code := one.connect_ex(("192.0.2.1", 80))) != UNREACHABLE:
            sys.exit(f"expected a network that leads nowhere, found error {code} of the system")


def open_every_page(visitor: Visitor, address: str, *, is_empty: bool) -> None:
    visitor.open(address)
    titles = set()
    for page in ADDRESSES:
        visitor.walk(address_of(address, page))
        assert visitor.exceptions() == 0, page
        heading = visitor.heading()
        assert not (is_empty and ": " in heading), heading  # nothing is found, and no thing is shown
        assert visitor.page.evaluate(WIDER_THAN_WINDOW) <= 0, page
        assert visitor.page.evaluate(TURNED_TEXT) == [], page
        titles.add(visitor.page.title())
    assert len(titles) == len(ADDRESSES)


def main(directory: Path) -> None:
    raise_loopback()
    check_cut_off()
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as driver, served(directory, small_archive(directory)) as address:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page = browser.new_page(color_scheme="dark", viewport={"width": 390, "height": 900})
        visitor = Visitor(page)
        open_every_page(visitor, address, is_empty=False)
        assert (visitor.problems, visitor.foreign) == ([], [])
        browser.close()
    print("every page opened")


def test_every_page_of_an_empty_archive_opens(visit, tmp_path):
    empty = write_tree(tmp_path / "delve-empty", {"data/.keep": "", "methods/.keep": ""})
    with served(tmp_path, empty) as address:
        open_every_page(visit("dark", width=390), address, is_empty=True)


ALONE = ["unshare", "--net", "--map-root-user"]


def test_every_page_opens_without_a_network(browser, tmp_path):
    if shutil.which("unshare") is None or subprocess.run([*ALONE, "true"], capture_output=True).returncode:
        pytest.skip("a network of its own needs Linux, and leave to make one")
    done = subprocess.run(
        [*ALONE, sys.executable, "-m", "tests.browser.test_cut_off", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "every page opened" in done.stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]))
