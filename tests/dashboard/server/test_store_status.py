"""An archive in a store that cannot be reached for a while."""

import threading

import pytest

from dashboard.server import archive as opened
from tests.archives import small_archive
from tests.dashboard.reading import codes, texts
from tests.remote.conftest import fresh_stores, web

pytestmark = pytest.mark.slow

__all__ = ["fresh_stores", "web"]


@pytest.fixture
def far(web, tmp_path):
    """The small archive behind a web server, opened by the dashboard."""
    small_archive(tmp_path / "served")
    opened.choose_paths([f"{web.address}/delve-small/"])
    return web


def test_what_was_read_stays_shown_to_all_while_a_store_cannot_be_reached(far, run_page, tmp_path):
    app = run_page("compare")
    assert str(tmp_path / "cache") not in texts(app) + "".join(codes(app))
    places = opened.look()
    far.status = 403
    assert opened.look() == places
    app.run()
    assert "The archive cannot be reached now." in texts(app)
    assert f"{far.address}/delve-small/: expected what can be read, found no permission" in texts(app)
    assert "has changed" not in texts(app)
    later = run_page("leaderboard")
    assert not later.error
    assert "**1 dataset**" in texts(later)
    far.status = 0
    opened.look()
    assert "cannot be reached" not in texts(app.run())
    (tmp_path / "served/delve-small/methods/two/Summary").write_text("Another method.\n")
    opened.look()
    assert "The archive has changed" in texts(app.run())


def test_a_store_is_asked_once_a_minute(far):
    opened.open_archive(patience=30)
    pausing = Pausing()
    opened.watch(pausing)
    assert pausing.pauses[0] >= opened.FAR_PAUSE == 60


class Pausing(threading.Event):
    """Keeps how long somebody wanted to wait, and ends the watch."""

    def __init__(self):
        super().__init__()
        self.pauses = []

    def wait(self, timeout=None):
        self.pauses.append(timeout)
        self.set()
        return True
