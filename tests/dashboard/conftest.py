"""Archives and page runs for the dashboard's tests."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.server import archive as opened
from tests.archives import small_archive, write_tree

APP = Path(__file__).resolve().parents[2] / "dashboard" / "app.py"
RunPage = Callable[..., AppTest]


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

    def run(name: str = "archive", **parameters: str | list[str]) -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=30)
        for key, value in parameters.items():
            app.query_params[key] = value
        app.run()
        if name != "archive":
            app.switch_page(f"{name}/page.py")
            for key, value in parameters.items():
                app.query_params[key] = value
            app.run()
        return app

    return run
