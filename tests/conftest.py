"""Fixtures that all tests share."""

import faulthandler
import fcntl
import gc
import itertools
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

import delvecore
from delvecore.cli.delve import CLASSIC
from delvecore.losses import spec
from delvecore.losses.standard_losses import TEST_SET_STATS_LOSSES
from delvecore.parallel.processes import THREADS
from tests.archives import small_archive
from tests.cli.running import Runner
from tests.shared import SESSION, SHARED, shared_path

settings.register_profile("patient", deadline=None)  # other work on the machine must not fail a test
settings.load_profile("patient")

ROOT = Path(__file__).resolve().parents[1]
BROWSER = str(ROOT / "tests" / "browser") + os.sep
LATE = ["TimeoutError", "Timeout [0-9]+ms exceeded", "with timeout [0-9]+ms"]
"""A browser test that waited in vain is asked once more, which the summary counts; other failures never are."""
SLOW = {"dask", "run_page", "whole_archive"}
"""Fixtures for processes, whole pages and the whole archive."""
ALL_SLOW = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.slow\b", re.MULTILINE)
"""The line of a file that marks all its tests as slow."""
NUMBERS = itertools.count()
SECONDS_TO_END = 600
MOST_GENERATED = 8
"""How many generated datasets a test may leave in its cache; the whole archive has some twenty."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--wide", action="store_true", help="run the searches that take many minutes, too")


def pytest_configure(config: pytest.Config) -> None:
    """Where Python keeps no bytecode, let all processes of this run compile what they import once: without it
    each process that a test starts spends seconds on that. And nothing cuts the power while tests run: what they
    write need not be on the disk before they go on."""
    if sys.dont_write_bytecode and not hasattr(config, "workerinput"):
        directory = tempfile.mkdtemp(prefix="delve-bytecode-")
        config.add_cleanup(lambda: shutil.rmtree(directory, ignore_errors=True))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = directory
    os.sync = os.fsync = lambda *_: None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Imported modules and collected tests last until the end: no search for garbage visits them, neither while
    they come nor after each page that Streamlit runs, which asks for one."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where slow tests are left out, do not import the files that have no others."""
    if config.option.markexpr != "not slow" or not collection_path.name.startswith("test_"):
        return None
    if str(collection_path).startswith(BROWSER):
        return True
    return bool(ALL_SLOW.search(collection_path.read_text(encoding="utf-8"))) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what a browser, whole pages or the whole archive make slow. A process runs whole files: what takes longest
    begins, so that none is left with it alone, and one file opens the whole archive while the other process has a
    browser, instead of waiting for it."""
    left_out = {
        item
        for item in items
        if (item.get_closest_marker("wide") and not config.getoption("--wide"))
        or (needs_shared(item) and not SHARED.exists())
    }
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]
    turns: dict[Path, int] = {}
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        needs_browser = str(item.path).startswith(BROWSER)
        if item.get_closest_marker("wide"):
            item.add_marker(pytest.mark.timeout(0))  # no limit: some search for an hour
        if needs_browser:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=LATE))
        if needs_browser or fixtures & SLOW:
            item.add_marker(pytest.mark.slow)
        turn = 1 if needs_browser else 2 if item.get_closest_marker("slow") else 3
        if "whole_archive" in fixtures and not needs_browser and 0 not in turns.values():
            turn = 0
        turns[item.path] = min(turns.get(item.path, 3), turn)
    items.sort(key=lambda item: turns[item.path])


def needs_shared(item: pytest.Item) -> bool:
    """Does a test compare with data or a session beside the project?"""
    return item.get_closest_marker("shared") is not None or "golden_session" in getattr(
        item, "fixturenames", ()
    )


def pytest_unconfigure() -> None:
    """A process of the tests that waits for something when it should end says for what, and ends."""
    faulthandler.dump_traceback_later(SECONDS_TO_END, exit=True)


def pytest_terminal_summary(terminalreporter: "pytest.TerminalReporter") -> None:
    if not SHARED.exists():
        terminalreporter.write_line("Left out: tests of data and a session in ../shared, which is absent.")


@pytest.fixture(scope="module")
def losses_of_delve() -> Iterator[None]:
    """The losses of DELVE 1.1 alone, for tests of which files these make; losses that are added make more."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(spec, "LOSSES", "".join(sorted(TEST_SET_STATS_LOSSES)))
        yield


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
        assert delvecore.open().losses.num_rows
    return cache


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """A page that was run leaves itself as the main module, which processes started later would import."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(autouse=True)
def private_environment(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """No test reads the user's delve path, writes into the user's cache, or opens the whole archive anew.

    The cache lies in the directory of the test where it asks for one, which takes longer than most tests."""
    has_directory = "tmp_path" in request.fixturenames
    if has_directory:
        cache = request.getfixturevalue("tmp_path") / "cache"
    else:
        cache = tmp_path_factory.getbasetemp() / f"cache-{next(NUMBERS)}"
    monkeypatch.delenv("DELVE_PATH", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    yield
    generated = list((cache / "delve/generated").glob("*"))
    assert len(generated) <= MOST_GENERATED, (
        "the shipped archive was opened cold: take the fixture whole_archive"
    )


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The small archive of `tests.archives`."""
    return small_archive(tmp_path)


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Runner:
    """Run a command inside the test's process: `run_command(mstats.main, "/one")`."""
    return Runner(monkeypatch, capfdbinary)


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A directory with all commands, which one process runs that has imported what they need."""
    directory = tmp_path_factory.mktemp("programs")
    for name in ("delve", *CLASSIC):
        words = f"{sys.executable} -IS {ROOT}/tests/forked.py {directory}/address delvecore.cli.{name}"
        (directory / name).write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        (directory / name).chmod(0o755)
    command, pipe = [sys.executable, "-m", "tests.forked", f"{directory}/address"], subprocess.PIPE
    environment = {**os.environ, **dict.fromkeys(THREADS, "1")}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe) as process:
        assert process.stdout.readline()
        yield directory
        process.stdin.close()


@pytest.fixture(scope="module")
def dask():
    """A cluster of two worker processes on this machine."""
    distributed = pytest.importorskip("distributed", reason="the package distributed is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as workers:
        yield workers
