"""The metrics of an archive are kept before somebody asks for them."""

import sys
import threading
import time

import pytest

from dashboard.server import archive as opened
from dashboard.server.archive import prepare
from delvecore.archive.metrics import is_kept
from delvecore.parallel.processes import Worker, end_all
from tests.archives import small_archive


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    opened.choose_paths([str(small_archive(tmp_path))])
    return opened.open_archive().archive


def test_metrics_are_kept_before_somebody_asks(archive):
    prepare()
    assert is_kept(archive, "rmse")


def test_metrics_are_kept_where_methods_cannot_be_loaded(archive, monkeypatch):
    # The import system takes None for a package that is not installed.
    monkeypatch.setitem(sys.modules, "sklearn", None)
    prepare()
    assert is_kept(archive, "rmse")


def test_metrics_of_large_archives_wait_until_somebody_asks(archive, monkeypatch):
    monkeypatch.setattr(opened, "MOST_RESULTS", 0)
    prepare()
    assert not is_kept(archive, "rmse")


def test_a_server_that_ends_does_not_wait_for_metrics(archive, monkeypatch):
    begun = threading.Event()
    monkeypatch.setattr(opened, "keep_losses", long)
    monkeypatch.setattr(Worker, "submit", lambda *call, **how: (begun.set(), submit(*call, **how))[1])
    thread = threading.Thread(target=prepare, daemon=True)
    thread.start()
    assert begun.wait(60)
    end_all()
    thread.join(20)
    assert not thread.is_alive()


submit = Worker.submit


def long(*_paths, **_how):
    time.sleep(600)
