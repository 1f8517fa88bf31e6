"""A real browser on a real server: every page is driven as a visitor would.

Without a Chromium these tests skip; with DELVE_REQUIRE_BROWSER=1 its absence is a failure.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from dashboard.server.pages import FIRST, PAGES
from tests.archives import small_archive, write_tree
from tests.dashboard.array_archive import array_archive

ROOT = Path(__file__).resolve().parents[2]
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP delve.example.org 127.0.0.1",
]
DONE = '[data-testid="stApp"][data-test-connection-state="CONNECTED"][data-test-script-state="notRunning"]'
SETTLED = """() => {
  const all = selector => document.querySelectorAll(selector);
  if (all('[data-testid="stSkeleton"],[data-testid="stAppSkeleton"],[data-stale="true"]').length) return false;
  for (const chart of all('[data-testid="stPlotlyChart"]')) {
    if (!chart.checkVisibility()) continue;
    const plot = chart.querySelector('.js-plotly-plot');
    if (!plot || !plot._fullLayout || !plot.querySelector('.main-svg')) return false;
  }
  for (const table of all('[data-testid="stDataFrame"]'))
    if (table.checkVisibility() && !table.querySelector('canvas')) return false;
  return document.fonts.status === 'loaded';
}"""
FITS = """() => {
  const main = document.querySelector('[data-testid="stMain"]'), page = document.documentElement;
  return innerWidth === page.clientWidth && main.scrollWidth <= main.clientWidth && page.scrollWidth <= innerWidth;
}"""
WIDER_THAN_WINDOW = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  return main.scrollWidth - main.clientWidth;
}"""
TURNED_TEXT = """() => [...document.querySelectorAll('.js-plotly-plot text')].filter(text => {
  const turn = (text.getAttribute('transform') || '').match(/rotate\\((-?[0-9.]+)/);
  return turn && Math.abs(parseFloat(turn[1])) % 360 > 1;
}).map(text => text.textContent)"""

TEXTS_IN_THE_WAY = """() => {
  const LEAST = 2.5;  // pixels that letters' boxes may share: a box is higher than its letters.
  const found = [];
  const clip = (box, by) => ({left: Math.max(box.left, by.left), top: Math.max(box.top, by.top),
    right: Math.min(box.right, by.right), bottom: Math.min(box.bottom, by.bottom)});
  const isEmpty = box => box.right - box.left < LEAST || box.bottom - box.top < LEAST;
  const named = element => element.closest('[class*="st-key-"]')?.className.toString().match(/st-key-[\\w-]+/)?.[0] ?? '';
  const layer = element => {
    for (let e = element; e; e = e.parentElement) {
      const position = getComputedStyle(e).position;
      if (position === 'fixed' || position === 'sticky' || e.matches('[data-testid="stSidebar"],[role="tooltip"],[data-baseweb="popover"]')) return e;
    }
    return document.body;
  };
  const texts = [];
  const walker = document.createTreeWalker(document.querySelector('[data-testid="stApp"]'), NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const text = node.data.trim(), element = node.parentElement;
    if (!text || element.closest('canvas,style,script,noscript,[data-testid="stIconMaterial"],[aria-hidden="true"]')) continue;
    if (element.closest('[data-testid="stSidebar"]')?.getBoundingClientRect().right < 50) continue;
    if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    if (element.closest('svg') && parseFloat(getComputedStyle(element).fillOpacity) === 0) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      let box = {left: line.left, top: line.top, right: line.right, bottom: line.bottom};
      if (isEmpty(box)) continue;
      let isCut = false;
      for (let e = element; e && e !== document.body && e.dataset.testid !== 'stMain'; e = e.parentElement) {
        const style = getComputedStyle(e);
        const sides = e.tagName === 'svg' ? ['hidden', 'hidden'] : [style.overflowX, style.overflowY];
        if (sides.every(side => side === 'visible')) continue;
        const by = e.getBoundingClientRect(), seen = clip(box, by);
        const goes = sides.some(side => side === 'auto' || side === 'scroll');
        if (style.textOverflow === 'ellipsis' && box.right > by.right + LEAST) isCut = 'ellipsis';
        else if (!goes && (box.right > by.right + LEAST || box.left < by.left - LEAST || box.bottom > by.bottom + LEAST * 2)) isCut = isCut || 'cut';
        box = seen;
        if (goes) break;
      }
      if (isCut && by1(element)) found.push([isCut, text.slice(0, 60), named(element)]);
      if (!isEmpty(box)) texts.push({text, element, box, layer: layer(element)});
    }
  }
  function by1(element) { const box = element.getBoundingClientRect(); return box.width > 1 && box.height > 1; }
  texts.sort((one, other) => one.box.top - other.box.top);
  for (let i = 0; i < texts.length; i++) {
    for (let j = i + 1; j < texts.length && texts[j].box.top < texts[i].box.bottom - LEAST; j++) {
      if (texts[i].layer !== texts[j].layer || texts[i].element === texts[j].element) continue;
      if (!isEmpty(clip(texts[i].box, texts[j].box)))
        found.push(['overlap', texts[i].text.slice(0, 60) + ' | ' + texts[j].text.slice(0, 60), named(texts[i].element)]);
    }
  }
  return [...new Set(found.map(one => one.join(': ')))];
}"""
WALK = """address => {
  history.pushState({}, '', address);
  dispatchEvent(new PopStateEvent('popstate', {state: {}}));
}"""
# On a deep link Streamlit looks for its own addresses below the page first: two 404s by design.
PROBES = re.compile(r"/[^/]+/_stcore/(health|host-config)$")
SECONDS_TO_START = 60
SECONDS_TO_END = 30
MOST_WORDS = 15
"""Of a heading."""
PATIENCE = 30_000
"""How many milliseconds what is expected may take to be seen: other work on the machine must not fail a test."""


