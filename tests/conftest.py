"""Fixtures that all tests share."""

import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

import delvecore
from tests.shared import SESSION, shared_path

settings.register_profile("patient", deadline=None)  # other work on the machine must not fail a test
settings.load_profile("patient")

ROOT = Path(__file__).resolve().parents[1]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one file stay in one process, and so do those that need the whole archive opened."""
    for item in items:
        needs_all = "whole_archive" in getattr(item, "fixturenames", ())
        item.add_marker(pytest.mark.xdist_group("whole archive" if needs_all else str(item.path)))


@pytest.fixture(scope="session")
def golden_session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded session of DELVE 1.1: `delve-golden/` and `expected/`; read only."""
    target = tmp_path_factory.mktemp("golden")
    with tarfile.open(shared_path(SESSION)) as archive:
        archive.extractall(target, filter="data")
    return target / "session"


@pytest.fixture(scope="session")
def whole_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which the archive of the project has been opened once: cases simulated, losses computed."""
    cache = tmp_path_factory.mktemp("cache-of-all")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DELVE_PATH", raising=False)
        patch.setenv("XDG_CACHE_HOME", str(cache))
        delvecore.open()
    return cache


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """A page that was run leaves itself as the main module, which processes started later would import."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(autouse=True)
def private_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads the user's delve path or writes into the user's cache."""
    monkeypatch.delenv("DELVE_PATH", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
