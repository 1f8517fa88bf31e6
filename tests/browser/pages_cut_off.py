"""Open every page, full and empty, dark and narrow, on a machine whose network leads nowhere.

`unshare --net --map-root-user python -m tests.browser.pages_cut_off DIRECTORY` does so and fails at what is wrong."""

import fcntl
import socket
import struct
import sys
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from dashboard.server.pages import ADDRESSES
from tests.archives import small_archive, write_tree
from tests.browser.conftest import FLAGS, PATIENCE, Visitor, find_chromium, served
from tests.browser.layout import TURNED_TEXT, WIDER_THAN_WINDOW, address_of

UNREACHABLE = 101
"""The number of the system's error where no network leads to an address."""


def raise_loopback() -> None:
    """The loopback of a new network is down; 0x8914 is SIOCSIFFLAGS of Linux, the flags IFF_UP and IFF_RUNNING."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        fcntl.ioctl(one, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))


def check_cut_off() -> None:
    with socket.socket() as one:
        one.settimeout(5)
        if (found := one.connect_ex(("192.0.2.1", 80))) != UNREACHABLE:
            sys.exit(f"expected a network that leads nowhere, found error {found} of the system")


def open_every_page(visitor: Visitor, address: str, *, is_empty: bool) -> None:
    visitor.open(address)
    titles = set()
    for page in ADDRESSES:
        visitor.walk(address_of(address, page))
        assert visitor.exceptions() == 0, page
        title = visitor.page.locator("h1").inner_text()
        assert title.endswith("?") or (": " in title and not is_empty), title
        assert visitor.page.evaluate(WIDER_THAN_WINDOW) <= 0, page
        assert visitor.page.evaluate(TURNED_TEXT) == [], page
        titles.add(visitor.page.title())
    assert len(titles) == len(ADDRESSES) - 1  # Methods leads to the leaderboard, which lists them
    assert (visitor.problems, visitor.foreign) == ([], [])


def main(directory: Path) -> None:
    raise_loopback()
    check_cut_off()
    expect.set_options(timeout=PATIENCE)
    full = small_archive(directory)
    empty = write_tree(directory / "delve-empty", {"data/.keep": "", "methods/.keep": ""})
    with sync_playwright() as driver, served(directory, full) as one, served(directory, empty) as other:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page = browser.new_page(color_scheme="dark", viewport={"width": 390, "height": 900})
        for address, is_empty in ((one, False), (other, True)):
            open_every_page(Visitor(page), address, is_empty=is_empty)
        browser.close()
    print("every page opened")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
