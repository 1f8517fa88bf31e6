"""The metrics of an archive are kept before somebody asks for them."""

import sys

import pytest

from dashboard.server import archive as opened
from dashboard.server import preparation
from dashboard.server.preparation import Preparation
from delvecore.archive.metrics import is_kept
from tests.archives import small_archive


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    opened.choose_paths([str(small_archive(tmp_path))])
    return opened.open_archive().archive


def test_metrics_are_kept_before_somebody_asks(archive):
    preparing = Preparation()
    preparing.start()
    preparing.wait()
    assert is_kept(archive, "rmse")


def test_metrics_are_kept_where_methods_cannot_be_loaded(archive, monkeypatch):
    # The import system takes None for a package that is not installed.
    monkeypatch.setitem(sys.modules, "sklearn", None)
    preparing = Preparation()
    preparing.start()
    preparing.wait()
    assert is_kept(archive, "rmse")


def test_metrics_of_large_archives_wait_until_somebody_asks(archive, monkeypatch):
    monkeypatch.setattr(preparation, "MOST_RESULTS", 0)
    preparing = Preparation()
    preparing.start()
    preparing.wait()
    assert not is_kept(archive, "rmse")


def test_a_server_that_ends_does_not_wait_for_metrics(archive):
    preparing = Preparation()
    preparing.start()
    preparing.end()
    assert not preparing._thread.is_alive()
