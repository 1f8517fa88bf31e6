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
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page

from benchmarks.visitor import find_chromium, running_browser, running_dashboard, settle
from dashboard.server.pages import ADDRESSES, FIRST

__all__ = ["main"]

SHEET = Path(__file__).with_name("contact-sheet.webp")
WIDTHS = (360, 390, 768, 1280, 1920)
SCHEMES = ("light", "dark")
MORE = ("datasets?dataset=kin-32nm", "methods?method=knn-cv-1")
"""What pages show of one thing, beside the pages."""
SHOWN, SCALE = 1600, 0.15
"""Pixels of a page's height that are shown, and how much smaller."""
UNTIL_STILL = 700
"""Milliseconds for figures to be drawn anew for a width."""
GAP, GROUND = 4, "#777777"


class Row(NamedTuple):
    """One view in one theme: its pictures, one a width."""

    view: str
    pictures: list[Image.Image]


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
            columns = [list(_rows(browser, base, scheme)) for scheme in SCHEMES]
    _sheet(columns).save(SHEET, quality=60, method=6)
    print(f"{SHEET.name}: {sum(map(len, columns))} views, {SHEET.stat().st_size / 1e6:.2f} MB")
    return 0


def _rows(browser: Browser, base: str, scheme: str) -> Iterator[Row]:
    """Open every view in one theme, and each of its tabs."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
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
            yield Row(view, [_picture(page, width) for width in WIDTHS])
    context.close()


def _picture(page: Page, width: int) -> Image.Image:
    page.set_viewport_size({"width": width, "height": SHOWN})
    page.wait_for_timeout(UNTIL_STILL)
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return image.resize((round(width * SCALE), round(SHOWN * SCALE)), Image.Resampling.LANCZOS)


def _sheet(columns: list[list[Row]]) -> Image.Image:
    """Lay the rows of both themes side by side, two views a line."""
    width = sum(round(one * SCALE) + GAP for one in WIDTHS)
    height = round(SHOWN * SCALE) + GAP
    lines = [rows for pair in zip(*columns, strict=True) for rows in [pair]]
    sheet = Image.new("RGB", (4 * width + GAP, height * -(-len(lines) // 2) + GAP), GROUND)
    for place, pair in enumerate(lines):
        for number, row in enumerate(pair):
            left = GAP + width * (2 * (place % 2) + number)
            for picture in row.pictures:
                sheet.paste(picture, (left, GAP + height * (place // 2)))
                left += picture.width + GAP
    return sheet


if __name__ == "__main__":
    sys.exit(main())