def address_of(base: str, page: str) -> str:
    """Return the address of a page, of which the first one has no name."""
    return base if page == FIRST else f"{base}/{page}"


def _unavailable(reason: str) -> None:
    message = f"{reason}; install it with `apt-get install chromium`"
    if os.environ.get("DELVE_REQUIRE_BROWSER") == "1":
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, CHROMIUMS)), None)


@pytest.fixture(scope="package")
def browser() -> Iterator:
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
    path = find_chromium()
    if path is None:
        _unavailable("no Chromium was found")
    playwright.expect.set_options(timeout=PATIENCE)
    driver = playwright.sync_playwright().start()
    browser = driver.chromium.launch(executable_path=path, args=FLAGS)
    yield browser
    with ended_after(SECONDS_TO_END), suppress(playwright.Error):
        browser.close()
        driver.stop()


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Kill the processes that this one has started where what is done inside takes too long: a browser that does
    not close must not keep the tests from ending."""
    started = psutil.Process().children(recursive=True)

    def kill() -> None:
        for child in started:
            with suppress(psutil.NoSuchProcess):
                child.kill()

    timer = threading.Timer(seconds, kill)
    timer.start()
    yield
    timer.cancel()


PORTS: list[int] = []
"""Where servers were: a window that has shown the application of a port reads it in half the time."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_server(
    directory: Path, archive: Path, *more: str, cache: Path | None = None, prefix: str = "", token: str = ""
) -> tuple[subprocess.Popen, str]:
    """Start `delve dashboard` on an archive, in another directory; return the process and its address without
    prefix. more: options; cache: one that is warm already; token: what is asked for where it is."""
    port = PORTS.pop() if PORTS else free_port()
    kept = str(cache or directory / "cache")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": kept}
    environment.pop("DELVE_PATH", None)
    environment |= {"DELVE_TOKEN": token} if token else {}
    command = [sys.executable, "-m", "delvecore.cli.delve", "dashboard", str(archive), *more]
    log = directory / f"server-{port}.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [*command, "--port", str(port), "--no-browser"],
            cwd=directory,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    _wait_until_served(process, address + prefix, log)
    return process, address


