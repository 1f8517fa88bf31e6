"""The metrics of an archive are kept before somebody asks for them."""

import pytest

from dashboard.server import archive as opened
from dashboard.server import metrics_ahead
from dashboard.server.metrics_ahead import MetricsAhead
from delvecore.archive.metrics import is_kept
from tests.archives import small_archive


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    opened.choose_paths([str(small_archive(tmp_path))])
    return opened.open_archive().archive


def test_metrics_are_kept_before_somebody_asks(archive):
    ahead = MetricsAhead()
    ahead.start()
    ahead.wait()
    assert is_kept(archive, "rmse")


def test_metrics_of_large_archives_wait_until_somebody_asks(archive, monkeypatch):
    monkeypatch.setattr(metrics_ahead, "MOST_RESULTS", 0)
    ahead = MetricsAhead()
    ahead.start()
    ahead.wait()
    assert not is_kept(archive, "rmse")


def test_a_server_that_ends_does_not_wait_for_metrics(archive):
    ahead = MetricsAhead()
    ahead.start()
    ahead.end()
    assert not ahead._thread.is_alive()
