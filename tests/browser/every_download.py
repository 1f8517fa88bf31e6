"""Open every page of a dashboard that is served, save every file that it offers, and list what is wrong.

`python -m tests.browser.every_download URL --log FILE` ends with status 1 after an exception on a page, a file whose
content is of another kind than its name says, or a traceback in FILE, the server's log."""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from playwright import sync_api as playwright

from dashboard.server.pages import PAGES
from delvecore.report.paper.table import PAPER_FORMATS
from tests.browser.conftest import FLAGS, PATIENCE, Visitor, address_of, find_chromium
from tests.browser.downloads import fault_of

BUTTONS = ':is([data-testid="stDownloadButton"] button, [data-picture], a[download]):visible'
POPOVERS = '[data-testid="stPopoverButton"]:visible'
CLOSED = '[data-testid="stExpander"] details:not([open]) > summary:visible'
TABS = '[role="tab"]:visible'
EXCEPTIONS = '[data-testid="stException"]'
KEY = """element => [
  location.pathname,
  element.closest('[class*="st-key-"]')?.className.match(/st-key-[\\w-]+/)[0],
  element.parentElement.dataset.name,
  element.textContent,
].join(' ')"""
"""What tells an element of a page from the others."""
CASES = "x,y,kind\n" + "".join(f"{n}.5,{n * n % 7},{'ab'[n % 2]}\n" for n in range(40))
UPLOAD = {"name": "cases.csv", "mimeType": "text/csv", "buffer": CASES.encode()}
"""A file from which the Add data page makes a dataset."""
LONGEST_UPLOAD = 4 * PATIENCE
"""Milliseconds. Processes that start on a busy machine take several times as long as a page."""


class Saver:
    """A visitor who saves every file that pages offer. saved: names of the files; faults: what is wrong."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.page = visitor, visitor.page
        self.saved: list[str] = []
        self.faults: list[str] = []
        self._done: set[str] = set()

    def look_at(self, address: str) -> None:
        """Go to an address, and save all files that its tabs offer."""
        self.visitor.walk(address)
        self.save_all()
        for number in range(self.page.locator(TABS).count()):
            tab = self.page.locator(TABS).nth(number)
            if tab.get_attribute("aria-selected") != "true":
                self.visitor.act(tab.click)
                self.save_all()

    def save_all(self) -> None:
        """Save the files that are offered here, in expanders and in menus."""
        for expander in self._new(CLOSED):
            self.visitor.act(expander.click)
        self._save_seen()
        for menu in self._new(POPOVERS):
            self.visitor.act(menu.click)
            self._save_seen()
            self.visitor.act(lambda: self.page.keyboard.press("Escape"))
        texts = self.page.locator(EXCEPTIONS).all_inner_texts()
        self.faults += [f"{self.page.url}: exception on the page: {text}" for text in texts]

    def save_with(self, name: str) -> None:
        """Wait for a button of this name, and save all files that are offered then."""
        button = self.page.get_by_role("button", name=name, exact=True)
        button.wait_for(timeout=LONGEST_UPLOAD)
        self.visitor.settle()
        self.save_all()

    def _save_seen(self) -> None:
        for button in self._new(BUTTONS):
            file = self._press(button) or self._press(button)
            if file is None:
                label = button.inner_text().replace("\n", " ")
                self.faults.append(f"{self.page.url}: expected a file from {label!r}, found none")
                continue
            self.saved.append(file.suggested_filename)
            if fault := fault_of(file.suggested_filename, file.path().read_bytes()):
                self.faults.append(f"{self.page.url}: {fault}")

    def _press(self, button: playwright.Locator) -> playwright.Download | None:
        """Press a button and return its file; None if none comes, as where the page is just drawn anew."""
        try:
            with self.page.expect_download(timeout=PATIENCE) as download:
                button.click()
        except playwright.TimeoutError:
            return None
        return download.value

    def _new(self, selector: str) -> Iterator[playwright.Locator]:
        """Yield the elements one by one that have not been yielded before: a click may change which there are."""
        while True:
            element = self.page.locator(selector)
            keys = element.evaluate_all(f"elements => elements.map({KEY})")
            number = next((number for number, key in enumerate(keys) if key not in self._done), None)
            if number is None:
                return
            self._done.add(keys[number])
            yield element.nth(number)


def save_every_download(visitor: Visitor, base: str, *, dataset: str, method: str) -> Saver:
    """Open every page at an address, save every file, and return what was saved and what is wrong. dataset, method:
    the ones whose details are opened."""
    saver = Saver(visitor)
    visitor.open(base)
    for page in PAGES:
        saver.look_at(address_of(base, page.name))
    saver.look_at(f"{base}/datasets?dataset={dataset}")
    saver.look_at(f"{base}/methods?method={method}")
    for form in PAPER_FORMATS:
        saver.look_at(f"{base}/tables?format={form}")
    visitor.walk(f"{base}/add_data")
    visitor.page.locator("input[type=file]").first.set_input_files(UPLOAD)
    # A process of its own reads the file, and another one makes the dataset.
    saver.save_with("Make the dataset")
    visitor.page.get_by_role("button", name="Make the dataset").click()
    saver.save_with("Download")
    saver.faults += [f"{base}: {problem}" for problem in (*visitor.problems, *visitor.foreign)]
    return saver


def log_faults(log: Path) -> list[str]:
    """Return the tracebacks in the log of a server as one fault, none without."""
    text = log.read_text(errors="replace")
    return [f"{log}: expected no traceback, found one:\n{text}"] if "Traceback" in text else []


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("url", metavar="URL", help="address of the dashboard, such as http://127.0.0.1:8501")
    parser.add_argument("--log", metavar="FILE", type=Path, required=True, help="what the server prints")
    parser.add_argument("--dataset", metavar="NAME", default="demo", help="the one to open (demo)")
    parser.add_argument("--method", metavar="NAME", default="lin-1", help="the one to open (lin-1)")
    options = parser.parse_args()
    started, base = time.monotonic(), options.url.rstrip("/")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        visitor = Visitor(browser.new_page(viewport={"width": 1280, "height": 900}, accept_downloads=True))
        saver = save_every_download(visitor, base, dataset=options.dataset, method=options.method)
        browser.close()
    faults = [*saver.faults, *log_faults(options.log)]
    print("\n".join([*faults, f"{len(saver.saved)} files in {time.monotonic() - started:.0f} s"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