def _wait_until_served(process, address, log):
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(log.read_text())
        try:
            urllib.request.urlopen(address + "/_stcore/health", timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    process.kill()
    raise TimeoutError(log.read_text())


@contextmanager
def served(directory: Path, archive: Path, *more: str, cache: Path | None = None) -> Iterator[str]:
    """Serve an archive for a while; gives the address. more, cache: see `start_server`."""
    process, address = start_server(directory, archive, *more, cache=cache)
    try:
        yield address
    finally:
        process.terminate()
        try:
            process.wait(10)
            PORTS.append(int(address.rpartition(":")[2]))
        except subprocess.TimeoutExpired:
            process.kill()


@pytest.fixture(scope="package")
def full_address(browser, tmp_path_factory) -> Iterator[str]:
    """The address of a server with the small archive, which has one faulty file."""
    directory = tmp_path_factory.mktemp("full")
    archive = small_archive(directory)
    write_tree(archive, {"data/demo/age/odd.prior": "1 NLMH banana\n"})
    with served(directory, archive) as address:
        yield address


@pytest.fixture(scope="package")
def array_address(browser, tmp_path_factory) -> Iterator[str]:
    """The address of the Task-arrays page on a server with an array that a user made."""
    directory = tmp_path_factory.mktemp("array")
    with served(directory, array_archive(directory)) as address:
        yield f"{address}/task_arrays"


class Visitor:
    """A browser page that keeps what went wrong in it."""

    def __init__(self, page):
        self.page = page
        self.problems: list[str] = []
        self.foreign: list[str] = []
        self.asked = self.runs = 0
        self.clocks: dict[str, float] = {}
        self.listeners = (
            ("pageerror", lambda error: self.problems.append(f"page error: {error}")),
            ("console", self._console),
            ("request", lambda request: self._request(request.url)),
            ("websocket", self._websocket),
        )
        for event, listener in self.listeners:
            page.on(event, listener)

    def _console(self, message):
        if message.type == "error" and not PROBES.search(message.location.get("url", "")):
            self.problems.append(f"console: {message.text}")

    def _request(self, url):
        if not re.match(r"(https?|wss?)://127\.0\.0\.1:|data:|blob:", url):
            self.foreign.append(url)

    def _websocket(self, socket):
        self._request(socket.url)
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._frame)

    def _sent(self, payload):
        """Count the runs that the page asks for by an act of the visitor's."""
        from streamlit.proto.BackMsg_pb2 import BackMsg

        message = BackMsg.FromString(bytes(payload))
        self.asked += message.WhichOneof("type") == "rerun_script" and not message.rerun_script.is_auto_rerun

    def _frame(self, payload):
        """Count finished runs: the page's own attribute misses short ones. Those that a clock asks for, without an
        act of the visitor's, do not count."""
        from google.protobuf.message import DecodeError
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        try:
            message = ForwardMsg.FromString(bytes(payload))
        except (DecodeError, TypeError):
            return
        kind = message.WhichOneof("type")
        if kind == "auto_rerun":
            self.clocks[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        asked = set(message.metadata.run.fragment_ids)
        self.runs += kind == "script_finished" and not (asked and asked <= self.clocks.keys())

    def open(self, address: str) -> None:
        """Go to an address and wait until everything is drawn."""
        self.page.goto(address)
        self.settle()

    def walk(self, address: str) -> None:
        """Go to another address of the dashboard that is shown, as Forward does: it is not loaded anew."""
        self.after(lambda: self.page.evaluate(WALK, address))

    def settle(self) -> None:
        self.page.wait_for_selector(DONE, state="attached", timeout=PATIENCE)
        self.page.wait_for_function(SETTLED, timeout=PATIENCE, polling=50)

    def act(self, action: Callable[[], None]) -> None:
        """Do something that may make the page run, and wait until a run that it asks for is drawn."""
        asked, runs = self.asked, self.runs
        action()
        self.page.wait_for_timeout(100)  # A browser asks at once.
        if self.asked > asked:
            # Streamlit joins what is asked for to a run that is about to begin, which may have ended already.
            self._has_run(runs)
        self.settle()

    def after(self, action: Callable[[], None]) -> None:
        """Do something that makes the page run, and wait until that run is drawn."""
        before = self.runs
        action()
        if not self._has_run(before):
            raise TimeoutError("the page did not run")
        self.settle()

    def _has_run(self, before: int) -> bool:
        """Wait until more runs have ended than these; False if none has after half a minute."""
        end = time.monotonic() + 30
        while self.runs <= before:
            if time.monotonic() > end:
                return False
            self.page.wait_for_timeout(10)
        return True

    @property
    def first_line(self):
        """The finding of the page: its heading and the lines below."""
        return self.page.locator('[data-testid="stMain"] .st-key-page-head')

    def answer(self) -> str:
        """Return the finding as it is now; `expect(visitor.first_line)` waits for an expected one."""
        return self.first_line.inner_text()

    def heading(self) -> str:
        """Return the only heading of the first level, which is a finding or a question, not the page's name."""
        headings = self.page.locator("h1").all_inner_texts()
        assert len(headings) == 1, headings
        assert 1 < len(headings[0].split()) <= MOST_WORDS, headings
        assert not headings[0].endswith("."), headings
        assert headings[0] not in {page.title for page in PAGES}
        return headings[0]

    def exceptions(self) -> int:
        return self.page.locator('[data-testid="stException"]').count()

    def fits(self, widths: tuple[int, ...]) -> None:
        """Wait at each width of the window until nothing is wider than it; fails where something stays so."""
        height = self.page.viewport_size["height"]
        for width in widths:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.wait_for_function(FITS, timeout=PATIENCE, polling=50)

    def click_cell(self, row: int, left: int = 120) -> None:
        """Click a row of the first table; the mouse arrives first, as a hand's does."""
        box = self.page.locator('[data-testid="stDataFrame"] canvas').first.bounding_box()
        x, y = box["x"] + left, box["y"] + 33 + 31 * row + 15
        self.page.mouse.move(x - 5, y, steps=4)
        self.page.wait_for_timeout(200)
        self.page.mouse.click(x, y)


@pytest.fixture(scope="package")
def windows(browser) -> list[tuple]:
    """Windows that earlier visitors left: a window that has shown the application shows it again in half the time.
    Each has a store and cookies of its own, both emptied between visitors."""
    return []


def _leave(window: tuple, visitor: Visitor) -> None:
    """Take a visitor out of a window: the server sees him go, and nothing of him stays behind."""
    context, page = window
    for event, listener in visitor.listeners:
        page.remove_listener(event, listener)
    if page.url.startswith("http"):
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.goto("about:blank")
    context.clear_cookies()


@pytest.fixture
def visit(browser, windows) -> Iterator[Callable[..., Visitor]]:
    """Make visitors: `visit("dark", width=390)`. None may see an error or ask another host."""
    with visitors(browser, windows) as make:
        yield make


@contextmanager
def visitors(browser, windows) -> Iterator[Callable[..., Visitor]]:
    """Make visitors for a while: see `visit`."""
    made = []

    def make(scheme: str = "light", *, width: int = 1280) -> Visitor:
        if windows:
            context, page = windows.pop()
        else:
            context = browser.new_context(accept_downloads=True)
            page = context.new_page()
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        visitor = Visitor(page)
        made.append(((context, page), visitor))
        return visitor

    yield make
    seen = [(visitor.problems, visitor.foreign) for _, visitor in made]
    for window, visitor in made:
        _leave(window, visitor)
        windows.append(window)
    assert seen == [([], [])] * len(made)


@contextmanager
def visitor_at(browser, windows, address: str) -> Iterator[Visitor]:
    """A visitor who has opened an address, and goes from one test to the next without loading the page anew."""
    with visitors(browser, windows) as make:
        one = make()
        one.open(address)
        yield one
