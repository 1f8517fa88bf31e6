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
from tests.archives import small_archive, write_tree

APP = Path(__file__).resolve().parents[2] / "dashboard" / "app.py"
PATIENCE = 120
"""Seconds a run may take: other work on the machine must not fail a test."""
RunPage = Callable[..., AppTest]


@pytest.fixture(scope="session", autouse=True)
def one_search_for_components() -> Iterator[None]:
    """Streamlit looks through all that is installed for parts of pages, in a test anew for each page that is run."""
    with pytest.MonkeyPatch.context() as patch:
        found = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", found)
        yield


@pytest.fixture(autouse=True)
def patient_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages wait for their archive: no browser comes back here when it has been read."""
    monkeypatch.setattr(opened, "PATIENCE", PATIENCE)


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


@pytest.fixture
def run_page() -> RunPage:
    """Run one page with an address's parameters: `run_page("datasets", dataset="demo")`."""

    def run(name: str = FIRST, **parameters: str | list[str]) -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
        for key, value in parameters.items():
            app.query_params[key] = value
        return (go_to(app, name) if name != FIRST else app).run()

    return run


def go_to(app: AppTest, name: str) -> AppTest:
    """Go to a page as a browser does, without its click: AppTest switches to pages that are files only."""
    app._page_hash = calc_hash(name)
    return app
