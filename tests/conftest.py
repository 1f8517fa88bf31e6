"""Fixtures that all tests share."""

import fcntl
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
BROWSER = ROOT / "tests" / "browser"
LATE = ["TimeoutError", "Timeout [0-9]+ms exceeded", "with timeout [0-9]+ms"]
"""A browser test that waited in vain is asked once more, which the summary counts; other failures never are."""
MOST_GENERATED = 8
"""How many generated datasets a test may leave in its cache; the whole archive has some twenty."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what a browser or the whole archive makes slow, and keep tests of one file in one process, as well as
    those that need the whole archive opened. What takes longest begins, that no process is left with it alone."""
    turns: dict[str, int] = {}
    for item in items:
        needs_all = "whole_archive" in getattr(item, "fixturenames", ())
        needs_browser = BROWSER in item.path.parents
        if needs_browser:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=LATE))
        if needs_browser or needs_all:
            item.add_marker(pytest.mark.slow)
        group = "whole archive" if needs_all and not needs_browser else str(item.path)
        item.add_marker(pytest.mark.xdist_group(group))
        slow = item.get_closest_marker("slow") is not None
        turns[group] = min(turns.get(group, 3), 0 if needs_all else 1 if needs_browser else 2 if slow else 3)
    items.sort(key=lambda item: turns[item.get_closest_marker("xdist_group").args[0]])


@pytest.fixture(scope="session")
def golden_session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded session of DELVE 1.1: `delve-golden/` and `expected/`; read only."""
    target = tmp_path_factory.mktemp("golden")
    with tarfile.open(shared_path(SESSION)) as archive:
        archive.extractall(target, filter="data")
    return target / "session"


@pytest.fixture(scope="session")
def whole_archive(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A cache in which the archive of the project has been opened once in this run, for all its processes: cases
    simulated, losses computed."""
    base = tmp_path_factory.getbasetemp()
    cache = (base if worker_id == "master" else base.parent) / "cache-of-all"
    cache.mkdir(exist_ok=True)
    with (cache / "lock").open("w") as lock, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(lock, fcntl.LOCK_EX)
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
def private_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test reads the user's delve path, writes into the user's cache, or opens the whole archive anew."""
    monkeypatch.delenv("DELVE_PATH", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield
    generated = list((tmp_path / "cache/delve/generated").glob("*"))
    assert len(generated) <= MOST_GENERATED, (
        "the shipped archive was opened cold: take the fixture whole_archive"
    )


@pytest.fixture(scope="module")
def dask():
    """A cluster of two worker processes on this machine."""
    distributed = pytest.importorskip("distributed", reason="the package distributed is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as workers:
        yield workers
