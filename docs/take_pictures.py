"""Take the pictures of the dashboard that the documentation shows: `python docs/take_pictures.py`.

Starts the dashboard on the shipped archive and a real browser, and writes docs/pictures/*.png.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.visitor import find_chromium, running_browser, running_dashboard, settle

__all__ = ["main"]

PICTURES = Path(__file__).with_name("pictures")
VIEWPORT = {"width": 1280, "height": 860}
PAGES = {
    "leaderboard": "/",
    "task-arrays": "/task_arrays?array=kin",
    "compare": "/compare?task=/demo/age/std.128",
}
SUFFIXES = {"light": "", "dark": "-dark"}
UNTIL_STILL = 800
"""Milliseconds for transitions to end after everything is drawn."""


def main(arguments: list[str] | None = None) -> int:
    """Take all pictures; return 0, or 1 where there is no Chromium."""
    argparse.ArgumentParser(prog="docs/take_pictures.py", description=__doc__).parse_args(arguments)
    chromium = find_chromium()
    if chromium is None:
        print("no Chromium is found (Debian: apt-get install chromium)", file=sys.stderr)
        return 1
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as cache,
        running_dashboard(cache=cache) as address,
        running_browser(chromium) as browser,
    ):
        for name, page in PAGES.items():
            for scheme, suffix in SUFFIXES.items():
                _take(browser, address + page, scheme, PICTURES / f"{name}{suffix}.png")
    return 0


def _take(browser: Browser, address: str, scheme: str, target: Path) -> None:
    context = browser.new_context(viewport=VIEWPORT, color_scheme=scheme)
    try:
        page = context.new_page()
        page.goto(address)
        settle(page)
        page.wait_for_timeout(UNTIL_STILL)
        page.screenshot(path=target)
        print(target.relative_to(PICTURES.parent.parent))
    finally:
        context.close()


if __name__ == "__main__":
    sys.exit(main())
