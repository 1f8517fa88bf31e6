"""Draw all pages and tabs of the dashboard at five widths, light and dark, on one sheet.

`python -m docs.draw_contact_sheet`
Starts the dashboard on the shipped archive and a real browser, and writes docs/contact-sheet.webp."""

import argparse
import contextlib
import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page

from benchmarks.visitor import find_chromium, running_browser, running_dashboard, settle
from dashboard.server.pages import ADDRESSES, FIRST

__all__ = ["main"]

SHEET = Path(__file__).with_name("contact-sheet.webp")
WIDTHS = (360, 390, 768, 1280, 1920)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MORE = ("datasets?dataset=kin-32nm", "methods?method=knn-cv-1")
"""What pages show of one thing, beside the pages."""
SHOWN, SCALE = 1600, 0.15
"""Pixels of a page's height that are shown, and how much smaller."""
UNTIL_STILL = 400
"""Milliseconds for figures to be drawn anew for a width."""
GAP, GROUND = 4, "#777777"


class Row(NamedTuple):
    """One view: its pictures in each theme, one a width."""

    view: str
    pictures: dict[str, list[Image.Image]]


def main(arguments: list[str] | None = None) -> int:
    """Draw the sheet; return 0, or 1 where there is no Chromium."""
    parser = argparse.ArgumentParser(prog="docs/draw_contact_sheet.py", description=__doc__)
    parser.add_argument("--address", help="of a dashboard that runs already")
    address = parser.parse_args(arguments).address
    chromium = find_chromium()
    if chromium is None:
        print("no Chromium is found (Debian: apt-get install chromium)", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as cache, running_browser(chromium) as browser:
        running = contextlib.nullcontext(address) if address else running_dashboard(cache=cache)
        with running as base:
            rows = list(_rows(browser, base))
    _sheet(rows).save(SHEET, quality=60, method=6)
    print(f"{SHEET.name}: {len(rows)} views, {SHEET.stat().st_size / 1e6:.2f} MB")
    return 0


def _rows(browser: Browser, base: str) -> Iterator[Row]:
    """Open every view, and each of its tabs."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    for view in (*ADDRESSES, *MORE):
        page.goto(base if view == FIRST else f"{base}/{view}")
        settle(page)
        page.wait_for_selector(".st-key-opening", state="detached")
        settle(page)
        tabs = page.locator('[data-testid="stTabs"] [role="tab"]')
        for number in range(max(1, tabs.count())):
            page.set_viewport_size({"width": 1280, "height": SHOWN})
            if number:
                tabs.nth(number).click()
                page.wait_for_timeout(UNTIL_STILL)
                settle(page)
            yield Row(view, _pictures(page))
    context.close()


def _pictures(page: Page) -> dict[str, list[Image.Image]]:
    """Take the view as it stands at all widths, in both themes."""
    pictures: dict[str, list[Image.Image]] = {}
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        pictures[scheme] = [_picture(page, width) for width in WIDTHS]
    return pictures


def _picture(page: Page, width: int) -> Image.Image:
    page.set_viewport_size({"width": width, "height": SHOWN})
    page.wait_for_timeout(UNTIL_STILL)
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return image.resize((round(width * SCALE), round(SHOWN * SCALE)), Image.Resampling.LANCZOS)


def _sheet(rows: list[Row]) -> Image.Image:
    """Lay both themes of a view side by side, two views a line."""
    width = sum(round(one * SCALE) + GAP for one in WIDTHS)
    height = round(SHOWN * SCALE) + GAP
    sheet = Image.new("RGB", (4 * width + GAP, height * -(-len(rows) // 2) + GAP), GROUND)
    for place, row in enumerate(rows):
        for number, scheme in enumerate(SCHEMES):
            left = GAP + width * (2 * (place % 2) + number)
            for picture in row.pictures[scheme]:
                sheet.paste(picture, (left, GAP + height * (place // 2)))
                left += picture.width + GAP
    return sheet


if __name__ == "__main__":
    sys.exit(main())
