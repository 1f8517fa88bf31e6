"""A dashboard in a process of its own, and a real browser that visits it."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence

from playwright.sync_api import Browser, Page, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-quic", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--hide-scrollbars"),
)
_PATIENCE = 180_000
_FINISHED = "[data-testid=stApp][data-test-script-state=notRunning]"
_WHOLE = "() => !document.querySelector('.st-key-opening')"
_DRAWN = """() => {
  const folded = (element) => element.closest('details:not([open])');
  const all = (what) => [...document.querySelectorAll(what)].filter((element) => !folded(element));
  const waiting = all('[data-testid=stSkeleton], [data-testid=stAppSkeleton], [data-stale=true]');
  const empty = all('[data-testid=stPlotlyChart]').filter((chart) => !chart.querySelector('.main-svg'));
  const blank = all('[data-testid=stDataFrame]').filter((table) => !table.querySelector('canvas'));
  return waiting.length + empty.length + blank.length === 0 && document.fonts.status === 'loaded';
}"""


def find_chromium() -> str | None:
    """Return the path of a Chromium on this machine, or None."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


class Dashboard(str):
    """The address of a dashboard. pid: of its process."""

    pid: int

    def peak(self) -> float:
        """The most memory that its process has had so far, in megabytes. Linux alone tells."""
        with open(f"/proc/{self.pid}/status") as status:
            lines = dict(line.split(":", 1) for line in status)
        return int(lines["VmHWM"].split()[0]) * 1024 / 1e6


@contextlib.contextmanager
def running_dashboard(paths: Sequence[str] = (), *, cache: str | None = None) -> Iterator[Dashboard]:
    """Serve the dashboard of these delve directories (none: the shipped archive) and yield its address.

    cache: a directory for the archive's cache instead of the user's. Raises OSError if it does not start.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, "-m", "delvecore.cli.delve", "dashboard", "--no-browser", "--port", port]
    environment = {name: value for name, value in os.environ.items() if name != "DELVE_PATH"}
    if cache:
        environment["XDG_CACHE_HOME"] = cache
    server = subprocess.Popen([*command, *paths], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        address = Dashboard(_address(server))
        address.pid = server.pid
        yield address
    finally:
        server.terminate()
        server.wait()


def _address(server):
    """Wait for the line in which the dashboard says where it is; a silent one is ended after a minute."""
    alarm = threading.Timer(_PATIENCE / 1000, server.kill)
    alarm.start()
    try:
        for line in server.stdout:
            for word in line.split():
                if word.startswith("http://"):
                    return word
    finally:
        alarm.cancel()
    raise OSError("the dashboard did not start")


@contextlib.contextmanager
def running_browser(chromium: str) -> Iterator[Browser]:
    """Start Chromium without a window and yield it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def settle(page: Page, *, whole: bool = True) -> None:
    """Wait until the script has run and everything on the page is drawn. whole: of an archive that is still
    being read all, not only what is there."""
    if whole:
        page.wait_for_selector(_FINISHED, timeout=_PATIENCE)
        page.wait_for_function(_WHOLE, timeout=_PATIENCE)
    page.wait_for_selector(_FINISHED, timeout=_PATIENCE)
    page.wait_for_function(_DRAWN, timeout=_PATIENCE)
