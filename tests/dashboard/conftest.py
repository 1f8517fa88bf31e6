"""Archives and page runs for the dashboard's tests."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from dashboard.server import archive as opened
from dashboard.server.pages import FIRST
from dashboard.ui import blocks
from delvecore.plots.figure import Figure
from tests.archives import small_archive, write_tree
from tests.dashboard.array_archive import array_archive

APP = Path(__file__).resolve().parents[2] / "dashboard" / "app.py"
PATIENCE = 120
"""Seconds a run may take: other work on the machine must not fail a test."""
RunPage = Callable[..., AppTest]


@pytest.fixture(scope="session", autouse=True)
def one_search_for_components() -> Iterator[None]:
    """Streamlit looks through all that is installed for parts of pages, in a test anew for each page that is run."""
    with pytest.MonkeyPatch.context() as patch:
        cached_scan = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", cached_scan)
        yield


@pytest.fixture(scope="session", autouse=True)
def patient_pages() -> Iterator[None]:
    """Pages wait for their archive: no browser comes back here when it has been read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opened, "PATIENCE", PATIENCE)
        yield


@pytest.fixture(scope="session", autouse=True)
def checked_figures() -> Iterator[None]:
    """Plotly checks every part of every figure that a page shows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_Checked", Figure.plotly)
        yield


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The small archive, opened by the dashboard."""
    path = small_archive(tmp_path)
    opened.choose_paths([str(path)])
    return path


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A delve directory with nothing in it, opened by the dashboard."""
    path = write_tree(tmp_path / "delve-empty", {"data/.keep": "", "methods/.keep": ""})
    opened.choose_paths([str(path)])
    return path


@pytest.fixture(scope="session")
def run_page() -> RunPage:
    """Run one page, which may not fail, with an address's parameters: `run_page("datasets", dataset="demo")`."""

    def run(name: str = FIRST, **parameters: str | list[str]) -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
        for key, value in parameters.items():
            app.query_params[key] = value
        return visit(app, name) if name != FIRST else run_whole(app)

    return run


class Pages:
    """Pages of an archive, each address run once for all tests that only read it."""

    def __init__(self, archive: Path, run_page: RunPage, **options: object) -> None:
        self.archive, self.run_page, self.options = archive, run_page, options
        self.shown: dict[str, AppTest] = {}

    def __call__(self, name: str = FIRST, **parameters: str | list[str]) -> AppTest:
        address = f"{name} {sorted(parameters.items())}"
        if address not in self.shown:
            self.shown[address] = self.fresh(name, **parameters)
        return self.shown[address]

    def fresh(self, name: str = FIRST, **parameters: str | list[str]) -> AppTest:
        """Run a page that a test changes by what it clicks."""
        opened.choose_paths([str(self.archive)], **self.options)
        return self.run_page(name, **parameters)


@pytest.fixture(scope="session")
def small_page(tmp_path_factory: pytest.TempPathFactory, run_page: RunPage) -> Pages:
    """The pages of the small archive."""
    return Pages(small_archive(tmp_path_factory.mktemp("small")), run_page)


@pytest.fixture(scope="session")
def array_page(tmp_path_factory: pytest.TempPathFactory, run_page: RunPage) -> Pages:
    """The pages of the archive with an array."""
    return Pages(array_archive(tmp_path_factory.mktemp("array")), run_page)


def go_to(app: AppTest, name: str) -> AppTest:
    """Go to a page as a browser does, without its click: AppTest switches to pages that are files only."""
    app._page_hash = calc_hash(name)
    return app


def visit(app: AppTest, name: str) -> AppTest:
    """Go to a page and run it, which may not fail."""
    return run_whole(go_to(app, name))


def run_whole(app: AppTest) -> AppTest:
    """Run a page, which may not fail."""
    app.run()
    assert [error.value for error in app.exception] == []
    return app
